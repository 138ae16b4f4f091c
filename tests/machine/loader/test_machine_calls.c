/* Tests calls into the guest, services that call it back, and saving and restoring all of it. */
#include "core/bytes.h"
#include "machine/services/services.h"
#include "tests/test.h"

#include <string.h>

#define CODE 0x10000000u

static uint32_t top;

static int Make(void **state, MachineEngine engine) {
    const MachineOptions options = {
        .engine = engine, .system = &services_windows, .force_cpu = -1, .stack_bytes = 0x8000};
    Machine *machine;
    uint32_t lowest;
    if (Machine_Create(&options, &machine, NULL) ||
        !MachineMemory_Map(Machine_Memory(machine), CODE, MACHINE_PAGE,
                           MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE))
        return 1;
    Machine_Stack(machine, &lowest, &top);
    *state = machine;
    return 0;
}

static int MakeTranslator(void **state) {
    return Make(state, MACHINE_TRANSLATOR);
}

static int MakeInterpreter(void **state) {
    return Make(state, MACHINE_INTERPRETER);
}

static int Destroy(void **state) {
    Machine_Destroy(*state);
    return 0;
}

static void PutCode(Machine *machine, uint32_t offset, const void *code, uint32_t size) {
    assert_true(MachineMemory_Write(Machine_Memory(machine), CODE + offset, code, size, NULL));
    Machine_CodeChanged(machine, CODE + offset, size);
}

static uint32_t Register(Machine *machine, uint32_t number) {
    return Machine_Context(machine)->registers.general[number];
}

/* Calls CODE with two arguments. */
static MachineResult Call(Machine *machine, uint32_t a, uint32_t b, uint64_t budget) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    uint8_t arguments[8];
    Bytes_PutU32(arguments, a);
    Bytes_PutU32(arguments + 4, b);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = top - 0x40;
    MachineMemory_Write(Machine_Memory(machine), top - 0x40, arguments, sizeof arguments, NULL);
    Machine_Call(machine, CODE, budget, &result);
    return result;
}

static void AFunctionTakesItsArgumentsAndPopsThem(void **state) {
    Machine *machine = *state;
    /* mov eax,[esp+4]; sub eax,[esp+8]; ret 8 */
    static const uint8_t code[] = {0x8B, 0x44, 0x24, 4, 0x2B, 0x44, 0x24, 8, 0xC2, 8, 0};
    PutCode(machine, 0, code, sizeof code);
    MachineResult result = Call(machine, 50, 8, 1000);
    assert_int_equal(result.end, MACHINE_RETURNED);
    assert_string_equal(result.reason, "");
    assert_int_equal(Register(machine, MACHINE_EAX), 42);
    assert_int_equal(Register(machine, MACHINE_ESP), top - 0x40 + 8);
    /* a budget that is just enough, and one that is not */
    assert_int_equal(Call(machine, 50, 8, 3).end, MACHINE_RETURNED);
}

static void AnEndlessLoopTimesOut(void **state) {
    Machine *machine = *state;
    static const uint8_t code[] = {0xEB, 0xFE};
    PutCode(machine, 0, code, sizeof code);
    assert_int_equal(Call(machine, 0, 0, 100000).end, MACHINE_TIMED_OUT);
}

/* mov eax,gate; push eax; jmp eax */
static void GatesThatLeadToGatesTimeOut(void **state) {
    Machine *machine = *state;
    uint32_t gate =
        Machine_RowAddress(machine, services_windows.find("KERNEL32.dll", "GetTickCount"));
    uint8_t code[] = {0xB8, 0, 0, 0, 0, 0x50, 0xFF, 0xE0};
    Bytes_PutU32(code + 1, gate);
    PutCode(machine, 0, code, sizeof code);
    /* The gate returns to itself once, and then to where the call came from. */
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Call(machine, 0, 0, 4).end, MACHINE_TIMED_OUT);
}

static void WhatIsNoGateFaults(void **state) {
    Machine *machine = *state;
    static const uint32_t targets[] = {MACHINE_GATES + 1, MACHINE_GATES_END - 16,
                                       MACHINE_GATES + 5 * MACHINE_GATE_STEP};
    for (int i = 0; i < 3; i++) {
        uint8_t code[] = {0xB8, 0, 0, 0, 0, 0xFF, 0xE0};
        Bytes_PutU32(code + 1, targets[i]);
        PutCode(machine, 0, code, sizeof code);
        assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_FAULTED);
        assert_int_equal(Machine_Context(machine)->fault.code, MACHINE_ACCESS_VIOLATION);
        assert_int_equal(Machine_Context(machine)->fault.target, targets[i]);
        assert_int_equal(Machine_Context(machine)->fault.access, MACHINE_EXECUTE);
    }
}

