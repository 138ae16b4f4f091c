/* Tests the models of rcpss and rsqrtss, which need no processor of either maker: every entry by a
 * digest, published values, special arguments, and the promised error. measure_estimates compares
 * them with this processor. */
#include "ngi32/processor/estimates.h"

#include "ngi32/processor/sse.h"
#include "retropose/fastproc.h"

#include "tests/bits.h"
#include "tests/golden/digest.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define LOWER_BITS 11 /* the number of bits that neither model uses */
#define BLOCKS     (1u << 21)

static const RpEstimates makers[] = {RP_ESTIMATES_INTEL, RP_ESTIMATES_AMD};

SSE_BUILD static float Instruction(float x) {
    float estimate;
    Sse_Store(Sse_Rcp(Sse_Load(&x)), &estimate);
    return estimate;
}

/* These are digests of what a processor gives for the arguments whose lower eleven bits are 0.
 * AMD's were measured on a family 25. Intel's were computed by exact fractions from the sentences
 * of facts/anchors.md 3.5a. */
TEST(EveryEntryIsTheMakers) {
    static const uint64_t expected[2][2] = {{0x7EA26E507C6784BD, 0x56FAD8C08402BA58},
                                            {0xB681A69EEADECACD, 0x27F7B09FA6EB3834}};
    for (int i = 0; i < 2; i++) {
        Digest reciprocals = {0, HASH_FNV64_BEGIN}, roots = {0, HASH_FNV64_BEGIN};
        for (uint32_t block = 0; block < BLOCKS; block++) {
            uint32_t estimate = Estimates_Reciprocal(makers[i], block << LOWER_BITS);
            uint32_t root = Estimates_ReciprocalSquareRoot(makers[i], block << LOWER_BITS);
            Digest_Add(&reciprocals, &estimate, sizeof estimate);
            Digest_Add(&roots, &root, sizeof root);
        }
        assert_int_equal(reciprocals.hash, expected[i][0]);
        assert_int_equal(roots.hash, expected[i][1]);
    }
}

/* rsqrtss(256) of a Skylake and of a Rome is from the article about traces of rr that
 * facts/anchors.md 3.2 names; rcpss(1) is from facts/numerics.md. */
TEST(PublishedEstimatesAreMet) {
    assert_int_equal(Estimates_ReciprocalSquareRoot(RP_ESTIMATES_INTEL, 0x43800000), 0x3D7FF000);
    assert_int_equal(Estimates_ReciprocalSquareRoot(RP_ESTIMATES_AMD, 0x43800000), 0x3D7FF800);
    assert_int_equal(Estimates_Reciprocal(RP_ESTIMATES_AMD, 0x3F800000), 0x3F7FF000);
    assert_int_equal(Estimates_ReciprocalSquareRoot(RP_ESTIMATES_OF_THIS, 0x43800000), 0x3D7FF000);
}

