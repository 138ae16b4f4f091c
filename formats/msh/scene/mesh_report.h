/* Describes an object in a state: its pieces, their matrices, its bounds, and a drawing of it.
 * The result is text, or one JSON object. */
#ifndef RETROPOSE_FORMATS_MSH_SCENE_MESH_REPORT_H
#define RETROPOSE_FORMATS_MSH_SCENE_MESH_REPORT_H

#include "formats/msh/scene/scene.h"

typedef struct MeshReport {
    const MeshScene *scene;
    int32_t piece; /* -1: all pieces */
    RpMeshSpace space;
    bool subtree;
    bool json;
} MeshReport;

void MeshReport_Pieces(const MeshReport *report, RpBuffer *text);
void MeshReport_Matrices(const MeshReport *report, RpBuffer *text);
void MeshReport_Bounds(const MeshReport *report, RpBuffer *text);

/* The point or the segment of a query, and what the query found. Each of them may be null. */
typedef struct MeshDrawing {
    const MeshReport *report;
    const float *from, *to, *hit;
} MeshDrawing;
/* Three views, along -y, -x and -z: node boxes and bones of the posed object, the sphere of the
 * report's piece, and the query. An SVG document. */
void MeshReport_Draw(const MeshDrawing *drawing, RpBuffer *svg);

#endif
