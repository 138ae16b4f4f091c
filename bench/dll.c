/* Slots 17 and 22 through g_FastProc, and the pose walk, of the DLLs: our pair's and the
 * stand-in's. Runs under Wine (bench/dll):
 *
 *   bench_dll FOLDER_OF_OUR_PAIR FOLDER_OF_THE_STAND_IN [calls] > dll.csv
 *
 * An object has 64 pieces over a skeleton of 64 joints with 121 keys each, and is posed at random
 * times. A time is of one call or piece. The ways are:
 *
 *   x87       our generic build under an MXCSR toward zero, where the exact core refuses
 *   stand-in  the stand-in's generic build, which has nothing but the x87's steps
 *   generic   our generic build
 *   sse       our build for SSE
 *
 * Only one pair can be loaded at a time, because one DLL imports the other by its name. So the
 * pairs are loaded and freed in turn. All ways must give the same bits, except for the build for
 * SSE, whose roundings are its own. What a slot gives is stored, and compared when the time has
 * been taken. */
#include "animesh/layout.h"
#include "animesh/streams.h"
#include "cli/bench/measure/bench_inputs.h"
#include "cli/bench/measure/bench_table.h"
#include "core/hash.h"
#include "dll/animesh/resfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define LOADS         31 /* times that each pair is loaded */
#define PARTS         9  /* parts of a load, each of which is timed */
#define REPETITIONS   (LOADS * PARTS)
#define DEFAULT_CALLS 1280
/* With fewer calls, each part would be one walk at the same time, which is cached. */
#define LEAST_CALLS (2 * PIECES)
#define INPUTS      256 /* inputs of each kind, which are used in turn */
#define PIECES      BENCH_MOST_JOINTS

typedef ABI_PROTO_animesh_RetroposeInternal((*FindInternal));
typedef ABI_PROTO_animesh_LoadReader((*LoadReader));
typedef ABI_PROTO_animesh_PoseWalk((*PoseWalk));
typedef ABI_PROTO_ngi32_slot17((*Slot17));

static float quaternions[INPUTS][4], fractions[INPUTS];
static RpSkeleton skeleton;

static void Stop(const char *what) {
    fprintf(stderr, "bench_dll: %s (error %lu)\n", what, GetLastError());
    exit(1);
}

/* ---- the pairs ------------------------------------------------------------------------------- */

typedef struct Way {
    const char *name;
    bool is_ours, is_generic;
    uint32_t mxcsr;
} Way;

static const Way ways[] = {{"x87", true, true, BENCH_MXCSR_TOWARD_ZERO},
                           {"stand-in", false, true, BENCH_MXCSR_STANDARD},
                           {"generic", true, true, BENCH_MXCSR_STANDARD},
                           {"sse", true, false, BENCH_MXCSR_STANDARD}};
enum { WAYS = sizeof ways / sizeof *ways };

static const char *folders[2]; /* the folders of the stand-in and of our pair */

static struct {
    HMODULE ngi32, animesh;
    const void *const *table;
    LoadReader load_reader;
    PoseWalk pose_walk;
} pair;

/* With ForceCpu 7 the processor has neither SSE nor FXCH. The DLLs read it from a registry of this
 * process alone. */
static void ForceGeneric(const char *key) {
    const DWORD generic = 7;
    HKEY root, tool;
    if (RegCreateKeyExA(HKEY_CURRENT_USER, key, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &root, NULL) ||
        RegCreateKeyExA(root, "Software\\Nikita\\NgiTool", 0, NULL, 0, KEY_ALL_ACCESS, NULL, &tool,
                        NULL) ||
        RegSetValueExA(tool, "ForceCpu", 0, REG_DWORD, (const BYTE *)&generic, sizeof generic) ||
        RegOverridePredefKey(HKEY_CURRENT_USER, root))
        Stop("the registry");
    RegCloseKey(tool);
    RegCloseKey(root);
}

