/* Tests of what a material looks like at a time: tracks, their clocks, what glides and what steps,
 * and how materials blend (facts/formats.md E.6). */
#include "core/bytes.h"
#include "retropose/texm.h"
#include "tests/test.h"

#include <string.h>

enum { PHASES = 3, MOST = 512 };

typedef struct Record {
    uint8_t bytes[MOST];
    RpMaterial material;
} Record;

/* Three phases, of which phase n has colours of 20 n and the texture Tn, and one track. */
static void Make(Record *record, uint32_t mode, uint32_t glides, uint32_t keys,
                 const uint16_t (*key)[2]) {
    RpError error;
    memset(record->bytes, 0, sizeof record->bytes);
    Bytes_PutU16(record->bytes, PHASES);
    Bytes_PutU16(record->bytes + 2, 1);
    size_t at = 14;
    for (uint8_t i = 0; i < PHASES; i++, at += 34) {
        memset(record->bytes + at, 20 * i, 16);
        record->bytes[at + 16] = i;
        record->bytes[at + 17] = (uint8_t)(i - 1);
        record->bytes[at + 18] = 'T';
        record->bytes[at + 19] = (uint8_t)('0' + i);
    }
    Bytes_PutU32(record->bytes + at, mode | glides << 3);
    Bytes_PutU16(record->bytes + at + 4, keys);
    at += 6;
    for (uint32_t i = 0; i < keys; i++, at += 6) {
        Bytes_PutU16(record->bytes + at, key[i][0]);
        Bytes_PutU16(record->bytes + at + 2, key[i][1]);
    }
    if (RpMaterial_Open(record->bytes, at, 6, &record->material, &error))
        fail_msg("%s", error.what);
}

static const uint16_t beam[][2] = {{0, 50}, {1, 100}, {2, 150}, {1, 200}};

/* Demands the phase that is shown, and its red self-light in units of 20 / 255. */
static void AssertLook(const Record *record, uint32_t milliseconds, uint32_t phase, float light) {
    const RpMaterialLook look = RpMaterial_Look(&record->material, 0, milliseconds);
    const char texture[] = {'T', (char)('0' + phase), 0};
    if (look.phase != phase || strcmp(look.texture, texture) != 0 ||
        look.page != (int8_t)(phase - 1) || look.power != 1u << phase)
        fail_msg("at %u phase %u is shown, %s, page %d", (unsigned)milliseconds,
                 (unsigned)look.phase, look.texture, look.page);
    assert_float_equal(look.self_light[0], light * 20.0f / 255.0f, 1e-6);
}

/* As the beam of the game's buoys: cells step every 50 ms, and the colour glides. */
TEST(ColoursGlideAndTexturesStep) {
    Record record;
    Make(&record, RP_TRACK_LOOP, RP_GLIDES_SELF_LIGHT, 4, beam);
    AssertLook(&record, 0, 0, 0.0f);
    AssertLook(&record, 25, 0, 0.5f);
    AssertLook(&record, 49, 0, 0.98f);
    AssertLook(&record, 50, 1, 1.0f);
    AssertLook(&record, 75, 1, 1.5f);
    AssertLook(&record, 125, 2, 1.5f);
    AssertLook(&record, 175, 1, 0.5f); /* glides to the first key */
    AssertLook(&record, 200, 0, 0.0f);
    AssertLook(&record, 1225, 0, 0.5f);
    const RpMaterialLook look = RpMaterial_Look(&record.material, 0, 75);
    assert_float_equal(look.diffuse[1], 20.0f / 255.0f, 1e-7); /* does not glide */
    assert_float_equal(look.opacity, 0.2f, 1e-7);
}

TEST(EachColourGlidesByItsBit) {
    for (uint32_t bit = 0; bit < 5; bit++) {
        Record record;
        Make(&record, RP_TRACK_LOOP, 1u << bit, 4, beam);
        const RpMaterialLook look = RpMaterial_Look(&record.material, 0, 25);
        const float seen[] = {look.self_light[2], look.diffuse[2], look.specular[2], 0.0f,
                              look.opacity};
        const float half[] = {10.0f / 255.0f, 10.0f / 255.0f, 10.0f / 255.0f, 0.0f, 0.1f};
        for (uint32_t i = 0; i < 5; i++)
            assert_float_equal(seen[i], (i == bit ? half[i] : 0.0f), 1e-6);
    }
}

