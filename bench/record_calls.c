/* Measures the time of calls through a DLL's gates, for bench/record: slots and SampleNode are
 * called in a loop, some with results that change and some with results that stay. It prints CSV:
 * what was called, the number of calls, and the nanoseconds a call (the median of the rounds). It
 * runs beside an Ngi32.dll and an AniMesh.dll, which decide who serves a call and whether it is
 * recorded. */
#include "exports/abi.h"
#include "prototypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* A round has about as many calls as a frame of a game. Between two rounds the game does
 * something else, and the disk has time to follow. */
enum { ROUNDS = 201, ROUND_CALLS = 500, PAUSE_MILLISECONDS = 4 };

typedef ABI_PROTO_ngi32_slot14((*Slot14));
typedef ABI_PROTO_ngi32_slot17((*Slot17));
typedef ABI_PROTO_ngi32_slot23((*Slot23));

static const void *const *table;
static float quaternion[4] = {1, 0, 0, 0}, other[4] = {0.8F, 0.6F, 0, 0}, result[4];
static float matrix[16], product[16];

static void Convert(unsigned turn) {
    quaternion[1] = (float)(turn % 64) / 128;
    ((Slot14)(uintptr_t)table[14])(quaternion, matrix);
}

static void Interpolate(unsigned turn) {
    ((Slot17)(uintptr_t)table[17])(quaternion, other, (float)(turn % 64) / 64, result);
}

static void Multiply(unsigned turn) {
    matrix[3] = (float)turn;
    ((Slot23)(uintptr_t)table[23])(matrix, matrix, product);
}

/* Multiplies the same matrices each time. From one such call nobody can tell whether the output was
 * written. */
static void MultiplySame(unsigned turn) {
    (void)turn;
    matrix[3] = 1;
    ((Slot23)(uintptr_t)table[23])(matrix, matrix, product);
}

static int CompareNumbers(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double Nanoseconds(void (*call)(unsigned turn)) {
    static double rounds[ROUNDS];
    LARGE_INTEGER frequency, start, end;
    QueryPerformanceFrequency(&frequency);
    for (int round = 0; round < ROUNDS; round++) {
        Sleep(PAUSE_MILLISECONDS);
        QueryPerformanceCounter(&start);
        for (unsigned i = 0; i < ROUND_CALLS; i++)
            call(i);
        QueryPerformanceCounter(&end);
        rounds[round] = 1e9 * (double)(end.QuadPart - start.QuadPart) / (double)frequency.QuadPart /
                        ROUND_CALLS;
    }
    qsort(rounds, ROUNDS, sizeof *rounds, CompareNumbers);
    return rounds[ROUNDS / 2];
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*call)(unsigned turn);
    } cases[] = {{"slot14", Convert},
                 {"slot17", Interpolate},
                 {"slot23", Multiply},
                 {"slot23-same", MultiplySame}};
    HMODULE ngi32 = LoadLibraryA("Ngi32.dll");
    table = ngi32 ? (const void *const *)(uintptr_t)GetProcAddress(ngi32, "g_FastProc") : NULL;
    if (!table) {
        fprintf(stderr, "record_calls: no Ngi32.dll beside this program\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        printf("%s%s%s,%d,%.1f\n", argc > 1 ? argv[1] : "", argc > 1 ? "," : "", cases[i].name,
               ROUNDS * ROUND_CALLS, Nanoseconds(cases[i].call));
    return 0;
}
