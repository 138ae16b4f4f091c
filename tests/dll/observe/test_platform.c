/* Tests what observing asks of Windows, with threads that are ended while they ask. */
#include "dll/base/log.h"
#include "dll/observe/platform.h"
#include "tests/test.h"

#include <stddef.h>
#include <windows.h>

static volatile LONG asked;

static DWORD WINAPI AskForever(void *nothing) {
    for (;; InterlockedIncrement(&asked))
        Platform_Milliseconds();
    return nothing != NULL;
}

static DWORD WINAPI AskOnce(void *nothing) {
    Platform_Milliseconds();
    return nothing != NULL;
}

/* A thread that asks all the time is ended at any point, a hundred times. Another thread must then
 * get its answer. */
TEST(TheClockOutlivesItsThreads) {
    for (int i = 0; i < 100; i++) {
        LONG before = asked;
        HANDLE thread = CreateThread(NULL, 0, AskForever, NULL, 0, NULL);
        assert_non_null(thread);
        for (int turn = 0; turn < 1000 && asked == before; turn++)
            Sleep(1);
        TerminateThread(thread, 0);
        WaitForSingleObject(thread, 1000);
        CloseHandle(thread);
        if (asked == before)
            break; /* the thread was ended before it got an answer */
    }
    HANDLE last = CreateThread(NULL, 0, AskOnce, NULL, 0, NULL);
    assert_non_null(last);
    DWORD outcome = WaitForSingleObject(last, 5000);
    CloseHandle(last);
    assert_int_equal(outcome, WAIT_OBJECT_0);
}

TEST(TheClockHas32Bits) {
    assert_int_equal(sizeof Platform_Milliseconds(), 4);
    uint32_t before = Platform_Milliseconds();
    Sleep(50);
    assert_in_range(Platform_Milliseconds() - before, 20, 60000);
}

static void Throw(void *nothing) {
    (void)nothing;
    RaiseException(0xE06D7363, EXCEPTION_NONCONTINUABLE, 0, NULL);
}

TEST(AComparedFunctionMayThrow) {
    PlatformFault fault = {0, 0};
    assert_false(Platform_RunGuarded(Throw, NULL, &fault));
    assert_int_equal(fault.code, 0xE06D7363);
}

static volatile LONG steps;

static void CountStep(void) {
    InterlockedIncrement(&steps);
}

TEST(ThePeriodOfTheServiceChangesAtOnce) {
    steps = 0;
    assert_true(Platform_StartService(CountStep, 600000));
    Sleep(50);
    Platform_SetServicePeriod(1);
    for (int turn = 0; turn < 500 && steps < 5; turn++)
        Sleep(10);
    Platform_StopService();
    assert_true(steps >= 5);
}

/* `record` names the trace by a variable, which no code page may distort: no code page but UTF-8
 * has letters of these three alphabets. */
TEST(AVariableNamesAFileInAnyAlphabet) {
    static const wchar_t name[] = L"\u0437\u05D0\u03B1.rptrace";
    static const char utf8[] = "\xD0\xB7\xD7\x90\xCE\xB1.rptrace";
    char value[sizeof utf8], shorter[sizeof utf8 - 1];
    PlatformFile file;
    uint32_t code;
    assert_true(SetEnvironmentVariableW(L"RETROPOSE_RECORD_FILE", name));
    assert_null(Log_Environment("RETROPOSE_RECORD_FILE", shorter, sizeof shorter));
    assert_ptr_equal(Log_Environment("RETROPOSE_RECORD_FILE", value, sizeof value), value);
    assert_true(SetEnvironmentVariableW(L"RETROPOSE_RECORD_FILE", NULL));
    assert_null(Log_Environment("RETROPOSE_RECORD_FILE", shorter, sizeof shorter));
    assert_string_equal(value, utf8);
    assert_int_equal(Platform_Create(value, &file, &code), PLATFORM_OPENED);
    Platform_CloseFile(file);
    assert_true(DeleteFileW(name));
}
