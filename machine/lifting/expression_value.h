/* Evaluates expressions: gives the bits that the guest would have computed for given inputs. It is
 * independent of the interpreter: the x87's and SSE's arithmetic is done in integers, here or by
 * ngi32/processor's software. Comparing both therefore checks the lifter and the interpreter.
 * The two do not agree where a processor's FSIN, FCOS, FPTAN, FPATAN and the like err in the last
 * bit: here they are the true value, rounded. */
#ifndef RETROPOSE_MACHINE_LIFTING_EXPRESSION_VALUE_H
#define RETROPOSE_MACHINE_LIFTING_EXPRESSION_VALUE_H

#include "machine/lifting/expression.h"
#include "retropose/arithmetic.h"

typedef struct ExpressionInputs {
    /* Gives the bytes of a region before the call, from `offset` on. Returns false if there are no
     * such bytes; the value of the expression is then not known. */
    bool (*bytes)(void *context, uint32_t region, uint32_t offset, uint8_t *to, uint32_t size);
    /* Gives the address of a region's first byte. Null: there are none. */
    bool (*address)(void *context, uint32_t region, uint32_t *address);
    /* Gives the output of a call that was cut out. `inputs` has as many values as the call has
     * operands. Null: it is not known. */
    bool (*output)(void *context, const Expression *output, const ExpressionValue *inputs,
                   ExpressionValue *value);
    void *context;
    RpEstimates estimates; /* whose rcpss and rsqrtss; RP_ESTIMATES_OF_THIS is not known */
} ExpressionInputs;

/* Keeps what was evaluated for one set of inputs, so that what several expressions share is
 * evaluated once. */
typedef struct ExpressionEvaluator ExpressionEvaluator;

/* Returns null when memory is short. */
ExpressionEvaluator *ExpressionEvaluator_Create(const ExpressionGraph *graph);
void ExpressionEvaluator_Destroy(ExpressionEvaluator *evaluator);
/* Forgets all values and takes other inputs. */
void ExpressionEvaluator_Begin(ExpressionEvaluator *evaluator, const ExpressionInputs *inputs);
/* Returns false if the value is not known: an input is not, an operation cannot be evaluated
 * (UNMODELLED, F2XM1, YL2X, YL2XP1, PTAN), or memory is short. */
bool ExpressionEvaluator_Value(ExpressionEvaluator *evaluator, const Expression *expression,
                               ExpressionValue *value);
/* Gives an expression a value, whatever its operands are, until the next Begin. It has to be done
 * before anything that contains the expression is evaluated. */
void ExpressionEvaluator_Set(ExpressionEvaluator *evaluator, const Expression *expression,
                             ExpressionValue value);

/* Compares two values as COMPARE_X87 (80 bits) or COMPARE_SSE (32 or 64 bits) do. Returns one
 * COMPARE_... */
uint32_t ExpressionValue_Compare(uint32_t bits, ExpressionValue a, ExpressionValue b);

#endif
