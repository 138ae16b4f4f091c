/* Tests of the stand-in's AniMesh.dll over a model that is made here. */
#include "checked_call.h"
#include "exports/animesh.abi.h"
#include "pair.h"
#include "prototypes.h"
#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#pragma pack(push, 1)
typedef struct Node {
    uint16_t flags, parent, map_start, fallback, slots[15];
} Node;
typedef struct Key {
    float position[3], time;
    int16_t rotation[4];
} Key;
#pragma pack(pop)

/* Node 0 has no map. Node 1 has keys 1 to 4 at times 0, 2, 5 and 7, and the map of eight frames. */
static Node nodes[2] = {{.parent = 0xFFFF, .map_start = 0xFFFF, .fallback = 0},
                        {.parent = 0, .map_start = 1, .fallback = 4}};
static Key keys[6] = {
    {{9, 8, 7}, 0, {100, -200, 300, 32000}},    {{0, 0, 0}, 0, {0, 0, 0, 32767}},
    {{2, 4, -6}, 2, {23170, 0, 0, 23170}},      {{5, 5, 5}, 5, {0, 23170, 0, 23170}},
    {{1, 2, 3}, 7, {-32768, 32767, -1, 12345}}, {{99, 99, 99}, 99, {1, 2, 3, 4}},
};
static uint16_t frame_map[9] = {0xEEEE, 1, 1, 2, 2, 2, 3, 3, 4};
static uint8_t slot_records[5 * 68];
static uint32_t reader[ABI_READER_SIZE / 4];
static uint32_t piece[ABI_PIECE_SIZE / 4];

static void PreparePiece(uint32_t node) {
    memset(reader, 0, sizeof reader);
    memset(piece, 0, sizeof piece);
    reader[0x00 / 4] = P(nodes);
    reader[0x08 / 4] = P(slot_records);
    reader[0x18 / 4] = P(keys);
    reader[0x1C / 4] = P(frame_map);
    reader[0x9C / 4] = 8;
    piece[0x008 / 4] = node;
    piece[0x12C / 4] = P(reader);
}

static bool key_order_wxyz;

static void DecodeKey(const Key *key, float *q) {
    const float scale = 1.0f / 32767.0f;
    for (int i = 0; i < 4; i++)
        q[i] = (float)key->rotation[key_order_wxyz ? i : (i + 3) % 4] * scale;
}

static void Sample(float t, float *q, float *p) {
    CALL("animesh.SampleNode", animesh + 0x12880, CONTROL_SINGLE, P(piece), F(t), P(q), P(p));
}

static void CheckOneKey(float t, int key) {
    float q[4], p[3], expected[4];
    Sample(t, q, p);
    DecodeKey(&keys[key], expected);
    char what[64];
    snprintf(what, sizeof what, "t = %.9g", t);
    Expect_Floats(what, q, expected, 4);
    Expect_Floats(what, p, keys[key].position, 3);
}

static void CheckBetween(float t, int key) {
    float q[4], p[3], q0[4], q1[4], expected[4];
    Sample(t, q, p);
    DecodeKey(&keys[key], q0);
    DecodeKey(&keys[key + 1], q1);
    float past = t - keys[key].time, span = keys[key + 1].time - keys[key].time;
    float alpha = past / span;
    CALL("ngi32.slot17", (const void *)(uintptr_t)Pair_FastProc()[17], CONTROL_SINGLE, P(q0), P(q1),
         F(alpha), P(expected));
    Expect_Floats("rotation", q, expected, 4);
    for (int i = 0; i < 3; i++) {
        float a = keys[key].position[i], step = keys[key + 1].position[i] - a, part = step * alpha;
        expected[i] = a + part;
    }
    Expect_Floats("position", p, expected, 3);
}

