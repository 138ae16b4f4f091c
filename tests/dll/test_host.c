/* Tests of our DLLs in a game folder, under Wine or on Windows. The parent makes the folder, and a
 * child plays the game in it (scenarios.c). */
#include "game.h"
#include "scenarios.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TEST_AROUND(MakeFake) {
    Game_Make(&fake);
    return 0;
}

TEST_AROUND(MakeStandin) {
    Game_Make(&standin);
    return 0;
}

TEST_AROUND(MakeMixed) {
    Game_Make(&mixed);
    return 0;
}

TEST_AROUND(DeleteGame) {
    Game_Delete();
    return 0;
}

/* ---- modes ----------------------------------------------------------------------------------- */

TEST_WITH(EveryModeGivesTheRightBits, MakeStandin, DeleteGame) {
    Game_RunChild("modes", "default=original");
    Game_RunChild("modes", "default=replacement");
    Game_RunChild("modes", "default=shadow");
    Game_RunChild("modes", "default=verified");
}

TEST_WITH(ConventionsAndOrdersOfTheOriginalAreTheGames, MakeMixed, DeleteGame) {
    EveryModeGivesTheRightBits(state);
}

/* Our LoadReader calls methods of the original's archives. How these are called is not verified
 * here. */
TEST_WITH(WhatCallsTheUnverifiedStaysTheOriginals, MakeMixed, DeleteGame) {
    Game_RunChild("modes", "default=replacement");
    assert_int_equal(Game_CountInLog("(ours calls functions of the other original whose call is "
                                     "not verified): animesh.LoadReader"),
                     1);
}

TEST_WITH(ModesChangeWhileManyThreadsCall, MakeFake, DeleteGame) {
    Game_RunChild("switching", NULL);
    assert_true(Game_CountInLog("retropose.ini has changed") >= 6);
}

TEST_WITH(FunctionsThatShareStateSwitchTogether, MakeStandin, DeleteGame) {
    Game_RunChild("memory-original", "default=replacement");
    Game_RunChild("memory-original", "ngi32.ngiAlloc=replacement");
    Game_RunChild("memory-ours", "ngi32.ngiAlloc=replacement, ngi32.ngiFree=replacement, "
                                 "ngi32.ngiGetMemSize=replacement");
}

/* ---- names ----------------------------------------------------------------------------------- */

/* tests/game/install/check_completed.c asks where the exports of completed pairs lead. */
TEST_WITH(StubsOfA145ListPopTheirArguments, NULL, DeleteGame) {
    Game_Make(
        &(GameSpec){.original = {"variants/published/Ngi32.dll", "variants/published/AniMesh.dll"},
                    .overlay = "variants/published/truth.overlay",
                    .settings = WATCHED});
    Game_RunChild("stubs", NULL);
}

TEST_WITH(StubsDoWithoutTheOriginal, NULL, DeleteGame) {
    char path[600];
    Game_Make(&(GameSpec){.original = {"variants/published/Ngi32.dll", NULL}, .no_overlay = true});
    Game_Path("Ngi32.retail.dll", path, sizeof path);
    assert_int_equal(remove(path), 0);
    Game_RunChild("stubs-alone", NULL);
}

TEST_WITH(AnExportThatNobodyServesEndsWithAMessage, NULL, DeleteGame) {
    char path[600];
    Game_Make(&(GameSpec){.original = {FAKE_NGI32, NULL}, .settings = WATCHED});
    Game_Path("Ngi32.retail.dll", path, sizeof path);
    assert_int_equal(remove(path), 0);
    Game_RunChildTo("unserved-export", 4);
    assert_int_equal(Game_CountInLog("fatal error: fakeFive was called."), 1);
}

TEST_WITH(UnknownExportsPassAnyArguments, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {FAKE_NGI32, NULL}, .settings = WATCHED});
    Game_RunChild("fake", "default=original");
    Game_RunChild("fake", "default=replacement");
}

/* ---- what may go wrong ----------------------------------------------------------------------- */

static void ExpectOursToServe(const char *said) {
    Game_RunChild("replacement-serves", NULL);
    if (Game_CountInLog(said) != 1)
        fail_msg("the log does not say: %s", said);
}

TEST_WITH(WithoutAnOriginalOursServe, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.settings = WATCHED});
    ExpectOursToServe("no Ngi32.retail.dll here: ours serve");
}

