#include "tests/replay/fixture.h"

#include "replay/session/answer_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Provider native;
static const char *work;

TEST_AROUND(OpenNative) {
    work = Fixture_MakeFolder("digest-work");
    return Provider_Open("native", &native, NULL) != RP_OK;
}

TEST_AROUND(CloseNative) {
    return Fixture_DropFolder(work);
}

static SessionInput Input(const char *scenario, const char *machine, uint64_t count) {
    SessionInput input = {.scenario = Scenario_Find(scenario),
                          .seed = 7,
                          .first = 40,
                          .count = count,
                          .force_cpu = -1};
    if (machine)
        assert_true(SessionInput_OnMachine(&input, machine));
    return input;
}

/* Makes the digest that a session of these inputs gives. */
static void Digest(const SessionInput *inputs, size_t count, uint32_t slice, unsigned jobs,
                   AnswerDigest *digest) {
    AnswerSums sums[8];
    for (size_t i = 0; i < count; i++)
        assert_true(AnswerSums_Init(&sums[i]));
    const SessionOptions options = {.inputs = inputs,
                                    .input_count = count,
                                    .a = &native,
                                    .b = &native,
                                    .work_directory = work,
                                    .slice_calls = slice,
                                    .jobs = jobs,
                                    .answers = sums};
    Comparison *comparison = Comparison_Create(&(CompareOptions){.max_differences = 1});
    assert_int_equal(Session_Run(&options, comparison, NULL), RP_OK);
    Comparison_Destroy(comparison);
    AnswerDigest_Name(digest, &native, "AuthenticAMD family 25 model 1 stepping 1", "");
    assert_int_equal(AnswerDigest_Make(digest, inputs, count, sums, NULL), RP_OK);
    for (size_t i = 0; i < count; i++)
        AnswerSums_Free(&sums[i]);
}

static char *Text(const AnswerDigest *digest) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    AnswerDigest_Text(digest, &text);
    RpBuffer_Append(&text, "", 1);
    assert_false(text.failed);
    return (char *)text.bytes; /* the caller frees it */
}

static void WordsOf(AnswerDigest *digest) {
    const SessionInput inputs[] = {Input("words", NULL, 900), Input("words", "fxch", 500),
                                   Input("poses", NULL, 300)};
    Digest(inputs, 3, 0, 1, digest);
}

TEST(SlicesJobsAndWaysDoNotMatter) {
    const SessionInput inputs[] = {Input("words", NULL, 900), Input("words", "fxch", 500),
                                   Input("poses", NULL, 300)};
    AnswerDigest whole, parts, again;
    Digest(inputs, 3, 0, 1, &whole);
    Digest(inputs, 3, 70, 3, &parts);
    assert_int_equal(
        AnswerDigest_Answer(&whole, &native, &(ProviderOptions){.host = NULL}, work, &again, NULL),
        RP_OK);
    snprintf(again.processor, sizeof again.processor, "%s", whole.processor);
    char *texts[3] = {Text(&whole), Text(&parts), Text(&again)};
    assert_string_equal(texts[0], texts[1]);
    assert_string_equal(texts[0], texts[2]);
    assert_int_equal(whole.block_count, 2);
    assert_int_equal(AnswerDigest_Calls(&whole), 1700);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    AnswerDigest_Free(&whole);
    AnswerDigest_Free(&parts);
    AnswerDigest_Free(&again);
}

/* A message has other words around the digest, marks of a quotation, and lines that are broken in
 * other places. */
TEST(AMessageIsReadBack) {
    AnswerDigest digest, read;
    WordsOf(&digest);
    char *text = Text(&digest), *message = calloc(2, strlen(text) + 100);
    strcpy(message, "Hello,\r\n> here it is:\r\n> ");
    for (char *c = text, *to = message + strlen(message); *c; c++) {
        if (*c == ' ' && (c - text) % 3 == 0) {
            memcpy(to, "\r\n>> ", 5);
            to += 5;
        } else {
            *to++ = *c;
        }
    }
    strcat(message, "\r\nBest wishes");
    assert_int_equal(AnswerDigest_Read(&read, message, strlen(message), NULL), RP_OK);
    char *again = Text(&read);
    assert_string_equal(again, text);
    assert_int_equal(read.unknown, 0);
    free(text);
    free(message);
    free(again);
    AnswerDigest_Free(&digest);
    AnswerDigest_Free(&read);
}

/* Whatever character is changed, no other digest results from it. */
TEST(EveryDamageIsNoticed) {
    AnswerDigest digest, read;
    RpError error;
    WordsOf(&digest);
    char *text = Text(&digest);
    const size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        const char was = text[i];
        if (was == ' ' || was == '\n')
            continue;
        const char others[2] = {was == '1' ? '2' : '1', 0};
        for (int j = 0; j < 2; j++) {
            text[i] = others[j];
            assert_int_not_equal(AnswerDigest_Read(&read, text, size, &error), RP_OK);
        }
        text[i] = was;
    }
    for (size_t length = 0; length + 1 < size; length++)
        assert_int_not_equal(AnswerDigest_Read(&read, text, length, NULL), RP_OK);
    assert_int_equal(AnswerDigest_Read(&read, text, (size_t)(strstr(text, "end=") - text), &error),
                     RP_TRUNCATED);
    assert_int_equal(AnswerDigest_Read(&read, "retropose-digest 1 \0\0 x", 23, &error), RP_CORRUPT);
    assert_int_equal(AnswerDigest_Read(&read, "Hello", 5, &error), RP_NOT_FOUND);
    assert_string_equal(error.what, "there is no digest");
    free(text);
    AnswerDigest_Free(&digest);
}

