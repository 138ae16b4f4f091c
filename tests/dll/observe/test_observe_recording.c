/* Tests of the calls of a running game in a trace: what the trace contains, what it does not, and
 * that it is always complete. */
#define _GNU_SOURCE
#include "dll/observe/image.h"
#include "functions.h"
#include "tests/test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Fixture {
    char folder[256], path[300];
    LiveSettings settings;
    uint32_t *in, *in2, *out;
    GameModel game; /* another one in each test */
} Fixture;

static Fixture fixture;
static uint64_t seed;

TEST_AROUND(SetUp) {
    Game_MakeFolder(fixture.folder, sizeof fixture.folder);
    snprintf(fixture.path, sizeof fixture.path, "%s/game.rptrace", fixture.folder);
    fixture.settings = Game_Settings();
    fixture.settings.record = true;
    fixture.in = Game_Floats();
    fixture.in2 = fixture.in + 64;
    fixture.out = fixture.in + 128;
    Game_Load(&fixture.game, ++seed);
    return 0;
}

TEST_AROUND(TearDown) {
    Observe_EndProcess();
    Game_RemoveFolder(fixture.folder);
    return 0;
}

static void Open(void) {
    Game_Open(fixture.folder, &fixture.settings);
}

static void Call14At(uint32_t *in, uint32_t *out) {
    in[0]++;
    Game_Call("ngi32.slot14", Sum, NULL, true, (uint32_t[]){Game_Address(in), Game_Address(out)});
}

static void Call14(void) {
    Call14At(fixture.in, fixture.out);
}

/* Slot 45's arguments: a segment, a plane, and where the hit is written. */
#define HIT_ARGUMENTS                                                                              \
    (uint32_t[]) {                                                                                 \
        Game_Address(fixture.in), Game_Address(fixture.in2), Game_Address(fixture.in2 + 8),        \
            Game_Address(fixture.out)                                                              \
    }

typedef struct Opened {
    TraceReader *reader;
    TraceCall call;
} Opened;

/* Ends the recording and returns its first call. */
static Opened First(void) {
    Opened opened;
    RpError error;
    bool found;
    Observe_EndProcess();
    assert_int_equal(TraceReader_Open(fixture.path, &opened.reader, &error), RP_OK);
    assert_int_equal(TraceReader_Next(opened.reader, &opened.call, &found, &error), RP_OK);
    assert_true(found);
    return opened;
}

static uint32_t Word(const uint8_t *bytes, uint32_t index) {
    uint32_t word;
    memcpy(&word, bytes + 4 * index, sizeof word);
    return word;
}

/* Returns the path of the number-th file of the recording. */
static const char *Part(uint32_t number) {
    static char path[320];
    snprintf(path, sizeof path, "%s/game-%05u.rptrace", fixture.folder, number);
    return number == 1 ? fixture.path : path;
}

/* ---- what a call becomes --------------------------------------------------------------------- */

TEST(InputsAndOutputsAreThoseOfTheCall) {
    Open();
    Call14();
    Opened opened = First();
    assert_string_equal(opened.call.function->key, "ngi32.slot14");
    assert_int_equal(opened.call.outcome, TRACE_RETURNED);
    assert_int_equal(opened.call.control_in, 0x027F);
    assert_memory_equal(opened.call.inputs, fixture.in, 16);
    assert_memory_equal(opened.call.outputs, fixture.out, 64);
    TraceReader_Close(opened.reader);
}

TEST(AnOutputThatIsNotWrittenIsRecordedAsUnset) {
    Open();
    fixture.in[0] = 2; /* the function does not hit */
    uint32_t before = fixture.out[0];
    assert_int_equal(Game_Call("ngi32.slot45", Hit, NULL, true, HIT_ARGUMENTS).eax, 0);
    assert_int_equal(fixture.out[0], before);
    Opened opened = First();
    assert_int_equal(Word(opened.call.outputs, 0), 0);
    assert_int_equal(Word(opened.call.outputs, 1), 0xA5A5A5A5u);
    TraceReader_Close(opened.reader);
}

