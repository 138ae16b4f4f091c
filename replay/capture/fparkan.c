#include "replay/capture/fparkan.h"

#include "core/bytes.h"
#include "core/digest.h"
#include "core/hash.h"
#include "core/json/json_text.h"
#include "exports/published.h"
#include "replay/provider/native.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *FparkanModule_Name(FparkanModule module) {
    static const char *const names[FPARKAN_MODULES] = {"World3D.dll", "Terrain.dll", "Effect.dll"};
    return names[module];
}

RpStatus FparkanCapture_Begin(FparkanCapture *capture, const TraceReader *trace,
                              const FparkanOptions *options, RpError *error) {
    const TraceHeader *header = TraceReader_Header(trace);
    *capture = (FparkanCapture){.trace = trace, .options = options, .native = Native_Create()};
    if (!capture->native)
        return RpMemory_Refused(error, "a capture");
    Native_SetMemory(capture->native, trace);
    TraceHeader_Get(header, "animesh.sha256", capture->animesh, sizeof capture->animesh);
    TraceHeader_Get(header, "ngi32.sha256", capture->ngi32, sizeof capture->ngi32);
    TraceHeader_Get(header, "provider", capture->provider, sizeof capture->provider);
    TraceHeader_Get(header, "processor", capture->processor, sizeof capture->processor);
    return RP_OK;
}

void FparkanCapture_End(FparkanCapture *capture) {
    Native_Destroy(capture->native);
    capture->native = NULL;
}

const char *FparkanCapture_WhyInformational(const FparkanCapture *capture) {
    static const char *const unknown[FPARKAN_MODULES] = {
        "World3D.dll is not the published build", "Terrain.dll is not a published build", ""};
    /* the published builds of the other modules (facts/animesh.md A.3); of Effect.dll none is */
    static const char *const published[FPARKAN_MODULES][2] = {
        {"17e4a3089b2583a8cf2356c9db0390b1aba138356a09130d79b4e7e4791da61e", NULL},
        {"6d3e68f0e15b297f6c184af3113baf1f31e19c3326c18f0150dec659242ed667",
         "af87d1b2e728a0be73c52be3b44cc196ab46da7799f25a15d40f8c9b0b425ead"},
        {NULL, NULL}};
    if (strcmp(capture->provider, "original") != 0)
        return "no original answered";
    if (!Published_Is(ABI_NGI32, capture->ngi32))
        return "Ngi32.dll is not the published build";
    if (!capture->animesh[0])
        return "the trace has no SHA-256 of AniMesh.dll";
    for (int i = 0; i < FPARKAN_MODULES; i++) {
        const char *sha256 = capture->options->sha256[i];
        if (!sha256[0])
            return "not all modules were hashed";
        bool is_published = !published[i][0];
        for (int k = 0; k < 2; k++)
            is_published |= published[i][k] && strcmp(sha256, published[i][k]) == 0;
        if (!is_published)
            return unknown[i];
    }
    return NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void PutText(RpBuffer *line, const char *name, const char *value) {
    RpBuffer_Print(line, ",\"%s\":", name);
    JsonText_Text(line, value);
}

static void PutFloats(RpBuffer *line, const char *name, const char *bits_name, const float *values,
                      uint32_t count) {
    RpBuffer_Print(line, ",\"%s\":", name);
    JsonText_Floats(line, values, count);
    RpBuffer_Print(line, ",\"%s\":[", bits_name);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_Print(line, "%s\"%08" PRIx32 "\"", i ? "," : "", bits);
    }
    RpBuffer_AppendText(line, "]");
}

static void PutNote(RpBuffer *line, const char *what, const char *value) {
    char note[192];
    snprintf(note, sizeof note, "%s%s", what, value);
    RpBuffer_AppendText(line, ",");
    JsonText_Text(line, note);
}

static void PutPose(const TraceCall *call, const float quaternion[4], const float position[3],
                    RpBuffer *line) {
    static const float scale[3] = {1, 1, 1};
    const RpArithmetic arithmetic = {.control_word = call->control_in};
    float matrix[16];
    const float rotation[4] = {quaternion[1], quaternion[2], quaternion[3], quaternion[0]};
    RpQuaternion_ToMatrix(&arithmetic, quaternion, matrix);
    for (int i = 0; i < 3; i++)
        memcpy(&matrix[4 * i + 3], &position[i], sizeof *position);
    PutFloats(line, "translation", "translation_bits", position, 3);
    PutFloats(line, "rotation_quat", "rotation_bits", rotation, 4);
    RpBuffer_AppendText(line, ",\"scale\":");
    JsonText_Floats(line, scale, 3);
    /* FNV-1a of 64 bits over the sixteen words, each as four bytes, the lowest first */
    RpBuffer_Print(line, ",\"matrix_hash\":\"%016" PRIx64 "\"",
                   Hash_Fnv64(HASH_FNV64_BEGIN, matrix, sizeof matrix));
}

static bool AreFinite(const float *values, int count) {
    bool finite = true;
    for (int i = 0; i < count; i++)
        finite &= isfinite(values[i]) != 0;
    return finite;
}

/* Finds the data of a parameter; both are in the order of the ABI's row. */
static const uint8_t *Find(const TraceCall *call, const SignatureMap *map, const char *name,
                           bool output) {
    for (int i = 0; i < call->signature->param_count; i++)
        if (strcmp(call->signature->params[i].name, name) == 0)
            return output ? call->outputs + map->output_offset[i]
                          : call->inputs + map->input_offset[i];
    return NULL;
}

