/* Makes calls of the Asheron's Call sequencer over made-up animations and motion tables. */
#include "replay/scenario/calls.h"
#include "retropose/memory.h"

#include <string.h>

enum {
    ANIMATIONS = 6,
    MOST_FRAMES = 8,
    STYLES = 2,
    SUBSTATES = 4,
    STATE_ROOM = 112 /* in 32-bit words */
};
#define ANIMATION_ID 0x03000010u
#define TABLE_ID     0x09000010u
#define NO_PLACE     UINT32_MAX

/* Ids as the game has them, because the class that their upper bits carry matters. */
static const uint32_t styles[STYLES] = {0x8000003D, 0x8000003C};
static const uint32_t substates[SUBSTATES] = {0x41000003, 0x45000005, 0x44000007, 0x6500000D};
static const uint32_t actions[] = {0x10000057, 0x13000087};
static const uint32_t modifiers[] = {0x20000011, 0x6500000D, 0x20000012};

/* ---- resources
 * ----------------------------------------------------------------------------------- */

static void PutFloat(RpBuffer *image, uint32_t bits) {
    RpBuffer_AppendU32(image, bits);
}

static void PutVector(RpBuffer *image, Random *random) {
    for (int i = 0; i < 3; i++)
        PutFloat(image, Value_Random(random, MAGNITUDE_UNIT));
}

static void PutFrame(RpBuffer *image, Random *random, Magnitude magnitude) {
    int32_t quaternion[4];
    uint32_t bits[4];
    for (int i = 0; i < 3; i++)
        PutFloat(image, Value_Random(random, magnitude));
    Quaternion_Unit(random, quaternion);
    Float_FromFixed30(quaternion, 4, bits);
    for (int i = 0; i < 4; i++)
        PutFloat(image, bits[i]);
}

/* Puts hooks of two types that have no payload, and of type 4, which the client skips. */
static void PutHooks(RpBuffer *image, Random *random) {
    const uint32_t count = Random_Below(random, 3);
    RpBuffer_AppendU32(image, count);
    for (uint32_t i = 0; i < count; i++) {
        RpBuffer_AppendU32(image, Random_OneIn(random, 6) ? 4 : Random_OneIn(random, 2) ? 0 : 17);
        RpBuffer_AppendU32(image, (uint32_t)Random_Between(random, -1, 1));
    }
}

static uint32_t FrameCount(uint64_t seed, uint32_t bundle, uint32_t animation) {
    Random random = Random_Start("ac animation", seed, bundle * ANIMATIONS + animation);
    return 1 + Random_Below(&random, MOST_FRAMES);
}

static void PutAnimation(RpBuffer *image, uint64_t seed, uint32_t bundle, uint32_t animation) {
    Random random = Random_Start("ac animation", seed, bundle * ANIMATIONS + animation);
    const uint32_t frames = 1 + Random_Below(&random, MOST_FRAMES);
    const bool moves = !Random_OneIn(&random, 3);
    RpBuffer_AppendU32(image, ANIMATION_ID + animation);
    RpBuffer_AppendU32(image, moves ? 3 : 2);
    RpBuffer_AppendU32(image, 1);
    RpBuffer_AppendU32(image, frames);
    for (uint32_t i = 0; moves && i < frames; i++)
        PutFrame(image, &random, MAGNITUDE_UNIT);
    for (uint32_t i = 0; i < frames; i++) {
        PutFrame(image, &random, MAGNITUDE_WORLD);
        PutHooks(image, &random);
    }
}

/* Draws a frame rate: a whole multiple of a sixteenth of a frame a second, at most 60, played
 * forwards or backwards; now and then 0. */
static uint32_t FrameRate(Random *random) {
    if (Random_OneIn(random, 12))
        return 0;
    const uint32_t rate = Float_FromInteger(Random_Between(random, 16, 960), -4);
    return Random_OneIn(random, 4) ? rate | FLOAT_SIGN : rate;
}

