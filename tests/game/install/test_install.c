/* Tests of what install and uninstall do, report and refuse. */
#include "core/digest.h"
#include "faulty.h"
#include "game.h"
#include "game/install/install_folder.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static RpBuffer pristine;
static RpBuffer actions; /* actions of the last run, as lines */
static RpError error;

static void Note(void *context, InstallVerb verb, const char *name, const char *detail) {
    (void)context;
    RpBuffer_Print(&actions, "%s %s %s\n", InstallVerb_Name(verb), name, detail);
}

static InstallOptions Options(void) {
    InstallOptions options = Game_Options(TEST_FOLDER, NULL);
    options.action = Note;
    return options;
}

static RpStatus Run(RpStatus (*run)(const InstallOptions *, bool *, RpError *),
                    const InstallOptions *options) {
    bool pending;
    RpBuffer_Free(&actions);
    const RpStatus status = run(options, &pending, &error);
    RpBuffer_Append(&actions, "", 1);
    assert_false(pending);
    return status;
}

static void Expect(RpStatus wanted, RpStatus status) {
    char text[700];
    if (status != wanted) {
        RpError_Format(&error, text, sizeof text);
        fail_msg("%s: %s", RpStatus_Name(status), text);
    }
}

static void Install(void) {
    const InstallOptions options = Options();
    Expect(RP_OK, Run(Install_Run, &options));
}

static void Uninstall(void) {
    const InstallOptions options = Options();
    Expect(RP_OK, Run(Uninstall_Run, &options));
}

static void Purge(void) {
    InstallOptions options = Options();
    options.purge = true;
    Expect(RP_OK, Run(Uninstall_Run, &options));
}

static void ExpectAction(const char *text) {
    if (!strstr((const char *)actions.bytes, text))
        fail_msg("\"%s\" is not in\n%s", text, (const char *)actions.bytes);
}

/* Demands that a dry run and a real run refuse in these words, and that nothing has changed. */
static void ExpectRefusal(RpStatus (*run)(const InstallOptions *, bool *, RpError *),
                          RpStatus status, const char *what) {
    RpBuffer before;
    InstallOptions options = Options();
    Game_Snapshot(TEST_FOLDER, &before);
    for (int dry = 1; dry >= 0; dry--) {
        options.dry_run = dry;
        Expect(status, Run(run, &options));
        assert_string_equal(error.what, what);
        Game_ExpectSnapshot(TEST_FOLDER, &before, what);
    }
    RpBuffer_Free(&before);
}

/* Uninstall restores one of the two originals and says what is wrong with the other. A dry run says
 * the same and changes nothing. The manifest stays for the next run. */
static void ExpectPartOnly(const char *what) {
    RpBuffer before;
    InstallOptions options = Options();
    Game_Snapshot(TEST_FOLDER, &before);
    for (int dry = 1; dry >= 0; dry--) {
        options.dry_run = dry;
        Expect(RP_INVALID, Run(Uninstall_Run, &options));
        assert_string_equal(error.what, what);
        if (dry)
            Game_ExpectSnapshot(TEST_FOLDER, &before, what);
    }
    ExpectAction("restored ");
    assert_true(Game_Has(TEST_FOLDER, "retropose.install"));
    RpBuffer_Free(&before);
}

TEST_AROUND(Setup) {
    Game_Make(TEST_FOLDER);
    Game_Snapshot(TEST_FOLDER, &pristine);
    return 0;
}

TEST_AROUND(Teardown) {
    RpBuffer_Free(&pristine);
    RpBuffer_Free(&actions);
    return 0;
}

static void Sum(const char *name, char sum[DIGEST_HEX_BYTES]) {
    RpBuffer bytes;
    Game_Read(TEST_FOLDER, name, &bytes);
    Digest_OfBytes(bytes.bytes, bytes.size, sum);
    RpBuffer_Free(&bytes);
}

/* ---- the usual way --------------------------------------------------------------------------- */

