/* The platform for tests on Linux. It provides by other means what the DLLs find in Windows. */
#define _GNU_SOURCE
#include "dll/observe/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __i386__
#define LOW_MEMORY 0
#else
#define LOW_MEMORY MAP_32BIT
#endif

bool Platform_Open(void) {
    return true;
}

bool Platform_Read(void *to, uint32_t address, size_t size) {
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)address, size};
    return size == 0 || process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

uint32_t Platform_RegionOf(uint32_t address) {
    (void)address;
    return 0;
}

void *Platform_Allocate(size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | LOW_MEMORY, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void Platform_Free(void *memory, size_t size) {
    munmap(memory, size);
}

/* ---- threads --------------------------------------------------------------------------------- */

void Platform_Pause(uint32_t turn) {
    if (turn < 40)
        sched_yield();
    else
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static __thread bool inside;

/* Changes the last error, as TlsGetValue does on Windows, so that tests find code that reads it too
 * late. */
bool Platform_IsInside(void) {
    errno = 0;
    return inside;
}

void Platform_SetInside(bool now) {
    inside = now;
}

uint32_t Platform_LastError(void) {
    return (uint32_t)errno;
}

void Platform_SetLastError(uint32_t code) {
    errno = (int)code;
}

static struct Service {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    void (*step)(void);
    uint32_t milliseconds;
    bool lives, woken, stops;
} service = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void *Serve(void *nothing) {
    __atomic_store_n(&service.lives, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&service.stops, __ATOMIC_ACQUIRE)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        uint32_t milliseconds = __atomic_load_n(&service.milliseconds, __ATOMIC_RELAXED);
        uint64_t nanoseconds = (uint64_t)until.tv_nsec + milliseconds * 1000000ull;
        until.tv_sec += (time_t)(nanoseconds / 1000000000u);
        until.tv_nsec = (long)(nanoseconds % 1000000000u);
        pthread_mutex_lock(&service.mutex);
        if (!service.woken && !service.stops)
            pthread_cond_timedwait(&service.wake, &service.mutex, &until);
        service.woken = false;
        pthread_mutex_unlock(&service.mutex);

        service.step();
    }
    __atomic_store_n(&service.lives, false, __ATOMIC_RELEASE);
    return nothing;
}

bool Platform_StartService(void (*step)(void), uint32_t milliseconds) {
    service.step = step;
    service.milliseconds = milliseconds;
    service.stops = false;
    return pthread_create(&service.thread, NULL, Serve, NULL) == 0;
}

bool Platform_ServiceLives(void) {
    return __atomic_load_n(&service.lives, __ATOMIC_ACQUIRE);
}

static void Signal(bool stop) {
    pthread_mutex_lock(&service.mutex);
    service.woken = true;
    service.stops |= stop;
    pthread_cond_signal(&service.wake);
    pthread_mutex_unlock(&service.mutex);
}

void Platform_WakeService(void) {
    Signal(false);
}

void Platform_SetServicePeriod(uint32_t milliseconds) {
    __atomic_store_n(&service.milliseconds, milliseconds, __ATOMIC_RELAXED);
    Signal(false);
}

void Platform_StopService(void) {
    Signal(true);
    pthread_join(service.thread, NULL);
}

/* ---- runs that may crash --------------------------------------------------------------------- */

static __thread sigjmp_buf landing;
static __thread volatile sig_atomic_t guarded;
static __thread PlatformFault seen;

static void OnSignal(int number, siginfo_t *info, void *context) {
    (void)context;
    if (!guarded) {
        signal(number, SIG_DFL);
        return;
    }
    seen = (PlatformFault){(uint32_t)number, (uint32_t)(uintptr_t)info->si_addr};
    siglongjmp(landing, 1);
}

bool Platform_RunGuarded(void (*run)(void *context), void *context, PlatformFault *fault) {
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER}, old[2];
    bool fine = true;
    action.sa_sigaction = OnSignal;
    sigaction(SIGSEGV, &action, &old[0]);
    sigaction(SIGFPE, &action, &old[1]);
    guarded = 1;
    if (sigsetjmp(landing, 1) == 0) {
        run(context);
    } else {
        *fault = seen;
        fine = false;
    }
    guarded = 0;
    sigaction(SIGSEGV, &old[0], NULL);
    sigaction(SIGFPE, &old[1], NULL);
    return fine;
}

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t Platform_Ticks(void) {
    return __builtin_ia32_rdtsc();
}

uint32_t Platform_Milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

/* ---- files ----------------------------------------------------------------------------------- */

PlatformOpening Platform_Create(const char *path, PlatformFile *file, uint32_t *code) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    *file = descriptor;
    *code = descriptor < 0 ? (uint32_t)errno : 0;
    return descriptor >= 0 ? PLATFORM_OPENED : *code == EEXIST ? PLATFORM_EXISTS : PLATFORM_REFUSED;
}

PlatformOpening Platform_Append(const char *path, PlatformFile *file, uint64_t *size,
                                uint32_t *code) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    *file = descriptor;
    *code = descriptor < 0 ? (uint32_t)errno : 0;
    *size = descriptor < 0 ? 0 : (uint64_t)lseek(descriptor, 0, SEEK_END);
    return descriptor >= 0 ? PLATFORM_OPENED : PLATFORM_REFUSED;
}

bool Platform_Write(PlatformFile file, uint64_t offset, const void *bytes, size_t size,
                    uint32_t *code) {
    const uint8_t *next = bytes;
    while (size > 0) {
        ssize_t written = pwrite((int)file, next, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            *code = (uint32_t)errno;
            return false;
        }
        next += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
}

bool Platform_Cut(PlatformFile file, uint64_t size) {
    return ftruncate((int)file, (off_t)size) == 0;
}

void Platform_CloseFile(PlatformFile file) {
    close((int)file);
}

bool Platform_Delete(const char *path) {
    return unlink(path) == 0;
}
