/* Tests the vectors of facts/ac-sequencer.md E.1, E.2 and E.4, and inputs on which the client would
 * hang. */
#include "fixture.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define THIRTIETH (1.0 / 30)
#define EPS       ((double)RP_AC_EPSILON)

static Fixture fixture;

AROUND(BeforeEach) {
    Fixture_Begin(&fixture);
}

AROUND(AfterEach) {
    Fixture_End(&fixture);
}

static void Near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance))
        print_error("expected %.12g, found %.12g\n", expected, found);
    assert_true(fabs(found - expected) <= tolerance);
}

static void At(double frame_number, const char *log) {
    Near(fixture.sequence.frame_number, frame_number, 1e-9);
    assert_string_equal(fixture.log, log);
}

static void Moved(double x, double y, double z) {
    Near(fixture.offset.origin[0], x, 1e-6);
    Near(fixture.offset.origin[1], y, 1e-6);
    Near(fixture.offset.origin[2], z, 1e-6);
}

static void Turned(double w, double x, double y, double z) {
    const double q[] = {w, x, y, z};
    for (int i = 0; i < 4; i++)
        Near(fixture.offset.q[i], q[i], 1e-6);
}

static char Current(void) {
    const RpSequence *sequence = &fixture.sequence;
    return fixture.letters[sequence->nodes[sequence->current].animation - fixture.animations];
}

/* ---- E.1 ------------------------------------------------------------------------------------- */

TEST(LowAndHighAreBounded) {
    static const int32_t cases[][5] = {
        {0, -1, 10, 0, 9},  {12, -1, 10, 9, 9}, {3, 15, 10, 3, 9},
        {15, 15, 10, 9, 9}, {5, 2, 10, 5, 5},   {2, 7, 10, 2, 7},
        {-1, -1, 10, 9, 9}, {-5, 3, 10, 9, 9},  {0, 0, 1, 0, 0},
    };
    const uint32_t ten = Fixture_Animation(&fixture, 'T', 10, NULL);
    const uint32_t one = Fixture_Animation(&fixture, 'O', 1, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture_Append(&fixture, cases[i][2] == 10 ? ten : one, cases[i][0], cases[i][1], 30);
        const RpSequenceNode *node = &fixture.nodes[fixture.sequence.tail];
        assert_int_equal(node->low, cases[i][3]);
        assert_int_equal(node->high, cases[i][4]);
    }
    fixture.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_UNSIGNED_LOW;
    Fixture_Append(&fixture, ten, -1, -1, 30);
    assert_int_equal(fixture.nodes[fixture.sequence.tail].low, 0);
    assert_int_equal(fixture.nodes[fixture.sequence.tail].high, 9);
}

TEST(StartAndEndDependOnTheDirection) {
    const struct {
        float framerate;
        int32_t low, high;
        double start, end;
    } cases[] = {{30, 2, 7, 2, 8 - EPS},
                 {-30, 2, 7, 8 - EPS, 2},
                 {0, 2, 7, 2, 8 - EPS},
                 {30, 0, 0, 0, 1 - EPS},
                 {-30, 0, 0, 1 - EPS, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const RpSequenceNode node = {
            .framerate = cases[i].framerate, .low = cases[i].low, .high = cases[i].high};
        assert_true(RpSequenceNode_Start(&node) == cases[i].start);
        assert_true(RpSequenceNode_End(&node) == cases[i].end);
    }
    const RpSequenceNode five = {.framerate = -30, .high = 4};
    Near(RpSequenceNode_Start(&five), 4.9998000000050524, 1e-15);
}

/* ---- E.2 ------------------------------------------------------------------------------------- */

static void Cycle(uint32_t frames, float framerate) {
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'C', frames, NULL), 0, -1, framerate);
}

TEST(V1) {
    Cycle(5, 30);
    Fixture_Update(&fixture, THIRTIETH);
    At(1, "C0");
}

