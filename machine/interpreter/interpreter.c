#include "machine/interpreter/interpreter.h"

#include "machine/interpreter/operands.h"

#include <stdlib.h>
#include <string.h>

struct Interpreter {
    MachineMemory *memory;
    const MachineProfile *profile; /* of the context that the instructions were decoded for */
    ZydisDecoder decoder;
    Cache cache;
};

RpStatus Interpreter_Create(MachineMemory *memory, Interpreter **interpreter, RpError *error) {
    Interpreter *made = calloc(1, sizeof *made);
    if (!made || !Cache_Init(&made->cache)) {
        Interpreter_Destroy(made);
        RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", "interpreter", "", "");
        return RP_NO_MEMORY;
    }

    made->memory = memory;
    ZydisDecoderInit(&made->decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    /* Encodings to which later processors gave a meaning. On processors of 2001 they are a BSF, a
     * BSR, a WBINVD or a NOP, with a prefix that means nothing. */
    static const ZydisDecoderMode later[] = {
        ZYDIS_DECODER_MODE_MPX,   ZYDIS_DECODER_MODE_CET,      ZYDIS_DECODER_MODE_LZCNT,
        ZYDIS_DECODER_MODE_TZCNT, ZYDIS_DECODER_MODE_WBNOINVD, ZYDIS_DECODER_MODE_CLDEMOTE};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        ZydisDecoderEnableMode(&made->decoder, later[i], ZYAN_FALSE);
    *interpreter = made;
    return RP_OK;
}

void Interpreter_Destroy(Interpreter *interpreter) {
    if (!interpreter)
        return;
    Cache_Free(&interpreter->cache);
    free(interpreter);
}

void Interpreter_Forget(Interpreter *interpreter, uint32_t address, uint32_t size) {
    Cache_Forget(&interpreter->cache, address, size);
}

/* Returns whether the processor of a profile has an instruction. */
static bool Exists(const ZydisDecodedInstruction *instruction, uint32_t features) {
    const uint32_t sse_or_athlon = MACHINE_HAS_SSE | MACHINE_HAS_3DNOW2;
    uint32_t needed; /* at least one of these features is needed */
    switch (instruction->meta.isa_set) {
    case ZYDIS_ISA_SET_I86:
    case ZYDIS_ISA_SET_I186:
    case ZYDIS_ISA_SET_I286REAL:
    case ZYDIS_ISA_SET_I286PROTECTED:
    case ZYDIS_ISA_SET_I386:
    case ZYDIS_ISA_SET_I486:
    case ZYDIS_ISA_SET_I486REAL:
    case ZYDIS_ISA_SET_LAHF:
    case ZYDIS_ISA_SET_PAUSE:
    case ZYDIS_ISA_SET_PENTIUMREAL:
    case ZYDIS_ISA_SET_RDPMC:
    case ZYDIS_ISA_SET_X87:
        return true;
    /* Instructions that came with the Pentium Pro: CMOV, FCOMI, and NOPs with an operand. */
    case ZYDIS_ISA_SET_CMOV:
    case ZYDIS_ISA_SET_FAT_NOP:
    case ZYDIS_ISA_SET_FCMOV:
    case ZYDIS_ISA_SET_PPRO:
        needed = MACHINE_HAS_CMOV;
        break;
    case ZYDIS_ISA_SET_PENTIUMMMX:
        needed = MACHINE_HAS_MMX;
        break;
    case ZYDIS_ISA_SET_AMD3DNOW:
        needed = MACHINE_HAS_3DNOW;
        break;
    case ZYDIS_ISA_SET_SSE:
    case ZYDIS_ISA_SET_SSEMXCSR:
        needed = MACHINE_HAS_SSE;
        break;
    case ZYDIS_ISA_SET_CLFSH:
    case ZYDIS_ISA_SET_SSE2:
    case ZYDIS_ISA_SET_SSE2MMX:
        needed = MACHINE_HAS_SSE2;
        break;
    case ZYDIS_ISA_SET_FXSAVE:
    case ZYDIS_ISA_SET_SSE_PREFETCH:
        needed = sse_or_athlon;
        break;
    /* AMD's PREFETCH and PREFETCHW, which later processors of Intel have, too. */
    case ZYDIS_ISA_SET_PREFETCH_NOP:
    case ZYDIS_ISA_SET_PREFETCHWT1:
        needed = MACHINE_HAS_3DNOW | MACHINE_HAS_SSE2;
        break;
    default:
        return false;
    }

    bool xmm = instruction->meta.isa_set == ZYDIS_ISA_SET_SSE2;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_PAVGB:
    case ZYDIS_MNEMONIC_PAVGW:
    case ZYDIS_MNEMONIC_PEXTRW:
    case ZYDIS_MNEMONIC_PINSRW:
    case ZYDIS_MNEMONIC_PMAXSW:
    case ZYDIS_MNEMONIC_PMAXUB:
    case ZYDIS_MNEMONIC_PMINSW:
    case ZYDIS_MNEMONIC_PMINUB:
    case ZYDIS_MNEMONIC_PMOVMSKB:
    case ZYDIS_MNEMONIC_PMULHUW:
    case ZYDIS_MNEMONIC_PSADBW:
    case ZYDIS_MNEMONIC_PSHUFW:
    case ZYDIS_MNEMONIC_SFENCE:
        if (!xmm)
            needed = sse_or_athlon;
        break;
    case ZYDIS_MNEMONIC_PF2IW:
    case ZYDIS_MNEMONIC_PFNACC:
    case ZYDIS_MNEMONIC_PFPNACC:
    case ZYDIS_MNEMONIC_PI2FW:
    case ZYDIS_MNEMONIC_PSWAPD:
        needed = MACHINE_HAS_3DNOW2;
        break;
    default:
        break;
    }
    return features & needed;
}

