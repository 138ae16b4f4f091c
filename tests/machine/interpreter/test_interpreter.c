/* Tests what the interpreter does where instructions meet memory, prefixes, the stack, faults and
 * the processor's profile. Most cases are mistakes that others made in emulators. */
#include "core/random.h"
#include "machine/interpreter/interpreter.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOW     0x00001000u /* two pages for 16-bit addresses */
#define CODE    0x00400000u /* a page with all rights, and behind it one without execution */
#define DATA    0x00500000u /* a page to write, one to read, and nothing behind them */
#define FIXED   (DATA + MACHINE_PAGE)
#define STACK   0x00601000u /* the end of a page; nothing behind it */
#define NOTHING 0x00700000u
#define THREAD  0x00800000u

#define ALL (MACHINE_CF | MACHINE_PF | MACHINE_AF | MACHINE_ZF | MACHINE_SF | MACHINE_OF)

static MachineMemory *memory;
static Interpreter *interpreter;
static MachineContext context;
static uint32_t *const general = context.registers.general;

static void Map(uint32_t address, uint32_t pages, uint32_t protection) {
    assert_int_equal(MachineMemory_Map(memory, address, pages * MACHINE_PAGE, protection), address);
}

static int SetUpMemory(MachineMemory *created) {
    RpError error;
    memory = created;
    assert_int_equal(Interpreter_Create(memory, &interpreter, &error), RP_OK);
    Map(LOW, 2, MACHINE_READ | MACHINE_WRITE);
    Map(CODE, 2, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE);
    Map(DATA, 2, MACHINE_READ | MACHINE_WRITE);
    Map(STACK - MACHINE_PAGE, 1, MACHINE_READ | MACHINE_WRITE);
    Map(THREAD, 1, MACHINE_READ | MACHINE_WRITE);
    MachineMemory_Protect(memory, CODE + MACHINE_PAGE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE);
    MachineMemory_Protect(memory, FIXED, MACHINE_PAGE, MACHINE_READ);

    memset(&context, 0, sizeof context);
    MachineRegisters_Init(&context.registers);
    context.memory = memory;
    context.profile = MachineProfile_Find("pentium4");
    context.fs_base = THREAD;
    context.budget = 1000;
    general[MACHINE_ESP] = STACK - 0x100;
    return 0;
}

static int SetUp(void **state) {
    (void)state;
    RpError error;
    MachineMemory *created;
    assert_int_equal(MachineMemory_Create(1u << 24, &created, &error), RP_OK);
    return SetUpMemory(created);
}

/* Each region is a block of the heap, whose bounds AddressSanitizer knows. */
static int SetUpScattered(void **state) {
    (void)state;
    RpError error;
    MachineMemory *created;
    assert_int_equal(MachineMemory_CreateScattered(1u << 24, &created, &error), RP_OK);
    return SetUpMemory(created);
}

static int TearDown(void **state) {
    (void)state;
    Interpreter_Destroy(interpreter);
    MachineMemory_Destroy(memory);
    return 0;
}

static void Poke(uint32_t address, uint32_t value) {
    assert_true(MachineMemory_Write(memory, address, &value, 4, NULL));
}

static uint32_t Peek(uint32_t address) {
    uint32_t value = 0;
    assert_true(MachineMemory_Read(memory, address, &value, 4, MACHINE_READ, NULL));
    return value;
}

/* Puts bytes such as "83 C0 01" to an address, and sets EIP to it. Returns the number of bytes. */
static uint32_t CodeAt(uint32_t address, const char *hex) {
    uint8_t bytes[128];
    uint32_t size = 0;
    for (char *end; *hex; hex = end) {
        bytes[size] = (uint8_t)strtoul(hex, &end, 16);
        if (end == hex)
            break;
        size++;
    }
    for (uint32_t i = 0; i < size; i++) {
        uint8_t *byte = MachineMemory_At(memory, address + i);
        assert_non_null(byte);
        *byte = bytes[i];
    }
    Interpreter_Forget(interpreter, address, size);
    context.registers.eip = address;
    return size;
}

/* Executes one instruction, which must succeed and leave EIP behind it. */
static void Do(const char *hex) {
    uint32_t size = CodeAt(CODE, hex);
    assert_true(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.registers.eip, CODE + size);
}

/* Executes one instruction, which must succeed and lead there. */
static void GoesTo(uint32_t address, const char *hex, uint32_t target) {
    CodeAt(address, hex);
    assert_true(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.registers.eip, target);
}

/* Executes one instruction, which must fault and leave all registers as they were. */
static void Faults(const char *hex, uint32_t code, uint32_t access, uint32_t target) {
    CodeAt(CODE, hex);
    MachineRegisters before = context.registers;
    context.fault = (MachineFault){0};
    bool done = Interpreter_Step(interpreter, &context);
    if (done || context.fault.code != code)
        fprintf(stderr, "%s\n", hex);
    assert_false(done);
    assert_int_equal(context.fault.code, code);
    assert_int_equal(context.fault.address, CODE);
    assert_int_equal(context.fault.access, access);
    assert_int_equal(context.fault.target, target);
    assert_memory_equal(&context.registers, &before, sizeof before);
}

static void Raises(const char *hex, uint32_t code) {
    Faults(hex, code, 0, 0);
}

static void Protects(const char *hex) {
    Faults(hex, MACHINE_ACCESS_VIOLATION, MACHINE_READ, 0xFFFFFFFFu);
}