static void AFaultLeavesTheRegistersAsTheyWere(void **state) {
    Machine *machine = *state;
    /* mov ecx,7; mov [ecx],eax */
    static const uint8_t code[] = {0xB9, 7, 0, 0, 0, 0x89, 0x01};
    PutCode(machine, 0, code, sizeof code);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_FAULTED);
    const MachineContext *context = Machine_Context(machine);
    assert_int_equal(context->fault.code, MACHINE_ACCESS_VIOLATION);
    assert_int_equal(context->fault.address, CODE + 5);
    assert_int_equal(context->fault.access, MACHINE_WRITE);
    assert_int_equal(context->fault.target, 7);
    assert_int_equal(context->registers.eip, CODE + 5);
    assert_int_equal(Register(machine, MACHINE_ECX), 7);
    assert_int_equal(Register(machine, MACHINE_ESP), top - 0x44);
}

static void AStackThatIsFullIsNamedSo(void **state) {
    Machine *machine = *state;
    static const uint8_t code[] = {0x50, 0xEB, 0xFD}; /* push eax, for ever */
    PutCode(machine, 0, code, sizeof code);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(Call(machine, 0, 0, 1000000).end, MACHINE_FAULTED);
        assert_int_equal(Machine_Context(machine)->fault.code, MACHINE_STACK_OVERFLOW);
    }
    /* An invalid stack pointer ends the call before it begins. */
    MachineResult result;
    Machine_Context(machine)->registers.general[MACHINE_ESP] = 0;
    Machine_Call(machine, CODE, 1000, &result);
    assert_int_equal(result.end, MACHINE_FAULTED);
}

typedef struct Service {
    MachineResult inner;
    uint32_t calls;
} Service;

/* Returns twice its argument, and if the argument is odd also adds what CODE + 0x80 returns. */
static void Twice(Machine *machine, void *context) {
    Service *service = context;
    uint32_t argument = Machine_Argument(machine, 0), answer = 2 * argument;
    service->calls++;
    if (argument & 1) {
        const MachineRegisters before = Machine_Context(machine)->registers;
        Machine_Call(machine, CODE + 0x80, 100, &service->inner);
        answer += Register(machine, MACHINE_EAX);
        Machine_Context(machine)->registers = before;
    }
    Machine_Context(machine)->registers.general[MACHINE_EAX] = answer;
}

/* push 4 or 5; call the service; ret */
static void CallsBack(Machine *machine, uint32_t argument, Service *service) {
    uint8_t code[] = {0x6A, (uint8_t)argument, 0xB8, 0, 0, 0, 0, 0xFF, 0xD0, 0xC3};
    uint32_t gate = Machine_AddService(machine, "Twice", 4, Twice, service);
    assert_int_not_equal(gate, 0);
    Bytes_PutU32(code + 3, gate);
    PutCode(machine, 0, code, sizeof code);
}

static void ServicesTakeArgumentsAndCallTheGuest(void **state) {
    Machine *machine = *state;
    static const uint8_t inner[] = {0xB8, 0x64, 0, 0, 0, 0xC3}; /* mov eax,100; ret */
    Service service = {.calls = 0};
    PutCode(machine, 0x80, inner, sizeof inner);
    CallsBack(machine, 4, &service);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Register(machine, MACHINE_EAX), 8);
    CallsBack(machine, 5, &service);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Register(machine, MACHINE_EAX), 110);
    assert_int_equal(service.inner.end, MACHINE_RETURNED);
    assert_int_equal(service.calls, 2);
    assert_int_equal(Register(machine, MACHINE_ESP), top - 0x40);
}

static void WhatHappensInAnInnerCallStaysThere(void **state) {
    Machine *machine = *state;
    static const uint8_t faults[] = {0x0F, 0x0B}, loops[] = {0xEB, 0xFE};
    Service service = {.calls = 0};
    CallsBack(machine, 5, &service);
    PutCode(machine, 0x80, faults, sizeof faults);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_FAULTED);
    PutCode(machine, 0x80, loops, sizeof loops);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_TIMED_OUT);
    /* This returns past the inner call, to where the outer call came from: add esp,4; jmp
     * 0FFF00000h */
    static const uint8_t escapes[] = {0x83, 0xC4, 4, 0xB8, 0, 0, 0xF0, 0xFF, 0xFF, 0xE0};
    PutCode(machine, 0x80, escapes, sizeof escapes);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_FAULTED);
    /* The inner call has only what is left of the outer call's budget. */
    PutCode(machine, 0x80, loops, sizeof loops);
    assert_int_equal(Call(machine, 0, 0, 50).end, MACHINE_TIMED_OUT);
}

