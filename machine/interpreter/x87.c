/* The x87: the operands of its instructions, exceptions that an earlier instruction has left, the
 * environment, and FXSAVE. The arithmetic is in x87_native.c and x87_soft.c. */
#include "machine/interpreter/x87_operation.h"

#include <string.h>

/* Selectors of flat code and data, as Windows has them. */
enum { CODE_SELECTOR = 0x1B, DATA_SELECTOR = 0x23, FS_SELECTOR = 0x3B };

enum { REGISTER_BYTES = 10, INITIAL_CONTROL = 0x037F };

static const ZydisDecodedOperand *Memory(const Step *step) {
    for (unsigned i = 0; i < step->decoded->instruction.operand_count; i++)
        if (step->decoded->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return &step->decoded->operands[i];
    return NULL;
}

static void Initialise(MachineVectors *vectors) {
    Vectors_SetTop(vectors, 0);
    vectors->control = INITIAL_CONTROL;
    vectors->status = 0;
    vectors->tags = 0;
    vectors->opcode = 0;
    vectors->instruction = vectors->instruction_selector = 0;
    vectors->data = vectors->data_selector = 0;
}

/* ---- the environment ------------------------------------------------------------------------- */

/* FNSTENV and FNSAVE. */
static StepEnd StoreEnvironment(Step *step, uint32_t address, bool registers) {
    MachineVectors *vectors = &step->registers->vectors;
    uint8_t image[28 + 8 * REGISTER_BYTES];
    const bool narrow = step->decoded->instruction.operand_width == 16;

    /* The tag word has two bits for each register, by number: 0 means valid, 1 zero, 2 NaN,
     * infinity, denormal or unsupported, 3 empty. */
    uint32_t tag_word = 0;
    for (unsigned number = 0; number < 8; number++) {
        const uint8_t *at = vectors->st[(number - Vectors_Top(vectors)) & 7u];
        uint64_t significand;
        uint16_t head;
        memcpy(&significand, at, sizeof significand);
        memcpy(&head, at + 8, sizeof head);
        const unsigned exponent = head & 0x7FFFu;
        unsigned tag = 2;
        if (!(vectors->tags >> number & 1u))
            tag = 3;
        else if (exponent == 0 && significand == 0)
            tag = 1;
        else if (exponent != 0 && exponent != 0x7FFF && significand >> 63 != 0)
            tag = 0;
        tag_word |= tag << (2 * number);
    }

    /* The layout of protected mode has seven fields of 4 bytes or, with the prefix 66, of 2. Those
     * bits of a 4-byte field that it does not need are set. */
    const uint32_t code = (vectors->instruction_selector & 0xFFFFu) |
                          (narrow ? 0 : (uint32_t)(vectors->opcode & 0x7FFu) << 16);
    const uint32_t fields[7] = {0xFFFF0000u | vectors->control,
                                0xFFFF0000u | vectors->status,
                                0xFFFF0000u | tag_word,
                                vectors->instruction,
                                code,
                                vectors->data,
                                0xFFFF0000u | vectors->data_selector};
    const uint32_t width = narrow ? 2 : 4;
    for (unsigned i = 0; i < 7; i++)
        memcpy(image + i * width, &fields[i], width);
    uint32_t size = 7 * width;
    for (unsigned i = 0; registers && i < 8; i++, size += REGISTER_BYTES)
        memcpy(image + size, vectors->st[i], REGISTER_BYTES);
    if (!Step_Store(step, address, image, size))
        return STEP_FAULT;
    if (registers) {
        Initialise(vectors);
    } else {
        vectors->control |= X87_EXCEPTIONS;
        Vectors_Summarise(vectors);
    }
    return STEP_DONE;
}

/* FLDENV and FRSTOR. */
static StepEnd LoadEnvironment(Step *step, uint32_t address, bool registers) {
    MachineVectors *vectors = &step->registers->vectors;
    uint8_t image[28 + 8 * REGISTER_BYTES];
    const bool narrow = step->decoded->instruction.operand_width == 16;
    const uint32_t width = narrow ? 2 : 4;
    const uint32_t size = 7 * width + (registers ? 8u * REGISTER_BYTES : 0u);
    if (!Step_Load(step, address, image, size))
        return STEP_FAULT;
    uint32_t fields[7] = {0}, at = 7 * width;
    for (unsigned i = 0; i < 7; i++)
        memcpy(&fields[i], image + i * width, width);
    Vectors_SetTop(vectors, fields[1] >> 11 & 7u);
    vectors->control = (uint16_t)((fields[0] & 0x1F3Fu) | 0x40u);
    vectors->status = (uint16_t)fields[1];
    vectors->tags = 0;
    for (unsigned number = 0; number < 8; number++)
        if ((fields[2] >> (2 * number) & 3u) != 3)
            vectors->tags = (uint8_t)(vectors->tags | 1u << number);
    vectors->instruction = fields[3];
    vectors->instruction_selector = fields[4] & 0xFFFFu;
    vectors->opcode = narrow ? 0 : fields[4] >> 16 & 0x7FFu;
    vectors->data = fields[5];
    vectors->data_selector = fields[6] & 0xFFFFu;
    Vectors_Summarise(vectors);
    for (unsigned i = 0; registers && i < 8; i++, at += REGISTER_BYTES) {
        memset(vectors->st[i], 0, sizeof vectors->st[i]);
        memcpy(vectors->st[i], image + at, REGISTER_BYTES);
    }
    return STEP_DONE;
}

/* ---- FXSAVE and FXRSTOR ---------------------------------------------------------------------- */

/* How many bytes these two access in 32-bit mode. The others are reserved. */
enum { EXTENDED_USED = 288, EXTENDED_ALIGNMENT = 16 };

static StepEnd ExtendedState(Step *step, bool restore) {
    MachineVectors *vectors = &step->registers->vectors;
    const uint32_t address = Step_Address(step, Memory(step));
    if (address % EXTENDED_ALIGNMENT != 0) {
        (void)Step_Raise(step, MACHINE_ACCESS_VIOLATION);
        return STEP_FAULT;
    }
    MachineVectors image = *vectors;
    if (!restore) {
        image.mxcsr_mask = Step_MxcsrMask(step);
        image.unused0 = 0;
        return Step_Store(step, address, &image, EXTENDED_USED) ? STEP_DONE : STEP_FAULT;
    }
    if (!Step_Load(step, address, &image, EXTENDED_USED))
        return STEP_FAULT;
    if (image.mxcsr & ~Step_MxcsrMask(step)) {
        (void)Step_Raise(step, MACHINE_ACCESS_VIOLATION);
        return STEP_FAULT;
    }
    image.control = (uint16_t)((image.control & 0x1F3Fu) | 0x40u);
    image.unused0 = 0;
    image.opcode &= 0x7FFu;
    image.mxcsr_mask = vectors->mxcsr_mask;
    for (unsigned i = 0; i < 8; i++)
        memset(&image.st[i][REGISTER_BYTES], 0, sizeof image.st[i] - REGISTER_BYTES);
    *vectors = image;
    Vectors_Summarise(vectors);
    return STEP_DONE;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The size of the operand in memory for each opcode and each middle field of ModRM. A positive
 * number is loaded, a negative one stored. 0 means that the instruction is invalid, works on the
 * environment, or came with SSE3 (FISTTP), which no profile has. */
static const int8_t operand_bytes[8][8] = {
    {4, 4, 4, 4, 4, 4, 4, 4},      {4, 0, -4, -4, 0, 0, 0, 0},     {4, 4, 4, 4, 4, 4, 4, 4},
    {4, 0, -4, -4, 0, 10, 0, -10}, {8, 8, 8, 8, 8, 8, 8, 8},       {8, 0, -8, -8, 0, 0, 0, 0},
    {2, 2, 2, 2, 2, 2, 2, 2},      {2, 0, -2, -2, 10, 8, -10, -8},
};

/* Executes arithmetic, loads, stores and exchanges of registers. */
static StepEnd Arithmetic(Step *step, X87Operation *operation) {
    MachineRegisters *registers = step->registers;
    MachineVectors result = registers->vectors;
    const ZydisDecodedOperand *memory = Memory(step);
    const int bytes =
        memory ? operand_bytes[operation->opcode & 7u][operation->modrm >> 3 & 7u] : 0;
    const uint32_t size = (uint32_t)(bytes < 0 ? -bytes : bytes);
    const uint32_t address = memory ? Step_Address(step, memory) : 0;
    if (memory && bytes == 0)
        return STEP_UNKNOWN;
    if (bytes > 0 && !Step_Load(step, address, operation->operand, size))
        return STEP_FAULT;
    operation->eflags = registers->eflags;
#if MACHINE_HAS_X87
    X87Native_Execute(&result, operation);
#else
    X87Soft_Execute(&result, operation);
#endif
    if (bytes < 0 && X87_IsStored(&result)) {
        if (!Step_Store(step, address, operation->operand, size))
            return STEP_FAULT;
    } else if (bytes < 0 && !Step_CanStore(step, address, size)) {
        (void)Step_Store(step, address, operation->operand, size);
        return STEP_FAULT;
    }
    registers->vectors = result;
    registers->eflags = operation->eflags;

    /* FNSTENV and others store the addresses of the instruction and of its operand. */
    MachineVectors *vectors = &registers->vectors;
    vectors->instruction = registers->eip;
    vectors->instruction_selector = CODE_SELECTOR;
    vectors->opcode = (uint16_t)((operation->opcode & 7u) << 8 | operation->modrm);
    if (memory) {
        const bool fs = memory->mem.segment == ZYDIS_REGISTER_FS;
        vectors->data = address - (fs ? step->context->fs_base : 0);
        vectors->data_selector = fs ? FS_SELECTOR : DATA_SELECTOR;
    }
    return STEP_DONE;
}

StepEnd Step_X87(Step *step) {
    const ZydisDecodedInstruction *instruction = &step->decoded->instruction;
    MachineVectors *vectors = &step->registers->vectors;
    if (instruction->mnemonic == ZYDIS_MNEMONIC_FXSAVE ||
        instruction->mnemonic == ZYDIS_MNEMONIC_FXRSTOR)
        return ExtendedState(step, instruction->mnemonic == ZYDIS_MNEMONIC_FXRSTOR);
    if (instruction->mnemonic == ZYDIS_MNEMONIC_FWAIT)
        return Step_Wait(step) ? STEP_DONE : STEP_FAULT;
    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
        instruction->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT || instruction->opcode < 0xD8 ||
        instruction->opcode > 0xDF)
        return STEP_UNKNOWN;

    const unsigned modrm = (unsigned)(instruction->raw.modrm.mod << 6 |
                                      instruction->raw.modrm.reg << 3 | instruction->raw.modrm.rm);
    X87Operation operation = {instruction->opcode, modrm, {0}, 0};
    const ZydisDecodedOperand *memory = Memory(step);
    const uint32_t address = memory ? Step_Address(step, memory) : 0;

    /* These instructions do not wait for an exception that an earlier one has left. */
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_FNINIT:
        Initialise(vectors);
        return STEP_DONE;
    case ZYDIS_MNEMONIC_FNCLEX:
        vectors->status &= (uint16_t) ~(X87_EXCEPTIONS | X87_STACK | X87_SUMMARY);
        return STEP_DONE;
    case ZYDIS_MNEMONIC_FENI8087_NOP:
    case ZYDIS_MNEMONIC_FDISI8087_NOP:
    case ZYDIS_MNEMONIC_FSETPM287_NOP:
        return STEP_DONE;
    case ZYDIS_MNEMONIC_FNSTCW:
        return Step_Store(step, address, &vectors->control, 2) ? STEP_DONE : STEP_FAULT;
    case ZYDIS_MNEMONIC_FNSTSW:
        if (memory)
            return Step_Store(step, address, &vectors->status, 2) ? STEP_DONE : STEP_FAULT;
        step->registers->general[MACHINE_EAX] =
            (step->registers->general[MACHINE_EAX] & 0xFFFF0000u) | vectors->status;
        return STEP_DONE;
    case ZYDIS_MNEMONIC_FNSTENV:
    case ZYDIS_MNEMONIC_FNSAVE:
        return StoreEnvironment(step, address, instruction->mnemonic == ZYDIS_MNEMONIC_FNSAVE);
    default:
        break;
    }

    if (!Step_Wait(step))
        return STEP_FAULT;
    uint16_t control;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_FLDCW:
        if (!Step_Load(step, address, &control, sizeof control))
            return STEP_FAULT;
        vectors->control = (uint16_t)((control & 0x1F3Fu) | 0x40u);
        Vectors_Summarise(vectors);
        return STEP_DONE;
    case ZYDIS_MNEMONIC_FLDENV:
    case ZYDIS_MNEMONIC_FRSTOR:
        return LoadEnvironment(step, address, instruction->mnemonic == ZYDIS_MNEMONIC_FRSTOR);
    default:
        return Arithmetic(step, &operation);
    }
}
