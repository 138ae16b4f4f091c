/* Arithmetic of x87 and SSE in integers, for hosts without them: correctly rounded in each format
 * and direction, with the exceptions that the manuals name, masked or not. Which NaN comes out
 * differs between x87 and SSE, so NaNs are left to the callers. */
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
    SOFT_UNSUPPORTED /* of the x87: neither of these */
} SoftKind;

typedef struct SoftFloat {
    SoftKind kind;
    bool negative;
    bool denormal;        /* as it was encoded, also a pseudo-denormal of the x87 */
    int32_t exponent;     /* finite: significand * 2^(exponent - 63) */
    uint64_t significand; /* the leading bit is set, also in a NaN, whose fraction follows it */
} SoftFloat;

/* Significant bits, and the exponents of the least and the largest normal number. */
typedef struct SoftFormat {
    int bits;
    int32_t least, most;
} SoftFormat;

extern const SoftFormat soft_binary32, soft_binary64, soft_extended;

/* Exceptions, as the status word of the x87 and MXCSR have them. */
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
    unsigned masks;     /* of exceptions; a set bit is masked */
    bool flush;         /* results that are too small become 0 if underflow is masked */
    int32_t adjustment; /* of the exponent where overflow or underflow is not masked */
    unsigned raised;    /* result: exceptions */
    bool up;            /* result: rounding made the magnitude larger */
} SoftControl;

SoftFloat SoftFloat_Unpack32(uint32_t bits);
SoftFloat SoftFloat_Unpack64(uint64_t bits);
SoftFloat SoftFloat_Unpack80(const uint8_t at[10]);
SoftFloat SoftFloat_Integer(int64_t integer);
/* The number has to fit, as it does after rounding. */
uint32_t SoftFloat_Pack32(SoftFloat x);
uint64_t SoftFloat_Pack64(SoftFloat x);
void SoftFloat_Pack80(SoftFloat x, uint8_t to[10]);

SoftFloat SoftFloat_Zero(bool negative);
SoftFloat SoftFloat_Infinity(bool negative);
/* The answer to an invalid operation. */
SoftFloat SoftFloat_Indefinite(void);
SoftFloat SoftFloat_Quiet(SoftFloat nan);
static inline bool SoftFloat_IsNan(SoftFloat x) {
    return x.kind == SOFT_QUIET || x.kind == SOFT_SIGNALLING;
}

/* Whether an exception was found early that is not masked, so that there is no result. */
static inline bool SoftControl_IsStopped(const SoftControl *control) {
    return (control->raised & ~control->masks & SOFT_EARLY) != 0;
}

/* Rounds (significand + rest / 2^64) * 2^(exponent - 63) to the format. Of the rest, the lowest bit
 * may stand for all lower ones. */
SoftFloat SoftFloat_Round(SoftFloat x, uint64_t rest, SoftControl *control);
/* The operands are no NaNs. SQRT takes the first one. */
SoftFloat SoftFloat_Operate(SoftOperation operation, SoftFloat a, SoftFloat b,
                            SoftControl *control);
/* Both are no NaNs: -1, 0 or 1. */
int SoftFloat_Compare(SoftFloat a, SoftFloat b);
/* Rounds to a whole number, whose size is below 2^64. False: it is larger, infinite or a NaN. */
bool SoftFloat_Whole(SoftFloat x, SoftControl *control, uint64_t *magnitude);
/* Rounds to a signed integer of so many bits. What does not fit is invalid and gives the least. */
int64_t SoftFloat_ToInteger(SoftFloat x, int bits, SoftControl *control);

/* 64 by 64 bits. */
void SoftFloat_Multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low);
/* Shifts a pair of words to the right. The lowest bit stays set if a set bit is lost. */
void SoftFloat_ShiftRight(uint64_t *high, uint64_t *low, int32_t count);

#endif
