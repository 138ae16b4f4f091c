/* Tests of every rule of models. Sound models break none of them. Each damage is found by its rule,
 * at its place, and by no other rule except the companions that its row names. */
#include "core/random.h"
#include "tests/formats/msh/fixture.h"
#include "tests/formats/refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Findings findings;

/* ---- sound models ---------------------------------------------------------------------------- */

TEST(SoundModelsHaveOnlyTheirEvidence) {
    for (int lit = 0; lit < 2; lit++) {
        OWNED(Image) image = Walker_Make(lit);
        assert_int_equal(Findings_Check(&findings, &image), RP_OK);
        for (uint32_t i = 0; i < findings.count; i++)
            if (strcmp(findings.list[i].rule, "M31") != 0)
                fail_msg("%s %s: expected %s, found %s", findings.list[i].rule,
                         findings.list[i].what, findings.list[i].expected, findings.list[i].found);
        assert_int_equal(findings.count, 1);
        assert_string_equal(findings.list[0].found, "wxyz conjugate");
    }
}

/* ---- one damage each ------------------------------------------------------------------------- */

enum { NODE = 38, SLOT = 68, BATCH = 20, TRIANGLE = 16, KEY = 24 };
#define RECORD       0x10000000u
#define NOT_A_NUMBER 0x7FC00000u
#define INFINITE     0x7F800000u
#define BITS_2_5     0x40200000u /* 2.5F */
#define BITS_MINUS_1 0xBF800000u
#define BITS_10      0x41200000u
#define BITS_100     0x42C80000u

typedef struct Damage {
    const char *rule;
    RpSeverity severity;
    uint32_t type;
    uint32_t at; /* offset in the payload; RECORD + n means byte n of the directory record */
    int bytes;   /* bytes that `value` has: 1, 2 or 4 */
    uint32_t value;
    int32_t node, element;
    const char *expected, *found; /* null if the text is not compared */
    const char *companions;       /* other rules that the same damage breaks */
    int32_t reported;             /* where the damage is reported, relative to `at` */
} Damage;

#define E RP_SEVERITY_ERROR
#define W RP_SEVERITY_WARNING
#define C RP_SEVERITY_CANONICAL
#define I RP_SEVERITY_INFO

