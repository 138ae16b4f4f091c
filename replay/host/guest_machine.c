/* The pair in a machine: 32-bit DLLs in an address space of their own, in a process of any kind. */
#include "replay/host/guest.h"

#include "core/files/mapping.h"
#include "machine/services/services.h"
#include "replay/host/invoke.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_MEMORY 0xC0000000u /* of the guest, bytes: Windows leaves a process no more either */
#define STACK_BYTES 0x100000u
#define SCRATCH     256u        /* above the arguments, which a callee may read or write */
#define CALL_BUDGET 4000000000u /* instructions; half a minute of the interpreter, seconds else */
#define POOL_BYTES  0x10000u
#define X87_NOTHING 0x037Fu

Machine *guest_machine;
MachineMemory *guest_memory;
InvokeFrame invoke_frame;

static char engine_name[48];
static const MachineProfile *profile;
static uint32_t modules[ABI_MODULE_COUNT];        /* where they begin */
static uint32_t module_numbers[ABI_MODULE_COUNT]; /* in the machine */

const char *Guest_Engine(void) {
    return engine_name;
}

RpEstimates Guest_Estimates(void) {
    return profile->estimates;
}

_Noreturn void Guest_EndProcess(int code) {
    _exit(code);
}

/* ---- the machine ------------------------------------------------------------------------------
 */

RpStatus Guest_Open(const TraceHeader *header, const GuestOptions *asked, RpError *error) {
    char force_cpu[32], hypotheses[TRACE_HEADER_MAX - 64];
    TraceHeader_Get(header, "force-cpu", force_cpu, sizeof force_cpu);
    TraceHeader_Get(header, "hypotheses", hypotheses, sizeof hypotheses);
    const MachineVariable variables[] = {{"RETROPOSE_HYPOTHESES", hypotheses},
                                         {"RETROPOSE_NO_MESSAGE_BOX", "1"}};
    const int forced = force_cpu[0] ? (int)strtol(force_cpu, NULL, 10) : -1;
    profile = MachineProfile_Find(asked->processor[0] ? asked->processor : "this");
    if (!profile)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the machine has no such processor", "",
                           MACHINE_PROFILES, asked->processor);
    const MachineOptions options = {.engine = asked->interpreter ? MACHINE_INTERPRETER
                                                                 : MACHINE_TRANSLATOR,
                                    .profile = profile,
                                    .system = &services_windows,
                                    .holds_signals = true,
                                    .most_memory = MOST_MEMORY,
                                    .stack_bytes = STACK_BYTES,
                                    .force_cpu = forced,
                                    .variables = variables,
                                    .variable_count = sizeof variables / sizeof *variables};
    snprintf(engine_name, sizeof engine_name, "%s%s%s",
             asked->interpreter ? "interpreter" : "machine", asked->processor[0] ? ":" : "",
             asked->processor);
    RpStatus status = Machine_Create(&options, &guest_machine, error);
    if (!status)
        guest_memory = Machine_Memory(guest_machine);
    return status;
}

void Guest_Close(void) {
    Machine_Destroy(guest_machine);
    guest_machine = NULL;
    guest_memory = NULL;
}

RpStatus Guest_Load(const HostChar *path, const uint8_t *bytes, size_t size, AbiModule module,
                    uint32_t *base, RpError *error) {
    (void)path;
    RpStatus status = Machine_Load(guest_machine, AbiModule_File(module), bytes, size,
                                   &module_numbers[module], error);
    if (status)
        return status;
    modules[module] = *base = Machine_Module(guest_machine, module_numbers[module])->base;
    return RP_OK;
}

uint32_t Guest_Export(uint32_t base, const char *name) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (modules[i] == base)
            return Machine_Export(guest_machine, module_numbers[i], name);
    return 0;
}

uint32_t Guest_OtherModule(uint32_t address) {
    uint32_t first, size;
    return MachineMemory_Region(guest_memory, address, &first, &size) ? first : 0;
}