/* What a call of SampleNode was given and answered. */
typedef struct Sampled {
    RpSkeleton skeleton;
    uint32_t node;
    float t, quaternion[4], position[3];
} Sampled;

/* Returns false if the call is to be left out. */
static bool ReadCall(FparkanCapture *capture, const TraceCall *call, Sampled *sampled) {
    SignatureMap map;
    if (call->outcome != TRACE_RETURNED ||
        !Signature_Map(call->signature, call->inputs, call->input_size, &map))
        return false;
    const uint8_t *piece = Find(call, &map, "piece", false), *time = Find(call, &map, "t", false);
    const uint8_t *turn = Find(call, &map, "quaternion", true);
    const uint8_t *place = Find(call, &map, "position", true);
    if (!piece || !time || !turn || !place ||
        !Native_FindPiece(capture->native, piece, &sampled->skeleton, &sampled->node))
        return false;
    memcpy(&sampled->t, time, sizeof sampled->t);
    memcpy(sampled->quaternion, turn, sizeof sampled->quaternion);
    memcpy(sampled->position, place, sizeof sampled->position);
    return AreFinite(&sampled->t, 1) && AreFinite(sampled->quaternion, 4) &&
           AreFinite(sampled->position, 3);
}

RpStatus FparkanCapture_Call(FparkanCapture *capture, const TraceCall *call, RpBuffer *line,
                             RpError *error) {
    static const char *const profiles[4] = {"x87-pc24", "x87-reserved", "x87-pc53", "x87-pc64"};
    const FparkanOptions *options = capture->options;
    Sampled sampled;
    uint32_t bits;
    if (strcmp(call->function->key, "animesh.SampleNode") != 0)
        return RP_OK;
    if (!ReadCall(capture, call, &sampled)) {
        capture->left_out++;
        return RP_OK;
    }

    /* A clip is named by its contents. The name has nothing to do with anybody's pointers, paths or
     * member names. */
    const RpSkeleton *skeleton = &sampled.skeleton;
    Digest digest;
    uint8_t frames[4];
    char hex[DIGEST_HEX_BYTES], clip[DIGEST_HEX_BYTES + 8];
    Bytes_PutU32(frames, skeleton->frame_count);
    Digest_Begin(&digest);
    Digest_Add(&digest, skeleton->nodes, skeleton->node_bytes);
    Digest_Add(&digest, skeleton->keys, skeleton->key_bytes);
    Digest_Add(&digest, skeleton->frame_map, skeleton->frame_map_bytes);
    Digest_Add(&digest, frames, sizeof frames);
    Digest_End(&digest, hex);
    snprintf(clip, sizeof clip, "sha256:%.16s", hex);

    memcpy(&bits, &sampled.t, sizeof bits);
    RpBuffer_AppendText(line, "{\"schema_version\":\"fparkan-stage4-capture-v1\""
                              ",\"capture_kind\":\"animation-pose\"");
    PutText(line, "game_part", options->game_part);
    PutText(line, "mission", options->mission);
    RpBuffer_Print(line,
                   ",\"frame_id\":%" PRIu64 ",\"tick\":%" PRIu64 ",\"frame_or_tick\":%" PRIu64,
                   call->sequence, call->sequence, call->sequence);
    RpBuffer_Print(line, ",\"module_hashes\":{\"AniMesh.dll\":\"%s\",\"Ngi32.dll\":\"%s\"",
                   capture->animesh, capture->ngi32);
    for (int i = 0; i < FPARKAN_MODULES; i++)
        if (options->sha256[i][0])
            RpBuffer_Print(line, ",\"%s\":\"%s\"", FparkanModule_Name((FparkanModule)i),
                           options->sha256[i]);
    RpBuffer_Print(line, "},\"module_name\":\"AniMesh.dll\",\"module_sha256\":\"%s\"",
                   capture->animesh);
    PutText(line, "tool_version", options->tool);

    const char *why = FparkanCapture_WhyInformational(capture);
    RpBuffer_Print(line, ",\"evidence\":\"%s\",\"notes\":[\"rotation_quat is x, y, z, w\"",
                   why ? "informational" : "capture");
    PutNote(line, "answered by: ", capture->provider[0] ? capture->provider : "unknown");
    PutNote(line, "processor: ", capture->processor[0] ? capture->processor : "unknown");
    PutNote(line, "no SHA-256 of AniMesh.dll or Effect.dll is published to compare theirs with",
            "");
    if (why)
        PutNote(line, "informational, because ", why);
    RpBuffer_AppendText(line, "]");

    PutText(line, "clip_id", clip);
    RpBuffer_Print(line, ",\"node_index\":%" PRIu32 ",\"sample_time\":", sampled.node);
    JsonText_Float(line, &sampled.t);
    RpBuffer_Print(line, ",\"sample_time_bits\":\"%08" PRIx32 "\"", bits);
    PutText(line, "numeric_profile", profiles[call->control_in >> 8 & 3]);
    PutPose(call, sampled.quaternion, sampled.position, line);
    RpBuffer_AppendText(line, "}\n");
    capture->written++;
    return line->failed ? RpMemory_Refused(error, "a capture") : RP_OK;
}