TEST(V2TheLastFrameIsHeldForItsTime) {
    Cycle(5, 30);
    fixture.sequence.frame_number = 3.5;
    Fixture_Update(&fixture, 0.5 / 30);
    At(4, "C3");
    Fixture_Update(&fixture, 0.5 / 30);
    At(4.5, "");
}

TEST(V3AnExactEndLeavesNothing) {
    Cycle(3, 30);
    fixture.sequence.frame_number = 2;
    Fixture_Update(&fixture, THIRTIETH);
    At(0, "");
}

static void LinkAndCycle(uint32_t link_frames, float link_rate, uint32_t frames) {
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'L', link_frames, NULL), 0, -1, link_rate);
    Cycle(frames, 30);
}

TEST(V4) {
    LinkAndCycle(2, 30, 4);
    Fixture_Update(&fixture, 0.1);
    At(1, "L0 DONE C0");
    assert_int_equal(Current(), 'C');
    assert_int_equal(fixture.sequence.count, 1);
}

TEST(V5) {
    static const struct {
        double at;
        const char *log;
    } ticks[] = {{1, "L0"}, {0, "DONE"}, {1, "C0"}, {2, "C1"}, {3, "C2"}, {0, ""}, {1, "C0"}};
    LinkAndCycle(2, 30, 4);
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        Fixture_Update(&fixture, THIRTIETH);
        At(ticks[i].at, ticks[i].log);
    }
}

TEST(V7) {
    static const double at[] = {.5, 1, 1.5, 2, 2.5, 3, 3.5, 0, .5, 1};
    static const char *const logs[] = {"", "C0", "", "C1", "", "C2", "", "", "", "C0"};
    Cycle(4, 10);
    for (int i = 0; i < 10; i++) {
        Fixture_Update(&fixture, 0.05);
        At(at[i], logs[i]);
    }
}

TEST(V8TheLastFrameNeverFires) {
    Cycle(4, 30);
    Fixture_Update(&fixture, 0.5);
    At(3, "C0 C1 C2 C0 C1 C2 C0 C1 C2 C0 C1 C2");
}

TEST(V9EveryWrapOfALongUpdateIsDone) {
    LinkAndCycle(2, 30, 4);
    Fixture_Update(&fixture, 0.5);
    At(1, "L0 DONE C0 C1 C2 DONE C0 C1 C2 DONE C0 C1 C2 DONE C0");
    Fixture_Update(&fixture, 0.2);
    At(3, "C1 C2 C0 C1 C2");
}

TEST(V9WithoutTheQuirk) {
    fixture.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_DONE_BY_HEAD;
    LinkAndCycle(2, 30, 4);
    Fixture_Update(&fixture, 0.5);
    At(1, "L0 DONE C0 C1 C2 C0 C1 C2 C0 C1 C2 C0");
}

TEST(WithoutTheBoundaryQuirkEachFrameCountsOnce) {
    static const float y[] = {1, 10, 100, 1000};
    fixture.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_BOUNDARY;
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'C', 4, y), 0, -1, 30);
    Fixture_Update(&fixture, 8.0 / 30);
    At(0, "C0 C1 C2 C3 C0 C1 C2 C3");
    Moved(0, 2222, 0);
    fixture.nodes[fixture.sequence.current].framerate = -30;
    fixture.sequence.frame_number = 4 - EPS;
    Fixture_Update(&fixture, 8.0 / 30);
    assert_string_equal(fixture.log, "C3 C2 C1 C0 C3 C2 C1 C0");
    Moved(0, -2222, 0);
}

TEST(LoLeftoverIsInTheNextRate) {
    LinkAndCycle(2, 20, 4);
    Fixture_Update(&fixture, 0.13);
    Near(fixture.sequence.frame_number, 0.9, 1e-9);
    assert_string_equal(fixture.log, "L0 DONE");
}