TEST(AnOutputWrittenWithWhatItHeldIsRecordedAsWritten) {
    Open();
    fixture.in[0] = 3;
    memcpy(fixture.out, fixture.in, 12);
    Game_Call("ngi32.slot45", Hit, NULL, true, HIT_ARGUMENTS);
    Opened opened = First();
    assert_memory_equal(opened.call.outputs + 4, fixture.in, 12);
    TraceReader_Close(opened.reader);
}

TEST(AFloatResultHasAllItsBits) {
    Open();
    uint32_t before[3];
    memcpy(before, fixture.in, sizeof before);
    LiveResult result =
        Game_Call("ngi32.slot38", Length, NULL, true, (uint32_t[]){Game_Address(fixture.in)});
    Opened opened = First();
    assert_memory_equal(opened.call.inputs, before, sizeof before);
    assert_memory_equal(opened.call.outputs, result.st0, 10);
    assert_int_equal(opened.call.outputs[10] | opened.call.outputs[11], 0);
    assert_memory_equal(opened.call.outputs + 12, fixture.in, 12);
    TraceReader_Close(opened.reader);
}

static uint64_t NoteNumber(const char *key) {
    TraceReader *reader;
    RpError error;
    TraceCall call;
    char value[64];
    bool found = true;
    assert_int_equal(TraceReader_Open(fixture.path, &reader, &error), RP_OK);
    while (found)
        assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_OK);
    assert_true(TraceReader_Note(reader, key, value, sizeof value));
    TraceReader_Close(reader);
    return strtoull(value, NULL, 10);
}

/* Ends the recording, and demands how many calls it has counted as not recorded for this reason. */
static void NotRecorded(const char *reason, uint64_t calls) {
    char key[64];
    Observe_EndProcess();
    snprintf(key, sizeof key, "not-recorded.%s", reason);
    assert_int_equal(NoteNumber(key), calls);
}

TEST(AProductInPlaceIsRecordedWhenSharingMakesNoDifference) {
    Open();
    uint32_t a[16];
    memcpy(a, fixture.in, sizeof a);
    uint32_t arguments[] = {Game_Address(fixture.in), Game_Address(fixture.in2),
                            Game_Address(fixture.in)};
    Game_Call("ngi32.slot23", ProductInPlace, NULL, true, arguments);
    Opened opened = First();
    assert_memory_equal(opened.call.inputs, a, sizeof a);
    assert_memory_equal(opened.call.outputs, fixture.in, 64);
    TraceReader_Close(opened.reader);
}

TEST(AProductInPlaceIsNotRecordedWhenItDoes) {
    Open();
    Game_Call("ngi32.slot23", Product, NULL, true,
              (uint32_t[]){Game_Address(fixture.in), Game_Address(fixture.in2),
                           Game_Address(fixture.in)});
    NotRecorded("impure", 1);
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, 0);
}

TEST(WhatCannotBeReadIsCountedAndPassedThrough) {
    Open();
    uint32_t *edge = Game_MemoryAtEnd(12);
    uint32_t arguments[] = {Game_Address(edge), Game_Address(fixture.in2),
                            Game_Address(fixture.in2), Game_Address(fixture.out)};
    edge[0] = 3;
    /* The plane has 16 bytes, of which 12 are readable. */
    arguments[2] = Game_Address(edge);
    assert_int_equal(Game_Call("ngi32.slot45", Hit, NULL, true, arguments).eax, 1);
    arguments[2] = 16;
    assert_int_equal(Game_Call("ngi32.slot45", Hit, NULL, true, arguments).eax, 1);
    NotRecorded("unreadable", 2);
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, 0);
}

static void Nothing(const uint32_t *arguments, LiveResult *result) {
    (void)arguments, (void)result;
}

TEST(ACountOutOfRangeIsCounted) {
    Open();
    Game_Call("ngi32.DirectionalLights", Nothing, NULL, true,
              (uint32_t[]){Game_Address(fixture.in), 0x20000000u, Game_Address(fixture.in2),
                           Game_Address(fixture.in2), Game_Address(fixture.out)});
    NotRecorded("count", 1);
}

