/* Tests calls into the guest, services that call it back, and saving and restoring all of it. */
#include "tests/machine/fixture.h"

#include "core/bytes.h"

#include <stdio.h>
#include <string.h>

#define CODE 0x10000000u

const MachineFixture machine_fixture = {
    .options = {.force_cpu = -1, .stack_bytes = 0x8000},
    .regions = {{CODE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE}}};

/* Calls CODE with two arguments. */
static MachineResult Call(uint32_t a, uint32_t b, uint64_t budget) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = stack_top - 0x40;
    Put(stack_top - 0x40, a);
    Put(stack_top - 0x3C, b);
    Machine_Call(machine, CODE, budget, &result);
    return result;
}

/* Writes code in which `%08X` stands for a number. */
static void PutCodeWith(uint32_t number, const char *format) {
    char text[128];
    snprintf(text, sizeof text, format, number);
    PutCode(CODE, text);
}

TEST_IN_BOTH(AFunctionTakesItsArgumentsAndPopsThem) {
    /* mov eax,[esp+4]; sub eax,[esp+8]; ret 8 */
    PutCode(CODE, "8B 44 24 04 2B 44 24 08 C2 08 00");
    MachineResult result = Call(50, 8, 1000);
    assert_int_equal(result.end, MACHINE_RETURNED);
    assert_string_equal(result.reason, "");
    assert_int_equal(Register(MACHINE_EAX), 42);
    assert_int_equal(Register(MACHINE_ESP), stack_top - 0x40 + 8);
    /* a budget that is just enough, and one that is not */
    assert_int_equal(Call(50, 8, 3).end, MACHINE_RETURNED);
}

TEST_IN_BOTH(AnEndlessLoopTimesOut) {
    PutCode(CODE, "EB FE");
    assert_int_equal(Call(0, 0, 100000).end, MACHINE_TIMED_OUT);
}

/* mov eax,gate; push eax; jmp eax */
TEST_IN_BOTH(GatesThatLeadToGatesTimeOut) {
    PutCode(CODE, "B8 @GetTickCount 50 FF E0");
    /* The gate returns to itself once, and then to where the call came from. */
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Call(0, 0, 4).end, MACHINE_TIMED_OUT);
}

TEST_IN_BOTH(WhatIsNoGateFaults) {
    static const uint32_t targets[] = {MACHINE_GATES + 1, MACHINE_GATES_END - 16,
                                       MACHINE_GATES + 5 * MACHINE_GATE_STEP};
    for (int i = 0; i < 3; i++) {
        PutCodeWith(targets[i], "B8 $%08X FF E0");
        assert_int_equal(Call(0, 0, 1000).end, MACHINE_FAULTED);
        assert_int_equal(Machine_Context(machine)->fault.code, MACHINE_ACCESS_VIOLATION);
        assert_int_equal(Machine_Context(machine)->fault.target, targets[i]);
        assert_int_equal(Machine_Context(machine)->fault.access, MACHINE_EXECUTE);
    }
}

TEST_IN_BOTH(AFaultLeavesTheRegistersAsTheyWere) {
    /* mov ecx,7; mov [ecx],eax */
    PutCode(CODE, "B9 $00000007 89 01");
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_FAULTED);
    const MachineContext *context = Machine_Context(machine);
    assert_int_equal(context->fault.code, MACHINE_ACCESS_VIOLATION);
    assert_int_equal(context->fault.address, CODE + 5);
    assert_int_equal(context->fault.access, MACHINE_WRITE);
    assert_int_equal(context->fault.target, 7);
    assert_int_equal(context->registers.eip, CODE + 5);
    assert_int_equal(Register(MACHINE_ECX), 7);
    assert_int_equal(Register(MACHINE_ESP), stack_top - 0x44);
}

