#include "game/install/content.h"
#include "core/digest.h"
#include "dll/settings/ini.h"
#include "game/install/pe_writer.h"
#include "replay/provider/provider.h"

#include <stdio.h>
#include <string.h>

enum { CHARACTERISTIC_DLL = 0x2000 };

typedef struct Originals {
    PeFile files[ABI_MODULE_COUNT];
    Provider provider;
} Originals;

/* ---- the originals --------------------------------------------------------------------------- */

static RpStatus Refuse(const char *what, const char *name, const char *expected, const char *found,
                       RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, name, expected, found);
}

/* Names without which the game does not start (facts/ngi32.md A.3, facts/animesh.md A.1). */
static const char *const needed[ABI_MODULE_COUNT][3] = {
    {"g_FastProc", "ngiAlloc", "ngiProcessError"}, {"LoadAgent", "LoadAniMesh", NULL}};

static RpStatus OpenOriginals(const InstallFolder *folder, Originals *originals, RpError *error) {
    const InstallFound *found[ABI_MODULE_COUNT] = {0};
    RpStatus status = RP_OK;
    memset(originals, 0, sizeof *originals);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
        found[i] = &folder->files[InstallFolder_Original(folder, (AbiModule)i)];
        if (!found[i]->present)
            return InstallFolder_Missing(folder, (AbiModule)i, error);
        memcpy(originals->provider.sha256[i], found[i]->sha256, sizeof found[i]->sha256);
        status = Pe_Open(found[i]->bytes.bytes, found[i]->bytes.size, found[i]->name,
                         &originals->files[i], error);
    }
    if (status)
        return status;
    Provider_Identify(originals->files, &originals->provider);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const PeFile *pe = &originals->files[i];
        const char *name = found[i]->name;
        if (originals->provider.files[i] == PROVIDER_REPLACEMENT)
            return Refuse("the file is a replacement, not an original", name,
                          "the game's own DLL: put it back from the game's medium", "", error);
        if (!(pe->characteristics & CHARACTERISTIC_DLL))
            return Refuse("the file is a program, not a DLL", name, "a DLL", "", error);

        /* A proxy exports the right names and passes the calls on to the file that it has
         * replaced. */
        for (int k = 0; k < 3 && needed[i][k]; k++) {
            const PeExport *row = Pe_FindExport(pe, needed[i][k]);
            if (!row)
                return Refuse("the file is not the game's DLL of that name", name,
                              "an export of name", needed[i][k], error);
            if (row->forwarder)
                return Refuse("the file passes its calls on to another one: another tool's proxy",
                              name, "the game's own DLL: take the other tool out first",
                              row->forwarder, error);
        }
    }
    return RP_OK;
}

/* ---- the new files --------------------------------------------------------------------------- */

static const InstallMaker *Builder(const InstallOptions *options) {
    return options->builder ? options->builder : &InstallMaker_Default;
}

static bool HasBytes(const PeFile *dll, const uint8_t *bytes, size_t size) {
    return dll->size == size && memcmp(dll->bytes, bytes, size) == 0;
}

bool InstallContent_IsOwn(const char *own, const PeFile *dll, const PeFile *original,
                          AbiModule module) {
    char path[FILES_PATH_BYTES];
    PeFile built;
    RpBuffer completed;
    if (!own || !Files_Join(own, AbiModule_File(module), path) || Pe_Load(path, &built, NULL))
        return false;
    RpBuffer_Init(&completed, NULL);
    const bool is_own =
        HasBytes(dll, built.bytes, built.size) ||
        (original && PeWriter_Complete(&built, original, module, &completed, NULL) == RP_OK &&
         HasBytes(dll, completed.bytes, completed.size));
    RpBuffer_Free(&completed);
    Pe_Close(&built);
    return is_own;
}

