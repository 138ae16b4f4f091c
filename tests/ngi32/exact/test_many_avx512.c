/* Tests that the core's code for AVX-512, which few processors run, gives the bits of its code for
 * SSE2, refuses the same nodes and sets the same flags. Its source is compiled with the header in
 * avx512_in_c/ in place of the compiler's, so that its instructions are carried out in C:
 *
 *   ngi32_exact_many_avx512 [ROUNDS]
 *
 * Other tests show that the code for SSE2 gives what the x87 computes. */
#include "animesh/pose_many.h"
#include "ngi32/processor/state.h"
#include "replay/composed/random_pair.h"
#include "replay/composed/random_skeleton.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This is ngi32/exact/many_avx512.c, compiled for this test. */
extern const ExactWidth exact_avx512_in_c;

enum { NARROW, PLAYED, WIDTHS };
static const ExactWidth *const widths[WIDTHS] = {&exact_sse2, &exact_avx512_in_c};

static uint64_t rounds = 6000; /* the number of rounds of each test */

static const ExactSum orders[] = {EXACT_SEQUENTIAL, EXACT_PAIRS, EXACT_REVERSE, EXACT_W_LAST,
                                  EXACT_HALVES};

static ExactSum OrderOf(uint64_t round) {
    return orders[round % (sizeof orders / sizeof *orders)];
}

/* Returns a count. Every count from 1 to 64 comes up, and each of them with all orders. */
static int CountOf(uint64_t round) {
    return 1 + (int)(round % EXACT_MANY);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* How a call of each width ended. */
typedef struct Endings {
    uint64_t refused[WIDTHS];
    uint32_t faults[WIDTHS];
    bool valid[WIDTHS];
} Endings;

static uint32_t Begin(void) {
    return Exact_Enter();
}

static void End(Endings *endings, int width, uint32_t before) {
    endings->faults[width] = State_Flags() & MXCSR_FAULTS;
    endings->valid[width] = Exact_LeaveGuarded(before);
}

static void CompareEndings(const char *function, const Endings *endings) {
    if (endings->refused[PLAYED] != endings->refused[NARROW])
        fail_msg("%s refuses %016llx, expected %016llx", function,
                 (unsigned long long)endings->refused[PLAYED],
                 (unsigned long long)endings->refused[NARROW]);
    if (endings->faults[PLAYED] != endings->faults[NARROW] ||
        endings->valid[PLAYED] != endings->valid[NARROW])
        fail_msg("%s sets flags %x, expected %x", function, (unsigned)endings->faults[PLAYED],
                 (unsigned)endings->faults[NARROW]);
}

static uint32_t BitsAt(const float *number) {
    return *(const volatile uint32_t *)(const void *)number;
}

static bool IsNan(uint32_t bits) {
    return Float_IsNaN(bits);
}

/* Compares a number. The bits of a NaN depend on which operand of an operation comes first, which
 * the compiler chooses. No caller sees them, because a flag is set, or the node is refused. */
static void CompareNumber(const char *function, int i, int k, const float *found,
                          const float *expected) {
    const uint32_t of_found = BitsAt(found), of_expected = BitsAt(expected);
    if (of_found != of_expected && !(IsNan(of_found) && IsNan(of_expected)))
        fail_msg("%s, node %d, number %d: %08x, expected %08x", function, i, k, (unsigned)of_found,
                 (unsigned)of_expected);
}

/* Results of refused nodes are compared, too, because nothing that a width does depends on its
 * lanes. */
static void CompareRotations(const char *function, int count, const ExactRotations *results) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            CompareNumber(function, i, k, &results[PLAYED].number[k][i],
                          &results[NARROW].number[k][i]);
}

static void ComparePoses(const char *function, int count, const ExactPoses *poses) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++)
            CompareNumber(function, i, k, &poses[PLAYED].rotations.number[k][i],
                          &poses[NARROW].rotations.number[k][i]);
        for (int k = 0; k < 3; k++)
            CompareNumber(function, i, 4 + k, &poses[PLAYED].position[k][i],
                          &poses[NARROW].position[k][i]);
    }
}

/* Compares the first `count` numbers of a matrix, which has 16. */
static void CompareMatrix(const char *function, int i, const float *found, const float *expected,
                          int numbers) {
    for (int k = 0; k < numbers; k++)
        CompareNumber(function, i, k, found + k, expected + k);
}

/* What has been compared. Each test must have met all of these cases. */
typedef struct Tally {
    uint64_t taken, refused; /* counted in nodes, or in calls */
    uint64_t valid, flagged; /* counted in calls */
} Tally;

