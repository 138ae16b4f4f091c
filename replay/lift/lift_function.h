/* Functions of the ABI tables in the lifter: loads a pair of DLLs into a machine of this process,
 * and runs a function of it on inputs whose places have names. The names are those of the tables,
 * so that the same function of two pairs, lifted into one graph, has the same inputs. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_FUNCTION_H
#define RETROPOSE_REPLAY_LIFT_LIFT_FUNCTION_H

#include "machine/lifting/lifter.h"
#include "replay/host/pair.h"
#include "replay/lift/lift_input.h"

/* ---- a pair ---------------------------------------------------------------------------------- */

/* The configuration under which a pair is lifted. Every verdict holds for this one alone. */
typedef struct LiftSetup {
    /* The processor that the DLLs find. One without SSE2 turns the exact core of the replacement
     * off, because that needs SSE2. */
    const char *processor;
    ProviderSlotBuild build; /* of g_FastProc */
    const char *readings;    /* as in a trace's header; "" for the defaults */
    const char *force_cpu;   /* the class, as in a trace's header; "": what the processor is of */
    uint16_t control;        /* the x87's control word */
    uint32_t mxcsr;
} LiftSetup;

/* Returns the setup for the generic builds: a Pentium II, the default readings, the control word
 * of the game. */
LiftSetup LiftSetup_Default(void);
/* Returns the word for the builds: "generic", "fxch", "sse", or "class" for those that the
 * processor's class chooses. */
const char *LiftSetup_BuildName(const LiftSetup *setup);

typedef struct LiftPair LiftPair;

/* The files of a pair, and how it is called. */
typedef struct LiftFiles {
    PairFile files[ABI_MODULE_COUNT];
    const char *overlay; /* a text; null where there is none */
    size_t overlay_size;
} LiftFiles;

/* The bytes of the files have to outlive the pair, and so has the graph. LiftPair_Close may be
 * given null. */
RpStatus LiftPair_Open(const LiftFiles *files, const LiftSetup *setup, ExpressionGraph *graph,
                       LiftPair **pair, RpError *error);
void LiftPair_Close(LiftPair *pair);
const Provider *LiftPair_Provider(const LiftPair *pair);
const LiftSetup *LiftPair_Setup(const LiftPair *pair);
/* Returns whether the pair has the builds of its setup. Where their addresses are not known, it has
 * none but those that the processor's class chooses. */
bool LiftPair_HasBuilds(const LiftPair *pair);
ExpressionGraph *LiftPair_Graph(const LiftPair *pair);
/* Returns the address of a function in this pair, or 0 if it has none that may be called. */
uint32_t LiftPair_Address(LiftPair *pair, const AbiFunction *function);
/* Returns how a function is called in this pair. */
AbiConvention LiftPair_Convention(LiftPair *pair, const AbiFunction *function);
/* Writes an address as "Ngi32.dll+14630", or as a plain number outside of both modules. */
void LiftPair_Locate(const LiftPair *pair, uint32_t address, char *text, size_t size);

/* From now on the slots that a function calls are calls by name in its expressions, and are not
 * followed; but only if it calls others that call slots, too, like BlendPoses. */
RpStatus LiftPair_CutCallees(LiftPair *pair, const AbiFunction *function, RpError *error);

/* ---- two pairs ------------------------------------------------------------------------------- */

enum { LIFT_ORIGINAL, LIFT_REPLACEMENT, LIFT_SIDES };

/* Two pairs in one graph, whose expressions are compared; or one alone, and then the second side is
 * null. What is found does not depend on functions that were lifted in other graphs. */
typedef struct LiftPairs {
    ExpressionGraph *graph;
    LiftPair *sides[LIFT_SIDES];
} LiftPairs;

/* Where the files of a side are null, so is the side. After an error nothing is open. */
RpStatus LiftPairs_Open(const LiftFiles *const files[LIFT_SIDES], const LiftSetup *setup,
                        LiftPairs *pairs, RpError *error);
/* May be given what was closed before, and zeros. */
void LiftPairs_Close(LiftPairs *pairs);
/* Returns whether each side that is there has the builds of its setup. */
bool LiftPairs_HaveBuilds(const LiftPairs *pairs);

/* ---- running --------------------------------------------------------------------------------- */

/* Calls a function without lifting it. Some functions find out at their first call what the
 * processor has, and keep it; lifted calls, which leave no traces in the guest, would do so each
 * time. */
void LiftPair_Call(LiftPair *pair, const LiftInput *input);
/* Runs a function once. The path is freed with LiftPath_Free. Returns RP_NOT_FOUND if the pair does
 * not have the function, and RP_OK however the call ended. `instructions` is the most of them. */
RpStatus LiftPair_Run(LiftPair *pair, const LiftInput *input, uint64_t instructions,
                      LiftPath **path, RpError *error);

/* Returns whether a caller looks at an output: memory of a parameter that is handed out, EAX of a
 * function that returns an integer or a pointer, ST0 of one that returns a float. */
bool LiftOutput_IsSeen(const Signature *signature, const LiftOutput *output);

#endif
