/* Tests that dumps assemble to the same bytes, whatever the model, and that assembly says what is
 * wrong with a text. */
#include "tests/formats/msh/fixture.h"

#include "core/random.h"
#include "formats/msh/text/dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpBuffer Dump(const Image *image) {
    RpNRes archive = Image_Open(image);
    RpBuffer text = {0};
    assert_int_equal(RpMsh_Dump(&archive, &text, NULL), RP_OK);
    return text;
}

static void AssertRoundTrip(const Image *image) {
    OWNED(RpBuffer) text = Dump(image), back = {0};
    RpError error = {0};
    RpStatus status = RpMsh_Assemble((const char *)text.bytes, text.size, &back, &error);
    if (status != RP_OK)
        fail_msg("%s: %s, expected %s, found %s", error.where, error.what, error.expected,
                 error.found);
    assert_int_equal(back.size, image->size);
    assert_memory_equal(back.bytes, image->bytes, image->size);
}

static bool Contains(const RpBuffer *text, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= text->size; i++)
        if (memcmp(text->bytes + i, part, length) == 0)
            return true;
    return false;
}

TEST(CanonicalModelsNeedNoLayout) {
    for (int lit = 0; lit < 2; lit++) {
        OWNED(Image) image = Walker_Make(lit);
        RpBuffer text = Dump(&image);
        assert_false(Contains(&text, "\"layout\""));
        assert_false(Contains(&text, "attr1"));
        assert_false(Contains(&text, "tail"));
        assert_true(Contains(&text, "\"central_1c\""));
        assert_true(Contains(&text, "{\"position\": [0, 1, 1.75], \"time\": 5, \"rotation\": "
                                    "[0, 0, 0, 32767]}"));
        assert_true(Contains(&text, "{\"flags\": 16, \"parent\": null, \"map_start\": null, "
                                    "\"fallback\": 0, \"slots\": [0, 1, null,"));
        RpBuffer_Free(&text);
        AssertRoundTrip(&image);
    }
}

/* Puts random bit patterns into the payloads, and so into fields of every kind. */
TEST(AnyPayloadComesBack) {
    uint64_t seed = 3;
    static const uint32_t types[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,         10,
                                     13, 15, 16, 17, 18, 19, 20, 21, 0x48534154};
    for (int round = 0; round < 400; round++) {
        OWNED(Image) image = Walker_Make(round % 2 == 0);
        uint8_t bytes[700];
        uint32_t size = (uint32_t)(Random_Lcg64Word(&seed) % sizeof bytes);
        uint32_t type = types[Random_Lcg64Word(&seed) % (sizeof types / sizeof *types)];
        for (uint32_t i = 0; i < size; i++) /* many zeros and ones, as in labels and floats */
            bytes[i] = Random_Lcg64Word(&seed) % 3 ? (uint8_t)Random_Lcg64Word(&seed)
                                                   : (uint8_t)(Random_Lcg64Word(&seed) % 2 * 0xFF);
        Image_Add(&image, type, bytes, size);
        RpNRes archive = Image_Open(&image);
        RpNResEntry entry = RpNRes_Entry(&archive, archive.count - 1);
        for (uint32_t field = 4; field < 20; field += 4) /* attributes, but not the size */
            if (field != 12)
                Image_PutU32(&image, entry.record_offset + field, Random_Lcg64Word(&seed));
        AssertRoundTrip(&image);
    }
}

TEST(SpecialFloatsComeBack) {
    static const uint32_t bits[] = {0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001,
                                    0xFFC12345, 0x00000001, 0x80000001, 0x007FFFFF, 0x7F7FFFFF,
                                    0x3F800001, 0x3DCCCCCD, 0x4B7FFFFF, 0xCB800000};
    OWNED(Image) image = Walker_Make(false);
    for (uint32_t i = 0; i < sizeof bits / sizeof *bits; i++)
        Image_PutU32(&image, Image_Payload(&image, 3, 4 * i), bits[i]);
    AssertRoundTrip(&image);
    uint64_t seed = 77;
    for (int round = 0; round < 300; round++) {
        for (uint32_t i = 0; i < 96; i++)
            Image_PutU32(&image, Image_Payload(&image, 3, 4 * i),
                         Random_Lcg64Word(&seed) ^ Random_Lcg64Word(&seed) << 13);
        AssertRoundTrip(&image);
    }
}

/* ---- odd files ------------------------------------------------------------------------------- */