static void PutData(RpBuffer *image, Random *random, uint32_t key, uint32_t most) {
    const uint8_t count = (uint8_t)Random_Below(random, most + 1);
    const uint8_t bits = (uint8_t)(Random_OneIn(random, 4) ? Random_Below(random, 4) : 0);
    const uint8_t flags = (uint8_t)Random_Below(random, 4);
    const uint8_t bytes[4] = {count, bits, flags, 0};
    RpBuffer_AppendU32(image, key);
    RpBuffer_Append(image, bytes, sizeof bytes);
    for (uint8_t i = 0; i < count; i++) {
        const int32_t low = Random_Between(random, -1, MOST_FRAMES);
        RpBuffer_AppendU32(image, ANIMATION_ID + Random_Below(random, ANIMATIONS));
        RpBuffer_AppendU32(image, (uint32_t)(Random_OneIn(random, 3) ? low : 0));
        RpBuffer_AppendU32(image, (uint32_t)Random_Between(random, -1, MOST_FRAMES));
        PutFloat(image, FrameRate(random));
    }
    if (flags & 1)
        PutVector(image, random);
    if (flags & 2)
        PutVector(image, random);
}

/* Draws which entries a list has, as bits, before the list is written, because its length stands in
 * front of it. */
static uint32_t Draw(Random *random, uint32_t count, uint32_t chances) {
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < count; i++)
        drawn |= (uint32_t)!Random_OneIn(random, chances) << i;
    return drawn;
}

static uint32_t CountBits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static uint32_t Key(uint32_t style, uint32_t motion) {
    return style << 16 | (motion & 0xFFFFFF);
}

static void PutCycles(RpBuffer *image, Random *random) {
    const uint32_t drawn = Draw(random, STYLES * SUBSTATES, 5) | 1;
    RpBuffer_AppendU32(image, CountBits(drawn));
    for (uint32_t i = 0; i < STYLES * SUBSTATES; i++)
        if (drawn >> i & 1)
            PutData(image, random, Key(styles[i / SUBSTATES], substates[i % SUBSTATES]), 2);
}

static void PutModifiers(RpBuffer *image, Random *random) {
    RpBuffer_AppendU32(image, 3);
    for (int i = 0; i < 3; i++) {
        const uint32_t style = Random_OneIn(random, 2) ? styles[0] : 0;
        PutData(image, random, Key(style, modifiers[i]), 0);
    }
}

static uint32_t AnyMotion(Random *random) {
    switch (Random_Below(random, 8)) {
    case 0:
        return styles[Random_Below(random, STYLES)];
    case 1:
    case 2:
        return actions[Random_Below(random, 2)];
    case 3:
        return modifiers[Random_Below(random, 3)];
    default:
        return substates[Random_Below(random, SUBSTATES)];
    }
}

/* Puts links that lead from each substate of each style, and from any substate. Two may have the
 * same target: the first one counts. */
static void PutLinks(RpBuffer *image, Random *random) {
    const uint32_t rows = STYLES * (SUBSTATES + 1), drawn = Draw(random, rows, 4);
    RpBuffer_AppendU32(image, CountBits(drawn));
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t from = i % (SUBSTATES + 1);
        if (!(drawn >> i & 1))
            continue;
        RpBuffer_AppendU32(
            image, Key(styles[i / (SUBSTATES + 1)], from < SUBSTATES ? substates[from] : 0));
        const uint32_t count = 1 + Random_Below(random, 5);
        RpBuffer_AppendU32(image, count);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t target = AnyMotion(random);
            PutData(image, random, target, 2);
        }
    }
}

static void PutTable(RpBuffer *image, uint64_t seed, uint32_t bundle) {
    Random random = Random_Start("ac table", seed, bundle);
    RpBuffer_AppendU32(image, TABLE_ID);
    RpBuffer_AppendU32(image, styles[0]);
    RpBuffer_AppendU32(image, STYLES);
    for (int i = 0; i < STYLES; i++) {
        RpBuffer_AppendU32(image, styles[i]);
        RpBuffer_AppendU32(image, substates[Random_OneIn(&random, 4) ? 1 : 0]);
    }
    PutCycles(image, &random);
    PutModifiers(image, &random);
    PutLinks(image, &random);
}