static void FaultsAt(const char *hex, uint32_t access, uint32_t target) {
    Faults(hex, MACHINE_ACCESS_VIOLATION, access, target);
}

static uint32_t Status(void) {
    return context.registers.eflags & ALL;
}

/* ---- the stack ------------------------------------------------------------------------------- */

TEST(PopToAnAddressAtEspUsesTheEspBehindThePop) {
    uint32_t esp = general[MACHINE_ESP];
    Poke(esp, 0x11111111);
    Do("8F 44 24 08"); /* pop [esp+8] */
    assert_int_equal(general[MACHINE_ESP], esp + 4);
    assert_int_equal(Peek(esp + 12), 0x11111111);
    Do("FF 74 24 08"); /* push [esp+8], with the value of ESP from before the push */
    assert_int_equal(Peek(esp), 0x11111111);
    /* A pop whose store faults moves nothing. */
    general[MACHINE_EBX] = FIXED;
    FaultsAt("8F 03", MACHINE_WRITE, FIXED);
}

TEST(EspItselfIsPushedAndPoppedWhole) {
    uint32_t esp = general[MACHINE_ESP];
    Do("54"); /* push esp */
    assert_int_equal(Peek(esp - 4), esp);
    Poke(esp - 4, 0x12345678);
    Do("5C"); /* pop esp: the value wins over the addition */
    assert_int_equal(general[MACHINE_ESP], 0x12345678);
    general[MACHINE_ESP] = esp;
    Do("60"); /* pushad stores ESP as it was */
    assert_int_equal(Peek(esp - 20), esp);
    Poke(esp - 20, 0);
    general[MACHINE_EDI] = 7;
    Do("61"); /* popad skips it */
    assert_int_equal(general[MACHINE_ESP], esp);
    assert_int_equal(general[MACHINE_EDI], 0);
    general[MACHINE_EAX] = 0xAAAA5555;
    Do("66 60");
    assert_int_equal(general[MACHINE_ESP], esp - 16);
    general[MACHINE_EAX] = 0x12340000;
    Do("66 61");
    assert_int_equal(general[MACHINE_EAX], 0x12345555);
    assert_int_equal(general[MACHINE_ESP], esp);
}

TEST(StackInstructionsThatFaultHalfwayWriteNothing) {
    uint32_t low = STACK - MACHINE_PAGE;
    Poke(low, 0x77777777);
    general[MACHINE_ESP] = low + 4;
    FaultsAt("60", MACHINE_WRITE, low - 4);
    FaultsAt("FF 35 00 00 70 00", MACHINE_READ, NOTHING);
    general[MACHINE_ESP] = low + 8;
    general[MACHINE_EBP] = STACK - 16;
    FaultsAt("C8 00 00 03", MACHINE_WRITE, low - 8);
    assert_int_equal(Peek(low), 0x77777777);
    general[MACHINE_EBP] = NOTHING;
    general[MACHINE_ESP] = low + 256;
    Poke(low + 252, 0x55555555);
    FaultsAt("C8 00 00 03", MACHINE_READ, NOTHING - 8);
    assert_int_equal(Peek(low + 252), 0x55555555);
    general[MACHINE_ESP] = STACK - 8;
    FaultsAt("61", MACHINE_READ, STACK);
    general[MACHINE_ESP] = low;
    FaultsAt("E8 00 00 00 00", MACHINE_WRITE, low - 4);
    general[MACHINE_EBP] = NOTHING;
    FaultsAt("C9", MACHINE_READ, NOTHING);
    general[MACHINE_ESP] = STACK;
    FaultsAt("C3", MACHINE_READ, STACK);
    /* ENTER touches the end of the frame that it makes. */
    general[MACHINE_ESP] = low + 64;
    FaultsAt("C8 00 01 00", MACHINE_WRITE, low + 64 - 4 - 256);
}

TEST(EnterCopiesTheLinksOfOuterFrames) {
    uint32_t esp = general[MACHINE_ESP], ebp = STACK - 32;
    general[MACHINE_EBP] = ebp;
    Poke(ebp - 4, 0xAAAA);
    Poke(ebp - 8, 0xBBBB);
    Do("C8 10 00 03");
    assert_int_equal(Peek(esp - 4), ebp);
    assert_int_equal(Peek(esp - 8), 0xAAAA);
    assert_int_equal(Peek(esp - 12), 0xBBBB);
    assert_int_equal(Peek(esp - 16), esp - 4);
    assert_int_equal(general[MACHINE_EBP], esp - 4);
    assert_int_equal(general[MACHINE_ESP], esp - 32);
    Do("C9");
    assert_int_equal(general[MACHINE_EBP], ebp);
    assert_int_equal(general[MACHINE_ESP], esp);
    /* With 16 bits BP is pushed and changed, through the whole of ESP. */
    Do("66 C8 04 00 00");
    assert_int_equal(Peek(esp - 4) >> 16, ebp & 0xFFFF);
    assert_int_equal(general[MACHINE_EBP], (ebp & 0xFFFF0000) | ((esp - 2) & 0xFFFF));
    assert_int_equal(general[MACHINE_ESP], esp - 6);
    Do("66 C9");
    assert_int_equal(general[MACHINE_ESP], esp);
    assert_int_equal(general[MACHINE_EBP], ebp);
    /* ENTER takes the level modulo 32. */
    Do("C8 00 00 20");
    assert_int_equal(general[MACHINE_ESP], esp - 4);
}

