#include "play.h"

#include "core/random.h"
#include "exports/animesh.abi.h"
#include "game.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 600, ROUNDS = 64, IMAGE_BASE = 0x10000000 };

HMODULE play_ours[ABI_MODULE_COUNT], play_retail[ABI_MODULE_COUNT];
static HMODULE original[ABI_MODULE_COUNT], native[ABI_MODULE_COUNT];

const char *const play_keys[] = {
    "ngi32.slot4",       "ngi32.slot7",        "ngi32.slot11",       "ngi32.slot14",
    "ngi32.slot15",      "ngi32.slot17",       "ngi32.slot20",       "ngi32.slot22",
    "ngi32.slot23",      "ngi32.slot26",       "ngi32.slot28",       "ngi32.slot35",
    "ngi32.slot38",      "ngi32.slot45",       "ngi32.ngiGetSinCos", "ngi32.mrnPointInPoly",
    "animesh.FindSlot",  "animesh.NodeString", "animesh.SampleNode", "animesh.BlendPoses",
    "animesh.SetColumn", "animesh.GetColumn"};
const size_t play_key_count = sizeof play_keys / sizeof *play_keys, play_internal_count = 6;

/* ---- a model --------------------------------------------------------------------------------- */

#pragma pack(push, 1)
typedef struct Node {
    uint16_t flags, parent, map_start, fallback, slots[15];
} Node;
typedef struct Key {
    float position[3], time;
    int16_t rotation[4];
} Key;
#pragma pack(pop)

/* Node 1 has keys 1 to 4 at times 0, 2, 5 and 7, and the map of eight frames. */
static const Node nodes[2] = {
    {.parent = 0xFFFF, .map_start = 0xFFFF, .fallback = 0},
    {.parent = 0, .map_start = 1, .fallback = 4, .slots = {0, 1, 2, 3, 4, 0xFFFF}}};
static const Key keys[6] = {
    {{9, 8, 7}, 0, {100, -200, 300, 32000}},    {{0, 0, 0}, 0, {0, 0, 0, 32767}},
    {{2, 4, -6}, 2, {23170, 0, 0, 23170}},      {{5, 5, 5}, 5, {0, 23170, 0, 23170}},
    {{1, 2, 3}, 7, {-32768, 32767, -1, 12345}}, {{99, 99, 99}, 99, {1, 2, 3, 4}},
};
static const uint16_t frame_map[9] = {0xEEEE, 1, 1, 2, 2, 2, 3, 3, 4};
static const uint8_t slot_records[5 * 68];
static const uint8_t strings[] = {0, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c', 0};
static uint32_t reader[ABI_READER_SIZE / 4], piece[ABI_PIECE_SIZE / 4];

static void PreparePiece(void) {
    reader[0x00 / 4] = P(nodes);
    reader[0x08 / 4] = P(slot_records);
    reader[0x18 / 4] = P(keys);
    reader[0x1C / 4] = P(frame_map);
    reader[0x20 / 4] = P(strings);
    reader[0x9C / 4] = 8;
    piece[0x008 / 4] = 1;
    piece[0x12C / 4] = P(reader);
}

/* ---- modules --------------------------------------------------------------------------------- */

static HMODULE Load(const char *path) {
    HMODULE module = LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!module)
        fail_msg("%s: error %lu", path, GetLastError());
    return module;
}

static HMODULE LoadOfGame(const char *name) {
    char path[PATH_BYTES];
    Game_Path(name, path, sizeof path);
    return Load(path);
}

void Play_Load(void) {
    char path[PATH_BYTES];
    Game_Path("retropose.overlay", path, sizeof path);
    Machine_ReadOverlay(path);
    PreparePiece();
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        play_ours[module] = LoadOfGame(AbiModule_File((AbiModule)module));
    play_retail[ABI_NGI32] = GetModuleHandleA("Ngi32.retail.dll");
    play_retail[ABI_ANIMESH] = GetModuleHandleA("AniMesh.retail.dll");
}

/* The copy has a name of its own, because the loader would otherwise return the first module. */
static HMODULE CopyOf(AbiModule module) {
    char retail[PATH_BYTES], copy[PATH_BYTES], name[64];
    snprintf(name, sizeof name, "%s.retail.dll", module == ABI_NGI32 ? "Ngi32" : "AniMesh");
    Game_Path(name, retail, sizeof retail);
    if (GetFileAttributesA(retail) == INVALID_FILE_ATTRIBUTES)
        snprintf(retail, sizeof retail, "%s/standin/%s", BUILD_FOLDER, AbiModule_File(module));
    snprintf(name, sizeof name, "copy%d.dll", module);
    Game_Path(name, copy, sizeof copy);
    CopyFileA(retail, copy, FALSE);
    return Load(copy);
}

static HMODULE Original(AbiModule module) {
    if (!original[module])
        original[module] = CopyOf(module);
    return original[module];
}

static HMODULE Native(AbiModule module) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/replacement/%s", BUILD_FOLDER, AbiModule_File(module));
    if (!native[module])
        native[module] = Load(path);
    return native[module];
}

