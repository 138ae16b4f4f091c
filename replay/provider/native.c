/* Makes the library of this process a provider: what it has of the two DLLs is called with a
 * trace's inputs, under the trace's control word and MXCSR. */
#include "replay/provider/native.h"

#include "animesh/column.h"
#include "exports/ngi32.abi.h"
#include "ngi32/processor/soft_x87.h"
#include "replay/provider/native_mesh.h"
#include "replay/provider/processor_state.h"
#include "replay/provider/provider.h"
#include "retropose/pose.h"
#include "tracefile/format.h"
#include "tracefile/trace_piece.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSET_BYTE    0xA5 /* what outputs hold before the call (docs/formats/trace.md) */
#define X87_MASKS     0x003Fu
#define MXCSR_MASKS   0x1F80u
#define MXCSR_DEFINED 0xFFFFu

typedef struct Buffers {
    float *in, *out;
    uint32_t capacity;
} Buffers;

/* Makes one call. Inputs and outputs are laid out as in a trace, at aligned addresses. Returns
 * false if the call cannot be made here. */
typedef bool (*NativeFunction)(Native *native, const float *in, uint32_t in_size, float *out);

struct Native {
    /* indexed by the row of the ABI tables; null for functions that `meshes` has */
    NativeFunction *functions;
    const MeshFunction **meshes;
    Buffers buffers;
    RpArithmetic settings; /* settings with the builds of the slots that poses use: 14, 17 and 22 */
    RpArithmetic slot;     /* the same settings with the build for the current call */
    bool refused;          /* the current call cannot be made here */
    /* the build of slots whose build in `settings` has no published address */
    RpBuild class_build;
    const TraceReader *reader;
    /* The piece of the last call, and what was found for it. */
    uint32_t piece_id, piece_offset, node;
    RpSkeleton model;
    float vertices[SIGNATURE_MAX_COUNT][3];
    const float *vertex_pointers[SIGNATURE_MAX_COUNT];
    MeshStates *states;
    /* the interpolation of the current call; null stands for the library's */
    NativeInterpolation *interpolation;
};

/* ---- memory of the trace -----------------------------------------------------------------------
 */

/* Returns `size` bytes of a memory, or null. */
static const uint8_t *Bytes(const TraceMemory *memory, uint32_t offset, uint32_t size) {
    if (!memory || offset > memory->size || size > memory->size - offset)
        return NULL;
    return memory->bytes + offset;
}

/* Looks up the piece that the reference at `in` names. */
static bool UsePiece(Native *native, const float *in) {
    uint32_t reference[2];
    memcpy(reference, in, sizeof reference);
    if (reference[0] == native->piece_id && reference[1] == native->piece_offset)
        return true;
    native->piece_id = TRACE_NO_MEMORY;
    if (!TracePiece_Find(native->reader, reference[0], reference[1], &native->model, &native->node))
        return false;
    native->piece_id = reference[0];
    native->piece_offset = reference[1];
    return true;
}

/* ---- functions ---------------------------------------------------------------------------------
 */

