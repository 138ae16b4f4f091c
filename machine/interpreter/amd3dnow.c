/* 3DNow! and AMD's extensions of it, as described in AMD's "3DNow! Technology Manual" (21928) and
 * "Extensions to the 3DNow! and MMX Instruction Sets" (22466).
 *
 * Its numbers are those of binary32, without NaNs, infinities and denormals. Denormal operands
 * count as zeros, results that are too small become zeros, and results that are too large become
 * the largest number. Results are rounded to the nearest. The manuals do not say what operands with
 * the largest exponent mean; here they are ordinary numbers with that exponent. */
#include "machine/interpreter/soft_float.h"
#include "machine/interpreter/vector_registers.h"

#include <string.h>

#define SIGN    0x80000000u
#define LARGEST 0x7F7FFFFFu
#define LEADING 0x8000000000000000u

enum { BIAS = 127 };

static SoftFloat Get(uint32_t bits) {
    const int32_t field = bits >> 23 & 0xFF;
    if (field == 0)
        return SoftFloat_Zero(bits >> 31 != 0);
    return (SoftFloat){SOFT_FINITE, bits >> 31 != 0, false, field - BIAS,
                       LEADING | (uint64_t)(bits & 0x007FFFFFu) << 40};
}

static uint32_t Put(SoftFloat x) {
    if (x.kind == SOFT_INFINITE || (x.kind == SOFT_FINITE && x.exponent > BIAS))
        return (x.negative ? SIGN : 0) | LARGEST;
    if (x.kind == SOFT_FINITE && x.exponent < 1 - BIAS)
        return x.negative ? SIGN : 0;
    return SoftFloat_Pack32(x);
}

/* Returns settings that round to `bits` bits, with an exponent of any size. */
static SoftControl Nearest(int bits) {
    return (SoftControl){.format = {bits, -100000, 100000}, .masks = 0x3F};
}

static SoftFloat Operate(SoftOperation operation, SoftFloat a, SoftFloat b, int bits) {
    SoftControl control = Nearest(bits);
    return SoftFloat_Operate(operation, a, b, &control);
}

static uint32_t Calculate(SoftOperation operation, uint32_t a, uint32_t b) {
    return Put(Operate(operation, Get(a), Get(b), 24));
}

static uint32_t ToInteger(uint32_t bits, int width) {
    SoftControl control = Nearest(24);
    control.rounding = SOFT_TO_ZERO;
    const SoftFloat x = Get(bits);
    const int32_t most = width == 32 ? INT32_MAX : INT16_MAX;
    const int64_t integer = SoftFloat_ToInteger(x, width, &control);
    if (control.raised & SOFT_INVALID)
        return (uint32_t)(x.negative ? -most - 1 : most);
    return (uint32_t)(int32_t)integer;
}

static uint32_t FromInteger(int32_t integer) {
    SoftControl control = Nearest(24);
    control.rounding = SOFT_TO_ZERO; /* the manual: PI2FD cuts off what 24 bits cannot hold */
    const SoftFloat x = SoftFloat_Integer(integer);
    return x.kind == SOFT_ZERO ? 0 : Put(SoftFloat_Round(x, 0, &control));
}

/* ---- estimates ------------------------------------------------------------------------------- */

/* The estimates of one possible processor. The manual promises 14 bits of a reciprocal and 15 of a
 * root, which two steps improve to 24, but no processor's table is published. */
enum { RECIPROCAL_BITS = 14, ROOT_BITS = 15 };

static SoftFloat Number(int32_t exponent) {
    return (SoftFloat){SOFT_FINITE, false, false, exponent, LEADING};
}

static uint32_t Reciprocal(uint32_t bits) {
    const SoftFloat x = Get(bits);
    if (x.kind == SOFT_ZERO)
        return (bits & SIGN) | LARGEST;
    return Put(Operate(SOFT_DIV, Number(0), x, RECIPROCAL_BITS + 1));
}

