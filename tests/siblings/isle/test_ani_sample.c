/* Tests of sampling: the expected values of facts/lego-ani.md E.4, and the same bits on every
 * machine. */
#include "ani_digest.h"
#include "core/random.h"
#include "synthetic.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = SYNTHETIC_NODES };

static RpAni synthetic;

AROUND(BeforeAll) {
    Synthetic_Make(&synthetic, NULL);
}

AROUND(AfterAll) {
    RpAni_Free(&synthetic);
}

static uint32_t NodeOf(const char *name) {
    uint32_t node = RpAni_FindNode(&synthetic, name, RP_ANI_NO_NODE);
    assert_true(node != RP_ANI_NO_NODE);
    return node;
}

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- expected values ------------------------------------------------------------------------- */

#define ONE  0x3f800000u
#define ZERO 0u
#define NEG0 0x80000000u

typedef struct Expected {
    const char *node;
    float time;
    RpAniPolicy policy;
    uint32_t rows[12]; /* four rows of three */
} Expected;

#define IDENTITY ONE, ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, ONE
#define NOWHERE  ZERO, ZERO, ZERO

/* One row: node, time, policy, and the four rows of its matrix. */
#define AT(node, time, policy, ...)                                                                \
    {                                                                                              \
        node, time, RP_ANI_POLICY_##policy, {                                                      \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const Expected expected[] = {
    AT("SCALE", 250, S, 0x3f93d21b, ZERO, 0x3ef4eadd, ZERO, 0x3fc00000, ZERO, 0xbf2b7134, ZERO,
       0x3fcef2f2, 0x40000000, 0x40400000, 0x40800000),
    AT("SCALE", 500, S, 0x3f87c3b6, ZERO, 0x3f87c3b7, ZERO, 0x40000000, ZERO, 0xbfe24631, ZERO,
       0x3fe2462e, 0x40400000, 0x40800000, 0x40a00000),
    AT("SCALE", 500, D, 0x3f87c3b6, ZERO, 0x3f87c3b6, ZERO, 0x40000000, ZERO, 0xbfe24630, ZERO,
       0x3fe24630, 0x40400000, 0x40800000, 0x40a00000),
    AT("SCALE", 1000, S, ZERO, ZERO, 0x40000000, ZERO, 0x40400000, ZERO, 0xc0800000, ZERO, ZERO,
       0x40a00000, 0x40c00000, 0x40e00000),
    AT("NEG", 500, S, 0x3ec3ef16, ZERO, 0x3f6c835e, ZERO, ONE, ZERO, 0xbf6c835e, ZERO, 0x3ec3ef16,
       NOWHERE),
    AT("NEG", 500, D, 0x3ec3ef14, ZERO, 0x3f6c835f, ZERO, ONE, ZERO, 0xbf6c835f, ZERO, 0x3ec3ef14,
       NOWHERE),
    AT("LONG", 250, S, 0x3f54db32, NEG0, 0xbf0e39d9, ZERO, ONE, NEG0, 0x3f0e39d9, ZERO, 0x3f54db32,
       NOWHERE),
    AT("LONG", 500, S, 0xbec3ef1c, NEG0, 0xbf6c835e, ZERO, ONE, NEG0, 0x3f6c835e, ZERO, 0xbec3ef1c,
       NOWHERE),
    AT("ANTI", 250, S, 0xbf3ab9d2, 0xbf273e16, 0x3e4fd288, 0xbf273e16, 0x3f13c25a, 0xbefadd22,
       0x3e4fd288, 0xbefadd22, 0xbf590884, NOWHERE),
    AT("ANTI", 500, S, 0xbe60c7d0, 0xbf47ce0d, 0x3f15da8a, 0xbf47ce0d, 0xbe60c7d0, 0xbf15da8a,
       0x3f15da8a, 0xbf15da8a, 0xbf0f9c1a, NOWHERE),
    AT("ANTI", 750, S, 0x3e1d08d4, 0xbef499ab, 0x3f5d71aa, 0xbef499ab, 0xbf4d5778, 0xbeb77341,
       0x3f5d71aa, 0xbeb77341, 0xbeb3d588, NOWHERE),
    AT("NEAR", 250, S, ONE, ZERO, ZERO, ZERO, 0x3f7ffffc, 0xba3955f9, ZERO, 0x3a3955f9, 0x3f7ffffc,
       NOWHERE),
    AT("NEAR", 500, S, ONE, ZERO, ZERO, ZERO, 0x3f7fffef, 0xbab955f8, ZERO, 0x3ab955f8, 0x3f7fffef,
       NOWHERE),
    AT("DUP", 250, S, IDENTITY, 0x3f000000, ZERO, 0x3f000000),
    AT("DUP", 500, S, IDENTITY, 0x40a00000, ZERO, ZERO),
    AT("DUP", 750, S, IDENTITY, 0x40b00000, ZERO, ZERO),
    AT("LATE", 100, S, IDENTITY, NOWHERE),
    AT("LATE", 200, S, IDENTITY, ONE, ONE, ONE),
    AT("LATE", 500, S, IDENTITY, 0x3fc00000, 0x3fc00000, 0x3fc00000),
    AT("LATE", 1500, S, IDENTITY, 0x40000000, 0x40000000, 0x40000000),
    AT("TINY", 500, S, IDENTITY, NOWHERE),
    AT("ZEROQ", 500, S, IDENTITY, NOWHERE),
    AT("XYZ1", 500, S, IDENTITY, NOWHERE),
    AT("HOLD", 1000, S, IDENTITY, NOWHERE),
    AT("SONLY", 250, S, 0x40400000, ZERO, ZERO, ZERO, 0x3fc00000, ZERO, ZERO, ZERO, 0x3fa00000,
       NOWHERE),
    AT("SONLY", 500, S, 0x40800000, ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, 0x3f000000, NOWHERE),
};

