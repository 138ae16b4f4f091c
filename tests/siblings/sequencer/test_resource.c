/* Tests of reading, checking and writing both kinds of resource: the fixtures, every truncation,
 * every class of fault. */
#include "images.h"
#include "retropose/sequencer.h"
#include "tests/formats/refusal.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Put32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* ---- findings -------------------------------------------------------------------------------- */

typedef struct Rules {
    char text[512]; /* for example "Q10 Q12 " */
    uint64_t offset;
} Rules;

static void Take(void *context, const RpFinding *finding) {
    Rules *rules = context;
    const size_t length = strlen(rules->text);
    snprintf(rules->text + length, sizeof rules->text - length, "%s ", finding->rule);
    rules->offset = finding->offset;
}

typedef RpStatus Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                       const RpFindingSink *sink, RpError *error);

static RpStatus Finds(Check *check, const uint8_t *image, size_t size, const char *expected) {
    Rules rules = {.text = ""};
    const RpFindingSink sink = {Take, &rules};
    RpError error;
    const RpStatus status = check(image, size, NULL, &sink, &error);
    assert_string_equal(rules.text, expected);
    return status;
}

/* ---- Animation ------------------------------------------------------------------------------- */

TEST(TheAnimationIsReadAndWritten) {
    RpAcAnimation animation;
    RpBuffer image = {0};
    assert_int_equal(
        RpAcAnimation_Read(animation_image, ANIMATION_BYTES, RP_STRICT, NULL, &animation, NULL),
        RP_OK);
    assert_int_equal(animation.id, 0x03001234);
    assert_int_equal(animation.part_count, 1);
    assert_int_equal(animation.frame_count, 2);
    assert_true(animation.pos_frames[1].origin[1] == 2 && animation.pos_frames[1].q[0] == 1);
    assert_true(animation.part_frames[1].origin[2] == 6 && animation.part_frames[1].q[3] == 1);
    assert_int_equal(animation.hook_count, 1);
    assert_int_equal(animation.first_hook[1], 1);
    assert_int_equal(animation.first_hook[2], 1);
    assert_int_equal(animation.hooks[0].type, 12);
    assert_int_equal(animation.hooks[0].direction, RP_AC_FORWARD);
    assert_int_equal(animation.hooks[0].size, 8);
    assert_int_equal(RpAcAnimation_Write(&animation, &image, NULL), RP_OK);
    assert_int_equal(image.size, ANIMATION_BYTES);
    assert_memory_equal(image.bytes, animation_image, ANIMATION_BYTES);
    animation.flags = 2;
    assert_int_equal(RpAcAnimation_Write(&animation, &image, NULL), RP_INVALID);
    RpBuffer_Free(&image);
    RpAcAnimation_Free(&animation);
    assert_int_equal(Finds(RpAcAnimation_Check, animation_image, ANIMATION_BYTES, ""), RP_OK);
}

TEST(EveryTruncationOfAnAnimationIsOne) {
    for (size_t size = 0; size < ANIMATION_BYTES; size++) {
        /* The image is a block of its own, so that sanitizers see accesses beyond its end. */
        HEAP uint8_t *image = malloc(size ? size : 1);
        OWNED(RpAcAnimation) animation;
        RpError error;
        memcpy(image, animation_image, size);
        const RpStatus status =
            RpAcAnimation_Read(image, size, RP_STRICT, NULL, &animation, &error);
        assert_true(status == RP_TRUNCATED || status == RP_CORRUPT);
        assert_true(error.offset <= size);
        assert_null(animation.part_frames);
        const RpStatus tolerant =
            RpAcAnimation_Read(image, size, RP_TOLERANT, NULL, &animation, &error);
        assert_true(tolerant == RP_OK ? animation.damaged && animation.frame_count == 1
                                      : tolerant == status);
    }
}