/* ---- models ---------------------------------------------------------------------------------- */

static LiveResult CallSample(uint32_t node, uint32_t t) {
    uint32_t *out = fixture.out;
    return Game_Call("animesh.SampleNode", SampleNode, NULL, true,
                     (uint32_t[]){Game_Address(fixture.game.pieces + node * MODEL_PIECE_SIZE), t,
                                  Game_Address(out), Game_Address(out + 4)});
}

TEST(APieceBringsItsReaderAndItsModel) {
    Open();
    CallSample(1, 5);
    Opened opened = First();
    uint32_t id = Word(opened.call.inputs, 0), offset = Word(opened.call.inputs, 1);
    const TraceMemory *small = TraceReader_Memory(opened.reader, id);
    assert_non_null(small);
    uint8_t piece[MODEL_PIECE_SIZE];
    memcpy(piece, fixture.game.pieces + MODEL_PIECE_SIZE, sizeof piece);
    memset(piece + 0x12C, 0, 4);
    assert_memory_equal(small->bytes + offset, piece, sizeof piece);
    const TraceMemory *image = NULL;
    for (uint32_t i = 0; i < small->relocation_count; i++)
        if (small->relocations[i].target != id)
            image = TraceReader_Memory(opened.reader, small->relocations[i].target);
    assert_non_null(image);
    assert_int_equal(image->size, fixture.game.model.size);
    assert_memory_equal(image->bytes, fixture.game.model.bytes, image->size);
    TraceReader_Close(opened.reader);
}

TEST(APointerResultIsAPlaceInTheModel) {
    Open();
    LiveResult result = Game_Call("animesh.FindSlot", FindSlot, NULL, true,
                                  (uint32_t[]){Game_Address(fixture.game.pieces), 1, UINT32_MAX});
    Opened opened = First();
    const TraceMemory *image = TraceReader_Memory(opened.reader, Word(opened.call.outputs, 0));
    assert_non_null(image);
    assert_int_equal(image->size, fixture.game.model.size);
    assert_int_equal(Word(opened.call.outputs, 1), result.eax - Game_Address(fixture.game.image));
    TraceReader_Close(opened.reader);
}

TEST(EqualContentIsWrittenOnce) {
    Open();
    for (uint32_t i = 0; i < 1000; i++)
        CallSample(i % 4, i);
    Observe_EndProcess();
    GameTrace trace = Game_ReadTrace(fixture.path, false);
    assert_int_equal(trace.calls, 1000);
    assert_true(trace.memory_bytes <
                fixture.game.model.size + 4 * (MODEL_PIECE_SIZE + 16) + MODEL_READER_SIZE + 16);
}

TEST(AModelThatChangedIsWrittenAnew) {
    Open();
    CallSample(0, 1);
    const ModelStream *keys = ModelImage_Stream(&fixture.game.model, 8);
    fixture.game.image[keys->offset] ^= 1;
    uint32_t blocks =
        fixture.game.model.size / IMAGE_BLOCK_BYTES + 2; /* each call checks one block */
    for (uint32_t i = 0; i < blocks; i++)
        CallSample(0, 2 + i);
    Observe_EndProcess();
    GameTrace trace = Game_ReadTrace(fixture.path, false);
    assert_int_equal(trace.calls, blocks + 1);
    assert_true(trace.memory_bytes > 2 * fixture.game.model.size);
}

TEST(AReaderOfNoKnownModelIsCounted) {
    Open();
    fixture.game.image[0] = 'X';
    for (int i = 0; i < 3; i++)
        CallSample(0, 1);
    NotRecorded("foreign", 3);
}

TEST(APieceThatCannotBeReadIsCounted) {
    Open();
    Game_Call("animesh.FindSlot", Nothing, NULL, true, (uint32_t[]){16, 1, 2});
    uint8_t *piece = Game_Memory(MODEL_PIECE_SIZE);
    piece[0x12C] = 16; /* its reader */
    Game_Call("animesh.FindSlot", Nothing, NULL, true, (uint32_t[]){Game_Address(piece), 1, 2});
    NotRecorded("unreadable", 2);
}

