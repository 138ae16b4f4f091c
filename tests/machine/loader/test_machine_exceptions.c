/* Tests exceptions. The 32-bit code was assembled from the text that stands beside it. */
#include "machine/services/services.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define CODE      0x10000000u
#define CONTINUES 0x000u
#define UNWINDS   0x100u
#define REFUSES   0x200u
#define VECTORED  0x240u
#define ILLEGALS  0x280u
#define RAISES    0x2C0u
#define OVERFLOWS 0x360u
#define LOOPS     0x3A0u
#define SEEN      0x3F0u
#define NO_FRAME  0xFFFFFFFFu

/* continues:
 *   push ebp
 *   mov ebp, esp
 *   push offset h1
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   xor eax, eax
 *   mov eax, [eax]
 * resume:
 *   pop dword ptr fs:[0]
 *   add esp, 4
 *   pop ebp
 *   ret
 * h1:
 *   mov ecx, [esp+12]
 *   mov dword ptr [ecx+0xB8], offset resume
 *   mov dword ptr [ecx+0xB0], 42
 *   mov eax, [esp+4]
 *   mov eax, [eax]
 *   mov [seen], eax
 *   xor eax, eax
 *   ret
 * .org 0x100
 *
 * unwinds:
 *   push ebp
 *   mov ebp, esp
 *   push ebx
 *   push offset h2
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   call inner
 *   mov eax, 1
 *   jmp leave_it
 * inner:
 *   push offset h3
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   xor eax, eax
 *   div eax
 * h3:
 *   mov eax, [esp+4]
 *   mov eax, [eax+4]
 *   shl dword ptr [seen], 8
 *   inc eax
 *   add [seen], eax
 *   mov eax, 1
 *   ret
 * h2:
 *   mov ebx, [esp+8]
 *   mov ecx, [esp+4]
 *   push 77
 *   push ecx
 *   push offset after
 *   push ebx
 *   mov eax, 0xFFFF0000
 *   call eax
 * after:
 *   mov esp, ebx
 *   lea ebp, [ebx+12]
 * leave_it:
 *   pop dword ptr fs:[0]
 *   add esp, 4
 *   pop ebx
 *   pop ebp
 *   ret
 * .org 0x200
 *
 * refuses:
 *   push offset h4
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   ud2
 * h4:
 *   inc dword ptr [seen]
 *   mov eax, 1
 *   ret
 * .org 0x240
 * vectored:
 *   mov ecx, [esp+4]
 *   mov ecx, [ecx+4]
 *   add dword ptr [ecx+0xB8], 2
 *   inc dword ptr [seen]
 *   or eax, -1
 *   ret 4
 * .org 0x280
 * two_illegals:
 *   ud2
 *   ud2
 *   mov eax, 5
 *   ret
 * .org 0x2C0
 * raises:
 *   push offset h5
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   push offset numbers
 *   push 2
 *   push 0
 *   push 0xE0000001
 *   mov eax, 0xFFFF0000
 *   call eax
 *   pop dword ptr fs:[0]
 *   add esp, 4
 *   mov eax, [seen]
 *   ret
 * h5:
 *   mov ecx, [esp+4]
 *   mov eax, [ecx+0x18]
 *   mov [seen], eax
 *   xor eax, eax
 *   ret
 * numbers: .long 7, 9
 * .org 0x340
 * deep:
 *   push eax
 *   call deep
 * .org 0x360
 * overflow_guard:
 *   push ebp
 *   push offset h6
 *   push dword ptr fs:[0]
 *   mov fs:[0], esp
 *   call deep
 * h6:
 *   mov eax, [esp+4]
 *   mov eax, [eax]
 *   mov [seen], eax
 *   mov esp, [esp+8]
 *   pop dword ptr fs:[0]
 *   add esp, 4
 *   pop ebp
 *   mov eax, 3
 *   ret
 * .org 0x3A0
 * self_chain:
 *   sub esp, 8
 *   mov [esp], esp
 *   mov dword ptr [esp+4], offset h4
 *   mov fs:[0], esp
 *   ud2
 * .org 0x3F0
 * seen: .long 0 */
