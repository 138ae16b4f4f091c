/* Tests that differences of models are reported where they are, and nowhere else. */
#include "exports/reading_table.h"
#include "tests/formats/msh/fixture.h"

#include "core/random.h"
#include "retropose/msh_text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 256, NODE = 38, KEY = 24 };

static RpMshDifference list[MOST];
static uint32_t count;

static void Take(void *context, const RpMshDifference *difference) {
    (void)context;
    assert_true(count < MOST);
    list[count++] = *difference;
}

static const RpMshDiffOptions wxyz = {.readings = {.choice = {[READING_KEY_ORDER] = 1}}};

static RpMshDiffResult Compare(const Image *a, const Image *b, const RpMshDiffOptions *options) {
    RpMshDiffResult result;
    RpNRes of_a = Image_Open(a), of_b = Image_Open(b);
    count = 0;
    assert_int_equal(RpMsh_Diff(&of_a, &of_b, options, Take, NULL, &result, NULL), RP_OK);
    return result;
}

static void AssertDifference(uint32_t index, RpMshDifferenceKind kind, const char *place,
                             const char *a, const char *b) {
    assert_true(index < count);
    assert_string_equal(list[index].place, place);
    assert_string_equal(list[index].a, a);
    assert_string_equal(list[index].b, b);
    assert_int_equal(list[index].kind, kind);
}

TEST(EqualModelsDoNotDiffer) {
    OWNED(Image) a = Walker_Make(true);
    RpMshDiffResult result = Compare(&a, &a, NULL);
    assert_int_equal(result.count, 0);
    assert_int_equal(count, 0);
    assert_true(result.posed && result.position == 0 && result.angle == 0);
}

TEST(DifferencesNeedNotBeTaken) {
    OWNED(Image) a = Walker_Make(true), b = Image_Copy(&a);
    RpMshDiffResult result;
    RpNRes of_a = Image_Open(&a), of_b = Image_Open(&b);
    Image_PutU16(&b, Image_Payload(&b, 1, 2 * NODE), 0x20);
    assert_int_equal(RpMsh_Diff(&of_a, &of_b, NULL, NULL, NULL, &result, NULL), RP_OK);
    assert_int_equal(result.count, 1);
}

TEST(FieldsAreNamed) {
    OWNED(Image) a = Walker_Make(true), b = Image_Copy(&a);
    Image_PutU16(&b, Image_Payload(&b, 1, 2 * NODE), 0x20);
    Image_PutU16(&b, Image_Payload(&b, 1, 2 * NODE + 10), 3);
    Image_PutFloat(&b, Image_Payload(&b, 2, 8), 1.5F);
    Image_PutU16(&b, Image_Payload(&b, 7, 16 + 4), 0xFFFF);
    b.bytes[Image_Payload(&b, 15, 9)] = 1;
    b.bytes[Image_Payload(&b, 9, 32)] = 'T';
    b.bytes[Image_Payload(&b, 10, 8)] = 'E';
    RpMshDiffResult result = Compare(&a, &b, NULL);
    AssertDifference(0, RP_MSH_NODE_MISSING, "node Turret", "", "node 1");
    AssertDifference(1, RP_MSH_NODE_MISSING, "node turret", "node 1", "");
    AssertDifference(2, RP_MSH_FIELD, "Res1 nodes[2].flags", "0", "32");
    AssertDifference(3, RP_MSH_FIELD, "Res1 nodes[2].slots[1]", "null", "3");
    assert_memory_equal(list[4].place, "Res2 header.corners[2]", 23);
    assert_string_equal(list[4].b, "1.5");
    AssertDifference(5, RP_MSH_FIELD, "Res15 res15[1]", "\"383f464d545b6269\"",
                     "\"3801464d545b6269\"");
    assert_memory_equal(list[6].place, "Res7 triangles[1].neighbours[1]", 32);
    AssertDifference(7, RP_MSH_FIELD, "Res9 names[1]", "\"turret\"", "\"Turret\"");
    AssertDifference(8, RP_MSH_FIELD, "Res10 labels[1]", "e_tur_tt", "E_tur_tt");
    assert_int_equal(count, 9);
    assert_int_equal(result.count, 9);
}

