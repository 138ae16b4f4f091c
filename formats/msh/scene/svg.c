/* Draws the parts of an object, seen along each axis. The numbers are those of a picture and not
 * the game's, so they are computed in binary64. */
#include "formats/msh/scene/mesh_report.h"

#include "core/text/view_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { VIEW_SIZE = 360, MARGIN = 24, CORNERS = 8 };

/* Which axes run to the right and upwards, and the name of the view. */
typedef struct View {
    int right, up;
    const char *name;
} View;
static const View views[] = {{0, 2, "front (x, z)"}, {1, 2, "side (y, z)"}, {0, 1, "top (x, y)"}};
enum { VIEWS = sizeof views / sizeof *views };

typedef struct Picture {
    const MeshDrawing *drawing;
    const View *view;
    double middle[3], reach; /* middle and size of everything that is drawn */
    double left;             /* left edge of this view */
    RpBuffer *svg;
} Picture;

/* ---- what is drawn has to fit ---------------------------------------------------------------- */

typedef struct Extent {
    double low[3], high[3];
} Extent;

static void Grow(Extent *extent, const float *point) {
    for (int i = 0; point && i < 3; i++) {
        if (!isfinite(point[i]))
            continue;
        extent->low[i] = fmin(extent->low[i], (double)point[i]);
        extent->high[i] = fmax(extent->high[i], (double)point[i]);
    }
}

/* ---- pieces of a picture --------------------------------------------------------------------- */

static double Scale(const Picture *picture) {
    return (VIEW_SIZE - 2 * MARGIN) / (2 * picture->reach);
}

static double X(const Picture *picture, const float *point) {
    const int axis = picture->view->right;
    return picture->left + VIEW_SIZE / 2.0 +
           ((double)point[axis] - picture->middle[axis]) * Scale(picture);
}

static double Y(const Picture *picture, const float *point) {
    const int axis = picture->view->up;
    return VIEW_SIZE / 2.0 - ((double)point[axis] - picture->middle[axis]) * Scale(picture);
}

static bool IsDrawable(const float *point) {
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

static void DrawLine(Picture *picture, const char *class, const float *a, const float *b) {
    if (IsDrawable(a) && IsDrawable(b))
        RpBuffer_Print(picture->svg,
                       "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
                       class, X(picture, a), Y(picture, a), X(picture, b), Y(picture, b));
}

static void DrawDot(Picture *picture, const char *class, const float *point) {
    if (point && IsDrawable(point))
        RpBuffer_Print(picture->svg, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>\n",
                       class, X(picture, point), Y(picture, point));
}

static void Origin(const RpMeshObject *mesh, int32_t piece, float origin[3]) {
    const float *world = RpMeshObject_Matrix(mesh, piece, RP_MESH_WORLD);
    for (int i = 0; i < 3; i++)
        origin[i] = world[4 * i + 3];
}

/* ---- what is drawn --------------------------------------------------------------------------- */

static void DrawPiece(Picture *picture, int32_t piece, const RpMeshPiece *description) {
    const MeshReport *report = picture->drawing->report;
    const RpMeshObject *mesh = report->scene->mesh;
    const bool hidden = (description->flags & RP_MESH_HIDDEN) != 0;
    float corners[CORNERS][3], origin[3], parent[3], sphere[4];
    char name[MESH_NAME_BYTES];
    MeshScene_Name(report->scene, piece, false, name);
    RpBuffer_Print(picture->svg, "<g><title>piece %" PRId32 " ", piece);
    ViewText_Html(picture->svg, name);
    RpBuffer_AppendText(picture->svg, hidden ? " (hidden)</title>\n" : "</title>\n");
    RpMeshObject_Box(mesh, piece, RP_MESH_WORLD, false, corners);

    /* The corners are in the game's order: all coordinates of corner 0 are minima, and all of
     * corner 7 are maxima. */
    static const uint8_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {5, 6}, {6, 7},
                                       {7, 4}, {4, 5}, {0, 5}, {1, 6}, {2, 7}, {3, 4}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        DrawLine(picture, hidden ? "box hidden" : "box", corners[edges[i][0]],
                 corners[edges[i][1]]);
    Origin(mesh, piece, origin);
    if (description->parent >= 0) {
        Origin(mesh, description->parent, parent);
        DrawLine(picture, "bone", parent, origin);
    }
    DrawDot(picture, "joint", origin);
    if (report->piece == piece) {
        RpMeshObject_Sphere(mesh, piece, RP_MESH_WORLD, report->subtree, sphere);
        if (IsDrawable(sphere) && isfinite(sphere[3]) && sphere[3] > 0)
            RpBuffer_Print(picture->svg,
                           "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", "sphere",
                           X(picture, sphere), Y(picture, sphere),
                           (double)sphere[3] * Scale(picture));
    }
    RpBuffer_AppendText(picture->svg, "</g>\n");
}

void MeshReport_Draw(const MeshDrawing *drawing, RpBuffer *svg) {
    Picture picture = {.drawing = drawing, .svg = svg};

    /* Everything that is drawn has to fit. */
    const RpMeshObject *mesh = drawing->report->scene->mesh;
    Extent extent = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t i = 0; i < RpMeshObject_PieceCount(mesh); i++) {
        float corners[CORNERS][3];
        RpMeshObject_Box(mesh, (int32_t)i, RP_MESH_WORLD, false, corners);
        for (int c = 0; c < CORNERS; c++)
            Grow(&extent, corners[c]);
    }
    Grow(&extent, drawing->from);
    Grow(&extent, drawing->to);
    Grow(&extent, drawing->hit);
    picture.reach = 1e-3;
    for (int i = 0; i < 3; i++) {
        const bool any = extent.low[i] <= extent.high[i];
        picture.middle[i] = any ? (extent.low[i] + extent.high[i]) / 2 : 0;
        picture.reach = fmax(picture.reach, any ? (extent.high[i] - extent.low[i]) / 2 : 0);
    }

    RpBuffer_Print(svg,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\">\n<title>",
                   VIEWS * VIEW_SIZE, VIEW_SIZE, VIEWS * VIEW_SIZE, VIEW_SIZE);
    ViewText_Html(svg, drawing->report->scene->sources[0].name);
    RpBuffer_AppendText(
        svg, "</title>\n<style>text{font:12px sans-serif;fill:#333}.box{stroke:#4a7ab5;"
             "stroke-width:.7}.hidden{stroke-dasharray:3 3}.bone{stroke:#333;stroke-width:1.5}"
             ".joint{fill:#333}.sphere{fill:none;stroke:#2a9d5c;stroke-dasharray:5 3}"
             ".query{stroke:#c0392b;fill:#c0392b}.hit{fill:#f39c12;stroke:#333}</style>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (int i = 0; i < VIEWS; i++) {
        picture.view = &views[i];
        picture.left = (double)i * VIEW_SIZE;
        RpMeshPiece description;
        RpBuffer_Print(picture.svg, "<text x=\"%.0f\" y=\"16\">%s</text>\n", picture.left + MARGIN,
                       picture.view->name);
        for (int32_t k = 0; RpMeshObject_Piece(mesh, k, &description); k++)
            DrawPiece(&picture, k, &description);
        if (drawing->from && drawing->to)
            DrawLine(&picture, "query", drawing->from, drawing->to);
        DrawDot(&picture, "query", drawing->from);
        DrawDot(&picture, "hit", drawing->hit);
    }
    RpBuffer_AppendText(svg, "</svg>\n");
}