static const uint8_t code[0x3F4] = {
    [0x000] = 0x55, 0x89,           0xE5,           0x68,           0x26,           0x00,
    0x00,           0x10,           0x64,           0xFF,           0x35,           0x00,
    0x00,           0x00,           0x00,           0x64,           0x89,           0x25,
    0x00,           0x00,           0x00,           0x00,           0x31,           0xC0,
    0x8B,           0x00,           0x64,           0x8F,           0x05,           0x00,
    0x00,           0x00,           0x00,           0x83,           0xC4,           0x04,
    0x5D,           0xC3,           0x8B,           0x4C,           0x24,           0x0C,
    0xC7,           0x81,           0xB8,           0x00,           0x00,           0x00,
    0x1A,           0x00,           0x00,           0x10,           0xC7,           0x81,
    0xB0,           0x00,           0x00,           0x00,           0x2A,           0x00,
    0x00,           0x00,           0x8B,           0x44,           0x24,           0x04,
    0x8B,           0x00,           0xA3,           0xF0,           0x03,           0x00,
    0x10,           0x31,           0xC0,           0xC3,           [0x100] = 0x55, 0x89,
    0xE5,           0x53,           0x68,           0x55,           0x01,           0x00,
    0x10,           0x64,           0xFF,           0x35,           0x00,           0x00,
    0x00,           0x00,           0x64,           0x89,           0x25,           0x00,
    0x00,           0x00,           0x00,           0xE8,           0x07,           0x00,
    0x00,           0x00,           0xB8,           0x01,           0x00,           0x00,
    0x00,           0xEB,           0x4F,           0x68,           0x3A,           0x01,
    0x00,           0x10,           0x64,           0xFF,           0x35,           0x00,
    0x00,           0x00,           0x00,           0x64,           0x89,           0x25,
    0x00,           0x00,           0x00,           0x00,           0x31,           0xC0,
    0xF7,           0xF0,           0x8B,           0x44,           0x24,           0x04,
    0x8B,           0x40,           0x04,           0xC1,           0x25,           0xF0,
    0x03,           0x00,           0x10,           0x08,           0x40,           0x01,
    0x05,           0xF0,           0x03,           0x00,           0x10,           0xB8,
    0x01,           0x00,           0x00,           0x00,           0xC3,           0x8B,
    0x5C,           0x24,           0x08,           0x8B,           0x4C,           0x24,
    0x04,           0x6A,           0x4D,           0x51,           0x68,           0x6D,
    0x01,           0x00,           0x10,           0x53,           0xB8,           0x00,
    0x00,           0xFF,           0xFF,           0xFF,           0xD0,           0x89,
    0xDC,           0x8D,           0x6B,           0x0C,           0x64,           0x8F,
    0x05,           0x00,           0x00,           0x00,           0x00,           0x83,
    0xC4,           0x04,           0x5B,           0x5D,           0xC3,           [0x200] = 0x68,
    0x15,           0x02,           0x00,           0x10,           0x64,           0xFF,
    0x35,           0x00,           0x00,           0x00,           0x00,           0x64,
    0x89,           0x25,           0x00,           0x00,           0x00,           0x00,
    0x0F,           0x0B,           0xFF,           0x05,           0xF0,           0x03,
    0x00,           0x10,           0xB8,           0x01,           0x00,           0x00,
    0x00,           0xC3,           [0x240] = 0x8B, 0x4C,           0x24,           0x04,
    0x8B,           0x49,           0x04,           0x83,           0x81,           0xB8,
    0x00,           0x00,           0x00,           0x02,           0xFF,           0x05,
    0xF0,           0x03,           0x00,           0x10,           0x83,           0xC8,
    0xFF,           0xC2,           0x04,           [0x280] = 0x0F, 0x0B,           0x0F,
    0x0B,           0xB8,           0x05,           0x00,           0x00,           0x00,
    0xC3,           [0x2C0] = 0x68, 0xF8,           0x02,           0x00,           0x10,
    0x64,           0xFF,           0x35,           0x00,           0x00,           0x00,
    0x00,           0x64,           0x89,           0x25,           0x00,           0x00,
    0x00,           0x00,           0x68,           0x07,           0x03,           0x00,
    0x10,           0x6A,           0x02,           0x6A,           0x00,           0x68,
    0x01,           0x00,           0x00,           0xE0,           0xB8,           0x00,
    0x00,           0xFF,           0xFF,           0xFF,           0xD0,           0x64,
    0x8F,           0x05,           0x00,           0x00,           0x00,           0x00,
    0x83,           0xC4,           0x04,           0xA1,           0xF0,           0x03,
    0x00,           0x10,           0xC3,           0x8B,           0x4C,           0x24,
    0x04,           0x8B,           0x41,           0x18,           0xA3,           0xF0,
    0x03,           0x00,           0x10,           0x31,           0xC0,           0xC3,
    0x07,           0x00,           0x00,           0x00,           0x09,           [0x340] = 0x50,
    0xE8,           0xFA,           0xFF,           0xFF,           0xFF,           [0x360] = 0x55,
    0x68,           0x79,           0x03,           0x00,           0x10,           0x64,
    0xFF,           0x35,           0x00,           0x00,           0x00,           0x00,
    0x64,           0x89,           0x25,           0x00,           0x00,           0x00,
    0x00,           0xE8,           0xC7,           0xFF,           0xFF,           0xFF,
    0x8B,           0x44,           0x24,           0x04,           0x8B,           0x00,
    0xA3,           0xF0,           0x03,           0x00,           0x10,           0x8B,
    0x64,           0x24,           0x08,           0x64,           0x8F,           0x05,
    0x00,           0x00,           0x00,           0x00,           0x83,           0xC4,
    0x04,           0x5D,           0xB8,           0x03,           0x00,           0x00,
    0x00,           0xC3,           [0x3A0] = 0x83, 0xEC,           0x08,           0x89,
    0x24,           0x24,           0xC7,           0x44,           0x24,           0x04,
    0x15,           0x02,           0x00,           0x10,           0x64,           0x89,
    0x25,           0x00,           0x00,           0x00,           0x00,           0x0F,
    0x0B,
};