static HMODULE Load(const char *folder, const char *name) {
    char path[MAX_PATH], full[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    HMODULE module = GetFullPathNameA(path, sizeof full, full, NULL)
                         ? LoadLibraryExA(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH)
                         : NULL;
    if (!module)
        Stop(path);
    return module;
}

/* Our functions may lie anywhere; the stand-in's lie where the original's do. */
static uintptr_t Internal(uint32_t rva) {
    const FindInternal find =
        (FindInternal)(uintptr_t)GetProcAddress(pair.animesh, "RetroposeInternal");
    return find ? find(0x10000000 + rva) : (uintptr_t)pair.animesh + rva;
}

static void LoadPair(const Way *way) {
    char key[64];
    snprintf(key, sizeof key, "Software\\RetroposeBench%lu", GetCurrentProcessId());
    if (way->is_generic)
        ForceGeneric(key);
    pair.ngi32 = Load(folders[way->is_ours], "Ngi32.dll");
    pair.animesh = Load(folders[way->is_ours], "AniMesh.dll");
    if (way->is_generic) {
        RegOverridePredefKey(HKEY_CURRENT_USER, NULL);
        RegDeleteTreeA(HKEY_CURRENT_USER, key);
    }
    pair.table = (const void *const *)(uintptr_t)GetProcAddress(pair.ngi32, "g_FastProc");
    pair.load_reader = (LoadReader)Internal(0x15FD0);
    pair.pose_walk = (PoseWalk)Internal(0x08B30);
}

static void FreePair(void) {
    FreeLibrary(pair.animesh);
    FreeLibrary(pair.ngi32);
    if (GetModuleHandleA("Ngi32.dll") || GetModuleHandleA("AniMesh.dll"))
        Stop("a pair stays loaded");
}

/* ---- the object ------------------------------------------------------------------------------ */

static struct {
    Mesh mesh;
    Piece pieces[PIECES];
} object;
static Reader reader;

/* An archive that has the three streams of a skeleton. */
typedef struct Archive {
    const void *const *vtable;
    ResRecord records[3];
    const void *data[3];
} Archive;

static ABI_PROTO_ngi32_INResFile_4(Directory) {
    return (uintptr_t)((const Archive *)self)->records;
}

static ABI_PROTO_ngi32_INResFile_6(Data) {
    (void)touch;
    return (uintptr_t)((const Archive *)self)->data[index];
}

static ABI_PROTO_ngi32_INResFile_8(FindType) {
    const Archive *archive = (const Archive *)self;
    for (int i = 0; i < 3; i++)
        if (archive->records[i].type == type)
            return i;
    return RES_ABSENT;
}

/* Makes an object that nothing has posed yet. */
static void MakeObject(void) {
    static const void *const vtable[9] = {[4] = (const void *)(uintptr_t)Directory,
                                          [6] = (const void *)(uintptr_t)Data,
                                          [8] = (const void *)(uintptr_t)FindType};
    static Archive archive;
    archive = (Archive){.vtable = vtable,
                        .records = {{.type = RES_NODES, .size = skeleton.node_bytes},
                                    {.type = RES_KEYS, .size = skeleton.key_bytes},
                                    {.type = RES_FRAME_MAP,
                                     .attr2 = skeleton.frame_count,
                                     .size = skeleton.frame_map_bytes}},
                        .data = {skeleton.nodes, skeleton.keys, skeleton.frame_map}};
    memset(&object, 0, sizeof object);
    memset(&reader, 0, sizeof reader);
    pair.load_reader(&reader, &archive);
    Mesh *mesh = &object.mesh;
    mesh->pieces = (Layout_ref)object.pieces;
    mesh->piece_count = PIECES;
    mesh->a_last = BENCH_FRAMES - 1;
    mesh->b_first = mesh->b_last = -1;
    for (int i = 0; i < 3; i++) { /* a quarter of a turn, and a step */
        mesh->placement[4 * i + (i == 2 ? 2 : 1 - i)] = i == 0 ? -1.0F : 1.0F;
        mesh->placement[4 * i + 3] = (float)i + 0.5F;
    }
    mesh->placement[15] = 1;
    for (int i = 0; i < PIECES; i++) {
        object.pieces[i].node = (uint32_t)i;
        object.pieces[i].parent = RpSkeleton_Parent(&skeleton, (uint32_t)i);
        object.pieces[i].reader = (Layout_ref)&reader;
    }
}

/* ---- what is timed --------------------------------------------------------------------------- */

typedef struct Operation Operation;

/* Returns a digest of the bits of the results that it does not store. */
typedef uint32_t (*Subject)(const Operation *operation, int calls);

struct Operation {
    const char *name;
    Subject subject;
    int slot; /* the slot that `subject` calls, if it is Interpolate */
    double elapsed[WAYS][REPETITIONS];
    uint32_t digests[WAYS];
};

static uint32_t Digest(uint32_t digest, const float *numbers, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        digest = Hash_Fnv32Step(digest, bits);
    }
    return digest;
}

static float results[INPUTS][4]; /* the last results of a slot */

