/* Expressions: what a function of the guest computed, as operations on its inputs. The lifter
 * (lifter.h) makes one for every value that a run moves or computes.
 *
 * An expression is a string of bits: a byte, a dword, a binary32, or the 80 bits of a number on the
 * x87 stack. Its operation says how the bits follow from those of its operands. Operations round
 * exactly as the instruction did, so equal inputs give equal bits.
 *
 * All expressions of a graph are different: whoever makes one that exists already gets the one that
 * exists. Two functions, also of two DLLs, that were lifted into one graph therefore computed a
 * value in the same way exactly if the two pointers are equal. Expressions live as long as their
 * graph. */
#ifndef RETROPOSE_MACHINE_LIFTING_EXPRESSION_H
#define RETROPOSE_MACHINE_LIFTING_EXPRESSION_H

#include "retropose/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* X(operation, name, number of operands). The number is 255 where it varies. The name is what
 * ExpressionOperation_Name returns; infix operators are printed between their operands. */
#define EXPRESSION_OPERATIONS(X)                                                                   \
    /* Leaves. */                                                                                  \
    /* What the region `region` had at byte `value` before the call, as `bits` bits,               \
     * little-endian. */                                                                           \
    X(INPUT, "input", 0)                                                                           \
    /* The bits in `value`; for 80 bits the significand is in `value`, the rest in `head`. */      \
    X(CONSTANT, "constant", 0)                                                                     \
    /* The guest's address of byte `value` of the region `region`. It is the same in each run for  \
     * a region, whatever the address is as a number. */                                           \
    X(ADDRESS, "address", 0)                                                                       \
    /* A value that is not modelled; the name `region` says which. An output in memory or a        \
     * condition that depends on one ends the lifting of the path with a refusal. EAX, EDX and ST0 \
     * may depend on one, because not every function returns something in them: whoever compares   \
     * what a function returns has to ask Expression_IsModelled. */                                \
    X(UNMODELLED, "unmodelled", 0)                                                                 \
                                                                                                   \
    /* What the region `region` had before the call at the byte whose offset is the operand. The   \
     * region was not written on this path, or not before this load. Where the offset is a         \
     * constant, there is an INPUT instead. */                                                     \
    X(LOAD, "load", 1)                                                                             \
    /* A call of the function `region`, which was cut out (LiftCut). The operands are its inputs   \
     * in the order of the cut. It has no value of its own (`bits` is 0). */                       \
    X(CALL, "call", 255)                                                                           \
    /* The output number `value` of a CALL, the operand (lifter.h says how they are numbered). */  \
    X(OUTPUT, "output", 1)                                                                         \
                                                                                                   \
    /* Integers. The operands of ADD, MUL, AND, OR and XOR are in a canonical order, and sums are  \
     * linear forms: a chain of ADD, to the left, of terms in the order of their ids, each with a  \
     * constant factor (MUL by a CONSTANT) or none, and one constant last. */                      \
    X(ADD, "+", 2)                                                                                 \
    X(MUL, "*", 2)                                                                                 \
    X(AND, "&", 2)                                                                                 \
    X(OR, "|", 2)                                                                                  \
    X(XOR, "^", 2)                                                                                 \
    X(SHL, "<<", 2) /* the count has 8 bits, and is below `bits` */                                \
    X(SHR, ">>", 2)                                                                                \
    X(SAR, ">>>", 2)                                                                               \
    X(UDIV, "udiv", 2) /* all four: 0 where the divisor is 0, at which the guest faults */         \
    X(UREM, "urem", 2)                                                                             \
    X(SDIV, "sdiv", 2)                                                                             \
    X(SREM, "srem", 2)                                                                             \
    /* `bits` bits of the operand from bit `value` on. */                                          \
    X(EXTRACT, "extract", 1)                                                                       \
    /* The first operand in the low bits, the second one above it. */                              \
    X(CONCAT, "concat", 2)                                                                         \
    X(ZERO_EXTEND, "zero-extend", 1)                                                               \
    X(SIGN_EXTEND, "sign-extend", 1)                                                               \
                                                                                                   \
    /* The x87. Operands and results have 80 bits where nothing else is said. ADD to SQRT round    \
     * as `control` says; its bits are those of the control word: precision in 0x0300, rounding    \
     * in 0x0C00. The functions from SIN on, and stores, have only the rounding. */                \
    X(X87_LOAD32, "load32", 1) /* FLD of 32 bits: a signalling NaN becomes quiet */                \
    X(X87_LOAD64, "load64", 1)                                                                     \
    /* The same bits as operand of arithmetic. A signalling NaN stays one until the arithmetic. */ \
    X(X87_OPERAND32, "operand32", 1)                                                               \
    X(X87_OPERAND64, "operand64", 1)                                                               \
    X(X87_FROM_INTEGER, "from-integer", 1) /* FILD of 16, 32 or 64 bits */                         \
    X(X87_ADD, "+", 2)                                                                             \
    X(X87_SUB, "-", 2)                                                                             \
    X(X87_MUL, "*", 2)                                                                             \
    X(X87_DIV, "/", 2)                                                                             \
    X(X87_SQRT, "sqrt", 1)                                                                         \
    X(X87_NEG, "neg", 1)                                                                           \
    X(X87_ABS, "abs", 1)                                                                           \
    X(X87_ROUND, "round", 1) /* FRNDINT */                                                         \
    X(X87_SIN, "sin", 1)                                                                           \
    X(X87_COS, "cos", 1)                                                                           \
    X(X87_PATAN, "patan", 2) /* the arc tangent of first / second: ST1 / ST0 */                    \
    X(X87_F2XM1, "2xm1", 1)                                                                        \
    X(X87_YL2X, "yl2x", 2) /* first = ST1 = y, second = ST0 = x */                                 \
    X(X87_YL2XP1, "yl2xp1", 2)                                                                     \
    X(X87_SCALE, "scale", 2) /* first = ST0, second = ST1 */                                       \
    X(X87_PREM, "prem", 2)   /* one step of FPREM: first = ST0, second = ST1 */                    \
    X(X87_PREM1, "prem1", 2)                                                                       \
    X(X87_EXPONENT, "exponent", 1) /* what FXTRACT leaves in ST1 and in ST0 */                     \
    X(X87_MANTISSA, "mantissa", 1)                                                                 \
    X(X87_TO_F32, "f32", 1) /* FST: 32 bits */                                                     \
    X(X87_TO_F64, "f64", 1)                                                                        \
    X(X87_TO_INTEGER, "to-integer", 1) /* FIST: 16, 32 or 64 bits */                               \
                                                                                                   \
    /* SSE. Operands and results have 32 or 64 bits. `control` has the bits of MXCSR that matter:  \
     * rounding in 0x6000, flush to zero in 0x8000, denormals are zeros in 0x0040. Of two NaNs     \
     * the first operand's is the result. */                                                       \
    X(SSE_ADD, "+", 2)                                                                             \
    X(SSE_SUB, "-", 2)                                                                             \
    X(SSE_MUL, "*", 2)                                                                             \
    X(SSE_DIV, "/", 2)                                                                             \
    X(SSE_SQRT, "sqrt", 1)                                                                         \
    X(SSE_MIN, "min", 2) /* the second one, if either is a NaN or both are zeros */                \
    X(SSE_MAX, "max", 2)                                                                           \
    X(SSE_RCP, "rcp", 1) /* the estimate of the processor's maker */                               \
    X(SSE_RSQRT, "rsqrt", 1)                                                                       \
    X(SSE_MASK, "mask", 2) /* CMPPS: all ones or 0; the predicate (0 to 7) is in `value` */        \
    X(SSE_FROM_INTEGER, "from-integer", 1) /* from 32 bits */                                      \
    X(SSE_TO_INTEGER, "to-integer", 1)     /* to 32 bits, rounded as `control` says */             \
    X(SSE_TRUNCATE, "truncate", 1)         /* to 32 bits, towards zero */                          \
    X(SSE_CONVERT, "convert", 1)           /* binary32 to binary64, or back */                     \
                                                                                                   \
    /* The outcome of a comparison: 8 bits, one of COMPARE_LESS to COMPARE_UNORDERED. */           \
    X(COMPARE_X87, "compare", 2) /* 80 bits each */                                                \
    X(COMPARE_SSE, "compare", 2) /* 32 or 64 bits each; `control` has denormals are zeros */       \
    /* 16 bits: the x87's status word after the comparison that is the operand. C0, C2 and C3 are  \
     * modelled, the other bits are not. */                                                        \
    X(STATUS, "status", 1)                                                                         \
    /* 8 bits: what FXAM finds out, as C0 (bit 0), C1 (bit 1), C2 (bit 2) and C3 (bit 6); STATUS   \
     * takes this, too. */                                                                         \
    X(EXAMINE, "examine", 1)

