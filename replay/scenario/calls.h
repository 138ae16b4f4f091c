/* How the calls of scenarios are made; shared by the scenario_*.c files. */
#ifndef RETROPOSE_REPLAY_SCENARIO_CALLS_H
#define RETROPOSE_REPLAY_SCENARIO_CALLS_H

#include "replay/scenario/model.h"
#include "replay/scenario/values.h"
#include "replay/trace/trace.h"
#include "retropose/ani.h"

/* ---- the corpus ------------------------------------------------------------------------------ */

/* Models that poses, blends and queries run over; model 0 has the longest animation of the game's
 * own kind (ten nodes, 124 frames). */
#define CORPUS_MODELS 32
/* One more, which only the scenario `ties` draws from. */
#define CORPUS_TIES_MODEL CORPUS_MODELS
#define CORPUS_ALL_MODELS (CORPUS_MODELS + 1)
/* Small models without animation for LoadReader: all 16 sets of optional streams, in the
 * directory order of the game's files and in random ones. */
#define CORPUS_LOADER_MODELS 64

/* The specification of a model; the same for the same seed. */
void Corpus_Spec(uint64_t seed, uint32_t model, ModelSpec *spec);
void Corpus_LoaderSpec(uint64_t seed, uint32_t model, ModelSpec *spec);
/* Gives the model of `ties` rotations at right angles. */
void Corpus_PutRightAngles(uint64_t seed, ModelImage *image);

/* ---- polygons for mrnPointInPoly ------------------------------------------------------------- */

#define POLYGON_POOLS        16
#define POLYGONS_OF_POOL     16
#define POLYGON_MAX_VERTICES 12
#define POLYGON_POOL_BYTES   (POLYGONS_OF_POOL * POLYGON_MAX_VERTICES * 12)

typedef struct Polygon {
    uint32_t count;
    uint32_t vertices[POLYGON_MAX_VERTICES][3]; /* binary32 */
    uint32_t centre[3];
    uint32_t plane[4];
} Polygon;

/* Pool 15 is not of polygons but of special values. */
void Polygon_Make(uint64_t seed, uint32_t pool, uint32_t polygon, Polygon *result);

/* ---- animations for the sibling runtime ------------------------------------------------------ */

#define CORPUS_ANIS 48
/* Appends the file of an animation; the same for the same seed. */
RpStatus Ani_Build(uint64_t seed, uint32_t index, RpBuffer *image, RpError *error);

#define CORPUS_ACS 32
/* Appends the resources of the sequencer as exports/siblings.abi.h lays them out. */
RpStatus Ac_Build(uint64_t seed, uint32_t bundle, RpBuffer *image, RpError *error);

/* ---- a scenario being written ---------------------------------------------------------------- */

/* Memory ids. They depend on what is in the memory alone, so every slice uses the same. */
enum {
    MEMORY_POLYGONS = 0x100,      /* + pool              */
    MEMORY_IMAGE = 0x1000,        /* + 4 * model         */
    MEMORY_READER = 0x1001,       /* + 4 * model         */
    MEMORY_PIECES = 0x1002,       /* + 4 * model         */
    MEMORY_LOADER = 0x2000,       /* + loader model      */
    MEMORY_ANI = 0x2800,          /* + animation         */
    MEMORY_AC = 0x2900,           /* + resources         */
    MEMORY_MESH = 0x2A00,         /* + object            */
    MEMORY_MESH_VECTORS = 0x2B00, /* + pool              */
    MEMORY_MESH_IMAGE = 0x2C00,   /* + 2 * model; its reader behind it */
    MEMORY_IDS = 0x3000
};

struct MeshCorpus;

typedef struct ScenarioContext {
    const char *name;
    uint64_t seed;
    ModelImage models[CORPUS_ALL_MODELS]; /* made when first used */
    RpAni anis[CORPUS_ANIS];              /* likewise             */
    struct MeshCorpus *meshes;            /* scenario_meshes.h    */
    const AbiFunction *function;          /* of the call at hand, for Row_Call */
    RpError *error;
    RpStatus status; /* of making the current call: an allocation may fail */
} ScenarioContext;