/* Takes the root of the magnitude, and gives the result the operand's sign. */
static uint32_t RootReciprocal(uint32_t bits) {
    const SoftFloat x = Get(bits & ~SIGN);
    if (x.kind == SOFT_ZERO)
        return (bits & SIGN) | LARGEST;
    const SoftFloat root = Operate(SOFT_SQRT, x, x, 64);
    return (bits & SIGN) | Put(Operate(SOFT_DIV, Number(0), root, ROOT_BITS + 1));
}

/* The first step passes the second one a number near 1 that needs more bits than a binary32 has.
 * Processors therefore write it in a form of their own. The form that is used here has a sign, the
 * largest exponent, and the distance from 1 in units of 2^-31. */
enum { STEP_MARK = 0x7F800000, STEP_UNIT = -31, STEP_LIMIT = -9 };

static uint32_t PutStep(SoftFloat factor) {
    const SoftFloat away = Operate(SOFT_SUB, factor, Number(0), 64);
    if (away.kind == SOFT_ZERO)
        return STEP_MARK;
    if (away.exponent > STEP_LIMIT)
        return Put(Operate(SOFT_MUL, factor, Number(0), 24));
    SoftFloat units = away;
    units.exponent -= STEP_UNIT;
    SoftControl control = Nearest(24);
    uint64_t magnitude;
    (void)SoftFloat_Whole(units, &control, &magnitude);
    return (away.negative ? SIGN : 0) | STEP_MARK | (uint32_t)(magnitude & 0x007FFFFFu);
}

static SoftFloat GetStep(uint32_t bits) {
    if ((bits & STEP_MARK) != STEP_MARK)
        return Get(bits);
    SoftFloat away = SoftFloat_Integer((int32_t)(bits & 0x007FFFFFu));
    if (away.kind == SOFT_ZERO)
        return Number(0);
    away.exponent += STEP_UNIT;
    away.negative = bits >> 31 != 0;
    return Operate(SOFT_ADD, Number(0), away, 64);
}

/* The first step for a reciprocal is 2 - a b, where b is the estimate of 1 / a. */
static uint32_t ReciprocalStep(uint32_t a, uint32_t b) {
    const SoftFloat product = Operate(SOFT_MUL, Get(a), Get(b), 64);
    return PutStep(Operate(SOFT_SUB, Number(1), product, 64));
}

/* The first step for a root is (3 - a b) / 2, where b is the square of the estimate. */
static uint32_t RootStep(uint32_t a, uint32_t b) {
    const SoftFloat three = {SOFT_FINITE, false, false, 1, LEADING | LEADING >> 1};
    const SoftFloat product = Operate(SOFT_MUL, Get(a & ~SIGN), Get(b & ~SIGN), 64);
    SoftFloat half = Operate(SOFT_SUB, three, product, 64);
    half.exponent--;
    return PutStep(half);
}

/* The second step is the same for both: the estimate times the first step's result. */
static uint32_t SecondStep(uint32_t a, uint32_t b) {
    return Put(Operate(SOFT_MUL, GetStep(a), Get(b), 24));
}

/* ---- instructions ---------------------------------------------------------------------------- */

static int Compare(uint32_t a, uint32_t b) {
    return SoftFloat_Compare(Get(a), Get(b));
}

static uint32_t Larger(uint32_t a, uint32_t b) {
    const uint32_t chosen = Compare(a, b) > 0 ? a : b;
    return Get(chosen).kind == SOFT_ZERO ? 0 : chosen; /* the manual: the result is +0 */
}

static uint32_t Smaller(uint32_t a, uint32_t b) {
    const uint32_t chosen = Compare(a, b) < 0 ? a : b;
    return Get(chosen).kind == SOFT_ZERO ? 0 : chosen;
}

