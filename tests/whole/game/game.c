/* A small game: a model walks, posed by the two DLLs beside this program, whoever made them.
 *
 *   game [--model FILE] [--components FILE] [--frames N] [--threads N]
 *        [--write FILE | --check FILE] [--picture FILE]
 *
 * --write keeps a digest of each frame's results, and --check compares with those of another run:
 * if the bits differ, the frame is named. The exit code is 0, 1 if a result is wrong or different,
 * or 2 if nothing could be run. */
#include "calls.h"
#include "components.h"
#include "core/hash.h"
#include "imports.h"
#include "made_up.h"
#include "picture.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define MAX_THREADS 8
#define MAX_FRAMES  1000000u

typedef struct Options {
    const char *model, *components, *write, *check, *picture;
    uint32_t frames, threads;
} Options;

typedef struct Thread {
    Walker walker;
    const Options *options;
    const Walk *walk;
    uint64_t *digests;
    int64_t *posing, *frames; /* durations in ticks */
    Picture *picture;
    HANDLE handle;
} Thread;

static Thread threads[MAX_THREADS];

/* ---- running --------------------------------------------------------------------------------- */

static int64_t Now(void) {
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    return now.QuadPart;
}

/* Sets significands of 24 bits as Ngi32.dll does when a thread begins, because Wine restores the
 * system's word before the thread's own code runs. */
static void SetGameControlWord(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    word = (uint16_t)((word & 0xF0FF) | 0x003F);
    __asm__ volatile("fldcw %0" : : "m"(word));
}

static DWORD WINAPI Play(void *parameter) {
    Thread *thread = parameter;
    if (thread->walker.phase % 2 == 0) /* the other threads run with the system's word */
        SetGameControlWord();
    for (uint32_t frame = 0; frame < thread->options->frames; frame++) {
        int64_t start = Now();
        Walker_Frame(&thread->walker, frame);
        thread->posing[frame] = Now() - start;
        Picture_Draw(&thread->walker, thread->picture);
        thread->frames[frame] = Now() - start;
        thread->digests[frame] = thread->walker.digest;
    }
    return 0;
}

static bool Start(Thread *thread, uint32_t index, const Options *options, const Walk *walk) {
    Walker_Begin(walk, index, &thread->walker);
    thread->options = options;
    thread->digests = calloc(options->frames, sizeof *thread->digests);
    thread->posing = calloc(options->frames, sizeof *thread->posing);
    thread->frames = calloc(options->frames, sizeof *thread->frames);
    thread->picture = malloc(sizeof *thread->picture);
    if (!thread->digests || !thread->posing || !thread->frames || !thread->picture)
        return false;
    thread->handle = CreateThread(NULL, 0, Play, thread, 0, NULL);
    return thread->handle != NULL;
}

/* ---- what came of it ------------------------------------------------------------------------- */