TEST(PopfChangesWhatUserCodeMayChange) {
    uint32_t esp = general[MACHINE_ESP];
    Poke(esp, 0xFFFFFFFF & ~MACHINE_TF);
    Do("9D");
    uint32_t all = ALL | MACHINE_DF | MACHINE_NT | MACHINE_AC | MACHINE_ID;
    assert_int_equal(context.registers.eflags, all);
    Do("9C"); /* the fixed bit and IF are set, IOPL is not */
    assert_int_equal(Peek(esp), all | MACHINE_FIXED | MACHINE_IF);
    Poke(esp, 0);
    Do("66 9D"); /* the upper half stays */
    assert_int_equal(context.registers.eflags, MACHINE_AC | MACHINE_ID);
    assert_int_equal(general[MACHINE_ESP], esp + 2);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

TEST(DecimalInstructionsAdjustAllOfAx) {
    general[MACHINE_EAX] = 0x010000FF;
    Do("37"); /* aaa: AX + 0x106 */
    assert_int_equal(general[MACHINE_EAX], 0x01000205);
    assert_int_equal(Status() & (MACHINE_CF | MACHINE_AF), MACHINE_CF | MACHINE_AF);
    general[MACHINE_EAX] = 0x0205;
    context.registers.eflags = MACHINE_AF;
    Do("3F"); /* aas: AX - 6 borrows from AH */
    assert_int_equal(general[MACHINE_EAX], 0x000F);
    general[MACHINE_EAX] = 0x0305;
    context.registers.eflags = 0;
    Do("37");
    assert_int_equal(general[MACHINE_EAX], 0x0305);
    assert_int_equal(Status(), MACHINE_PF);
    general[MACHINE_EAX] = 0xFF;
    Do("D4 10"); /* aam with base 16 */
    assert_int_equal(general[MACHINE_EAX], 0x0F0F);
    Do("D5 10");
    assert_int_equal(general[MACHINE_EAX], 0x00FF);
    Raises("D4 00", MACHINE_INTEGER_DIVIDE);
    general[MACHINE_EAX] = 0x9A;
    context.registers.eflags = 0;
    Do("27"); /* daa */
    assert_int_equal(general[MACHINE_EAX], 0);
    assert_int_equal(Status(), MACHINE_CF | MACHINE_AF | MACHINE_ZF | MACHINE_PF);
    general[MACHINE_EAX] = 0x05;
    context.registers.eflags = MACHINE_AF;
    Do("2F"); /* das: the borrow of the lower digit is the carry */
    assert_int_equal(general[MACHINE_EAX], 0xFF);
    assert_int_equal(Status(), MACHINE_CF | MACHINE_AF | MACHINE_SF | MACHINE_PF);
}

TEST(WindowsTellsDivisionByZeroFromOverflow) {
    general[MACHINE_EAX] = 0x80000000;
    general[MACHINE_EDX] = 0xFFFFFFFF;
    general[MACHINE_EBX] = 0;
    Raises("F7 F3", MACHINE_INTEGER_DIVIDE);
    Raises("F7 FB", MACHINE_INTEGER_DIVIDE);
    Raises("F6 F3", MACHINE_INTEGER_DIVIDE);
    general[MACHINE_EBX] = 0xFFFFFFFF;
    Raises("F7 FB", MACHINE_INTEGER_OVERFLOW);
    Raises("F7 F3", MACHINE_INTEGER_OVERFLOW);
    general[MACHINE_EDX] = 0x80000000;
    general[MACHINE_EAX] = 0;
    Raises("F7 FB", MACHINE_INTEGER_OVERFLOW); /* -2^63 by -1 */
}

TEST(ShiftsByCountsAtTheEdges) {
    general[MACHINE_EAX] = 0x12345678;
    context.registers.eflags = ALL;
    Do("66 0F A4 C8 00"); /* shld ax, cx, 0 changes nothing */
    Do("C1 E0 20");
    assert_int_equal(Status(), ALL);
    general[MACHINE_ECX] = 0xABCD;
    Do("66 0F A4 C8 10"); /* 16 is the last defined one */
    assert_int_equal(general[MACHINE_EAX], 0x1234ABCD);
    general[MACHINE_EAX] = 0xA5;
    context.registers.eflags = MACHINE_CF;
    Do("C0 D0 09"); /* rcl al, 9 goes round */
    assert_int_equal(general[MACHINE_EAX], 0xA5);
    assert_int_equal(Status() & MACHINE_CF, MACHINE_CF);
    Do("C0 D0 0A"); /* by 10, which is the same as by 1 */
    assert_int_equal(general[MACHINE_EAX], 0x4B);
    general[MACHINE_EAX] = 0x8001;
    context.registers.eflags = 0;
    Do("66 C1 D8 12"); /* rcr ax, 18, which is the same as by 1 */
    assert_int_equal(general[MACHINE_EAX], 0x4000);
    assert_int_equal(Status() & MACHINE_CF, MACHINE_CF);
}

TEST(ScansOfZeroKeepTheDestination) {
    general[MACHINE_EAX] = 77;
    general[MACHINE_ECX] = 0;
    Do("0F BC C1");
    assert_int_equal(Status() & MACHINE_ZF, MACHINE_ZF);
    Do("0F BD C1");
    assert_int_equal(general[MACHINE_EAX], 77);
    /* What later processors call TZCNT and LZCNT is BSF and BSR with a useless prefix. */
    general[MACHINE_ECX] = 0x00010000;
    Do("F3 0F BC C1");
    assert_int_equal(general[MACHINE_EAX], 16);
    Do("F3 0F BD C1");
    assert_int_equal(general[MACHINE_EAX], 16);
}

TEST(BitOffsetsLeadFarOutsideOfTheOperand) {
    general[MACHINE_EBX] = DATA + 0x800;
    general[MACHINE_EAX] = (uint32_t)-0x2000;
    Do("0F AB 03"); /* bts [ebx], eax */
    assert_int_equal(Peek(DATA + 0x400), 1);
    general[MACHINE_EAX] = 0x1F05;
    Do("0F AB 03");
    assert_int_equal(Peek(DATA + 0x800 + 0x3E0), 1u << 5);
    general[MACHINE_EAX] = 0xFFFF8000; /* AX is -32768 */
    FaultsAt("66 0F AB 03", MACHINE_WRITE, DATA + 0x800 - 0x1000);
    Do("0F BA 2B 27"); /* an immediate is taken modulo 32 */
    assert_int_equal(Peek(DATA + 0x800), 1u << 7);
    /* Under 16-bit addresses it wraps within 64 KiB. */
    general[MACHINE_EBX] = 0xABCDF000;
    general[MACHINE_EAX] = (0x10000 - 0xF000 + LOW) * 8 + 3;
    Do("67 0F AB 07"); /* bts [bx], eax */
    assert_int_equal(Peek(LOW), 1u << 3);
    /* BT only reads. */
    general[MACHINE_EBX] = FIXED;
    general[MACHINE_EAX] = 0;
    Do("0F A3 03");
    FaultsAt("0F B3 03", MACHINE_WRITE, FIXED);
}

TEST(ExchangesWriteInTheRightOrder) {
    general[MACHINE_EAX] = 21;
    Do("0F C1 C0"); /* xadd eax, eax */
    assert_int_equal(general[MACHINE_EAX], 42);
    general[MACHINE_EBX] = DATA;
    Poke(DATA, 41);
    Do("0F B1 0B"); /* cmpxchg [ebx], ecx */
    assert_int_equal(general[MACHINE_EAX], 41);
    assert_int_equal(Peek(DATA), 41);
    general[MACHINE_EBX] = FIXED;
    /* the write faults, even though it would not change the memory */
    FaultsAt("0F B1 0B", MACHINE_WRITE, FIXED);
    FaultsAt("0F C7 0B", MACHINE_WRITE, FIXED);
    context.registers.eflags = ALL & ~MACHINE_ZF;
    general[MACHINE_EBX] = DATA + 64;
    general[MACHINE_EAX] = general[MACHINE_EDX] = 0;
    Do("0F C7 0B"); /* only ZF changes */
    assert_int_equal(Status(), ALL);
    assert_int_equal(Peek(DATA + 64), DATA + 64);
    general[MACHINE_EAX] = 0x11223344;
    Do("66 0F C8");
    assert_int_equal(general[MACHINE_EAX], 0x11220000);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(ReadModifyWriteFaultsAsAWrite) {
    static const char *const hex[] = {"01 03", "FF 03",       "F7 1B",    "D1 23", "C1 23 00",
                                      "87 0B", "0F A4 0B 00", "0F C1 0B", "F7 13", "0F BA 2B 00"};
    for (size_t i = 0; i < sizeof hex / sizeof *hex; i++) {
        general[MACHINE_EBX] = FIXED;
        FaultsAt(hex[i], MACHINE_WRITE, FIXED);
        general[MACHINE_EBX] = NOTHING;
        FaultsAt(hex[i], MACHINE_WRITE, NOTHING);
        general[MACHINE_EBX] = FIXED - 2; /* the first byte that may not be written */
        Poke(FIXED - 4, 0x5A5A5A5A);
        FaultsAt(hex[i], MACHINE_WRITE, FIXED);
        assert_int_equal(Peek(FIXED - 4), 0x5A5A5A5A);
    }
    general[MACHINE_EBX] = FIXED;
    Do("39 03"); /* cmp and test only read */
    Do("85 03");
    general[MACHINE_EBX] = FIXED + MACHINE_PAGE - 2;
    FaultsAt("8B 03", MACHINE_READ, FIXED + MACHINE_PAGE);
}

TEST(CmovReadsMemoryEvenWhereItDoesNotMove) {
    context.registers.eflags = 0;
    general[MACHINE_EBX] = NOTHING;
    FaultsAt("0F 44 03", MACHINE_READ, NOTHING);
}

TEST(WhatMayBeExecutedCanBeRead) {
    CodeAt(CODE, "A1 00 00 40 00");
    MachineMemory_Protect(memory, CODE, MACHINE_PAGE, MACHINE_EXECUTE);
    assert_true(Interpreter_Step(interpreter, &context));
    assert_int_equal(general[MACHINE_EAX], 0x400000A1);
}

static bool hook_agrees;
static uint32_t hook_calls;

static bool Hook(void *argument, uint32_t address) {
    (void)argument;
    hook_calls++;
    return hook_agrees && MachineMemory_Protect(memory, address - address % MACHINE_PAGE,
                                                MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE);
}

TEST(WriteHookIsAskedAboutReadOnlyPages) {
    memory->write_hook = Hook;
    hook_agrees = false;
    general[MACHINE_EBX] = FIXED;
    FaultsAt("89 03", MACHINE_WRITE, FIXED);
    FaultsAt("01 03", MACHINE_WRITE, FIXED);
    hook_agrees = true;
    hook_calls = 0;
    general[MACHINE_EAX] = 5;
    Do("01 03");
    assert_int_equal(Peek(FIXED), 5);
    assert_int_equal(hook_calls, 1);
}

TEST(SixteenBitAddressesWrap) {
    general[MACHINE_EBX] = 0x1234F000;
    general[MACHINE_ESI] = 0x56780000 + 0x1000 + LOW;
    Poke(LOW + 4, 0xCAFE);
    Do("67 8B 40 04"); /* mov eax, [bx+si+4] */
    assert_int_equal(general[MACHINE_EAX], 0xCAFE);
    Do("67 8D 40 04"); /* lea eax, [bx+si+4] */
    assert_int_equal(general[MACHINE_EAX], LOW + 4);
    general[MACHINE_EBX] = 0x12340000 + LOW + 8;
    general[MACHINE_EAX] = 0xFFC; /* AL is 0xFC here */
    Poke(LOW + 8 + 0xFC, 0x99);
    Do("67 D7");
    assert_int_equal(general[MACHINE_EAX], 0xF99);
    general[MACHINE_ECX] = 0x10000;
    Do("67 E3 00");
    GoesTo(CODE, "67 E2 10", CODE + 3 + 0x10); /* loop with CX: 0 - 1 leaves the upper half */
    assert_int_equal(general[MACHINE_ECX], 0x1FFFF);
}

TEST(FsIsTheBlockOfTheThread) {
    Poke(THREAD + 0x18, 0xABCD);
    Do("64 A1 18 00 00 00");
    assert_int_equal(general[MACHINE_EAX], 0xABCD);
    general[MACHINE_EBX] = 0x18;
    Do("64 0F BA 2B 00"); /* bts fs:[ebx], 0 */
    Do("64 67 FF 07");    /* inc dword fs:[bx] */
    assert_int_equal(Peek(THREAD + 0x18), 0xABCE);
    general[MACHINE_ESI] = 0x18;
    general[MACHINE_EDI] = DATA + 8;
    Do("64 A5"); /* the segment applies only to the source */
    assert_int_equal(Peek(DATA + 8), 0xABCE);
    Do("64 8D 43 04"); /* lea has no segment */
    assert_int_equal(general[MACHINE_EAX], 0x1C);
}

/* ---- string instructions --------------------------------------------------------------------- */

TEST(RepeatedMovesStopAtTheElementThatFaults) {
    general[MACHINE_ESI] = DATA;
    general[MACHINE_EDI] = FIXED - 8;
    general[MACHINE_ECX] = 10;
    Poke(DATA, 0x01020304);
    Poke(DATA + 4, 0x05060708);
    CodeAt(CODE, "F3 A5");
    assert_false(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.fault.target, FIXED);
    assert_int_equal(context.fault.access, MACHINE_WRITE);
    assert_int_equal(context.registers.eip, CODE);
    assert_int_equal(general[MACHINE_ECX], 8);
    assert_int_equal(general[MACHINE_ESI], DATA + 8);
    assert_int_equal(general[MACHINE_EDI], FIXED);
    assert_int_equal(Peek(FIXED - 4), 0x05060708);

    /* The same is tried backwards. */
    general[MACHINE_EDI] = DATA + 4;
    general[MACHINE_ECX] = 3;
    context.registers.eflags = MACHINE_DF;
    CodeAt(CODE, "F3 AB");
    assert_false(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.fault.target, DATA - 4);
    assert_int_equal(general[MACHINE_ECX], 1);
    assert_int_equal(general[MACHINE_EDI], DATA - 4);
}

TEST(ComparesThatFaultKeepTheFlags) {
    general[MACHINE_ESI] = DATA;
    general[MACHINE_EDI] = FIXED + MACHINE_PAGE - 2;
    general[MACHINE_ECX] = 5;
    context.registers.eflags = MACHINE_CF | MACHINE_SF;
    CodeAt(CODE, "F3 A6");
    assert_false(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.registers.eflags, MACHINE_CF | MACHINE_SF);
    assert_int_equal(general[MACHINE_ECX], 3);
    assert_int_equal(general[MACHINE_EDI], FIXED + MACHINE_PAGE);
}

TEST(StringInstructionsWith16BitAddressesKeepUpperHalves) {
    general[MACHINE_ESI] = 0xAAAA0000 + LOW;
    general[MACHINE_EDI] = 0xBBBB0000 + LOW + 16;
    general[MACHINE_ECX] = 0xCCCC0002;
    Poke(LOW, 0x1234);
    Do("67 F3 A4");
    assert_int_equal(general[MACHINE_ESI], 0xAAAA0000 + LOW + 2);
    assert_int_equal(general[MACHINE_EDI], 0xBBBB0000 + LOW + 18);
    assert_int_equal(general[MACHINE_ECX], 0xCCCC0000);
    assert_int_equal(Peek(LOW + 16), 0x1234);
    Do("67 F3 A4"); /* a count of 0 does nothing, whatever the pointers are */
}

TEST(EachRepetitionCounts) {
    general[MACHINE_EDI] = DATA;
    general[MACHINE_ECX] = 0x100;
    context.budget = 0x10;
    CodeAt(CODE, "F3 AB 90");
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_ECX], 0xF0);
    assert_int_equal(context.registers.eip, CODE);
    context.budget = 0xF1;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_ECX], 0);
    assert_int_equal(context.registers.eip, CODE + 3);
    /* A count of 2^32 - 1 does not hang. */
    general[MACHINE_ECX] = 0xFFFFFFFF;
    context.budget = 100;
    CodeAt(CODE, "F2 AC");
    general[MACHINE_ESI] = DATA;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_ECX], 0xFFFFFFFF - 100);
}

