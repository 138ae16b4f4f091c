/* Samples nodes at one time, blends them between two, and poses them with the whole skeleton. */
#include "animesh/pose_many.h"
#include "ngi32/processor/scope.h"
#include "replay/composed/kinds.h"
#include "replay/composed/random_skeleton.h"

#include <string.h>

enum { MOST_NODES = 256, DAMAGES = 6, TIMES_OF_MODEL = 4 };

typedef struct Matrices {
    float local[MOST_NODES][16], model[MOST_NODES][16];
    RpPoseCounters counters;
} Matrices;

typedef struct Sampled {
    float quaternion[4], position[3];
} Sampled;

/* The original bytes of a model of the corpus that was damaged, so that they can be put back. */
typedef struct Damage {
    uint8_t *at[DAMAGES], before[DAMAGES];
    int count;
} Damage;

typedef struct Poses {
    Composed *composed;
    RandomSkeleton made;
    RpSkeleton skeleton;
    uint32_t nodes;
    bool ordinary;
    SkeletonTimes times;
    ComposedCall call;
    Matrices expected, found;
} Poses;

/* ---- models ---------------------------------------------------------------------------------- */

static void Spoil(Random *random, const uint8_t *stream, uint32_t size, Damage *damage) {
    if (size == 0)
        return;
    /* The stream lies in an image of ours, which is not constant. */
    uint8_t *byte = (uint8_t *)(uintptr_t)stream + Random_Below(random, size);
    damage->at[damage->count] = byte;
    damage->before[damage->count++] = *byte;
    *byte = (uint8_t)Random_Next(random);
}

/* Returns the parent of a node. A damaged parent may come after its child, which RpPose_Skeleton
 * would refuse. */
static int32_t ParentOf(const Poses *poses, uint32_t node) {
    const int32_t parent = RpSkeleton_Parent(&poses->skeleton, node);
    return parent < (int32_t)node ? parent : -1;
}

/* ---- differences ----------------------------------------------------------------------------- */

static void Differs(Poses *poses, ComposedKind kind, int path, uint32_t node, const void *found,
                    const void *expected, int words) {
    RpBuffer text;
    if (!Composed_Differs(poses->composed, kind, path, &poses->call, &text))
        return;
    RpBuffer_Print(&text, " node %u of %u", (unsigned)node, (unsigned)poses->nodes);
    Composed_PrintWords(&text, "times and weight", &poses->times, 3);
    Composed_PrintWords(&text, "found", found, words);
    Composed_PrintWords(&text, "expected", expected, words);
    Composed_Describe(poses->composed, &text);
}

static void CompareMatrices(Poses *poses, ComposedKind kind, int path) {
    for (uint32_t node = 0; node < poses->nodes; node++) {
        const Matrices *found = &poses->found, *expected = &poses->expected;
        if (memcmp(found->local[node], expected->local[node], sizeof *found->local) != 0)
            Differs(poses, kind, path, node, found->local[node], expected->local[node], 16);
        else if (memcmp(found->model[node], expected->model[node], sizeof *found->model) != 0)
            Differs(poses, kind, path, node, found->model[node], expected->model[node], 16);
    }
    if (poses->found.counters.out_of_bounds != poses->expected.counters.out_of_bounds ||
        poses->found.counters.undefined != poses->expected.counters.undefined)
        Differs(poses, kind, path, poses->nodes, &poses->found.counters, &poses->expected.counters,
                4);
}

/* ---- ways ------------------------------------------------------------------------------------ */

static void OneByOne(Poses *poses, Rounding rounding, const RpArithmetic *settings,
                     Matrices *matrices) {
    memset(&matrices->counters, 0, sizeof matrices->counters);
    Rounding_Set(rounding);
    for (uint32_t node = 0; node < poses->nodes; node++) {
        const int32_t parent = ParentOf(poses, node);
        RpPose_Blend(&poses->skeleton, settings, node, poses->times.a, poses->times.b,
                     poses->times.weight, matrices->local[node], &matrices->counters);
        if (parent < 0)
            memcpy(matrices->model[node], matrices->local[node], sizeof *matrices->model);
        else
            RpMatrix_PoseProduct(settings, matrices->model[parent], matrices->local[node],
                                 matrices->model[node]);
    }
}

