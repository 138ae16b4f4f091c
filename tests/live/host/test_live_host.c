/* Tests of our DLLs in a game folder, under Wine or on Windows. The parent makes the folder, and a
 * child plays the game in it (scenarios.c). */
#include "game.h"
#include "scenarios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STANDIN  "standin/Ngi32.dll", "standin/AniMesh.dll"
#define WATCHED  "[host]\nwatch = on\nlog = retropose.log\n"
#define MIXED(f) "variants/mixed/" f

static const GameSpec standin = {
    .original = {STANDIN}, .signatures = GAME_SIGNATURES, .settings = WATCHED};
static const GameSpec mixed = {.original = {MIXED("Ngi32.dll"), MIXED("AniMesh.dll")},
                               .overlay = MIXED("truth.overlay"),
                               .signatures = GAME_SIGNATURES,
                               .settings = WATCHED};

static const GameSpec fake = {
    .original = {FAKE_NGI32, NULL}, .slot7 = "stdcall(vector,result,matrix)", .settings = WATCHED};

static int MakeFake(void **state) {
    (void)state;
    Game_Make(&fake);
    return 0;
}

static int MakeStandin(void **state) {
    (void)state;
    Game_Make(&standin);
    return 0;
}

static int MakeMixed(void **state) {
    (void)state;
    Game_Make(&mixed);
    return 0;
}

static int DeleteGame(void **state) {
    (void)state;
    Game_Delete();
    return 0;
}

/* ---- modes ------------------------------------------------------------------------------------
 */

static void EveryModeGivesTheRightBits(void **state) {
    (void)state;
    Game_RunChild("modes", "default=original");
    Game_RunChild("modes", "default=replacement");
    Game_RunChild("modes", "default=shadow");
    Game_RunChild("modes", "default=verified");
}

static void ConventionsAndOrdersOfTheOriginalAreTheGames(void **state) {
    EveryModeGivesTheRightBits(state);
}

/* Our LoadReader calls methods of the original's archives, which are not verified here. */
static void WhatCallsTheUnverifiedStaysTheOriginals(void **state) {
    (void)state;
    Game_RunChild("exports", "default=replacement");
    assert_int_equal(Game_CountInLog("(ours calls functions of the other original whose call is "
                                     "not verified): animesh.LoadReader"),
                     1);
}

static void ModesChangeWhileManyThreadsCall(void **state) {
    (void)state;
    Game_RunChild("switching", NULL);
    assert_true(Game_CountInLog("retropose.ini has changed") >= 6);
}

static void FunctionsThatShareStateSwitchTogether(void **state) {
    (void)state;
    Game_RunChild("memory-original", "default=replacement");
    Game_RunChild("memory-original", "ngi32.ngiAlloc=replacement");
    Game_RunChild("memory-ours", "ngi32.ngiAlloc=replacement, ngi32.ngiFree=replacement, "
                                 "ngi32.ngiGetMemSize=replacement");
}

/* ---- names ------------------------------------------------------------------------------------
 */

static void EveryExportOfTheOriginalResolves(void **state) {
    (void)state;
    Game_RunChild("exports", NULL);
}

static void ExportsOfA145ListResolveAndPassThrough(void **state) {
    (void)state;
    Game_Make(
        &(GameSpec){.original = {"variants/published/Ngi32.dll", "variants/published/AniMesh.dll"},
                    .overlay = "variants/published/truth.overlay",
                    .settings = WATCHED});
    Game_RunChild("exports", NULL);
    Game_RunChild("stubs", NULL);
}

static void StubsDoWithoutTheOriginal(void **state) {
    (void)state;
    char path[600];
    Game_Make(&(GameSpec){.original = {"variants/published/Ngi32.dll", NULL}, .no_overlay = true});
    Game_Path("Ngi32.retail.dll", path, sizeof path);
    assert_int_equal(remove(path), 0);
    Game_RunChild("stubs-alone", NULL);
}

