#define _GNU_SOURCE
#include "machine/translator/code.h"
#include "machine/translator/translator.h"

#ifdef TRANSLATOR_HOST

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_BYTES 0x20000u

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define CAUGHT_COUNT (sizeof caught / sizeof caught[0])

static struct sigaction before[CAUGHT_COUNT];
static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_key;
static bool has_key;

/* The frame of the translator that runs on this thread. Reading the variable must not call anything
 * that allocates memory, as an access to a loaded library's thread-local variable may. */
static _Thread_local Frame *current __attribute__((tls_model("initial-exec")));
/* A handler that was installed after ours may pass signals on to ours, and ours may pass them on to
 * it. This flag ends such a circle. */
static _Thread_local bool handed_on __attribute__((tls_model("initial-exec")));

/* The handler does as little as possible: it notes what happened, and lets the thread continue at
 * the way out. The kernel restores all registers, including x87 and SSE, and the way out stores
 * them as always. Run examines the fault later, outside of any handler. */
static void Handle(int signal_number, siginfo_t *info, void *context) {
    ucontext_t *host = context;
    greg_t *registers = host->uc_mcontext.gregs;
    uint64_t place = (uint64_t)registers[REG_RIP];
    Frame *frame = current;
    if (frame && place >= frame->code && place < frame->code_end) {
        frame->trouble = (Trouble){.place = place,
                                   .address = (uintptr_t)info->si_addr,
                                   .trap = (uint64_t)registers[REG_TRAPNO],
                                   .error = (uint64_t)registers[REG_ERR],
                                   .r11 = (uint64_t)registers[REG_R11]};
        registers[REG_RIP] = (greg_t)frame->way_of_faults;
        return;
    }
    if (frame && place == frame->probe_place) {
        registers[REG_RIP] = (greg_t)frame->way_of_window;
        return;
    }

    size_t i = 0;
    while (caught[i] != signal_number)
        i++;
    bool again = handed_on;
    handed_on = true;
    if (!again && before[i].sa_flags & SA_SIGINFO) {
        before[i].sa_sigaction(signal_number, info, context);
    } else if (!again && before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
        before[i].sa_handler(signal_number);
    } else {
        /* The instruction is executed again, and then the default action ends the process. If
         * another process has sent the signal, it would not come again, so it is raised here. */
        signal(signal_number, SIG_DFL);
        if (info->si_code <= 0)
            raise(signal_number);
    }
    handed_on = again;
}

static void FreeStack(void *stack) {
    stack_t none = {.ss_flags = SS_DISABLE}, now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack)
        sigaltstack(&none, NULL);
    munmap(stack, STACK_BYTES);
}

static void MakeKey(void) {
    has_key = pthread_key_create(&stack_key, FreeStack) == 0;
}

RpStatus FaultSignals_Install(RpError *error) {
    pthread_once(&once, MakeKey);
    pthread_mutex_lock(&installing);
    bool is_installed = has_key;
    for (size_t i = 0; i < CAUGHT_COUNT && is_installed; i++) {
        struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
        action.sa_sigaction = Handle;
        sigemptyset(&action.sa_mask);
        is_installed = sigaction(caught[i], NULL, &now) == 0;
        if (!is_installed || (now.sa_flags & SA_SIGINFO && now.sa_sigaction == Handle))
            continue;
        before[i] = now;
        is_installed = sigaction(caught[i], &action, NULL) == 0;
    }
    pthread_mutex_unlock(&installing);
    if (!is_installed)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot install handlers of signals", "", "",
                           strerror(errno));
    return RP_OK;
}

/* Makes a thread's stack for signals. This is done when the thread first runs a guest, and the
 * stack stays until the thread ends. */
static bool HasStack(void) {
    static _Thread_local bool has_stack;
    if (has_stack)
        return true;
    stack_t now;
    if (sigaltstack(NULL, &now) != 0)
        return false;
    if (now.ss_flags & SS_DISABLE) {
        void *memory =
            mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        stack_t made = {.ss_sp = memory, .ss_size = STACK_BYTES};
        if (sigaltstack(&made, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0) {
            munmap(memory, STACK_BYTES);
            return false;
        }
    }
    has_stack = true;
    return true;
}

static _Thread_local uint64_t mask_before;
static _Thread_local unsigned holds;

bool Translator_Hold(void) {
    if (holds > 0) {
        holds++;
        return true;
    }

    /* All signals are blocked except those that the guest causes. RSP holds an address of the
     * guest, so the kernel could not store the frame of a handler that does not use the stack for
     * signals. The C library would not allow blocking its own signals, hence the system call.
     * Others may have installed handlers since the last time, as test frameworks do for each
     * test. */
    struct sigaction now;
    bool is_installed = sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
                        now.sa_sigaction == Handle;
    if (!is_installed && FaultSignals_Install(NULL) != RP_OK)
        return false;
    uint64_t all = ~0ull;
    for (size_t i = 0; i < CAUGHT_COUNT; i++)
        all &= ~(1ull << (caught[i] - 1));
    all &= ~(1ull << (SIGTRAP - 1)); /* for debuggers */
    handed_on = false;
    if (!HasStack() ||
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask_before, sizeof all) != 0)
        return false;
    holds = 1;
    return true;
}

void Translator_Release(void) {
    if (--holds == 0)
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask_before, NULL, sizeof mask_before);
}

Frame *Signals_Expect(Frame *frame) {
    Frame *outer = current;
    current = frame;
    return outer;
}

#endif
