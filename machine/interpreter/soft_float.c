#include "machine/interpreter/soft_float.h"

#include <string.h>

#define LEADING 0x8000000000000000u
#define QUIET   0x4000000000000000u

const SoftFormat soft_binary32 = {24, -126, 127};
const SoftFormat soft_binary64 = {53, -1022, 1023};
const SoftFormat soft_extended = {64, -16382, 16383};

/* ---- encodings ------------------------------------------------------------------------------- */

SoftFloat SoftFloat_Zero(bool negative) {
    return (SoftFloat){.kind = SOFT_ZERO, .negative = negative};
}

SoftFloat SoftFloat_Infinity(bool negative) {
    return (SoftFloat){.kind = SOFT_INFINITE, .negative = negative};
}

SoftFloat SoftFloat_Indefinite(void) {
    return (SoftFloat){.kind = SOFT_QUIET, .negative = true, .significand = LEADING | QUIET};
}

SoftFloat SoftFloat_Quiet(SoftFloat nan) {
    nan.kind = SOFT_QUIET;
    nan.significand |= QUIET;
    return nan;
}

static SoftFloat Normalised(bool negative, int32_t exponent, uint64_t significand) {
    if (significand == 0)
        return SoftFloat_Zero(negative);
    const int shift = __builtin_clzll(significand);
    return (SoftFloat){SOFT_FINITE, negative, false, exponent - shift, significand << shift};
}

/* Unpacks a binary32 or binary64 number. The fraction is in the upper bits. */
static SoftFloat UnpackIeee(bool negative, int32_t field, SoftFormat format, uint64_t fraction) {
    SoftFloat x;
    if (field == 0) {
        x = Normalised(negative, format.least, fraction >> 1);
        x.denormal = fraction != 0;
        return x;
    }
    if (field <= 2 * format.most)
        return (SoftFloat){SOFT_FINITE, negative, false, field - format.most,
                           LEADING | fraction >> 1};
    if (fraction == 0)
        return SoftFloat_Infinity(negative);
    return (SoftFloat){fraction >> 63 ? SOFT_QUIET : SOFT_SIGNALLING, negative, false, 0,
                       LEADING | fraction >> 1};
}

SoftFloat SoftFloat_Unpack32(uint32_t bits) {
    return UnpackIeee(bits >> 31 != 0, bits >> 23 & 0xFF, soft_binary32, (uint64_t)bits << 41);
}

SoftFloat SoftFloat_Unpack64(uint64_t bits) {
    return UnpackIeee(bits >> 63 != 0, (int32_t)(bits >> 52 & 0x7FF), soft_binary64, bits << 12);
}

SoftFloat SoftFloat_Unpack80(const uint8_t at[10]) {
    uint64_t significand;
    uint16_t head;
    memcpy(&significand, at, sizeof significand);
    memcpy(&head, at + 8, sizeof head);
    const bool negative = head >> 15 != 0;
    const int32_t field = head & 0x7FFF;
    if (field == 0) {
        SoftFloat x = Normalised(negative, soft_extended.least, significand);
        x.denormal = significand != 0;
        return x;
    }
    if (!(significand & LEADING))
        return (SoftFloat){.kind = SOFT_UNSUPPORTED, .negative = negative};
    if (field != 0x7FFF)
        return (SoftFloat){SOFT_FINITE, negative, false, field - soft_extended.most, significand};
    if (significand == LEADING)
        return SoftFloat_Infinity(negative);
    return (SoftFloat){significand & QUIET ? SOFT_QUIET : SOFT_SIGNALLING, negative, false, 0,
                       significand};
}

SoftFloat SoftFloat_Integer(int64_t integer) {
    return Normalised(integer < 0, 63, integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer);
}

/* Returns the significand as it is encoded, and the exponent's field. */
static uint64_t Encode(SoftFloat x, SoftFormat format, int32_t *field) {
    switch (x.kind) {
    case SOFT_ZERO:
        *field = 0;
        return 0;
    case SOFT_FINITE:
        if (x.exponent < format.least) {
            /* Such a small number occurs only in a result that is not used, because of an
             * exception. */
            const int32_t shift = format.least - x.exponent;
            *field = 0;
            return shift < 64 ? x.significand >> shift : 0;
        }
        *field = x.exponent + format.most;
        return x.significand;
    case SOFT_INFINITE:
        *field = 2 * format.most + 1;
        return LEADING;
    default:
        *field = 2 * format.most + 1;
        return x.significand;
    }
}

uint32_t SoftFloat_Pack32(SoftFloat x) {
    int32_t field;
    const uint64_t significand = Encode(x, soft_binary32, &field);
    return (x.negative ? 0x80000000u : 0) | (uint32_t)field << 23 |
           ((uint32_t)(significand >> 40) & 0x007FFFFFu);
}