TEST(StreamsCountsAndAttributesAreCompared) {
    OWNED(Image) a = Walker_Make(true), b = Image_Copy(&a);
    Image_Remove(&b, 18);
    Image_Add(&b, 21, "abc", 3);
    Image_PutU32(&b, Image_Record(&b, 1, 8), 78);
    Image_Replace(&b, 19, "\1\0", 2);
    RpMshDiffOptions options = RpMshDiffOptions_Default();
    assert_int_equal(options.most, 10);
    options.bytes_only = true;
    RpMshDiffResult result = Compare(&a, &b, &options);
    AssertDifference(0, RP_MSH_ATTRIBUTE, "Res1 nodes attr2", "77", "78");
    AssertDifference(1, RP_MSH_STREAM_MISSING, "Res18 uv1", "128 bytes", "");
    AssertDifference(2, RP_MSH_COUNT, "Res19 frame-map elements", "6", "1");
    AssertDifference(3, RP_MSH_STREAM_MISSING, "Res21", "", "3 bytes");
    assert_int_equal(count, 4);
    assert_false(result.posed);
}

TEST(TailsAndUnknownStreamsAreCompared) {
    OWNED(Image) a = Walker_Make(false), b;
    Image_Add(&a, 21, "abcdef", 6);
    Image_Add(&a, 20, "abc", 3);
    b = Image_Copy(&a);
    b.bytes[Image_Payload(&b, 21, 4)] = 'E';
    b.bytes[Image_Payload(&b, 20, 2)] = 'C';
    Compare(&a, &b, NULL);
    AssertDifference(0, RP_MSH_BYTES, "Res21, bytes, first at byte 4", "6 bytes", "6 bytes");
    AssertDifference(1, RP_MSH_BYTES, "Res20 probes, after the last element, first at byte 2",
                     "3 bytes", "3 bytes");
    assert_int_equal(count, 2);
}

/* Fuzzing found that an empty second Res10 differed from itself, and that a second Res10 with text
 * differed from nothing. */
TEST(RepeatedLabelsAreComparedWithTheirOwn) {
    OWNED(Image) a = Walker_Make(false), b = Walker_Make(false), empty = Walker_Make(false);
    Image_Add(&a, 10, "\3\0\0\0one", 8);
    Image_Add(&b, 10, "\3\0\0\0two", 8);
    Image_Add(&empty, 10, "", 0);
    Compare(&a, &a, NULL);
    assert_int_equal(count, 0);
    Compare(&empty, &empty, NULL);
    assert_int_equal(count, 0);
    Compare(&a, &b, NULL);
    AssertDifference(0, RP_MSH_FIELD, "Res10 labels[0]", "one", "two");
    assert_int_equal(count, 1);
    Compare(&a, &empty, NULL);
    AssertDifference(0, RP_MSH_COUNT, "Res10 labels elements", "1", "0");
    assert_int_equal(count, 1);
}

/* Bytes behind a text's NUL and behind the last label are compared, too. A difference of attributes
 * hides none of them. */
TEST(BytesOutsideLabelsAreCompared) {
    static const char labels[] = "\6\0\0\0one\0xy\0tail";
    OWNED(Image) a = Walker_Make(false), b;
    Image_Replace(&a, 10, labels, sizeof labels - 1);
    b = Image_Copy(&a);
    Image_PutU32(&b, Image_Record(&b, 10, 8), 99);
    b.bytes[Image_Payload(&b, 10, 14)] = 'L';
    Compare(&a, &b, NULL);
    AssertDifference(0, RP_MSH_ATTRIBUTE, "Res10 labels attr2", "0", "99");
    AssertDifference(1, RP_MSH_BYTES, "Res10 labels, outside the texts, first at byte 14",
                     "15 bytes", "15 bytes");
    assert_int_equal(count, 2);
    b.bytes[Image_Payload(&b, 10, 9)] = 'Y';
    Compare(&a, &b, NULL);
    AssertDifference(1, RP_MSH_BYTES, "Res10 labels, outside the texts, first at byte 9",
                     "15 bytes", "15 bytes");
}