static RpStatus MakeDll(const InstallOptions *options, const PeFile *original, AbiModule module,
                        InstallContent *content, RpError *error) {
    RpBuffer *dll = &content->dlls[module];
    char path[FILES_PATH_BYTES];
    PeFile ours;
    if (!Files_Join(options->dlls, AbiModule_File(module), path))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", options->dlls, "",
                           "");
    RpStatus status = Pe_Load(path, &ours, error);
    if (status)
        return status;
    if (!Pe_FindExport(&ours, "RetroposeInternal"))
        status = Refuse("the file to install is none of ours", path, "an export of name",
                        "RetroposeInternal", error);
    else
        status = Builder(options)->complete(Builder(options)->context, &ours, original, module, dll,
                                            error);
    content->is_own[module] = InstallContent_IsOwn(options->own, &ours, NULL, module);
    Pe_Close(&ours);
    return status ? status : dll->failed ? RpMemory_Refused(error, path) : RP_OK;
}

RpStatus InstallContent_Make(const InstallOptions *options, const InstallFolder *folder,
                             InstallContent *content, RpError *error) {
    Originals originals;
    memset(content, 0, sizeof *content);
    snprintf(content->manifest.tool, sizeof content->manifest.tool, "%s",
             options->tool ? options->tool : "unknown");
    RpStatus status = OpenOriginals(folder, &originals, error);
    if (!status) {
        char text[192];
        for (int i = 0; i < ABI_MODULE_COUNT; i++) {
            const InstallFound *found =
                &folder->files[InstallFolder_Original(folder, (AbiModule)i)];
            const bool standin = originals.provider.files[i] == PROVIDER_STANDIN;
            const bool modified = Provider_IsModified(&originals.files[i]);
            const char *kind = modified
                                   ? "a modified stand-in (plays the original; not the retail DLL)"
                               : standin ? "stand-in (plays the original; not the retail DLL)"
                               : i == ABI_ANIMESH ? "original; no version of it is published"
                               : originals.provider.known_version ? "original, published version"
                                                                  : "original, unknown version";
            snprintf(text, sizeof text, "%s, SHA-256 %s", kind, found->sha256);
            Install_Report(options, INSTALL_FOUND, found->name, text);
        }

        for (int i = 0; !status && i < ABI_MODULE_COUNT; i++) {
            InstallPair *pair = &content->manifest.pairs[i];
            const InstallFound *dll = &folder->files[INSTALL_DLL + i];
            /* it may be between its two names */
            const bool known = folder->has_manifest && !dll->present;
            snprintf(pair->name, sizeof pair->name, "%.31s",
                     known ? folder->manifest.pairs[i].name : dll->name);
            memcpy(pair->original, originals.provider.sha256[i], sizeof pair->original);
            status = MakeDll(options, &originals.files[i], (AbiModule)i, content, error);
            if (!status)
                Digest_OfBytes(content->dlls[i].bytes, content->dlls[i].size, pair->ours);
        }
    }
    if (!status) {
        for (int i = 0; !status && i < INSTALL_TEXT_COUNT; i++) {
            /* A text file is the user's if no earlier installation wrote it. */
            const InstallFound *found = &folder->files[INSTALL_TEXT + i];
            content->has_text[i] =
                !found->present ||
                (folder->has_manifest && strcmp(found->sha256, folder->manifest.texts[i]) == 0);
            if (!content->has_text[i])
                continue;
            if (i == INSTALL_INI)
                Ini_Default(&content->texts[i]);
            else
                status = Builder(options)->overlay(Builder(options)->context, originals.files,
                                                   &content->texts[i], error);
            if (!status && content->texts[i].failed)
                status = RpMemory_Refused(error, InstallText_File((InstallText)i));
            if (!status)
                Digest_OfBytes(content->texts[i].bytes, content->texts[i].size,
                               content->manifest.texts[i]);
        }
    }

    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Pe_Close(&originals.files[i]);
    return status;
}

void InstallContent_Free(InstallContent *content) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        RpBuffer_Free(&content->dlls[i]);
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++)
        RpBuffer_Free(&content->texts[i]);
}