/* ---- control --------------------------------------------------------------------------------- */

TEST(OperandSizePrefixCutsJumpsTo16Bits) {
    static const char *const hex[] = {"66 EB 20", "66 E9 1F 00", "66 0F 84 1E 00", "66 74 20"};
    for (size_t i = 0; i < sizeof hex / sizeof *hex; i++) {
        context.registers.eflags = MACHINE_ZF;
        GoesTo(CODE, hex[i], 0x23);
    }
    uint32_t esp = general[MACHINE_ESP];
    GoesTo(CODE, "66 E8 1F 00", 0x23);
    assert_int_equal(general[MACHINE_ESP], esp - 2);
    GoesTo(CODE, "66 C3", 4);
    assert_int_equal(general[MACHINE_ESP], esp);
    context.registers.eflags = 0;
    Do("66 74 20"); /* a jump that is not taken is not cut */
}

TEST(CallsAndReturns) {
    uint32_t esp = general[MACHINE_ESP];
    Poke(esp + 4, CODE + 0x100);
    GoesTo(CODE, "FF 54 24 04",
           CODE + 0x100); /* call [esp+4], with the value of ESP from before the push */
    assert_int_equal(Peek(esp - 4), CODE + 4);
    GoesTo(CODE + 0x100, "C2 08 00", CODE + 4);
    assert_int_equal(general[MACHINE_ESP], esp + 8);
}

