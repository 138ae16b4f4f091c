#include "machine/exceptions.h"

#include "core/bytes.h"
#include "machine/machine_state.h"

#include <string.h>

/* A dispatch puts a block of this layout below the guest's stack pointer. EXCEPTION_RECORD and
 * CONTEXT are laid out as in Windows' headers. A handler is called with the record, its frame, the
 * context and the address of the block. */
#define POINTERS      0x00u /* EXCEPTION_POINTERS: record, context */
#define NEXT_VECTORED 0x08u /* how many of the process's handlers have been called */
#define TARGET        0x0Cu /* the frame at which unwinding ends */
#define RECORD        0x10u
#define CONTEXT       0x60u
#define CONTEXT_BYTES 0x2CCu
#define BLOCK_BYTES   0x330u
#define ARGUMENTS     16u

#define CONTEXT_ALL        0x0001003Fu
#define CONTEXT_FLOATS     0x1Cu
#define CONTEXT_SEGMENTS   0x8Cu
#define CONTEXT_EIP        0xB8u
#define CONTEXT_CS         0xBCu
#define CONTEXT_EFLAGS     0xC0u
#define CONTEXT_ESP        0xC4u
#define CONTEXT_SS         0xC8u
#define CONTEXT_VECTORS    0xCCu
#define CODE_SELECTOR      0x1Bu
#define DATA_SELECTOR      0x23u
#define THREAD_SELECTOR    0x3Bu
#define NO_FRAME           0xFFFFFFFFu
#define FLAG_UNWINDING     2u
#define FLAG_EXIT_UNWIND   4u
#define STATUS_UNWIND      0xC0000027u
#define STATUS_BAD_TARGET  0xC0000029u
#define CONTINUE_EXECUTION 0u
#define USER_FLAGS                                                                                 \
    (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_TF | MACHINE_DF |    \
     MACHINE_OF | MACHINE_NT | MACHINE_AC | MACHINE_ID)

/* Offsets of the general registers in a CONTEXT, by register number. */
static const uint8_t general_at[8] = {0xB0, 0xAC, 0xA8, 0xA4, CONTEXT_ESP, 0xB4, 0xA0, 0x9C};

/* Takes the registers back from a CONTEXT. x87 and SSE come from the part that FXSAVE fills. Older
 * handlers know only the part that FNSAVE fills; of that, the control word and the status word are
 * taken if a handler has changed them. */
static bool TakeContext(Machine *machine, uint32_t address) {
    MachineRegisters *registers = &machine->context.registers;
    uint8_t context[CONTEXT_BYTES];
    if (!MachineMemory_Read(machine->memory, address, context, sizeof context, MACHINE_READ, NULL))
        return false;
    for (uint32_t i = 0; i < 8; i++)
        registers->general[i] = Bytes_U32(context + general_at[i]);
    registers->eip = Bytes_U32(context + CONTEXT_EIP);
    registers->eflags = Bytes_U32(context + CONTEXT_EFLAGS) & USER_FLAGS;
    memcpy(&registers->vectors, context + CONTEXT_VECTORS, sizeof registers->vectors);
    registers->vectors.control = Bytes_U16(context + CONTEXT_FLOATS);
    registers->vectors.status = Bytes_U16(context + CONTEXT_FLOATS + 4);
    registers->vectors.mxcsr &= 0xFFFF; /* the processor accepts no other bits */
    return true;
}

