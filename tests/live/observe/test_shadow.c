/* Tests of shadow mode: differences are found and written down, and the game never notices. */
#include "functions.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    char folder[256], log[300], trace[300];
    LiveSettings settings;
    uint32_t *in, *in2, *out;
    char text[65536];
} Fixture;

static int SetUp(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    Game_MakeFolder(fixture->folder, sizeof fixture->folder);
    snprintf(fixture->log, sizeof fixture->log, "%s/shadow.log", fixture->folder);
    snprintf(fixture->trace, sizeof fixture->trace, "%s/shadow.rptrace", fixture->folder);
    fixture->settings = Game_Settings();
    snprintf(fixture->settings.shadow_log, sizeof fixture->settings.shadow_log, "shadow.log");
    fixture->in = Game_Floats();
    fixture->in2 = fixture->in + 64;
    fixture->out = fixture->in + 128;
    *state = fixture;
    return 0;
}

static int TearDown(void **state) {
    Fixture *fixture = *state;
    Observe_EndProcess();
    Game_RemoveFolder(fixture->folder);
    free(fixture);
    return 0;
}

/* Returns the log after its last lines were written. */
static const char *LogOf(Fixture *fixture) {
    Observe_EndProcess();
    FILE *file = fopen(fixture->log, "rb");
    if (!file)
        return "";
    size_t size = fread(fixture->text, 1, sizeof fixture->text - 1, file);
    fixture->text[size] = 0;
    fclose(file);
    return fixture->text;
}

static uint32_t Count(const char *text, const char *words) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

/* Demands the results of `Sum`, whatever the shadow does. */
static void Call(Fixture *fixture, GameFunction shadow) {
    uint32_t expected[16];
    fixture->in[0]++;
    fixture->out[16] = 0xB0B0B0B0u;
    for (uint32_t i = 0; i < 16; i++)
        expected[i] = fixture->in[i % 4] + i;
    Game_Call("ngi32.slot14", Sum, shadow, false,
              (uint32_t[]){Game_Address(fixture->in), Game_Address(fixture->out)});
    assert_memory_equal(fixture->out, expected, sizeof expected);
    assert_int_equal(fixture->out[16], 0xB0B0B0B0u);
}

TEST(test_equal_functions_leave_no_difference) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 1000; i++)
        Call(fixture, Sum);
    const char *log = LogOf(fixture);
    assert_int_equal(Count(log, "difference "), 0);
    assert_non_null(strstr(log, "ngi32.slot14: compared 1000 of 1000 calls, differences 0"));
}

TEST(test_a_difference_is_written_with_both_values_and_the_inputs) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    fixture->in[0] = 0x40000000u - 1;
    fixture->in[1] = 0x3F800000u;
    Call(fixture, SumWrong);
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "difference 1 of ngi32.slot14 QuaternionToMatrix, its call 1 "
                                "(control word 027F, MXCSR 1F80)"));
    assert_non_null(strstr(log, "  matrix[2][1]: stand-in 3F800009 1.00000107, replacement "
                                "3F80000A 1.00000119, 1 ulp\r\n"));
    assert_non_null(strstr(log, "  input quaternion[0] = 40000000 2\r\n"));
    assert_int_equal(Count(log, ": stand-in "), 1);
}

TEST(test_the_first_differences_are_written_and_all_are_counted) {
    Fixture *fixture = *state;
    fixture->settings.shadow_first = 5;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 50; i++)
        Call(fixture, SumWrong);
    const char *log = LogOf(fixture);
    assert_int_equal(Count(log, "difference "), 5);
    assert_non_null(strstr(log, "compared 50 of 50 calls, differences 50"));
}

TEST(test_differing_calls_are_in_a_trace_beside_the_log) {
    Fixture *fixture = *state;
    fixture->settings.shadow_first = 3;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 10; i++) {
        Call(fixture, Sum);
        Call(fixture, SumWrong);
    }
    Observe_EndProcess();
    assert_int_equal(Game_ReadTrace(fixture->trace, false).calls, 3);
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found;
    char provider[32];
    assert_int_equal(TraceReader_Open(fixture->trace, &reader, &error), RP_OK);
    TraceHeader_Get(TraceReader_Header(reader), "provider", provider, sizeof provider);
    assert_string_equal(provider, "stand-in");
    assert_int_equal(TraceReader_Next(reader, &call, &found, &error), RP_OK);
    uint32_t element, input;
    memcpy(&element, call.outputs + 36, 4);
    memcpy(&input, call.inputs + 4, 4);
    assert_int_equal(element, input + 9); /* the original's answer, not the wrong one */
    TraceReader_Close(reader);
}

