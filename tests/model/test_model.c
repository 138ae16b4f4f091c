/* Compares the library with the MPFR model, bit for bit: random inputs of every kind, under all
 * precisions and rounding modes of the control word and of MXCSR, in all builds, under all
 * readings.
 *
 * MODEL_CASES in the environment changes the number of cases per function. */
#include "exports/reading_table.h"
#include "hardware.h"
#include "model.h"
#include "tests/of_thread.h"
#include "tests/test.h"
#include "values.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_CASES 250000

/* Inputs and outputs of one function for one case. Outputs begin as a pattern, so that an element
 * which one side does not write must not be written by the other. */
#define MAX_INPUTS  64
#define MAX_OUTPUTS 20

typedef struct Case {
    Random random;
    ValueKind kind;
    HardwareState state;
    RpReadings readings;
    Model model;
    float inputs[MAX_INPUTS]; /* what is printed when the case fails */
    int input_count;
    uint32_t expected[MAX_OUTPUTS], actual[MAX_OUTPUTS];
    int output_count;
    int branch; /* 1 or 2 says which way the function went if it may do nothing; otherwise 0 */
} Case;

typedef void (*RunCase)(Case *c);

/* ---- one case -------------------------------------------------------------------------------- */

/* Half of the cases run under the game's control word, the others under every precision and
 * rounding. */
static uint16_t DrawControlWord(Random *random) {
    static const uint16_t precisions[3] = {0x007F, 0x027F, 0x037F};
    if (Random_Below(random, 2))
        return 0x007F;
    return (uint16_t)(precisions[Random_Below(random, 3)] | Random_Below(random, 4) << 10);
}

static void DrawReadings(Random *random, RpReadings *readings) {
    memset(readings, 0, sizeof *readings);
    if (Random_Below(random, 2))
        return;
    for (int i = 0; i < READING_RUNTIME_COUNT; i++) {
        uint32_t count = 1;
        for (const char *c = RpReadings_Choices(i); *c; c++)
            count += *c == '|';
        readings->choice[i] = (uint8_t)Random_Below(random, count);
    }
}

static void Begin(Case *c, uint64_t seed) {
    memset(c, 0, sizeof *c);
    c->random.state = seed;
    c->model.build = (RpBuild)Random_Below(&c->random, RP_BUILD_COUNT);
    c->kind = (ValueKind)Random_Below(&c->random, VALUE_KIND_COUNT);
    c->state.control_word = DrawControlWord(&c->random);
    c->state.mxcsr = 0x1F80 | (Random_Below(&c->random, 2) ? 0 : Random_Below(&c->random, 4) << 13);
    DrawReadings(&c->random, &c->readings);
    c->model.x87 = Format_X87(c->state.control_word);
    c->model.sse = Format_Sse(c->state.mxcsr);
    c->model.readings = &c->readings;
    memset(c->expected, 0xA5, sizeof c->expected);
    memset(c->actual, 0xA5, sizeof c->actual);
}

static float *Draw(Case *c, int count) {
    float *values = c->inputs + c->input_count;
    c->input_count += count;
    Value_DrawMany(&c->random, c->kind, values, count);
    return values;
}

static float *Reserve(Case *c, int count) {
    float *values = c->inputs + c->input_count;
    c->input_count += count;
    return values;
}

/* Output buffers are floats on both sides, but their bits are compared. */
static float *Expected(Case *c, int count) {
    c->output_count = count;
    return (float *)(void *)c->expected;
}

static float *Actual(Case *c) {
    return (float *)(void *)c->actual;
}

/* Adds the ten bytes of a value in ST0 as three more outputs. */
static void PutReturn(Case *c, int at, long double expected, long double actual) {
    memcpy(c->expected + at, &expected, 10);
    memcpy(c->actual + at, &actual, 10);
    c->output_count = at + 3;
}

#define UNDER(c, statement)                                                                        \
    do {                                                                                           \
        const HardwareState before = Hardware_Get();                                               \
        Hardware_Set((c)->state);                                                                  \
        statement;                                                                                 \
        Hardware_Set(before);                                                                      \
    } while (0)

