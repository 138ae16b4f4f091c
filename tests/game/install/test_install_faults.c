/* Tests that, whatever happens at any file operation of install and uninstall and of the runs that
 * clear up after them, the folder comes back byte for byte or is installed completely. */
#include "faulty.h"
#include "game.h"
#include "game/install/install_folder.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef RpStatus Run(const InstallOptions *options, bool *pending, RpError *error);

static RpBuffer pristine;  /* snapshot of the game's folder */
static RpBuffer installed; /* snapshot of an installed folder, without times */

/* The times of new files differ from run to run. */
static void WithoutTimes(RpBuffer *snapshot) {
    char *to = (char *)snapshot->bytes;
    for (const char *at = to; *at;) {
        const size_t length = strcspn(at, "\n");
        size_t kept = length;
        while (kept > 0 && at[kept - 1] != ' ')
            kept--;
        memmove(to, at, kept);
        to[kept] = '\n';
        to += kept + 1;
        at += length + 1;
    }
    *to = 0;
}

static void SnapshotInstalled(RpBuffer *snapshot) {
    Game_Snapshot(TEST_FOLDER, snapshot);
    WithoutTimes(snapshot);
}

static void ExpectInstalled(const char *when) {
    RpBuffer found;
    SnapshotInstalled(&found);
    if (strcmp((const char *)found.bytes, (const char *)installed.bytes) != 0)
        fail_msg("%s: installed is\n%sand the folder has\n%s", when, (const char *)installed.bytes,
                 (const char *)found.bytes);
    RpBuffer_Free(&found);
}

static RpStatus RunWith(Run *run, Faulty *faulty, bool *pending, RpError *error) {
    const FileOps ops = Faulty_Ops(faulty);
    const InstallOptions options = Game_Options(TEST_FOLDER, &ops);
    return run(&options, pending, error);
}

static void RunWell(Run *run, const char *when) {
    Faulty none = {.fault = FAULT_NONE};
    RpError error;
    char text[512];
    if (RunWith(run, &none, NULL, &error)) {
        RpError_Format(&error, text, sizeof text);
        fail_msg("%s: %s", when, text);
    }
}

TEST_AROUND(Begin) {
    Game_Make(TEST_FOLDER);
    Game_Snapshot(TEST_FOLDER, &pristine);
    RunWell(Install_Run, "install");
    SnapshotInstalled(&installed);
    RunWell(Uninstall_Run, "uninstall");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "a run without faults");
    return 0;
}

TEST_AROUND(End) {
    RpBuffer_Free(&pristine);
    RpBuffer_Free(&installed);
    return 0;
}

/* Makes one run with a fault at operation `at`. Returns false if the run ended before that. */
static bool RunFaulty(Run *run, Fault fault, unsigned at, RpStatus *status, bool *pending) {
    Faulty faulty = {.fault = fault, .at = at};
    RpError error;
    *status = RunWith(run, &faulty, pending, &error);
    if (*status)
        assert_true(error.what[0] != 0);
    return faulty.hit;
}

static void Prepare(Run *run) {
    if (run == Uninstall_Run)
        RunWell(Install_Run, "before uninstall");
}

static const char *Name(Run *run) {
    return run == Install_Run ? "install" : "uninstall";
}

/* Kills `first` at every operation, and then lets `second` run well. */
static unsigned KillEverywhere(Run *first, Fault fault, Run *second) {
    char when[96];
    RpStatus status;
    unsigned at = 0;
    for (bool hit = true; hit; at++) {
        Prepare(first);
        hit = RunFaulty(first, fault, at, &status, NULL);
        snprintf(when, sizeof when, "%s, fault %d at operation %u, then %s", Name(first), fault, at,
                 Name(second));
        RunWell(second, when);
        if (second == Install_Run)
            ExpectInstalled(when);
        RunWell(Uninstall_Run, when);
        Game_ExpectSnapshot(TEST_FOLDER, &pristine, when);
        assert_true(at < 1000);
    }
    return at;
}