TEST(NameTailsAndEmptyNamesComeBack) {
    OWNED(Image) image = Walker_Make(false);
    uint32_t name = Image_Record(&image, 8, 0x14);
    image.bytes[name + 20] = 'x';
    AssertRoundTrip(&image);
    memset(image.bytes + name, 0, 36);
    AssertRoundTrip(&image);
    memset(image.bytes + name, 0xC0, 36);
    AssertRoundTrip(&image);
    memcpy(image.bytes + name, "a \"quoted\\name\"", 16);
    AssertRoundTrip(&image);
}

TEST(BrokenPermutationsComeBack) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU32(&image, Image_Record(&image, 8, 0x3C), 0xFFFFFFFF);
    AssertRoundTrip(&image);
    OWNED(RpBuffer) text = Dump(&image);
    assert_true(Contains(&text, "\"layout\""));
}

TEST(LostPayloadsComeBack) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU32(&image, Image_Record(&image, 8, 0x38), 0xFFFFFFF0);
    AssertRoundTrip(&image);
    Image_PutU32(&image, Image_Record(&image, 6, 0x0C), 0x7FFFFFFF);
    AssertRoundTrip(&image);
}

TEST(UnindexedRegionsAndOverlapsComeBack) {
    OWNED(Image) image = Walker_Make(false);
    uint32_t size = Image_Record(&image, 6, 0x0C);
    Image_PutU32(&image, size, 11); /* the other bytes belong to no entry */
    AssertRoundTrip(&image);
    Image_PutU32(&image, Image_Record(&image, 7, 0x38), Image_Payload(&image, 3, 4));
    AssertRoundTrip(&image);
}

TEST(AnyChangedModelComesBack) {
    uint64_t seed = 21;
    OWNED(Image) whole = Walker_Make(true);
    uint32_t opened = 0;
    for (int i = 0; i < 1000; i++) {
        OWNED(Image) image = Image_Copy(&whole);
        RpNRes archive;
        for (uint64_t changes = 1 + Random_Lcg64Word(&seed) % 4; changes > 0; changes--)
            image.bytes[16 + Random_Lcg64Word(&seed) % (image.size - 16)] =
                (uint8_t)Random_Lcg64Word(&seed);
        if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL) == RP_OK) {
            AssertRoundTrip(&image);
            opened++;
        }
    }
    assert_true(opened > 900);
}

/* ---- in pieces ------------------------------------------------------------------------------- */

typedef struct Pieces {
    RpBuffer text;
    uint32_t count, fails_at;
    bool fits; /* every piece but the last one consists of whole pages */
} Pieces;

static RpStatus TakePiece(void *context, const void *bytes, size_t size, RpError *error) {
    Pieces *pieces = context;
    pieces->fits = pieces->fits && pieces->text.size % 4096 == 0;
    RpBuffer_Append(&pieces->text, bytes, size);
    return ++pieces->count == pieces->fails_at
               ? RpError_Set(error, RP_IO, RP_NOWHERE, "no more", "", "", "")
               : RP_OK;
}

static Pieces DumpInPieces(const Image *image, uint32_t fails_at, RpStatus expected) {
    Pieces pieces = {.fails_at = fails_at, .fits = true};
    RpNRes archive = Image_Open(image);
    RpError error = {0};
    RpBuffer_Init(&pieces.text, NULL);
    assert_int_equal(MshDump_Write(&archive, TakePiece, &pieces, &error), expected);
    assert_string_equal(error.what, expected == RP_IO ? "no more" : "");
    assert_true(pieces.fits);
    return pieces;
}

/* Adds records, lines of digits and bytes that no entry points to, each of several pieces. */
static Image MakeLarge(void) {
    enum { SIZE = 300000 };
    Image image = Walker_Make(true);
    HEAP uint8_t *bytes = malloc(SIZE);
    uint64_t seed = 8;
    assert_non_null(bytes);
    for (uint32_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)Random_Lcg64Word(&seed);
    Image_Add(&image, RP_MSH_KEYS, bytes, SIZE - 5);
    Image_Add(&image, RP_MSH_FRAME_MAP, bytes, SIZE);
    Image_Add(&image, 0x48534154, bytes, SIZE);
    Image_Add(&image, RP_MSH_POSITIONS, bytes, SIZE);
    const RpNRes archive = Image_Open(&image);
    const RpNResEntry last = RpNRes_Entry(&archive, archive.count - 1);
    Image_PutU32(&image, last.record_offset + 12, 11); /* its size */
    return image;
}

