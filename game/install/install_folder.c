#include "game/install/install_folder.h"

#include "core/digest.h"
#include "core/pe/pe.h"
#include "core/span.h"

#include <stdio.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static bool IsPart(InstallFile file) {
    return (file >= INSTALL_DLL_PART && file < INSTALL_TEXT) ||
           (file >= INSTALL_TEXT_PART && file < INSTALL_MANIFEST) || file == INSTALL_MANIFEST_PART;
}

void InstallFile_Name(InstallFile file, char name[INSTALL_NAME_BYTES + 32]) {
    static const char *const retail[ABI_MODULE_COUNT] = {"Ngi32.retail.dll", "AniMesh.retail.dll"};
    const char *base = INSTALL_MANIFEST_FILE;
    if (file < INSTALL_RETAIL)
        base = AbiModule_File((AbiModule)(file - INSTALL_DLL));
    else if (file < INSTALL_DLL_PART)
        base = retail[file - INSTALL_RETAIL];
    else if (file < INSTALL_TEXT)
        base = AbiModule_File((AbiModule)(file - INSTALL_DLL_PART));
    else if (file < INSTALL_TEXT_PART)
        base = InstallText_File((InstallText)(file - INSTALL_TEXT));
    else if (file < INSTALL_MANIFEST)
        base = InstallText_File((InstallText)(file - INSTALL_TEXT_PART));
    snprintf(name, INSTALL_NAME_BYTES + 32, "%s%s", base, IsPart(file) ? INSTALL_PART : "");
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool IsSame(const char *a, const char *b) {
    return Span_IsIgnoringCase(Span_OfText(a), b);
}

static void AddName(void *context, const char *name) {
    InstallFolder *folder = context;
    RpBuffer_Append(&folder->names, name, strlen(name) + 1);
}

const char *InstallFolder_Next(const InstallFolder *folder, const char *name) {
    const char *start = (const char *)folder->names.bytes;
    const char *next = name ? name + strlen(name) + 1 : start;
    return start && next < start + folder->names.size ? next : NULL;
}

const char *InstallFolder_Find(const InstallFolder *folder, const char *name) {
    for (const char *at = NULL; (at = InstallFolder_Next(folder, at));)
        if (IsSame(at, name))
            return at;
    return NULL;
}

RpStatus InstallFolder_Open(const FileOps *ops, const char *path, InstallFolder *folder,
                            RpError *error) {
    memset(folder, 0, sizeof *folder);
    folder->ops = ops;
    if (strlen(path) >= sizeof folder->path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", path, "", "");
    memcpy(folder->path, path, strlen(path) + 1);
    RpStatus status = ops->list(ops->context, path, AddName, folder, error);
    if (!status && folder->names.failed)
        status = RpMemory_Refused(error, path);
    for (int i = 0; !status && i < INSTALL_FILE_COUNT; i++) {
        InstallFound *found = &folder->files[i];
        char wanted[INSTALL_NAME_BYTES + 32], file[FILES_PATH_BYTES];
        InstallFile_Name((InstallFile)i, wanted);
        const char *name = InstallFolder_Find(folder, wanted);
        if (!name)
            continue;
        for (const char *at = name; (at = InstallFolder_Next(folder, at));)
            if (IsSame(at, wanted))
                return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                                   "two files have the same name but for its case", folder->path,
                                   name, at);
        if (strlen(name) >= sizeof found->name || !Files_Join(folder->path, name, file))
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", folder->path,
                               "", "");
        status = ops->read(ops->context, file, &found->bytes, error);
        if (status)
            continue;
        found->present = true;
        memcpy(found->name, name, strlen(name) + 1);
        Digest_OfBytes(found->bytes.bytes, found->bytes.size, found->sha256);
    }
    const InstallFound *manifest = &folder->files[INSTALL_MANIFEST];
    folder->has_manifest = !status && manifest->present;
    if (folder->has_manifest)
        status = InstallManifest_Parse((const char *)manifest->bytes.bytes, manifest->bytes.size,
                                       &folder->manifest, error);
    return status;
}

void InstallFolder_Close(InstallFolder *folder) {
    for (int i = 0; i < INSTALL_FILE_COUNT; i++)
        RpBuffer_Free(&folder->files[i].bytes);
    RpBuffer_Free(&folder->names);
}

bool InstallFound_IsOurs(const InstallFound *found) {
    PeFile pe;
    if (!found->present ||
        Pe_Open(found->bytes.bytes, found->bytes.size, found->name, &pe, NULL) != RP_OK)
        return false;
    const bool ours = Pe_FindExport(&pe, "RetroposeInternal") != NULL;
    Pe_Close(&pe);
    return ours;
}

/* ---- the state ------------------------------------------------------------------------------- */

static bool Is(const InstallFolder *folder, int file, const char *sha256) {
    return folder->files[file].present && strcmp(folder->files[file].sha256, sha256) == 0;
}

static InstallState Block(const InstallFolder *folder, int file, const char *what,
                          const char *expected, RpError *error) {
    char name[INSTALL_NAME_BYTES + 32];
    InstallFile_Name((InstallFile)file, name);
    const InstallFound *found = &folder->files[file];
    RpError_Set(error, RP_INVALID, RP_NOWHERE, what, found->present ? found->name : name, expected,
                found->present ? found->sha256 : "no such file");
    return INSTALL_BLOCKED;
}

/* Returns the state of one DLL: where the original is (under either name or under both), and
 * whether our DLL is in its place. */
InstallState InstallFolder_PairState(const InstallFolder *folder, AbiModule module,
                                     RpError *error) {
    const InstallPair *pair = &folder->manifest.pairs[module];
    const int dll = INSTALL_DLL + (int)module, retail = INSTALL_RETAIL + (int)module;
    const bool kept = Is(folder, retail, pair->original);
    if (folder->files[retail].present && !kept)
        return Block(folder, retail, "the original that install renamed has been changed",
                     pair->original, error);
    if (!folder->files[dll].present)
        return kept ? INSTALL_PENDING
                    : Block(folder, dll, "the original is missing", pair->original, error);
    if (kept && Is(folder, dll, pair->ours))
        return INSTALL_WHOLE;
    if (Is(folder, dll, pair->original))
        return INSTALL_PENDING;
    if (!kept && Is(folder, dll, pair->ours))
        return Block(folder, retail, "the original that install renamed is gone", pair->original,
                     error);
    return Block(folder, dll, "the file is neither the original nor what install wrote",
                 kept ? pair->ours : pair->original, error);
}

InstallState InstallFolder_State(const InstallFolder *folder, RpError *error) {
    if (!folder->has_manifest)
        return INSTALL_NONE;
    InstallState state = INSTALL_WHOLE;
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallState pair = InstallFolder_PairState(folder, (AbiModule)i, error);
        if (pair == INSTALL_BLOCKED)
            return pair;
        if (pair == INSTALL_PENDING)
            state = pair;
    }
    for (int i = 0; i < INSTALL_FILE_COUNT; i++)
        if (IsPart((InstallFile)i) && folder->files[i].present)
            state = INSTALL_PENDING;
    return state;
}

InstallFile InstallFolder_Original(const InstallFolder *folder, AbiModule module) {
    const int dll = INSTALL_DLL + (int)module, retail = INSTALL_RETAIL + (int)module;
    const bool moved = folder->has_manifest && folder->files[retail].present;
    return (InstallFile)(moved ? retail : dll);
}

RpStatus InstallFolder_Missing(const InstallFolder *folder, AbiModule module, RpError *error) {
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the folder has no original", folder->path,
                       AbiModule_File(module), "no such file");
}