/* The published list leaves the sign of its zeros open, except for NEG0 in LONG. */
static bool SameElement(uint32_t wanted, float found) {
    return wanted == ZERO ? found == 0 : Bits(found) == wanted;
}

TEST(LocalMatricesAreThoseOfTheOriginal) {
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        float local[16];
        RpAni_SampleLocal(&synthetic, NodeOf(expected[i].node), expected[i].time,
                          expected[i].policy, NULL, local);
        for (int k = 0; k < 12; k++)
            if (!SameElement(expected[i].rows[k], local[k / 3 * 4 + k % 3]))
                fail_msg("%s at %g, policy %s, element %d: expected %08x, found %08x",
                         expected[i].node, (double)expected[i].time,
                         RpAniPolicy_Name(expected[i].policy), k, (unsigned)expected[i].rows[k],
                         (unsigned)Bits(local[k / 3 * 4 + k % 3]));
    }
}

static float FromBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Opposite rotations turn by the original's literal, which is less than pi/2 by 1.6e-15. After a
 * quarter of the time the two parts of x nearly cancel each other, so that the literal decides x:
 * with pi/2 it would be adb065c0. */
TEST(OppositeRotationsTurnByTheLiteralOfTheOriginal) {
    const float x = FromBits(0x3ea0886c), y = FromBits(0x3f41c7c5), z = FromBits(0x3f12c607);
    const RpAniKey keys[] = {RpAniKey_Rotation(0, RP_ANI_ACTIVE, 0, x, y, z),
                             RpAniKey_Rotation(1000, RP_ANI_ACTIVE, 0, -x, -y, -z)};
    OWNED(RpAni) ani;
    RpAniParts parts;
    uint32_t node;
    RpAni_Init(&ani, NULL);
    assert_int_equal(RpAni_AddNode(&ani, RP_ANI_NO_NODE, "A", SIZE_MAX, &node, NULL), RP_OK);
    assert_int_equal(RpAni_SetKeys(&ani, node, RP_ANI_ROTATION, keys, 2, NULL), RP_OK);
    for (int policy = 0; policy < RP_ANI_POLICIES; policy++) {
        RpAni_SampleParts(&ani, node, 250, (RpAniPolicy)policy, NULL, &parts);
        assert_int_equal(Bits(parts.rotation[1]), 0xadb06540);
    }
}

