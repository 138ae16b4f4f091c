/* Tests of what doctor reports about a game's folder in each state in which it can be. */
#include "core/files/code_page.h"
#include "exports/overlay/overlay.h"
#include "game/doctor.h"
#include "game/mode.h"
#include "game/original_folder.h"
#include "tests/game/install/game.h"
#include "tests/game/install/made_game.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OURS TEST_FOLDER "-ours"

static RpBuffer rows; /* "level|name|found|names|advice" lines of the last run */

static void AddRow(void *context, const CheckRow *row) {
    static const char *const levels[] = {"fine", "note", "problem"};
    (void)context;
    RpBuffer_Print(&rows, "%s|%s|%s|%s|%s\n", levels[row->level], row->name, row->found, row->names,
                   row->advice);
}

static const char *overrides, *readings; /* variables of the environment */

static const char *Get(void *context, const char *name, char *buffer, size_t size) {
    (void)context;
    if (!readings || strcmp(name, "RETROPOSE_READINGS") != 0)
        return NULL;
    snprintf(buffer, size, "%s", readings);
    return buffer;
}

static const char *dlls; /* the DLLs that install would take */
static bool brief;
static RpStatus (*start_wine)(char *version, size_t size, RpError *error);

static RpStatus DoNotStart(char *version, size_t size, RpError *error) {
    (void)version;
    (void)size;
    return RpError_Set(error, RP_IO, RP_NOWHERE, "Wine cannot be started", "", "",
                       "Exec format error");
}

static unsigned Run(const char *folder) {
    Checks checks = {.row = AddRow};
    const GameDoctorOptions options = {.folder = folder,
                                       .own = OURS,
                                       .dlls = dlls,
                                       .getter = Get,
                                       .overrides = overrides,
                                       .start_wine = start_wine,
                                       .brief = brief,
                                       .checks = &checks};
    RpBuffer_Free(&rows);
    GameDoctor_Run(&options);
    assert_true(RpBuffer_Append(&rows, "", 1));
    return checks.problems;
}

static void Expect(const char *text) {
    if (!strstr((const char *)rows.bytes, text))
        fail_msg("\"%s\" is not in\n%s", text, (const char *)rows.bytes);
}

/* Demands as many problems of the game's folder, and a row with this text. */
static void Finds(unsigned problems, const char *text) {
    assert_int_equal(Run(TEST_FOLDER), problems);
    Expect(text);
}

static void Install(void) {
    RpError error;
    const InstallOptions options = {.folder = TEST_FOLDER, .dlls = OURS, .tool = "0.0 (test)"};
    if (Install_Run(&options, NULL, &error))
        fail_msg("%s, %s", error.what, error.found);
}

TEST_AROUND(Setup) {
    overrides = readings = NULL;
    dlls = OURS;
    brief = false;
    start_wine = NULL;
    Game_Make(TEST_FOLDER);
    Game_Remove(TEST_FOLDER, "NGI32.dll");
    MadeGame_Write(TEST_FOLDER, OURS);
    return 0;
}

TEST_AROUND(Teardown) {
    RpBuffer_Free(&rows);
    return 0;
}

TEST(BeforeInstallItSaysWhatWouldBe) {
    Finds(0, "note|installed|no|");
    Expect("fine|NGI32.DLL|original, unknown version, ");
    Expect("fine|AniMesh.dll|original; no version of it is published, ");
    Expect("note|overlay|there is none");
    Expect("7: 3 that we know, with modes of their own; 1 of data and 1 forwarders, which lead to "
           "the original; 2 passed on by gates|someFunction #145 |");
    Expect(
        "note|mesh objects|LoadAgent and LoadAniMesh stay on the original: the game calls 3 slots");
    Expect("animesh.IMesh2.11 (Draw)");
    Expect("fine|original|");
    brief = true;
    Finds(0, "note|installed|no|");
    Expect("note|functions|1 of ");
    Expect(" would be ours; ");
    /* counts the printed lines: each row, each advice, and one line for the sum */
    size_t lines = 0;
    for (const char *c = (const char *)rows.bytes; *c; c++)
        lines += *c != '\n' ? 0u : c[-1] == '|' ? 1u : 2u;
    assert_true(lines < 10);
    Install();
    Run(TEST_FOLDER);
    Expect("fine|replacement|1 function, asked: verified; our table of gates");
}