/* The corpus model, or null with context->status set. */
const ModelImage *Scenario_Model(ScenarioContext *context, uint32_t model);
void Scenario_FreeModels(ScenarioContext *context);
/* Every memory that calls of numbers, poses and blends may name. */
RpStatus Scenario_WriteMemories(ScenarioContext *context, TraceWriter *writer);

#define SCENARIO_MAX_INPUTS   4096
#define SCENARIO_MAX_MEMORIES 2 /* named by one call; what they point to comes with them */

typedef struct ScenarioCall {
    const AbiFunction *function;
    uint16_t control;
    uint32_t mxcsr;
    uint32_t input_size;
    uint8_t inputs[SCENARIO_MAX_INPUTS];
    uint32_t memory_count;
    uint32_t memories[SCENARIO_MAX_MEMORIES];
} ScenarioCall;

/* Begins a call; the row must exist. The control word is the game's and MXCSR the default. */
#define SCENARIO_CONTROL 0x007Fu
#define SCENARIO_MXCSR   0x1F80u
void Call_Begin(ScenarioCall *call, const char *key);
/* Appends inputs in the order of the parameters. */
void Call_Word(ScenarioCall *call, uint32_t value);
void Call_Words(ScenarioCall *call, const uint32_t *values, uint32_t count);
void Call_Reference(ScenarioCall *call, uint32_t memory, uint32_t offset);
void Call_Null(ScenarioCall *call); /* a null reference */
void Call_Image(ScenarioCall *call, uint32_t memory);
void Call_Text(ScenarioCall *call, const char *text);
/* One of twelve control words, and an MXCSR to go with it: the game's word is the first. */
void Call_SetWord(Random *random, uint32_t word, ScenarioCall *call);

/* ---- makers: one call each ------------------------------------------------------------------- */

typedef void CallMaker(ScenarioContext *context, Random *random, ScenarioCall *call);

/* Functions of numbers alone: slots, lighting, polygon test, sine and cosine, columns. The streams
 * of `slots`, `edges`, `words` and `classes` go over the first of them, whose number never changes,
 * or every call of a seed would become another one; what joined later is called by `rows`. */
typedef struct NumericFunction {
    const char *key;
    CallMaker *make;
} NumericFunction;
extern const NumericFunction numeric_functions[];
enum { numeric_function_count = 22 };
extern const uint32_t numeric_maker_count; /* all of them */

/* SampleNode and BlendPoses of any node at any time. */
CallMaker Pose_Call, Blend_Call;
/* BlendPoses between one key of a node and the next. */
CallMaker KeyBlend_Call;
/* What decides the hypotheses of the pose walk: one piece posed, all others left out; and what may
 * clear its cache. */
CallMaker StillWalk_Call, StillPhase_Call, StillNodePhase_Call;
/* Whether BlendPoses has a valid side, and the nearest arguments with which it has one. */
bool Blend_Defined(uint32_t time_a, uint32_t time_b, uint32_t weight);
void Blend_Repair(uint32_t *time_a, uint32_t *time_b, uint32_t *weight);

/* A call of `context->function` by its signature alone, for slots that have no maker of their own:
 * numbers of all magnitudes, null references. */
CallMaker Row_Call;

/* Null when no scenario makes calls of this function. Whoever uses it sets `context->function`. */
CallMaker *Function_Maker(const AbiFunction *function);
/* Call `index` of the endless stream of one function: as the scenarios make them, with special
 * values in them, and under other control words, in turn. */
void Function_Call(ScenarioContext *context, CallMaker *make, uint64_t index, ScenarioCall *call);

/* The call at a place of the endless stream of one scenario. */
typedef void ScenarioMaker(ScenarioContext *context, uint64_t index, ScenarioCall *call);
ScenarioMaker Slots_Call, Edges_Call, Words_Call, Poses_Call, Blends_Call, Models_Call,
    Classes_Call, ControlWords_Call, Stubs_Call, Ani_Call, Ties_Call, Ac_Call, Mesh_Call,
    Table_Call, Rows_Call;

#endif
