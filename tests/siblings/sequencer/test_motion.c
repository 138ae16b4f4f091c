/* Tests the state machine of motions over a small made-up table: the four classes, stops, the
 * queue, saved states. */
#include "tests/test.h"
#include "walk.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THIRTIETH (1.0 / 30)

/* ---- an object ------------------------------------------------------------------------------ */

static Fixture fixture;
static RpAcMotionTable table;
static RpMotion motion;
static char ended[512];

static void Ended(void *context, uint32_t id, bool success) {
    const size_t length = strlen(ended);
    (void)context;
    snprintf(ended + length, sizeof ended - length, "%s%08X%s", length ? " " : "", (unsigned)id,
             success ? "" : "!");
}

AROUND(BeforeEach) {
    Fixture_Begin(&fixture);
    Walk_Make(&fixture, &table, NULL);
    const RpAcLibrary library = Fixture_Library(&fixture);
    RpMotion_Init(&motion, &table, fixture.nodes, FIXTURE_NODES, &library);
    motion.motion_done = Ended;
    assert_int_equal(RpMotion_Start(&motion, NULL), RP_OK);
    ended[0] = 0;
}

AROUND(AfterEach) {
    RpAcMotionTable_Free(&table);
    Fixture_End(&fixture);
}

static void Perform(RpAcCommand command, uint32_t id, float speed, uint32_t expected) {
    uint32_t result;
    RpError error = {.what = ""};
    assert_int_equal(RpMotion_Perform(&motion, command, id, speed, &result, &error), RP_OK);
    assert_int_equal(result, expected);
}

static void Tick(double quantum) {
    fixture.log[0] = 0;
    RpAcFrame_Identity(&fixture.offset);
    assert_int_equal(RpMotion_Tick(&motion, quantum, &fixture.offset, Fixture_Log, &fixture, NULL),
                     RP_OK);
}

/* Compares the list with a text such as "l w", in which the current node has brackets. */
static void ListIs(const char *expected) {
    char list[64] = "";
    for (uint16_t i = motion.sequence.head; i != RP_AC_NO_NODE; i = fixture.nodes[i].next) {
        const char letter = fixture.letters[fixture.nodes[i].animation - fixture.animations];
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, i == motion.sequence.current ? "[%c]" : "%c",
                 letter);
    }
    assert_string_equal(list, expected);
}

/* ---- the classes ---------------------------------------------------------------------------- */

TEST(AnObjectStartsInItsDefaultState) {
    assert_int_equal(motion.style, STYLE_PEACE);
    assert_int_equal(motion.substate, READY);
    ListIs("[r]");
    assert_int_equal(motion.pending_count, 1);
    Tick(THIRTIETH);
    assert_string_equal(fixture.log, "r0");
    assert_string_equal(ended, "41000003");
    assert_int_equal(motion.pending_count, 0);
}

TEST(ACycleIsReachedByItsLink) {
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
    ListIs("[l]w");
    /* This takes effect at once, because the cycle's velocity is set last. */
    assert_true(motion.sequence.velocity[1] == 3);
    assert_int_equal(motion.substate, WALK);
    assert_string_equal(ended, "41000003");
    Tick(2 * THIRTIETH);
    assert_string_equal(fixture.log, "l0 DONE");
    assert_string_equal(ended, "41000003 45000005");
    ListIs("[w]");
    Tick(THIRTIETH);
    assert_string_equal(fixture.log, "w0");
}

TEST(AnotherSpeedKeepsTheCycleGoing) {
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
    Tick(3 * THIRTIETH);
    Perform(RP_AC_DO, WALK, 2, RP_AC_DONE);
    ListIs("[w]");
    assert_true(fixture.nodes[motion.sequence.current].framerate == 60);
    assert_true(motion.sequence.velocity[1] == 6);
    assert_true(motion.substate_speed == 2);
    Perform(RP_AC_DO, WALK, -1, RP_AC_DONE); /* the other direction begins again from the start */
    assert_true(motion.substate_speed == -1);
    assert_true(fixture.nodes[motion.sequence.tail].framerate == -30);
    assert_true(motion.sequence.velocity[1] == -3);
}

TEST(AFrozenCycleStaysFrozen) {
    for (int quirk = 1; quirk >= 0; quirk--) {
        if (!quirk)
            motion.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_FROZEN_CYCLE;
        Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
        Perform(RP_AC_DO, WALK, 0, RP_AC_DONE);
        Perform(RP_AC_DO, WALK, 2, RP_AC_DONE);
        assert_true(motion.sequence.velocity[1] == 6);
        assert_true(fixture.nodes[motion.sequence.tail].framerate == (quirk ? 0 : 60));
        Perform(RP_AC_DO, READY, 1, RP_AC_DONE);
    }
}

TEST(ARestrictedCycleIsEnteredFromTheDefault) {
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
    Perform(RP_AC_DO, RUN, 1, RP_AC_REFUSED);
    Perform(RP_AC_DO, READY, 1, RP_AC_DONE);
    Perform(RP_AC_DO, RUN, 1, RP_AC_DONE);
    assert_int_equal(motion.substate, RUN);
}

