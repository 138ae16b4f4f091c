/* Observed calls: recording and shadow mode inside a running game. The gates (gate.h) bring a call
 * here when its function is recorded or shadowed; everything else never comes near.
 *
 * No code in dll touches the x87 or SSE registers (it is compiled with -mgeneral-regs-only),
 * so what the game's arithmetic finds after a call is what the called function left. Any thread may
 * be in any of these functions; no lock is held while foreign code runs.
 */
#ifndef RETROPOSE_DLL_OBSERVE_OBSERVE_H
#define RETROPOSE_DLL_OBSERVE_OBSERVE_H

#include "dll/observe/identity.h"
#include "dll/observe/invoke.h"
#include "dll/settings/settings.h"

typedef struct ObservedCall {
    const Signature *signature;
    const LiveTarget *serving; /* whose result the game gets */
    const LiveTarget *shadow;  /* runs on copies and is compared; null: nothing does */
    bool by_replacement;       /* `serving` is a function of ours, and not the original's */
    bool record;
    const uint32_t *arguments;
    uint16_t control_in;
    uint32_t mxcsr_in;
    LiveResult result; /* gets what `serving` returned */
} ObservedCall;

/* Runs `serving` once, and records and compares as the settings ask. It never changes the
 * result. */
void Observe_Run(ObservedCall *call);

/* Opens files and starts the writer's thread. A failure is logged, and nothing is observed then. */
void Observe_Open(const LiveSettings *settings, const ObserveIdentity *identity);
/* Takes the settings of a running game: sampling, limits, recording on or off. */
void Observe_Change(const LiveSettings *settings);
/* Ends all files. The other threads have been ended, maybe in the middle of a call, and what
 * observed is never unloaded before (Host_Start pins it), so nothing is freed. */
void Observe_EndProcess(void);

#endif
