#include "tests/replay/fixture.h"

#include "tracefile/format.h"
#include "tracefile/value.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

TEST(DistancesOfFloatsAreExactAndSigned) {
    assert_int_equal(Value_Ulps32(0x3F800000, 0x3F800001), 1);
    assert_int_equal(Value_Ulps32(0x3F800001, 0x3F800000), -1);
    assert_int_equal(Value_Ulps32(0x00000000, 0x80000000), 0);
    assert_int_equal(Value_Ulps32(0x80000001, 0x00000001), 2);
    assert_int_equal(Value_Ulps32(0xFF800000, 0x7F800000), 2ll * 0x7F800000);
    assert_int_equal(Value_Ulps32(0x7FC00000, 0x3F800000), VALUE_NO_DISTANCE);
    assert_int_equal(Value_Ulps32(0x3F800000, 0xFFC00000), VALUE_NO_DISTANCE);
}

static int64_t Ulps80(uint16_t top_a, uint64_t a, uint16_t top_b, uint64_t b) {
    uint8_t bytes[2][12] = {{0}};
    Trace_Put64(bytes[0], a);
    Bytes_PutU16(bytes[0] + 8, top_a);
    Trace_Put64(bytes[1], b);
    Bytes_PutU16(bytes[1] + 8, top_b);
    assert_int_equal(Value_Ulps(SIGNATURE_F32, 12, bytes[0], bytes[1]),
                     Value_Ulps80(bytes[0], bytes[1]));
    return Value_Ulps80(bytes[0], bytes[1]);
}

TEST(DistancesOfExtendedFloatsAreExactAndSigned) {
    const uint64_t one = 0x8000000000000000u;
    assert_int_equal(Ulps80(0x3FFF, one, 0x3FFF, one + 1), 1);
    assert_int_equal(Ulps80(0x3FFF, one, 0x3FFE, UINT64_MAX), -1);
    assert_int_equal(Ulps80(0x3FFE, UINT64_MAX, 0x3FFF, one + 5), 6);
    assert_int_equal(Ulps80(0xBFFF, one + 1, 0xBFFF, one), 1);
    assert_int_equal(Ulps80(0x8000, 1, 0x0000, 1), 2);
    assert_int_equal(Ulps80(0x0000, 0, 0x8000, 0), 0);
    /* a pseudo-denormal has the same value */
    assert_int_equal(Ulps80(0x0000, one, 0x0001, one), 0);
    assert_int_equal(Ulps80(0x3FFF, one, 0x3FFF, one + (1ull << 40)), 1ll << 40);
    /* the numbers are too far apart */
    assert_int_equal(Ulps80(0x3FFF, one, 0x4005, one), VALUE_NO_DISTANCE);
    assert_int_equal(Ulps80(0x7FFF, one + 1, 0x3FFF, one), VALUE_NO_DISTANCE);
    /* an unnormal is not a number */
    assert_int_equal(Ulps80(0x3FFF, 1, 0x3FFF, one), VALUE_NO_DISTANCE);
}

static void AssertTexts(SignatureType type, uint32_t size, const void *bytes, const char *hex,
                        const char *decimal, const char *class) {
    char text[64];
    Value_Hex(type, size, bytes, text, sizeof text);
    assert_string_equal(text, hex);
    Value_Decimal(type, size, bytes, text, sizeof text);
    assert_string_equal(text, decimal);
    assert_string_equal(Value_Class(type, size, bytes), class);
}

