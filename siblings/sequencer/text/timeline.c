/* Draws a run over time: what plays, where the cursor is, and which hooks fire. */
#include "siblings/sequencer/text/script.h"

#include "core/text/view_text.h"

#include <inttypes.h>
#include <string.h>

typedef struct Sample { /* the state of the object after one tick */
    double time, frame_number;
    uint32_t animation; /* 0 if nothing plays */
    int32_t high;
} Sample;

typedef struct Mark {
    double time;
    AcLogKind kind;
    uint32_t id; /* type of the hook, or id of the motion */
    uint32_t frame, result;
} Mark;

struct AcTimeline {
    RpBuffer samples, marks; /* arrays of Sample and of Mark */
};

enum { LEFT = 150, WIDTH = 1000, TOP = 50, ROW = 22, CURVE = 160, RIGHT = 30 };

/* ---- collecting ------------------------------------------------------------------------------ */

AcTimeline *AcTimeline_Begin(const RpAllocator *allocator) {
    AcTimeline *timeline = RpMemory_Resize(allocator, NULL, sizeof *timeline);
    if (timeline) {
        RpBuffer_Init(&timeline->samples, allocator);
        RpBuffer_Init(&timeline->marks, allocator);
    }
    return timeline;
}

void AcTimeline_Take(void *context, const AcLogEntry *entry) {
    AcTimeline *timeline = context;
    Mark mark = {
        .time = entry->time, .kind = entry->kind, .id = entry->motion, .result = entry->result};
    if (entry->kind == AC_LOG_TICK) {
        const RpSequence *sequence = &entry->object->sequence;
        Sample sample = {.time = entry->time};
        if (sequence->current != RP_AC_NO_NODE) {
            const RpSequenceNode *node = &sequence->nodes[sequence->current];
            sample.animation = node->animation->id;
            sample.frame_number = sequence->frame_number;
            sample.high = node->high;
        }
        RpBuffer_Append(&timeline->samples, &sample, sizeof sample);

        return;
    }
    if (entry->kind == AC_LOG_HOOK) {
        mark.id = entry->event->hook->type;
        mark.frame = entry->event->frame;
    }
    RpBuffer_Append(&timeline->marks, &mark, sizeof mark);
}

/* ---- the picture ----------------------------------------------------------------------------- */

typedef struct Picture {
    const Sample *samples;
    const Mark *marks;
    size_t sample_count, mark_count;
    uint32_t animations[64]; /* in the order in which they begin to play */
    uint32_t animation_count;
    double end;
    int32_t high;
    RpBuffer *svg;
} Picture;

static uint32_t RowOf(const Picture *picture, uint32_t animation) {
    uint32_t row = 0;
    while (row < picture->animation_count && picture->animations[row] != animation)
        row++;
    return row;
}

static double X(const Picture *picture, double time) {
    return LEFT + WIDTH * time / picture->end;
}

static double CurveTop(const Picture *picture) {
    return TOP + (double)ROW * picture->animation_count + 30;
}

static void Label(const Picture *picture, double y, const char *text) {
    RpBuffer_Print(picture->svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                   LEFT - 8, y, text);
}

static void DrawCurve(const Picture *picture) {
    const double top = CurveTop(picture), scale = (double)CURVE / (picture->high + 1);
    uint32_t animation = 0;
    bool open = false;
    Label(picture, top + CURVE / 2.0, "frame");
    RpBuffer_Print(picture->svg,
                   "<rect class=\"box\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT,
                   top, WIDTH, CURVE);
    RpBuffer_Print(picture->svg,
                   "<text x=\"%d\" y=\"%.1f\">%" PRId32
                   "</text><text x=\"%d\" y=\"%.1f\">0</text>\n",
                   LEFT + WIDTH + 4, top + 10, picture->high + 1, LEFT + WIDTH + 4, top + CURVE);
    for (size_t i = 0; i < picture->sample_count; i++) {
        const Sample *sample = &picture->samples[i];
        if (sample->animation != animation && open)
            RpBuffer_AppendText(picture->svg, "\"/>\n");
        if (sample->animation != animation)
            RpBuffer_AppendText(picture->svg, sample->animation ? "<polyline points=\"" : "");
        open = sample->animation != 0;
        animation = sample->animation;
        if (open)
            RpBuffer_Print(picture->svg, "%.2f,%.2f ", X(picture, sample->time),
                           top + CURVE - scale * sample->frame_number);
    }
    RpBuffer_AppendText(picture->svg, open ? "\"/>\n" : "");
}

