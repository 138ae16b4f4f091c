/* Tests of images: pixels of each format with colours worked out by hand, levels, pages, and every
 * refusal (facts/formats.md E.1 and E.2). */
#include "core/bytes.h"
#include "retropose/texm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refused.h"
#include "tests/test.h"

enum { MOST = 4096 };

/* An image under construction. A copy of exactly its size is opened, so that a sanitizer sees a
 * read behind its end. */
typedef struct Image {
    uint8_t bytes[MOST];
    size_t size;
    void *copy;
} Image;

static void Image_Free(Image *image) {
    free(image->copy);
}

static Image Begin(uint32_t width, uint32_t height, uint32_t levels, uint32_t format) {
    Image image = {.size = RP_TEXM_HEADER_BYTES};
    memcpy(image.bytes, "Texm", 4);
    const uint32_t fields[] = {width, height, levels, 32, 0x4000000, 0xABCDEF, format};
    for (size_t i = 0; i < 7; i++)
        Bytes_PutU32(image.bytes + 4 + 4 * i, fields[i]);
    return image;
}

static void Append(Image *image, const void *bytes, size_t size) {
    assert_true(image->size + size <= MOST);
    memcpy(image->bytes + image->size, bytes, size);
    image->size += size;
}

static RpStatus Open(Image *image, RpTexm *texm, RpError *error) {
    image->copy = malloc(image->size + 1);
    assert_non_null(image->copy);
    memcpy(image->copy, image->bytes, image->size);
    return RpTexm_Open(image->copy, image->size, texm, error);
}

