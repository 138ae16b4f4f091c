/* Tests of the scenarios that facts/ac-sequencer.md names but does not spell out. They are derived
 * from its sections B, C and D, and each test has the scenario's number in its name. */
#include "tests/test.h"
#include "walk.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define THIRTIETH   (1.0 / 30)
#define EPS         ((double)RP_AC_EPSILON)
#define STYLE_SNEAK (RP_AC_STYLE | 0x3E)
#define GUARD       0x41000004u
#define LIFT        0x20000012u

/* ---- a table of one animation a motion ------------------------------------------------------- */

typedef struct Row {
    uint32_t style, from, to; /* cycles and modifiers only use `to` */
    char letter;              /* 0 means no animation */
    float z;                  /* velocity */
} Row;

static const Row cycles[] = {{STYLE_PEACE, 0, READY, 'r', 0},
                             {STYLE_PEACE, 0, WALK, 'w', 0},
                             {STYLE_PEACE, 0, TURN, 't', 0},
                             {STYLE_WAR, 0, GUARD, 'g', 0},
                             {STYLE_SNEAK, 0, READY, 's', 0}};
static const Row modifiers[] = {{0, 0, HOVER, 0, 1}, {0, 0, LIFT, 0, 5}, {0, 0, TURN, 0, 7}};
static const Row from_ready[] = {{STYLE_PEACE, READY, WALK, 'l', 0},
                                 {STYLE_PEACE, READY, WAVE, 'b', 0},
                                 {STYLE_PEACE, READY, STYLE_WAR, 'x', 0},
                                 {STYLE_PEACE, READY, STYLE_SNEAK, 'x', 0}};
static const Row from_walk[] = {{STYLE_PEACE, WALK, READY, 'k', 0}};
static const Row from_guard[] = {{STYLE_WAR, GUARD, STYLE_PEACE, 'y', 0}};
static const char letters[] = "rwtgslbkxy";

static Fixture fixture;
static RpAcAnimation animations[sizeof letters - 1];
static RpAcMotionTable table;
static RpMotion motion;

static void PutRow(RpBuffer *image, const Row *row, uint32_t key) {
    const uint8_t head[4] = {row->letter != 0, 0, row->z != 0, 0};
    const RpAcAnimRef ref = {0x03000000u + (uint32_t)row->letter, 0, -1, 30};
    const float velocity[3] = {0, 0, row->z};
    RpBuffer_AppendU32(image, key);
    RpBuffer_Append(image, head, 4);
    if (row->letter)
        RpBuffer_Append(image, &ref, sizeof ref);
    if (row->z != 0)
        RpBuffer_Append(image, velocity, sizeof velocity);
}