static void TheEndOfTheProcessEndsAllCalls(void **state) {
    Machine *machine = *state;
    uint32_t exit = Machine_RowAddress(machine, services_windows.find("KERNEL32", "ExitProcess"));
    uint8_t inner[] = {0x6A, 9, 0xB8, 0, 0, 0, 0, 0xFF, 0xD0};
    Service service = {.calls = 0};
    Bytes_PutU32(inner + 3, exit);
    PutCode(machine, 0x80, inner, sizeof inner);
    CallsBack(machine, 5, &service);
    MachineResult result = Call(machine, 0, 0, 1000);
    assert_int_equal(result.end, MACHINE_EXITED);
    assert_int_equal(result.exit_code, 9);
    assert_int_equal(service.inner.end, MACHINE_EXITED);
    /* The next call is a new one. */
    CallsBack(machine, 4, &service);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
}

static void CallAgain(Machine *machine, void *context) {
    MachineResult *deepest = context, result;
    Machine_Call(machine, CODE, 100000, &result);
    if (result.end == MACHINE_LACKS && deepest->end != MACHINE_LACKS)
        *deepest = result;
}

static void CallsWithinCallsHaveALimit(void **state) {
    Machine *machine = *state;
    MachineResult deepest = {.end = MACHINE_RETURNED};
    uint8_t code[] = {0xB8, 0, 0, 0, 0, 0xFF, 0xD0, 0xC3};
    Bytes_PutU32(code + 1, Machine_AddService(machine, "CallAgain", 0, CallAgain, &deepest));
    PutCode(machine, 0, code, sizeof code);
    assert_int_equal(Call(machine, 0, 0, 100000).end, MACHINE_RETURNED);
    assert_int_equal(deepest.end, MACHINE_LACKS);
}

static void AnArgumentThatCannotBeReadEndsTheCall(void **state) {
    Machine *machine = *state;
    Service service = {.calls = 0};
    /* mov esp,top-4; jmp service: the argument would lie above the stack */
    uint8_t code[] = {0xBC, 0, 0, 0, 0, 0xB8, 0, 0, 0, 0, 0xFF, 0xE0};
    Bytes_PutU32(code + 1, top - 4);
    Bytes_PutU32(code + 6, Machine_AddService(machine, "Twice", 4, Twice, &service));
    PutCode(machine, 0, code, sizeof code);
    assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_FAULTED);
    assert_int_equal(Machine_Context(machine)->fault.target, top);
}

static void RestoreBringsBackAllThatCallsChange(void **state) {
    Machine *machine = *state;
    MachineContext *context = Machine_Context(machine);
    /* inc dword [10000F00h]; mov eax,GetTickCount; call eax; add eax,[10000F00h]; ret */
    uint8_t code[] = {0xFF, 0x05, 0x00, 0x0F, 0x00, 0x10, 0xB8, 0,    0,    0,
                      0,    0xFF, 0xD0, 0x03, 0x05, 0x00, 0x0F, 0x00, 0x10, 0xC3};
    Bytes_PutU32(code + 7,
                 Machine_RowAddress(machine, services_windows.find("KERNEL32", "GetTickCount")));
    PutCode(machine, 0, code, sizeof code);
    context->registers.vectors.mxcsr = 0x9FC0;
    context->registers.vectors.tags = 0x81;
    context->registers.eflags = MACHINE_DF;
    context->clock = 77;
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    const MachineRegisters before = context->registers;
    for (int round = 0; round < 3; round++) {
        uint32_t first = 0;
        for (int i = 0; i < 3; i++) {
            assert_int_equal(Call(machine, 0, 0, 1000).end, MACHINE_RETURNED);
            first = i == 0 ? Register(machine, MACHINE_EAX) : first;
        }
        assert_int_equal(first, 2); /* one millisecond and one call */
        context->clock = 99;
        context->fs_base = 0;
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
        assert_memory_equal(&context->registers, &before, sizeof before);
        assert_int_equal(context->clock, 77);
        assert_int_equal(context->fs_base, Machine_Process(machine)->thread_block);
    }
}

/* If code is patched between calls and then restored, the restored code has to be the code that
 * runs. */