static void AnExportThatNobodyServesEndsWithAMessage(void **state) {
    (void)state;
    char path[600];
    Game_Make(&(GameSpec){.original = {FAKE_NGI32, NULL}, .settings = WATCHED});
    Game_Path("Ngi32.retail.dll", path, sizeof path);
    assert_int_equal(remove(path), 0);
    Game_RunChildTo("unserved-export", 4);
    assert_int_equal(Game_CountInLog("fatal error: fakeFive was called."), 1);
}

static void UnknownExportsPassAnyArguments(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {FAKE_NGI32, NULL}, .settings = WATCHED});
    Game_RunChild("fake", "default=original");
    Game_RunChild("fake", "default=replacement");
}

/* ---- what may go wrong ------------------------------------------------------------------------
 */

static void ExpectOursToServe(const char *said) {
    Game_RunChild("replacement-serves", NULL);
    if (Game_CountInLog(said) != 1)
        fail_msg("the log does not say: %s", said);
}

static void WithoutAnOriginalOursServe(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.settings = WATCHED});
    ExpectOursToServe("no Ngi32.retail.dll here: ours serve");
}

static void AFileThatIsNoDllIsNotHosted(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.settings = WATCHED});
    Game_Write("Ngi32.retail.dll", "no DLL", 6);
    ExpectOursToServe("Ngi32.retail.dll is not hosted: it cannot be loaded (system error ");
}

static void ACutOriginalIsNotHosted(void **state) {
    (void)state;
    static char half[40000];
    char path[600];
    Game_Make(&standin);
    Game_Path("Ngi32.retail.dll", path, sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(half, 1, sizeof half, file);
    fclose(file);
    Game_Write("Ngi32.retail.dll", half, size);
    ExpectOursToServe("Ngi32.retail.dll is not hosted: it cannot be loaded (system error ");
}

static void OneOfOursUnderTheOriginalsNameIsNotHosted(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.settings = WATCHED});
    char from[600], to[600];
    Game_Path("Ngi32.dll", from, sizeof from);
    Game_Path("Ngi32.retail.dll", to, sizeof to);
    Game_CopyFile(from, to);
    ExpectOursToServe("Ngi32.retail.dll is not hosted: it is a DLL of Retropose, not an original");
}

static void NothingOfAnUnknownBuildIsOverridden(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {STANDIN}, .no_overlay = true, .settings = WATCHED});
    Game_RunChild("original-serves", "default=replacement");
    assert_int_equal(Game_CountInLog("unknown build: nothing of it is overridden"), 2);
}

/* The overlay is for another file, so its lines say nothing about this one. */
static void AnOverlayOfAnotherFileIsNotFollowed(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {STANDIN},
                          .overlay = MIXED("truth.overlay"),
                          .signatures = GAME_NO_SIGNATURES,
                          .no_overlay = true,
                          .settings = WATCHED});
    Game_CopyBuildFile(MIXED("truth.overlay"), "retropose.overlay");
    Game_RunChild("original-serves-by-tables", "default=replacement");
}

static void OtherBytesAreNotRedirected(void **state) {
    (void)state;
    Game_Make(&(GameSpec){
        .original = {STANDIN}, .signatures = GAME_WRONG_SIGNATURES, .settings = WATCHED});
    Game_RunChild("not-redirected", "default=replacement");
    assert_int_equal(Game_CountInLog("animesh.SampleNode stays the original's: its bytes are not "
                                     "those of the overlay"),
                     1);
}

static void MethodsOfAnOriginalsObjectsAreRedirected(void **state) {
    (void)state;
    Game_Make(
        &(GameSpec){.original = {STANDIN}, .signatures = GAME_SIGNATURES, .settings = WATCHED});
    Game_RunChild("methods", "default=replacement");
    assert_int_equal(Game_CountInLog("animesh.IAnimation.9 at 0x"), 1);
}

static void AMalformedOverlayIsSaidAndLeftOut(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {STANDIN}, .no_overlay = true, .settings = WATCHED});
    Game_Write("retropose.overlay", "retropose-overlay 1\nnonsense\n", 29);
    Game_RunChild("original-serves", "default=replacement");
    assert_true(Game_CountInLog("the overlay is ignored: ") >= 1);
}