TEST(PiecesAreTheWholeDump) {
    Image images[] = {Walker_Make(false), MakeLarge()};
    for (size_t i = 0; i < 2; i++) {
        OWNED(RpBuffer) text = Dump(&images[i]);
        Pieces pieces = DumpInPieces(&images[i], 0, RP_OK);
        assert_int_equal(pieces.text.size, text.size);
        assert_memory_equal(pieces.text.bytes, text.bytes, text.size);
        assert_true(i == 0 ? pieces.count == 1 : pieces.count > 20);
        RpBuffer_Free(&pieces.text);
    }
    AssertRoundTrip(&images[1]);
    Image_Free(&images[0]);
    Image_Free(&images[1]);
}

TEST(NothingFollowsAPieceThatIsRefused) {
    OWNED(Image) image = MakeLarge();
    for (uint32_t at = 1; at < 20; at += 3) {
        Pieces pieces = DumpInPieces(&image, at, RP_IO);
        assert_int_equal(pieces.count, at);
        RpBuffer_Free(&pieces.text);
    }
}

/* A payload of its own is no copy of shared bytes, however long it is. */
TEST(LongStreamsComeBack) {
    enum { SIZE = 17 << 20 };
    OWNED(Image) image = Walker_Make(true);
    HEAP uint8_t *bytes = calloc(1, SIZE);
    assert_non_null(bytes);
    Image_Add(&image, 77, bytes, SIZE);
    RpBuffer text = Dump(&image);
    assert_false(Contains(&text, "\"layout\""));
    RpBuffer_Free(&text);
    AssertRoundTrip(&image);
}

/* Makes a directory of a thousand entries that all contain the whole file. */
TEST(HopelessOverlapsAreRefused) {
    enum { ENTRIES = 1000 };
    OWNED(Image) image = {.size = 16 + 4096 + ENTRIES * 64};
    image.bytes = calloc(1, image.size);
    assert_non_null(image.bytes);
    memcpy(image.bytes, "NRes", 4);
    Image_PutU32(&image, 4, 0x100);
    Image_PutU32(&image, 8, ENTRIES);
    Image_PutU32(&image, 12, (uint32_t)image.size);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        Image_PutU32(&image, 16 + 4096 + i * 64 + 12, 4096);
        Image_PutU32(&image, 16 + 4096 + i * 64 + 0x38, 16);
    }
    RpNRes archive = Image_Open(&image);
    OWNED(RpBuffer) text = {0};
    assert_int_equal(RpMsh_Dump(&archive, &text, NULL), RP_UNSUPPORTED);
    Pieces pieces = {.count = 0};
    assert_int_equal(MshDump_Write(&archive, TakePiece, &pieces, NULL), RP_UNSUPPORTED);
    assert_int_equal(pieces.count, 0);
}

/* ---- edited texts ---------------------------------------------------------------------------- */

static void ReplaceFirst(RpBuffer *text, const char *from, const char *to) {
    RpBuffer changed = {0};
    size_t length = strlen(from), at = 0;
    while (at + length <= text->size && memcmp(text->bytes + at, from, length) != 0)
        at++;
    assert_true(at + length <= text->size);
    RpBuffer_Append(&changed, text->bytes, at);
    RpBuffer_AppendText(&changed, to);
    RpBuffer_Append(&changed, text->bytes + at + length, text->size - at - length);
    RpBuffer_Free(text);
    *text = changed;
}

TEST(AddedRecordsAreCounted) {
    static const char last[] = "{\"position\": [3, 0, 0], \"time\": 0";
    OWNED(Image) image = Walker_Make(false);
    OWNED(RpBuffer) text = Dump(&image), back = {0};
    ReplaceFirst(&text, last,
                 "{\"time\": 0, \"rotation\": [1, 2, 3, 4], \"position\": [1, 2, 3]},\n"
                 "{\"position\": [3, 0, 0], \"time\": 0");
    assert_int_equal(RpMsh_Assemble((const char *)text.bytes, text.size, &back, NULL), RP_OK);
    RpNRes archive;
    RpMsh msh;
    RpMshKey key;
    assert_int_equal(RpNRes_Open(back.bytes, back.size, RP_STRICT, &archive, NULL), RP_OK);
    RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, NULL);
    assert_int_equal(RpMsh_Count(&msh, 8), WALKER_KEYS + 1);
    assert_int_equal(msh.streams[8].attr1, WALKER_KEYS + 1);
    assert_true(RpMsh_Key(&msh, 5, &key));
    assert_int_equal(key.rotation[3], 4);
}

typedef struct Edit {
    const char *from, *to, *where;
} Edit;

