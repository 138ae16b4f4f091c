/* What the makers of calls share: the corpus of models and other data that calls are about, the
 * call that is being put together, and the makers themselves. */
#ifndef RETROPOSE_REPLAY_SCENARIO_CALLS_H
#define RETROPOSE_REPLAY_SCENARIO_CALLS_H

#include "replay/scenario/synthetic_model.h"
#include "replay/scenario/values.h"
#include "retropose/arithmetic.h"
#include "tracefile/tracefile.h"

/* ---- the corpus ------------------------------------------------------------------------------ */

/* Poses, blends and queries run over these models. Model 0 has as many nodes and frames as the
 * longest animation of the game (ten nodes, 124 frames). */
#define CORPUS_MODELS 32
/* The number of one more model, which only the scenario `ties` uses. */
#define CORPUS_TIES_MODEL CORPUS_MODELS
#define CORPUS_ALL_MODELS (CORPUS_MODELS + 1)
/* Small models without animation for LoadReader. They have all 16 sets of optional streams, in
 * the directory order of the game's files and in random orders. */
#define CORPUS_LOADER_MODELS 64

/* Gives the specification of a model, which depends on the seed and the number alone. */
void Corpus_Spec(uint64_t seed, uint32_t model, ModelSpec *spec);
void Corpus_LoaderSpec(uint64_t seed, uint32_t model, ModelSpec *spec);
/* Replaces the rotations of the model of `ties` by ones at right angles. */
void Corpus_PutRightAngles(uint64_t seed, ModelImage *image);

/* ---- polygons for mrnPointInPoly ------------------------------------------------------------- */

#define POLYGON_POOLS        16
#define POLYGONS_OF_POOL     16
#define POLYGON_MAX_VERTICES 12
#define POLYGON_POOL_BYTES   (POLYGONS_OF_POOL * POLYGON_MAX_VERTICES * 12)

typedef struct Polygon {
    uint32_t count;
    uint32_t vertices[POLYGON_MAX_VERTICES][3]; /* the bits of binary32 */
    uint32_t centre[3];
    uint32_t plane[4];
} Polygon;

/* Makes a polygon. Pool 15 holds special values instead of polygons. */
void Polygon_Make(uint64_t seed, uint32_t pool, uint32_t polygon, Polygon *result);

/* ---- a scenario being written ---------------------------------------------------------------- */

/* Ids of memories. An id depends on the contents of the memory alone, so every slice of a
 * scenario uses the same ids. */
enum {
    MEMORY_POLYGONS = 0x100,      /* + pool              */
    MEMORY_IMAGE = 0x1000,        /* + 4 * model         */
    MEMORY_READER = 0x1001,       /* + 4 * model         */
    MEMORY_PIECES = 0x1002,       /* + 4 * model         */
    MEMORY_LOADER = 0x2000,       /* + loader model      */
    MEMORY_MESH = 0x2A00,         /* + object            */
    MEMORY_MESH_VECTORS = 0x2B00, /* + pool              */
    MEMORY_MESH_IMAGE = 0x2C00,   /* + 2 * model; its reader behind it */
    MEMORY_IDS = 0x3000
};

/* Receives the memories to which calls point. */
typedef struct ScenarioSink {
    RpStatus (*put)(void *context, const TraceMemory *memory, RpError *error);
    void *context;
} ScenarioSink;

struct MeshCorpus;

typedef struct ScenarioContext {
    const char *name;
    uint64_t seed;
    /* the calls are not those of a scenario, but of a search, which needs other inputs, too */
    bool is_search;
    ModelImage models[CORPUS_ALL_MODELS]; /* each is made when it is first used */
    struct MeshCorpus *meshes;            /* see replay/scenario/scenario_meshes.h */
    const AbiFunction *function;          /* the function of the current call, for Row_Call */
    /* indexed by the row of abi_functions; each is made when it is first asked for */
    Signature *signatures;
    RpError *error;
    RpStatus status; /* the status of making the current call, which fails if memory is short */
    /* For the scenario `words`: the call that was made last, or null, and its number among the
     * calls that differ in more than their words. */
    const struct ScenarioCall *last_made;
    uint64_t last_turn;
} ScenarioContext;

/* Returns the signature of a function, or null with context->status set. */
const Signature *Scenario_Signature(ScenarioContext *context, const AbiFunction *function);
/* Returns a model of the corpus, or null with context->status set. */
const ModelImage *Scenario_Model(ScenarioContext *context, uint32_t model);
/* Frees what the context has made: models and signatures. */
void Scenario_Free(ScenarioContext *context);
/* Writes every memory that calls with numbers, poses and blends may name. */
RpStatus Scenario_WriteMemories(ScenarioContext *context, TraceWriter *writer);

#define SCENARIO_MAX_INPUTS 4096
/* the most memories that one call names; those that they point to are written, too */
#define SCENARIO_MAX_MEMORIES 2

