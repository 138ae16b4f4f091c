#include "replay/provider/ani_trace.h"

#include "replay/provider/native_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FILE_MEMORY 1u
#define CONTROL     0x027Fu /* the control word with which a thread of Windows begins */

enum { LOCAL, WORLD, CAMERA, VISIBLE };
static const char *const keys[] = {"ani.local", "ani.world", "ani.camera", "ani.visible"};

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void PutIdentity(uint32_t *words) {
    for (int i = 0; i < 16; i++)
        words[i] = i % 5 == 0 ? Bits(1.0f) : 0;
}

static RpStatus PutTime(NativeTrace *trace, const RpAni *ani, uint32_t policy, int32_t time) {
    const uint32_t at = Bits((float)time);
    RpStatus status = RP_OK;
    for (uint32_t node = 0; !status && node < ani->node_count; node++) {
        uint32_t world[5 + 16] = {FILE_MEMORY, 0, policy, node, (uint32_t)time};
        const uint32_t local[] = {FILE_MEMORY, 0, policy, node, at, 0, 0, 0, 0};
        PutIdentity(world + 5);
        status = NativeTrace_Call(trace, LOCAL, local, sizeof local / sizeof *local);
        if (!status)
            status = NativeTrace_Call(trace, WORLD, world, sizeof world / sizeof *world);
    }
    if (status || !ani->has_camera)
        return status;
    uint32_t camera[7 + 16] = {FILE_MEMORY, 0, policy, at, 0, 0, 0};
    PutIdentity(camera + 7);
    return NativeTrace_Call(trace, CAMERA, camera, sizeof camera / sizeof *camera);
}

static RpStatus PutCalls(NativeTrace *trace, const RpAni *ani, const AniTraceOptions *options) {
    RpStatus status = RP_OK;
    for (int64_t time = options->first; !status && time <= options->last; time += options->step) {
        for (uint32_t policy = 0; !status && policy < RP_ANI_POLICIES; policy++)
            if (options->policies[policy])
                status = PutTime(trace, ani, policy, (int32_t)time);
        for (uint32_t node = 0; !status && node < ani->node_count; node++) {
            const uint32_t at = Bits((float)(int32_t)time);
            const uint32_t words[] = {FILE_MEMORY, 0, node, at, 0, 0, 0, 0};
            status = NativeTrace_Call(trace, VISIBLE, words, sizeof words / sizeof *words);
        }
    }
    return status;
}

static RpStatus CheckCalls(const RpAni *ani, const AniTraceOptions *options, const char *path,
                           RpError *error) {
    char expected[96], found[40];
    uint64_t each = ani->node_count; /* how many calls PutCalls makes for a time */
    if (options->last < options->first)
        return RP_OK;
    for (uint32_t policy = 0; policy < RP_ANI_POLICIES; policy++)
        if (options->policies[policy])
            each += 2 * (uint64_t)ani->node_count + (ani->has_camera != 0);
    const uint64_t range = (uint64_t)((int64_t)options->last - options->first);
    const uint64_t calls = (range / (uint64_t)options->step + 1) * each;
    if (calls <= ANI_TRACE_MOST_CALLS)
        return RP_OK;
    snprintf(expected, sizeof expected, "at most %d: a longer step, or one policy alone",
             ANI_TRACE_MOST_CALLS);
    snprintf(found, sizeof found, "%" PRIu64, calls);
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the trace would have too many calls",
                       path, expected, found);
}

RpStatus AniTrace_Write(const uint8_t *image, size_t size, const AniTraceOptions *options,
                        const char *path, uint64_t *calls, RpError *error) {
    const NativeTraceSpec spec = {.path = path,
                                  .producer = "retropose ani trace",
                                  .keys = keys,
                                  .key_count = sizeof keys / sizeof *keys,
                                  .control = CONTROL};
    const TraceMemory file = {.id = FILE_MEMORY, .size = (uint32_t)size, .bytes = image};
    NativeTrace trace;
    RpAni ani;
    if (size > TRACE_MAX_MEMORY_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too large for a trace", path,
                           "up to 256 MiB", "");
    RpStatus status = RpAni_Read(image, size, RP_ANI_FILE, RP_STRICT, NULL, &ani, error);
    if (status)
        return status;
    status = CheckCalls(&ani, options, path, error);
    if (!status)
        status = NativeTrace_Begin(&spec, &trace, error);
    if (!status) {
        status = TraceWriter_Memory(trace.writer, &file, error);
        if (!status)
            status = PutCalls(&trace, &ani, options);
        status = NativeTrace_End(&trace, status);
        *calls = trace.calls;
    }
    RpAni_Free(&ani);
    return status;
}