TEST(InstallPutsOursInTheOriginalsPlace) {
    char before[DIGEST_HEX_BYTES], after[DIGEST_HEX_BYTES], ours[DIGEST_HEX_BYTES];
    Sum("NGI32.dll", before);
    Install();
    Sum("Ngi32.retail.dll", after);
    Sum("NGI32.dll", ours); /* installed under the name that the file had in the folder */
    assert_string_equal(before, after);
    assert_string_not_equal(before, ours);
    ExpectAction("found NGI32.dll original, unknown version, SHA-256 ");
    ExpectAction("found AniMesh.dll original; no version of it is published, SHA-256 ");
    ExpectAction("renamed NGI32.dll Ngi32.retail.dll\n");
    ExpectAction("renamed AniMesh.dll AniMesh.retail.dll\n");
    ExpectAction("wrote NGI32.dll ours, SHA-256 ");
    ExpectAction("wrote retropose.ini settings\n");
    static const char *const files[] = {"AniMesh.retail.dll", "retropose.ini", "retropose.overlay",
                                        "retropose.install"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_true(Game_Has(TEST_FOLDER, files[i]));
}

TEST(UninstallRestoresTheFolderWithNamesAndTimes) {
    Install();
    Uninstall();
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "uninstall");
    ExpectAction("restored NGI32.dll Ngi32.retail.dll\n");
    ExpectAction("removed retropose.ini ");
}

TEST(BothAreSafeToRepeat) {
    RpBuffer installed;
    Install();
    Game_Snapshot(TEST_FOLDER, &installed);
    Install();
    Game_ExpectSnapshot(TEST_FOLDER, &installed, "a second install");
    ExpectAction("nothing retropose.install installed already\n");
    Uninstall();
    Uninstall();
    ExpectAction("nothing is installed here\n");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "a second uninstall");
    RpBuffer_Free(&installed);
}

TEST(ADryRunSaysItAndChangesNothing) {
    RpBuffer installed;
    InstallOptions options = Options();
    options.dry_run = true;
    Expect(RP_OK, Run(Install_Run, &options));
    ExpectAction("renamed NGI32.dll Ngi32.retail.dll\n");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "a dry run of install");
    Install();
    Game_Snapshot(TEST_FOLDER, &installed);
    Expect(RP_OK, Run(Uninstall_Run, &options));
    ExpectAction("restored NGI32.dll Ngi32.retail.dll\n");
    Game_MakeOurs(TEST_FOLDER, 0x33);
    Expect(RP_OK, Run(Install_Run, &options));
    ExpectAction("undone retropose.install another version is installed\n");
    Game_ExpectSnapshot(TEST_FOLDER, &installed, "dry runs over an installation");
    RpBuffer_Free(&installed);
}

TEST(AnotherVersionTakesThePlaceOfTheFirst) {
    char first[DIGEST_HEX_BYTES], second[DIGEST_HEX_BYTES];
    Install();
    Sum("AniMesh.dll", first);
    Game_MakeOurs(TEST_FOLDER, 0x33);
    Install();
    ExpectAction("undone retropose.install another version is installed\n");
    Sum("AniMesh.dll", second);
    assert_string_not_equal(first, second);
    Uninstall();
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "uninstall of the second version");
}

/* ---- what the user wrote --------------------------------------------------------------------- */

TEST(SettingsThatWereThereBeforeAreKept) {
    RpBuffer with;
    Game_WriteText(TEST_FOLDER, "Retropose.ini", "[host]\nlog = mine.log\n");
    Game_Snapshot(TEST_FOLDER, &with);
    Install();
    ExpectAction("kept retropose.ini it was there already\n");
    Uninstall();
    ExpectAction("kept Retropose.ini ");
    Game_ExpectSnapshot(TEST_FOLDER, &with, "uninstall");
    Game_Remove(TEST_FOLDER, "Retropose.ini");
    RpBuffer_Free(&with);
}

