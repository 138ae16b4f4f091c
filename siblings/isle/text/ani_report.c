#include "siblings/isle/text/ani_report.h"

#include "siblings/isle/text/ani_text.h"

#include "core/text.h"
#include "core/text/view_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static RpStatus Done(const RpBuffer *text, RpError *error) {
    return text->failed ? RpMemory_Refused(error, "a report") : RP_OK;
}

/* ---- info ------------------------------------------------------------------------------------ */

typedef struct Totals {
    uint64_t keys[RP_ANI_TRACK_KINDS];
    uint32_t depth, first, last; /* depth of the deepest node; first and last time of a key */
    bool any;
} Totals;

static void CountTrack(Totals *totals, RpAniTrackKind kind, const RpAniTrack *track) {
    totals->keys[kind] += track->count;
    for (uint32_t i = 0; i < track->count; i++) {
        const uint32_t time = track->keys[i].time;
        totals->first = !totals->any || time < totals->first ? time : totals->first;
        totals->last = !totals->any || time > totals->last ? time : totals->last;
        totals->any = true;
    }
}

static Totals CountAll(const RpAni *ani) {
    Totals totals = {.any = false};
    for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++)
        CountTrack(&totals, (RpAniTrackKind)(RP_ANI_NODE_TRACKS + i), &ani->camera[i]);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        if (ani->nodes[i].depth > totals.depth)
            totals.depth = ani->nodes[i].depth;
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            CountTrack(&totals, (RpAniTrackKind)kind, &ani->nodes[i].tracks[kind]);
    }
    return totals;
}

RpStatus AniReport_InfoText(const RpAni *ani, RpBuffer *text, RpError *error) {
    const Totals totals = CountAll(ani);
    if (ani->has_header)
        RpBuffer_Print(text, "sphere    radius %.9g at %.9g, %.9g, %.9g\n", (double)ani->radius,
                       (double)ani->centre[0], (double)ani->centre[1], (double)ani->centre[2]);
    RpBuffer_Print(text, "duration  %" PRId32 " ms; keys from %" PRIu32 " to %" PRIu32 " ms\n",
                   ani->duration, totals.first, totals.last);
    for (uint32_t i = 0; i < ani->actor_count; i++) {
        RpBuffer_AppendText(text, i ? "          " : "actors    ");
        AniText_Name(text, &ani->actors[i].name);
        RpBuffer_Print(text, " type %" PRIu32 "\n", ani->actors[i].type);
    }
    RpBuffer_Print(text, "tree      %" PRIu32 " node%s, depth %" PRIu32 "\n", ani->node_count,
                   Text_Plural(ani->node_count), totals.depth);
    RpBuffer_AppendText(text, "keys     ");
    for (int kind = 0; kind < RP_ANI_TRACK_KINDS; kind++)
        RpBuffer_Print(text, "%s %" PRIu64 " %s", kind ? "," : "", totals.keys[kind],
                       RpAniTrackKind_Name((RpAniTrackKind)kind));
    RpBuffer_Print(text, "\nbytes     %" PRIu64 ", and %zu behind the tree%s\n",
                   RpAni_ParsedSize(ani), ani->trailing_size,
                   ani->damaged ? "; DAMAGED: see `ani check`" : "");

    RpBuffer_AppendText(text, "\n  #      byte    T     R     S     M  name\n");
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &ani->nodes[i];
        RpBuffer_Print(text, "%3" PRIu32 "  %8" PRIu64, i, node->offset);
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            RpBuffer_Print(text, "%s%5" PRIu32, kind ? " " : "", node->tracks[kind].count);
        RpBuffer_Print(text, "  %*s", (int)(2 * node->depth), "");
        AniText_Name(text, &node->name);
        RpBuffer_AppendText(text, "\n");
    }

    return Done(text, error);
}

