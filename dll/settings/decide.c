#include "dll/settings/decide.h"

#include "core/glob.h"
#include "exports/animesh.abi.h"
#include "exports/published.h"

#include <string.h>

const char *LiveReason_Text(LiveReason reason) {
    static const char *const texts[] = {
        "as asked",
        "there is no original to host",
        "the original has no such function",
        "our table of gates; its slots have modes of their own",
        "we have no body for it yet",
        "our body only fails with a message",
        "its call is neither read for this version nor found by `retropose probe`",
        "the overlay was made for another file",
        "it shares state with others; set all of them to replacement to switch",
        "others that share its state are not set to replacement, or not verified",
        "it goes with the functions that it shares state with",
        "its published address is inside of a routine",
        "it is reached only inside the original",
        "the overlay has no signature to find it by",
        "not all that it does shows in its outputs",
        "ours calls functions of the other original whose call is not verified",
        ("the game calls slots of its objects that have no body of ours; a line of its own with "
         "replacement switches it nevertheless"),
        "objects of the original keep their own",
        "LoadAniMesh or LoadAgent is ours, and the original's code does not know our objects",
        "its loaded bytes are not those of the overlay's signature",
        "nothing compares, because Ngi32.dll is not ours"};
    _Static_assert(sizeof texts / sizeof *texts == LIVE_NO_OBSERVER + 1, "a text for each reason");
    return (unsigned)reason <= LIVE_NO_OBSERVER ? texts[reason] : "unknown";
}

/* ---- state that functions share -------------------------------------------------------------- */

/* Groups of functions that share state: what one of them hands out or sets, another one takes. If
 * half of a group were ours and half the original's, there would be two heaps, two lists of
 * archives, two error texts. */
static const char *const shared[][2] = {
    {"ngi32.ngiAlloc", "memory"},          {"ngi32.ngiFree", "memory"},
    {"ngi32.ngiGetMemSize", "memory"},     {"ngi32.ngiProcessError", "errors"},
    {"ngi32.ngiSetDebugOutput", "errors"}, {"ngi32.niOpenRes*", "archives"},
    {"ngi32.niCreateResFile", "archives"}, {"ngi32.INResFile.*", "archives"},
    {"ngi32.DestroyArchives", "archives"}, {"ngi32.*Archive*", "archives"},
    {"ngi32.BuildSortMap", "archives"},    {"ngi32.rs*", "libraries"},
    {"ngi32.ngiUnpack", "libraries"},
};

const char *Settings_SharedState(const AbiFunction *function) {
    if (function->provider == ABI_NOOP)
        return NULL;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (Glob_Matches(shared[i][0], function->key))
            return shared[i][1];
    return NULL;
}

static bool HasBody(const AbiFunction *function) {
    return function->provider == ABI_NATIVE || function->provider == ABI_NATIVE_ONLY ||
           function->provider == ABI_NOOP;
}

/* ---- whether the call is known --------------------------------------------------------------- */

bool Settings_IsVerified(const Overlay *overlay, const LiveModule *module,
                         const AbiFunction *function, LiveReason *reason) {
    const OverlayFunction *row = overlay ? Overlay_Find(overlay, function) : NULL;
    const bool called = row && row->has_call;
    *reason = LIVE_UNVERIFIED;
    if (called && overlay->modules[function->module].known && module->sha256[0] &&
        memcmp(overlay->modules[function->module].sha256, module->sha256, sizeof module->sha256) ==
            0)
        return true;
    if (called)
        *reason = LIVE_OTHER_FILE;
    return Published_Is(function->module, module->sha256) &&
           function->convention_evidence == ABI_READ && function->params_evidence == ABI_READ;
}

/* ---- what can be shadowed -------------------------------------------------------------------- */

bool Settings_CanRecord(const Signature *signature) {
    const AbiProvider provider = signature->function->provider;
    if (provider != ABI_NATIVE && provider != ABI_NOOP)
        return false; /* no other provider can run such a call again */
    if (signature->returns == SIGNATURE_SLOT)
        return false; /* our table holds gates, which are not entries of the original's table */
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        /* Nothing states the size of the memory that a buffer of pointers ("in ref[count]
         * vertices") leads to. */
        if (param->type == SIGNATURE_ANY ||
            (param->type == SIGNATURE_REF && param->direction != SIGNATURE_VALUE))
            return false;
        if (param->type == SIGNATURE_STATE)
            return false; /* it changes an object in place */
    }
    return true;
}