static const Damage damages[] = {
    /* directory */
    {"M01", E, 13, RECORD + 0, 4, 300, -1, -1, "one entry of type 13", "none",
     "M09 M16 M17 M30 M31 M32 M34", -1},
    {"M03", E, 3, RECORD + 4, 4, 31, -1, -1, "32", "31", "", 0},
    {"M03", E, 10, RECORD + 4, 4, 5, -1, -1, "4", "5", "", 0},
    {"M03", E, 19, RECORD + 4, 4, 7, -1, -1, "6", "7", "", 0},
    {"M04", E, 8, RECORD + 16, 4, 24, -1, -1, "4", "24", "", 0},
    {"M04", W, 10, RECORD + 16, 4, 1, -1, -1, "0", "1", "", 0},
    {"M05", W, 7, RECORD + 8, 4, 1, -1, -1, "0", "1", "", 0},
    {"M06", E, 1, RECORD + 16, 4, 40, -1, -1, "38", "40", "", 0},
    {"M26", E, 19, RECORD + 8, 4, 0, -1, -1, "1 or more", "0", "M27", 0},
    {"M26", C, 19, RECORD + 8, 4, 5, -1, -1, "6", "5", "M27", 0},
    /* nodes */
    {"M08", E, 1, NODE + 8 + 2, 2, 4, 1, 1, "below 4, or 65535", "4", "M32", 0},
    {"M19", E, 1, NODE + 2, 2, 1, 1, 1, "below 1, or 65535", "1", "M31", 0},
    {"M19", E, 1, 2 * NODE + 2, 2, 3, 2, 2, "below 2, or 65535", "3", "M31", 0},
    {"M19", E, 1, 2 * NODE + 2, 2, 4, 2, 2, NULL, "4", "M31", 0},
    {"M20", E, 1, 3 * NODE + 6, 2, 6, 3, 3, "below 6", "6", "", 0},
    {"M20", E, 1, NODE + 6, 2, 0xFFFF, 1, 1, "below 6", "65535", "M25 M26 M31", 0},
    {"M21", E, 1, NODE + 4, 2, 1, 1, 1, NULL, "1 + 6", "M27", 0},
    {"M25", C, 1, 2 * NODE + 6, 2, 3, 2, 2, "more than 3", "3", "M24 M25 M31", 0},
    {"M25", C, 1, NODE + 4, 2, 0xFFFF, 1, 1, "one key", "3", "M26 M27 M31", 2},
    {"M27", C, 1, 2 * NODE + 4, 2, 0, 2, 2, "6", "0", "M23 M25", 0},
    /* slots */
    {"M09", E, 2, 140 + SLOT + 2, 2, 37, -1, 1, "a range below 48", "12 to 49", "", -2},
    {"M09", E, 2, 140 + SLOT + 6, 2, 4, -1, 1, "a range below 4", "1 to 5", "M31 M32", -2},
    {"M10", E, 2, 140 + 8, 4, NOT_A_NUMBER, -1, 0, "a number", NULL, "M30", 0},
    {"M10", E, 2, 140 + 24, 4, INFINITE, -1, 0, "a number", "inf", "M30", 0},
    {"M10", E, 2, 140 + 12, 4, BITS_10, -1, 0, "at most 3", "10", "M30", 0},
    {"M10", E, 2, 140 + 32, 4, INFINITE, -1, 0, "a number", "inf", "", 0},
    {"M10", E, 2, 140 + 44, 4, BITS_MINUS_1, -1, 0, "0 or more", "-1", "", 0},
    {"M30", C, 2, 140 + 12, 4, BITS_MINUS_1, -1, 0, "-3", "-1", "", 0},
    {"M33", W, 2, 4, 4, INFINITE, -1, -1, "a number", "inf", "M31", 0},
    {"M33", W, 2, 0x6C, 4, BITS_MINUS_1, -1, -1, "0 or more", "-1", "", 0},
    {"M33", W, 2, 0x88, 4, NOT_A_NUMBER, -1, -1, "0 or more", NULL, "", 0},
    /* batches and indices */
    {"M11", E, 13, 3 * BATCH + 10, 4, 109, -1, 3, "a range below 144", "109 to 145",
     "M14 M16 M17 M30 M31 M32", 0},
    {"M11", E, 13, BATCH + 16, 4, 25, -1, 1, "vertices below 32", "25 + 7", "M16 M17 M30 M32", 0},
    {"M11", E, 6, 2, 2, 40, -1, 0, "vertices below 32", "0 + 40", "M13 M16 M17 M30 M31 M32", 14},
    {"M11", E, 6, 20, 2, 0x9000, -1, 0, "vertices below 32", "0 + 36864", "M13 M16 M17 M30 M31 M32",
     14},
    {"M12", W, 13, 3 * BATCH + 8, 2, 35, -1, 3, "a multiple of 3", "35", "M14", 0},
    {"M13", W, 13, 14, 2, 9, -1, 0, "8", "9", "", 0},
    {"M14", C, 13, BATCH + 10, 4, 0, -1, 1, "36", "0", "M16 M17 M30 M32", 0},
    /* triangles */
    {"M16", E, 7, TRIANGLE + 2, 2, 48, -1, 1, "below 48, or 65535", "48", "", 0},
    {"M16", E, 7, 3 * TRIANGLE + 6, 2, 0x9000, -1, 3, "below 48, or 65535", "36864", "", 0},
    {"M16", W, 7, TRIANGLE + 14, 2, 0x3F, -1, 1, NULL, "3", "M16", 0},
    {"M17", W, 7, TRIANGLE + 12, 2, 32767, -1, 1, NULL, NULL, "", -4},
    {"M17", W, 7, TRIANGLE + 12, 2, 0x9000, -1, 1, "1", NULL, "", -4},
    /* keys and maps */
    {"M23", C, 19, 2, 2, 5, 1, 1, "key 1 to 3", "5", "", 0},
    {"M23", C, 19, 10, 2, 0, 1, 5, "key 1 to 3", "0", "", 0},
    {"M24", E, 8, 2 * KEY + 12, 4, BITS_10, 1, 3, "more than 10", "5", "M28", KEY},
    {"M24", E, 8, 3 * KEY + 12, 4, NOT_A_NUMBER, 1, 3, "a number", NULL, "M24 M26", 0},
    {"M24", E, 8, 4 * KEY + 12, 4, INFINITE, 2, 4, "a number", "inf", "M24 M26", 0},
    {"M24", E, 8, 2 * KEY + 12, 4, 0, 1, 2, "more than 0", "0", "", 0},
    {"M24", C, 8, 2 * KEY + 12, 4, BITS_2_5, 1, 2, NULL, "2.5", "M28", 0},
    {"M24", C, 8, KEY + 12, 4, BITS_MINUS_1, 1, 1, NULL, "-1", "", 0},
    {"M28", C, 19, 4, 2, 1, 1, 2, "key 2 at frame 2", "1", "", 0},
    {"M28", C, 19, 10, 2, 2, 1, 5, "key 3 at frame 5", "2", "", 0},
    {"M29", W, 8, 16, 2, 20000, -1, 0, NULL, NULL, "M31", 0},
    {"M31", I, 2, 0, 4, BITS_100, -1, -1, NULL, NULL, "", 0},
    /* positions: vertex 7 of the body is a corner of its box */
    {"M30", C, 3, 7 * 12, 4, BITS_10, -1, 0, NULL, NULL, "M17 M31 M30", 0},
    /* labels */
    {"M18", E, 10, 4 + 4 + 8, 1, 1, 1, 1, NULL, NULL, "", -12},
    {"M18", W, 10, 4 + 4 + 2, 1, 0, 1, 1, "8 characters", "2", "", 0},
};

