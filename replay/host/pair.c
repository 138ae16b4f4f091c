#include "pair.h"

#include "replay/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERNAL_BASE 0x10000000u /* unrelocated images of both DLLs */

typedef uintptr_t(__stdcall *InternalLookup)(uint32_t address);

static RpStatus SystemRefused(const char *what, const wchar_t *path, RpError *error) {
    char words[32], where[160];
    snprintf(words, sizeof words, "system error %lu", GetLastError());
    snprintf(where, sizeof where, "%ls", path);
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, where, "", words);
}

/* ---- loading ----------------------------------------------------------------------------------
 */

const uint8_t *Pair_MapFile(const wchar_t *path, size_t *size, RpError *error) {
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        SystemRefused("cannot open the file", path, error);
        return NULL;
    }
    *size = GetFileSize(file, NULL);
    HANDLE section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    const uint8_t *bytes = section ? MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0) : NULL;
    if (!bytes)
        SystemRefused("cannot read the file", path, error);
    if (section)
        CloseHandle(section);
    CloseHandle(file);
    return bytes;
}

static RpStatus Inspect(const wchar_t *path, Pair *pair, AbiModule module, RpError *error) {
    size_t size;
    const uint8_t *bytes = Pair_MapFile(path, &size, error);
    if (!bytes)
        return RP_IO;
    Sha256_Hex(bytes, size, pair->provider.sha256[module]);
    return Pe_Open(bytes, size, AbiModule_File(module), &pair->files[module], error);
}

/* The loader may have had another module of this name, or prefer one: then the wrong code would be
 * judged. */
static RpStatus CheckLoaded(HMODULE module, const wchar_t *path, AbiModule index, RpError *error) {
    wchar_t loaded[MAX_PATH * 4], wanted[MAX_PATH * 4], name[32];
    swprintf(name, sizeof name / sizeof *name, L"%hs", AbiModule_File(index));
    GetModuleFileNameW(module, loaded, MAX_PATH * 4);
    GetFullPathNameW(path, MAX_PATH * 4, wanted, NULL);
    if (GetModuleHandleW(name) == module && _wcsicmp(loaded, wanted) == 0)
        return RP_OK;
    char expected[96], found[160];
    snprintf(expected, sizeof expected, "%.90ls", wanted);
    snprintf(found, sizeof found, "%.150ls", loaded);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "another module was loaded",
                       AbiModule_File(index), expected, found);
}

static RpStatus LoadPairModule(const wchar_t *path, Pair *pair, AbiModule module, RpError *error) {
    pair->modules[module] = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!pair->modules[module])
        return SystemRefused("the system cannot load the DLL", path, error);
    return CheckLoaded(pair->modules[module], path, module, error);
}

/* ---- is this the build whose addresses are published? -----------------------------------------
 */

static bool ExportsAt(const PeFile *file, const char *name, uint32_t rva) {
    const PeExport *row = Pe_FindExport(file, name);
    return row && !row->forwarder && row->rva == rva;
}

/* Bits between two bounds: a constant is published with six digits. */
static bool ConstantAt(const PeFile *file, uint32_t rva, uint32_t lowest, uint32_t highest) {
    const uint8_t *bytes = Pe_At(file, rva, 4);
    uint32_t bits;
    if (!bytes)
        return false;
    memcpy(&bits, bytes, sizeof bits);
    return bits >= lowest && bits <= highest;
}

/* facts/ngi32.md A.3 B.1; facts/animesh.md A.1 F. */
static bool HasKnownLayout(const PeFile *file, AbiModule module) {
    if (module == ABI_NGI32)
        return ExportsAt(file, "g_FastProc", 0x3A058) &&
               ExportsAt(file, "niGetProcAddress", 0x45F0) &&
               ExportsAt(file, "mrnPointInPoly", 0x1E60);
    return ExportsAt(file, "LoadAgent", 0x16A00) &&
           ConstantAt(file, 0x2096C, 0x3E31D0A7, 0x3E31D0E9) && /* 0.1736475 to 0.1736485 */
           ConstantAt(file, 0x20970, 0x40800000, 0x40800000) &&
           ConstantAt(file, 0x2097C, 0x3727C5AC, 0x3727C5AC);
}

