#include "random_ac.h"

#include "core/random.h"

#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

uint32_t RandomAc_Below(RandomAc *random, uint32_t count) {
    return Random_Lcg64Below(&random->state, count);
}

bool RandomAc_Chance(RandomAc *random, uint32_t percent) {
    return RandomAc_Below(random, 100) < percent;
}

/* The result is a multiple of 1/1024 of the range. */
float RandomAc_Float(RandomAc *random, float low, float high) {
    return low + (high - low) * (float)RandomAc_Below(random, 1025) / 1024;
}

float RandomAc_Rate(RandomAc *random) {
    static const float odd[] = {0, -0.0f, 0.0002f, -0.0002f, 0.0003f, -0.5f, 1000};
    if (RandomAc_Chance(random, 15))
        return odd[RandomAc_Below(random, sizeof odd / sizeof *odd)];
    if (RandomAc_Chance(random, 50))
        return RandomAc_Chance(random, 70) ? 30.0f : -30.0f;
    return RandomAc_Float(random, -40, 70);
}

float RandomAc_Speed(RandomAc *random) {
    static const float odd[] = {0, -1, -0.65f, 1.5f, 0.0001f, 2, -2.25f};
    return RandomAc_Chance(random, 55) ? 1 : odd[RandomAc_Below(random, sizeof odd / sizeof *odd)];
}

double RandomAc_Quantum(RandomAc *random) {
    static const double odd[] = {0, 0.0001, 0.25, 0.5, 1.0, -1.0 / 30, -0.3, 2.5};
    static const double usual = 1.0 / 30;
    if (RandomAc_Chance(random, 40))
        return usual;
    if (RandomAc_Chance(random, 30))
        return odd[RandomAc_Below(random, sizeof odd / sizeof *odd)];
    return (double)RandomAc_Below(random, 100000) / 524288; /* exact */
}

/* ---- animations ------------------------------------------------------------------------------ */

static void PutFloats(RpBuffer *image, const float *values, int count) {
    RpBuffer_Append(image, values, (size_t)count * 4);
}

/* The rotation is one of a dozen, whose lengths differ from 1 only by rounding. */
static void PutFrame(RpBuffer *image, RandomAc *random) {
    static const float turns[][4] = {
        {1, 0, 0, 0},       {0.6f, 0.8f, 0, 0},       {0.6f, 0, -0.8f, 0},
        {0, 0.6f, 0, 0.8f}, {0.5f, 0.5f, 0.5f, 0.5f}, {0.8f, 0, 0, -0.6f},
        {0, 0, 0, 1}};
    float origin[3];
    for (int i = 0; i < 3; i++)
        origin[i] = RandomAc_Float(random, -2, 2);
    PutFloats(image, origin, 3);
    PutFloats(image, turns[RandomAc_Below(random, sizeof turns / sizeof *turns)], 4);
}

static void PutHook(RpBuffer *image, RandomAc *random) {
    static const struct {
        uint32_t type, words;
    } types[] = {{0, 0}, {1, 1}, {3, 7}, {4, 0}, {5, 1}, {12, 2}, {13, 10}, {21, 4}, {26, 10}};
    const uint32_t i = RandomAc_Below(random, sizeof types / sizeof *types);
    RpBuffer_AppendU32(image, types[i].type);
    RpBuffer_AppendU32(image, RandomAc_Below(random, 3) - 1);
    for (uint32_t word = 0; word < types[i].words; word++)
        RpBuffer_AppendU32(image, types[i].type == 5
                                      ? 0x00123401
                                      : (uint32_t)(Random_Lcg64(&random->state) >> 33));
}