TEST(LorALinkBackwards) {
    LinkAndCycle(3, -15, 4);
    Fixture_Update(&fixture, 0.25);
    Near(fixture.sequence.frame_number, 4.5 - (3 - EPS) / 15 * 30 + 3, 1e-9);
    Near(fixture.sequence.frame_number, 1.5004, 1e-9);
    assert_string_equal(fixture.log, "L2 L1 DONE C0");
}

TEST(SrAPartOfAnAnimation) {
    const uint32_t s = Fixture_Animation(&fixture, 'S', 8, NULL);
    Fixture_Append(&fixture, s, 2, 4, 30);
    static const double at[] = {3, 4, 2, 3};
    static const char *const logs[] = {"S2", "S3", "", "S2"};
    for (int i = 0; i < 4; i++) {
        Fixture_Update(&fixture, THIRTIETH);
        At(at[i], logs[i]);
    }
}

TEST(SrrBackwards) {
    const uint32_t s = Fixture_Animation(&fixture, 'S', 8, NULL);
    Fixture_Append(&fixture, s, 2, 4, -30);
    static const double at[] = {3.9998, 2.9998, 4.9996, 3.9996};
    static const char *const logs[] = {"S4", "S3", "", "S4"};
    for (int i = 0; i < 4; i++) {
        Fixture_Update(&fixture, THIRTIETH);
        Near(fixture.sequence.frame_number, at[i], 1e-9);
        assert_string_equal(fixture.log, logs[i]);
    }
}

TEST(SfOneFrame) {
    static const float velocity[] = {0, 1, 0}, none[3];
    Cycle(1, 30);
    RpSequence_SetPhysics(&fixture.sequence, velocity, none);
    Fixture_Update(&fixture, 0.1);
    At(0, "");
    Moved(0, 0.1, 0);
}

/* ---- E.4 ------------------------------------------------------------------------------------- */

static void Physics(float vx, float vy, float wz) {
    const float velocity[] = {vx, vy, 0}, omega[] = {0, 0, wz};
    RpSequence_SetPhysics(&fixture.sequence, velocity, omega);
}

TEST(V14AStandingCycleMovesByTheTime) {
    Cycle(3, 0);
    Physics(2, 0, 0);
    Fixture_Update(&fixture, 0.5);
    At(0, "");
    Moved(1, 0, 0);
}

TEST(V15AnEmptyListDoes) {
    Physics(0, 3, 0);
    Fixture_Update(&fixture, 2);
    Moved(0, 6, 0);
}

TEST(V16MotionComesInLumpsOfAFrame) {
    static const double dt[] = {.01, .01, .01, .01, .05}, at[] = {.3, .6, .9, 1.2, 2.7},
                        dy[] = {0, 0, 0, .1, .1};
    Cycle(4, 30);
    Physics(0, 3, 0);
    for (int i = 0; i < 5; i++) {
        Fixture_Update(&fixture, dt[i]);
        Near(fixture.sequence.frame_number, at[i], 1e-9);
        Moved(0, dy[i], 0);
    }
}

static void PositionFrames(float framerate, const double *dy, int count) {
    static const float y[] = {1, 10, 100, 1000};
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'C', 4, y), 0, -1, framerate);
    for (int i = 0; i < count; i++) {
        Fixture_Update(&fixture, THIRTIETH);
        Moved(0, dy[i], 0);
    }
}

TEST(V17) {
    static const double dy[] = {1, 10, 100, 1, 1};
    PositionFrames(30, dy, 5);
}

TEST(V18) {
    static const double dy[] = {-1000, -100, -10, -1, -1000, -100};
    PositionFrames(-30, dy, 6);
}

TEST(PpFromALinkIntoACycle) {
    static const float link[] = {1, 2}, cycle[] = {10, 20, 30};
    static const double dy[] = {1, 10, 10, 20, 10, 10};
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'L', 2, link), 0, -1, 30);
    Fixture_Append(&fixture, Fixture_Animation(&fixture, 'C', 3, cycle), 0, -1, 30);
    for (int i = 0; i < 6; i++) {
        Fixture_Update(&fixture, THIRTIETH);
        Moved(0, dy[i], 0);
    }
}

