/* Tests of the recorder by itself, with a disk that is too slow and with threads that are ended
 * within it. */
/* The test needs the recorder's static state, as a thread leaves it that is ended at any point. */
#include "dll/observe/recorder.c"

#include "game.h"
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Fixture {
    char folder[256];
    RecordOptions options;
    Signature signature;
    Draft *draft;
    Recorder *recorder;
} Fixture;

static void DescribeNothing(Text *text, uint8_t servers) {
    (void)servers;
    Text_Append(text, "producer=test\n");
}

static Fixture fixture;

TEST_AROUND(SetUp) {
    RpError error;
    memset(&fixture, 0, sizeof fixture);
    Game_MakeFolder(fixture.folder, sizeof fixture.folder);
    snprintf(fixture.options.path, sizeof fixture.options.path, "%s/a.rptrace", fixture.folder);
    fixture.options.describe = DescribeNothing;
    fixture.options.flush_ms = 60000;
    Signature_Parse(Abi_Find("ngi32.slot14"), &fixture.signature, &error);
    fixture.draft = calloc(1, sizeof *fixture.draft);
    fixture.draft->signature = &fixture.signature;
    fixture.draft->server = SERVED_BY_ORIGINAL;
    fixture.draft->input_size = 16;
    fixture.draft->output_size = 64;
    return 0;
}

TEST_AROUND(TearDown) {
    Game_RemoveFolder(fixture.folder);
    free(fixture.draft);
    return 0;
}

static void Open(void) {
    uint32_t code;
    fixture.recorder = Recorder_Open(&fixture.options, &code);
    assert_non_null(fixture.recorder);
}

static RecordOutcome CommitOne(void) {
    uint32_t memory;
    return Recorder_Commit(fixture.recorder, fixture.draft, &memory);
}

static RecordTotals Totals(void) {
    RecordTotals totals;
    Recorder_Totals(fixture.recorder, &totals);
    return totals;
}

/* Closes the recorder, and demands how many calls the number-th file has. */
static void Closes(bool ended, uint32_t number, uint64_t calls) {
    char path[320];
    if (fixture.recorder)
        Recorder_Close(fixture.recorder, ended);
    fixture.recorder = NULL;
    snprintf(path, sizeof path, "%s/a-%05u.rptrace", fixture.folder, number);
    assert_int_equal(Game_ReadTrace(number == 1 ? fixture.options.path : path, false).calls, calls);
}

/* ---- too slow -------------------------------------------------------------------------------- */

/* The only batch has room for ten calls. */
static void OpenSmall(RecordFull full) {
    fixture.options.full = full;
    fixture.options.batch_calls = 10 * (TRACE_CALL_BYTES + 16 + 64);
    fixture.options.most_batches = 1;
    Open();
}

TEST(DropCountsWhatFindsNoRoom) {
    OpenSmall(RECORD_DROP);
    for (int i = 0; i < 10; i++)
        assert_int_equal(CommitOne(), RECORD_COMMITTED);
    for (int i = 0; i < 7; i++)
        assert_int_equal(CommitOne(), RECORD_DROPPED);
    Recorder_Write(fixture.recorder, true);
    assert_int_equal(CommitOne(), RECORD_COMMITTED);
    assert_int_equal(Totals().dropped, 7);
    Recorder_Close(fixture.recorder, false);
    GameTrace trace = Game_ReadTrace(fixture.options.path, false);
    assert_int_equal(trace.calls, 11);
    assert_int_equal(trace.last_sequence, 10); /* dropped calls get no number */
    TraceReader *reader;
    TraceCall call;
    RpError error;
    char value[16];
    bool found = true;
    TraceReader_Open(fixture.options.path, &reader, &error);
    while (found)
        TraceReader_Next(reader, &call, &found, &error);
    TraceReader_Note(reader, "dropped", value, sizeof value);
    assert_string_equal(value, "7");
    TraceReader_Close(reader);
}

TEST(BlockWaitsForNobodyWhenNobodyWrites) {
    OpenSmall(RECORD_BLOCK);
    for (int i = 0; i < 10; i++)
        CommitOne();
    uint32_t before = Platform_Milliseconds();
    assert_int_equal(CommitOne(), RECORD_DROPPED);
    assert_true(Platform_Milliseconds() - before < RECORD_BLOCK_MILLISECONDS / 2);
    Recorder_Close(fixture.recorder, false);
}

static Recorder *slow;

static void WriteSlowly(void) {
    usleep(20000);
    Recorder_Write(slow, true);
}

