#if !defined(_WIN32)
#define _GNU_SOURCE /* declares MAP_ANONYMOUS */
#endif
#include "fixture.h"

#include "core/bytes.h"
#include "core/random.h"
#include "exports/reading_table.h"
#include "formats/synthetic/synthetic_streams.h"

#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

/* ---- models ---------------------------------------------------------------------------------- */

void TestModel_Begin(TestModel *test, uint32_t frame_count) {
    memset(test, 0xFF, sizeof *test);
    test->model = (RpSkeleton){.nodes = test->nodes,
                               .keys = test->keys,
                               .frame_map = test->frame_map,
                               .frame_count = frame_count};
}

uint32_t TestModel_AddNode(TestModel *test, uint16_t parent, uint16_t map_start,
                           uint16_t fallback) {
    assert_true(test->model.node_bytes < sizeof test->nodes);
    return SyntheticSkeleton_AddNode(&test->model, 0, parent, map_start, fallback);
}

uint32_t TestModel_AddKey(TestModel *test, const float position[3], float time,
                          const int16_t rotation[4]) {
    RpMshKey key;
    assert_true(test->model.key_bytes < sizeof test->keys);
    memcpy(key.position, position, sizeof key.position);
    memcpy(&key.time, &time, sizeof key.time);
    memcpy(key.rotation, rotation, sizeof key.rotation);
    return SyntheticSkeleton_AddKey(&test->model, &key);
}

uint32_t TestModel_AddMapWord(TestModel *test, uint16_t key) {
    assert_true(test->model.frame_map_bytes < sizeof test->frame_map);
    return SyntheticSkeleton_AddWord(&test->model, key);
}

void TestModel_MakeTrack(TestModel *test) {
    static const float positions[3][3] = {{1, 2, 3}, {5.25f, -2, 0.1f}, {-7, 11, 1e-3f}};
    static const float times[3] = {0, 4, 10};
    static const int16_t rotations[3][4] = {
        {0, 0, 0, 32767}, {16384, -8192, 100, 28000}, {-32767, 5, 32766, -32768}};
    TestModel_Begin(test, 11);
    for (int i = 0; i < 3; i++)
        TestModel_AddKey(test, positions[i], times[i], rotations[i]);
    for (int frame = 0; frame < 11; frame++)
        TestModel_AddMapWord(test, frame < 4 ? 0 : frame < 10 ? 1 : 2);
    TestModel_AddNode(test, 0xFFFF, 0, 2);
}

static uint16_t AddRandomTrack(TestModel *test, uint64_t *seed, uint32_t frame_count) {
    uint32_t key = 0;
    for (float time = 0; time < (float)frame_count;
         time += (float)(1 + Random_SplitMix(seed) % 5)) {
        float position[3];
        int16_t rotation[4];
        for (int i = 0; i < 3; i++)
            position[i] = Random_SplitMixBetween(seed, -100, 100);
        for (int i = 0; i < 4; i++)
            rotation[i] = (int16_t)Random_SplitMix(seed);
        key = TestModel_AddKey(test, position, time, rotation);
    }
    return (uint16_t)key;
}

void TestModel_MakeRandom(TestModel *test, uint64_t *seed, uint32_t odd_words) {
    uint32_t frame_count = 1 + (uint32_t)(Random_SplitMix(seed) % 16);
    uint32_t nodes = 1 + (uint32_t)(Random_SplitMix(seed) % 4);
    TestModel_Begin(test, frame_count);
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t first = test->model.key_bytes / KEY_BYTES;
        uint16_t fallback = AddRandomTrack(test, seed, frame_count);
        uint16_t parent = (uint16_t)(node ? Random_SplitMix(seed) % node : 0xFFFF);
        uint16_t map_start = 0xFFFF;
        if (Random_SplitMix(seed) % 8)
            map_start = (uint16_t)(test->model.frame_map_bytes / MAP_WORD_BYTES);
        TestModel_AddNode(test, parent, map_start, fallback);
        for (uint32_t frame = 0; map_start != 0xFFFF && frame < frame_count; frame++) {
            const uint32_t key = SyntheticSkeleton_KeyOfFrame(&test->model, first, fallback, frame);
            bool odd = Random_SplitMix(seed) % 1000 < odd_words;
            TestModel_AddMapWord(
                test, (uint16_t)(odd ? Random_SplitMix(seed) % (2u * fallback + 2u) : key));
        }
    }
}