bool Settings_CanShadow(const Signature *signature) {
    if (signature->returns == SIGNATURE_ANY)
        return false;
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureType type = signature->params[i].type;
        if (type == SIGNATURE_NRES || type == SIGNATURE_CSTR)
            return false; /* what it does with an archive or a text does not show in its outputs */
    }
    return Settings_CanRecord(signature);
}

/* ---- the decision ---------------------------------------------------------------------------- */

typedef struct Case {
    const LiveSettings *settings;
    const Overlay *overlay;
    const LiveModule *modules;
    const AbiFunction *function;
} Case;

/* Returns whether a rule makes the function ours. `default = replacement` does not do so for
 * functions that would mix two heaps; a rule has to name them. */
static bool IsReplacedByRule(const LiveSettings *settings, const AbiFunction *function) {
    return Settings_HasRule(settings, function) &&
           Settings_ModeOf(settings, function) == LIVE_REPLACEMENT;
}

/* Returns whether a group is ours. Its exports that have a body of ours decide. Its methods, and
 * its functions that only fail with us, follow them. */
static bool IsGroupOurs(const Case *decided, const char *group) {
    LiveReason reason;
    for (size_t i = 0; i < abi_function_count; i++) {
        const AbiFunction *member = &abi_functions[i];
        if (Settings_SharedState(member) != group || member->kind != ABI_EXPORT || !HasBody(member))
            continue;
        if (!IsReplacedByRule(decided->settings, member) ||
            !Settings_IsVerified(decided->overlay, &decided->modules[member->module], member,
                                 &reason))
            return false;
    }
    return true;
}

/* A function that takes an opaque object works only on objects of its own DLL. A record that a
 * function hands out has bytes whose meaning is not published, and the original's callers read
 * them. Neither kind may be redirected. */
bool Settings_MayRedirect(const AbiFunction *function) {
    if (function->module != ABI_ANIMESH || !function->rva ||
        strncmp(function->params, "any ", 4) == 0)
        return false;
    if (function->kind == ABI_METHOD)
        return strcmp(function->returns, "any") != 0;
    return function->kind == ABI_INTERNAL && function->entry_evidence == ABI_READ;
}

static bool HasEntry(const Overlay *overlay, const AbiFunction *function) {
    const OverlayFunction *row = overlay ? Overlay_Find(overlay, function) : NULL;
    /* A near jump takes 5 bytes. */
    return row && row->rva && row->signature_bytes && row->entry_bytes >= 5;
}

/* ---- objects of AniMesh ---------------------------------------------------------------------- */

const AbiFunction *Settings_NextMissingSlot(size_t *at) {
    static const char *const called[] = {
#define CALLED(interface, slot) "animesh." #interface "." #slot,
        ABI_ANIMESH_CALLED(CALLED)
#undef CALLED
    };
    while (*at < sizeof called / sizeof *called) {
        const AbiFunction *function = Abi_Find(called[(*at)++]);
        if (function && !HasBody(function))
            return function;
    }
    return NULL;
}

/* The functions of Ngi32.dll that our bodies call, through g_FastProc and the methods of an
 * archive. */
static const char *const callees[][2] = {
    {"animesh.SampleNode", "ngi32.slot17"},       {"animesh.BlendPoses", "ngi32.slot14"},
    {"animesh.BlendPoses", "ngi32.slot17"},       {"animesh.BlendPoses", "ngi32.slot22"},
    {"animesh.LoadReader", "ngi32.INResFile.4"},  {"animesh.LoadReader", "ngi32.INResFile.6"},
    {"animesh.LoadReader", "ngi32.INResFile.8"},  {"animesh.IAnimation.31", "ngi32.slot17"},
    {"animesh.ICollisionMesh.3", "ngi32.slot45"}, {"animesh.LoadA*", "ngi32.niOpenResFileEx"},
    {"animesh.LoadA*", "ngi32.niOpenResInMem"},   {"animesh.LoadA*", "ngi32.INResFile.1"},
    {"animesh.LoadA*", "ngi32.INResFile.3"},      {"animesh.LoadA*", "ngi32.INResFile.4"},
    {"animesh.LoadA*", "ngi32.INResFile.6"},      {"animesh.LoadA*", "ngi32.INResFile.8"},
};

