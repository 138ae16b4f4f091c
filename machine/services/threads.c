/* Functions by which threads work together. There is only one thread. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#define THREAD_ID     0x00000A50u
#define NO_SLOT       0xFFFFFFFFu
#define WAIT_TIMEOUT  258u
#define FOR_EVER      0xFFFFFFFFu
#define SECTION_BYTES 24u
#define FACTS_BYTES   32u
#define LOCK_COUNT    4u /* offset of the count of locks; −1: free */
#define RECURSION     8u
#define OWNER         12u

/* ---- thread-local storage -------------------------------------------------------------------- */

static uint32_t TlsAt(Machine *machine, uint32_t index) {
    return Machine_Context(machine)->fs_base + TLS_AT + 4 * index;
}

static void TlsAlloc(Machine *machine, void *context) {
    Live *live = &((Services *)context)->live;
    for (uint32_t index = 0; index < TLS_INDEXES; index++)
        if (!(live->tls_in_use >> index & 1)) {
            live->tls_in_use |= 1ull << index;
            Access_Put32(machine, TlsAt(machine, index), 0);
            Return(machine, index);
            return;
        }
    Refuse(machine, ERROR_MEMORY, NO_SLOT);
}

static void TlsFree(Machine *machine, void *context) {
    Live *live = &((Services *)context)->live;
    uint32_t index = Machine_Argument(machine, 0);
    if (index >= TLS_INDEXES || !(live->tls_in_use >> index & 1)) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    live->tls_in_use &= ~(1ull << index);
    Return(machine, 1);
}

/* On success the last error becomes 0. It tells a value of 0 from a failure. */
static void TlsGetValue(Machine *machine, void *context) {
    (void)context;
    uint32_t index = Machine_Argument(machine, 0), value = 0;
    if (index < TLS_INDEXES && Access_Get32(machine, TlsAt(machine, index), &value))
        Refuse(machine, NO_ERROR_AT_ALL, value);
    else
        Refuse(machine, ERROR_PARAMETER, 0);
}

static void TlsSetValue(Machine *machine, void *context) {
    (void)context;
    uint32_t index = Machine_Argument(machine, 0);
    if (index < TLS_INDEXES &&
        Access_Put32(machine, TlsAt(machine, index), Machine_Argument(machine, 1)))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_PARAMETER, 0);
}

/* ---- critical sections ----------------------------------------------------------------------- */

static void WriteSection(Machine *machine, uint32_t section, uint32_t locks, uint32_t recursion,
                         uint32_t popped) {
    if (!Access_Put32(machine, section + LOCK_COUNT, locks) ||
        !Access_Put32(machine, section + RECURSION, recursion) ||
        !Access_Put32(machine, section + OWNER, recursion ? THREAD_ID : 0))
        Access_Fault(machine, popped, section, true);
}

/* Until version 7, Windows keeps data for debuggers beside a section. Some programs write a name
 * into it. */
static void Initialize(Machine *machine, Services *services, uint32_t popped) {
    uint32_t section = Machine_Argument(machine, 0);
    if (!Access_Clear(machine, section, SECTION_BYTES)) {
        Access_Fault(machine, popped, section, true);
        return;
    }
    uint32_t facts = Heap_Alloc(services, services->live.heaps, FACTS_BYTES, true);
    if (facts && Access_Put32(machine, facts + 4, section))
        Access_Put32(machine, section, facts);
    WriteSection(machine, section, NO_SLOT, 0, popped);
}

static void InitializeCriticalSection(Machine *machine, void *context) {
    Initialize(machine, context, 4);
}

static void InitializeCriticalSectionAndSpinCount(Machine *machine, void *context) {
    Return(machine, 1);
    Initialize(machine, context, 8);
}

static void DeleteCriticalSection(Machine *machine, void *context) {
    Services *services = context;
    uint32_t section = Machine_Argument(machine, 0), facts = 0;
    Access_Get32(machine, section, &facts);
    if (!Access_Clear(machine, section, SECTION_BYTES))
        Access_Fault(machine, 4, section, true);
    else if (facts) /* which may no longer be as they were */
        Heap_Free(services, services->live.heaps, facts);
}

static void Change(Machine *machine, uint32_t by) {
    uint32_t section = Machine_Argument(machine, 0), locks, recursion;
    if (!Access_Get32(machine, section + LOCK_COUNT, &locks) ||
        !Access_Get32(machine, section + RECURSION, &recursion))
        Access_Fault(machine, 4, section, false);
    else
        WriteSection(machine, section, locks + by, recursion + by, 4);
}

static void EnterCriticalSection(Machine *machine, void *context) {
    (void)context;
    Change(machine, 1);
}

static void TryEnterCriticalSection(Machine *machine, void *context) {
    (void)context;
    Return(machine, 1);
    Change(machine, 1);
}

static void LeaveCriticalSection(Machine *machine, void *context) {
    (void)context;
    Change(machine, (uint32_t)-1);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Memory that cannot be read cannot be written either, so one check is enough for both. */
static void Exchange(Machine *machine, uint32_t at, uint32_t value, uint32_t answer,
                     uint32_t popped) {
    if (Access_Put32(machine, at, value))
        Return(machine, answer);
    else
        Access_Fault(machine, popped, at, true);
}

static void InterlockedIncrement(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), old = 0;
    Access_Get32(machine, at, &old);
    Exchange(machine, at, old + 1, old + 1, 4);
}