TEST(BlockWaitsUntilThereIsRoom) {
    OpenSmall(RECORD_BLOCK);
    slow = fixture.recorder;
    assert_true(Platform_StartService(WriteSlowly, 1));
    while (!Platform_ServiceLives())
        usleep(1000);
    for (int i = 0; i < 55; i++)
        assert_int_equal(CommitOne(), RECORD_COMMITTED);
    Platform_StopService();
    assert_true(Totals().waited_ms > 0);
    assert_int_equal(Totals().dropped, 0);
    Closes(false, 1, 55);
}

static void WriteNever(void) {
    usleep(10000);
}

TEST(BlockWaitsForTwoSecondsAtMost) {
    OpenSmall(RECORD_BLOCK);
    assert_true(Platform_StartService(WriteNever, 1));
    while (!Platform_ServiceLives())
        usleep(1000);
    for (int i = 0; i < 10; i++)
        CommitOne();
    uint32_t before = Platform_Milliseconds();
    assert_int_equal(CommitOne(), RECORD_DROPPED);
    assert_in_range(Platform_Milliseconds() - before, RECORD_BLOCK_MILLISECONDS - 100,
                    3 * RECORD_BLOCK_MILLISECONDS);
    Platform_StopService();
    Recorder_Close(fixture.recorder, false);
}

/* ---- parts ----------------------------------------------------------------------------------- */

TEST(AFileThatHoldsEnoughIsFollowedByTheNext) {
    fixture.options.memory_bytes = 1000;
    Open();
    Draft *draft = fixture.draft;
    draft->memory_count = 1;
    draft->memories[0].size = 300;
    for (uint32_t i = 0; i < 8; i++) {
        draft->memories[0].content[0] = (uint8_t)i;
        draft->memories[0].hash.lanes[3] = draft->memories[0].hash.lanes[0] = i + 1;
        assert_int_equal(CommitOne(), RECORD_COMMITTED);
    }
    Recorder_Close(fixture.recorder, false);
    char second[320];
    snprintf(second, sizeof second, "%s/a-00002.rptrace", fixture.folder);
    assert_int_equal(Game_ReadTrace(fixture.options.path, false).calls, 4);
    GameTrace trace = Game_ReadTrace(second, false);
    assert_int_equal(trace.calls, 4);
    assert_int_equal(trace.last_sequence, 7);
}

TEST(AFileThatIsLargeEnoughIsFollowedByTheNext) {
    const uint32_t call = TRACE_CALL_BYTES + 16 + 64;
    fixture.options.part_bytes = 3 * call;
    Open();
    for (int i = 0; i < 8; i++)
        assert_int_equal(CommitOne(), RECORD_COMMITTED);
    for (unsigned number = 1; number <= 3; number++)
        Closes(false, number, number < 3 ? 3 : 2);
}

static void NameMemory(DraftMemory *memory, uint32_t number) {
    memory->hash.lanes[3] = memory->hash.lanes[0] = number;
}

/* There is one memory more than the table can hold, and in addition an image that is known. The
 * image was known when the call was measured, so it must not be forgotten before the call is
 * written. */
TEST(TheTableOfMemoriesIsNeverEmptiedWithinACall) {
    Open();
    Draft *draft = fixture.draft;
    draft->memory_count = 1;
    draft->memories[0].large = true;
    draft->memories[0].size = 64;
    draft->memories[0].fetched =
        Platform_Allocate(TRACE_CHUNK_BYTES + TRACE_MEM_BYTES + draft->memories[0].size);
    NameMemory(&draft->memories[0], 1);
    assert_int_equal(CommitOne(), RECORD_COMMITTED);
    draft->memories[0].large = false;
    for (uint32_t number = 2; number <= SEEN_ENTRIES / 4 * 3; number++) {
        NameMemory(&draft->memories[0], number);
        assert_int_equal(CommitOne(), RECORD_COMMITTED);
        if (number % 1000 == 0)
            Recorder_Write(fixture.recorder, true);
    }
    draft->memory_count = 2;
    NameMemory(&draft->memories[0], SEEN_ENTRIES);
    draft->memories[1] = draft->memories[0];
    draft->memories[1].large = true;
    NameMemory(&draft->memories[1], 1);
    uint32_t lacking = 0;
    RecordOutcome outcome = Recorder_Commit(fixture.recorder, draft, &lacking);
    /* the table had been emptied when the recorder was asked */
    assert_int_equal(outcome, RECORD_NEEDS_BYTES);
    assert_int_equal(lacking, 1);
    draft->memories[1].fetched =
        Platform_Allocate(TRACE_CHUNK_BYTES + TRACE_MEM_BYTES + draft->memories[1].size);
    assert_int_equal(CommitOne(), RECORD_COMMITTED);
    Closes(false, 1, SEEN_ENTRIES / 4 * 3 + 1);
}