TEST(V19CombineAndSubtractUndoEachOther) {
    const float half = 0.70710678f;
    const RpAcFrame step = {{0, 1, 0}, {half, 0, 0, half}};
    static const double out[][2] = {{0, 1}, {-1, 1}, {-1, 0}, {0, 0}},
                        back[][2] = {{-1, 0}, {-1, 1}, {0, 1}, {0, 0}};
    RpAcFrame_Identity(&fixture.offset);
    for (int i = 0; i < 4; i++) {
        RpAcFrame_Combine(&fixture.offset, &step);
        Moved(out[i][0], out[i][1], 0);
    }
    for (int i = 0; i < 4; i++) {
        RpAcFrame_Subtract(&fixture.offset, &step);
        Moved(back[i][0], back[i][1], 0);
    }
}

TEST(V20) {
    const float half = 0.70710678f;
    const RpAcFrame frame = {{1, 2, 3}, {half, half, 0, 0}},
                    by = {{.5f, -1, 2}, {half, 0, half, 0}};
    fixture.offset = frame;
    RpAcFrame_Combine(&fixture.offset, &by);
    Moved(1.5, 0, 2);
    Turned(.5, .5, .5, .5);
    RpAcFrame_Subtract(&fixture.offset, &by);
    Moved(1, 2, 3);
    Turned(half, half, 0, 0);
}

TEST(V21ToV23Rotations) {
    const float half = 0.70710678f, quarter[] = {1.5707963f, 0, 0};
    Physics(0, 0, 3.14159265f);
    Fixture_Update(&fixture, 0.5);
    Turned(half, 0, 0, half);
    const RpAcFrame yawed = {{0, 0, 0}, {half, 0, 0, half}};
    fixture.offset = yawed;
    RpAcFrame_Rotate(&fixture.offset, quarter);
    Turned(.5, .5, .5, .5);
    fixture.offset = yawed;
    RpAcFrame_RotateGlobally(&fixture.offset, quarter);
    Turned(.5, .5, -.5, .5);
    const float less[] = {0.000199f, 0, 0}, more[] = {0.0002001f, 0, 0};
    fixture.offset = yawed;
    RpAcFrame_RotateGlobally(&fixture.offset, less);
    assert_memory_equal(&fixture.offset, &yawed, sizeof yawed);
    RpAcFrame_RotateGlobally(&fixture.offset, more);
    assert_memory_not_equal(&fixture.offset, &yawed, sizeof yawed);
}

TEST(V24VelocityIsNotTurned) {
    const float half = 0.70710678f;
    Cycle(4, 30);
    Physics(0, 3, 7.5f * 3.14159265f);
    Fixture_Update(&fixture, 2.0 / 30);
    Moved(0, 0.2, 0);
    Turned(half, 0, 0, half);
}

TEST(ARateOfEpsilonHasNoPhysics) {
    static const float y[] = {0}, none[3], along[] = {1, 0, 0};
    const uint32_t link = Fixture_Animation(&fixture, 'L', 1, NULL);
    const uint32_t cycle = Fixture_Animation(&fixture, 'C', 1, y);
    fixture.animations[1].pos_frames[0].origin[0] = 2;
    Fixture_Append(&fixture, link, 0, -1, 30);
    Fixture_Append(&fixture, cycle, 0, -1, 0.0002f);
    RpSequence_SetPhysics(&fixture.sequence, along, none);
    RpAcFrame_Identity(&fixture.offset);
    fixture.offset.origin[0] = 10;
    assert_int_equal(
        RpSequence_Update(&fixture.sequence, THIRTIETH, &fixture.offset, NULL, NULL, NULL), RP_OK);
    Moved(12, 0, 0);
}

/* ---- the list, and limits -------------------------------------------------------------------- */

