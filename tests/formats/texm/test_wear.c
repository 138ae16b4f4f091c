/* Tests of .wea texts (facts/formats.md E.3). */
#include "retropose/texm.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

/* Writes the names with commas between them, and a bar between the two tables. */
static void AssertNames(const char *text, size_t size, const char *expected) {
    RpWear wear;
    char names[256] = "";
    assert_int_equal(RpWear_Read(&wear, text, size, NULL, NULL), RP_OK);
    for (uint32_t i = 0; i < wear.material_count; i++) {
        strncat(names, wear.materials[i].text, wear.materials[i].length);
        strcat(names, ",");
    }
    strcat(names, "|");
    for (uint32_t i = 0; i < wear.lightmap_count; i++) {
        strncat(names, wear.lightmaps[i].text, wear.lightmaps[i].length);
        strcat(names, ",");
    }
    assert_string_equal(names, expected);
    RpWear_Free(&wear);
    assert_null(wear.materials);
    assert_int_equal(wear.material_count, 0);
}

#define NAMES(text, expected) AssertNames("" text, sizeof text - 1, expected)

TEST(RowsAreNamedByTheirNumbers) {
    NAMES("2\r\n0 STEEL\r\n1 GLASS\r\n", "STEEL,GLASS,|");
    NAMES("2 1 GLASS 0 STEEL", "STEEL,GLASS,|");
    NAMES("3\n1 A\n", ",A,,|");
    NAMES("1\n0 A\n0 B\n", "B,|");
    NAMES("1\n0 A\n1 B\n", "A,|");
}

TEST(LightmapsFollow) {
    NAMES("1\n0 A\n\nLIGHTMAPS\n2\n1 L1\n0 L0\n", "A,|L0,L1,");
    NAMES("1 0 A lightmaps 1 0 L", "A,|L,");
    NAMES("1 0 A OTHERS 1 0 X LIGHTMAPS 1 0 L", "A,|L,");
    NAMES("LIGHTMAPS 1 0 L", "|L,");
    NAMES("1 0 A LIGHTMAPS", "A,|");
}

TEST(OddTextsHaveNoNames) {
    AssertNames(NULL, 0, "|");
    NAMES("", "|");
    NAMES(" \t\r\n\v\f", "|");
    NAMES("two 0 A", "|");
    NAMES("-1 0 A", "|");
    NAMES("65536 0 A", "|");
    NAMES("99999999999999999999999999 0 A", "|");
    NAMES("1 99999999999999999999999999 A 0 B", "B,|");
    NAMES("2 0 A 1", "A,,|");
    NAMES("0 0 A", "|");
}

/* Refuses each allocation in turn. */
TEST(RefusedMemoryIsAnError) {
    static const char text[] = "1 0 A LIGHTMAPS 1 0 L";
    for (int left = 0;; left++) {
        Refusal refusal = {.left = left};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpWear wear;
        RpError error;
        const RpStatus status = RpWear_Read(&wear, text, sizeof text - 1, &allocator, &error);
        if (status == RP_OK) {
            assert_true(left >= 3);
            RpWear_Free(&wear);
        } else {
            assert_int_equal(status, RP_NO_MEMORY);
            assert_int_equal(error.status, RP_NO_MEMORY);
        }
        assert_int_equal(refusal.live, 0);
        if (status == RP_OK)
            return;
    }
}