TEST(GatesStopARunBeforeAnythingIsFetched) {
    context.budget = 100;
    CodeAt(CODE, "B8 20 00 F0 FF FF E0"); /* jmp to 0xFFF00020 */
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_GATE);
    assert_int_equal(context.registers.eip, 0xFFF00020);
    assert_int_equal(context.budget, 98);
}

TEST(FetchesAskForExecution) {
    context.budget = 100;
    context.registers.eip = DATA;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_FAULT);
    assert_int_equal(context.fault.access, MACHINE_EXECUTE);
    assert_int_equal(context.fault.address, DATA);
    assert_int_equal(context.fault.target, DATA);
    CodeAt(CODE + MACHINE_PAGE - 2, "B8 01 00 00 00");
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_FAULT);
    assert_int_equal(context.fault.address, CODE + MACHINE_PAGE - 2);
    assert_int_equal(context.fault.target, CODE + MACHINE_PAGE);
    uint32_t all = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
    MachineMemory_Protect(memory, CODE + MACHINE_PAGE, MACHINE_PAGE, all);
    assert_true(Interpreter_Step(interpreter, &context));
    assert_int_equal(general[MACHINE_EAX], 1);
    /* Instructions that were decoded before may not be executed any more, either. */
    MachineMemory_Protect(memory, CODE + MACHINE_PAGE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE);
    context.registers.eip = CODE + MACHINE_PAGE - 2;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_FAULT);
    assert_int_equal(context.fault.target, CODE + MACHINE_PAGE);
}