static void Report(const Case *c, const char *name, uint64_t seed) {
    char readings[1024];
    RpReadings_Format(&c->readings, RP_READS_RUNTIME, readings, sizeof readings);
    print_error("%s: case %llu, build %d, control word %04X, MXCSR %04X, readings \"%s\"\n", name,
                (unsigned long long)seed, (int)c->model.build, c->state.control_word,
                (unsigned)c->state.mxcsr, readings);
    for (int i = 0; i < c->input_count; i++) {
        uint32_t bits;
        memcpy(&bits, &c->inputs[i], 4);
        print_error("  input  %2d %08X %.9g\n", i, (unsigned)bits, (double)c->inputs[i]);
    }
    for (int i = 0; i < c->output_count; i++)
        print_error("  output %2d model %08X library %08X%s\n", i, (unsigned)c->expected[i],
                    (unsigned)c->actual[i], c->expected[i] == c->actual[i] ? "" : "  <-");
}

static uint64_t CaseCount(void) {
    const char *text = getenv("MODEL_CASES");
    return text ? strtoull(text, NULL, 10) : DEFAULT_CASES;
}

static void RunAll(const char *name, RunCase run) {
    const uint64_t cases = CaseCount();
    uint64_t different = 0, branches[3] = {0, 0, 0};
    for (uint64_t i = 0; i < cases; i++) {
        Case c;
        Begin(&c, i);
        run(&c);
        assert_true(c.input_count <= MAX_INPUTS && c.output_count <= MAX_OUTPUTS);
        assert_true(c.output_count > 0);
        branches[c.branch]++;
        if (memcmp(c.expected, c.actual, sizeof c.expected) != 0 && different++ == 0)
            Report(&c, name, i);
    }
    print_message("%-26s %llu cases, %llu different\n", name, (unsigned long long)cases,
                  (unsigned long long)different);
    assert_true(cases > 0);
    if (branches[0] < cases) /* both ways have to be taken at least once in fifty cases */
        assert_true(branches[1] >= cases / 50 && branches[2] >= cases / 50);
    assert_int_equal(different, 0);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void QuaternionToMatrix(Case *c) {
    const float *q = Draw(c, 4);
    UNDER(c, Model_QuaternionToMatrix(&c->model, q, Expected(c, 16)));
    UNDER(c, RpQuaternion_ToMatrix(OF_THREAD_WITH(c->model.build, &c->readings), q, Actual(c)));
}

static void QuaternionToMirroredMatrix(Case *c) {
    const float *q = Draw(c, 4);
    UNDER(c, Model_QuaternionToMirroredMatrix(&c->model, q, Expected(c, 16)));
    UNDER(c, RpQuaternion_ToMirroredMatrix(OF_THREAD_WITH(c->model.build, &c->readings), q,
                                           Actual(c)));
}

/* t is mostly in 0..1, where theta and t * theta are between 0 and a right angle. */
static float DrawFraction(Case *c) {
    if (Random_Below(&c->random, 4) == 0)
        return Value_Draw(&c->random, c->kind);
    return (float)(Random_Next(&c->random) >> 40) * 0x1p-24F;
}

static void InterpolateQuaternions(Case *c) {
    float *q0 = Reserve(c, 4), *q1 = Reserve(c, 4), *t = Reserve(c, 1);
    if (Random_Below(&c->random, 16) == 0) {
        Value_ThresholdPair(&c->random, q0, q1);
    } else if (Random_Below(&c->random, 4)) {
        Value_Quaternion(&c->random, q0);
        Value_Neighbour(&c->random, q0, q1);
    } else {
        Value_DrawMany(&c->random, c->kind, q0, 8);
    }
    *t = DrawFraction(c);
    UNDER(c, Model_InterpolateQuaternions(&c->model, q0, q1, *t, Expected(c, 4)));
    UNDER(c, RpQuaternion_Interpolate(OF_THREAD_WITH(c->model.build, &c->readings), q0, q1, *t,
                                      Actual(c)));
}

static void MatrixProduct(Case *c) {
    const float *a = Draw(c, 16), *b = Draw(c, 16);
    UNDER(c, Model_MatrixProduct(&c->model, a, b, Expected(c, 16)));
    UNDER(c, RpMatrix_Product(OF_THREAD_WITH(c->model.build, &c->readings), a, b, Actual(c)));
}

static void PoseProduct(Case *c) {
    const float *a = Draw(c, 16), *b = Draw(c, 16);
    UNDER(c, Model_PoseProduct(&c->model, a, b, Expected(c, 16)));
    UNDER(c, RpMatrix_PoseProduct(OF_THREAD_WITH(c->model.build, &c->readings), a, b, Actual(c)));
}

static void MatrixProduct34(Case *c) {
    const float *a = Draw(c, 12), *b = Draw(c, 12);
    UNDER(c, Model_MatrixProduct34(&c->model, a, b, Expected(c, 12)));
    UNDER(c, RpMatrix_Product34(OF_THREAD_WITH(c->model.build, &c->readings), a, b, Actual(c)));
}

static void RotateVector(Case *c) {
    const float *m = Draw(c, 16), *v = Draw(c, 3);
    UNDER(c, Model_RotateVector(&c->model, m, v, Expected(c, 3)));
    UNDER(c, RpMatrix_Rotate(OF_THREAD_WITH(c->model.build, &c->readings), m, v, Actual(c)));
}

static void RotateVectorTransposed(Case *c) {
    const float *m = Draw(c, 16), *v = Draw(c, 3);
    UNDER(c, Model_RotateVectorTransposed(&c->model, m, v, Expected(c, 3)));
    UNDER(c,
          RpMatrix_RotateTransposed(OF_THREAD_WITH(c->model.build, &c->readings), m, v, Actual(c)));
}

static void ReciprocalSquareRoot(Case *c) {
    const float x = *Draw(c, 1);
    long double expected, actual;
    UNDER(c, expected = Model_ReciprocalSquareRoot(&c->model, x));
    UNDER(c,
          actual = RpScalar_ReciprocalSquareRoot(OF_THREAD_WITH(c->model.build, &c->readings), x));
    PutReturn(c, 0, expected, actual);
}

static void CombineLight(Case *c) {
    const float *light = Draw(c, 3), *ambient = Draw(c, 3);
    float *scene = Draw(c, 3);
    if (Random_Below(&c->random, 4) == 0) /* equal, or nearly */
        scene[0] = light[0] + ambient[0];
    UNDER(c, Model_CombineLight(&c->model, light, ambient, scene, Expected(c, 3)));
    UNDER(c, RpLight_Combine(OF_THREAD_WITH(c->model.build, &c->readings), light, ambient, scene,
                             Actual(c)));
}

static void PointToFrame(Case *c) {
    const float *m = Draw(c, 16), *p = Draw(c, 3);
    UNDER(c, Model_PointToFrame(&c->model, m, p, Expected(c, 3)));
    UNDER(c, RpMatrix_PointToFrame(OF_THREAD_WITH(c->model.build, &c->readings), m, p, Actual(c)));
}

static void NormaliseVector(Case *c) {
    float *v = Draw(c, 3);
    if (Random_Below(&c->random, 16) == 0)
        v[0] = v[1] = v[2] = 0;
    memcpy(Expected(c, 3), v, 12);
    memcpy(Actual(c), v, 12);
    long double expected, actual;
    UNDER(c, expected = Model_NormaliseVector(&c->model, (float *)(void *)c->expected));
    UNDER(c, actual = RpVector_Normalise(OF_THREAD_WITH(c->model.build, &c->readings), Actual(c)));
    PutReturn(c, 3, expected, actual);
    c->branch = memcmp(c->expected, v, 12) ? 1 : 2;
}

/* Random segments miss three times in four, so half of the cases are made to cross the plane. */
static void SegmentPlane(Case *c) {
    const float *start = Draw(c, 3), *end = Draw(c, 3);
    float *plane = Draw(c, 4);
    if (Random_Below(&c->random, 2))
        for (int i = 0; i < 3; i++)
            plane[i] = start[i] - end[i];
    if (Random_Below(&c->random, 2))
        plane[3] = -(plane[0] * end[0] + plane[1] * end[1] + plane[2] * end[2]);
    UNDER(c, c->expected[3] =
                 (uint32_t)Model_SegmentPlane(&c->model, start, end, plane, Expected(c, 4)));
    UNDER(c, c->actual[3] = RpSegment_Plane(OF_THREAD_WITH(c->model.build, &c->readings), start,
                                            end, plane, Actual(c)));
    c->branch = c->expected[3] ? 1 : 2;
}

static void DirectionalCosine(Case *c) {
    const float *n = Draw(c, 3), *travel = Draw(c, 3);
    long double expected, actual;
    UNDER(c, expected = Model_DirectionalCosine(&c->model, n, travel));
    UNDER(c, actual = RpLight_DirectionalCosine(OF_THREAD(RP_BUILD_GENERIC), n, travel));
    PutReturn(c, 0, expected, actual);
}

/* Powers up to 5 keep the 16th powers of sums of products of any floats within the 80-bit range. */
static void Highlight(Case *c) {
    const float *n = Draw(c, 3), *travel = Draw(c, 3), *eye = Draw(c, 3), *cosine = Draw(c, 1);
    const uint32_t power = Random_Below(&c->random, 6);
    long double expected, actual;
    UNDER(c, expected = Model_Highlight(&c->model, n, travel, *cosine, eye, power));
    UNDER(c,
          actual = RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, *cosine, eye, power));
    PutReturn(c, 0, expected, actual);
}