RpStatus AniReport_InfoJson(const RpAni *ani, const char *file, RpBuffer *text, RpError *error) {
    const Totals totals = CountAll(ani);
    RpBuffer_AppendText(text, "{\"file\": ");
    ViewText_Json(text, file);
    RpBuffer_AppendText(text, ",\n \"radius\": ");
    JsonText_Float(text, &ani->radius);
    RpBuffer_AppendText(text, ", \"centre\": ");
    JsonText_Floats(text, ani->centre, 3);
    RpBuffer_Print(
        text, ",\n \"has_camera\": %" PRId32 ", \"unused\": %" PRId32 ", \"duration\": %" PRId32,
        ani->has_camera, ani->unused, ani->duration);
    RpBuffer_Print(text,
                   ", \"first_key\": %" PRIu32 ", \"last_key\": %" PRIu32 ", \"depth\": %" PRIu32
                   ",\n \"bytes\": %" PRIu64 ", \"trailing\": %zu, \"damaged\": %s,\n \"keys\": {",
                   totals.first, totals.last, totals.depth, RpAni_ParsedSize(ani),
                   ani->trailing_size, ani->damaged ? "true" : "false");
    for (int kind = 0; kind < RP_ANI_TRACK_KINDS; kind++)
        RpBuffer_Print(text, "%s\"%s\": %" PRIu64, kind ? ", " : "",
                       RpAniTrackKind_Name((RpAniTrackKind)kind), totals.keys[kind]);
    RpBuffer_AppendText(text, "},\n \"actors\": [");
    for (uint32_t i = 0; i < ani->actor_count; i++) {
        RpBuffer_AppendText(text, i ? ", {\"name\": " : "{\"name\": ");
        AniText_Name(text, &ani->actors[i].name);
        RpBuffer_Print(text, ", \"type\": %" PRIu32 "}", ani->actors[i].type);
    }
    RpBuffer_AppendText(text, "],\n");

    RpBuffer_AppendText(text, " \"nodes\": [");
    for (uint32_t i = 0; i < ani->node_count; i++) {
        const RpAniNode *node = &ani->nodes[i];
        RpBuffer_Print(text, "%s\n  {\"node\": %" PRIu32 ", \"name\": ", i ? "," : "", i);
        AniText_Name(text, &node->name);
        RpBuffer_Print(text, ", \"depth\": %" PRIu32 ", \"offset\": %" PRIu64, node->depth,
                       node->offset);

        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
            RpBuffer_Print(text, ", \"%s\": %" PRIu32, RpAniTrackKind_Name((RpAniTrackKind)kind),
                           node->tracks[kind].count);

        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_AppendText(text, "]}\n");

    return Done(text, error);
}

/* ---- samples --------------------------------------------------------------------------------- */

typedef struct Poses {
    float (*local)[16], (*world)[16];
    uint8_t *visible;
    RpAniCursor *cursors;
} Poses;

static void Number(RpBuffer *text, float value, bool bits, bool as_json) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if (bits)
        RpBuffer_Print(text, as_json ? "\"0x%08" PRIx32 "\"" : "%08" PRIx32, word);
    else if (as_json)
        JsonText_Float(text, &value);
    else
        RpBuffer_Print(text, "%.9g", (double)value);
}

static void MatrixText(RpBuffer *text, const char *name, const float matrix[16], bool bits) {
    RpBuffer_Print(text, "  %s", name);
    for (int i = 0; i < 16; i++) {
        RpBuffer_AppendText(text, i == 0 ? "  " : i % 4 == 0 ? " / " : " ");
        Number(text, matrix[i], bits, false);
    }
    RpBuffer_AppendText(text, "\n");
}

static void MatrixJson(RpBuffer *text, const char *name, const float matrix[16], bool bits) {
    RpBuffer_Print(text, ",\n    \"%s\": [", name);
    for (int i = 0; i < 16; i++) {
        RpBuffer_AppendText(text, i ? ", " : "");
        Number(text, matrix[i], bits, true);
    }
    RpBuffer_AppendText(text, "]");
}

static const char *CameraWord(RpAniCameraResult result) {
    static const char *const words[] = {"moved", "at target", "upright", "without goal"};
    return words[result];
}

/* Poses the camera on an identity base. */
static RpAniCameraResult Camera(const RpAni *ani, int32_t time, RpAniPolicy policy,
                                float matrix[16]) {
    for (int i = 0; i < 16; i++)
        matrix[i] = i % 5 == 0 ? 1.0f : 0.0f;
    return RpAni_SampleCamera(ani, (float)time, policy, NULL, matrix);
}

static bool Wants(const AniSampling *sampling, uint32_t node) {
    return sampling->node == RP_ANI_NO_NODE || sampling->node == node;
}

static bool WantsCamera(const RpAni *ani, const AniSampling *sampling) {
    return sampling->node == RP_ANI_NO_NODE && ani->has_header && ani->has_camera != 0;
}

static void TimeText(const RpAni *ani, const AniSampling *sampling, int32_t time,
                     const Poses *poses, RpBuffer *text) {
    for (uint32_t i = 0; i < ani->node_count; i++) {
        if (!Wants(sampling, i))
            continue;
        RpBuffer_Print(text, "%" PRId32 " ms  #%" PRIu32 " ", time, i);
        AniText_Name(text, &ani->nodes[i].name);
        RpBuffer_AppendText(text, poses->visible[i] ? "\n" : "  invisible\n");
        MatrixText(text, "local", poses->local[i], sampling->bits);
        MatrixText(text, "world", poses->world[i], sampling->bits);
    }
    if (WantsCamera(ani, sampling)) {
        float matrix[16];
        const RpAniCameraResult result = Camera(ani, time, sampling->policy, matrix);
        RpBuffer_Print(text, "%" PRId32 " ms  camera %s\n", time, CameraWord(result));
        MatrixText(text, "world", matrix, sampling->bits);
    }
}