static void Count(Tally *tally, const Endings *endings, int count) {
    const uint64_t refused = (uint64_t)__builtin_popcountll(endings->refused[NARROW]);
    tally->refused += refused;
    if (endings->valid[NARROW]) {
        tally->valid++;
        tally->taken += (uint64_t)count - refused;
    } else {
        tally->flagged++;
    }
}

static void Report(const char *function, const Tally *tally) {
    print_message("%s: %llu taken, %llu refused; %llu calls without flags, %llu with\n", function,
                  (unsigned long long)tally->taken, (unsigned long long)tally->refused,
                  (unsigned long long)tally->valid, (unsigned long long)tally->flagged);
    assert_true(tally->taken > rounds);
    assert_true(tally->valid > rounds / 10 && tally->flagged > rounds / 100);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef struct Inputs {
    ExactPoses a, b;
    float t[EXACT_MANY];
} Inputs;

static void PutBits(float *to, uint32_t bits) {
    *(volatile uint32_t *)(void *)to = bits;
}

static void DrawPosition(Random *random, bool special, ExactPoses *poses, int i) {
    for (int k = 0; k < 3; k++) {
        const uint32_t usual = Value_Random(random, MAGNITUDE_WORLD);
        PutBits(&poses->position[k][i], special ? Value_Special(random) : usual);
    }
}

/* Repeats the last element in the lanes after the count, so that these set no flag of their own. */
static void PadNumbers(float *numbers, int count) {
    for (int i = count; i < EXACT_MANY; i++)
        memcpy(numbers + i, numbers + count - 1, sizeof *numbers);
}

static void PadPoses(ExactPoses *poses, int count) {
    for (int k = 0; k < 4; k++)
        PadNumbers(poses->rotations.number[k], count);
    for (int k = 0; k < 3; k++)
        PadNumbers(poses->position[k], count);
}

/* Draws inputs. In half of the rounds no number can set a flag. In the others, one node in 32 has a
 * number of any class in its rotations, its fraction or its positions. */
static void DrawInputs(Random *random, uint64_t round, int count, Inputs *inputs) {
    for (int i = 0; i < count; i++) {
        RandomPair pair;
        if (Random_OneIn(random, 8))
            RandomPair_MakeEdge(random, &pair);
        else
            RandomPair_Make(random, &pair);
        const bool special = round / EXACT_MANY % 2 && Random_OneIn(random, 32);
        if (special)
            RandomPair_PutSpecial(random, &pair);
        for (int k = 0; k < 4; k++) {
            memcpy(&inputs->a.rotations.number[k][i], &pair.q0[k], sizeof(float));
            memcpy(&inputs->b.rotations.number[k][i], &pair.q1[k], sizeof(float));
        }
        memcpy(&inputs->t[i], &pair.t, sizeof pair.t);
        DrawPosition(random, special && Random_OneIn(random, 2), &inputs->a, i);
        DrawPosition(random, special && Random_OneIn(random, 2), &inputs->b, i);
    }
    PadPoses(&inputs->a, count);
    PadPoses(&inputs->b, count);
    PadNumbers(inputs->t, count);
}

/* ---- rotations and blends -------------------------------------------------------------------- */

TEST(Interpolate) {
    static Inputs inputs;
    static ExactRotations results[WIDTHS];
    Tally tally = {0};
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 interpolate", 1, round);
        const int count = CountOf(round);
        Endings endings = {0};
        DrawInputs(&random, round, count, &inputs);
        for (int w = 0; w < WIDTHS; w++) {
            /* The result may be one of the inputs. */
            results[w] = round % 2 ? inputs.a.rotations : inputs.b.rotations;
            const ExactRotations *q0 = round % 2 ? &results[w] : &inputs.a.rotations;
            const ExactRotations *q1 = round % 2 ? &inputs.b.rotations : &results[w];
            const uint32_t before = Begin();
            endings.refused[w] =
                widths[w]->interpolate(q0, q1, inputs.t, count, OrderOf(round), &results[w]);
            End(&endings, w, before);
        }
        CompareEndings("interpolate", &endings);
        CompareRotations("interpolate", count, results);
        Count(&tally, &endings, count);
    }
    Report("interpolate", &tally);
    assert_true(tally.refused > rounds / 10);
}