static void PointLight(Case *c) {
    float *light = Draw(c, 10);
    const float *vertex = Draw(c, 3), *n = Draw(c, 3), *sum = Draw(c, 3);
    if (Random_Below(&c->random, 2))
        light[6] = 1e4F;
    memcpy(Expected(c, 3), sum, 12);
    memcpy(Actual(c), sum, 12);
    UNDER(c, Model_PointLight(&c->model, light, vertex, n, (float *)(void *)c->expected));
    UNDER(c, RpLight_Point(OF_THREAD(RP_BUILD_GENERIC), light, vertex, n, Actual(c)));
    c->branch = memcmp(c->expected, sum, 12) ? 1 : 2;
}

static void DirectionalLights(Case *c) {
    const uint32_t count = Random_Below(&c->random, 5);
    const float *lights = Draw(c, 24), *n = Draw(c, 3), *diffuse = Draw(c, 3);
    UNDER(c, Model_DirectionalLights(&c->model, lights, count, n, diffuse, Expected(c, 3)));
    UNDER(c,
          RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, count, n, diffuse, Actual(c)));
}

static void SineCosine(Case *c) {
    const float angle = *Draw(c, 1);
    float *expected = Expected(c, 2), *actual = Actual(c);
    UNDER(c, Model_SineCosine(&c->model, angle, expected, expected + 1));
    UNDER(c, RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), angle, actual, actual + 1));
}

