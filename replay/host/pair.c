#include "replay/host/pair.h"

#include "core/bytes.h"
#include "core/digest.h"
#include "exports/ngi32.abi.h"
#include "replay/provider/known_version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERNAL_BASE 0x10000000u /* where both DLLs' images begin before relocation */

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a pair", "", "", "");
}

/* ---- overlay ----------------------------------------------------------------------------------
 */

static void NoteRanges(const Pair *pair, PairBuild *build) {
    for (size_t i = 0; i < pair->overlay.function_count; i++) {
        const OverlayFunction *line = &pair->overlay.functions[i];
        if (line->ranged)
            build->functions[line->function - abi_functions].ranged = true;
    }
}

RpStatus Pair_LoadOverlay(Pair *pair, const char *text, size_t size, RpError *error) {
    RpStatus status = Overlay_Parse(text, size, NULL, &pair->overlay, error);
    if (status)
        return status;

    /* The overlay is about what plays the original. Our own code is called as it was compiled. */
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        const OverlayModule *known = &pair->overlay.modules[module];
        const char *sha256 = pair->provider.sha256[module];
        if (pair->provider.files[module] == PROVIDER_REPLACEMENT)
            continue;
        if (known->known && !Overlay_IsFor(&pair->overlay, (AbiModule)module, sha256))
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the overlay is of another file",
                               AbiModule_File((AbiModule)module), known->sha256, sha256);
        pair->overlay_applies[module] = true;
    }
    NoteRanges(pair, pair->build);
    return RP_OK;
}

/* Returns the table of slots, or null where there is none. The pair can take the table away at any
 * time. */
static uint32_t *FastProcs(const Pair *pair) {
    return pair->fast_procs &&
                   Guest_MayWrite(pair->guest, pair->fast_procs, sizeof pair->build->table)
               ? Guest_At(pair->guest, pair->fast_procs)
               : NULL;
}

RpStatus Pair_Load(Pair *pair, Guest *guest, const PairFile files[ABI_MODULE_COUNT],
                   RpError *error) {
    memset(pair, 0, sizeof *pair);
    pair->guest = guest;
    pair->build = &pair->builds[PROVIDER_SLOTS_BY_CLASS];
    pair->build->functions = calloc(abi_function_count, sizeof *pair->build->functions);
    RpStatus status = pair->build->functions ? RP_OK : NoMemory(error);
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++) {
        const PairFile *file = &files[module];
        Digest_OfBytes(file->bytes, file->size, pair->provider.sha256[module]);
        status = Pe_Open(file->bytes, file->size, AbiModule_File((AbiModule)module),
                         &pair->files[module], error);
    }
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++)
        status = Guest_Load(guest, files[module].path, files[module].bytes, files[module].size,
                            (AbiModule)module, &pair->modules[module], error);
    if (status)
        return status;
    Provider_Identify(pair->files, &pair->provider);
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        pair->known_layout[module] = KnownVersion_Has(&pair->files[module], (AbiModule)module);
    pair->fast_procs = Guest_Export(pair->guest, pair->modules[ABI_NGI32], "g_FastProc");
    const uint32_t *table = FastProcs(pair);
    if (table)
        memcpy(pair->build->table, table, sizeof pair->build->table);
    return RP_OK;
}

void Pair_Free(Pair *pair) {
    for (int i = 0; i < PROVIDER_SLOTS_COUNT; i++)
        free(pair->builds[i].functions);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Pe_Close(&pair->files[i]);
    Overlay_Free(&pair->overlay);
}

/* ---- functions --------------------------------------------------------------------------------
 */

/* Returns the address of the code that plays the original's code at this address, or 0 if there is
 * none that can be trusted. */
static uint32_t FindAddress(const Pair *pair, AbiModule module, uint32_t rva) {
    if (pair->provider.files[module] == PROVIDER_REPLACEMENT) {
        const uint32_t lookup =
            Guest_Export(pair->guest, pair->modules[module], "RetroposeInternal");
        return lookup ? Guest_Ask(pair->guest, lookup, INTERNAL_BASE + rva) : 0;
    }
    if (!pair->known_layout[module])
        return 0;
    if (pair->provider.files[module] != PROVIDER_STANDIN)
        return KnownVersion_IsFunctionStart(&pair->files[module], rva) ? pair->modules[module] + rva
                                                                       : 0;

    /* Where the stand-in has no body for a function, it has `call absent`, which ends the process,
     * or only the linker's padding (tests/standin). */
    static const uint8_t none[] = {0xE8, 0x00, 0x90, 0xCC};
    const uint8_t *code = Pe_At(&pair->files[module], rva, 1);
    return code && !memchr(none, *code, sizeof none) ? pair->modules[module] + rva : 0;
}