TEST(Blend) {
    static Inputs inputs;
    static ExactPoses results[WIDTHS];
    Tally tally = {0};
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 blend", 1, round);
        const int count = CountOf(round);
        Endings endings = {0};
        DrawInputs(&random, round, count, &inputs);
        for (int w = 0; w < WIDTHS; w++) {
            results[w] = round % 2 ? inputs.a : inputs.b;
            const ExactPoses *a = round % 2 ? &results[w] : &inputs.a;
            const ExactPoses *b = round % 2 ? &inputs.b : &results[w];
            const uint32_t before = Begin();
            endings.refused[w] =
                widths[w]->blend(a, b, count, inputs.t, OrderOf(round), &results[w]);
            End(&endings, w, before);
        }
        CompareEndings("blend", &endings);
        ComparePoses("blend", count, results);
        Count(&tally, &endings, count);
    }
    Report("blend", &tally);
    assert_true(tally.refused > rounds / 10);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Nodes of one skeleton, each at a time of its own. Some of them are held at a key, and some are
 * missing. */
typedef struct Samples {
    RandomSkeleton model;
    PoseRun tracks, segments;
    ExactPair pairs[SKELETON_MOST_KEYS];
} Samples;

static void PreparePairs(ExactSum order, const RandomSkeleton *model, ExactPair *pairs) {
    const uint32_t keys = model->skeleton.key_bytes / KEY_BYTES;
    const uint32_t before = Exact_Enter();
    for (uint32_t i = 0; i < keys; i++) {
        const uint32_t next = i + 1 < keys ? i + 1 : i;
        Exact_PreparePair(order, model->keys + (size_t)i * KEY_BYTES,
                          model->keys + (size_t)next * KEY_BYTES, &pairs[i]);
    }
    Exact_Leave(before);
}

static void DrawSamples(Random *random, uint64_t round, int count, Samples *samples) {
    const bool strange = round / EXACT_MANY % 2;
    RandomSkeleton_Make(random, strange, &samples->model);
    const RpSkeleton *skeleton = &samples->model.skeleton;
    PoseRun_BeginOne(&samples->tracks, skeleton, NULL);
    PoseRun_Begin(&samples->segments);
    for (int i = 0; i < count; i++) {
        const uint32_t node = Random_Below(random, RpSkeleton_NodeCount(skeleton));
        PoseTimes times;
        do { /* until it is a time that the core is asked for */
            const SkeletonTimes drawn = SkeletonTimes_Draw(random, skeleton);
            times = PoseTimes_Of(drawn.a, -1, 0);
        } while (!times.has_a);
        PoseRun_AddNodes(&samples->tracks, &times, node, 1);
        PoseRun_Add(&samples->segments, skeleton, &times, node, 1);
        if (strange && Random_OneIn(random, 32)) { /* no key, or a time of any class */
            samples->tracks.side.tracks.key[i] = INT32_MAX - (int32_t)Random_Below(random, 2);
            PutBits(&samples->segments.side.segments.time[i], Value_Special(random));
        }
    }
    samples->tracks.side.tracks.pairs = samples->pairs;
    PreparePairs(OrderOf(round), &samples->model, samples->pairs);
    Exact_PadTracks(&samples->tracks.side.tracks, count);
    Exact_Pad(&samples->segments.side.segments, count);
}

typedef enum Sampling { OF_SEGMENTS, OF_TRACKS, OF_PAIRS, SAMPLINGS } Sampling;
static const char *const sampling_names[SAMPLINGS] = {"sample", "sample_tracks", "sample_prepared"};

static uint64_t SampleBy(Sampling sampling, const ExactWidth *width, const Samples *samples,
                         int count, ExactSum order, ExactPoses *poses) {
    switch (sampling) {
    case OF_SEGMENTS:
        return width->sample(&samples->segments.side.segments, count, order, poses);
    case OF_TRACKS:
        return width->sample_tracks(&samples->tracks.side.tracks, count, order, poses);
    default:
        return width->sample_prepared(&samples->tracks.side.tracks, count, poses);
    }
}

