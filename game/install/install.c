#include "game/install/install.h"

#include "game/install/content.h"
#include "game/install/restore.h"

#include <stdio.h>
#include <string.h>

/* ---- what must not be there ------------------------------------------------------------------ */

/* Checks that, without a manifest, no file has one of the names that an installation makes. */
static RpStatus CheckNames(const InstallFolder *folder, RpError *error) {
    for (int i = INSTALL_RETAIL; i < INSTALL_MANIFEST; i++) {
        const bool text = i >= INSTALL_TEXT && i < INSTALL_TEXT_PART;
        if (!text && folder->files[i].present)
            return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                               "a file has a name that install needs, and is none of ours",
                               folder->path, "no such file: rename or remove it yourself",
                               folder->files[i].name);
    }
    return RP_OK;
}

/* ---- doing it -------------------------------------------------------------------------------- */

typedef struct Step {
    const InstallOptions *options;
    const FileOps *ops;
    const InstallFolder *folder;
    RpError *error;
} Step;

static RpStatus Create(const Step *step, const char *name, const RpBuffer *bytes) {
    char path[FILES_PATH_BYTES];
    if (!Files_Join(step->folder->path, name, path))
        return RpError_Set(step->error, RP_INVALID, RP_NOWHERE, "the path is too long",
                           step->folder->path, "", "");
    const RpStatus status = Files_Create(step->ops, path, bytes->bytes, bytes->size, step->error);
    if (status && step->error && !step->error->where[0])
        snprintf(step->error->where, sizeof step->error->where, "%s", name);
    return status;
}

static RpStatus Move(const Step *step, const char *from, const char *to) {
    char source[FILES_PATH_BYTES], target[FILES_PATH_BYTES];
    if (!Files_Join(step->folder->path, from, source) ||
        !Files_Join(step->folder->path, to, target))
        return RpError_Set(step->error, RP_INVALID, RP_NOWHERE, "the path is too long",
                           step->folder->path, "", "");
    return step->ops->move(step->ops->context, source, target, false, step->error);
}

static RpStatus Sync(const Step *step) {
    return step->ops->sync(step->ops->context, step->folder->path, step->error);
}

static RpStatus WriteManifest(const Step *step, const InstallContent *content) {
    char part[INSTALL_NAME_BYTES + 32];
    RpBuffer text;
    InstallFile_Name(INSTALL_MANIFEST_PART, part);
    RpBuffer_Init(&text, NULL);
    InstallManifest_Format(&content->manifest, &text);
    RpStatus status = text.failed ? RpMemory_Refused(step->error, INSTALL_MANIFEST_FILE)
                                  : Create(step, part, &text);
    RpBuffer_Free(&text);
    if (!status)
        status = Move(step, part, INSTALL_MANIFEST_FILE);
    return status ? status : Sync(step);
}

static RpStatus WriteParts(const Step *step, const InstallContent *content) {
    char part[INSTALL_NAME_BYTES + 32];
    RpStatus status = RP_OK;
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_TEXT_PART + i), part);
        if (content->has_text[i])
            status = Create(step, part, &content->texts[i]);
    }
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_DLL_PART + i), part);
        status = Create(step, part, &content->dlls[i]);
    }
    return status ? status : Sync(step);
}

/* Puts the settings in place before the DLLs that read them. */
static RpStatus PlaceTexts(const Step *step, const InstallContent *content) {
    char part[INSTALL_NAME_BYTES + 32];
    RpStatus status = RP_OK;
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_TEXT_PART + i), part);
        if (content->has_text[i])
            status = Move(step, part, InstallText_File((InstallText)i));
    }
    return status;
}

static RpStatus PlaceDll(const Step *step, const InstallContent *content, AbiModule module) {
    char retail[INSTALL_NAME_BYTES + 32], part[INSTALL_NAME_BYTES + 32];
    const char *name = content->manifest.pairs[module].name;
    InstallFile_Name((InstallFile)(INSTALL_RETAIL + (int)module), retail);
    InstallFile_Name((InstallFile)(INSTALL_DLL_PART + (int)module), part);
    const RpStatus status = Move(step, name, retail);
    return status ? status : Move(step, part, name);
}

static RpStatus Apply(const Step *step, const InstallContent *content) {
    RpStatus status = WriteManifest(step, content);
    if (!status)
        status = WriteParts(step, content);
    if (!status)
        status = PlaceTexts(step, content);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status = PlaceDll(step, content, (AbiModule)i);
    return status ? status : Sync(step);
}