/* Functions that pose an object, and functions that test it with segments. */
static const char *const posing[] = {"animesh.PoseWalk",     "animesh.MeshBounds",
                                     "animesh.IAnimation.4", "animesh.IAnimation.32",
                                     "animesh.IMesh2.15",    "animesh.LoadA*"};
static const char *const posing_callees[] = {"ngi32.slot14", "ngi32.slot17", "ngi32.slot22",
                                             "ngi32.slot28"};
static const char *const meeting[] = {"animesh.IMesh2.6", "animesh.IJointMesh.10",
                                      "animesh.LoadA*"};
static const char *const meeting_callees[] = {"ngi32.slot26", "ngi32.slot45",
                                              "ngi32.mrnPointInPoly"};

static bool IsVerifiedCallee(const Case *decided, const char *callee) {
    LiveReason reason;
    return Settings_IsVerified(decided->overlay, &decided->modules[ABI_NGI32], Abi_Find(callee),
                               &reason);
}

static bool IsAmong(const AbiFunction *function, const char *const *globs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (Glob_Matches(globs[i], function->key))
            return true;
    return false;
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool MayCallAll(const Case *decided, const char *const *called, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!IsVerifiedCallee(decided, called[i]))
            return false;
    return true;
}

static bool MayCallOut(const Case *decided) {
    const AbiFunction *function = decided->function;
    if (!decided->modules[ABI_NGI32].hosted)
        return true;
    for (size_t i = 0; i < COUNT_OF(callees); i++)
        if (Glob_Matches(callees[i][0], function->key) && !IsVerifiedCallee(decided, callees[i][1]))
            return false;
    if (IsAmong(function, posing, COUNT_OF(posing)) &&
        !MayCallAll(decided, posing_callees, COUNT_OF(posing_callees)))
        return false;
    return !IsAmong(function, meeting, COUNT_OF(meeting)) ||
           MayCallAll(decided, meeting_callees, COUNT_OF(meeting_callees));
}

static LiveDecision Settle(LiveMode asked, LiveMode effective, LiveReason reason) {
    return (LiveDecision){.asked = asked, .effective = effective, .reason = reason};
}