TEST(AFolderWithoutTheGameIsCalledThat) {
    Game_Remove(TEST_FOLDER, "NGI32.DLL");
    Finds(1, "problem|Ngi32.dll|there is no such file|");
    Game_Remove(TEST_FOLDER, "AniMesh.dll");
    Finds(1, "problem|folder|neither of the two DLLs is in it: this is not the game's folder|");
}

TEST(WhatCannotRunIsAProblem) {
    dlls = NULL;
    Finds(1, "problem|our DLLs|they are not beside this program|");
    dlls = OURS;
    start_wine = DoNotStart;
#ifdef _WIN32
    assert_int_equal(Run(TEST_FOLDER), 0);
#else
    Finds(1, "problem|Wine|Wine cannot be started: Exec format error|");
#endif
}

TEST(AnInstalledFolderIsFine) {
    Install();
    Finds(0, "fine|installed|by retropose 0.0 (test)|");
    Expect("fine|NGI32.DLL|ours, ");
    Expect("fine|Ngi32.retail.dll|original, unknown version, ");
    Expect("note|overlay|it is for this Ngi32.dll, and has the calls of 0 functions|");
    Expect("fine|replacement|1 function, asked: verified; our table of gates");
}

TEST(ADllIsOursByItsBytes) {
    RpBuffer dll;
    Game_Read(OURS, "AniMesh.dll", &dll);
    Game_Write(TEST_FOLDER, "AniMesh.dll", dll.bytes, dll.size);
    Run(TEST_FOLDER); /* the DLLs are copied there, but not completed */
    Expect("fine|AniMesh.dll|ours, ");
    dll.bytes[dll.size - 1] ^= 1;
    Game_Write(TEST_FOLDER, "AniMesh.dll", dll.bytes, dll.size);
    RpBuffer_Free(&dll);
    Run(TEST_FOLDER);
    Expect("note|AniMesh.dll|a replacement that is not the DLL beside this program, ");
    assert_null(strstr((const char *)rows.bytes, "|ours, "));
}

TEST(WhatWasInstalledOfOtherDllsIsNotCalledOurs) {
    Install();
    Game_MakeOurs(TEST_FOLDER, 0x66);
    Finds(0, "note|NGI32.DLL|a replacement that is not the DLL beside this program, ");
    Expect("note|AniMesh.dll|a replacement that is not the DLL beside this program, ");
    assert_null(strstr((const char *)rows.bytes, "|ours, "));
}

TEST(WhatWasStoppedIsPending) {
    Install();
    Game_WriteText(TEST_FOLDER, "AniMesh.dll.retropose-part", "x");
    Finds(1,
          "problem|installed|install or uninstall was stopped on the way||`retropose uninstall`");
    Game_Make(TEST_FOLDER);
    Game_WriteText(TEST_FOLDER, "retropose.install.retropose-part", "retropose-ins");
    Finds(1, "problem|installed|install or uninstall was stopped on the way|");
}

TEST(UnfinishedFilesOfKilledRunsAreNamed) {
    Game_WriteText(TEST_FOLDER, ".retropose-0123456789abcdef~part", "half a te");
    Game_WriteText(TEST_FOLDER, ".retropose-notes~part", "x");
    Finds(0, "note|leftovers|1 unfinished file of runs that were killed|"
             ".retropose-0123456789abcdef~part |nothing needs them: ");
}

#ifdef _WIN32
TEST(ACodePageHasItsOwnLettersOnly) {
    unsigned page = 0;
    assert_true(CodePage_Has(1251, L"C:\\\u0418\u0433\u0440\u044B"));
    assert_false(CodePage_Has(1252, L"C:\\\u0418\u0433\u0440\u044B"));
    assert_true(CodePage_Has(65001, L"C:\\\u0418\u0433\u0440\u044B"));
    /* code page 1252 must not turn this letter into an a without the bar */
    assert_false(CodePage_Has(1252, L"C:\\\u0101"));
    assert_true(CodePage_OfSystemHas(TEST_FOLDER, &page));
    assert_true(page > 0);
}
#endif

