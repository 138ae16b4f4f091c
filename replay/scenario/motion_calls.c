/* Makes calls of AniMesh over the synthetic corpus: poses, blends, queries and loading. */
#include "replay/scenario/calls.h"

/* ---- times ----------------------------------------------------------------------------------- */

/* Returns the index of the first key of the node's track in the model's pool. Tracks follow each
 * other in the order of nodes. */
static uint32_t FirstKey(const ModelImage *image, uint32_t node) {
    return node == 0 ? 0 : ModelImage_Track(image, node - 1).fallback + 1;
}

static uint32_t RandomTime(Random *random, const ModelImage *image) {
    int32_t frames = (int32_t)image->frame_count;
    if (Random_OneIn(random, 2)) /* sixteenths are exact in every step */
        return Float_FromInteger(Random_Between(random, -16, (frames + 1) * 16), -4);
    int64_t span = (int64_t)(frames + 2) << 24;
    return Float_FromInteger((int64_t)(Random_Next(random) >> 1) % span - (1 << 24), -24);
}

/* Gives whole numbers, halves (where FISTP rounds to the even neighbour), and numbers next to
 * them. */
static uint32_t TieTime(Random *random, const ModelImage *image) {
    int32_t halves = Random_Between(random, -4, (int32_t)image->frame_count * 2 + 4);
    return Float_Step(Float_FromInteger(halves, -1), Random_Between(random, -1, 1));
}

static uint32_t KeyTime(Random *random, const ModelImage *image, uint32_t node) {
    uint32_t first = FirstKey(image, node), last = ModelImage_Track(image, node).fallback;
    uint32_t key = Random_OneIn(random, 3) ? last : first + Random_Below(random, last - first + 1);
    return Float_Step(ModelImage_KeyTime(image, key), Random_Between(random, -2, 2));
}

/* Gives times past 2^31 and 2^32, where the low dword of the 64-bit frame is a valid frame
 * again, and past 2^63, where FISTP stores 0 as the low dword. */
static uint32_t FarTime(Random *random) {
    switch (Random_Below(random, 6)) {
    case 0:
        return Float_FromInteger((INT64_C(1) << 31) + 256 * Random_Between(random, -8, 8), 0);
    case 1:
        return Float_FromInteger((INT64_C(1) << 32) + 512 * Random_Between(random, -4, 4), 0);
    case 2:
        return Float_FromInteger((INT64_C(1) << 33) + 1024 * Random_Between(random, -2, 2), 0);
    case 3:
        return Float_FromInteger(Random_Between(random, 1, 1 << 20), 32);
    case 4:
        return Float_Step(Float_FromInteger(1, 63), Random_Between(random, -2, 2));
    default:
        return Float_FromInteger(-(INT64_C(1) << 32) + 512 * Random_Between(random, -4, 4), 0);
    }
}

static uint32_t AnyTime(Random *random, const ModelImage *image, uint32_t node) {
    switch (Random_Below(random, 8)) {
    case 0:
        return TieTime(random, image);
    case 1:
        return KeyTime(random, image, node);
    case 2:
        return Random_OneIn(random, 2) ? FarTime(random) : Value_Special(random);
    default:
        return RandomTime(random, image);
    }
}

/* ---- poses ----------------------------------------------------------------------------------- */

static void PutPiece(ScenarioCall *call, uint32_t model, uint32_t node) {
    Call_Reference(call, MEMORY_PIECES + 4 * model, node * MODEL_PIECE_SIZE);
}

static void PutSample(ScenarioCall *call, uint32_t model, uint32_t node, uint32_t time) {
    Call_Begin(call, "animesh.SampleNode");
    PutPiece(call, model, node);
    Call_Word(call, time);
}

void Pose_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    uint32_t model = Random_Below(random, CORPUS_MODELS);
    const ModelImage *image = Scenario_Model(context, model);
    if (!image)
        return;
    uint32_t node = Random_Below(random, image->node_count);
    PutSample(call, model, node, AnyTime(random, image, node));
}

/* Calls come in runs, each of one model and one way through its frames. A run forwards or backwards
 * goes from frame 0 to a little past the end, for one node after the other. */
#define RUN_CALLS 128
enum Way {
    WAY_FORWARD,
    WAY_BACKWARD,
    WAY_SUBFRAME,
    WAY_RANDOM,
    WAY_TIES,
    WAY_KEYS,
    WAY_SPECIAL,
    WAY_FAR,
    WAY_COUNT
};