TEST(TracksRunByTheirModes) {
    Record record;
    Make(&record, RP_TRACK_PING_PONG, RP_GLIDES_SELF_LIGHT, 4, beam);
    AssertLook(&record, 75, 1, 1.5f);
    AssertLook(&record, 200, 1, 1.0f); /* the end itself */
    AssertLook(&record, 225, 1, 0.5f); /* is 175 */
    AssertLook(&record, 375, 0, 0.5f); /* is 25 */
    AssertLook(&record, 425, 0, 0.5f);
    Make(&record, RP_TRACK_ONCE, RP_GLIDES_SELF_LIGHT, 4, beam);
    AssertLook(&record, 75, 1, 1.5f);
    AssertLook(&record, 200, 1, 1.0f);
    AssertLook(&record, 100000, 1, 1.0f);

    /* A jump goes anywhere, and to the same place at the same time. */
    uint32_t seen = 0;
    Make(&record, RP_TRACK_RANDOM, 0, 4, beam);
    for (uint32_t i = 0; i < 200; i++) {
        const RpMaterialLook look = RpMaterial_Look(&record.material, 0, i);
        assert_int_equal(look.phase, RpMaterial_Look(&record.material, 0, i).phase);
        seen |= 1u << look.phase;
    }
    assert_int_equal(seen, 7);
}

TEST(TracksThatSayLittle) {
    static const uint16_t one[][2] = {{2, 70}}, none_there[][2] = {{9, 10}, {1, 20}},
                          at_once[][2] = {{1, 0}};
    Record record;
    Make(&record, RP_TRACK_LOOP, 31, 1, one);
    AssertLook(&record, 35, 2, 2.0f); /* a single key does not glide */
    Make(&record, RP_TRACK_LOOP, 31, 1, at_once);
    AssertLook(&record, 35, 1, 1.0f);
    Make(&record, RP_TRACK_LOOP, 0, 2, none_there);
    AssertLook(&record, 5, 0, 0.0f); /* a phase that does not exist */
    AssertLook(&record, 15, 1, 1.0f);
    Make(&record, RP_TRACK_LOOP, 31, 0, NULL);
    AssertLook(&record, 5, 0, 0.0f);
    assert_int_equal(RpMaterial_Track(&record.material, 0).key_count, 0);
    Make(&record, RP_TRACK_LOOP, 5, 4, beam);
    for (int32_t track = -1; track < 3; track++) {
        const RpMaterialTrack found = RpMaterial_Track(&record.material, track);
        assert_int_equal(found.key_count, 4);
        assert_int_equal(found.period, 200);
        assert_int_equal(found.glides, 5);
    }
    record.material.phase_count = 0;
    assert_float_equal(RpMaterial_Look(&record.material, 0, 7).opacity, 1.0f, 0.0);
}

TEST(BlendingFollowsTheDirectory) {
    static const struct {
        uint32_t attr1;
        RpBlendMode mode;
        RpBlendFactor source, destination;
        const char *name;
    } cases[] = {
        {0, RP_BLEND_NONE, RP_FACTOR_ONE, RP_FACTOR_ZERO, "none"},
        {2, RP_BLEND_NONE, RP_FACTOR_ONE, RP_FACTOR_ZERO, "none"},
        {4, RP_BLEND_OVER, RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_INVERSE_SOURCE_ALPHA, "over"},
        {5, RP_BLEND_OVER, RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_INVERSE_SOURCE_ALPHA, "over"},
        {8, RP_BLEND_ADD, RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_ONE, "add"},
        {12, RP_BLEND_MULTIPLY, RP_FACTOR_ZERO, RP_FACTOR_SOURCE_COLOUR, "multiply"},
        {16, RP_BLEND_MULTIPLY_TWICE, RP_FACTOR_DESTINATION_COLOUR, RP_FACTOR_SOURCE_COLOUR,
         "multiply-twice"},
        {20, RP_BLEND_NONE, RP_FACTOR_ONE, RP_FACTOR_ZERO, "none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const RpBlend blend = RpMaterial_Blend(cases[i].attr1);
        assert_int_equal(blend.mode, cases[i].mode);
        assert_int_equal(blend.source, cases[i].source);
        assert_int_equal(blend.destination, cases[i].destination);
        assert_int_equal(blend.tests_alpha, cases[i].mode != RP_BLEND_NONE);
        assert_string_equal(RpBlendMode_Name(blend.mode), cases[i].name);
    }
    assert_string_equal(RpBlendMode_Name(RP_BLEND_CUT), "cut");
    assert_null(RpBlendMode_Name(6));
    assert_true(RpMaterial_IgnoresAlpha(2) && !RpMaterial_IgnoresAlpha(4));
}