static uint32_t PlaceOf(const Image *image, const Damage *damage) {
    return damage->at >= RECORD ? Image_Record(image, damage->type, damage->at - RECORD)
                                : Image_Payload(image, damage->type, damage->at);
}

static void Apply(Image *image, const Damage *damage, uint32_t at) {
    if (damage->bytes == 4)
        Image_PutU32(image, at, damage->value);
    else if (damage->bytes == 2)
        Image_PutU16(image, at, (uint16_t)damage->value);
    else
        image->bytes[at] = (uint8_t)damage->value;
}

static bool IsCompanion(const Damage *damage, const char *rule) {
    return strcmp(rule, damage->rule) == 0 || strcmp(rule, "M31") == 0 ||
           strstr(damage->companions, rule) != NULL;
}

/* Counts the failed rows, so that the whole table is tried before the test fails. */
static int wrong;

static void Complain(const Damage *damage, const char *what, const RpFinding *finding) {
    wrong++;
    print_error("%s at %u of Res%u: %s", damage->rule, (unsigned)damage->at, (unsigned)damage->type,
                what);
    if (finding)
        print_error(": %s %s: expected '%s', found '%s', at %u, node %d, element %d", finding->rule,
                    finding->what, finding->expected, finding->found, (unsigned)finding->offset,
                    (int)finding->node, (int)finding->element);
    print_error("\n");
}

static void ExpectFound(const Damage *damage, const RpFinding *finding, uint64_t offset) {
    if (!finding)
        Complain(damage, "not reported", NULL);
    else if (finding->offset != offset || finding->node != damage->node ||
             finding->element != damage->element ||
             (damage->expected && strcmp(finding->expected, damage->expected) != 0) ||
             (damage->found && strcmp(finding->found, damage->found) != 0))
        Complain(damage, "reported otherwise", finding);
}

static void CheckDamage(const Damage *damage) {
    OWNED(Image) image = Walker_Make(true);
    uint32_t at = PlaceOf(&image, damage);
    Apply(&image, damage, at);
    RpStatus status = Findings_Check(&findings, &image);
    uint64_t offset = (uint64_t)((int64_t)at + damage->reported);
    const RpFinding *finding = Findings_Of(&findings, damage->rule, damage->severity, 0);
    if (strcmp(damage->rule, "M01") == 0)
        offset = Image_Open(&image).directory_offset;
    if (damage->type == 3 || damage->type == 6)
        offset = finding ? finding->offset : 0; /* reported at the slot or the batch */
    ExpectFound(damage, finding, offset);
    bool broken = false;
    for (uint32_t i = 0; i < findings.count; i++) {
        broken |= findings.list[i].severity == E;
        if (!IsCompanion(damage, findings.list[i].rule))
            Complain(damage, "another rule", &findings.list[i]);
    }
    assert_int_equal(status, broken ? RP_CORRUPT : RP_OK);
    /* RpMsh_Validate has to agree with the checker. */
    RpNRes archive = Image_Open(&image);
    RpMsh msh;
    RpError error;
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error), status);
    if (broken && damage->severity == E)
        assert_memory_equal(error.what, damage->rule, 3);
}

TEST(DamagesAreFoundByTheirRules) {
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        CheckDamage(&damages[i]);
    assert_int_equal(wrong, 0);
}

/* ---- damage in more than one place ----------------------------------------------------------- */

static void CheckFirst(Image *image, const char *rule, RpSeverity severity, int32_t stream,
                       uint64_t offset, const char *expected, const char *found) {
    RpStatus status = Findings_Check(&findings, image);
    const RpFinding *finding = Findings_Of(&findings, rule, severity, 0);
    assert_non_null(finding);
    assert_int_equal(finding->stream, stream);
    assert_int_equal(finding->offset, offset);
    assert_string_equal(finding->expected, expected);
    assert_string_equal(finding->found, found);
    if (severity == E)
        assert_int_equal(status, RP_CORRUPT);
    Image_Free(image);
}

/* A word lacks a successor only if it is below a fallback that does not exist either, because word
 * + 1 <= fallback. */
TEST(MapWordsHaveASuccessor) {
    Image image = Walker_Make(false);
    uint32_t word = Image_Payload(&image, 19, 8);
    Image_PutU16(&image, Image_Payload(&image, 1, NODE + 6), 7);
    Image_PutU16(&image, word, 5);
    CheckFirst(&image, "M22", E, 19, word, "word + 1 below 6", "5");
}