static void MakeAnimation(RpBuffer *image, RandomAc *random, uint32_t id) {
    const uint32_t frames = 1 + RandomAc_Below(random, RandomAc_Chance(random, 30) ? 3 : 12);
    const uint32_t parts = RandomAc_Below(random, 3), flags = RandomAc_Below(random, 4);
    RpBuffer_AppendU32(image, id);
    RpBuffer_AppendU32(image, flags);
    RpBuffer_AppendU32(image, parts);
    RpBuffer_AppendU32(image, frames);
    for (uint32_t i = 0; (flags & 1) && i < frames; i++)
        PutFrame(image, random);
    for (uint32_t i = 0; i < frames; i++) {
        const uint32_t hooks = RandomAc_Chance(random, 60) ? 1 + RandomAc_Below(random, 3) : 0;
        for (uint32_t part = 0; part < parts; part++)
            PutFrame(image, random);
        RpBuffer_AppendU32(image, hooks);
        for (uint32_t hook = 0; hook < hooks; hook++)
            PutHook(image, random);
    }
}

/* ---- motion tables --------------------------------------------------------------------------- */

static const uint32_t styles[] = {0x8000003C, 0x8000003D, 0x8000003E};
static const uint32_t motions[] = {
    0x41000003, 0x41000003, 0x45000005, 0x44000007, 0x6500000D, 0x6500000F, 0x20000011, 0x20000012,
    0x10000062, 0x13000087, 0x70000021, 0x8000003C, 0x8000003D, 0x8000003E, 0xC1000022, 0x30000023};
enum { STYLES = 3, MOTIONS = sizeof motions / sizeof *motions };

uint32_t RandomAc_Motion(RandomAc *random) {
    return RandomAc_Chance(random, 2) ? 0x41000777 : motions[RandomAc_Below(random, MOTIONS)];
}

RpAcAnimRef RandomAc_Ref(RandomAc *random) {
    RpAcAnimRef ref = {0x03000001 + RandomAc_Below(random, RANDOM_ANIMATIONS), 0, -1, 0};
    if (RandomAc_Chance(random, 3))
        ref.animation = RandomAc_Chance(random, 50) ? 0 : 0x03009999;
    if (RandomAc_Chance(random, 40)) {
        ref.low = (int32_t)RandomAc_Below(random, 16) - 2;
        ref.high = (int32_t)RandomAc_Below(random, 16) - 2;
    }
    ref.framerate = RandomAc_Rate(random);
    return ref;
}

static void PutData(RpBuffer *image, RandomAc *random, uint32_t key) {
    uint32_t refs = 1;
    if (RandomAc_Chance(random, 25))
        refs = RandomAc_Below(random, 5); /* 0 means physics alone */
    refs -= refs == 1 && RandomAc_Chance(random, 5);
    const uint32_t flags = RandomAc_Below(random, 4);
    const uint8_t head[4] = {(uint8_t)refs,
                             (uint8_t)(RandomAc_Chance(random, 25) ? RandomAc_Below(random, 4) : 0),
                             (uint8_t)flags, 0};
    RpBuffer_AppendU32(image, key);
    RpBuffer_Append(image, head, 4);
    for (uint32_t i = 0; i < refs; i++) {
        const RpAcAnimRef ref = RandomAc_Ref(random);
        RpBuffer_Append(image, &ref, sizeof ref);
    }
    for (uint32_t i = 0; i < 3 * ((flags & 1) + (flags >> 1)); i++) {
        const float value = RandomAc_Float(random, -3, 3);
        PutFloats(image, &value, 1);
    }
}

/* The file has the count in front of the elements, so it is written when the list is complete. */
static void CloseList(RpBuffer *image, size_t at, uint32_t count) {
    memcpy(image->bytes + at, &count, 4);
}

static size_t OpenList(RpBuffer *image) {
    RpBuffer_AppendU32(image, 0);
    return image->size - 4;
}

