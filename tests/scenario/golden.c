#include "golden.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *const golden_header[][2] = {
    {"producer", "retropose golden"},
    {"abi", "0123456789abcdef"},
    {"scenario", "golden"},
    {"seed", "18446744073709551615"},
    {"provider", "stand-in"},
    {"force-cpu", "7"},
    {"hypotheses", "key-order=wxyz"},
    {"unknown-key", "\xD0\x9F\xD0\xB0\xD1\x80\xD0\xBA\xD0\xB0\xD0\xBD = kept"},
};
const size_t golden_header_count = COUNT(golden_header);

static const uint8_t corners[] = {
    0, 0, 0,    0,    0, 0, 0,    0,    0, 0, 0, 0, /* 0, 0, 0 */
    0, 0, 0x80, 0x3F, 0, 0, 0,    0,    0, 0, 0, 0, /* 1, 0, 0 */
    0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, /* 1, 1, 0 */
};
static const uint8_t odd[] = {'s', 'e', 'v', 'e', 'n', '!', '!'};
static const uint8_t pointers[16] = {0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44};
/* One relocation leads to an earlier memory, and one to a later memory. */
static const TraceRelocation relocations[] = {{0, 1, 12}, {8, 0xFFFFFFFD, 4}};

const TraceMemory golden_memories[] = {
    {1, sizeof corners, corners, 0, NULL},
    {2, sizeof pointers, pointers, 2, relocations},
    {0xFFFFFFFD, sizeof odd, odd, 0, NULL},
};
const size_t golden_memory_count = COUNT(golden_memories);

#define W(value)                                                                                   \
    (uint8_t)(value), (uint8_t)((uint32_t)(value) >> 8), (uint8_t)((uint32_t)(value) >> 16),       \
        (uint8_t)((uint32_t)(value) >> 24)
#define UNWRITTEN W(0xA5A5A5A5)

static const uint8_t palette_in[] = {W(1), W(0x80000000), W(0xFFFFFFFF)};
static const uint8_t text_in[] = {W(6), 'l', 'i', 'n', 'e', '\n', 0, 0, 0};
static const uint8_t cosine_in[] = {W(0), W(0x80000000), W(0x3F800000),
                                    W(0), W(0x7FC00000), W(0x00000001)};
static const uint8_t cosine_out[] = {0, 1, 2, 3, 4, 5, 6, 0x80, 0xFF, 0x3F, 0, 0};
static const uint8_t slerp_in[] = {W(0x3F800000), W(0), W(0), W(0),         W(0),
                                   W(0x3F800000), W(0), W(0), W(0x3F000000)};
static const uint8_t slerp_out[] = {W(0x3F3504F3), W(0x3F3504F3), UNWRITTEN, W(0x80000000)};
static const uint8_t polygon_in[] = {
    W(0),  W(0),          W(0x3F800000), W(0),          W(1), W(0), W(1),          W(12), W(1),
    W(24), W(0xFFFFFFFF), W(0),          W(0xFFFFFFFE), W(0), W(5), W(0x3F000000), W(0),  W(0)};
static const uint8_t polygon_out[] = {W(1)};
static const uint8_t piece_in[] = {W(2), W(0), W(0xFFC00001)};
static const uint8_t crash_out[] = {W(0xC0000005), W(0x12880), W(1)};
static const uint8_t exit_out[] = {W(0x10)};
static const uint8_t string_in[] = {W(2), W(8)};
static const uint8_t string_out[] = {W(0xFFFFFFFD), W(4)};

static const struct {
    const char *key;
    uint64_t sequence;
    uint16_t control_in, control_out;
    uint32_t mxcsr_in, mxcsr_out;
    uint8_t outcome, violations;
    const uint8_t *inputs;
    uint32_t input_size;
    const uint8_t *outputs;
    uint32_t output_size;
} calls[] = {
    {"ngi32.SetFpuControlWord", 0, 0x027F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0, NULL, 0, NULL,
     0},
    {"ngi32.ngiSetPalette", 1, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0x1F, palette_in,
     sizeof palette_in, NULL, 0},
    {"ngi32.niOutputDebugString", 5, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_NOT_RUN, 0, text_in,
     sizeof text_in, NULL, 0},
    {"ngi32.DirectionalCosine", 6, 0x0F7F, 0x0F7F, 0x7F80, 0x7FA1, TRACE_RETURNED, 4, cosine_in,
     sizeof cosine_in, cosine_out, sizeof cosine_out},
    {"ngi32.slot17", 1000, 0x037F, 0x037F, 0x1F80, 0x1FA0, TRACE_RETURNED, 0, slerp_in,
     sizeof slerp_in, slerp_out, sizeof slerp_out},
    {"ngi32.mrnPointInPoly", 4294967296, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0,
     polygon_in, sizeof polygon_in, polygon_out, sizeof polygon_out},
    {"animesh.SampleNode", 4294967297, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_CRASHED, 0, piece_in,
     sizeof piece_in, crash_out, sizeof crash_out},
    {"animesh.SampleNode", 4294967298, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_EXITED, 0, piece_in,
     sizeof piece_in, exit_out, sizeof exit_out},
    {"animesh.SampleNode", 4294967299, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_TIMED_OUT, 0, piece_in,
     sizeof piece_in, NULL, 0},
    {"animesh.SampleNode", 4294967300, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_UNSUPPORTED, 0,
     piece_in, sizeof piece_in, NULL, 0},
    {"animesh.NodeString", 9007199254740991, 0x007F, 0x007F, 0x1F80, 0x1F80, TRACE_RETURNED, 0,
     string_in, sizeof string_in, string_out, sizeof string_out},
};
const size_t golden_call_count = COUNT(calls);

TraceCall Golden_Call(size_t index, Signature *signature) {
    TraceCall call = {.function = Abi_Find(calls[index].key),
                      .signature = signature,
                      .sequence = calls[index].sequence,
                      .control_in = calls[index].control_in,
                      .control_out = calls[index].control_out,
                      .mxcsr_in = calls[index].mxcsr_in,
                      .mxcsr_out = calls[index].mxcsr_out,
                      .outcome = calls[index].outcome,
                      .violations = calls[index].violations,
                      .inputs = calls[index].inputs,
                      .input_size = calls[index].input_size,
                      .outputs = calls[index].outputs,
                      .output_size = calls[index].output_size};
    Signature_Parse(call.function, signature, NULL);
    return call;
}