TEST(test_one_call_in_so_many_is_compared) {
    Fixture *fixture = *state;
    fixture->settings.shadow_sample = 8;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 800; i++)
        Call(fixture, SumWrong);
    assert_non_null(strstr(LogOf(fixture), "compared 100 of 800 calls, differences 100"));
}

TEST(test_the_log_never_grows_beyond_its_limit) {
    Fixture *fixture = *state;
    fixture->settings.shadow_first = 1000;
    fixture->settings.shadow_limit = 4096;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 200; i++)
        Call(fixture, SumWrong);
    const char *log = LogOf(fixture);
    assert_true(strlen(log) <= 4096);
    assert_non_null(strstr(log, "the log is full"));
    assert_int_equal(Count(log, "the log is full"), 1);
}

TEST(test_a_crash_of_the_shadow_is_written_and_the_game_goes_on) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 10; i++)
        Call(fixture, SumCrash);
    const char *log = LogOf(fixture);
    assert_int_equal(Count(log, "crash in ngi32.slot14"), 3);
    assert_non_null(strstr(log, "crashes 3"));
    assert_non_null(strstr(log, "no longer compared"));
}

TEST(test_bytes_outside_of_the_outputs_are_a_difference) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    Call(fixture, SumSloppy);
    assert_non_null(strstr(LogOf(fixture), "bytes outside of its outputs changed"));
}

TEST(test_a_float_result_is_compared_with_all_its_bits) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    uint32_t arguments[] = {Game_Address(fixture->in)};
    Game_Call("ngi32.slot38", Length, Length, false, arguments);
    Game_Call("ngi32.slot38", Length, LengthWrong, false, arguments);
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "compared 2 of 2 calls, differences 1"));
    assert_non_null(strstr(log, "  return: stand-in 4000"));
}

/* The game computes a <- a * b. Each element is written before the next is computed. */
TEST(test_results_and_control_words_are_compared) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    fixture->in[0] = 3;
    uint32_t arguments[] = {Game_Address(fixture->in), Game_Address(fixture->in2),
                            Game_Address(fixture->in2 + 8), Game_Address(fixture->out)};
    Game_Call("ngi32.slot45", Hit, HitWrong, false, arguments);
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "  return: stand-in 00000001 1, replacement 00000002 2\r\n"));
    assert_non_null(strstr(log, "  control word: stand-in 027F, replacement 037F\r\n"));
    assert_non_null(strstr(log, "  MXCSR: stand-in 1F80, replacement 9F80\r\n"));
}

static void NullSlot(const uint32_t *arguments, LiveResult *result) {
    (void)arguments;
    result->eax = 0;
}

TEST(test_a_pointer_result_and_whole_numbers_are_written) {
    Fixture *fixture = *state;
    GameModel game;
    Game_Load(&game, 10);
    Game_Open(fixture->folder, &fixture->settings);
    Game_Call("animesh.FindSlot", FindSlot, NullSlot, false,
              (uint32_t[]){Game_Address(game.pieces), 1, UINT32_MAX});
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "  return: stand-in "));
    assert_non_null(strstr(log, "  input variant = FFFFFFFF -1\r\n"));
}

TEST(test_what_cannot_be_copied_is_counted_and_passed_through) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    fixture->in[0] = 2;
    Game_Call("ngi32.slot45", Hit, Hit, false,
              (uint32_t[]){Game_Address(fixture->in), 16, 16, Game_Address(fixture->out)});
    assert_non_null(strstr(LogOf(fixture), "compared 0 of 1 calls, differences 0, crashes 0, not "
                                           "comparable 1"));
}

TEST(test_another_limit_makes_room_in_a_full_log) {
    Fixture *fixture = *state;
    fixture->settings.shadow_first = 1000;
    fixture->settings.shadow_limit = 2048;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 50; i++)
        Call(fixture, SumWrong);
    fixture->settings.shadow_limit = 1 << 20;
    Observe_Change(&fixture->settings);
    Call(fixture, SumWrong);
    assert_non_null(strstr(LogOf(fixture), "difference 51 of ngi32.slot14"));
}

