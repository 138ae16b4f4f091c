#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* for sigaction */
#endif

#include "cli/signals.h"

#include "core/files/cleanup.h"
#include "core/stop.h"
#include "replay/process/process.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_bool deferred;

static void CleanUp(void) {
    Process_KillAll();
    Cleanup_RemoveAll();
}

void Signals_Defer(void) {
    atomic_store(&deferred, true);
}

#ifdef _WIN32
#include <windows.h>

#define CTRL_EXIT 130

/* Runs in a thread of its own. When the console is closed, no time is left for a report. */
static BOOL WINAPI OnControl(DWORD event) {
    const bool may_wait = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    if (may_wait && atomic_load(&deferred) && Stop_Ask(SIGINT))
        return TRUE;
    CleanUp();
    ExitProcess(CTRL_EXIT);
}

void Signals_Install(void) {
    SetConsoleCtrlHandler(OnControl, TRUE);
}

const char *Signals_Asked(void) {
    return Stop_Asked() ? "Ctrl-C" : NULL;
}

void Signals_Finish(void) {
    if (!Stop_Asked())
        return;
    CleanUp();
    ExitProcess(CTRL_EXIT);
}
#else
static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ};
static const char *const names[] = {"SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT", "SIGXFSZ"};

/* This runs in signal handlers, so nothing in it allocates, locks or waits. */
static void Die(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t one;
    CleanUp();
    sigaction(number, &usual, NULL);
    raise(number);
    sigemptyset(&one); /* a signal is blocked in its own handler until it is unblocked here */
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

static void OnSignal(int number) {
    if (number != SIGPIPE && number != SIGXFSZ && atomic_load(&deferred) && Stop_Ask(number))
        return;
    Die(number);
}

void Signals_Install(void) {
    struct sigaction ours = {.sa_handler = OnSignal, .sa_flags = SA_RESTART};
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction before;
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(fatal[i], &ours, NULL);
    }
}

const char *Signals_Asked(void) {
    const int asked = Stop_Asked();
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (asked == fatal[i])
            return names[i];
    return NULL;
}

void Signals_Finish(void) {
    if (!Stop_Asked())
        return;
    fflush(stdout);
    Die(Stop_Asked());
}
#endif