static RpTexm Opened(Image *image) {
    RpTexm texm;
    RpError error;
    if (Open(image, &texm, &error))
        fail_msg("%s: expected %s, found %s", error.what, error.expected, error.found);
    return texm;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Checks one pixel of a format, given by its bytes in the file. */
static void AssertPixel(uint32_t format, const char *stored, size_t size, uint32_t rgba) {
    OWNED(Image) image = Begin(1, 1, 1, format);
    Append(&image, stored, size);
    const RpTexm texm = Opened(&image);
    uint8_t pixel[4];
    assert_int_equal(RpTexm_Level(&texm, 0, pixel, 4, NULL), RP_OK);
    assert_int_equal(Bytes_BigU32(pixel), rgba);
}

TEST(ShortChannelsAreWidenedByTheirOwnBits) {
    /* 10110 011001 00101: 10110101, 01100101, 00101001 */
    AssertPixel(RP_TEXM_R5G6B5, "\x25\xB3", 2, 0xB56529FF);
    /* 10110 01100 100101: 10110101, 01100011, 10010110 */
    AssertPixel(RP_TEXM_R5G5B6, "\x25\xB3", 2, 0xB56396FF);
    AssertPixel(RP_TEXM_A4R4G4B4, "\x2E\x71", 2, 0x1122EE77);
    AssertPixel(RP_TEXM_R5G6B5, "\xFF\xFF", 2, 0xFFFFFFFF);
    AssertPixel(RP_TEXM_R5G6B5, "\0\0", 2, 0x000000FF);
}

TEST(BlueComesFirstInMemory) {
    AssertPixel(RP_TEXM_A8R8G8B8, "\x10\x20\x30\x40", 4, 0x30201040);
    AssertPixel(RP_TEXM_X8R8G8B8, "\x10\x20\x30\x40", 4, 0x302010FF);
    AssertPixel(RP_TEXM_A8L8, "\x10\x40", 2, 0x10101040);
}

TEST(AnIndexNamesAColourOfThePalette) {
    uint8_t palette[RP_TEXM_PALETTE_BYTES] = {0};
    memcpy(palette + 4 * 255, "\x10\x20\x30\x40", 4);
    memcpy(palette, "\x01\x02\x03\x00", 4);
    OWNED(Image) image = Begin(2, 1, 1, RP_TEXM_PALETTE);
    Append(&image, palette, sizeof palette);
    Append(&image, "\xFF\x00", 2);
    const RpTexm texm = Opened(&image);
    uint8_t rgba[8];
    assert_int_equal(RpTexm_Level(&texm, 0, rgba, sizeof rgba, NULL), RP_OK);
    assert_memory_equal(rgba, "\x30\x20\x10\xFF\x03\x02\x01\xFF", 8);
}

TEST(FormatsHaveNames) {
    static const struct {
        uint32_t format;
        const char *name;
        bool alpha;
    } formats[] = {{0, "palette", false},   {88, "a8l8", true},       {556, "r5g5b6", false},
                   {565, "r5g6b5", false},  {888, "x8r8g8b8", false}, {4444, "a4r4g4b4", true},
                   {8888, "a8r8g8b8", true}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        assert_string_equal(RpTexmFormat_Name(formats[i].format), formats[i].name);
        assert_int_equal(RpTexmFormat_HasAlpha(formats[i].format), formats[i].alpha);
    }
    assert_null(RpTexmFormat_Name(2));
    assert_false(RpTexmFormat_HasAlpha(2));
}

/* ---- the image ------------------------------------------------------------------------------- */

TEST(FieldsOfTheHeader) {
    OWNED(Image) image = Begin(2, 1, 1, RP_TEXM_A8L8);
    Append(&image, "abcd", 4);
    const RpTexm texm = Opened(&image);
    assert_int_equal(texm.width, 2);
    assert_int_equal(texm.height, 1);
    assert_int_equal(texm.level_count, 1);
    assert_int_equal(texm.mip_flags, 32);
    assert_int_equal(texm.exporter_flags, 0x4000000);
    assert_int_equal(texm.colour, 0xABCDEF);
    assert_int_equal(texm.format, RP_TEXM_A8L8);
    assert_int_equal(texm.page_count, 0);
}

/* 5 x 2 pixels, then 2 x 1, 1 x 1, and so on: each side is halved, and stays at 1. */
TEST(EachLevelIsHalfTheOneBefore) {
    static const uint32_t sides[][2] = {{5, 2}, {2, 1}, {1, 1}, {1, 1}};
    OWNED(Image) image = Begin(5, 2, 4, RP_TEXM_A8L8);
    for (uint8_t i = 0; i < 10 + 2 + 1 + 1; i++)
        Append(&image, (uint8_t[]){i, 0xFF}, 2);
    const RpTexm texm = Opened(&image);
    uint8_t first = 0, rgba[40];
    for (uint32_t level = 0; level < 4; level++) {
        uint32_t width, height;
        RpTexm_LevelSize(&texm, level, &width, &height);
        assert_int_equal(width, sides[level][0]);
        assert_int_equal(height, sides[level][1]);
        assert_int_equal(RpTexm_Level(&texm, level, rgba, 4u * width * height, NULL), RP_OK);
        for (uint32_t i = 0; i < width * height; i++)
            assert_int_equal(rgba[4 * i], first + i);
        first = (uint8_t)(first + width * height);
    }
}

/* The image has more levels than a side has bits to be halved. */
TEST(LevelsGoOnAtOnePixel) {
    OWNED(Image) image = Begin(2, 2, 40, RP_TEXM_A8L8);
    for (uint8_t i = 0; i < 4 + 39; i++)
        Append(&image, (uint8_t[]){i, 0xFF}, 2);
    const RpTexm texm = Opened(&image);
    for (uint32_t level = 1; level < 40; level++) {
        uint8_t rgba[4];
        assert_int_equal(RpTexm_Level(&texm, level, rgba, 4, NULL), RP_OK);
        assert_int_equal(rgba[0], level + 3);
    }
}

TEST(PagesAreRectangles) {
    OWNED(Image) image = Begin(1, 1, 1, RP_TEXM_A8L8);
    Append(&image, "ab", 2);
    Append(&image, "Page\2\0\0\0", 8);
    Append(&image, "\1\0\2\0\3\0\4\0", 8); /* x, width, y, height */
    Append(&image, "\xFF\xFF\0\1\0\2\xFF\x7F", 8);
    const RpTexm texm = Opened(&image);
    assert_int_equal(texm.page_count, 2);
    const RpTexmPage first = RpTexm_Page(&texm, 0), second = RpTexm_Page(&texm, 1);
    assert_int_equal(first.x, 1);
    assert_int_equal(first.width, 2);
    assert_int_equal(first.y, 3);
    assert_int_equal(first.height, 4);
    assert_int_equal(second.x, -1);
    assert_int_equal(second.width, 256);
    assert_int_equal(second.y, 512);
    assert_int_equal(second.height, 32767);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void Refuses(Image *image, RpStatus wanted, uint64_t offset, const char *what,
                    const char *expected, const char *found) {
    RpTexm texm = {.width = 77};
    RpError error = {.status = RP_OK};
    AssertRefused(Open(image, &texm, &error), &error, wanted, offset, what, expected, found);
    assert_int_equal(texm.width, 77);
    assert_int_equal(RpTexm_Open(image->copy, image->size, &texm, NULL), wanted);
    free(image->copy);
}

TEST(OtherBytesAreNoImage) {
    Image image = Begin(1, 1, 1, 565);
    image.bytes[3] = 'M';
    Refuses(&image, RP_CORRUPT, 0, "no Texm image", "Texm", "other bytes");
    image.size = 0;
    Refuses(&image, RP_TRUNCATED, 0, "header", "32 bytes or more", "0");
    image = Begin(1, 1, 1, 565);
    image.size = 31;
    Refuses(&image, RP_TRUNCATED, 31, "header", "32 bytes or more", "31");
}

TEST(ABadHeaderIsRefused) {
    Image image = Begin(1, 1, 1, 2);
    Refuses(&image, RP_UNSUPPORTED, 28, "format", "0, 88, 556, 565, 888, 4444 or 8888", "2");
    image = Begin(0, 1, 1, 565);
    Refuses(&image, RP_CORRUPT, 4, "no width", "1 or more", "0");
    image = Begin(1, 0, 1, 565);
    Refuses(&image, RP_CORRUPT, 8, "no height", "1 or more", "0");
    image = Begin(1, 1, 0, 565);
    Refuses(&image, RP_CORRUPT, 12, "no levels", "1 or more", "0");
}

TEST(DataThatEndsEarlyIsRefused) {
    Image image = Begin(1, 1, 1, RP_TEXM_PALETTE);
    image.size += 1023;
    Refuses(&image, RP_TRUNCATED, 1055, "palette", "1056 bytes or more", "1055");
    image.size += 1;
    Refuses(&image, RP_TRUNCATED, 1056, "largest level", "1057 bytes or more", "1056");
    image = Begin(2, 1, 2, RP_TEXM_R5G6B5);
    image.size += 5;
    Refuses(&image, RP_TRUNCATED, 37, "levels", "38 bytes or more", "37");
    image = Begin(1, 1, UINT32_MAX, RP_TEXM_R5G6B5);
    image.size += 100;
    Refuses(&image, RP_TRUNCATED, 132, "levels", "8589934622 bytes or more", "132");
}

/* Tests products that 64 bits cannot hold, and products that 32 bits cannot hold. */
TEST(SidesThatOverflowAreRefused) {
    Image image = Begin(UINT32_MAX, UINT32_MAX, 1, RP_TEXM_A8R8G8B8);
    image.size += 4;
    Refuses(&image, RP_TRUNCATED, 36, "largest level", "18446744065119617057 bytes or more", "36");
    image = Begin(0x80000000, 0x80000000, 1, RP_TEXM_A8R8G8B8); /* times 4, this is 2^64 */
    image.size += 4;
    Refuses(&image, RP_TRUNCATED, 36, "largest level", "4611686018427387936 bytes or more", "36");
    image = Begin(0x10000, 0x10000, 1, RP_TEXM_A8R8G8B8);
    image.size += 4;
    Refuses(&image, RP_TRUNCATED, 36, "largest level", "4294967328 bytes or more", "36");
}

TEST(OddTailsAreRefused) {
    const char *const wanted = "the end, or Page and the number of pages";
    Image image = Begin(1, 1, 1, RP_TEXM_R5G6B5);
    image.size += 3;
    Refuses(&image, RP_CORRUPT, 34, "no list of pages", wanted, "1");
    image.size = 34;
    Append(&image, "Pages\0\0\0", 7);
    Refuses(&image, RP_CORRUPT, 34, "no list of pages", wanted, "7");
    image.size = 34;
    Append(&image, "page\0\0\0\0", 8);
    Refuses(&image, RP_CORRUPT, 34, "no list of pages", wanted, "8");
    image.size = 34;
    Append(&image, "Page\1\0\0\0\0\0\0\0\0\0\0\0", 15);
    Refuses(&image, RP_TRUNCATED, 49, "list of pages ends early", "50 bytes or more", "49");
    image.size = 34;
    Append(&image, "Page\xFF\xFF\xFF\xFF", 8);
    Refuses(&image, RP_TRUNCATED, 42, "list of pages ends early", "34359738402 bytes or more",
            "42");
    image.size = 34;
    Append(&image, "Page\0\0\0\0\0", 9);
    Refuses(&image, RP_CORRUPT, 42, "follow the list of pages", "42 bytes", "43");
}

TEST(LevelsThatCannotBeWrittenAreRefused) {
    OWNED(Image) image = Begin(2, 1, 1, RP_TEXM_A8L8);
    Append(&image, "abcd", 4);
    const RpTexm texm = Opened(&image);
    uint8_t rgba[8] = {7};
    RpError error;
    AssertRefused(RpTexm_Level(&texm, 1, rgba, 8, &error), &error, RP_INVALID, RP_NOWHERE,
                  "no such level", "a level below the count of levels", "1");
    AssertRefused(RpTexm_Level(&texm, 0, rgba, 7, &error), &error, RP_NO_MEMORY, RP_NOWHERE,
                  "does not fit", "4 bytes a pixel", "7");
    assert_int_equal(rgba[0], 7);
}

TEST(APageIsACellOfTheTexture) {
    static const uint8_t pixels[4 * 8 * 2];
    static const int16_t page[4] = {2, 4, 1, 2}; /* x, width, y, height */
    OWNED(Image) image = Begin(8, 4, 1, RP_TEXM_R5G6B5);
    Append(&image, pixels, sizeof pixels);
    Append(&image, "Page\1\0\0\0", 8);
    Append(&image, page, sizeof page);
    const RpTexm texm = Opened(&image);
    const RpTexmCell cell = RpTexm_Cell(&texm, 0);
    assert_float_equal(cell.u0, 0.25f, 0.0);
    assert_float_equal(cell.u_size, 0.5f, 0.0);
    assert_float_equal(cell.v0, 0.25f, 0.0);
    assert_float_equal(cell.v_size, 0.5f, 0.0);
    for (int32_t other = -1; other < 3; other += 2) { /* the whole texture */
        const RpTexmCell whole = RpTexm_Cell(&texm, other);
        assert_true(whole.u0 == 0.0f && whole.v0 == 0.0f);
        assert_true(whole.u_size == 1.0f && whole.v_size == 1.0f);
    }
}