/* Puts `row` in front of an element of a stream, and counts it in attr1. */
static void PutIn(Image *image, uint32_t type, uint32_t stride, uint32_t element, uint8_t value) {
    uint8_t bytes[4096];
    const RpNRes archive = Image_Open(image);
    for (uint32_t i = 0; i < archive.count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        if (entry.type != type)
            continue;
        const uint32_t at = element * stride, size = entry.size + stride;
        assert_true(size <= sizeof bytes && at <= entry.size);
        memcpy(bytes, entry.data, at);
        memset(bytes + at, value, stride);
        memcpy(bytes + at + stride, entry.data + at, entry.size - at);
        Image_Replace(image, type, bytes, size);
        Image_PutU32(image, Image_Record(image, type, 4), size / stride);
        return;
    }
}

static void Raise(Image *image, uint32_t at, uint16_t least) {
    const uint16_t old = (uint16_t)(image->bytes[at] | image->bytes[at + 1] << 8);
    if (old >= least && old != 0xFFFF)
        Image_PutU16(image, at, (uint16_t)(old + 1));
}

/* One key more and one vertex more are two differences. All numbers that name later keys or
 * vertices are larger by one, but name the same things as before. */
TEST(KeysAndVerticesAreAligned) {
    static const struct {
        uint32_t type, stride;
    } of_vertex[] = {{3, 12}, {4, 4}, {5, 4}, {15, 8}, {18, 4}, {16, 8}};
    OWNED(Image) a = Walker_Make(true), b = Image_Copy(&a);
    const RpMshDiffOptions options = {.bytes_only = true};
    PutIn(&b, 8, KEY, 3, 0);
    for (uint32_t node = 0; node < WALKER_NODES; node++)
        Raise(&b, Image_Payload(&b, 1, node * NODE + 6), 3);
    for (uint32_t word = 0; word < WALKER_FRAMES; word++)
        Raise(&b, Image_Payload(&b, 19, 2 * word), 3);
    RpMshDiffResult result = Compare(&a, &b, &options);
    AssertDifference(0, RP_MSH_FIELD, "Res8 keys[3]", "", "a key at time 0");
    assert_int_equal(result.count, 1);

    for (size_t i = 0; i < sizeof of_vertex / sizeof *of_vertex; i++)
        PutIn(&b, of_vertex[i].type, of_vertex[i].stride, WALKER_BLOCK_VERTICES + 2, 0);
    for (uint32_t batch = 2; batch < 4; batch++)
        Raise(&b, Image_Payload(&b, 13, batch * 20 + 16), 0);
    Raise(&b, Image_Payload(&b, 13, 20 + 14), 0); /* its vertex count */
    for (uint32_t index = 0; index < 36; index++)
        Raise(&b, Image_Payload(&b, 6, 72 + 2 * index), 2);
    result = Compare(&a, &b, &options);
    AssertDifference(0, RP_MSH_FIELD, "Res3 positions[10]", "", "a vertex at 0 0 0");
    AssertDifference(1, RP_MSH_FIELD, "Res8 keys[3]", "", "a key at time 0");
    assert_int_equal(result.count, 2);
    Compare(&b, &a, &options);
    AssertDifference(0, RP_MSH_FIELD, "Res3 positions[10]", "a vertex at 0 0 0", "");
    AssertDifference(1, RP_MSH_FIELD, "Res8 keys[3]", "a key at time 0", "");
    assert_int_equal(count, 2);

    /* Numbers that name something else are reported. */
    Image_PutU16(&b, Image_Payload(&b, 6, 72), 5);
    Image_PutU16(&b, Image_Payload(&b, 1, NODE + 6), 5);
    Compare(&a, &b, &options);
    assert_int_equal(count, 4);
}

TEST(RepeatsAreCounted) {
    OWNED(Image) a = Walker_Make(false), b = Image_Copy(&a);
    for (uint32_t i = 0; i < 96; i++)
        Image_PutFloat(&b, Image_Payload(&b, 3, 4 * i), 99);
    RpMshDiffOptions options = {.most = 4};
    RpMshDiffResult result = Compare(&a, &b, &options);
    assert_int_equal(result.count, 96);
    assert_int_equal(count, 5);
    AssertDifference(4, RP_MSH_REST, "Res3 positions", "92", "");
}

