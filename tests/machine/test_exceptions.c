/* Tests exceptions. The code is 32-bit code; in front of each piece stands what it does. */
#include "tests/machine/fixture.h"

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

/* push fs:[0]; mov fs:[0],esp, after the address of a handler was pushed */
#define INSTALL "64 FF 35 $00000000 64 89 25 $00000000 "
/* pop fs:[0]; add esp,4 */
#define REMOVE "64 8F 05 $00000000 83 C4 04 "

static const struct {
    uint32_t at;
    const char *code;
} pieces[] = {
    {CONTINUES,
     /* push ebp; mov ebp,esp; installs h1; xor eax,eax; mov eax,[eax] */
     "55 89 E5 68 $10000026 " INSTALL "31 C0 8B 00 "
     /* resume: removes h1; pop ebp; ret */
     REMOVE "5D C3 "
     /* h1: mov ecx,[esp+12]; mov dword [ecx+0B8h],resume; mov dword [ecx+0B0h],42 */
     "8B 4C 24 0C C7 81 $000000B8 $1000001A C7 81 $000000B0 $0000002A "
     /* mov eax,[esp+4]; mov eax,[eax]; mov [seen],eax; xor eax,eax; ret */
     "8B 44 24 04 8B 00 A3 $100003F0 31 C0 C3"},
    {UNWINDS,
     /* push ebp; mov ebp,esp; push ebx; installs h2; call inner; mov eax,1; jmp leave_it */
     "55 89 E5 53 68 $10000155 " INSTALL "E8 $00000007 B8 $00000001 EB 4F "
     /* inner: installs h3; xor eax,eax; div eax */
     "68 $1000013A " INSTALL "31 C0 F7 F0 "
     /* h3: mov eax,[esp+4]; mov eax,[eax+4]; shl dword [seen],8; inc eax; add [seen],eax;
      * mov eax,1; ret */
     "8B 44 24 04 8B 40 04 C1 25 $100003F0 08 40 01 05 $100003F0 B8 $00000001 C3 "
     /* h2: mov ebx,[esp+8]; mov ecx,[esp+4]; RtlUnwind(ebx, after, ecx, 77) */
     "8B 5C 24 08 8B 4C 24 04 6A 4D 51 68 $1000016D 53 B8 @RtlUnwind FF D0 "
     /* after: mov esp,ebx; lea ebp,[ebx+12] */
     "89 DC 8D 6B 0C "
     /* leave_it: removes h2; pop ebx; pop ebp; ret */
     REMOVE "5B 5D C3"},
    {REFUSES,
     /* installs h4; ud2 */
     "68 $10000215 " INSTALL "0F 0B "
     /* h4: inc dword [seen]; mov eax,1; ret */
     "FF 05 $100003F0 B8 $00000001 C3"},
    /* mov ecx,[esp+4]; mov ecx,[ecx+4]; add dword [ecx+0B8h],2; inc dword [seen]; or eax,-1;
     * ret 4 */
    {VECTORED, "8B 4C 24 04 8B 49 04 83 81 $000000B8 02 FF 05 $100003F0 83 C8 FF C2 04 00"},
    {ILLEGALS, "0F 0B 0F 0B B8 $00000005 C3"}, /* ud2; ud2; mov eax,5; ret */
    {RAISES,
     /* installs h5; RaiseException(0E0000001h, 0, 2, numbers); removes h5; mov eax,[seen]; ret */
     "68 $100002F8 " INSTALL
     "68 $10000307 6A 02 6A 00 68 $E0000001 B8 @RaiseException FF D0 " REMOVE "A1 $100003F0 C3 "
     /* h5: mov ecx,[esp+4]; mov eax,[ecx+18h]; mov [seen],eax; xor eax,eax; ret; numbers: 7, 9 */
     "8B 4C 24 04 8B 41 18 A3 $100003F0 31 C0 C3 $00000007 $00000009"},
    {0x340, "50 E8 $FFFFFFFA"}, /* deep: push eax; call deep */
    {OVERFLOWS,
     /* push ebp; installs h6; call deep */
     "55 68 $10000379 " INSTALL "E8 $FFFFFFC7 "
     /* h6: mov eax,[esp+4]; mov eax,[eax]; mov [seen],eax; mov esp,[esp+8]; removes h6; pop ebp;
      * mov eax,3; ret */
     "8B 44 24 04 8B 00 A3 $100003F0 8B 64 24 08 " REMOVE "5D B8 $00000003 C3"},
    /* sub esp,8; mov [esp],esp; mov dword [esp+4],h4; mov fs:[0],esp; ud2 */
    {LOOPS, "83 EC 08 89 24 24 C7 44 24 04 $10000215 64 89 25 $00000000 0F 0B"},
};

