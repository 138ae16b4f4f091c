/* Compares every variant of the stand-in with its truth: the files (bases, exports, stubs), the
 * table and its build, the addresses, and every function called as the truth says. Functions of a
 * variant without readings of its own give the default pair's bits. Other readings only give nearly
 * the same (replay.sh compares their bits). */
#include "animesh/layout.h"
#include "animesh/records.h"
#include "core/pe/pe.h"
#include "exports/animesh_offsets.h"
#include "exports/overlay/overlay.h"
#include "exports/reading_table.h"
#include "replay/provider/provider.h"
#include "retropose/readings.h"
#include "tests/dll/machine.h"
#include "tests/standin/pair.h"
#include "tests/test.h"
#include "tracefile/signature.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTS       145
#define STUBS         79
#define STUB_PLACES   14
#define STUBS_OF_8    24
#define REPEATS       50
#define MAX_RESULTS   80
#define MAX_BLOCK     160
#define FRAMES        8
#define PIECES        3
#define FORCE_GENERIC 7 /* a class that has MMX and nothing else */
#define FORCE_SSE     2

/* ---- what a variant says about itself, in truth.txt in its folder (tests/standin/make.c) ---- */

#define TRUTH_MAX_EXPORTS 160

typedef struct TruthExport {
    AbiModule module;
    uint32_t ordinal;
    char name[64]; /* "-" if there is none */
    char kind[16]; /* row, stub, live, data or forwarder */
    uint32_t rva, pops, clears;
} TruthExport;

typedef struct Truth {
    char name[64], build[16];
    uint32_t table; /* the RVA of g_FastProc */
    uint32_t bases[ABI_MODULE_COUNT];
    TruthExport exports[TRUTH_MAX_EXPORTS];
    int export_count;
} Truth;

#define MAX_WORDS 8

static AbiModule Module(const char *name) {
    return strcmp(name, AbiModule_Name(ABI_NGI32)) == 0 ? ABI_NGI32 : ABI_ANIMESH;
}

static uint32_t Number(const char *word) {
    return word ? (uint32_t)strtoul(word, NULL, 0) : 0;
}

static bool ReadExport(char *const *words, Truth *truth) {
    if (truth->export_count == TRUTH_MAX_EXPORTS || !words[4])
        return false;
    TruthExport *row = &truth->exports[truth->export_count++];
    row->module = Module(words[1]);
    row->ordinal = Number(words[2]);
    snprintf(row->name, sizeof row->name, "%s", words[3]);
    snprintf(row->kind, sizeof row->kind, "%s", words[4]);
    row->rva = Number(words[5]);
    row->pops = words[5] ? Number(words[6]) : 0;
    row->clears = words[5] && words[6] ? Number(words[7]) : 0;
    return true;
}

