/* Runs the pair in a machine: 32-bit DLLs in an address space of their own, in a process of any
 * kind. */
#include "replay/host/guest.h"

#include "machine/services/services.h"
#include "replay/host/invoke.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the most bytes of a guest; Windows leaves a process no more, either */
#define MOST_MEMORY 0xC0000000u
#define STACK_BYTES 0x100000u
#define SCRATCH     256u /* bytes above the arguments, which a callee may read or write */
/* in instructions: half a minute of the interpreter, some seconds otherwise */
#define CALL_BUDGET 4000000000u
#define POOL_BYTES  0x10000u
#define X87_NOTHING 0x037Fu

const char *Guest_Engine(const Guest *guest) {
    return guest->engine;
}

RpEstimates Guest_Estimates(const Guest *guest) {
    return guest->profile->estimates;
}

/* ---- the machine ------------------------------------------------------------------------------
 */

RpStatus Guest_Open(Guest *guest, const TraceHeader *header, const GuestOptions *options,
                    RpError *error) {
    char force_cpu[32], readings[TRACE_HEADER_MAX - 64];
    memset(guest, 0, sizeof *guest);
    guest->frame = &guest->own_frame;
    guest->profile = options->profile ? options->profile : MachineProfile_Find("this");
    guest->call_budget = options->call_budget ? options->call_budget : CALL_BUDGET;
    guest->pool_used = POOL_BYTES;
    TraceHeader_Get(header, "force-cpu", force_cpu, sizeof force_cpu);
    TraceHeader_Get(header, "hypotheses", readings, sizeof readings);
    const MachineVariable variables[] = {{"RETROPOSE_READINGS", readings},
                                         /* its name for DLLs of older versions */
                                         {"RETROPOSE_HYPOTHESES", readings},
                                         {"RETROPOSE_NO_MESSAGE_BOX", "1"}};
    const int forced = force_cpu[0] ? (int)strtol(force_cpu, NULL, 10) : -1;
    const MachineOptions machine = {
        .engine = options->interpreter ? MACHINE_INTERPRETER : MACHINE_TRANSLATOR,
        .system = &services_windows,
        .holds_signals = !options->takes_signals,
        .profile = guest->profile,
        .most_memory = options->most_memory ? options->most_memory : MOST_MEMORY,
        .stack_bytes = options->stack_bytes ? options->stack_bytes : STACK_BYTES,
        .force_cpu = forced,
        .variables = variables,
        .variable_count = sizeof variables / sizeof *variables};
    RpStatus status = Machine_Create(&machine, &guest->machine, error);
    if (status)
        return status;
    guest->memory = Machine_Memory(guest->machine);
    snprintf(guest->engine, sizeof guest->engine, "%s%s%s",
             Machine_Engine(guest->machine) == MACHINE_TRANSLATOR ? "machine" : "interpreter",
             options->profile ? ":" : "", options->profile ? options->profile->name : "");
    return RP_OK;
}

void Guest_Close(Guest *guest) {
    Machine_Destroy(guest->machine);
    guest->machine = NULL;
    guest->memory = NULL;
}

RpStatus Guest_Load(Guest *guest, const HostChar *path, const uint8_t *bytes, size_t size,
                    AbiModule module, uint32_t *base, RpError *error) {
    (void)path;
    RpStatus status = Machine_Load(guest->machine, AbiModule_File(module), bytes, size,
                                   &guest->module_numbers[module], error);
    if (status)
        return status;
    guest->modules[module] = *base =
        Machine_Module(guest->machine, guest->module_numbers[module])->base;
    return RP_OK;
}

uint32_t Guest_Export(const Guest *guest, uint32_t base, const char *name) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (guest->modules[i] == base)
            return Machine_Export(guest->machine, guest->module_numbers[i], name);
    return 0;
}

RpStatus Guest_NoteReached(Guest *guest, const uint32_t bytes[ABI_MODULE_COUNT], uint8_t *marks,
                           RpError *error) {
    _Static_assert(ABI_MODULE_COUNT <= MACHINE_REACHED_RANGES, "a range for each module");
    (void)error;
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        guest->reached.ranges[i].base = guest->modules[i];
        guest->reached.ranges[i].size = bytes[i];
        guest->reached.ranges[i].marks = marks;
        marks += bytes[i];
    }
    Machine_NoteReached(guest->machine, &guest->reached);
    return RP_OK;
}

