/* Draws the small pictures of a difference. Only the picture depends on these numbers, so they are
 * computed in binary64 and not with the game's arithmetic. */
#include "replay/compare/figure.h"

#include "core/page/page.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

enum { SIZE = 320, MARGIN = 24, CORNERS = 8 };

/* A picture shows things from above and from one side: x goes to the right, y backwards and to the
 * right, z upwards. */
typedef struct Canvas {
    RpBuffer *html;
    double low[2], high[2]; /* the ends of the box around all points */
    bool any;
} Canvas;

static void Project(const double point[3], double flat[2]) {
    flat[0] = point[0] * 0.9 + point[1] * 0.45;
    flat[1] = -point[2] + point[0] * 0.25 - point[1] * 0.4;
}

static void Widen(double point[3], const float from[3]) {
    for (int i = 0; i < 3; i++)
        point[i] = (double)from[i];
}

/* Returns whether a point can be drawn. A point far outside of any model would shrink all others to
 * nothing. */
static bool IsDrawable(const float point[3]) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(point[i]) || fabs((double)point[i]) > 1e18)
            return false;
    return true;
}

static void Grow(Canvas *canvas, const float point[3]) {
    double deep[3], flat[2];
    if (!IsDrawable(point))
        return;
    Widen(deep, point);
    Project(deep, flat);
    for (int i = 0; i < 2; i++) {
        canvas->low[i] = canvas->any ? fmin(canvas->low[i], flat[i]) : flat[i];
        canvas->high[i] = canvas->any ? fmax(canvas->high[i], flat[i]) : flat[i];
    }
    canvas->any = true;
}

static void Locate(const Canvas *canvas, const float point[3], double at[2]) {
    double deep[3], flat[2];
    const double reach =
        fmax(fmax(canvas->high[0] - canvas->low[0], canvas->high[1] - canvas->low[1]), 1e-30);
    Widen(deep, point);
    Project(deep, flat);
    for (int i = 0; i < 2; i++)
        at[i] = SIZE / 2.0 +
                (flat[i] - (canvas->low[i] + canvas->high[i]) / 2) * ((SIZE - 2 * MARGIN) / reach);
}

static void BeginPath(Canvas *canvas, const char *class) {
    Page_Print(canvas->html, "<path class=\"%s\" d=\"", class);
}

static void EndPath(Canvas *canvas) {
    RpBuffer_AppendText(canvas->html, "\"/>");
}

static void AddPoint(Canvas *canvas, char command, const float point[3]) {
    double at[2];
    Locate(canvas, point, at);
    Page_Print(canvas->html, "%c%.1f %.1f", command, at[0], at[1]);
}

static void Line(Canvas *canvas, const char *class, const float from[3], const float to[3]) {
    if (!IsDrawable(from) || !IsDrawable(to))
        return;
    BeginPath(canvas, class);
    AddPoint(canvas, 'M', from);
    AddPoint(canvas, 'L', to);
    EndPath(canvas);
}

static void Dot(Canvas *canvas, const char *class, const float point[3], double radius) {
    double at[2];
    if (!IsDrawable(point))
        return;
    Locate(canvas, point, at);
    Page_Print(canvas->html, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", class,
               at[0], at[1], radius);
}

static void BeginFigure(RpBuffer *html, const char *label) {
    Page_Print(html, "<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", SIZE,
               SIZE, label);
}

/* ---- a model, an object, or a polygon -------------------------------------------------------- */

static bool HasDrawableBox(const FollowedNode *node) {
    bool drawable = node->has_box;
    for (int i = 0; i < CORNERS && drawable; i++)
        drawable = IsDrawable(node->corners[i]);
    return drawable;
}

static void Box(Canvas *canvas, const char *class, const FollowedNode *node) {
    /* the pen follows the four edges along each axis in few strokes */
    static const char pen[] = "MLLLLMLLLLMLMLML";
    static const uint8_t corners[] = {0, 1, 2, 3, 0, 5, 6, 7, 4, 5, 0, 5, 1, 6, 2, 7};
    if (!HasDrawableBox(node))
        return;
    BeginPath(canvas, class);
    for (size_t i = 0; i < sizeof corners; i++)
        AddPoint(canvas, pen[i], node->corners[corners[i]]);
    AddPoint(canvas, 'M', node->corners[3]);
    AddPoint(canvas, 'L', node->corners[4]);
    EndPath(canvas);
}