TEST(RequiredStreamsAreThereOnce) {
    static const uint32_t required[] = {1, 2, 3, 6, 13};
    for (size_t i = 0; i < 5; i++) {
        char expected[40];
        snprintf(expected, sizeof expected, "one entry of type %u", required[i]);
        Image image = Walker_Make(true), twice = Image_Copy(&image);
        Image_Remove(&image, required[i]);
        CheckFirst(&image, "M01", E, (int32_t)required[i], Image_Open(&image).directory_offset,
                   expected, "none");
        Image_Add(&twice, required[i], "", 0);
        CheckFirst(&twice, "M01", E, (int32_t)required[i], Image_Record(&twice, required[i], 0),
                   expected, "more; the first is used");
    }
}

TEST(OtherStreamsMayBeMissing) {
    static const uint32_t optional[] = {9, 15, 17, 18, 20};
    Image image = Walker_Make(true);
    for (size_t i = 0; i < 5; i++)
        Image_Remove(&image, optional[i]);
    assert_int_equal(Findings_Check(&findings, &image), RP_OK);
    assert_int_equal(findings.count, 1);
    Image_Free(&image);
    image = Walker_Make(false);
    Image_Add(&image, 9, "", 0);
    CheckFirst(&image, "M01", W, 9, Image_Record(&image, 9, 0), "at most one entry of type 9",
               "more; the first is used");
    image = Walker_Make(false);
    Image_Remove(&image, 10);
    CheckFirst(&image, "M18", W, 10, Image_Open(&image).directory_offset, "one entry of type 10",
               "none");
}

TEST(UnknownTypesAreNamed) {
    static const uint32_t types[] = {0, 11, 12, 14, 21, 0x4D544558};
    for (size_t i = 0; i < 6; i++) {
        char found[16];
        Image image = Walker_Make(false);
        Image_Add(&image, types[i], "?", 1);
        snprintf(found, sizeof found, "%u", types[i]);
        CheckFirst(&image, "M34", I, (int32_t)types[i], Image_Record(&image, types[i], 0),
                   "a type of the table", found);
    }
}

TEST(PartsOfElementsAreErrorsOfWhatTheGameReads) {
    static const uint32_t read[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 15, 18, 19};
    static const uint32_t unread[] = {9, 17, 20};
    static const uint8_t bytes[1000];
    for (size_t i = 0; i < 15; i++) {
        uint32_t type = i < 12 ? read[i] : unread[i - 12];
        OWNED(Image) image = Walker_Make(true);
        /* The size is a multiple of no stride, with or without a header. */
        Image_Replace(&image, type, bytes, 969);
        Findings_Check(&findings, &image);
        const RpFinding *finding = Findings_Of(&findings, "M02", i < 12 ? E : W, 0);
        assert_non_null(finding);
        assert_int_equal(finding->offset, Image_Record(&image, type, 12));
        assert_int_equal(finding->stream, type);
        assert_int_equal(Findings_Count(&findings, "M02"), 1);
    }
    Image image = Walker_Make(true);
    Image_Replace(&image, 2, bytes, 139);
    CheckFirst(&image, "M02", E, 2, Image_Record(&image, 2, 12), "140 bytes or more", "139");
}

TEST(VertexStreamsHaveOneElementAVertex) {
    static const struct { uint32_t type, stride; } streams[] = {{4, 4}, {5, 4}, {15, 8}, {18, 4}};
    static const uint8_t bytes[1000];
    for (size_t i = 0; i < 4; i++) {
        Image image = Walker_Make(true);
        Image_Replace(&image, streams[i].type, bytes, 31 * streams[i].stride);
        CheckFirst(&image, "M07", E, (int32_t)streams[i].type,
                   Image_Record(&image, streams[i].type, 12), "32 elements", "31");
    }
}

TEST(TrianglesAreAThirdOfTheIndices) {
    Image image = Walker_Make(false);
    static const uint8_t bytes[49 * 16];
    Image_Replace(&image, 7, bytes, 49 * 16);
    CheckFirst(&image, "M15", W, 7, Image_Record(&image, 7, 12), "144 indices / 3", "49 records");
}

