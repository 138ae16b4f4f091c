/* Tests of what a mode leads to: never more than what is verified for the file that is hosted. */
#include "dll/settings/decide.h"
#include "exports/published.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char here[65] = "1111111111111111111111111111111111111111111111111111111111111111";
static const char elsewhere[65] =
    "2222222222222222222222222222222222222222222222222222222222222222";

static LiveSettings settings;
static Overlay overlay;
static LiveModule modules[ABI_MODULE_COUNT];

TEST_AROUND(Setup) {
    Settings_Init(&settings);
    Overlay_Init(&overlay, NULL);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        modules[i].hosted = true;
        memcpy(modules[i].sha256, here, sizeof here);
        overlay.modules[i].known = true;
        memcpy(overlay.modules[i].sha256, here, sizeof here);
    }
    return 0;
}

TEST_AROUND(Teardown) {
    Overlay_Free(&overlay);
    return 0;
}

static void Ask(const char *glob, const char *mode) {
    assert_int_equal(Settings_Set(&settings, "modes", glob, mode, NULL), RP_OK);
}

static OverlayFunction *AddCall(const char *key) {
    OverlayFunction *row = Overlay_Add(&overlay, Abi_Find(key));
    assert_non_null(row);
    row->has_call = true;
    return row;
}

static void AddEntry(const char *key) {
    OverlayFunction *row = AddCall(key);
    row->rva = 0x1000;
    row->signature_bytes = 32;
    row->entry_bytes = 5;
}

static void ExpectBy(const Overlay *known, const char *key, LiveMode effective, LiveReason reason) {
    const AbiFunction *function = Abi_Find(key);
    assert_non_null(function);
    const LiveDecision decision = Settings_Decide(&settings, known, modules, function);
    if (decision.effective != effective || decision.reason != reason)
        fail_msg("%s is %s (%s), not %s (%s)", key, LiveMode_Name(decision.effective),
                 LiveReason_Text(decision.reason), LiveMode_Name(effective),
                 LiveReason_Text(reason));
}

static void Expect(const char *key, LiveMode effective, LiveReason reason) {
    ExpectBy(&overlay, key, effective, reason);
}

TEST(NothingIsOverriddenBeforeItsCallIsVerified) {
    static const char *const modes[] = {"replacement", "shadow", "verified"};
    for (size_t i = 0; i < 3; i++) {
        Ask("default", modes[i]);
        Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_UNVERIFIED);
        ExpectBy(NULL, "ngi32.slot17", LIVE_ORIGINAL, LIVE_UNVERIFIED);
        Ask("ngi32.slot17", modes[i]);
        Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    }
}

TEST(AnOverlayForThisVeryFileVerifiesACall) {
    AddCall("ngi32.slot17");
    Expect("ngi32.slot17", LIVE_REPLACEMENT, LIVE_AS_ASKED);
    Ask("ngi32.slot17", "shadow");
    Expect("ngi32.slot17", LIVE_SHADOW, LIVE_AS_ASKED);
    Ask("ngi32.slot17", "original");
    Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_AS_ASKED);
}

TEST(AnOverlayForAnotherFileVerifiesNothing) {
    AddCall("ngi32.slot17");
    memcpy(overlay.modules[ABI_NGI32].sha256, elsewhere, sizeof elsewhere);
    Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_OTHER_FILE);
    overlay.modules[ABI_NGI32].known = false;
    Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_OTHER_FILE);
    memcpy(overlay.modules[ABI_NGI32].sha256, here, sizeof here);
    overlay.modules[ABI_NGI32].known = true;
    modules[ABI_NGI32].sha256[0] = 0; /* a file without a known sum matches no lines */
    Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_OTHER_FILE);
}