static void RestoreBringsBackCode(void **state) {
    Machine *machine = *state;
    static const uint8_t one[] = {0xB8, 1, 0, 0, 0, 0xC3};
    const uint8_t two = 2;
    PutCode(machine, 0, one, sizeof one);
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(Call(machine, 0, 0, 100).end, MACHINE_RETURNED);
        assert_int_equal(Register(machine, MACHINE_EAX), 1);
        PutCode(machine, 1, &two, 1);
        assert_int_equal(Call(machine, 0, 0, 100).end, MACHINE_RETURNED);
        assert_int_equal(Register(machine, MACHINE_EAX), 2);
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    }
}

/* Calls lstrcpyA to overwrite code that has run already. */
static void CodeThatAServiceWritesIsTheCodeThatRuns(void **state) {
    Machine *machine = *state;
    static const uint8_t one[] = {0xB8, 1, 1, 1, 1, 0xC3}, two[] = {0xB8, 2, 2, 2, 2, 0xC3, 0};
    PutCode(machine, 0, one, sizeof one);
    PutCode(machine, 0x800, two, sizeof two);
    assert_int_equal(Call(machine, 0, 0, 100).end, MACHINE_RETURNED);
    assert_int_equal(Register(machine, MACHINE_EAX), 0x01010101);
    uint8_t copies[] = {0x68, 0,    8, 0, 0x10, 0x68, 0,    0,    0,
                        0x10, 0xB8, 0, 0, 0,    0,    0xFF, 0xD0, 0xC3};
    Bytes_PutU32(copies + 11,
                 Machine_RowAddress(machine, services_windows.find("KERNEL32", "lstrcpyA")));
    PutCode(machine, 0x400, copies, sizeof copies);
    MachineResult result;
    Machine_Call(machine, CODE + 0x400, 10000, &result);
    assert_int_equal(result.end, MACHINE_RETURNED);
    assert_int_equal(Call(machine, 0, 0, 100).end, MACHINE_RETURNED);
    assert_int_equal(Register(machine, MACHINE_EAX), 0x02020202);
}

static void TheThreadsBlockIsWhatARuntimeLooksAt(void **state) {
    Machine *machine = *state;
    const MachineProcess *process = Machine_Process(machine);
    MachineMemory *memory = Machine_Memory(machine);
    uint8_t block[0x40], header[0x100];
    uint32_t lowest;
    Machine_Stack(machine, &lowest, &top);
    assert_int_equal(top - lowest, 0x8000);
    assert_null(MachineMemory_At(memory, top));
    assert_true(MachineMemory_Read(memory, process->thread_block, block, 0x40, MACHINE_READ, NULL));
    assert_int_equal(Machine_Context(machine)->fs_base, process->thread_block);
    assert_int_equal(Bytes_U32(block), 0xFFFFFFFF);
    assert_int_equal(Bytes_U32(block + 4), top);
    assert_int_equal(Bytes_U32(block + 8), lowest);
    assert_int_equal(Bytes_U32(block + 0x18), process->thread_block);
    assert_int_equal(Bytes_U32(block + 0x30), process->process_block);
    assert_true(MachineMemory_Read(memory, process->program, header, 0x100, MACHINE_READ, NULL));
    assert_memory_equal(header, "MZ", 2);
    uint32_t pe = Bytes_U32(header + 0x3C);
    assert_memory_equal(header + pe, "PE\0", 4);
    assert_int_equal(header[pe + 24 + 2], 6); /* the linker's version */
}

#define BOTH(test)                                                                                 \
    {#test " translated", test, MakeTranslator, Destroy, NULL}, {                                  \
#test " interpreted", test, MakeInterpreter, Destroy, NULL                                 \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(AFunctionTakesItsArgumentsAndPopsThem),
        BOTH(AnEndlessLoopTimesOut),
        BOTH(GatesThatLeadToGatesTimeOut),
        BOTH(WhatIsNoGateFaults),
        BOTH(AFaultLeavesTheRegistersAsTheyWere),
        BOTH(AStackThatIsFullIsNamedSo),
        BOTH(ServicesTakeArgumentsAndCallTheGuest),
        BOTH(WhatHappensInAnInnerCallStaysThere),
        BOTH(TheEndOfTheProcessEndsAllCalls),
        BOTH(CallsWithinCallsHaveALimit),
        BOTH(AnArgumentThatCannotBeReadEndsTheCall),
        BOTH(RestoreBringsBackAllThatCallsChange),
        BOTH(RestoreBringsBackCode),
        BOTH(CodeThatAServiceWritesIsTheCodeThatRuns),
        BOTH(TheThreadsBlockIsWhatARuntimeLooksAt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
