#include "formats/msh/scene/mesh_report.h"

#include "core/json/json_text.h"
#include "core/text.h"
#include "core/text/view_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const RpMeshObject *MeshOf(const MeshReport *report) {
    return report->scene->mesh;
}

/* Writes each number with nine digits and a blank in front. */
static void PutNumbers(RpBuffer *text, const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        RpBuffer_AppendText(text, " ");
        JsonText_Float(text, &numbers[i]);
    }
}

static void PutMember(RpBuffer *json, const char *name, const float *numbers, uint32_t count) {
    RpBuffer_Print(json, ", \"%s\": ", name);
    JsonText_Floats(json, numbers, count);
}

/* ---- a list, an object a piece --------------------------------------------------------------- */

typedef void PutPiece(const MeshReport *report, int32_t piece, const RpMeshPiece *description,
                      const char *name, RpBuffer *text);

static void PutPieces(const MeshReport *report, PutPiece *put, RpBuffer *text) {
    const char *separator = "\n  ";
    RpMeshPiece description;
    char name[MESH_NAME_BYTES];
    for (int32_t i = 0; RpMeshObject_Piece(MeshOf(report), i, &description); i++) {
        if (report->piece >= 0 && report->piece != i)
            continue;
        MeshScene_Name(report->scene, i, !report->json, name);
        if (report->json)
            RpBuffer_AppendText(text, separator);
        put(report, i, &description, name, text);
        separator = ",\n  ";
    }
}

static void BeginJson(const MeshReport *report, RpBuffer *text) {
    RpBuffer_AppendText(text, "{\"model\": ");
    ViewText_Json(text, report->scene->sources[0].name);
    RpBuffer_AppendText(text, ",\n \"pieces\": [");
}

