/* Tests that the functions of one argument in the exact core are as near to the x87's instructions
 * as was proven, for a part of the arguments; `retropose prove` tries all of them. */
#include "ngi32/exact/arc.h"
#include "ngi32/exact/arc_errors.h"
#include "ngi32/exact/exact_range.h"
#include "ngi32/exact/faces.h"
#include "ngi32/exact/sine_cosine.h"
#include "replay/prove/prove_sweep.h"
#include "tests/ngi32/floats.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>

TEST(NoErrorIsAboveItsBound) {
    for (unsigned i = 0; i < prove_kernel_count; i++) {
        const ProveKernel *kernel = &prove_kernels[i];
        ProveTally tally;
        ProveTally_Init(&tally);
        assert_true(Sweep_Sample(kernel, 1009, &tally));
        for (int part = 0; part < PROVE_PARTS && kernel->parts[part].name; part++)
            print_message("%s, %s: %.2f units of %.2f\n", kernel->name, kernel->parts[part].name,
                          tally.parts[part].largest, kernel->parts[part].bound);
        assert_true(tally.arguments >= ProveKernel_Arguments(kernel) / 1009);
        assert_true(ProveTally_IsProof(&tally, kernel));
        ProveTally_Free(&tally);
    }
}

/* Checks that `allowed` is the least power of two that is at least four times the bound of
 * everything that is rounded. */
static void AssertAllowed(double allowed, double bound, double other) {
    const double larger = bound > other ? bound : other;
    assert_true(4 * larger <= allowed);
    assert_true(4 * larger > allowed / 2);
}

TEST(WindowsAreFourTimesTheBounds) {
    AssertAllowed(EXACT_WINDOW, EXACT_PHI_BOUND, EXACT_W1_BOUND);
    AssertAllowed(EXACT_COSINE_ERROR * 0x1p53, EXACT_W0_BOUND, 0);
    for (unsigned i = 0; i < prove_kernel_count; i++)
        for (int part = 0; part < PROVE_PARTS; part++)
            assert_true(4 * prove_kernels[i].parts[part].bound <=
                        prove_kernels[i].parts[part].allowed);
}

/* No test of queries meets the worst case of these proofs, so a margin that is too narrow would
 * leave out faces too rarely to be noticed. */
TEST(MarginsAreAThirdAboveTheBounds) {
    static const struct {
        float margin;
        double bound;
    } margins[] = {{EXACT_EDGE_MARGIN, EXACT_EDGE_BOUND},
                   {EXACT_BOX_MARGIN, EXACT_BOX_BOUND},
                   {EXACT_FACE_MARGIN, EXACT_FACE_BOUND},
                   {EXACT_GAP_MARGIN, EXACT_GAP_BOUND}};
    for (size_t i = 0; i < sizeof margins / sizeof *margins; i++)
        assert_true(3 * (double)margins[i].margin * 0x1p24 >= 4 * margins[i].bound);
}

/* With 0 as the dot product the angle is a right one. */
TEST(ARightAngle) {
    const ExactAngle angle = Exact_Angle(0);
    assert_true(angle.theta == 0x1.921fb54442d18p0);
    assert_true(angle.reciprocal_sine == 1);
}

TEST(RoundingRefusesTheMiddle) {
    const double unit = 0x1p-52, middle = 1 + 0x1p-24;
    float rounded;
    for (int i = -2 * EXACT_WINDOW; i <= 2 * EXACT_WINDOW; i++) {
        const bool is_near = i >= -EXACT_WINDOW && i <= EXACT_WINDOW;
        assert_int_equal(Exact_Round(middle + i * unit, &rounded), !is_near);
        assert_true(is_near || rounded == (i < 0 ? 1.0f : 1 + 0x1p-23f));
    }
    assert_false(Exact_RoundAbsolutely(0.5 + 0x1p-25, EXACT_COSINE_ERROR, &rounded));
    assert_false(Exact_RoundAbsolutely(0, EXACT_COSINE_ERROR, &rounded));
    assert_true(Exact_RoundAbsolutely(0.25, EXACT_COSINE_ERROR, &rounded));
    assert_true(rounded == 0.25f);
}

/* Returns whether the angle was served; if not, nothing was written. */
static bool Serves(uint32_t bits) {
    float angle, sine = 7, cosine = 8;
    Float_Put(&angle, bits);
    const bool served = Exact_RoundedSineCosine(&angle, &sine, &cosine);
    assert_true(served || (sine == 7 && cosine == 8));
    return served;
}

TEST(AnglesOutsideOfTheRangeAreRefused) {
    static const uint32_t refused[] = {
        0,          1,          EXACT_BITS_2_M40 - 1, EXACT_BITS_2_19 + 1,
        0x7F7FFFFF, 0x7F800000, 0x7F800001,           0x7FC00000};
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(Serves(refused[i]));
        assert_false(Serves(refused[i] | 0x80000000u));
    }
    assert_true(Serves(EXACT_BITS_2_M40));
    assert_true(Serves(EXACT_BITS_2_19));
    assert_true(Serves(EXACT_BITS_2_19 | 0x80000000u));
    /* These two are undecided roundings: one of the sine, and one of the cosine. */
    assert_false(Serves(0x46199998));
    assert_false(Serves(0x3A0F1BBD));
}