TEST(SamplesAreEqual) {
    static Samples samples;
    static ExactPoses poses[WIDTHS];
    Tally tallies[SAMPLINGS] = {0};
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 samples", 1, round);
        const int count = CountOf(round);
        DrawSamples(&random, round, count, &samples);
        for (int s = 0; s < SAMPLINGS; s++) {
            Endings endings = {0};
            for (int w = 0; w < WIDTHS; w++) {
                const uint32_t before = Begin();
                endings.refused[w] =
                    SampleBy((Sampling)s, widths[w], &samples, count, OrderOf(round), &poses[w]);
                End(&endings, w, before);
            }
            CompareEndings(sampling_names[s], &endings);
            ComparePoses(sampling_names[s], count, poses);
            Count(&tallies[s], &endings, count);
        }
    }
    for (int s = 0; s < SAMPLINGS; s++) {
        Report(sampling_names[s], &tallies[s]);
        assert_true(tallies[s].refused > rounds / 10);
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

TEST(MatricesAndPieces) {
    static Inputs inputs;
    static float matrices[WIDTHS][EXACT_MANY][16];
    /* the last element receives the lanes after the count */
    static ExactPiece pieces[WIDTHS][EXACT_MANY + 1];
    Tally tally = {0};
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 matrices", 1, round);
        const int count = CountOf(round);
        Endings of_matrices = {0}, of_pieces = {0};
        DrawInputs(&random, round, count, &inputs);
        for (int w = 0; w < WIDTHS; w++) {
            ExactPiece *places[EXACT_MANY];
            memset(pieces[w], 0xA5, sizeof pieces[w]);
            memset(matrices[w], 0xA5, sizeof matrices[w]);
            for (int i = 0; i < EXACT_MANY; i++)
                places[i] = &pieces[w][i < count ? count - 1 - i : EXACT_MANY];
            uint32_t before = Begin();
            widths[w]->to_matrices(&inputs.a, count, matrices[w]);
            End(&of_matrices, w, before);
            before = Begin();
            widths[w]->to_pieces(&inputs.a, count, places);
            End(&of_pieces, w, before);
        }
        CompareEndings("to_matrices", &of_matrices);
        CompareEndings("to_pieces", &of_pieces);
        for (int i = 0; i < count; i++) {
            CompareMatrix("to_matrices", i, matrices[PLAYED][i], matrices[NARROW][i], 16);
            CompareMatrix("to_pieces", i, pieces[PLAYED][i].local, pieces[NARROW][i].local, 16);
            CompareMatrix("to_pieces and to_matrices", i, pieces[PLAYED][i].local,
                          matrices[PLAYED][count - 1 - i], 16);
        }
        /* Nothing but the local matrices is written. */
        for (int i = 0; i < count; i++)
            assert_memory_equal(&pieces[PLAYED][i], &pieces[NARROW][i],
                                offsetof(ExactPiece, local));
        Count(&tally, &of_matrices, count);
    }
    Report("to_matrices, to_pieces", &tally);
}

/* ---- products -------------------------------------------------------------------------------- */

/* The kind of numbers of which a round's matrices are made. */
typedef struct Kind {
    Magnitude magnitude;
    uint32_t special; /* one of this many numbers is of any class; 0 means none */
    uint32_t odd;     /* one of this many matrices has an unusual last row; 0 means none */
} Kind;

static Kind KindOf(Random *random, uint64_t round) {
    Kind kind = {.magnitude = Value_Magnitude(random)};
    if (round / EXACT_MANY % 2) {
        kind.special = 16u << Random_Below(random, 8);
        kind.odd = 8u << Random_Below(random, 8);
    }
    return kind;
}

static void DrawMatrix(Random *random, const Kind *kind, float matrix[16]) {
    for (int k = 0; k < 16; k++) {
        const uint32_t usual = Value_Random(random, kind->magnitude);
        const bool special = kind->special && Random_OneIn(random, kind->special);
        PutBits(&matrix[k], special ? Value_Special(random) : usual);
    }
    static const float last[4] = {0, 0, 0, 1};
    memcpy(matrix + 12, last, sizeof last);
}

static void DrawAnyMatrix(Random *random, const Kind *kind, float matrix[16]) {
    DrawMatrix(random, kind, matrix);
    if (kind->odd && Random_OneIn(random, kind->odd))
        PutBits(&matrix[12 + Random_Below(random, 4)], Value_Special(random));
}

/* Adds up all sizes. A total cannot overflow unless this sum does. */
static void AddSizes(const float matrix[16], double *sum) {
    for (int k = 0; k < 12; k++)
        *sum += fabs((double)matrix[k]);
}

/* Returns how many numbers of a product are compared. Its last row may be computed, or be known
 * beforehand, which gives the same unless 0 is multiplied by a number that is not finite. */
static int NumbersOfProduct(const bool verdicts[WIDTHS]) {
    return verdicts[NARROW] || verdicts[PLAYED] ? 16 : 12;
}

/* Compares what the widths say about a total. Each of them adds it up in an order of its own. So if
 * it may overflow although every number is finite, the verdicts may differ (many.h), and so may the
 * flag that the overflow sets. If a verdict is negative, the caller repeats everything in another
 * way, whatever the flags are: not all widths compute with last rows and with what is added to a
 * NaN. */
