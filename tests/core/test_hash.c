/* Tests that FNV-1a is the published one: the values are those of the authors' list of test vectors
 * (test_fnv.c). */
#include "core/hash.h"
#include "tests/test.h"

#include <string.h>

TEST(BytesHashAsPublished) {
    static const struct {
        const char *text;
        uint32_t fnv32;
        uint64_t fnv64;
    } known[] = {{"", 0x811C9DC5, 0xCBF29CE484222325},
                 {"a", 0xE40C292C, 0xAF63DC4C8601EC8C},
                 {"foobar", 0xBF9CF968, 0x85944171F73967E8}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *text = known[i].text;
        uint32_t fnv32 = known[0].fnv32;
        for (size_t k = 0; text[k]; k++)
            fnv32 = Hash_Fnv32Step(fnv32, (uint8_t)text[k]);
        assert_int_equal(fnv32, known[i].fnv32);
        assert_true(Hash_Fnv64(HASH_FNV64_BEGIN, text, strlen(text)) == known[i].fnv64);
    }
}

TEST(PiecesHashAsTheWhole) {
    const uint64_t half = Hash_Fnv64(HASH_FNV64_BEGIN, "foo", 3);
    assert_true(Hash_Fnv64(half, "bar", 3) == 0x85944171F73967E8);
}

TEST(BytesAboveASCIIHaveNoSign) {
    const uint64_t expected = Hash_Fnv64Step(HASH_FNV64_BEGIN, 0xFF);
    assert_true(Hash_Fnv64(HASH_FNV64_BEGIN, "\xFF", 1) == expected);
}
