/* Tests of reading, checking, building and writing .ani files: facts/lego-ani.md A, C, E. */
#include "core/digest.h"
#include "core/random.h"
#include "synthetic.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpBuffer synthetic, sample;
static bool has_sample;

AROUND(BeforeAll) {
    Synthetic_Write(&synthetic);
    has_sample = Sample_Load(&sample);
}

AROUND(AfterAll) {
    RpBuffer_Free(&synthetic);
    if (has_sample)
        RpBuffer_Free(&sample);
}

static void ExpectDigest(const void *bytes, size_t size, const char *expected) {
    char digest[DIGEST_HEX_BYTES];
    Digest_OfBytes(bytes, size, digest);
    assert_string_equal(digest, expected);
}

/* ---- round trips ----------------------------------------------------------------------------- */

TEST(TheSyntheticFileIsBuiltByteForByte) {
    assert_int_equal(synthetic.size, SYNTHETIC_BYTES);
    ExpectDigest(synthetic.bytes, synthetic.size, synthetic_sha256);
}

static void ExpectRewrite(const uint8_t *bytes, size_t size, RpAniForm form) {
    OWNED(RpAni) ani;
    OWNED(RpBuffer) image = {0};
    assert_int_equal(RpAni_Read(bytes, size, form, RP_STRICT, NULL, &ani, NULL), RP_OK);
    assert_int_equal(RpAni_ParsedSize(&ani) + ani.trailing_size, size);
    assert_int_equal(RpAni_Write(&ani, &image, NULL), RP_OK);
    assert_int_equal(image.size, size);
    assert_memory_equal(image.bytes, bytes, size);
}

TEST(FilesAreRewrittenByteForByte) {
    ExpectRewrite(synthetic.bytes, synthetic.size, RP_ANI_FILE);
    if (has_sample)
        ExpectRewrite(sample.bytes, sample.size, RP_ANI_FILE);
}

TEST(ABareBodyIsAFormOfItsOwn) {
    OWNED(RpAni) ani;
    OWNED(RpBuffer) image = {0};
    Synthetic_Make(&ani, NULL);
    ani.has_header = false;
    assert_int_equal(RpAni_Write(&ani, &image, NULL), RP_OK);
    ExpectRewrite(image.bytes, image.size, RP_ANI_BODY);
}

/* The oddities are stored flags without the active bit, unknown flags, a NaN with a payload, minus
 * zero, a name that contains a NUL, an odd camera flag, and bytes behind the tree. */
TEST(OdditiesAreKept) {
    static const uint32_t signalling = 0x7F800123u;
    static const uint8_t tail[3] = {1, 2, 3};
    OWNED(RpAni) ani;
    OWNED(RpBuffer) image = {0};
    RpAniKey key = RpAniKey_Translation(7, 0xF0, 5, -0.0f, 0);
    Synthetic_Make(&ani, NULL);
    memcpy(&key.value[2], &signalling, 4);
    RpAni_SetKeys(&ani, 0, RP_ANI_TRANSLATION, &key, 1, NULL);
    RpAni_RenameNode(&ani, 1, "A\0B", 3, NULL);
    RpAni_SetTrailing(&ani, tail, sizeof tail, NULL);
    ani.has_camera = -7;
    assert_int_equal(RpAni_Write(&ani, &image, NULL), RP_OK);
    ExpectRewrite(image.bytes, image.size, RP_ANI_FILE);
    RpAni_Free(&ani);
    assert_int_equal(RpAni_Read(image.bytes, image.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, NULL),
                     RP_OK);
    const RpAniKey *read = ani.nodes[0].tracks[RP_ANI_TRANSLATION].keys;
    assert_memory_equal(read->value, key.value, 12);
    assert_int_equal(read->flags, 0xF0);
    assert_true(read->active); /* computed, not read from the file */
    assert_int_equal(ani.nodes[1].name.length, 3);
    assert_memory_equal(ani.trailing, tail, 3);
}