static uint32_t Word(const float *in) {
    uint32_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

static void ReturnWord(uint32_t value, float *out) {
    memcpy(out, &value, sizeof value);
}

static void ReturnReal(long double value, float *out) {
    const SoftX87 st0 = SoftX87_FromLongDouble(value);
    memset(out, 0, 12);
    memcpy(out, &st0, 10);
}

#include "native-calls.h" /* made by exports/make_tables.c: NATIVE_f, NATIVE_SLOTS */

NATIVE_SLOTS

NATIVE_ngi32_DirectionalCosine {
    return RpLight_DirectionalCosine(&native->slot, normal, travel);
}

NATIVE_ngi32_Highlight {
    return RpLight_Highlight(&native->slot, normal, travel, cosine, to_eye, power);
}

NATIVE_ngi32_PointLight {
    RpLight_Point(&native->slot, light, vertex, normal, sum);
}

NATIVE_ngi32_DirectionalLights {
    RpLight_Directional(&native->slot, lights, count, normal, diffuse, colour);
}

NATIVE_ngi32_mrnPointInPoly {
    for (uint32_t i = 0; i < count; i++) {
        const TraceMemory *memory = TraceReader_Memory(native->reader, Word(vertices + 2 * i));
        const uint8_t *vertex = Bytes(memory, Word(vertices + 2 * i + 1), 12);
        if (!vertex) {
            native->refused = true;
            return 0;
        }
        memcpy(native->vertices[i], vertex, 12);
        native->vertex_pointers[i] = native->vertices[i];
    }
    return (uint32_t)RpPolygon_Contains(&native->slot, plane, native->vertex_pointers, count,
                                        point);
}

NATIVE_ngi32_ngiGetSinCos {
    RpScalar_SineCosine(&native->slot, angle, sine, cosine);
}

/* This library has no table. In a table that is as documented, the answer is the entry that was
 * asked for (facts/ngi32.md A.3). Past the end of the table, the original reads whatever is
 * there. */
NATIVE_ngi32_niGetProcAddress {
    native->refused = index >= ABI_NGI32_FASTPROC_COUNT;
    return index;
}

NATIVE_ngi32_SetFpuControlWord {
    RpFpu_SetControlWord();
}

NATIVE_animesh_SampleNode {
    native->refused = !UsePiece(native, piece);
    if (!native->refused)
        RpPose_Sample(&native->model, &native->settings, native->node, t, quaternion, position,
                      NULL);
}

NATIVE_animesh_BlendPoses {
    native->refused = !UsePiece(native, piece);
    if (!native->refused)
        RpPose_Blend(&native->model, &native->settings, native->node, t_a, t_b, weight, matrix,
                     NULL);
}

/* In the DLLs, a column outside of the matrix would be another address. Here the call is
 * refused. */
NATIVE_animesh_SetColumn {
    native->refused = column >= 4;
    if (!native->refused)
        Matrix_SetColumn(matrix, column, vector);
}

NATIVE_animesh_GetColumn {
    native->refused = column >= 4;
    if (!native->refused)
        Matrix_GetColumn(matrix, column, vector);
}

/* ---- the list of functions ---------------------------------------------------------------------
 */

/* clang-format off */
#define ROW(module, name) {#module "." #name, Call_##module##_##name},
static const struct {
    const char *key;
    NativeFunction function;
} functions[] = {
    NATIVE_SLOT_ROWS(ROW)
    ROW(ngi32, DirectionalCosine)
    ROW(ngi32, Highlight)
    ROW(ngi32, PointLight)
    ROW(ngi32, DirectionalLights)
    ROW(ngi32, mrnPointInPoly)
    ROW(ngi32, ngiGetSinCos)
    ROW(ngi32, niGetProcAddress)
    ROW(ngi32, SetFpuControlWord)
    ROW(animesh, SampleNode)
    ROW(animesh, BlendPoses)
    ROW(animesh, SetColumn)
    ROW(animesh, GetColumn)
};
#undef ROW
/* clang-format on */

static NativeFunction FindFunction(const AbiFunction *function) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].key, function->key) == 0)
            return functions[i].function;
    return NULL;
}

/* ---- one call ----------------------------------------------------------------------------------
 */

static ProcessorState StateOf(const TraceCall *call) {
    return (ProcessorState){call->control_in, call->mxcsr_in & MXCSR_DEFINED};
}

/* Returns the build of a function. A build without a published address cannot be found in the DLLs,
 * so their table keeps the class's build, and so does this. */
RpBuild Native_BuildOf(const Native *native, const AbiFunction *function) {
    RpBuild build = native->settings.build;
    uint32_t rva = build == RP_BUILD_GENERIC ? function->rva
                   : build == RP_BUILD_FXCH  ? function->rva_fxch
                                             : function->rva_sse;
    return rva ? build : native->class_build;
}

RpStatus Native_Call(Native *native, TraceCall *call, RpError *error) {
    NativeFunction function = native->functions[call->function - abi_functions];
    const MeshFunction *mesh = native->meshes[call->function - abi_functions];
    bool outside = false;
    Buffers *buffers = &native->buffers;
    uint32_t out_size = Signature_OutputBytes(call->signature, call->inputs, call->input_size);
    const uint32_t room = (out_size > call->input_size ? out_size : call->input_size) + 64;
    if (room > buffers->capacity) {
        free(buffers->in);
        free(buffers->out);
        buffers->in = malloc(room);
        buffers->out = malloc(room);
        buffers->capacity = buffers->in && buffers->out ? room : 0;
    }
    if (buffers->capacity == 0)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a call", "", "", "");
    memcpy(buffers->in, call->inputs, call->input_size);
    memset(buffers->out, UNSET_BYTE, out_size);
    call->outcome = TRACE_UNSUPPORTED;
    call->violations = 0;
    call->control_out = call->control_in;
    call->mxcsr_out = call->mxcsr_in;
    call->outputs = (const uint8_t *)buffers->out;
    call->output_size = 0;
    /* An unmasked exception would be a signal in this process. */
    const bool is_masked = (call->control_in & X87_MASKS) == X87_MASKS &&
                           (call->mxcsr_in & MXCSR_MASKS) == MXCSR_MASKS;
    if ((!function && !mesh) || !is_masked || !ProcessorState_IsThere(StateOf(call)))
        return RP_OK;
    native->slot.build = Native_BuildOf(native, call->function);
    ProcessorState own = ProcessorState_Swap(StateOf(call));
    bool called;
    if (function) {
        called = function(native, buffers->in, call->input_size, buffers->out);
    } else {
        NativeInterpolation *interpolation = native->interpolation;
        MeshCalls calls = {native->states, native->reader, &native->settings, native->settings,
                           NULL};
        calls.product.build = native->class_build;
        if (interpolation) {
            interpolation->arithmetic = native->settings;
            calls.settings = &interpolation->arithmetic;
            calls.interpolate = interpolation->interpolate;
        }
        called = MeshFunction_Call(mesh, &calls, buffers->in, buffers->out, &outside);
    }
    ProcessorState after = ProcessorState_Swap(own);
    if (!called)
        return RP_OK;
    if (call->signature->returns == SIGNATURE_ANY)
        memset(buffers->out, 0, sizeof *buffers->out);
    call->outcome = TRACE_RETURNED;
    call->violations = outside ? TRACE_OUTSIDE_WRITE : 0;
    call->output_size = out_size;
    call->control_out = after.control;
    call->mxcsr_out = after.mxcsr;
    return RP_OK;
}

