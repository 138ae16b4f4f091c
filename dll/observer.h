/* What our Ngi32.dll offers to our AniMesh.dll: the recorder and the comparer, of which a
 * process has one, how its slots are called, and which of them are served by our own functions.
 * AniMesh looks it up by its name, so it loads beside an original Ngi32.dll, too; its calls are
 * then neither recorded nor compared. */
#ifndef RETROPOSE_DLL_OBSERVER_H
#define RETROPOSE_DLL_OBSERVER_H

#include "dll/observe/observe.h"
#include "retropose/arithmetic.h"

#define LIVE_OBSERVER_NAME    "RetroposeObserver"
#define LIVE_OBSERVER_VERSION 4 /* of these structures and of those in observe.h */

/* How AniMesh.dll sees at any time that our own function serves a slot and that nothing observes
 * it: the table has `entry`, and *target is `code`. */
typedef struct LiveSlot {
    const void *entry, *code;
    const void *const volatile *target;
} LiveSlot;

typedef struct LiveObserver {
    /* For Ngi32.dll only: Observe_Open, Observe_Change, Observe_EndProcess. */
    void (*open)(const LiveSettings *settings, const ObserveIdentity *identity);
    void (*change)(const LiveSettings *settings);
    void (*end_process)(void);
    void (*run)(ObservedCall *call); /* is Observe_Run */
    /* Says how the gate in g_FastProc[slot] is to be called. Returns false where that is as the
     * tables say. */
    bool (*slot_call)(uint32_t slot, OverlayCall *call);
    /* Returns false for a slot that no function of ours can serve. */
    bool (*own_slot)(uint32_t slot, LiveSlot *own);
    /* Returns by what our functions in the table compute. */
    const RpArithmetic *(*arithmetic)(void);
} LiveObserver;

/* Null where there is none. It is set once, before the first plan that needs it. */
extern const LiveObserver *live_observer;

#endif
