/* What our Ngi32.dll offers to our AniMesh.dll: the recorder and the comparer, of which a
 * process has one, and how its slots are called. AniMesh looks it up by its name, so it loads
 * beside an original Ngi32.dll, too; its calls are then neither recorded nor compared. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVER_H
#define RETROPOSE_LIVE_DLL_OBSERVER_H

#include "live/dll/observe/observe.h"

#define LIVE_OBSERVER_NAME    "RetroposeObserver"
#define LIVE_OBSERVER_VERSION 2 /* of these structures and of those in observe.h */

typedef struct LiveObserver {
    /* For Ngi32.dll only: Observe_Open, Observe_Change, Observe_EndProcess. */
    void (*open)(const LiveSettings *settings, const ObserveIdentity *identity);
    void (*change)(const LiveSettings *settings);
    void (*end_process)(void);
    void (*run)(ObservedCall *call); /* is Observe_Run */
    /* Says how the gate in g_FastProc[slot] is to be called. Returns false where that is as the
     * tables say. */
    bool (*slot_call)(uint32_t slot, OverlayCall *call);
} LiveObserver;

/* Null where there is none. It is set once, before the first plan that needs it. */
extern const LiveObserver *live_observer;

#endif