/* ---- recorded calls of g_FastProc ------------------------------------------------------------ */

Recorded recorded;

static void RecordQuaternions(const float q0[4], const float q1[4], float t) {
    memcpy(recorded.q0, q0, sizeof recorded.q0);
    memcpy(recorded.q1, q1, sizeof recorded.q1);
    recorded.t = t;
}

static void RecordInterpolation(const PoseContext *context, const float q0[4], const float q1[4],
                                float t, float result[4]) {
    (void)context;
    recorded.interpolations++;
    RecordQuaternions(q0, q1, t);
    for (int i = 0; i < 4; i++)
        result[i] = (float)(2 + i);
}

static void RecordBlend(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]) {
    (void)context;
    recorded.blends++;
    RecordQuaternions(q0, q1, t);
    for (int i = 0; i < 4; i++)
        result[i] = (float)(6 + i);
}

static void RecordMatrix(const PoseContext *context, const float q[4], float m[16]) {
    (void)context;
    recorded.matrices++;
    memcpy(recorded.q, q, sizeof recorded.q);
    for (int i = 0; i < 16; i++)
        m[i] = (float)(100 + i);
}

const PoseMath recording_math = {
    .interpolate = RecordInterpolation, .blend = RecordBlend, .to_matrix = RecordMatrix};

/* ---- the model of the arithmetic ------------------------------------------------------------- */

RpReadings ReadingsOf(const char *text) {
    RpReadings readings;
    assert_int_equal(RpReadings_Parse(&readings, RP_READS_RUNTIME, text, NULL), RP_OK);
    return readings;
}

Model GameModel(RpBuild build, const RpReadings *readings) {
    return (Model){Format_X87(GAME_WORD), Format_Sse(0x1F80), build, readings};
}

/* ---- numbers --------------------------------------------------------------------------------- */

void AssertBits(float actual, float expected) {
    assert_int_equal(Bits(actual), Bits(expected));
}

void AssertAllBits(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(BitsAt(&actual[i]), BitsAt(&expected[i]));
}

/* ---- control word ---------------------------------------------------------------------------- */

uint16_t ControlWord_Set(uint16_t word) {
    uint16_t old;
    __asm__ volatile("fnstcw %0" : "=m"(old));
    __asm__ volatile("fldcw %0" : : "m"(word));
    return old;
}

/* ---- memory ---------------------------------------------------------------------------------- */

Guarded Guarded_Copy(const void *bytes, size_t size) {
    enum { PAGE = 4096 };
    size_t used = (size + PAGE - 1) / PAGE * PAGE;
    Guarded guarded = {.page_bytes = used + PAGE};
#ifdef _WIN32
    DWORD old;
    guarded.pages =
        VirtualAlloc(NULL, guarded.page_bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    assert_non_null(guarded.pages);
    assert_true(VirtualProtect((uint8_t *)guarded.pages + used, PAGE, PAGE_NOACCESS, &old));
#else
    guarded.pages =
        mmap(NULL, guarded.page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(guarded.pages != MAP_FAILED);
    assert_int_equal(mprotect((uint8_t *)guarded.pages + used, PAGE, PROT_NONE), 0);
#endif
    guarded.bytes = (uint8_t *)guarded.pages + used - size;
    if (size)
        memcpy(guarded.bytes, bytes, size);
    return guarded;
}

void Guarded_Free(Guarded *guarded) {
#ifdef _WIN32
    VirtualFree(guarded->pages, 0, MEM_RELEASE);
#else
    munmap(guarded->pages, guarded->page_bytes);
#endif
}
