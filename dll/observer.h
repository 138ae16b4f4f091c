/* What our Ngi32.dll offers to our AniMesh.dll: the recorder and the comparer, of which a process
 * has only one; how its slots are called; and which of them are served by our own functions.
 * AniMesh.dll looks this up by its name, so it can also be loaded beside an original Ngi32.dll. Its
 * calls are then neither recorded nor compared. */
#ifndef RETROPOSE_DLL_OBSERVER_H
#define RETROPOSE_DLL_OBSERVER_H

#include "dll/observe/observe.h"
#include "retropose/arithmetic.h"

#define LIVE_OBSERVER_NAME    "RetroposeObserver"
#define LIVE_OBSERVER_VERSION 4 /* of these structures and of those in observe.h */

/* What AniMesh.dll needs to see, at any time, that our own function serves a slot and that nothing
 * observes it. This is so if the table has `entry` and *target is `code`. */
typedef struct LiveSlot {
    const void *entry, *code;
    const void *const volatile *target;
} LiveSlot;

typedef struct LiveObserver {
    /* These are for Ngi32.dll only: Observe_Open, Observe_Change, Observe_EndProcess. */
    void (*open)(const LiveSettings *settings, const ObserveIdentity *identity);
    void (*change)(const LiveSettings *settings);
    void (*end_process)(void);
    void (*run)(ObservedCall *call); /* Observe_Run */
    /* Says how to call the gate in g_FastProc[slot]. Returns false if it is called as the tables
     * say. */
    bool (*slot_call)(uint32_t slot, OverlayCall *call);
    /* Returns false for a slot that no function of ours can serve. */
    bool (*own_slot)(uint32_t slot, LiveSlot *own);
    /* Returns the build and the readings by which our functions in the table compute. */
    const RpArithmetic *(*arithmetic)(void);
} LiveObserver;

/* This is null if there is no observer. It is set once, before the first plan that needs it. */
extern const LiveObserver *live_observer;

#endif
