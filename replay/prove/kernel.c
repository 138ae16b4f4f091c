#include "replay/prove/kernel.h"

#include "ngi32/exact/arc.h"
#include "ngi32/exact/arc_errors.h"
#include "ngi32/exact/exact_range.h"
#include "ngi32/processor/state.h"
#include "ngi32/processor/x87.h"

#include <stddef.h>

static const float one = 1;

/* ---- numbers --------------------------------------------------------------------------------- */

static float FromBits(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Returns 1/x with 64 bits. */
static X87 ReciprocalOfAllBits(X87 x) {
    State_SetControlWord(PROVE_CONTROL_WORD | 0x0300);
    const X87 reciprocal = X87_Div(X87_Load(&one), x);
    State_SetControlWord(PROVE_CONTROL_WORD);
    return reciprocal;
}

/* Rounds to 24 bits, as an operation of the x87 on such a number does. */
static float Rounded(X87 value) {
    float rounded;
    X87_Store(X87_Mul(value, X87_Load(&one)), &rounded);
    return rounded;
}

/* Returns an error. The difference has 24 bits, which is plenty for an error. */
static double Apart(double found, X87 truth) {
    const double difference = (double)X87_ToLongDouble(X87_Sub(X87_LoadF64(&found), truth));
    return difference < 0 ? -difference : difference;
}

/* Returns an error in units of the last place of `found`, which is a normal number. */
static double UnitsApart(double found, X87 truth) {
    uint64_t bits;
    double power; /* a power of two that is not above the number */
    memcpy(&bits, &found, sizeof bits);
    bits &= UINT64_C(0x7FF0000000000000);
    memcpy(&power, &bits, sizeof power);
    return Apart(found, truth) / power * 0x1p52;
}

static ProveSample Relative(double found, X87 truth, float x87) {
    ProveSample sample = {.found = found, .error = UnitsApart(found, truth), .x87 = x87};
    sample.decided = Exact_Round(found, &sample.core);
    return sample;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Evaluates the stored root, fpatan, fsin and the division, which are steps of slots 17 and 22.
 * Theta is rounded after it was multiplied by a time, here by 1. */
static void EvaluateAngle(uint32_t argument, ProveSample samples[PROVE_PARTS]) {
    const float c = FromBits(argument);
    float root, reciprocal;
    const X87 product =
        X87_Mul(X87_Add(X87_Load(&one), X87_Load(&c)), X87_Sub(X87_Load(&one), X87_Load(&c)));
    X87_Store(X87_Sqrt(product), &root);
    const X87 theta = X87_Patan(X87_Load(&root), X87_Load(&c)), sine = X87_Sin(theta);
    X87_Store(X87_Div(X87_Load(&one), sine), &reciprocal);
    const ExactAngle angle = Exact_Angle(c);
    samples[0] = Relative(angle.theta, theta, Rounded(theta));
    samples[1] = Relative(angle.reciprocal_sine, ReciprocalOfAllBits(sine), reciprocal);
}

static void EvaluatePhi(uint32_t argument, ProveSample samples[PROVE_PARTS]) {
    const float phi = FromBits(argument);
    const ExactSineCosine both = Exact_SineCosine(phi);
    const X87 sine = X87_Sin(X87_Load(&phi)), cosine = X87_Cos(X87_Load(&phi));
    samples[0] = Relative(both.sine, sine, Rounded(sine));
    samples[1] = (ProveSample){
        .found = both.cosine, .error = Apart(both.cosine, cosine) * 0x1p53, .x87 = Rounded(cosine)};
    samples[1].decided = Exact_RoundAbsolutely(both.cosine, EXACT_COSINE_ERROR, &samples[1].core);
}

static void EvaluateSineCosine(uint32_t argument, ProveSample samples[PROVE_PARTS]) {
    const float angle = FromBits(argument);
    const ExactSineCosine both = Exact_SineCosineOfAngle(angle);
    const X87 sine = X87_Sin(X87_Load(&angle)), cosine = X87_Cos(X87_Load(&angle));
    float stored[2];
    X87_Store(sine, &stored[0]);
    X87_Store(cosine, &stored[1]);
    samples[0] = Relative(both.sine, sine, stored[0]);
    samples[1] = Relative(both.cosine, cosine, stored[1]);
}

/* Both steps are operations of IEEE 754 in binary32, so there is no error and no test of
 * rounding. */
static void EvaluateReciprocalRoot(uint32_t argument, ProveSample samples[PROVE_PARTS]) {
    const float x = FromBits(argument);
    const X87 result = X87_Div(X87_Load(&one), X87_Sqrt(X87_Load(&x)));
    samples[0] = (ProveSample){.core = 1 / Exact_SquareRoot(x), .decided = true};
    samples[0].found = samples[0].core;
    samples[0].error = UnitsApart(samples[0].found, result);
    X87_Store(result, &samples[0].x87);
}

#define NO_RANGE                                                                                   \
    { 1, 0 }
#define SIGN 0x80000000u

const ProveKernel prove_kernels[] = {
    {.name = "angle",
     .description = "theta and 1/sin(theta) of a cosine, as slots 17 and 22 find them",
     .parts = {{.name = "theta", .bound = EXACT_THETA_BOUND, .allowed = EXACT_WINDOW},
               {.name = "inverse-sine",
                .bound = EXACT_INVERSE_SINE_BOUND,
                .allowed = EXACT_WINDOW}},
     .ranges = {{0, 0}, {EXACT_BITS_2_M103, EXACT_BITS_LARGEST_COSINE}},
     .evaluate = EvaluateAngle},
    {.name = "phi",
     .description = "sine and cosine of a rounded part of theta, in slots 17 and 22",
     .parts = {{.name = "sine", .bound = EXACT_SINE_BOUND, .allowed = EXACT_WINDOW},
               {.name = "cosine",
                .absolute = true,
                .bound = EXACT_COSINE_BOUND,
                .allowed = EXACT_COSINE_ERROR * 0x1p53}},
     .ranges = {{EXACT_BITS_2_M49, EXACT_BITS_RIGHT_ANGLE}, NO_RANGE},
     .evaluate = EvaluatePhi},
    {.name = "sine-cosine",
     .description = "ngiGetSinCos, angles of a size from 2^-40 to 2^19",
     .parts = {{.name = "sine", .bound = EXACT_ANY_SINE_BOUND, .allowed = EXACT_WINDOW},
               {.name = "cosine", .bound = EXACT_ANY_COSINE_BOUND, .allowed = EXACT_WINDOW}},
     .ranges = {{EXACT_BITS_2_M40, EXACT_BITS_2_19},
                {SIGN | EXACT_BITS_2_M40, SIGN | EXACT_BITS_2_19}},
     .evaluate = EvaluateSineCosine},
    {.name = "reciprocal-root",
     .description = "slot 11 by a root and a division of binary32, positive normal numbers",
     .parts = {{.name = "root"}},
     .ranges = {{0x00800000, 0x7F7FFFFF}, NO_RANGE},
     .evaluate = EvaluateReciprocalRoot},
};
const unsigned prove_kernel_count = sizeof prove_kernels / sizeof *prove_kernels;

/* ---- arguments ------------------------------------------------------------------------------- */

const ProveKernel *ProveKernel_Find(const char *name) {
    for (unsigned i = 0; i < prove_kernel_count; i++)
        if (strcmp(prove_kernels[i].name, name) == 0)
            return &prove_kernels[i];
    return NULL;
}

static uint64_t CountOf(ProveRange range) {
    return (uint64_t)range.last + 1 - range.first;
}

uint64_t ProveKernel_Arguments(const ProveKernel *kernel) {
    uint64_t count = 0;
    for (int i = 0; i < PROVE_RANGES; i++)
        count += CountOf(kernel->ranges[i]);
    return count;
}

uint32_t ProveKernel_Argument(const ProveKernel *kernel, uint64_t index) {
    int i = 0;
    while (index >= CountOf(kernel->ranges[i]))
        index -= CountOf(kernel->ranges[i++]);
    return kernel->ranges[i].first + (uint32_t)index;
}

bool ProveKernel_Has(const ProveKernel *kernel, uint32_t argument) {
    bool has = false;
    for (int i = 0; i < PROVE_RANGES; i++)
        has |= argument >= kernel->ranges[i].first && argument <= kernel->ranges[i].last;
    return has;
}