static AnswerDigest One(const TraceCall *calls, size_t count, const char *processor) {
    static const char *const keys[] = {"slots"};
    const SessionInput input = Input(keys[0], NULL, 10);
    AnswerDigest digest;
    AnswerSums sums;
    assert_true(AnswerSums_Init(&sums));
    for (size_t i = 0; i < count; i++)
        AnswerSums_Call(&sums, &calls[i]);
    AnswerDigest_Name(&digest, &native, processor, "");
    assert_int_equal(AnswerDigest_Make(&digest, &input, 1, &sums, NULL), RP_OK);
    AnswerSums_Free(&sums);
    return digest;
}

/* Returns the verdict on slot 17 if `other` is answered in place of `calls`. */
static DigestVerdict Judge(const TraceCall *calls, const TraceCall *other, size_t count,
                           const char *processor) {
    AnswerDigest a = One(calls, count, "AuthenticAMD family 25 model 1 stepping 1");
    AnswerDigest b = One(other, count, processor);
    DigestRows rows;
    assert_int_equal(AnswerDigest_Compare(&a, &b, &rows, NULL), RP_OK);
    assert_int_equal(rows.count, 1);
    assert_string_equal(rows.rows[0].function->key, "ngi32.slot17");
    const DigestVerdict verdict = rows.rows[0].verdict;
    assert_string_equal(rows.rows[0].scenarios[verdict], "slots");
    DigestRows_Free(&rows);
    AnswerDigest_Free(&a);
    AnswerDigest_Free(&b);
    return verdict;
}

#define HERE  "AuthenticAMD family 25 model 1 stepping 0"
#define THERE "GenuineIntel family 6 model 60 stepping 3"

/* Makes two calls under the game's control word, whose second output words are 1 and 2. */
static void TwoSlerps(TraceCall calls[2], const uint32_t outputs[2][4]) {
    for (uint32_t i = 0; i < 2; i++) {
        calls[i] = Fixture_Slerp(i + 4u, outputs[i]);
        calls[i].control_in = calls[i].control_out = 0x007F;
    }
}

TEST(OneBitIsADifference) {
    const uint32_t outputs[2][4] = {{1, 1, 3, 4}, {1, 2, 3, 4}};
    const uint32_t wrong[2][4] = {{1, 1, 3, 4}, {1, 2, 3, 5}};
    const uint32_t swapped[2][4] = {{1, 2, 3, 4}, {1, 1, 3, 4}};
    TraceCall calls[2], other[2];
    TwoSlerps(calls, outputs);
    TwoSlerps(other, outputs);
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_SAME);
    assert_int_equal(Judge(calls, other, 2, THERE), DIGEST_SAME);
    other[1].mxcsr_out |= 0x20; /* a flag that stays set once it was set */
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_SAME);
    other[1].control_out ^= 0x100;
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
    TwoSlerps(other, outputs);
    other[0].violations = TRACE_STACK_POINTER;
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
    TwoSlerps(other, wrong);
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
    assert_int_equal(Judge(calls, other, 2, THERE), DIGEST_DIFFERENT);
    TwoSlerps(other, swapped);
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
}

TEST(WhatHangsOnTheProcessorIsToldApart) {
    const uint32_t outputs[2][4] = {{1, 1, 3, 4}, {1, 2, 3, 4}};
    const uint32_t wrong[2][4] = {{1, 1, 3, 4}, {1, 2, 3, 5}};
    TraceCall calls[2], other[2];
    TwoSlerps(calls, outputs);
    TwoSlerps(other, wrong);
    for (int i = 0; i < 2; i++)
        calls[i].control_in = other[i].control_in = 0x037F;
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
    assert_int_equal(Judge(calls, other, 2, THERE), DIGEST_AS_PROCESSORS_MAY);
}

TEST(WhatWasNotAnsweredIsNotTold) {
    const uint32_t outputs[2][4] = {{1, 1, 3, 4}, {1, 2, 3, 4}};
    TraceCall calls[2], other[2];
    TwoSlerps(calls, outputs);
    TwoSlerps(other, outputs);
    other[1].outcome = TRACE_UNSUPPORTED;
    other[1].output_size = 0;
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_UNTOLD);
    assert_int_equal(Judge(other, calls, 2, HERE), DIGEST_UNTOLD);
    TwoSlerps(other, outputs);
    other[1].outcome = TRACE_TIMED_OUT;
    other[1].output_size = 0;
    assert_int_equal(Judge(calls, other, 2, HERE), DIGEST_DIFFERENT);
}

/* A version of the program that makes other calls must not be taken for a side that gives other
 * answers. */
TEST(OtherCallsAreNotCompared) {
    AnswerDigest a, b;
    DigestRows rows;
    WordsOf(&a);
    WordsOf(&b);
    b.blocks[0].calls ^= 1;
    for (size_t i = 0; i < b.blocks[0].cell_count; i++)
        b.blocks[0].cells[i].digest ^= 1;
    assert_int_equal(AnswerDigest_Compare(&a, &b, &rows, NULL), RP_OK);
    assert_int_equal(rows.other_calls, 1);
    assert_int_equal(rows.verdicts[DIGEST_DIFFERENT], 0);
    assert_true(rows.verdicts[DIGEST_UNTOLD] > 0);
    DigestRows_Free(&rows);
    snprintf(b.readings, sizeof b.readings, "key-order=wxyz");
    assert_int_equal(AnswerDigest_Compare(&a, &b, &rows, NULL), RP_INVALID);
    AnswerDigest_Free(&a);
    AnswerDigest_Free(&b);
}

AROUND_ALL(OpenNative, CloseNative)