/* Executes an instruction of x87, MMX, SSE or 3DNow!, by calling the files for these. */
static bool RunVectors(Step *step, const Operation *operation) {
    static StepEnd (*const files[])(Step *) = {Step_X87, Step_Mmx, Step_Sse, Step_3dnow};
    (void)operation;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        StepEnd end = files[i](step);
        if (end != STEP_UNKNOWN)
            return end == STEP_DONE;
    }
    return Step_Raise(step, MACHINE_UNKNOWN_INSTRUCTION);
}

static Handler Choose(const ZydisDecodedInstruction *instruction, Operation *operation,
                      uint32_t features) {
    static Handler (*const files[])(const ZydisDecodedInstruction *, Operation *) = {
        Operation_ChooseString, Operation_ChooseSystem, Operation_ChooseInteger,
        Operation_ChooseShift,  Operation_ChooseStack,  Operation_ChooseControl};
    if (!Exists(instruction, features)) {
        operation->immediate = MACHINE_ILLEGAL;
        return Operation_RaiseImmediate;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Handler handler = files[i](instruction, operation);
        if (handler)
            return handler;
    }
    return NULL;
}

/* Reads as many bytes of code as there are, up to the longest instruction. Returns how many; if
 * they are fewer, the byte that follows cannot be executed. */
static uint32_t Fetch(const MachineMemory *memory, uint32_t address,
                      uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH]) {
    uint32_t count = 0;
    while (count < ZYDIS_MAX_INSTRUCTION_LENGTH) {
        uint32_t at = address + count, part = MACHINE_PAGE - at % MACHINE_PAGE;
        if (!(MachineMemory_Protection(memory, at) & MACHINE_EXECUTE))
            break;
        if (part > ZYDIS_MAX_INSTRUCTION_LENGTH - count)
            part = ZYDIS_MAX_INSTRUCTION_LENGTH - count;
        memcpy(bytes + count, MachineMemory_At(memory, at), part);
        count += part;
    }
    return count;
}

static Operation *FetchFault(MachineContext *context, uint32_t address, uint32_t target) {
    context->fault = (MachineFault){.code = MACHINE_ACCESS_VIOLATION,
                                    .address = address,
                                    .access = MACHINE_EXECUTE,
                                    .target = target};
    return NULL;
}

/* Decodes the instruction at an address and keeps it. Returns null, with the fault filled, on
 * failure. */
static Operation *Decode(Interpreter *interpreter, MachineContext *context, uint32_t address) {
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
    uint32_t count = Fetch(interpreter->memory, address, bytes);
    if (count == 0)
        return FetchFault(context, address, address);
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZyanStatus status =
        ZydisDecoderDecodeFull(&interpreter->decoder, bytes, count, &instruction, operands);
    bool cut = count < ZYDIS_MAX_INSTRUCTION_LENGTH && status == ZYDIS_STATUS_NO_MORE_DATA;
    if (cut)
        return FetchFault(context, address, address + count);

    Operation *operation = Cache_Take(&interpreter->cache);
    if (ZYAN_SUCCESS(status)) {
        Operation_Fill(operation, &instruction, operands, address);
        operation->handler = Choose(&instruction, operation, context->profile->features);
    } else {
        /* An instruction of more than 15 bytes is a general protection fault. All other bytes that
         * are no instruction are an undefined opcode. */
        Decoded *kept = operation->decoded;
        bool too_long =
            status == ZYDIS_STATUS_INSTRUCTION_TOO_LONG || status == ZYDIS_STATUS_NO_MORE_DATA;
        *operation =
            (Operation){.handler = Operation_RaiseImmediate,
                        .decoded = kept,
                        .address = address,
                        .end = address + count,
                        .immediate = too_long ? MACHINE_ACCESS_VIOLATION : MACHINE_ILLEGAL};
    }
    if (!operation->handler) {
        if (!operation->decoded)
            operation->decoded = malloc(sizeof *operation->decoded);
        if (!operation->decoded) {
            /* It is not kept, because there may be enough memory the next time. */
            Cache_Return(&interpreter->cache, operation);
            context->fault = (MachineFault){.code = MACHINE_IN_PAGE_ERROR, .address = address};
            return NULL;
        }
        operation->decoded->instruction = instruction;
        memcpy(operation->decoded->operands, operands, sizeof operands);
        operation->handler = RunVectors;
    }

    memcpy(operation->bytes, bytes, operation->end - address);
    Cache_Keep(&interpreter->cache, operation);
    return operation;
}