TEST(FloatsShowBitsDecimalAndClass) {
    static const struct {
        uint32_t bits;
        const char *hex, *decimal, *class;
    } cases[] = {
        {0x3F800000, "3f800000", "1", ""},
        {0x3F800001, "3f800001", "1.00000012", ""},
        {0x00000000, "00000000", "0", ""},
        {0x80000000, "80000000", "-0", "-0"},
        {0x00000001, "00000001", "1.40129846e-45", "subnormal"},
        {0x7F800000, "7f800000", "inf", "infinity"},
        {0x7FC12345, "7fc12345", "nan", "NaN, quiet"},
        {0xFF812345, "ff812345", "-nan", "NaN, signalling"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[4];
        Bytes_PutU32(bytes, cases[i].bits);
        AssertTexts(SIGNATURE_F32, 4, bytes, cases[i].hex, cases[i].decimal, cases[i].class);
    }
}

TEST(ExtendedFloatsShowAllTheirBits) {
    static const struct {
        uint64_t significand;
        uint16_t top;
        const char *hex, *decimal, *class;
    } cases[] = {
        {0x8000000000000000, 0x3FFF, "3fff8000000000000000", "1", ""},
        {0x8000000000000001, 0x3FFF, "3fff8000000000000001", "1.00000000000000000011", ""},
        {0, 0x8000, "80000000000000000000", "-0", "-0"},
        {0, 0, "00000000000000000000", "0", ""},
        {0x8000000000000000, 0x7FFF, "7fff8000000000000000", "inf", "infinity"},
        {0xC000000000000000, 0xFFFF, "ffffc000000000000000", "-nan", "NaN, quiet"},
        {0x8000000000000001, 0x7FFF, "7fff8000000000000001", "nan", "NaN, signalling"},
        {1, 0x3FFF, "3fff0000000000000001", "invalid", "invalid encoding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[12] = {0};
        Trace_Put64(bytes, cases[i].significand);
        Bytes_PutU16(bytes + 8, cases[i].top);
        AssertTexts(SIGNATURE_F32, 12, bytes, cases[i].hex, cases[i].decimal, cases[i].class);
    }
    uint8_t tiny[12] = {1};
    assert_string_equal(Value_Class(SIGNATURE_F32, 12, tiny), "subnormal");
}

TEST(HexadecimalFloatsAreForFloats) {
    const uint8_t one[4] = {0, 0, 0x80, 0x3F};
    char text[64];
    Value_HexFloat(SIGNATURE_F32, 4, one, text, sizeof text);
    assert_string_equal(text, "0x1p+0");
    Value_HexFloat(SIGNATURE_U32, 4, one, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(Value_Ulps(SIGNATURE_U32, 4, one, one), VALUE_NO_DISTANCE);
}

/* The text is what the GNU C library writes for such a number on an x86. */
TEST(HexadecimalFloatsOf80BitsAreAnX86s) {
    static const struct {
        uint64_t significand;
        uint16_t top;
        const char *text;
    } cases[] = {{0x8000000000000000, 0x3FFF, "0x8p-3"},
                 {0xC90FDAA22168C235, 0xC000, "-0xc.90fdaa22168c235p-2"},
                 {0x8000000000000001, 0x3FFF, "0x8.000000000000001p-3"},
                 {0xFF00000000000000, 0x7FFE, "0xf.fp+16380"},
                 {0, 0x8000, "-0x0p+0"},
                 {0x4000000000000000, 0, "0x4p-16385"},
                 {1, 0, "0x0.000000000000001p-16385"},
                 {0x8000000000000000, 0xFFFF, "-inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[12] = {0};
        char text[64];
        Trace_Put64(bytes, cases[i].significand);
        Bytes_PutU16(bytes + 8, cases[i].top);
        Value_HexFloat(SIGNATURE_F32, 12, bytes, text, sizeof text);
        assert_string_equal(text, cases[i].text);
#if defined(__GLIBC__) && LDBL_MANT_DIG == 64
        char expected[64];
        snprintf(expected, sizeof expected, "%La", Value_Number80(bytes));
        assert_string_equal(text, expected);
#endif
    }
}

TEST(OtherTypesShowWhatTheyMean) {
    AssertTexts(SIGNATURE_I32, 4, "\xFE\xFF\xFF\xFF", "fffffffe", "-2", "");
    AssertTexts(SIGNATURE_U32, 4, "\xFE\xFF\xFF\xFF", "fffffffe", "4294967294", "");
    AssertTexts(SIGNATURE_U8, 1, "\x0A", "0a", "10", "");
    AssertTexts(SIGNATURE_ANY, 4, "\0\0\0\0", "00000000", "any", "");
    AssertTexts(SIGNATURE_REF, 8, "\xFF\xFF\xFF\xFF\0\0\0\0", "ffffffff:00000000", "null", "");
    AssertTexts(SIGNATURE_REF, 8, "\xFE\xFF\xFF\xFF\0\0\0\0", "fffffffe:00000000", "foreign", "");
    AssertTexts(SIGNATURE_REF, 8, "\x03\0\0\0\x10\0\0\0", "00000003:00000010", "memory 3 + 16", "");
    AssertTexts(SIGNATURE_NRES, 4, "\x03\0\0\0", "00000003", "memory 3", "");
    AssertTexts(SIGNATURE_CSTR, 6, "a\"\\\n\xFF", "", "\"a\\x22\\x5c\\x0a\\xff\"", "");
    char small[4];
    assert_int_equal(Value_Decimal(SIGNATURE_CSTR, 5, (const uint8_t *)"long", small, sizeof small),
                     6);
    assert_string_equal(small, "\"lo");
}
