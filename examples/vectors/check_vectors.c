/* Checks arithmetic of your own against the vectors (docs/use/other-projects.md): put your
 * functions in place of those of the first part, which are plain C.
 *
 *     cc -std=c11 -O2 -ffp-contract=off check_vectors.c -lcjson -lm -o check_vectors
 *     ./check_vectors vectors/x87.json   (or pc24.json, functions.json, or all)
 *
 * On a 32-bit x86 add -msse2 -mfpmath=sse. Exits with 1 where a result differs, and with 2 where a
 * list has nothing to compare. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/* ---- the arithmetic that is checked ---------------------------------------------------------- */

/* Gives the frame of a time, which is t - 0.5 rounded to the nearest whole number, halves to even,
 * modulo 2^32. */
static uint32_t FrameIndex(float t) {
    const float moved = t - 0.5F;
    if (!(moved >= -0x1p63F && moved < 0x1p63F))
        return 0;
    return (uint32_t)(uint64_t)llrintf(moved);
}

static float Twice(float x) {
    return x + x;
}

/* Turns a quaternion w, x, y, z and a translation into a row-major matrix for column vectors. */
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

/* Rounds to 24 bits, whatever the exponent is. This is what stays on the stack under the game's
 * control word. */
static double To24Bits(double x) {
    int exponent;
    const float significand = (float)frexp(x, &exponent);
    return ldexp(significand, exponent);
}

/* Carries out one operation on the stack. A double has more than twice the bits of a float, so
 * rounding it once more gives what rounding once would. */
static double Operate(const char *operation, double value, float operand) {
    if (strcmp(operation, "fadd") == 0)
        return To24Bits(value + operand);
    if (strcmp(operation, "fsub") == 0)
        return To24Bits(value - operand);
    if (strcmp(operation, "fmul") == 0)
        return To24Bits(value * operand);
    if (strcmp(operation, "fdiv") == 0)
        return To24Bits(value / operand);
    return To24Bits(sqrt(fabs(value))); /* The operation is fsqrt. */
}

/* Takes multiples of the x87's pi / 2, which is 0xC90FDAA22168C234C * 2^-67, away from x > 0, so
 * that at most half of it is left, and tells how many, modulo 4. Whole numbers of 2^-67 are kept in
 * two halves, the low one of 32 bits. */
static double Reduce(float x, unsigned *quadrant) {
    static const uint64_t high_of_pi = 0xC90FDAA22, low_of_pi = 0x168C234C;
    uint64_t high = 0, low = 0;
    int exponent;
    const uint32_t significand = (uint32_t)ldexp(frexp(x, &exponent), 24);
    *quadrant = 0;
    if (x < 0.785398185F) /* the float next to pi / 4 */
        return x;
    for (int bit = 23; bit >= 24 - 67 - exponent; bit--) {
        low = low << 1 | (bit >= 0 ? significand >> bit & 1 : 0);
        high = high << 1 | low >> 32;
        low &= 0xFFFFFFFF;
        *quadrant *= 2;
        if (high > high_of_pi || (high == high_of_pi && low >= low_of_pi)) {
            high -= high_of_pi + (low < low_of_pi);
            low = (low - low_of_pi) & 0xFFFFFFFF;
            *quadrant += 1;
        }
    }
    if (high <= high_of_pi / 2)
        return ldexp((double)high * 0x1p32 + (double)low, -67);
    *quadrant += 1;
    high = high_of_pi - high - (low > low_of_pi);
    low = (low_of_pi - low) & 0xFFFFFFFF;
    return -ldexp((double)high * 0x1p32 + (double)low, -67);
}

static float OfQuadrant(double rest, unsigned quadrant) {
    const double value = quadrant & 1 ? cos(rest) : sin(rest);
    return (float)(quadrant & 2 ? -value : value);
}

static float Sine(float x) {
    unsigned quadrant;
    const double rest = Reduce(x, &quadrant);
    return OfQuadrant(rest, quadrant);
}

static float Cosine(float x) {
    unsigned quadrant;
    const double rest = Reduce(x, &quadrant);
    return OfQuadrant(rest, quadrant + 1);
}

static float ArcTangent(float x) {
    return (float)atan(x);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *Text(const cJSON *item, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(item, name));
    return text ? text : "";
}