TEST(Flag0x04HoldsTheEarlierKeyUntilTheLaterOnesTime) {
    static const float turned[3][3] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
    float local[16];
    RpAni_SampleLocal(&synthetic, NodeOf("HOLD"), 999, RP_ANI_POLICY_S, NULL, local);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_true(fabsf(local[4 * row + column] - turned[row][column]) < 1e-6f);
}

TEST(WorldIsLocalTimesParent) {
    static const float rows[2][3] = {{6, 3, 2.5f}, {12, 3, 1.5f}};
    static const int32_t times[2] = {250, 1500};
    float local[NODES][16], world[NODES][16];
    const uint32_t child = NodeOf("CHILD");
    for (int i = 0; i < 2; i++) {
        RpAni_Sample(&synthetic, times[i], RP_ANI_POLICY_S, NULL, NULL, local, world, NULL);
        assert_memory_equal(&world[child][12], rows[i], sizeof rows[i]);
    }
}

TEST(AParentsMatrixCarriesTheRoot) {
    const float parent[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1};
    float local[NODES][16], world[NODES][16];
    RpAni_Sample(&synthetic, 0, RP_ANI_POLICY_S, NULL, parent, local, world, NULL);
    assert_memory_equal(world[0], parent, sizeof parent);
}

TEST(APartIsVisibleUntilItsFirstMorphKey) {
    static const int32_t times[] = {0, 100, 200, 250, 400, 500, 700, 750, 1000, 1500};
    static const uint8_t seen[] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0};
    for (int i = 0; i < 10; i++)
        assert_int_equal(RpAni_SampleVisible(&synthetic, NodeOf("MORPH"), (float)times[i], NULL),
                         seen[i]);
}

/* ---- camera ---------------------------------------------------------------------------------- */

typedef struct ExpectedCamera {
    float time, rows[12];
} ExpectedCamera;