TEST(LabelsAreOneRecordANode) {
    static const uint8_t four[16], five[20], cut[] = {0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 'a'};
    static const uint8_t last[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    static const uint8_t huge[] = {0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 'a', 0};
    Image image = Walker_Make(false);
    Image_Replace(&image, 10, four, 16);
    assert_int_equal(Findings_Check(&findings, &image), RP_OK);
    Image_Free(&image);
    image = Walker_Make(false);
    Image_Replace(&image, 10, five, 20);
    CheckFirst(&image, "M18", W, 10, Image_Payload(&image, 10, 16), "16 bytes", "20");
    image = Walker_Make(false);
    Image_Replace(&image, 10, four, 12);
    CheckFirst(&image, "M18", E, 10, Image_Payload(&image, 10, 12), "4 records", "3 whole ones");
    image = Walker_Make(false);
    Image_Replace(&image, 10, cut, sizeof cut);
    CheckFirst(&image, "M18", E, 10, Image_Payload(&image, 10, 8), "4 records", "2 whole ones");
    image = Walker_Make(false); /* What follows the stream is padding, not a NUL of its own. */
    Image_Replace(&image, 10, last, sizeof last);
    CheckFirst(&image, "M18", E, 10, Image_Payload(&image, 10, 12), "4 records", "3 whole ones");
    image = Walker_Make(false);
    Image_Replace(&image, 10, huge, sizeof huge);
    CheckFirst(&image, "M18", E, 10, Image_Payload(&image, 10, 4), "4 records", "1 whole ones");
}

TEST(AnimatedNodesHaveTwoKeys) {
    Image image = Walker_Make(false);
    uint32_t start = Image_Payload(&image, 1, 2 * NODE + 4);
    Image_PutU16(&image, start, 0);
    CheckFirst(&image, "M25", E, 1, start + 2, "two keys or more", "one");
}

TEST(ZeroRotationsAreListed) {
    Image image = Walker_Make(false);
    uint32_t rotation = Image_Payload(&image, 8, 5 * KEY + 16);
    Image_PutU32(&image, rotation, 0);
    Image_PutU32(&image, rotation + 4, 0);
    CheckFirst(&image, "M29", I, 8, rotation, "length 1", "0");
}

TEST(VerticesBelongToOneNode) {
    Image image = Walker_Make(false);
    /* a second use of the gun's slot */
    Image_PutU16(&image, Image_Payload(&image, 1, 3 * NODE + 8), 3);
    CheckFirst(&image, "M32", C, 3, Image_Payload(&image, 3, 24 * 12), "one node", "2 and 3");
    image = Walker_Make(false);
    Image_PutU16(&image, Image_Payload(&image, 1, 8 + 2), 0xFFFF); /* level 1 of the body */
    CheckFirst(&image, "M32", C, 3, Image_Payload(&image, 3, 8 * 12), "one node", "none");
    assert_int_equal(Findings_Count(&findings, "M32"), 8);
}

TEST(CyclesOfParentsAreCalledSo) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU16(&image, Image_Payload(&image, 1, NODE + 2), 2);
    Findings_Check(&findings, &image);
    const RpFinding *finding = Findings_Of(&findings, "M19", E, 0);
    assert_non_null(finding);
    assert_string_equal(finding->what, "the node is its own ancestor");
}

/* Triangles 0 and 24 belong to different blocks. Each names the other across its edge 0. */
TEST(NeighboursShareTwoPositions) {
    OWNED(Image) image = Walker_Make(false);
    uint32_t first = Image_Payload(&image, 7, 0), other = Image_Payload(&image, 7, 24 * TRIANGLE);
    Image_PutU16(&image, first + 2, 24);
    Image_PutU16(&image, other + 2, 0);
    image.bytes[first + 14] &= 0xFC;
    image.bytes[other + 14] &= 0xFC;
    Findings_Check(&findings, &image);
    uint32_t strangers = 0;
    for (uint32_t i = 0; Findings_Of(&findings, "M16", W, i); i++) {
        const RpFinding *finding = Findings_Of(&findings, "M16", W, i);
        if (strcmp(finding->what, "neighbours share no edge") != 0)
            continue;
        assert_true(finding->element == 0 || finding->element == 24);
        assert_string_equal(finding->found, "0");
        strangers++;
    }
    assert_int_equal(strangers, 2);
}

TEST(NeighboursNameEachOther) {
    Image image = Walker_Make(false);
    RpMshTriangle triangle;
    char expected[80];
    const RpMsh msh = Image_OpenModel(&image, RP_STRICT);
    assert_true(RpMsh_Triangle(&msh, 0, &triangle));
    uint32_t other = triangle.neighbours[0], code = triangle.edges & 3;
    Image_PutU16(&image, Image_Payload(&image, 7, other * TRIANGLE + 2 + 2 * code), 40);
    snprintf(expected, sizeof expected, "0 across edge %u of triangle %u", code, other);
    CheckFirst(&image, "M16", W, 7, Image_Payload(&image, 7, 2), expected, "40");
}

/* Before its first key a track has the pose of its fallback (seed 000 section 5.4). */
TEST(MapsBeginWithTheFallbackBeforeTheFirstKey) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutFloat(&image, Image_Payload(&image, 8, KEY + 12), 1);
    CheckFirst(&image, "M28", C, 19, Image_Payload(&image, 19, 0), "key 3 at frame 0", "1");
    image = Walker_Make(false);
    Image_PutFloat(&image, Image_Payload(&image, 8, KEY + 12), 1);
    Image_PutU16(&image, Image_Payload(&image, 19, 0), 3);
    Findings_Check(&findings, &image);
    assert_int_equal(Findings_Count(&findings, "M28"), 0);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static RpMshBoxEvidence EvidenceOf(const Image *image) {
    RpMshBoxEvidence evidence;
    const RpMsh msh = Image_OpenModel(image, RP_TOLERANT);
    assert_int_equal(RpMsh_BoxEvidence(&msh, NULL, &evidence, NULL), RP_OK);
    return evidence;
}

