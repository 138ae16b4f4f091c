/* Instructions that transfer control, including interrupts. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

/* Only this file raises this exception. */
#define MACHINE_ARRAY_BOUNDS 0xC000008Cu

static bool Jump(Step *step, const Operation *operation) {
    return Operation_Read(step, operation, &operation->first, &step->next);
}

/* CALL. With the operand-size prefix the return address has 16 bits, as the target has. */
static bool Call(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP], target;
    if (!Operation_Read(step, operation, &operation->first, &target) ||
        !Operation_Store(step, *esp - operation->size, operation->size, operation->end))
        return false;
    *esp -= operation->size;
    step->next = target;
    return true;
}

static bool Return(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP];
    if (!Operation_Load(step, *esp, operation->size, &step->next))
        return false;
    *esp += operation->size + (operation->immediate & 0xFFFF);
    return true;
}

#define CONDITIONS(X)                                                                              \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define HANDLER(condition)                                                                         \
    static bool JumpIf##condition(Step *step, const Operation *operation) {                        \
        if (Operation_Holds(condition, step->registers->eflags))                                   \
            step->next = operation->immediate;                                                     \
        return true;                                                                               \
    }
CONDITIONS(HANDLER)

/* LOOP, LOOPE, LOOPNE, JECXZ and JCXZ. The size of addresses decides whether ECX or CX is used. */
static bool Loop(Step *step, const Operation *operation, uint32_t wanted) {
    uint32_t *ecx = &step->registers->general[MACHINE_ECX], mask = operation->address_mask;
    uint32_t count = (*ecx - 1) & mask;
    *ecx = (*ecx & ~mask) | count;
    if (count != 0 && (wanted == 2 || !(step->registers->eflags & MACHINE_ZF) == !wanted))
        step->next = operation->immediate;
    return true;
}

static bool LoopAlways(Step *step, const Operation *operation) {
    return Loop(step, operation, 2);
}

static bool LoopWhileEqual(Step *step, const Operation *operation) {
    return Loop(step, operation, 1);
}

static bool LoopWhileNotEqual(Step *step, const Operation *operation) {
    return Loop(step, operation, 0);
}

static bool JumpIfCountZero(Step *step, const Operation *operation) {
    if (!(step->registers->general[MACHINE_ECX] & operation->address_mask))
        step->next = operation->immediate;
    return true;
}

/* INTO. Windows reports the address of INTO itself, although the processor's EIP would be behind
 * it. */
static bool InterruptOnOverflow(Step *step, const Operation *operation) {
    (void)operation;
    return !(step->registers->eflags & MACHINE_OF) || Step_Raise(step, MACHINE_INTEGER_OVERFLOW);
}

static bool CheckBounds(Step *step, const Operation *operation) {
    uint32_t address = Operation_Address(step, operation), size = operation->size, low, high;
    if (!Operation_Load(step, address, size, &low) ||
        !Operation_Load(step, address + size, size, &high))
        return false;
    /* With the sign bit added, signed numbers compare as unsigned ones do. */
    uint32_t sign = operation->sign, mask = operation->first.mask;
    uint32_t index = (Operation_Get(step, &operation->first) + sign) & mask;
    if (index < ((low + sign) & mask) || index > ((high + sign) & mask))
        return Step_Raise(step, MACHINE_ARRAY_BOUNDS);
    return true;
}

static Handler ChooseInterrupt(Operation *operation) {
    /* Windows lets user code raise interrupts 3 and 4. Its other ones are services of the kernel,
     * which this machine does not have. */
    uint32_t vector = operation->immediate & 0xFF;
    operation->immediate = vector == 3   ? MACHINE_BREAKPOINT
                           : vector == 4 ? MACHINE_INTEGER_OVERFLOW
                                         : MACHINE_ACCESS_VIOLATION;
    return Operation_RaiseImmediate;
}

/* ICEBP. It is a trap, so EIP is behind the instruction. */
static bool TrapBehind(Step *step, const Operation *operation) {
    step->registers->eip = operation->end;
    return Step_Raise(step, MACHINE_SINGLE_STEP);
}

Handler Operation_ChooseControl(const ZydisDecodedInstruction *instruction, Operation *operation) {
#define NAME(condition) JumpIf##condition,
    static const Handler conditional[] = {CONDITIONS(NAME)};
    bool near = instruction->meta.branch_type != ZYDIS_BRANCH_TYPE_FAR;
    operation->size = (uint8_t)(instruction->operand_width / 8);
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_JMP:
        return near ? Jump : NULL;
    case ZYDIS_MNEMONIC_CALL:
        return near ? Call : NULL;
    case ZYDIS_MNEMONIC_RET:
        return near ? Return : NULL;
    case ZYDIS_MNEMONIC_LOOP:
        return LoopAlways;
    case ZYDIS_MNEMONIC_LOOPE:
        return LoopWhileEqual;
    case ZYDIS_MNEMONIC_LOOPNE:
        return LoopWhileNotEqual;
    case ZYDIS_MNEMONIC_JECXZ:
    case ZYDIS_MNEMONIC_JCXZ:
        return JumpIfCountZero;
    case ZYDIS_MNEMONIC_INTO:
        return InterruptOnOverflow;
    case ZYDIS_MNEMONIC_BOUND:
        return CheckBounds;
    case ZYDIS_MNEMONIC_INT1:
        return TrapBehind;
    case ZYDIS_MNEMONIC_INT:
        return ChooseInterrupt(operation);
    case ZYDIS_MNEMONIC_INT3:
        operation->immediate = 3;
        return ChooseInterrupt(operation);
    default:
        break;
    }
    if (instruction->meta.category == ZYDIS_CATEGORY_COND_BR)
        return conditional[operation->condition];
    return NULL;
}