static void CompareVerdicts(const char *function, const bool verdicts[WIDTHS], double sum,
                            const Endings *endings) {
    if (isfinite(sum) && sum >= 0x1p127)
        return;
    if (verdicts[PLAYED] != verdicts[NARROW])
        fail_msg("%s says %d, expected %d", function, verdicts[PLAYED], verdicts[NARROW]);
    if (verdicts[NARROW])
        CompareEndings(function, endings);
}

TEST(Products) {
    enum { BEFORE = 5 };
    static float local[EXACT_MANY][16], model[WIDTHS][BEFORE + EXACT_MANY][16];
    Tally tally = {0};
    uint64_t finite = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 products", 1, round);
        const int count = CountOf(round);
        const uint32_t first = Random_Below(&random, BEFORE + 1);
        const Kind kind = KindOf(&random, round);
        int32_t parents[EXACT_MANY];
        bool verdicts[WIDTHS];
        Endings endings = {0};
        double sum = 0;
        for (uint32_t i = 0; i < first; i++) {
            DrawMatrix(&random, &kind, model[NARROW][i]);
            memcpy(model[PLAYED][i], model[NARROW][i], sizeof model[PLAYED][i]);
        }
        for (int i = 0; i < count; i++) {
            DrawMatrix(&random, &kind, local[i]);
            parents[i] = (int32_t)Random_Below(&random, first + (uint32_t)i + 1) - 1;
        }
        for (int w = 0; w < WIDTHS; w++) {
            const uint32_t before = Begin();
            verdicts[w] =
                widths[w]->products((const float(*)[16])local, parents, count, model[w], first);
            End(&endings, w, before);
        }
        for (int i = 0; i < count; i++) {
            CompareMatrix("products", i, model[PLAYED][first + (uint32_t)i],
                          model[NARROW][first + (uint32_t)i], NumbersOfProduct(verdicts));
            AddSizes(model[NARROW][first + (uint32_t)i], &sum);
        }
        CompareVerdicts("products", verdicts, sum, &endings);
        finite += verdicts[PLAYED];
        Count(&tally, &endings, count);
    }
    Report("products", &tally);
    assert_true(finite > rounds / 4 && finite < rounds);
}

TEST(Place) {
    static ExactPiece pieces[WIDTHS][EXACT_MANY];
    Tally tally = {0};
    uint64_t sound = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        Random random = Random_Start("avx512 place", 1, round);
        const int count = CountOf(round);
        const Kind kind = KindOf(&random, round);
        const ExactPiece *parents[WIDTHS][EXACT_MANY];
        ExactPiece *places[WIDTHS][EXACT_MANY];
        bool verdicts[WIDTHS];
        Endings endings = {0};
        float placement[16];
        double sum = 0;
        memset(pieces, 0, sizeof pieces);
        DrawAnyMatrix(&random, &kind, placement);
        for (int i = 0; i < count; i++) {
            DrawAnyMatrix(&random, &kind, pieces[NARROW][i].local);
            const int parent = (int)Random_Below(&random, (uint32_t)i + 1) - 1;
            for (int w = 0; w < WIDTHS; w++) {
                memcpy(pieces[w][i].local, pieces[NARROW][i].local, sizeof pieces[w][i].local);
                places[w][i] = &pieces[w][i];
                parents[w][i] = parent < 0 ? NULL : &pieces[w][parent];
            }
        }
        for (int w = 0; w < WIDTHS; w++) {
            const uint32_t before = Begin();
            verdicts[w] = widths[w]->place(placement, parents[w], places[w], count);
            End(&endings, w, before);
        }
        for (int i = 0; i < count; i++) {
            AddSizes(pieces[NARROW][i].world, &sum);
            const int numbers = NumbersOfProduct(verdicts);
            CompareMatrix("model", i, pieces[PLAYED][i].model, pieces[NARROW][i].model, numbers);
            CompareMatrix("world", i, pieces[PLAYED][i].world, pieces[NARROW][i].world, numbers);
        }
        CompareVerdicts("place", verdicts, sum, &endings);
        sound += verdicts[PLAYED];
        Count(&tally, &endings, count);
    }
    Report("place", &tally);
    assert_true(sound > rounds / 4 && sound < rounds);
}

int main(int argc, char **argv) {
    if (argc > 1)
        rounds = strtoull(argv[1], NULL, 10);
    if (rounds == 0) {
        fprintf(stderr, "usage: %s [ROUNDS]\n", argv[0]);
        return 2;
    }
    return Tests_Run();
}