uint64_t SoftFloat_Pack64(SoftFloat x) {
    int32_t field;
    const uint64_t significand = Encode(x, soft_binary64, &field);
    return (x.negative ? LEADING : 0) | (uint64_t)field << 52 |
           (significand >> 11 & 0x000FFFFFFFFFFFFFu);
}

void SoftFloat_Pack80(SoftFloat x, uint8_t to[10]) {
    int32_t field;
    const uint64_t significand = Encode(x, soft_extended, &field);
    const uint16_t head = (uint16_t)((x.negative ? 0x8000 : 0) | field);
    memcpy(to, &significand, sizeof significand);
    memcpy(to + 8, &head, sizeof head);
}

/* ---- rounding -------------------------------------------------------------------------------- */

void SoftFloat_ShiftRight(uint64_t *high, uint64_t *low, int32_t count) {
    if (count == 0)
        return;
    if (count >= 128) {
        *low = (*high | *low) != 0;
        *high = 0;
    } else if (count >= 64) {
        const uint64_t lost = *low | (count > 64 ? *high << (128 - count) : 0);
        *low = (count > 64 ? *high >> (count - 64) : *high) | (lost != 0);
        *high = 0;
    } else {
        const uint64_t lost = *low << (64 - count);
        *low = *low >> count | *high << (64 - count) | (lost != 0);
        *high >>= count;
    }
}

/* What KeepBits has done. */
typedef struct Kept {
    bool inexact, up, carried; /* carried: beyond the leading bit, so that 0 is left */
} Kept;

/* Keeps the upper `bits` bits of a significand. */
static Kept KeepBits(bool negative, unsigned rounding, int bits, uint64_t *significand,
                     uint64_t rest) {
    const int dropped = 64 - bits;
    const uint64_t unit = (uint64_t)1 << dropped;
    const uint64_t tail = *significand & (unit - 1);
    *significand -= tail;
    if (tail == 0 && rest == 0)
        return (Kept){false, false, false};
    int half; /* compares the dropped part with half of the unit */
    if (dropped == 0)
        half = (rest > LEADING) - (rest < LEADING);
    else {
        const uint64_t middle = (uint64_t)1 << (dropped - 1);
        half = tail == middle ? rest != 0 : tail > middle ? 1 : -1;
    }
    bool up = false;
    if (rounding == SOFT_TO_NEAREST)
        up = half > 0 || (half == 0 && *significand & unit);
    else if (rounding != SOFT_TO_ZERO)
        up = negative == (rounding == SOFT_DOWN);
    if (up)
        *significand += unit;
    return (Kept){true, up, up && *significand == 0};
}

SoftFloat SoftFloat_Round(SoftFloat x, uint64_t rest, SoftControl *control) {
    const SoftFormat format = control->format;
    SoftFloat rounded = x;
    rounded.denormal = false;
    Kept kept = KeepBits(x.negative, control->rounding, format.bits, &rounded.significand, rest);
    if (kept.carried) {
        rounded.significand = LEADING;
        rounded.exponent++;
    }
    control->up = kept.up;

    if (rounded.exponent > format.most) {
        control->raised |= SOFT_OVERFLOW;
        if (control->masks & SOFT_OVERFLOW) {
            const unsigned inward = x.negative ? SOFT_UP : SOFT_DOWN;
            control->raised |= SOFT_INEXACT;
            control->up = control->rounding != SOFT_TO_ZERO && control->rounding != inward;
            if (control->up)
                return SoftFloat_Infinity(x.negative);
            rounded.exponent = format.most;
            rounded.significand = ~(uint64_t)0 << (64 - format.bits);
            return rounded;
        }
        rounded.exponent -= control->adjustment;
        if (control->adjustment != 0 && rounded.exponent > format.most) { /* too large even so */
            control->raised |= SOFT_INEXACT;
            control->up = true;
            return SoftFloat_Infinity(x.negative);
        }
    } else if (rounded.exponent < format.least) {
        /* The result is too small. This is judged after rounding with an exponent of any size. If
         * underflow is masked, it is an exception only if bits are lost as well. */
        if (control->masks & SOFT_UNDERFLOW) {
            if (control->flush) {
                control->raised |= SOFT_UNDERFLOW | SOFT_INEXACT;
                return SoftFloat_Zero(x.negative);
            }
            const int32_t shift = format.least - x.exponent;
            uint64_t significand = x.significand;
            SoftFloat_ShiftRight(&significand, &rest, shift);
            kept = KeepBits(x.negative, control->rounding, format.bits, &significand, rest);
            control->up = kept.up;
            if (kept.inexact)
                control->raised |= SOFT_UNDERFLOW | SOFT_INEXACT;
            return Normalised(x.negative, format.least, significand);
        }
        control->raised |= SOFT_UNDERFLOW;
        rounded.exponent += control->adjustment;
        if (control->adjustment != 0 && rounded.exponent < format.least) {
            control->raised |= SOFT_INEXACT;
            control->up = false;
            return SoftFloat_Zero(x.negative);
        }
    }
    if (kept.inexact)
        control->raised |= SOFT_INEXACT;
    return rounded;
}