TEST(SpecialArgumentsGiveTheSame) {
    static const uint32_t cases[][3] = {
        {0x00000000, 0x7F800000, 0x7F800000}, {0x80000000, 0xFF800000, 0xFF800000},
        {0x00000001, 0x7F800000, 0x7F800000}, {0x807FFFFF, 0xFF800000, 0xFF800000},
        {0x7F800000, 0x00000000, 0x00000000}, {0xFF800000, 0x80000000, 0xFFC00000},
        {0x7F800001, 0x7FC00001, 0x7FC00001}, {0xFFC12345, 0xFFC12345, 0xFFC12345},
        {0x7E800000, 0x00000000, 0x1FFFF800}, {0xFE800000, 0x80000000, 0xFFC00000},
        {0xFF7FFFFF, 0x80000000, 0xFFC00000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < 2; m++) {
            assert_int_equal(Estimates_Reciprocal(makers[m], cases[i][0]), cases[i][1]);
            if (cases[i][2] != 0x1FFFF800 || makers[m] == RP_ESTIMATES_AMD)
                assert_int_equal(Estimates_ReciprocalSquareRoot(makers[m], cases[i][0]),
                                 cases[i][2]);
        }
}

/* The error is greatest at an end of an interval. */
TEST(TheErrorIsAsPromised) {
    const double allowed = 1.5 / 4096;
    for (int m = 0; m < 2; m++)
        for (uint32_t bits = 0x3F800000; bits < 0x40800000; bits += 1u << LOWER_BITS)
            for (int end = 0; end < 2; end++) {
                uint32_t argument = bits | (end ? (1u << LOWER_BITS) - 1 : 0);
                double x = (double)FromBits(argument);
                double inverse = (double)FromBits(Estimates_Reciprocal(makers[m], argument));
                double root = (double)FromBits(Estimates_ReciprocalSquareRoot(makers[m], argument));
                assert_true(fabs(inverse * x - 1) <= allowed);
                assert_true(fabs(root * sqrt(x) - 1) <= allowed);
            }
}

/* ---- the slots that use them ----------------------------------------------------------------- */

static RpArithmetic SseOf(RpEstimates maker) {
    return (RpArithmetic){.build = RP_BUILD_SSE, .estimates = maker};
}

/* Computes slot 45 under the default readings, for a segment of length m along the first axis and a
 * plane at right angles to it. With the estimate r, the hit is m * (d0 * ((r + r) - (m * r) *
 * r)). */
SSE_BUILD static float HitBy(float m, float distance, float estimate) {
    Sse r = Sse_Load(&estimate), wide = Sse_Load(&m);
    Sse inverse = Sse_Sub(Sse_Add(r, r), Sse_Mul(Sse_Mul(wide, r), r));
    float hit;
    Sse_Store(Sse_Mul(Sse_Load(&m), Sse_Mul(Sse_Load(&distance), inverse)), &hit);
    return hit;
}

/* Counts the segments for which the two makers' hits differ, and checks the hits of each maker. */
TEST(Slot45TakesTheEstimatesAskedFor) {
    int differ = 0;
    for (uint32_t i = 0; i < 4096; i++) {
        float m = FromBits(0x3F800000 + (i << 11) + i % 2048), hits[2][3];
        const float start[3] = {0, 0, 0}, end[3] = {m, 0, 0}, plane[4] = {-1, 0, 0, 0.7F};
        for (int k = 0; k < 2; k++) {
            const RpArithmetic arithmetic = SseOf(makers[k]);
            float estimate = FromBits(Estimates_Reciprocal(makers[k], Bits(m)));
            float expected = HitBy(m, plane[3], estimate);
            assert_int_equal(RpSegment_Plane(&arithmetic, start, end, plane, hits[k]), 1);
            assert_int_equal(Bits(hits[k][0]), Bits(expected));
        }
        differ += memcmp(hits[0], hits[1], sizeof hits[0]) != 0;
    }
    assert_true(differ > 500);
}

/* Computes 0.5 * r * (3 - x * r * r), as the reading rsqrt-sse=newton does. */
SSE_BUILD static float RootBy(float x, float estimate) {
    static const float half = 0.5F, three = 3;
    Sse r = Sse_Load(&estimate), rest = Sse_Mul(Sse_Mul(Sse_Load(&x), r), r);
    float root;
    Sse_Store(Sse_Mul(Sse_Mul(Sse_Load(&half), r), Sse_Sub(Sse_Load(&three), rest)), &root);
    return root;
}

TEST(Slot11TakesTheEstimatesAskedFor) {
    int differ = 0;
    for (uint32_t i = 0; i < 8192; i++) {
        float x = FromBits(0x3F800000 + (i << 11) + i % 2048), roots[2];
        for (int k = 0; k < 2; k++) {
            RpArithmetic arithmetic = SseOf(makers[k]);
            assert_int_equal(
                RpReadings_Parse(&arithmetic.readings, RP_READS_RUNTIME, "rsqrt-sse=newton", NULL),
                RP_OK);
            float estimate = FromBits(Estimates_ReciprocalSquareRoot(makers[k], Bits(x)));
            roots[k] = (float)RpScalar_ReciprocalSquareRoot(&arithmetic, x);
            assert_int_equal(Bits(roots[k]), Bits(RootBy(x, estimate)));
        }
        differ += roots[0] != roots[1];
    }
    assert_true(differ > 1000);
}

/* Only the SSE build uses estimates, and only where a reading asks for them. */
TEST(NothingElseHangsOnThem) {
    const float start[3] = {0, 0, 0}, plane[4] = {-1, 0, 0, 0.7F};
    for (uint32_t i = 0; i < 4096; i++) {
        float m = FromBits(0x3F800000 + (i << 11) + i % 2048), hits[3][3], lengths[3];
        const float end[3] = {m, 0, 0};
        for (RpEstimates maker = RP_ESTIMATES_OF_THIS; maker <= RP_ESTIMATES_AMD; maker++) {
            RpArithmetic arithmetic = SseOf(maker);
            float vector[3] = {m, 1, 2};
            lengths[maker] = (float)RpScalar_ReciprocalSquareRoot(&arithmetic, m) +
                             (float)RpVector_Normalise(&arithmetic, vector) + vector[0];
            arithmetic.build = RP_BUILD_GENERIC;
            assert_int_equal(RpSegment_Plane(&arithmetic, start, end, plane, hits[maker]), 1);
        }
        assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
        assert_memory_equal(hits[0], hits[2], sizeof hits[0]);
        assert_int_equal(Bits(lengths[0]), Bits(lengths[1]));
        assert_int_equal(Bits(lengths[0]), Bits(lengths[2]));
    }
}

/* If no maker is named, the instruction of this processor counts. */
TEST(NoMakerMeansTheInstruction) {
    for (uint32_t i = 0; i < 4096; i++) {
        float m = FromBits(0x3F800000 + (i << 11) + i % 2048), hit[3];
        const float start[3] = {0, 0, 0}, end[3] = {m, 0, 0}, plane[4] = {-1, 0, 0, 0.7F};
        const RpArithmetic arithmetic = SseOf(RP_ESTIMATES_OF_THIS);
        assert_int_equal(RpSegment_Plane(&arithmetic, start, end, plane, hit), 1);
        assert_int_equal(Bits(hit[0]), Bits(HitBy(m, plane[3], Instruction(m))));
    }
}
