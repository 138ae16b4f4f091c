#include "game/install/install.h"

#include "game/install/content.h"
#include "game/install/restore.h"

#include <stdio.h>
#include <string.h>

/* Everything that the steps of one installation need. */
typedef struct Installation {
    const InstallOptions *options;
    const FileOps *ops;
    InstallFolder folder;   /* as it was found, or as it is after what was installed is removed */
    InstallContent content; /* contents of the files to write */
    bool *pending;          /* as in Install_Run; may be null */
    RpError *error;
} Installation;

/* Checks that, without a manifest, no file has one of the names that an installation makes. */
static RpStatus CheckNames(const Installation *run) {
    for (int i = INSTALL_RETAIL; i < INSTALL_MANIFEST; i++) {
        const bool text = i >= INSTALL_TEXT && i < INSTALL_TEXT_PART;
        if (!text && run->folder.files[i].present)
            return RpError_Set(run->error, RP_INVALID, RP_NOWHERE,
                               "a file has a name that install needs, and is none of ours",
                               run->folder.path, "no such file: rename or remove it yourself",
                               run->folder.files[i].name);
    }
    return RP_OK;
}

static bool IsUpToDate(const Installation *run) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (strcmp(run->folder.files[INSTALL_DLL + i].sha256,
                   run->content.manifest.pairs[i].ours) != 0)
            return false;
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++)
        if (!run->folder.files[INSTALL_TEXT + i].present)
            return false;
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static RpStatus Create(const Installation *run, const char *name, const RpBuffer *bytes) {
    char path[FILES_PATH_BYTES];
    if (!Files_Join(run->folder.path, name, path))
        return RpError_Set(run->error, RP_INVALID, RP_NOWHERE, "the path is too long",
                           run->folder.path, "", "");
    const RpStatus status = Files_Create(run->ops, path, bytes->bytes, bytes->size, run->error);
    if (status && run->error && !run->error->where[0])
        snprintf(run->error->where, sizeof run->error->where, "%s", name);
    return status;
}

static RpStatus Move(const Installation *run, const char *from, const char *to) {
    char source[FILES_PATH_BYTES], target[FILES_PATH_BYTES];
    if (!Files_Join(run->folder.path, from, source) || !Files_Join(run->folder.path, to, target))
        return RpError_Set(run->error, RP_INVALID, RP_NOWHERE, "the path is too long",
                           run->folder.path, "", "");
    return run->ops->move(run->ops->context, source, target, false, run->error);
}

static RpStatus Sync(const Installation *run) {
    return run->ops->sync(run->ops->context, run->folder.path, run->error);
}

/* Writes all files and gives them their names. After each step the manifest tells what every file
 * in the folder is, so that the next run can undo what this one leaves. */
static RpStatus WriteAll(const Installation *run) {
    const InstallContent *content = &run->content;
    char part[INSTALL_NAME_BYTES + 32], retail[INSTALL_NAME_BYTES + 32];
    RpBuffer manifest;

    /* The manifest is written before anything else is touched, because it is the journal. */
    InstallFile_Name(INSTALL_MANIFEST_PART, part);
    RpBuffer_Init(&manifest, NULL);
    InstallManifest_Format(&content->manifest, &manifest);
    RpStatus status = manifest.failed ? RpMemory_Refused(run->error, INSTALL_MANIFEST_FILE)
                                      : Create(run, part, &manifest);
    RpBuffer_Free(&manifest);
    if (!status)
        status = Move(run, part, INSTALL_MANIFEST_FILE);
    if (!status)
        status = Sync(run);

    /* Every new file is first written whole under a temporary name. */
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_TEXT_PART + i), part);
        if (content->has_text[i])
            status = Create(run, part, &content->texts[i]);
    }
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_DLL_PART + i), part);
        status = Create(run, part, &content->dlls[i]);
    }
    if (!status)
        status = Sync(run);

    /* The settings and the overlay get their names before the DLLs that read them. */
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_TEXT_PART + i), part);
        if (content->has_text[i])
            status = Move(run, part, InstallText_File((InstallText)i));
    }

    /* Each original gets its other name, and ours takes its place. */
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        InstallFile_Name((InstallFile)(INSTALL_RETAIL + i), retail);
        InstallFile_Name((InstallFile)(INSTALL_DLL_PART + i), part);
        status = Move(run, content->manifest.pairs[i].name, retail);
        if (!status)
            status = Move(run, part, content->manifest.pairs[i].name);
    }
    return status ? status : Sync(run);
}

