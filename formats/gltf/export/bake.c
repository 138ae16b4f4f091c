/* Poses from this library's own sampler: the rest pose, and one for every frame of the
 * animation. */
#include "exports/reading_table.h"
#include "formats/gltf/export/export.h"
#include "retropose/msh_make.h"

#include <math.h>
#include <string.h>

/* The most samples that a model may need for all of its nodes, at 28 bytes each. */
enum { MOST_SAMPLES = 1 << 21 };
/* A quaternion is written as it was sampled where its length differs from 1 by no more than
 * this. Keys of the game's own files are within 1e-3 (facts/formats.md C.9), and Khronos'
 * validator allows 5e-4. */
static const double unit_tolerance = 4e-4;

void Gltf_FromSampler(const RpReadings *readings, const float sampled[4], float rotation[4]) {
    for (int i = 0; i < 3; i++)
        rotation[i] = readings->choice[READING_ROTATION] ? sampled[i + 1] : 0.0f - sampled[i + 1];
    rotation[3] = sampled[0];
}

typedef struct Sample {
    float rotation[4], translation[3];
    bool sound; /* nothing had to be replaced */
} Sample;

/* Samples under the game's control word, whatever the caller's is. */
static void TakeSample(const GltfExporter *exporter, uint32_t node, float time, Sample *sample) {
    static const Sample identity = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}, true};
    float sampled[4];
    *sample = identity;
    if (!exporter->posed)
        return;
    RpPose_Sample(&exporter->model, &exporter->pose, node, time, sampled, sample->translation,
                  NULL);
    Gltf_FromSampler(&exporter->options->readings, sampled, sample->rotation);

    /* The rotation is brought to length 1. One that has no length becomes the identity. */
    double square = 0.0;
    for (int i = 0; i < 4; i++)
        square += (double)sample->rotation[i] * sample->rotation[i];
    const double length = sqrt(square);
    sample->sound = isfinite(square) && square >= 1e-12;
    if (!sample->sound)
        memcpy(sample->rotation, identity.rotation, sizeof sample->rotation);
    for (int i = 0; i < 4 && sample->sound && fabs(length - 1.0) > unit_tolerance; i++)
        sample->rotation[i] = (float)(sample->rotation[i] / length);

    for (int i = 0; i < 3; i++)
        if (!isfinite(sample->translation[i])) {
            sample->translation[i] = 0.0f;
            sample->sound = false;
        }
}

/* ---- rest ------------------------------------------------------------------------------------ */

/* outside of the frame map the fallback key is taken */
static const float before_all_frames = -2.0f;

static void NoteUnsound(GltfExporter *exporter, uint32_t node) {
    GltfExporter_Note(exporter, "G05",
                      "a pose is no rotation and place: shown without the part that is none",
                      RP_MSH_KEYS, node, RP_NO_INDEX);
}

RpStatus GltfExporter_PlanPoses(GltfExporter *exporter, RpError *error) {
    uint64_t animated = 0;
    uint32_t frames = 1;
    if (exporter->options->animation && exporter->posed) {
        /* A damaged file may announce more frames than its map has room for. */
        const uint32_t words = RpMsh_Count(&exporter->msh, RP_MSH_FRAME_MAP);
        frames = exporter->msh.frame_count;
        if (frames > words && frames > 1)
            GltfExporter_Note(exporter, "G06", "the frame map is shorter than the animation: cut",
                              RP_MSH_FRAME_MAP, RP_NO_INDEX, RP_NO_INDEX);
        frames = frames < words ? frames : words;
    }
    for (uint32_t i = 0; i < exporter->node_count; i++) {
        GltfNode *node = &exporter->nodes[i];
        node->rotation_track = node->translation_track = GLTF_NOTHING;
        node->animated = frames > 1 && node->record.map_start != RP_MSH_NONE;
        animated += node->animated;
        Sample sample;
        TakeSample(exporter, i,
                   exporter->options->readings.choice[READING_REST_POSE] ? before_all_frames : 0.0f,
                   &sample);
        memcpy(node->rotation, sample.rotation, sizeof node->rotation);
        memcpy(node->translation, sample.translation, sizeof node->translation);
        if (!sample.sound)
            NoteUnsound(exporter, i);
    }
    exporter->frame_count = animated > 0 ? frames : 1;
    if (animated * exporter->frame_count * exporter->options->sub_frames > MOST_SAMPLES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too much animation to write out",
                           "Res19", "at most 2097152 samples: fewer sub-frames", "");
    return RP_OK;
}