static bool ReadLine(char *line, Truth *truth) {
    char *words[MAX_WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < MAX_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (count < 2 || words[0][0] == '#')
        return true;
    if (strcmp(words[0], "variant") == 0)
        snprintf(truth->name, sizeof truth->name, "%s", words[1]);
    else if (strcmp(words[0], "build") == 0)
        snprintf(truth->build, sizeof truth->build, "%s", words[1]);
    else if (strcmp(words[0], "table") == 0)
        truth->table = Number(words[1]);
    else if (strcmp(words[0], "base") == 0)
        truth->bases[Module(words[1])] = Number(words[2]);
    else
        return strcmp(words[0], "export") == 0 && ReadExport(words, truth);
    return true;
}

static bool Truth_Read(const char *path, Truth *truth) {
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    memset(truth, 0, sizeof *truth);
    for (char line[256]; good && fgets(line, sizeof line, file);)
        good = ReadLine(line, truth);
    if (file)
        fclose(file);
    return good && truth->export_count > 0;
}

/* ---- variants ------------------------------------------------------------------------------- */

typedef struct Variant {
    char folder[96]; /* folder below the build directory */
    Truth truth;
    Overlay overlay;
    PeFile files[ABI_MODULE_COUNT];
    bool own_readings;
} Variant;

static Variant variants[16];
static int variant_count;

/* ---- files ----------------------------------------------------------------------------------- */

static void PathOf(const Variant *variant, const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s/%s", WINDOWS_BUILD, variant->folder, name);
}

static void Succeed(RpStatus status, const RpError *error) {
    if (status)
        fail_msg("%s: %s (expected %s, found %s)", error->where, error->what, error->expected,
                 error->found);
}

/* The first choice of each reading is the default. */
static bool HasOwnReadings(const Variant *variant) {
    char path[512], line[128];
    bool own = false;
    PathOf(variant, "truth.profile", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char name[64], choice[64];
        assert_int_equal(sscanf(line, "%63s = %63s", name, choice), 2);
        for (int i = 0; i < READING_RUNTIME_COUNT; i++)
            if (strcmp(RpReadings_Name(i), name) == 0) {
                size_t length = strcspn(RpReadings_Choices(i), "|");
                own |=
                    strlen(choice) != length || strncmp(RpReadings_Choices(i), choice, length) != 0;
            }
    }
    fclose(file);
    return own;
}

static void OpenVariant(Variant *variant, const char *name, size_t length) {
    char path[512];
    RpError error;
    snprintf(variant->folder, sizeof variant->folder, "variants/%.*s", (int)length, name);
    PathOf(variant, "truth.txt", path);
    assert_true(Truth_Read(path, &variant->truth));
    PathOf(variant, "truth.overlay", path);
    Succeed(Overlay_Load(path, &variant->overlay, &error), &error);
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        PathOf(variant, AbiModule_File((AbiModule)module), path);
        Succeed(Pe_Load(path, &variant->files[module], &error), &error);
    }
    variant->own_readings = HasOwnReadings(variant);
}

TEST_AROUND(OpenVariants) {
    const char *name = VARIANTS;
    while (*name) {
        size_t length = strcspn(name, ",");
        OpenVariant(&variants[variant_count++], name, length);
        name += length + (name[length] == ',');
    }
    return 0;
}

TEST_AROUND(CloseVariants) {
    for (int i = 0; i < variant_count; i++) {
        Overlay_Free(&variants[i].overlay);
        for (int module = 0; module < ABI_MODULE_COUNT; module++)
            Pe_Close(&variants[i].files[module]);
    }
    return 0;
}

TEST(TestFilesSayThatTheyAreAVariantOfTheStandin) {
    for (int i = 0; i < variant_count; i++) {
        const Variant *variant = &variants[i];
        char path[512], expected[128];
        Provider provider;
        RpError error;
        PathOf(variant, "", path);
        path[strlen(path) - 1] = 0;
        Succeed(Provider_Open(path, &provider, &error), &error);
        assert_int_equal(provider.kind, PROVIDER_STANDIN);
        snprintf(expected, sizeof expected, "Retropose stand-in, variant %s, not the retail file",
                 variant->truth.name);
        for (int module = 0; module < ABI_MODULE_COUNT; module++) {
            const PeFile *file = &variant->files[module];
            const PeSection *mark = Pe_FindSection(file, ".standin");
            assert_non_null(mark);
            assert_string_equal((const char *)Pe_At(file, mark->rva, (uint32_t)strlen(expected)),
                                expected);
            assert_int_equal(file->image_base, variant->truth.bases[module]);
            assert_true(
                Overlay_IsFor(&variant->overlay, (AbiModule)module, provider.sha256[module]));
        }
    }
}

static const PeExport *FindOrdinal(const PeFile *file, uint32_t ordinal) {
    for (size_t i = 0; i < file->export_count; i++)
        if (file->exports[i].ordinal == ordinal)
            return &file->exports[i];
    return NULL;
}

/* A stub is [xor eax, eax] ret n. */
static void CheckStub(const PeFile *file, const TruthExport *row) {
    const uint8_t *code = Pe_At(file, row->rva, 5);
    assert_non_null(code);
    if (row->clears) {
        assert_memory_equal(code, "\x33\xC0", 2);
        code += 2;
    }
    assert_int_equal(code[0], row->pops ? 0xC2 : 0xC3);
    if (row->pops)
        assert_int_equal(code[1] | code[2] << 8, row->pops);
}