TEST(EditedSettingsOutliveUpdatesAndUninstall) {
    RpBuffer text;
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[modes]\ndefault = original\n");
    Game_MakeOurs(TEST_FOLDER, 0x33);
    Install();
    Game_Read(TEST_FOLDER, "retropose.ini", &text);
    assert_int_equal(text.size, 27);
    RpBuffer_Free(&text);
    Uninstall();
    ExpectAction("kept retropose.ini changed since install");
    assert_true(Game_Has(TEST_FOLDER, "retropose.ini"));
    Game_Remove(TEST_FOLDER, "retropose.ini");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "without the settings");
}

TEST(LogsAndTracesStayUnlessTheyAreToBePurged) {
    enum { FILES = 7 };
    static const char *const files[FILES][2] = {
        {"retropose.log", "Ngi32: Retropose\r\n"},
        {"retropose-shadow.log", "difference 1 of ngi32.slot17\r\n"},
        {"retropose-shadow.rptrace", "RPTRACE"},
        {"mine.rptrace", "RPTRACE"},
        {"retropose.profile", "# Retropose profile: readings\n"},
        {"Mine-00002.rptrace", "RPTRACE"},
        {"mine-123456.rptrace", "RPTRACE"}};
    static const char *const others[] = {"mine-.rptrace", "mine-1x.rptrace", "nine-00002.rptrace"};
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini",
                   "[record]\nfile = mine.rptrace\n[host]\nlog=retropose.log\n");
    for (size_t i = 0; i < FILES; i++)
        Game_WriteText(TEST_FOLDER, files[i][0], files[i][1]);
    for (size_t i = 0; i < 3; i++)
        Game_WriteText(TEST_FOLDER, others[i], "x");
    Uninstall();
    for (size_t i = 0; i < FILES; i++)
        assert_true(Game_Has(TEST_FOLDER, files[i][0]));
    ExpectAction("kept mine.rptrace recorded calls (--purge removes it)\n");
    Install();
    Purge();
    ExpectAction("removed mine.rptrace recorded calls\n");
    ExpectAction("removed Mine-00002.rptrace recorded calls\n");
    for (size_t i = 0; i < 3; i++)
        /* these do not belong to a recording, so purge has left them */
        Game_Remove(TEST_FOLDER, others[i]);
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "purge");
}

/* On some systems read-only files cannot be removed, so that these would stay for ever. */
TEST(PurgeRemovesWhatIsReadOnly) {
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[host]\nlog=retropose.log\n");
    Game_WriteText(TEST_FOLDER, "retropose.log", "Ngi32: Retropose\r\n");
    assert_int_equal(chmod(TEST_FOLDER "/retropose.ini", 0444), 0);
    assert_int_equal(chmod(TEST_FOLDER "/retropose.log", 0444), 0);
    assert_int_equal(chmod(TEST_FOLDER "/AniMesh.dll", 0444), 0);
    Purge();
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "purge");
}

/* A file counts as unfinished by its name, and if nobody is writing it (core/files/output.h). */
TEST(PurgeRemovesUnfinishedFilesOfKilledRuns) {
    static const char leftover[] = ".retropose-0123456789abcdef~part";
    static const char other[] = ".retropose-notes~part";
    InstallOptions options = Options();
    Install();
    Game_WriteText(TEST_FOLDER, leftover, "half a te");
    Game_WriteText(TEST_FOLDER, other, "x");
    Uninstall();
    ExpectAction("kept .retropose-0123456789abcdef~part unfinished, of a run that was killed "
                 "(--purge removes it)\n");
    options.purge = options.dry_run = true;
    Expect(RP_OK, Run(Uninstall_Run, &options));
    assert_true(Game_Has(TEST_FOLDER, leftover));
    options.dry_run = false;
    Expect(RP_OK, Run(Uninstall_Run, &options));
    ExpectAction("removed .retropose-0123456789abcdef~part ");
    assert_false(Game_Has(TEST_FOLDER, leftover));
    Game_Remove(TEST_FOLDER, other); /* purge has left this file */
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "purge");
}

/* The files that uninstall keeps would affect the next installation. So they can be purged
 * afterwards, when no manifest says any more what was installed. */