TEST(AChangedFileBlocks) {
    Install();
    Game_WriteText(TEST_FOLDER, "AniMesh.dll", "changed");
    assert_true(Run(TEST_FOLDER) >= 1);
    Expect("problem|installed|the file is neither the original nor what install wrote, at "
           "AniMesh.dll: expected ");
}

TEST(ADamagedManifestIsNamed) {
    Game_WriteText(TEST_FOLDER, "retropose.install", "anything");
    Finds(1, "problem|folder|the manifest is damaged");
    assert_int_equal(Run(TEST_FOLDER "/nowhere"), 1);
    Expect("problem|folder|cannot read the folder");
}

static void Copy(const char *from_folder, const char *from, const char *to) {
    RpBuffer bytes;
    Game_Read(from_folder, from, &bytes);
    Game_Write(TEST_FOLDER, to, bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
}

TEST(DllsPutThereByHandAreUnderstood) {
    Copy(TEST_FOLDER, "AniMesh.dll", "AniMesh.retail.dll");
    Copy(OURS, "AniMesh.dll", "AniMesh.dll");
    Copy(OURS, "Ngi32.dll", "NGI32.DLL");
    Finds(1, "note|installed|by hand: ");
    Expect("problem|AniMesh.dll|its export table is not completed");
    Expect("note|Ngi32.dll|it has our own exports only, and no original beside it|");
    Expect("note|Ngi32.dll|no original is hosted");
}

TEST(OursMadeForAnotherOriginalIsAProblem) {
    RpBuffer bytes;
    Install();
    Game_Remove(TEST_FOLDER, "retropose.install");
    Game_Read(TEST_FOLDER, "AniMesh.retail.dll", &bytes);
    bytes.bytes[0x410] ^= 1;
    Game_Write(TEST_FOLDER, "AniMesh.retail.dll", bytes.bytes, bytes.size);
    RpBuffer_Free(&bytes);
    assert_int_equal(Run(TEST_FOLDER), 2); /* the overlay, too, is for another file */
    Expect("problem|AniMesh.dll|its export table was made for another original, SHA-256 ");
    Expect("problem|overlay|it was made for another AniMesh.dll, SHA-256 ");
}

TEST(SettingsOverlayAndProfileAreRead) {
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini",
                   "[host]\nspeed = 1\n[modes]\ndefault = shadow\nngi32.slot17 = often\n");
    Game_WriteText(TEST_FOLDER, "retropose.overlay", "nonsense\n");
    Game_WriteText(TEST_FOLDER, "retropose.profile", "nonsense = 1\n");
    Finds(4, "fine|settings|retropose.ini; default mode shadow, 0 rules, recording off|");
    Expect("problem|settings|retropose.ini, line 2 is ignored: no such setting");
    Expect("problem|settings|retropose.ini, line 5 is ignored: no such mode");
    Expect("problem|overlay|");
    Expect("problem|profile|");
    Game_WriteText(TEST_FOLDER, "retropose.ini", "");
    Game_WriteText(TEST_FOLDER, "retropose.overlay", "");
    Game_WriteText(TEST_FOLDER, "retropose.profile", "key-order = wxyz\n");
    Finds(0, "fine|profile|retropose.profile: key-order=wxyz|");
    Expect("note|exact core|interpolation: served; sample: left to the x87, because of "
           "key-order=wxyz; blend: left to the x87, because of key-order=wxyz; skeleton: node "
           "after node, because of key-order=wxyz|");
    Game_WriteText(TEST_FOLDER, "retropose.profile", "dot4 = pairs\nkey-alpha-bits = kept\n");
    Run(TEST_FOLDER);
    Expect(
        "fine|exact core|interpolation: served; sample: served; blend: served; skeleton: served|");
    Game_WriteText(TEST_FOLDER, "retropose.profile",
                   "slerp-acos = half\nslerp-sine = quotient\nflip-sum = pairs\n");
    Run(TEST_FOLDER);
    Expect(
        "interpolation: left to the x87, because of slerp-sine=quotient, slerp-acos=half; sample");
    Expect("blend: left to the x87, because of flip-sum=pairs, slerp-sine=quotient, "
           "slerp-acos=half; skeleton: node after node, because of flip-sum=pairs, "
           "slerp-sine=quotient, slerp-acos=half|");
    Game_WriteText(TEST_FOLDER, "retropose.profile", "quat-diagonal = chain\n");
    Run(TEST_FOLDER);
    Expect("blend: served; skeleton: node after node, because of quat-diagonal=chain|");
    Expect("note|overlay|it does not name Ngi32.dll|");
}