static void CheckExport(const Variant *variant, const TruthExport *row) {
    const PeFile *file = &variant->files[row->module];
    const PeExport *found = FindOrdinal(file, row->ordinal);
    assert_non_null(found);
    assert_string_equal(found->name ? found->name : "-", row->name);
    assert_int_equal(found->forwarder != NULL, strcmp(row->kind, "forwarder") == 0);
    if (found->forwarder)
        return;
    const PeSection *section = Pe_SectionAt(file, found->rva);
    assert_non_null(section);
    assert_int_equal((section->characteristics & PE_SECTION_EXECUTABLE) == 0,
                     strcmp(row->kind, "data") == 0);
    if (strcmp(row->name, "g_FastProc") == 0)
        assert_int_equal(found->rva, variant->truth.table);
    if (strcmp(row->kind, "stub") == 0) {
        assert_int_equal(found->rva, row->rva);
        CheckStub(file, row);
    }
}

TEST(TestExportsAreThoseOfTheTruth) {
    for (int i = 0; i < variant_count; i++) {
        const Truth *truth = &variants[i].truth;
        int counts[ABI_MODULE_COUNT] = {0};
        for (int k = 0; k < truth->export_count; k++) {
            CheckExport(&variants[i], &truth->exports[k]);
            counts[truth->exports[k].module]++;
        }
        for (int module = 0; module < ABI_MODULE_COUNT; module++)
            assert_int_equal(variants[i].files[module].export_count, counts[module]);
        assert_int_equal(counts[ABI_NGI32], EXPORTS);
    }
}