static void ReportWritten(const Installation *run) {
    const InstallContent *content = &run->content;
    char name[INSTALL_NAME_BYTES + 32], text[128];
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallPair *pair = &content->manifest.pairs[i];
        InstallFile_Name((InstallFile)(INSTALL_RETAIL + i), name);
        Install_Report(run->options, INSTALL_RENAMED, pair->name, name);
        snprintf(text, sizeof text, "%s, SHA-256 %s",
                 content->is_own[i] ? "ours" : "not the DLL beside this program", pair->ours);
        Install_Report(run->options, INSTALL_WROTE, pair->name, text);
    }
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++) {
        const char *file = InstallText_File((InstallText)i);
        if (content->has_text[i])
            Install_Report(run->options, INSTALL_WROTE, file,
                           i == INSTALL_INI ? "settings" : "what is known of the originals");
        else
            Install_Report(run->options, INSTALL_KEPT, file, "it was there already");
    }
    Install_Report(run->options, INSTALL_WROTE, INSTALL_MANIFEST_FILE, "for uninstall");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Does the work. The folder is locked, so that nobody else changes it meanwhile. */
static RpStatus InstallLocked(Installation *run) {
    const InstallOptions *options = run->options;

    /* The folder must hold what an earlier run has left, or nothing with a name that is needed. */
    RpStatus status = InstallFolder_Open(run->ops, options->folder, &run->folder, run->error);
    if (status)
        return status;
    const InstallState state = InstallFolder_State(&run->folder, run->error);
    if (state == INSTALL_BLOCKED)
        return RP_INVALID; /* the error has been set */
    if (state == INSTALL_NONE)
        status = CheckNames(run);

    /* The new contents are made before anything is touched, so that a folder into which nothing can
     * be installed keeps what it has. */
    if (!status)
        status = InstallContent_Make(options, &run->folder, &run->content, run->error);
    if (status)
        return status;
    if (state == INSTALL_WHOLE && IsUpToDate(run)) {
        Install_Report(options, INSTALL_NOTHING, INSTALL_MANIFEST_FILE, "installed already");
        return RP_OK;
    }

    /* If something is installed already, wholly or in part, it is removed first. */
    if (state != INSTALL_NONE || run->folder.files[INSTALL_MANIFEST_PART].present) {
        Install_Report(options, INSTALL_UNDONE, INSTALL_MANIFEST_FILE,
                       state == INSTALL_WHOLE ? "another version is installed"
                                              : "something was stopped on the way");
        status = Install_Restore(options, &run->folder, run->error);
        if (status && run->pending)
            *run->pending = Install_IsPending(options);
        if (!status && !options->dry_run) {
            InstallFolder_Close(&run->folder);
            status = InstallFolder_Open(run->ops, options->folder, &run->folder, run->error);
            if (!status)
                status = CheckNames(run);
        }
        if (status)
            return status;
    }

    /* If writing fails, everything is undone. If that fails, too, it is left to the next run. */
    if (!options->dry_run)
        status = WriteAll(run);
    if (status) {
        InstallOptions silent = *options;
        RpError ignored;
        silent.action = NULL;
        if (Install_Undo(&silent, &ignored) && run->pending)
            *run->pending = true;
        return status;
    }
    ReportWritten(run);
    return RP_OK;
}

RpStatus Install_Run(const InstallOptions *options, bool *pending, RpError *error) {
    Installation run = {
        .options = options, .ops = Install_Ops(options), .pending = pending, .error = error};
    intptr_t lock = 0;
    if (pending)
        *pending = false;
    RpStatus status =
        options->dry_run ? RP_OK : run.ops->lock(run.ops->context, options->folder, &lock, error);
    if (status)
        return status;
    status = InstallLocked(&run);
    InstallContent_Free(&run.content);
    InstallFolder_Close(&run.folder);
    if (!options->dry_run)
        run.ops->unlock(run.ops->context, lock);
    return status;
}
