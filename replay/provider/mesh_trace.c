#include "replay/provider/mesh_trace.h"

#include "animesh/mesh_structs.h"
#include "exports/animesh_offsets.h"
#include "replay/image/mesh_image.h"
#include "replay/provider/native_trace.h"
#include "retropose/arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* ids of memories: each model has two, its image and its reader, and the objects follow */
enum { FIRST_IMAGE = 1 };
enum { MOST_WORDS = 40 }; /* the words of a call's inputs, without its state's ranges */
enum { PIECE_WORDS = ABI_PIECE_SIZE / 4 - 1 }; /* all of a piece except the pointer to the reader */

enum { POSE_WALK, AGENT_SPHERE, CAPSULE, SPHERE, BOX, NODE_CAPSULE, SEGMENT, FUNCTIONS };
static const char *const keys[FUNCTIONS] = {
    "animesh.PoseWalk",     "animesh.IMesh2.9",     "animesh.IMesh2.12", "animesh.IJointMesh.3",
    "animesh.IJointMesh.4", "animesh.IJointMesh.5", "animesh.IMesh2.6"};

typedef struct Output {
    NativeTrace trace;
    MeshImageReader *readers; /* the readers of the models */
    size_t reader_count;
    uint32_t next_memory;
    RpError *error;
} Output;

/* ---- memories -------------------------------------------------------------------------------- */