/* Edits the image's text in one place, and demands that it is refused there. */
static void AssertRefusedAt(const Image *image, const Edit *edit) {
    OWNED(RpBuffer) text = Dump(image), back = {0};
    RpError error = {0};
    ReplaceFirst(&text, edit->from, edit->to);
    assert_int_equal(RpMsh_Assemble((const char *)text.bytes, text.size, &back, &error),
                     RP_CORRUPT);
    if (strncmp(edit->where, "line", 4) != 0)
        assert_string_equal(error.where, edit->where);
    else
        assert_memory_equal(error.where, "line", 4);
    assert_true(error.what[0] != 0);
}

TEST(WrongTextsAreNamed) {
    static const Edit edits[] = {
        {"retropose msh dump 1", "retropose msh dump 2", "dump"},
        {"\"streams\": [", "\"streams\": [[", "line"},
        {"\"flags\": 16", "\"flags\": 65536", "streams[0].nodes[0].flags"},
        {"\"flags\": 16", "\"flags\": 1.5", "streams[0].nodes[0].flags"},
        {"\"flags\": 16", "\"flags\": -1", "streams[0].nodes[0].flags"},
        {"\"flags\": 16", "\"flags\": null", "streams[0].nodes[0].flags"},
        {"\"flags\": 16", "\"flag\": 16", "streams[0].nodes[0].flags"},
        {"\"flags\": 16", "\"flags\": 16, \"flags\": 16", "streams[0].nodes[0]"},
        {"\"slots\": [0, 1,", "\"slots\": [0, 1, 2,", "streams[0].nodes[0].slots"},
        {"\"slots\": [0, 1,", "\"slots\": [0, true,", "streams[0].nodes[0].slots[1]"},
        {"\"attr2\": 77", "\"attr9\": 77", "streams[0].attr9"},
        {"\"attr2\": 77", "\"attr2\": 4294967296", "streams[0].attr2"},
        {"\"time\": 5", "\"time\": 1e39", "streams[9].keys[3].time"},
        {"\"time\": 5", "\"time\": \"0x123\"", "streams[9].keys[3].time"},
        {"\"time\": 5", "\"time\": \"zero\"", "streams[9].keys[3].time"},
        {"\"00070e", "\"0007g0", "streams[5].res15[0]"},
        {"\"00070e", "\"070e", "streams[5].res15[0]"},
        {"\"turret\"", "\"a name of more than thirty-two bytes\"", "streams[11].names[1]"},
        {"\"turret\"", "7", "streams[11].names[1]"},
        {"\"central_1c\"", "[]", "streams[12].labels[3]"},
        {"\"name\": \"walker.msh\"", "\"name\": 3", "streams[0].name"},
        {"\"type\": 1,", "\"type\": \"one\",", "streams[0].type"},
        /* the paths have no records */
        {"\"type\": 1,", "\"type\": 17, \"paths\": [1],", "streams[0].paths"},
        /* a mistake in a list that is not needed */
        {"\"type\": 1,", "\"type\": 1, \"lost\": [1 2],", "line"},
    };
    OWNED(Image) image = Walker_Make(false);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        AssertRefusedAt(&image, &edits[i]);
}

TEST(CutTextsAreRefused) {
    OWNED(Image) image = Walker_Make(false);
    OWNED(RpBuffer) text = Dump(&image), back = {0};
    for (size_t size = 0; size + 2 < text.size; size += 7) {
        HEAP char *cut = malloc(size ? size : 1);
        assert_non_null(cut);
        memcpy(cut, text.bytes, size);
        assert_int_not_equal(RpMsh_Assemble(cut, size, &back, NULL), RP_OK);
    }
}

TEST(LayoutsOfAnotherSizeAreRefused) {
    static const Edit edits[] = {
        {"\"layout\": {\"size\": ", "\"layout\": {\"size\": 99999", "layout"},
        {"\"layout\": {\"size\": ", "\"layout\": {\"size\": 0.", "layout.size"},
        {"{\"offset\": 16, \"size\": 152", "{\"offset\": 16, \"size\": 151", "layout.entries[0]"},
        {"{\"offset\": 16, \"size\": 152", "{\"offset\": 16, \"size\": 153", "layout.entries[0]"},
        {"\"header\": \"4e52", "\"header\": \"4e5200", "layout"},
    };
    OWNED(Image) image = Walker_Make(false);
    Image_PutU32(&image, Image_Record(&image, 8, 0x3C), 0xFFFFFFFF);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        AssertRefusedAt(&image, &edits[i]);
}