RpStatus Native_CallWith(Native *native, TraceCall *call, NativeInterpolation *interpolation,
                         RpError *error) {
    native->interpolation = interpolation;
    RpStatus status = Native_Call(native, call, error);
    native->interpolation = NULL;
    return status;
}

/* ---- what calls run under ----------------------------------------------------------------------
 */

/* Returns the build that a pair of DLLs would choose here. On a host that is not an x86, the pair
 * finds the machine's processor, which is then a Pentium 4 (machine/processor/profile.c). */
static RpBuild BuildFor(int32_t force_cpu) {
    RpProcessor processor;
    const bool forced = force_cpu >= 2 && force_cpu <= 7;
    RpProcessor_FromForceCpu(force_cpu, &processor);
    return MACHINE_HAS_X87 || forced ? RpProcessor_Build(&processor) : RP_BUILD_SSE;
}

Native *Native_Create(void) {
    Native *native = calloc(1, sizeof *native);
    if (!native)
        return NULL;
    native->functions = calloc(abi_function_count, sizeof *native->functions);
    native->meshes = calloc(abi_function_count, sizeof *native->meshes);
    native->states = MeshStates_Create();
    if (!native->functions || !native->meshes || !native->states) {
        Native_Destroy(native);
        return NULL;
    }
    for (size_t i = 0; i < abi_function_count; i++) {
        native->functions[i] = FindFunction(&abi_functions[i]);
        native->meshes[i] = MeshFunction_Find(&abi_functions[i]);
    }
    native->piece_id = TRACE_NO_MEMORY;
    native->settings.control_word = native->slot.control_word = RP_THREADS_CONTROL_WORD;
    Native_SetBuild(native, BuildFor(0));
    return native;
}

void Native_Destroy(Native *native) {
    if (!native)
        return;
    MeshStates_Destroy(native->states);
    free(native->meshes);
    free(native->functions);
    free(native->buffers.in);
    free(native->buffers.out);
    free(native);
}

bool Native_FindPiece(Native *native, const uint8_t reference[8], RpSkeleton *model,
                      uint32_t *node) {
    float words[2];
    memcpy(words, reference, sizeof words);
    if (!UsePiece(native, words))
        return false;
    *model = native->model;
    *node = native->node;
    return true;
}

bool Native_Has(const AbiFunction *function) {
    return FindFunction(function) || MeshFunction_Find(function);
}

void Native_SetBuild(Native *native, RpBuild build) {
    native->settings.build = native->class_build = build;
}

RpBuild Native_Build(const Native *native) {
    return native->settings.build;
}

void Native_SetReadings(Native *native, const RpReadings *readings) {
    native->settings.readings = native->slot.readings = *readings;
}

void Native_SetEstimates(Native *native, RpEstimates estimates) {
    native->settings.estimates = native->slot.estimates = estimates;
}

void Native_SetMemory(Native *native, const TraceReader *reader) {
    MeshStates_SetMemory(native->states, reader);
    native->reader = reader;
    native->piece_id = TRACE_NO_MEMORY;
}

RpStatus Native_ReadMachine(Native *native, const TraceHeader *header, RpError *error) {
    char text[TRACE_HEADER_MAX];
    int32_t force_cpu = 0; /* 0 chooses nothing */
    ProviderSlotBuild build;
    RpStatus status = Provider_SlotBuild(header, &build, error);
    if (status)
        return status;
    if (TraceHeader_Get(header, "force-cpu", text, sizeof text))
        force_cpu = (int32_t)strtol(text, NULL, 10);
    Native_SetBuild(native, BuildFor(force_cpu));
    if (build != PROVIDER_SLOTS_BY_CLASS)
        native->settings.build = (RpBuild)(build - PROVIDER_SLOTS_GENERIC);
    return RP_OK;
}

RpStatus Native_ReadSettings(Native *native, const TraceHeader *header, RpError *error) {
    char text[TRACE_HEADER_MAX];
    RpReadings readings;
    RpStatus status = Native_ReadMachine(native, header, error);
    TraceHeader_Get(header, "hypotheses", text, sizeof text);
    if (!status)
        status = RpReadings_Parse(&readings, RP_READS_RUNTIME, text, error);
    if (!status)
        Native_SetReadings(native, &readings);
    return status;
}