TEST(WhatUninstallHasKeptCanBePurgedLater) {
    static const char kept[] =
        "kept retropose.ini changed since install, or not written by it (--purge removes it)\n";
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini", "[host]\nlog=retropose.log\n");
    Game_WriteText(TEST_FOLDER, "retropose.overlay", "mine\n");
    Game_WriteText(TEST_FOLDER, "retropose.log", "Ngi32: Retropose\r\n");
    Uninstall();
    ExpectAction(kept);
    Uninstall();
    ExpectAction("nothing is installed here");
    ExpectAction(kept);
    assert_true(Game_Has(TEST_FOLDER, "retropose.overlay"));
    Purge();
    ExpectAction("removed retropose.ini ");
    ExpectAction("removed retropose.log a log\n");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "a later purge");
}

/* Settings may name any file, but purge removes nothing that belongs to the game. */
TEST(PurgeStaysInTheFolderAndOffTheGame) {
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini",
                   "[host]\nlog = game.exe\n[shadow]\nlog = AniMesh.dll\n"
                   "[record]\nfile = ../install-ours/Ngi32.dll\n"
                   /* this file is removed in any case */
                   "[arithmetic]\nprofile = retropose.overlay\n");
    Purge();
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "purge");
    Game_OursFolder(TEST_FOLDER, (char[FILES_PATH_BYTES]){0});
    assert_true(Game_Has(TEST_FOLDER "-ours", "Ngi32.dll"));
}

/* The DLLs append to a log that exists, whatever file it is. Its first bytes are then still those
 * of the game's file. */
TEST(PurgeLeavesWhatRetroposeHasNotWritten) {
    static const char *const files[] = {"Comp.ini", "game.log", "saved.profile", "notes.txt"};
    static const char *const texts[] = {"[video]\nwidth = 640\nNgi32: Retropose\r\n", "started\n",
                                        "Ngi", "Ngi32: what I found\r\n- it crashes\r\n"};
    RpBuffer with;
    for (size_t i = 0; i < 4; i++)
        Game_WriteText(TEST_FOLDER, files[i], texts[i]);
    Game_Snapshot(TEST_FOLDER, &with);
    Install();
    Game_WriteText(TEST_FOLDER, "retropose.ini",
                   "[host]\nlog = Comp.ini\n[shadow]\nlog = game.log\n"
                   "[arithmetic]\nprofile = saved.profile\n[record]\nfile = notes.txt\n");
    Purge();
    Game_ExpectSnapshot(TEST_FOLDER, &with, "purge");
    ExpectAction("kept Comp.ini settings name it, but Retropose has not written it\n");
    RpBuffer_Free(&with);
    for (size_t i = 0; i < 4; i++)
        Game_Remove(TEST_FOLDER, files[i]);
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(AMissingOriginalIsRefused) {
    Game_Remove(TEST_FOLDER, "AniMesh.dll");
    ExpectRefusal(Install_Run, RP_NOT_FOUND, "the folder has no original");
    assert_string_equal(error.expected, "AniMesh.dll");
}

TEST(AFolderThatIsNoneIsRefused) {
    InstallOptions options = Options();
    options.folder = TEST_FOLDER "/nowhere";
    Expect(RP_NOT_FOUND, Run(Install_Run, &options));
    Expect(RP_NOT_FOUND, Run(Uninstall_Run, &options));
    options.folder = TEST_FOLDER "/game.exe";
    assert_int_not_equal(Run(Install_Run, &options), RP_OK);
}

static void Patch(const char *name, size_t offset, uint8_t byte, size_t size) {
    RpBuffer bytes;
    Game_Read(TEST_FOLDER, name, &bytes);
    bytes.bytes[offset] = byte;
    Game_Write(TEST_FOLDER, name, bytes.bytes, size ? size : bytes.size);
    RpBuffer_Free(&bytes);
}

TEST(ADllForAnotherProcessorIsRefused) {
    Patch("AniMesh.dll", 0x44, 0x64, 0);
    ExpectRefusal(Install_Run, RP_UNSUPPORTED, "not a file for i386");
}

TEST(ATruncatedDllIsRefused) {
    static const size_t sizes[] = {1, 0x30, 0x100, 0x300, 0x900};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Game_Make(TEST_FOLDER);
        Patch("NGI32.dll", 0, 'M', sizes[i]);
        const InstallOptions options = Options();
        RpBuffer before;
        Game_Snapshot(TEST_FOLDER, &before);
        assert_int_not_equal(Run(Install_Run, &options), RP_OK);
        Game_ExpectSnapshot(TEST_FOLDER, &before, "a truncated DLL");
        RpBuffer_Free(&before);
    }
    Game_Write(TEST_FOLDER, "NGI32.dll", "", 0);
    const InstallOptions options = Options();
    assert_int_not_equal(Run(Install_Run, &options), RP_OK);
}

