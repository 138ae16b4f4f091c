/* Tests of the order of steps in ngiProcessError and ngiSetDebugOutput, on a system that only
 * records what is asked of it. */
#include "ngi32/fatal.h"
#include "tests/test.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Recorder {
    char log[4096];
    int held; /* number of texts that were duplicated and not released */
    bool out_of_memory;
} Recorder;

static void __attribute__((format(printf, 2, 3)))
Note(Recorder *recorder, const char *format, ...) {
    size_t length = strlen(recorder->log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(recorder->log + length, sizeof recorder->log - length, format, arguments);
    va_end(arguments);
}

static char *Duplicate(void *context, const char *text) {
    Recorder *recorder = context;
    Note(recorder, "duplicate %s\n", text);
    if (recorder->out_of_memory)
        return NULL;
    recorder->held++;
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}

static void Release(void *context, char *text) {
    Recorder *recorder = context;
    Note(recorder, "release %s\n", text);
    recorder->held--;
    free(text);
}

static void DestroyArchives(void *context) {
    Note(context, "destroy archives\n");
}

static bool WriteMailslot(void *context, const char *name, const char *text, size_t length) {
    Note(context, "mailslot %s: %.*s\n", name, (int)length, text);
    return false;
}

static void MessageBoxShown(void *context, const char *text, const char *caption, uint32_t type) {
    Note(context, "box %X %s: %s\n", (unsigned)type, caption, text);
}

static void ExitProcess(void *context, uint32_t code) {
    Note(context, "exit %u\n", (unsigned)code);
}

static FatalSystem SystemOf(Recorder *recorder) {
    return (FatalSystem){.context = recorder,
                         .duplicate = Duplicate,
                         .release = Release,
                         .destroy_archives = DestroyArchives,
                         .write_mailslot = WriteMailslot,
                         .message_box = MessageBoxShown,
                         .exit_process = ExitProcess};
}

TEST(AFatalErrorTellsTheMailslotThenTheUserAndEndsWithCode4) {
    Recorder recorder = {.held = 0};
    FatalSystem system = SystemOf(&recorder);
    DebugOutput output = {0, NULL};
    Fatal_End(&system, &output, "no memory");
    assert_string_equal(recorder.log, "destroy archives\n"
                                      "mailslot \\\\.\\mailslot\\ndebug: no memory\n"
                                      "box 2010 Nikita Game Interface Error: no memory\n"
                                      "exit 4\n");
}

TEST(TheDebugFileIsForgottenFirstSoItDoesNotSuppressTheBox) {
    Recorder recorder = {.held = 0};
    FatalSystem system = SystemOf(&recorder);
    DebugOutput output = {0, NULL};
    DebugOutput_Set(&system, &output, (uintptr_t) "debug.txt");
    Fatal_End(&system, &output, "x");
    assert_string_equal(recorder.log, "duplicate debug.txt\n"
                                      "destroy archives\n"
                                      "release debug.txt\n"
                                      "mailslot \\\\.\\mailslot\\ndebug: x\n"
                                      "box 2010 Nikita Game Interface Error: x\n"
                                      "exit 4\n");
    assert_null(output.file_name);
    assert_int_equal(recorder.held, 0);
}

TEST(DebugModeSuppressesTheBox) {
    Recorder recorder = {.held = 0};
    FatalSystem system = SystemOf(&recorder);
    DebugOutput output = {0, NULL};
    DebugOutput_Set(&system, &output, 1);
    Fatal_End(&system, &output, "x");
    assert_string_equal(recorder.log, "destroy archives\n"
                                      "mailslot \\\\.\\mailslot\\ndebug: x\nexit 4\n");
}

TEST(DebugOutputKeepsOneNameAndOneMode) {
    Recorder recorder = {.held = 0};
    FatalSystem system = SystemOf(&recorder);
    DebugOutput output = {0, NULL};
    DebugOutput_Set(&system, &output, (uintptr_t) "first");
    assert_string_equal(output.file_name, "first");
    DebugOutput_Set(&system, &output, 1); /* the name stays */
    assert_int_equal(output.mode, 1);
    assert_string_equal(output.file_name, "first");
    /* A caller may pass the name that the object itself holds. */
    DebugOutput_Set(&system, &output, (uintptr_t)output.file_name);
    assert_int_equal(output.mode, 0);
    assert_string_equal(output.file_name, "first");
    DebugOutput_Set(&system, &output, 1);
    DebugOutput_Set(&system, &output, 0);
    assert_int_equal(output.mode, 0);
    assert_null(output.file_name);
    assert_int_equal(recorder.held, 0);
    recorder.out_of_memory = true;
    DebugOutput_Set(&system, &output, (uintptr_t) "second");
    assert_null(output.file_name);
}

TEST(NumbersBelow500AreErrorNumbers) {
    char message[FATAL_MESSAGE_BYTES];
    Fatal_Describe(0, message);
    assert_string_equal(message, "Error No.0");
    Fatal_Describe(FATAL_OUT_OF_MEMORY, message);
    assert_string_equal(message, "Error No.16");
    Fatal_Describe(499, message);
    assert_string_equal(message, "Error No.499");
    Fatal_Describe((uintptr_t) "Unable to open library", message);
    assert_string_equal(message, "Unable to open library");
}

TEST(LongMessagesAreCutToTheBuffer) {
    char text[1000], message[FATAL_MESSAGE_BYTES + 1];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    message[FATAL_MESSAGE_BYTES] = '!';
    Fatal_Describe((uintptr_t)text, message);
    assert_int_equal(strlen(message), FATAL_MESSAGE_BYTES - 1);
    assert_int_equal(message[FATAL_MESSAGE_BYTES], '!');
}