typedef enum ExpressionOperation {
#define EXPRESSION_ENUMERATOR(operation, name, operands) EXPRESSION_##operation,
    EXPRESSION_OPERATIONS(EXPRESSION_ENUMERATOR)
#undef EXPRESSION_ENUMERATOR
        EXPRESSION_OPERATION_COUNT
} ExpressionOperation;

/* The outcomes of a comparison. A set of them is a sum. */
enum {
    COMPARE_LESS = 1,
    COMPARE_EQUAL = 2,
    COMPARE_GREATER = 4,
    COMPARE_UNORDERED = 8, /* only of floating-point numbers: at least one is a NaN */
    COMPARE_ANY = 15
};

typedef struct Expression Expression;
typedef struct ExpressionGraph ExpressionGraph;

/* Nothing of it may be changed. */
struct Expression {
    uint32_t id;       /* from 0, in the order in which they were made: above those of operands */
    uint8_t operation; /* ExpressionOperation */
    uint8_t bits;      /* of the value */
    uint16_t control;  /* how it rounds; 0 for operations that do not */
    uint32_t region;   /* a name of the graph; 0 where the operation has none */
    uint16_t head;     /* sign and exponent of a CONSTANT of 80 bits; else 0 */
    uint16_t count;    /* of operands */
    uint64_t value;
    const Expression *operands[];
};