RpStatus Pair_UseBuilds(Pair *pair, ProviderSlotBuild build, RpError *error) {
    PairBuild *own = &pair->builds[build];
    uint32_t *table = FastProcs(pair);
    if (own == pair->build)
        return RP_OK;
    const bool fresh = !own->functions;
    if (fresh) {
        own->functions = calloc(abi_function_count, sizeof *own->functions);
        if (!own->functions)
            return NoMemory(error);
        NoteRanges(pair, own);
    }

    /* The build puts its entries into the table in place of those that the class has chosen. */
    if (fresh && table)
        memcpy(own->table, pair->builds[PROVIDER_SLOTS_BY_CLASS].table, sizeof own->table);
    for (size_t i = 0; fresh && table && i < abi_function_count; i++) {
        const AbiFunction *f = &abi_functions[i];
        const uint32_t rva = build == PROVIDER_SLOTS_GENERIC ? f->rva
                             : build == PROVIDER_SLOTS_FXCH  ? f->rva_fxch
                             : build == PROVIDER_SLOTS_SSE   ? f->rva_sse
                                                             : 0;
        if (f->kind != ABI_SLOT || !rva)
            continue;
        const uint32_t code = FindAddress(pair, ABI_NGI32, rva);
        own->unsupported |= !code;
        own->table[f->index] = code;
    }
    if (table)
        memcpy(table, own->table, sizeof own->table);
    pair->build = own;
    return RP_OK;
}

static uint32_t Resolve(const Pair *pair, const AbiFunction *function,
                        const OverlayFunction *line) {
    if (function->provider == ABI_DATA)
        return 0;
    /* The parameters of an original's export must be known, because the stack would be wrong
     * otherwise. */
    const bool is_known = pair->provider.files[function->module] != PROVIDER_ORIGINAL ||
                          function->params_evidence != ABI_UNKNOWN || (line && line->has_call);
    switch (function->kind) {
    case ABI_EXPORT:
    case ABI_OWN_EXPORT:
        return function->provider != ABI_ABSENT && is_known
                   ? Guest_Export(pair->guest, pair->modules[function->module], function->name)
                   : 0;
    case ABI_SLOT:
        return Pair_Slot(pair, (uint32_t)function->index);
    case ABI_INTERNAL:
    case ABI_METHOD:
        /* Without known parameters no call can be made up, and a trace has no object for an opaque
         * `self`. A function without a body in our DLLs may still have one in others. */
        if (function->provider == ABI_NATIVE_ONLY &&
            pair->provider.files[function->module] == PROVIDER_STANDIN)
            return 0;
        if (function->kind == ABI_METHOD && strncmp(function->params, "any ", 4) == 0)
            return 0;
        if ((!function->rva && !(line && line->rva)) || function->params_evidence == ABI_UNKNOWN)
            return 0;

        /* The address of a method is taken from an entry of a vtable. */
        const AbiModule module = function->module;
        const uint32_t rva = line && line->rva ? line->rva : function->rva;
        const PeFile *file = &pair->files[module];

        /* An overlay for this file may state the address. */
        if (line && line->rva &&
            (!pair->overlay.modules[module].known ||
             (pair->provider.files[module] != PROVIDER_STANDIN &&
              !KnownVersion_IsFunctionStart(file, rva)) ||
             rva >= file->image_size))
            return 0;
        /* The bytes of the file are compared, because relocation changes those of the image. */
        if (line && line->signature_bytes) {
            const PeFile *dll = &pair->files[line->function->module];
            const uint8_t *bytes = Pe_At(dll, rva, line->signature_bytes);
            uint8_t *copy = bytes ? malloc(line->signature_bytes) : NULL;
            char hex[DIGEST_HEX_BYTES];
            if (!copy)
                return 0;
            memcpy(copy, bytes, line->signature_bytes);
            Pe_MaskRelocated(dll, rva, copy, line->signature_bytes);
            Digest_OfBytes(copy, line->signature_bytes, hex);
            free(copy);
            if (strcmp(hex, line->signature) != 0)
                return 0;
        }

        if (line && line->rva)
            return pair->modules[module] + rva;

        if (pair->provider.files[module] == PROVIDER_ORIGINAL && function->kind == ABI_INTERNAL &&
            function->entry_evidence != ABI_READ)
            return 0;
        return FindAddress(pair, module, rva);
    default:
        return 0;
    }
}

