#include "core/files/output.h"
#include "core/span.h"
#include "dll/settings/settings.h"
#include "game/install/install.h"
#include "game/install/restore.h"
#include "tracefile/format.h"

#include <stdio.h>
#include <string.h>

typedef struct Restoring {
    const InstallOptions *options;
    const FileOps *ops;
    const InstallFolder *folder;
    RpError *error;
} Restoring;

static bool JoinPath(const Restoring *restoring, const char *name, char path[FILES_PATH_BYTES]) {
    if (Files_Join(restoring->folder->path, name, path))
        return true;
    RpError_Set(restoring->error, RP_INVALID, RP_NOWHERE, "the path is too long",
                restoring->folder->path, "", "");
    return false;
}

static RpStatus Remove(const Restoring *restoring, const char *name) {
    char path[FILES_PATH_BYTES];
    if (restoring->options->dry_run)
        return RP_OK;
    return JoinPath(restoring, name, path)
               ? restoring->ops->remove(restoring->ops->context, path, restoring->error)
               : RP_INVALID;
}

static RpStatus Replace(const Restoring *restoring, const char *from, const char *to) {
    char source[FILES_PATH_BYTES], target[FILES_PATH_BYTES];
    if (restoring->options->dry_run)
        return RP_OK;
    return JoinPath(restoring, from, source) && JoinPath(restoring, to, target)
               ? restoring->ops->move(restoring->ops->context, source, target, true,
                                      restoring->error)
               : RP_INVALID;
}

static RpStatus Sync(const Restoring *restoring) {
    return restoring->options->dry_run
               ? RP_OK
               : restoring->ops->sync(restoring->ops->context, restoring->folder->path,
                                      restoring->error);
}

static RpStatus RemoveOurs(const Restoring *restoring, const InstallFound *found) {
    if (!found->present)
        return RP_OK;
    const RpStatus status = Remove(restoring, found->name);
    if (!status)
        Install_Report(restoring->options, INSTALL_REMOVED, found->name, "");
    return status;
}

/* ---- the originals --------------------------------------------------------------------------- */

/* Renames the original over our DLL in one step, so that the folder is never without the DLL. */
static RpStatus RestoreDll(const Restoring *restoring, AbiModule module) {
    const InstallFound *dll = &restoring->folder->files[INSTALL_DLL + (int)module];
    const InstallFound *retail = &restoring->folder->files[INSTALL_RETAIL + (int)module];
    const InstallPair *pair = &restoring->folder->manifest.pairs[module];
    if (!retail->present)
        return RP_OK;
    if (dll->present && strcmp(dll->sha256, pair->original) == 0)
        return RemoveOurs(restoring, retail); /* somebody has put the same original back already */
    const RpStatus status = Replace(restoring, retail->name, dll->present ? dll->name : pair->name);
    if (!status)
        Install_Report(restoring->options, INSTALL_RESTORED, pair->name, retail->name);
    return status;
}

/* Returns whether install wrote the text, and nobody has changed it since. */
static bool IsOurs(const Restoring *restoring, InstallText text) {
    const InstallFound *found = &restoring->folder->files[INSTALL_TEXT + (int)text];
    return found->present && strcmp(found->sha256, restoring->folder->manifest.texts[text]) == 0;
}

/* ---- what stays, or goes with --purge -------------------------------------------------------- */

static bool BeginsWithOne(Span text, const char *const *marks, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text.length >= strlen(marks[i]) && memcmp(text.start, marks[i], strlen(marks[i])) == 0)
            return true;
    return false;
}

/* The beginnings that lines of a log may have: those of both DLLs (dll/base/log.c) and of the
 * shadow log (shadow.c, observe.c), where the details of a difference are indented. The DLLs append
 * to an existing log. So if the settings name somebody else's file as the log, it has lines that
 * begin differently. */
