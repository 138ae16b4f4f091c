/* Editing and writing: facts/formats.md A.6. */
#include "image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
/* after its own prerequisites */
#include <cmocka.h>

static void AssertOk(RpStatus status, const RpError *error) {
    if (status != RP_OK)
        fail_msg("%s, expected %s, found %s", error->what, error->expected, error->found);
}

static RpNResArchive Read(const TestImage *image, RpReadMode mode) {
    RpNRes opened;
    RpNResArchive archive;
    RpError error;
    AssertOk(RpNRes_Open(image->bytes, image->size, mode, &opened, &error), &error);
    RpNResArchive_Init(&archive, NULL);
    AssertOk(RpNResArchive_Read(&archive, &opened, &error), &error);
    return archive;
}

static TestImage Write(const RpNResArchive *archive, RpNResLayout layout) {
    RpBuffer buffer;
    RpError error;
    RpBuffer_Init(&buffer, NULL);
    AssertOk(RpNResArchive_Write(archive, layout, &buffer, &error), &error);
    TestImage image = Image_Copy(buffer.bytes, buffer.size);
    RpBuffer_Free(&buffer);
    return image;
}

static void AssertSameBytes(const TestImage *a, const TestImage *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void AssertWritesTheSame(const TestImage *image, RpReadMode mode, RpNResLayout layout) {
    RpNResArchive archive = Read(image, mode);
    TestImage written = Write(&archive, layout);
    AssertSameBytes(image, &written);
    Image_Free(&written);
    RpNResArchive_Free(&archive);
}

static const TestMember few[] = {
    {"beta.msh", "12345", 5, 0x4853454D, 1, 2, 3},
    {"Alpha", "12345678", 8, 4, 5, 6, 7},
    {"empty", NULL, 0, 8, 9, 10, 11},
    {"alpha", "1", 1, 12, 13, 14, 15},
};

static void RoundTripsACanonicalArchive(void **state) {
    (void)state;
    TestImage image = Image_Make(few, 4);
    AssertWritesTheSame(&image, RP_STRICT, RP_NRES_CANONICAL);
    AssertWritesTheSame(&image, RP_STRICT, RP_NRES_PRESERVING);
    Image_Free(&image);
}

static void PreservesARegionThatNoEntryPointsTo(void **state) {
    (void)state;
    TestImage image = Image_Make(few, 4);
    Image_Insert(&image, 16, "not in any entry", 16);
    AssertWritesTheSame(&image, RP_TOLERANT, RP_NRES_PRESERVING);
    RpNResArchive archive = Read(&image, RP_TOLERANT);
    assert_int_equal(archive.region_count, 1);
    assert_int_equal(archive.regions[0].size, 16);
    TestImage plain = Image_Make(few, 4), written = Write(&archive, RP_NRES_CANONICAL);
    AssertSameBytes(&plain, &written);
    Image_Free(&plain);
    Image_Free(&written);
    RpNResArchive_Free(&archive);
    Image_Free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RoundTripsACanonicalArchive),
        cmocka_unit_test(PreservesARegionThatNoEntryPointsTo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