static void InterlockedDecrement(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), old = 0;
    Access_Get32(machine, at, &old);
    Exchange(machine, at, old - 1, old - 1, 4);
}

static void InterlockedExchange(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), old = 0;
    Access_Get32(machine, at, &old);
    Exchange(machine, at, Machine_Argument(machine, 1), old, 8);
}

static void InterlockedExchangeAdd(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), old = 0;
    Access_Get32(machine, at, &old);
    Exchange(machine, at, old + Machine_Argument(machine, 1), old, 8);
}

static void InterlockedCompareExchange(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), old = 0;
    Access_Get32(machine, at, &old);
    bool is_same = old == Machine_Argument(machine, 2);
    Exchange(machine, at, is_same ? Machine_Argument(machine, 1) : old, old, 12);
}

/* ---- events and mutexes ---------------------------------------------------------------------- */

static void MakeHandle(Machine *machine, void *context, HandleKind kind, uint32_t value,
                       uint32_t place) {
    uint32_t handle = Handle_Make(context, kind, value, place);
    Refuse(machine, handle ? NO_ERROR_AT_ALL : ERROR_MEMORY, handle);
}

static void CreateEvent(Machine *machine, void *context) {
    MakeHandle(machine, context, HANDLE_EVENT, Machine_Argument(machine, 2) != 0,
               Machine_Argument(machine, 1) != 0);
}

static void CreateMutex(Machine *machine, void *context) {
    MakeHandle(machine, context, HANDLE_MUTEX, 0, 0);
}

static void Signal(Machine *machine, void *context, uint32_t value) {
    Handle *event = Handle_Find(context, Machine_Argument(machine, 0), HANDLE_EVENT);
    if (!event) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    event->value = value;
    Return(machine, 1);
}

static void SetEvent(Machine *machine, void *context) {
    Signal(machine, context, 1);
}

static void ResetEvent(Machine *machine, void *context) {
    Signal(machine, context, 0);
}

static void ReleaseMutex(Machine *machine, void *context) {
    if (Handle_Find(context, Machine_Argument(machine, 0), HANDLE_MUTEX))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_BAD_HANDLE, 0);
}

static void WaitForSingleObject(Machine *machine, void *context) {
    Services *services = context;
    uint32_t handle = Machine_Argument(machine, 0), time = Machine_Argument(machine, 1);
    Handle *event = Handle_Find(services, handle, HANDLE_EVENT);
    if (Handle_Find(services, handle, HANDLE_MUTEX) || (event && event->value)) {
        if (event && !event->place)
            event->value = 0;
        Return(machine, 0);
    } else if (event && time == FOR_EVER) {
        Machine_Refuse(machine, "KERNEL32.WaitForSingleObject: would wait for ever");
    } else if (event) {
        services->live.clock += 1000ull * time;
        Return(machine, WAIT_TIMEOUT);
    } else {
        Refuse(machine, ERROR_BAD_HANDLE, 0xFFFFFFFF);
    }
}

static void CreateThread(Machine *machine, void *context) {
    (void)context;
    Machine_Refuse(machine, "KERNEL32.CreateThread: not supported");
}

static void AnswerOne(Machine *machine, void *context) {
    (void)context;
    Return(machine, 1);
}

static void AnswerZero(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0);
}

#define ROW(name, arguments)                                                                       \
    { "KERNEL32.dll", #name, 4 * (arguments), name }
#define ROW_AS(name, arguments, function)                                                          \
    { "KERNEL32.dll", name, 4 * (arguments), function }

const MachineRow services_threads[] = {
    ROW(TlsAlloc, 0),
    ROW(TlsFree, 1),
    ROW(TlsGetValue, 1),
    ROW(TlsSetValue, 2),
    ROW(InitializeCriticalSection, 1),
    ROW(InitializeCriticalSectionAndSpinCount, 2),
    ROW(DeleteCriticalSection, 1),
    ROW(EnterCriticalSection, 1),
    ROW(TryEnterCriticalSection, 1),
    ROW(LeaveCriticalSection, 1),
    ROW(InterlockedIncrement, 1),
    ROW(InterlockedDecrement, 1),
    ROW(InterlockedExchange, 2),
    ROW(InterlockedExchangeAdd, 2),
    ROW(InterlockedCompareExchange, 3),
    ROW_AS("CreateEventA", 4, CreateEvent),
    ROW_AS("CreateEventW", 4, CreateEvent),
    ROW_AS("CreateMutexA", 3, CreateMutex),
    ROW_AS("CreateMutexW", 3, CreateMutex),
    ROW(SetEvent, 1),
    ROW(ResetEvent, 1),
    ROW(ReleaseMutex, 1),
    ROW(WaitForSingleObject, 2),
    ROW(CreateThread, 6),
    ROW_AS("SetThreadPriority", 2, AnswerOne),
    ROW_AS("GetThreadPriority", 1, AnswerZero),
    ROW_AS("SwitchToThread", 0, AnswerZero),
    {0},
};
