#include "returns.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

/* Gives Zydis 3 (Ubuntu 22.04) the names of Zydis 4. Its version macro cannot be used in #if. */
#ifndef ZYDIS_MAX_OPERAND_COUNT_VISIBLE
#define ZYDIS_STACK_WIDTH_32 ZYDIS_ADDRESS_WIDTH_32
#define ZydisDecoderDecodeInstruction(decoder, context, code, length, instruction)                 \
    ZydisDecoderDecodeBuffer(decoder, code, length, instruction)
#endif

/* The state of knowledge about calling the function at an address. */
typedef enum Callee { CALLEE_UNKNOWN, CALLEE_BUSY, CALLEE_RETURNS, CALLEE_NEVER } Callee;

struct CodeWalk {
    const PeFile *pe;
    const Symbols *symbols;
    ZydisDecoder decoder;
    uint8_t *callees; /* a Callee for each RVA */
};

/* The walk through one function: the instructions that were seen, and those still to be visited. */
typedef struct Visit {
    uint8_t *seen; /* indexed by RVA */
    uint32_t *pending;
    size_t pending_count;
} Visit;

CodeWalk *CodeWalk_New(const PeFile *pe, const Symbols *symbols) {
    CodeWalk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return NULL;
    walk->pe = pe;
    walk->symbols = symbols;
    walk->callees = calloc(pe->image_size, 1);
    if (!walk->callees) {
        free(walk);
        return NULL;
    }
    ZydisDecoderInit(&walk->decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    return walk;
}

void CodeWalk_Free(CodeWalk *walk) {
    if (walk)
        free(walk->callees);
    free(walk);
}

static bool Decode(const CodeWalk *walk, uint32_t rva, ZydisDecodedInstruction *instruction) {
    const PeSection *section = Pe_SectionAt(walk->pe, rva);
    if (!section || !(section->characteristics & PE_SECTION_EXECUTABLE))
        return false;
    uint32_t room = section->rva + section->virtual_size - rva;
    uint32_t length = room < ZYDIS_MAX_INSTRUCTION_LENGTH ? room : ZYDIS_MAX_INSTRUCTION_LENGTH;
    const uint8_t *code = NULL;
    while (length > 0 && !(code = Pe_At(walk->pe, rva, length)))
        length--; /* the last instruction of the file's data */
    if (!code)
        return false;
    return ZYAN_SUCCESS(
        ZydisDecoderDecodeInstruction(&walk->decoder, NULL, code, length, instruction));
}

static bool IsRelative(const ZydisDecodedInstruction *instruction) {
    return (instruction->attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
}

static uint32_t Target(const ZydisDecodedInstruction *instruction, uint32_t rva) {
    return rva + instruction->length + (uint32_t)instruction->raw.imm[0].value.s;
}

/* Returns the import that `call [address]` or `jmp [address]` leads to, or null. */
static bool IsThroughMemory(const ZydisDecodedInstruction *instruction) {
    return !IsRelative(instruction) && instruction->raw.modrm.mod == 0 &&
           instruction->raw.modrm.rm == 5;
}

static const PeImport *Imported(const CodeWalk *walk, const ZydisDecodedInstruction *instruction) {
    if (!IsThroughMemory(instruction))
        return NULL;
    uint32_t rva = (uint32_t)instruction->raw.disp.value - walk->pe->image_base;
    for (size_t i = 0; i < walk->pe->import_count; i++)
        if (walk->pe->imports[i].iat_rva == rva)
            return &walk->pe->imports[i];
    return NULL;
}

/* Returns the address to which a gate, `jmp [address]` through a table of ours, leads in the built
 * file, or 0 for anything else. */
static uint32_t GateTarget(const CodeWalk *walk, const ZydisDecodedInstruction *instruction) {
    uint32_t address;
    if (!IsThroughMemory(instruction))
        return 0;
    const uint8_t *word =
        Pe_At(walk->pe, (uint32_t)instruction->raw.disp.value - walk->pe->image_base, 4);
    if (!word)
        return 0;
    memcpy(&address, word, sizeof address);
    return address - walk->pe->image_base;
}

static bool EndsProcess(const PeImport *import) {
    return import && import->name &&
           (strcmp(import->name, "ExitProcess") == 0 || strcmp(import->name, "ExitThread") == 0 ||
            strcmp(import->name, "FatalExit") == 0);
}

static bool IsPadding(const ZydisDecodedInstruction *instruction) {
    /* The assembler fills with `lea esi, [esi+0]` of some length before it uses nop. */
    return instruction->mnemonic == ZYDIS_MNEMONIC_NOP ||
           (instruction->mnemonic == ZYDIS_MNEMONIC_LEA && instruction->raw.disp.value == 0) ||
           instruction->mnemonic == ZYDIS_MNEMONIC_XCHG;
}

/* Returns whether only padding lies between here and the next function. */
static bool IsFunctionEnd(const CodeWalk *walk, uint32_t rva) {
    ZydisDecodedInstruction instruction;
    while (!Symbols_IsFunction(walk->symbols, rva)) {
        if (!Decode(walk, rva, &instruction) || !IsPadding(&instruction))
            return false;
        rva += instruction.length;
    }
    return true;
}

static bool NeverReturns(CodeWalk *walk, uint32_t entry) {
    ZydisDecodedInstruction first;
    if (Decode(walk, entry, &first) && first.mnemonic == ZYDIS_MNEMONIC_JMP) {
        const PeImport *import = Imported(walk, &first); /* the linker's import stub */
        if (import)
            return EndsProcess(import);
    }
    if (entry < walk->pe->image_size && walk->callees[entry] == CALLEE_UNKNOWN) {
        walk->callees[entry] = CALLEE_BUSY; /* a recursive call counts as one that returns */
        Returns returns;
        CodeWalk_FindReturns(walk, entry, &returns);
        walk->callees[entry] =
            returns.count == 0 && returns.lost_at == 0 ? CALLEE_NEVER : CALLEE_RETURNS;
    }
    return entry < walk->pe->image_size && walk->callees[entry] == CALLEE_NEVER;
}

static void Push(const CodeWalk *walk, Visit *visit, uint32_t rva, Returns *returns) {
    if (rva >= walk->pe->image_size)
        returns->lost_at = rva;
    else if (!visit->seen[rva]) {
        visit->seen[rva] = 1;
        visit->pending[visit->pending_count++] = rva;
    }
}

static void AddReturn(Returns *returns, uint32_t rva, uint16_t popped) {
    if (returns->count < RETURNS_KEPT) {
        returns->rva[returns->count] = rva;
        returns->popped[returns->count] = popped;
    }
    returns->count++;
}

/* Adds a jump into an import as a return of the function, which takes off the stack what the
 * import's decoration says. */
static void AddTailCall(const CodeWalk *walk, uint32_t rva, const PeImport *import,
                        Returns *returns) {
    int popped = import ? Symbols_PoppedBytes(walk->symbols, import->iat_rva) : -1;
    if (popped < 0)
        returns->lost_at = rva;
    else
        AddReturn(returns, rva, (uint16_t)popped);
}

static void Step(CodeWalk *walk, Visit *visit, uint32_t rva, Returns *returns) {
    ZydisDecodedInstruction instruction;
    if (!Decode(walk, rva, &instruction)) {
        returns->lost_at = rva;
        return;
    }
    uint32_t next = rva + instruction.length;
    const PeImport *import = Imported(walk, &instruction);
    switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_RET:
        AddReturn(returns, rva,
                  instruction.raw.imm[0].size ? (uint16_t)instruction.raw.imm[0].value.u : 0);
        return;
    case ZYDIS_MNEMONIC_JMP:
        if (IsRelative(&instruction))
            Push(walk, visit, Target(&instruction, rva), returns);
        else if (!import && GateTarget(walk, &instruction))
            Push(walk, visit, GateTarget(walk, &instruction), returns);
        else if (!EndsProcess(import))
            AddTailCall(walk, rva, import, returns);
        return;
    case ZYDIS_MNEMONIC_CALL:
        if (EndsProcess(import) || IsFunctionEnd(walk, next) ||
            (IsRelative(&instruction) && NeverReturns(walk, Target(&instruction, rva))))
            return;
        break;
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
        return;
    default:
        if (IsRelative(&instruction))
            Push(walk, visit, Target(&instruction, rva), returns);
    }
    Push(walk, visit, next, returns);
}

void CodeWalk_FindReturns(CodeWalk *walk, uint32_t entry, Returns *returns) {
    *returns = (Returns){0};
    Visit visit = {.seen = calloc(walk->pe->image_size, 1),
                   .pending = calloc(walk->pe->image_size, sizeof *visit.pending)};
    if (!visit.seen || !visit.pending) {
        returns->lost_at = entry;
    } else {
        Push(walk, &visit, entry, returns);
        while (visit.pending_count > 0)
            Step(walk, &visit, visit.pending[--visit.pending_count], returns);
    }
    free(visit.seen);
    free(visit.pending);
}