RpStatus Pair_NoteReached(Pair *pair, ReachedFile *file, size_t size, RpError *error) {
    uint64_t whole = sizeof *file;
    char expected[48], found[48];
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        whole += pair->files[module].image_size;
    if (size != whole) {
        snprintf(expected, sizeof expected, "%llu bytes", (unsigned long long)whole);
        snprintf(found, sizeof found, "%llu bytes", (unsigned long long)size);
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "this is no file for the marks", "",
                           expected, found);
    }
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        if (file->bytes[module] != pair->files[module].image_size)
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the marks are for another file",
                               AbiModule_File((AbiModule)module), "the size of its image", "");
    if (file->entry_count > REACHED_MOST_ENTRIES) {
        snprintf(expected, sizeof expected, "at most %u", REACHED_MOST_ENTRIES);
        snprintf(found, sizeof found, "%u", (unsigned)file->entry_count);
        return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                           "the file for the marks has too many functions", "", expected, found);
    }
    pair->reached = file;
    return Guest_NoteReached(pair->guest, file->bytes, file->marks, error);
}

/* Returns where code at an address leads if it is nothing but a jump through a pointer, as the
 * gates of our DLLs are. Otherwise returns the address itself. */
static uint32_t BehindGate(const Pair *pair, uint32_t address) {
    uint32_t offset, module;
    Pair_Locate(pair, address, &offset, &module);
    const PeFile *file = module < ABI_MODULE_COUNT ? &pair->files[module] : NULL;
    const uint8_t *code = file ? Pe_At(file, offset, 6) : NULL;
    if (!code || code[0] != 0xFF || code[1] != 0x25) /* jmp dword [...] */
        return address;
    const uint32_t pointer = Bytes_U32(code + 2) - file->image_base + pair->modules[module];
    return Guest_MayWrite(pair->guest, pointer, 4) ? Bytes_U32(Guest_At(pair->guest, pointer))
                                                   : address;
}

const PairFunction *Pair_Function(Pair *pair, const AbiFunction *function, uint64_t sequence) {
    PairFunction *row = &pair->build->functions[function - abi_functions];
    bool applies = pair->overlay_applies[function->module];
    if (row->resolved && !(applies && row->ranged))
        return row;
    Invoke_Leave(pair->guest);
    const OverlayFunction *line =
        applies ? Overlay_FindFor(&pair->overlay, function, sequence) : NULL;
    if (row->resolved && line == row->line)
        return row;
    bool callable =
        !pair->build->unsupported && Overlay_CallFor(applies ? &pair->overlay : NULL, function,
                                                     sequence, &row->call, NULL) == RP_OK;
    row->target = callable ? Resolve(pair, function, line) : 0;
    row->line = line;
    row->resolved = true;
    if (pair->reached && row->target) {
        ReachedEntry entry = {.row = (uint32_t)(function - abi_functions)};
        Pair_Locate(pair, BehindGate(pair, row->target), &entry.rva, &entry.module);
        ReachedFile_AddEntry(pair->reached, &entry);
    }
    return row;
}

uint32_t Pair_SlotOf(const Pair *pair, uint32_t address, uint32_t asked) {
    const uint32_t *table = FastProcs(pair);
    if (!address)
        return SIGNATURE_SLOT_NULL;
    if (table && asked < ABI_NGI32_FASTPROC_COUNT && table[asked] == address)
        return asked;
    for (uint32_t slot = 0; table && slot < ABI_NGI32_FASTPROC_COUNT; slot++)
        if (table[slot] == address)
            return slot;
    return SIGNATURE_SLOT_OTHER;
}

uint32_t Pair_Slot(const Pair *pair, uint32_t slot) {
    const uint32_t *table = FastProcs(pair);
    return table && slot < ABI_NGI32_FASTPROC_COUNT ? table[slot] : 0;
}

void Pair_Locate(const Pair *pair, uint32_t address, uint32_t *offset, uint32_t *module) {
    for (uint32_t i = 0; i < ABI_MODULE_COUNT; i++)
        if (address - pair->modules[i] < pair->files[i].image_size) {
            *offset = address - pair->modules[i];
            *module = i;
            return;
        }
    *offset = address - Guest_OtherModule(pair->guest, address);
    *module = ABI_MODULE_COUNT;
}