static void TimeJson(const RpAni *ani, const AniSampling *sampling, int32_t time,
                     const Poses *poses, RpBuffer *text) {
    const char *separator = "";
    RpBuffer_Print(text, "%s\n  {\"time\": %" PRId32 ", \"nodes\": [",
                   time == sampling->first ? "" : ",", time);
    for (uint32_t i = 0; i < ani->node_count; i++) {
        if (!Wants(sampling, i))
            continue;
        RpBuffer_Print(text, "%s\n   {\"node\": %" PRIu32 ", \"name\": ", separator, i);
        AniText_Name(text, &ani->nodes[i].name);
        RpBuffer_Print(text, ", \"visible\": %u", poses->visible[i]);
        MatrixJson(text, "local", poses->local[i], sampling->bits);
        MatrixJson(text, "world", poses->world[i], sampling->bits);
        RpBuffer_AppendText(text, "}");
        separator = ",";
    }
    RpBuffer_AppendText(text, "]");
    if (WantsCamera(ani, sampling)) {
        float matrix[16];
        const RpAniCameraResult result = Camera(ani, time, sampling->policy, matrix);
        RpBuffer_Print(text, ",\n   \"camera\": {\"result\": \"%s\"", CameraWord(result));
        MatrixJson(text, "world", matrix, sampling->bits);
        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_AppendText(text, "}");
}

typedef void TimeReport(const RpAni *ani, const AniSampling *sampling, int32_t time,
                        const Poses *poses, RpBuffer *text);

static RpStatus CheckSamples(const RpAni *ani, const AniSampling *sampling, RpError *error) {
    char expected[96], found[40];
    const uint64_t range = (uint64_t)((int64_t)sampling->last - sampling->first);
    const uint64_t nodes = sampling->node == RP_ANI_NO_NODE ? ani->node_count : 1;
    const uint64_t samples = (range / (uint64_t)sampling->step + 1) * nodes;
    if (samples <= ANI_SAMPLE_MOST)
        return RP_OK;
    snprintf(expected, sizeof expected, "at most %d: a longer step, or one node alone",
             ANI_SAMPLE_MOST);
    snprintf(found, sizeof found, "%" PRIu64, samples);
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too many nodes would be sampled", "",
                       expected, found);
}

/* Gives the text to the sink, and empties it. */
static RpStatus HandOver(const AniSink *sink, RpBuffer *text, RpError *error) {
    RpStatus status = Done(text, error);
    if (status == RP_OK)
        status = sink->take(sink->context, text, error);
    text->size = 0;
    return status;
}

static RpStatus ReportTimes(const RpAni *ani, const AniSampling *sampling, TimeReport *report,
                            const AniSink *sink, RpBuffer *text, RpError *error) {
    Poses poses = {.local = NULL};

    const size_t count = ani->node_count;
    poses.local = RpMemory_Resize(ani->allocator, NULL, count * sizeof *poses.local);
    poses.world = RpMemory_Resize(ani->allocator, NULL, count * sizeof *poses.world);
    poses.visible = RpMemory_Resize(ani->allocator, NULL, count);
    poses.cursors = RpMemory_Resize(ani->allocator, NULL, count * sizeof *poses.cursors);
    if (poses.cursors)
        memset(poses.cursors, 0, count * sizeof *poses.cursors);
    RpStatus status = (poses.local && poses.world && poses.visible && poses.cursors)
                          ? RP_OK
                          : RpMemory_Refused(error, "poses");
    for (int64_t time = sampling->first; status == RP_OK && time <= sampling->last;
         time += sampling->step) {
        RpAni_Sample(ani, (int32_t)time, sampling->policy, poses.cursors, NULL, poses.local,
                     poses.world, poses.visible);
        report(ani, sampling, (int32_t)time, &poses, text);
        status = HandOver(sink, text, error);
    }

    RpMemory_Free(ani->allocator, poses.local);
    RpMemory_Free(ani->allocator, poses.world);
    RpMemory_Free(ani->allocator, poses.visible);
    RpMemory_Free(ani->allocator, poses.cursors);

    return status;
}

RpStatus AniReport_SampleText(const RpAni *ani, const AniSampling *sampling, const AniSink *sink,
                              RpError *error) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpStatus status = CheckSamples(ani, sampling, error);
    if (status == RP_OK)
        status = ReportTimes(ani, sampling, TimeText, sink, &text, error);
    RpBuffer_Free(&text);
    return status;
}

RpStatus AniReport_SampleJson(const RpAni *ani, const AniSampling *sampling, const char *file,
                              const AniSink *sink, RpError *error) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpStatus status = CheckSamples(ani, sampling, error);
    RpBuffer_AppendText(&text, "{\"file\": ");
    ViewText_Json(&text, file);
    RpBuffer_Print(&text, ", \"policy\": \"%s\", \"samples\": [",
                   RpAniPolicy_Name(sampling->policy));
    if (status == RP_OK)
        status = ReportTimes(ani, sampling, TimeJson, sink, &text, error);
    RpBuffer_AppendText(&text, "]}\n");
    if (status == RP_OK)
        status = HandOver(sink, &text, error);
    RpBuffer_Free(&text);
    return status;
}