/* The squares lie around the origin, and half of them are wound the right way. The point is in or
 * near them. */
static void PointInPoly(Case *c) {
    const uint32_t count = Random_Below(&c->random, 5);
    float *vertices = Draw(c, 12), *plane = Draw(c, 4), *point = Draw(c, 3);
    if (Random_Below(&c->random, 2)) {
        static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        const int axis = (int)Random_Below(&c->random, 3);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 2; k++) {
                float *value = &vertices[3 * i + (axis + 1 + k) % 3];
                *value = (float)corner[i][k] * (1 + *value * *value);
            }
        plane[0] = plane[1] = plane[2] = 0.25F;
        plane[axis] = 1;
    }
    const float *pointers[4] = {vertices, vertices + 3, vertices + 6, vertices + 9};
    UNDER(c,
          c->expected[0] = (uint32_t)Model_PointInPoly(&c->model, plane, pointers, count, point));
    UNDER(c, c->actual[0] = (uint32_t)RpPolygon_Contains(OF_THREAD(RP_BUILD_GENERIC), plane,
                                                         pointers, count, point));
    c->output_count = 1;
    c->branch = c->expected[0] ? 1 : 2;
}

/* ---- AniMesh --------------------------------------------------------------------------------- */

#define KEYS   6
#define FRAMES 24

typedef struct Clip {
    uint8_t node[38], keys[24 * KEYS], frame_map[2 * FRAMES];
    RpSkeleton streams;
} Clip;