static void ReportApplied(const InstallOptions *options, const InstallContent *content) {
    char name[INSTALL_NAME_BYTES + 32], text[128];
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallPair *pair = &content->manifest.pairs[i];
        InstallFile_Name((InstallFile)(INSTALL_RETAIL + i), name);
        Install_Report(options, INSTALL_RENAMED, pair->name, name);
        snprintf(text, sizeof text, "%s, SHA-256 %s",
                 content->is_own[i] ? "ours" : "not the DLL beside this program", pair->ours);
        Install_Report(options, INSTALL_WROTE, pair->name, text);
    }
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++) {
        const char *file = InstallText_File((InstallText)i);
        if (content->has_text[i])
            Install_Report(options, INSTALL_WROTE, file,
                           i == INSTALL_INI ? "settings" : "what is known of the originals");
        else
            Install_Report(options, INSTALL_KEPT, file, "it was there already");
    }
    Install_Report(options, INSTALL_WROTE, INSTALL_MANIFEST_FILE, "for uninstall");
}

/* ---- the folder ------------------------------------------------------------------------------ */

static bool IsUpToDate(const InstallFolder *folder, const InstallContent *content) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (strcmp(folder->files[INSTALL_DLL + i].sha256, content->manifest.pairs[i].ours) != 0)
            return false;
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++)
        if (!folder->files[INSTALL_TEXT + i].present)
            return false;
    return true;
}

/* Where a failure cannot be undone, the folder is left to the next run. */
static RpStatus TakeBack(const InstallOptions *options, RpStatus status, bool *pending) {
    InstallOptions silent = *options;
    RpError ignored;
    silent.action = NULL;
    if (Install_Undo(&silent, &ignored) && pending)
        *pending = true;
    return status;
}

static RpStatus InstallFresh(const InstallOptions *options, const InstallFolder *folder,
                             const InstallContent *content, bool *pending, RpError *error) {
    const Step step = {options, Install_Ops(options), folder, error};
    if (!options->dry_run) {
        const RpStatus status = Apply(&step, content);
        if (status)
            return TakeBack(options, status, pending);
    }
    ReportApplied(options, content);
    return RP_OK;
}

/* Removes what is installed, wholly or in part, first. The new contents have been made by then,
 * so a folder into which nothing can be installed keeps what it has. */
static RpStatus InstallAnew(const InstallOptions *options, const InstallFolder *folder,
                            InstallState state, const InstallContent *content, bool *pending,
                            RpError *error) {
    InstallFolder restored;
    Install_Report(options, INSTALL_UNDONE, INSTALL_MANIFEST_FILE,
                   state == INSTALL_WHOLE ? "another version is installed"
                                          : "something was stopped on the way");
    RpStatus status = Install_Restore(options, folder, error);
    if (status && pending)
        *pending = Install_IsPending(options);
    if (status)
        return status;
    if (options->dry_run) {
        ReportApplied(options, content);
        return RP_OK;
    }
    status = InstallFolder_Open(Install_Ops(options), options->folder, &restored, error);
    if (!status)
        status = CheckNames(&restored, error);
    if (!status)
        status = InstallFresh(options, &restored, content, pending, error);
    InstallFolder_Close(&restored);
    return status;
}

static RpStatus InstallChecked(const InstallOptions *options, const InstallFolder *folder,
                               InstallState state, bool *pending, RpError *error) {
    InstallContent content;
    RpStatus status = InstallContent_Make(options, folder, &content, error);
    const bool leftover = folder->files[INSTALL_MANIFEST_PART].present;
    if (!status && state == INSTALL_WHOLE && IsUpToDate(folder, &content))
        Install_Report(options, INSTALL_NOTHING, INSTALL_MANIFEST_FILE, "installed already");
    else if (!status && (state != INSTALL_NONE || leftover))
        status = InstallAnew(options, folder, state, &content, pending, error);
    else if (!status)
        status = InstallFresh(options, folder, &content, pending, error);
    InstallContent_Free(&content);
    return status;
}

static RpStatus InstallInto(const InstallOptions *options, bool *pending, RpError *error) {
    InstallFolder folder;
    RpStatus status = InstallFolder_Open(Install_Ops(options), options->folder, &folder, error);
    const InstallState state = status ? INSTALL_NONE : InstallFolder_State(&folder, error);
    if (!status && state == INSTALL_BLOCKED)
        status = RP_INVALID; /* the error is filled already */
    if (!status && state == INSTALL_NONE)
        status = CheckNames(&folder, error);
    if (!status)
        status = InstallChecked(options, &folder, state, pending, error);
    InstallFolder_Close(&folder);
    return status;
}

RpStatus Install_Run(const InstallOptions *options, bool *pending, RpError *error) {
    const FileOps *ops = Install_Ops(options);
    intptr_t lock = 0;
    if (pending)
        *pending = false;
    if (options->dry_run)
        return InstallInto(options, pending, error);
    RpStatus status = ops->lock(ops->context, options->folder, &lock, error);
    if (status)
        return status;
    status = InstallInto(options, pending, error);
    ops->unlock(ops->context, lock);
    return status;
}