/* ---- functions ------------------------------------------------------------------------------- */

static const void *Export(HMODULE module, const char *name) {
    const void *code = (const void *)(uintptr_t)GetProcAddress(module, name);
    if (!code)
        fail_msg("no export %s", name);
    return code;
}

static const void *ExportOrSlot(HMODULE module, const AbiFunction *f) {
    if (f->kind == ABI_SLOT)
        return ((const void *const *)Export(module, "g_FastProc"))[f->index];
    return Export(module, f->name);
}

static const void *At(HMODULE module, const char *key) {
    return (const uint8_t *)module + Machine_Address(key);
}

const void *Play_Gate(const char *key) {
    const AbiFunction *f = Abi_Find(key);
    return f->kind == ABI_INTERNAL ? At(play_retail[f->module], key)
                                   : ExportOrSlot(play_ours[f->module], f);
}

const void *Play_Original(const char *key) {
    const AbiFunction *f = Abi_Find(key);
    return f->kind == ABI_INTERNAL ? At(Original(f->module), key)
                                   : ExportOrSlot(Original(f->module), f);
}

const void *Play_Native(const char *key) {
    typedef const void *(__stdcall * Internal)(uint32_t address);
    const AbiFunction *f = Abi_Find(key);
    if (f->kind != ABI_INTERNAL)
        return ExportOrSlot(Native(f->module), f);
    Internal internal = (Internal)(uintptr_t)Export(Native(f->module), "RetroposeInternal");
    return internal(IMAGE_BASE + f->rva);
}

const void *Play_TargetOf(const void *gate) {
    const uint8_t *code = gate;
    const void *const *target;
    assert_int_equal(code[0], 0xFF);
    assert_int_equal(code[1], 0x25);
    memcpy(&target, code + 2, sizeof target);
    return *target;
}

HMODULE Play_ModuleOf(const void *code) {
    HMODULE module = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       code, &module);
    return module;
}

bool Play_CanBeRedirected(const char *key) {
    return *(const uint8_t *)Play_Original(key) != 0xE9;
}

bool Play_IsRedirected(const char *key) {
    const uint8_t *entry = Play_Gate(key);
    return entry[0] == 0xE9 && memcmp(entry, Play_Original(key), 5) != 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint32_t random_state;

static uint32_t Random(void) {
    return Random_Lcg32(&random_state) >> 8;
}

static float RandomFloat(float low, float high) {
    return low + (high - low) * ((float)Random() * 0x1p-24f);
}

static uint32_t RandomValue(const SignatureParam *param) {
    if (param->type == SIGNATURE_REF)
        return P(piece);
    if (param->type == SIGNATURE_F32)
        return F(RandomFloat(0, param->name[0] == 't' && param->name[1] ? 8.0f : 1.0f));
    return strcmp(param->name, "count") == 0 ? 4 : Random() % 3;
}

static void FillPointed(PlayCall *call, int index) {
    const SignatureParam *param = &call->signature.params[index];
    float *data = call->data[index];
    if (param->direction == SIGNATURE_OUT)
        memset(data, 0xA5, sizeof call->data[index]);
    else
        for (int i = 0; i < 64; i++)
            data[i] = RandomFloat(-1, 1);
    call->arguments[index] = P(data);
    if (param->type != SIGNATURE_REF)
        return;
    for (int i = 0; i < 4; i++)
        call->vertices[i] = data + 3 * i;
    call->arguments[index] = P(call->vertices);
}

void Play_Run(PlayCall *call, const char *key, uint32_t seed, OverlayCall by, const void *code) {
    assert_int_equal(Signature_Parse(Abi_Find(key), &call->signature, NULL), RP_OK);
    random_state = seed;
    for (int i = 0; i < call->signature.param_count; i++)
        if (call->signature.params[i].direction == SIGNATURE_VALUE)
            call->arguments[i] = RandomValue(&call->signature.params[i]);
        else
            FillPointed(call, i);
    call->left = Machine_Call(Abi_Find(key), &by, code, call->arguments);
}

bool Play_IsSame(const PlayCall *a, const PlayCall *b) {
    for (int i = 0; i < a->signature.param_count; i++)
        if (a->signature.params[i].direction != SIGNATURE_VALUE &&
            memcmp(a->data[i], b->data[i], sizeof a->data[i]) != 0)
            return false;
    if (a->signature.returns == SIGNATURE_F32)
        return memcmp(&a->left.st0, &b->left.st0, 10) == 0;
    return a->signature.returns == SIGNATURE_VOID || a->left.eax == b->left.eax;
}

void Play_ExpectSame(const char *key, OverlayCall by, const void *code, OverlayCall expected_by,
                     const void *expected) {
    static PlayCall a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (uint32_t seed = 1; seed <= ROUNDS; seed++) {
        Play_Run(&a, key, seed, by, code);
        Play_Run(&b, key, seed, expected_by, expected);
        if (!Play_IsSame(&a, &b))
            fail_msg("%s, seed %u: other bits", key, (unsigned)seed);
    }
}