static bool IsLog(Span text) {
    static const char *const marks[] = {
        "Ngi32: ",  "AniMesh: ",    "difference ",       "ngi32.", "animesh.",
        "so far: ", "at the end: ", "the log is full: ", "  ",     "\r\n"};
    bool first = true;
    while (text.length > 0) {
        const char *end = memchr(text.start, '\n', text.length);
        if (!BeginsWithOne(text, marks, sizeof marks / sizeof *marks))
            return !end && !first; /* the process may have ended in the middle of the last line */
        if (!end)
            return true;
        text.length -= (size_t)(end + 1 - text.start);
        text.start = end + 1;
        first = false;
    }
    return !first;
}

typedef enum Maker { MADE_BY_US, MADE_BY_OTHERS, GONE } Maker;

/* The settings are the user's words and may name any file of the folder, so the contents of the
 * file decide. Only traces are recognised by the ending of their name, which is ours alone,
 * because they may be larger than memory. */
static Maker MakerOf(const Restoring *restoring, const char *name) {
    static const char *const marks[] = {"# Retropose profile", TRACE_MAGIC};
    char path[FILES_PATH_BYTES];
    RpBuffer bytes;

    const char *ending = ".rptrace";
    const size_t length = strlen(name), tail = strlen(ending);
    if (length > tail && Span_IsIgnoringCase((Span){name + length - tail, tail}, ending))
        return MADE_BY_US;

    if (!Files_Join(restoring->folder->path, name, path))
        return MADE_BY_OTHERS;
    const FileOps *ops = restoring->ops;
    RpBuffer_Init(&bytes, NULL);
    const RpStatus status = ops->read(ops->context, path, &bytes, NULL);
    const Span text = {(const char *)bytes.bytes, bytes.size};
    const bool ours =
        !status && (BeginsWithOne(text, marks, sizeof marks / sizeof *marks) || IsLog(text));
    RpBuffer_Free(&bytes);
    return ours ? MADE_BY_US : status == RP_NOT_FOUND ? GONE : MADE_BY_OTHERS;
}

/* `ours` says that nobody but Retropose has files of this name. */
static RpStatus DisposeOf(const Restoring *restoring, const char *name, const char *what,
                          bool ours) {
    const bool purge = restoring->options->purge;
    const Maker maker = ours ? MADE_BY_US : MakerOf(restoring, name);
    if (maker == GONE || (maker == MADE_BY_OTHERS && !purge))
        return RP_OK;
    if (maker == MADE_BY_OTHERS)
        what = "settings name it, but Retropose has not written it";
    if (maker == MADE_BY_OTHERS || !purge) {
        char why[96];
        snprintf(why, sizeof why, "%s%s", what, purge ? "" : " (--purge removes it)");
        Install_Report(restoring->options, INSTALL_KEPT, name, why);
        return RP_OK;
    }
    const RpStatus status = Remove(restoring, name);
    if (!status)
        Install_Report(restoring->options, INSTALL_REMOVED, name, what);
    return status == RP_NOT_FOUND ? RP_OK : status; /* the settings may name a file twice */
}

static RpStatus Dispose(const Restoring *restoring, const char *wanted, const char *what) {
    const char *name = InstallFolder_Find(restoring->folder, wanted);
    return name ? DisposeOf(restoring, name, what, false) : RP_OK;
}