/* facts/ngi32.md A.1: there are 79 stubs on 14 addresses, 24 of them on that of `ret 8`. */
TEST(TestStubsAreFolded) {
    for (int i = 0; i < variant_count; i++) {
        const Truth *truth = &variants[i].truth;
        uint32_t places[STUB_PLACES];
        int stubs = 0, place_count = 0, of_8 = 0;
        for (int k = 0; k < truth->export_count; k++) {
            const TruthExport *row = &truth->exports[k];
            if (strcmp(row->kind, "stub") != 0)
                continue;
            int place = 0;
            while (place < place_count && places[place] != row->rva)
                place++;
            assert_in_range(place, 0, STUB_PLACES - 1);
            if (place == place_count)
                places[place_count++] = row->rva;
            of_8 += row->pops == 8 && !row->clears;
            stubs++;
        }
        assert_int_equal(stubs, STUBS);
        assert_int_equal(place_count, STUB_PLACES);
        assert_int_equal(of_8, STUBS_OF_8);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct Object {
    Mesh mesh;
    Piece pieces[PIECES];
} Object;

typedef struct Result {
    const AbiFunction *function;
    Object object; /* after the call */
    uint32_t eax;
    long double st0;
    float out[MAX_BLOCK / 4];
    uint32_t out_count;
} Result;

typedef struct Blocks { /* what the arguments point to */
    float floats[SIGNATURE_MAX_PARAMS][MAX_BLOCK];
    const float *vertices[4];
} Blocks;

/* A model of one node with a key at each frame. */
static struct {
    uint8_t piece[ABI_PIECE_SIZE], reader[ABI_READER_SIZE], header[0x100];
    uint16_t node[NODE_BYTES / 2], frames[FRAMES];
    struct {
        float position[3], time;
        int16_t rotation[4];
    } keys[FRAMES + 1];
    struct {
        uint32_t length;
        char text[4];
    } strings[2];
} model;

static void Put(uint8_t *record, uint32_t offset, uint32_t dword) {
    memcpy(record + offset, &dword, sizeof dword);
}

static void MakeModel(void) {
    memset(&model, 0, sizeof model);
    Put(model.piece, PIECE_AT_reader, P(model.reader));
    Put(model.reader, READER_AT_nodes, P(model.node));
    Put(model.reader, READER_AT_header, P(model.header));
    Put(model.reader, READER_AT_slots, P(model.header));
    Put(model.reader, READER_AT_keys, P(model.keys));
    Put(model.reader, READER_AT_frame_map, P(model.frames));
    Put(model.reader, READER_AT_strings, P(model.strings));
    Put(model.reader, READER_AT_frame_count, FRAMES);
    model.node[NODE_AT_fallback / 2] = FRAMES;
    for (int i = NODE_AT_slots / 2; i < NODE_BYTES / 2; i++)
        model.node[i] = (uint16_t)(i % 3);
    for (int i = 0; i <= FRAMES; i++) {
        model.frames[i < FRAMES ? i : 0] = (uint16_t)i;
        model.keys[i].time = (float)i;
        for (int k = 0; k < 3; k++)
            model.keys[i].position[k] = (float)(i * (k + 1)) * 0.37f;
        for (int k = 0; k < 4; k++)
            model.keys[i].rotation[k] = (int16_t)(16000 - 700 * i * k);
    }
    model.frames[0] = 0;
    model.strings[0].length = 3;
    memcpy(model.strings[0].text, "hip", 4);
}

/* A mesh of three pieces in a chain, which all belong to the one node. Any numbers will do. */
static Object object;

static uint32_t Below(uint32_t end) {
    return (uint32_t)Random_Float(0, (float)end - 0.01f);
}

static void MakeFrames(int32_t *pairs) {
    for (int i = 0; i < 4; i++)
        pairs[i] = (int32_t)Below(FRAMES);
}

static void MakeObject(void) {
    Random_Floats((float *)(void *)&object, sizeof object / 4, -1, 1);
    Random_Floats((float *)(void *)model.header, sizeof model.header / 4, -1, 1);
    Mesh *mesh = &object.mesh;
    mesh->pieces = (const uint8_t *)object.pieces;
    mesh->piece_count = PIECES;
    mesh->scaled = Below(2);
    MakeFrames(&mesh->a_first);
    for (uint32_t i = 0; i < PIECES; i++) {
        Piece *piece = &object.pieces[i];
        piece->tag = i;
        piece->node = 0;
        piece->flags = Below(32) | Below(2) << 24;
        piece->parent = (int32_t)i - 1;
        piece->variant = 0;
        piece->cache_valid = (uint8_t)Below(2);
        piece->flying = Below(4) == 0;
        piece->own_segment = (uint8_t)Below(2);
        piece->tilted = (uint8_t)Below(2);
        piece->reader = model.reader;
        MakeFrames(&piece->a_first);
    }
}

/* `this` of a method is the address of the pointer to its interface's vtable. */
static uint32_t SelfOf(const AbiFunction *f, const char *name) {
    if (strcmp(name, "piece") == 0)
        return P(&object.pieces[1]);
    const char *interface = f->interface ? f->interface : "";
    return P(&object) + (strcmp(interface, "IMesh2") == 0       ? 4u
                         : strcmp(interface, "IJointMesh") == 0 ? 8u
                                                                : 0u);
}

static void Normalise(float *numbers, uint32_t count) {
    float sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += numbers[i] * numbers[i];
    for (uint32_t i = 0; i < count; i++)
        numbers[i] /= sqrtf(sum);
}

static uint32_t ByValue(const SignatureParam *param) {
    if (param->type == SIGNATURE_F32)
        return F(strncmp(param->name, "t_", 2) == 0 ? Random_Float(0, FRAMES) : Random_Float(0, 1));
    if (param->type == SIGNATURE_REF)
        return P(model.piece);
    if (strcmp(param->name, "id") == 0)
        return 0xA + Below(7);
    if (strcmp(param->name, "mask") == 0)
        return Below(32);
    if (strcmp(param->name, "operation") == 0)
        return Below(2) | Below(2) << 9;
    return (uint32_t)Random_Float(0, 2.99f); /* count, power, column, level, variant */
}

static uint32_t Pointed(const SignatureParam *param, float *block) {
    Random_Floats(block, MAX_BLOCK, -1, 1);
    if (param->count == 4)
        Normalise(block, 4);
    if (strcmp(param->name, "lights") == 0 || strcmp(param->name, "light") == 0)
        Random_Floats(block, MAX_BLOCK, 0.5f, 2);
    if (strcmp(param->name, "request") == 0) {
        const JointRequest request = {Below(2), Below(2), Below(2), Below(2)};
        memcpy(block, &request, sizeof request);
    }
    return P(block);
}

static void MakeArguments(const Signature *signature, Blocks *blocks, uint32_t *arguments) {
    for (int i = 0; i < signature->param_count; i++) {
        const SignatureParam *param = &signature->params[i];
        arguments[i] = param->direction == SIGNATURE_VALUE ? ByValue(param)
                       : param->type == SIGNATURE_STATE ? SelfOf(signature->function, param->name)
                                                        : Pointed(param, blocks->floats[i]);
        if (strcmp(param->name, "vertices") == 0) {
            for (int k = 0; k < 4; k++)
                blocks->vertices[k] = blocks->floats[i] + 3 * k;
            arguments[i] = P(blocks->vertices);
        }
    }
}

/* Returns whether a function is tested: all functions of AniMesh are, except the loader, which
 * needs an archive. */
static bool IsTested(const AbiFunction *f) {
    static const char *const keys[] = {"ngi32.DirectionalCosine", "ngi32.Highlight",
                                       "ngi32.PointLight",        "ngi32.DirectionalLights",
                                       "ngi32.ngiGetSinCos",      "ngi32.mrnPointInPoly"};
    if (f->module == ABI_ANIMESH && (f->kind == ABI_INTERNAL || f->kind == ABI_METHOD))
        return f->provider == ABI_NATIVE && strcmp(f->name, "LoadReader") != 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], f->key) == 0)
            return true;
    return f->kind == ABI_SLOT;
}

