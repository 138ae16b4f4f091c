/* The arithmetic of x87 and SSE in integers, for hosts without these units. Results are correctly
 * rounded in each format and direction, with the exceptions that the manuals name, masked or not.
 * x87 and SSE differ in which NaN they return, so callers handle NaNs themselves. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_SOFT_FLOAT_H
#define RETROPOSE_MACHINE_INTERPRETER_SOFT_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SoftKind {
    SOFT_ZERO,
    SOFT_FINITE,
    SOFT_INFINITE,
    SOFT_QUIET,      /* a NaN */
    SOFT_SIGNALLING, /* a NaN */
    SOFT_UNSUPPORTED /* an x87 encoding that is none of these */
} SoftKind;

typedef struct SoftFloat {
    SoftKind kind;
    bool negative;
    bool denormal;    /* it was encoded as a denormal or, in an x87 format, as a pseudo-denormal */
    int32_t exponent; /* finite: significand * 2^(exponent - 63) */
    uint64_t significand; /* the leading bit is set; in a NaN, the fraction follows it */
} SoftFloat;

/* The number of significant bits, and the exponents of the least and the largest normal number. */
typedef struct SoftFormat {
    int bits;
    int32_t least, most;
} SoftFormat;

extern const SoftFormat soft_binary32, soft_binary64, soft_extended;

/* The exceptions, as bits of the x87's status word and of MXCSR. */
enum {
    SOFT_INVALID = 1,
    SOFT_DENORMAL = 2,
    SOFT_DIVIDE = 4,
    SOFT_OVERFLOW = 8,
    SOFT_UNDERFLOW = 16,
    SOFT_INEXACT = 32,
    SOFT_EARLY = SOFT_INVALID | SOFT_DENORMAL | SOFT_DIVIDE /* found before there is a result */
};

enum { SOFT_TO_NEAREST, SOFT_DOWN, SOFT_UP, SOFT_TO_ZERO };

typedef enum SoftOperation { SOFT_ADD, SOFT_SUB, SOFT_MUL, SOFT_DIV, SOFT_SQRT } SoftOperation;

typedef struct SoftControl {
    SoftFormat format;
    unsigned rounding;
    unsigned masks;     /* exceptions; a set bit means masked */
    bool flush;         /* if underflow is masked, results that are too small become 0 */
    int32_t adjustment; /* change of the exponent if over- or underflow is unmasked */
    unsigned raised;    /* result: the exceptions that occurred */
    bool up;            /* result: rounding made the magnitude larger */
} SoftControl;

SoftFloat SoftFloat_Unpack32(uint32_t bits);
SoftFloat SoftFloat_Unpack64(uint64_t bits);
SoftFloat SoftFloat_Unpack80(const uint8_t at[10]);
SoftFloat SoftFloat_Integer(int64_t integer);
/* The number has to fit into the format, as it does after rounding. */
uint32_t SoftFloat_Pack32(SoftFloat x);
uint64_t SoftFloat_Pack64(SoftFloat x);
void SoftFloat_Pack80(SoftFloat x, uint8_t to[10]);

SoftFloat SoftFloat_Zero(bool negative);
SoftFloat SoftFloat_Infinity(bool negative);
/* Returns the result of an invalid operation. */
SoftFloat SoftFloat_Indefinite(void);
SoftFloat SoftFloat_Quiet(SoftFloat nan);
static inline bool SoftFloat_IsNan(SoftFloat x) {
    return x.kind == SOFT_QUIET || x.kind == SOFT_SIGNALLING;
}

/* Returns whether an exception that is not masked was found early, so that there is no result. */
static inline bool SoftControl_IsStopped(const SoftControl *control) {
    return (control->raised & ~control->masks & SOFT_EARLY) != 0;
}

/* Rounds (significand + rest / 2^64) * 2^(exponent - 63) to the format. The lowest bit of `rest`
 * may stand for all lower ones. */
SoftFloat SoftFloat_Round(SoftFloat x, uint64_t rest, SoftControl *control);
/* The operands must not be NaNs. SQRT uses only the first one. */
SoftFloat SoftFloat_Operate(SoftOperation operation, SoftFloat a, SoftFloat b,
                            SoftControl *control);
/* Returns -1, 0 or 1. Neither number may be a NaN. */
int SoftFloat_Compare(SoftFloat a, SoftFloat b);
/* Rounds to a whole number of a size below 2^64. Returns false if the number is larger, infinite or
 * a NaN. */
bool SoftFloat_Whole(SoftFloat x, SoftControl *control, uint64_t *magnitude);
/* Rounds to a signed integer of `bits` bits. A number that does not fit is invalid, and gives the
 * least integer. */
int64_t SoftFloat_ToInteger(SoftFloat x, int bits, SoftControl *control);

/* Multiplies 64 by 64 bits. */
void SoftFloat_Multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low);
/* Shifts a pair of words to the right. The lowest bit stays set if a set bit is lost. */
void SoftFloat_ShiftRight(uint64_t *high, uint64_t *low, int32_t count);

#endif
