/* Inputs of a lifted function: the bytes of its parameters, and of the memory behind them, each
 * part with a name. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_INPUT_H
#define RETROPOSE_REPLAY_LIFT_LIFT_INPUT_H

#include "machine/lifting/expression_value.h"
#include "machine/lifting/path.h"
#include "replay/scenario/source.h"
#include "tracefile/tracefile.h"

#define LIFT_MOST_PARTS 40
#define LIFT_MOST_LINKS 32

/* The bytes of one parameter, or a piece of memory that something points to. In a graph its name is
 * that of the region. */
typedef struct LiftPart {
    char name[32];
    uint32_t address;        /* in the guest; 0 for a parameter by value */
    uint32_t first, size;    /* its bytes in LiftInput.bytes */
    const AbiStruct *layout; /* what the fields are called; may be null */
    int param;               /* of the signature; -1 for memory behind a reference */
    uint32_t most;           /* of an integer by value: the most that it may be; else 0 */
    bool is_output;          /* its first bytes mean nothing */
} LiftPart;

/* A pointer in a part: its four bytes are not an input. */
typedef struct LiftLink {
    uint8_t part, target;
    uint32_t offset, target_offset;
} LiftLink;

typedef struct LiftInput {
    const AbiFunction *function;
    const Signature *signature;
    LiftPart parts[LIFT_MOST_PARTS];
    uint32_t part_count;
    LiftLink links[LIFT_MOST_LINKS];
    uint32_t link_count;
    uint8_t arguments[SIGNATURE_MAX_PARAMS]; /* the part of each parameter */
    uint8_t *bytes;                          /* of all parts; those of links are their addresses */
    uint32_t byte_count;
} LiftInput;

/* Where parts are in the guest. The addresses are ordinary numbers as binary32, too, so a pointer
 * that is taken for a float is noticed and does no harm. */
#define LIFT_AREA       0x3E800000u
#define LIFT_AREA_BYTES 0x00400000u

/* Returns why no input of a function can be made, or null. */
const char *LiftInput_WhyNot(const AbiFunction *function);

/* Makes inputs of one function. */
typedef struct LiftInputs LiftInputs;
RpStatus LiftInputs_Open(LiftInputs **inputs, RpError *error);
/* Null is allowed. */
void LiftInputs_Close(LiftInputs *inputs);
/* Makes the input with this number: as the scenarios make them, ordinary ones and such with special
 * values; and from those, inputs with words that are zero, equal to others or their negations. The
 * same number gives the same input. Free it with LiftInput_Free, also after an error. */
RpStatus LiftInputs_Make(LiftInputs *inputs, const AbiFunction *function, uint64_t number,
                         LiftInput *input, RpError *error);

/* Makes the input that a call of a trace has, whose memories are given. The signature is that of
 * the call's function, and has to outlive the input. Returns RP_UNSUPPORTED if the function's
 * parameters are no inputs, or if they are larger than the area. */
RpStatus LiftInput_OfCall(const TraceCall *call, const TraceReader *memories,
                          const Signature *signature, LiftInput *input, RpError *error);

RpStatus LiftInput_Copy(const LiftInput *from, LiftInput *input, RpError *error);
void LiftInput_Free(LiftInput *input);
/* Returns the part of this name, or null. */
const LiftPart *LiftInput_Part(const LiftInput *input, const char *name);
/* Returns bytes of a part, or null if it does not have them. */
uint8_t *LiftInput_At(const LiftInput *input, const char *part, uint32_t offset, uint32_t size);

/* ---- changing -------------------------------------------------------------------------------- */

/* Lists the dwords that may be changed to other numbers: floats of parameters and of a model's
 * keys, and counts. They are given as offsets in `bytes`. With a path, only those are listed that
 * it read. Returns how many there are, at most `most`. */
uint32_t LiftInput_Words(const LiftInput *input, const ExpressionGraph *graph, const LiftPath *path,
                         uint32_t *words, uint32_t most);
/* Changes one of these words, or a parameter as a whole: to zero, a special value, a neighbour, to
 * what another one is, or to its negation. `random` decides. */
void LiftInput_Change(LiftInput *input, uint64_t random, const uint32_t *words, uint32_t count);

/* ---- showing --------------------------------------------------------------------------------- */

/* For ExpressionEvaluator: its functions with this as the context. */
typedef struct LiftInputContext {
    const LiftInput *input;
    const ExpressionGraph *graph;
} LiftInputContext;
ExpressionInputs LiftInput_ForEvaluator(LiftInputContext *context);

/* Appends the name of bytes of a part, such as "q0.w", "face.normal[1]" or "keys[24]"; the
 * `name` of an ExpressionPrinter, with a LiftInputContext. */
void LiftInput_NameOf(void *context, uint32_t region, uint32_t offset, uint32_t bits,
                      RpBuffer *text);
/* Appends the input as "q0 (3F800000 0 0 0), t 3F000000": what `reads` of a path name. */
void LiftInput_Print(const LiftInput *input, const ExpressionGraph *graph, const LiftPath *path,
                     RpBuffer *text);

#endif