static RpStatus DisposeOfAll(const Restoring *restoring) {
    const InstallFolder *folder = restoring->folder;

    /* The settings name files that the DLLs write. */
    LiveSettings settings;
    const InstallFound *ini = &folder->files[INSTALL_TEXT + INSTALL_INI];
    Settings_Init(&settings);
    if (ini->present)
        Settings_Parse(&settings, (const char *)ini->bytes.bytes, ini->bytes.size, NULL, NULL);
    const char *const files[][2] = {{settings.log, "a log"},
                                    {settings.shadow_log, "differences that shadow mode found"},
                                    {settings.record_file, "recorded calls"},
                                    {settings.profile, "what calibrate found"}};
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
        status = Dispose(restoring, files[i][0], files[i][1]);

    /* Shadow mode writes the calls of its log to a trace beside it: "x.rptrace" for "x.log"
     * (docs/use/record.md). */
    char trace[SETTINGS_PATH_BYTES + 8];
    const char *dot = strrchr(settings.shadow_log, '.');
    const size_t stem = dot ? (size_t)(dot - settings.shadow_log) : strlen(settings.shadow_log);
    snprintf(trace, sizeof trace, "%.*s.rptrace", (int)stem, settings.shadow_log);
    if (!status)
        status = Dispose(restoring, trace, "calls that shadow mode logged");

    /* A recording may have gone on in further files: "name-00002.rptrace" continues "name.rptrace"
     * (docs/use/record.md). */
    const char *record = settings.record_file, *ending = strrchr(record, '.');
    const size_t base = ending ? (size_t)(ending - record) : strlen(record);
    for (const char *name = NULL; !status && (name = InstallFolder_Next(folder, name));) {
        const size_t digits = strlen(name) > base ? strspn(name + base + 1, "0123456789") : 0;
        if (digits > 0 && name[base] == '-' &&
            Span_EqualsIgnoringCase((Span){name, base}, (Span){record, base}) &&
            Span_IsIgnoringCase(Span_OfText(record + base), name + base + 1 + digits))
            status = DisposeOf(restoring, name, "recorded calls", false);
    }

    /* The settings and the overlay are removed after the files that they name. */
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
        const InstallFound *found = &folder->files[INSTALL_TEXT + i];
        if (found->present && !IsOurs(restoring, (InstallText)i))
            status = DisposeOf(restoring, found->name,
                               "changed since install, or not written by it", true);
    }

    /* Runs that were killed leave files that no settings name. */
    for (const char *name = NULL; !status && (name = InstallFolder_Next(folder, name));)
        if (Output_IsLeftover(folder->path, name))
            status = DisposeOf(restoring, name, "unfinished, of a run that was killed", true);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A manifest that is not finished is removed. A file of this name that begins with other bytes is
 * somebody else's. */
static RpStatus RemovePieceOfManifest(const Restoring *restoring) {
    const InstallFound *part = &restoring->folder->files[INSTALL_MANIFEST_PART];
    const size_t mark = sizeof INSTALL_MANIFEST_MARK - 1;
    const size_t size = part->bytes.size < mark ? part->bytes.size : mark;
    if (!part->present)
        return RP_OK;
    if (size > 0 && memcmp(part->bytes.bytes, INSTALL_MANIFEST_MARK, size) != 0)
        return RpError_Set(restoring->error, RP_INVALID, RP_NOWHERE,
                           "a file has a name that install needs, and is none of ours",
                           restoring->folder->path, "no such file: rename or remove it yourself",
                           part->name);
    const RpStatus status = Remove(restoring, part->name);
    return status ? status : Sync(restoring);
}

/* Undoes the installation. `dispose` is set when the user uninstalls, but not when an installation
 * undoes itself. */
static RpStatus RestoreAll(const Restoring *restoring, bool dispose) {
    const InstallFound *files = restoring->folder->files;
    RpStatus status = RP_OK;

    /* The originals get their names back. */
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status = RestoreDll(restoring, (AbiModule)i);

    /* The files that install wrote are removed, unless somebody has changed them since. */
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++)
        if (IsOurs(restoring, (InstallText)i))
            status = RemoveOurs(restoring, &files[INSTALL_TEXT + i]);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status = RemoveOurs(restoring, &files[INSTALL_DLL_PART + i]);
    for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++)
        status = RemoveOurs(restoring, &files[INSTALL_TEXT_PART + i]);

    /* Other files of ours stay. With --purge they are removed. */
    if (!status && dispose)
        status = DisposeOfAll(restoring);
    if (!status)
        status = Sync(restoring);

    /* The manifest is removed last, because until then it tells what everything is. */
    if (!status)
        status = RemovePieceOfManifest(restoring);
    if (!status)
        status = RemoveOurs(restoring, &files[INSTALL_MANIFEST]);
    return status ? status : Sync(restoring);
}