TEST(InstructionsHave15BytesAtMost) {
    Do("66 66 66 66 66 66 66 66 66 66 66 66 66 66 90");
    Protects("66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90");
    Protects("2E 2E 2E 2E 2E 2E 2E 2E 2E 2E 2E 81 84 24 00 00 00 00 01 00 00 00");
}

TEST(LockIsForListedInstructionsWithMemory) {
    general[MACHINE_EBX] = DATA;
    static const char *const allowed[] = {"F0 01 03", "F0 FF 03",    "F0 0F B1 03", "F0 0F C7 0B",
                                          "F0 87 03", "F0 0F AB 03", "F0 F7 1B",    "F0 0F C1 03"};
    static const char *const refused[] = {"F0 01 C3",    "F0 8B 03", "F0 39 03", "F0 90",
                                          "F0 0F A3 03", "F0 D1 23", "F0 C3",    "F0 FF 33"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        general[MACHINE_EAX] = 0;
        Do(allowed[i]);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        Raises(refused[i], MACHINE_ILLEGAL);
}

TEST(ExceptionsHaveTheCodesOfWindows) {
    Raises("CC", MACHINE_BREAKPOINT);
    Raises("CD 03", MACHINE_BREAKPOINT);
    Protects("CD 2D");
    Protects("CD 80");
    context.registers.eflags = MACHINE_OF;
    Raises("CE", MACHINE_INTEGER_OVERFLOW);
    context.registers.eflags = 0;
    Do("CE");
    Raises("0F 0B", MACHINE_ILLEGAL);
    static const char *const privileged[] = {
        "F4",       "FA",       "FB",       "E4 10", "EE",       "6C",      "F3 6E", "0F 20 C0",
        "0F 23 C0", "0F 01 10", "0F 01 F0", "0F 06", "0F 08",    "0F 30",   "0F 32", "0F 33",
        "0F 09",    "0F 00 D0", "0F 01 38", "0F 35", "0F 00 D8", "0F 01 18"};
    for (size_t i = 0; i < sizeof privileged / sizeof *privileged; i++)
        Raises(privileged[i], MACHINE_PRIVILEGED);
    static const char *const illegal[] = {"0F 05", "0F 34",       "0F FF C0", "0F B9 C0",   "FF FF",
                                          "8D C0", "8E C8",       "FE D0",    "0F AA",      "0F 04",
                                          "C4 C1", "0F 38 F0 00", "0F C7 F0", "F3 0F B8 C0"};
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++)
        Raises(illegal[i], MACHINE_ILLEGAL);
    static const char *const unknown[] = {"CB", "CF", "EA 00 00 00 00 1B 00", "0F 01 00",
                                          "0F 02 C0"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        Raises(unknown[i], MACHINE_UNKNOWN_INSTRUCTION);

    Poke(DATA, (uint32_t)-5);
    Poke(DATA + 4, 5);
    general[MACHINE_EBX] = DATA;
    for (uint32_t i = (uint32_t)-7; i != 8; i++) {
        general[MACHINE_EAX] = i;
        if (i + 5 <= 10)
            Do("62 03");
        else
            Raises("62 03", 0xC000008C);
    }
}

TEST(TrapsAreStatedBehindTheInstruction) {
    CodeAt(CODE, "F1");
    assert_false(Interpreter_Step(interpreter, &context));
    assert_int_equal(context.fault.code, MACHINE_SINGLE_STEP);
    assert_int_equal(context.fault.address, CODE + 1);
    assert_int_equal(context.registers.eip, CODE + 1);

    Poke(general[MACHINE_ESP], MACHINE_TF);
    CodeAt(CODE, "9D 40 40"); /* popf; inc eax; inc eax */
    context.budget = 100;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_FAULT);
    assert_int_equal(context.fault.code, MACHINE_SINGLE_STEP);
    assert_int_equal(context.fault.address, CODE + 2);
    assert_int_equal(context.registers.eip, CODE + 2);
    assert_int_equal(general[MACHINE_EAX], 1);
    assert_int_equal(context.registers.eflags & MACHINE_TF, 0);
    assert_int_equal(context.budget, 98);
    /* The code runs once more, now that the instructions are linked. */
    general[MACHINE_ESP] -= 4;
    context.registers.eip = CODE;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_FAULT);
    assert_int_equal(context.fault.address, CODE + 2);
}