TEST(test_shared_memory_is_shared_by_the_copies) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    uint32_t arguments[] = {Game_Address(fixture->in), Game_Address(fixture->in2),
                            Game_Address(fixture->in)};
    Game_Call("ngi32.slot23", Product, Product, false, arguments);
    Game_Call("ngi32.slot23", Product, ProductInPlace, false, arguments);
    assert_non_null(strstr(LogOf(fixture), "compared 2 of 2 calls, differences 1"));
}

TEST(test_an_output_starts_with_what_was_in_it) {
    Fixture *fixture = *state;
    Game_Open(fixture->folder, &fixture->settings);
    fixture->in[0] = 2; /* the function does not hit, and neither side writes anything */
    uint32_t arguments[] = {Game_Address(fixture->in), Game_Address(fixture->in2),
                            Game_Address(fixture->in2 + 8), Game_Address(fixture->out)};
    Game_Call("ngi32.slot45", Hit, Hit, false, arguments);
    assert_non_null(strstr(LogOf(fixture), "compared 1 of 1 calls, differences 0"));
}

TEST(test_pieces_are_read_where_they_are) {
    Fixture *fixture = *state;
    GameModel game;
    Game_Load(&game, 9);
    Game_Open(fixture->folder, &fixture->settings);
    uint32_t arguments[] = {Game_Address(game.pieces), 3, Game_Address(fixture->out),
                            Game_Address(fixture->out + 4)};
    Game_Call("animesh.SampleNode", SampleNode, SampleNode, false, arguments);
    Game_Call("animesh.FindSlot", FindSlot, FindSlot, false,
              (uint32_t[]){Game_Address(game.pieces), 1, 0});
    const char *log = LogOf(fixture);
    assert_int_equal(Count(log, "compared 1 of 1 calls, differences 0"), 2);
}

static uint32_t inner_calls;

static void Inner(const uint32_t *arguments, LiveResult *result) {
    inner_calls++;
    Sum(arguments, result);
}

static void Outer(const uint32_t *arguments, LiveResult *result) {
    (void)result;
    Game_Call("ngi32.slot14", Inner, SumWrong, true, arguments);
}

TEST(test_calls_inside_of_a_shadow_are_nobodys) {
    Fixture *fixture = *state;
    fixture->settings.record = true;
    Game_Open(fixture->folder, &fixture->settings);
    inner_calls = 0;
    Game_Call("ngi32.slot15", Outer, Outer, false,
              (uint32_t[]){Game_Address(fixture->in), Game_Address(fixture->out)});
    assert_int_equal(inner_calls, 2); /* but slot 14 was only observed in the first call */
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "ngi32.slot14: compared 1 of 1 calls"));
    char path[320];
    snprintf(path, sizeof path, "%s/game.rptrace", fixture->folder);
    assert_int_equal(Game_ReadTrace(path, false).calls, 1);
}

static void *CallMuch(void *context) {
    uint32_t *in = Game_Memory(4096);
    LiveResult result;
    (void)context;
    for (uint32_t i = 0; i < 5000; i++) {
        in[0] = i;
        result = Game_Call("ngi32.slot14", Sum, i % 500 ? Sum : SumWrong, true,
                           (uint32_t[]){Game_Address(in), Game_Address(in + 64)});
        if (in[64 + 12] != i + 12)
            return in;
    }
    (void)result;
    return NULL;
}

TEST(test_threads_compare_and_record_at_once) {
    Fixture *fixture = *state;
    pthread_t threads[4];
    fixture->settings.record = true;
    fixture->settings.shadow_first = 10;
    Game_Open(fixture->folder, &fixture->settings);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, CallMuch, NULL);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    const char *log = LogOf(fixture);
    assert_non_null(strstr(log, "compared 20000 of 20000 calls, differences 40"));
    assert_int_equal(Count(log, "difference "), 10);
    assert_int_equal(Game_ReadTrace(fixture->trace, false).calls, 10);
}

TEST(test_a_log_that_cannot_be_opened_is_said_once) {
    Fixture *fixture = *state;
    snprintf(fixture->settings.shadow_log, sizeof fixture->settings.shadow_log, "no/shadow.log");
    Game_Open(fixture->folder, &fixture->settings);
    Call(fixture, SumWrong);
    Call(fixture, SumWrong);
    assert_int_equal(Count(Game_Log(), "cannot open"), 1);
}

AROUND_EACH(SetUp, TearDown)

int main(void) {
    return Tests_Run();
}