/* A value: `low` has up to 64 bits, and all higher ones are 0. Of 80 bits, `low` is the
 * significand, and `head` has the sign and the exponent. */
typedef struct ExpressionValue {
    uint64_t low;
    uint16_t head;
} ExpressionValue;

/* Returns null when memory is short. */
ExpressionGraph *ExpressionGraph_Create(void);
void ExpressionGraph_Destroy(ExpressionGraph *graph);
/* Returns whether memory was short at any time. Functions that make expressions then return one
 * that is UNMODELLED, never null, so that only the user of a result has to ask. */
bool ExpressionGraph_HasFailed(const ExpressionGraph *graph);
/* Returns the number of a name, which is 1 or more: of a region such as "q0", or of a function. The
 * same name always has the same number. */
uint32_t ExpressionGraph_Name(ExpressionGraph *graph, const char *name);
const char *ExpressionGraph_NameOf(const ExpressionGraph *graph, uint32_t number);
/* How many expressions there are; their ids are below. */
uint32_t ExpressionGraph_Count(const ExpressionGraph *graph);
const Expression *ExpressionGraph_At(const ExpressionGraph *graph, uint32_t id);

/* ---- making ----------------------------------------------------------------------------------
 * These fold what has constant operands and is about integers, and bring it into one form:
 * adjoining INPUTs become one, an EXTRACT of an INPUT, a CONCAT or an extension becomes what it
 * takes, and sums are linear forms. Floating-point operations are taken as they are: only rules
 * that a caller applies change them. */

const Expression *Expression_Constant(ExpressionGraph *graph, uint32_t bits, uint64_t value);
const Expression *Expression_Constant80(ExpressionGraph *graph, ExpressionValue value);
const Expression *Expression_Input(ExpressionGraph *graph, uint32_t region, uint32_t offset,
                                   uint32_t bits);
const Expression *Expression_Address(ExpressionGraph *graph, uint32_t region, uint32_t offset);
const Expression *Expression_Unmodelled(ExpressionGraph *graph, const char *what, uint32_t bits);
const Expression *Expression_Load(ExpressionGraph *graph, uint32_t region, const Expression *offset,
                                  uint32_t bits);
const Expression *Expression_Call(ExpressionGraph *graph, uint32_t function,
                                  const Expression *const *inputs, uint32_t count);
const Expression *Expression_Output(ExpressionGraph *graph, const Expression *call, uint32_t number,
                                    uint32_t bits);
const Expression *Expression_Extract(ExpressionGraph *graph, const Expression *operand,
                                     uint32_t lowest, uint32_t bits);
const Expression *Expression_Concat(ExpressionGraph *graph, const Expression *low,
                                    const Expression *high);