TEST(OneReadingFitsTheBox) {
    OWNED(Image) image = Walker_Make(false);
    RpMshBoxEvidence evidence = EvidenceOf(&image);
    assert_true(evidence.usable && evidence.telling);
    assert_int_equal(evidence.supported_count, 1);
    assert_true(evidence.supported[1][0]);
    assert_int_equal(evidence.key_order, 1);
    assert_int_equal(evidence.rotation, 0);
    assert_int_equal(evidence.nodes, 3);
    assert_int_equal(evidence.vertices, 24); /* level 0: neither level 1 nor the socket */
    assert_true(evidence.fits[1][0][0].gap < 1e-6);
    assert_true(evidence.fits[1][0][1].outside > RP_MSH_BOX_TOLERANCE);
}

/* The same bytes are read in the other order, by turning the components of all keys. */
TEST(TurnedKeysTurnTheEvidence) {
    OWNED(Image) image = Walker_Make(false);
    for (uint32_t key = 0; key < WALKER_KEYS; key++) {
        uint8_t *rotation = image.bytes + Image_Payload(&image, 8, key * KEY + 16), first[2];
        memcpy(first, rotation, 2);
        memmove(rotation, rotation + 2, 6);
        memcpy(rotation + 6, first, 2);
    }
    RpMshBoxEvidence evidence = EvidenceOf(&image);
    assert_int_equal(evidence.key_order, 0);
    assert_int_equal(evidence.rotation, 0);
    assert_int_equal(evidence.supported_count, 1);
}

TEST(CockpitsAreLeftOut) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU16(&image, Image_Payload(&image, 1, 2 * NODE), 0x20);
    RpMshBoxEvidence evidence = EvidenceOf(&image);
    assert_int_equal(evidence.nodes, 2);
    assert_int_equal(evidence.vertices, 16);
    Image_PutU16(&image, Image_Payload(&image, 1, 2 * NODE), 0x10);
    evidence = EvidenceOf(&image);
    assert_int_equal(evidence.nodes, 3);
}

/* If nothing turns, all four readings fit, and none is chosen. */
TEST(StraightModelsDoNotTell) {
    OWNED(Image) image = Walker_Make(false);
    static const uint8_t zero[8];
    for (uint32_t key = 0; key < WALKER_KEYS; key++)
        memcpy(image.bytes + Image_Payload(&image, 8, key * KEY + 16), zero, 8);
    RpNRes opened = Image_Open(&image);
    OWNED(RpNResArchive) archive = {0};
    RpMsh msh;
    RpMshBoxEvidence evidence;
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    static const RpReadings defaults;
    assert_int_equal(RpMsh_UpdateBounds(&archive, &defaults, NULL), RP_OK);
    RpMsh_Open(RpNResArchive_Entries(&archive), RP_TOLERANT, &msh, NULL);
    assert_int_equal(RpMsh_BoxEvidence(&msh, NULL, &evidence, NULL), RP_OK);
    assert_int_equal(evidence.supported_count, 4);
    assert_false(evidence.telling);
    assert_int_equal(evidence.key_order, -1);
}

TEST(WithoutABoxThereIsNoEvidence) {
    OWNED(Image) image = Walker_Make(false);
    Image_PutU16(&image, Image_Payload(&image, 1, NODE + 2), 3); /* a parent after its node */
    RpMshBoxEvidence evidence = EvidenceOf(&image);
    assert_false(evidence.usable);
    assert_string_equal(evidence.why, "the nodes cannot be posed");
    Image_Free(&image);
    image = Walker_Make(false);
    memset(image.bytes + Image_Payload(&image, 2, 0), 0, 96);
    evidence = EvidenceOf(&image);
    assert_string_equal(evidence.why, "the header's box is empty");
    Image_Free(&image);
    image = Walker_Make(false);
    for (uint32_t n = 0; n < WALKER_NODES; n++)
        Image_PutU16(&image, Image_Payload(&image, 1, n * NODE + 8), 0xFFFF);
    evidence = EvidenceOf(&image);
    assert_string_equal(evidence.why, "no node has level-0 geometry");
}

/* ---- other forms ----------------------------------------------------------------------------- */

TEST(LegacyNodesAreOpaque) {
    static const uint8_t node[24] = {0xFF, 0xFF, 0xFF, 0xFF}, label[4];
    OWNED(Image) image = Walker_Make(false);
    Image_Replace(&image, 1, node, sizeof node);
    Image_Replace(&image, 10, label, sizeof label);
    Image_PutU32(&image, Image_Record(&image, 1, 4), 1);
    Image_PutU32(&image, Image_Record(&image, 1, 16), 24);
    Image_PutU32(&image, Image_Record(&image, 10, 4), 1);
    assert_int_equal(Findings_Check(&findings, &image), RP_OK);
    assert_non_null(Findings_Of(&findings, "M06", I, 0));
    assert_int_equal(findings.count, 2); /* one of them is the finding that there is no evidence */
    assert_string_equal(findings.list[1].rule, "M31");
    Image_PutU32(&image, Image_Record(&image, 1, 4), 2);
    assert_int_equal(Findings_Check(&findings, &image), RP_CORRUPT);
    Image_Replace(&image, 1, node, 23);
    Findings_Check(&findings, &image);
    assert_non_null(Findings_Of(&findings, "M02", E, 0));
}