static const uint8_t *Target(const Variant *variant, const OverlayFunction *line) {
    const AbiFunction *f = line ? line->function : NULL;
    if (f->kind == ABI_SLOT) {
        uint32_t entry = Memory_Dword(ngi32 + variant->truth.table + 4u * (unsigned)f->index);
        if (line->rva)
            assert_int_equal(entry, P(ngi32 + line->rva));
        return (const uint8_t *)(uintptr_t)entry;
    }
    return Pair_Module(f->module) + line->rva;
}

static Result Run(const Variant *variant, const OverlayFunction *line, Blocks *blocks) {
    Signature signature;
    RpError error;
    uint32_t arguments[SIGNATURE_MAX_PARAMS];
    OverlayCall call = {.convention = line->convention, .param_count = line->param_count};
    memcpy(call.order, line->order, sizeof call.order);
    MakeObject();
    Succeed(Signature_Parse(line->function, &signature, &error), &error);
    MakeArguments(&signature, blocks, arguments);
    CheckedFrame frame = Machine_Call(line->function, &call, Target(variant, line), arguments);
    Result result = {.function = line->function, .object = object};
    if (signature.returns == SIGNATURE_F32)
        result.st0 = frame.st0;
    else if (signature.returns != SIGNATURE_VOID)
        result.eax = frame.eax;
    for (int i = 0; i < signature.param_count; i++)
        if (signature.params[i].type != SIGNATURE_STATE &&
            (signature.params[i].direction == SIGNATURE_OUT ||
             signature.params[i].direction == SIGNATURE_INOUT)) {
            uint32_t count = signature.params[i].count;
            memcpy(result.out + result.out_count, blocks->floats[i], 4 * count);
            result.out_count += count;
        }
    return result;
}

static int RunAll(const Variant *variant, Result *results) {
    static Blocks blocks;
    int count = 0;
    MakeModel();
    Random_Seed(7);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t i = 0; i < abi_function_count; i++) {
            if (!IsTested(&abi_functions[i]))
                continue;
            const OverlayFunction *line = Overlay_Find(&variant->overlay, &abi_functions[i]);
            assert_non_null(line);
            results[count++] = Run(variant, line, &blocks);
        }
    return count;
}

static bool IsNear(float a, float b) {
    return (isnan(a) && isnan(b)) || fabsf(a - b) <= 1e-4f * fmaxf(1, fmaxf(fabsf(a), fabsf(b)));
}

/* Returns whether the function follows one of the readings that change more than roundings:
 * rotate-vector, mirror-shape, key-order and what follows from it, pose-cache, root-translation,
 * world-product and tilt-order. TiltNode only changes its object by roundings. */
