/* Examines, in the file, the entries of functions and the stores into the dispatch table. */
#include "core/digest.h"
#include "game/probe/decode.h"
#include "game/probe/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIGNATURE 64u
#define MAX_FUNCTION  4096u /* how far behind an entry to look for jumps back to it */

/* ---- stores into the table ------------------------------------------------------------------- */

/* What a linear sweep knows: the code addresses that `mov register, number` has loaded. */
typedef struct Sweep {
    const PeFile *file;
    uint32_t table, slots;
    uint32_t loaded[8]; /* RVAs; 0: something else */
    ProbeStore *stores;
    uint32_t room, count;
} Sweep;

static bool IsCode(const PeFile *file, uint32_t rva) {
    const PeSection *section = Pe_SectionAt(file, rva);
    return section && (section->characteristics & PE_SECTION_EXECUTABLE);
}

static void SweepInstruction(Sweep *sweep, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *to = &instruction->operands[0], *from = &instruction->operands[1];
    bool moves = instruction->mnemonic == ZYDIS_MNEMONIC_MOV;

    /* The code address that is moved, or 0. */
    uint32_t code = 0;
    if (moves && from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        int index = ProbeRegister_Index(from->reg.value);
        code = index < 0 ? 0 : sweep->loaded[index];
    } else if (moves && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        uint32_t rva = ProbeOperand_Address(sweep->file, from);
        code = IsCode(sweep->file, rva) ? rva : 0;
    }

    /* A plain memory operand may name an entry of the table. */
    if (code && to->type == ZYDIS_OPERAND_TYPE_MEMORY && to->mem.base == ZYDIS_REGISTER_NONE &&
        to->mem.index == ZYDIS_REGISTER_NONE) {
        uint32_t address = ProbeOperand_Address(sweep->file, to);
        uint32_t distance = address - sweep->table;
        bool is_entry = address && distance % 4 == 0 && distance / 4 < sweep->slots;
        if (is_entry && sweep->count < sweep->room)
            sweep->stores[sweep->count] = (ProbeStore){instruction->rva, distance / 4, code};
        sweep->count += is_entry;
    }

    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        int index = operand->type == ZYDIS_OPERAND_TYPE_REGISTER
                        ? ProbeRegister_Index(operand->reg.value)
                        : -1;
        if (index >= 0 && (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            sweep->loaded[index] = i == 0 ? code : 0;
    }
    if (instruction->mnemonic == ZYDIS_MNEMONIC_CALL || instruction->mnemonic == ZYDIS_MNEMONIC_RET)
        memset(sweep->loaded, 0, sizeof sweep->loaded);
}

uint32_t ProbeStatic_FindStores(const PeFile *file, uint32_t table_rva, uint32_t slots,
                                ProbeStore *stores, uint32_t room) {
    Sweep sweep = {
        .file = file, .table = table_rva, .slots = slots, .stores = stores, .room = room};
    for (size_t i = 0; i < file->section_count; i++)
        if (file->sections[i].characteristics & PE_SECTION_EXECUTABLE) {
            const PeSection *section = &file->sections[i];
            uint32_t end = section->rva + section->file_size;
            for (uint32_t rva = section->rva; rva < end && rva >= section->rva;) {
                ProbeInstruction instruction;
                if (ProbeInstruction_Decode(sweep.file, rva, &instruction)) {
                    SweepInstruction(&sweep, &instruction);
                    rva += instruction.length;
                } else {
                    memset(sweep.loaded, 0, sizeof sweep.loaded);
                    rva++;
                }
            }
        }

    return sweep.count;
}

/* ---- starts of functions --------------------------------------------------------------------- */

static int CompareAddresses(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static bool IsPadding(const ProbeInstruction *instruction) {
    return instruction->mnemonic == ZYDIS_MNEMONIC_INT3 ||
           instruction->mnemonic == ZYDIS_MNEMONIC_NOP;
}

typedef struct Starts {
    uint32_t *rvas;
    uint32_t room, count;
} Starts;

static void AddStart(Starts *starts, uint32_t rva) {
    if (starts->count < starts->room)
        starts->rvas[starts->count++] = rva;
}

uint32_t ProbeStatic_FindStarts(const PeFile *file, uint32_t *rvas, uint32_t room) {
    Starts starts = {rvas, room, 0};
    uint32_t kept = 0;
    for (size_t i = 0; i < file->section_count; i++)
        if (file->sections[i].characteristics & PE_SECTION_EXECUTABLE) {
            const PeSection *section = &file->sections[i];
            uint32_t end = section->rva + section->file_size;
            bool behind_end = true; /* whether the sweep has just passed the end of a function */
            for (uint32_t rva = section->rva; rva < end && rva >= section->rva;) {
                ProbeInstruction instruction;
                if (!ProbeInstruction_Decode(file, rva, &instruction)) {
                    behind_end = false;
                    rva++;
                    continue;
                }
                if (behind_end && !IsPadding(&instruction))
                    AddStart(&starts, rva);
                if (instruction.mnemonic == ZYDIS_MNEMONIC_CALL && instruction.relative &&
                    IsCode(file, instruction.target))
                    AddStart(&starts, instruction.target);
                behind_end = instruction.mnemonic == ZYDIS_MNEMONIC_RET ||
                             instruction.mnemonic == ZYDIS_MNEMONIC_JMP ||
                             (IsPadding(&instruction) && behind_end) ||
                             instruction.mnemonic == ZYDIS_MNEMONIC_INT3;
                rva += instruction.length;
            }
        }

    qsort(rvas, starts.count, sizeof *rvas, CompareAddresses);
    for (uint32_t i = 0; i < starts.count; i++)
        if (kept == 0 || rvas[kept - 1] != rvas[i])
            rvas[kept++] = rvas[i];
    return kept;
}

/* ---- signature and movable instructions ------------------------------------------------------ */

/* Returns whether the instruction works the same at another address. */
static bool IsMovable(const ProbeInstruction *instruction) {
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_RET:
    case ZYDIS_MNEMONIC_JMP:
    case ZYDIS_MNEMONIC_CALL:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_UD2:
        return false;
    default:
        return !instruction->relative;
    }
}

RpStatus ProbeStatic_Entry(const PeFile *file, uint32_t rva, ProbeEntry *entry, RpError *error) {
    uint8_t bytes[MAX_SIGNATURE];
    uint32_t size = 0;
    memset(entry, 0, sizeof *entry);
    while (size < PROBE_SIGNATURE_LEAST) {
        ProbeInstruction instruction;
        char where[32];
        snprintf(where, sizeof where, "RVA 0x%X", rva + size);
        if (!ProbeInstruction_Decode(file, rva + size, &instruction))
            return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "no instruction is here", where,
                               "the beginning of a function", "");
        size += instruction.length;
    }
    const uint8_t *code = Pe_At(file, rva, size);
    if (!code)
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "the code is outside the file", "", "",
                           "");
    memcpy(bytes, code, size);
    Pe_MaskRelocated(file, rva, bytes, size);
    Digest_OfBytes(bytes, size, entry->sha256);
    entry->signature_bytes = size;

    /* How many bytes of whole instructions a redirection can move elsewhere. */
    uint32_t movable = 0;
    while (movable < PROBE_ENTRY_LEAST) {
        ProbeInstruction instruction;
        if (!ProbeInstruction_Decode(file, rva + movable, &instruction) ||
            !IsMovable(&instruction)) {
            entry->refusal = "it begins with an instruction that works in its place only";
            return RP_OK;
        }
        movable += instruction.length;
    }

    /* No jump may lead into the bytes that would be overwritten. The search continues behind the
     * end of the function. The bytes there need not be instructions; bytes inside of the function
     * that cannot be decoded, however, could hide jumps. */
    uint32_t furthest = 0;
    bool ended = false;
    for (uint32_t at = movable; !entry->refusal && at < MAX_FUNCTION;) {
        ProbeInstruction instruction;
        if (!ProbeInstruction_Decode(file, rva + at, &instruction)) {
            if (!ended)
                entry->refusal = "its code cannot be read to its end: it may jump into its first "
                                 "bytes";
            break;
        }
        uint32_t target = instruction.target - rva;
        at += instruction.length;
        if (instruction.relative && target > 0 && target < movable)
            entry->refusal = "code further on jumps into its first bytes";
        if (instruction.relative && instruction.mnemonic != ZYDIS_MNEMONIC_CALL &&
            target < MAX_FUNCTION && target > furthest)
            furthest = target;

        /* The function ends at a return or a jump, if no earlier jump leads behind it. Where the
         * end of a function with a jump through a table is, is not known. */
        bool leaves = instruction.mnemonic == ZYDIS_MNEMONIC_RET ||
                      (instruction.mnemonic == ZYDIS_MNEMONIC_JMP && instruction.relative);
        ended = ended || (leaves && furthest < at);
    }
    if (!entry->refusal)
        entry->entry_bytes = movable;
    return RP_OK;
}