RpStatus Install_Restore(const InstallOptions *options, const InstallFolder *folder,
                         RpError *error) {
    const Restoring restoring = {options, Install_Ops(options), folder, error};
    return folder->has_manifest ? RestoreAll(&restoring, false) : RemovePieceOfManifest(&restoring);
}

RpStatus Install_Undo(const InstallOptions *options, RpError *error) {
    InstallFolder folder;
    RpStatus status = InstallFolder_Open(Install_Ops(options), options->folder, &folder, error);
    if (!status && InstallFolder_State(&folder, error) == INSTALL_BLOCKED)
        status = RP_INVALID;
    if (!status)
        status = Install_Restore(options, &folder, error);
    InstallFolder_Close(&folder);
    return status;
}

bool Install_IsPending(const InstallOptions *options) {
    InstallFolder folder;
    RpError error;
    const RpStatus status =
        InstallFolder_Open(Install_Ops(options), options->folder, &folder, &error);
    const bool pending = status != RP_OK || InstallFolder_State(&folder, &error) == INSTALL_PENDING;
    InstallFolder_Close(&folder);
    return pending;
}

/* ---- uninstall ------------------------------------------------------------------------------- */

/* Without a manifest nothing can be restored. If the folder looks like an installation, the error
 * says so. Files that an earlier uninstall has kept are kept again or, with --purge, removed. */
static RpStatus UninstallNothing(const Restoring *restoring) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallFound *retail = &restoring->folder->files[INSTALL_RETAIL + i];
        if (retail->present)
            return RpError_Set(restoring->error, RP_NOT_FOUND, RP_NOWHERE,
                               "originals are renamed, but the manifest of install is missing",
                               restoring->folder->path,
                               INSTALL_MANIFEST_FILE "; without it, rename them back yourself",
                               retail->name);
    }
    RpStatus status = RemovePieceOfManifest(restoring);
    if (!status)
        Install_Report(restoring->options, INSTALL_NOTHING, restoring->folder->path,
                       "nothing is installed here");
    if (!status)
        status = DisposeOfAll(restoring);
    return status ? status : Sync(restoring);
}

RpStatus Uninstall_Run(const InstallOptions *options, bool *pending, RpError *error) {
    const FileOps *ops = Install_Ops(options);
    InstallFolder folder;
    const Restoring restoring = {options, ops, &folder, error};
    intptr_t lock = 0;
    if (pending)
        *pending = false;
    RpStatus status =
        options->dry_run ? RP_OK : ops->lock(ops->context, options->folder, &lock, error);
    if (status)
        return status;
    status = InstallFolder_Open(ops, options->folder, &folder, error);
    if (!status && !folder.has_manifest) {
        status = UninstallNothing(&restoring);
    } else if (!status && InstallFolder_State(&folder, error) == INSTALL_BLOCKED) {
        /* Where one of two originals is lost or changed, the other gets its name back nevertheless.
         * The rest stays, with the manifest, until a later run finds everything. */
        for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
            RpError why = {0};
            const InstallPair *pair = &restoring.folder->manifest.pairs[i];
            if (InstallFolder_PairState(restoring.folder, (AbiModule)i, &why) != INSTALL_BLOCKED)
                status = RestoreDll(&restoring, (AbiModule)i);
            else
                Install_Report(restoring.options, INSTALL_KEPT, pair->name, why.what);
        }
        if (!status)
            status = Sync(&restoring);
        if (!status && InstallFolder_State(restoring.folder, restoring.error) == INSTALL_BLOCKED)
            status = RP_INVALID; /* the error says what is expected where */
    } else if (!status) {
        status = RestoreAll(&restoring, true);
        if (status && pending)
            *pending = Install_IsPending(options);
    }
    InstallFolder_Close(&folder);
    if (!options->dry_run)
        ops->unlock(ops->context, lock);
    return status;
}
