/* The types of hooks, their payloads, and the points in which public readers disagree about them
 * (facts/ac-sequencer.md A.2). */
#include "siblings/sequencer/hook.h"

#include "core/bytes.h"

#define PART                                                                                       \
    { "part", RP_AC_U32, 0 }
#define RAMP(at)                                                                                   \
    {"start", RP_AC_F32, at}, {"end", RP_AC_F32, (at) + 4}, {                                      \
        "time", RP_AC_F32, (at) + 8                                                                \
    }
#define AT(at)                                                                                     \
    {"x", RP_AC_F32, at}, {"y", RP_AC_F32, (at) + 4}, {                                            \
        "z", RP_AC_F32, (at) + 8                                                                   \
    }

typedef struct HookType {
    const char *name;
    uint32_t bytes; /* bytes of the payload without padding; those of ReplaceObject vary */
    unsigned count;
    RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
} HookType;

#define PARTICLE                                                                                   \
    40, 10, {                                                                                      \
        {"emitterInfo", RP_AC_U32, 0}, {"part", RP_AC_U32, 4}, AT(8), {"qw", RP_AC_F32, 20},       \
            {"qx", RP_AC_F32, 24}, {"qy", RP_AC_F32, 28}, {"qz", RP_AC_F32, 32},                   \
            {"emitter", RP_AC_U32, 36},                                                            \
    }

static const HookType types[RP_AC_HOOK_TYPES] = {
    {"NoOp", 0, 0, {{0}}},
    {"Sound", 4, 1, {{"wave", RP_AC_U32, 0}}},
    {"SoundTable", 4, 1, {{"sound", RP_AC_U32, 0}}},
    {"Attack",
     28,
     7,
     {PART,
      {"leftX", RP_AC_F32, 4},
      {"leftY", RP_AC_F32, 8},
      {"rightX", RP_AC_F32, 12},
      {"rightY", RP_AC_F32, 16},
      {"radius", RP_AC_F32, 20},
      {"height", RP_AC_F32, 24}}},
    {"AnimationDone", 0, 0, {{0}}},
    {"ReplaceObject", 0, 2, {{"part", RP_AC_U8, 0}, {"object", RP_AC_PACKED_ID, 1}}},
    {"Ethereal", 4, 1, {{"ethereal", RP_AC_I32, 0}}},
    {"TransparentPart", 16, 4, {PART, RAMP(4)}},
    {"Luminous", 12, 3, {RAMP(0)}},
    {"LuminousPart", 16, 4, {PART, RAMP(4)}},
    {"Diffuse", 12, 3, {RAMP(0)}},
    {"DiffusePart", 16, 4, {PART, RAMP(4)}},
    {"Scale", 8, 2, {{"end", RP_AC_F32, 0}, {"time", RP_AC_F32, 4}}},
    {"CreateParticle", PARTICLE},
    {"DestroyParticle", 4, 1, {{"emitter", RP_AC_U32, 0}}},
    {"StopParticle", 4, 1, {{"emitter", RP_AC_U32, 0}}},
    {"NoDraw", 4, 1, {{"noDraw", RP_AC_I32, 0}}},
    {"DefaultScript", 0, 0, {{0}}},
    {"DefaultScriptPart", 4, 1, {PART}},
    {"CallPES", 8, 2, {{"script", RP_AC_U32, 0}, {"pause", RP_AC_F32, 4}}},
    {"Transparent", 12, 3, {RAMP(0)}},
    {"SoundTweaked",
     16,
     4,
     {{"wave", RP_AC_U32, 0},
      {"probability", RP_AC_F32, 4},
      {"priority", RP_AC_F32, 8},
      {"volume", RP_AC_F32, 12}}},
    {"SetOmega", 12, 3, {AT(0)}},
    {"TextureVelocity", 8, 2, {{"u", RP_AC_F32, 0}, {"v", RP_AC_F32, 4}}},
    {"TextureVelocityPart", 12, 3, {PART, {"u", RP_AC_F32, 4}, {"v", RP_AC_F32, 8}}},
    {"SetLight", 4, 1, {{"on", RP_AC_I32, 0}}},
    {"CreateBlockingParticle", PARTICLE},
};

const char *RpAcHook_Name(uint32_t type) {
    return type < RP_AC_HOOK_TYPES ? types[type].name : NULL;
}

uint32_t RpAcHook_Fields(uint32_t type, uint32_t readings, RpAcHookField *fields) {
    if (type >= RP_AC_HOOK_TYPES)
        return 0;
    for (unsigned i = 0; i < types[type].count; i++)
        fields[i] = types[type].fields[i];
    if (type == RP_AC_HOOK_REPLACE_OBJECT && (readings & RP_AC_REPLACE_U16)) {
        fields[0].kind = RP_AC_U16;
        fields[1].offset = 2;
    }
    if (type == RP_AC_HOOK_SOUND_TWEAKED && (readings & RP_AC_TWEAKED_SWAPPED)) {
        fields[1].name = "priority";
        fields[2].name = "probability";
    }
    return types[type].count;
}

/* Returns the size of the payload, which ends with a packed id of 2 or 4 bytes. The client tells
 * them apart by the id's top bit, which is in the second of its bytes. The other reading differs
 * only for ids that no reader has seen there. */
static uint32_t ReplaceObjectBytes(const uint8_t *payload, size_t left) {
    return left >= 3 && payload[2] & 0x80 ? 5 : 3;
}

uint32_t Hook_PayloadBytes(uint32_t type, const uint8_t *payload, size_t left) {
    const uint32_t bytes =
        type == RP_AC_HOOK_REPLACE_OBJECT ? ReplaceObjectBytes(payload, left) : types[type].bytes;
    return (bytes + 3) & ~3u;
}

uint32_t Hook_UsedBytes(const RpAcHook *hook) {
    return hook->type == RP_AC_HOOK_REPLACE_OBJECT ? ReplaceObjectBytes(hook->payload, hook->size)
                                                   : types[hook->type].bytes;
}