TEST(ReadingsOfTheSettingsGoOverTheProfile) {
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[arithmetic]\nreadings = key-order=wxyz\n");
    Finds(0, "note|profile|there is none: the default readings are used, but for the readings of "
             "the settings|");
    Expect("fine|readings|retropose.ini: key-order=wxyz, over the profile; in force: "
           "key-order=wxyz|");
    Expect("note|exact core|interpolation: served; sample: left to the x87, because of "
           "key-order=wxyz; blend: left to the x87, because of key-order=wxyz; skeleton: node "
           "after node, because of key-order=wxyz|");
    Game_WriteText(TEST_FOLDER, "retropose.profile", "key-order = wxyz\nslerp-sine = quotient\n");
    /* the variable takes precedence over the file */
    readings = "slerp-sine=reciprocal,dot4=pairs,key-order=xyzw";
    Finds(0, "fine|profile|retropose.profile: key-order=wxyz,slerp-sine=quotient|");
    Expect("fine|readings|RETROPOSE_READINGS: slerp-sine=reciprocal,dot4=pairs,key-order=xyzw, "
           "over "
           "the profile; in force: dot4=pairs|");
    Expect(
        "fine|exact core|interpolation: served; sample: served; blend: served; skeleton: served|");
}

TEST(ReadingsThatAreNotUnderstoodAreAProblemAndIgnored) {
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[arithmetic]\nreadings = key-order=wxyz\n");
    readings = "key-order=xyzw,dot4=threes";
    Finds(1, "problem|settings|a variable of the environment is ignored: unknown choice of a "
             "reading, at RETROPOSE_READINGS (byte 20): ");
    Expect("note|RETROPOSE_READINGS|is set; where it is understood, it wins over the file: ");
    Expect("fine|readings|retropose.ini: key-order=wxyz, ");
    Expect("sample: left to the x87, because of key-order=wxyz; ");
    readings = NULL;
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[arithmetic]\nreadings = key-odor=wxyz\n");
    Finds(1, "problem|settings|retropose.ini, line 2 is ignored: unknown reading");
    Expect("note|profile|there is none: the default readings are used|");
    Expect("fine|exact core|");
    assert_null(strstr((const char *)rows.bytes, "|readings|"));
}

/* Verifies the calls of all functions in the order of the tables, as if they had been probed. */
static void VerifyAll(void) {
    Overlay overlay;
    assert_int_equal(Overlay_Load(TEST_FOLDER "/retropose.overlay", &overlay, NULL), RP_OK);
    for (size_t i = 0; i < abi_function_count; i++) {
        OverlayCall call;
        if (Overlay_CallOf(&overlay, &abi_functions[i], &call, NULL))
            continue;
        OverlayFunction *row = Overlay_Add(&overlay, &abi_functions[i]);
        row->has_call = true;
        row->evidence = OVERLAY_BY_HAND;
        row->convention = call.convention;
        row->param_count = call.param_count;
        memcpy(row->order, call.order, sizeof row->order);
    }
    assert_int_equal(Overlay_Save(&overlay, TEST_FOLDER "/retropose.overlay", NULL), RP_OK);
    Overlay_Free(&overlay);
}