static Sampled Sample(const Poses *poses, Rounding rounding, const RpArithmetic *settings,
                      uint32_t node, RpPoseCounters *counters) {
    Sampled sampled;
    Rounding_Set(rounding);
    RpPose_Sample(&poses->skeleton, settings, node, poses->times.a, sampled.quaternion,
                  sampled.position, counters);
    return sampled;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Counts the reference's poses. They prove something only if the core had no part in them. */
static void CountReference(Poses *poses, const RpPoseCounters *counters) {
    poses->composed->report->reference_by_core += counters->by_core;
}

static void CompareSamples(Poses *poses) {
    RpPoseCounters by_core = {0}, by_x87 = {0};
    for (uint32_t node = 0; node < poses->nodes; node++) {
        const Sampled found =
            Sample(poses, poses->call.rounding, &poses->call.settings, node, &by_core);
        const Sampled expected =
            Sample(poses, poses->call.reference, &poses->call.reference_settings, node, &by_x87);
        if (memcmp(&found, &expected, sizeof found) != 0)
            Differs(poses, COMPOSED_SAMPLE, COMPOSED_ONE, node, &found, &expected, 7);
    }
    CountReference(poses, &by_x87);
    Composed_Count(poses->composed, COMPOSED_SAMPLE, COMPOSED_ONE, poses->nodes, by_core.by_core);
}

/* Compares all nodes as one width poses them. `clip` may be null. */
static void CompareWidth(Poses *poses, ComposedKind kind, int width, const RpClip *clip) {
    Matrices *matrices = &poses->found;
    memset(&matrices->counters, 0, sizeof matrices->counters);
    Rounding_Set(poses->call.rounding);
    PoseContext context =
        Pose_Context(&poses->skeleton, &poses->call.settings, &matrices->counters);
    context.clip = clip;
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    const PoseMany many = PoseMany_Begin(&context, Exact_Widths()[width]);
    for (uint32_t first = 0; first < poses->nodes; first += EXACT_MANY) {
        const uint32_t rest = poses->nodes - first;
        const int count = rest < EXACT_MANY ? (int)rest : EXACT_MANY;
        float local[EXACT_MANY][16];
        int32_t parents[EXACT_MANY];
        uint64_t refused = UINT64_MAX;
        if (many.width) {
            const PoseTimes times =
                PoseTimes_Of(poses->times.a, poses->times.b, poses->times.weight);
            PoseRun run;
            PoseRun_BeginOne(&run, &poses->skeleton, many.clip);
            PoseRun_AddNodes(&run, &times, first, count);
            refused = PoseMany_Locals(&many, &run, local);
        }

        /* Nodes that the core does not take are posed one by one, as the public functions do it. */
        for (int i = 0; i < count; i++) {
            parents[i] = ParentOf(poses, first + (uint32_t)i);
            if (refused >> i & 1)
                Pose_Blend(many.context, first + (uint32_t)i, poses->times.a, poses->times.b,
                           poses->times.weight, local[i]);
        }
        memcpy(matrices->local[first], local, (size_t)count * sizeof *local);
        if (many.width && PoseMany_Models(&many, first, count, parents, (const float(*)[16])local,
                                          matrices->model))
            continue;
        for (int i = 0; i < count; i++)
            if (parents[i] < 0)
                memcpy(matrices->model[first + (uint32_t)i], local[i], sizeof *local);
            else
                RpMatrix_PoseProduct(many.context->arithmetic, matrices->model[parents[i]],
                                     local[i], matrices->model[first + (uint32_t)i]);
    }
    Arithmetic_Leave(scope);
    CompareMatrices(poses, kind, COMPOSED_FIRST_WIDTH + width);
    Composed_Count(poses->composed, kind, COMPOSED_FIRST_WIDTH + width, poses->nodes,
                   matrices->counters.by_core);
}

void Composed_Poses(Composed *composed, uint32_t calls) {
    static Poses poses; /* static because it is large; a shard is one thread */
    const Rounding before = Rounding_Get();
    const uint64_t end = composed->report->calls + calls;
    poses.composed = composed;
    Random *random = &composed->random;
    while (composed->report->calls < end) {
        /* A model of the corpus, or one that is made; every third model is damaged. */
        Damage damage = {.count = 0};
        const uint32_t choice = Random_Below(random, COMPOSED_MODELS);
        poses.ordinary = !Random_OneIn(random, 3);
        if (composed->model_count > 0 && Random_OneIn(random, 2)) {
            poses.skeleton = composed->models[choice % composed->model_count].skeleton;
            if (!poses.ordinary) {
                const RpSkeleton *skeleton = &poses.skeleton;
                Spoil(random, skeleton->nodes, skeleton->node_bytes, &damage);
                Spoil(random, skeleton->frame_map, skeleton->frame_map_bytes, &damage);
                while (damage.count < DAMAGES)
                    Spoil(random, skeleton->keys, skeleton->key_bytes, &damage);
            }
        } else {
            RandomSkeleton_Make(random, !poses.ordinary, &poses.made);
            poses.skeleton = poses.made.skeleton;
        }
        poses.nodes = RpSkeleton_NodeCount(&poses.skeleton);

        for (int i = 0; i < TIMES_OF_MODEL && poses.nodes <= MOST_NODES; i++) {
            poses.times = SkeletonTimes_Draw(random, &poses.skeleton);
            poses.call = ComposedCall_Draw(random);
            if (i % 4 == 0) {
                CompareSamples(&poses);
                composed->report->calls += poses.nodes;
            }

            /* The whole skeleton, node by node and in each width. */
            const ExactWidth *const *widths = Exact_Widths();
            OneByOne(&poses, poses.call.reference, &poses.call.reference_settings, &poses.expected);
            CountReference(&poses, &poses.expected.counters);
            OneByOne(&poses, poses.call.rounding, &poses.call.settings, &poses.found);
            CompareMatrices(&poses, COMPOSED_BLEND, COMPOSED_ONE);
            Composed_Count(composed, COMPOSED_BLEND, COMPOSED_ONE, poses.nodes,
                           poses.found.counters.by_core);
            RpClip *clip = NULL; /* a model with a damaged parent has no clip */
            RpClip_Prepare(&poses.skeleton, &poses.call.settings, NULL, &clip, NULL);
            for (int width = 0; widths[width]; width++) {
                CompareWidth(&poses, COMPOSED_SKELETON, width, NULL);
                if (clip)
                    CompareWidth(&poses, COMPOSED_CLIP, width, clip);
            }
            RpClip_Free(clip);
            composed->report->calls += poses.nodes;
            Rounding_Set(before);
        }

        while (damage.count > 0) {
            damage.count--;
            *damage.at[damage.count] = damage.before[damage.count];
        }
    }
}
