/* Tests that the generators give the numbers that are published for them. Made-up models, scenarios
 * and inputs of tests are drawn with them, and so depend on each bit. */
#include "core/random.h"
#include "tests/test.h"

#include <stddef.h>

TEST(SplitMixGivesThePublishedNumbers) {
    /* The published numbers for the seed 1234567, which S. Vigna's splitmix64.c gives. */
    static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u,
                                     9817491932198370423u, 4593380528125082431u,
                                     16408922859458223821u};
    uint64_t seed = 1234567;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(Random_SplitMix(&seed) == known[i]);
    assert_true(Random_Mix(1234567 + RANDOM_GOLDEN_GAMMA) == known[0]);
}

TEST(SplitMixIsDrawnFromItsUpperBits) {
    /* The first number for this seed is 599ED017FB08FC85 in hexadecimal digits. */
    uint64_t seed = 1234567;
    assert_int_equal(Random_SplitMixBelow(&seed, 1000), 0x599ED017 % 1000);
    seed = 1234567;
    assert_true(Random_SplitMixBetween(&seed, -1, 1) == (float)0x599ED0 * 0x1p-23F - 1);
}

/* The seeds 0 and 1 give the constants themselves. The other numbers were computed with Python's
 * integers. */
TEST(CongruenceOf64BitsHasItsConstants) {
    uint64_t seed = 0;
    assert_true(Random_Lcg64(&seed) == 1442695040888963407u && seed == 1442695040888963407u);
    seed = 1;
    assert_true(Random_Lcg64(&seed) == 6364136223846793005u + 1442695040888963407u);
    assert_int_equal(Random_Lcg64Word(&seed), 0x826886B3);
    assert_true(seed == 0x826886B3864A1B1B);
    assert_int_equal(Random_Lcg64Below(&seed, 1000), (0xA5FAE199 >> 1) % 1000);
}

TEST(CongruenceOf32BitsGivesThePublishedNumbers) {
    /* The first numbers for the seed 0, which Numerical Recipes lists. */
    static const uint32_t known[] = {0x3C6EF35F, 0x47502932, 0xD1CCF6E9, 0xAAF95334,
                                     0x6252E503, 0x9F2EC686, 0x57FE6C2D, 0xA3D95FA8,
                                     0x81FDBEE7, 0x94F0AF1A, 0xCBF633B1};
    uint32_t seed = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(Random_Lcg32(&seed), known[i]);
}

TEST(XorShiftGivesWhatItsThreeLinesSay) {
    /* The seed is the paper's. The numbers were computed with Python's integers. */
    static const uint64_t known[] = {8748534153485358512u, 3040900993826735515u,
                                     3453997556048239312u};
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(Random_XorShift(&seed) == known[i]);
}
