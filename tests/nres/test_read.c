/* Opening and looking up: facts/formats.md A.1 to A.5. */
#include "image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
/* after its own prerequisites */
#include <cmocka.h>

static RpNRes Open(const TestImage *image, RpReadMode mode) {
    RpNRes archive;
    RpError error;
    const RpStatus status = RpNRes_Open(image->bytes, image->size, mode, &archive, &error);
    if (status != RP_OK)
        fail_msg("%s, expected %s, found %s", error.what, error.expected, error.found);
    return archive;
}

/* Byte for byte by hand: two members, one of them empty. */
static const uint8_t golden[] = {
    /* header */
    'N', 'R', 'e', 's', 0, 1, 0, 0, 2, 0, 0, 0, 0x98, 0, 0, 0,
    /* payload of "b.msh", padded */
    1, 2, 3, 4, 5, 0, 0, 0,
    /* record 0 */
    'M', 'E', 'S', 'H', 7, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0,      /* to attr3 */
    'b', '.', 'm', 's', 'h', 0, 0xEE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* name */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                          /* its rest */
    0x10, 0, 0, 0, 1, 0, 0, 0,                                               /* offset, table */
    /* record 1 */
    3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,   /* to attr3 */
    'A', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* name */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,               /* its rest */
    0x18, 0, 0, 0, 0, 0, 0, 0,                                    /* offset, table */
};

static void ReadsAnArchiveWrittenByHand(void **state) {
    (void)state;
    TestImage image = Image_Copy(golden, sizeof golden);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_int_equal(archive.count, 2);
    assert_int_equal(archive.directory_offset, 24);
    assert_true(archive.sorted);
    const RpNResEntry first = RpNRes_Entry(&archive, 0), second = RpNRes_Entry(&archive, 1);
    assert_int_equal(first.index, 0);
    assert_int_equal(first.type, 0x4853454D);
    assert_int_equal(first.attr1, 7);
    assert_int_equal(first.attr2, 8);
    assert_int_equal(first.attr3, 1);
    assert_string_equal(first.name, "b.msh");
    assert_int_equal((uint8_t)first.name[6], 0xEE);
    assert_int_equal(first.name_length, 5);
    assert_int_equal(first.size, 5);
    assert_int_equal(first.data_offset, 16);
    assert_ptr_equal(first.data, image.bytes + 16);
    assert_int_equal(first.sort_index, 1);
    assert_int_equal(first.record_offset, 24);
    assert_int_equal(second.type, 3);
    assert_int_equal(second.size, 0);
    assert_ptr_equal(second.data, image.bytes + 24);
    assert_int_equal(second.record_offset, 88);
    assert_int_equal(RpNRes_Find(&archive, "a"), 1);
    assert_int_equal(RpNRes_Find(&archive, "B.MSH"), 0);
    assert_int_equal(RpNRes_Find(&archive, "b.ms"), -1);
    assert_int_equal(RpNRes_Find(&archive, "b.mshx"), -1);
    assert_int_equal(RpNRes_Find(&archive, ""), -1);
    Image_Free(&image);
}

static void OpensAnEmptyArchiveOfSixteenBytes(void **state) {
    (void)state;
    TestImage image = Image_Make(NULL, 0);
    assert_int_equal(image.size, 16);
    const RpNRes archive = Open(&image, RP_STRICT);
    assert_int_equal(archive.count, 0);
    assert_int_equal(RpNRes_Find(&archive, "x"), -1);
    assert_int_equal(RpNRes_FindAsGame(&archive, "x"), -1);
    assert_int_equal(RpNRes_FindType(&archive, 1, 0), -1);
    Image_Free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ReadsAnArchiveWrittenByHand),
        cmocka_unit_test(OpensAnEmptyArchiveOfSixteenBytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