LOADED_TEST(TestSampleNode) {
    PreparePiece(0);
    CheckOneKey(3, 0); /* there is no map, so the fallback is taken */
    PreparePiece(1);
    CheckOneKey(0, 1);  /* -0.5 rounds to -0: frame 0 */
    CheckOneKey(2, 2);  /* frame 2 (1.5 to even) has key 2, whose time it is */
    CheckBetween(1, 1); /* frame 0 (0.5 to even) */
    CheckBetween(1.25f, 1);
    CheckBetween(1.8f, 1); /* 1.3: frame 1 */
    CheckBetween(3, 2);    /* frame 2 (2.5 to even) */
    CheckOneKey(5, 3);     /* frame 4 (4.5 to even), key 2: the next key's time */
    CheckBetween(5.5f, 3);
    CheckBetween(6.25f, 3); /* frame 6 */
    CheckOneKey(7.5f, 4);   /* frame 7: the map says fallback */
    CheckOneKey(8.6f, 4);   /* frame 8 of 8 */
    CheckOneKey(-1, 4);     /* frame -2 is unsigned */
    CheckOneKey(0x1p31f, 4);
    CheckBetween(0x1p32f, 1); /* 2^32 wraps to frame 0 */
    CheckBetween(0x1p33f, 1);
    float q[4], p[3];
    Sample(INFINITY, q,
           /* the integer indefinite has a low dword of 0, so that frame 0 is taken and alpha is
            * infinite */
           p);
    assert_true(isinf(p[0]) && p[0] > 0);
    Sample(NAN, q, p); /* a NaN equals no key's time */
    assert_true(isnan(p[0]));
    frame_map[1 + 2] = 3; /* a key after t is not taken as it is, but extrapolated from */
    CheckBetween(2.25f, 3);
    frame_map[1 + 2] = 2;
}

LOADED_TEST(TestFindSlot) {
    PreparePiece(1);
    memset(nodes[1].slots, 0xFF, sizeof nodes[1].slots);
    nodes[1].slots[2 * 5 + 3] = 4; /* variant 2, level 3 */
    piece[0x01C / 4] = 2;
    const uint8_t *target = animesh + 0x124D0;
    assert_int_equal(CALL("animesh.FindSlot", target, CONTROL_SINGLE, P(piece), 3, 2).eax,
                     P(slot_records + 4 * 68));
    assert_int_equal(CALL("animesh.FindSlot", target, CONTROL_SINGLE, P(piece), 3, -1u).eax,
                     P(slot_records + 4 * 68));
    assert_int_equal(CALL("animesh.FindSlot", target, CONTROL_SINGLE, P(piece), 2, 2).eax, 0);
    assert_int_equal(CALL("animesh.FindSlot", target, CONTROL_SINGLE, P(piece), 3, 1).eax, 0);
    piece[0x12C / 4] = 0;
    assert_int_equal(CALL("animesh.FindSlot", target, CONTROL_SINGLE, P(piece), 3, 2).eax, 0);
}

LOADED_TEST(TestNodeString) {
    static const char strings[] = "\3\0\0\0hub\0"
                                  "\0\0\0\0"
                                  "\7\0\0\0central";
    static const int expected[] = {4, 0, 16};
    for (uint32_t node = 0; node < 3; node++) {
        PreparePiece(node);
        reader[0x20 / 4] = P(strings);
        uint32_t found =
            CALL("animesh.NodeString", animesh + 0x12530, CONTROL_SINGLE, P(piece)).eax;
        assert_int_equal(found, expected[node] ? P(strings + expected[node]) : 0);
    }
}

LOADED_TEST(TestColumns) {
    for (uint32_t column = 0; column < 4; column++) {
        float matrix[16], expected[16], vector[3] = {1, 2, 3}, got[3];
        Random_Floats(matrix, 16, -1, 1);
        memcpy(expected, matrix, sizeof matrix);
        CALL("animesh.SetColumn", animesh + 0x0B8E0, CONTROL_SINGLE, P(matrix), column, P(vector));
        for (uint32_t i = 0; i < 3; i++)
            expected[4 * i + column] = vector[i];
        Expect_Floats("set", matrix, expected, 16);
        CALL("animesh.GetColumn", animesh + 0x0B600, CONTROL_SINGLE, P(matrix), column, P(got));
        Expect_Floats("get", got, vector, 3);
    }
}

static void Compose(const float *q, const float *p, float *matrix) {
    CALL("ngi32.slot14", (const void *)(uintptr_t)Pair_FastProc()[14], CONTROL_SINGLE, P(q),
         P(matrix));
    for (int i = 0; i < 3; i++)
        matrix[4 * i + 3] = p[i];
}