TEST(AnActionComesBackToTheCycle) {
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE);
    ListIs("[b]r");
    assert_int_equal(motion.action_count, 1);
    assert_int_equal(motion.substate, READY);
    Tick(3 * THIRTIETH);
    assert_string_equal(fixture.log, "b0 b1 DONE");
    assert_string_equal(ended, "41000003 13000087");
    assert_int_equal(motion.action_count, 0);
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
    Tick(1);
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE); /* the way goes out to ready and back */
    ListIs("[l]blw");
    Perform(RP_AC_DO, SWING, 1, RP_AC_REFUSED);
}

TEST(AStyleChangesByLinkAndClearsModifiers) {
    Perform(RP_AC_DO, HOVER, 1, RP_AC_DONE);
    assert_int_equal(motion.modifier_count, 1);
    Perform(RP_AC_DO, STYLE_WAR, 1, RP_AC_DONE);
    assert_int_equal(motion.style, STYLE_WAR);
    assert_int_equal(motion.substate, READY);
    assert_int_equal(motion.modifier_count, 0);
    ListIs("[W]f");
    Perform(RP_AC_DO, STYLE_WAR, 1, RP_AC_DONE);
    ListIs("[W]f");
    Perform(RP_AC_DO, HOVER, 1, RP_AC_REFUSED); /* this cycle does not allow a modifier */
    Perform(RP_AC_DO, RP_AC_STYLE | 0x99, 1, RP_AC_REFUSED);
}

TEST(ModifiersAddPhysics) {
    Perform(RP_AC_DO, HOVER, 2, RP_AC_DONE);
    assert_true(motion.sequence.velocity[2] == 2);
    Perform(RP_AC_DO, HOVER, 3, RP_AC_DONE); /* the old one is stopped first */
    assert_true(motion.sequence.velocity[2] == 3);
    assert_int_equal(motion.modifier_count, 1);
    /* There is no such cycle, so the motion is taken as a modifier. */
    Perform(RP_AC_DO, TURN, 1, RP_AC_DONE);
    assert_true(motion.sequence.omega[2] == -1.5f);
    assert_int_equal(motion.modifiers[0].motion, TURN);
    Perform(RP_AC_STOP, HOVER, 99, RP_AC_DONE);
    assert_true(motion.sequence.velocity[2] == 0);
    Perform(RP_AC_STOP, HOVER, 1, RP_AC_REFUSED);
    Perform(RP_AC_STOP, SWING, 1, RP_AC_REFUSED);
}

TEST(TwoModifiersAfterAChange) {
    for (int quirk = 1; quirk >= 0; quirk--) {
        if (!quirk)
            motion.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_REMODIFY_HEAD;
        Perform(RP_AC_DO, HOVER, 1, RP_AC_DONE);
        Perform(RP_AC_DO, TURN, 1, RP_AC_DONE);
        Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
        /* With the quirk the client applies the first modifier twice and the other one not at all;
         * the physics is applied in the same way. */
        assert_true(motion.sequence.omega[2] == (quirk ? -3.0f : -1.5f));
        assert_true(motion.sequence.velocity[2] == (quirk ? 0 : 1));
        assert_int_equal(motion.modifier_count, 2);
        assert_int_equal(motion.modifiers[0].motion, TURN);
        Perform(RP_AC_STOP_ALL, 0, 1, RP_AC_DONE);
        assert_int_equal(motion.modifier_count, 0);
        assert_int_equal(motion.substate, READY);
    }
}

/* ---- the queue ------------------------------------------------------------------------------ */

TEST(ANewerMotionMakesOlderLinksRedundant) {
    Tick(THIRTIETH);
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE);
    Perform(RP_AC_DO, READY, 1, RP_AC_DONE);
    assert_int_equal(motion.pending_count, 2);
    Perform(RP_AC_DO, WALK, 1, RP_AC_DONE); /* the earlier walk is the same motion */
    assert_int_equal(motion.pending_count, 3);
    assert_int_equal(motion.pending[0].animations, 1);
    assert_int_equal(motion.pending[1].animations, 0);
    assert_int_equal(motion.pending[2].animations, 0);
}

TEST(LeavingTheWorldEndsEverything) {
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE);
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE);
    ended[0] = 0;
    RpMotion_ExitWorld(&motion);
    assert_string_equal(ended, "13000087! 13000087!");
    assert_int_equal(motion.animation_counter, 0);
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE);
    RpMotion_EnterWorld(&motion);
    assert_int_equal(motion.sequence.count, 1);
    assert_int_equal(motion.pending_count, 0);
    RpMotion_AnimationDone(&motion, true);
    assert_int_equal(motion.animation_counter, 0);
}

