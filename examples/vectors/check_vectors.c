/* Checks arithmetic of your own against traces/vectors/x87.json: put your functions in place of the
 * three below, which are plain C.
 *
 *     cc -std=c11 -O2 -ffp-contract=off check_vectors.c -lcjson -lm -o check_vectors
 *     ./check_vectors ../../traces/vectors/x87.json
 *
 * On a 32-bit x86 add -msse2 -mfpmath=sse. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/* ---- the arithmetic that is checked ---------------------------------------------------------- */

/* The frame of a time: the nearest whole number of t - 0.5, halves to even, modulo 2^32. */
static uint32_t FrameIndex(float t) {
    const float moved = t - 0.5F;
    if (!(moved >= -0x1p63F && moved < 0x1p63F))
        return 0;
    return (uint32_t)(uint64_t)llrintf(moved);
}

static float Twice(float x) {
    return x + x;
}

/* w, x, y, z to a row-major matrix for column vectors. */
static void Matrix(const float q[4], const float translation[3], float m[16]) {
    const float w = q[0], x = q[1], y = q[2], z = q[3];
    const float rows[16] = {1 - Twice(y * y + z * z),
                            Twice(x * y + w * z),
                            Twice(x * z - w * y),
                            translation[0],
                            Twice(x * y - w * z),
                            1 - Twice(x * x + z * z),
                            Twice(y * z + w * x),
                            translation[1],
                            Twice(x * z + w * y),
                            Twice(y * z - w * x),
                            1 - Twice(x * x + y * y),
                            translation[2],
                            0,
                            0,
                            0,
                            1};
    memcpy(m, rows, sizeof rows);
}

static void Product(const float a[16], const float b[16], float m[16]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m[4 * i + j] = ((a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j]) + a[4 * i + 2] * b[8 + j]) +
                           a[4 * i + 3] * b[12 + j];
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Floats are eight hexadecimal digits each, with spaces between them. */
static void Read(const cJSON *item, const char *name, float *values, int count) {
    const char *at = cJSON_GetObjectItem(item, name)->valuestring;
    for (int i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)strtoul(at, (char **)&at, 16);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static cJSON *Load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    const long size = ftell(file);
    char *text = calloc(1, (size_t)size + 1);
    rewind(file);
    const size_t read = text ? fread(text, 1, (size_t)size, file) : 0;
    cJSON *root = cJSON_ParseWithLength(text, read);
    fclose(file);
    free(text);
    return root;
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef struct Tally {
    unsigned compared, different;
} Tally;

static void Compare(Tally *tally, const char *name, int number, const void *expected,
                    const void *found, size_t size) {
    tally->compared++;
    if (memcmp(expected, found, size) != 0 && tally->different++ == 0)
        printf("%s: the first that differs is number %d\n", name, number);
}

static void Report(const char *name, Tally tally, unsigned *different) {
    printf("%-12s %u compared, %u different\n", name, tally.compared, tally.different);
    *different += tally.different;
}

int main(int argc, char **argv) {
    cJSON *root = argc == 2 ? Load(argv[1]) : NULL;
    const cJSON *item;
    unsigned different = 0;
    int number = 0;
    if (!root) {
        fprintf(stderr, "usage: check_vectors x87.json\n");
        return 2;
    }
    Tally frames = {0, 0}, matrices = {0, 0}, products = {0, 0};
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "frame_index")) {
        float t;
        Read(item, "t", &t, 1);
        const uint32_t found = FrameIndex(t);
        const uint32_t expected = (uint32_t)cJSON_GetObjectItem(item, "frame")->valuedouble;
        Compare(&frames, "frame_index", number++, &expected, &found, sizeof found);
    }
    number = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "matrix")) {
        float before[16], q[4], translation[3], expected[16], found[16];
        Read(item, "q", q, 4);
        Read(item, "translation", translation, 3);
        Read(item, "matrix", expected, 16);
        Matrix(q, translation, found);
        Compare(&matrices, "matrix", number, expected, found, sizeof found);
        Read(item, "before", before, 16);
        Product(before, expected, found);
        Read(item, "product", expected, 16);
        Compare(&products, "product", number++, expected, found, sizeof found);
    }
    Report("frame_index", frames, &different);
    Report("matrix", matrices, &different);
    Report("product", products, &different);
    cJSON_Delete(root);
    return different > 0;
}