static void CheckBlend(float t_a, float t_b, float weight) {
    float got[16], expected[16], q[2][4], p[2][3];
    CALL("animesh.BlendPoses", animesh + 0x12560, CONTROL_SINGLE, P(piece), F(t_a), F(t_b),
         F(weight), P(got));
    bool has_a = weight < 1 && t_a >= 0, has_b = weight > 0 && t_b >= 0;
    if (has_a)
        Sample(t_a, q[0], p[0]);
    if (has_b)
        Sample(t_b, q[1], p[1]);
    if (has_a && has_b) {
        float together = 0, apart = 0, blended[4], position[3];
        for (int i = 0; i < 4; i++) {
            float u = q[0][i] + q[1][i], v = q[0][i] - q[1][i], uu = u * u, vv = v * v;
            together += uu;
            apart += vv;
        }
        if (together < apart)
            for (int i = 0; i < 4; i++)
                q[1][i] = -q[1][i];
        CALL("ngi32.slot22", (const void *)(uintptr_t)Pair_FastProc()[22], CONTROL_SINGLE, P(q[0]),
             P(q[1]), F(weight), P(blended));
        for (int i = 0; i < 3; i++) {
            float rest = 1 - weight, left = rest * p[0][i], right = weight * p[1][i];
            position[i] = left + right;
        }
        Compose(blended, position, expected);
    } else if (has_a || has_b) {
        Compose(q[has_b], p[has_b], expected);
    } else {
        memset(expected, 0, sizeof expected);
        for (int i = 0; i < 4; i++)
            expected[5 * i] = 1;
    }
    Expect_Floats("blend", got, expected, 16);
}

static float blended_with[4];

/* Takes the place of slot 22 and records the second quaternion. */
ABI_PROTO_ngi32_slot22(NoteSecond);
ABI_PROTO_ngi32_slot22(NoteSecond) {
    (void)t;
    memcpy(blended_with, q1, sizeof blended_with);
    memcpy(result, q0, 4 * sizeof *result);
}

/* Checks whether a side is turned. Slot 22 itself turns the second quaternion to the nearer side,
 * so what was turned before shows only in its argument. */
static void CheckTurning(float t_a, float t_b, bool turned) {
    uint32_t *table = (uint32_t *)(uintptr_t)Pair_FastProc(), original = table[22];
    float matrix[16], q[4], p[3];
    table[22] = (uint32_t)(uintptr_t)NoteSecond;
    CALL("animesh.BlendPoses", animesh + 0x12560, CONTROL_SINGLE, P(piece), F(t_a), F(t_b), F(0.5f),
         P(matrix));
    table[22] = original;
    Sample(t_b, q, p);
    for (int i = 0; turned && i < 4; i++)
        q[i] = -q[i];
    Expect_Floats("second", blended_with, q, 4);
}

LOADED_TEST(TestBlendPoses) {
    PreparePiece(1);
    CheckBlend(1, 6, 0);     /* A alone */
    CheckBlend(1, 6, 1);     /* B alone */
    CheckBlend(1, -1, 0.5f); /* B is missing */
    CheckBlend(-1, 6, 0.5f);
    CheckBlend(-1, 6, 0);
    CheckBlend(1, 6, NAN); /* neither side */
    for (int i = 0; i < ROUNDS; i++)
        CheckBlend(Random_Float(0, 9), Random_Float(0, 9), Random_Float(0, 1));
    keys[3].rotation[0] = -12000; /* a pair that has to be flipped */
    for (int i = 0; i < 4; i++)
        keys[4].rotation[i] = (int16_t)-keys[3].rotation[i];
    CheckBlend(5, 8, 0.3f);
    CheckTurning(5, 8, true);
    CheckTurning(5, 5, false);
}

/* An INResFile with methods of our own. It only finds types that are in `present`, and those in
 * `empty` have no data. */
typedef struct File {
    const uintptr_t *vtable;
    bool present[24], empty[24];
    int lookups;
    uint32_t asked[16];
} File;
static uint8_t directory[24][64];
static uint8_t payloads[24][16];

ABI_PROTO_ngi32_INResFile_4(FileDirectory);
ABI_PROTO_ngi32_INResFile_6(FileData);
ABI_PROTO_ngi32_INResFile_8(FileFindType);