static void PutAddress(uint8_t *bytes, uint32_t address) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(address >> 8 * i);
}

static int Make(void **state, MachineEngine engine) {
    const MachineOptions options = {.engine = engine, .system = &services_windows, .force_cpu = -1};
    Machine *machine;
    uint8_t bytes[sizeof code];
    if (Machine_Create(&options, &machine, NULL))
        return 1;
    memcpy(bytes, code, sizeof code);
    PutAddress(bytes + 0x167,
               Machine_RowAddress(machine, services_windows.find("KERNEL32", "RtlUnwind")));
    PutAddress(bytes + 0x2E2,
               Machine_RowAddress(machine, services_windows.find("KERNEL32", "RaiseException")));
    MachineMemory *memory = Machine_Memory(machine);
    const uint32_t all = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
    if (!MachineMemory_Map(memory, CODE, MACHINE_PAGE, all) ||
        !MachineMemory_Write(memory, CODE, bytes, sizeof bytes, NULL))
        return 1;
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

static uint32_t Get(Machine *machine, uint32_t address) {
    uint32_t value;
    assert_true(
        MachineMemory_Read(Machine_Memory(machine), address, &value, 4, MACHINE_READ, NULL));
    return value;
}

/* Calls code with the registers of a new thread, so that each call begins in the same way. */
static MachineResult Call(Machine *machine, uint32_t offset) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    uint32_t lowest, top;
    MachineRegisters_Init(&context->registers);
    Machine_Stack(machine, &lowest, &top);
    context->registers.general[MACHINE_ESP] = top - 0x100;
    context->registers.general[MACHINE_EBX] = 0x12345678;
    Machine_Call(machine, CODE + offset, 1000000, &result);
    return result;
}

static uint32_t Eax(Machine *machine) {
    return Machine_Context(machine)->registers.general[MACHINE_EAX];
}

static void AHandlerContinuesWithAChangedContext(void **state) {
    Machine *machine = *state;
    for (int round = 0; round < 3; round++) {
        assert_int_equal(Call(machine, CONTINUES).end, MACHINE_RETURNED);
        assert_int_equal(Eax(machine), 42);
        assert_int_equal(Get(machine, CODE + SEEN), MACHINE_ACCESS_VIOLATION);
        assert_int_equal(Get(machine, Machine_Process(machine)->thread_block), NO_FRAME);
        assert_int_equal(Machine_Context(machine)->registers.general[MACHINE_EBX], 0x12345678);
    }
}

