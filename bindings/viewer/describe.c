/* RpView_Describe (retropose/view.h): describes a model in JSON for the viewer. */
#include "exports/reading_table.h"
#include "retropose/view.h"

#include "core/text/encoding.h"
#include "core/text/view_text.h"
#include "ngi32/processor/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Describer {
    RpMsh msh;
    RpReadings readings;
    RpBuffer *json;
    bool first; /* nothing has been written to the current list yet */
} Describer;

static void Text(RpBuffer *json, const char *name, const char *text) {
    RpBuffer_Print(json, "\"%s\":", name);
    ViewText_Json(json, text ? text : "");
}

static void Numbers(RpBuffer *json, const char *name, const float *values, int count) {
    RpBuffer_Print(json, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            RpBuffer_AppendText(json, ",");
        ViewText_Number(json, values[i]);
    }
    RpBuffer_AppendText(json, "]");
}

static void Separate(Describer *describer) {
    if (!describer->first)
        RpBuffer_AppendText(describer->json, ",\n");
    describer->first = false;
}

static void Open(Describer *describer, const char *name) {
    RpBuffer_Print(describer->json, ",\n\"%s\":[", name);
    describer->first = true;
}

static void Close(Describer *describer) {
    RpBuffer_AppendText(describer->json, "]");
}

/* ---- the model as a whole -------------------------------------------------------------------- */

static void WriteModel(Describer *describer) {
    RpBuffer *json = describer->json;
    RpBuffer_Print(json, "{\"format\":2,\"frames\":%u,", (unsigned)describer->msh.frame_count);
    Text(json, "cells", describer->readings.choice[READING_SLOT_WORDS] ? "state-lod" : "lod-group");

    static const struct {
        const char *name;
        uint32_t type, divisor;
    } rows[] = {{"nodes", RP_MSH_NODES, 1},       {"slots", RP_MSH_SLOTS, 1},
                {"batches", RP_MSH_BATCHES, 1},   {"vertices", RP_MSH_POSITIONS, 1},
                {"triangles", RP_MSH_INDICES, 3}, {"keys", RP_MSH_KEYS, 1},
                {"probes", RP_MSH_PROBES, 1}};
    RpBuffer_AppendText(json, ",\n\"counts\":{");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t count = RpMsh_Count(&describer->msh, rows[i].type) / rows[i].divisor;
        if (count > 0 || rows[i].type != RP_MSH_PROBES)
            RpBuffer_Print(json, "\"%s\":%u,", rows[i].name, (unsigned)count);
    }
    RpMshNode node;
    uint32_t animated = 0;
    for (uint32_t i = 0; RpMsh_Node(&describer->msh, i, &node); i++)
        animated += node.map_start != RP_MSH_NONE;
    RpBuffer_Print(json, "\"animated nodes\":%u}", (unsigned)animated);
    Open(describer, "readings");
    for (int i = 0; RpReadings_Name(i); i++)
        if (RpReadings_Kind(i) & RP_READS_FILES) {
            /* Which choice the reading makes, and the list of its choices. */
            size_t length;
            const char *choice = RpReadings_Choice(&describer->readings, i, &length);
            char value[32] = "";
            snprintf(value, sizeof value, "%.*s", (int)length, choice);
            Separate(describer);
            RpBuffer_AppendText(describer->json, "{");
            Text(describer->json, "name", RpReadings_Name(i));
            RpBuffer_AppendText(describer->json, ",");
            Text(describer->json, "value", value);
            RpBuffer_AppendText(describer->json, ",");
            Text(describer->json, "choices", RpReadings_Choices(i));
            RpBuffer_AppendText(describer->json, "}");
        }

    Close(describer);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void WriteName(Describer *describer, const char *name, uint32_t type, uint32_t node) {
    uint32_t length = 0;
    const char *text = RpMsh_Text(&describer->msh, type, node, &length);
    char utf8[3 * 256 + 1] = "";
    if (text)
        Text1251_ToUtf8(text, length < 256 ? length : 256, utf8);
    Text(describer->json, name, utf8);
}

