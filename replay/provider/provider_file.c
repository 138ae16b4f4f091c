/* Finds providers in folders. Builds without files (WebAssembly) leave this out. */
#include "core/digest.h"
#include "core/files/mapping.h"
#include "exports/overlay/overlay.h"
#include "replay/provider/provider.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the pair's files -------------------------------------------------------------------------
 */

static bool SameName(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 'a' - 'A') : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 'a' - 'A') : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

RpStatus Provider_Path(const char *directory, AbiModule module, char *path, size_t size,
                       RpError *error) {
    const char *wanted = AbiModule_File(module);
    DIR *entries = opendir(directory);
    if (!entries)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "cannot read the folder of a pair",
                           directory, "a folder with Ngi32.dll and AniMesh.dll", "");
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(entries));)
        if (SameName(entry->d_name, wanted))
            found = snprintf(path, size, "%s/%s", directory, entry->d_name) < (int)size;
    closedir(entries);
    if (found)
        return RP_OK;
    return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "a DLL of the pair is missing", directory,
                       wanted, "no such file");
}

RpStatus Provider_LoadFiles(const char *directory, PeFile files[ABI_MODULE_COUNT], RpError *error) {
    RpStatus status = RP_OK;
    memset(files, 0, ABI_MODULE_COUNT * sizeof *files);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        char path[1200];
        status = Provider_Path(directory, (AbiModule)i, path, sizeof path, error);
        if (!status)
            status = Pe_Load(path, &files[i], error);
    }
    if (status)
        Provider_CloseFiles(files);
    return status;
}

void Provider_CloseFiles(PeFile files[ABI_MODULE_COUNT]) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Pe_Close(&files[i]);
}

/* ---- overlay ----------------------------------------------------------------------------------
 */

RpStatus Provider_UseOverlay(Provider *provider, const char *path, RpError *error) {
    if (path && strlen(path) >= sizeof provider->overlay)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the overlay's name is too long", path,
                           "at most 1199 bytes", "");
    snprintf(provider->overlay, sizeof provider->overlay, "%s", path ? path : "");
    return RP_OK;
}

RpStatus Provider_Open(const char *directory, Provider *provider, RpError *error) {
    PeFile files[ABI_MODULE_COUNT];
    memset(provider, 0, sizeof *provider);
    bool recorded = strcmp(directory, "recorded") == 0;
    provider->kind = recorded ? PROVIDER_RECORDED : PROVIDER_NATIVE;
    if (recorded || strcmp(directory, "native") == 0)
        return RP_OK;
    if (strlen(directory) >= sizeof provider->directory)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the folder's name is too long",
                           directory, "at most 1023 bytes", "");
    memcpy(provider->directory, directory, strlen(directory) + 1);

    RpStatus status = Provider_LoadFiles(directory, files, error);
    if (status)
        return status;
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Digest_OfBytes(files[i].bytes, files[i].size, provider->sha256[i]);
    Provider_Identify(files, provider);
    Provider_CloseFiles(files);

    /* An overlay in the folder that is for other files is ignored, because the folder's owner may
     * have updated the game. One that cannot be read is an error. */
    char path[sizeof provider->overlay];
    Mapping mapping;
    Overlay overlay;
    snprintf(path, sizeof path, "%s/" PROVIDER_OVERLAY_NAME, provider->directory);
    if (provider->kind == PROVIDER_REPLACEMENT || access(path, F_OK) != 0)
        return RP_OK;
    status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = Overlay_Parse((const char *)mapping.bytes, mapping.size, NULL, &overlay, error);
    Mapping_Close(&mapping);
    if (status)
        return status;

    /* It must be for at least one file that is not ours, and say of no file that it is another. */
    bool is_of_pair = false, contradicts = false;
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        if (provider->files[i] == PROVIDER_REPLACEMENT)
            continue;
        const bool is_for = Overlay_IsFor(&overlay, (AbiModule)i, provider->sha256[i]);
        is_of_pair |= is_for;
        contradicts |= overlay.modules[i].known && !is_for;
    }
    if (is_of_pair && !contradicts)
        memcpy(provider->overlay, path, sizeof path);
    Overlay_Free(&overlay);
    return RP_OK;
}