/* ---- the sample file ------------------------------------------------------------------------- */

typedef struct SampleNode {
    uint32_t offset, depth;
    const char *name;
    uint32_t translations, rotations, children;
} SampleNode;

/* facts/lego-ani.md E.1 */
static const SampleNode sample_nodes[26] = {
    {84, 0, "-PNS065RD", 0, 0, 2},  {109, 1, "RD", 14, 13, 2},       {611, 2, "INFOGRON", 2, 2, 3},
    {707, 3, "LEG-RT", 2, 2, 0},    {801, 3, "LEG-LFT", 2, 2, 0},    {896, 3, "BODY", 0, 0, 3},
    {916, 4, "ARM-RT", 2, 2, 1},    {1010, 5, "CLAW-RT", 2, 2, 0},   {1105, 4, "ARM-LFT", 2, 2, 1},
    {1200, 5, "CLAW-LFT", 2, 2, 0}, {1296, 4, "HEAD", 2, 0, 1},      {1348, 5, "INFOHAT", 2, 0, 0},
    {1403, 2, "BIKERD", 2, 2, 0},   {1497, 1, "PG", 4, 2, 2},        {1619, 2, "BIKEPG", 9, 12, 0},
    {2025, 2, "-mover", 28, 12, 3}, {2735, 3, "INFOGRON", 2, 17, 3}, {3131, 4, "BODY", 0, 0, 1},
    {3151, 5, "HEAD", 2, 0, 1},     {3203, 6, "INFOHAT", 2, 0, 0},   {3258, 4, "ARM-RT", 2, 13, 1},
    {3572, 5, "CLAW-RT", 2, 2, 0},  {3667, 4, "ARM-LFT", 2, 13, 1},  {3982, 5, "CLAW-LFT", 2, 2, 0},
    {4078, 3, "LEG-LFT", 2, 14, 0}, {4413, 3, "LEG-RT", 2, 16, 0},
};

