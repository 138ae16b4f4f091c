/* Tests of the functions ac.* of traces: the native provider against the library called directly,
 * what it refuses, and the bundled trace. */
#include "replay/compare/compare.h"
#include "tests/host/script.h"
#include "tests/test.h"
#include "walk.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESOURCES = 3, BAD_IMAGE = 4, BAD_SIZE = 5, ROOM = 96 };

static Fixture fixture;
static RpAcMotionTable table;

static Provider Native(void) {
    Provider provider;
    RpError error;
    assert_int_equal(Provider_Open("native", &provider, &error), RP_OK);
    return provider;
}

static void PutResource(RpBuffer *head, RpBuffer *bodies, uint32_t id, uint32_t base,
                        const RpAcAnimation *animation) {
    const size_t at = bodies->size;
    const RpStatus status = animation ? RpAcAnimation_Write(animation, bodies, NULL)
                                      : RpAcMotionTable_Write(&table, bodies, NULL);
    assert_int_equal(status, RP_OK);
    RpBuffer_AppendU32(head, id);
    RpBuffer_AppendU32(head, base + (uint32_t)at);
    RpBuffer_AppendU32(head, (uint32_t)(bodies->size - at));
}

static void PutMemories(Script *script) {
    const uint32_t base = 4 + 12 * (fixture.count + 1);
    RpBuffer image, bodies;
    RpBuffer_Init(&image, NULL);
    RpBuffer_Init(&bodies, NULL);
    RpBuffer_AppendU32(&image, fixture.count + 1);
    for (uint32_t i = 0; i < fixture.count; i++)
        PutResource(&image, &bodies, fixture.animations[i].id, base, &fixture.animations[i]);
    PutResource(&image, &bodies, table.id, base, NULL);
    RpBuffer_Append(&image, bodies.bytes, bodies.size);
    Script_Memory(script, RESOURCES, image.bytes, (uint32_t)image.size, NULL, 0);
    image.bytes[base + 12] = 0xFF; /* more frames than there are */
    Script_Memory(script, BAD_IMAGE, image.bytes, (uint32_t)image.size, NULL, 0);
    Script_Memory(script, BAD_SIZE, image.bytes, 20, NULL, 0);
    RpBuffer_Free(&image);
    RpBuffer_Free(&bodies);
}

static void Save(const RpMotion *motion, uint32_t *words) {
    assert_true(RpMotion_StateWords(motion) <= ROOM);
    memset(words, 0, 4 * ROOM);
    RpMotion_Save(motion, words);
}

typedef struct Update {
    uint32_t memory, at, quantum[2], words, state[ROOM];
    float offset[7];
} Update;

typedef struct Perform {
    uint32_t memory, at, table, command, motion;
    float speed;
    uint32_t words, state[ROOM];
} Perform;

static Update UpdateOf(const RpMotion *motion, double quantum) {
    Update update = {.memory = RESOURCES, .words = ROOM, .offset = {0, 0, 0, 1, 0, 0, 0}};
    memcpy(update.quantum, &quantum, sizeof quantum);
    Save(motion, update.state);
    return update;
}

static Perform PerformOf(const RpMotion *motion, uint32_t id, float speed) {
    Perform perform = {RESOURCES, 0, table.id, RP_AC_DO, id, speed, ROOM, {0}};
    Save(motion, perform.state);
    return perform;
}

static int Begin(void **state) {
    (void)state;
    Fixture_Begin(&fixture);
    Walk_Make(&fixture, &table, NULL);
    return 0;
}

static int End(void **state) {
    (void)state;
    RpAcMotionTable_Free(&table);
    Fixture_End(&fixture);
    return 0;
}

static void Start(RpMotion *motion) {
    const RpAcLibrary library = Fixture_Library(&fixture);
    RpMotion_Init(motion, &table, fixture.nodes, FIXTURE_NODES, &library);
    assert_int_equal(RpMotion_Start(motion, NULL), RP_OK);
}