/* Returns the address of the block, or 0 if there is no room for it. */
static uint32_t PutBlock(Machine *machine, const MachineRegisters *registers, uint32_t below,
                         const MachineException *exception) {
    uint8_t bytes[BLOCK_BYTES] = {0};
    uint32_t block = (below - BLOCK_BYTES) & ~15u;
    Bytes_PutU32(bytes + POINTERS, block + RECORD);
    Bytes_PutU32(bytes + POINTERS + 4, block + CONTEXT);
    Bytes_PutU32(bytes + RECORD, exception->code);
    Bytes_PutU32(bytes + RECORD + 4, exception->flags);
    Bytes_PutU32(bytes + RECORD + 12, exception->address);
    Bytes_PutU32(bytes + RECORD + 16, exception->count);
    for (uint32_t i = 0; i < MACHINE_EXCEPTION_PARAMETERS; i++)
        Bytes_PutU32(bytes + RECORD + 20 + 4 * i, exception->parameters[i]);

    uint8_t *context = bytes + CONTEXT;
    const MachineVectors *vectors = &registers->vectors;

    /* The tag word has two bits for each register, as FNSAVE stores it: 0 means a value, 3 means
     * empty. Zeros and special values, which have other tags, count as values, because no code here
     * looks at the difference. */
    uint32_t tag_word = 0;
    for (uint32_t i = 0; i < 8; i++)
        tag_word |= vectors->tags >> i & 1 ? 0 : 3u << 2 * i;
    Bytes_PutU32(context, CONTEXT_ALL);
    Bytes_PutU32(context + CONTEXT_FLOATS, 0xFFFF0000 | vectors->control);
    Bytes_PutU32(context + CONTEXT_FLOATS + 4, 0xFFFF0000 | vectors->status);
    Bytes_PutU32(context + CONTEXT_FLOATS + 8, 0xFFFF0000 | tag_word);
    for (uint32_t i = 0; i < 8; i++)
        memcpy(context + CONTEXT_FLOATS + 28 + 10 * i, vectors->st[i], 10);
    Bytes_PutU32(context + CONTEXT_SEGMENTS + 4, THREAD_SELECTOR);
    Bytes_PutU32(context + CONTEXT_SEGMENTS + 8, DATA_SELECTOR);
    Bytes_PutU32(context + CONTEXT_SEGMENTS + 12, DATA_SELECTOR);
    for (uint32_t i = 0; i < 8; i++)
        Bytes_PutU32(context + general_at[i], registers->general[i]);
    Bytes_PutU32(context + CONTEXT_EIP, registers->eip);
    Bytes_PutU32(context + CONTEXT_CS, CODE_SELECTOR);
    Bytes_PutU32(context + CONTEXT_EFLAGS, registers->eflags | MACHINE_FIXED | MACHINE_IF);
    Bytes_PutU32(context + CONTEXT_SS, DATA_SELECTOR);
    memcpy(context + CONTEXT_VECTORS, vectors, sizeof *vectors);

    if (!MachineMemory_Write(machine->memory, block, bytes, sizeof bytes, NULL))
        return 0;
    return block;
}

/* Before Windows calls a handler, it clears these registers, so that they say nothing of the code
 * that faulted. */
static void EnterHandler(Machine *machine, uint32_t handler, uint32_t esp) {
    MachineRegisters *registers = &machine->context.registers;
    registers->general[MACHINE_EAX] = registers->general[MACHINE_EBX] = 0;
    registers->general[MACHINE_ESI] = registers->general[MACHINE_EDI] = 0;
    registers->general[MACHINE_ESP] = esp;
    registers->eflags &= ~(MACHINE_DF | MACHINE_TF | MACHINE_NT | MACHINE_AC);
    registers->eip = handler;
}

static bool CallVectored(Machine *machine, uint32_t block, uint32_t index) {
    uint8_t frame[8];
    Bytes_PutU32(frame, MACHINE_GATES + MACHINE_GATE_VECTOR * MACHINE_GATE_STEP);
    Bytes_PutU32(frame + 4, block + POINTERS);
    if (!Machine_Write32(machine, block + NEXT_VECTORED, index + 1) ||
        !MachineMemory_Write(machine->memory, block - 8, frame, sizeof frame, NULL))
        return false;
    EnterHandler(machine, machine->vectored[index], block - 8);
    return true;
}

/* Calls the handler of a frame. The frame has to be on the stack, as in Windows. */
static bool CallFrame(Machine *machine, uint32_t block, uint32_t frame, uint32_t gate) {
    uint8_t call[20];
    uint32_t handler, record;
    if (frame % 4 || frame < machine->stack_region || frame > machine->stack_top - 8 ||
        !Machine_Read32(machine, frame + 4, &handler) ||
        !Machine_Read32(machine, block + POINTERS, &record))
        return false;
    Bytes_PutU32(call, MACHINE_GATES + gate * MACHINE_GATE_STEP);
    Bytes_PutU32(call + 4, record);
    Bytes_PutU32(call + 8, frame);
    Bytes_PutU32(call + 12, block + CONTEXT);
    Bytes_PutU32(call + 16, block);
    if (!MachineMemory_Write(machine->memory, block - 20, call, sizeof call, NULL))
        return false;
    EnterHandler(machine, handler, block - 20);
    return true;
}

