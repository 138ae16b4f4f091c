/* Tests runs that crash in the ways in which a game's code does. */
#include "core/guard/guard.h"
#include "tests/test.h"

#include <stddef.h>
#include <windows.h>

#define CPP_THROW 0xE06D7363u

static void Nothing(void *context) {
    *(int *)context += 1;
}

/* a pointer of which the compiler cannot see that it is null */
static volatile int *volatile nowhere;

static void ReadNull(void *context) {
    *(volatile int *)context = *nowhere;
}

/* Divides by a value that is not 1, because GCC would compute a quotient by 1 without a
 * division. */
static void Divide(void *context) {
    volatile int *number = context;
    *number = 7 / (*number - *number);
}

/* Raises what a throw of C++ raises, which cannot be continued. */
static void Throw(void *context) {
    (void)context;
    RaiseException(CPP_THROW, EXCEPTION_NONCONTINUABLE, 0, NULL);
}

static int Deeper(volatile int *depth) {
    volatile char room[1024];
    room[0] = (char)*depth;
    *depth += 1;
    return *depth < 0 ? 0 : Deeper(depth) + room[0];
}

static void Overflow(void *context) {
    *(int *)context = Deeper(context);
}

/* Executes std, fld1, and an unmasked division by zero whose exception waits. */
static void LeaveState(void *context) {
    uint16_t word = 0x007B;
    *(int *)context = 1;
    __asm__ volatile("std\n\tfldcw %0\n\tfld1\n\tfldz\n\tfdivrp\n\tfwait\n\tud2" : : "m"(word));
}

static void ExpectCrash(void (*run)(void *context), uint32_t code) {
    GuardFault fault = {0, 0};
    int number = 0;
    assert_false(Guard_Run(run, &number, &fault));
    assert_int_equal(fault.code, code);
    assert_int_not_equal(fault.address, 0);
}

TEST(ARunThatEndsIsNoCrash) {
    GuardFault fault = {1, 2};
    int number = 41;
    assert_true(Guard_Run(Nothing, &number, &fault));
    assert_int_equal(number, 42);
    assert_int_equal(fault.code, 1);
}

TEST(CrashesAreReported) {
    ExpectCrash(ReadNull, EXCEPTION_ACCESS_VIOLATION);
    ExpectCrash(Divide, EXCEPTION_INT_DIVIDE_BY_ZERO);
}

TEST(WhatCannotBeContinuedIsReportedAsItIs) {
    for (int i = 0; i < 3; i++)
        ExpectCrash(Throw, CPP_THROW);
}

/* The second overflow would end the process if the guard page had not come back. */
TEST(TheStackMayOverflowAgain) {
    for (int i = 0; i < 4; i++)
        ExpectCrash(Overflow, EXCEPTION_STACK_OVERFLOW);
}

/* There are no assertions here, because they would leave by the other thread's stack. */
static DWORD WINAPI OverflowTwice(void *context) {
    (void)context;
    for (int i = 0; i < 2; i++) {
        GuardFault fault = {0, 0};
        int number = 0;
        if (Guard_Run(Overflow, &number, &fault) || fault.code != EXCEPTION_STACK_OVERFLOW)
            return 1;
    }
    return 7;
}

TEST(SoMayAnotherThreads) {
    DWORD code = 0;
    HANDLE thread =
        CreateThread(NULL, 0x20000, OverflowTwice, NULL, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    assert_non_null(thread);
    assert_int_equal(WaitForSingleObject(thread, 10000), WAIT_OBJECT_0);
    GetExitCodeThread(thread, &code);
    CloseHandle(thread);
    assert_int_equal(code, 7);
}

static uint32_t Flags(void) {
    uint32_t flags;
    __asm__ volatile("pushfl\n\tpopl %0" : "=r"(flags));
    return flags;
}

TEST(TheX87AndTheDirectionFlagAreClear) {
    GuardFault fault;
    int number = 0;
    uint16_t word, status;
    assert_false(Guard_Run(LeaveState, &number, &fault));
    __asm__ volatile("fnstcw %0" : "=m"(word));
    __asm__ volatile("fnstsw %0" : "=m"(status));
    assert_int_equal(word, 0x037F);
    assert_int_equal(status, 0);
    assert_int_equal(Flags() & 0x400, 0);
}

static void RunInner(void *context) {
    GuardFault fault = {0, 0};
    if (!Guard_Run(ReadNull, context, &fault) && fault.code == EXCEPTION_ACCESS_VIOLATION)
        Throw(context);
}

TEST(RunsMayBeNested) {
    ExpectCrash(RunInner, CPP_THROW);
}