TEST(ThePublishedBuildVerifiesWhatIsRead) {
    memcpy(modules[ABI_NGI32].sha256, PUBLISHED_NGI32_SHA256, sizeof PUBLISHED_NGI32_SHA256);
    /* its convention and its arguments are verified */
    Expect("ngi32.ngiSetPalette", LIVE_REPLACEMENT, LIVE_AS_ASKED);
    /* its convention is only assumed */
    Expect("ngi32.slot17", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    /* its arguments are unknown */
    Expect("ngi32.n3dEndScene", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    /* its convention is only inferred */
    Expect("ngi32.niGetProcAddress", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    memcpy(modules[ABI_NGI32].sha256, here, sizeof here);
    Expect("ngi32.ngiSetPalette", LIVE_ORIGINAL, LIVE_UNVERIFIED);
}

TEST(WithoutAnOriginalOursIsAllThereIs) {
    modules[ABI_NGI32].hosted = false;
    Ask("default", "original");
    Expect("ngi32.slot17", LIVE_REPLACEMENT, LIVE_NO_ORIGINAL);
    Expect("ngi32.ngiAlloc", LIVE_REPLACEMENT, LIVE_NO_ORIGINAL);
    Expect("ngi32.niCreate3DRender", LIVE_REPLACEMENT, LIVE_NO_ORIGINAL);
    Expect("animesh.LoadAgent", LIVE_ORIGINAL, LIVE_AS_ASKED); /* only the other DLL is hosted */
}

TEST(WhatIsOnlyOursOrOnlyTheirsHasNoChoice) {
    Ask("default", "original");
    Expect("ngi32.RetroposeInternal", LIVE_REPLACEMENT, LIVE_OURS_ALONE);
    Expect("ngi32.g_FastProc", LIVE_REPLACEMENT, LIVE_OUR_TABLE);
    Ask("default", "replacement");
    Expect("ngi32.I3DRender.6", LIVE_ORIGINAL, LIVE_NOT_OURS);
    Expect("ngi32.niCreate3DRender", LIVE_ORIGINAL, LIVE_FAILS);
}

static const char *const memory[] = {"ngi32.ngiAlloc", "ngi32.ngiFree", "ngi32.ngiGetMemSize"};

TEST(WhatSharesStateStaysByDefault) {
    for (size_t i = 0; i < 3; i++)
        AddCall(memory[i]);
    Expect("ngi32.ngiAlloc", LIVE_ORIGINAL, LIVE_SHARED);
    Ask("default", "replacement"); /* this line names none of the functions */
    Expect("ngi32.ngiAlloc", LIVE_ORIGINAL, LIVE_SHARED);
    Ask("ngi32.ngiAlloc", "shadow");
    Expect("ngi32.ngiAlloc", LIVE_ORIGINAL, LIVE_SHARED);
}

TEST(WhatSharesStateSwitchesTogether) {
    AddCall(memory[0]);
    AddCall(memory[1]);
    Ask("ngi32.ngiAlloc", "replacement");
    Expect("ngi32.ngiAlloc", LIVE_ORIGINAL, LIVE_SPLIT);
    Expect("ngi32.ngiFree", LIVE_ORIGINAL, LIVE_SHARED);
    Ask("ngi32.ngiFree", "replacement");
    Ask("ngi32.ngiGetMemSize", "replacement"); /* the call of this function is not verified */
    Expect("ngi32.ngiAlloc", LIVE_ORIGINAL, LIVE_SPLIT);
    Expect("ngi32.ngiGetMemSize", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    AddCall(memory[2]);
    for (size_t i = 0; i < 3; i++)
        Expect(memory[i], LIVE_REPLACEMENT, LIVE_AS_ASKED);
}

/* If a handle of ours reached a function of the original, the game would end. */
TEST(MethodsAndFailingFunctionsFollowTheirGroup) {
    Ask("ngi32.niOpenRes*", "replacement");
    Ask("ngi32.niCreateResFile", "replacement");
    Ask("ngi32.rs*", "replacement");
    Expect("ngi32.rsLoadPacked", LIVE_ORIGINAL, LIVE_UNVERIFIED);
    for (size_t i = 0; i < abi_function_count; i++)
        if (abi_functions[i].module == ABI_NGI32 && abi_functions[i].kind == ABI_EXPORT)
            AddCall(abi_functions[i].key);
    Expect("ngi32.niOpenResFile", LIVE_REPLACEMENT, LIVE_AS_ASKED);
    Expect("ngi32.INResFile.3", LIVE_REPLACEMENT, LIVE_FOLLOWS);
    Expect("ngi32.rsLoadPacked", LIVE_REPLACEMENT, LIVE_FOLLOWS);
    Expect("ngi32.rsLoadWave", LIVE_REPLACEMENT, LIVE_FOLLOWS);
    Ask("ngi32.niOpenResInMem", "original");
    Expect("ngi32.niOpenResFile", LIVE_ORIGINAL, LIVE_SPLIT);
    Expect("ngi32.INResFile.3", LIVE_ORIGINAL, LIVE_SHARED);
}

TEST(AnInternalFunctionIsRedirectedByItsSignatureOnly) {
    AddCall("animesh.FindSlot");
    Expect("animesh.FindSlot", LIVE_ORIGINAL, LIVE_NO_SIGNATURE);
    AddEntry("animesh.FindSlot");
    Expect("animesh.FindSlot", LIVE_REPLACEMENT, LIVE_AS_ASKED);
    AddEntry("animesh.FindSlot");
    Overlay_Add(&overlay, Abi_Find("animesh.FindSlot"))->entry_bytes = 4; /* no room for a jump */
    Expect("animesh.FindSlot", LIVE_ORIGINAL, LIVE_NO_SIGNATURE);
    AddEntry("ngi32.PointLight");
    Expect("ngi32.PointLight", LIVE_ORIGINAL, LIVE_INSIDE);
}

static void VerifyAll(void) {
    for (size_t i = 0; i < abi_function_count; i++)
        AddCall(abi_functions[i].key);
}

/* The game calls slots that our DLL refuses: facts/animesh.md E.20. */
TEST(ObjectsAreMadeByTheOriginalUnlessALineSaysOtherwise) {
    static const char *const makers[] = {"animesh.LoadAgent", "animesh.LoadAniMesh"};
    VerifyAll();
    for (size_t i = 0; i < 2; i++) {
        Expect(makers[i], LIVE_ORIGINAL, LIVE_INCOMPLETE);
        Ask("default", "replacement"); /* this line names neither of the two */
        Expect(makers[i], LIVE_ORIGINAL, LIVE_INCOMPLETE);
        Ask(makers[i], "replacement");
        Expect(makers[i], LIVE_REPLACEMENT, LIVE_AS_ASKED);
        Ask(makers[i], "original");
        Expect(makers[i], LIVE_ORIGINAL, LIVE_AS_ASKED);
    }
}

TEST(OurObjectsNeedWhatTheyCall) {
    AddCall("animesh.LoadAniMesh");
    Ask("animesh.LoadAniMesh", "replacement");
    Expect("animesh.LoadAniMesh", LIVE_ORIGINAL, LIVE_CALLEE);
    /* the other DLL is then ours as well, and calls in our way */
    modules[ABI_NGI32].hosted = false;
    Expect("animesh.LoadAniMesh", LIVE_REPLACEMENT, LIVE_AS_ASKED);
}

TEST(MissingSlotsAreThoseThatTheGameCalls) {
    const AbiFunction *function;
    size_t at = 0, count = 0, draws = 0;
    while ((function = Settings_NextMissingSlot(&at)) != NULL) {
        assert_int_equal(function->provider, ABI_REFUSED);
        draws += strcmp(function->key, "animesh.IMesh2.11") == 0;
        count++;
    }
    assert_int_equal(draws, 1);
    assert_int_equal(count, 3); /* IAnimation 27, IMesh2 11, IJointMesh 6; none calls IMesh2 8 */
}

/* Our functions read the published bytes of an object, whoever made it. */
TEST(MethodsAreRedirectedLikeInternalFunctions) {
    modules[ABI_NGI32].hosted = false;
    VerifyAll();
    Expect("animesh.IAnimation.7", LIVE_ORIGINAL, LIVE_NO_SIGNATURE);
    AddEntry("animesh.IAnimation.7");
    Expect("animesh.IAnimation.7", LIVE_REPLACEMENT, LIVE_AS_ASKED);
    static const char *const own[] = {"animesh.IAnimation.2", "animesh.IAnimation.33",
                                      "animesh.IMesh2.3", "animesh.AttachPart"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        AddEntry(own[i]);
        Expect(own[i], LIVE_ORIGINAL, LIVE_OF_OBJECT);
    }
}

/* The original's code must not meet an object of ours, whose unpublished bytes are not like its
 * own. */
TEST(MethodsOfOurObjectsAreOurs) {
    static const char *const makers[] = {"animesh.LoadAgent", "animesh.LoadAniMesh"};
    static const char method[] = "animesh.IAnimation.7";
    modules[ABI_NGI32].hosted = false;
    VerifyAll();
    AddEntry(method);
    Ask("animesh.IAnimation.*", "original");
    Ask("animesh.IMesh2.*", "shadow");
    AddEntry("animesh.IMesh2.9");
    for (size_t i = 0; i < 2; i++) {
        Expect(method, LIVE_ORIGINAL, LIVE_AS_ASKED);
        Expect("animesh.IMesh2.9", LIVE_ORIGINAL, LIVE_NO_SHADOW);
        Ask(makers[i], "replacement");
        Expect(method, LIVE_REPLACEMENT, LIVE_OUR_OBJECTS);
        Expect("animesh.IMesh2.9", LIVE_REPLACEMENT, LIVE_OUR_OBJECTS);
        /* this method is not redirected */
        Expect("animesh.IAnimation.4", LIVE_ORIGINAL, LIVE_AS_ASKED);
        Expect("animesh.SampleNode", LIVE_ORIGINAL, LIVE_NO_SIGNATURE);
        Ask(makers[i], "original");
    }
    Ask("animesh.SampleNode", "original"); /* an internal function does not meet objects of ours */
    AddEntry("animesh.SampleNode");
    Ask(makers[0], "replacement");
    Expect("animesh.SampleNode", LIVE_ORIGINAL, LIVE_AS_ASKED);
    memcpy(overlay.modules[ABI_ANIMESH].sha256, elsewhere, sizeof elsewhere);
    Expect(method, LIVE_ORIGINAL, LIVE_AS_ASKED);
}

TEST(WhatACallDependsOnDecidesWhetherItIsObserved) {
    static const struct {
        const char *key;
        bool record, shadow;
    } rows[] = {
        {"ngi32.slot17", true, true},
        {"animesh.FindSlot", true, true},
        {"animesh.FillBoxCorners", true, true},
        {"animesh.LoadReader", true, false},    /* takes an archive */
        {"animesh.PoseWalk", false, false},     /* takes an object */
        {"ngi32.mrnPointInPoly", false, false}, /* takes a buffer of pointers */
        {"ngi32.niGetProcAddress", false, false},
        {"ngi32.niOutputDebugString", true, false}, /* takes a text */
        {"ngi32.ngiGetClocks", true, false},        /* returns an opaque result */
        {"ngi32.ngiAlloc", true, false},
        {"ngi32.ngiFree", false, false},
        {"ngi32.niOpenResFile", false, false},
        {"ngi32.niCreate3DRender", false, false}, /* has unknown arguments */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Signature signature;
        const bool known = Signature_IsKnown(Abi_Find(rows[i].key), &signature);
        if ((known && Settings_CanRecord(&signature)) != rows[i].record ||
            (known && Settings_CanShadow(&signature)) != rows[i].shadow)
            fail_msg("%s", rows[i].key);
    }
}

TEST(OnlyWhatShowsInOutputsIsShadowed) {
    static const char *const keys[] = {"ngi32.niOutputDebugString", "ngi32.ngiGetClocks",
                                       "ngi32.mrnPointInPoly"};
    Ask("default", "shadow");
    for (size_t i = 0; i < 3; i++) {
        AddCall(keys[i]);
        Expect(keys[i], LIVE_ORIGINAL, LIVE_NO_SHADOW);
    }
    AddCall("ngi32.slot23");
    Expect("ngi32.slot23", LIVE_SHADOW, LIVE_AS_ASKED);
}

TEST(NoDecisionIsEverVerifiedAndEveryReasonHasWords) {
    for (int asked = LIVE_ORIGINAL; asked <= LIVE_VERIFIED; asked++) {
        Ask("default", LiveMode_Name((LiveMode)asked));
        for (size_t i = 0; i < abi_function_count; i++) {
            const LiveDecision decision =
                Settings_Decide(&settings, &overlay, modules, &abi_functions[i]);
            assert_int_not_equal(decision.effective, LIVE_VERIFIED);
            assert_string_not_equal(LiveReason_Text(decision.reason), "unknown");
        }
    }
}

AROUND_EACH(Setup, Teardown)