static void PutLinks(RpBuffer *image, const Row *rows, uint32_t count) {
    RpBuffer_AppendU32(image, RpAc_Key(rows->style, rows->from));
    RpBuffer_AppendU32(image, count);
    for (uint32_t i = 0; i < count; i++)
        PutRow(image, &rows[i], rows[i].to);
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static void MakeTable(void) {
    const uint32_t head[] = {0x09000001, STYLE_PEACE, 3,           STYLE_PEACE, READY,
                             STYLE_WAR,  GUARD,       STYLE_SNEAK, READY,       COUNT(cycles)};
    OWNED(RpBuffer) image = {0};
    RpBuffer_Append(&image, head, sizeof head);
    for (size_t i = 0; i < COUNT(cycles); i++)
        PutRow(&image, &cycles[i], RpAc_Key(cycles[i].style, cycles[i].to));
    RpBuffer_AppendU32(&image, COUNT(modifiers));
    for (size_t i = 0; i < COUNT(modifiers); i++)
        PutRow(&image, &modifiers[i], modifiers[i].to & 0xFFFFFF);
    RpBuffer_AppendU32(&image, 3);
    PutLinks(&image, from_ready, COUNT(from_ready));
    PutLinks(&image, from_walk, COUNT(from_walk));
    PutLinks(&image, from_guard, COUNT(from_guard));
    assert_int_equal(RpAcMotionTable_Read(image.bytes, image.size, RP_STRICT, NULL, &table, NULL),
                     RP_OK);
}

/* Returns the fixture's animation for each letter. */
static const RpAcAnimation *Find(void *context, uint32_t id) {
    (void)context;
    for (size_t i = 0; i < COUNT(animations); i++)
        if (animations[i].id == id)
            return &animations[i];
    return NULL;
}

AROUND(BeforeEach) {
    const RpAcLibrary library = {Find, NULL};
    Fixture_Begin(&fixture);
    Fixture_Animation(&fixture, 'a', 4, NULL);
    for (size_t i = 0; i < COUNT(animations); i++) {
        animations[i] = fixture.animations[0];
        animations[i].id = 0x03000000u + (uint32_t)letters[i];
    }
    MakeTable();
    RpMotion_Init(&motion, &table, fixture.nodes, FIXTURE_NODES, &library);
    assert_int_equal(RpMotion_Start(&motion, NULL), RP_OK);
    RpMotion_CheckCompleted(&motion);
}

AROUND(AfterEach) {
    RpAcMotionTable_Free(&table);
    Fixture_End(&fixture);
}

static void Perform(RpAcCommand command, uint32_t id, float speed) {
    uint32_t result;
    assert_int_equal(RpMotion_Perform(&motion, command, id, speed, &result, NULL), RP_OK);
    assert_int_equal(result, RP_AC_DONE);
}

static void Do(uint32_t id, float speed) {
    Perform(RP_AC_DO, id, speed);
}

/* Compares the list with a text such as "l-30 [r]30": nodes with their frame rates. */
static void ListIs(const char *expected) {
    char list[256] = "";
    for (uint16_t i = motion.sequence.head; i != RP_AC_NO_NODE; i = fixture.nodes[i].next) {
        const size_t length = strlen(list);
        const char letter = (char)(fixture.nodes[i].animation->id & 0xFF);
        snprintf(list + length, sizeof list - length,
                 i == motion.sequence.current ? "%s[%c]%d" : "%s%c%d", length ? " " : "", letter,
                 (int)fixture.nodes[i].framerate);
    }
    assert_string_equal(list, expected);
}

static void QueueIs(const RpAcPending *expected, uint32_t count) {
    assert_int_equal(motion.pending_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(motion.pending[i].motion, expected[i].motion);
        assert_int_equal(motion.pending[i].animations, expected[i].animations);
    }
}

/* ---- scenarios ------------------------------------------------------------------------------- */

TEST(EN1SwappedBoundsEndWithAnErrorAndChangeNothing) {
    RpSequence *sequence = &motion.sequence;
    RpAcFrame offset;
    RpError error;
    RpAcFrame_Identity(&offset);
    /* A negative factor would leave the bounds like this. */
    fixture.nodes[sequence->current].low = 3;
    fixture.nodes[sequence->current].high = 0;
    fixture.nodes[sequence->current].framerate = -30;
    sequence->frame_number = 1 - EPS;
    assert_int_equal(RpSequence_Update(sequence, THIRTIETH, &offset, NULL, NULL, &error),
                     RP_UNSUPPORTED);
    assert_true(sequence->frame_number == 1 - EPS);
    assert_true(offset.origin[0] == 0 && offset.q[0] == 1);
}

TEST(ET8StoppingTakesAwayWhatWasNeverAdded) {
    Do(HOVER, 1);
    Do(LIFT, 1);
    assert_true(motion.sequence.velocity[2] == 6);
    Do(WALK, 1); /* adds the first modifier twice */
    assert_true(motion.sequence.velocity[2] == 10);
    Perform(RP_AC_STOP, HOVER, 1);
    assert_true(motion.sequence.velocity[2] == 9);
    Perform(RP_AC_STOP, LIFT, 1);
    assert_true(motion.sequence.velocity[2] == 4);
}

TEST(EZ2AZeroSpeedIsAPositiveOne) {
    Do(WALK, 1);
    Do(WALK, 0); /* removes only the cycle; the link continues */
    ListIs("[l]30 w0");
    Do(WALK, 2);
    ListIs("[l]30 w0");
    Do(WALK, -1); /* for the other sign the way leads back through the default */
    assert_true(motion.substate_speed == -1);
    assert_true(fixture.nodes[motion.sequence.tail].framerate == -30);
}

TEST(D20D21LinksThatPlaySurvive) {
    Do(WALK, 1);
    ListIs("[l]30 w30");
    Do(READY, 1);
    ListIs("[l]30 k30 r30");
    RpSequence_RemoveCyclic(&motion.sequence); /* the list's tail is the cycle now */
    ListIs("[l]30 k30");
    assert_int_equal(motion.sequence.first_cyclic, motion.sequence.tail);
}

TEST(D24TheDefaultIsNoCommandWhereTheSubstateIsAModifier) {
    Do(TURN, 1);
    assert_int_equal(motion.substate, TURN);
    ListIs("[t]30"); /* there is no link from ready to turn */
    Do(READY, 1);
    assert_int_equal(motion.substate, TURN);
    ListIs("[t]30");
    assert_int_equal(motion.pending_count, 0);
    Perform(RP_AC_STOP, TURN, 1); /* a stop does use that way */
    assert_int_equal(motion.substate, READY);
}

/* A substate without the bit of its class can be reached with a table whose default is such an
 * id. */
TEST(C9AModifierThatIsTheSubstateIsRefused) {
    const uint32_t turn = TURN & ~(uint32_t)RP_AC_SUBSTATE;
    uint32_t result;
    motion.substate = turn;
    assert_int_equal(RpMotion_Perform(&motion, RP_AC_DO, turn, 1, &result, NULL), RP_OK);
    assert_int_equal(result, RP_AC_REFUSED);
    assert_int_equal(motion.modifier_count, 0);
}

TEST(D25TheNewStylesDefaultCounts) {
    Do(WALK, 1);
    RpMotion_Tick(&motion, 4 * THIRTIETH, NULL, NULL, NULL, NULL);
    ListIs("[w]30");
    Do(STYLE_WAR, 1); /* walk to ready, ready to war, and the cycle that never ends */
    assert_int_equal(motion.substate, GUARD);
    ListIs("[k]30 x30 g30");
    QueueIs((RpAcPending[]){{STYLE_WAR, 2}}, 1);
}

TEST(C4AStyleWithoutALinkIsReachedOverTheTablesDefault) {
    Do(STYLE_WAR, 1);
    RpMotion_Tick(&motion, 4 * THIRTIETH, NULL, NULL, NULL, NULL);
    Do(STYLE_SNEAK, 2);
    ListIs("[y]60 x60 s60");
    QueueIs((RpAcPending[]){{STYLE_SNEAK, 2}}, 1);
    assert_true(motion.substate_speed == 2);
}

TEST(D27ALinkOutOfABackwardCycleIsTurnedRound) {
    Do(WALK, -1);
    RpMotion_Tick(&motion, 10 * THIRTIETH, NULL, NULL, NULL, NULL);
    ListIs("[w]-30");
    Do(READY, 1); /* the way there, played backwards */
    ListIs("[l]-30 r30");
    Do(WALK, -1);
    RpMotion_Tick(&motion, 20 * THIRTIETH, NULL, NULL, NULL, NULL);
    Do(READY, -1); /* both are negative, so the sign of the speed decides */
    ListIs("[l]-30 r-30");
}

TEST(D30AnActionComesBackAtTheCyclesSpeed) {
    Do(WALK, 2);
    RpMotion_Tick(&motion, 4 * THIRTIETH, NULL, NULL, NULL, NULL);
    Do(WAVE, 3);
    ListIs("[k]30 b90 l30 w60");
    QueueIs((RpAcPending[]){{WAVE, 3}}, 1);
    assert_int_equal(motion.substate, WALK);
}

TEST(C10ANewerStyleEndsTheWaitOfOlderOnes) {
    Do(STYLE_WAR, 1);
    Do(STYLE_PEACE, 1);
    ListIs("[x]30 y30 r30");
    Do(STYLE_WAR, 1);
    ListIs("[x]30 g30");
    QueueIs((RpAcPending[]){{STYLE_WAR, 1}, {STYLE_PEACE, 0}, {STYLE_WAR, 0}}, 3);
    RpMotion_AnimationDone(&motion, true);
    assert_int_equal(motion.pending_count, 0);
    assert_int_equal(motion.animation_counter, 0);
}

TEST(C10AnActionBetweenStopsTheScan) {
    Do(WALK, 1);
    Do(WAVE, 1);
    Do(READY, 1);
    Do(WALK, 1);
    /* The earlier READY does not stop the search, but WAVE does. */
    QueueIs((RpAcPending[]){{WALK, 1}, {WAVE, 3}, {READY, 1}, {WALK, 1}}, 4);
    Do(READY, 1);
    QueueIs((RpAcPending[]){{WALK, 1}, {WAVE, 3}, {READY, 1}, {WALK, 0}, {READY, 0}}, 5);
}

TEST(C10ACounterCarriesOver) {
    Do(WAVE, 1);
    Do(WALK, 1);
    Do(WAVE, 1);
    QueueIs((RpAcPending[]){{WAVE, 1}, {WALK, 1}, {WAVE, 3}}, 3);
    RpMotion_AnimationDone(&motion, true);
    assert_int_equal(motion.action_count, 1);
    RpMotion_AnimationDone(&motion, true);
    RpMotion_AnimationDone(&motion, true);
    assert_int_equal(motion.animation_counter, 1);
    assert_int_equal(motion.pending_count, 1);
    RpMotion_ExitWorld(&motion);
    assert_int_equal(motion.action_count, 0);
    assert_int_equal(motion.animation_counter, 0);
}

static void Hear(void *context, const RpSequenceEvent *event) {
    char *log = context;
    const size_t length = strlen(log);
    snprintf(log + length, 128 - length, event->hook ? " %c%u" : " DONE",
             (char)(event->animation->id & 0xFF), (unsigned)event->frame);
}

TEST(D14TimeThatRunsBackwardsLeavesTheHeadForTheTail) {
    char log[128] = "";
    Do(WALK, 1);
    assert_int_equal(RpSequence_Update(&motion.sequence, -2.5 * THIRTIETH, NULL, Hear, log, NULL),
                     RP_OK);
    assert_string_equal(log, " DONE w3 w2");
    /* what has been played is dropped, which is the head, whatever the direction */
    ListIs("[w]30");
    RpSequence_RemoveCyclic(&motion.sequence);
    ListIs("");
    assert_true(motion.sequence.frame_number == 0);
}