TEST(AMissingAnimationIsLeftOut) {
    const RpAcAnimRef missing = {0x03999999, 0, -1, 30}, none = {0, 0, -1, 30};
    RpError error;
    assert_int_equal(RpSequence_Append(&fixture.sequence, &missing, &error), RP_NOT_FOUND);
    assert_string_equal(error.found, "0x03999999");
    assert_int_equal(RpSequence_Append(&fixture.sequence, &none, NULL), RP_NOT_FOUND);
    assert_int_equal(fixture.sequence.count, 0);
    assert_int_equal(fixture.sequence.current, RP_AC_NO_NODE);
}

TEST(NodesRunOutCleanly) {
    const uint32_t c = Fixture_Animation(&fixture, 'C', 2, NULL);
    const RpAcAnimRef ref = {c, 0, -1, 30}, bad = {c, 0, -1, INFINITY};
    assert_int_equal(RpSequence_Append(&fixture.sequence, &bad, NULL), RP_INVALID);
    for (int i = 0; i < FIXTURE_NODES; i++)
        assert_int_equal(RpSequence_Append(&fixture.sequence, &ref, NULL), RP_OK);
    assert_int_equal(RpSequence_Append(&fixture.sequence, &ref, NULL), RP_NO_MEMORY);
    Fixture_Update(&fixture, 1);
    assert_int_equal(fixture.sequence.count, FIXTURE_NODES - 15);
    assert_int_equal(RpSequence_Append(&fixture.sequence, &ref, NULL), RP_OK);
}

TEST(LinksAreRemovedFromTheCycleOn) {
    for (char letter = 'L'; letter < 'P'; letter++)
        Fixture_Append(&fixture, Fixture_Animation(&fixture, letter, 3, NULL), 0, -1, 30);
    Cycle(4, 30);
    Fixture_Update(&fixture, 4.0 / 30);
    assert_int_equal(Current(), 'M');
    RpSequence_RemoveLinks(&fixture.sequence, 2);
    assert_int_equal(Current(), 'M');
    assert_int_equal(fixture.sequence.count, 2);
    RpSequence_RemoveLinks(&fixture.sequence, 7);
    assert_int_equal(Current(), 'C');
    Near(fixture.sequence.frame_number, 0, 0);
    assert_int_equal(fixture.sequence.count, 1);
    RpSequence_RemoveCyclic(&fixture.sequence);
    assert_int_equal(fixture.sequence.current, RP_AC_NO_NODE);
    RpSequence_RemoveAllLinks(&fixture.sequence);
}

TEST(RemovingTheCycleSnapsToTheLinksEnd) {
    LinkAndCycle(2, 30, 4);
    fixture.sequence.current = fixture.sequence.tail;
    RpSequence_RemoveCyclic(&fixture.sequence);
    assert_int_equal(Current(), 'L');
    assert_true(fixture.sequence.frame_number == 2 - EPS);
    assert_int_equal(fixture.sequence.first_cyclic, fixture.sequence.tail);
}

TEST(TimeCanRunBackwards) {
    LinkAndCycle(3, 30, 4);
    Fixture_Update(&fixture, 4.0 / 30 + 0.01);
    assert_int_equal(Current(), 'C');
    Fixture_Update(&fixture, -2.0 / 30);
    assert_int_equal(Current(), 'C'); /* the link is gone, so the current node is the tail again */
    assert_string_equal(fixture.log, "C1");
}

TEST(WhatWouldHangIsAnError) {
    RpError error;
    Cycle(4, 30);
    assert_int_equal(RpSequence_MultiplyFramerate(&fixture.sequence, -1, &error), RP_INVALID);
    assert_int_equal(RpSequence_MultiplyFramerate(&fixture.sequence, NAN, &error), RP_INVALID);
    assert_int_equal(RpSequence_Update(&fixture.sequence, 1e300, NULL, NULL, NULL, &error),
                     RP_UNSUPPORTED);
    assert_int_equal(RpSequence_Update(&fixture.sequence, NAN, NULL, NULL, NULL, &error),
                     RP_INVALID);
    assert_int_equal(RpSequence_Update(&fixture.sequence, INFINITY, NULL, NULL, NULL, &error),
                     RP_INVALID);
}