typedef struct Run {
    enum Way way;
    uint32_t model, place, first_node, start;
    uint32_t parts; /* the parts of a frame, if the run is WAY_SUBFRAME */
} Run;

void Poses_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    uint64_t number = index / RUN_CALLS;
    Random of_run = Random_Start("runs", context->seed, number);
    Run run = {.way = (enum Way)(number % WAY_COUNT),
               .model = (uint32_t)(number / WAY_COUNT % CORPUS_MODELS),
               .place = (uint32_t)(index % RUN_CALLS)};
    run.first_node = Random_Below(&of_run, 1 << 16);
    run.start = Random_Below(&of_run, 1 << 16);
    run.parts = 2 + Random_Below(&of_run, 15);

    Random random = Random_Start(context->name, context->seed, index);
    const ModelImage *image = Scenario_Model(context, run.model);
    if (!image)
        return;
    uint32_t node = Random_Below(&random, image->node_count), time;
    switch (run.way) {
    case WAY_FORWARD:
    case WAY_BACKWARD: {
        uint32_t length = image->frame_count + 3;
        /* A run that is longer than the animation goes on with the next node. If an animation is
         * longer than a run, the run begins anywhere in it. */
        uint32_t place = run.place + (length > RUN_CALLS ? run.start % length : 0);
        node = (run.first_node + place / length) % image->node_count;
        place %= length;
        time = Float_FromInteger(run.way == WAY_FORWARD ? place : length - 1 - place, 0);
        break;
    }
    case WAY_SUBFRAME: {
        uint32_t frame = run.start % image->frame_count;
        time = Float_FromRatio((int64_t)frame * run.parts + run.place, run.parts, 0);
        break;
    }
    case WAY_TIES:
        time = TieTime(&random, image);
        break;
    case WAY_KEYS:
        time = KeyTime(&random, image, node);
        break;
    case WAY_SPECIAL:
        time = special_values[run.place % special_value_count];
        break;
    case WAY_FAR:
        time = FarTime(&random);
        break;
    default:
        time = RandomTime(&random, image);
    }
    PutSample(call, run.model, node, time);
}

/* ---- blends ---------------------------------------------------------------------------------- */

static bool SideValid(bool weight_allows, uint32_t time) {
    return weight_allows && !Float_IsNaN(time) && !Float_Less(time, 0);
}

bool Blend_Defined(uint32_t time_a, uint32_t time_b, uint32_t weight) {
    return SideValid(Float_Less(weight, FLOAT_ONE), time_a) ||
           SideValid(Float_Less(0, weight), time_b);
}

/* Repairs the times and the weight. The original's result is undefined if neither side is valid,
 * and nothing can be compared then. Therefore a weight that is NaN becomes a number, and a time
 * that the weight selects becomes a valid one. */
void Blend_Repair(uint32_t *time_a, uint32_t *time_b, uint32_t *weight) {
    if (Blend_Defined(*time_a, *time_b, *weight))
        return;
    if (Float_IsNaN(*weight))
        *weight = FLOAT_HALF;
    uint32_t *time = Float_Less(*weight, FLOAT_ONE) ? time_a : time_b;
    *time = Float_IsNaN(*time) ? FLOAT_ONE : *time & ~FLOAT_SIGN;
}

static void PutBlend(ScenarioCall *call, uint32_t model, uint32_t node, uint32_t time_a,
                     uint32_t time_b, uint32_t weight) {
    Blend_Repair(&time_a, &time_b, &weight);
    Call_Begin(call, "animesh.BlendPoses");
    PutPiece(call, model, node);
    Call_Word(call, time_a);
    Call_Word(call, time_b);
    Call_Word(call, weight);
}

/* Weights for every branch of 0x10012560, and the numbers next to its limits. */
#define WEIGHT_KINDS 16
static uint32_t WeightOfKind(Random *random, uint32_t kind) {
    static const uint32_t fixed[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x3F7FFFFF, 0x3F800000,
        0x3F800001, 0xBF800000, 0x40000000, 0x7F800000, 0xFF800000, 0x3F000000,
    };
    if (kind < sizeof fixed / sizeof *fixed)
        return fixed[kind];
    return Value_Random(random, MAGNITUDE_UNIT) & ~FLOAT_SIGN;
}

