#include "ani_trace.h"

#include "provider.h"
#include "trace_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FILE_MEMORY 1u
#define CONTROL     0x027Fu /* as a thread of Windows begins */
#define MXCSR       0x1F80u
#define MOST_WORDS  24

typedef struct Output {
    TraceWriter *writer;
    Signature signatures[4];
    uint64_t calls;
    RpError *error;
} Output;

enum { LOCAL, WORLD, CAMERA, VISIBLE };
static const char *const keys[] = {"ani.local", "ani.world", "ani.camera", "ani.visible"};

static uint32_t Bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static RpStatus PutCall(Output *output, int function, const uint32_t *words, uint32_t count) {
    uint8_t inputs[4 * MOST_WORDS];
    for (uint32_t i = 0; i < count; i++)
        Trace_Put32(inputs + 4 * i, words[i]);
    const TraceCall call = {.function = output->signatures[function].function,
                            .signature = &output->signatures[function],
                            .sequence = output->calls++,
                            .control_in = CONTROL,
                            .control_out = CONTROL,
                            .mxcsr_in = MXCSR,
                            .mxcsr_out = MXCSR,
                            .outcome = TRACE_NOT_RUN,
                            .inputs = inputs,
                            .input_size = 4 * count};
    return TraceWriter_Call(output->writer, &call, output->error);
}

static void PutIdentity(uint32_t *words) {
    for (int i = 0; i < 16; i++)
        words[i] = i % 5 == 0 ? Bits(1.0f) : 0;
}

static RpStatus PutNode(Output *output, uint32_t policy, uint32_t node, int32_t time) {
    const uint32_t at = Bits((float)time);
    uint32_t world[5 + 16] = {FILE_MEMORY, 0, policy, node, (uint32_t)time};
    const uint32_t local[] = {FILE_MEMORY, 0, policy, node, at, 0, 0, 0, 0};
    PutIdentity(world + 5);
    RpStatus status = PutCall(output, LOCAL, local, sizeof local / sizeof *local);
    return status ? status : PutCall(output, WORLD, world, sizeof world / sizeof *world);
}

static RpStatus PutTime(Output *output, const RpAni *ani, uint32_t policy, int32_t time) {
    const uint32_t at = Bits((float)time);
    RpStatus status = RP_OK;
    for (uint32_t node = 0; !status && node < ani->node_count; node++)
        status = PutNode(output, policy, node, time);
    if (status || !ani->has_camera)
        return status;
    uint32_t camera[7 + 16] = {FILE_MEMORY, 0, policy, at, 0, 0, 0};
    PutIdentity(camera + 7);
    return PutCall(output, CAMERA, camera, sizeof camera / sizeof *camera);
}

static RpStatus PutVisible(Output *output, const RpAni *ani, int32_t time) {
    RpStatus status = RP_OK;
    for (uint32_t node = 0; !status && node < ani->node_count; node++) {
        const uint32_t words[] = {FILE_MEMORY, 0, node, Bits((float)time), 0, 0, 0, 0};
        status = PutCall(output, VISIBLE, words, sizeof words / sizeof *words);
    }
    return status;
}

static RpStatus PutCalls(Output *output, const RpAni *ani, const AniTraceOptions *options) {
    RpStatus status = RP_OK;
    for (int64_t time = options->first; !status && time <= options->last; time += options->step) {
        for (uint32_t policy = 0; !status && policy < RP_ANI_POLICIES; policy++)
            if (options->policies[policy])
                status = PutTime(output, ani, policy, (int32_t)time);
        if (!status)
            status = PutVisible(output, ani, (int32_t)time);
    }
    return status;
}

static RpStatus FillHeader(TraceHeader *header, RpError *error) {
    char digest[24];
    snprintf(digest, sizeof digest, "%016" PRIx64, Abi_Digest());
    TraceHeader_Init(header);
    RpStatus status = TraceHeader_Set(header, "producer", "retropose ani trace", error);
    if (!status)
        status = TraceHeader_Set(header, "abi", digest, error);
    return status ? status : TraceHeader_Set(header, "provider", "none", error);
}

static RpStatus WriteInputs(const TraceMemory *file, const RpAni *ani,
                            const AniTraceOptions *options, const char *path, Output *output) {
    TraceHeader header;
    RpStatus status = FillHeader(&header, output->error);
    for (size_t i = 0; !status && i < sizeof keys / sizeof *keys; i++)
        status = Signature_Parse(Abi_Find(keys[i]), &output->signatures[i], output->error);
    if (!status)
        status = TraceWriter_Create(path, &header, false, &output->writer, output->error);
    if (status)
        return status;
    status = TraceWriter_Memory(output->writer, file, output->error);
    if (!status)
        status = PutCalls(output, ani, options);
    if (!status)
        return TraceWriter_Close(output->writer, output->error);
    TraceWriter_Abandon(output->writer);
    remove(path);
    return status;
}

RpStatus AniTrace_Write(const uint8_t *image, size_t size, const AniTraceOptions *options,
                        const char *path, uint64_t *calls, RpError *error) {
    static const Provider native = {.kind = PROVIDER_NATIVE};
    const ProviderOptions run = {.host = NULL};
    const TraceMemory file = {.id = FILE_MEMORY, .size = (uint32_t)size, .bytes = image};
    Output output = {.error = error};
    char inputs[4096];
    RpAni ani;
    if (size > TRACE_MAX_MEMORY_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too large for a trace", path,
                           "up to 256 MiB", "");
    if ((size_t)snprintf(inputs, sizeof inputs, "%s.calls.tmp", path) >= sizeof inputs)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "too long a path", path, "", "");
    RpStatus status = RpAni_Read(image, size, RP_ANI_FILE, RP_STRICT, NULL, &ani, error);
    if (status)
        return status;
    status = WriteInputs(&file, &ani, options, inputs, &output);
    if (!status)
        status = Provider_Run(&native, inputs, path, &run, error);
    remove(inputs);
    RpAni_Free(&ani);
    *calls = output.calls;
    return status;
}
