/* Tests of the functions ani.* of traces: the native provider against the library called directly,
 * what it refuses, and the bundled trace. */
#include "replay/compare/compare.h"
#include "replay/provider/ani_trace.h"
#include "synthetic.h"
#include "tests/host/script.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYNTHETIC = 5, NOT_ANI = 6, CAMERALESS = 7 };

static Provider Native(void) {
    Provider provider;
    RpError error;
    assert_int_equal(Provider_Open("native", &provider, &error), RP_OK);
    return provider;
}

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void PutFile(Script *script) {
    RpBuffer image;
    RpAni ani;
    RpError error;
    RpBuffer_Init(&image, NULL);
    Synthetic_Write(&image);
    Script_Memory(script, SYNTHETIC, image.bytes, (uint32_t)image.size, NULL, 0);
    assert_int_equal(
        RpAni_Read(image.bytes, image.size, RP_ANI_FILE, RP_STRICT, NULL, &ani, &error), RP_OK);
    RpBuffer_Free(&image);
    ani.has_camera = 0;
    RpBuffer_Init(&image, NULL);
    assert_int_equal(RpAni_Write(&ani, &image, &error), RP_OK);
    Script_Memory(script, CAMERALESS, image.bytes, (uint32_t)image.size, NULL, 0);
    Script_Memory(script, NOT_ANI, "no animation", 12, NULL, 0);
    RpBuffer_Free(&image);
    RpAni_Free(&ani);
}

/* Asks for every node in both policies at times before, within and after the animation. */
TEST(CallsAreTheLibrarys) {
    static const int32_t times[] = {-10, 0, 137, 500, 1999, 5000};
    const size_t time_count = sizeof times / sizeof *times;
    Provider provider = Native();
    Script script;
    RpAni ani;
    Synthetic_Make(&ani, NULL);
    const float base[16] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1};
    Script_Begin(&script, "ani", NULL);
    PutFile(&script);
    for (uint32_t policy = 0; policy < RP_ANI_POLICIES; policy++)
        for (size_t t = 0; t < time_count; t++) {
            const uint32_t at = Bits((float)times[t]);
            for (uint32_t node = 0; node < ani.node_count; node++) {
                uint32_t world[21] = {SYNTHETIC, 0, policy, node, (uint32_t)times[t]};
                const uint32_t local[9] = {SYNTHETIC, 0, policy, node, at};
                const uint32_t visible[8] = {SYNTHETIC, 0, node, at};
                memcpy(world + 5, base, sizeof base);
                Script_Call(&script, "ani.local", local, sizeof local);
                Script_Call(&script, "ani.world", world, sizeof world);
                Script_Call(&script, "ani.visible", visible, sizeof visible);
            }
            uint32_t camera[23] = {SYNTHETIC, 0, policy, at};
            memcpy(camera + 7, base, sizeof base);
            Script_Call(&script, "ani.camera", camera, sizeof camera);
        }
    Script_End(&script);
    ScriptResults results = Script_Run(&script, &provider, NULL);
    float(*local)[16] = malloc(ani.node_count * sizeof *local);
    float(*world)[16] = malloc(ani.node_count * sizeof *world);
    uint8_t *visible = malloc(ani.node_count);
    const ScriptResult *call = results.calls;
    for (int policy = 0; policy < RP_ANI_POLICIES; policy++)
        for (size_t t = 0; t < time_count; t++) {
            RpAni_Sample(&ani, times[t], (RpAniPolicy)policy, NULL, base, local, world, visible);
            for (uint32_t node = 0; node < ani.node_count; node++) {
                assert_int_equal(call->outcome, TRACE_RETURNED);
                assert_memory_equal(call++->words, local[node], 64);
                assert_memory_equal(call++->words, world[node], 64);
                assert_int_equal(call++->words[0], visible[node]);
            }
            float camera[16];
            memcpy(camera, base, sizeof camera);
            assert_int_equal(call->words[0], RpAni_SampleCamera(&ani, (float)times[t],
                                                                (RpAniPolicy)policy, NULL, camera));
            assert_memory_equal(call++->words + 1, camera, 64);
        }
    assert_true(call == results.calls + results.count);
    free(local);
    free(world);
    free(visible);
    Script_Free(&results);
    RpAni_Free(&ani);
}

TEST(WhatCannotBeCalledIsUnsupported) {
    static const uint32_t good[23] = {SYNTHETIC};
    static const struct {
        const char *key;
        uint32_t words, at, value;
    } bad[] = {
        {"ani.local", 9, 0, NOT_ANI},
        {"ani.local", 9, 1, 4},
        {"ani.local", 9, 2, RP_ANI_POLICIES},
        {"ani.local", 9, 3, 1000},
        {"ani.local", 9, 5, 1000},
        {"ani.world", 21, 0, NOT_ANI},
        {"ani.world", 21, 2, RP_ANI_POLICIES},
        {"ani.world", 21, 3, 1000},
        {"ani.camera", 23, 0, CAMERALESS},
        {"ani.camera", 23, 2, 7},
        {"ani.camera", 23, 6, 1000},
        {"ani.camera", 23, 0, NOT_ANI},
        {"ani.visible", 8, 0, NOT_ANI},
        {"ani.visible", 8, 2, UINT32_MAX},
        {"ani.visible", 8, 7, 1000},
    };
    const size_t count = sizeof bad / sizeof *bad;
    Provider provider = Native();
    Script script;
    Script_Begin(&script, "ani-bad", NULL);
    PutFile(&script);
    for (size_t i = 0; i < count; i++) {
        uint32_t words[23];
        memcpy(words, good, sizeof words);
        Script_Call(&script, bad[i].key, words, 4 * bad[i].words);
        words[bad[i].at] = bad[i].value;
        Script_Call(&script, bad[i].key, words, 4 * bad[i].words);
    }
    static const uint32_t modes[] = {0x3F80, 0x5F80, 0x9F80, 0x1FC0}; /* rounding, FTZ, DAZ */
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        script.mxcsr = modes[i];
        Script_Call(&script, "ani.visible", good, 32);
    }
    Script_End(&script);
    ScriptResults results = Script_Run(&script, &provider, NULL);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(results.calls[2 * i].outcome, TRACE_RETURNED);
        assert_int_equal(results.calls[2 * i + 1].outcome, TRACE_UNSUPPORTED);
    }
    for (uint64_t i = 2 * count; i < results.count; i++)
        assert_int_equal(results.calls[i].outcome, TRACE_UNSUPPORTED);
    Script_Free(&results);
}