TEST_IN_BOTH(AStackThatIsFullIsNamedSo) {
    PutCode(CODE, "50 EB FD"); /* push eax, for ever */
    for (int round = 0; round < 2; round++) {
        assert_int_equal(Call(0, 0, 1000000).end, MACHINE_FAULTED);
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
static void Twice(Machine *called, void *context) {
    Service *service = context;
    MachineRegisters *registers = &Machine_Context(called)->registers;
    uint32_t argument = Machine_Argument(called, 0), answer = 2 * argument;
    service->calls++;
    if (argument & 1) {
        const MachineRegisters before = *registers;
        Machine_Call(called, CODE + 0x80, 100, &service->inner);
        answer += registers->general[MACHINE_EAX];
        *registers = before;
    }
    registers->general[MACHINE_EAX] = answer;
}

/* push 4 or 5; call the service; ret */
static void CallsBack(uint32_t argument, Service *service) {
    uint32_t gate = Machine_AddService(machine, "Twice", 4, Twice, service);
    assert_int_not_equal(gate, 0);
    PutCodeWith(gate, argument == 4 ? "6A 04 B8 $%08X FF D0 C3" : "6A 05 B8 $%08X FF D0 C3");
}

TEST_IN_BOTH(ServicesTakeArgumentsAndCallTheGuest) {
    Service service = {.calls = 0};
    PutCode(CODE + 0x80, "B8 $00000064 C3"); /* mov eax,100; ret */
    CallsBack(4, &service);
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 8);
    CallsBack(5, &service);
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 110);
    assert_int_equal(service.inner.end, MACHINE_RETURNED);
    assert_int_equal(service.calls, 2);
    assert_int_equal(Register(MACHINE_ESP), stack_top - 0x40);
}

TEST_IN_BOTH(WhatHappensInAnInnerCallStaysThere) {
    Service service = {.calls = 0};
    CallsBack(5, &service);
    PutCode(CODE + 0x80, "0F 0B");
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_FAULTED);
    PutCode(CODE + 0x80, "EB FE");
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_TIMED_OUT);
    /* This returns past the inner call, to where the outer call came from: add esp,4; jmp
     * 0FFF00000h */
    PutCode(CODE + 0x80, "83 C4 04 B8 $FFF00000 FF E0");
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
    assert_int_equal(service.inner.end, MACHINE_FAULTED);
    /* The inner call has only what is left of the outer call's budget. */
    PutCode(CODE + 0x80, "EB FE");
    assert_int_equal(Call(0, 0, 50).end, MACHINE_TIMED_OUT);
}

TEST_IN_BOTH(TheEndOfTheProcessEndsAllCalls) {
    Service service = {.calls = 0};
    PutCode(CODE + 0x80, "6A 09 B8 @ExitProcess FF D0");
    CallsBack(5, &service);
    MachineResult result = Call(0, 0, 1000);
    assert_int_equal(result.end, MACHINE_EXITED);
    assert_int_equal(result.exit_code, 9);
    assert_int_equal(service.inner.end, MACHINE_EXITED);
    /* The next call is a new one. */
    CallsBack(4, &service);
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
}

static void CallAgain(Machine *called, void *context) {
    MachineResult *deepest = context, result;
    Machine_Call(called, CODE, 100000, &result);
    if (result.end == MACHINE_LACKS && deepest->end != MACHINE_LACKS)
        *deepest = result;
}

TEST_IN_BOTH(CallsWithinCallsHaveALimit) {
    MachineResult deepest = {.end = MACHINE_RETURNED};
    PutCodeWith(Machine_AddService(machine, "CallAgain", 0, CallAgain, &deepest),
                "B8 $%08X FF D0 C3");
    assert_int_equal(Call(0, 0, 100000).end, MACHINE_RETURNED);
    assert_int_equal(deepest.end, MACHINE_LACKS);
}