TEST(ANullPieceIsNullInTheTrace) {
    Open();
    Game_Call("animesh.FindSlot", Nothing, NULL, true, (uint32_t[]){0, 1, 2});
    Opened opened = First();
    assert_int_equal(Word(opened.call.inputs, 0), TRACE_NO_MEMORY);
    TraceReader_Close(opened.reader);
}

typedef struct Object { /* An object of an archive, as in facts/ngi32.md E.6. */
    uint32_t methods, count, base, directory;
} Object;

TEST(ALoadedReaderPointsIntoItsArchive) {
    Object *object = Game_Memory(sizeof *object);
    object->base = Game_Address(fixture.game.image);
    uint8_t *reader = Game_Memory(MODEL_READER_SIZE);
    memset(reader, 0x77, MODEL_READER_SIZE);
    Open();
    Game_Call("animesh.LoadReader", LoadReader, NULL, true,
              (uint32_t[]){Game_Address(reader), Game_Address(object)});
    Opened opened = First();
    uint32_t id = Word(opened.call.inputs, 0);
    const TraceMemory *image = TraceReader_Memory(opened.reader, id);
    assert_non_null(image);
    assert_memory_equal(image->bytes, fixture.game.model.bytes, image->size);
    assert_int_equal(Word(opened.call.outputs, 0), id); /* nodes */
    assert_int_equal(Word(opened.call.outputs, 1), 16);
    SignatureElement element;
    SignatureCursor cursor =
        Signature_OutputElements(opened.call.signature, opened.call.inputs, opened.call.input_size);
    while (Signature_NextElement(&cursor, &element)) {
        uint32_t word = Word(opened.call.outputs + element.offset, 0);
        if (strcmp(element.path, "reader.frame_count") == 0)
            assert_int_equal(word, 20);
        else if (strcmp(element.path, "reader.keys") == 0)
            assert_int_equal(word, TRACE_NO_MEMORY);
        else if (strcmp(element.path, "reader.unknown_98") == 0)
            /* the function has not written it: the game's word would be 0x77 */
            assert_int_equal(word, 0xA5A5A5A5u);
    }
    TraceReader_Close(opened.reader);
}

TEST(AnArchiveWithoutAnImageIsCounted) {
    Object *object = Game_Memory(sizeof *object);
    uint8_t *reader = Game_Memory(MODEL_READER_SIZE);
    object->base = Game_Address(reader);
    Open();
    Game_Call("animesh.LoadReader", LoadReader, NULL, true,
              (uint32_t[]){Game_Address(reader), Game_Address(object)});
    Game_Call("animesh.LoadReader", Nothing, NULL, true, (uint32_t[]){Game_Address(reader), 16});
    NotRecorded("archive", 1);
    NotRecorded("unreadable", 1);
}

TEST(AModelWithinALargerFileIsFound) {
    Open();
    /* there are more models than the recorder remembers */
    for (uint32_t i = 0; i < IMAGE_COUNT + 20; i++) {
        uint8_t *file = Game_Memory(fixture.game.model.size + 64 + i * 16);
        memcpy(file + 64 + i % 4 * 16, fixture.game.model.bytes, fixture.game.model.size);
        uint32_t shift = Game_Address(file + 64 + i % 4 * 16) - Game_Address(fixture.game.image);
        for (uint32_t field = 0; field < MODEL_READER_SIZE; field += 4) {
            uint32_t pointer;
            memcpy(&pointer, fixture.game.reader + field, 4);
            if (pointer - Game_Address(fixture.game.image) < fixture.game.model.size) {
                pointer += shift;
                memcpy(fixture.game.reader + field, &pointer, 4);
            }
        }
        fixture.game.image += (int32_t)shift;
        CallSample(0, i);
    }
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, IMAGE_COUNT + 20);
}

