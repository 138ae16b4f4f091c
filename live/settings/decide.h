/* What comes of a mode that the settings ask for: one decision, made here for our DLLs, which act
 * on it, and for `retropose doctor`, which explains it. Works without a C library.
 *
 * A function is never overridden before its call is verified for the very file that is hosted:
 * read in the tables for the published build, or given by an overlay with that file's SHA-256.
 */
#ifndef RETROPOSE_LIVE_SETTINGS_DECIDE_H
#define RETROPOSE_LIVE_SETTINGS_DECIDE_H

#include "exports/overlay/overlay.h"
#include "live/settings/settings.h"

/* SHA-256 of the one published build of Ngi32.dll; none of AniMesh.dll is published. */
extern const char live_published_sha256[65];

/* One original beside our DLLs. */
typedef struct LiveModule {
    bool hosted;     /* there is one, and it may be loaded */
    char sha256[65]; /* of its file; empty: not known, so nothing is verified */
} LiveModule;

typedef enum LiveReason {
    LIVE_AS_ASKED,
    LIVE_NO_ORIGINAL,  /* nothing is hosted: ours is all there is */
    LIVE_OURS_ALONE,   /* the original has no such function */
    LIVE_OUR_TABLE,    /* g_FastProc: a table of gates, whose slots have modes of their own */
    LIVE_NOT_OURS,     /* we have no body */
    LIVE_FAILS,        /* our body only fails with a message */
    LIVE_UNVERIFIED,   /* the call is neither read for this build nor in an overlay */
    LIVE_OTHER_FILE,   /* the overlay was made for another file */
    LIVE_SHARED,       /* shares state with others; only `replacement` for all of them is obeyed */
    LIVE_SPLIT,        /* not all that share its state are set to replacement and verified */
    LIVE_FOLLOWS,      /* they are, and it goes with them */
    LIVE_NO_ENTRY,     /* the address is inside of a routine */
    LIVE_INSIDE,       /* an internal function of Ngi32.dll, reached only inside the original */
    LIVE_NO_SIGNATURE, /* the overlay has no signature to find it by, or its entry cannot be moved
                        */
    LIVE_NO_SHADOW,    /* what it does is not all in its outputs */
    LIVE_CALLEE,       /* ours calls functions of the other original whose call is not verified */
    LIVE_INCOMPLETE,  /* it makes objects that the game calls slots of which have no body of ours */
    LIVE_OF_OBJECT,   /* it works on objects of its own DLL alone */
    LIVE_OUR_OBJECTS, /* the objects are ours: the original's methods know them not */
    /* Of a running game alone: */
    LIVE_NOT_REDIRECTED, /* the loaded bytes are not those of the overlay's signature */
    LIVE_NO_OBSERVER     /* nothing here compares: Ngi32.dll is not ours */
} LiveReason;

typedef struct LiveDecision {
    LiveMode asked;     /* as the settings say */
    LiveMode effective; /* never LIVE_VERIFIED */
    LiveReason reason;
} LiveDecision;

/* `overlay` may be null. `modules` by AbiModule. What only a running game can tell is left to it:
 * that a signature matches the loaded bytes, that g_FastProc has an entry. */
LiveDecision Settings_Decide(const LiveSettings *settings, const Overlay *overlay,
                             const LiveModule modules[ABI_MODULE_COUNT],
                             const AbiFunction *function);

/* Whether mesh objects are made by ours while an original is there. */
bool Settings_MakesObjects(const LiveSettings *settings, const Overlay *overlay,
                           const LiveModule modules[ABI_MODULE_COUNT]);
/* The decision on a redirected method once there are objects of ours, as Settings_Decide says of
 * itself while Settings_MakesObjects: ours works on the objects of either DLL, the original's on
 * its own. */
LiveDecision Settings_WithOurObjects(LiveDecision decision, const AbiFunction *function);

/* One sentence for a log, without a stop. */
const char *LiveReason_Text(LiveReason reason);

/* The parts of the decision. */
bool Settings_IsPublished(const LiveModule *module);
/* Whether the machine's call of this function in this file is known; *reason otherwise. */
bool Settings_IsVerified(const Overlay *overlay, const LiveModule *module,
                         const AbiFunction *function, LiveReason *reason);
/* Whether a second run on copies of its arguments leaves no mark, and shows all that it did:
 * nothing opaque, no archive, no text and no buffer of pointers goes in. */
bool Settings_CanShadow(const AbiFunction *function);
/* Whether ours can stand in for one inside the original AniMesh: what works on objects of either.
 */
bool Settings_MayRedirect(const AbiFunction *function);
/* The slots of a mesh object that the game calls (facts/animesh.md E.20) and that have no body of
 * ours: the next one from row *at on, which moves on; null past the last. */
const AbiFunction *Settings_NextMissingSlot(size_t *at);
/* The name of the state that it shares with others ("memory", "archives", ...), or null. */
const char *Settings_SharedState(const AbiFunction *function);

#endif