static double Number(const cJSON *item, const char *name) {
    const cJSON *number = cJSON_GetObjectItem(item, name);
    return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

/* Reads floats, which are eight hexadecimal digits each, with spaces between them. */
static void Read(const cJSON *item, const char *name, float *values, int count) {
    const char *at = Text(item, name);
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

typedef struct Sum {
    unsigned different, empty; /* `empty` counts the lists of which nothing was compared */
} Sum;

static void Report(const char *name, Tally tally, Sum *sum) {
    printf("%-12s %u compared, %u different\n", name, tally.compared, tally.different);
    sum->different += tally.different;
    sum->empty += tally.compared == 0;
}

static void CheckGame(const cJSON *root, Sum *sum) {
    const cJSON *item;
    int number = 0;
    Tally frames = {0, 0}, matrices = {0, 0}, products = {0, 0};
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "frame_index")) {
        float t;
        Read(item, "t", &t, 1);
        const uint32_t found = FrameIndex(t);
        const uint32_t expected = (uint32_t)Number(item, "frame");
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
    Report("frame_index", frames, sum);
    Report("matrix", matrices, sum);
    Report("product", products, sum);
}

enum { STEPS = 16 };

static void CheckOperations(const cJSON *root, Sum *sum) {
    const cJSON *item;
    int number = 0;
    Tally chains = {0, 0}, doubles = {0, 0};
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "chains")) {
        float start, operands[STEPS], expected[STEPS], found[STEPS];
        char names[STEPS * 6] = "";
        Read(item, "start", &start, 1);
        Read(item, "operands", operands, STEPS);
        Read(item, "after", expected, STEPS);
        snprintf(names, sizeof names, "%s", Text(item, "operations"));
        double value = start;
        const char *name = strtok(names, " ");
        for (int i = 0; i < STEPS; i++, name = strtok(NULL, " ")) {
            value = Operate(name ? name : "", value, operands[i]);
            found[i] = (float)value;
        }
        Compare(&chains, "chains", number++, expected, found, sizeof found);
    }
    number = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "doubles")) {
        float expected[2];
        double value;
        const uint64_t bits = strtoull(Text(item, "double"), NULL, 16);
        memcpy(&value, &bits, sizeof value);
        const float found[2] = {(float)value, (float)To24Bits(value)};
        Read(item, "stored", &expected[0], 1);
        Read(item, "added", &expected[1], 1);
        Compare(&doubles, "doubles", number++, expected, found, sizeof found);
    }
    Report("chains", chains, sum);
    Report("doubles", doubles, sum);
}

/* Returns FNV-1a of 64 bits over the results for every 4096th float of an exponent. */
static uint64_t SparseDigest(float (*function)(float x), int exponent) {
    uint64_t digest = 0xCBF29CE484222325;
    for (uint32_t significand = 0; significand < 1 << 23; significand += 4096) {
        const float result = function((float)ldexp(1 + significand * 0x1p-23, exponent));
        uint32_t bits;
        memcpy(&bits, &result, sizeof bits);
        for (int i = 0; i < 4; i++, bits >>= 8)
            digest = (digest ^ (bits & 0xFF)) * 0x100000001B3;
    }
    return digest;
}

static void CheckFunctions(const cJSON *root, Sum *sum) {
    static const struct {
        const char *name;
        float (*function)(float x);
    } functions[] = {{"fsin", Sine}, {"fcos", Cosine}, {"fpatan", ArcTangent}};
    for (int i = 0; i < 3; i++) {
        const cJSON *item;
        Tally tally = {0, 0};
        cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, functions[i].name)) {
            const int exponent = (int)Number(item, "exponent");
            const uint64_t expected = strtoull(Text(item, "sparse"), NULL, 16);
            const uint64_t found = SparseDigest(functions[i].function, exponent);
            Compare(&tally, functions[i].name, exponent, &expected, &found, sizeof found);
        }
        Report(functions[i].name, tally, sum);
    }
}

int main(int argc, char **argv) {
    Sum sum = {0, argc < 2};
    for (int i = 1; i < argc; i++) {
        cJSON *root = Load(argv[i]);
        const char *file = root ? Text(root, "file") : "";
        if (strcmp(file, "x87") == 0)
            CheckGame(root, &sum);
        else if (strcmp(file, "pc24") == 0)
            CheckOperations(root, &sum);
        else if (strcmp(file, "functions") == 0)
            CheckFunctions(root, &sum);
        else
            sum.empty++;
        cJSON_Delete(root);
    }
    if (sum.empty)
        fprintf(stderr, "nothing was compared of a list or file of: "
                        "check_vectors x87.json pc24.json functions.json\n");
    return sum.empty ? 2 : sum.different > 0;
}
