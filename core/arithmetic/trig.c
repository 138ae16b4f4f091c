#include "core/arithmetic/trig.h"

#include <math.h>
#include <stdbool.h>

/* The number hi + lo, of which hi is the nearest binary64 number. */
typedef struct Pair {
    double hi, lo;
} Pair;

/* ---- exact steps ----------------------------------------------------------------------------- */

/* Requires |a| >= |b|. */
static inline Pair QuickSum(double a, double b) {
    const double sum = a + b;
    return (Pair){sum, b - (sum - a)};
}

static inline Pair Sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return (Pair){sum, (a - (sum - part)) + (b - part)};
}

static inline Pair Split(double a) {
    const double big = a * 134217729.0, high = big - (big - a); /* 2^27 + 1 */
    return (Pair){high, a - high};
}

static inline Pair Product(double a, double b) {
    const double product = a * b;
    const Pair x = Split(a), y = Split(b);
    return (Pair){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static inline Pair Add(Pair a, Pair b) {
    Pair high = Sum(a.hi, b.hi);
    const Pair low = Sum(a.lo, b.lo);
    high = QuickSum(high.hi, high.lo + low.hi);
    return QuickSum(high.hi, high.lo + low.lo);
}

static inline Pair Multiply(Pair a, Pair b) {
    Pair product = Product(a.hi, b.hi);
    product.lo += a.hi * b.lo + a.lo * b.hi;
    return QuickSum(product.hi, product.lo);
}

static inline Pair Negated(Pair a) {
    return (Pair){-a.hi, -a.lo};
}

/* ---- series ---------------------------------------------------------------------------------- */

/* The coefficients (-1)^j / (2j + 1)! for j from 1. */
static const Pair sine_terms[] = {
    {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {-0x1.ae64567f544e4p-26, 0x1.c062e06d1f209p-80},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {-0x1.ae7f3e733b81fp-41, -0x1.1d8656b0ee8cbp-97},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {-0x1.2f49b46814157p-57, -0x1.2650f61dbdcb4p-112},
    {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
    {-0x1.761b41316381ap-75, 0x1.3423c7d91404fp-130},
    {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
    {-0x1.d1ab1c2dccea3p-94, -0x1.054d0c78aea14p-149},
};

/* The coefficients (-1)^j / (2j)! for j from 1. */
static const Pair cosine_terms[] = {
    {-0x1.0000000000000p-1, 0x0p+0},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {-0x1.27e4fb7789f5cp-22, -0x1.cbbc05b4fa99ap-76},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {-0x1.93974a8c07c9dp-37, -0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {-0x1.6827863b97d97p-53, -0x1.eec01221a8b0bp-107},
    {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
    {-0x1.0ce396db7f853p-70, 0x1.aebcdbd20331cp-124},
    {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
    {-0x1.88e85fc6a4e5ap-89, 0x1.71c37ebd16540p-143},
    {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
};

enum {
    SINE_TERMS = sizeof sine_terms / sizeof *sine_terms,
    COSINE_TERMS = sizeof cosine_terms / sizeof *cosine_terms,
    /* The other terms are below 2^-54 of the first, so binary64 suffices for them. */
    PAIRED_TERMS = 8
};

/* Returns the sum of terms[j] * square^j for j from 0. */
static Pair Series(const Pair *terms, int count, Pair square) {
    double tail = terms[count - 1].hi;
    for (int j = count - 2; j >= PAIRED_TERMS; j--)
        tail = terms[j].hi + square.hi * tail;
    Pair sum = {tail, 0};
    for (int j = PAIRED_TERMS - 1; j >= 0; j--)
        sum = Add(terms[j], Multiply(square, sum));
    return sum;
}

/* The magnitude of `r` is at most a little more than pi/4. */
static Pair SeriesSine(Pair r) {
    const Pair square = Multiply(r, r);
    return Add(r, Multiply(r, Multiply(square, Series(sine_terms, SINE_TERMS, square))));
}

static Pair SeriesCosine(Pair r) {
    const Pair square = Multiply(r, r), one = {1, 0};
    return Add(one, Multiply(square, Series(cosine_terms, COSINE_TERMS, square)));
}

/* ---- reduction ------------------------------------------------------------------------------- */

/* These are pi/2 in three parts, and 2/pi. */
static const double half_pi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                  -0x1.f1976b7ed8fbcp-110};
static const double two_over_pi = 0x1.45f306dc9c883p-1;
static const double most = 1048576;

/* Returns the sine of x + quarters * pi/2. */
static Pair SineOf(double x, int quarters) {
    /* The nearest multiple of pi/2 is subtracted from x. |x| must be <= most. */
    const double scaled = x * two_over_pi;
    const int turned = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    const double n = turned;
    const Pair coarse = Product(n, half_pi[0]), fine = Product(n, half_pi[1]);
    Pair rest = Sum(x, -coarse.hi);
    rest = Add(rest, (Pair){-coarse.lo, 0});
    rest = Add(rest, Negated(fine));
    const Pair r = Add(rest, (Pair){-(n * half_pi[2]), 0});

    const unsigned quarter = (unsigned)(turned + quarters) & 3u;
    const Pair value = quarter & 1u ? SeriesCosine(r) : SeriesSine(r);
    return quarter & 2u ? Negated(value) : value;
}

static bool IsNear(double x) {
    return x >= -most && x <= most;
}

double Trig_Sin(double x) {
    if (x == 0)
        return x; /* Zero keeps its sign. */
    return IsNear(x) ? SineOf(x, 0).hi : sin(x);
}

double Trig_Cos(double x) {
    return IsNear(x) ? SineOf(x, 1).hi : cos(x);
}

/* The C library's result is improved by one Newton step, which doubles the number of right bits.
 * Differences between libraries in the last bits then no longer show. */
double Trig_Acos(double x) {
    const double angle = acos(x);
    if (!(x > -1 && x < 1))
        return angle;
    const Pair sine = SineOf(angle, 0), cosine = SineOf(angle, 1);
    return angle + ((cosine.hi - x) + cosine.lo) / sine.hi;
}
