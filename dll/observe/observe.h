/* Observed calls: recording and shadow mode inside a running game. A gate (gate.h) brings a call
 * here if its function is recorded or shadowed. No other call comes here.
 *
 * No code in dll touches the x87 or SSE registers (it is compiled with -mgeneral-regs-only). After
 * a call, the game's arithmetic therefore finds these registers as the called function left them.
 * Any thread may call any of these functions. No lock is held while foreign code runs.
 */
#ifndef RETROPOSE_DLL_OBSERVE_OBSERVE_H
#define RETROPOSE_DLL_OBSERVE_OBSERVE_H

#include "dll/observe/identity.h"
#include "dll/observe/invoke.h"
#include "dll/settings/settings.h"

typedef struct ObservedCall {
    const Signature *signature;
    const LiveTarget *serving; /* the game gets its result */
    const LiveTarget *shadow;  /* runs on copies and is compared; null: nothing is compared */
    bool by_replacement;       /* `serving` is our function, not the original's */
    bool record;
    const uint32_t *arguments;
    uint16_t control_in;
    uint32_t mxcsr_in;
    LiveResult result; /* gets the result of `serving` */
} ObservedCall;

/* Runs `serving` once, and records and compares as the settings ask. It never changes the
 * result. */
void Observe_Run(ObservedCall *call);

/* Opens files and starts the thread that writes. On failure, which is logged, nothing is
 * observed. */
void Observe_Open(const LiveSettings *settings, const ObserveIdentity *identity);
/* Applies changed settings in a running game: sampling, limits, recording on or off. */
void Observe_Change(const LiveSettings *settings);
/* Ends all files. The other threads have been ended, maybe in the middle of a call. Nothing is
 * freed, because code that observes is never unloaded before the process ends (Host_Start pins
 * it). */
void Observe_EndProcess(void);

#endif
