/* Measures the sequencer of Asheron's Call: how many updates per second many objects get, and how
 * the cost grows with the number of objects, with the number of nodes in a list, and with the
 * number of frames that a tick crosses.
 *
 *   bench_ac > ac.csv
 *
 * All objects share one library. In `objects`, each plays a cycle at 30 frames a second in ticks of
 * 1/30 s. In `nodes`, the list has the given number of links before the cycle. In `frames`, a tick
 * goes over the given number of frames. In `commands`, PerformMovement switches to and fro between
 * two cycles. A time is that of one update or command. The lines about bytes count everything that
 * belongs to one object, which is RpMotion and its nodes. The stack of a command is counted once,
 * because RpMotion_Perform keeps there what it may have to take back. */
#include "cli/bench/measure/bench_table.h"
#include "cli/bench/measure/timing.h"
#include "retropose/sequencer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, FRAMES = 40, USUAL_NODES = 8, WALK = 0x45000005, READY = 0x41000003 };

/* ---- the library: one animation with root motion and a hook on every fourth frame ---------------
 */

static RpAcAnimation animation;
static RpAcMotionTable motion_table;

static const RpAcAnimation *Find(void *context, uint32_t id) {
    (void)id;
    return context;
}

static const RpAcLibrary library = {Find, &animation};

static void MakeAnimation(void) {
    static RpAcFrame frames[FRAMES];
    static RpAcHook hooks[FRAMES];
    static uint32_t first[FRAMES + 1];
    for (uint32_t i = 0; i < FRAMES; i++) {
        RpAcFrame_Identity(&frames[i]);
        frames[i].origin[1] = 0.04f;
        first[i + 1] = (i + 4) / 4;
    }
    animation = (RpAcAnimation){.id = 0x03000001,
                                .flags = 3,
                                .part_count = 1,
                                .frame_count = FRAMES,
                                .pos_frames = frames,
                                .part_frames = frames,
                                .first_hook = first,
                                .hooks = hooks,
                                .hook_count = first[FRAMES]};
}

static void PutData(RpBuffer *image, uint32_t key) {
    static const uint8_t head[4] = {1, 0, 2, 0};
    static const float omega[3] = {0, 0, 0.5f};
    const RpAcAnimRef ref = {animation.id, 0, -1, 30};
    RpBuffer_AppendU32(image, key);
    RpBuffer_Append(image, head, 4);
    RpBuffer_Append(image, &ref, sizeof ref);
    RpBuffer_Append(image, omega, 12);
}

/* Makes a table of two states, ready and walk, with a link in each direction. */
static void MakeTable(void) {
    const uint32_t style = 0x8000003D, motions[2] = {READY, WALK};
    const uint32_t head[] = {0x09000001, style, 1, style, READY, 2};
    RpBuffer image;
    RpBuffer_Init(&image, NULL);
    RpBuffer_Append(&image, head, sizeof head);
    for (int i = 0; i < 2; i++)
        PutData(&image, RpAc_Key(style, motions[i]));
    RpBuffer_AppendU32(&image, 0);
    RpBuffer_AppendU32(&image, 2);
    for (int i = 0; i < 2; i++) {
        RpBuffer_AppendU32(&image, RpAc_Key(style, motions[i]));
        RpBuffer_AppendU32(&image, 1);
        PutData(&image, motions[1 - i]);
    }
    if (RpAcMotionTable_Read(image.bytes, image.size, RP_STRICT, NULL, &motion_table, NULL))
        abort();
    RpBuffer_Free(&image);
}

/* ---- objects
 * -------------------------------------------------------------------------------------- */

typedef struct Crowd {
    RpMotion *objects;
    RpSequenceNode *nodes;
    uint32_t count;
    uint16_t capacity;
} Crowd;

static void Gather(Crowd *crowd, uint32_t count, uint16_t capacity) {
    crowd->objects = malloc(count * sizeof *crowd->objects);
    crowd->nodes = malloc((size_t)count * capacity * sizeof *crowd->nodes);
    crowd->count = count;
    crowd->capacity = capacity;
    if (!crowd->objects || !crowd->nodes)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        RpMotion_Init(&crowd->objects[i], &motion_table, crowd->nodes + (size_t)i * capacity,
                      capacity, &library);
        if (RpMotion_Start(&crowd->objects[i], NULL))
            abort();
        /* The objects begin at different times, so that they are out of step. */
        RpMotion_Tick(&crowd->objects[i], i * 0.001, NULL, NULL, NULL, NULL);
    }
}

static void Dismiss(Crowd *crowd) {
    free(crowd->objects);
    free(crowd->nodes);
}