/* Writes the object as it is now. */
static RpStatus PutObject(Output *output, const RpMeshObject *mesh, uint32_t *id) {
    MeshImage image;
    *id = output->next_memory++;
    RpStatus status = MeshImage_Freeze(&mesh->mesh, *id, output->readers, output->reader_count,
                                       &image, output->error);
    if (status)
        return status;
    const TraceMemory memory = {.id = *id,
                                .size = image.size,
                                .bytes = image.bytes,
                                .relocations = image.relocations,
                                .relocation_count = image.relocation_count};
    status = TraceWriter_Memory(output->trace.writer, &memory, output->error);
    MeshImage_Free(&image);
    return status;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint32_t Bits(const float *number) {
    uint32_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

/* Sets a phase on the object that the trace has. The outcome is the whole of every piece. */
static RpStatus PutPoseWalk(Output *output, uint32_t object, uint32_t pieces, const float *phase) {
    const uint32_t head[] = {object, 0, 1, pieces, MESH_AT_phase, Bits(phase)};
    const size_t count = sizeof head / sizeof *head + 2 * (size_t)pieces;
    uint32_t *words = malloc(count * sizeof *words), *at = words;
    if (!words)
        return RpMemory_Refused(output->error, "a call");
    memcpy(words, head, sizeof head);
    at += sizeof head / sizeof *head;
    for (uint32_t i = 0; i < pieces; i++) {
        *at++ = MeshImage_PieceOffset(i);
        *at++ = PIECE_WORDS;
    }
    const RpStatus status = NativeTrace_Call(&output->trace, POSE_WALK, words, (uint32_t)count);
    free(words);
    return status;
}

/* Calls a function that leaves the object unchanged and answers with words. */
static RpStatus PutQuestion(Output *output, size_t function, uint32_t object, uint32_t interface,
                            const uint32_t *words, uint32_t count) {
    uint32_t all[4 + MOST_WORDS] = {object, interface, 0, 0};
    if (count > 0)
        memcpy(all + 4, words, count * sizeof *words);
    return NativeTrace_Call(&output->trace, function, all, 4 + count);
}

static RpStatus PutQuestions(Output *output, const RpMeshObject *mesh, uint32_t object) {
    RpStatus status = RP_OK;
    for (uint32_t mode = SPACE_MODEL; !status && mode <= SPACE_WORLD; mode += 2) {
        status = PutQuestion(output, AGENT_SPHERE, object, MESH_AT_mesh2, &mode, 1);
        if (!status)
            status = PutQuestion(output, CAPSULE, object, MESH_AT_mesh2, &mode, 1);
    }
    static const size_t functions[] = {SPHERE, BOX, NODE_CAPSULE};
    for (uint32_t piece = 0; !status && piece < mesh->mesh.piece_count; piece++) {
        for (uint32_t mode = SPACE_MODEL; !status && mode <= SPACE_WORLD; mode += 2)
            for (uint32_t single = 0; !status && single < 2; single++)
                for (size_t i = 0; !status && i < sizeof functions / sizeof *functions; i++) {
                    const uint32_t words[] = {piece, mode, 0, 0, 0, single};
                    status = PutQuestion(output, functions[i], object, MESH_AT_joint_mesh, words,
                                         sizeof words / sizeof *words);
                }

        /* Segments go through the middle of the piece's sphere along each axis, from both sides. */
        static const float beyond = 1.5f;
        float sphere[4];
        RpMeshObject_Sphere(mesh, (int32_t)piece, RP_MESH_WORLD, false, sphere);
        for (int way = 0; !status && way < 6; way++) {
            uint32_t words[6 + 8 + 9] = {0}; /* a segment, a query and a hit */
            for (int i = 0; i < 3; i++) {
                const float reach = way % 3 == i ? sphere[3] * beyond : 0.0f;
                const float start = sphere[i] + (way < 3 ? reach : -reach);
                const float end = sphere[i] - (way < 3 ? reach : -reach);
                words[i] = Bits(&start);
                words[3 + i] = Bits(&end);
            }
            status = PutQuestion(output, SEGMENT, object, MESH_AT_mesh2, words,
                                 sizeof words / sizeof *words);
        }
    }
    return status;
}

/* ---- the trace ------------------------------------------------------------------------------- */

RpStatus MeshTrace_Write(RpMeshObject *mesh, const MeshTraceModel *models, size_t model_count,
                         const MeshTraceOptions *options, const char *path, uint64_t *calls,
                         RpError *error) {
    const NativeTraceSpec spec = {.path = path,
                                  .producer = "retropose object trace",
                                  .readings = options->readings,
                                  .keys = keys,
                                  .key_count = FUNCTIONS,
                                  .control = RP_GAMES_CONTROL_WORD};
    Output output = {.error = error, .next_memory = FIRST_IMAGE};
    output.readers = calloc(model_count + 1, sizeof *output.readers);
    if (!output.readers)
        return RpMemory_Refused(error, "a trace");
    RpStatus status = NativeTrace_Begin(&spec, &output.trace, error);
    if (!status) {
        const uint16_t word = RpFpu_SetControlWord();
        const uint32_t steps = options->steps;
        uint32_t object;

        /* The images of the models, and the readers that point into them. */
        for (size_t i = 0; !status && i < model_count; i++) {
            const MeshTraceModel *model = &models[i];
            const Reader *native = &model->model->reader;
            uint8_t reader[ABI_READER_SIZE];
            TraceRelocation relocations[MESH_IMAGE_READER_RELOCATIONS];
            const uint32_t image_id = output.next_memory++, reader_id = output.next_memory++;
            const TraceMemory image = {
                .id = image_id, .size = (uint32_t)model->size, .bytes = model->image};
            const TraceMemory frozen = {
                .id = reader_id,
                .size = sizeof reader,
                .bytes = reader,
                .relocations = relocations,
                .relocation_count = MeshImage_FreezeReader(native, model->image, model->size,
                                                           image_id, reader, relocations)};
            output.readers[output.reader_count++] = (MeshImageReader){native, reader_id, 0};
            if (model->size > TRACE_MAX_MEMORY_BYTES)
                status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too large for a trace", "",
                                     "up to 256 MiB", "");
            if (!status)
                status = TraceWriter_Memory(output.trace.writer, &image, error);
            if (!status)
                status = TraceWriter_Memory(output.trace.writer, &frozen, error);
        }
        if (!status)
            status = PutObject(&output, mesh, &object);

        /* Each step is a pose walk from the object's last state, and then the object's questions at
         * this phase. */
        for (uint32_t step = 0; !status && step <= steps; step++) {
            const float phase = steps ? (float)step / (float)steps : mesh->mesh.phase;
            status = PutPoseWalk(&output, object, mesh->mesh.piece_count, &phase);
            if (status)
                break;
            RpMeshObject_SetPhase(mesh, phase, mesh->mesh.weight);
            RpMeshObject_Pose(mesh);
            status = PutObject(&output, mesh, &object);
            if (!status)
                status = PutQuestions(&output, mesh, object);
        }
        RpFpu_Restore(word);
        status = NativeTrace_End(&output.trace, status);
        *calls = output.trace.calls;
    }
    free(output.readers);
    return status;
}