/* In a track whose times are not in order, the result of a search depends on where it begins. */
TEST(TheCursorIsAnInput) {
    RpAniKey keys[] = {RpAniKey_Translation(0, 1, 0, 0, 0), RpAniKey_Translation(100, 1, 1, 0, 0),
                       RpAniKey_Translation(50, 1, 2, 0, 0), RpAniKey_Translation(200, 1, 3, 0, 0)};
    Provider provider = Native();
    Script script;
    RpBuffer image;
    RpAni ani;
    uint32_t words[9] = {1, 0, 0, 0, Bits(60)};
    RpAni_Init(&ani, NULL);
    assert_int_equal(RpAni_AddNode(&ani, RP_ANI_NO_NODE, "a", 1, NULL, NULL), RP_OK);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_TRANSLATION, keys, 4, NULL), RP_OK);
    RpBuffer_Init(&image, NULL);
    assert_int_equal(RpAni_Write(&ani, &image, NULL), RP_OK);
    Script_Begin(&script, "ani-cursor", NULL);
    Script_Memory(&script, 1, image.bytes, (uint32_t)image.size, NULL, 0);
    Script_Call(&script, "ani.local", words, sizeof words);
    words[5] = 2;
    Script_Call(&script, "ani.local", words, sizeof words);
    Script_End(&script);
    ScriptResults results = Script_Run(&script, &provider, NULL);
    assert_int_equal(results.calls[0].words[12], Bits(0.6f));
    assert_true(results.calls[1].words[12] > Bits(2)); /* between 2 and 3 */
    Script_Free(&results);
    RpBuffer_Free(&image);
    RpAni_Free(&ani);
}

/* trace.py agrees with the outcomes in traces/siblings/ani.rptrace. */
TEST(TheBundledTraceIsWhatNativeGives) {
    static const char bundled[] = "traces/siblings/ani.rptrace";
    Provider provider = Native();
    char output[512];
    RpError error;
    TraceReader *a, *b;
    CompareTotals totals;
    Script script; /* used only for its folder */
    Script_Begin(&script, "ani-bundled", NULL);
    Script_End(&script);
    snprintf(output, sizeof output, "%s", script.output);
    assert_int_equal(
        Provider_Run(&provider, bundled, output, &(ProviderOptions){.host = NULL}, &error), RP_OK);
    assert_int_equal(TraceReader_Open(bundled, &a, &error), RP_OK);
    assert_int_equal(TraceReader_Open(output, &b, &error), RP_OK);
    Comparison *comparison = Comparison_Create(&(CompareOptions){.max_differences = 1});
    assert_int_equal(Comparison_Add(comparison, a, b, "ani", &error), RP_OK);
    Comparison_Totals(comparison, &totals);
    assert_int_equal(totals.counts.compared, 6000);
    assert_int_equal(totals.counts.different, 0);
    Comparison_Destroy(comparison);
    TraceReader_Close(a);
    TraceReader_Close(b);
    remove(output);
    remove(script.input);
}

TEST(AFileBecomesATrace) {
    static const char path[] = "ani-trace.rptrace";
    const AniTraceOptions options = {.first = -50, .last = 250, .step = 100, {true, true}};
    RpBuffer image;
    RpAni ani;
    RpError error;
    uint64_t calls;
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    Synthetic_Make(&ani, NULL);
    RpBuffer_Init(&image, NULL);
    Synthetic_Write(&image);
    assert_int_equal(AniTrace_Write(image.bytes, image.size, &options, path, &calls, &error),
                     RP_OK);
    /* Each of the four times has, for each node, the local and the world matrix in two policies and
     * the visibility, and two cameras. */
    assert_int_equal(calls, 4 * (5 * ani.node_count + 2));
    assert_int_equal(TraceReader_Open(path, &reader, &error), RP_OK);
    for (uint64_t i = 0; i < calls; i++) {
        assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_OK);
        assert_true(found);
        assert_int_equal(call.outcome, TRACE_RETURNED);
    }
    TraceReader_Close(reader);
    remove(path);
    assert_int_equal(AniTrace_Write(image.bytes, 100, &options, path, &calls, &error), RP_CORRUPT);
    assert_int_equal(
        AniTrace_Write(image.bytes, image.size, &options, "no/such/folder", &calls, &error), RP_IO);
    RpBuffer_Free(&image);
    RpAni_Free(&ani);
}