TEST(EveryRuleOfAnAnimationIsFound) {
    static const struct {
        uint32_t at, value;
        const char *rules;
        RpStatus status;
    } cases[] = {
        {0, 0x09001234, "Q10 ", RP_OK},
        {4, 7, "Q11 ", RP_OK},
        {4, 1, "Q18 ", RP_OK},
        {8, 2, "Q02 Q12 Q02 ", RP_CORRUPT},
        {8, UINT32_MAX, "Q02 ", RP_CORRUPT},
        {12, 3, "Q02 Q12 Q02 ", RP_CORRUPT},
        {12, UINT32_MAX, "Q02 ", RP_CORRUPT},
        {28, 0x40000000, "Q12 ", RP_OK},
        {28, 0x7FC00000, "Q12 ", RP_OK},
        {100, 99, "Q02 ", RP_CORRUPT},
        {104, 27, "Q13 ", RP_UNSUPPORTED},
        {104, 4, "Q14 Q12 Q03 ", RP_OK},
        {108, 2, "Q15 ", RP_OK},
        {108, 0xFFFFFFFE, "Q15 ", RP_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t image[ANIMATION_BYTES];
        OWNED(RpAcAnimation) animation;
        memcpy(image, animation_image, sizeof image);
        Put32(image + cases[i].at, cases[i].value);
        assert_int_equal(Finds(RpAcAnimation_Check, image, sizeof image, cases[i].rules),
                         cases[i].status);
        assert_int_equal(RpAcAnimation_Read(image, sizeof image, RP_STRICT, NULL, &animation, NULL),
                         cases[i].status);
    }
    uint8_t empty[16] = {0, 0, 0, 3};
    assert_int_equal(Finds(RpAcAnimation_Check, empty, sizeof empty, "Q04 "), RP_CORRUPT);
    uint8_t longer[ANIMATION_BYTES + 3] = {0};
    memcpy(longer, animation_image, ANIMATION_BYTES);
    assert_int_equal(Finds(RpAcAnimation_Check, longer, sizeof longer, "Q03 "), RP_OK);
}

/* Makes an image of one frame without parts, with one hook of the type whose payload is counting
 * bytes. */
static size_t HookImage(uint32_t type, uint8_t *image) {
    static const uint8_t sizes[RP_AC_HOOK_TYPES] = {0,  4,  4,  28, 0,  4, 4,  16, 12,
                                                    16, 12, 16, 8,  40, 4, 4,  4,  0,
                                                    4,  8,  12, 16, 12, 8, 12, 4,  40};
    memset(image, 0, 80);
    Put32(image, 0x03000001);
    Put32(image + 4, 2);
    Put32(image + 12, 1);
    Put32(image + 16, 1);
    Put32(image + 20, type);
    for (uint8_t i = 0; i < sizes[type]; i++)
        image[28 + i] = (uint8_t)(i + 1);
    return 28u + sizes[type];
}

TEST(EveryHookTypeHasItsSize) {
    for (uint32_t type = 0; type < RP_AC_HOOK_TYPES; type++) {
        uint8_t image[80];
        const size_t size = HookImage(type, image);
        RpAcAnimation animation;
        RpBuffer written = {0};
        RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
        assert_int_equal(RpAcAnimation_Read(image, size, RP_STRICT, NULL, &animation, NULL), RP_OK);
        assert_int_equal(animation.trailing_size, 0);
        assert_int_equal(animation.hooks[0].size, size - 28);
        assert_int_equal(RpAcAnimation_Write(&animation, &written, NULL), RP_OK);
        assert_int_equal(written.size, size);
        assert_memory_equal(written.bytes, image, size);
        RpBuffer_Free(&written);
        RpAcAnimation_Free(&animation);
        assert_non_null(RpAcHook_Name(type));
        uint32_t covered = 0;
        const unsigned count = RpAcHook_Fields(type, 0, fields);
        for (unsigned i = 0; i < count; i++) {
            static const uint8_t bytes[] = {1, 2, 4, 4, 4, 2};
            assert_int_equal(fields[i].offset, covered);
            covered += bytes[fields[i].kind];
        }
        assert_int_equal(type == RP_AC_HOOK_REPLACE_OBJECT ? 4 : covered, size - 28);
        if (size > 28)
            assert_int_equal(RpAcAnimation_Read(image, size - 1, RP_STRICT, NULL, &animation, NULL),
                             RP_TRUNCATED);
    }
    assert_null(RpAcHook_Name(RP_AC_HOOK_TYPES));
    assert_int_equal(RpAcHook_Fields(RP_AC_HOOK_TYPES, 0, NULL), 0);
}

TEST(ALongIdTakesTwoBytesMore) {
    uint8_t image[80];
    RpAcAnimation animation;
    RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
    HookImage(RP_AC_HOOK_REPLACE_OBJECT, image);
    image[30] = 0x83; /* the top bit of the id's first half */
    assert_int_equal(RpAcAnimation_Read(image, 36, RP_STRICT, NULL, &animation, NULL), RP_OK);
    assert_int_equal(animation.hooks[0].size, 8);
    RpAcAnimation_Free(&animation);
    assert_int_equal(RpAcAnimation_Read(image, 32, RP_STRICT, NULL, &animation, NULL),
                     RP_TRUNCATED);
    RpAcHook_Fields(RP_AC_HOOK_REPLACE_OBJECT, RP_AC_REPLACE_U16, fields);
    assert_int_equal(fields[0].kind, RP_AC_U16);
    assert_int_equal(fields[1].offset, 2);
    RpAcHook_Fields(RP_AC_HOOK_SOUND_TWEAKED, RP_AC_TWEAKED_SWAPPED, fields);
    assert_string_equal(fields[1].name, "priority");
}

TEST(HooksWarnOfPaddingAndParts) {
    uint8_t image[80];
    HookImage(RP_AC_HOOK_REPLACE_OBJECT, image);
    assert_int_equal(Finds(RpAcAnimation_Check, image, 32, "Q16 Q17 "), RP_OK);
    HookImage(18, image);
    assert_int_equal(Finds(RpAcAnimation_Check, image, 32, "Q17 "), RP_OK);
    Put32(image + 28, UINT32_MAX);
    assert_int_equal(Finds(RpAcAnimation_Check, image, 32, ""), RP_OK);
}

/* ---- MotionTable ----------------------------------------------------------------------------- */

TEST(TheTableIsReadSearchedAndWritten) {
    OWNED(RpAcMotionTable) table;
    OWNED(RpBuffer) image = {0};
    assert_int_equal(RpAcMotionTable_Read(table_image, TABLE_BYTES, RP_STRICT, NULL, &table, NULL),
                     RP_OK);
    assert_int_equal(table.default_style, 0x8000003D);
    assert_int_equal(RpAcMotionTable_Default(&table, 0x8000003D), RP_AC_READY);
    assert_int_equal(RpAcMotionTable_Default(&table, 0x8000003C), 0);
    assert_int_equal(RpAc_Key(0x8000003D, RP_AC_READY), 0x003D0003);
    const RpAcMotionData *cycle = RpAcMotionTable_Cycle(&table, 0x003D0003);
    assert_non_null(cycle);
    assert_int_equal(table.refs[cycle->first_ref].animation, 0x03000001);
    assert_int_equal(table.refs[cycle->first_ref].high, -1);
    assert_true(table.refs[cycle->first_ref].framerate == 30);
    const RpAcMotionData *modifier = RpAcMotionTable_Modifier(&table, 0x003D000D);
    assert_non_null(modifier);
    assert_true(modifier->ref_count == 0 && modifier->omega[2] == -1.5f);
    const RpAcMotionData *link = RpAcMotionTable_Link(&table, 0x003D0003, 0x45000005);
    assert_non_null(link);
    assert_true(link->velocity[1] == 1);
    assert_null(RpAcMotionTable_Link(&table, 0x003D0003, 0x45000006));
    assert_null(RpAcMotionTable_Link(&table, 0x003D0004, 0x45000005));
    assert_null(RpAcMotionTable_Cycle(&table, 0));
    assert_null(RpAcMotionTable_Modifier(&table, UINT32_MAX));
    assert_int_equal(RpAcMotionTable_Write(&table, &image, NULL), RP_OK);
    assert_int_equal(image.size, TABLE_BYTES);
    assert_memory_equal(image.bytes, table_image, TABLE_BYTES);
}

TEST(EveryTruncationOfATableIsOne) {
    for (size_t size = 0; size < TABLE_BYTES; size++) {
        HEAP uint8_t *image = malloc(size ? size : 1);
        OWNED(RpAcMotionTable) table;
        RpError error;
        memcpy(image, table_image, size);
        const RpStatus status = RpAcMotionTable_Read(image, size, RP_STRICT, NULL, &table, &error);
        assert_true(status == RP_TRUNCATED || status == RP_CORRUPT);
        assert_true(error.offset <= size);
        assert_int_equal(RpAcMotionTable_Read(image, size, RP_TOLERANT, NULL, &table, &error),
                         RP_OK);
        assert_true(table.damaged);
    }
}

TEST(EveryRuleOfATableIsFound) {
    static const struct {
        uint32_t at, value;
        const char *rules;
        RpStatus status;
    } cases[] = {
        {0, 0x03001234, "Q10 ", RP_OK},  {4, 1, "Q34 ", RP_OK},
        {8, 99, "Q02 Q34 ", RP_CORRUPT}, {20, 99, "Q02 Q35 ", RP_CORRUPT},
        {24, 0x013D0003, "Q35 ", RP_OK}, {28, 0x00000401, "Q33 ", RP_OK},
        {28, 0x00080001, "Q33 ", RP_OK}, {28, 0x05000001, "Q16 ", RP_OK},
        {32, 0x09000001, "Q30 ", RP_OK}, {44, 0x7F800000, "Q31 ", RP_CORRUPT},
        {60, 0x7FC00000, "Q32 ", RP_OK}, {48, 1u << 31, "Q02 ", RP_CORRUPT},
        {72, 9999, "Q02 ", RP_CORRUPT},  {80, 9, "Q02 ", RP_CORRUPT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t image[TABLE_BYTES];
        memcpy(image, table_image, sizeof image);
        Put32(image + cases[i].at, cases[i].value);
        assert_int_equal(Finds(RpAcMotionTable_Check, image, sizeof image, cases[i].rules),
                         cases[i].status);
    }
}

/* Of equal keys the first one in the file is found, and the check reports them. */
TEST(TwinsAreFound) {
    uint8_t image[8 + 4 + 3 * 8 + 12];
    OWNED(RpAcMotionTable) table;
    memset(image, 0, sizeof image);
    Put32(image, 0x09000001);
    Put32(image + 4, 5);
    Put32(image + 8, 3);
    static const uint32_t pairs[] = {7, 1, 5, 2, 7, 3};
    for (int i = 0; i < 6; i++)
        Put32(image + 12 + 4 * i, pairs[i]);
    assert_int_equal(Finds(RpAcMotionTable_Check, image, sizeof image, "Q35 Q36 "), RP_OK);
    assert_int_equal(RpAcMotionTable_Read(image, sizeof image, RP_STRICT, NULL, &table, NULL),
                     RP_OK);
    assert_int_equal(RpAcMotionTable_Default(&table, 7), 1);
    assert_int_equal(RpAcMotionTable_Default(&table, 5), 2);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(RefusedMemoryIsAnError) {
    for (int once = 0; once < 2; once++)
        for (int granted = 0, done = 0; done < 2; granted++) {
            Refusal refusal = {.left = granted, .once = once};
            const RpAllocator allocator = Refusal_Allocator(&refusal);
            RpAcAnimation animation;
            RpAcMotionTable table;
            RpStatus status = RpAcAnimation_Read(animation_image, ANIMATION_BYTES, RP_STRICT,
                                                 &allocator, &animation, NULL);
            assert_true(status == RP_OK || status == RP_NO_MEMORY);
            done = status == RP_OK;
            RpAcAnimation_Free(&animation);
            assert_int_equal(refusal.live, 0);
            refusal.left = granted;
            status =
                RpAcMotionTable_Read(table_image, TABLE_BYTES, RP_STRICT, &allocator, &table, NULL);
            assert_true(status == RP_OK || status == RP_NO_MEMORY);
            done += status == RP_OK;
            RpAcMotionTable_Free(&table);
            assert_int_equal(refusal.live, 0);
            assert_true(granted < 50);
        }
}
