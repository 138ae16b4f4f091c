/* Evaluates expressions: gives the bits that the guest would have computed for given inputs.
 * Comparing them with those of a run checks the lifter, and the interpreter as far as the two do
 * not share their arithmetic:
 *
 *   - the x87's is that of ngi32/processor's soft_x87.h. The interpreter's software takes FSIN,
 *     FCOS and FPATAN from there, too, and RCP and RSQRT are of one table: a fault in those would
 *     not show. All else it computes itself;
 *   - SSE's of binary32 is that of soft_sse.h; that of binary64, and conversions, are C's;
 *   - stores of binary64, FRNDINT, FXTRACT and integers are done here.
 *
 * The two do not agree where a processor's FSIN, FCOS or FPATAN errs in the last bit: here they are
 * the true value, rounded. */
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
/* Returns false if the value is not known: an input is not, an operation cannot be evaluated, or
 * memory is short. Those that cannot be are UNMODELLED; F2XM1, YL2X, YL2XP1, SCALE, PREM and PREM1;
 * what SSE does with `control` != 0, which is to round otherwise than to the nearest, to flush to
 * zero, or to take denormals as zeros; and RCP and RSQRT where no maker is given. */
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
