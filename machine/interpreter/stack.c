/* Pushes, pops and frames. The stack has 32-bit addresses, whatever the size of the operand. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

/* The flags that POPF changes in user mode. IF and IOPL are not among them. */
#define POPPED_FLAGS (FLAGS_STATUS | MACHINE_TF | MACHINE_DF | MACHINE_NT | MACHINE_AC | MACHINE_ID)

static bool PushValue(Step *step, uint32_t size, uint32_t value) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP];
    if (!Operation_Store(step, *esp - size, size, value))
        return false;
    *esp -= size;
    return true;
}

static bool Push(Step *step, const Operation *operation) {
    uint32_t value;
    return Operation_Read(step, operation, &operation->first, &value) &&
           PushValue(step, operation->size, value);
}

static bool PushRegister(Step *step, const Operation *operation) {
    return PushValue(step, 4, step->registers->general[operation->first.number]);
}

/* POP. The address of an operand in memory is computed with the new ESP. (PUSH uses the old
 * one.) */
static bool Pop(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP], before = *esp, value;
    if (!Operation_Load(step, before, operation->size, &value))
        return false;
    *esp = before + operation->size;
    if (Operation_Write(step, operation, value))
        return true;
    *esp = before;
    return false;
}

static bool PushAll(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, size = operation->size;
    uint32_t esp = general[MACHINE_ESP];
    /* The first store that is not possible is the fault. It is found before anything is stored. */
    for (uint32_t i = 0; i < 8; i++) {
        if (!Operation_CanStore(step, esp - size * (i + 1), size))
            return false;
    }
    for (uint32_t i = 0; i < 8; i++) {
        if (!Operation_Store(step, esp - size * (i + 1), size, general[i]))
            return false;
    }
    general[MACHINE_ESP] = esp - size * 8;
    return true;
}

/* POPA. The stored ESP is read with the others, but not used. */
static bool PopAll(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, values[8], size = operation->size;
    uint32_t esp = general[MACHINE_ESP], mask = size == 2 ? 0xFFFF : 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 8; i++) {
        if (!Operation_Load(step, esp + size * i, size, &values[7 - i]))
            return false;
    }
    for (uint32_t i = 0; i < 8; i++)
        general[i] = (general[i] & ~mask) | values[i];
    general[MACHINE_ESP] = esp + size * 8;
    return true;
}

static bool PushFlags(Step *step, const Operation *operation) {
    return PushValue(step, operation->size, step->registers->eflags | MACHINE_FIXED | MACHINE_IF);
}

static bool PopFlags(Step *step, const Operation *operation) {
    uint32_t *esp = &step->registers->general[MACHINE_ESP], value;
    if (!Operation_Load(step, *esp, operation->size, &value))
        return false;
    *esp += operation->size;
    Flags_Set(step->registers, operation->size == 2 ? POPPED_FLAGS & 0xFFFF : POPPED_FLAGS, value);
    return true;
}

/* ENTER. Before anything is written, everything is checked that may fault, including the last byte
 * of the new frame, which processors touch. With 16 bits, words are pushed and BP is changed, but
 * addresses are those of ESP and EBP. */
static bool EnterFrame(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, size = operation->size, link;
    uint32_t mask = size == 2 ? 0xFFFF : 0xFFFFFFFFu;
    uint32_t level = operation->second_immediate & 31, ebp = general[MACHINE_EBP];
    uint32_t esp = general[MACHINE_ESP] - size, frame = esp;
    uint32_t last = esp - level * size - (operation->immediate & 0xFFFF);
    uint8_t links[32 * 4];
    if (!Operation_CanStore(step, esp - level * size, (level + 1) * size) ||
        !Operation_CanStore(step, last, size))
        return false;
    if (level > 1 && !Step_Load(step, ebp - (level - 1) * size, links, (level - 1) * size))
        return false;

    if (!Operation_Store(step, esp, size, ebp))
        return false;
    for (uint32_t i = 1; i < level; i++) {
        esp -= size;
        if (!Operation_Load(step, ebp - i * size, size, &link) ||
            !Operation_Store(step, esp, size, link))
            return false;
    }
    if (level > 0 && !Operation_Store(step, esp - size, size, frame))
        return false;
    general[MACHINE_EBP] = (ebp & ~mask) | (frame & mask);
    general[MACHINE_ESP] = last;
    return true;
}

static bool LeaveFrame(Step *step, const Operation *operation) {
    uint32_t *general = step->registers->general, size = operation->size, value;
    uint32_t ebp = general[MACHINE_EBP], mask = size == 2 ? 0xFFFF : 0xFFFFFFFFu;
    if (!Operation_Load(step, ebp, size, &value))
        return false;
    general[MACHINE_ESP] = ebp + size;
    general[MACHINE_EBP] = (ebp & ~mask) | value;
    return true;
}

Handler Operation_ChooseStack(const ZydisDecodedInstruction *instruction, Operation *operation) {
    uint32_t width = instruction->operand_width / 8u;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
        operation->size = (uint8_t)width;
        if (operation->first.kind == PLACE_SEGMENT)
            return NULL;
        return operation->first.kind == PLACE_REGISTER && width == 4 ? PushRegister : Push;
    case ZYDIS_MNEMONIC_POP:
        return operation->first.kind == PLACE_SEGMENT ? NULL : Pop;
    case ZYDIS_MNEMONIC_PUSHA:
    case ZYDIS_MNEMONIC_PUSHAD:
        return PushAll;
    case ZYDIS_MNEMONIC_POPA:
    case ZYDIS_MNEMONIC_POPAD:
        return PopAll;
    case ZYDIS_MNEMONIC_PUSHF:
    case ZYDIS_MNEMONIC_PUSHFD:
        return PushFlags;
    case ZYDIS_MNEMONIC_POPF:
    case ZYDIS_MNEMONIC_POPFD:
        operation->alone = true;
        return PopFlags;
    case ZYDIS_MNEMONIC_ENTER:
        return EnterFrame;
    case ZYDIS_MNEMONIC_LEAVE:
        return LeaveFrame;
    default:
        return NULL;
    }
}