/* Slots 17 and 22 are called in the same way. */
static uint32_t Interpolate(const Operation *operation, int calls) {
    const Slot17 slot = (Slot17)(uintptr_t)pair.table[operation->slot];
    for (int i = 0; i < calls; i++)
        slot(quaternions[i % INPUTS], quaternions[(i + 1) % INPUTS], fractions[i % INPUTS],
             results[i % INPUTS]);
    return 0;
}

static uint32_t Walk(const Operation *operation, int calls) {
    uint32_t digest = 0;
    (void)operation;
    for (int i = 0; i < calls / PIECES; i++) {
        object.mesh.phase = fractions[i % INPUTS];
        pair.pose_walk(&object.mesh);
        digest = Digest(digest, object.pieces[PIECES - 1].world, 12);
    }
    return digest;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static Operation operations[] = {
    {.name = "slot17 through g_FastProc", .subject = Interpolate, .slot = 17},
    {.name = "slot22 through g_FastProc", .subject = Interpolate, .slot = 22},
    {.name = "piece in the pose walk", .subject = Walk}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static uint16_t SwapControlWord(uint16_t wanted) {
    uint16_t before;
    __asm__ volatile("fnstcw %0" : "=m"(before));
    __asm__ volatile("fldcw %0" : : "m"(wanted));
    return before;
}

/* This reads the wall clock, because Wine's clock of a process is too coarse. A part takes less
 * than a millisecond, so most parts are not interrupted by the work of others. */
static double Nanoseconds(const LARGE_INTEGER *start, const LARGE_INTEGER *end) {
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    return 1e9 * (double)(end->QuadPart - start->QuadPart) / (double)frequency.QuadPart;
}

static uint32_t Call(const Operation *operation, int calls, double *elapsed) {
    LARGE_INTEGER start, end;
    memset(results, 0, sizeof results);
    QueryPerformanceCounter(&start);
    const uint32_t digest = operation->subject(operation, calls);
    QueryPerformanceCounter(&end);
    *elapsed = Nanoseconds(&start, &end) / calls;
    return Digest(digest, results[0], INPUTS * 4);
}

static void Time(Operation *operation, int way, double *elapsed, int calls) {
    const uint32_t mxcsr = Bench_SwapMxcsr(ways[way].mxcsr);
    const uint16_t word = SwapControlWord(RP_GAMES_CONTROL_WORD);
    /* This first run is for warming up. */
    operation->digests[way] = Call(operation, calls, elapsed);
    for (int part = 0; part < PARTS; part++)
        if (Call(operation, calls, &elapsed[part]) != operation->digests[way])
            Stop("the same calls gave other bits");
    SwapControlWord(word);
    Bench_SwapMxcsr(mxcsr);
}

static void Measure(int calls) {
    for (int load = 0; load < LOADS; load++)
        for (int k = 0; k < WAYS; k++) {
            const int way = (k + load) % WAYS;
            LoadPair(&ways[way]);
            MakeObject();
            for (int o = 0; o < OPERATIONS; o++)
                Time(&operations[o], way, operations[o].elapsed[way] + load * PARTS, calls);
            FreePair();
        }
}

static void Report(BenchTable *table, Operation *operation, int calls) {
    BenchWay times[WAYS];
    for (int way = 0; way < WAYS; way++) {
        times[way] = (BenchWay){ways[way].name, operation->elapsed[way], REPETITIONS};
        if (ways[way].is_generic && operation->digests[way] != operation->digests[0])
            Stop("two ways gave different bits");
    }
    BenchTable_Ways(table, operation->name, (uint64_t)calls, times, WAYS);
}

int main(int argc, char **argv) {
    BenchTable table = BenchTable_Begin("bench_dll", &argc, argv);
    const long calls = argc > 3 ? strtol(argv[3], NULL, 10) : DEFAULT_CALLS;
    if (argc < 3 || calls < LEAST_CALLS || calls > 1000000) {
        fprintf(stderr, "usage: bench_dll OUR_PAIR STAND_IN [calls per repetition, from 128]\n");
        return 2;
    }
    folders[true] = argv[1];
    folders[false] = argv[2];
    for (int i = 0; i < INPUTS; i++) {
        Bench_DrawQuaternion(quaternions[i]);
        fractions[i] = (Bench_Draw() + 1.0F) * 0.5F;
    }
    skeleton = Bench_MakeSkeleton(PIECES);
    const int rounded = (int)calls / PIECES * PIECES;
    Measure(rounded);
    for (int o = 0; o < OPERATIONS; o++)
        Report(&table, &operations[o], rounded);
    BenchTable_End(&table);
    return 0;
}