TEST(LandIsNoModel) {
    OWNED(Image) image = Walker_Make(false);
    Image_Remove(&image, 6);
    Image_Remove(&image, 13);
    Image_Add(&image, 21, "", 0);
    assert_int_equal(Findings_Check(&findings, &image), RP_OK);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].rule, "M01");
    assert_int_equal(findings.list[0].severity, I);
    RpNRes archive = Image_Open(&image);
    assert_true(RpMsh_IsLand(RpNRes_Entries(&archive)) && !RpMsh_Is(RpNRes_Entries(&archive)));
}

/* ---- options --------------------------------------------------------------------------------- */

TEST(RepeatsAreCounted) {
    OWNED(Image) image = Walker_Make(false);
    RpNRes archive = Image_Open(&image);
    RpMshCheckOptions options = RpMshCheckOptions_Default();
    assert_int_equal(options.repeats, RP_MSH_CHECK_REPEATS);
    options.repeats = 3;
    for (uint32_t t = 0; t < 48; t++)
        Image_PutU16(&image, Image_Payload(&image, 7, t * TRIANGLE + 2), 5000);
    Findings_Init(&findings);
    assert_int_equal(RpMsh_Check(RpNRes_Entries(&archive), &options, &findings.sink, NULL),
                     RP_CORRUPT);
    uint32_t errors = 0;
    while (Findings_Of(&findings, "M16", E, errors))
        errors++;
    assert_int_equal(errors, 4);
    assert_string_equal(Findings_Of(&findings, "M16", E, 3)->what, "45 more of this rule");
    options.rules = UINT64_C(1) << 31;
    Findings_Init(&findings);
    assert_int_equal(RpMsh_Check(RpNRes_Entries(&archive), &options, &findings.sink, NULL), RP_OK);
    assert_int_equal(findings.count, 1);
}

TEST(RulesHaveIdsAndTexts) {
    for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++) {
        char id[8];
        snprintf(id, sizeof id, "m%02d", rule);
        assert_int_equal(RpMshRule_Find(id), rule);
        assert_non_null(RpMshRule_Text(rule));
        assert_non_null(RpMshRule_Severities(rule));
    }
    assert_null(RpMshRule_Id(0));
    assert_null(RpMshRule_Id(RP_MSH_RULE_COUNT + 1));
    assert_int_equal(RpMshRule_Find("M35"), 0);
    assert_int_equal(RpMshRule_Find("M1"), 0);
}

/* An archive under construction gives the same findings as its image, except for offsets. */
TEST(ArchivesAreCheckedAsTheirImages) {
    static Findings second;
    OWNED(Image) image = Walker_Make(true);
    Image_PutU16(&image, Image_Payload(&image, 1, NODE + 8), 9);
    Image_PutFloat(&image, Image_Payload(&image, 2, 140 + 44), -1);
    RpNRes opened = Image_Open(&image);
    OWNED(RpNResArchive) archive = {0};
    assert_int_equal(RpNResArchive_Read(&archive, &opened, NULL), RP_OK);
    assert_true(RpMsh_Is(RpNResArchive_Entries(&archive)));
    Findings_Check(&findings, &image);
    Findings_Init(&second);
    assert_int_equal(RpMsh_Check(RpNResArchive_Entries(&archive), NULL, &second.sink, NULL),
                     RP_CORRUPT);
    assert_int_equal(second.count, findings.count);
    for (uint32_t i = 0; i < second.count; i++) {
        assert_string_equal(second.list[i].rule, findings.list[i].rule);
        assert_string_equal(second.list[i].found, findings.list[i].found);
        assert_int_equal(second.list[i].element, findings.list[i].element);
        assert_true(second.list[i].offset == RP_NOWHERE);
    }
}

TEST(RefusedMemoryIsReported) {
    OWNED(Image) image = Walker_Make(true);
    RpNRes archive = Image_Open(&image);
    RpMshBoxEvidence evidence;
    RpMsh msh;
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
    for (int allowed = 0; allowed < 8; allowed++) {
        Refusal refusal = {.left = allowed};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        const RpMshCheckOptions options = {.allocator = &allocator};
        Findings_Init(&findings);
        assert_int_equal(RpMsh_Check(RpNRes_Entries(&archive), &options, &findings.sink, NULL),
                         allowed < 4 ? RP_NO_MEMORY : RP_OK);
        refusal.left = allowed;
        assert_int_equal(RpMsh_BoxEvidence(&msh, &allocator, &evidence, NULL),
                         allowed < 2 ? RP_NO_MEMORY : RP_OK);
    }
}

/* ---- hostile input --------------------------------------------------------------------------- */

