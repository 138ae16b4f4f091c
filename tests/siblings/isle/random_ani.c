#include "random_ani.h"

#include "replay/scenario/values.h"

#include <string.h>

enum { MOST_NODES = 12, MOST_KEYS = 10 };

static float FromBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Draws the next key's time. Times rise or stay the same. In one track of eight they may fall: what
 * a search finds there depends on where it begins. */
static uint32_t NextTime(Random *random, uint32_t time, bool falls) {
    const uint32_t step = Random_Below(random, 400);
    if (falls && Random_OneIn(random, 3))
        return time > step ? time - step : 0;
    return Random_OneIn(random, 8) ? time : time + step;
}

static uint8_t Flags(Random *random) {
    return (uint8_t)(Random_OneIn(random, 3) ? Random_Below(random, 8) : RP_ANI_ACTIVE);
}

/* Keeps numbers so small that nothing overflows. Otherwise NaNs arise, and which of two NaNs an
 * operation gives is not part of the sampler. */
static Magnitude SafeMagnitude(Random *random, Magnitude usual) {
    static const Magnitude others[] = {MAGNITUDE_UNIT, MAGNITUDE_WORLD, MAGNITUDE_INTEGER,
                                       MAGNITUDE_SMALL, MAGNITUDE_TINY};
    return Random_OneIn(random, 4) ? others[Random_Below(random, sizeof others / sizeof *others)]
                                   : usual;
}

static void PutNumbers(Random *random, uint32_t count, RpAniKey *key) {
    const Magnitude magnitude = SafeMagnitude(random, MAGNITUDE_WORLD);
    for (uint32_t i = 0; i < count; i++)
        key->value[i] = FromBits(Value_Random(random, magnitude));
}

/* Puts scales near 1, in units of 1/1024, and now and then exactly 1, which has no effect. */
static void PutScale(Random *random, RpAniKey *key) {
    for (int i = 0; i < 3; i++)
        key->value[i] = FromBits(Float_FromInteger(
            Random_OneIn(random, 3) ? 1024 : Random_Between(random, 256, 2048), -10));
}

/* Puts unit quaternions that are unrelated to the last one, near it, or opposite to it, so that
 * each branch of slerp is taken. */
static void PutRotation(Random *random, int32_t last[4], RpAniKey *key) {
    int32_t next[4];
    uint32_t bits[4];
    if (Random_OneIn(random, 2)) {
        Quaternion_Unit(random, next);
    } else {
        const int32_t sine = Quaternion_Sine(random);
        const uint32_t direction = Random_Below(random, 3);
        Quaternion_Turned(last, direction, sine, next);
    }
    if (Random_OneIn(random, 3))
        for (int i = 0; i < 4; i++)
            next[i] = -next[i];
    memcpy(last, next, sizeof next);
    Float_FromFixed30(next, 4, bits);
    for (int i = 0; i < 4; i++)
        key->value[i] = FromBits(bits[i]);
}

static RpStatus AddTrack(Random *random, RpAni *ani, uint32_t node, RpAniTrackKind kind,
                         uint32_t least) {
    RpAniKey keys[MOST_KEYS];
    const uint32_t count = least + Random_Below(random, MOST_KEYS + 1 - least);
    const bool falls = Random_OneIn(random, 8);
    uint32_t time = Random_Below(random, 300);
    int32_t rotation[4];
    Quaternion_Unit(random, rotation);
    memset(keys, 0, sizeof keys);
    for (uint32_t i = 0; i < count; i++) {
        keys[i].time = time;
        keys[i].flags = Flags(random);
        if (kind == RP_ANI_ROTATION)
            PutRotation(random, rotation, &keys[i]);
        else if (kind == RP_ANI_SCALE)
            PutScale(random, &keys[i]);
        else if (kind == RP_ANI_MORPH)
            keys[i].visible = (uint8_t)Random_Below(random, 3);
        else if (kind == RP_ANI_ROLL)
            keys[i].value[0] = FromBits(Value_Random(random, MAGNITUDE_UNIT));
        else
            PutNumbers(random, 3, &keys[i]);
        time = NextTime(random, time, falls);
    }
    return RpAni_SetKeys(ani, node, kind, keys, count, NULL);
}

static RpStatus AddCamera(Random *random, RpAni *ani) {
    RpStatus status = AddTrack(random, ani, 0, RP_ANI_EYE, 0);
    if (!status)
        status = AddTrack(random, ani, 0, RP_ANI_TARGET, 1);
    return status ? status : AddTrack(random, ani, 0, RP_ANI_ROLL, 0);
}

static RpStatus AddNode(Random *random, RpAni *ani) {
    char name[8] = "node_a";
    const uint32_t above = ani->node_count ? Random_Below(random, ani->node_count) : RP_ANI_NO_NODE;
    uint32_t node;
    name[5] = (char)('a' + ani->node_count);
    RpStatus status = RpAni_AddNode(ani, above, name, SIZE_MAX, &node, NULL);
    for (int kind = 0; !status && kind < RP_ANI_NODE_TRACKS; kind++)
        if (!Random_OneIn(random, 3))
            status = AddTrack(random, ani, node, (RpAniTrackKind)kind, 1);
    return status;
}

bool RandomAni_Build(uint32_t number, RpAni *ani) {
    Random random = Random_Start("ani file", 2001, number);
    const uint32_t nodes = 1 + Random_Below(&random, MOST_NODES);
    RpStatus status = RP_OK;
    RpAni_Init(ani, NULL);
    ani->duration = 3000;
    while (!status && ani->node_count < nodes)
        status = AddNode(&random, ani);
    if (!status && !Random_OneIn(&random, 4))
        status = AddCamera(&random, ani);
    return status == RP_OK;
}