static void WriteNode(Describer *describer, uint32_t index, const RpMshNode *node) {
    RpBuffer *json = describer->json;
    Separate(describer);
    RpBuffer_AppendText(json, "{");
    WriteName(describer, "name",
              describer->readings.choice[READING_NAMES] ? RP_MSH_LABELS : RP_MSH_NAMES, index);
    RpBuffer_AppendText(json, ",");
    WriteName(describer, "label", RP_MSH_LABELS, index);
    RpBuffer_Print(json, ",\"parent\":%d,\"flags\":%u,\"slots\":[",
                   node->parent == RP_MSH_NONE ? -1 : (int)node->parent, (unsigned)node->flags);
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        RpBuffer_Print(json, i > 0 ? ",%d" : "%d",
                       node->slots[i] == RP_MSH_NONE ? -1 : (int)node->slots[i]);
    Close(describer);

    uint32_t first, last;
    RpMshKey key;
    bool any = false;
    RpBuffer_AppendText(describer->json, ",\"keys\":[");
    if (RpMsh_Track(&describer->msh, index, &first, &last))
        for (uint32_t i = first; i <= last && RpMsh_Key(&describer->msh, i, &key); i++) {
            if (!isfinite(key.time))
                continue;
            if (any)
                RpBuffer_AppendText(describer->json, ",");
            ViewText_Number(describer->json, key.time);
            any = true;
        }
    Close(describer);

    RpBuffer_AppendText(json, "}");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void WriteHeader(Describer *describer) {
    RpMshHeader header;
    RpBuffer *json = describer->json;
    if (!RpMsh_Header(&describer->msh, &header))
        return;
    RpBuffer_AppendText(json, ",\n\"header\":{");

    RpBuffer_AppendText(json, "\"corners\":[");
    for (int i = 0; i < 8; i++) {
        RpBuffer_AppendText(json, i > 0 ? ",[" : "[");
        for (int k = 0; k < 3; k++) {
            if (k > 0)
                RpBuffer_AppendText(json, ",");
            ViewText_Number(json, header.corners[i][k]);
        }
        RpBuffer_AppendText(json, "]");
    }
    RpBuffer_AppendText(json, "]");

    RpBuffer_AppendText(json, ",");
    Numbers(json, "sphere", header.sphere, 4);
    RpBuffer_AppendText(json, ",");
    Numbers(json, "low", header.axis_low, 3);
    RpBuffer_AppendText(json, ",");
    Numbers(json, "high", header.axis_high, 3);
    RpBuffer_AppendText(json, ",\"radius\":");
    ViewText_Number(json, header.axis_radius);
    RpBuffer_AppendText(json, "}");
}

RpStatus RpView_Describe(const RpNRes *model, const RpReadings *readings, RpBuffer *json,
                         RpError *error) {
    MODES_OF_C();
    Describer describer = {.json = json};
    RpSkeleton skeleton;
    if (readings)
        describer.readings = *readings;
    RpStatus status = RpMsh_Open(RpNRes_Entries(model), RP_TOLERANT, &describer.msh, error);
    if (!status)
        status = RpMsh_Skeleton(&describer.msh, &skeleton, error);
    if (status)
        return status;
    WriteModel(&describer);

    RpMshNode node;
    Open(&describer, "nodes");
    for (uint32_t i = 0; RpMsh_Node(&describer.msh, i, &node); i++)
        WriteNode(&describer, i, &node);
    Close(&describer);

    RpMshSlot slot;
    Open(&describer, "slots");
    for (uint32_t i = 0; RpMsh_Slot(&describer.msh, i, &slot); i++) {
        Separate(&describer);
        RpBuffer_Print(json, "{\"triangles\":%u,\"batches\":%u,", (unsigned)slot.triangle_count,
                       (unsigned)slot.batch_count);
        Numbers(json, "low", slot.low, 3);
        RpBuffer_AppendText(json, ",");
        Numbers(json, "high", slot.high, 3);
        RpBuffer_AppendText(json, ",");
        Numbers(json, "sphere", slot.sphere, 4);
        RpBuffer_AppendText(json, "}");
    }
    Close(&describer);

    WriteHeader(&describer);
    RpBuffer_AppendText(json, "}\n");
    return json->failed ? RpMemory_Refused(error, "JSON") : RP_OK;
}