TEST(ATextIsRecordedWithItsEnd) {
    char *text = Game_MemoryAtEnd(6);
    memcpy(text, "hello", 6);
    Open();
    Game_Call("ngi32.niOutputDebugString", Nothing, NULL, true, (uint32_t[]){Game_Address(text)});
    text[5] = '!'; /* there is no terminator before the page that cannot be read */
    Game_Call("ngi32.niOutputDebugString", Nothing, NULL, true, (uint32_t[]){Game_Address(text)});
    Opened opened = First();
    assert_int_equal(Word(opened.call.inputs, 0), 6);
    assert_string_equal((const char *)opened.call.inputs + 4, "hello");
    TraceReader_Close(opened.reader);
    NotRecorded("unreadable", 1);
}

static void CrashSecond(const uint32_t *arguments, LiveResult *result) {
    static int calls;
    if (calls++ % 2)
        SumCrash(arguments, result);
    (void)result;
}

TEST(ASecondRunThatCrashesIsSurvived) {
    Open();
    Game_Call("ngi32.slot14", CrashSecond, NULL, true,
              (uint32_t[]){Game_Address(fixture.in), Game_Address(fixture.out)});
    NotRecorded("impure", 1);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *CallMuch(void *context) {
    uint32_t *in = Game_Memory(4096);
    (void)context;
    for (uint32_t i = 0; i < 20000; i++)
        Call14At(in, in + 64);
    return NULL;
}

TEST(ThreadsShareARisingSequence) {
    pthread_t threads[3];
    Open();
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, CallMuch, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    Observe_EndProcess();
    /* the reader refuses a sequence number that is not larger than the last */
    GameTrace trace = Game_ReadTrace(fixture.path, false);
    assert_int_equal(trace.calls, 60000);
    assert_int_equal(trace.last_sequence, 59999);
}

static void Nested(const uint32_t *arguments, LiveResult *result) {
    Game_Call("ngi32.slot14", Sum, NULL, true, arguments);
    (void)result;
}

TEST(ANestedCallComesBeforeTheOneItIsIn) {
    Open();
    Game_Call("ngi32.slot15", Nested, NULL, true,
              (uint32_t[]){Game_Address(fixture.in), Game_Address(fixture.out)});
    Opened opened = First();
    assert_string_equal(opened.call.function->key, "ngi32.slot14");
    TraceReader_Close(opened.reader);
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, 2);
}

TEST(CallsAreInTheFileWithinTheFlushTime) {
    fixture.settings.record_flush_ms = 50;
    Open();
    Call14();
    usleep(400000);
    assert_int_equal(Game_ReadTrace(fixture.path, true).calls, 1);
}

static uint64_t FileBytes(const char *path) {
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (uint64_t)facts.st_size;
}

TEST(AFlushThatChangesAtRunTimeCountsFromThenOn) {
    fixture.settings.record_flush_ms = 60000;
    Open();
    Call14();
    fixture.settings.record_flush_ms = 20;
    Observe_Change(&fixture.settings);
    Call14();
    uint64_t header = FileBytes(Part(2)), found = header;
    for (int turn = 0; turn < 500 && found == header; turn++) {
        usleep(10000);
        found = FileBytes(Part(2));
    }
    assert_true(found > header);
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(Part(2), false).calls, 1);
}

/* ---- the thread's last error ----------------------------------------------------------------- */

static int error_found;

static void TakeError(const uint32_t *arguments, LiveResult *result) {
    error_found = errno;
    Sum(arguments, result);
    errno = 77;
}

/* While a function runs on copies, the platform is asked whether the thread is inside a call. That
 * would overwrite the last error if it had not been read before. */
static void CallInside(const uint32_t *arguments, LiveResult *result) {
    errno = 1234;
    Game_Call("ngi32.slot14", TakeError, NULL, true, arguments);
    assert_int_equal(errno, 77);
    (void)result;
}

