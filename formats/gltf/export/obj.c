/* Wavefront OBJ: what one cell shows, in a pose. */
#include "exports/reading_table.h"
#include "retropose/gltf.h"

#include "core/text/encoding.h"
#include "formats/msh/read/sharing.h"
#include "ngi32/processor/modes.h"
#include "retropose/msh_make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

RpObjOptions RpObjOptions_Default(void) {
    return (RpObjOptions){.frame = -1.0, .y_up = true};
}

typedef struct Writer {
    const RpObjOptions *options;
    RpMsh msh;
    double (*matrices)[16];
    uint32_t *numbers; /* for each vertex its number in the file; below `first` if not written */
    uint32_t first;    /* number of the node's first vertex; each node writes its own */
    uint32_t next;     /* number of the next vertex */
    bool rows[65536];  /* whether a row was used */
    RpBuffer *text;
} Writer;

/* ---- vertices -------------------------------------------------------------------------------- */

static void Turn(const Writer *writer, double vector[3]) {
    const double y = vector[1];
    if (!writer->options->y_up)
        return;
    vector[1] = vector[2];
    vector[2] = 0.0 - y;
}

static void WriteVertex(Writer *writer, const double m[16], uint32_t vertex) {
    if (writer->numbers[vertex] >= writer->first)
        return;
    writer->numbers[vertex] = writer->next++;
    float stored[3];
    double p[3];
    RpMsh_Position(&writer->msh, vertex, stored);
    for (int i = 0; i < 3; i++)
        p[i] = m[4 * i] * stored[0] + m[4 * i + 1] * stored[1] + m[4 * i + 2] * stored[2] +
               m[4 * i + 3];
    Turn(writer, p);
    for (int i = 0; i < 3; i++)
        p[i] = isfinite(p[i]) ? p[i] : 0.0;
    RpBuffer_Print(writer->text, "v %.9g %.9g %.9g\n", p[0], p[1], p[2]);

    /* In OBJ, V counts from the bottom. */
    uint16_t raw[2];
    double uv[2];
    RpMsh_Uv(&writer->msh, RP_MSH_UV0, vertex, raw);
    for (int i = 0; i < 2; i++)
        uv[i] = (writer->options->readings.choice[READING_UV] ? raw[i] : (int16_t)raw[i]) / 1024.0;
    RpBuffer_Print(writer->text, "vt %.9g %.9g\n", uv[0], 1.0 - uv[1]);

    int8_t bytes[4];
    double n[3], normal[3];
    RpMsh_Normal(&writer->msh, vertex, bytes);
    for (int i = 0; i < 3; i++)
        normal[i] = bytes[i] < -127 ? -1.0 : bytes[i] / 127.0;
    for (int i = 0; i < 3; i++)
        n[i] = m[4 * i] * normal[0] + m[4 * i + 1] * normal[1] + m[4 * i + 2] * normal[2];
    Turn(writer, n);
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++)
        n[i] = length > 0.0 && isfinite(length) ? n[i] / length : i == 1 ? 1.0 : 0.0;
    RpBuffer_Print(writer->text, "vn %.6g %.6g %.6g\n", n[0], n[1], n[2]);
}

/* ---- batches --------------------------------------------------------------------------------- */

static uint32_t Corner(const Writer *writer, const RpMshBatch *batch, uint32_t index) {
    uint16_t relative = 0;
    RpMsh_Index(&writer->msh, batch->first_index + index, &relative);
    return batch->base_vertex + relative;
}