/* Behind a return, a jump or padding, and not in the middle of nothing. */
static bool IsFunctionStart(const PeFile *file, uint32_t rva) {
    const PeSection *section = Pe_SectionAt(file, rva);
    const uint8_t *bytes = rva >= 8 ? Pe_At(file, rva - 5, 9) : NULL;
    if (!section || !(section->characteristics & PE_SECTION_EXECUTABLE) || !bytes)
        return false;
    const uint8_t *start = bytes + 5;
    bool padding = start[-1] == 0xCC || start[-1] == 0x90;
    bool returned = start[-1] == 0xC3 || start[-3] == 0xC2;
    bool jumped = start[-5] == 0xE9 || start[-2] == 0xEB;
    return (padding || returned || jumped) && (start[0] | start[1] | start[2] | start[3]) != 0;
}

static bool MatchesOverlay(const Pair *pair, const AbiFunction *function) {
    for (size_t i = 0; i < pair->signature_count; i++) {
        const PairSignature *signature = &pair->signatures[i];
        char hex[SHA256_HEX_SIZE];
        if (signature->function != function)
            continue;
        const uint8_t *bytes =
            Pe_At(&pair->files[function->module], function->rva, signature->size);
        if (!bytes)
            return false;
        Sha256_Hex(bytes, signature->size, hex);
        if (strcmp(hex, signature->sha256) != 0)
            return false;
    }
    return true;
}

static RpStatus BadOverlayLine(unsigned line, const char *expected, const char *found,
                               RpError *error) {
    char where[32];
    snprintf(where, sizeof where, "line %u", line);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "malformed overlay file", where, expected,
                       found);
}

static RpStatus ReadOverlayLine(Pair *pair, const char *text, unsigned line, RpError *error) {
    char key[64], sha256[80], rest;
    unsigned size;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == 0 || *text == '#')
        return RP_OK;
    if (sscanf(text, "%63s %u %79s %c", key, &size, sha256, &rest) != 3)
        return BadOverlayLine(line, "FUNCTION SIZE SHA256", text, error);
    const AbiFunction *function = Abi_Find(key);
    if (!function || function->kind != ABI_INTERNAL)
        return BadOverlayLine(line, "an internal function of docs/abi.md", key, error);
    if (size == 0 || strlen(sha256) != 64 || strspn(sha256, "0123456789abcdef") != 64)
        return BadOverlayLine(line, "a size and 64 lower-case hexadecimal digits", sha256, error);
    PairSignature *grown =
        realloc(pair->signatures, (pair->signature_count + 1) * sizeof *pair->signatures);
    if (!grown)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory", "", "", "");
    pair->signatures = grown;
    PairSignature *row = &pair->signatures[pair->signature_count++];
    row->function = function;
    row->size = size;
    memcpy(row->sha256, sha256, sizeof row->sha256);
    return RP_OK;
}

RpStatus Pair_LoadOverlay(Pair *pair, const wchar_t *path, RpError *error) {
    size_t size;
    const char *text = (const char *)Pair_MapFile(path, &size, error);
    if (!text)
        return RP_IO;
    RpStatus status = RP_OK;
    for (unsigned line = 1; !status && size > 0; line++) {
        char copy[256];
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        copy[strcspn(copy, "\r")] = 0;
        status = ReadOverlayLine(pair, copy, line, error);
        length += end != NULL;
        text += length;
        size -= length;
    }
    return status;
}

RpStatus Pair_Load(const wchar_t *const paths[ABI_MODULE_COUNT], Pair *pair, RpError *error) {
    memset(pair, 0, sizeof *pair);
    pair->targets = calloc(abi_function_count, sizeof *pair->targets);
    pair->resolved = calloc(abi_function_count, sizeof *pair->resolved);
    RpStatus status = pair->targets && pair->resolved
                          ? RP_OK
                          : RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory", "", "", "");
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++)
        status = Inspect(paths[module], pair, (AbiModule)module, error);
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++)
        status = LoadPairModule(paths[module], pair, (AbiModule)module, error);
    if (status)
        return status;
    Provider_Identify(pair->files, &pair->provider);
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        pair->known_layout[module] = pair->provider.files[module] == PROVIDER_STANDIN ||
                                     HasKnownLayout(&pair->files[module], (AbiModule)module);
    return RP_OK;
}

/* ---- functions --------------------------------------------------------------------------------
 */