static void UnwindingTellsTheInnerFramesFirst(void **state) {
    Machine *machine = *state;
    assert_int_equal(Call(machine, UNWINDS).end, MACHINE_RETURNED);
    assert_int_equal(Eax(machine), 77); /* the value that RtlUnwind was told to return */
    assert_int_equal(Get(machine, CODE + SEEN), 0x103);
    assert_int_equal(Get(machine, Machine_Process(machine)->thread_block), NO_FRAME);
    assert_int_equal(Machine_Context(machine)->registers.general[MACHINE_EBX], 0x12345678);
}

static void AnExceptionThatNobodyTakesEndsTheCallAsItBegan(void **state) {
    Machine *machine = *state;
    assert_int_equal(Call(machine, REFUSES).end, MACHINE_FAULTED);
    const MachineContext *context = Machine_Context(machine);
    assert_int_equal(context->fault.code, MACHINE_ILLEGAL);
    assert_int_equal(context->fault.address, CODE + 0x213);
    assert_int_equal(context->registers.eip, CODE + 0x213);
    assert_int_equal(context->registers.vectors.control, 0x027F);
    assert_int_equal(Get(machine, CODE + SEEN), 1);
    /* Nobody has taken the dead frame off the chain, and the next call must not meet it. */
    assert_int_equal(Get(machine, Machine_Process(machine)->thread_block), NO_FRAME);
}

static void AChainThatLeadsIntoItselfEnds(void **state) {
    Machine *machine = *state;
    assert_int_equal(Call(machine, LOOPS).end, MACHINE_FAULTED);
    assert_int_equal(Get(machine, CODE + SEEN), 1);
}

static void AHandlerOfTheProcessIsAskedFirst(void **state) {
    Machine *machine = *state;
    MachineContext *context = Machine_Context(machine);
    const MachineRow *row = services_windows.find("KERNEL32", "AddVectoredExceptionHandler");
    uint32_t lowest, top;
    Machine_Stack(machine, &lowest, &top);
    const uint32_t arguments[3] = {0, 1, CODE + VECTORED};
    assert_true(MachineMemory_Write(Machine_Memory(machine), top - 0x100, arguments,
                                    sizeof arguments, NULL));
    context->registers.general[MACHINE_ESP] = top - 0x100;
    row->service(machine, NULL);
    assert_int_not_equal(Eax(machine), 0);
    assert_int_equal(Call(machine, ILLEGALS).end, MACHINE_RETURNED);
    assert_int_equal(Eax(machine), 5);
    assert_int_equal(Get(machine, CODE + SEEN), 2);
}

static void RaisedExceptionsCarryTheirParameters(void **state) {
    Machine *machine = *state;
    assert_int_equal(Call(machine, RAISES).end, MACHINE_RETURNED);
    assert_int_equal(Eax(machine), 9);
}

static void AStackOverflowCanBeCaughtAndHappenAgain(void **state) {
    Machine *machine = *state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(Call(machine, OVERFLOWS).end, MACHINE_RETURNED);
        assert_int_equal(Eax(machine), 3);
        assert_int_equal(Get(machine, CODE + SEEN), MACHINE_STACK_OVERFLOW);
    }
}

#define BOTH(test)                                                                                 \
    {#test " translated", test, MakeTranslator, Destroy, NULL}, {                                  \
#test " interpreted", test, MakeInterpreter, Destroy, NULL                                 \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(AHandlerContinuesWithAChangedContext),
        BOTH(UnwindingTellsTheInnerFramesFirst),
        BOTH(AnExceptionThatNobodyTakesEndsTheCallAsItBegan),
        BOTH(AChainThatLeadsIntoItselfEnds),
        BOTH(AHandlerOfTheProcessIsAskedFirst),
        BOTH(RaisedExceptionsCarryTheirParameters),
        BOTH(AStackOverflowCanBeCaughtAndHappenAgain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