static const ExpectedCamera cameras[] = {
    {0, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
    {100,
     {0.9922779f, 0, 0.1240347f, -0.003075977f, 0.9996924f, 0.02460781f, -0.1239966f, -0.02479932f,
      0.9919727f, 2, 0.4f, 0}},
    {250,
     {0.9701425f, 0, 0.2425356f, -0.01175089f, 0.9988256f, 0.04700356f, -0.2422508f, -0.04845016f,
      0.9690031f, 5, 1, 0}},
    {400,
     {0.8229785f, 0.4784696f, 0.3062241f, -0.4723396f, 0.8758326f, -0.0990577f, -0.3155972f,
      -0.06311944f, 0.9467916f, 8, 1.6f, 0}},
    {700,
     {0.7995062f, 0.478073f, 0.3636428f, -0.4689652f, 0.8751068f, -0.1194147f, -0.3753152f,
      -0.07506304f, 0.9238529f, 10, 2, 8}},
    {1000,
     {0.8764784f, -0.2464203f, 0.4135972f, 0.1826824f, 0.9650599f, 0.1878472f, -0.4454354f,
      -0.08908708f, 0.8908708f, 10, 2, 20}},
    {1500,
     {0.8764784f, -0.2464203f, 0.4135972f, 0.1826824f, 0.9650599f, 0.1878472f, -0.4454354f,
      -0.08908708f, 0.8908708f, 10, 2, 20}},
};

static void SetIdentity(float matrix[16]) {
    for (int i = 0; i < 16; i++)
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

/* Compares with the seven digits that are published. */
TEST(TheCameraRollsInSteps) {
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        float matrix[16];
        SetIdentity(matrix);
        assert_int_equal(
            RpAni_SampleCamera(&synthetic, cameras[i].time, RP_ANI_POLICY_S, NULL, matrix),
            RP_ANI_CAMERA_MOVED);
        for (int k = 0; k < 12; k++) {
            const float wanted = cameras[i].rows[k], found = matrix[k / 3 * 4 + k % 3];
            assert_true(fabsf(wanted - found) <= 6e-7f * fmaxf(fabsf(wanted), 0.1f));
        }
    }
}

TEST(TheCameraAddsItsBaseUnturned) {
    float matrix[16];
    SetIdentity(matrix);
    matrix[12] = 100;
    RpAni_SampleCamera(&synthetic, 250, RP_ANI_POLICY_S, NULL, matrix);
    assert_true(matrix[12] == 105 && matrix[13] == 1 && matrix[14] == 0);
}

static void SampleCameraOf(const RpAniKey *target, uint32_t targets, RpAniCameraResult wanted) {
    const RpAniKey eye = RpAniKey_Translation(0, 1, 1, 2, 3);
    float matrix[16], before[16];
    OWNED(RpAni) ani;
    RpAni_Init(&ani, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_EYE, &eye, 1, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_TARGET, target, targets, NULL);
    for (int i = 0; i < 16; i++)
        before[i] = matrix[i] = (float)i;
    assert_int_equal(RpAni_SampleCamera(&ani, 0, RP_ANI_POLICY_S, NULL, matrix), wanted);
    assert_memory_equal(matrix, before, sizeof matrix);
}

TEST(CamerasThatLookNowhereLeaveTheMatrix) {
    const RpAniKey above = RpAniKey_Translation(0, 1, 1, 9, 3);
    const RpAniKey below = RpAniKey_Translation(0, 1, 1, -9, 3);
    const RpAniKey here = RpAniKey_Translation(0, 1, 1, 2, 3);
    SampleCameraOf(&above, 1, RP_ANI_CAMERA_UPRIGHT);
    SampleCameraOf(&below, 1, RP_ANI_CAMERA_UPRIGHT);
    SampleCameraOf(&here, 1, RP_ANI_CAMERA_AT_TARGET);
    SampleCameraOf(NULL, 0, RP_ANI_CAMERA_WITHOUT_GOAL);
}

/* ---- key search ------------------------------------------------------------------------------ */

TEST(ResultsDoNotDependOnHistory) {
    RpAniCursor forward[NODES] = {{{0}}}, random[NODES] = {{{0}}};
    float local[3][NODES][16];
    uint32_t seed = 1;
    for (int32_t time = 0; time <= 1100; time += 5) {
        Random_Lcg32(&seed);
        RpAni_Sample(&synthetic, (int32_t)(seed >> 21), RP_ANI_POLICY_S, random, NULL, local[2],
                     NULL, NULL);
        RpAni_Sample(&synthetic, time, RP_ANI_POLICY_S, NULL, NULL, local[0], NULL, NULL);
        RpAni_Sample(&synthetic, time, RP_ANI_POLICY_S, forward, NULL, local[1], NULL, NULL);
        RpAni_Sample(&synthetic, time, RP_ANI_POLICY_S, random, NULL, local[2], NULL, NULL);
        assert_memory_equal(local[0], local[1], sizeof local[0]);
        assert_memory_equal(local[0], local[2], sizeof local[0]);
    }
}

/* The times are 0, 300, 100, 400. At 350 a search from the start passes 300 and stops at 100, whose
 * successor is later; one that continues from 300 does the same. At 200 a search from the start
 * stops at 0. */
TEST(UnorderedKeysAreSearchedAsTheOriginalDoes) {
    const RpAniKey keys[] = {
        RpAniKey_Translation(0, 1, 1, 0, 0), RpAniKey_Translation(300, 1, 2, 0, 0),
        RpAniKey_Translation(100, 1, 3, 0, 0), RpAniKey_Translation(400, 1, 4, 0, 0)};
    uint32_t node, key, cursor = 0;
    OWNED(RpAni) ani;
    RpAni_Init(&ani, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "N", 1, &node, NULL);
    RpAni_SetKeys(&ani, node, RP_ANI_TRANSLATION, keys, 4, NULL);
    const RpAniTrack *track = &ani.nodes[node].tracks[RP_ANI_TRANSLATION];
    assert_false(track->ordered);
    assert_int_equal(RpAniTrack_Find(track, 200, &cursor, &key), 2);
    assert_int_equal(key, 0);
    assert_int_equal(RpAniTrack_Find(track, 350, &cursor, &key), 2);
    assert_int_equal(key, 2);
    assert_int_equal(cursor, 2);
    /* The history matters here: a search from the start gives 0. */
    assert_int_equal(RpAniTrack_Find(track, 200, &cursor, &key), 2);
    assert_int_equal(key, 2);
    assert_int_equal(RpAniTrack_Find(track, 200, NULL, &key), 2);
    assert_int_equal(key, 0);
}

TEST(ACursorOutOfRangeStartsAnew) {
    const RpAniTrack *track = &synthetic.nodes[NodeOf("DUP")].tracks[RP_ANI_TRANSLATION];
    uint32_t cursor = 77, key;
    assert_int_equal(RpAniTrack_Find(track, 100, &cursor, &key), 2);
    assert_int_equal(key, 0);
    assert_int_equal(cursor, 0);
}

TEST(TimesThatAreNoNumbersStayInBounds) {
    static const float times[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (uint32_t node = 0; node < NODES; node++) {
            float local[16];
            RpAniCursor cursor = {{9, 9, 9, 9}};
            RpAni_SampleLocal(&synthetic, node, times[i], RP_ANI_POLICY_D, &cursor, local);
            RpAni_SampleVisible(&synthetic, node, times[i], &cursor);
        }
}

/* ---- time ------------------------------------------------------------------------------------ */

TEST(LoopsTakeTheRemainder) {
    int32_t time;
    assert_int_equal(RpAni_LoopTime(&synthetic, 2300, &time, NULL), RP_OK);
    assert_int_equal(time, 300);
    const RpAni endless = {.duration = 0};
    assert_int_equal(RpAni_LoopTime(&endless, 1, &time, NULL), RP_INVALID);
}

TEST(WalksCutTimesTowardsZero) {
    assert_int_equal(RpAni_WalkTime(1.9f), 1);
    assert_int_equal(RpAni_WalkTime(-1.9f), -1);
    assert_int_equal(RpAni_WalkTime(NAN), INT32_MIN);
    assert_int_equal(RpAni_WalkTime(4e9f), INT32_MIN);
    assert_true(RpAni_PathPhase(&synthetic, 2300.5f) == 300.5f);
    assert_true(RpAni_PathPhase(&synthetic, 999) == 999);
}

TEST(PoliciesHaveNames) {
    RpAniPolicy policy = RP_ANI_POLICY_S;
    assert_int_equal(RpAniPolicy_Parse("double", &policy, NULL), RP_OK);
    assert_int_equal(policy, RP_ANI_POLICY_D);
    assert_int_equal(RpAniPolicy_Parse("S", &policy, NULL), RP_OK);
    assert_int_equal(policy, RP_ANI_POLICY_S);
    assert_int_equal(RpAniPolicy_Parse("X", &policy, NULL), RP_INVALID);
}

/* ---- the same bits everywhere ---------------------------------------------------------------- */

TEST(SamplesHaveTheSameBitsOnEveryMachine) {
    static const uint64_t golden[RP_ANI_POLICIES] = {0x797d2f2e940b9866u, 0xc6699c08963e0981u};
    for (int i = 0; i < RP_ANI_POLICIES; i++) {
        const uint64_t digest = AniDigest_Samples((RpAniPolicy)i);
        if (digest != golden[i])
            fail_msg("policy %s: expected %016llx, found %016llx", RpAniPolicy_Name((RpAniPolicy)i),
                     (unsigned long long)golden[i], (unsigned long long)digest);
    }
}