TEST(SegmentRegistersAreThoseOfWindows) {
    static const uint32_t selectors[] = {0x23, 0x1B, 0x23, 0x23, 0x3B, 0};
    for (uint32_t i = 0; i < 6; i++) {
        char hex[16];
        snprintf(hex, sizeof hex, "8C %02X", 0xC0 | i << 3);
        general[MACHINE_EAX] = 0xFFFFFFFF;
        Do(hex);
        assert_int_equal(general[MACHINE_EAX], selectors[i]);
    }
    uint32_t esp = general[MACHINE_ESP];
    Poke(esp - 4, 0xFFFFFFFF);
    Do("1E"); /* push ds writes zeros above */
    assert_int_equal(Peek(esp - 4), 0x23);
    Do("07"); /* pop es */
    assert_int_equal(general[MACHINE_ESP], esp);
    general[MACHINE_EAX] = 0;
    Do("8E D8");
    Protects("8E D0"); /* SS cannot be null */
    general[MACHINE_EAX] = 0x23;
    Do("8E D0");
    Do("8E C0");
    Raises("8E E0", MACHINE_UNKNOWN_INSTRUCTION); /* FS with another base */
    general[MACHINE_EAX] = 0x50;
    Protects("8E D8");
    general[MACHINE_EBX] = DATA;
    Poke(DATA, 0x12345678);
    Poke(DATA + 4, 0x23);
    Do("C4 03"); /* les eax, [ebx] */
    assert_int_equal(general[MACHINE_EAX], 0x12345678);
    general[MACHINE_EAX] = 0x20;
    general[MACHINE_ECX] = 3;
    Do("63 C8"); /* arpl ax, cx */
    assert_int_equal(general[MACHINE_EAX], 0x23);
    assert_int_equal(Status() & MACHINE_ZF, MACHINE_ZF);
}

/* ---- the processor's profile ----------------------------------------------------------------- */