ABI_PROTO_ngi32_INResFile_4(FileDirectory) {
    (void)self;
    return (uintptr_t)directory;
}
ABI_PROTO_ngi32_INResFile_6(FileData) {
    const File *file = (const File *)self;
    (void)touch;
    return file->empty[index] ? 0 : (uintptr_t)payloads[index];
}
ABI_PROTO_ngi32_INResFile_8(FileFindType) {
    File *file = (File *)self;
    file->asked[file->lookups++ % 16] = type;
    return file->present[type] ? (int32_t)type : -1;
}

static uint32_t DataOf(const File *file, uint8_t type) {
    return file->present[type] && !file->empty[type] ? P(payloads[type]) : 0;
}

static void CheckReader(const char *absent, const char *empty) {
    const uintptr_t vtable[9] = {
        [4] = (uintptr_t)FileDirectory, [6] = (uintptr_t)FileData, [8] = (uintptr_t)FileFindType};
    static const uint8_t order[15] = {1, 2, 3, 4, 5, 10, 8, 19, 7, 13, 6, 15, 16, 18, 20};
    static const struct {
        uint8_t type, field, stream, stride;
    } streams[] = {{1, 0x00, 0, 0},    {2, 0x04, 0, 0},  {3, 0x0C, 0x3C, 12}, {4, 0x10, 0x44, 4},
                   {5, 0x14, 0x5C, 4}, {10, 0x20, 0, 0}, {8, 0x18, 0, 0},     {19, 0x1C, 0, 0},
                   {7, 0x24, 0, 0},    {13, 0x28, 0, 0}, {6, 0x2C, 0, 0},     {15, 0x34, 0x8C, 8},
                   {16, 0x38, 0, 0},   {20, 0x30, 0, 0}};
    File file = {.vtable = vtable};
    memset(file.present, true, sizeof file.present);
    for (const char *type = absent; *type; type++)
        file.present[(uint8_t)*type] = false;
    for (const char *type = empty; *type; type++)
        file.empty[(uint8_t)*type] = true;
    uint32_t got[ABI_READER_SIZE / 4], expected[ABI_READER_SIZE / 4];
    memset(got, 0xA5, sizeof got);
    memset(expected, 0xA5, sizeof expected);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        uint32_t pointer = DataOf(&file, streams[i].type);
        expected[streams[i].field / 4] = pointer;
        if (streams[i].stream) {
            expected[streams[i].stream / 4] = pointer;
            expected[streams[i].stream / 4 + 1] = streams[i].stride;
        }
    }
    const uint32_t res16 = DataOf(&file, 16);
    expected[0x08 / 4] = DataOf(&file, 2) + 0x8C; /* with Res2 and without */
    expected[0x4C / 4] = res16;
    expected[0x54 / 4] = res16 ? res16 + 4 : 0;
    if (res16)
        expected[0x50 / 4] = expected[0x58 / 4] = 8;
    expected[0x64 / 4] = DataOf(&file, 18);
    expected[0x68 / 4] = file.present[18] ? 4 : 0;
    expected[0x94 / 4] = 0;
    expected[0x9C / 4] = 1234;
    expected[0xA0 / 4] = DataOf(&file, 20) ? 77 : 0;
    memset(directory, 0xDD, sizeof directory);
    memcpy(directory[19] + 8, &(uint32_t){1234}, 4);
    memcpy(directory[20] + 4, &(uint32_t){77}, 4);
    CALL("animesh.LoadReader", animesh + 0x15FD0, CONTROL_SINGLE, P(got), P(&file));
    for (uint32_t i = 0; i < ABI_READER_SIZE / 4; i++)
        if (got[i] != expected[i])
            fail_msg("reader +0x%02X: %08X, expected %08X", 4 * i, got[i], expected[i]);
    assert_int_equal(file.lookups, 15);
    for (int i = 0; i < 15; i++)
        assert_int_equal(file.asked[i], order[i]);
}

LOADED_TEST(TestLoadReader) {
    CheckReader("", "");
    CheckReader("\20", "");          /* 16 */
    CheckReader("\17\20\22\24", ""); /* 15, 16, 18, 20 */
    CheckReader("\2", "");
    CheckReader("", "\2\20\22\24");
}

TEST(TestKeyOrderVariant) {
    Pair_Load("standin-wxyz");
    __asm__ volatile("fninit");
    key_order_wxyz = true;
    PreparePiece(0);
    CheckOneKey(3, 0);
    PreparePiece(1);
    CheckBetween(1, 1);
    key_order_wxyz = false;
    Pair_Unload();
}