static void OurAniMeshServesBesideAnOriginalNgi32(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {STANDIN},
                          .without_ours = true,
                          .signatures = GAME_SIGNATURES,
                          .settings = WATCHED});
    Game_RunChild("half", "default=shadow");
    assert_int_equal(Game_CountInLog("the Ngi32.dll of this process is not ours"), 1);
    Game_RunChild("half", "default=replacement");
}

/* ---- the machine ------------------------------------------------------------------------------
 */

static void TheX87IsAsTheFunctionLeftIt(void **state) {
    (void)state;
    Game_RunChild("x87", "default=replacement");
}

static void DeepRecursionThroughARedirectedFunction(void **state) {
    (void)state;
    Game_Make(&(GameSpec){.original = {NULL, "variants/caller/AniMesh.dll"},
                          .overlay = "variants/caller/truth.overlay",
                          .signatures = GAME_SIGNATURES,
                          .settings = WATCHED});
    Game_RunChild("recursion", "default=replacement");
}

static void NoPageIsWritableAndExecutable(void **state) {
    (void)state;
    Game_RunChild("pages", "default=replacement");
}

static void TheProcessEndsWhileThreadsCall(void **state) {
    (void)state;
    Game_RunChild("abrupt-exit", "default=replacement");
    Game_RunChild("abrupt-termination", "default=replacement");
}

static void AGateCostsAJump(void **state) {
    (void)state;
    Game_RunChild("cost", "default=replacement");
}

#define IN_STANDIN(test) cmocka_unit_test_setup_teardown(test, MakeStandin, DeleteGame)
#define IN_MIXED(test)   cmocka_unit_test_setup_teardown(test, MakeMixed, DeleteGame)
#define IN_FAKE(test)    cmocka_unit_test_setup_teardown(test, MakeFake, DeleteGame)
#define ALONE(test)      cmocka_unit_test_teardown(test, DeleteGame)

int main(int argc, char **argv) {
    if (argc == 3)
        return Scenario_Run(argv[1], argv[2]);
    const struct CMUnitTest tests[] = {
        IN_STANDIN(EveryModeGivesTheRightBits),
        IN_MIXED(ConventionsAndOrdersOfTheOriginalAreTheGames),
        IN_MIXED(WhatCallsTheUnverifiedStaysTheOriginals),
        IN_FAKE(ModesChangeWhileManyThreadsCall),
        IN_STANDIN(FunctionsThatShareStateSwitchTogether),
        IN_STANDIN(EveryExportOfTheOriginalResolves),
        ALONE(ExportsOfA145ListResolveAndPassThrough),
        ALONE(StubsDoWithoutTheOriginal),
        ALONE(AnExportThatNobodyServesEndsWithAMessage),
        ALONE(UnknownExportsPassAnyArguments),
        ALONE(WithoutAnOriginalOursServe),
        ALONE(AFileThatIsNoDllIsNotHosted),
        ALONE(ACutOriginalIsNotHosted),
        ALONE(OneOfOursUnderTheOriginalsNameIsNotHosted),
        ALONE(NothingOfAnUnknownBuildIsOverridden),
        ALONE(AnOverlayOfAnotherFileIsNotFollowed),
        ALONE(OtherBytesAreNotRedirected),
        ALONE(MethodsOfAnOriginalsObjectsAreRedirected),
        ALONE(AMalformedOverlayIsSaidAndLeftOut),
        ALONE(OurAniMeshServesBesideAnOriginalNgi32),
        IN_MIXED(TheX87IsAsTheFunctionLeftIt),
        ALONE(DeepRecursionThroughARedirectedFunction),
        IN_STANDIN(NoPageIsWritableAndExecutable),
        IN_FAKE(TheProcessEndsWhileThreadsCall),
        IN_MIXED(AGateCostsAJump),
    };
    return cmocka_run_group_tests_name("hosting", tests, NULL, NULL);
}