bool SoftFloat_Whole(SoftFloat x, SoftControl *control, uint64_t *magnitude) {
    *magnitude = 0;
    control->up = false;
    if (x.kind == SOFT_ZERO)
        return true;
    if (x.kind != SOFT_FINITE || x.exponent > 63)
        return false;
    uint64_t rest = 0;
    *magnitude = x.significand;
    SoftFloat_ShiftRight(magnitude, &rest, 63 - x.exponent);
    const Kept kept = KeepBits(x.negative, control->rounding, 64, magnitude, rest);
    if (kept.inexact)
        control->raised |= SOFT_INEXACT;
    control->up = kept.up;
    return !kept.carried;
}

int64_t SoftFloat_ToInteger(SoftFloat x, int bits, SoftControl *control) {
    const uint64_t least = (uint64_t)1 << (bits - 1);
    const unsigned raised = control->raised;
    uint64_t magnitude;
    if (!SoftFloat_Whole(x, control, &magnitude) || magnitude > least - (x.negative ? 0 : 1)) {
        control->raised = raised | SOFT_INVALID;
        control->up = false;
        return bits == 64 ? INT64_MIN : -(int64_t)least;
    }
    return (int64_t)(x.negative ? 0 - magnitude : magnitude);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Compares two finite numbers. */
static int CompareMagnitudes(SoftFloat a, SoftFloat b) {
    if (a.exponent != b.exponent)
        return a.exponent < b.exponent ? -1 : 1;
    return (a.significand > b.significand) - (a.significand < b.significand);
}

int SoftFloat_Compare(SoftFloat a, SoftFloat b) {
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO)
        return 0;
    if (a.kind == SOFT_ZERO)
        return b.negative ? 1 : -1;
    if (b.kind == SOFT_ZERO || a.negative != b.negative)
        return a.negative ? -1 : 1;
    int order;
    if (a.kind == SOFT_INFINITE || b.kind == SOFT_INFINITE)
        order = (a.kind == SOFT_INFINITE) - (b.kind == SOFT_INFINITE);
    else
        order = CompareMagnitudes(a, b);
    return a.negative ? -order : order;
}

void SoftFloat_Multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
    *low = middle << 32 | (uint32_t)p00;
    *high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
}

static SoftFloat Sum(SoftFloat a, SoftFloat b, SoftControl *control) {
    const bool differ = a.negative != b.negative;
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO)
        return differ ? SoftFloat_Zero(control->rounding == SOFT_DOWN) : a;
    if (a.kind == SOFT_ZERO || b.kind == SOFT_ZERO)
        return SoftFloat_Round(a.kind == SOFT_ZERO ? b : a, 0, control);
    const int order = CompareMagnitudes(a, b);
    if (differ && order == 0)
        return SoftFloat_Zero(control->rounding == SOFT_DOWN);
    SoftFloat large = order < 0 ? b : a, small = order < 0 ? a : b;
    uint64_t rest = 0;
    SoftFloat_ShiftRight(&small.significand, &rest, large.exponent - small.exponent);
    if (!differ) {
        large.significand += small.significand;
        if (large.significand < small.significand) { /* one bit more than a word holds */
            SoftFloat_ShiftRight(&large.significand, &rest, 1);
            large.significand |= LEADING;
            large.exponent++;
        }
        return SoftFloat_Round(large, rest, control);
    }
    /* If the exponents differ by more than one, the difference loses at most one leading bit. The
     * rest then still has 63 bits, and one that stands for all others. */
    large.significand -= small.significand + (rest != 0);
    rest = 0 - rest;
    if (large.significand == 0) { /* the exponents differ by one at most, so the rest is exact */
        large.significand = rest;
        large.exponent -= 64;
        rest = 0;
    }
    const int shift = __builtin_clzll(large.significand);
    if (shift != 0) {
        large.significand = large.significand << shift | rest >> (64 - shift);
        rest <<= shift;
        large.exponent -= shift;
    }
    return SoftFloat_Round(large, rest, control);
}