TEST_IN_BOTH(AnArgumentThatCannotBeReadEndsTheCall) {
    Service service = {.calls = 0};
    /* mov esp,top-4; jmp service: the argument would lie above the stack */
    char code[64];
    snprintf(code, sizeof code, "BC $%08X B8 $%08X FF E0", stack_top - 4,
             Machine_AddService(machine, "Twice", 4, Twice, &service));
    PutCode(CODE, code);
    assert_int_equal(Call(0, 0, 1000).end, MACHINE_FAULTED);
    assert_int_equal(Machine_Context(machine)->fault.target, stack_top);
}

TEST_IN_BOTH(RestoreBringsBackAllThatCallsChange) {
    MachineContext *context = Machine_Context(machine);
    /* inc dword [10000F00h]; mov eax,GetTickCount; call eax; add eax,[10000F00h]; ret */
    PutCode(CODE, "FF 05 $10000F00 B8 @GetTickCount FF D0 03 05 $10000F00 C3");
    context->registers.vectors.mxcsr = 0x9FC0;
    context->registers.vectors.tags = 0x81;
    context->registers.eflags = MACHINE_DF;
    context->clock = 77;
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    const MachineRegisters before = context->registers;
    for (int round = 0; round < 3; round++) {
        uint32_t first = 0;
        for (int i = 0; i < 3; i++) {
            assert_int_equal(Call(0, 0, 1000).end, MACHINE_RETURNED);
            first = i == 0 ? Register(MACHINE_EAX) : first;
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
TEST_IN_BOTH(RestoreBringsBackCode) {
    PutCode(CODE, "B8 $00000001 C3");
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(Call(0, 0, 100).end, MACHINE_RETURNED);
        assert_int_equal(Register(MACHINE_EAX), 1);
        PutCode(CODE + 1, "02");
        assert_int_equal(Call(0, 0, 100).end, MACHINE_RETURNED);
        assert_int_equal(Register(MACHINE_EAX), 2);
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    }
}

/* Calls lstrcpyA to overwrite code that has run already. */
TEST_IN_BOTH(CodeThatAServiceWritesIsTheCodeThatRuns) {
    PutCode(CODE, "B8 $01010101 C3");
    PutCode(CODE + 0x800, "B8 $02020202 C3 00");
    assert_int_equal(Call(0, 0, 100).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 0x01010101);
    PutCode(CODE + 0x400, "68 $10000800 68 $10000000 B8 @lstrcpyA FF D0 C3");
    MachineResult result;
    Machine_Call(machine, CODE + 0x400, 10000, &result);
    assert_int_equal(result.end, MACHINE_RETURNED);
    assert_int_equal(Call(0, 0, 100).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 0x02020202);
}

TEST_IN_BOTH(TheThreadsBlockIsWhatARuntimeLooksAt) {
    const MachineProcess *process = Machine_Process(machine);
    MachineMemory *memory = Machine_Memory(machine);
    uint8_t block[0x40], header[0x100];
    uint32_t lowest;
    Machine_Stack(machine, &lowest, &stack_top);
    assert_int_equal(stack_top - lowest, 0x8000);
    assert_null(MachineMemory_At(memory, stack_top));
    assert_true(MachineMemory_Read(memory, process->thread_block, block, 0x40, MACHINE_READ, NULL));
    assert_int_equal(Machine_Context(machine)->fs_base, process->thread_block);
    assert_int_equal(Bytes_U32(block), 0xFFFFFFFF);
    assert_int_equal(Bytes_U32(block + 4), stack_top);
    assert_int_equal(Bytes_U32(block + 8), lowest);
    assert_int_equal(Bytes_U32(block + 0x18), process->thread_block);
    assert_int_equal(Bytes_U32(block + 0x30), process->process_block);
    assert_true(MachineMemory_Read(memory, process->program, header, 0x100, MACHINE_READ, NULL));
    assert_memory_equal(header, "MZ", 2);
    uint32_t pe = Bytes_U32(header + 0x3C);
    assert_memory_equal(header + pe, "PE\0", 4);
    assert_int_equal(header[pe + 24 + 2], 6); /* the linker's version */
}