static void PutCycles(RpBuffer *image, RandomAc *random) {
    const size_t at = OpenList(image);
    uint32_t count = 0;
    for (int style = 0; style < STYLES; style++)
        for (int i = 0; i < MOTIONS; i++)
            if (i == 0 || ((motions[i] & RP_AC_SUBSTATE) && RandomAc_Chance(random, 80))) {
                PutData(image, random, RpAc_Key(styles[style], motions[i]));
                count++;
            }
    CloseList(image, at, count);
}

static void PutModifiers(RpBuffer *image, RandomAc *random) {
    const size_t at = OpenList(image);
    uint32_t count = 0;
    for (int i = 0; i < MOTIONS; i++)
        for (int style = -1; style < STYLES; style++)
            if ((motions[i] & RP_AC_MODIFIER) && RandomAc_Chance(random, style < 0 ? 60 : 20)) {
                PutData(image, random, RpAc_Key(style < 0 ? 0 : styles[style], motions[i]));
                count++;
            }
    CloseList(image, at, count);
}

static void PutLinks(RpBuffer *image, RandomAc *random) {
    const size_t at = OpenList(image);
    uint32_t tables = 0;
    for (int style = 0; style < STYLES; style++)
        for (int from = -1; from < MOTIONS; from++) {
            if (!RandomAc_Chance(random, 60))
                continue;
            RpBuffer_AppendU32(image, RpAc_Key(styles[style], from < 0 ? 0 : motions[from]));
            const size_t inner = OpenList(image);
            uint32_t count = 0;
            for (int to = 0; to < MOTIONS; to++)
                if (RandomAc_Chance(random, 35)) {
                    PutData(image, random, motions[to]);
                    count++;
                }
            CloseList(image, inner, count);
            tables++;
        }
    CloseList(image, at, tables);
}

static void MakeTable(RpBuffer *image, RandomAc *random) {
    RpBuffer_AppendU32(image, 0x09000001);
    RpBuffer_AppendU32(image, RandomAc_Chance(random, 97) ? 0x8000003D : 0x80000099);
    RpBuffer_AppendU32(image, STYLES);
    for (int i = 0; i < STYLES; i++) {
        RpBuffer_AppendU32(image, styles[i]);
        RpBuffer_AppendU32(image, RandomAc_Chance(random, 80) ? motions[0] : motions[4]);
    }
    PutCycles(image, random);
    PutModifiers(image, random);
    PutLinks(image, random);
}

/* ---- a world --------------------------------------------------------------------------------- */

bool RandomAcWorld_Make(RandomAcWorld *world, RandomAc *random) {
    bool fine = true;
    memset(world, 0, sizeof *world);
    for (uint32_t i = 0; i < RANDOM_ANIMATIONS; i++) {
        RpBuffer *image = &world->images[i];
        RpBuffer_Init(image, NULL);
        MakeAnimation(image, random, 0x03000001 + i);
        fine = fine && RpAcAnimation_Read(image->bytes, image->size, RP_STRICT, NULL,
                                          &world->animations[i], NULL) == RP_OK;
    }
    RpBuffer_Init(&world->table_image, NULL);
    MakeTable(&world->table_image, random);
    return fine && RpAcMotionTable_Read(world->table_image.bytes, world->table_image.size,
                                        RP_TOLERANT, NULL, &world->table, NULL) == RP_OK;
}

void RandomAcWorld_Free(RandomAcWorld *world) {
    for (uint32_t i = 0; i < RANDOM_ANIMATIONS; i++) {
        RpAcAnimation_Free(&world->animations[i]);
        RpBuffer_Free(&world->images[i]);
    }
    RpAcMotionTable_Free(&world->table);
    RpBuffer_Free(&world->table_image);
}

static const RpAcAnimation *Find(void *context, uint32_t id) {
    const RandomAcWorld *world = context;
    const uint32_t place = id - 0x03000001;
    return place < RANDOM_ANIMATIONS ? &world->animations[place] : NULL;
}

RpAcLibrary RandomAcWorld_Library(RandomAcWorld *world) {
    return (RpAcLibrary){Find, world};
}