static void PutU16(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void DrawKey(Case *c, uint8_t *bytes, float time) {
    float position[3], q[4];
    Value_DrawMany(&c->random, c->kind, position, 3);
    Value_Quaternion(&c->random, q);
    memcpy(bytes, position, 12);
    memcpy(bytes + 12, &time, 4);
    for (int i = 0; i < 4; i++) {
        const bool raw = Random_Below(&c->random, 8) == 0;
        const int component =
            raw ? (int)Random_Below(&c->random, 65536) : (int)((double)q[i] * 32767);
        PutU16(bytes + 16 + 2 * i, (uint32_t)component & 0xFFFF);
    }
}

/* Makes one node. Frame f names the last key at or before it, as in the game's files. The fallback
 * key is the last one or one in the middle, or the node has no map. Neighbouring keys are sometimes
 * nearly equal, so that the linear weights are used, too. */
static void DrawClip(Case *c, Clip *clip) {
    float times[KEYS];
    uint32_t frame = 0;
    for (uint32_t k = 0; k < KEYS; k++) {
        times[k] = (float)frame + (Random_Below(&c->random, 4) ? 0.0F : 0.25F);
        DrawKey(c, clip->keys + 24 * k, times[k]);
        if (k && Random_Below(&c->random, 4) == 0)
            memcpy(clip->keys + 24 * k + 16, clip->keys + 24 * k - 8, 8);
        frame += 1 + Random_Below(&c->random, 4);
    }
    for (uint32_t f = 0, k = 0; f < FRAMES; f++) {
        while (k + 1 < KEYS && times[k + 1] <= (float)f)
            k++;
        PutU16(clip->frame_map + 2 * f, k);
    }
    memset(clip->node, 0xFF, sizeof clip->node);
    PutU16(clip->node + 4, Random_Below(&c->random, 16) ? 0 : 0xFFFF);
    PutU16(clip->node + 6, Random_Below(&c->random, 4) ? KEYS - 1 : 3);
    clip->streams =
        (RpSkeleton){clip->node,      sizeof clip->node,      clip->keys, sizeof clip->keys,
                     clip->frame_map, sizeof clip->frame_map, FRAMES};
}

static float DrawTime(Case *c) {
    switch (Random_Below(&c->random, 8)) {
    case 0:
        return (float)Random_Below(&c->random, FRAMES);
    case 1:
        return (float)Random_Below(&c->random, 4 * FRAMES) * 0.25F;
    case 2:
        return Value_Draw(&c->random, VALUE_SPECIAL);
    case 3: /* past 2^32 only the low dword of the frame counts; past 2^63 it is 0 */
        return (float)Random_Below(&c->random, 16) * 0x1p32F + Value_Draw(&c->random, c->kind);
    case 4: /* any time, NaN too: the positions' kind decides only about values */
        return Value_Draw(&c->random, VALUE_ANY);
    default:
        return (float)(Random_Next(&c->random) >> 40) * (FRAMES * 0x1p-24F);
    }
}

static void ExpectSettings(const Case *c, RpArithmetic *settings) {
    *settings = OfThread(c->model.build, &c->readings);
}

static void SampleNode(Case *c) {
    Clip clip;
    DrawClip(c, &clip);
    float *t = Reserve(c, 1);
    *t = DrawTime(c);
    RpArithmetic settings;
    RpPoseCounters counters = {0};
    ExpectSettings(c, &settings);
    float *expected = Expected(c, 7), *actual = Actual(c);
    UNDER(c, Model_SampleNode(&c->model, &clip.streams, 0, *t, expected, expected + 4));
    UNDER(c, RpPose_Sample(&clip.streams, &settings, 0, *t, actual, actual + 4, &counters));
    assert_int_equal(counters.out_of_bounds, 0);
}

static void BlendPoses(Case *c) {
    Clip clip;
    DrawClip(c, &clip);
    float *t = Reserve(c, 3);
    t[0] = DrawTime(c);
    t[1] = DrawTime(c);
    t[2] = DrawFraction(c);
    RpArithmetic settings;
    RpPoseCounters counters = {0};
    ExpectSettings(c, &settings);
    UNDER(c, Model_BlendPoses(&c->model, &clip.streams, 0, t[0], t[1], t[2], Expected(c, 16)));
    UNDER(c, RpPose_Blend(&clip.streams, &settings, 0, t[0], t[1], t[2], Actual(c), &counters));
    assert_int_equal(counters.out_of_bounds, 0);
}

/* ---- program --------------------------------------------------------------------------------- */

#define TESTS(X)                                                                                   \
    X(MatrixProduct34)                                                                             \
    X(RotateVector)                                                                                \
    X(ReciprocalSquareRoot)                                                                        \
    X(QuaternionToMatrix)                                                                          \
    X(QuaternionToMirroredMatrix)                                                                  \
    X(InterpolateQuaternions)                                                                      \
    X(CombineLight)                                                                                \
    X(MatrixProduct)                                                                               \
    X(PoseProduct)                                                                                 \
    X(PointToFrame)                                                                                \
    X(RotateVectorTransposed)                                                                      \
    X(NormaliseVector)                                                                             \
    X(SegmentPlane)                                                                                \
    X(DirectionalCosine)                                                                           \
    X(Highlight)                                                                                   \
    X(PointLight)                                                                                  \
    X(DirectionalLights)                                                                           \
    X(SineCosine)                                                                                  \
    X(PointInPoly)                                                                                 \
    X(SampleNode)                                                                                  \
    X(BlendPoses)

#define DEFINE(name)                                                                               \
    static void Test##name(void **state) {                                                         \
        (void)state;                                                                               \
        RunAll(#name, name);                                                                       \
    }
TESTS(DEFINE)

/* An argument is a pattern of test names, for example: test_model 'TestMatrix*'. */
int main(int argc, char **argv) {
#define ROW(name) cmocka_unit_test(Test##name),
    const struct CMUnitTest tests[] = {TESTS(ROW)};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