#define TIME_KINDS 12
static uint32_t TimeOfKind(Random *random, const ModelImage *image, uint32_t node, uint32_t kind) {
    static const uint32_t fixed[] = {0x00000000, 0x80000000, 0x80000001,    0xBF800000,
                                     FLOAT_NAN,  0xFF800001, FLOAT_INFINITY};
    if (kind < sizeof fixed / sizeof *fixed)
        return fixed[kind];
    if (kind == TIME_KINDS - 1)
        return FarTime(random);
    return kind == TIME_KINDS - 2 ? KeyTime(random, image, node) : RandomTime(random, image);
}

void Blend_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    uint32_t model = Random_Below(random, CORPUS_MODELS);
    const ModelImage *image = Scenario_Model(context, model);
    if (!image)
        return;
    uint32_t node = Random_Below(random, image->node_count);
    uint32_t time_a = AnyTime(random, image, node), time_b = AnyTime(random, image, node);
    PutBlend(call, model, node, time_a, time_b, WeightOfKind(random, Random_Below(random, 48)));
}

void KeyBlend_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    uint32_t model = Random_Below(random, CORPUS_MODELS);
    const ModelImage *image = Scenario_Model(context, model);
    if (!image)
        return;
    uint32_t node = Random_Below(random, image->node_count);
    uint32_t first = FirstKey(image, node), last = ModelImage_Track(image, node).fallback;
    uint32_t key = first < last ? first + Random_Below(random, last - first) : first;
    uint32_t next = key < last ? key + 1 : key;
    bool swap = Random_OneIn(random, 2);
    uint32_t weight = Value_Random(random, MAGNITUDE_UNIT) & ~FLOAT_SIGN;
    PutBlend(call, model, node, ModelImage_KeyTime(image, swap ? next : key),
             ModelImage_KeyTime(image, swap ? key : next), weight);
}

/* Every other call is an ordinary blend. The calls between go through all combinations of kinds. */
void Blends_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    if (index % 2 == 1) {
        Blend_Call(context, &random, call);
        return;
    }
    uint64_t turn = index / 2;

    const uint32_t weight_kind = (uint32_t)(turn % WEIGHT_KINDS);
    const uint32_t kind_a = (uint32_t)(turn / WEIGHT_KINDS % TIME_KINDS);
    const uint32_t kind_b = (uint32_t)(turn / WEIGHT_KINDS / TIME_KINDS % TIME_KINDS);
    uint32_t model = Random_Below(&random, CORPUS_MODELS);
    const ModelImage *image = Scenario_Model(context, model);
    if (!image)
        return;
    uint32_t node = Random_Below(&random, image->node_count);
    uint32_t time_a = TimeOfKind(&random, image, node, kind_a);
    uint32_t time_b = TimeOfKind(&random, image, node, kind_b);
    PutBlend(call, model, node, time_a, time_b, WeightOfKind(&random, weight_kind));
}

/* ---- models ---------------------------------------------------------------------------------- */

void Models_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    uint32_t model = Random_Below(&random, CORPUS_MODELS);
    const ModelImage *image = Scenario_Model(context, model);
    if (!image)
        return;
    switch (index % 4) {
    case 0:
        Call_Begin(call, "animesh.LoadReader");
        if (Random_OneIn(&random, 3))
            Call_Image(call, MEMORY_IMAGE + 4 * Random_Below(&random, CORPUS_MODELS));
        else
            Call_Image(call, MEMORY_LOADER + Random_Below(&random, CORPUS_LOADER_MODELS));
        break;
    case 1:
        Call_Begin(call, "animesh.NodeString");
        PutPiece(call, model, Random_Below(&random, image->node_count));
        break;
    default: {
        /* Any of the node's fifteen words may be asked for. A level past 4 with a low variant still
         * leads into the record, and so does a negative level with a high variant. A piece without
         * a reader gives null. */
        uint32_t nodes = image->node_count;
        bool orphan = Random_OneIn(&random, 16);
        uint32_t node = orphan ? nodes : Random_Below(&random, nodes);
        int32_t variant = Random_Between(&random, -1, 2);
        int32_t effective = variant < 0 ? (int32_t)(node % 3) : variant;
        int32_t word = Random_OneIn(&random, 4) ? Random_Between(&random, 0, 14)
                                                : effective * 5 + Random_Between(&random, 0, 4);
        Call_Begin(call, "animesh.FindSlot");
        PutPiece(call, model, node);
        Call_Word(call, (uint32_t)(word - effective * 5));
        Call_Word(call, (uint32_t)variant);
        break;
    }
    }
}