static void *AtRva(const Pair *pair, AbiModule module, uint32_t rva) {
    return (uint8_t *)pair->modules[module] + rva;
}

static void **FastProcTable(const Pair *pair) {
    return (void **)(uintptr_t)GetProcAddress(pair->modules[ABI_NGI32], "g_FastProc");
}

static void *FindSlot(const Pair *pair, const AbiFunction *function) {
    void **table = FastProcTable(pair);
    return table ? table[function->index] : NULL;
}

/* The code that plays the original's at this address; null where there is none to be trusted. */
static void *FindAddress(const Pair *pair, AbiModule module, uint32_t rva) {
    if (pair->provider.files[module] == PROVIDER_REPLACEMENT) {
        InternalLookup lookup =
            (InternalLookup)(uintptr_t)GetProcAddress(pair->modules[module], "RetroposeInternal");
        return lookup ? (void *)lookup(INTERNAL_BASE + rva) : NULL;
    }
    if (!pair->known_layout[module])
        return NULL;
    bool callable = pair->provider.files[module] == PROVIDER_STANDIN ||
                    IsFunctionStart(&pair->files[module], rva);
    return callable ? AtRva(pair, module, rva) : NULL;
}

static void *FindInternal(const Pair *pair, const AbiFunction *function) {
    if (pair->provider.files[function->module] == PROVIDER_ORIGINAL &&
        (function->entry_evidence != ABI_READ || !MatchesOverlay(pair, function)))
        return NULL;
    return FindAddress(pair, function->module, function->rva);
}

RpStatus Pair_ChooseBuilds(Pair *pair, const TraceHeader *header, RpError *error) {
    ProviderSlotBuild build;
    RpStatus status = Provider_SlotBuild(header, &build, error);
    void **table = FastProcTable(pair);
    if (status || build == PROVIDER_SLOTS_BY_CLASS || !table)
        return status;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        uint32_t rva = build == PROVIDER_SLOTS_GENERIC ? f->rva
                       : build == PROVIDER_SLOTS_FXCH  ? f->rva_fxch
                                                       : f->rva_sse;
        if (f->kind != ABI_SLOT || !rva)
            continue;
        void *code = FindAddress(pair, ABI_NGI32, rva);
        pair->unsupported |= !code;
        table[f->index] = code;
    }
    return RP_OK;
}

/* What an original's function takes must be known, or its stack would be wrong. */
static bool MayCallExport(const Pair *pair, const AbiFunction *function) {
    return pair->provider.files[function->module] != PROVIDER_ORIGINAL ||
           function->params_evidence != ABI_UNKNOWN;
}

static void *Resolve(const Pair *pair, const AbiFunction *function) {
    if (function->provider == ABI_ABSENT || function->provider == ABI_DATA)
        return NULL;
    if (function->provider == ABI_NATIVE_ONLY && function->kind == ABI_INTERNAL &&
        pair->provider.files[function->module] == PROVIDER_STANDIN)
        return NULL;
    switch (function->kind) {
    case ABI_EXPORT:
    case ABI_OWN_EXPORT:
        return MayCallExport(pair, function) ? (void *)(uintptr_t)GetProcAddress(
                                                   pair->modules[function->module], function->name)
                                             : NULL;
    case ABI_SLOT:
        return FindSlot(pair, function);
    case ABI_INTERNAL:
        return FindInternal(pair, function);
    default:
        return NULL;
    }
}

void *Pair_Function(Pair *pair, const AbiFunction *function) {
    if (pair->unsupported)
        return NULL;
    size_t row = (size_t)(function - abi_functions);
    if (!pair->resolved[row]) {
        pair->targets[row] = Resolve(pair, function);
        pair->resolved[row] = true;
    }
    return pair->targets[row];
}

void Pair_Locate(const Pair *pair, uint32_t address, uint32_t *offset, uint32_t *module) {
    for (uint32_t i = 0; i < ABI_MODULE_COUNT; i++) {
        uint32_t base = (uint32_t)(uintptr_t)pair->modules[i];
        if (address - base < pair->files[i].image_size) {
            *offset = address - base;
            *module = i;
            return;
        }
    }
    HMODULE other = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const char *)(uintptr_t)address, &other);
    *offset = address - (uint32_t)(uintptr_t)other;
    *module = ABI_MODULE_COUNT;
}