/* ZERO_EXTEND or SIGN_EXTEND. */
const Expression *Expression_Extend(ExpressionGraph *graph, ExpressionOperation operation,
                                    const Expression *operand, uint32_t bits);
/* a - b, as a linear form. */
const Expression *Expression_Subtract(ExpressionGraph *graph, const Expression *a,
                                      const Expression *b);
/* Any other operation with one or two operands (`b` is null for one). `control` keeps only the bits
 * that the operation reads. `bits` is 0 for operations whose operands say it: integer operations,
 * SSE's arithmetic, and what always has 80, 16 or 8 bits. It is needed for X87_TO_INTEGER and
 * SSE_CONVERT. */
const Expression *Expression_Make(ExpressionGraph *graph, ExpressionOperation operation,
                                  uint32_t control, uint32_t bits, const Expression *a,
                                  const Expression *b);
/* SSE_MASK. */
const Expression *Expression_Mask(ExpressionGraph *graph, uint32_t predicate, uint32_t control,
                                  const Expression *a, const Expression *b);
/* Makes the same expression with other operands, for whoever rewrites a graph from its leaves up.
 * Integer expressions are brought into their form again. `operands` has `of->count` entries. */
const Expression *Expression_WithOperands(ExpressionGraph *graph, const Expression *of,
                                          const Expression *const *operands);

/* ---- asking ---------------------------------------------------------------------------------- */

const char *ExpressionOperation_Name(ExpressionOperation operation);   /* "X87_ADD" as "+" */
const char *ExpressionOperation_Symbol(ExpressionOperation operation); /* "X87_ADD" */
bool Expression_IsConstant(const Expression *expression);
ExpressionValue Expression_ValueOf(const Expression *constant);
/* Whether the value rounds under a precision or a rounding, and is not exact in any case. */
bool Expression_IsRounded(const Expression *expression);
/* Whether any leaf is UNMODELLED, or a bit of STATUS that is not modelled is read. */
bool Expression_IsModelled(ExpressionGraph *graph, const Expression *expression);
/* Whether the value is the same whatever the inputs are: no INPUT, LOAD or UNMODELLED is in it. */
bool Expression_IsFixed(ExpressionGraph *graph, const Expression *expression);
bool Expression_HasAddress(ExpressionGraph *graph, const Expression *expression);
/* Whether a COMPARE_X87 or COMPARE_SSE is in it. */
bool Expression_HasComparison(ExpressionGraph *graph, const Expression *expression);
/* Splits a linear form of 32 bits into base + rest, where base is its only ADDRESS with the factor
 * 1. Returns null if it has none or more than one. *rest has the constant part, too. */
const Expression *Expression_Base(ExpressionGraph *graph, const Expression *address,
                                  const Expression **rest);
/* What a 32-bit or 64-bit pattern, or a number of 80 bits, may be, judged by its operation alone:
 * false is certain. A result of arithmetic may be a NaN, but never a signalling one. */
bool Expression_MayBeNan(const Expression *expression);
bool Expression_MayBeSignalling(const Expression *expression);

/* ---- printing -------------------------------------------------------------------------------- */

typedef struct ExpressionPrinter {
    const ExpressionGraph *graph;
    /* Appends the name of an input, such as "q0.w"; null: "q0[4]". */
    void (*name)(void *context, uint32_t region, uint32_t offset, uint32_t bits, RpBuffer *text);
    /* Returns the name that an expression was given before, or null to write it out. It is asked
     * about operands, not about the expression that is printed. Null: everything is written out. */
    const char *(*given)(void *context, const Expression *expression);
    void *context;
    /* Bits of the control word. Operations that round as it says are printed bare, others with
     * their precision and rounding behind the operator: "a +53 b", "a *24,down b". */
    uint16_t usual_control;
    /* Where a text has more bytes than this, further operands become three dots; 0: 65536. */
    uint32_t most_bytes;
} ExpressionPrinter;

/* Appends a formula: "(q0.w * q1.w + q0.x * q1.x) + q0.y * q1.y". Brackets show every order.
 * Loads of 32 bits are not shown; an operand from memory is shown as "mem(x)". Constants are shown
 * as the shortest decimal that gives the same binary32 where they are one, and with their bits
 * otherwise. */
void Expression_Print(const ExpressionPrinter *printer, const Expression *expression,
                      RpBuffer *text);

#endif
