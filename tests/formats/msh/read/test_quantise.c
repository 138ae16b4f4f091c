/* Tests of packed numbers: every code of 8 and 16 bits comes back, and so do the ends of the
 * ranges. */
#include "exports/reading_table.h"
#include "retropose/msh_make.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

TEST(EveryNormalCodeComesBack) {
    for (int code = -128; code <= 127; code++) {
        float exact = (float)code / 127.0F;
        assert_true(RpMsh_EncodeNormal(exact) == code);
    }
}

TEST(NormalsRoundToTheNearestCodeAndClamp) {
    for (int i = -2600; i <= 2600; i++) {
        float value = (float)i / 2000.0F;
        const double code = RpMsh_EncodeNormal(value);
        double scaled = (double)value * 127.0;
        assert_true(code == -128 || code == 127 || fabs(scaled - code) <= 0.5);
    }
    assert_int_equal(RpMsh_EncodeNormal(1.0F), 127);
    assert_int_equal(RpMsh_EncodeNormal(-1.0F), -127);
    assert_int_equal(RpMsh_EncodeNormal(-5.0F), -128);
    assert_int_equal(RpMsh_EncodeNormal(INFINITY), 127);
    assert_int_equal(RpMsh_EncodeNormal(NAN), 0);
}

TEST(EveryUvCodeComesBackInBothReadings) {
    RpReadings unsigned_uv;
    assert_int_equal(RpReadings_Parse(&unsigned_uv, RP_READS_FILES, "uv=unsigned", NULL), RP_OK);
    for (int code = 0; code <= 0xFFFF; code++) {
        int as_signed = code < 0x8000 ? code : code - 0x10000;
        assert_int_equal(RpMsh_EncodeUv((float)as_signed / 1024.0F, NULL), code);
        assert_int_equal(RpMsh_EncodeUv((float)code / 1024.0F, &unsigned_uv), code);
    }
    assert_int_equal(RpMsh_EncodeUv(1000.0F, NULL), 32767);
    assert_int_equal(RpMsh_EncodeUv(-1000.0F, NULL), 0x8000);
    assert_int_equal(RpMsh_EncodeUv(1000.0F, &unsigned_uv), 65535);
    assert_int_equal(RpMsh_EncodeUv(-1.0F, &unsigned_uv), 0);
}

TEST(EveryRotationCodeComesBackInAllFourReadings) {
    for (int reading = 0; reading < 4; reading++) {
        const RpReadings readings = {.choice = {[READING_KEY_ORDER] = (uint8_t)(reading & 1),
                                                [READING_ROTATION] = (uint8_t)(reading >> 1)}};
        for (int code = -32767; code <= 32767; code++) {
            const int16_t rotation[4] = {(int16_t)code, 1000, (int16_t)-code, 77};
            float quaternion[4];
            int16_t again[4];
            RpMsh_DecodeRotation(rotation, &readings, quaternion);
            RpMsh_EncodeRotation(quaternion, &readings, again);
            assert_memory_equal(again, rotation, sizeof rotation);
        }
    }
}

/* These are the readings of the seed documents: the file has x, y, z, w, and a matrix is that of
 * the conjugate. */
TEST(RotationsAreXyzwAndConjugateByDefault) {
    const int16_t rotation[4] = {32767, 0, 0, 0};
    const float quarter[4] = {0.70710678F, 0.70710678F, 0, 0};
    float quaternion[4];
    int16_t encoded[4];
    RpMsh_DecodeRotation(rotation, NULL, quaternion);
    assert_true(quaternion[0] == 0.0F && quaternion[1] == -1.0F);
    RpMsh_EncodeRotation(quarter, NULL, encoded);
    assert_int_equal(encoded[0], -23170);
    assert_int_equal(encoded[3], 23170);
    const RpReadings other = {.choice = {[READING_KEY_ORDER] = 1, [READING_ROTATION] = 1}};
    RpMsh_EncodeRotation(quarter, &other, encoded);
    assert_int_equal(encoded[0], 23170);
    assert_int_equal(encoded[1], 23170);
}

TEST(AllZeroRotationIsTheIdentity) {
    const int16_t zero[4] = {0, 0, 0, 0};
    float quaternion[4];
    RpMsh_DecodeRotation(zero, NULL, quaternion);
    assert_true(quaternion[0] == 1.0F && quaternion[1] == 0.0F && quaternion[2] == 0.0F);
}

TEST(RotationsClampToTheAssetsRange) {
    const float wild[4] = {-5, 5, NAN, -INFINITY};
    const RpReadings plain = {.choice = {[READING_ROTATION] = 1}};
    int16_t encoded[4];
    RpMsh_EncodeRotation(wild, &plain, encoded);
    const int16_t expected[4] = {32767, 0, -32767, -32767};
    assert_memory_equal(encoded, expected, sizeof expected);
}