static int CompareTicks(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Prints the times of the first thread, the middle one and the total, in microseconds. */
static void PrintTimes(const char *what, int64_t *ticks, uint32_t count) {
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    double unit = 1e6 / (double)frequency.QuadPart, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += unit * (double)ticks[i];
    qsort(ticks, count, sizeof *ticks, CompareTicks);
    printf("%s: median %.2f us, mean %.2f us\n", what, unit * (double)ticks[count / 2],
           sum / count);
}

static void PrintDigest(const Options *options) {
    uint64_t digest = HASH_FNV64_BEGIN;
    for (uint32_t t = 0; t < options->threads; t++)
        for (uint32_t i = 0; i < options->frames; i++)
            digest = Hash_Fnv64Step(digest, threads[t].digests[i]);
    printf("digest %08X%08X\n", (unsigned)(digest >> 32), (unsigned)digest);
}

static int Trouble(const char *what, const char *detail) {
    fprintf(stderr, "game: %s%s%s\n", what, *detail ? ": " : "", detail);
    return 2;
}

static int WriteDigests(const Options *options) {
    FILE *file = fopen(options->write, "wb");
    bool written = file != NULL;
    for (uint32_t t = 0; written && t < options->threads; t++)
        written =
            fwrite(threads[t].digests, sizeof(uint64_t), options->frames, file) == options->frames;
    if (file && fclose(file) != 0)
        written = false;
    return written ? 0 : Trouble("cannot write", options->write);
}

static int CheckDigests(const Options *options) {
    FILE *file = fopen(options->check, "rb");
    uint64_t expected = 0;
    uint32_t different = 0;
    if (!file)
        return Trouble("cannot read", options->check);
    for (uint32_t t = 0; t < options->threads; t++)
        for (uint32_t i = 0; i < options->frames; i++) {
            if (fread(&expected, sizeof expected, 1, file) != 1) {
                fclose(file);
                return Trouble("fewer frames than this run's are in", options->check);
            }
            if (threads[t].digests[i] != expected && different++ == 0)
                printf("different: thread %u, frame %u\n", (unsigned)t, (unsigned)i);
        }
    fclose(file);
    printf("%u of %u frames differ\n", (unsigned)different,
           (unsigned)(options->threads * options->frames));
    return different > 0;
}

static int CheckResults(const Options *options) {
    int code = 0;
    for (uint32_t t = 0; t < options->threads; t++)
        if (threads[t].walker.wrong) {
            printf("wrong: %u results of thread %u, first %s\n", (unsigned)threads[t].walker.wrong,
                   (unsigned)t, threads[t].walker.first_wrong);
            code = 1;
        }
    return code;
}

/* ---- the DLLs -------------------------------------------------------------------------------- */

/* niGetProcAddress must answer from the table that callers import. In a game folder the original
 * may answer, and then from its own table. */
static const char *CheckTable(void) {
    const void *const *table = IMPORTED(g_FastProc);
    bool hosted = GetModuleHandleA("Ngi32.retail.dll") != NULL;
    for (uint32_t i = 0; i < 68; i++) {
        uint32_t entry = Call_ngi32_niGetProcAddress(IMPORTED(niGetProcAddress), i);
        if (hosted ? !entry != !table[i] : entry != (uint32_t)(uintptr_t)table[i])
            return "niGetProcAddress and g_FastProc disagree";
    }
    if (Call_ngi32_ngiIsBackSurface(IMPORTED(ngiIsBackSurface)) != 0)
        return "ngiIsBackSurface is not empty";
    return NULL;
}

/* Calls the loaders by id as World3D does. `outer` is null (facts/animesh.md A.2). */
static const char *LoadComponents(const Options *options) {
    if (Components_Read(options->components) < 1)
        return "a row of the component table leads nowhere";
    for (uint32_t id = 3; id <= 4; id++) {
        uint32_t object = 1;
        if (!Component_Load(id, options->model, "walk.msh", NULL, id, &object))
            return "a component is missing";
        if (object != 0) /* neither the stand-in nor our DLLs make agents */
            return "a component came to be";
    }
    return NULL;
}

static int CheckDlls(const Options *options, Walk *walk) {
    char wrong[96] = "";
    const char *missing = Imports_Open();
    if (missing)
        return Trouble("missing import", missing);
    const char *trouble = CheckTable();
    if (!trouble)
        trouble = LoadComponents(options);
    if (!trouble && MadeUp_Check(wrong, sizeof wrong) < 0)
        trouble = wrong;
    if (!trouble)
        trouble = Walk_Load(options->model, walk);
    return trouble ? Trouble(trouble, "") : 0;
}

static bool ReadOptions(int argc, char **argv, Options *options) {
    *options = (Options){"walk.msh", "Comp.ini", NULL, NULL, NULL, 2000, 2};
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *word = argv[i], *value = argv[i + 1];
        const char **text = strcmp(word, "--model") == 0        ? &options->model
                            : strcmp(word, "--components") == 0 ? &options->components
                            : strcmp(word, "--write") == 0      ? &options->write
                            : strcmp(word, "--check") == 0      ? &options->check
                            : strcmp(word, "--picture") == 0    ? &options->picture
                                                                : NULL;
        uint32_t *number = strcmp(word, "--frames") == 0    ? &options->frames
                           : strcmp(word, "--threads") == 0 ? &options->threads
                                                            : NULL;
        if (!text && !number)
            return false;
        if (text)
            *text = value;
        else
            *number = (uint32_t)strtoul(value, NULL, 10);
    }
    return argc % 2 == 1 && options->frames > 0 && options->frames <= MAX_FRAMES &&
           options->threads > 0 && options->threads <= MAX_THREADS;
}

static int Finish(const Options *options, const Walk *walk) {
    printf("%s: %u threads, %u frames, %u nodes, %s\n", imports_how, (unsigned)options->threads,
           (unsigned)options->frames, (unsigned)walk->node_count,
           walk->own_archive ? "the game's own archive" : "an archive of Ngi32.dll");
    int code = CheckResults(options);
    if (options->check && code == 0)
        code = CheckDigests(options);
    if (options->write && code == 0)
        code = WriteDigests(options);
    if (options->picture && !Picture_Write(threads[0].picture, options->picture))
        code = Trouble("cannot write", options->picture);
    PrintDigest(options);
    PrintTimes("posing", threads[0].posing, options->frames);
    PrintTimes("frame", threads[0].frames, options->frames);
    return code;
}

int main(int argc, char **argv) {
    static Walk walk;
    Options options;
    if (!ReadOptions(argc, argv, &options))
        return Trouble("see game.c for the options", "");
    int code = CheckDlls(&options, &walk);
    if (code)
        return code;
    for (uint32_t t = 0; t < options.threads; t++)
        if (!Start(&threads[t], t, &options, &walk))
            return Trouble("no memory", "");
    for (uint32_t t = 0; t < options.threads; t++)
        WaitForSingleObject(threads[t].handle, INFINITE);
    return Finish(&options, &walk);
}
