#include "replay/host/parent.h"

#include "replay/host/os.h"
#include "replay/process/thread.h"

#include <stdio.h>
#ifdef GUEST_IS_NATIVE
#include <fcntl.h>
#include <io.h>
typedef HANDLE Stream;
#else
#include <time.h>
#include <unistd.h>
typedef int Stream;
#endif

#define GRACE_MS 1000u

static struct {
    Stream input, output;
    Mutex mutex; /* guards the members that follow */
    Condition changed;
    BatchOrder orders[BATCH_ORDERS]; /* orders that nobody has taken yet */
    uint32_t received, taken;
    bool runs, ended; /* whether the thread runs, and whether the input has ended */
} parent;

/* ---- the streams ------------------------------------------------------------------------------
 */

#ifdef GUEST_IS_NATIVE
static HANDLE Keep(DWORD stream) {
    const HANDLE process = GetCurrentProcess(), given = GetStdHandle(stream);
    HANDLE kept = NULL;
    if (!given || given == INVALID_HANDLE_VALUE)
        return NULL;
    DuplicateHandle(process, given, process, &kept, 0, FALSE, DUPLICATE_SAME_ACCESS);
    return kept;
}

/* Keeps the standard streams for this file, and changes them. Their descriptors are shared by every
 * DLL with this C runtime, and any other runtime begins with the standard handles. */
static bool TakeStreams(bool watched) {
    parent.input = Keep(STD_INPUT_HANDLE);
    parent.output = Keep(STD_OUTPUT_HANDLE);
    const int nothing = _open("NUL", _O_RDWR | _O_BINARY | _O_NOINHERIT);
    if (nothing < 0 || _dup2(nothing, 0))
        return false;
    if (_dup2(2, 1) && _dup2(nothing, 1)) /* A process need not have a standard error. */
        return false;
    if (nothing > 2)
        _close(nothing);
    return SetStdHandle(STD_INPUT_HANDLE, (HANDLE)_get_osfhandle(0)) &&
           SetStdHandle(STD_OUTPUT_HANDLE, (HANDLE)_get_osfhandle(1)) && (!watched || parent.input);
}

static bool Receive(BatchOrder *order) {
    DWORD moved;
    return ReadFile(parent.input, order, sizeof *order, &moved, NULL) && moved == sizeof *order;
}

bool Parent_Answer(const BatchOrder *order) {
    DWORD moved;
    return WriteFile(parent.output, order, sizeof *order, &moved, NULL) && moved == sizeof *order;
}

static void Wait(uint32_t milliseconds) {
    Sleep(milliseconds);
}
#else
/* Takes the streams out of reach. In a machine this is not needed, because its guest cannot reach
 * the streams of this process. */
static bool TakeStreams(bool watched) {
    (void)watched;
    parent.input = STDIN_FILENO;
    parent.output = STDOUT_FILENO;
    return true;
}

static bool Receive(BatchOrder *order) {
    return read(parent.input, order, sizeof *order) == sizeof *order;
}

bool Parent_Answer(const BatchOrder *order) {
    return write(parent.output, order, sizeof *order) == sizeof *order;
}

static void Wait(uint32_t milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = (time_t)(milliseconds / 1000),
                                 .tv_nsec = (long)(milliseconds % 1000) * 1000000},
              NULL);
}
#endif

/* ---- the thread -------------------------------------------------------------------------------
 */

static void Say(bool *what) {
    Mutex_Lock(&parent.mutex);
    *what = true;
    Condition_WakeAll(&parent.changed);
    Mutex_Unlock(&parent.mutex);
}

static void Watch(void *context) {
    BatchOrder order;
    bool fits = true;
    (void)context;
    Say(&parent.runs);

    /* An order is kept until it is taken. There may be no more of them than the other process may
     * send. */
    while (fits && Receive(&order)) {
        Mutex_Lock(&parent.mutex);
        fits = parent.received - parent.taken < BATCH_ORDERS;
        if (fits)
            parent.orders[parent.received++ % BATCH_ORDERS] = order;
        Condition_WakeAll(&parent.changed);
        Mutex_Unlock(&parent.mutex);
    }
    Say(&parent.ended);
    Wait(GRACE_MS);
    Os_EndProcess(2);
}

/* Starts the thread before any DLL is loaded, because a new thread calls the entry points of all
 * DLLs. */
static bool StartWatch(void) {
    Thread thread;
    Mutex_Init(&parent.mutex);
    Condition_Init(&parent.changed);
    if (!Thread_Start(&thread, Watch, NULL))
        return false;
#ifdef _WIN32
    CloseHandle(thread);
#endif
    Mutex_Lock(&parent.mutex);
    while (!parent.runs)
        Condition_Wait(&parent.changed, &parent.mutex);
    Mutex_Unlock(&parent.mutex);
    return true;
}

RpStatus Parent_Open(bool watched, RpError *error) {
    if (TakeStreams(watched) && (!watched || StartWatch()))
        return RP_OK;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot take the standard streams", "", "", "");
}

bool Parent_Next(BatchOrder *order) {
    Mutex_Lock(&parent.mutex);
    while (parent.taken == parent.received && !parent.ended)
        Condition_Wait(&parent.changed, &parent.mutex);
    const bool found = !parent.ended;
    if (found)
        *order = parent.orders[parent.taken++ % BATCH_ORDERS];
    Mutex_Unlock(&parent.mutex);
    return found;
}

void Parent_Follow(const TraceCall *call, const InvokeFrame *frame) {
    if (call->outcome == TRACE_RETURNED)
        return;
    if (frame->reason[0])
        fprintf(stderr, "%s\n", frame->reason);
    if (call->outcome == TRACE_EXITED) {
        fflush(NULL);
        Os_EndProcess((int)frame->exit_code);
    }
}