TEST(TheLastErrorReachesTheFunctionAndComesBack) {
    const uint32_t arguments[] = {Game_Address(fixture.in), Game_Address(fixture.out)};
    Open();
    errno = 1234;
    Game_Call("ngi32.slot14", TakeError, NULL, true, arguments);
    assert_int_equal(errno, 77);
    assert_int_equal(error_found, 1234);
    error_found = 0;
    Game_Call("ngi32.slot15", Sum, CallInside, false, arguments);
    assert_int_equal(error_found, 1234);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void KillAfter(uint32_t microseconds) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fixture.settings.record_flush_ms = 1;
        Open();
        for (uint32_t i = 0;; i++) {
            Call14();
            CallSample(i % 4, i);
        }
    }
    /* On a busy machine it may take long until the first bytes are there. The test is about what
     * comes after. */
    struct stat facts = {0};
    for (int i = 0; i < 20000 && (stat(fixture.path, &facts) || facts.st_size < 2048); i++)
        usleep(500);
    usleep(microseconds);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

TEST(AKilledProcessLeavesAValidPrefix) {
    uint32_t cut = 0;
    srand(20261121);
    for (int i = 0; i < 100; i++) {
        KillAfter(500 + (uint32_t)rand() % 20000);
        struct stat facts;
        if (stat(fixture.path, &facts) == 0 && facts.st_size > 0) {
            GameTrace trace = Game_ReadTrace(fixture.path, true);
            cut += trace.calls > 0;
        }
        unlink(fixture.path);
    }
    assert_true(cut > 50);
}

TEST(AProcessThatEndsHasItsLastCallsInTheTrace) {
    fixture.settings.record_flush_ms = 60000;
    pid_t child = fork();
    if (child == 0) {
        Open();
        for (int i = 0; i < 100; i++)
            Call14();
        Observe_EndProcess();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, 100);
}

TEST(AFileThatIsThereIsNotOverwritten) {
    FILE *file = fopen(fixture.path, "w");
    fputs("somebody's", file);
    fclose(file);
    Open();
    Call14();
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(Part(2), false).calls, 1);
    struct stat facts;
    stat(fixture.path, &facts);
    assert_int_equal(facts.st_size, 10);
}

TEST(ATraceThatCannotBeMadeIsSaidAndNothingElseHappens) {
    snprintf(fixture.settings.record_file, sizeof fixture.settings.record_file,
             "nowhere/game.rptrace");
    Open();
    Call14();
    assert_int_equal(fixture.out[3], fixture.in[3] + 3);
    assert_non_null(strstr(Game_Log(), "nothing is recorded"));
}

TEST(AFullDiskEndsTheRecordingWithAValidPrefix) {
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {100000, 100000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        fixture.settings.record_flush_ms = 1;
        Open();
        for (int i = 0; i < 20000; i++) {
            Call14();
            if (fixture.out[3] != fixture.in[3] + 3)
                _exit(3);
        }
        Observe_EndProcess();
        _exit(strstr(Game_Log(), "recording stops") ? 0 : 4);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 0);
    GameTrace trace = Game_ReadTrace(fixture.path, true);
    assert_true(trace.calls < 20000);
}

TEST(TheLimitEndsTheRecordingWithAnEnd) {
    fixture.settings.record_limit = 50000;
    Open();
    for (int i = 0; i < 5000; i++)
        Call14();
    Observe_EndProcess();
    GameTrace trace = Game_ReadTrace(fixture.path, false);
    assert_in_range(trace.calls, 400, 500);
    assert_int_equal(NoteNumber("limit-reached"), 1);
}

TEST(RecordingIsSwitchedWhileTheGameRuns) {
    LiveSettings off = fixture.settings;
    off.record = false;
    Game_Open(fixture.folder, &off);
    Call14();
    Observe_Change(&fixture.settings);
    Call14();
    Call14();
    Observe_Change(&off);
    Call14();
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(fixture.path, false).calls, 2);
}

/* ---- who has served ------------------------------------------------------------------------- */