/* Draws a row of marks for each kind, beneath the curve. */
static void DrawMarks(const Picture *picture) {
    static const char *const rows[] = {"commands", "hooks", "AnimDone", "motions ended"};
    const double top = CurveTop(picture) + CURVE + 30;
    for (int row = 0; row < 4; row++)
        Label(picture, top + row * ROW + 4, rows[row]);
    for (size_t i = 0; i < picture->mark_count; i++) {
        const Mark *mark = &picture->marks[i];
        RpBuffer_Print(picture->svg, "<circle class=\"k%d%s\" cx=\"%.2f\" cy=\"%.1f\" r=\"4\">",
                       (int)mark->kind,
                       mark->kind == AC_LOG_COMMAND && mark->result ? " refused" : "",
                       X(picture, mark->time), top + (double)(mark->kind * ROW));

        static const char *const words[] = {"command", "hook", "AnimDone", "ended"};
        RpBuffer_Print(picture->svg, "<title>%s %.4f s", words[mark->kind], mark->time);
        if (mark->kind == AC_LOG_HOOK)
            RpBuffer_Print(picture->svg, ", %s of frame %" PRIu32, RpAcHook_Name(mark->id),
                           mark->frame);
        else if (mark->id)
            RpBuffer_Print(picture->svg, ", 0x%08" PRIX32, mark->id);
        if (mark->kind == AC_LOG_COMMAND && mark->result)
            RpBuffer_AppendText(picture->svg, ", refused");
        RpBuffer_AppendText(picture->svg, "</title>");

        RpBuffer_AppendText(picture->svg, "</circle>\n");
    }
}

static void Draw(Picture *picture, const char *title) {
    const size_t most = sizeof picture->animations / sizeof *picture->animations;
    picture->high = 1;
    for (size_t i = 0; i < picture->sample_count; i++) {
        const Sample *sample = &picture->samples[i];
        picture->end = sample->time > picture->end ? sample->time : picture->end;
        picture->high = sample->high > picture->high ? sample->high : picture->high;
        if (sample->animation && picture->animation_count < most &&
            RowOf(picture, sample->animation) == picture->animation_count)
            picture->animations[picture->animation_count++] = sample->animation;
    }
    if (!(picture->end > 0))
        picture->end = 1;

    const double bottom = CurveTop(picture) + CURVE + 30 + 4 * ROW + 20;
    RpBuffer_Print(picture->svg,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
                   "font-family=\"sans-serif\" font-size=\"11\">\n<style>svg{background:#fff}"
                   ".bar{fill:#4a78b0}.box{fill:none;stroke:#999}.grid{stroke:#ddd}"
                   "polyline{fill:none;stroke:#b04a4a;stroke-width:1.5}.k0{fill:#333}"
                   ".refused{fill:#d00}.k1{fill:#4a9050}.k2{fill:#c08000}.k3{fill:#8050a0}"
                   "</style>\n<text x=\"%d\" y=\"24\" font-size=\"15\">",
                   LEFT + WIDTH + RIGHT + 20, bottom, LEFT);
    ViewText_Html(picture->svg, title);
    RpBuffer_AppendText(picture->svg, "</text>\n");

    /* The scale has at most twelve lines. */
    double step = 0.1;
    while (picture->end / step > 12)
        step *= picture->end / step > 60 ? 10 : 2;
    for (double time = 0; time <= picture->end * 1.0001; time += step)
        RpBuffer_Print(picture->svg,
                       "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%d\" y2=\"%.1f\"/>"
                       "<text x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\">%.3g s</text>\n",
                       X(picture, time), X(picture, time), TOP, bottom - 20, X(picture, time),
                       bottom - 6, time);

    /* A bar stands for each stretch of time during which one animation plays. */
    double from = 0;
    for (uint32_t row = 0; row < picture->animation_count; row++)
        RpBuffer_Print(picture->svg,
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0x%08" PRIX32 "</text>\n",
                       LEFT - 8, TOP + (int)row * ROW + 14, picture->animations[row]);
    for (size_t i = 0; i < picture->sample_count; i++) {
        const Sample *sample = &picture->samples[i];
        const uint32_t row = RowOf(picture, sample->animation);
        if (row < picture->animation_count && sample->time > from)
            RpBuffer_Print(
                picture->svg,
                "<rect class=\"bar\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"/>\n",
                X(picture, from), TOP + (int)row * ROW + 3,
                X(picture, sample->time) - X(picture, from), ROW - 6);
        from = sample->time;
    }

    DrawCurve(picture);
    DrawMarks(picture);
    RpBuffer_AppendText(picture->svg, "</svg>\n");
}

RpStatus AcTimeline_End(AcTimeline *timeline, const char *title, RpBuffer *svg, RpError *error) {
    Picture picture = {.samples = (const Sample *)(const void *)timeline->samples.bytes,
                       .marks = (const Mark *)(const void *)timeline->marks.bytes,
                       .sample_count = timeline->samples.size / sizeof(Sample),
                       .mark_count = timeline->marks.size / sizeof(Mark),
                       .svg = svg};
    const bool failed = timeline->samples.failed || timeline->marks.failed;
    const RpAllocator *allocator = timeline->samples.allocator;
    if (!failed)
        Draw(&picture, title);
    RpBuffer_Free(&timeline->samples);
    RpBuffer_Free(&timeline->marks);
    RpMemory_Free(allocator, timeline);
    return failed || svg->failed ? RpMemory_Refused(error, "a timeline") : RP_OK;
}