static bool IsReadDifferently(const AbiFunction *f) {
    static const char *const keys[] = {
        "ngi32.slot7",           "ngi32.slot15",          "animesh.SampleNode",
        "animesh.BlendPoses",    "animesh.PoseWalk",      "animesh.MeshBounds",
        "animesh.IAnimation.4",  "animesh.IAnimation.10", "animesh.IAnimation.25",
        "animesh.IAnimation.31", "animesh.IAnimation.32", "animesh.IMesh2.15"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], f->key) == 0)
            return true;
    return false;
}

static void ExpectSameObject(const Variant *variant, const Result *got, const Result *expected) {
    const uint8_t *a = (const void *)&got->object, *b = (const void *)&expected->object;
    for (size_t i = 0; i < sizeof got->object; i++)
        if (a[i] != b[i])
            fail_msg("%s: %s left %02X at 0x%X of the object, expected %02X", variant->folder,
                     got->function->key, a[i], (unsigned)i, b[i]);
}

static void Compare(const Variant *variant, const Result *got, const Result *expected) {
    const char *key = got->function->key;
    assert_ptr_equal(got->function, expected->function);
    assert_int_equal(got->out_count, expected->out_count);
    if (!variant->own_readings) {
        if (got->eax != expected->eax || memcmp(&got->st0, &expected->st0, 10) != 0)
            fail_msg("%s: %s returned something else", variant->folder, key);
        Expect_Floats(key, got->out, expected->out, got->out_count);
        ExpectSameObject(variant, got, expected);
        return;
    }
    if (IsReadDifferently(got->function))
        return;
    ExpectSameObject(variant, got, expected);
    if (!IsNear((float)got->st0, (float)expected->st0))
        fail_msg("%s: %s returned %Lg, expected %Lg", variant->folder, key, got->st0,
                 expected->st0);
    for (uint32_t i = 0; i < got->out_count; i++)
        if (!IsNear(got->out[i], expected->out[i]))
            fail_msg("%s: %s wrote %g at %u, expected %g", variant->folder, key, got->out[i],
                     (unsigned)i, expected->out[i]);
}

/* The default pair has the same readings in every class, so that the class only matters for the
 * roundings of the SSE builds. */
static void LoadDefault(const Variant *variant) {
    if (strcmp(variant->truth.build, "detected") == 0)
        Pair_LoadForced(REG_NONE, 0);
    else
        Pair_LoadForced(REG_DWORD,
                        strcmp(variant->truth.build, "sse") == 0 ? FORCE_SSE : FORCE_GENERIC);
}

static Variant default_pair;

static void MakeDefault(void) {
    RpError error;
    default_pair.truth.table = 0x3A058;
    Overlay_Init(&default_pair.overlay, NULL);
    for (size_t i = 0; i < abi_function_count; i++) {
        if (!IsTested(&abi_functions[i]))
            continue;
        OverlayFunction *line = Overlay_Add(&default_pair.overlay, &abi_functions[i]);
        OverlayCall call;
        Succeed(Overlay_CallOf(NULL, &abi_functions[i], &call, &error), &error);
        line->convention = call.convention;
        line->param_count = call.param_count;
        memcpy(line->order, call.order, sizeof call.order);
        line->rva = abi_functions[i].kind == ABI_SLOT ? 0 : abi_functions[i].rva;
    }
}

TEST(TestFunctionsAreCalledAsTheTruthSays) {
    static Result expected[REPEATS * MAX_RESULTS], got[REPEATS * MAX_RESULTS];
    MakeDefault();
    for (int i = 0; i < variant_count; i++) {
        LoadDefault(&variants[i]);
        int count = RunAll(&default_pair, expected);
        Pair_Unload();
        Pair_LoadFolder(variants[i].folder);
        assert_int_equal(RunAll(&variants[i], got), count);
        Pair_Unload();
        for (int k = 0; k < count; k++)
            Compare(&variants[i], &got[k], &expected[k]);
    }
    Overlay_Free(&default_pair.overlay);
}

