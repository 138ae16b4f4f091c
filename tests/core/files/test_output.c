#define _POSIX_C_SOURCE 200809L /* declares mkdtemp */

#include "core/files/busy.h"
#include "core/files/cleanup.h"
#include "core/files/file_ops.h"
#include "core/files/inputs.h"
#include "core/files/mapping.h"
#include "core/files/output.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <direct.h>
#include <windows.h>
#else
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

/* ---- a folder of the test's own -------------------------------------------------------------- */

static char folder[512];

AROUND(BeforeAll) {
#ifdef _WIN32
    snprintf(folder, sizeof folder, "test_output-%lu", GetCurrentProcessId());
    assert_int_equal(_mkdir(folder), 0);
#else
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.400s/test_output-XXXXXX", where && *where ? where : "/tmp");
    assert_non_null(mkdtemp(folder));
#endif
}

AROUND(AfterAll) {
    Cleanup_RemoveFolder(folder);
    assert_null(fopen(folder, "rb"));
}

static const char *In(const char *name) {
    static char paths[8][600];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Writes a file without the functions of core/files/output.h, as another program would. */
static void Put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static const char *Get(const char *path) {
    static char text[64];
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void ReadAsInput(const char *path) {
    Mapping mapping;
    assert_int_equal(Mapping_Open(path, &mapping, NULL), RP_OK);
    Mapping_Close(&mapping);
#ifndef _WIN32
    /* While this file is open, no file of a later test gets its number and is taken for it. */
    assert_non_null(fopen(path, "rb"));
#endif
}

/* A file that was written and removed may give its number to one that is then read. */
TEST(ANumberThatWasGivenAwayIsNoLongerOurs) {
    const char *path = In("number");
    assert_int_equal(Output_Write(path, "ours", NULL), RP_OK);
    Put(path, "another's"); /* written in place, so that it certainly has the number */
    ReadAsInput(path);
    assert_int_equal(Output_Write(path, "new", NULL), RP_INVALID);
    assert_string_equal(Get(path), "another's");
}

/* ---- outputs --------------------------------------------------------------------------------- */

TEST(TheOldFileStaysUntilTheNewOneIsComplete) {
    OutputFile *file;
    const char *path = In("replaced");
    Put(path, "old");
    assert_int_equal(Output_Open(path, &file, NULL), RP_OK);
    assert_int_equal(Output_Append(file, "new", 3, NULL), RP_OK);
    assert_int_equal(fflush(Output_Stream(file)), 0);
    assert_string_equal(Get(path), "old");
    Output_Abandon(file);
    assert_string_equal(Get(path), "old");
    assert_int_equal(Output_Open(path, &file, NULL), RP_OK);
    assert_int_equal(Output_Append(file, "new", 3, NULL), RP_OK);
    assert_int_equal(Output_Commit(file, NULL), RP_OK);
    assert_string_equal(Get(path), "new");
    Output_Abandon(NULL);
    assert_int_equal(Output_Commit(NULL, NULL), RP_OK);
}

TEST(AnInputIsNoOutput) {
    RpError error;
    OutputFile *file;
    Put(In("input"), "input");
    ReadAsInput(In("input"));
    assert_int_equal(Output_WriteBytes(In("input"), "x", 1, &error), RP_INVALID);
    assert_string_equal(error.what, "the output is one of the inputs");
    assert_int_equal(Output_Check(In("input"), NULL), RP_INVALID);
    assert_int_equal(Output_WriteInto(folder, "input", "x", 1, NULL), RP_INVALID);
    assert_string_equal(Get(In("input")), "input");
    /* A file that was read after the output was opened counts, too. */
    Put(In("later"), "later");
    assert_int_equal(Output_Open(In("later"), &file, NULL), RP_OK);
    ReadAsInput(In("later"));
    assert_int_equal(Output_Append(file, "x", 1, NULL), RP_OK);
    assert_int_equal(Output_Commit(file, NULL), RP_INVALID);
    assert_string_equal(Get(In("later")), "later");
}

TEST(TwoOutputsAreTwoFiles) {
    RpError error;
    const char *a = In("a"), *b = In("b"), *again = In("./a");
    assert_int_equal(Output_CheckApart((const char *const[]){a, NULL, b, NULL}, 4, &error), RP_OK);
    assert_int_equal(Output_CheckApart((const char *const[]){b, NULL, a, again}, 4, &error),
                     RP_INVALID);
    assert_string_equal(error.what, "two outputs are one file");
    assert_string_equal(error.where, a);
    assert_string_equal(error.found, again);
    assert_int_equal(Output_CheckApart((const char *const[]){"-", "-"}, 2, NULL), RP_INVALID);
    assert_int_equal(Output_CheckApart((const char *const[]){"-", a}, 2, NULL), RP_OK);
#ifdef _WIN32
    assert_int_equal(Output_CheckApart((const char *const[]){a, In("a.")}, 2, NULL), RP_INVALID);
#endif
    assert_null(Get(a));
    Put(a, "there");
    assert_int_equal(Output_CheckApart((const char *const[]){a, again}, 2, NULL), RP_INVALID);
    assert_int_equal(Output_CheckApart((const char *const[]){a, b}, 2, NULL), RP_OK);
    assert_string_equal(Get(a), "there");
    assert_int_equal(remove(a), 0);
}

TEST(OnlyTheEditedFileIsEditedInPlace) {
    Put(In("edited"), "edited");
    Put(In("other"), "other");
    ReadAsInput(In("edited"));
    ReadAsInput(In("other"));
    assert_int_equal(Output_WriteEdited(In("other"), In("edited"), "x", 1, NULL), RP_INVALID);
    assert_string_equal(Get(In("other")), "other");
    assert_int_equal(Output_WriteEdited(In("edited"), In("edited"), "x", 1, NULL), RP_OK);
    assert_string_equal(Get(In("edited")), "x");
}

/* Somebody may save the file while it is edited, either in its place or as a new file of its
 * name. */
TEST(WhatSomebodySavedMeanwhileStays) {
    RpError error;
    Put(In("saved"), "as it was read");
    ReadAsInput(In("saved"));
    Put(In("saved"), "as it was saved in its place");
    assert_int_equal(Output_WriteEdited(In("saved"), In("saved"), "x", 1, &error), RP_INVALID);
    assert_string_equal(error.what, "the file has been changed since it was read");
    assert_string_equal(Get(In("saved")), "as it was saved in its place");
    Put(In("renamed"), "as it was read");
    ReadAsInput(In("renamed"));
    assert_int_equal(remove(In("renamed")), 0);
    /* the new file may get the number of the removed one */
    Put(In("renamed"), "as somebody saved it");
    assert_int_equal(Output_WriteEdited(In("renamed"), In("renamed"), "x", 1, &error), RP_INVALID);
    assert_string_equal(Get(In("renamed")), "as somebody saved it");
    assert_int_equal(remove(In("renamed")), 0);
    assert_int_equal(Output_WriteEdited(In("renamed"), In("renamed"), "x", 1, NULL), RP_OK);
}

#ifndef _WIN32
/* Another process may replace one input after the other, as several programs that write settings
 * would. A file that is removed may leave its number to the next one. */
TEST(AnEditedFileMayBeReplacedMeanwhile) {
    static const char *const inputs[] = {"first input", "second input"};
    for (int i = 0; i < 2; i++) {
        Put(In(inputs[i]), inputs[i]);
        ReadAsInput(In(inputs[i]));
    }
    const pid_t other = fork();
    assert_true(other >= 0);
    if (other == 0)
        for (int i = 0; link(In(inputs[i % 2]), In("next")) == 0; i++)
            rename(In("next"), In("replaced"));
    if (other == 0)
        _exit(1);
    RpStatus status = RP_OK;
    for (int i = 0; i < 500 && !status; i++)
        status = Output_WriteEdited(In("replaced"), In("replaced"), "edited", 6, NULL);
    kill(other, SIGKILL);
    assert_int_equal(waitpid(other, NULL, 0), other);
    remove(In("next"));
    assert_int_equal(status, RP_OK);
    for (int i = 0; i < 2; i++)
        assert_string_equal(Get(In(inputs[i])), inputs[i]);
}
#endif

TEST(AnOwnFileThatWasReadAgainIsNoInput) {
    for (int i = 0; i < 3; i++) {
        assert_int_equal(Output_Write(In("own"), i ? "again" : "once", NULL), RP_OK);
        ReadAsInput(In("own"));
    }
    assert_string_equal(Get(In("own")), "again");
}

TEST(AGrowingFileHasItsNameAtOnce) {
    OutputFile *file;
    Put(In("growing"), "old");
    assert_int_equal(Output_OpenGrowing(In("growing"), &file, NULL), RP_OK);
    assert_int_equal(Output_Append(file, "part", 4, NULL), RP_OK);
    assert_int_equal(fflush(Output_Stream(file)), 0);
    assert_string_equal(Get(In("growing")), "part");
    Output_Abandon(file);
    assert_string_equal(Get(In("growing")), "part");
}

TEST(AFolderIsNoOutput) {
    RpError error;
    assert_int_equal(Output_Write(folder, "x", &error), RP_IO);
    assert_string_equal(error.found, "it is a folder");
    assert_int_equal(Output_Check(folder, NULL), RP_IO);
    assert_int_equal(Output_MakeFolderInto(folder, "inner", NULL), RP_OK);
    assert_int_equal(Output_MakeFolderInto(folder, "inner", NULL), RP_OK);
    assert_int_equal(Output_WriteInto(folder, "inner", "x", 1, NULL), RP_IO);
    assert_int_equal(Output_Write(In("nowhere/file"), "x", NULL), RP_IO);
}

TEST(AFinishedFileIsMovedOverOthersButInputs) {
    Put(In("finished"), "finished");
    Put(In("target"), "target");
    ReadAsInput(In("target"));
    assert_int_equal(Output_Move(In("finished"), In("target"), NULL), RP_INVALID);
    assert_string_equal(Get(In("target")), "target");
    Put(In("free"), "free");
    assert_int_equal(Output_Move(In("finished"), In("free"), NULL), RP_OK);
    assert_string_equal(Get(In("free")), "finished");
    assert_null(Get(In("finished")));
}

TEST(ScratchFilesAreNewAndGo) {
    char first[4096], second[4096];
    assert_int_equal(Output_MakeScratch(first, sizeof first, NULL), RP_OK);
    assert_int_equal(Output_MakeScratch(second, sizeof second, NULL), RP_OK);
    assert_string_not_equal(first, second);
    assert_string_equal(Get(first), "");
    Output_DropScratch(first);
    assert_null(Get(first));
    Cleanup_RemoveAll(); /* as a signal's handler does */
    assert_null(Get(second));
}

#ifndef _WIN32
TEST(APlantedLinkInAFolderIsReplaced) {
    Put(In("victim"), "victim");
    assert_int_equal(symlink(In("victim"), In("planted")), 0);
    assert_int_equal(Output_WriteInto(folder, "planted", "x", 1, NULL), RP_OK);
    assert_string_equal(Get(In("victim")), "victim");
    assert_string_equal(Get(In("planted")), "x");
    assert_int_equal(symlink(folder, In("linked")), 0);
    assert_int_equal(Output_MakeFolderInto(folder, "linked", NULL), RP_IO);
    /* A symbolic link that the user names is followed. A circle of links is not a place to write
     * to. */
    assert_int_equal(symlink("victim", In("named")), 0);
    assert_int_equal(Output_Write(In("named"), "through", NULL), RP_OK);
    assert_string_equal(Get(In("victim")), "through");
    assert_int_equal(symlink("circle", In("circle")), 0);
    assert_int_equal(Output_Write(In("circle"), "x", NULL), RP_IO);
}

TEST(AFinishedFileTakesThePlaceOfNoPipe) {
    struct stat facts;
    Put(In("finished"), "finished");
    assert_int_equal(mkfifo(In("pipe"), 0600), 0);
    assert_int_equal(Output_Move(In("finished"), In("pipe"), NULL), RP_IO);
    assert_int_equal(lstat(In("pipe"), &facts), 0);
    assert_true(S_ISFIFO(facts.st_mode));
    assert_string_equal(Get(In("finished")), "finished");
}

TEST(TheModeOfAFileStays) {
    struct stat facts;
    Put(In("private"), "old");
    assert_int_equal(chmod(In("private"), 0600), 0);
    assert_int_equal(Output_Write(In("private"), "new", NULL), RP_OK);
    assert_int_equal(stat(In("private"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

/* The file is written by somebody who is not in the file's group. This needs another user, and
 * therefore root. */
TEST(AnotherGroupGetsNothingOfWhatTheFilesGroupHad) {
    enum { OWNER = 12345, FORMER_GROUP = 12346, GROUP = 12347 };
    struct stat facts;
    int status;
    if (geteuid() != 0)
        skip();
    Put(In("grouped"), "old");
    assert_int_equal(chown(folder, OWNER, GROUP), 0);
    assert_int_equal(chown(In("grouped"), OWNER, FORMER_GROUP), 0);
    assert_int_equal(chmod(In("grouped"), 0664), 0);
    const pid_t child = fork();
    if (child == 0)
        _exit(chdir(folder) || setgid(GROUP) || setuid(OWNER) ||
              Output_Write("grouped", "new", NULL));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(Get(In("grouped")), "new");
    assert_int_equal(stat(In("grouped"), &facts), 0);
    assert_int_equal(facts.st_uid, OWNER);
    assert_int_equal(facts.st_gid, GROUP);
    assert_int_equal(facts.st_mode & 0777, 0644);
    assert_int_equal(chown(folder, 0, 0), 0);
}
#endif

/* ---- what killed processes leave ------------------------------------------------------------- */

#define LEFTOVER ".retropose-0123456789abcdef~part"

static char unfinished[FILES_NAME_BYTES]; /* the last unfinished file that TakeUnfinished met */

static void TakeUnfinished(void *context, const char *name) {
    (void)context;
    if (strncmp(name, ".retropose-", 11) == 0 && strcmp(name, LEFTOVER) != 0)
        snprintf(unfinished, sizeof unfinished, "%s", name);
}

TEST(AnUnfinishedFileIsALeftoverWhenNobodyWritesIt) {
    static const char *const others[] = {
        ".retropose-0123456789abcde~part",   ".retropose-0123456789abcdef0~part",
        ".retropose-0123456789ABCDEF~part",  ".retropose-0123456789abcdef~part2",
        "a.retropose-0123456789abcdef~part", "Ngi32.dll.retropose-part"};
    OutputFile *file;
    Put(In(LEFTOVER), "half a te");
    assert_true(Output_IsLeftover(folder, LEFTOVER));
    assert_int_equal(remove(In(LEFTOVER)), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Put(In(others[i]), "x");
        assert_false(Output_IsLeftover(folder, others[i]));
        assert_int_equal(remove(In(others[i])), 0);
    }
    assert_false(Output_IsLeftover(folder, LEFTOVER));
    assert_int_equal(Output_MakeFolderInto(folder, LEFTOVER, NULL), RP_OK);
    assert_false(Output_IsLeftover(folder, LEFTOVER));
    assert_true(Cleanup_RemoveFolder(In(LEFTOVER)));
#ifndef _WIN32
    Put(In("led to"), "x");
    assert_int_equal(symlink("led to", In(LEFTOVER)), 0);
    assert_false(Output_IsLeftover(folder, LEFTOVER));
    assert_int_equal(remove(In(LEFTOVER)), 0);
#endif
    assert_int_equal(Output_Open(In("being written"), &file, NULL), RP_OK);
    unfinished[0] = 0;
    assert_int_equal(FileOps_System.list(NULL, folder, TakeUnfinished, NULL, NULL), RP_OK);
    assert_string_not_equal(unfinished, "");
    assert_false(Output_IsLeftover(folder, unfinished));
    fclose(Output_Stream(file)); /* the end of a process closes a stream like this */
    assert_true(Output_IsLeftover(folder, unfinished));
    assert_int_equal(remove(In(unfinished)), 0);
    Cleanup_Forget(In(unfinished));
    free(file);
}

/* ---- files that another program has open ----------------------------------------------------- */

TEST(WhatAnotherProgramHasOpenIsWaitedFor) {
    enum { NOT_FOUND = 2, ACCESS_DENIED = 5, SHARING_VIOLATION = 32, DISK_FULL = 112 };
    static const uint32_t passing[] = {ACCESS_DENIED, SHARING_VIOLATION};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        uint32_t sum = 0, pause;
        for (unsigned failed = 1; (pause = Busy_Pause(passing[i], failed)) > 0; failed++) {
            assert_in_range(pause, 1, 200);
            sum += pause;
        }
        assert_in_range(sum, 2000, 5000);
    }
    assert_int_equal(Busy_Pause(NOT_FOUND, 1), 0);
    assert_int_equal(Busy_Pause(DISK_FULL, 1), 0);
}

#ifdef _WIN32
static HANDLE held, is_held;

/* Opens the file as a virus scanner does: nobody else may open it in the meantime. */
static DWORD WINAPI Hold(void *path) {
    held = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    SetEvent(is_held);
    Sleep(300);
    CloseHandle(held);
    return 0;
}

static HANDLE StartScanner(const char *path) {
    is_held = CreateEventA(NULL, FALSE, FALSE, NULL);
    const HANDLE thread = CreateThread(NULL, 0, Hold, (void *)(uintptr_t)path, 0, NULL);
    assert_non_null(thread);
    WaitForSingleObject(is_held, INFINITE);
    CloseHandle(is_held);
    assert_true(held != INVALID_HANDLE_VALUE);
    return thread;
}

static void EndScanner(HANDLE thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

TEST(AScannerDelaysWhatIsDoneWithANewFile) {
    RpBuffer bytes = {0};
    Put(In("new"), "new");
    HANDLE scanner = StartScanner(In("new"));
    assert_int_equal(FileOps_System.read(NULL, In("new"), &bytes, NULL), RP_OK);
    RpBuffer_Free(&bytes);
    EndScanner(scanner);
    scanner = StartScanner(In("new"));
    assert_int_equal(FileOps_System.move(NULL, In("new"), In("moved"), false, NULL), RP_OK);
    EndScanner(scanner);
    Put(In("newer"), "newer");
    scanner = StartScanner(In("moved"));
    assert_int_equal(FileOps_System.move(NULL, In("newer"), In("moved"), true, NULL), RP_OK);
    EndScanner(scanner);
    scanner = StartScanner(In("moved"));
    assert_int_equal(FileOps_System.remove(NULL, In("moved"), NULL), RP_OK);
    EndScanner(scanner);
}

TEST(AReadOnlyFileIsRemovedAndReplacedByWhoKnowsIt) {
    Put(In("locked"), "locked");
    Put(In("new"), "new");
    assert_true(SetFileAttributesA(In("locked"), FILE_ATTRIBUTE_READONLY));
    assert_int_equal(FileOps_System.move(NULL, In("new"), In("locked"), false, NULL), RP_IO);
    assert_true(GetFileAttributesA(In("locked")) & FILE_ATTRIBUTE_READONLY);
    assert_int_equal(FileOps_System.move(NULL, In("new"), In("locked"), true, NULL), RP_OK);
    assert_string_equal(Get(In("locked")), "new");
    assert_true(SetFileAttributesA(In("locked"), FILE_ATTRIBUTE_READONLY));
    assert_int_equal(FileOps_System.remove(NULL, In("locked"), NULL), RP_OK);
    assert_null(Get(In("locked")));
}
#endif

/* ---- cleaning up ----------------------------------------------------------------------------- */

TEST(AListThatIsFullTakesNoMore) {
    char path[32];
    int taken = 0;
    for (; taken < 1000; taken++) {
        snprintf(path, sizeof path, "nowhere/%d", taken);
        if (!Cleanup_Add(path, CLEANUP_FILE))
            break;
    }
    assert_in_range(taken, 16, 999);
    Cleanup_Forget("nowhere/3");
    assert_true(Cleanup_Add("nowhere/again", CLEANUP_FILE));
    assert_false(Cleanup_Add("nowhere/more", CLEANUP_FILE));
    Cleanup_RemoveAll();
    assert_true(Cleanup_Add("nowhere/new", CLEANUP_FILE));
    Cleanup_RemoveAll();
}

TEST(WhatIsOnTheListGoesAndWhatWasForgottenStays) {
    OutputFile *file;
    Put(In("kept"), "kept");
    assert_true(Cleanup_Add(In("kept"), CLEANUP_FILE));
    Cleanup_Forget(In("kept"));
    assert_int_equal(Output_MakeFolderInto(folder, "tree", NULL), RP_OK);
    assert_int_equal(Output_MakeFolderInto(folder, "tree/inner", NULL), RP_OK);
    for (int i = 0; i < 300; i++) {
        char name[40];
        snprintf(name, sizeof name, "tree/inner/a rather long name %d", i);
        Put(In(name), "x");
    }
#ifndef _WIN32
    assert_int_equal(symlink(In("kept"), In("tree/link")), 0);
#endif
    assert_true(Cleanup_Add(In("tree"), CLEANUP_FOLDER));
    assert_true(Cleanup_Covers(In("tree/inner/new")));
    assert_false(Cleanup_Covers(In("tree")));
    assert_false(Cleanup_Covers(In("trees/new")));
    assert_int_equal(Output_Open(In("unfinished"), &file, NULL), RP_OK);
    assert_int_equal(Output_Append(file, "x", 1, NULL), RP_OK);
#ifndef _WIN32 /* only where the system does not remove an open file */
    Cleanup_RemoveAll();
#endif
    Output_Abandon(file);
    Cleanup_RemoveAll();
    assert_null(Get(In("unfinished")));
    assert_null(Get(In("tree/inner/a rather long name 7")));
    assert_int_equal(Output_MakeFolderInto(folder, "tree", NULL), RP_OK);
    assert_string_equal(Get(In("kept")), "kept");
}