TEST_WITH(AFileThatIsNoDllIsNotHosted, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.settings = WATCHED});
    Game_Write("Ngi32.retail.dll", "no DLL", 6);
    ExpectOursToServe("Ngi32.retail.dll is not hosted: it cannot be loaded (system error ");
}

TEST_WITH(ACutOriginalIsNotHosted, NULL, DeleteGame) {
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

TEST_WITH(OneOfOursUnderTheOriginalsNameIsNotHosted, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.settings = WATCHED});
    char from[600], to[600];
    Game_Path("Ngi32.dll", from, sizeof from);
    Game_Path("Ngi32.retail.dll", to, sizeof to);
    Game_CopyFile(from, to);
    ExpectOursToServe("Ngi32.retail.dll is not hosted: it is a DLL of Retropose, not an original");
}

TEST_WITH(NothingOfAnUnknownBuildIsOverridden, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {STANDIN}, .no_overlay = true, .settings = WATCHED});
    Game_RunChild("original-serves", "default=replacement");
    assert_int_equal(Game_CountInLog("unknown version: nothing of it is overridden"), 2);
}

/* The overlay is for another file, so its lines say nothing about this one. */
TEST_WITH(AnOverlayOfAnotherFileIsNotFollowed, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {STANDIN},
                          .overlay = MIXED("truth.overlay"),
                          .signatures = GAME_NO_SIGNATURES,
                          .no_overlay = true,
                          .settings = WATCHED});
    Game_CopyBuildFile(MIXED("truth.overlay"), "retropose.overlay");
    Game_RunChild("original-serves-by-tables", "default=replacement");
}

TEST_WITH(OtherBytesAreNotRedirected, NULL, DeleteGame) {
    Game_Make(&(GameSpec){
        .original = {STANDIN}, .signatures = GAME_WRONG_SIGNATURES, .settings = WATCHED});
    Game_RunChild("not-redirected", "default=replacement");
    assert_int_equal(Game_CountInLog("animesh.SampleNode stays the original's: its bytes are not "
                                     "those of the overlay"),
                     1);
}

TEST_WITH(MethodsOfAnOriginalsObjectsAreRedirected, NULL, DeleteGame) {
    Game_Make(
        &(GameSpec){.original = {STANDIN}, .signatures = GAME_SIGNATURES, .settings = WATCHED});
    Game_RunChild("methods", "default=replacement");
    assert_int_equal(Game_CountInLog("animesh.IAnimation.9 at 0x"), 1);
}

TEST_WITH(AMalformedOverlayIsSaidAndLeftOut, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {STANDIN}, .no_overlay = true, .settings = WATCHED});
    Game_Write("retropose.overlay", "retropose-overlay 1\nnonsense\n", 29);
    Game_RunChild("original-serves", "default=replacement");
    assert_true(Game_CountInLog("the overlay is ignored: ") >= 1);
}

TEST_WITH(OurAniMeshServesBesideAnOriginalNgi32, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {STANDIN},
                          .without_ours = true,
                          .signatures = GAME_SIGNATURES,
                          .settings = WATCHED});
    Game_RunChild("half", "default=shadow");
    assert_int_equal(Game_CountInLog("the Ngi32.dll of this process is not ours"), 1);
    Game_RunChild("half", "default=replacement");
}

/* ---- the machine ----------------------------------------------------------------------------- */

TEST_WITH(TheX87IsAsTheFunctionLeftIt, MakeMixed, DeleteGame) {
    Game_RunChild("x87", "default=replacement");
}

TEST_WITH(DeepRecursionThroughARedirectedFunction, NULL, DeleteGame) {
    Game_Make(&(GameSpec){.original = {NULL, "variants/caller/AniMesh.dll"},
                          .overlay = "variants/caller/truth.overlay",
                          .signatures = GAME_SIGNATURES,
                          .settings = WATCHED});
    Game_RunChild("recursion", "default=replacement");
}

TEST_WITH(NoPageIsWritableAndExecutable, MakeStandin, DeleteGame) {
    Game_RunChild("pages", "default=replacement");
}

TEST_WITH(TheProcessEndsWhileThreadsCall, MakeFake, DeleteGame) {
    Game_RunChild("abrupt-exit", "default=replacement");
    Game_RunChild("abrupt-termination", "default=replacement");
}

TEST_WITH(AGateCostsAJump, MakeMixed, DeleteGame) {
    Game_RunChild("cost", "default=replacement");
}

int main(int argc, char **argv) {
    if (argc == 3)
        return Scenario_Run(argv[1], argv[2]);
    return Tests_Run();
}
