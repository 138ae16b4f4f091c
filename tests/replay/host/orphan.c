#define _GNU_SOURCE /* needed for nftw */
#include "orphan.h"

#include "replay/process/host_progress.h"
#include "tests/test.h"

#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without anybody who ends it, a host in `Beats` would beat for a minute (rogue/strays.c), which is
 * longer than it is watched. */
enum { STEP_MS = 50, BEGIN_STEPS = 120000 / STEP_MS, END_STEPS = 30000 / STEP_MS };
enum { STILL_STEPS = 4000 / STEP_MS };
/* A host waits a second for its call to end. A call that hangs in the interpreter lasts about half
 * a minute. */
enum { STAYS_MS = 10000 };

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

static bool is_calling;

/* Looks for a host's progress file that says that the host is in a call. */
static int LookAtProgress(const char *path, const struct stat *file, int kind, struct FTW *place) {
    HostProgress progress = {0};
    (void)file;
    if (kind != FTW_F || strcmp(path + place->base, "progress") != 0)
        return 0;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return 0;
    is_calling |=
        fread(&progress, sizeof progress, 1, stream) == 1 && progress.state == HOST_CALLING;
    fclose(stream);
    return 0;
}

/* Everything that `run` starts inherits the writing end of a pipe, so that the other end shows when
 * all of it has ended. */
bool Orphan_Stays(void (*run)(const char *folder), const char *folder) {
    int ends[2], status;
    Clear(folder);
    mkdir(folder, 0777);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run(folder);
        _exit(0);
    }
    assert_true(child > 0);
    close(ends[1]);
    is_calling = false;
    for (int step = 0; step < BEGIN_STEPS && !is_calling; step++) {
        usleep(1000 * STEP_MS);
        nftw(folder, LookAtProgress, 8, FTW_PHYS);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(is_calling);
    struct pollfd end = {.fd = ends[0], .events = POLLIN};
    const bool stays = poll(&end, 1, STAYS_MS) != 1;
    close(ends[0]);
    Clear(folder);
    return stays;
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
