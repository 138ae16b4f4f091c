/* What a material looks like at a time (facts/formats.md E.6). */
#include "core/bytes.h"
#include "formats/texm/record.h"
#include "retropose/texm.h"

#include <string.h>

/* ---- tracks ---------------------------------------------------------------------------------- */

RpMaterialTrack RpMaterial_Track(const RpMaterial *material, int32_t track) {
    const uint32_t wanted =
        track >= 0 && (uint32_t)track < material->track_count ? (uint32_t)track : 0;
    size_t at = material->phases + (size_t)material->phase_count * PHASE_BYTES;
    RpMaterialTrack found = {.mode = RP_TRACK_LOOP};
    for (uint32_t i = 0; i < material->track_count && i <= wanted; i++) {
        const uint32_t word = Bytes_U32(material->image + at);
        const uint32_t keys = Bytes_U16(material->image + at + AT_KEY_COUNT);
        found = (RpMaterialTrack){.mode = word & 7,
                                  .glides = word >> 3,
                                  .key_count = keys,
                                  .keys = at + TRACK_HEADER_BYTES};
        at = found.keys + (size_t)keys * KEY_BYTES;
    }
    if (found.key_count > 0)
        found.period = RpMaterial_Key(material, &found, found.key_count - 1).end;
    return found;
}

RpMaterialKey RpMaterial_Key(const RpMaterial *material, const RpMaterialTrack *track,
                             uint32_t key) {
    const uint8_t *at = material->image + track->keys + (size_t)key * KEY_BYTES;
    return (RpMaterialKey){.phase = Bytes_U16(at), .end = Bytes_U16(at + 2)};
}

/* Scrambles a number (Chris Wellons' lowbias32). */
static uint32_t Scramble(uint32_t number) {
    number = (number ^ number >> 16) * 0x7FEB352Du;
    number = (number ^ number >> 15) * 0x846CA68Bu;
    return number ^ number >> 16;
}

static uint32_t TimeInTrack(const RpMaterialTrack *track, uint32_t milliseconds) {
    if (track->period == 0)
        return 0;
    switch (track->mode) {
    case RP_TRACK_PING_PONG: {
        const uint32_t there = milliseconds % (2 * track->period);
        return there <= track->period ? there : 2 * track->period - there;
    }
    case RP_TRACK_ONCE:
        return milliseconds < track->period ? milliseconds : track->period;
    case RP_TRACK_RANDOM:
        return Scramble(milliseconds) % track->period;
    default:
        return milliseconds % track->period;
    }
}

/* ---- looks ----------------------------------------------------------------------------------- */

static RpMaterialPhase PhaseOf(const RpMaterial *material, uint32_t phase) {
    return RpMaterial_Phase(material, phase < material->phase_count ? phase : 0);
}

static void Glide(const uint8_t from[3], const uint8_t to[3], bool glides, float weight,
                  float colour[3]) {
    for (int i = 0; i < 3; i++) {
        const float start = (float)from[i] / 255.0f, end = (float)to[i] / 255.0f;
        colour[i] = glides ? start + (end - start) * weight : start;
    }
}

RpMaterialLook RpMaterial_Look(const RpMaterial *material, int32_t track_number,
                               uint32_t milliseconds) {
    const RpMaterialTrack track = RpMaterial_Track(material, track_number);
    const uint32_t time = TimeInTrack(&track, milliseconds);
    RpMaterialLook look = {.opacity = 1.0f, .power = 1, .page = RP_MATERIAL_WHOLE};
    if (material->phase_count == 0)
        return look;

    /* The key whose interval has the time. At the very end of a track, which only those get to that
     * do not loop, its last key stands alone. */
    RpMaterialKey key = {.phase = 0}, next = key;
    float weight = 0.0f;
    uint32_t start = 0;
    for (uint32_t i = 0; i < track.key_count; i++) {
        const RpMaterialKey one = RpMaterial_Key(material, &track, i);
        const bool has_time = start <= time && time < one.end;
        if (has_time || i == 0 || (i + 1 == track.key_count && time >= track.period)) {
            key = one;
            next = RpMaterial_Key(material, &track, (i + 1) % track.key_count);
            weight = has_time ? (float)(time - start) / (float)(one.end - start) : 0.0f;
        }
        start = one.end;
    }
    if (track.key_count == 1)
        weight = 0.0f;

    const RpMaterialPhase from = PhaseOf(material, key.phase), to = PhaseOf(material, next.phase);
    Glide(from.ambient, to.ambient, track.glides & RP_GLIDES_SELF_LIGHT, weight, look.self_light);
    Glide(from.diffuse, to.diffuse, track.glides & RP_GLIDES_DIFFUSE, weight, look.diffuse);
    Glide(from.specular, to.specular, track.glides & RP_GLIDES_SPECULAR, weight, look.specular);
    const float opacity = (float)from.ambient[3] * 0.01f, other = (float)to.ambient[3] * 0.01f;
    look.opacity =
        track.glides & RP_GLIDES_OPACITY ? opacity + (other - opacity) * weight : opacity;
    look.power = 1u << (from.power & 31);
    look.phase = key.phase < material->phase_count ? key.phase : 0;
    look.page = from.page;
    memcpy(look.texture, from.texture, sizeof look.texture);
    return look;
}

/* ---- blending -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    RpBlendFactor source, destination;
} blends[] = {
    [RP_BLEND_NONE] = {"none", RP_FACTOR_ONE, RP_FACTOR_ZERO},
    [RP_BLEND_CUT] = {"cut", RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_ZERO},
    [RP_BLEND_ADD] = {"add", RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_ONE},
    [RP_BLEND_MULTIPLY] = {"multiply", RP_FACTOR_ZERO, RP_FACTOR_SOURCE_COLOUR},
    [RP_BLEND_OVER] = {"over", RP_FACTOR_SOURCE_ALPHA, RP_FACTOR_INVERSE_SOURCE_ALPHA},
    [RP_BLEND_MULTIPLY_TWICE] = {"multiply-twice", RP_FACTOR_DESTINATION_COLOUR,
                                 RP_FACTOR_SOURCE_COLOUR},
};
enum { BLENDS = sizeof blends / sizeof *blends };

const char *RpBlendMode_Name(uint32_t mode) {
    return mode < BLENDS ? blends[mode].name : NULL;
}

RpBlend RpMaterial_Blend(uint32_t attr1) {
    /* the table of Terrain 0x10046a60, by bits 2 to 5 */
    static const RpBlendMode modes[] = {RP_BLEND_NONE, RP_BLEND_OVER, RP_BLEND_ADD,
                                        RP_BLEND_MULTIPLY, RP_BLEND_MULTIPLY_TWICE};
    const uint32_t number = attr1 >> 2 & 15;
    const RpBlendMode mode = number < sizeof modes / sizeof *modes ? modes[number] : RP_BLEND_NONE;
    return (RpBlend){.mode = mode,
                     .source = blends[mode].source,
                     .destination = blends[mode].destination,
                     .tests_alpha = mode != RP_BLEND_NONE};
}

bool RpMaterial_IgnoresAlpha(uint32_t attr1) {
    return (attr1 & 2) != 0;
}
