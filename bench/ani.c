/* Measures how many samples of LEGO Island animations are taken per second, and how a sample's cost
 * grows with the keys of a track.
 *
 *   bench_ani [FILE.ani] > ani.csv
 *
 * One node has a translation and a rotation of N keys, 10 ms apart. It is sampled in both policies:
 * at a thousand times that are at most a key's distance apart (`forward`, with a cursor), and at
 * random times with a cursor and without one. `search` is the search for the key alone. A file is
 * sampled as a whole, frame by frame at 60 Hz. All variants run in turn. `number` is the number of
 * keys, or of a file's nodes. A time is that of one search or matrix. */
#include "retropose/ani.h"
#include "cli/bench/measure/bench_table.h"
#include "cli/bench/measure/timing.h"
#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, SAMPLES = 20000, KEY_DISTANCE = 10 };

static uint32_t seed = 1;

static float Draw(void) { /* returns 0 to 1 */
    return (float)(Random_Lcg32(&seed) >> 8) / 16777216.0f;
}

static void MakeAnimation(RpAni *ani, uint32_t keys) {
    RpAniKey *list = malloc(keys * sizeof *list);
    uint32_t node;
    if (!list)
        abort();
    RpAni_Init(ani, NULL);
    RpAni_AddNode(ani, RP_ANI_NO_NODE, "N", 1, &node, NULL);
    for (uint32_t i = 0; i < keys; i++)
        list[i] = RpAniKey_Translation(i * KEY_DISTANCE, 1, Draw(), Draw(), Draw());
    RpAni_SetKeys(ani, node, RP_ANI_TRANSLATION, list, keys, NULL);
    /* Quaternions from Pythagorean triples have length 1 and are never interpolated linearly. */
    for (uint32_t i = 0; i < keys; i++) {
        const float sign = i % 2 ? 1.0f : -1.0f;
        list[i] = RpAniKey_Rotation(i * KEY_DISTANCE, 1, 0.8f, sign * 0.6f, 0, 0);
    }
    RpAni_SetKeys(ani, node, RP_ANI_ROTATION, list, keys, NULL);
    free(list);
}

typedef enum Order { FORWARD, RANDOM_CURSOR, RANDOM_PLAIN, ORDERS } Order;
static const char *const order_names[ORDERS] = {"forward", "random-cursor", "random-plain"};

typedef struct Variant {
    Order order;
    int policy; /* -1 measures the search only */
    double runs[RUNS];
} Variant;

static volatile float sink;

static void FillTimes(float *times, Order order, uint32_t keys) {
    const float end = (float)((keys - 1) * KEY_DISTANCE);
    for (int i = 0; i < SAMPLES; i++)
        times[i] = order == FORWARD ? end * (float)i / SAMPLES : end * Draw();
}

/* Returns the nanoseconds of one sample. */
static double Run(const RpAni *ani, const Variant *variant, const float *times) {
    RpAniCursor cursor = {{0}};
    RpAniCursor *used = variant->order == RANDOM_PLAIN ? NULL : &cursor;
    const int64_t start = Bench_Nanoseconds();
    for (int i = 0; i < SAMPLES; i++) {
        float local[16] = {0};
        uint32_t key;
        if (variant->policy < 0)
            local[0] = (float)RpAniTrack_Find(&ani->nodes[0].tracks[RP_ANI_ROTATION], times[i],
                                              used ? &used->key[RP_ANI_ROTATION] : NULL, &key);
        else
            RpAni_SampleLocal(ani, 0, times[i], (RpAniPolicy)variant->policy, used, local);
        sink = local[0];
    }
    return (double)(Bench_Nanoseconds() - start) / SAMPLES;
}

static void MeasureKeys(BenchTable *table, uint32_t keys) {
    static float times[SAMPLES];
    Variant variants[ORDERS * 3];
    RpAni ani;
    MakeAnimation(&ani, keys);
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < ORDERS * 3; i++) {
            variants[i].order = (Order)(i / 3);
            variants[i].policy = i % 3 - 1;
            FillTimes(times, variants[i].order, keys);
            variants[i].runs[run] = Run(&ani, &variants[i], times);
        }
    for (int i = 0; i < ORDERS * 3; i++) {
        const int policy = variants[i].policy;
        BenchWay way = {policy < 0 ? "search" : RpAniPolicy_Name((RpAniPolicy)policy),
                        variants[i].runs, RUNS};
        BenchTable_Ways(table, order_names[variants[i].order], keys, &way, 1);
    }
    RpAni_Free(&ani);
}

static double RunFile(const RpAni *ani, RpAniPolicy policy, RpAniCursor *cursors,
                      float (*local)[16], float (*world)[16], uint8_t *visible) {
    const int64_t start = Bench_Nanoseconds();
    int frames = 0;
    memset(cursors, 0, ani->node_count * sizeof *cursors);
    for (int32_t frame = 0; frame * 1000 / 60 <= ani->duration; frame++, frames++)
        RpAni_Sample(ani, frame * 1000 / 60, policy, cursors, NULL, local, world, visible);
    return (double)(Bench_Nanoseconds() - start) / frames / ani->node_count;
}

static void MeasureFile(BenchTable *table, const RpAni *ani, const char *path) {
    float(*local)[16] = malloc(ani->node_count * sizeof *local);
    float(*world)[16] = malloc(ani->node_count * sizeof *world);
    uint8_t *visible = malloc(ani->node_count);
    RpAniCursor *cursors = malloc(ani->node_count * sizeof *cursors);
    double runs[RP_ANI_POLICIES][RUNS];
    for (int run = 0; local && world && visible && cursors && run < RUNS; run++)
        for (int policy = 0; policy < RP_ANI_POLICIES; policy++)
            runs[policy][run] = RunFile(ani, (RpAniPolicy)policy, cursors, local, world, visible);
    for (int policy = 0; policy < RP_ANI_POLICIES; policy++) {
        BenchWay way = {RpAniPolicy_Name((RpAniPolicy)policy), runs[policy], RUNS};
        BenchTable_Ways(table, path, ani->node_count, &way, 1);
    }
    free(local);
    free(world);
    free(visible);
    free(cursors);
}

static int ReadFile(const char *path, RpAni *ani) {
    static uint8_t image[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 2;
    const size_t size = fread(image, 1, sizeof image, file);
    fclose(file);
    return RpAni_Read(image, size, RP_ANI_FILE, RP_STRICT, NULL, ani, NULL) ? 1 : 0;
}

int main(int count, char **words) {
    static const uint32_t keys[] = {2, 16, 128, 1024, 8192, 65535};
    RpAni ani;
    BenchTable table = BenchTable_Begin("bench_ani", &count, words);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        MeasureKeys(&table, keys[i]);
    if (count > 1) {
        const int failure = ReadFile(words[1], &ani);
        if (failure)
            return failure;
        MeasureFile(&table, &ani, "file");
        RpAni_Free(&ani);
    }
    BenchTable_End(&table);
    return 0;
}