TEST(PosesAreOfTheFrameBelow) {
    static const float scale[] = {2, 1, 1};
    const RpAcFrame object = {{0, 5, 0}, {1, 0, 0, 0}};
    RpAcFrame part;
    Cycle(4, 30);
    assert_int_equal(RpSequence_Pose(&fixture.sequence, &object, scale, false, &part, 1), 1);
    fixture.sequence.frame_number = 1.5;
    RpSequence_Pose(&fixture.sequence, &object, scale, false, &part, 1);
    Near(part.origin[0], 2, 0);
    Near(part.origin[1], 5, 0);
    RpSequence_Pose(&fixture.sequence, &object, scale, true, &part, 1);
    Near(part.origin[0], 3, 0);
    fixture.sequence.frame_number = 3.5;
    RpSequence_Pose(&fixture.sequence, &object, scale, true, &part, 1);
    Near(part.origin[0], 6, 0);
    assert_int_equal(RpSequence_Pose(&fixture.sequence, &object, scale, true, &part, 0), 0);
    RpSequence_Clear(&fixture.sequence);
    assert_int_equal(RpSequence_Pose(&fixture.sequence, &object, scale, true, &part, 1), 0);
    RpSequence_SetPlacement(&fixture.sequence, &fixture.animations[0], 2);
    assert_int_equal(RpSequence_Pose(&fixture.sequence, &object, scale, true, &part, 1), 1);
    Near(part.origin[0], 4, 0);
}

TEST(HooksHaveDirections) {
    Cycle(4, 30);
    fixture.animations[0].hooks[0].direction = RP_AC_BACKWARD;
    fixture.animations[0].hooks[1].direction = RP_AC_FORWARD;
    fixture.animations[0].hooks[2].type = RP_AC_HOOK_ANIMATION_DONE;
    Fixture_Update(&fixture, 0.1);
    At(3, "C1");
    fixture.sequence.frame_number = 0;
    fixture.sequence.quirks &= ~(uint32_t)RP_AC_QUIRK_TYPE4;
    Fixture_Update(&fixture, 0.1);
    At(3, "C1 C2");
    fixture.nodes[fixture.sequence.current].framerate = -30;
    fixture.sequence.frame_number = 3.5;
    Fixture_Update(&fixture, 0.1);
    At(0.5, "C3 C2");
    Fixture_Update(&fixture, 0.03);
    fixture.sequence.has_hooks = false;
    fixture.sequence.frame_number = 3.5;
    Fixture_Update(&fixture, 0.1);
    At(0.5, "");
}

TEST(QuirksHaveNames) {
    uint32_t quirks;
    RpError error;
    for (unsigned bit = 0; bit < 8; bit++) {
        assert_int_equal(RpAcQuirks_Parse(RpAcQuirk_Name(bit), &quirks, &error), RP_OK);
        assert_int_equal(quirks, RP_AC_QUIRKS & ~(1u << bit));
        assert_non_null(RpAcQuirk_Describe(bit));
    }
    assert_null(RpAcQuirk_Name(8));
    assert_null(RpAcQuirk_Describe(8));
    assert_int_equal(RpAcQuirks_Parse("type4,boundary", &quirks, &error), RP_OK);
    assert_int_equal(quirks, 0x7E);
    assert_int_equal(RpAcQuirks_Parse("none", &quirks, &error), RP_OK);
    assert_int_equal(quirks, 0);
    assert_int_equal(RpAcQuirks_Parse("none,all", &quirks, &error), RP_OK);
    assert_int_equal(quirks, RP_AC_QUIRKS);
    assert_int_equal(RpAcQuirks_Parse("", &quirks, &error), RP_OK);
    assert_int_equal(quirks, RP_AC_QUIRKS);
    assert_int_equal(RpAcQuirks_Parse("bounds", &quirks, &error), RP_INVALID);
    assert_string_equal(error.found, "bounds");
}