static void BeginPieceJson(int32_t piece, const char *name, RpBuffer *text) {
    RpBuffer_Print(text, "{\"piece\": %" PRId32 ", \"name\": ", piece);
    ViewText_Json(text, name);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void PutPieceLine(const MeshReport *report, int32_t piece, const RpMeshPiece *description,
                         const char *name, RpBuffer *text) {
    (void)report;
    RpBuffer_Print(text,
                   "%5" PRId32 " %4" PRIu32 " %4" PRIu32 " %6" PRId32 " %5" PRId32 " %08" PRIX32
                   " %08" PRIX32 "  ",
                   piece, description->part, description->node, description->parent,
                   description->stage, description->flags, description->material);
    RpBuffer_AppendText(text, name);
    RpBuffer_AppendText(text, "\n");
}

static void PutPieceObject(const MeshReport *report, int32_t piece, const RpMeshPiece *description,
                           const char *name, RpBuffer *text) {
    (void)report;
    BeginPieceJson(piece, name, text);
    RpBuffer_Print(text,
                   ", \"part\": %" PRIu32 ", \"node\": %" PRIu32 ", \"parent\": %" PRId32
                   ", \"stage\": %" PRId32 ", \"flags\": %" PRIu32 ", \"material\": %" PRIu32 "}",
                   description->part, description->node, description->parent, description->stage,
                   description->flags, description->material);
}

void MeshReport_Pieces(const MeshReport *report, RpBuffer *text) {
    if (report->json) {
        BeginJson(report, text);
        PutPieces(report, PutPieceObject, text);
        RpBuffer_AppendText(text, "\n ]}\n");
        return;
    }
    RpBuffer_Print(text, "%s: %" PRIu32 " piece%s of %" PRIu32 " model%s\n",
                   report->scene->sources[0].name, RpMeshObject_PieceCount(MeshOf(report)),
                   Text_Plural(RpMeshObject_PieceCount(MeshOf(report))), report->scene->model_count,
                   Text_Plural(report->scene->model_count));
    for (uint32_t i = 1; i < report->scene->model_count; i++)
        RpBuffer_Print(text, "part %" PRIu32 ": %s\n", i, report->scene->sources[i].name);
    RpBuffer_AppendText(text, "piece part node parent stage    flags material  name\n");
    PutPieces(report, PutPieceLine, text);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void PutMatrix(const MeshReport *report, int32_t piece, const RpMeshPiece *description,
                      const char *name, RpBuffer *text) {
    const float *matrix = RpMeshObject_Matrix(MeshOf(report), piece, report->space);
    (void)description;
    if (report->json) {
        BeginPieceJson(piece, name, text);
        PutMember(text, "matrix", matrix, 16);
        RpBuffer_AppendText(text, "}");
        return;
    }
    RpBuffer_Print(text, "%" PRId32 " %s\n", piece, name);
    for (int row = 0; row < 4; row++) {
        RpBuffer_AppendText(text, " ");
        PutNumbers(text, matrix + 4 * row, 4);
        RpBuffer_AppendText(text, "\n");
    }
}

void MeshReport_Matrices(const MeshReport *report, RpBuffer *text) {
    if (report->json)
        BeginJson(report, text);
    PutPieces(report, PutMatrix, text);
    if (report->json)
        RpBuffer_AppendText(text, "\n ]}\n");
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void PutCorners(RpBuffer *text, float corners[8][3]) {
    for (int i = 0; i < 8; i++) {
        RpBuffer_Print(text, "  corner %d", i);
        PutNumbers(text, corners[i], 3);
        RpBuffer_AppendText(text, "\n");
    }
}

static void PutBounds(const MeshReport *report, int32_t piece, const RpMeshPiece *description,
                      const char *name, RpBuffer *text) {
    float corners[8][3], sphere[4], capsule[7];
    (void)description;
    RpMeshObject_Box(MeshOf(report), piece, report->space, report->subtree, corners);
    RpMeshObject_Sphere(MeshOf(report), piece, report->space, report->subtree, sphere);
    RpMeshObject_NodeCapsule(MeshOf(report), piece, report->space, report->subtree, capsule);
    if (report->json) {
        BeginPieceJson(piece, name, text);
        PutMember(text, "corners", corners[0], 24);
        PutMember(text, "sphere", sphere, 4);
        PutMember(text, "capsule", capsule, 7);
        RpBuffer_AppendText(text, "}");
        return;
    }
    RpBuffer_Print(text, "%" PRId32 " %s\n", piece, name);
    PutCorners(text, corners);
    RpBuffer_AppendText(text, "  sphere");
    PutNumbers(text, sphere, 4);
    RpBuffer_AppendText(text, "\n  capsule");
    PutNumbers(text, capsule, 7);
    RpBuffer_AppendText(text, "\n");
}

void MeshReport_Bounds(const MeshReport *report, RpBuffer *text) {
    if (report->json)
        BeginJson(report, text);
    PutPieces(report, PutBounds, text);

    RpMeshBounds bounds;
    RpMeshObject_Bounds(MeshOf(report), &bounds);
    if (report->json) {
        RpBuffer_AppendText(text, "\n ]");
        PutMember(text, "corners", bounds.corners[0], 24);
        PutMember(text, "agent_sphere", bounds.agent_sphere, 4);
        PutMember(text, "node_sphere", bounds.node_sphere, 4);
        PutMember(text, "capsule", bounds.capsule, 7);
        RpBuffer_AppendText(text, "}\n");
        return;
    }
    RpBuffer_AppendText(text, "object\n");
    PutCorners(text, bounds.corners);
    RpBuffer_AppendText(text, "  agent sphere");
    PutNumbers(text, bounds.agent_sphere, 4);
    RpBuffer_AppendText(text, "\n  node sphere");
    PutNumbers(text, bounds.node_sphere, 4);
    RpBuffer_AppendText(text, "\n  capsule");
    PutNumbers(text, bounds.capsule, 7);
    RpBuffer_AppendText(text, "\n");
}