/* Restores the state in which the exception was raised, for the code that examines the fault. */
static bool GiveUp(Machine *machine, uint32_t block) {
    MachineFault *fault = &machine->context.fault;
    uint8_t record[0x50];
    if (!MachineMemory_Read(machine->memory, block + RECORD, record, sizeof record, MACHINE_READ,
                            NULL) ||
        !TakeContext(machine, block + CONTEXT)) {
        *fault = (MachineFault){MACHINE_ACCESS_VIOLATION, machine->context.registers.eip,
                                MACHINE_READ, block};
        return false;
    }
    *fault = (MachineFault){.code = Bytes_U32(record), .address = Bytes_U32(record + 12)};
    if (fault->code == MACHINE_ACCESS_VIOLATION && Bytes_U32(record + 16) >= 2) {
        uint32_t kind = Bytes_U32(record + 20);
        fault->access = kind == 0 ? MACHINE_READ : kind == 1 ? MACHINE_WRITE : MACHINE_EXECUTE;
        fault->target = Bytes_U32(record + 24);
    }
    return false;
}

static bool FirstFrame(Machine *machine, uint32_t block) {
    uint32_t frame;
    if (Machine_Read32(machine, machine->context.fs_base, &frame) && frame != NO_FRAME &&
        CallFrame(machine, block, frame, MACHINE_GATE_HANDLER))
        return true;
    return GiveUp(machine, block);
}

bool Exceptions_Dispatch(Machine *machine, const MachineException *exception) {
    uint32_t frame;
    if (machine->vectored_count == 0 &&
        (!Machine_Read32(machine, machine->context.fs_base, &frame) || frame == NO_FRAME))
        return false;
    uint32_t block = PutBlock(machine, &machine->context.registers,
                              machine->context.registers.general[MACHINE_ESP], exception);
    if (block == 0)
        return false;
    if (machine->vectored_count > 0 && CallVectored(machine, block, 0))
        return true;
    return FirstFrame(machine, block);
}

bool Exceptions_AfterVectored(Machine *machine) {
    const MachineRegisters *registers = &machine->context.registers;
    uint32_t block = registers->general[MACHINE_ESP], index;
    if (registers->general[MACHINE_EAX] == 0xFFFFFFFF) /* EXCEPTION_CONTINUE_EXECUTION */
        return TakeContext(machine, block + CONTEXT) || GiveUp(machine, block);
    if (Machine_Read32(machine, block + NEXT_VECTORED, &index) && index < machine->vectored_count)
        return CallVectored(machine, block, index) || GiveUp(machine, block);
    return FirstFrame(machine, block);
}

/* The addresses of frames must rise along the chain, so that a chain which leads back into itself
 * ends. */
bool Exceptions_AfterHandler(Machine *machine) {
    const MachineRegisters *registers = &machine->context.registers;
    uint32_t block = registers->general[MACHINE_ESP] + ARGUMENTS, frame, next, flags;
    if (registers->general[MACHINE_EAX] == CONTINUE_EXECUTION &&
        Machine_Read32(machine, block + RECORD + 4, &flags) && !(flags & 1))
        return TakeContext(machine, block + CONTEXT) || GiveUp(machine, block);
    if (registers->general[MACHINE_EAX] != CONTINUE_EXECUTION &&
        Machine_Read32(machine, block - ARGUMENTS + 4, &frame) &&
        Machine_Read32(machine, frame, &next) && next != NO_FRAME && next > frame &&
        CallFrame(machine, block, next, MACHINE_GATE_HANDLER))
        return true;
    return GiveUp(machine, block);
}

