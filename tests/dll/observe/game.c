#define _GNU_SOURCE
#include "game.h"

#include "dll/base/log.h"
#include "retropose/arithmetic.h"
#include "tests/test.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __i386__
#define LOW_MEMORY 0
#else
#define LOW_MEMORY MAP_32BIT
#endif

RpArithmetic ngi32_arithmetic[RP_BUILD_COUNT];

/* ---- the work of the gates and of the log ---------------------------------------------------- */

static __thread bool has_result; /* whether the x87 stack would hold a result */

void Live_Invoke(const LiveTarget *target, const Signature *signature, const uint32_t *arguments,
                 LiveResult *result) {
    has_result = signature->returns == SIGNATURE_F32;
    result->control_out = 0x027F;
    result->mxcsr_out = 0x1F80;
    ((GameFunction)(uintptr_t)target->code)(arguments, result);
}

#define CALLERS_MXCSR 0xCA11u       /* marks the state that belongs to the caller */
static __thread bool state_is_ours; /* true until the caller's state is restored */

void Live_SaveFpu(LiveFpu *state) {
    memset(state, 0, sizeof *state);
    memset(state->x87 + 8, 0xFF, 4); /* the tags say that all registers are empty */
    if (has_result)
        state->x87[8] = 0xFC; /* except the first */
    has_result = false;
    if (state_is_ours)
        return;
    state->mxcsr = CALLERS_MXCSR;
    state_is_ours = true;
}

void Live_RestoreFpu(const LiveFpu *state) {
    has_result = state->x87[8] == 0xFC;
    if (state->mxcsr == CALLERS_MXCSR)
        state_is_ours = false;
}

static char log_text[65536];