TEST(WhatCanNeverFitIsRefused) {
    fixture.options.batch_calls = 64;
    Open();
    assert_int_equal(CommitOne(), RECORD_TOO_LARGE);
    Recorder_Close(fixture.recorder, false);
}

TEST(TheEndOfAPartIsTheStartOfTheNext) {
    Open();
    CommitOne();
    Recorder_EndPart(fixture.recorder);
    Recorder_EndPart(fixture.recorder); /* once is enough */
    CommitOne();
    CommitOne();
    Recorder_Write(fixture.recorder, true);
    /* The part ends when everything is written, so that the next call is in the next part. */
    Recorder_EndPart(fixture.recorder);
    CommitOne();
    Recorder_EndPart(fixture.recorder); /* no call comes in it */
    Recorder_Close(fixture.recorder, false);
    char path[320];
    assert_int_equal(Game_ReadTrace(fixture.options.path, false).calls, 1);
    snprintf(path, sizeof path, "%s/a-00002.rptrace", fixture.folder);
    assert_int_equal(Game_ReadTrace(path, false).calls, 2);
    snprintf(path, sizeof path, "%s/a-00003.rptrace", fixture.folder);
    assert_int_equal(Game_ReadTrace(path, false).calls, 1);
    snprintf(path, sizeof path, "%s/a-00004.rptrace", fixture.folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- files that refuse ----------------------------------------------------------------------- */

static uint32_t complaints;

static void CountComplaint(const char *what, const char *path, uint32_t code) {
    (void)path, (void)code;
    assert_non_null(strstr(what, "recording stops"));
    complaints++;
}

TEST(ADiskThatIsFullEndsTheRecordingOnce) {
    fixture.options.complain = CountComplaint;
    complaints = 0;
    Open();
    CommitOne();
    Platform_CloseFile(fixture.recorder->file);
    fixture.recorder->file = open("/dev/full", O_WRONLY);
    Recorder_Write(fixture.recorder, true);
    assert_int_equal(CommitOne(), RECORD_STOPPED);
    Recorder_Write(fixture.recorder, true);
    assert_true(Totals().failed);
    assert_int_equal(Totals().dropped, 1);
    assert_in_range(complaints, 1, 2); /* one for the calls, and perhaps one for the end */
    Recorder_Close(fixture.recorder, false);
}

TEST(ANextPartThatCannotBeMadeEndsTheRecording) {
    fixture.options.complain = CountComplaint;
    Open();
    CommitOne();
    Recorder_EndPart(fixture.recorder);
    CommitOne();
    snprintf(fixture.recorder->options.path, sizeof fixture.recorder->options.path,
             "/nowhere/a.rptrace");
    Recorder_Write(fixture.recorder, true);
    assert_true(Totals().failed);
    assert_int_equal(Totals().dropped, 1);
    Closes(false, 1, 1);
}

/* ---- threads that are ended ------------------------------------------------------------------ */

TEST(AThreadThatWasEndedInCommitCostsWhatIsInMemory) {
    Open();
    CommitOne();
    Recorder_Write(fixture.recorder, true);
    CommitOne();
    fixture.recorder->lock.held = 1; /* the lock is held for ever */
    Recorder_Close(fixture.recorder, true);
    assert_int_equal(Game_ReadTrace(fixture.options.path, true).calls, 1);
}

static void EndWriterAt(uint64_t written) {
    Recorder *recorder = fixture.recorder;
    uint32_t code;
    TakeBatch(recorder, true);
    recorder->start = recorder->whole;
    recorder->start_calls = recorder->file_calls;
    recorder->start_memories = recorder->file_memories;
    recorder->progress = WRITE_BEGUN;
    uint8_t part[256] = "CALL";
    assert_true(Platform_Write(recorder->file, recorder->whole, part, (size_t)written, &code));
}

TEST(AWriterThatWasEndedWithinAChunkIsContinued) {
    Open();
    CommitOne();
    Recorder_Write(fixture.recorder, true);
    for (int i = 0; i < 3; i++)
        CommitOne();
    EndWriterAt(100);
    CommitOne();
    Closes(true, 1, 5);
}

TEST(AWriterThatWasEndedBehindAChunkWritesNoneTwice) {
    Open();
    CommitOne();
    TakeBatch(fixture.recorder, true);
    WriteBatch(fixture.recorder);
    /* everything is written, but the recorder does not know it */
    fixture.recorder->progress = WRITE_BEGUN;
    Closes(true, 1, 1);
}

TEST(AWriterThatWasEndedWhenItWasDoneWritesNothingAgain) {
    Open();
    CommitOne();
    TakeBatch(fixture.recorder, true);
    WriteBatch(fixture.recorder);
    Closes(true, 1, 1);
}

AROUND_EACH(SetUp, TearDown)