/* ---- the animation --------------------------------------------------------------------------- */

static uint32_t SampleCount(const GltfExporter *exporter) {
    return (exporter->frame_count - 1) * exporter->options->sub_frames + 1;
}

static RpStatus WriteTimes(GltfExporter *exporter, float *times, RpError *error) {
    uint32_t count = SampleCount(exporter);
    for (uint32_t i = 0; i < count; i++) {
        times[i] = (float)((double)i / exporter->options->sub_frames /
                           exporter->options->frames_per_second);
        if (!isfinite(times[i]) || (i > 0 && times[i] <= times[i - 1]))
            return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                               "the frames cannot be told apart in seconds", "frames a second",
                               "1e-3 to 1e6", "");
    }
    const GltfAccessor accessor = {
        .view = GltfWriter_View(&exporter->writer, times, count * sizeof *times, 0, GLTF_NO_TARGET),
        .component = GLTF_FLOAT,
        .count = count,
        .type = "SCALAR",
        .low = &times[0],
        .high = &times[count - 1],
        .components = 1};
    exporter->time_accessor = GltfWriter_Accessor(&exporter->writer, &accessor);
    return RP_OK;
}

typedef struct Track {
    float (*rotations)[4];
    float (*translations)[3];
} Track;

static uint32_t WriteOutput(GltfExporter *exporter, const void *values, size_t size,
                            const char *type) {
    uint32_t count = SampleCount(exporter);
    const GltfAccessor accessor = {
        .view = GltfWriter_View(&exporter->writer, values, count * size, 0, GLTF_NO_TARGET),
        .component = GLTF_FLOAT,
        .count = count,
        .type = type};
    return GltfWriter_Accessor(&exporter->writer, &accessor);
}

RpStatus GltfExporter_WriteTracks(GltfExporter *exporter, RpError *error) {
    if (exporter->frame_count < 2)
        return RP_OK;
    uint32_t count = SampleCount(exporter);
    Track track = {GltfExporter_Allocate(exporter, count, sizeof *track.rotations),
                   GltfExporter_Allocate(exporter, count, sizeof *track.translations)};
    RpStatus status = RpMemory_Refused(error, "animation");
    if (track.rotations && track.translations)
        status = WriteTimes(exporter, &track.rotations[0][0], error);
    for (uint32_t i = 0; i < exporter->node_count && status == RP_OK; i++)
        if (exporter->nodes[i].animated) {
            /* Writes the channels of a node. A translation that is the same as in the rest pose at
             * all times needs none. The rotation always gets one, so that the node can be
             * recognised as animated. */
            GltfNode *node = &exporter->nodes[i];
            bool moves = false, sound = true;
            for (uint32_t k = 0; k < SampleCount(exporter); k++) {
                Sample sample;
                TakeSample(exporter, i, (float)((double)k / exporter->options->sub_frames),
                           &sample);
                memcpy(track.rotations[k], sample.rotation, sizeof sample.rotation);
                memcpy(track.translations[k], sample.translation, sizeof sample.translation);
                moves |=
                    memcmp(sample.translation, node->translation, sizeof sample.translation) != 0;
                sound &= sample.sound;
            }
            if (!sound)
                NoteUnsound(exporter, i);
            node->rotation_track =
                WriteOutput(exporter, track.rotations, sizeof *track.rotations, "VEC4");
            if (moves && !(i == 0 && exporter->options->root_motion == RP_GLTF_ROOT_DROP))
                node->translation_track =
                    WriteOutput(exporter, track.translations, sizeof *track.translations, "VEC3");
        }
    GltfExporter_Release(exporter, track.rotations);
    GltfExporter_Release(exporter, track.translations);
    return status;
}