TEST(AKillAtAnyStepIsRecoveredByEither) {
    static const struct {
        Run *killed, *then;
        unsigned more_steps; /* than this: the whole run was tried */
    } cases[] = {{Install_Run, Uninstall_Run, 40},
                 {Install_Run, Install_Run, 40},
                 {Uninstall_Run, Uninstall_Run, 12},
                 {Uninstall_Run, Install_Run, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned steps = KillEverywhere(cases[i].killed, FAULT_KILL, cases[i].then);
        assert_true(steps > cases[i].more_steps);
        KillEverywhere(cases[i].killed, FAULT_KILL_BEHIND, cases[i].then);
    }
}

/* Also kills the run that clears up, at every step of it. */
static void KillTwice(Run *first, Run *second) {
    char when[96];
    RpStatus status;
    bool first_hit = true;
    for (unsigned at = 0; first_hit; at++) {
        bool second_hit = true;
        for (unsigned again = 0; second_hit; again++) {
            Prepare(first);
            first_hit = RunFaulty(first, FAULT_KILL, at, &status, NULL);
            second_hit = RunFaulty(second, FAULT_KILL, again, &status, NULL);
            snprintf(when, sizeof when, "%s killed at %u, %s at %u", Name(first), at, Name(second),
                     again);
            RunWell(Uninstall_Run, when);
            Game_ExpectSnapshot(TEST_FOLDER, &pristine, when);
        }
    }
}

static void ARecoveryThatIsKilledIsRecovered(void **state) {
    (void)state;
    KillTwice(Install_Run, Uninstall_Run);
    KillTwice(Uninstall_Run, Uninstall_Run);
    KillTwice(Install_Run, Install_Run);
}

/* A failed install leaves nothing behind. A failed uninstall is finished by the next one. */
static void FailEverywhere(Run *run, Fault fault) {
    char when[96];
    RpStatus status;
    bool hit = true, pending;
    for (unsigned at = 0; hit; at++) {
        Prepare(run);
        hit = RunFaulty(run, fault, at, &status, &pending);
        snprintf(when, sizeof when, "%s, fault %d at operation %u", Name(run), fault, at);
        if (run == Install_Run && status && !pending)
            Game_ExpectSnapshot(TEST_FOLDER, &pristine, when);
        if (run == Install_Run && hit && !status)
            ExpectInstalled(when); /* the operation that failed was not needed */
        if (run == Install_Run)
            assert_false(pending && fault == FAULT_FULL);
        RunWell(Uninstall_Run, when);
        Game_ExpectSnapshot(TEST_FOLDER, &pristine, when);
        assert_true(at < 1000);
    }
}

TEST(AFailedOperationChangesNothing) {
    FailEverywhere(Install_Run, FAULT_FAIL);
    FailEverywhere(Uninstall_Run, FAULT_FAIL);
}

TEST(AFullDiskAtAnyWriteChangesNothing) {
    FailEverywhere(Install_Run, FAULT_FULL);
}

TEST(UninstallNeedsNoSpace) {
    Faulty full = {.fault = FAULT_FULL, .at = 0};
    RpError error;
    RunWell(Install_Run, "install");
    full.count = 1;
    assert_int_equal(RunWith(Uninstall_Run, &full, NULL, &error), RP_OK);
    assert_false(full.hit);
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "uninstall on a full disk");
}

TEST(AFolderThatCannotBeWrittenStaysAsItIs) {
    Faulty locked = {.read_only = true};
    RpError error;
    bool pending;
    assert_int_equal(RunWith(Install_Run, &locked, &pending, &error), RP_IO);
    assert_string_equal(error.found, "Read-only file system");
    assert_false(pending);
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "install into a read-only folder");
    RunWell(Install_Run, "install");
    locked.count = 0;
    assert_int_equal(RunWith(Uninstall_Run, &locked, &pending, &error), RP_IO);
    ExpectInstalled("uninstall from a read-only folder");
    RunWell(Uninstall_Run, "uninstall");
}

/* Installs a new version over an old one. Whatever happens, one of the two or the original folder
 * remains. */
TEST(AnUpdateThatIsKilledIsRecovered) {
    char when[96];
    RpStatus status;
    bool hit = true;
    for (unsigned at = 0; hit; at++) {
        Game_MakeOurs(TEST_FOLDER, 0x50);
        RunWell(Install_Run, "the old version");
        Game_MakeOurs(TEST_FOLDER, 0x90);
        hit = RunFaulty(Install_Run, FAULT_KILL, at, &status, NULL);
        snprintf(when, sizeof when, "update killed at operation %u", at);
        if (at % 2)
            RunWell(Install_Run, when);
        if (at % 2)
            ExpectInstalled(when);
        RunWell(Uninstall_Run, when);
        Game_ExpectSnapshot(TEST_FOLDER, &pristine, when);
    }
}

/* A loss of power does no harm if bytes are on the disk before names, and names before what relies
 * on them. */
TEST(EverythingIsOnTheDiskBeforeWhatBuildsOnIt) {
    Faulty in = {.fault = FAULT_NONE}, out = {.fault = FAULT_NONE};
    RpError error;
    assert_int_equal(RunWith(Install_Run, &in, NULL, &error), RP_OK);
    /* The order is the manifest, two texts and two DLLs, their names, and the originals' names. */
    assert_string_equal(in.done, "cwfxms"
                                 "cwfxcwfxcwfxcwfxs"
                                 "mm"
                                 "mmmms");
    assert_int_equal(RunWith(Uninstall_Run, &out, NULL, &error), RP_OK);
    /* The order is the originals, two texts, and then the manifest. */
    assert_string_equal(out.done, "mmrrsrs");
}

AROUND_ALL(Begin, End)

/* With TWICE, a program of its own because it takes long, runs are killed at each pair of steps. */
int main(void) {
    const struct CMUnitTest twice[] = {
        cmocka_unit_test(ARecoveryThatIsKilledIsRecovered),
    };
    return TWICE ? cmocka_run_group_tests(twice, Begin, End) : Tests_Run();
}