TEST(AProgramUnderTheDllsNameIsRefused) {
    Patch("AniMesh.dll", 0x40 + 23, 0x01, 0); /* characteristics without "DLL" */
    ExpectRefusal(Install_Run, RP_INVALID, "the file is a program, not a DLL");
}

static void MakeDll(const char *name, const char *const *names) {
    RpBuffer dll;
    RpBuffer_Init(&dll, NULL);
    Game_MakeDll(names, 0x77, &dll);
    Game_Write(TEST_FOLDER, name, dll.bytes, dll.size);
    RpBuffer_Free(&dll);
}

TEST(WhatIsNoOriginalOfTheGameIsRefused) {
    static const struct {
        const char *names[4], *what;
    } cases[] = {{{"LoadAgent", "LoadAniMesh", "RetroposeInternal"},
                  "the file is a replacement, not an original"},
                 {{"LoadAgent=AniMesh_.LoadAgent", "LoadAniMesh=AniMesh_.LoadAniMesh"},
                  "the file passes its calls on to another one: another tool's proxy"},
                 {{"DirectDrawCreate"}, "the file is not the game's DLL of that name"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeDll("AniMesh.dll", cases[i].names);
        ExpectRefusal(Install_Run, RP_INVALID, cases[i].what);
    }
}

TEST(FilesOfOthersUnderOurNamesAreRefused) {
    static const char *const names[] = {"ngi32.RETAIL.dll", "AniMesh.retail.dll",
                                        "Ngi32.dll.retropose-part", "retropose.ini.retropose-part",
                                        "retropose.install.retropose-part"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game_Make(TEST_FOLDER);
        Game_WriteText(TEST_FOLDER, names[i], "somebody's");
        ExpectRefusal(Install_Run, RP_INVALID,
                      "a file has a name that install needs, and is none of ours");
        assert_string_equal(error.found, names[i]);
    }
}

TEST(AManifestOfOthersIsRefused) {
    Game_WriteText(TEST_FOLDER, "retropose.install", "somebody's");
    ExpectRefusal(Install_Run, RP_CORRUPT, "the manifest is damaged");
    ExpectRefusal(Uninstall_Run, RP_CORRUPT, "the manifest is damaged");
}

TEST(WhatWasChangedSinceInstallIsNotOverwritten) {
    static const char *const names[] = {"NGI32.dll", "AniMesh.dll", "Ngi32.retail.dll"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *what = i < 2 ? "the file is neither the original nor what install wrote"
                                 : "the original that install renamed has been changed";
        Game_Make(TEST_FOLDER);
        Install();
        Patch(names[i], 0x210, 0xEE, 0);
        ExpectRefusal(Install_Run, RP_INVALID, what);
        ExpectPartOnly(what);
        assert_string_equal(error.where, names[i]);
    }
}

TEST(ALostOriginalIsNamed) {
    Install();
    Game_Remove(TEST_FOLDER, "AniMesh.retail.dll");
    ExpectPartOnly("the original that install renamed is gone");
    assert_string_equal(error.where, "AniMesh.retail.dll");
    assert_string_equal(error.found, "no such file");
    ExpectAction("restored NGI32.dll Ngi32.retail.dll\n");
    ExpectAction("kept AniMesh.dll the original that install renamed is gone\n");
    Game_Remove(TEST_FOLDER, "AniMesh.dll");
    ExpectRefusal(Uninstall_Run, RP_INVALID, "the original is missing");
}

TEST(ALostOriginalThatComesBackEndsTheUninstall) {
    RpBuffer original;
    Install();
    Game_Read(TEST_FOLDER, "Ngi32.retail.dll", &original);
    Game_Remove(TEST_FOLDER, "Ngi32.retail.dll");
    ExpectPartOnly("the original that install renamed is gone");
    ExpectAction("restored AniMesh.dll AniMesh.retail.dll\n");
    Game_Write(TEST_FOLDER, "NGI32.dll", original.bytes, original.size);
    Uninstall();
    assert_false(Game_Has(TEST_FOLDER, "retropose.install"));
    assert_false(Game_Has(TEST_FOLDER, "retropose.ini"));
    RpBuffer_Free(&original);
}

TEST(RenamedOriginalsWithoutAManifestAreLeftAlone) {
    Install();
    Game_Remove(TEST_FOLDER, "retropose.install");
    ExpectRefusal(Uninstall_Run, RP_NOT_FOUND,
                  "originals are renamed, but the manifest of install is missing");
    ExpectRefusal(Install_Run, RP_INVALID,
                  "a file has a name that install needs, and is none of ours");
}

TEST(AChangedDllWithOurExportsIsNotCalledOurs) {
    InstallOptions options = Options();
    options.dlls = TEST_FOLDER "-changed-ours";
    Game_MakeOurs(TEST_FOLDER "-changed", 0x66);
    Expect(RP_OK, Run(Install_Run, &options));
    ExpectAction("wrote NGI32.dll not the DLL beside this program, SHA-256 ");
    ExpectAction("wrote AniMesh.dll not the DLL beside this program, SHA-256 ");
    assert_null(strstr((const char *)actions.bytes, "ours"));
}

TEST(AGameThatWasInstalledOverOursIsTakenAsItIs) {
    RpBuffer original;
    Game_Read(TEST_FOLDER, "AniMesh.dll", &original);
    Install();
    Game_Write(TEST_FOLDER, "AniMesh.dll", original.bytes, original.size);
    Uninstall();
    assert_false(Game_Has(TEST_FOLDER, "AniMesh.retail.dll"));
    char sum[DIGEST_HEX_BYTES], expected[DIGEST_HEX_BYTES];
    Sum("AniMesh.dll", sum);
    Digest_OfBytes(original.bytes, original.size, expected);
    assert_string_equal(sum, expected);
    RpBuffer_Free(&original);
}

TEST(DllsToInstallThatAreNoneOfOursAreRefused) {
    InstallOptions options = Options();
    options.dlls = TEST_FOLDER; /* this folder has the originals themselves */
    Game_Remove(TEST_FOLDER, "NGI32.dll");
    static const char *const names[] = {"g_FastProc", "ngiAlloc", "ngiProcessError", NULL};
    MakeDll("Ngi32.dll", names);
    Expect(RP_INVALID, Run(Install_Run, &options));
    assert_string_equal(error.what, "the file to install is none of ours");
    options.dlls = TEST_FOLDER "/nowhere";
    Expect(RP_NOT_FOUND, Run(Install_Run, &options));
}

#ifndef _WIN32 /* only where a folder cannot have two such names */
TEST(TwoNamesThatDifferInCaseAreRefused) {
    Game_WriteText(TEST_FOLDER, "ngi32.DLL", "another");
    ExpectRefusal(Install_Run, RP_INVALID, "two files have the same name but for its case");
}
#endif

TEST(TwoProcessesDoNotWorkOnAFolderAtATime) {
    intptr_t lock;
    const InstallOptions options = Options();
    Expect(RP_OK, FileOps_System.lock(NULL, TEST_FOLDER, &lock, &error));
    Expect(RP_IO, Run(Install_Run, &options));
    assert_string_equal(error.what, "another process is at work on this folder");
    FileOps_System.unlock(NULL, lock);
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "a locked folder");
    Install();
}

AROUND_EACH(Setup, Teardown)