TEST(ProfileDecidesWhichInstructionsExist) {
    context.profile = MachineProfile_Find("pentium3");
    Do("0F 44 C1");
    Do("0F 1F 00");
    /* the instructions that were decoded before are still there */
    context.profile = MachineProfile_Find("pentium-mmx");
    Raises("0F 44 C1", MACHINE_ILLEGAL);
    static const char *const later[] = {"0F 1F 00", "0F 28 C1",    "66 0F 6F C1", "0F 70 C1 00",
                                        "0F DA C1", "0F 0F C1 9E", "DB F1",       "0F AE 00",
                                        "0F 18 00", "0F 0D 00",    "0F AE F8"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        Raises(later[i], MACHINE_ILLEGAL);
    context.profile = MachineProfile_Find("pentium4");
    static const char *const never[] = {"F2 0F D0 C1", "0F 38 00 C1", "66 0F 38 10 C1",
                                        "C5 F8 28 C1", "DF 0B",       "0F 0F C1 9E"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        Raises(never[i], MACHINE_ILLEGAL);
}

TEST(CpuidAndRdtscAreAnswered) {
    context.profile = MachineProfile_Find("pentium3");
    uint32_t answer[4];
    MachineProfile_Cpuid(context.profile, 1, answer);
    general[MACHINE_EAX] = 1;
    Do("0F A2");
    assert_int_equal(general[MACHINE_EAX], answer[0]);
    assert_int_equal(general[MACHINE_EBX], answer[1]);
    assert_int_equal(general[MACHINE_ECX], answer[2]);
    assert_int_equal(general[MACHINE_EDX], answer[3]);
    context.clock = 0x1FFFFFFFFu;
    Do("0F 31");
    assert_int_equal(general[MACHINE_EAX], 0xFFFFFFFF);
    assert_int_equal(general[MACHINE_EDX], 1);
    Do("0F 31");
    assert_int_equal(general[MACHINE_EAX], INTERPRETER_CLOCK_STEP - 1);
    assert_int_equal(general[MACHINE_EDX], 2);
}

/* ---- code that changes ----------------------------------------------------------------------- */

TEST(CodeThatWritesItselfExecutesWhatItWrote) {
    /* mov byte [CODE+7], 0x48; inc eax (becomes dec eax); jmp to the start */
    context.budget = 2;
    CodeAt(CODE, "C6 05 07 00 40 00 48 40 EB F6");
    for (int i = 0; i < 3; i++) {
        context.budget = 2;
        assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
        assert_int_equal(general[MACHINE_EAX], (uint32_t) - (i + 1));
        context.registers.eip = CODE;
        *MachineMemory_At(memory, CODE + 7) = 0x40;
        Interpreter_Forget(interpreter, CODE + 7, 1);
    }
    /* When the code is linked, it first increments, and then the write after that takes effect. */
    CodeAt(CODE, "90 40 90 C6 05 01 00 40 00 48 EB F4");
    general[MACHINE_EAX] = 10;
    context.budget = 5 + 5;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_EAX], 10);
}

TEST(WritesToTheTailOfAnInstructionOnTheNextPage) {
    uint32_t all = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE, start = CODE + MACHINE_PAGE - 2;
    MachineMemory_Protect(memory, CODE + MACHINE_PAGE, MACHINE_PAGE, all);
    CodeAt(start, "B8 01 00 00 00 89 1D 00 10 40 00 EB F3"); /* mov eax, 1; mov [tail], ebx; jmp */
    general[MACHINE_EBX] = 0x00000100;
    *MachineMemory_At(memory, CODE + MACHINE_PAGE + 3) = 0x89;
    general[MACHINE_EBX] = 0x89000002;
    context.budget = 4;
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_EAX], 0x00000201);
}

TEST(AStepNoticesCodeThatOthersChanged) {
    Do("40");
    *MachineMemory_At(memory, CODE) = 0x48; /* writes without telling the interpreter */
    context.registers.eip = CODE;
    assert_true(Interpreter_Step(interpreter, &context));
    assert_int_equal(general[MACHINE_EAX], 0);
}

TEST(MoreCodeThanIsKept) {
    uint32_t size = 0x40000, base = 0x01000000;
    assert_int_equal(MachineMemory_Map(memory, base, size, MACHINE_READ | MACHINE_EXECUTE),
                     0x01000000);
    MachineMemory_Protect(memory, base, size, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE);
    memset(MachineMemory_At(memory, base), 0x40, size - 2); /* inc eax */
    memcpy(MachineMemory_At(memory, base + size - 5), "\xE9\x00\x00\xFC\xFF", 5);
    context.registers.eip = base;
    context.budget = 2 * (size - 4);
    assert_int_equal(Interpreter_Run(interpreter, &context), MACHINE_STOP_BUDGET);
    assert_int_equal(general[MACHINE_EAX], 2 * (size - 5));
}

/* ---- hostile input --------------------------------------------------------------------------- */

TEST_WITH(RandomBytesNeverHarmTheHost, SetUpScattered, TearDown) {
    uint64_t seed = 88172645463325252u;
    uint8_t *code = MachineMemory_At(memory, CODE);
    uint64_t executed = 0;
    for (int round = 0; round < 100000; round++) {
        for (uint32_t i = 0; i < 64; i++) {
            Random_XorShift(&seed);
            code[i] = (uint8_t)(seed >> 24);
            if (i < 8)
                general[i] = seed >> 60 < 6    ? DATA + (uint32_t)(seed >> 30) % 0x2100
                             : seed >> 60 < 10 ? CODE + (uint32_t)(seed >> 30) % 0x80
                                               : (uint32_t)(seed >> 20);
        }
        general[MACHINE_ESP] = STACK - 0x200;
        context.registers.eflags = (uint32_t)seed & (ALL | MACHINE_DF);
        Interpreter_Forget(interpreter, CODE, 64);
        context.registers.eip = CODE + (uint32_t)(seed >> 50) % 16;
        context.budget = 200;
        if (round % 2) {
            Interpreter_Run(interpreter, &context);
        } else {
            for (int i = 0; i < 20 && Interpreter_Step(interpreter, &context); i++)
                continue;
        }
        executed += 200 - context.budget;
    }
    assert_in_range(executed, 100000, 20000000);
}

AROUND_EACH(SetUp, TearDown)