void Exceptions_Raise(Machine *machine, uint32_t popped, const MachineException *exception) {
    MachineRegisters *registers = &machine->context.registers;
    MachineException raised = *exception;
    if (!Machine_Read32(machine, registers->general[MACHINE_ESP], &raised.address))
        raised.address = 0;
    registers->general[MACHINE_ESP] += 4 + popped;
    registers->eip = raised.address;
    machine->context.fault = (MachineFault){.code = raised.code, .address = raised.address};
    machine->service_moved = true;
    if (!Exceptions_Dispatch(machine, &raised)) {
        machine->is_ending = true;
        machine->end = MACHINE_FAULTED;
    }
}

/* ---- unwinding ------------------------------------------------------------------------------- */

/* Calls the handler of the chain's first frame. At the target, unwinding ends, and the caller of
 * RtlUnwind continues. */
static bool UnwindOne(Machine *machine, uint32_t block) {
    uint32_t frame, target;
    if (!Machine_Read32(machine, machine->context.fs_base, &frame) ||
        !Machine_Read32(machine, block + TARGET, &target))
        return GiveUp(machine, block);
    if (frame == target || (frame == NO_FRAME && target == 0))
        return TakeContext(machine, block + CONTEXT) || GiveUp(machine, block);
    if (frame != NO_FRAME && CallFrame(machine, block, frame, MACHINE_GATE_UNWIND))
        return true;
    GiveUp(machine, block);
    machine->context.fault.code = STATUS_BAD_TARGET;
    return false;
}

bool Exceptions_AfterUnwound(Machine *machine) {
    uint32_t block = machine->context.registers.general[MACHINE_ESP] + ARGUMENTS, frame, next;
    if (!Machine_Read32(machine, block - ARGUMENTS + 4, &frame) ||
        !Machine_Read32(machine, frame, &next) ||
        !Machine_Write32(machine, machine->context.fs_base, next))
        return GiveUp(machine, block);
    return UnwindOne(machine, block);
}

void Exceptions_Unwind(Machine *machine) {
    MachineRegisters *registers = &machine->context.registers;
    uint32_t esp = registers->general[MACHINE_ESP], flags;
    uint32_t target = Machine_Argument(machine, 0), record = Machine_Argument(machine, 2);
    uint32_t unwinding = FLAG_UNWINDING | (target ? 0 : FLAG_EXIT_UNWIND);
    MachineRegisters after = *registers;
    after.general[MACHINE_EAX] = Machine_Argument(machine, 3);
    after.general[MACHINE_ESP] = esp + 20;
    if (machine->is_ending || !Machine_Read32(machine, esp, &after.eip))
        return;

    MachineException own = {.code = STATUS_UNWIND, .flags = unwinding, .address = after.eip};
    uint32_t block = PutBlock(machine, &after, esp, &own);
    machine->service_moved = true;
    bool is_put = block != 0 && Machine_Write32(machine, block + TARGET, target);
    /* If an exception is being handled, handlers get its record. */
    if (is_put && record)
        is_put = Machine_Read32(machine, record + 4, &flags) &&
                 Machine_Write32(machine, record + 4, flags | unwinding) &&
                 Machine_Write32(machine, block + POINTERS, record);
    if (is_put && UnwindOne(machine, block))
        return;
    if (!is_put)
        machine->context.fault =
            (MachineFault){MACHINE_ACCESS_VIOLATION, after.eip, MACHINE_WRITE, esp};
    machine->is_ending = true;
    machine->end = MACHINE_FAULTED;
}

/* ---- handlers of the process ----------------------------------------------------------------- */

bool Exceptions_AddVectored(Machine *machine, uint32_t handler, bool first) {
    if (machine->vectored_count == MACHINE_MOST_VECTORED)
        return false;
    uint32_t at = first ? 0 : machine->vectored_count;
    memmove(machine->vectored + at + 1, machine->vectored + at,
            (machine->vectored_count - at) * sizeof *machine->vectored);
    machine->vectored[at] = handler;
    machine->vectored_count++;
    return true;
}

bool Exceptions_RemoveVectored(Machine *machine, uint32_t handler) {
    for (uint32_t i = 0; i < machine->vectored_count; i++)
        if (machine->vectored[i] == handler) {
            machine->vectored_count--;
            memmove(machine->vectored + i, machine->vectored + i + 1,
                    (machine->vectored_count - i) * sizeof *machine->vectored);
            return true;
        }
    return false;
}