RpStatus Ac_Make(uint64_t seed, uint32_t bundle, RpBuffer *image, RpError *error) {
    RpBuffer bodies;
    const uint32_t head = 4 + 12 * (ANIMATIONS + 1);
    RpBuffer_Init(&bodies, NULL);
    RpBuffer_AppendU32(image, ANIMATIONS + 1);
    for (uint32_t i = 0; i <= ANIMATIONS; i++) {
        const uint32_t at = (uint32_t)bodies.size;
        if (i < ANIMATIONS)
            PutAnimation(&bodies, seed, bundle, i);
        else
            PutTable(&bodies, seed, bundle);
        RpBuffer_AppendU32(image, i < ANIMATIONS ? ANIMATION_ID + i : TABLE_ID);
        RpBuffer_AppendU32(image, head + at);
        RpBuffer_AppendU32(image, (uint32_t)bodies.size - at);
    }
    RpBuffer_Append(image, bodies.bytes, bodies.size);
    RpBuffer_Free(&bodies);
    return image->failed ? RpMemory_Refused(error, "a scenario") : RP_OK;
}

/* ---- states: the words of docs/reference/sequencer.md
 * ------------------------------------------------------- */

typedef struct State {
    uint32_t words[STATE_ROOM];
    uint32_t count;
} State;

static void Put(State *state, uint32_t word) {
    state->words[state->count++] = word;
}

/* Puts a binary64 that is a whole number of sixty-fourths. */
static void PutDouble(State *state, int64_t sixtyfourths) {
    const double value = (double)sixtyfourths / 64; /* exact */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    Put(state, (uint32_t)bits);
    Put(state, (uint32_t)(bits >> 32));
}

typedef struct Node {
    uint32_t animation, framerate;
    int32_t low, high;
} Node;

static Node AnyNode(Random *random, uint64_t seed, uint32_t bundle) {
    Node node;
    const uint32_t animation = Random_Below(random, ANIMATIONS);
    const int32_t last = (int32_t)FrameCount(seed, bundle, animation) - 1;
    node.animation = ANIMATION_ID + animation;
    node.framerate = FrameRate(random);
    node.low = Random_OneIn(random, 3) ? Random_Between(random, 0, last) : 0;
    node.high = Random_OneIn(random, 3) ? Random_Between(random, node.low, last) : last;
    return node;
}

static void PutNodes(State *state, const Node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Put(state, nodes[i].animation);
        Put(state, nodes[i].framerate);
        Put(state, nodes[i].framerate);
        Put(state, (uint32_t)nodes[i].low);
        Put(state, (uint32_t)nodes[i].high);
    }
}

static void PutListed(State *state, Random *random, const uint32_t *ids, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Put(state, ids[i]);
        Put(state, Float_FromInteger(Random_Between(random, -32, 32), -4));
    }
}

static uint32_t Quirks(Random *random) {
    return Random_OneIn(random, 3) ? Random_Below(random, 256) : 255;
}

static void PutCursor(State *state, Random *random, const Node *nodes, uint32_t count) {
    const uint32_t current = count ? Random_Below(random, count) : NO_PLACE;
    Put(state, count);
    Put(state, count ? Random_Between(random, 0, 2) ? count - 1 : current : NO_PLACE);
    Put(state, current);
    PutDouble(state,
              count ? Random_Between(random, 64 * nodes[current].low, 64 * nodes[current].high + 63)
                    : 0);
}