/* Replays a walk call by call. Each call starts from the state that the library has. */
TEST(CallsAreTheLibrarys) {
    static const uint32_t commands[] = {WALK, WAVE, HOVER, STYLE_WAR, STYLE_PEACE, TURN};
    enum { STEPS = 6 };
    Provider provider = Native();
    Script script;
    RpMotion motion;
    uint32_t after[2 * STEPS][ROOM], results[STEPS];
    RpAcFrame offsets[STEPS];
    Start(&motion);
    Script_Begin(&script, "ac", NULL);
    PutMemories(&script);
    for (int i = 0; i < STEPS; i++) {
        const Perform perform = PerformOf(&motion, commands[i], 1.25f);
        Script_Call(&script, "ac.perform_movement", &perform, sizeof perform);
        RpMotion_Perform(&motion, RP_AC_DO, commands[i], 1.25f, &results[i], NULL);
        Save(&motion, after[2 * i]);
        const Update update = UpdateOf(&motion, 0.13);
        Script_Call(&script, "ac.update", &update, sizeof update);
        RpAcFrame_Identity(&offsets[i]);
        RpSequence_Update(&motion.sequence, 0.13, &offsets[i], NULL, NULL, NULL);
        Save(&motion, after[2 * i + 1]);
    }
    Script_End(&script);
    ScriptResults found = Script_Run(&script, &provider, NULL);
    for (int i = 0; i < STEPS; i++) {
        const ScriptResult *perform = &found.calls[2 * i], *update = &found.calls[2 * i + 1];
        assert_int_equal(perform->outcome, TRACE_RETURNED);
        assert_int_equal(perform->words[0], results[i]);
        assert_memory_equal(perform->words + 1, after[2 * i], 4 * ROOM);
        assert_int_equal(update->outcome, TRACE_RETURNED);
        assert_memory_equal(update->words + 1, after[2 * i + 1], 4 * ROOM);
        assert_true(update->size == 4 * (1 + ROOM + 7 + 240));
    }
    Script_Free(&found);
}

TEST(WhatCannotBeCalledIsUnsupported) {
    Provider provider = Native();
    Script script;
    RpMotion motion;
    Start(&motion);
    const Update good = UpdateOf(&motion, 0.1);
    const Perform perform = PerformOf(&motion, WALK, 1);
    Script_Begin(&script, "ac-bad", NULL);
    PutMemories(&script);
    Script_Call(&script, "ac.update", &good, sizeof good);
    Script_Call(&script, "ac.perform_movement", &perform, sizeof perform);
    Perform no_table = perform;
    no_table.table = 0;
    Script_Call(&script, "ac.perform_movement", &no_table, sizeof no_table);
    Update update = good;
    update.memory = BAD_IMAGE;
    Script_Call(&script, "ac.update", &update, sizeof update);
    Script_Call(&script, "ac.update", &update, sizeof update);
    update.memory = BAD_SIZE;
    Script_Call(&script, "ac.update", &update, sizeof update);
    update = good;
    update.at = 4;
    Script_Call(&script, "ac.update", &update, sizeof update);
    update = good;
    update.state[0] = 9;
    Script_Call(&script, "ac.update", &update, sizeof update);
    update = UpdateOf(&motion, 1e300);
    Script_Call(&script, "ac.update", &update, sizeof update);
    Perform bad = perform;
    bad.table++;
    Script_Call(&script, "ac.perform_movement", &bad, sizeof bad);
    bad = perform;
    bad.command = 3;
    Script_Call(&script, "ac.perform_movement", &bad, sizeof bad);
    bad = perform;
    bad.state[1] = 99;
    Script_Call(&script, "ac.perform_movement", &bad, sizeof bad);
    Script_End(&script);
    ScriptResults found = Script_Run(&script, &provider, NULL);
    for (uint64_t i = 0; i < found.count; i++)
        assert_int_equal(found.calls[i].outcome, i < 3 ? TRACE_RETURNED : TRACE_UNSUPPORTED);
    assert_int_equal(found.calls[1].words[0], RP_AC_DONE);
    assert_int_equal(found.calls[2].words[0], RP_AC_NO_TABLE);
    Script_Free(&found);
}

TEST(TheBundledTraceIsWhatNativeGives) {
    static const char bundled[] = "traces/siblings/ac.rptrace";
    Provider provider = Native();
    RpError error;
    TraceReader *a, *b;
    CompareTotals totals;
    Script script; /* used only for its folder */
    Script_Begin(&script, "ac-bundled", NULL);
    Script_End(&script);
    assert_int_equal(
        Provider_Run(&provider, bundled, script.output, &(ProviderOptions){.host = NULL}, &error),
        RP_OK);
    assert_int_equal(TraceReader_Open(bundled, &a, &error), RP_OK);
    assert_int_equal(TraceReader_Open(script.output, &b, &error), RP_OK);
    Comparison *comparison = Comparison_Create(&(CompareOptions){.max_differences = 1});
    assert_int_equal(Comparison_Add(comparison, a, b, "ac", &error), RP_OK);
    Comparison_Totals(comparison, &totals);
    assert_true(totals.counts.compared > 3800);
    assert_int_equal(totals.counts.different, 0);
    Comparison_Destroy(comparison);
    TraceReader_Close(a);
    TraceReader_Close(b);
    remove(script.output);
    remove(script.input);
}

AROUND_EACH(Begin, End)