/* Checks which provider a file's header names, and the number of its calls. */
static void AssertPart(uint32_t number, const char *provider, uint64_t calls) {
    char found[32];
    TraceReader *reader;
    RpError error;
    assert_int_equal(TraceReader_Open(Part(number), &reader, &error), RP_OK);
    TraceHeader_Get(TraceReader_Header(reader), "provider", found, sizeof found);
    TraceReader_Close(reader);
    assert_string_equal(found, provider);
    assert_int_equal(Game_ReadTrace(Part(number), false).calls, calls);
}

static void ChangeMode(LiveMode mode) {
    fixture.settings.default_mode = mode;
    Observe_Change(&fixture.settings);
}

static void CallServed(bool by_replacement) {
    Game_Serve(by_replacement);
    Call14();
}

/* Ngi32.dll has the observer. The gates of AniMesh.dll follow a change up to 200 ms later than its
 * gates. */
TEST(ALateCallIsInNoPartOfTheOtherSide) {
    fixture.settings.default_mode = LIVE_REPLACEMENT;
    Open();
    CallServed(true);
    ChangeMode(LIVE_ORIGINAL);
    CallServed(true); /* the gate has not changed yet */
    CallServed(false);
    CallServed(true); /* the gate has not changed yet */
    usleep(1100000);
    CallServed(false);
    CallServed(false);
    ChangeMode(LIVE_REPLACEMENT);
    CallServed(false); /* the gate has not changed yet */
    CallServed(true);
    Observe_EndProcess();
    AssertPart(1, "mixed", 1);
    AssertPart(2, "mixed", 3);
    AssertPart(3, "stand-in", 2);
    AssertPart(4, "mixed", 2);
}

/* The header of the first file is written before there is any call. */
TEST(AChangeBeforeTheFirstCallLeavesNoFalseHeader) {
    fixture.settings.default_mode = LIVE_ORIGINAL;
    Open();
    ChangeMode(LIVE_REPLACEMENT);
    CallServed(true);
    CallServed(false);
    Observe_EndProcess();
    AssertPart(1, "stand-in", 0);
    AssertPart(2, "mixed", 2);
}

/* The header of a file is written with its first calls, and the settings may have changed by
 * then. */
TEST(AHeaderIsOfTheCallsAndNotOfTheTimeItIsWritten) {
    fixture.settings.default_mode = LIVE_ORIGINAL;
    fixture.settings.record_flush_ms = 60000;
    Open();
    CallServed(false);
    ChangeMode(LIVE_REPLACEMENT);
    CallServed(true);
    ChangeMode(LIVE_ORIGINAL);
    CallServed(false);
    Observe_EndProcess(); /* this writes everything */
    AssertPart(1, "stand-in", 1);
    AssertPart(2, "mixed", 1);
    AssertPart(3, "stand-in", 1);
}

/* ---- the ring -------------------------------------------------------------------------------- */

TEST(ARingKeepsTheLastCallsInWholeFiles) {
    const uint64_t ring = 1 << 20;
    fixture.settings.record_ring = ring;
    fixture.settings.record_flush_ms = 1;
    Open();
    uint32_t calls = 0;
    for (; calls < 40000; calls += 2) {
        Call14();
        CallSample(calls % 4, calls);
    }
    Observe_EndProcess();
    uint64_t bytes = 0, last = 0;
    uint32_t files = 0, first = 0;
    for (uint32_t number = 1; number < 200; number++) {
        char path[320];
        struct stat facts;
        snprintf(path, sizeof path, "%s/game-%05u.rptrace", fixture.folder, number);
        if (stat(path, &facts))
            continue;
        GameTrace trace = Game_ReadTrace(path, false);
        assert_true(trace.calls == 0 || trace.last_sequence > last);
        last = trace.calls ? trace.last_sequence : last;
        first = first ? first : number;
        bytes += (uint64_t)facts.st_size;
        files++;
    }
    assert_true(first > 1); /* the ring has gone round */
    assert_true(files >= 5);
    assert_true(bytes <= ring);
    assert_int_equal(last, calls - 1);
}

AROUND_EACH(SetUp, TearDown)