static void WriteBatch(Writer *writer, const double m[16], uint32_t index) {
    RpMshBatch batch;
    if (!RpMsh_Batch(&writer->msh, index, &batch))
        return;

    uint32_t vertices = RpMsh_Count(&writer->msh, RP_MSH_POSITIONS);
    uint16_t relative;
    for (uint32_t i = 0; i < batch.index_count; i++)
        if (!RpMsh_Index(&writer->msh, batch.first_index + i, &relative) ||
            (uint64_t)batch.base_vertex + relative >= vertices) {
            RpFinding finding = RpFinding_New("G02", RP_SEVERITY_WARNING);
            finding.stream = (int32_t)RP_MSH_BATCHES;
            finding.element = (int32_t)index;
            snprintf(finding.what, sizeof finding.what, "%s",
                     "a batch reaches past the model: left out");
            RpFindingSink_Report(writer->options->notes, &finding);
            return;
        }
    if (batch.index_count < 3 || (uint64_t)batch.first_index + batch.index_count > UINT32_MAX)
        return;

    for (uint32_t i = 0; i < batch.index_count; i++)
        WriteVertex(writer, m, Corner(writer, &batch, i));
    uint16_t row = writer->options->readings.choice[READING_MATERIAL] ? batch.row : batch.material;
    writer->rows[row] = true;
    RpBuffer_Print(writer->text, "usemtl row_%u\n", (unsigned)row);
    for (uint32_t i = 0; i + 3 <= batch.index_count; i += 3) {
        RpBuffer_AppendText(writer->text, "f");
        for (uint32_t j = 0; j < 3; j++) {
            unsigned number = writer->numbers[Corner(writer, &batch, i + j)];
            RpBuffer_Print(writer->text, " %u/%u/%u", number, number, number);
        }
        RpBuffer_AppendText(writer->text, "\n");
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void WriteNode(Writer *writer, uint32_t node) {
    RpMshNode record;
    RpMshSlot slot;
    if (!RpMsh_Node(&writer->msh, node, &record) ||
        !RpMsh_Slot(&writer->msh, record.slots[writer->options->cell], &slot))
        return;
    uint32_t length;
    char name[3 * 256 + 1];
    uint32_t type = writer->options->readings.choice[READING_NAMES] ? RP_MSH_LABELS : RP_MSH_NAMES;
    const char *text = RpMsh_Text(&writer->msh, type, node, &length);
    if (!text || length > 255) {
        RpBuffer_Print(writer->text, "g node_%u\n", (unsigned)node);
    } else {
        Text1251_ToUtf8(text, length, name);
        for (char *at = name; *at; at++)
            if ((unsigned char)*at <= ' ' || *at == 0x7F || (*at == '\\' && !at[1]))
                *at = '_'; /* a backslash at the end would make the next line a part of this one */
        RpBuffer_Print(writer->text, "g %s\n", name);
    }
    writer->first = writer->next;
    for (uint32_t i = 0; i < slot.batch_count; i++)
        WriteBatch(writer, writer->matrices[node], (uint32_t)slot.first_batch + i);
}

RpStatus RpObj_Export(const RpNResArchive *model, const RpObjOptions *options, RpBuffer *text,
                      RpBuffer *materials, RpError *error) {
    MODES_OF_C();
    Writer *writer = RpMemory_Resize(text->allocator, NULL, sizeof *writer);
    if (!writer)
        return RpMemory_Refused(error, "OBJ");
    memset(writer, 0, sizeof *writer);
    const RpObjOptions usual = RpObjOptions_Default();
    writer->options = options ? options : &usual;
    writer->text = text;
    writer->next = 1;
    RpStatus status = RP_OK;
    if (writer->options->cell >= RP_MSH_SLOT_WORDS)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "not a choice", "cell", "0 to 14", "");
    else
        status = RpMsh_Open(RpNResArchive_Entries(model), RP_TOLERANT, &writer->msh, error);
    if (status == RP_OK && writer->msh.node_stride == RP_MSH_LEGACY_NODE_BYTES)
        status =
            RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                        "nodes of stride 24 have no known hierarchy", "Res1", "stride 38", "24");
    if (status == RP_OK)
        status = Msh_CheckSharing(&writer->msh, error);
    if (status == RP_OK) {
        const RpAllocator *allocator = writer->text->allocator;
        uint32_t nodes = RpMsh_Count(&writer->msh, RP_MSH_NODES);
        uint32_t vertices = RpMsh_Count(&writer->msh, RP_MSH_POSITIONS);
        writer->matrices =
            RpMemory_Resize(allocator, NULL, ((size_t)nodes + 1) * sizeof *writer->matrices);
        writer->numbers =
            RpMemory_Resize(allocator, NULL, ((size_t)vertices + 1) * sizeof *writer->numbers);
        if (!writer->matrices || !writer->numbers) {
            status = RpMemory_Refused(error, "OBJ");
        } else {
            memset(writer->numbers, 0, ((size_t)vertices + 1) * sizeof *writer->numbers);

            status =
                RpMsh_PoseNodes(&writer->msh, &writer->options->readings, writer->options->frame,
                                writer->options->zero_root, writer->matrices, error);
        }
    }
    if (status == RP_OK) {
        uint32_t nodes = RpMsh_Count(&writer->msh, RP_MSH_NODES);
        RpBuffer_AppendText(writer->text, "# Retropose\n");
        if (writer->options->materials)
            RpBuffer_Print(writer->text, "mtllib %s\n", writer->options->materials);
        for (uint32_t i = 0; i < nodes; i++)
            WriteNode(writer, i);
        for (uint32_t row = 0; materials && row < 65536; row++)
            if (writer->rows[row])
                RpBuffer_Print(materials, "newmtl row_%u\nKd 0.8 0.8 0.8\n", (unsigned)row);
    }
    RpMemory_Free(text->allocator, writer->matrices);
    RpMemory_Free(text->allocator, writer->numbers);
    RpMemory_Free(text->allocator, writer);
    if (status == RP_OK && (text->failed || (materials && materials->failed)))
        return RpMemory_Refused(error, "OBJ");
    return status;
}