TEST(ExportsThatMakeObjectsMayBeSwitchedNevertheless) {
    Install();
    VerifyAll();
    Finds(0, "mesh objects|LoadAgent and LoadAniMesh stay on the original: the game calls 3 slots");
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[modes]\nanimesh.LoadAniMesh = replacement\n");
    Finds(0, "mesh objects|LoadAniMesh switched to ours nevertheless: the game calls 3 slots");
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[modes]\nanimesh.LoadA* = replacement\n");
    Finds(0, "mesh objects|LoadAgent and LoadAniMesh switched to ours nevertheless: ");
}

/* These values were given to Wine 8.0, with a program that needs an ngi32.dll from its own
 * folder. */
TEST(OverridesOfWineAreReadAsWineReadsThem) {
    enum { NONE, NGI32 = 1 << ABI_NGI32, ANIMESH = 1 << ABI_ANIMESH, BOTH = NGI32 | ANIMESH };
    static const struct {
        const char *value;
        int kept_out;
    } overrides_of_wine[] = {
        {"", NONE},
        {"mscoree=;mshtml=", NONE},
        {"ngi32,animesh=n,b", NONE},
        {"ngi32=b,n", NONE},
        {"other=b;ngi32=native", NONE},
        {"ngi32=b", NGI32},
        {"ngi32,animesh=", BOTH},
        {"d3d8,animesh=builtin", ANIMESH},
        {"mscoree=;NGI32=", NGI32},
        {"ngi32=x", NGI32},
        /* the last entry of a name counts, for this name */
        {"animesh=b;animesh=n", NONE},
        {"ngi32=n;ngi32=d", NGI32},
        {"ngi32=b;animesh=n", NGI32},
        {"animesh=n;ngi32=b", NGI32},
        {"animesh=b;ngi32=n", ANIMESH},
        {"ngi32.dll,x=b;animesh=native", NGI32},
        {"NGI32.DLL=n;ngi32=b", NGI32},
        /* a name with * in front is looked for first */
        {"*AniMesh.dll=b", ANIMESH},
        {"ngi32=b;*ngi32=n", NONE},
        {"*ngi32=n;ngi32=b", NONE},
        {"*ngi32=b;ngi32=n", NGI32},
        /* blanks and tabs separate as commas do */
        {"other, ngi32 animesh=b", BOTH},
        {"x\tngi32=b", NGI32},
        {"ngi32=b, n", NONE},
        {"ngi32 = n", NONE},
        {"ngi32= builtin\tnative", NONE},
        {"* ngi32=b", NGI32},
        /* An entry without an order has no effect, and an order only ends at a semicolon. */
        {"ngi32", NONE},
        {"ngi32;animesh", NONE},
        {";;ngi32=b;", NGI32},
        {"ngi32=b=n", NGI32},
        {"=b", NONE},
        {"ngi32.dll.dll=b", NONE},
    };
    for (size_t i = 0; i < sizeof overrides_of_wine / sizeof *overrides_of_wine; i++)
        for (int module = 0; module < ABI_MODULE_COUNT; module++)
            if (GameDoctor_IsOverridden(overrides_of_wine[i].value, (AbiModule)module) !=
                ((overrides_of_wine[i].kept_out >> module & 1) != 0))
                fail_msg("\"%s\" is misread about %s", overrides_of_wine[i].value,
                         AbiModule_File((AbiModule)module));
}

#ifndef _WIN32
TEST(OverridesThatKeepOursOutAreAProblem) {
    char value[5000];
    overrides = "animesh=b";
    Finds(1, "problem|Wine|WINEDLLOVERRIDES keeps it from loading the folder's AniMesh.dll: "
             "animesh=b|");
    overrides = "ngi32=b;animesh=";
    Finds(1, "the folder's Ngi32.dll and AniMesh.dll: ngi32=b;animesh=|");
    for (size_t at = 0; at + 10 < sizeof value; at += 8)
        strcpy(value + at, "other=b;");
    strcpy(value + sizeof value - 10, ";ngi32=b");
    overrides = value;
    Finds(1, "the folder's Ngi32.dll: other=b;");
    Expect("other=b;...|");
    overrides = "ngi32=n";
    Finds(0, "fine|Wine|no override is needed");
}
#endif