bool Guest_MayWrite(uint32_t address, uint32_t size) {
    uint32_t first, bytes;
    if (!MachineMemory_Region(guest_memory, address, &first, &bytes) ||
        bytes - (address - first) < size)
        return false;
    for (uint32_t page = address / GUEST_PAGE; page <= (address + size - 1) / GUEST_PAGE; page++)
        /* a page with translated code is written through the machine only */
        if ((guest_memory->protection[page] & (MACHINE_WRITE | MACHINE_WATCHED)) != MACHINE_WRITE)
            return false;
    return true;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

uint32_t Guest_Reserve(uint32_t size) {
    return MachineMemory_Map(guest_memory, 0, size, 0);
}

bool Guest_Commit(uint32_t address, uint32_t size) {
    return MachineMemory_Protect(guest_memory, address, size, MACHINE_READ | MACHINE_WRITE);
}

void Guest_Release(uint32_t address) {
    MachineMemory_Unmap(guest_memory, address);
}

void Guest_Protect(uint32_t address, uint32_t size, bool writable) {
    MachineMemory_Protect(guest_memory, address, size,
                          MACHINE_READ | (writable ? MACHINE_WRITE : 0));
}

static bool OnWrite(void *written, uint32_t address) {
    bool (*const *watcher)(uint32_t) = written;
    return (*watcher)(address / GUEST_PAGE * GUEST_PAGE);
}

void Guest_WatchWrites(bool (*written)(uint32_t page)) {
    static bool (*watcher)(uint32_t page);
    watcher = written;
    guest_memory->write_hook = OnWrite;
    guest_memory->write_context = &watcher;
}

uint32_t Guest_Allocate(uint32_t size) {
    static uint32_t pool, used = POOL_BYTES;
    size = (size + 15) & ~15u;
    if (size > POOL_BYTES - used) {
        pool = MachineMemory_Map(guest_memory, 0, POOL_BYTES, MACHINE_READ | MACHINE_WRITE);
        used = 0;
    }
    if (!pool || size > POOL_BYTES)
        return 0;
    used += size;
    return pool + used - size;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* Nothing: the machine's floating-point state is not the host's. */
void Invoke_Leave(void) {
}

/* Puts the registers into the state that replay/host/invoke.S gives them under Windows. */
static void Prepare(MachineRegisters *registers) {
    const InvokeFrame *frame = &invoke_frame;
    uint32_t lowest, top;
    MachineRegisters_Init(registers);
    Machine_Stack(guest_machine, &lowest, &top);
    registers->vectors.control = (uint16_t)frame->control_in;
    registers->vectors.mxcsr = frame->mxcsr_in;

    /* Arguments at 4 modulo 16: the game's compiler kept 4 bytes only, so code that counts on more
     * must fail here too. */
    const uint32_t esp = ((top - SCRATCH - 4 * frame->stack_count) & ~15u) + 4 - 16;
    /* A guest that has protected its stack crashes when it is called. */
    const uint32_t filler = INVOKE_SENTINEL_EAX;
    MachineMemory_Write(guest_memory, esp, frame->stack, 4 * frame->stack_count, NULL);
    for (uint32_t at = 4 * frame->stack_count; at + 4 <= top - esp; at += 4)
        MachineMemory_Write(guest_memory, esp + at, &filler, 4, NULL);
    registers->general[MACHINE_ESP] = esp;
    registers->general[MACHINE_EAX] = INVOKE_SENTINEL_EAX;
    registers->general[MACHINE_EBX] = INVOKE_SENTINEL_EBX;
    registers->general[MACHINE_ESI] = INVOKE_SENTINEL_ESI;
    registers->general[MACHINE_EDI] = INVOKE_SENTINEL_EDI;
    registers->general[MACHINE_EBP] = INVOKE_SENTINEL_EBP;
    registers->general[MACHINE_ECX] = frame->in_ecx;
    registers->general[MACHINE_EDX] = frame->in_edx;
}

/* Takes what the function left. */
static void Collect(const MachineRegisters *registers) {
    InvokeFrame *frame = &invoke_frame;
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
    const uint8_t wanted = frame->returns_float ? (uint8_t)(1u << top) : 0;
    frame->x87_clean = registers->vectors.tags == wanted;
}

/* Which exception an unmasked flag of the x87 raises at the next instruction that waits for it. */
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

void Invoke_Guarded(void) {
    MachineContext *context = Machine_Context(guest_machine);
    InvokeFrame *frame = &invoke_frame;
    MachineResult result;
    Prepare(&context->registers);
    frame->esp_before = context->registers.general[MACHINE_ESP];
    Machine_Call(guest_machine, frame->function, CALL_BUDGET, &result);
    switch (result.end) {
    case MACHINE_RETURNED:
        frame->outcome = TRACE_RETURNED;
        Collect(&context->registers);
        /* One that waits for the next instruction belongs to this call. */
        frame->fault_code = PendingFault(&context->registers.vectors);
        frame->fault_address = context->registers.eip;
        if (frame->fault_code)
            frame->outcome = TRACE_CRASHED;
        break;
    case MACHINE_FAULTED:
        frame->outcome = TRACE_CRASHED;
        frame->fault_code = context->fault.code;
        frame->fault_address = context->fault.address;
        break;
    case MACHINE_EXITED: /* as under Windows, where this process is the guest's */
        fflush(NULL);
        Guest_EndProcess((int)result.exit_code);
    case MACHINE_TIMED_OUT:
        fprintf(stderr, "a call executed %u instructions without an end\n", CALL_BUDGET);
        frame->outcome = TRACE_TIMED_OUT;
        break;
    case MACHINE_LACKS:
        fprintf(stderr, "%s\n", result.reason);
        frame->outcome = TRACE_UNSUPPORTED;
        break;
    }
}

uint32_t Guest_Ask(uint32_t function, uint32_t number) {
    invoke_frame = (InvokeFrame){.function = function,
                                 .stack = &number,
                                 .stack_count = 1,
                                 .control_in = X87_NOTHING,
                                 .mxcsr_in = 0x1F80};
    Invoke_Guarded();
    return invoke_frame.outcome == TRACE_RETURNED ? invoke_frame.eax : 0;
}

/* ---- files ------------------------------------------------------------------------------------
 */

const uint8_t *Guest_MapFile(const HostChar *path, size_t *size, RpError *error) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, error))
        return NULL;
    *size = mapping.size;
    return mapping.bytes ? mapping.bytes : (const uint8_t *)"";
}

void *Guest_Share(const HostChar *path, size_t size, bool writes, RpError *error) {
    struct stat facts;
    void *memory = MAP_FAILED;
    const int file = open(path, (writes ? O_RDWR : O_RDONLY) | (size > 0 ? O_CREAT : 0), 0600);
    bool usable = file >= 0 && fstat(file, &facts) == 0;
    if (usable && (uint64_t)facts.st_size < size)
        usable = ftruncate(file, (off_t)size) == 0;
    if (usable)
        memory = mmap(NULL, size > 0 ? size : (size_t)facts.st_size,
                      writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (memory != MAP_FAILED)
        return memory;
    RpError_Set(error, RP_IO, RP_NOWHERE, "cannot share the file", path, "", "");
    return NULL;
}

RpStatus Guest_Name(const HostChar *path, char *name, size_t size, RpError *error) {
    if (snprintf(name, size, "%s", path) < (int)size)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name of a file is too long", path, "",
                       "");
}