typedef struct ScenarioCall {
    const AbiFunction *function;
    uint16_t control;
    uint32_t mxcsr;
    uint32_t input_size;
    uint8_t inputs[SCENARIO_MAX_INPUTS];
    uint32_t memory_count;
    uint32_t memories[SCENARIO_MAX_MEMORIES];
} ScenarioCall;

/* Returns the call as a provider gets it, without its signature. It borrows the inputs. */
static inline TraceCall ScenarioCall_ToRun(const ScenarioCall *made, const AbiFunction *function,
                                           uint64_t sequence) {
    return (TraceCall){.function = function,
                       .sequence = sequence,
                       .control_in = made->control,
                       .control_out = made->control,
                       .mxcsr_in = made->mxcsr,
                       .mxcsr_out = made->mxcsr,
                       .outcome = TRACE_NOT_RUN,
                       .inputs = made->inputs,
                       .input_size = made->input_size};
}

/* Begins a call; the row must exist. The control word is the game's and MXCSR the default. */
#define SCENARIO_CONTROL RP_GAMES_CONTROL_WORD
#define SCENARIO_MXCSR   TRACE_GAMES_MXCSR
void Call_Begin(ScenarioCall *call, const char *key);
/* Append the inputs, in the order of the parameters. */
void Call_Word(ScenarioCall *call, uint32_t value);
void Call_Words(ScenarioCall *call, const uint32_t *values, uint32_t count);
void Call_Reference(ScenarioCall *call, uint32_t memory, uint32_t offset);
void Call_Null(ScenarioCall *call); /* appends a null reference */
void Call_Image(ScenarioCall *call, uint32_t memory);
void Call_Text(ScenarioCall *call, const char *text);
/* Sets the control word with this number, of twelve, and an MXCSR that suits it. Word 0 is the
 * game's. */
void Call_SetWord(Random *random, uint32_t word, ScenarioCall *call);

typedef struct FloatInputs {
    uint32_t count;
    uint16_t offsets[SCENARIO_MAX_INPUTS / 4];
} FloatInputs;
/* Finds where the inputs of a call hold a binary32; sets context->status where that fails. */
void Call_FindFloats(ScenarioContext *context, const ScenarioCall *call, FloatInputs *floats);

/* ---- makers: each makes one call ------------------------------------------------------------- */

typedef void CallMaker(ScenarioContext *context, Random *random, ScenarioCall *call);

/* Functions whose inputs are numbers only: slots, lighting, the polygon test, sine and cosine,
 * columns. The scenarios `slots`, `edges`, `words` and `classes` draw from the first
 * numeric_function_count of them. That number never changes, because every call of a seed would
 * become another one; functions that joined later are called by `rows`. */
typedef struct NumericFunction {
    const char *key;
    CallMaker *make;
} NumericFunction;
extern const NumericFunction numeric_functions[];
enum { numeric_function_count = 22 };
/* the number of all these functions, including those that joined later */
extern const uint32_t numeric_maker_count;

/* Make calls of SampleNode and BlendPoses, of any node at any time. */
CallMaker Pose_Call, Blend_Call;
/* Makes a call of BlendPoses between a node's key and the key after it. */
CallMaker KeyBlend_Call;
/* Make calls that decide the readings of the pose walk: one piece is posed and all others are
 * left out, or the cache of local matrices is cleared. */
CallMaker StillWalk_Call, StillPhase_Call, StillNodePhase_Call;
/* Returns whether BlendPoses has a valid side with these arguments. Blend_Repair changes them as
 * little as possible so that it has one. */
bool Blend_Defined(uint32_t time_a, uint32_t time_b, uint32_t weight);
void Blend_Repair(uint32_t *time_a, uint32_t *time_b, uint32_t *weight);

/* Makes a call of `context->function` from its signature alone, for slots without a maker of their
 * own. It uses numbers of all magnitudes and null references. */
CallMaker Row_Call;

/* Returns the maker of a function's calls, or null if no scenario calls the function. The caller
 * sets `context->function`. */
CallMaker *Function_Maker(const AbiFunction *function);
/* Makes call `index` of the endless stream of one function. In turn, calls are as the scenarios
 * make them, hold special values, and run under other control words. */
void Function_Call(ScenarioContext *context, CallMaker *make, uint64_t index, ScenarioCall *call);

/* Makes the call at a place in the endless stream of one scenario. */
typedef void ScenarioMaker(ScenarioContext *context, uint64_t index, ScenarioCall *call);
ScenarioMaker Slots_Call, Edges_Call, Words_Call, Poses_Call, Blends_Call, Models_Call,
    Classes_Call, ControlWords_Call, Stubs_Call, Ties_Call, Mesh_Call, Table_Call, Hard_Call,
    Rows_Call;

#endif
