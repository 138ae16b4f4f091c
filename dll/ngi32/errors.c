/* The exports for errors and debugging (facts/ngi32.md D.2 to D.4). ngi32/fatal.c decides what
 * happens in which order. */
#include "dll/base/log.h"
#include "dll/ngi32/archive.h"
#include "dll/unserved.h"

#include "core/text.h"

#include <string.h>

static CRITICAL_SECTION lock;
static DebugOutput debug_output;

void Errors_Open(void) {
    InitializeCriticalSection(&lock);
}

/* ---- the system ------------------------------------------------------------------------------ */

static char *Duplicate(void *context, const char *text) {
    (void)context;
    size_t size = strlen(text) + 1;
    char *copy = Memory_Allocate(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void Release(void *context, char *text) {
    (void)context;
    Memory_Free(text);
}

static bool WriteMailslot(void *context, const char *name, const char *text, size_t length) {
    (void)context;
    DWORD written;
    HANDLE mailslot = CreateFileA(name, GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, NULL);
    if (mailslot == INVALID_HANDLE_VALUE)
        return false;
    WriteFile(mailslot, text, (DWORD)length, &written, NULL);
    CloseHandle(mailslot);
    return true;
}

/* Shows a message box, unless RETROPOSE_NO_MESSAGE_BOX=1. With that, an unattended run need not
 * wait for a click. */
static void ShowMessageBox(void *context, const char *text, const char *caption, uint32_t type) {
    (void)context;
    char value[8];
    const char *suppressed = Log_Environment("RETROPOSE_NO_MESSAGE_BOX", value, sizeof value);
    if (!suppressed || suppressed[0] != '1')
        MessageBoxA(NULL, text, caption, type);
}

static void ReleaseArchives(void *context) {
    (void)context;
    DestroyArchives();
}

static void EndProcess(void *context, uint32_t code) {
    (void)context;
    ExitProcess(code);
}

static const FatalSystem windows = {.duplicate = Duplicate,
                                    .release = Release,
                                    .destroy_archives = ReleaseArchives,
                                    .write_mailslot = WriteMailslot,
                                    .message_box = ShowMessageBox,
                                    .exit_process = EndProcess};

/* ---- for the other files --------------------------------------------------------------------- */

/* The lock is never released, so that a second thread with an error waits until the process
 * ends. */
void Errors_End(const char *message) {
    EnterCriticalSection(&lock);
    Log_Write("fatal error: %s", message);
    Fatal_End(&windows, &debug_output, message);
    __builtin_unreachable();
}

void Errors_LogFailure(const char *function, const char *path, const RpError *error) {
    char message[LOG_LINE_BYTES];
    RpError_Format(error, message, sizeof message);
    if (path)
        Log_Write("%s(\"%s\") fails: %s", function, path, message);
    else
        Log_Write("%s fails: %s", function, message);
}

void Errors_Unserved(const char *name, const void *caller) {
    char message[FATAL_MESSAGE_BYTES];
    Text text = Text_Begin(message, sizeof message);
    Text_Append(&text, name);
    Text_Append(&text, " was called. No public source tells its arguments, so Retropose cannot "
                       "serve it and no original is there to do so.");
    Log_Write("%s: return address 0x%x", name, (uint32_t)(uintptr_t)caller);
    Errors_End(message);
}

void Live_EndUnserved(const char *name, const void *caller) {
    Errors_Unserved(name, caller);
}

/* ---- exports --------------------------------------------------------------------------------- */

ABI_PROTO_ngi32_ngiProcessError(ngiProcessError) {
    char description[FATAL_MESSAGE_BYTES];
    Fatal_Describe(message, description);
    Errors_End(description);
}

ABI_PROTO_ngi32_ngiSetDebugOutput(ngiSetDebugOutput) {
    EnterCriticalSection(&lock);
    DebugOutput_Set(&windows, &debug_output, target);
    LeaveCriticalSection(&lock);
}

ABI_PROTO_ngi32_niOutputDebugString(niOutputDebugString) {
    WriteMailslot(NULL, FATAL_MAILSLOT, text, strlen(text));
}