uint32_t Guest_OtherModule(const Guest *guest, uint32_t address) {
    uint32_t first, size;
    return MachineMemory_Region(guest->memory, address, &first, &size) ? first : 0;
}

bool Guest_MayWrite(const Guest *guest, uint32_t address, uint32_t size) {
    uint32_t first, bytes;
    if (!MachineMemory_Region(guest->memory, address, &first, &bytes) ||
        bytes - (address - first) < size)
        return false;
    for (uint32_t page = address / GUEST_PAGE; page <= (address + size - 1) / GUEST_PAGE; page++)
        /* A page with translated code is written through the machine only. */
        if ((guest->memory->protection[page] & (MACHINE_WRITE | MACHINE_WATCHED)) != MACHINE_WRITE)
            return false;
    return true;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

uint32_t Guest_Reserve(Guest *guest, uint32_t size) {
    return MachineMemory_Map(guest->memory, 0, size, 0);
}

bool Guest_Commit(Guest *guest, uint32_t address, uint32_t size) {
    return MachineMemory_Protect(guest->memory, address, size, MACHINE_READ | MACHINE_WRITE);
}

void Guest_Release(Guest *guest, uint32_t address) {
    MachineMemory_Unmap(guest->memory, address);
}

void Guest_Protect(Guest *guest, uint32_t address, uint32_t size, bool writable) {
    MachineMemory_Protect(guest->memory, address, size,
                          MACHINE_READ | (writable ? MACHINE_WRITE : 0));
}

static bool OnWrite(void *context, uint32_t address) {
    const Guest *guest = context;
    return guest->written(guest->written_context, address / GUEST_PAGE * GUEST_PAGE);
}

void Guest_WatchWrites(Guest *guest, GuestWritten *written, void *context) {
    guest->written = written;
    guest->written_context = context;
    guest->memory->write_hook = OnWrite;
    guest->memory->write_context = guest;
}

uint32_t Guest_Allocate(Guest *guest, uint32_t size) {
    size = (size + 15) & ~15u;
    if (size > POOL_BYTES - guest->pool_used) {
        guest->pool = MachineMemory_Map(guest->memory, 0, POOL_BYTES, MACHINE_READ | MACHINE_WRITE);
        guest->pool_used = 0;
    }
    if (!guest->pool || size > POOL_BYTES)
        return 0;
    guest->pool_used += size;
    return guest->pool + guest->pool_used - size;
}

void Guest_DropAllocations(Guest *guest) {
    guest->pool = 0;
    guest->pool_used = POOL_BYTES;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* Does nothing, because the machine's floating-point state is not the host's. */
void Invoke_Leave(Guest *guest) {
    (void)guest;
}

/* Puts the registers into the state that replay/host/invoke.S gives them under Windows. */
static void Prepare(Guest *guest, MachineRegisters *registers) {
    const InvokeFrame *frame = guest->frame;
    uint32_t lowest, top;
    MachineRegisters_Init(registers);
    Machine_Stack(guest->machine, &lowest, &top);
    registers->vectors.control = (uint16_t)frame->control_in;
    registers->vectors.mxcsr = frame->mxcsr_in;

    /* Puts the arguments at an address that is 4 modulo 16. The game's compiler kept the stack
     * aligned to 4 bytes only, so code that relies on more must fail here, too. */
    const uint32_t esp = ((top - SCRATCH - 4 * frame->stack_count) & ~15u) + 4 - 16;
    /* A guest that has protected its stack crashes when it is called. */
    const uint32_t filler = INVOKE_SENTINEL_EAX;
    MachineMemory_Write(guest->memory, esp, frame->stack, 4 * frame->stack_count, NULL);
    for (uint32_t at = 4 * frame->stack_count; at + 4 <= top - esp; at += 4)
        MachineMemory_Write(guest->memory, esp + at, &filler, 4, NULL);
    registers->general[MACHINE_ESP] = esp;
    registers->general[MACHINE_EAX] = INVOKE_SENTINEL_EAX;
    registers->general[MACHINE_EBX] = INVOKE_SENTINEL_EBX;
    registers->general[MACHINE_ESI] = INVOKE_SENTINEL_ESI;
    registers->general[MACHINE_EDI] = INVOKE_SENTINEL_EDI;
    registers->general[MACHINE_EBP] = INVOKE_SENTINEL_EBP;
    registers->general[MACHINE_ECX] = frame->in_ecx;
    registers->general[MACHINE_EDX] = frame->in_edx;
}

/* Returns which exception an unmasked flag of the x87 raises at the next instruction that waits for
 * it. */
static uint32_t PendingFault(const MachineVectors *vectors) {
    static const struct {
        uint16_t flag;
        uint32_t code;
    } faults[] = {{0x40, MACHINE_FLOAT_STACK},    {0x01, MACHINE_FLOAT_INVALID},
                  {0x04, MACHINE_FLOAT_DIVIDE},   {0x02, MACHINE_FLOAT_DENORMAL},
                  {0x08, MACHINE_FLOAT_OVERFLOW}, {0x10, MACHINE_FLOAT_UNDERFLOW},
                  {0x20, MACHINE_FLOAT_INEXACT}};
    /* A stack fault is an invalid operation, and masked with it. */
    const unsigned masked = vectors->control | (vectors->control & 1u) << 6;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (vectors->status & ~masked & faults[i].flag)
            return faults[i].code;
    return 0;
}

void Invoke_Guarded(Guest *guest) {
    MachineContext *context = Machine_Context(guest->machine);
    InvokeFrame *frame = guest->frame;
    MachineResult result;
    Prepare(guest, &context->registers);
    frame->esp_before = context->registers.general[MACHINE_ESP];
    frame->reason[0] = 0;
    Machine_Call(guest->machine, frame->function, guest->call_budget, &result);
    switch (result.end) {
    case MACHINE_RETURNED: {
        frame->outcome = TRACE_RETURNED;
        const MachineRegisters *registers = &context->registers;
        frame->eax = registers->general[MACHINE_EAX];
        frame->ebx = registers->general[MACHINE_EBX];
        frame->esi = registers->general[MACHINE_ESI];
        frame->edi = registers->general[MACHINE_EDI];
        frame->ebp = registers->general[MACHINE_EBP];
        frame->esp_after = registers->general[MACHINE_ESP];
        frame->eflags = registers->eflags;
        frame->control_out = registers->vectors.control;
        frame->mxcsr_out = registers->vectors.mxcsr;
        memcpy(frame->st0, registers->vectors.st[0], 10);
        const unsigned top = registers->vectors.status >> 11 & 7;
        const unsigned wanted = frame->returns_float ? 1u << top : 0;
        frame->x87_clean = registers->vectors.tags == wanted;
        /* An exception that waits for the next x87 instruction belongs to this call. */
        frame->fault_code = PendingFault(&registers->vectors);
        frame->fault_address = registers->eip;
        if (frame->fault_code)
            frame->outcome = TRACE_CRASHED;
        break;
    }
    case MACHINE_FAULTED:
        frame->outcome = TRACE_CRASHED;
        frame->fault_code = context->fault.code;
        frame->fault_address = context->fault.address;
        break;
    case MACHINE_EXITED:
        frame->outcome = TRACE_EXITED;
        frame->exit_code = result.exit_code;
        break;
    case MACHINE_TIMED_OUT:
        frame->outcome = TRACE_TIMED_OUT;
        snprintf(frame->reason, sizeof frame->reason,
                 "a call executed %llu instructions without an end",
                 (unsigned long long)guest->call_budget);
        break;
    case MACHINE_LACKS:
        frame->outcome = TRACE_UNSUPPORTED;
        snprintf(frame->reason, sizeof frame->reason, "%s", result.reason);
        break;
    }
}

uint32_t Guest_Ask(Guest *guest, uint32_t function, uint32_t number) {
    *guest->frame = (InvokeFrame){.function = function,
                                  .stack = &number,
                                  .stack_count = 1,
                                  .control_in = X87_NOTHING,
                                  .mxcsr_in = 0x1F80};
    Invoke_Guarded(guest);
    return guest->frame->outcome == TRACE_RETURNED ? guest->frame->eax : 0;
}
