/* Instructions that involve the processor or the system: segment registers, CPUID, RDTSC, and
 * privileged instructions. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/interpreter.h"
#include "machine/interpreter/operands.h"

/* The selectors that Windows gives user code, by the numbers of their registers. All but FS have
 * base 0. They are constants: most selectors that user code may load change nothing here, and
 * loading one that would change something counts as an unknown instruction. */
static const uint16_t selectors[] = {0x23, 0x1B, 0x23, 0x23, 0x3B, 0x00};
enum { SS = 2, FS = 4 };

/* Returns whether a selector may be loaded. If not, fills the fault. */
static bool CheckSelector(Step *step, uint32_t number, uint32_t selector) {
    uint32_t plain = selector & 0xFFFC;
    bool flat = plain == 0x20 || plain == 0x18, block = plain == 0x38, null = plain == 0;
    if (number == SS ? selector == selectors[SS] : flat || block || null) {
        /* the segment has another base than accesses here assume */
        bool moves = number == FS ? flat : block;
        return !moves || Step_Raise(step, MACHINE_UNKNOWN_INSTRUCTION);
    }
    return Step_Raise(step, MACHINE_ACCESS_VIOLATION);
}

static bool MoveFromSegment(Step *step, const Operation *operation) {
    return Operation_Write(step, operation, selectors[operation->second.number]);
}

static bool MoveToSegment(Step *step, const Operation *operation) {
    uint32_t selector;
    return Operation_Read(step, operation, &operation->second, &selector) &&
           CheckSelector(step, operation->first.number, selector & 0xFFFF);
}

/* PUSH of a segment register. With 32 bits, some processors write only two of the four bytes, and
 * others write zeros into the upper two. Here they are zeros, as on AMD's processors. */
static bool PushSegment(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP], size = operation->size;
    if (!Operation_Store(step, *esp - size, size, selectors[operation->first.number]))
        return false;
    *esp -= size;
    return true;
}

static bool PopSegment(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP], selector;
    if (!Operation_Load(step, *esp, 2, &selector) ||
        !CheckSelector(step, operation->first.number, selector))
        return false;
    *esp += operation->size;
    return true;
}

/* LES, LDS, LFS, LGS and LSS. `second_immediate` is the number of the segment register. */
static bool LoadFarPointer(Step *step, const Operation *operation) {
    uint32_t address = Operation_Address(step, operation), offset, selector;
    if (!Operation_Load(step, address, operation->size, &offset) ||
        !Operation_Load(step, address + operation->size, 2, &selector) ||
        !CheckSelector(step, operation->second_immediate, selector))
        return false;
    Operation_Set(step, &operation->first, offset);
    return true;
}

/* ARPL raises the privilege number of a selector. It always works on 16 bits. */
static bool AdjustPrivilege(Step *step, const Operation *operation) {
    uint32_t selector, source = Operation_Get(step, &operation->second) & 3;
    if (!Operation_Modify(step, operation, &selector))
        return false;
    bool lower = (selector & 3) < source;
    if (!Operation_Write(step, operation, lower ? (selector & ~3u) | source : selector))
        return false;
    Flags_Set(step->registers, MACHINE_ZF, lower ? MACHINE_ZF : 0);
    return true;
}

static bool Identify(Step *step, const Operation *operation) {
    (void)operation;
    uint32_t *general = step->registers->general, answer[4];
    MachineProfile_Cpuid(step->context->profile, general[MACHINE_EAX], answer);
    general[MACHINE_EAX] = answer[0];
    general[MACHINE_EBX] = answer[1];
    general[MACHINE_ECX] = answer[2];
    general[MACHINE_EDX] = answer[3];
    return true;
}

static bool ReadClock(Step *step, const Operation *operation) {
    (void)operation;
    uint32_t *general = step->registers->general;
    general[MACHINE_EAX] = (uint32_t)step->context->clock;
    general[MACHINE_EDX] = (uint32_t)(step->context->clock >> 32);
    step->context->clock += INTERPRETER_CLOCK_STEP;
    return true;
}

static bool DoNothing(Step *step, const Operation *operation) {
    (void)step;
    (void)operation;
    return true;
}

static Handler Raise(Operation *operation, uint32_t code) {
    operation->immediate = code;
    return Operation_RaiseImmediate;
}

static Handler ChooseFarPointer(Operation *operation, uint32_t segment) {
    operation->second_immediate = segment;
    return LoadFarPointer;
}

Handler Operation_ChooseSystem(const ZydisDecodedInstruction *instruction, Operation *operation) {
    if (instruction->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
        return Raise(operation, MACHINE_PRIVILEGED);
    bool to_segment = operation->first.kind == PLACE_SEGMENT;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
        if (to_segment)
            return MoveToSegment;
        return operation->second.kind == PLACE_SEGMENT ? MoveFromSegment : NULL;
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP:
        operation->size = (uint8_t)(instruction->operand_width / 8);
        if (!to_segment)
            return NULL;
        return instruction->mnemonic == ZYDIS_MNEMONIC_PUSH ? PushSegment : PopSegment;
    case ZYDIS_MNEMONIC_LES:
        return ChooseFarPointer(operation, 0);
    case ZYDIS_MNEMONIC_LSS:
        return ChooseFarPointer(operation, SS);
    case ZYDIS_MNEMONIC_LDS:
        return ChooseFarPointer(operation, 3);
    case ZYDIS_MNEMONIC_LFS:
        return ChooseFarPointer(operation, FS);
    case ZYDIS_MNEMONIC_LGS:
        return ChooseFarPointer(operation, 5);
    case ZYDIS_MNEMONIC_ARPL:
        return AdjustPrivilege;
    case ZYDIS_MNEMONIC_CPUID:
        return Identify;
    case ZYDIS_MNEMONIC_RDTSC:
        return ReadClock;
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_PREFETCHWT1:
        return DoNothing;
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_RSM:
    case ZYDIS_MNEMONIC_SYSENTER:
        return Raise(operation, MACHINE_ILLEGAL);
    case ZYDIS_MNEMONIC_IN:
    case ZYDIS_MNEMONIC_OUT:
    case ZYDIS_MNEMONIC_INSB:
    case ZYDIS_MNEMONIC_INSW:
    case ZYDIS_MNEMONIC_INSD:
    case ZYDIS_MNEMONIC_OUTSB:
    case ZYDIS_MNEMONIC_OUTSW:
    case ZYDIS_MNEMONIC_OUTSD:
    case ZYDIS_MNEMONIC_CLI:
    case ZYDIS_MNEMONIC_STI:
    case ZYDIS_MNEMONIC_LGDT:
    case ZYDIS_MNEMONIC_LIDT:
    case ZYDIS_MNEMONIC_LLDT:
    case ZYDIS_MNEMONIC_LTR:
    case ZYDIS_MNEMONIC_LMSW:
    case ZYDIS_MNEMONIC_INVLPG:
    case ZYDIS_MNEMONIC_RDPMC:
        return Raise(operation, MACHINE_PRIVILEGED);
    default:
        return NULL;
    }
}
