/* Gives a trace reader any bytes. There is no crash, no endless loop, and no call that breaks its
 * own promises.
 *
 * Random bytes never get past a checksum, so the checksums are made right first, which lets the
 * target reach the code after them. */
#include "fuzz.h"
#include "trace_bytes.h"
#include "tracefile/format.h"

#include <stdlib.h>
#include <string.h>

static bool IsPlain(const TraceMemory *memory, uint32_t offset, uint32_t dwords) {
    if (offset + 4 * (uint64_t)dwords > memory->size)
        return false;
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        uint32_t pointer = memory->relocations[i].offset;
        if (pointer + 3 >= offset && pointer < offset + 4 * dwords)
            return false;
    }
    return true;
}

/* Checks what the code that runs a call relies on when it writes the patches and reads the
 * ranges. */
static void CheckState(const TraceReader *reader, const TraceCall *call) {
    SignatureMap map;
    int param = Signature_StateParam(call->signature);
    if (param < 0)
        return;
    Insist(Signature_Map(call->signature, call->inputs, call->input_size, &map));
    SignatureState state = Signature_ReadState(call->inputs + map.input_offset[param]);
    const TraceMemory *memory = TraceReader_Memory(reader, state.memory);
    if (!memory || state.offset >= memory->size)
        abort();
    for (uint32_t i = 0; i < state.patch_count; i++)
        Insist(IsPlain(memory, Bytes_U32(state.patches + 8 * (size_t)i), 1));
    for (uint32_t i = 0; i < state.range_count; i++)
        if (!IsPlain(memory, Bytes_U32(state.ranges + 8 * (size_t)i),
                     Bytes_U32(state.ranges + 8 * (size_t)i + 4)))
            abort();
}

static void CheckCall(const TraceReader *reader, const TraceCall *call) {
    SignatureElement element;
    uint32_t end = 0;
    SignatureCursor cursor =
        Signature_InputElements(call->signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element))
        if (element.offset + element.size > call->input_size)
            abort();
    CheckState(reader, call);
    if (call->outcome != TRACE_RETURNED)
        return;
    cursor = Signature_OutputElements(call->signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element))
        end = element.offset + element.size;
    if (end > call->output_size)
        abort();
}

static void ReadAll(const uint8_t *bytes, size_t size) {
    TraceReader *reader;
    TraceCall call;
    RpError error;
    bool found = true;
    if (TraceReader_OpenBuffer(bytes, size, "fuzz", &reader, &error))
        return;
    for (int pass = 0; pass < 2; pass++) {
        while (TraceReader_Next(reader, &call, &found, &error) == RP_OK && found)
            CheckCall(reader, &call);
        TraceReader_Rewind(reader);
    }
    TraceReader_Close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    HEAP uint8_t *copy = Fuzz_Copy(data, size);
    ReadAll(copy, size);
    TraceBytes_RepairChecksums(copy, size);
    ReadAll(copy, size);
    return 0;
}