static void AnyState(Random *random, uint64_t seed, uint32_t bundle, State *state) {
    Node nodes[4];
    uint32_t listed[3] = {modifiers[0], modifiers[1], modifiers[2]};
    const uint32_t count = Random_Below(random, 5), mods = Random_Below(random, 4);
    const uint32_t acts = Random_Below(random, 3), waiting = Random_Below(random, 4);
    state->count = 0;
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = AnyNode(random, seed, bundle);
    Put(state, 1);
    PutCursor(state, random, nodes, count);
    for (int i = 0; i < 6; i++)
        Put(state, Value_Random(random, MAGNITUDE_UNIT));
    Put(state, 0);
    Put(state, 0);
    Put(state, Quirks(random));
    Put(state, !Random_OneIn(random, 8));
    Put(state, styles[Random_Below(random, STYLES)]);
    Put(state, substates[Random_Below(random, SUBSTATES)]);
    Put(state, Float_FromInteger(Random_Between(random, -32, 32), -4));
    Put(state, Random_Below(random, 3));
    Put(state, mods);
    Put(state, acts);
    Put(state, waiting);
    PutNodes(state, nodes, count);
    PutListed(state, random, listed, mods);
    listed[0] = actions[0];
    listed[1] = actions[1];
    PutListed(state, random, listed, acts);
    for (uint32_t i = 0; i < waiting; i++) {
        Put(state, AnyMotion(random));
        Put(state, Random_Below(random, 4));
    }
    while (state->count < STATE_ROOM)
        Put(state, 0);
}

/* ---- calls
 * ---------------------------------------------------------------------------------------- */

/* Puts a time step of at most one second in units of 1/1024: forwards, now and then backwards,
 * or 0. */
static void PutQuantum(Random *random, ScenarioCall *call) {
    uint32_t words[2];
    const int32_t most = Random_OneIn(random, 4) ? 64 : 6;
    const int32_t coarse = Random_Between(random, -most / 8, most);
    const uint32_t fine = Random_Below(random, 16);
    const double value = (double)coarse / 64 + (double)fine / 1024; /* exact */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    words[0] = (uint32_t)bits;
    words[1] = (uint32_t)(bits >> 32);
    Call_Words(call, words, 2);
}

static void PutOffset(Random *random, ScenarioCall *call) {
    const bool identity = Random_OneIn(random, 2);
    int32_t quaternion[4];
    uint32_t bits[4];
    for (int i = 0; i < 3; i++) {
        const uint32_t value = Value_Random(random, MAGNITUDE_WORLD);
        Call_Word(call, identity ? 0 : value);
    }
    Quaternion_Unit(random, quaternion);
    Float_FromFixed30(quaternion, 4, bits);
    for (int i = 0; i < 4; i++)
        Call_Word(call, identity ? (i == 0 ? FLOAT_ONE : 0) : bits[i]);
}

static void PutUpdate(Random *random, uint32_t bundle, const State *state, ScenarioCall *call) {
    Call_Begin(call, "ac.update");
    Call_Reference(call, MEMORY_AC + bundle, 0);
    PutQuantum(random, call);
    Call_Word(call, STATE_ROOM);
    Call_Words(call, state->words, STATE_ROOM);
    PutOffset(random, call);
}

static void PutPerform(Random *random, uint32_t bundle, const State *state, ScenarioCall *call) {
    static const uint32_t commands[] = {2, 2, 2, 2, 4, 5};
    Call_Begin(call, "ac.perform_movement");
    Call_Reference(call, MEMORY_AC + bundle, 0);
    Call_Word(call, Random_OneIn(random, 64) ? 0 : TABLE_ID);
    Call_Word(call, commands[Random_Below(random, 6)]);
    Call_Word(call, AnyMotion(random));
    Call_Word(call, Float_FromInteger(Random_Between(random, -24, 48), -4));
    Call_Word(call, STATE_ROOM);
    Call_Words(call, state->words, STATE_ROOM);
}

/* Each 64 calls in a row use one set of resources, so that a reader parses it once. */
void Ac_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    const uint32_t bundle = (uint32_t)(index / 64 % CORPUS_ACS);
    State state;
    AnyState(&random, context->seed, bundle, &state);
    if (Random_OneIn(&random, 2))
        PutUpdate(&random, bundle, &state, call);
    else
        PutPerform(&random, bundle, &state, call);
}
