#include "reference.h"

#include "exports/readings.h"
#include "fixture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float Round(double value) {
    volatile float rounded = (float)value;
    return rounded;
}

static double Field(const uint8_t *at) {
    float value;
    memcpy(&value, at, sizeof value);
    return value;
}

static unsigned Word(const uint8_t *at) {
    return at[0] + 256u * at[1];
}

static uint32_t Frame(float t) {
    double x = Round((double)t - 0.5);
    double below = floor(x), rest = x - below;
    if (rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0))
        below += 1;
    double low = fmod(below, 4294967296.0);
    return (uint32_t)(low < 0 ? low + 4294967296.0 : low);
}

float Reference_Component(int16_t component, int key_scale) {
    /* The second number is the nearest binary32 number to 1/32767. */
    static const double scales[] = {1.0 / 32768 * (1 + 1.0 / 32768), 1.0 / 32767};
    if (key_scale == 2)
        return Round(component / 32767.0);
    return Round(component * scales[key_scale]);
}

static void Decode(const RpPoseSettings *settings, const uint8_t *key, float q[4]) {
    int scale = settings->hypotheses.choice[READING_KEY_SCALE];
    int w_first = settings->hypotheses.choice[READING_KEY_ORDER];
    for (int i = 0; i < 4; i++) {
        int place = w_first ? i : (i + 3) % 4;
        q[i] = Reference_Component((int16_t)Word(key + 16 + 2 * place), scale);
    }
}

static void TakeKey(const RpPoseSettings *settings, const uint8_t *key, ReferenceSample *sample) {
    sample->keys = 1;
    Decode(settings, key, sample->quaternion);
    memcpy(sample->position, key, 12);
}

static float Mix(double a, double b, double weight) {
    return Round((double)Round(Round(1 - weight) * a) + Round(weight * b));
}

static float Advance(double a, double b, double weight) {
    return Round(a + Round((double)Round(b - a) * weight));
}

static void TakeSegment(const RpPoseSettings *settings, const uint8_t *k0, const uint8_t *k1,
                        float t, ReferenceSample *sample) {
    sample->keys = 2;
    double start = Field(k0 + 12);
    double past = Round(t - start), whole = Round(Field(k1 + 12) - start);
    bool divide = settings->hypotheses.choice[READING_KEY_ALPHA] == 0;
    sample->alpha = divide ? Round(past / whole) : Round(past * Round(1 / whole));
    for (int i = 0; i < 3; i++) {
        double a = Field(k0 + 4 * i), b = Field(k1 + 4 * i);
        if (settings->hypotheses.choice[READING_KEY_LERP])
            sample->position[i] = Mix(a, b, sample->alpha);
        else
            sample->position[i] = Advance(a, b, sample->alpha);
    }
    Decode(settings, k0, sample->q0);
    Decode(settings, k1, sample->q1);
    uint16_t word = ControlWord_Set(GAME_WORD);
    RpQuaternion_Interpolate(settings->build, &settings->hypotheses, sample->q0, sample->q1,
                             sample->alpha, sample->quaternion);
    ControlWord_Set(word);
}

void Reference_Sample(const RpSkeleton *model, const RpPoseSettings *settings, uint32_t node,
                      float t, ReferenceSample *sample) {
    const uint8_t *record = model->nodes + 38 * node;
    unsigned map_start = Word(record + 4), fallback = Word(record + 6), key = fallback;
    uint32_t frame = Frame(t);
    if (frame < model->frame_count && map_start != 0xFFFF)
        key = Word(model->frame_map + 2 * (map_start + frame));
    const uint8_t *k0 = model->keys + 24 * key, *k1 = k0 + 24;
    if (key >= fallback)
        TakeKey(settings, model->keys + 24 * fallback, sample);
    else if (t == Field(k0 + 12))
        TakeKey(settings, k0, sample);
    else if (t == Field(k1 + 12))
        TakeKey(settings, k1, sample);
    else
        TakeSegment(settings, k0, k1, t, sample);
}

static double SquaredLength(const RpPoseSettings *settings, const float a[4], const float b[4],
                            int sign) {
    float s[4];
    for (int i = 0; i < 4; i++) {
        double c = Round((double)a[i] + sign * (double)b[i]);
        s[i] = Round(c * c);
    }
    static const int orders[4][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 2, 3, 0}};
    int choice = settings->hypotheses.choice[READING_FLIP_SUM];
    if (choice == 1)
        return Round((double)Round((double)s[0] + s[1]) + Round((double)s[2] + s[3]));
    double sum = s[orders[choice][0]];
    for (int i = 1; i < 4; i++)
        sum = Round(sum + s[orders[choice][i]]);
    return sum;
}

static void ToMatrix(const RpPoseSettings *settings, const ReferenceSample *pose,
                     float matrix[16]) {
    uint16_t word = ControlWord_Set(GAME_WORD);
    RpQuaternion_ToMatrix(settings->build, &settings->hypotheses, pose->quaternion, matrix);
    ControlWord_Set(word);
    for (int i = 0; i < 3; i++)
        matrix[4 * i + 3] = pose->position[i];
}

static void BlendSides(const RpPoseSettings *settings, const ReferenceSample *a, ReferenceSample *b,
                       float weight, ReferenceSample *pose, int *flipped) {
    *flipped = SquaredLength(settings, a->quaternion, b->quaternion, 1) <
               SquaredLength(settings, a->quaternion, b->quaternion, -1);
    for (int i = 0; i < 4 && *flipped; i++)
        b->quaternion[i] = -b->quaternion[i];
    uint16_t word = ControlWord_Set(GAME_WORD);
    RpQuaternion_Interpolate(settings->build, &settings->hypotheses, a->quaternion, b->quaternion,
                             weight, pose->quaternion);
    ControlWord_Set(word);
    bool delta = settings->hypotheses.choice[READING_BLEND_LERP];
    for (int i = 0; i < 3; i++)
        pose->position[i] = (delta ? Advance : Mix)(a->position[i], b->position[i], weight);
}

int Reference_Blend(const RpSkeleton *model, const RpPoseSettings *settings, uint32_t node,
                    float t_a, float t_b, float weight, float matrix[16], int *flipped) {
    int has_a = weight < 1 && t_a >= 0, has_b = weight > 0 && t_b >= 0;
    ReferenceSample a, b, both;
    *flipped = 0;
    if (has_a)
        Reference_Sample(model, settings, node, t_a, &a);
    if (has_b)
        Reference_Sample(model, settings, node, t_b, &b);
    if (has_a && has_b)
        BlendSides(settings, &a, &b, weight, &both, flipped);
    if (has_a || has_b)
        ToMatrix(settings, has_a && has_b ? &both : has_a ? &a : &b, matrix);
    return has_a + has_b;
}
