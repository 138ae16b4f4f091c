/* What Ngi32.dll of ours offers to AniMesh.dll of ours: the recorder and the comparer, of which
 * there is one in a process, and how its slots are called. AniMesh finds it by its name, so that it
 * loads beside an original Ngi32.dll, too; then its calls are neither recorded nor shadowed. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVER_H
#define RETROPOSE_LIVE_DLL_OBSERVER_H

#include "live/dll/observe/observe.h"

#define LIVE_OBSERVER_NAME    "RetroposeObserver"
#define LIVE_OBSERVER_VERSION 1 /* of these structures and of those in observe.h */

typedef struct LiveObserver {
    /* For Ngi32.dll alone: Observe_Open, Observe_Change, Observe_Close. */
    void (*open)(const LiveSettings *settings, const ObserveIdentity *identity);
    void (*change)(const LiveSettings *settings);
    void (*close)(bool process_ends);
    void (*run)(ObservedCall *call); /* Observe_Run */
    bool (*can_shadow)(const Signature *signature);
    bool (*can_record)(const Signature *signature);
    /* How the gate in g_FastProc[slot] is to be called. False: as the tables say. */
    bool (*slot_call)(uint32_t slot, OverlayCall *call);
} LiveObserver;

/* Null: there is none. Set once, before the first plan that needs it. */
extern const LiveObserver *live_observer;

#endif