void Log_Write(const char *format, ...) {
    size_t length = strlen(log_text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(log_text + length, sizeof log_text - length, format, arguments);
    va_end(arguments);
    length = strlen(log_text);
    snprintf(log_text + length, sizeof log_text - length, "\n");
}

const char *Game_Log(void) {
    return log_text;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *Game_Memory(size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | LOW_MEMORY, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

void *Game_MemoryAtEnd(size_t size) {
    const size_t page = 4096;
    size_t room = (size + page - 1) / page * page;
    uint8_t *memory = Game_Memory(room + page);
    mprotect(memory + room, page, PROT_NONE);
    return memory + room - size;
}

uint32_t *Game_Floats(void) {
    uint32_t *floats = Game_Memory(4096);
    for (uint32_t i = 0; i < 256; i++)
        floats[i] = 0x3F800000u + i * 0x1234567u;
    return floats;
}

uint32_t Game_Address(const void *memory) {
    assert_true((uintptr_t)memory <= UINT32_MAX);
    return (uint32_t)(uintptr_t)memory;
}

/* ---- folders --------------------------------------------------------------------------------- */

void Game_MakeFolder(char *path, size_t size) {
    const char *temporary = getenv("TMPDIR");
    snprintf(path, size, "%s/retropose-observe-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(path));
}

void Game_RemoveFolder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(file);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* ---- calls ----------------------------------------------------------------------------------- */

LiveSettings Game_Settings(void) {
    LiveSettings settings;
    Settings_Init(&settings);
    settings.shadow_sample = 1;
    snprintf(settings.record_functions, sizeof settings.record_functions, "*");
    snprintf(settings.record_file, sizeof settings.record_file, "game.rptrace");
    return settings;
}

static bool serves_replacement;

void Game_Serve(bool by_replacement) {
    serves_replacement = by_replacement;
}

void Game_Open(const char *folder, const LiveSettings *settings) {
    ObserveIdentity identity = {.standin = {true, true}, .hosted = {true, true}};
    memset(identity.sha256[0], 'a', 64);
    memset(identity.sha256[1], 'b', 64);
    snprintf(identity.folder, sizeof identity.folder, "%s", folder);
    log_text[0] = 0;
    serves_replacement = false;
    Observe_Open(settings, &identity);
}

static const Signature *SignatureOf(const char *key) {
    static Signature signatures[64];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(signatures[i].function->key, key) == 0)
            return &signatures[i];
    RpError error;
    assert_true(count < 64);
    assert_non_null(Abi_Find(key));
    assert_int_equal(Signature_Parse(Abi_Find(key), &signatures[count], &error), RP_OK);
    return &signatures[count++];
}

LiveResult Game_Call(const char *key, GameFunction serving, GameFunction shadow, bool record,
                     const uint32_t *arguments) {
    LiveTarget original = {.code = (const void *)(uintptr_t)serving};
    LiveTarget other = {.code = (const void *)(uintptr_t)shadow};
    ObservedCall call = {.signature = SignatureOf(key),
                         .serving = &original,
                         .shadow = shadow ? &other : NULL,
                         .by_replacement = serves_replacement,
                         .record = record,
                         .arguments = arguments,
                         .control_in = 0x027F,
                         .mxcsr_in = 0x1F80};
    memset(&call.result, 0, sizeof call.result);
    state_is_ours = false;
    Observe_Run(&call);
    assert_false(state_is_ours);
    return call.result;
}

/* ---- models ---------------------------------------------------------------------------------- */

static void PutPointer(uint8_t *field, const uint8_t *target) {
    uint32_t address = Game_Address(target);
    memcpy(field, &address, sizeof address);
}

void Game_Load(GameModel *game, uint64_t seed) {
    ModelSpec spec = {.nodes = 5,
                      .animated = 2,
                      .frame_count = 20,
                      .keys_per_node = 6,
                      .slots = 3,
                      .optional = MODEL_RES15,
                      .seed = seed};
    TraceRelocation relocations[MODEL_READER_RELOCATIONS], pieces[64];
    RpError error;
    snprintf(spec.name, sizeof spec.name, "game");
    assert_int_equal(ModelImage_Make(&spec, &game->model, &error), RP_OK);
    game->image = Game_Memory(game->model.size);
    memcpy(game->image, game->model.bytes, game->model.size);
    free(game->model.bytes); /* the data that tests compare with lives as long as the rest */
    game->model.bytes = Game_Memory(game->model.size);
    memcpy(game->model.bytes, game->image, game->model.size);
    game->reader = Game_Memory(MODEL_READER_SIZE);
    uint32_t count = ModelImage_Reader(&game->model, 1, game->reader, relocations);
    for (uint32_t i = 0; i < count; i++)
        PutPointer(game->reader + relocations[i].offset,
                   game->image + relocations[i].target_offset);
    game->pieces = Game_Memory((spec.nodes + 1) * MODEL_PIECE_SIZE);
    ModelImage_Pieces(&game->model, 2, game->pieces, pieces);
    for (uint32_t i = 0; i < spec.nodes; i++)
        PutPointer(game->pieces + pieces[i].offset, game->reader);
}

/* ---- traces ---------------------------------------------------------------------------------- */

GameTrace Game_ReadTrace(const char *path, bool cut) {
    GameTrace trace = {.calls = 0};
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found = true;
    assert_int_equal(TraceReader_Open(path, &reader, &error), RP_OK);
    RpStatus status = RP_OK;
    while (!(status = TraceReader_Next(reader, &call, &found, &error)) && found) {
        trace.calls++;
        trace.last_sequence = call.sequence;
    }
    if (status && !cut)
        printf("%s: %s, %s\n", path, error.what, error.where);
    trace.whole = status == RP_OK;
    assert_true(status == RP_OK || (cut && status == RP_TRUNCATED));
    trace.memories = TraceReader_MemoryCount(reader);
    for (uint32_t i = 0; i < trace.memories; i++)
        trace.memory_bytes += TraceReader_MemoryAt(reader, i)->size;
    TraceReader_Close(reader);
    return trace;
}