TEST(ModesAreChangedInTheFileAndShownWithWhatComesOfThem) {
    static const char *const good[] = {"default=original", "ngi32.slot17=shadow"};
    static const char *const bad[] = {"ngi32.slot4=shadow", "ngi32.slot17=often"};
    static const char *const worse[] = {"ngi32.slot4"};
    RpBuffer text, before, after;
    RpError error;
    assert_int_equal(Mode_Change(TEST_FOLDER, good, 2, &error), RP_NOT_FOUND);
    Install();
    assert_int_equal(Mode_Change(TEST_FOLDER, good, 2, &error), RP_OK);
    RpBuffer_Init(&text, NULL);
    assert_int_equal(Mode_TextOf(TEST_FOLDER, good + 1, 1, false, &text, &error), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_non_null(
        strstr((const char *)text.bytes, "default = original\nngi32.slot17 = shadow\n"));
    assert_non_null(strstr((const char *)text.bytes, "shadow      -> original     its call is"));
    assert_null(strstr((const char *)text.bytes, "ngi32.slot23"));
    RpBuffer_Free(&text);
    Game_Read(TEST_FOLDER, "retropose.ini", &before);
    assert_int_equal(Mode_Change(TEST_FOLDER, bad, 2, &error), RP_INVALID);
    assert_int_equal(Mode_Change(TEST_FOLDER, worse, 1, &error), RP_INVALID);
    /* either all of the changes are made or none */
    Game_Read(TEST_FOLDER, "retropose.ini", &after);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    RpBuffer_Free(&before);
    RpBuffer_Free(&after);
    assert_int_equal(Mode_Json(TEST_FOLDER, &text, &error), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_non_null(strstr((const char *)text.bytes, "\"functions\":\t\"ngi32.slot17\""));
    RpBuffer_Free(&text);
    size_t lines[2] = {0};
    for (int each = 0; each < 2; each++) {
        assert_int_equal(Mode_Text(TEST_FOLDER, each, &text, &error), RP_OK);
        RpBuffer_Append(&text, "", 1);
        const char *shown = (const char *)text.bytes;
        assert_true(!each == !strstr(shown, "ngi32.slot23 "));
        assert_true(!each == !!strstr(shown, "(--all tells each function)\n"));
        for (; *shown; shown++)
            lines[each] += *shown == '\n';
        RpBuffer_Free(&text);
    }
    assert_true(lines[0] < 30 && lines[1] > 150);
}

static void Empty(const char *folder) {
    OriginalFolder_Empty(folder);
    assert_false(Game_Has(folder, "Ngi32.dll"));
    assert_false(Game_Has(folder, "AniMesh.dll"));
    assert_false(Game_Has(folder, "retropose.overlay"));
}

TEST(RenamedOriginalsAreCopiedToBeCalled) {
    RpBuffer original, copy;
    RpError error;
    assert_false(OriginalFolder_IsInstalled(TEST_FOLDER));
    assert_false(OriginalFolder_IsInstalled(OURS));
    assert_false(OriginalFolder_IsInstalled("recorded"));
    Game_Read(TEST_FOLDER, "AniMesh.dll", &original);
    Install();
    assert_true(OriginalFolder_IsInstalled(TEST_FOLDER));
    Empty(OURS); /* an empty folder does as well as a missing one */
    assert_int_equal(OriginalFolder_Copy(TEST_FOLDER, OURS, &error), RP_OK);
    Game_Read(OURS, "AniMesh.dll", &copy);
    assert_int_equal(original.size, copy.size);
    assert_memory_equal(original.bytes, copy.bytes, copy.size);
    assert_true(Game_Has(OURS, "Ngi32.dll"));
    assert_true(Game_Has(OURS, "retropose.overlay"));
    /* a file is not overwritten by a folder */
    assert_int_equal(OriginalFolder_Copy(TEST_FOLDER, OURS, &error), RP_IO);
    Empty(OURS);
    RpBuffer_Free(&original);
    RpBuffer_Free(&copy);
}

AROUND_EACH(Setup, Teardown)
