/* Tests of PE files, sound and hostile. */
#include "image.h"

#include "core/pe/pe.h"
#include "core/random.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static uint8_t image[IMAGE_BYTES];

TEST_AROUND(BuildImage) {
    DllFile_Make(image, ".data", "Gamma");
    return 0;
}

TEST(SectionsExportsAndImportsAreRead) {
    PeFile pe;
    RpError error;
    assert_int_equal(Pe_Open(image, sizeof image, "test", &pe, &error), RP_OK);
    assert_int_equal(pe.image_base, 0x10000000);
    assert_int_equal(pe.image_size, 0x3000);
    assert_int_equal(pe.entry_rva, 0x1000);
    assert_int_equal(pe.timestamp, 0x3C000000);
    assert_string_equal(pe.export_name, "Test.dll");
    assert_int_equal(pe.section_count, 2);
    assert_string_equal(pe.sections[0].name, ".text");
    assert_true(pe.sections[0].characteristics & PE_SECTION_EXECUTABLE);
    assert_int_equal(pe.export_count, 4);
    assert_string_equal(pe.exports[0].name, "Alpha");
    assert_int_equal(pe.exports[0].ordinal, 5);
    assert_int_equal(pe.exports[0].rva, 0x1010);
    assert_null(pe.exports[0].forwarder);
    assert_string_equal(pe.exports[1].forwarder, "OTHER.Func");
    assert_int_equal(pe.exports[1].ordinal, 6);
    assert_string_equal(pe.exports[2].name, "Gamma");
    assert_int_equal(pe.exports[2].ordinal, 9);
    assert_null(pe.exports[3].name);
    assert_int_equal(pe.exports[3].ordinal, 8);
    assert_int_equal(pe.exports[3].rva, 0x1020);
    assert_int_equal(pe.import_count, 2);
    assert_string_equal(pe.imports[0].module, "KERNEL32.dll");
    assert_string_equal(pe.imports[0].name, "ExitProcess");
    assert_int_equal(pe.imports[0].ordinal, 3);
    assert_int_equal(pe.imports[0].iat_rva, 0x2250);
    assert_null(pe.imports[1].name);
    assert_int_equal(pe.imports[1].ordinal, 17);
    assert_int_equal(pe.imports[1].iat_rva, 0x2254);
    Pe_Close(&pe);
}

TEST(ThingsAreFoundByNameAndAddress) {
    PeFile pe;
    assert_int_equal(Pe_Open(image, sizeof image, "test", &pe, NULL), RP_OK);
    assert_int_equal(Pe_FindExport(&pe, "Gamma")->rva, 0x1030);
    assert_null(Pe_FindExport(&pe, "gamma"));
    assert_string_equal(Pe_FindSection(&pe, ".data")->name, ".data");
    assert_null(Pe_FindSection(&pe, ".dat"));
    assert_ptr_equal(Pe_SectionAt(&pe, 0x11FF), &pe.sections[0]);
    assert_null(Pe_SectionAt(&pe, 0x1200));
    assert_ptr_equal(Pe_At(&pe, 0x2000, 0x400), image + 0x400);
    assert_null(Pe_At(&pe, 0x2000, 0x401));
    assert_null(Pe_At(&pe, 0x23FF, 2));
    assert_null(Pe_At(&pe, UINT32_MAX, 1));
    assert_ptr_equal(Pe_At(&pe, 0, 2), image);
    Pe_Close(&pe);
}

TEST(OtherFilesAreRefusedByName) {
    PeFile pe;
    RpError error;
    image[0] = 'X';
    assert_int_equal(Pe_Open(image, sizeof image, "x.dll", &pe, &error), RP_UNSUPPORTED);
    assert_string_equal(error.where, "x.dll");
    image[0] = 'M';
    image[IMAGE_PE + 4] = 0x64; /* x86-64 */
    image[IMAGE_PE + 5] = 0x86;
    assert_int_equal(Pe_Open(image, sizeof image, "x.dll", &pe, &error), RP_UNSUPPORTED);
    assert_string_equal(error.expected, "machine 0x14C");
    assert_string_equal(error.found, "0x8664");
    assert_int_equal(error.offset, IMAGE_PE + 4);
    assert_int_equal(Pe_Load("no/such/file.dll", &pe, &error), RP_NOT_FOUND);
    assert_string_equal(error.where, "no/such/file.dll");
}

/* Each prefix is a block of exactly its size, so that a sanitizer notices an access to a byte too
 * many. */
TEST(EveryTruncationIsAnError) {
    for (size_t size = 0; size < sizeof image; size++) {
        uint8_t *bytes = malloc(size ? size : 1);
        PeFile pe;
        RpError error = {0};
        memcpy(bytes, image, size);
        RpStatus status = Pe_Open(bytes, size, "cut", &pe, &error);
        assert_true(status == RP_TRUNCATED || status == RP_CORRUPT);
        assert_int_equal(error.status, status);
        assert_string_equal(error.where, "cut");
        free(bytes);
    }
}

static void IsInside(const PeFile *pe, const char *text) {
    if (!text)
        return;
    const uint8_t *start = (const uint8_t *)text;
    assert_true(start >= pe->bytes && start < pe->bytes + pe->size);
    assert_non_null(memchr(start, 0, pe->size - (size_t)(start - pe->bytes)));
}

static void IsSound(const PeFile *pe) {
    IsInside(pe, pe->export_name);
    for (size_t i = 0; i < pe->export_count; i++) {
        IsInside(pe, pe->exports[i].name);
        IsInside(pe, pe->exports[i].forwarder);
    }
    for (size_t i = 0; i < pe->import_count; i++) {
        IsInside(pe, pe->imports[i].module);
        IsInside(pe, pe->imports[i].name);
    }
}

static unsigned OpenChanged(const uint8_t *bytes) {
    PeFile pe;
    if (Pe_Open(bytes, IMAGE_BYTES, "changed", &pe, NULL))
        return 1;
    IsSound(&pe);
    Pe_Close(&pe);
    return 0;
}

TEST(NoFlippedBitLeadsOutOfTheFile) {
    uint8_t *bytes = malloc(sizeof image);
    unsigned refused = 0;
    for (size_t bit = 0; bit < 8 * sizeof image; bit++) {
        memcpy(bytes, image, sizeof image);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        refused += OpenChanged(bytes);
    }
    /* Of 16384 changes, most concern code, text and padding, which no reader checks. */
    assert_in_range(refused, 500, 4000);
    free(bytes);
}

TEST(NoRandomWordLeadsOutOfTheFile) {
    uint8_t *bytes = malloc(sizeof image);
    uint32_t random = 1;
    static const uint32_t extremes[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF};
    for (int round = 0; round < 20000; round++) {
        memcpy(bytes, image, sizeof image);
        for (int change = 0; change < 3; change++) {
            Random_Lcg32(&random);
            uint32_t offset = random >> 8 & (IMAGE_BYTES - 4);
            uint32_t pick = random >> 24;
            uint32_t word = pick < 128 ? extremes[pick % 6] : 0x2000 + (random >> 4 & 0x7FF);
            memcpy(bytes + offset, &word, sizeof word);
        }
        OpenChanged(bytes);
    }
    free(bytes);
}

AROUND_EACH(BuildImage, NULL)