static void PutPieces(void) {
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        PutCode(CODE + pieces[i].at, pieces[i].code);
}

const MachineFixture machine_fixture = {
    .options = {.force_cpu = -1},
    .regions = {{CODE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE}},
    .prepare = PutPieces};

/* Calls one of the pieces. */
static MachineResult Call(uint32_t offset) {
    MachineContext *context = Machine_Context(machine);
    MachineResult result;
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = stack_top - 0x100;
    context->registers.general[MACHINE_EBX] = 0x12345678;
    Machine_Call(machine, CODE + offset, 1000000, &result);
    return result;
}

TEST_IN_BOTH(AHandlerContinuesWithAChangedContext) {
    for (int round = 0; round < 3; round++) {
        assert_int_equal(Call(CONTINUES).end, MACHINE_RETURNED);
        assert_int_equal(Register(MACHINE_EAX), 42);
        assert_int_equal(Get(CODE + SEEN), MACHINE_ACCESS_VIOLATION);
        assert_int_equal(Get(Machine_Process(machine)->thread_block), NO_FRAME);
        assert_int_equal(Machine_Context(machine)->registers.general[MACHINE_EBX], 0x12345678);
    }
}

TEST_IN_BOTH(UnwindingTellsTheInnerFramesFirst) {
    assert_int_equal(Call(UNWINDS).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 77); /* the value that RtlUnwind was told to return */
    assert_int_equal(Get(CODE + SEEN), 0x103);
    assert_int_equal(Get(Machine_Process(machine)->thread_block), NO_FRAME);
    assert_int_equal(Machine_Context(machine)->registers.general[MACHINE_EBX], 0x12345678);
}

TEST_IN_BOTH(AnExceptionThatNobodyTakesEndsTheCallAsItBegan) {
    assert_int_equal(Call(REFUSES).end, MACHINE_FAULTED);
    const MachineContext *context = Machine_Context(machine);
    assert_int_equal(context->fault.code, MACHINE_ILLEGAL);
    assert_int_equal(context->fault.address, CODE + 0x213);
    assert_int_equal(context->registers.eip, CODE + 0x213);
    assert_int_equal(context->registers.vectors.control, 0x027F);
    assert_int_equal(Get(CODE + SEEN), 1);
    /* Nobody has taken the dead frame off the chain, and the next call must not meet it. */
    assert_int_equal(Get(Machine_Process(machine)->thread_block), NO_FRAME);
}

TEST_IN_BOTH(AChainThatLeadsIntoItselfEnds) {
    assert_int_equal(Call(LOOPS).end, MACHINE_FAULTED);
    assert_int_equal(Get(CODE + SEEN), 1);
}

TEST_IN_BOTH(AHandlerOfTheProcessIsAskedFirst) {
    MachineContext *context = Machine_Context(machine);
    const MachineRow *row = services_windows.find("KERNEL32", "AddVectoredExceptionHandler");
    const uint32_t arguments[3] = {0, 1, CODE + VECTORED};
    assert_true(MachineMemory_Write(Machine_Memory(machine), stack_top - 0x100, arguments,
                                    sizeof arguments, NULL));
    context->registers.general[MACHINE_ESP] = stack_top - 0x100;
    row->service(machine, NULL);
    assert_int_not_equal(Register(MACHINE_EAX), 0);
    assert_int_equal(Call(ILLEGALS).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 5);
    assert_int_equal(Get(CODE + SEEN), 2);
}

TEST_IN_BOTH(RaisedExceptionsCarryTheirParameters) {
    assert_int_equal(Call(RAISES).end, MACHINE_RETURNED);
    assert_int_equal(Register(MACHINE_EAX), 9);
}

TEST_IN_BOTH(AStackOverflowCanBeCaughtAndHappenAgain) {
    for (int round = 0; round < 2; round++) {
        assert_int_equal(Call(OVERFLOWS).end, MACHINE_RETURNED);
        assert_int_equal(Register(MACHINE_EAX), 3);
        assert_int_equal(Get(CODE + SEEN), MACHINE_STACK_OVERFLOW);
    }
}