/* The first rule that applies decides. */
static LiveDecision DecideAlone(const LiveSettings *settings, const Overlay *overlay,
                                const LiveModule modules[ABI_MODULE_COUNT],
                                const AbiFunction *function) {
    const Case decided = {settings, overlay, modules, function};
    const LiveMode asked = Settings_ModeOf(settings, function);
    const LiveModule *module = &modules[function->module];
    LiveReason reason;

    /* No setting changes these decisions. */
    if (function->kind == ABI_OWN_EXPORT)
        return Settle(asked, LIVE_REPLACEMENT, LIVE_OURS_ALONE);
    if (function->provider == ABI_ABSENT)
        return Settle(asked, LIVE_ORIGINAL, LIVE_NOT_OURS);
    if (!module->hosted)
        return Settle(asked, LIVE_REPLACEMENT, LIVE_NO_ORIGINAL);
    if (function->provider == ABI_DATA)
        return Settle(asked, LIVE_REPLACEMENT, LIVE_OUR_TABLE);

    /* Functions that share a state are decided together. */
    const char *group = Settings_SharedState(function);
    if (group && function->kind != ABI_INTERNAL) {
        if (IsGroupOurs(&decided, group))
            return Settle(asked, LIVE_REPLACEMENT,
                          function->kind == ABI_EXPORT && HasBody(function) ? LIVE_AS_ASKED
                                                                            : LIVE_FOLLOWS);
        if (asked == LIVE_ORIGINAL)
            return Settle(asked, LIVE_ORIGINAL, LIVE_AS_ASKED);
        if (!IsReplacedByRule(settings, function))
            return Settle(asked, LIVE_ORIGINAL, LIVE_SHARED);
        if (!Settings_IsVerified(overlay, module, function, &reason))
            return Settle(asked, LIVE_ORIGINAL, reason);
        return Settle(asked, LIVE_ORIGINAL, LIVE_SPLIT);
    }
    if (!HasBody(function))
        return Settle(asked, LIVE_ORIGINAL, asked == LIVE_ORIGINAL ? LIVE_AS_ASKED : LIVE_FAILS);

    /* The original keeps what nobody asks for, and calls that cannot be led to ours. As long as our
     * objects lack a slot, exports that make objects stay with it by default. */
    size_t at = 0;
    if (asked == LIVE_ORIGINAL)
        return Settle(asked, LIVE_ORIGINAL, LIVE_AS_ASKED);
    if (function->module == ABI_ANIMESH && function->kind == ABI_EXPORT &&
        Settings_NextMissingSlot(&at) && !IsReplacedByRule(settings, function))
        return Settle(asked, LIVE_ORIGINAL, LIVE_INCOMPLETE);
    if (function->kind == ABI_INTERNAL || function->kind == ABI_METHOD) {
        if (function->module != ABI_ANIMESH)
            return Settle(asked, LIVE_ORIGINAL, LIVE_INSIDE);
        if (function->kind == ABI_INTERNAL && function->entry_evidence != ABI_READ)
            return Settle(asked, LIVE_ORIGINAL, LIVE_NO_ENTRY);
        if (!Settings_MayRedirect(function))
            return Settle(asked, LIVE_ORIGINAL, LIVE_OF_OBJECT);
        if (!HasEntry(overlay, function))
            return Settle(asked, LIVE_ORIGINAL, LIVE_NO_SIGNATURE);
    }

    if (!Settings_IsVerified(overlay, module, function, &reason))
        return Settle(asked, LIVE_ORIGINAL, reason);
    if (!MayCallOut(&decided))
        return Settle(asked, LIVE_ORIGINAL, LIVE_CALLEE);
    Signature signature;
    if (asked == LIVE_SHADOW &&
        !(Signature_IsKnown(function, &signature) && Settings_CanShadow(&signature)))
        return Settle(asked, LIVE_ORIGINAL, LIVE_NO_SHADOW);
    return Settle(asked, asked == LIVE_SHADOW ? LIVE_SHADOW : LIVE_REPLACEMENT, LIVE_AS_ASKED);
}

bool Settings_MakesObjects(const LiveSettings *settings, const Overlay *overlay,
                           const LiveModule modules[ABI_MODULE_COUNT]) {
    static const char *const makers[] = {"animesh.LoadAniMesh", "animesh.LoadAgent"};
    if (!modules[ABI_ANIMESH].hosted)
        return false;
    for (size_t i = 0; i < COUNT_OF(makers); i++)
        if (DecideAlone(settings, overlay, modules, Abi_Find(makers[i])).effective ==
            LIVE_REPLACEMENT)
            return true;
    return false;
}

LiveDecision Settings_WithOurObjects(LiveDecision decision, const AbiFunction *function) {
    if (function->kind == ABI_METHOD && Settings_MayRedirect(function) &&
        decision.effective == LIVE_ORIGINAL &&
        (decision.reason == LIVE_AS_ASKED || decision.reason == LIVE_NO_SHADOW)) {
        decision.effective = LIVE_REPLACEMENT;
        decision.reason = LIVE_OUR_OBJECTS;
    }
    return decision;
}

LiveDecision Settings_Decide(const LiveSettings *settings, const Overlay *overlay,
                             const LiveModule modules[ABI_MODULE_COUNT],
                             const AbiFunction *function) {
    LiveDecision decision = DecideAlone(settings, overlay, modules, function);
    LiveReason reason;
    if (function->module == ABI_ANIMESH && HasEntry(overlay, function) &&
        Settings_IsVerified(overlay, &modules[ABI_ANIMESH], function, &reason) &&
        Settings_MakesObjects(settings, overlay, modules))
        return Settings_WithOurObjects(decision, function);
    return decision;
}