void Figure_Followed(RpBuffer *html, const Followed *followed) {
    if (followed && followed->has_model) {
        Canvas canvas = {.html = html};
        for (uint32_t i = 0; i < followed->kept; i++) {
            Grow(&canvas, followed->nodes[i].origin);
            for (int k = 0; k < CORNERS && HasDrawableBox(&followed->nodes[i]); k++)
                Grow(&canvas, followed->nodes[i].corners[k]);
        }
        BeginFigure(html,
                    followed->is_object ? "The pieces of the object" : "The nodes of the model");

        for (uint32_t i = 0; i < followed->kept; i++)
            Box(&canvas, "box", &followed->nodes[i]);
        for (uint32_t i = 0; i < followed->kept; i++) {
            const FollowedNode *node = &followed->nodes[i];
            if (node->parent >= 0)
                Line(&canvas, "bone", followed->nodes[node->parent].origin, node->origin);
            Dot(&canvas, "joint", node->origin, 2.5);
        }
        if (followed->node >= 0) {
            Box(&canvas, "here", &followed->nodes[followed->node]);
            Dot(&canvas, "spot", followed->nodes[followed->node].origin, 5);
        }

        const char *what = followed->is_object ? "piece" : "node";
        RpBuffer_AppendText(html, "</svg>\n<figcaption>");
        if (followed->node >= 0)
            Page_Print(html, "%s %d (marked) of %u", what, followed->node, followed->node_count);
        else
            Page_Print(html, "%u %s%s", followed->node_count, what,
                       Text_Plural(followed->node_count));
        if (followed->kept < followed->node_count)
            Page_Print(html, ", of which the first %u are drawn", followed->kept);
        if (followed->is_object)
            RpBuffer_AppendText(html, "; in the world, as side a has left the object");
        else
            Page_Print(html, "; the model at frame %.9g; %u frames, %u keys",
                       (double)followed->time, followed->frame_count, followed->key_count);
        RpBuffer_AppendText(html, "</figcaption>\n</figure>\n");
    } else if (followed && followed->vertex_count > 0) {
        Canvas canvas = {.html = html};
        const uint32_t kept = followed->vertex_count < FOLLOW_MOST_VERTICES ? followed->vertex_count
                                                                            : FOLLOW_MOST_VERTICES;
        Grow(&canvas, followed->point);
        for (uint32_t i = 0; i < kept; i++)
            Grow(&canvas, followed->vertices[i]);
        BeginFigure(html, "The polygon and the point");
        for (uint32_t i = 0; i < kept; i++)
            Line(&canvas, "edge", followed->vertices[i], followed->vertices[(i + 1) % kept]);
        Dot(&canvas, "spot", followed->point, 4);
        Page_Print(html, "</svg>\n<figcaption>a polygon of %u corners, and the point (marked)",
                   followed->vertex_count);
        if (kept < followed->vertex_count)
            Page_Print(html, "; the first %u corners are drawn", kept);
        RpBuffer_AppendText(html, "</figcaption>\n</figure>\n");
    }
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* The origin and the ends of the three axes, as seen from an origin. */
typedef struct Frame {
    float origin[3], ends[3][3];
} Frame;

static Frame FrameOf(const float matrix[16], const float from[16]) {
    Frame frame;
    for (int i = 0; i < 3; i++) {
        frame.origin[i] = matrix[4 * i + 3] - from[4 * i + 3];
        for (int axis = 0; axis < 3; axis++)
            frame.ends[axis][i] = frame.origin[i] + matrix[4 * i + axis];
    }
    return frame;
}

static bool IsFrameDrawable(const Frame *frame) {
    return IsDrawable(frame->origin) && IsDrawable(frame->ends[0]) && IsDrawable(frame->ends[1]) &&
           IsDrawable(frame->ends[2]);
}

static void GrowByFrame(Canvas *canvas, const Frame *frame) {
    Grow(canvas, frame->origin);
    for (int axis = 0; axis < 3; axis++)
        Grow(canvas, frame->ends[axis]);
}

static void DrawFrame(Canvas *canvas, const char *class, const Frame *frame) {
    BeginPath(canvas, class);
    for (int axis = 0; axis < 3; axis++) {
        AddPoint(canvas, 'M', frame->origin);
        AddPoint(canvas, 'L', frame->ends[axis]);
    }
    EndPath(canvas);
}

void Figure_Frames(RpBuffer *html, const char *name, const float a[16], const float b[16]) {
    static const char *const axes[] = {"x", "y", "z"};
    Canvas canvas = {.html = html};
    const Frame frame_a = FrameOf(a, a), frame_b = FrameOf(b, a);
    if (!IsFrameDrawable(&frame_a) || !IsFrameDrawable(&frame_b)) {
        Page_Print(
            html,
            "<p class=\"soft\">%s is not drawn: an element is not finite, or too large.</p>\n",
            name);
        return;
    }
    GrowByFrame(&canvas, &frame_a);
    GrowByFrame(&canvas, &frame_b);
    BeginFigure(html, "The axes of both sides' matrices");
    DrawFrame(&canvas, "a", &frame_a);
    DrawFrame(&canvas, "b", &frame_b);
    for (int axis = 0; axis < 3; axis++) {
        double at[2];
        Locate(&canvas, frame_a.ends[axis], at);
        Page_Print(canvas.html, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", at[0] + 4, at[1] - 4,
                   axes[axis]);
    }
    Page_Print(html,
               "</svg>\n<figcaption>%s as axes: <span class=\"key-a\">side a, solid</span>, "
               "<span class=\"key-b\">side b, dashed</span>",
               name);
    /* How far apart the drawn ends of the axes are, in the units of the picture. */
    double most = 0, at_a[2], at_b[2];
    for (int i = 0; i < 4; i++) {
        Locate(&canvas, i < 3 ? frame_a.ends[i] : frame_a.origin, at_a);
        Locate(&canvas, i < 3 ? frame_b.ends[i] : frame_b.origin, at_b);
        most = fmax(most, hypot(at_a[0] - at_b[0], at_a[1] - at_b[1]));
    }
    if (most < 1)
        RpBuffer_AppendText(html, "; the difference is too small to be seen");
    RpBuffer_AppendText(html, "</figcaption>\n</figure>\n");
}