TEST(TheSampleFileHoldsWhatIsPublished) {
    OWNED(RpAni) ani;
    if (!has_sample)
        skip();
    ExpectDigest(sample.bytes, sample.size,
                 "e5c1284445ffbe1e5cd31ac43b0ef514829de39591b296757db9657d3978cf89");
    assert_int_equal(
        RpAni_Read(sample.bytes, sample.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, NULL), RP_OK);
    assert_int_equal(RpAni_ParsedSize(&ani), 4787);
    assert_int_equal(ani.trailing_size, 1);
    assert_int_equal(ani.duration, 5200);
    assert_int_equal(ani.unused, 1);
    assert_int_equal(ani.actor_count, 4);
    assert_string_equal(ani.actors[3].name.bytes, "BIKEPG");
    assert_int_equal(ani.actors[3].type, 1);
    assert_int_equal(ani.node_count, 26);
    for (uint32_t i = 0; i < 26; i++) {
        const RpAniNode *node = &ani.nodes[i];
        assert_int_equal(node->offset, sample_nodes[i].offset);
        assert_int_equal(node->depth, sample_nodes[i].depth);
        assert_string_equal(node->name.bytes, sample_nodes[i].name);
        assert_int_equal(node->tracks[RP_ANI_TRANSLATION].count, sample_nodes[i].translations);
        assert_int_equal(node->tracks[RP_ANI_ROTATION].count, sample_nodes[i].rotations);
        assert_int_equal(node->children, sample_nodes[i].children);
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

typedef struct Findings {
    RpFinding last[32]; /* indexed by the rule's number */
    uint32_t count[32], errors, warnings;
} Findings;

/* Returns the number in a rule's name, such as 5 for "A05". */
static int RuleNumber(const char *rule) {
    return (rule[1] - '0') * 10 + rule[2] - '0';
}

static void Take(void *context, const RpFinding *finding) {
    Findings *findings = context;
    const int rule = RuleNumber(finding->rule);
    assert_true(finding->rule[0] == 'A' && rule > 0 && rule < 32);
    findings->last[rule] = *finding;
    findings->count[rule]++;
    findings->errors += finding->severity == RP_SEVERITY_ERROR;
    findings->warnings += finding->severity == RP_SEVERITY_WARNING;
}

static RpStatus Check(const uint8_t *bytes, size_t size, Findings *findings) {
    const RpFindingSink sink = {.take = Take, .context = findings};
    memset(findings, 0, sizeof *findings);
    return RpAni_Check(bytes, size, RP_ANI_FILE, NULL, &sink, NULL);
}

TEST(TheSampleFileIsSound) {
    Findings findings;
    if (!has_sample)
        skip();
    assert_int_equal(Check(sample.bytes, sample.size, &findings), RP_OK);
    assert_int_equal(findings.errors + findings.warnings, 0);
    assert_int_equal(findings.count[28], 1); /* the padding byte */
    /* Node 14 turns the long way round: facts/lego-ani.md 0, trap 4. */
    assert_int_equal(findings.count[27], 1);
    assert_int_equal(findings.last[27].node, 14);
}

/* A count that asks for more than the rest of the file can hold: `most` of `each` bytes. */
typedef struct TooMany {
    const char *rule;
    uint32_t at, bytes, count, most, each;
} TooMany;

/* In the synthetic file the actors begin at 28 with PEPPER at 32 and *bird01 at 46. The duration is
 * at 61, the eye at 65, the target at 115, the roll at 149, and the root at 175 with its tracks
 * from 183 and the number of its children at 191. */
static const TooMany too_many[] = {
    {"A03", 32, 4, 0xFFFFFFFF, 1033, 1}, {"A03", 175, 4, 0x80000000, 890, 1},
    {"A04", 28, 4, 0x80000000, 259, 4},  {"A05", 65, 2, 0xFFFF, 62, 16},
    {"A05", 185, 2, 0xFFFF, 44, 20},     {"A05", 189, 2, 0xFFFF, 175, 5},
    {"A06", 191, 4, 0xFFFFFFFF, 54, 16},
};

/* Checks and reads a copy of the first `size` bytes. */
static void ExpectBroken(const uint8_t *from, size_t size, const char *rule, RpStatus status,
                         uint64_t offset, const char *expected, const char *found) {
    Findings findings;
    RpError error;
    RpAni ani;
    HEAP uint8_t *bytes = malloc(size);
    memcpy(bytes, from, size);
    assert_int_equal(Check(bytes, size, &findings), status);
    const RpFinding *finding = &findings.last[RuleNumber(rule)];
    assert_non_null(finding->rule);
    assert_int_equal(finding->offset, offset);
    assert_string_equal(finding->expected, expected);
    assert_string_equal(finding->found, found);
    assert_int_equal(RpAni_Read(bytes, size, RP_ANI_FILE, RP_STRICT, NULL, &ani, &error), status);
    assert_int_equal(error.status, status);
    assert_int_equal(error.offset, offset);
    assert_int_equal(strncmp(error.what, rule, 3), 0);
    assert_string_equal(error.expected, expected);
    assert_string_equal(error.found, found);
}

TEST(WhatDoesNotFitIsAnErrorOfItsOwn) {
    HEAP uint8_t *bytes = malloc(synthetic.size);
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        const TooMany *row = &too_many[i];
        char expected[64], found[16];
        memcpy(bytes, synthetic.bytes, synthetic.size);
        for (uint32_t k = 0; k < row->bytes; k++)
            bytes[row->at + k] = (uint8_t)(row->count >> 8 * k);
        snprintf(expected, sizeof expected, "at most %u (of %u bytes or more each)",
                 (unsigned)row->most, (unsigned)row->each);
        snprintf(found, sizeof found, "%u", (unsigned)row->count);
        ExpectBroken(bytes, synthetic.size, row->rule, RP_CORRUPT, row->at, expected, found);
    }
    memcpy(bytes, synthetic.bytes, synthetic.size);
    bytes[0] = 18;
    ExpectBroken(bytes, synthetic.size, "A01", RP_CORRUPT, 0, "17", "18");
    ExpectBroken(synthetic.bytes, 26, "A02", RP_TRUNCATED, 24, "4 bytes", "2");
    ExpectBroken(synthetic.bytes, 62, "A02", RP_TRUNCATED, 61, "4 bytes", "1");
}

static void Append(RpBuffer *image, const RpAni *ani) {
    RpBuffer_Init(image, NULL);
    assert_int_equal(RpAni_Write(ani, image, NULL), RP_OK);
}

/* A tree with one level more than the library allows has to be put together by hand. */
TEST(ATreeThatIsTooDeepIsUnsupported) {
    static const uint8_t node[16] = {[12] = 1};
    OWNED(RpBuffer) image;
    RpAni ani;
    RpError error;
    uint32_t parent = RP_ANI_NO_NODE;
    RpAni_Init(&ani, NULL);
    for (int i = 0; i < RP_ANI_MOST_DEPTH; i++)
        assert_int_equal(RpAni_AddNode(&ani, parent, "", 0, &parent, NULL), RP_OK);
    assert_int_equal(RpAni_AddNode(&ani, parent, "", 0, NULL, NULL), RP_UNSUPPORTED);
    Append(&image, &ani);
    RpAni_Free(&ani);
    assert_int_equal(RpAni_Read(image.bytes, image.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, NULL),
                     RP_OK);
    RpAni_Free(&ani);
    image.bytes[image.size - 4] = 1;
    const size_t end = image.size;
    for (int i = 0; i < 1000; i++)
        RpBuffer_Append(&image, node, sizeof node);
    assert_int_equal(
        RpAni_Read(image.bytes, image.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, &error),
        RP_UNSUPPORTED);
    assert_int_equal(strncmp(error.what, "A07", 3), 0);
    assert_int_equal(error.offset, end);
}

typedef void Change(RpAni *ani);

static void NoActorName(RpAni *ani) {
    RpAni_AddActor(ani, "", 0, 0, NULL);
}
static void NoTarget(RpAni *ani) {
    RpAni_SetKeys(ani, 0, RP_ANI_TARGET, NULL, 0, NULL);
}
static void Trail(RpAni *ani) {
    RpAni_SetTrailing(ani, "xy", 2, NULL);
}
static void OddCamera(RpAni *ani) {
    ani->has_camera = 2;
}
static void OddActor(RpAni *ani) {
    ani->actors[0].type = 7;
}
static void Unnamed(RpAni *ani) {
    RpAni_RenameNode(ani, 3, "", 0, NULL);
}
static void NulInName(RpAni *ani) {
    RpAni_RenameNode(ani, 3, "a\0", 2, NULL);
}
static void NoDuration(RpAni *ani) {
    ani->duration = 0;
}
static void Padding(RpAni *ani) {
    RpAni_SetTrailing(ani, "", 1, NULL);
}

static Change *const changes[29] = {
    [8] = NoActorName, [9] = NoTarget,   [10] = Trail,      [21] = OddCamera, [22] = OddActor,
    [23] = Unnamed,    [24] = NulInName, [26] = NoDuration, [28] = Padding,
};

/* Gives the root the keys that break a rule, or else changes what `changes` says. */
static void Break(RpAni *ani, uint32_t rule) {
    const struct {
        uint32_t rule;
        RpAniTrackKind kind;
        uint32_t count;
        RpAniKey keys[2];
    } rows[] = {
        {11, RP_ANI_MORPH, 1, {RpAniKey_Morph(0, 0x80, 0)}},
        {12, RP_ANI_SCALE, 1, {RpAniKey_Scale(0, 0x04, 1, 1, 1)}},
        {13, RP_ANI_ROTATION, 1, {RpAniKey_Rotation(0, 0x02, 1, 0, 0, 0)}},
        {14, RP_ANI_MORPH, 2, {RpAniKey_Morph(5, 0, 1), RpAniKey_Morph(4, 0, 1)}},
        {15, RP_ANI_MORPH, 2, {RpAniKey_Morph(5, 0, 1), RpAniKey_Morph(5, 0, 1)}},
        {16, RP_ANI_MORPH, 2, {RpAniKey_Morph(5, 0, 1), RpAniKey_Morph(1001, 0, 1)}},
        {17, RP_ANI_TRANSLATION, 1, {RpAniKey_Translation(0, 0, 1, 0, 0)}},
        {18, RP_ANI_ROTATION, 1, {RpAniKey_Rotation(0, 1, 0, 0, 0, 0)}},
        {19, RP_ANI_ROTATION, 1, {RpAniKey_Rotation(0, 1, 2, 0, 0, 0)}},
        {20, RP_ANI_TRANSLATION, 1, {RpAniKey_Translation(0, 1, 1e38f * 10, 0, 0)}},
        {25, RP_ANI_MORPH, 1, {RpAniKey_Morph(0, 0, 2)}},
        {27,
         RP_ANI_ROTATION,
         2,
         {RpAniKey_Rotation(0, 1, 0.6f, 0.8f, 0, 0), RpAniKey_Rotation(5, 1, -0.8f, -0.6f, 0, 0)}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].rule == rule)
            RpAni_SetKeys(ani, 0, rows[i].kind, rows[i].keys, rows[i].count, NULL);
    if (changes[rule])
        changes[rule](ani);
}

/* Each change adds a finding of its rule to those of the untouched file, at a place that lies
 * within it. */
TEST(EveryRuleFindsWhatItIsFor) {
    Findings before, after;
    Check(synthetic.bytes, synthetic.size, &before);
    for (uint32_t rule = 8; rule < sizeof changes / sizeof *changes; rule++) {
        OWNED(RpAni) ani;
        OWNED(RpBuffer) image;
        Synthetic_Make(&ani, NULL);
        Break(&ani, rule);
        Append(&image, &ani);
        const RpStatus status = Check(image.bytes, image.size, &after);
        assert_int_equal(status, rule < 10 ? RP_CORRUPT : RP_OK);
        if (after.count[rule] <= before.count[rule])
            fail_msg("rule A%02u finds nothing", (unsigned)rule);
        assert_true(after.last[rule].offset < image.size);
        assert_int_equal(after.last[rule].severity, rule < 10   ? RP_SEVERITY_ERROR
                                                    : rule < 27 ? RP_SEVERITY_WARNING
                                                                : RP_SEVERITY_INFO);
    }
}

TEST(AFindingsOffsetIsTheKeys) {
    Findings findings;
    HEAP uint8_t *bytes = malloc(synthetic.size);
    memcpy(bytes, synthetic.bytes, synthetic.size);
    bytes[65 + 2 + 16 + 3] |= 0x40; /* flags of the second eye key */
    assert_int_equal(Check(bytes, synthetic.size, &findings), RP_OK);
    assert_int_equal(findings.last[11].offset, 65 + 2 + 16);
    assert_int_equal(findings.last[11].element, 1);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* Reads from memory of exactly that size, so that AddressSanitizer sees any access beyond it. */
static void ReadDamaged(const uint8_t *from, size_t size, bool cut) {
    RpAni ani;
    Findings findings;
    RpBuffer image;
    HEAP uint8_t *bytes = malloc(size ? size : 1);
    memcpy(bytes, from, size);
    const RpStatus status = Check(bytes, size, &findings);
    assert_int_equal(status == RP_OK, findings.errors == 0);
    assert_int_equal(RpAni_Read(bytes, size, RP_ANI_FILE, RP_STRICT, NULL, &ani, NULL), status);
    RpAni_Free(&ani);
    if (cut)
        assert_true(status == RP_TRUNCATED || status == RP_CORRUPT);
    if (RpAni_Read(bytes, size, RP_ANI_FILE, RP_TOLERANT, NULL, &ani, NULL) == RP_OK) {
        RpBuffer_Init(&image, NULL); /* What was kept can be written as a file of its own. */
        assert_int_equal(RpAni_Write(&ani, &image, NULL), RP_OK);
        assert_int_equal(RpAni_ParsedSize(&ani) + ani.trailing_size, image.size);
        if (!ani.damaged) {
            assert_int_equal(image.size, size);
            assert_memory_equal(image.bytes, bytes, size);
        }
        RpBuffer_Free(&image);
        RpAni_Free(&ani);
    }
}

TEST(EveryTruncationIsAnError) {
    for (size_t size = 0; size < synthetic.size; size++)
        ReadDamaged(synthetic.bytes, size, true);
    for (size_t size = 0; has_sample && size < 4787; size += 7)
        ReadDamaged(sample.bytes, size, true);
}

TEST(RandomBytesAreReadOrRefused) {
    uint32_t seed = 5;
    HEAP uint8_t *bytes = malloc(synthetic.size);
    for (int round = 0; round < 4000; round++) {
        memcpy(bytes, synthetic.bytes, synthetic.size);
        for (int flips = 0; flips < 1 + round % 4; flips++) {
            Random_Lcg32(&seed);
            bytes[(seed >> 8) % synthetic.size] ^= (uint8_t)(1u << (seed >> 29));
        }
        ReadDamaged(bytes, synthetic.size, false);
    }
}

/* The file is cut within the fourth child. The three complete children are kept, and those keys of
 * the fourth that are complete. */
TEST(TolerantReadingKeepsWhatIsWhole) {
    OWNED(RpAni) whole, ani;
    assert_int_equal(
        RpAni_Read(synthetic.bytes, synthetic.size, RP_ANI_FILE, RP_STRICT, NULL, &whole, NULL),
        RP_OK);
    const size_t keys = (size_t)whole.nodes[4].tracks[RP_ANI_ROTATION].offset + 2;
    assert_int_equal(
        RpAni_Read(synthetic.bytes, (size_t)keys + 25, RP_ANI_FILE, RP_TOLERANT, NULL, &ani, NULL),
        RP_OK);
    assert_true(ani.damaged);
    assert_int_equal(ani.node_count, 5);
    assert_int_equal(ani.nodes[0].children, 4);
    assert_int_equal(ani.nodes[4].tracks[RP_ANI_ROTATION].count, 1);
    assert_int_equal(ani.nodes[3].tracks[RP_ANI_ROTATION].count, 2);
}

/* ---- memory, building ------------------------------------------------------------------------ */

TEST(RefusedMemoryLeavesNothingBehind) {
    RpStatus status = RP_NO_MEMORY;
    for (int allowed = 0; status != RP_OK; allowed++) {
        Refusal refusal = {.left = allowed};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpAni ani;
        assert_true(allowed < 200);
        status = RpAni_Read(synthetic.bytes, synthetic.size, RP_ANI_FILE, RP_STRICT, &allocator,
                            &ani, NULL);
        if (status != RP_OK)
            assert_int_equal(status, RP_NO_MEMORY);
        RpAni_Free(&ani);
        assert_int_equal(refusal.live, 0);
    }
}

/* A small file declares counts that are as large as they can be. */
TEST(NothingIsAllocatedBeforeItsSizeIsChecked) {
    for (size_t at = 28; at + 4 <= 196; at++) {
        Refusal refusal = {.left = 10000};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        RpAni ani;
        HEAP uint8_t *bytes = malloc(synthetic.size);
        memcpy(bytes, synthetic.bytes, synthetic.size);
        memset(bytes + at, 0xFF, 4);
        if (RpAni_Read(bytes, synthetic.size, RP_ANI_FILE, RP_TOLERANT, &allocator, &ani, NULL) ==
            RP_OK)
            RpAni_Free(&ani);
        assert_true(refusal.largest < 60 * synthetic.size);
        assert_int_equal(refusal.live, 0);
    }
}

static void ExpectTree(const RpAni *ani, const char *names) {
    char text[64];
    size_t length = 0;
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &ani->nodes[i];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u", node->name.bytes,
                                   (unsigned)node->depth);
        if (node->parent != RP_ANI_NO_NODE)
            assert_int_equal(ani->nodes[node->parent].depth + 1, node->depth);
        else
            assert_int_equal(node->descendants + 1, ani->node_count);
    }
    assert_string_equal(text, names);
}

