#define _GNU_SOURCE /* for nftw */
#include "orphan.h"

#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A host that nobody ends beats for a minute (rogue/strays.c), which is longer than is watched. */
enum { STEP_MS = 50, BEGIN_STEPS = 120000 / STEP_MS, END_STEPS = 30000 / STEP_MS };
enum { STILL_STEPS = 4000 / STEP_MS };

static int64_t Beats(const char *folder) {
    char path[1200];
    struct stat file;
    snprintf(path, sizeof path, "%s/beats", folder);
    return stat(path, &file) ? 0 : (int64_t)file.st_size;
}

static int Remove(const char *path, const struct stat *file, int kind, struct FTW *place) {
    (void)file;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

static void Clear(const char *folder) {
    nftw(folder, Remove, 8, FTW_DEPTH | FTW_PHYS);
}

static bool GoesOn(const char *folder) {
    int64_t beats = Beats(folder);
    for (int step = 0, still = 0; step < END_STEPS; step++) {
        usleep(1000 * STEP_MS);
        const int64_t now = Beats(folder);
        still = now == beats ? still + 1 : 0;
        beats = now;
        if (still == STILL_STEPS)
            return false;
    }
    return true;
}

bool Orphan_GoesOn(void (*run)(const char *folder), const char *folder) {
    int status;
    Clear(folder);
    mkdir(folder, 0777);
    setenv("STRAYS_FOLDER", folder, 1);
    const pid_t child = fork();
    if (child == 0) {
        run(folder);
        _exit(0);
    }
    assert_true(child > 0);
    for (int step = 0; step < BEGIN_STEPS && Beats(folder) < 3; step++)
        usleep(1000 * STEP_MS);
    const bool began = Beats(folder) >= 3;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(began);
    const bool goes_on = GoesOn(folder);
    Clear(folder);
    return goes_on;
}