/* Live exports of the made-up list return their ordinal plus the sum of their arguments. */
TEST(TestMadeUpExportsAnswer) {
    for (int i = 0; i < variant_count; i++) {
        const Truth *truth = &variants[i].truth;
        int live = 0;
        Pair_LoadFolder(variants[i].folder);
        for (int k = 0; k < truth->export_count; k++) {
            const TruthExport *row = &truth->exports[k];
            const void *code = (const void *)(uintptr_t)GetProcAddress(
                (HMODULE)Pair_Module(row->module), (const char *)(uintptr_t)row->ordinal);
            assert_non_null(code);
            if (strcmp(row->kind, "live") != 0)
                continue;
            static const char *const params[] = {"",
                                                 "u32 a",
                                                 "u32 a, u32 b",
                                                 "u32 a, u32 b, u32 c",
                                                 "u32 a, u32 b, u32 c, u32 d",
                                                 "u32 a, u32 b, u32 c, u32 d, u32 e"};
            const AbiFunction function = {.name = row->name,
                                          .convention = ABI_STDCALL,
                                          .returns = "u32",
                                          .params = params[row->pops / 4]};
            const uint32_t arguments[] = {1, 20, 300, 4000, 50000};
            uint32_t sum = row->ordinal;
            for (uint32_t n = 0; n < row->pops / 4; n++)
                sum += arguments[n];
            assert_int_equal(Function_Call(&function, code, CONTROL_SINGLE, arguments).eax, sum);
            live++;
        }
        Pair_Unload();
        assert_in_range(live, 20, 30);
    }
}

static unsigned BuildBit(const Truth *truth) {
    return strcmp(truth->build, "sse") == 0       ? 1u
           : strcmp(truth->build, "fxch") == 0    ? 2u
           : strcmp(truth->build, "generic") == 0 ? 4u
                                                  : 8u;
}

static bool IsReordered(const OverlayFunction *line) {
    for (int n = 0; n < line->param_count; n++)
        if (line->order[n] != n)
            return true;
    return false;
}

static bool IsMoved(const OverlayFunction *line) {
    return line->function->kind == ABI_INTERNAL && line->rva != line->function->rva;
}

/* Together the variants differ in everything that a probe has to find out. */
TEST(TestVariantsDifferInEveryRespect) {
    unsigned conventions = 0, builds = 0;
    int reordered = 0, moved = 0, reread = 0;
    for (int i = 0; i < variant_count; i++) {
        const Overlay *overlay = &variants[i].overlay;
        bool is_reordered = false, is_moved = false;
        for (size_t k = 0; k < overlay->function_count; k++) {
            const OverlayFunction *line = &overlay->functions[k];
            if (line->function->kind == ABI_SLOT)
                conventions |= 1u << line->convention;
            is_reordered |= IsReordered(line);
            is_moved |= IsMoved(line);
        }
        builds |= BuildBit(&variants[i].truth);
        reordered += is_reordered;
        moved += is_moved;
        reread += variants[i].own_readings;
    }
    assert_in_range(variant_count, 6, sizeof variants / sizeof *variants);
    assert_int_equal(conventions, 15); /* all four conventions occur */
    assert_int_equal(builds, 15);
    assert_in_range(reordered, 3, variant_count - 1);
    assert_in_range(moved, 3, variant_count - 1);
    assert_in_range(reread, 3, variant_count - 1);
}

static bool IsReadBy(const Variant *variant, const char *name, const char *choice, size_t length) {
    char path[512], line[128], read_name[64], read_choice[64];
    bool found = false;
    PathOf(variant, "truth.profile", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file))
        found = sscanf(line, "%63s = %63s", read_name, read_choice) == 2 &&
                strcmp(read_name, name) == 0 && strlen(read_choice) == length &&
                strncmp(read_choice, choice, length) == 0;
    fclose(file);
    return found;
}

/* If no variant used a choice, no second implementation of it would ever be run. */
TEST(TestEveryChoiceIsReadBySomeVariant) {
    for (int h = 0; h < READING_RUNTIME_COUNT; h++)
        for (const char *c = RpReadings_Choices(h); c; c = strchr(c, '|')) {
            c += *c == '|';
            size_t length = strcspn(c, "|");
            bool found = false;
            for (int i = 0; i < variant_count && !found; i++)
                found = IsReadBy(&variants[i], RpReadings_Name(h), c, length);
            if (!found)
                fail_msg("no variant has %s=%.*s", RpReadings_Name(h), (int)length, c);
        }
}

AROUND_ALL(OpenVariants, CloseVariants)
