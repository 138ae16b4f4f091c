#include "game/probe/static.h"

#include "game/probe/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INSTRUCTIONS 8192  /* in one function */
#define MAX_BUDGET       65536 /* in one function and everything that it calls */
#define MAX_VISITS       (2 * MAX_INSTRUCTIONS)
#define MAX_PENDING      512
#define MAX_LEVEL        3 /* how deep callees are followed */
#define MAX_CALLEES      256
#define MAX_CASES        256 /* entries of a jump table */
#define MAX_REVISITS     4
#define STACK_BELOW      256 /* how many dwords below the return address are tracked */
#define STACK_ABOVE      (PROBE_PLACES - PROBE_STACK)
#define STACK_WORDS      (STACK_BELOW + 1 + STACK_ABOVE)
#define X87_REGISTERS    8

enum { EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, REGISTERS };

/* What a register or a word of the stack holds. */
typedef enum ValueKind {
    VALUE_UNKNOWN,
    VALUE_ARGUMENT, /* what the caller put into `place` */
    VALUE_DERIVED,  /* an argument plus a distance, which points to the same memory */
    VALUE_STACK,    /* the stack pointer at entry plus `offset` */
    VALUE_SAVED     /* the caller's value of a register that must be restored */
} ValueKind;

typedef struct Value {
    ValueKind kind;
    uint32_t place;
    int32_t offset;
} Value;

typedef struct Machine {
    uint32_t rva;
    Value registers[REGISTERS];
    Value stack[STACK_WORDS]; /* dwords from -4 * STACK_BELOW on; the return address is at 0 */
    int depth;                /* number of values on the x87 stack */
    bool depth_unsure;        /* the last call may have left a number there */
    uint32_t pushed; /* dwords that were pushed for the next call, as far as that can be seen */
} Machine;

typedef struct Visit {
    uint32_t rva; /* 0: the entry is free */
    uint32_t times;
    Value stack_pointer;
} Visit;

/* What its callers need to know about a function. `busy` is set while it is being examined. */
typedef struct Callee {
    uint32_t rva;
    bool busy;
    ProbeStatic facts;
} Callee;

typedef struct Analysis {
    const PeFile *file;
    Callee callees[MAX_CALLEES];
    uint32_t callee_count;
    uint32_t budget;
} Analysis;

typedef struct Walk {
    Analysis *analysis;
    ProbeStatic *result;
    int level;
    Visit visits[MAX_VISITS];
    Machine pending[MAX_PENDING];
    uint32_t pending_count;
    bool lost, pops_differ, depth_differs, stack_differs;
    ProbeAnswer returns_float;
} Walk;

static const Value unknown = {VALUE_UNKNOWN, 0, 0};

/* ---- evidence -------------------------------------------------------------------------------- */

static void AddEvidence(ProbeStatic *result, ProbeFact fact, uint8_t use, uint32_t rva,
                        uint32_t value) {
    for (uint32_t i = 0; i < result->evidence_count; i++) {
        const ProbeEvidence *known = &result->evidence[i];
        if (known->fact == fact && known->use == use && known->value == value)
            return;
    }
    if (result->evidence_count < PROBE_MAX_EVIDENCE)
        result->evidence[result->evidence_count++] = (ProbeEvidence){fact, use, rva, value};
}

static bool IsArgument(Value value) {
    return value.kind == VALUE_ARGUMENT || value.kind == VALUE_DERIVED;
}

static void Mark(Walk *walk, Value value, uint8_t uses, uint32_t rva) {
    if (IsArgument(value)) {
        uint32_t place = value.place;
        ProbeStatic *result = walk->result;
        for (uint8_t use = 1; use && use <= PROBE_PASSED; use = (uint8_t)(use << 1))
            if ((uses & use) && !(result->uses[place] & use))
                AddEvidence(result, PROBE_FACT_USE, use, rva, place);
        result->uses[place] |= uses;
        if (place >= PROBE_STACK && place - PROBE_STACK + 1 > result->stack_dwords)
            result->stack_dwords = place - PROBE_STACK + 1;
    }
}

static void Lose(Walk *walk, uint32_t rva) {
    walk->lost = true;
    AddEvidence(walk->result, PROBE_FACT_LOST, 0, rva, 0);
}

/* ---- the stack ------------------------------------------------------------------------------- */

static Value *StackWord(Machine *machine, int64_t offset) {
    int64_t word = offset / 4 + STACK_BELOW;
    bool inside = offset % 4 == 0 && word >= 0 && word < STACK_WORDS;
    return inside ? &machine->stack[word] : NULL;
}