/* Returns the instruction at an address. If it cannot be executed, returns null, with the fault
 * filled. */
static Operation *Find(Interpreter *interpreter, MachineContext *context, uint32_t address) {
    const MachineMemory *memory = interpreter->memory;
    Operation *operation = Cache_Find(&interpreter->cache, address);
    if (!operation)
        return Decode(interpreter, context, address);

    uint32_t last = operation->end - 1;
    if (!(MachineMemory_Protection(memory, address) & MACHINE_EXECUTE))
        return FetchFault(context, address, address);
    if (!(MachineMemory_Protection(memory, last) & MACHINE_EXECUTE))
        return FetchFault(context, address, last - last % MACHINE_PAGE);
    return operation;
}

/* Executes one instruction. Returns false, with the fault filled, if it faults. */
static inline bool Execute(Step *step, const Operation *operation) {
    MachineContext *context = step->context;
    step->next = operation->end;
    step->decoded = operation->decoded;
    if (!operation->handler(step, operation)) {
        context->fault.address = context->registers.eip;
        return false;
    }
    context->registers.eip = step->next;
    if (context->budget > 0)
        context->budget--;
    return true;
}

/* Executes one instruction with the trap flag set, and raises the trap after it. */
static bool Trace(Step *step, const Operation *operation) {
    if (!Execute(step, operation))
        return false;
    step->registers->eflags &= ~MACHINE_TF;
    step->context->fault.address = step->registers->eip;
    return Step_Raise(step, MACHINE_SINGLE_STEP);
}

static Step Begin(Interpreter *interpreter, MachineContext *context) {
    if (interpreter->profile != context->profile) {
        Cache_ForgetAll(&interpreter->cache);
        interpreter->profile = context->profile;
    }
    return (Step){
        .cache = &interpreter->cache, .context = context, .registers = &context->registers};
}

/* Executes one instruction after the other, each of which is noted. */
static MachineStop RunNoted(Interpreter *interpreter, MachineContext *context) {
    for (;;) {
        const uint32_t eip = context->registers.eip;
        if (eip >= MACHINE_GATES && eip < MACHINE_GATES_END)
            return MACHINE_STOP_GATE;
        if (context->budget == 0)
            return MACHINE_STOP_BUDGET;
        if (!Interpreter_Step(interpreter, context))
            return MACHINE_STOP_FAULT;
    }
}

MachineStop Interpreter_Run(Interpreter *interpreter, MachineContext *context) {
    if (context->reached)
        return RunNoted(interpreter, context);
    Step step = Begin(interpreter, context);
    MachineRegisters *registers = step.registers;
    Operation *before = NULL;
    for (;;) {
        uint32_t eip = registers->eip;
        if (eip >= MACHINE_GATES && eip < MACHINE_GATES_END)
            return MACHINE_STOP_GATE;
        if (context->budget == 0)
            return MACHINE_STOP_BUDGET;
        Operation *operation = Find(interpreter, context, eip);
        if (!operation)
            return MACHINE_STOP_FAULT;
        if (registers->eflags & MACHINE_TF) {
            if (!Trace(&step, operation))
                return MACHINE_STOP_FAULT;
            before = NULL;
            continue;
        }

        /* An instruction gets a link to the one that is executed after it, if both are on one page,
         * so that the second one need not be looked up again. The first one may have been dropped,
         * because it wrote to its own page. */
        if (before && before->live && before != operation && before->end == eip &&
            before->address / MACHINE_PAGE == operation->address / MACHINE_PAGE)
            before->following = operation;
        do {
            before = operation;
            if (!Execute(&step, operation))
                return MACHINE_STOP_FAULT;
            operation = step.next == operation->end ? operation->following : NULL;
        } while (operation && context->budget > 0);
        if (before->alone)
            before = NULL;
    }
}

bool Interpreter_Step(Interpreter *interpreter, MachineContext *context) {
    Step step = Begin(interpreter, context);
    uint32_t eip = context->registers.eip;
    const Operation *operation = Find(interpreter, context, eip);
    /* Between two steps the guest may have been executed by others, such as the translator. Their
     * writes are not noticed here. */
    uint8_t now[ZYDIS_MAX_INSTRUCTION_LENGTH];
    if (operation && Fetch(interpreter->memory, eip, now) &&
        memcmp(operation->bytes, now, operation->end - eip) != 0) {
        Interpreter_Forget(interpreter, eip, operation->end - eip);
        operation = Find(interpreter, context, eip);
    }
    if (!operation)
        return false;
    bool traced = context->registers.eflags & MACHINE_TF;
    if (context->reached)
        MachineReached_Note(context->reached, eip, MACHINE_RAN);
    const bool done = traced ? Trace(&step, operation) : Execute(&step, operation);
    if (done && context->reached)
        MachineReached_Note(context->reached, eip,
                            step.next == operation->end ? MACHINE_WENT_ON : MACHINE_JUMPED);
    return done;
}