static SoftFloat Product(SoftFloat a, SoftFloat b, bool negative, SoftControl *control) {
    SoftFloat product = {SOFT_FINITE, negative, false, a.exponent + b.exponent + 1, 0};
    uint64_t rest;
    SoftFloat_Multiply(a.significand, b.significand, &product.significand, &rest);
    if (!(product.significand & LEADING)) {
        product.significand = product.significand << 1 | rest >> 63;
        rest <<= 1;
        product.exponent--;
    }
    return SoftFloat_Round(product, rest, control);
}

static SoftFloat Quotient(SoftFloat a, SoftFloat b, bool negative, SoftControl *control) {
    SoftFloat quotient = {SOFT_FINITE, negative, false, a.exponent - b.exponent, 0};
    uint64_t left = a.significand;
    bool over = false; /* the remainder has one bit more than a word holds */
    if (left < b.significand) {
        quotient.exponent--;
        over = left >> 63 != 0;
        left <<= 1;
    }
    for (int i = 0; i < 64; i++) {
        const bool fits = over || left >= b.significand;
        quotient.significand = quotient.significand << 1 | fits;
        if (fits)
            left -= b.significand;
        over = left >> 63 != 0;
        left <<= 1;
    }
    /* The remainder has been doubled, so the divisor is half of a unit. */
    uint64_t rest = 0;
    if (over || left > b.significand)
        rest = LEADING | 1;
    else if (left != 0)
        rest = left == b.significand ? LEADING : 1;
    return SoftFloat_Round(quotient, rest, control);
}

static SoftFloat Root(SoftFloat x, SoftControl *control) {
    /* Computes the root of significand * 2^62 or 2^63, which has 64 bits, one bit after the other.
     * What is left is the operand's upper bits less the square of the root so far. */
    const int odd = x.exponent & 1;
    uint64_t root = 0, left_high = 0, left = 0;
    uint64_t high = x.significand >> (1 - odd), low = odd ? 0 : x.significand << 63;
    for (int i = 0; i < 64; i++) {
        left_high = left_high << 2 | left >> 62;
        left = left << 2 | high >> 62;
        high = high << 2 | low >> 62;
        low <<= 2;
        const uint64_t trial = root << 2 | 1, trial_high = root >> 62;
        root <<= 1;
        if (left_high > trial_high || (left_high == trial_high && left >= trial)) {
            left_high -= trial_high + (left < trial);
            left -= trial;
            root |= 1;
        }
    }
    /* The root is never in the middle between two numbers of 64 bits, because its square would then
     * have 129 bits. */
    const bool more = left_high != 0 || left > root;
    const uint64_t rest = left_high == 0 && left == 0 ? 0 : more ? LEADING | 1 : 1;
    const SoftFloat result = {SOFT_FINITE, false, false, (x.exponent - odd) / 2, root};
    return SoftFloat_Round(result, rest, control);
}

SoftFloat SoftFloat_Operate(SoftOperation operation, SoftFloat a, SoftFloat b,
                            SoftControl *control) {
    control->up = false;
    if (operation == SOFT_SUB) {
        b.negative = !b.negative;
        operation = SOFT_ADD;
    }
    if (operation == SOFT_SQRT)
        b = a;
    const bool negative = a.negative != b.negative;
    const bool a_zero = a.kind == SOFT_ZERO, b_zero = b.kind == SOFT_ZERO;
    const bool a_far = a.kind == SOFT_INFINITE, b_far = b.kind == SOFT_INFINITE;

    if ((operation == SOFT_ADD && a_far && b_far && negative) ||
        (operation == SOFT_MUL && ((a_far && b_zero) || (a_zero && b_far))) ||
        (operation == SOFT_DIV && ((a_far && b_far) || (a_zero && b_zero))) ||
        (operation == SOFT_SQRT && a.negative && !a_zero)) {
        control->raised |= SOFT_INVALID;
        return SoftFloat_Indefinite();
    }
    if (operation == SOFT_DIV && b_zero && !a_far) {
        control->raised |= SOFT_DIVIDE;
        return SoftFloat_Infinity(negative);
    }
    if (a.denormal || b.denormal) {
        control->raised |= SOFT_DENORMAL;
        if (SoftControl_IsStopped(control))
            return a;
    }

    switch (operation) {
    case SOFT_ADD:
        return a_far ? a : b_far ? b : Sum(a, b, control);
    case SOFT_MUL:
        if (a_far || b_far)
            return SoftFloat_Infinity(negative);
        return a_zero || b_zero ? SoftFloat_Zero(negative) : Product(a, b, negative, control);
    case SOFT_DIV:
        if (a_far)
            return SoftFloat_Infinity(negative);
        return a_zero || b_far ? SoftFloat_Zero(negative) : Quotient(a, b, negative, control);
    default:
        return a_zero || a_far ? a : Root(a, control);
    }
}