TEST(NodesStayInPreOrder) {
    OWNED(RpAni) ani;
    uint32_t a, b, c;
    RpAni_Init(&ani, NULL);
    assert_int_equal(RpAni_Write(&ani, &(RpBuffer){0}, NULL), RP_INVALID);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "r", 1, NULL, NULL);
    RpAni_AddNode(&ani, 0, "a", 1, &a, NULL);
    RpAni_AddNode(&ani, 0, "b", 1, &b, NULL);
    RpAni_AddNode(&ani, b, "d", 1, NULL, NULL);
    RpAni_AddNode(&ani, a, "c", 1, &c, NULL); /* inserted in front of b */
    ExpectTree(&ani, "r0a1c2b1d2");
    assert_int_equal(RpAni_RemoveNode(&ani, a, NULL), RP_OK);
    ExpectTree(&ani, "r0b1d2");
    assert_int_equal(ani.nodes[0].children, 1);
    assert_int_equal(RpAni_AddNode(&ani, RP_ANI_NO_NODE, "x", 1, NULL, NULL), RP_INVALID);
    assert_int_equal(RpAni_AddNode(&ani, 9, "x", 1, NULL, NULL), RP_INVALID);
#if SIZE_MAX > UINT32_MAX /* tries a name with more bytes than the file's length field can hold */
    const size_t most = UINT32_MAX;
    assert_int_equal(RpAni_AddNode(&ani, 0, "x", most, NULL, NULL), RP_INVALID);
    assert_int_equal(RpAni_AddNode(&ani, 0, "x", most + 2, NULL, NULL), RP_INVALID);
    assert_int_equal(RpAni_AddActor(&ani, "x", most + 2, 0, NULL), RP_INVALID);
    assert_int_equal(RpAni_RenameNode(&ani, 0, "x", most + 2, NULL), RP_INVALID);
    ExpectTree(&ani, "r0b1d2");
    assert_int_equal(ani.actor_count, 0);
#endif
    assert_int_equal(RpAni_FindNode(&ani, "D", RP_ANI_NO_NODE), 2);
    assert_int_equal(RpAni_FindNode(&ani, "D", 2), RP_ANI_NO_NODE);
}

TEST(KeysThatNoFileCanHoldAreRefused) {
    OWNED(RpAni) ani;
    const RpAniKey late = RpAniKey_Morph(RP_ANI_MOST_TIME + 1, 0, 1);
    static const RpAniKey many[RP_ANI_MOST_KEYS + 1];
    RpAni_Init(&ani, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "r", 1, NULL, NULL);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_MORPH, &late, 1, NULL), RP_INVALID);
    assert_int_equal(RpAni_SetKeys(&ani, 1, RP_ANI_MORPH, many, 1, NULL), RP_INVALID);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_MORPH, many, RP_ANI_MOST_KEYS + 1, NULL),
                     RP_INVALID);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_MORPH, many, RP_ANI_MOST_KEYS, NULL), RP_OK);
}