TEST(LimitsLeaveTheObjectAsItWas) {
    uint32_t result;
    RpError error;
    RpMotion before;
    RpSequenceNode nodes[FIXTURE_NODES];
    RpStatus status;
    do { /* repeats until no node is left for another wave */
        before = motion;
        memcpy(nodes, fixture.nodes, sizeof nodes);
        status = RpMotion_Perform(&motion, RP_AC_DO, WAVE, 1, &result, &error);
    } while (status == RP_OK);
    assert_int_equal(status, RP_NO_MEMORY);
    assert_int_equal(before.action_count, FIXTURE_NODES - 1);
    assert_memory_equal(&motion, &before, sizeof motion);
    assert_memory_equal(fixture.nodes, nodes, sizeof nodes);
    assert_int_equal(RpMotion_Perform(&motion, (RpAcCommand)3, WAVE, 1, &result, &error),
                     RP_INVALID);
    motion.table = NULL;
    Perform(RP_AC_DO, WAVE, 1, RP_AC_NO_TABLE);
}

/* ---- saved states --------------------------------------------------------------------------- */

TEST(ARestoredObjectGoesOnBitForBit) {
    static const uint32_t commands[] = {WALK, HOVER, WAVE,        STYLE_WAR,
                                        TURN, READY, STYLE_PEACE, RUN};
    RpSequenceNode nodes[FIXTURE_NODES];
    RpMotion other;
    uint32_t words[1024], again[1024];
    const RpAcLibrary library = Fixture_Library(&fixture);
    for (int i = 0; i < 200; i++) {
        uint32_t result, count = RpMotion_StateWords(&motion);
        assert_true(count <= 1024);
        RpMotion_Save(&motion, words);
        RpMotion_Init(&other, &table, nodes, FIXTURE_NODES, &library);
        assert_int_equal(RpMotion_Restore(&other, words, count, NULL), RP_OK);
        const uint32_t id = commands[(i * 5 + i / 7) % 8];
        assert_int_equal(RpMotion_Perform(&motion, RP_AC_DO, id, 1.5f, &result, NULL), RP_OK);
        assert_int_equal(RpMotion_Perform(&other, RP_AC_DO, id, 1.5f, &result, NULL), RP_OK);
        Tick(0.017 * (i % 9));
        RpAcFrame offset;
        RpAcFrame_Identity(&offset);
        assert_int_equal(RpMotion_Tick(&other, 0.017 * (i % 9), &offset, NULL, NULL, NULL), RP_OK);
        assert_memory_equal(&offset, &fixture.offset, sizeof offset);
        assert_int_equal(RpMotion_StateWords(&other), RpMotion_StateWords(&motion));
        RpMotion_Save(&motion, words);
        RpMotion_Save(&other, again);
        assert_memory_equal(words, again, 4 * RpMotion_StateWords(&motion));
    }
}

TEST(WordsThatAreNoStateAreRefused) {
    uint32_t words[256], bad[256];
    RpError error;
    Perform(RP_AC_DO, WAVE, 1, RP_AC_DONE);
    const uint32_t count = RpMotion_StateWords(&motion);
    RpMotion_Save(&motion, words);
    static const struct {
        uint32_t at, value;
        RpStatus status;
    } cases[] = {
        {0, 2, RP_CORRUPT},           {1, 1, RP_CORRUPT},           {1, 9999, RP_CORRUPT},
        {2, 7, RP_CORRUPT},           {3, 2, RP_CORRUPT},           {5, 0x40590000, RP_CORRUPT},
        {5, 0xC0000000, RP_CORRUPT},  {5, 0x7FF80000, RP_CORRUPT},  {12, 0x03001111, RP_NOT_FOUND},
        {14, 0x100, RP_CORRUPT},      {20, 17, RP_CORRUPT},         {23, 0x03001111, RP_NOT_FOUND},
        {24, 0x7FC00000, RP_CORRUPT}, {26, UINT32_MAX, RP_CORRUPT}, {27, 99, RP_CORRUPT},
        {31, 4, RP_CORRUPT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const RpMotion before = motion;
        memcpy(bad, words, sizeof bad);
        bad[cases[i].at] = cases[i].value;
        assert_int_equal(RpMotion_Restore(&motion, bad, count, &error), cases[i].status);
        assert_memory_equal(&motion, &before, sizeof before);
    }
    assert_int_equal(RpMotion_Restore(&motion, words, 3, &error), RP_CORRUPT);
    assert_int_equal(RpMotion_Restore(&motion, words, count - 1, &error), RP_CORRUPT);
    RpSequenceNode one;
    RpMotion small;
    const RpAcLibrary library = Fixture_Library(&fixture);
    RpMotion_Init(&small, &table, &one, 1, &library);
    assert_int_equal(RpMotion_Restore(&small, words, count, &error), RP_NO_MEMORY);
    RpSequence_Clear(&motion.sequence);
    const uint32_t empty = RpMotion_StateWords(&motion);
    RpMotion_Save(&motion, words);
    assert_int_equal(RpMotion_Restore(&motion, words, empty, &error), RP_OK);
    words[3] = 0;
    assert_int_equal(RpMotion_Restore(&motion, words, empty, &error), RP_CORRUPT);
}
