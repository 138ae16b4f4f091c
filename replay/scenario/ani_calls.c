/* Makes calls of the LEGO Island sampler over made-up animations. */
#include "replay/scenario/calls.h"
#include "retropose/ani.h"

#include <string.h>

enum { MOST_NODES = 12, MOST_KEYS = 10 };

/* ---- animations ------------------------------------------------------------------------------ */

static float FromBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Draws the next key's time. Times rise or stay the same. In one track of eight they may fall: what
 * a search finds there depends on where the last search ended. */
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
                         uint32_t least, RpError *error) {
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
    return RpAni_SetKeys(ani, node, kind, keys, count, error);
}

static RpStatus AddCamera(Random *random, RpAni *ani, RpError *error) {
    RpStatus status = AddTrack(random, ani, 0, RP_ANI_EYE, 0, error);
    if (!status)
        status = AddTrack(random, ani, 0, RP_ANI_TARGET, 1, error);
    return status ? status : AddTrack(random, ani, 0, RP_ANI_ROLL, 0, error);
}

static RpStatus AddNode(Random *random, RpAni *ani, RpError *error) {
    char name[8] = "node_a";
    const uint32_t above = ani->node_count ? Random_Below(random, ani->node_count) : RP_ANI_NO_NODE;
    uint32_t node;
    name[5] = (char)('a' + ani->node_count);
    RpStatus status = RpAni_AddNode(ani, above, name, SIZE_MAX, &node, error);
    for (int kind = 0; !status && kind < RP_ANI_NODE_TRACKS; kind++)
        if (!Random_OneIn(random, 3))
            status = AddTrack(random, ani, node, (RpAniTrackKind)kind, 1, error);
    return status;
}

static RpStatus BuildAni(uint64_t seed, uint32_t index, RpAni *ani, RpError *error) {
    Random random = Random_Start("ani file", seed, index);
    const uint32_t nodes = 1 + Random_Below(&random, MOST_NODES);
    RpStatus status = RP_OK;
    RpAni_Init(ani, NULL);
    ani->duration = 3000;
    while (!status && ani->node_count < nodes)
        status = AddNode(&random, ani, error);
    if (!status && !Random_OneIn(&random, 4))
        status = AddCamera(&random, ani, error);
    return status;
}

RpStatus Ani_Make(uint64_t seed, uint32_t index, RpBuffer *image, RpError *error) {
    RpAni ani;
    RpStatus status = BuildAni(seed, index, &ani, error);
    if (!status)
        status = RpAni_Write(&ani, image, error);
    RpAni_Free(&ani);
    return status;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Returns the animation of this index, or null with context->status set. */
static const RpAni *FindAni(ScenarioContext *context, uint32_t index) {
    RpAni *ani = &context->anis[index];
    if (ani->node_count == 0)
        context->status = BuildAni(context->seed, index, ani, context->error);
    return context->status ? NULL : ani;
}

static uint32_t KeyTime(Random *random, const RpAniTrack *tracks, uint32_t count) {
    const RpAniTrack *track = &tracks[Random_Below(random, count)];
    const uint32_t time = track->count ? track->keys[Random_Below(random, track->count)].time : 0;
    return Float_Step(Float_FromInteger(time, 0), Random_Between(random, -1, 1));
}

static uint32_t SpecialTime(Random *random) {
    const uint32_t time = Value_Special(random);
    return Float_IsNaN(time) ? FLOAT_INFINITY : time;
}

static uint32_t AnyTime(Random *random, const RpAniTrack *tracks, uint32_t count) {
    switch (Random_Below(random, 8)) {
    case 0:
    case 1:
        return KeyTime(random, tracks, count);
    case 2:
        return SpecialTime(random);
    case 3: /* a time between two milliseconds */
        return Float_FromInteger(Random_Between(random, -1000, 200000), -6);
    default:
        return Float_FromInteger(Random_Between(random, -20, 3300), 0);
    }
}

static void PutCursor(Random *random, const RpAniTrack *tracks, uint32_t count,
                      ScenarioCall *call) {
    const bool fresh = Random_OneIn(random, 2);
    for (uint32_t i = 0; i < count; i++)
        Call_Word(call, fresh || !tracks[i].count ? 0 : Random_Below(random, tracks[i].count));
}

/* Puts a matrix whose axes have length 1 or another one, which is how the scale of a surrounding
 * object enters. */
static void PutMatrix(Random *random, ScenarioCall *call) {
    const Magnitude magnitude = SafeMagnitude(random, MAGNITUDE_UNIT);
    const bool identity = Random_OneIn(random, 3);
    for (int i = 0; i < 16; i++) {
        const uint32_t value = i % 4 == 3 ? 0 : Value_Random(random, magnitude);
        Call_Word(call, i == 15 || (identity && i % 5 == 0) ? FLOAT_ONE : identity ? 0 : value);
    }
}

static void BeginNodeCall(Random *random, uint32_t index, bool has_policy, uint32_t node,
                          const char *key, ScenarioCall *call) {
    Call_Begin(call, key);
    Call_Reference(call, MEMORY_ANI + index, 0);
    if (has_policy)
        Call_Word(call, Random_Below(random, RP_ANI_POLICIES));
    Call_Word(call, node);
}

static void PutNodeCall(Random *random, const RpAni *ani, uint32_t index, uint32_t kind,
                        ScenarioCall *call) {
    const uint32_t node = Random_Below(random, ani->node_count);
    const RpAniTrack *tracks = ani->nodes[node].tracks;
    if (kind == 0) {
        BeginNodeCall(random, index, true, node, "ani.world", call);
        Call_Word(call, (uint32_t)Random_Between(random, -20, 3300));
        PutMatrix(random, call);
        return;
    }
    BeginNodeCall(random, index, kind != 1, node, kind == 1 ? "ani.visible" : "ani.local", call);
    Call_Word(call, AnyTime(random, tracks, RP_ANI_NODE_TRACKS));
    PutCursor(random, tracks, RP_ANI_NODE_TRACKS, call);
}

static void PutCameraCall(Random *random, const RpAni *ani, uint32_t index, ScenarioCall *call) {
    Call_Begin(call, "ani.camera");
    Call_Reference(call, MEMORY_ANI + index, 0);
    Call_Word(call, Random_Below(random, RP_ANI_POLICIES));
    Call_Word(call, AnyTime(random, ani->camera, RP_ANI_CAMERA_TRACKS));
    PutCursor(random, ani->camera, RP_ANI_CAMERA_TRACKS, call);
    PutMatrix(random, call);
}

/* Each 64 calls in a row use one animation, so that a reader parses it once. */
void Ani_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    const uint32_t file = (uint32_t)(index / 64 % CORPUS_ANIS);
    const RpAni *ani = FindAni(context, file);
    if (!ani)
        return;
    const uint32_t kind = Random_Below(&random, 6);
    if (kind == 5 && ani->has_camera)
        PutCameraCall(&random, ani, file, call);
    else
        PutNodeCall(&random, ani, file, kind, call);
}