/* The turret turns about z by 90 degrees at frame 2. The frames between its keys differ, too. */
TEST(PosesAreComparedOverAllFrames) {
    OWNED(Image) a = Walker_Make(false), b = Image_Copy(&a);
    uint32_t key = Image_Payload(&b, 8, 2 * KEY);
    Image_PutU16(&b, key + 16, 32767);
    Image_PutU16(&b, key + 22, 0);
    RpMshDiffResult result = Compare(&a, &b, &wxyz);
    assert_true(result.posed && result.position == 0);
    assert_true(result.angle > 89.9 && result.angle < 90.1);
    assert_int_equal(result.node, 1);
    assert_int_equal(result.frame, 2);
    assert_int_equal(list[count - 1].kind, RP_MSH_POSE);
    assert_string_equal(list[count - 1].place, "pose of node 1 turret");
    Image_PutFloat(&b, key, 3);
    result = Compare(&a, &b, &wxyz);
    assert_true(result.position == 3);
    RpMshDiffOptions lenient = {
        .position = 4, .angle = 91, .readings = {.choice = {[READING_KEY_ORDER] = 1}}};
    Compare(&a, &b, &lenient);
    for (uint32_t i = 0; i < count; i++)
        assert_int_not_equal(list[i].kind, RP_MSH_POSE);
}

/* If two nodes are exchanged together with their names, no pose changes. Nodes without names are
 * matched by index. */
TEST(NodesAreMatchedByName) {
    uint8_t names[4 * 32];
    OWNED(Image) a = Walker_Make(false), b = Image_Copy(&a);
    memcpy(names, b.bytes + Image_Payload(&b, 9, 0), sizeof names);
    memcpy(b.bytes + Image_Payload(&b, 9, 64), names + 96, 32);
    memcpy(b.bytes + Image_Payload(&b, 9, 96), names + 64, 32);
    Compare(&a, &b, NULL);
    uint32_t poses = 0;
    for (uint32_t i = 0; i < count; i++)
        poses += list[i].kind == RP_MSH_POSE;
    assert_int_equal(poses, 2);
    memset(a.bytes + Image_Payload(&a, 9, 32), 0, 32); /* one without a name */
    RpMshDiffResult result = Compare(&a, &b, NULL);
    assert_true(result.position == 0 && result.angle == 0);
}

TEST(NodesThatShareANameAreMatchedByIndex) {
    OWNED(Image) a = Walker_Make(false), b = Image_Copy(&a);
    memcpy(a.bytes + Image_Payload(&a, 9, 96), a.bytes + Image_Payload(&a, 9, 64), 32);
    memcpy(b.bytes + Image_Payload(&b, 9, 96), b.bytes + Image_Payload(&b, 9, 64), 32);
    b.bytes[Image_Payload(&b, 9, 64)] = 'X'; /* by its name, the gun would be the socket */
    RpMshDiffResult result = Compare(&a, &b, NULL);
    assert_true(result.posed && result.position == 0 && result.angle == 0);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].kind, RP_MSH_FIELD);
}

TEST(AnyChangedModelCanBeCompared) {
    uint64_t seed = 2;
    OWNED(Image) whole = Walker_Make(true);
    for (int i = 0; i < 500; i++) {
        OWNED(Image) image = Image_Copy(&whole);
        RpNRes archive;
        for (uint64_t changes = 1 + Random_Lcg64Word(&seed) % 8; changes > 0; changes--)
            image.bytes[16 + Random_Lcg64Word(&seed) % (image.size - 16)] =
                (uint8_t)Random_Lcg64Word(&seed);
        count = 0;
        if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL) == RP_OK) {
            RpMshDiffResult result;
            RpNRes of_whole = Image_Open(&whole);
            RpMsh_Diff(&archive, &of_whole, NULL, Take, NULL, &result, NULL);
        }
    }
}