static size_t BytesOf(const Crowd *crowd) {
    return sizeof *crowd->objects + crowd->capacity * sizeof *crowd->nodes;
}

static volatile uint32_t heard;

static void Hear(void *context, const RpSequenceEvent *event) {
    (void)context;
    heard = event->frame;
}

/* Returns the nanoseconds that a tick of one object takes. */
static double Tick(Crowd *crowd, double quantum, uint32_t ticks) {
    RpAcFrame offset;
    const int64_t start = Bench_Nanoseconds();
    for (uint32_t tick = 0; tick < ticks; tick++)
        for (uint32_t i = 0; i < crowd->count; i++) {
            RpAcFrame_Identity(&offset);
            if (RpMotion_Tick(&crowd->objects[i], quantum, &offset, Hear, NULL, NULL))
                abort();
        }
    return (double)(Bench_Nanoseconds() - start) / ticks / crowd->count;
}

static BenchTable table;

static void Print(const char *what, uint32_t number, double *runs, size_t bytes) {
    BenchWay way = {"ours", runs, RUNS};
    BenchTable_Ways(&table, what, number, &way, 1);
    BenchTable_Amount(&table, what, number, "an object", "bytes", (double)bytes);
}

static void MeasureObjects(uint32_t count) {
    Crowd crowd;
    double runs[RUNS];
    Gather(&crowd, count, USUAL_NODES);
    for (int run = 0; run < RUNS; run++)
        runs[run] = Tick(&crowd, 1.0 / 30, 200000 / count + 1);
    Print("objects", count, runs, BytesOf(&crowd));
    Dismiss(&crowd);
}

/* Measures a list whose links the ticks never leave, so that only their number matters. */
static void MeasureNodes(uint16_t nodes) {
    const RpAcAnimRef slow = {animation.id, 0, -1, 0.001f};
    Crowd crowd;
    double runs[RUNS];
    Gather(&crowd, 200, nodes);
    for (uint32_t i = 0; i < crowd.count; i++) {
        RpSequence_ClearAnimations(&crowd.objects[i].sequence);
        for (uint16_t node = 0; node < nodes; node++)
            if (RpSequence_Append(&crowd.objects[i].sequence, &slow, NULL))
                abort();
    }
    for (int run = 0; run < RUNS; run++)
        runs[run] = Tick(&crowd, 1.0 / 30, 200);
    Print("nodes", nodes, runs, BytesOf(&crowd));
    Dismiss(&crowd);
}

static void MeasureFrames(uint32_t frames) {
    Crowd crowd;
    double runs[RUNS];
    Gather(&crowd, 200, USUAL_NODES);
    for (int run = 0; run < RUNS; run++)
        runs[run] = Tick(&crowd, frames / 30.0, 20000 / (frames + 100));
    Print("frames", frames, runs, BytesOf(&crowd));
    Dismiss(&crowd);
}

static double Command(Crowd *crowd) {
    const int64_t start = Bench_Nanoseconds();
    for (uint32_t i = 0; i < crowd->count; i++)
        for (int j = 0; j < 2; j++) {
            uint32_t result;
            if (RpMotion_Perform(&crowd->objects[i], RP_AC_DO, j ? READY : WALK, 1, &result,
                                 NULL) ||
                result)
                abort();
        }
    const int64_t end = Bench_Nanoseconds();
    for (uint32_t i = 0; i < crowd->count; i++) {
        RpMotion_ExitWorld(&crowd->objects[i]);
        RpSequence_RemoveAllLinks(&crowd->objects[i].sequence);
    }
    return (double)(end - start) / 2 / crowd->count;
}

static void MeasureCommands(uint32_t count) {
    Crowd crowd;
    double runs[RUNS];
    Gather(&crowd, count, USUAL_NODES);
    for (int run = 0; run < RUNS; run++)
        runs[run] = Command(&crowd);
    Print("commands", count, runs, BytesOf(&crowd));
    Dismiss(&crowd);
}

int main(int argc, char **argv) {
    static const uint32_t objects[] = {1, 10, 100, 1000, 10000, 100000};
    static const uint16_t nodes[] = {1, 4, 16, 64, 256};
    static const uint32_t frames[] = {1, 10, 100, 1000};
    MakeAnimation();
    MakeTable();
    table = BenchTable_Begin("bench_ac", &argc, argv);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        MeasureObjects(objects[i]);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        MeasureNodes(nodes[i]);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        MeasureFrames(frames[i]);
    MeasureCommands(10000);
    BenchTable_End(&table);
    RpAcMotionTable_Free(&motion_table);
    return 0;
}