/* Every batch contains all indices, every slot all batches, every node all slots, and every block
 * the whole map. Following all of them would take cubic time. */
TEST(OverlapsDoNotMultiply) {
    enum { BATCHES = 2000, INDICES = 60000, NODES = 1500, WORDS = 60000 };
    HEAP uint8_t *bytes = calloc(1, 200000);
    OWNED(Image) image = Walker_Make(false);
    assert_non_null(bytes);
    Image_Replace(&image, 6, bytes, INDICES * 2);
    for (uint32_t i = 0; i < BATCHES; i++) {
        const RpMshBatch batch = {.index_count = INDICES, .vertex_count = 1};
        RpMshBatch_Write(&batch, bytes + i * BATCH);
    }
    Image_Replace(&image, 13, bytes, BATCHES * BATCH);
    for (uint32_t i = 0; i < NODES; i++) {
        const RpMshNode node = {.parent = 0xFFFF, .fallback = 5};
        RpMshNode_Write(&node, bytes + i * NODE);
    }
    Image_Replace(&image, 1, bytes, NODES * NODE);
    memset(bytes, 0, 200000);
    Image_Replace(&image, 19, bytes, WORDS * 2);
    Image_PutU32(&image, Image_Record(&image, 19, 8), WORDS);
    Image_PutU16(&image, Image_Payload(&image, 2, 140 + 6), BATCHES);
    RpNRes archive = Image_Open(&image);
    const RpMshCheckOptions options = {.repeats = 3};
    Findings_Init(&findings);
    assert_int_equal(RpMsh_Check(RpNRes_Entries(&archive), &options, &findings.sink, NULL),
                     RP_CORRUPT);
    uint32_t given_up = 0;
    for (uint32_t i = 0; i < findings.count; i++)
        given_up += strncmp(findings.list[i].what, "given up", 8) == 0;
    assert_true(given_up >= 2);
}

/* The table of the largest indices gives what a plain walk gives. */
TEST(LargestIndicesAreThoseOfAPlainWalk) {
    enum { INDICES = 5000, BATCHES = 3000 };
    static uint8_t indices[INDICES * 2], batches[BATCHES * BATCH];
    uint64_t seed = 5;
    OWNED(Image) image = Walker_Make(false);
    for (uint32_t i = 0; i < INDICES; i++)
        indices[2 * i] = (uint8_t)(Random_Lcg64Word(&seed) % 32);
    uint32_t broken = 0;
    for (uint32_t b = 0; b < BATCHES; b++) {
        RpMshBatch batch = {.first_index = Random_Lcg64Word(&seed) % INDICES};
        batch.index_count = (uint16_t)(Random_Lcg64Word(&seed) % (INDICES - batch.first_index + 1));
        if (b % 2)
            batch.index_count %= 9;
        uint32_t largest = 0;
        for (uint32_t i = 0; i < batch.index_count; i++)
            if (indices[2 * (batch.first_index + i)] > largest)
                largest = indices[2 * (batch.first_index + i)];
        batch.base_vertex = Random_Lcg64Word(&seed) % 3 + 31 - largest;
        broken += batch.index_count > 0 && batch.base_vertex + largest >= 32;
        RpMshBatch_Write(&batch, batches + (size_t)b * BATCH);
    }
    Image_Replace(&image, 6, indices, sizeof indices);
    Image_Replace(&image, 13, batches, sizeof batches);
    RpNRes archive = Image_Open(&image);
    const RpMshCheckOptions options = {.rules = UINT64_C(1) << 11, .repeats = UINT32_MAX};
    Findings_Init(&findings);
    RpMsh_Check(RpNRes_Entries(&archive), &options, &findings.sink, NULL);
    assert_int_equal(findings.count, broken);
    assert_true(broken > 500);
}

TEST(CutAndChangedModelsStayInBounds) {
    uint64_t seed = 11;
    OWNED(Image) whole = Walker_Make(true);
    uint32_t refused = 0, taken = 0;
    for (int i = 0; i < 3000; i++) {
        OWNED(Image) image = Image_Copy(&whole);
        for (uint64_t changes = 1 + Random_Lcg64Word(&seed) % 4; changes > 0; changes--)
            image.bytes[16 + Random_Lcg64Word(&seed) % (image.size - 16)] ^=
                (uint8_t)(1 << Random_Lcg64Word(&seed) % 8);
        RpNRes archive;
        RpMsh msh;
        const RpMshCheckOptions options = {.repeats = 2};
        if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL) == RP_OK) {
            RpFindingCounter counter = {.next = NULL};
            const RpFindingSink sink = RpFindingCounter_Sink(&counter);
            RpStatus status = RpMsh_Check(RpNRes_Entries(&archive), &options, &sink, NULL);
            assert_int_equal(status, RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, NULL));
            *(status == RP_OK ? &taken : &refused) += 1;
        }
    }
    assert_true(refused > 100 && taken > 100);
}