static Value StackValue(Machine *machine, int64_t offset) {
    const Value *word = StackWord(machine, offset);
    return word ? *word : unknown;
}

/* Marks `bytes` from `offset` on as changed. */
static void Overwrite(Machine *machine, int64_t offset, uint32_t bytes, Value value) {
    for (int64_t at = offset & ~(int64_t)3; at < offset + bytes; at += 4) {
        Value *word = StackWord(machine, at);
        if (word)
            *word = bytes == 4 && at == offset ? value : unknown;
    }
}

static void MoveStackPointer(Machine *machine, int64_t bytes) {
    Value *pointer = &machine->registers[ESP];
    int64_t moved = pointer->offset + bytes;
    if (pointer->kind != VALUE_STACK || moved < INT32_MIN / 2 || moved > INT32_MAX / 2)
        *pointer = unknown;
    else
        pointer->offset = (int32_t)moved;
}

static void Push(Machine *machine, Value value) {
    MoveStackPointer(machine, -4);
    if (machine->registers[ESP].kind == VALUE_STACK)
        Overwrite(machine, machine->registers[ESP].offset, 4, value);
    machine->pushed = value.kind == VALUE_SAVED ? 0 : machine->pushed + 1;
}

static Value Pop(Machine *machine) {
    Value value = machine->registers[ESP].kind == VALUE_STACK
                      ? StackValue(machine, machine->registers[ESP].offset)
                      : unknown;
    MoveStackPointer(machine, 4);
    machine->pushed = 0;
    return value;
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool IsMemory(const ZydisDecodedOperand *operand) {
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static bool Reads(const ZydisDecodedOperand *operand) {
    return (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}

static bool Writes(const ZydisDecodedOperand *operand) {
    return (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

static Value RegisterValue(const Machine *machine, ZydisRegister name) {
    int index = ProbeRegister_Index(name);
    return index < 0 ? unknown : machine->registers[index];
}

/* Gives the stack address of a memory operand, if it has one. */
static bool StackOffset(const Machine *machine, const ZydisDecodedOperand *operand,
                        int64_t *offset) {
    Value base = RegisterValue(machine, operand->mem.base);
    if (base.kind != VALUE_STACK || operand->mem.index != ZYDIS_REGISTER_NONE)
        return false;
    *offset = base.offset + (int64_t)(int32_t)operand->mem.disp.value;
    return true;
}

static bool IsX87(const ProbeInstruction *instruction) {
    return instruction->extension == ZYDIS_ISA_EXT_X87;
}

/* Returns what the argument that the instruction reads is used for. */
static uint8_t ReadingUse(const ProbeInstruction *instruction) {
    if (IsX87(instruction)) {
        switch (instruction->mnemonic) {
        case ZYDIS_MNEMONIC_FIADD:
        case ZYDIS_MNEMONIC_FICOM:
        case ZYDIS_MNEMONIC_FICOMP:
        case ZYDIS_MNEMONIC_FIDIV:
        case ZYDIS_MNEMONIC_FIDIVR:
        case ZYDIS_MNEMONIC_FILD:
        case ZYDIS_MNEMONIC_FIMUL:
        case ZYDIS_MNEMONIC_FISUB:
        case ZYDIS_MNEMONIC_FISUBR:
        case ZYDIS_MNEMONIC_FLDCW:
        case ZYDIS_MNEMONIC_FLDENV:
            return PROBE_DWORD;
        default:
            return PROBE_FLOAT;
        }
    }
    if (ProbeInstruction_UsesXmm(instruction))
        return instruction->mnemonic == ZYDIS_MNEMONIC_CVTSI2SS ? PROBE_DWORD : PROBE_FLOAT;
    switch (instruction->mnemonic) {
    /* it may compare a pointer with null, or the bits of a float with a number */
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_XCHG:
    case ZYDIS_MNEMONIC_ADD: /* it may add a distance to a pointer, in either order */
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_AND: /* it may clear the sign of a float */
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR:
        return PROBE_PASSED;
    default:
        return PROBE_DWORD;
    }
}

/* Notes which arguments are pointers to the memory that an operand addresses. */
static void UseAddress(Walk *walk, Machine *machine, const ProbeInstruction *instruction,
                       const ZydisDecodedOperand *operand) {
    Value base = RegisterValue(machine, operand->mem.base);
    Value index = RegisterValue(machine, operand->mem.index);
    bool indexed = operand->mem.index != ZYDIS_REGISTER_NONE && operand->mem.scale > 1;
    uint8_t uses = (uint8_t)((Reads(operand) ? PROBE_POINTER_READ : 0) |
                             (Writes(operand) ? PROBE_POINTER_WRITTEN : 0));
    /* If both are arguments, it is not known which of them is the pointer. */
    bool both = IsArgument(base) && IsArgument(index) && !indexed;
    Mark(walk, base, both ? PROBE_PASSED : uses, instruction->rva);
    if (indexed)
        Mark(walk, index, PROBE_DWORD, instruction->rva);
    else if (!both && base.kind == VALUE_UNKNOWN && operand->mem.base != ZYDIS_REGISTER_NONE)
        Mark(walk, index, PROBE_PASSED, instruction->rva);
    else
        Mark(walk, index, both ? PROBE_PASSED : uses, instruction->rva);
}

static void UseMemory(Walk *walk, Machine *machine, const ProbeInstruction *instruction,
                      const ZydisDecodedOperand *operand) {
    int64_t offset;
    if (!StackOffset(machine, operand, &offset)) {
        UseAddress(walk, machine, instruction, operand);
        return;
    }
    if (Reads(operand)) {
        uint32_t bytes = operand->size / 8u;
        for (uint32_t at = 0; at < bytes && at < 16; at += 4)
            Mark(walk, StackValue(machine, offset + at), ReadingUse(instruction), instruction->rva);
    }

    if (Writes(operand))
        Overwrite(machine, offset, operand->size / 8u, unknown);
}

static void WriteRegister(Machine *machine, ZydisRegister name, Value value) {
    int index = ProbeRegister_Index(name);
    if (index >= 0)
        machine->registers[index] =
            ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LEGACY_32, name) == 32 ? value : unknown;
}

/* Handles instructions without a rule of their own: every operand is used as the decoder says. */
static void UseOperands(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        if (IsMemory(operand) && operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN)
            UseMemory(walk, machine, instruction, operand);
        else if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && Reads(operand))
            Mark(walk, RegisterValue(machine, operand->reg.value), ReadingUse(instruction),
                 instruction->rva);
    }
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            Writes(&instruction->operands[i]))
            WriteRegister(machine, instruction->operands[i].reg.value, unknown);
}

/* ---- instructions that move values ----------------------------------------------------------- */

/* Returns the 32-bit value of an operand that is only copied. */
static Value Copied(Walk *walk, Machine *machine, const ProbeInstruction *instruction,
                    const ZydisDecodedOperand *operand) {
    int64_t offset;
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
        return RegisterValue(machine, operand->reg.value);
    if (!IsMemory(operand))
        return unknown;
    if (StackOffset(machine, operand, &offset))
        return StackValue(machine, offset);
    UseAddress(walk, machine, instruction, operand);
    return unknown;
}

static void Move(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *to = &instruction->operands[0], *from = &instruction->operands[1];
    int64_t offset;
    if (to->size != 32 || from->size != 32) {
        UseOperands(walk, machine, instruction);
        return;
    }
    Value value = Copied(walk, machine, instruction, from);
    if (to->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        WriteRegister(machine, to->reg.value, value);
    } else if (IsMemory(to) && StackOffset(machine, to, &offset)) {
        Overwrite(machine, offset, 4, value);
    } else {
        Mark(walk, value, PROBE_PASSED, instruction->rva);
        if (IsMemory(to))
            UseAddress(walk, machine, instruction, to);
    }
}

static Value Shifted(Value value, int64_t distance) {
    if (IsArgument(value)) {
        value.kind = VALUE_DERIVED;
        return value;
    }
    int64_t moved = value.offset + distance;
    if (value.kind != VALUE_STACK || moved < INT32_MIN / 2 || moved > INT32_MAX / 2)
        return unknown;
    value.offset = (int32_t)moved;
    return value;
}

static void LoadAddress(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *address = &instruction->operands[1];
    Value base = RegisterValue(machine, address->mem.base);
    Value index = RegisterValue(machine, address->mem.index);
    Value result = unknown;
    if (address->mem.index == ZYDIS_REGISTER_NONE) {
        result = Shifted(base, (int32_t)address->mem.disp.value);
    } else if (address->mem.scale > 1) { /* an element of the array to which the base points */
        Mark(walk, index, PROBE_DWORD, instruction->rva);
        if (IsArgument(base))
            result = Shifted(base, 0);
    } else {
        Mark(walk, base, PROBE_PASSED, instruction->rva);
        Mark(walk, index, PROBE_PASSED, instruction->rva);
    }
    WriteRegister(machine, instruction->operands[0].reg.value, result);
}

/* Handles add, sub, inc and dec of a register by a number, after which it still points into the
 * same memory. */
static bool AddNumber(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *to = &instruction->operands[0], *by = &instruction->operands[1];
    bool one =
        instruction->mnemonic == ZYDIS_MNEMONIC_INC || instruction->mnemonic == ZYDIS_MNEMONIC_DEC;
    bool minus =
        instruction->mnemonic == ZYDIS_MNEMONIC_SUB || instruction->mnemonic == ZYDIS_MNEMONIC_DEC;
    if (to->type != ZYDIS_OPERAND_TYPE_REGISTER || to->size != 32 ||
        (!one && by->type != ZYDIS_OPERAND_TYPE_IMMEDIATE))
        return false;
    int index = ProbeRegister_Index(to->reg.value);
    if (index < 0)
        return false;
    int64_t number = one ? 1 : (int64_t)(int32_t)by->imm.value.s;
    if (index == ESP) {
        MoveStackPointer(machine, minus ? -number : number);
        machine->pushed = 0;
        return true;
    }
    Mark(walk, machine->registers[index], PROBE_PASSED, instruction->rva);
    machine->registers[index] = Shifted(machine->registers[index], minus ? -number : number);
    return true;
}

static void Leave(Machine *machine) {
    machine->registers[ESP] = machine->registers[EBP];
    if (machine->registers[ESP].kind != VALUE_STACK)
        machine->registers[ESP] = unknown;
    machine->registers[EBP] = Pop(machine);
}

/* ---- the x87 stack --------------------------------------------------------------------------- */

static int DepthChange(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_FLD:
    case ZYDIS_MNEMONIC_FILD:
    case ZYDIS_MNEMONIC_FBLD:
    case ZYDIS_MNEMONIC_FLD1:
    case ZYDIS_MNEMONIC_FLDL2E:
    case ZYDIS_MNEMONIC_FLDL2T:
    case ZYDIS_MNEMONIC_FLDLG2:
    case ZYDIS_MNEMONIC_FLDLN2:
    case ZYDIS_MNEMONIC_FLDPI:
    case ZYDIS_MNEMONIC_FLDZ:
    case ZYDIS_MNEMONIC_FPTAN:
    case ZYDIS_MNEMONIC_FSINCOS:
    case ZYDIS_MNEMONIC_FXTRACT:
    case ZYDIS_MNEMONIC_FDECSTP:
        return 1;
    case ZYDIS_MNEMONIC_FADDP:
    case ZYDIS_MNEMONIC_FBSTP:
    case ZYDIS_MNEMONIC_FCOMP:
    case ZYDIS_MNEMONIC_FCOMIP:
    case ZYDIS_MNEMONIC_FDIVP:
    case ZYDIS_MNEMONIC_FDIVRP:
    case ZYDIS_MNEMONIC_FFREEP:
    case ZYDIS_MNEMONIC_FICOMP:
    case ZYDIS_MNEMONIC_FINCSTP:
    case ZYDIS_MNEMONIC_FISTP:
    case ZYDIS_MNEMONIC_FISTTP:
    case ZYDIS_MNEMONIC_FMULP:
    case ZYDIS_MNEMONIC_FPATAN:
    case ZYDIS_MNEMONIC_FSTP:
    case ZYDIS_MNEMONIC_FSTPNCE:
    case ZYDIS_MNEMONIC_FSUBP:
    case ZYDIS_MNEMONIC_FSUBRP:
    case ZYDIS_MNEMONIC_FUCOMIP:
    case ZYDIS_MNEMONIC_FUCOMP:
    case ZYDIS_MNEMONIC_FYL2X:
    case ZYDIS_MNEMONIC_FYL2XP1:
        return -1;
    case ZYDIS_MNEMONIC_FCOMPP:
    case ZYDIS_MNEMONIC_FUCOMPP:
        return -2;
    default:
        return 0;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void AnalyseFunction(Analysis *analysis, uint32_t rva, int level, ProbeStatic *result);

/* Returns what is known about a called function, or null if it was not examined: because it is too
 * deep in calls, recursive, or one of too many. */
static const ProbeStatic *CalleeAt(Walk *walk, uint32_t rva) {
    Analysis *analysis = walk->analysis;
    for (uint32_t i = 0; i < analysis->callee_count; i++)
        if (analysis->callees[i].rva == rva)
            return analysis->callees[i].busy ? NULL : &analysis->callees[i].facts;
    if (walk->level >= MAX_LEVEL || analysis->callee_count == MAX_CALLEES || analysis->budget == 0)
        return NULL;
    Callee *callee = &analysis->callees[analysis->callee_count++];
    callee->rva = rva;
    callee->busy = true;
    AnalyseFunction(analysis, rva, walk->level + 1, &callee->facts);
    callee->busy = false;
    return &callee->facts;
}

static void AfterCall(Machine *machine, int64_t popped) {
    machine->registers[EAX] = machine->registers[ECX] = machine->registers[EDX] = unknown;
    MoveStackPointer(machine, popped);
    machine->pushed = 0;
}

static bool IsImport(const PeFile *file, const ZydisDecodedOperand *operand) {
    uint32_t rva = ProbeOperand_Address(file, operand);
    for (size_t i = 0; i < file->import_count; i++)
        if (IsMemory(operand) && operand->mem.base == ZYDIS_REGISTER_NONE &&
            file->imports[i].iat_rva == rva)
            return true;
    return false;
}

/* Returns false where the call does not come back. */
static bool Call(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    walk->result->calls++;
    const ProbeStatic *callee = instruction->relative ? CalleeAt(walk, instruction->target) : NULL;
    if (!instruction->relative) {
        walk->result->indirect_calls++;
        walk->result->calls_imports |= IsImport(walk->analysis->file, &instruction->operands[0]);
        AddEvidence(walk->result, PROBE_FACT_INDIRECT, 0, instruction->rva, 0);
        Mark(walk, Copied(walk, machine, instruction, &instruction->operands[0]), PROBE_PASSED,
             instruction->rva);
    } else {
        AddEvidence(walk->result, PROBE_FACT_CALL, 0, instruction->rva, instruction->target);
    }
    walk->result->calls_imports |= callee && callee->calls_imports;
    if (!callee || !callee->pops_known) {
        if (callee && callee->whole && !callee->returns)
            return false;

        /* The target is not known. If the next instruction does not remove the arguments from the
         * stack, the callee does. Where this assumption is wrong, the stack pointer does not fit at
         * the return, and the result is not `whole`. */
        ProbeInstruction next;
        bool cleans_up = ProbeInstruction_Decode(walk->analysis->file,
                                                 instruction->rva + instruction->length, &next) &&
                         next.mnemonic == ZYDIS_MNEMONIC_ADD &&
                         next.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                         next.operands[0].reg.value == ZYDIS_REGISTER_ESP;

        if (machine->registers[ESP].kind == VALUE_STACK) {
            for (uint32_t i = 0; i < machine->pushed; i++)
                Mark(walk, StackValue(machine, machine->registers[ESP].offset + 4 * (int64_t)i),
                     PROBE_PASSED, instruction->rva);
        }

        AfterCall(machine, cleans_up ? 0 : 4 * (int64_t)machine->pushed);
        machine->depth_unsure = true;
        return true;
    }

    /* What the called function does with its arguments is done with the values that this function
     * passes to it. */
    if (callee->uses[PROBE_ECX])
        Mark(walk, machine->registers[ECX], callee->uses[PROBE_ECX], instruction->rva);
    if (callee->uses[PROBE_EDX])
        Mark(walk, machine->registers[EDX], callee->uses[PROBE_EDX], instruction->rva);
    if (machine->registers[ESP].kind == VALUE_STACK) {
        for (uint32_t i = 0; i < callee->stack_dwords; i++)
            if (callee->uses[PROBE_STACK + i])
                Mark(walk, StackValue(machine, machine->registers[ESP].offset + 4 * (int64_t)i),
                     callee->uses[PROBE_STACK + i], instruction->rva);
    }

    AfterCall(machine, callee->pops);
    machine->depth += callee->returns_float == PROBE_YES;
    machine->depth_unsure |= callee->returns_float == PROBE_UNKNOWN;
    return true;
}

/* ---- returns and jumps ----------------------------------------------------------------------- */

static void Return(Walk *walk, const Machine *machine, const ProbeInstruction *instruction) {
    ProbeStatic *result = walk->result;
    const ZydisDecodedOperand *operand = &instruction->operands[0];
    bool pops = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    uint32_t popped = pops ? (uint32_t)operand->imm.value.u : 0;
    if (machine->registers[ESP].kind != VALUE_STACK || machine->registers[ESP].offset != 0)
        Lose(walk, instruction->rva);
    walk->pops_differ |= result->returns && result->pops != popped;
    ProbeAnswer floats = machine->depth == 1   ? PROBE_YES
                         : machine->depth == 0 ? PROBE_NO
                                               : PROBE_UNKNOWN;
    if (machine->depth_unsure)
        floats = PROBE_UNKNOWN;
    if (result->returns && floats != walk->returns_float)
        floats = PROBE_UNKNOWN;
    walk->returns_float = floats;
    result->returns = true;
    result->pops = popped;
    AddEvidence(result, PROBE_FACT_RETURN, 0, instruction->rva, popped);
    if (floats == PROBE_YES)
        AddEvidence(result, PROBE_FACT_FLOAT, 0, instruction->rva, 0);
}

static void Branch(Walk *walk, const Machine *machine, uint32_t rva) {
    if (walk->pending_count == MAX_PENDING) {
        Lose(walk, rva);
        return;
    }
    walk->pending[walk->pending_count] = *machine;
    walk->pending[walk->pending_count].rva = rva;
    walk->pending[walk->pending_count++].pushed = 0;
}

/* Follows `jmp [table + 4 * register]` through as many entries as are addresses of code. */
static bool FollowTable(Walk *walk, const Machine *machine, const ProbeInstruction *instruction) {
    const PeFile *file = walk->analysis->file;
    const ZydisDecodedOperand *operand = &instruction->operands[0];
    uint32_t table = ProbeOperand_Address(file, operand), cases = 0;
    if (!IsMemory(operand) || operand->mem.base != ZYDIS_REGISTER_NONE || operand->mem.scale != 4 ||
        !table)
        return false;
    for (; cases < MAX_CASES; cases++) {
        const uint8_t *entry = Pe_At(file, table + 4 * cases, 4);
        uint32_t address;
        if (!entry)
            break;
        memcpy(&address, entry, sizeof address);
        const PeSection *section = Pe_SectionAt(file, address - file->image_base);
        if (!section || !(section->characteristics & PE_SECTION_EXECUTABLE))
            break;
        Branch(walk, machine, address - file->image_base);
    }
    return cases > 0;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static void PopOperand(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *operand = &instruction->operands[0];
    Value value = Pop(machine);
    if (operand->size != 32)
        machine->registers[ESP] = unknown;
    else if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
        WriteRegister(machine, operand->reg.value, value);
    else
        UseMemory(walk, machine, instruction, operand);
}

static void StepData(Walk *walk, Machine *machine, const ProbeInstruction *instruction) {
    const ZydisDecodedOperand *to = &instruction->operands[0], *by = &instruction->operands[1];
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
        if (to->size == 32 || to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) /* sign-extended */
            Push(machine, Copied(walk, machine, instruction, to));
        else
            machine->registers[ESP] = unknown;
        return;
    case ZYDIS_MNEMONIC_POP:
        PopOperand(walk, machine, instruction);
        return;
    case ZYDIS_MNEMONIC_PUSHFD:
        Push(machine, unknown);
        return;
    case ZYDIS_MNEMONIC_POPFD:
        Pop(machine);
        return;
    case ZYDIS_MNEMONIC_PUSHAD:
        for (int i = 0; i < REGISTERS; i++)
            Push(machine, machine->registers[i]);
        return;
    case ZYDIS_MNEMONIC_POPAD:
        for (int i = REGISTERS - 1; i >= 0; i--) {
            Value value = Pop(machine);
            if (i != ESP)
                machine->registers[i] = value;
        }
        return;
    case ZYDIS_MNEMONIC_LEAVE:
        Leave(machine);
        return;
    case ZYDIS_MNEMONIC_MOV:
        Move(walk, machine, instruction);
        return;
    case ZYDIS_MNEMONIC_LEA:
        LoadAddress(walk, machine, instruction);
        return;
    case ZYDIS_MNEMONIC_NOP:
        return;
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_SBB:
        if (to->type == ZYDIS_OPERAND_TYPE_REGISTER && by->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            to->reg.value == by->reg.value) { /* this makes a zero or a mask and reads nothing */
            WriteRegister(machine, to->reg.value, unknown);
            return;
        }
        break;
    case ZYDIS_MNEMONIC_XCHG:
        if (to->type == ZYDIS_OPERAND_TYPE_REGISTER && by->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            Value first = RegisterValue(machine, to->reg.value);
            Value second = RegisterValue(machine, by->reg.value);
            WriteRegister(machine, to->reg.value, second);
            WriteRegister(machine, by->reg.value, first);
            return;
        }
        break;
    default:
        break;
    }
    bool adds = instruction->mnemonic == ZYDIS_MNEMONIC_ADD ||
                instruction->mnemonic == ZYDIS_MNEMONIC_SUB ||
                instruction->mnemonic == ZYDIS_MNEMONIC_INC ||
                instruction->mnemonic == ZYDIS_MNEMONIC_DEC;
    if (adds && AddNumber(walk, machine, instruction))
        return;
    UseOperands(walk, machine, instruction);
    /* After `and esp, -16` and the like, only what is reached through EBP is known. */
    if (instruction->mnemonic == ZYDIS_MNEMONIC_AND && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
        to->reg.value == ZYDIS_REGISTER_ESP)
        machine->registers[ESP] = unknown;
}

/* Returns false at the end of this path. */
static bool Step(Walk *walk, Machine *machine) {
    ProbeInstruction instruction;
    if (walk->result->instructions == MAX_INSTRUCTIONS || walk->analysis->budget == 0 ||
        !ProbeInstruction_Decode(walk->analysis->file, machine->rva, &instruction)) {
        Lose(walk, machine->rva);
        return false;
    }
    walk->result->instructions++;
    walk->analysis->budget--;
    machine->rva += instruction.length;

    /* Which units of the processor it uses. */
    ProbeStatic *result = walk->result;
    result->x87 |= IsX87(&instruction);
    result->loads_control |= instruction.mnemonic == ZYDIS_MNEMONIC_FLDCW;
    result->mmx |= instruction.extension == ZYDIS_ISA_EXT_MMX;
    result->amd_3dnow |= instruction.extension == ZYDIS_ISA_EXT_AMD3DNOW;
    if (ProbeInstruction_UsesXmm(&instruction)) {
        result->xmm = true;
        AddEvidence(result, PROBE_FACT_XMM, 0, instruction.rva, 0);
    }

    if (instruction.mnemonic == ZYDIS_MNEMONIC_FNINIT ||
        instruction.mnemonic == ZYDIS_MNEMONIC_EMMS ||
        instruction.mnemonic == ZYDIS_MNEMONIC_FEMMS) {
        machine->depth = 0;
        machine->depth_unsure = false;
    } else {
        machine->depth += DepthChange(instruction.mnemonic);
        if (machine->depth < 0 && machine->depth_unsure) { /* the call before did return a number */
            machine->depth = 0;
            machine->depth_unsure = false;
        }
    }

    switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_RET:
        Return(walk, machine, &instruction);
        return false;
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
        return false;
    case ZYDIS_MNEMONIC_CALL:
        return Call(walk, machine, &instruction);
    case ZYDIS_MNEMONIC_JMP:
        if (instruction.relative) {
            machine->rva = instruction.target;
            return true;
        }
        walk->result->calls_imports |= IsImport(walk->analysis->file, &instruction.operands[0]);
        if (!FollowTable(walk, machine, &instruction))
            Lose(walk, instruction.rva);
        return false;
    default:
        if (instruction.relative)
            Branch(walk, machine, instruction.target);
        else
            StepData(walk, machine, &instruction);
        return true;
    }
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Returns whether to follow the code from here: the first time, and again with another stack
 * pointer. After a call that popped more, the stack pointer may differ until a frame pointer
 * restores it. */
static bool Enter(Walk *walk, const Machine *machine) {
    uint32_t hash = machine->rva * 2654435761u;
    const Value pointer = machine->registers[ESP];
    for (uint32_t i = 0; i < MAX_VISITS; i++) {
        Visit *visit = &walk->visits[(hash + i) % MAX_VISITS];
        if (visit->rva == 0) {
            *visit = (Visit){machine->rva, 1, pointer};
            return true;
        }
        if (visit->rva != machine->rva)
            continue;
        if (visit->stack_pointer.kind == pointer.kind &&
            visit->stack_pointer.offset == pointer.offset)
            return false;
        visit->stack_pointer = pointer;
        walk->stack_differs |= visit->times == MAX_REVISITS;
        return visit->times++ < MAX_REVISITS;
    }
    Lose(walk, machine->rva);
    return false;
}

#define ONE_OF(convention) (1u << (convention))

static void AnalyseFunction(Analysis *analysis, uint32_t rva, int level, ProbeStatic *result) {
    Walk *walk = calloc(1, sizeof *walk);
    memset(result, 0, sizeof *result);
    result->rva = rva;
    if (!walk)
        return;
    walk->analysis = analysis;
    walk->result = result;
    walk->level = level;

    /* What is known at the entry. */
    Machine *entry = &walk->pending[walk->pending_count++];
    memset(entry, 0, sizeof *entry);
    entry->rva = rva;
    entry->registers[ECX] = (Value){VALUE_ARGUMENT, PROBE_ECX, 0};
    entry->registers[EDX] = (Value){VALUE_ARGUMENT, PROBE_EDX, 0};
    entry->registers[ESP] = (Value){VALUE_STACK, 0, 0};
    entry->registers[EBX].kind = entry->registers[ESI].kind = VALUE_SAVED;
    entry->registers[EDI].kind = entry->registers[EBP].kind = VALUE_SAVED;
    for (uint32_t i = 0; i < STACK_ABOVE; i++)
        entry->stack[STACK_BELOW + 1 + i] = (Value){VALUE_ARGUMENT, PROBE_STACK + i, 0};

    while (walk->pending_count > 0) {
        Machine machine = walk->pending[--walk->pending_count];
        while (Enter(walk, &machine) && Step(walk, &machine))
            continue;
    }

    /* What all paths together say. */
    uint32_t conventions =
        ONE_OF(ABI_CDECL) | ONE_OF(ABI_STDCALL) | ONE_OF(ABI_FASTCALL) | ONE_OF(ABI_THISCALL);
    result->whole = !walk->lost && !walk->stack_differs;
    result->pops_known = result->whole && result->returns && !walk->pops_differ;
    result->returns_float = walk->returns_float;
    if (result->uses[PROBE_ECX] || result->uses[PROBE_EDX])
        conventions &= ~(ONE_OF(ABI_CDECL) | ONE_OF(ABI_STDCALL));
    else if (result->whole)
        conventions &= ~(ONE_OF(ABI_FASTCALL) | ONE_OF(ABI_THISCALL));
    if (result->uses[PROBE_EDX])
        conventions &= ~ONE_OF(ABI_THISCALL);
    if (result->pops_known && result->pops > 0) {
        conventions &= ~ONE_OF(ABI_CDECL);
        if (result->pops / 4 > result->stack_dwords)
            result->stack_dwords = result->pops / 4;
    } else if (result->pops_known && result->stack_dwords > 0) {
        conventions &= ONE_OF(ABI_CDECL);
    }
    result->conventions = (uint8_t)conventions;
    free(walk);
}

RpStatus ProbeStatic_Analyse(const PeFile *file, uint32_t rva, ProbeStatic *result,
                             RpError *error) {
    ProbeInstruction first;
    char where[32];
    memset(result, 0, sizeof *result);
    snprintf(where, sizeof where, "RVA 0x%X", rva);
    if (!ProbeInstruction_Decode(file, rva, &first))
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no code is at this address", where,
                           "an instruction in an executable section", "");
    Analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to read code", where, "",
                           "");
    analysis->file = file;
    analysis->budget = MAX_BUDGET;
    AnalyseFunction(analysis, rva, 0, result);
    if (first.mnemonic == ZYDIS_MNEMONIC_JMP && first.relative)
        result->thunk_of = first.target;
    free(analysis);
    return RP_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *UseName(uint8_t use) {
    switch (use) {
    case PROBE_POINTER_READ:
        return "reads memory at";
    case PROBE_POINTER_WRITTEN:
        return "writes memory at";
    case PROBE_FLOAT:
        return "loads as a float";
    case PROBE_DWORD:
        return "counts with";
    default:
        return "copies or compares";
    }
}

int ProbeEvidence_Describe(const ProbeEvidence *evidence, char *buffer, size_t size) {
    char place[16];
    switch (evidence->fact) {
    case PROBE_FACT_USE:
        if (evidence->value < PROBE_STACK)
            snprintf(place, sizeof place, "%s", evidence->value == PROBE_ECX ? "ECX" : "EDX");
        else
            snprintf(place, sizeof place, "[esp+%u]", 4 + 4 * (evidence->value - PROBE_STACK));
        return snprintf(buffer, size, "0x%X %s %s", evidence->rva, UseName(evidence->use), place);
    case PROBE_FACT_RETURN:
        return snprintf(buffer, size, "0x%X ret %u", evidence->rva, evidence->value);
    case PROBE_FACT_FLOAT:
        return snprintf(buffer, size, "0x%X returns with a number on the x87 stack", evidence->rva);
    case PROBE_FACT_XMM:
        return snprintf(buffer, size, "0x%X uses an XMM register", evidence->rva);
    case PROBE_FACT_CALL:
        return snprintf(buffer, size, "0x%X calls 0x%X", evidence->rva, evidence->value);
    case PROBE_FACT_INDIRECT:
        return snprintf(buffer, size, "0x%X calls what a pointer names", evidence->rva);
    default:
        return snprintf(buffer, size, "0x%X cannot be followed further", evidence->rva);
    }
}
