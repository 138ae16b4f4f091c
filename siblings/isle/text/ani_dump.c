/* Writes the whole file as readable JSON, with one key on each line. */
#include "siblings/isle/text/ani_text.h"

#include "core/text/view_text.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

void AniText_Name(RpBuffer *text, const RpAniName *name) {
    bool plain = true;
    for (uint32_t i = 0; i < name->length; i++)
        plain &= name->bytes[i] >= ' ' && name->bytes[i] <= '~';
    if (plain) {
        ViewText_Json(text, name->bytes);
        return;
    }
    RpBuffer_AppendText(text, "{\"hex\": ");
    JsonText_Hex(text, (const uint8_t *)name->bytes, name->length);
    RpBuffer_AppendText(text, "}");
}

/* ---- parts of a file ------------------------------------------------------------------------- */

static void DumpTrack(RpBuffer *text, RpAniTrackKind kind, const RpAniTrack *track) {
    RpBuffer_Print(text, "\"%s\": [", RpAniTrackKind_Name(kind));
    for (uint32_t i = 0; i < track->count; i++) {
        RpBuffer_AppendText(text, i ? ",\n    " : "\n    ");

        const RpAniKey *key = &track->keys[i];
        RpBuffer_Print(text, "{\"time\": %" PRIu32 ", \"flags\": %u", key->time, key->flags);
        if (kind == RP_ANI_MORPH) {
            RpBuffer_Print(text, ", \"visible\": %u", key->visible);
        } else {
            RpBuffer_AppendText(text, ", \"value\": ");
            JsonText_Floats(text, key->value, RpAniTrackKind_Numbers(kind));
        }
        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_AppendText(text, "]");
}

RpStatus RpAni_Dump(const RpAni *ani, RpBuffer *text, RpError *error) {
    MODES_OF_C();
    RpBuffer_AppendText(text, "{\"format\": \"retropose ani\", \"version\": 1,\n");
    if (ani->has_header) {
        RpBuffer_Print(text, " \"header\": {\"magic\": %" PRId32 ", \"radius\": ", ani->magic);
        JsonText_Float(text, &ani->radius);
        RpBuffer_AppendText(text, ", \"centre\": ");
        JsonText_Floats(text, ani->centre, 3);
        RpBuffer_Print(text, ", \"has_camera\": %" PRId32 ", \"unused\": %" PRId32 "},\n",
                       ani->has_camera, ani->unused);
    }

    RpBuffer_AppendText(text, " \"actors\": [");
    for (uint32_t i = 0; i < ani->actor_count; i++) {
        const RpAniActor *actor = &ani->actors[i];
        RpBuffer_AppendText(text, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        AniText_Name(text, &actor->name);
        if (actor->name.length > 0)
            RpBuffer_Print(text, ", \"type\": %" PRIu32, actor->type);
        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_Print(text, "],\n \"duration\": %" PRId32 ",\n", ani->duration);

    if (ani->has_header && ani->has_camera != 0) {
        RpBuffer_AppendText(text, " \"camera\": {");
        for (int i = 0; i < RP_ANI_CAMERA_TRACKS; i++) {
            RpBuffer_AppendText(text, i ? ",\n   " : "\n   ");
            DumpTrack(text, (RpAniTrackKind)(RP_ANI_NODE_TRACKS + i), &ani->camera[i]);
        }
        RpBuffer_AppendText(text, "},\n");
    }
    RpBuffer_AppendText(text, " \"nodes\": [");
    for (uint32_t i = 0; i < ani->node_count; i++) {
        RpBuffer_AppendText(text, i ? ",\n  " : "\n  ");

        /* The order of the nodes and their depths describe the tree. Tracks without keys are left
         * out. */
        const RpAniNode *node = &ani->nodes[i];
        RpBuffer_Print(text, "{\"depth\": %" PRIu32 ", \"name\": ", node->depth);
        AniText_Name(text, &node->name);
        for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++) {
            if (node->tracks[kind].count == 0)
                continue;
            RpBuffer_AppendText(text, ",\n   ");
            DumpTrack(text, (RpAniTrackKind)kind, &node->tracks[kind]);
        }
        RpBuffer_AppendText(text, "}");
    }
    RpBuffer_AppendText(text, "],\n \"trailing\": ");
    JsonText_Hex(text, ani->trailing, ani->trailing_size);
    RpBuffer_AppendText(text, "}\n");
    return text->failed ? RpMemory_Refused(error, "a dump") : RP_OK;
}
