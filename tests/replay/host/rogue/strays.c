/* An Ngi32.dll whose functions return the right results, and also meddle with the process around
 * them: they print, write into pipes and into the host's progress, and take very long. test_host.c
 * and test_lane.c say what has to result from that. With QUIET, all of them only return their
 * results.
 *
 * Functions and tests communicate by files in the folder that STRAYS_FOLDER names. */
#include "prototypes.h"

#include "replay/process/host_progress.h"

#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#ifdef QUIET
enum { IS_QUIET = 1 };
#else
enum { IS_QUIET = 0 };
#endif

/* ---- files ----------------------------------------------------------------------------------- */

static HANDLE Open(const char *name, DWORD disposition) {
    char path[1200];
    DWORD length = GetEnvironmentVariableA("STRAYS_FOLDER", path, 1024);
    snprintf(path + length, sizeof path - length, "/%s", name);
    return CreateFileA(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                       disposition, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* Creates a file, and returns whether there was none of this name. */
static bool Make(const char *name) {
    HANDLE file = Open(name, CREATE_NEW);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle(file);
    return true;
}

static bool Exists(const char *name) {
    HANDLE file = Open(name, OPEN_EXISTING);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle(file);
    return true;
}

/* ---- what is said where it must not be ------------------------------------------------------- */

/* The pause is so long that a batch which is compared too early is not finished by then. */
#define PAUSE_MS 500

/* The call is in the last batch but one of those that test_lane.c makes. Then both places for
 * outcomes hold older ones, and no inputs are overwritten that a host may still read, so that
 * nothing but the answer is wrong. */
#define CALL_THAT_PRINTS 9000
#define CALL_THAT_WRITES 12500

static ABI_PROTO_ngi32_slot7(Prints) {
    static uint32_t calls;
    DWORD written;
    memcpy(result, vector, 3 * sizeof *result);
    result[0] = matrix[0];
    if (++calls != CALL_THAT_PRINTS || IS_QUIET)
        return;
    printf(".");
    fflush(stdout);
    _write(1, ".", 1);
    WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), ".", 1, &written, NULL);
    Sleep(PAUSE_MS);
}

/* Writes one byte into each pipe that this process has, under whatever handle. */
static ABI_PROTO_ngi32_slot28(WritesIntoPipes) {
    static uint32_t calls;
    DWORD written;
    for (int i = 0; i < 16; i++)
        product[i] = i % 2 ? a[i] : b[i];
    if (++calls != CALL_THAT_WRITES || IS_QUIET)
        return;
    for (uintptr_t handle = 4; handle < 0x1000; handle += 4)
        if (GetFileType((HANDLE)handle) == FILE_TYPE_PIPE)
            WriteFile((HANDLE)handle, ".", 1, &written, NULL);
    Sleep(PAUSE_MS);
}

static HostProgress *FindProgress(void) {
    MEMORY_BASIC_INFORMATION region;
    for (uint8_t *at = NULL; VirtualQuery(at, &region, sizeof region); at += region.RegionSize)
        if (region.State == MEM_COMMIT && region.Type == MEM_MAPPED &&
            region.Protect == PAGE_READWRITE && region.RegionSize == 4096 &&
            ((HostProgress *)region.BaseAddress)->state == HOST_CALLING)
            return region.BaseAddress;
    return NULL;
}

/* Fills the progress with text that has no end, and ends the process. The inputs are the state, the
 * status, the number of the call, and how many calls are finished. */
static ABI_PROTO_ngi32_slot14(WritesProgress) {
    uint32_t words[4];
    (void)matrix;
    memcpy(words, quaternion, sizeof words);
    HostProgress *progress = FindProgress();
    if (!progress)
        return;
    memset(progress, 'x', sizeof *progress);
    progress->state = words[0];
    progress->status = words[1];
    progress->sequence = words[2];
    progress->finished = words[3];
    TerminateProcess(GetCurrentProcess(), 9);
}

/* ---- what stays ------------------------------------------------------------------------------ */

/* Does not return before the test allows it. */
static ABI_PROTO_ngi32_slot15(Waits) {
    matrix[0] = quaternion[0];
    Make("entered");
    while (!Exists("go"))
        Sleep(10);
}

/* Takes long, but only the first time. */
static ABI_PROTO_ngi32_slot17(StaysOnce) {
    (void)q1;
    (void)t;
    result[0] = q0[0];
    if (Make("stays"))
        Sleep(20000);
}

/* Takes a minute, and shows all the time that it is running. */
static ABI_PROTO_ngi32_slot4(Beats) {
    memcpy(product, a, 12 * sizeof *product);
    product[0] = b[0];
    if (IS_QUIET)
        return;
    HANDLE file = Open("beats", OPEN_ALWAYS);
    for (int i = 0; i < 1200; i++) {
        DWORD written;
        WriteFile(file, ".", 1, &written, NULL);
        Sleep(50);
    }
    TerminateProcess(GetCurrentProcess(), 3);
}

#define FUNCTION(name) (const void *)(uintptr_t)(name)
const void *g_FastProc[68] = {
    [4] = FUNCTION(Beats),  [7] = FUNCTION(Prints),     [14] = FUNCTION(WritesProgress),
    [15] = FUNCTION(Waits), [17] = FUNCTION(StaysOnce), [28] = FUNCTION(WritesIntoPipes),
};
