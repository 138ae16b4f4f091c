#include "animesh/records.h"
#include "draw.h"
#include "formats/synthetic/synthetic_streams.h"
#include "retropose/pose.h"
#include "sections.h"

enum { MODELS = 100, NODES = 80, KEYS_OF_NODE = 6, FRAMES = 24, TIMES = 12 };
enum { KEYS = NODES * KEYS_OF_NODE, WORDS = NODES * FRAMES };

typedef struct Model {
    uint8_t nodes[NODES * NODE_BYTES], keys[KEYS * KEY_BYTES], map[WORDS * MAP_WORD_BYTES];
    RpSkeleton skeleton;
} Model;

typedef enum Positions { ANY, TINY, ORDINARY } Positions;

/* Draws a coordinate. Tiny coordinates are next to the least normal number, so that products with
 * them underflow. */
static void DrawCoordinate(uint64_t *seed, Positions positions, float *to) {
    if (positions == TINY)
        PutBits(to, (Random_Lcg64Word(seed) & 0x807FFFFF) | (1 + DrawBelow(seed, 6)) << 23);
    else
        (positions == ANY ? DrawAny : DrawUnit)(seed, to);
}

static void DrawKey(uint64_t *seed, Positions positions, float time, RpSkeleton *skeleton) {
    RpMshKey key = {.time = time};
    for (uint32_t i = 0; i < 3; i++)
        DrawCoordinate(seed, positions, &key.position[i]);
    for (uint32_t i = 0; i < 4; i++)
        key.rotation[i] = (int16_t)(DrawBelow(seed, 12) ? Random_Lcg64Word(seed) & 0xFFFF
                                                        : DrawBelow(seed, 3) - 1);
    SyntheticSkeleton_AddKey(skeleton, &key);
}

/* Draws a model whose nodes have a key every few frames. Some models have numbers of every kind, or
 * tiny ones, or words of the map that lead astray. */
static void DrawModel(uint64_t *seed, Model *model) {
    const uint32_t kind = DrawBelow(seed, 6);
    const Positions positions = kind < TINY ? ANY : kind == TINY ? TINY : ORDINARY;
    const int straight = DrawBelow(seed, 4) != 0;
    RpSkeleton *skeleton = &model->skeleton;
    memset(model->nodes, 0xFF, sizeof model->nodes);
    *skeleton = (RpSkeleton){
        .nodes = model->nodes, .keys = model->keys, .frame_map = model->map, .frame_count = FRAMES};
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t first = node * KEYS_OF_NODE, last = first + KEYS_OF_NODE - 1;
        const uint32_t parent = node ? DrawBelow(seed, node) : 0xFFFF;
        SyntheticSkeleton_AddNode(skeleton, 0xFFFF, parent, node * FRAMES, last);
        for (uint32_t key = 0; key < KEYS_OF_NODE; key++)
            DrawKey(seed, positions, (float)(key * 5), skeleton);
        for (uint32_t frame = 0; frame < FRAMES; frame++)
            SyntheticSkeleton_AddWord(skeleton, straight || DrawBelow(seed, 50)
                                                    ? first + frame / 5
                                                    : Random_Lcg64Word(seed) & 0xFFFF);
    }
}

static void DrawTime(uint64_t *seed, float *t) {
    static const float odd[] = {0, 5, 10, 25, 26, -1, 0x1p31f, 0x1p32f, 0x1p63f, 2.5f, 0x1p-140f};
    switch (DrawBelow(seed, 8)) {
    case 0:
        *t = odd[DrawBelow(seed, sizeof odd / sizeof *odd)];
        return;
    case 1:
        DrawAny(seed, t);
        return;
    default:
        *t = (float)(Random_Lcg64Word(seed) >> 8) * 0x1p-24f * 27;
    }
}

typedef struct PoseDigests {
    Digest sample, blend, skeleton;
} PoseDigests;

static void PoseAt(PoseDigests *digests, const RpArithmetic *arithmetic, const Model *model,
                   uint64_t *seed) {
    static float local[NODES][16], space[NODES][16];
    float a, b, weight, quaternion[4], position[3], matrix[16];
    DrawTime(seed, &a);
    DrawTime(seed, &b);
    weight = DrawBelow(seed, 8) ? (float)(Random_Lcg64Word(seed) >> 8) * 0x1p-24f
                                : (float)DrawBelow(seed, 2);
    for (uint32_t node = DrawBelow(seed, 8); node < NODES; node += 8) {
        RpPose_Sample(&model->skeleton, arithmetic, node, a, quaternion, position, NULL);
        AddNumbers(&digests->sample, quaternion, 4);
        AddNumbers(&digests->sample, position, 3);
        RpPose_Blend(&model->skeleton, arithmetic, node, a, b, weight, matrix, NULL);
        AddNumbers(&digests->blend, matrix, 16);
    }
    RpPose_Skeleton(&model->skeleton, arithmetic, a, b, weight, (int)DrawBelow(seed, 2), local,
                    space, NULL, NULL);
    AddNumbers(&digests->skeleton, local[0], NODES * 16);
    AddNumbers(&digests->skeleton, space[0], NODES * 16);
}

static void PrintBuild(const char *section, RpBuild build) {
    static Model model;
    const char *name = RpBuild_Name(build);
    const Digest none = {0, HASH_FNV64_BEGIN};
    PoseDigests digests = {none, none, none};
    const RpArithmetic arithmetic = {.build = build};
    uint64_t seed = 2;
    for (int i = 0; i < MODELS; i++) {
        DrawModel(&seed, &model);
        for (int k = 0; k < TIMES; k++)
            PoseAt(&digests, &arithmetic, &model, &seed);
    }
    Digest_Print(section, name, "sample", "exact", &digests.sample);
    Digest_Print(section, name, "blend", "exact", &digests.blend);
    Digest_Print(section, name, "skeleton", "exact", &digests.skeleton);
}

void Poses_Print(const char *section) {
    PrintBuild(section, RP_BUILD_GENERIC);
    PrintBuild(section, RP_BUILD_SSE);
}