static bool Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b) {
    const uint32_t x[2] = {a->d[0], a->d[1]}, y[2] = {b->d[0], b->d[1]};
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_PFACC:
        a->d[0] = Calculate(SOFT_ADD, x[0], x[1]);
        a->d[1] = Calculate(SOFT_ADD, y[0], y[1]);
        return true;
    case ZYDIS_MNEMONIC_PFNACC:
        a->d[0] = Calculate(SOFT_SUB, x[0], x[1]);
        a->d[1] = Calculate(SOFT_SUB, y[0], y[1]);
        return true;
    case ZYDIS_MNEMONIC_PFPNACC:
        a->d[0] = Calculate(SOFT_SUB, x[0], x[1]);
        a->d[1] = Calculate(SOFT_ADD, y[0], y[1]);
        return true;
    case ZYDIS_MNEMONIC_PFRCP:
        a->d[0] = a->d[1] = Reciprocal(y[0]);
        return true;
    case ZYDIS_MNEMONIC_PFSQRT: /* PFRSQRT */
        a->d[0] = a->d[1] = RootReciprocal(y[0]);
        return true;
    case ZYDIS_MNEMONIC_PAVGUSB:
    case ZYDIS_MNEMONIC_PMULHRW:
    case ZYDIS_MNEMONIC_PSWAPD:
        return Packed_Execute(mnemonic, a, b, 0, 8);
    default:
        break;
    }
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *to = &a->d[i];
        switch (mnemonic) {
        case ZYDIS_MNEMONIC_PFADD:
            *to = Calculate(SOFT_ADD, x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFSUB:
            *to = Calculate(SOFT_SUB, x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFSUBR:
            *to = Calculate(SOFT_SUB, y[i], x[i]);
            break;
        case ZYDIS_MNEMONIC_PFMUL:
            *to = Calculate(SOFT_MUL, x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFMAX:
            *to = Larger(x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFMIN:
            *to = Smaller(x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFCMPEQ:
            *to = Compare(x[i], y[i]) == 0 ? 0xFFFFFFFFu : 0;
            break;
        case ZYDIS_MNEMONIC_PFCMPGE:
            *to = Compare(x[i], y[i]) >= 0 ? 0xFFFFFFFFu : 0;
            break;
        case ZYDIS_MNEMONIC_PFCMPGT:
            *to = Compare(x[i], y[i]) > 0 ? 0xFFFFFFFFu : 0;
            break;
        case ZYDIS_MNEMONIC_PI2FD:
            *to = FromInteger(b->sd[i]);
            break;
        case ZYDIS_MNEMONIC_PI2FW:
            *to = FromInteger(b->sw[2 * i]);
            break;
        case ZYDIS_MNEMONIC_PF2ID:
            *to = ToInteger(y[i], 32);
            break;
        case ZYDIS_MNEMONIC_PF2IW:
            *to = ToInteger(y[i], 16);
            break;
        case ZYDIS_MNEMONIC_PFCPIT1: /* PFRCPIT1 */
            *to = ReciprocalStep(x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFRSQIT1:
            *to = RootStep(x[i], y[i]);
            break;
        case ZYDIS_MNEMONIC_PFRCPIT2:
            *to = SecondStep(x[i], y[i]);
            break;
        default:
            return false;
        }
    }
    return true;
}

StepEnd Step_3dnow(Step *step) {
    const ZydisDecodedInstruction *instruction = &step->decoded->instruction;
    const ZydisMnemonic mnemonic = instruction->mnemonic;
    MachineVectors *vectors = &step->registers->vectors;
    const bool prefetches =
        mnemonic == ZYDIS_MNEMONIC_PREFETCH || mnemonic == ZYDIS_MNEMONIC_PREFETCHW;
    const bool ends = mnemonic == ZYDIS_MNEMONIC_FEMMS;
    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_3DNOW && !prefetches && !ends)
        return STEP_UNKNOWN;
    if (prefetches)
        return STEP_DONE;
    if (!Step_Wait(step))
        return STEP_FAULT;
    if (ends) {
        Vectors_SetTop(vectors, 0);
        vectors->tags = 0;
        return STEP_DONE;
    }

    Lanes a, b;
    if (!Step_Fetch(step, 0, true, &a) || !Step_Fetch(step, 1, true, &b))
        return STEP_FAULT;
    if (!Execute(mnemonic, &a, &b))
        return STEP_UNKNOWN;
    Mmx_Enter(vectors);
    Mmx_Write(vectors, Step_Number(step, 0), a.q[0]);
    return STEP_DONE;
}
