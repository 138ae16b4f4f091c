/* Tests the command itself, which is killed by SIGKILL at random moments of its run. Afterwards
 * uninstall restores the folder byte for byte, and install completes it. test_install_faults.c
 * tries all moments one after the other; this test has a process, a kernel and a disk. */
#define _GNU_SOURCE

#include "game.h"
#include "made_game.h"
#include "tests/test.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 100 };

#define OURS TEST_FOLDER "-ours"

static RpBuffer pristine;

static uint64_t Now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static pid_t Start(const char *verb) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    if (strcmp(verb, "install") == 0)
        execl(RETROPOSE_BINARY, "retropose", verb, "-q", TEST_FOLDER, "--dlls", OURS, (char *)NULL);
    else
        execl(RETROPOSE_BINARY, "retropose", verb, "-q", TEST_FOLDER, (char *)NULL);
    _exit(127);
}

static void Run(const char *verb) {
    int code;
    const pid_t child = Start(verb);
    assert_int_equal(waitpid(child, &code, 0), child);
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        fail_msg("%s ends with %d", verb, code);
}

/* Returns false if the command ended before. */
static bool RunAndKill(const char *verb, uint64_t after) {
    int code;
    const pid_t child = Start(verb);
    const uint64_t start = Now();
    while (Now() - start < after) {
    }
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &code, 0), child);
    return WIFSIGNALED(code);
}

static uint64_t Measure(const char *verb) {
    const uint64_t start = Now();
    Run(verb);
    return Now() - start;
}

TEST_AROUND(Begin) {
    Game_Make(TEST_FOLDER); /* empties the folders */
    Game_Remove(TEST_FOLDER, "NGI32.dll");
    MadeGame_Write(TEST_FOLDER, OURS);
    Game_Snapshot(TEST_FOLDER, &pristine);
    srand((unsigned)Now());
    return 0;
}

TEST_AROUND(End) {
    RpBuffer_Free(&pristine);
    return 0;
}

TEST(TheCommandIsKilledAtRandomMoments) {
    unsigned killed = 0, pending = 0;
    const uint64_t install = Measure("install"), uninstall = Measure("uninstall");
    Game_ExpectSnapshot(TEST_FOLDER, &pristine, "undisturbed");
    for (unsigned round = 0; round < ROUNDS; round++) {
        const bool out = round % 2;
        const uint64_t length = out ? uninstall : install;
        if (out)
            Run("install");
        killed += RunAndKill(out ? "uninstall" : "install", (uint64_t)rand() % (length + 1));
        pending += Game_Has(TEST_FOLDER, "retropose.install");
        if (round / 2 % 2)
            Run("install");
        Run("uninstall");
        Game_ExpectSnapshot(TEST_FOLDER, &pristine, out ? "uninstall killed" : "install killed");
    }
    print_message("%u of %u runs were killed, %u left a manifest\n", killed, ROUNDS, pending);
    assert_true(killed > ROUNDS / 4);
}

AROUND_ALL(Begin, End)
