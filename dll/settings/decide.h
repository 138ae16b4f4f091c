/* Decides what becomes of a mode that the settings ask for. Our DLLs act on this decision, and
 * `retropose doctor` explains it. It works without a C library.
 *
 * A function is never replaced before its call is verified for the very file that is hosted. A call
 * is verified if the tables have read it in the published build and this is that version, or if an
 * overlay with the file's SHA-256 gives it.
 */
#ifndef RETROPOSE_DLL_SETTINGS_DECIDE_H
#define RETROPOSE_DLL_SETTINGS_DECIDE_H

#include "dll/settings/settings.h"
#include "exports/overlay/overlay.h"
#include "tracefile/signature.h"

/* An original beside our DLLs. */
typedef struct LiveModule {
    bool hosted;     /* it exists and may be loaded */
    char sha256[65]; /* digest of its file; empty if unknown, and then nothing is verified */
} LiveModule;

typedef enum LiveReason {
    LIVE_AS_ASKED,
    LIVE_NO_ORIGINAL, /* no original is hosted, so only ours exists */
    LIVE_OURS_ALONE,  /* the original does not have the function */
    LIVE_OUR_TABLE,   /* g_FastProc itself, a table of gates; its slots have modes of their own */
    LIVE_NOT_OURS,    /* we have no body for it */
    LIVE_FAILS,       /* our body only fails with a message */
    LIVE_UNVERIFIED,  /* the call is neither read for this version nor given by an overlay */
    LIVE_OTHER_FILE,  /* the overlay was made for another file */
    LIVE_SHARED,  /* it shares state with others; `replacement` has an effect only for all of them
                     together */
    LIVE_SPLIT,   /* not all that share its state are set to replacement and verified */
    LIVE_FOLLOWS, /* all that share its state are set to replacement and verified, so it is replaced
                     with them */
    LIVE_NO_ENTRY,     /* its known address is in the middle of a routine */
    LIVE_INSIDE,       /* it is internal to Ngi32.dll and called only by code of the original */
    LIVE_NO_SIGNATURE, /* the overlay has no signature to find it by, or its entry cannot be moved
                        */
    LIVE_NO_SHADOW,    /* not everything that it does is in its outputs */
    LIVE_CALLEE, /* ours calls functions of the original Ngi32.dll whose calls are not verified */
    LIVE_INCOMPLETE, /* it makes objects, and we have no body for a slot that the game calls on them
                      */
    LIVE_OF_OBJECT,  /* it works only on objects of its own DLL */
    LIVE_OUR_OBJECTS, /* the objects are ours, and the original's methods cannot work on them */
    /* The following occur in a running game only. */
    LIVE_NOT_REDIRECTED, /* the loaded bytes are not those of the overlay's signature */
    LIVE_NO_OBSERVER     /* nothing can compare here, because Ngi32.dll is not ours */
} LiveReason;

typedef struct LiveDecision {
    LiveMode asked;     /* what the settings say */
    LiveMode effective; /* never LIVE_VERIFIED */
    LiveReason reason;
} LiveDecision;

/* Makes the decision for one function. `overlay` may be null; `modules` is indexed by AbiModule.
 * Two things are known only in a running game, and are decided there: whether a signature matches
 * the loaded bytes, and whether g_FastProc has an entry. */
LiveDecision Settings_Decide(const LiveSettings *settings, const Overlay *overlay,
                             const LiveModule modules[ABI_MODULE_COUNT],
                             const AbiFunction *function);

/* Returns whether our DLL makes the mesh objects even though an original exists. */
bool Settings_MakesObjects(const LiveSettings *settings, const Overlay *overlay,
                           const LiveModule modules[ABI_MODULE_COUNT]);
/* Returns the decision for a redirected method when there are objects of ours. Settings_Decide uses
 * it while Settings_MakesObjects is true. Our methods work on the objects of either DLL, the
 * original's only on its own. */
LiveDecision Settings_WithOurObjects(LiveDecision decision, const AbiFunction *function);

/* Returns one sentence for a log, without a full stop. */
const char *LiveReason_Text(LiveReason reason);

/* ---- the parts of the decision --------------------------------------------------------------- */

/* Returns whether it is known how the machine calls this function in this file. If not, *reason
 * says why. */
bool Settings_IsVerified(const Overlay *overlay, const LiveModule *module,
                         const AbiFunction *function, LiveReason *reason);
/* Returns whether a trace can hold everything that a call depends on, so that the call can be run
 * again. This is so if nothing opaque, no object that is changed in place and no buffer of pointers
 * goes in. */
bool Settings_CanRecord(const Signature *signature);
/* Returns whether, in addition, a second run on copies of the arguments has no other effect and
 * shows everything that the function did. This is so if no archive and no text goes in, and nothing
 * opaque comes out. */
bool Settings_CanShadow(const Signature *signature);
/* Returns whether our function can replace the original's inside of the original AniMesh.dll, which
 * requires that it works on objects of either DLL. */
bool Settings_MayRedirect(const AbiFunction *function);
/* Goes through the slots of a mesh object that the game calls (facts/animesh.md E.20) and for
 * which we have no body. Begins at row *at, which it advances; returns null after the last one. */
const AbiFunction *Settings_NextMissingSlot(size_t *at);
/* Returns the name of the state that the function shares with others ("memory", "archives" and
 * so on), or null. */
const char *Settings_SharedState(const AbiFunction *function);

#endif
