/* The animation as a page of its own: view.html, with world matrices baked at even steps, and the
 * GLB for whoever wants it in another program. */
#include "retropose/ani.h"

#include "siblings/isle/text/ani_text.h"

#include "core/text/view_text.h"
#include "retropose/view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { USUAL_STEP = 50, MOST_MATRICES = 1 << 20 };

/* From ani_page.S. The names lack the underscore that 32-bit Windows puts in front of names in
 * C. */
extern const char ani_view_page[] __asm__("ani_view_page");
extern const char ani_view_page_end[] __asm__("ani_view_page_end");

typedef struct Bake {
    const RpAni *ani;
    RpAniPolicy policy;
    uint32_t step, frames;
    float (*local)[16], (*world)[16]; /* matrices of all nodes at one time */
    float *places;                    /* [node][frame][12] */
} Bake;

/* Takes twelve numbers: rows 0 to 2 and the place. A row is mirrored in z on both sides, except
 * the rows that are directions of the eye, which are mirrored in space only. */
static void Take(const float matrix[16], bool is_eye, float *numbers) {
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 3; i++) {
            const float value = matrix[4 * row + i];
            const bool mirrored = (i == 2) != (row == 2 && !is_eye);
            numbers[3 * row + i] = !isfinite(value) ? 0 : mirrored ? -value : value;
        }
}

static int32_t TimeOf(const Bake *bake, uint32_t frame) {
    const uint64_t time = (uint64_t)frame * bake->step;
    return time < INT32_MAX ? (int32_t)time : INT32_MAX;
}

static void BakeNodes(const Bake *bake) {
    for (uint32_t frame = 0; frame < bake->frames; frame++) {
        RpAni_Sample(bake->ani, TimeOf(bake, frame), bake->policy, NULL, NULL, bake->local,
                     bake->world, NULL);
        for (uint32_t node = 0; node < bake->ani->node_count; node++)
            Take(bake->world[node], false,
                 bake->places + 12 * ((size_t)node * bake->frames + frame));
    }
}

static void Numbers(RpBuffer *json, const float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        RpBuffer_AppendText(json, i ? "," : "[");
        JsonText_Float(json, &numbers[i]);
    }
    RpBuffer_AppendText(json, "]");
}

static void DescribeNode(const Bake *bake, uint32_t index, RpBuffer *json) {
    const RpAniNode *node = &bake->ani->nodes[index];
    const RpAniTrack *morph = &node->tracks[RP_ANI_MORPH];
    RpBuffer_AppendText(json, index ? ",\n{\"name\":" : "\n{\"name\":");
    ViewText_Json(json, node->name.bytes);
    RpBuffer_Print(json, ",\"parent\":%" PRId64 ",\"depth\":%" PRIu32 ",\"keys\":[",
                   node->parent == RP_ANI_NO_NODE ? INT64_C(-1) : (int64_t)node->parent,
                   node->depth);
    for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
        RpBuffer_Print(json, "%s%" PRIu32, kind ? "," : "", node->tracks[kind].count);
    RpBuffer_AppendText(json, "],\"morph\":[");
    for (uint32_t i = 0; i < morph->count; i++)
        RpBuffer_Print(json, "%s[%" PRIu32 ",%u]", i ? "," : "", morph->keys[i].time,
                       morph->keys[i].visible);
    RpBuffer_AppendText(json, "],\"world\":");
    Numbers(json, bake->places + 12 * (size_t)index * bake->frames, 12 * (size_t)bake->frames);
    RpBuffer_AppendText(json, "}");
}

static void DescribeCamera(const Bake *bake, RpBuffer *json) {
    RpBuffer_AppendText(json, ",\n\"camera\":[");
    for (uint32_t frame = 0; frame < bake->frames; frame++) {
        float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, numbers[12];
        RpAni_SampleCamera(bake->ani, (float)TimeOf(bake, frame), bake->policy, NULL, matrix);
        Take(matrix, true, numbers);
        for (int i = 0; i < 12; i++) {
            RpBuffer_AppendText(json, frame || i ? "," : "");
            JsonText_Float(json, &numbers[i]);
        }
    }
    RpBuffer_AppendText(json, "]");
}

static void Describe(const Bake *bake, const char *name, RpBuffer *json) {
    const RpAni *ani = bake->ani;
    RpBuffer_AppendText(json, "{\"name\":");
    ViewText_Json(json, name);
    RpBuffer_Print(json,
                   ",\"duration\":%" PRId32 ",\"step\":%" PRIu32 ",\"frames\":%" PRIu32
                   ",\"policy\":\"%s\"",
                   ani->duration > 0 ? ani->duration : 0, bake->step, bake->frames,
                   RpAniPolicy_Name(bake->policy));
    if (ani->has_header && ani->has_camera != 0)
        DescribeCamera(bake, json);
    RpBuffer_AppendText(json, ",\n\"nodes\":[");
    for (uint32_t i = 0; i < ani->node_count; i++)
        DescribeNode(bake, i, json);
    RpBuffer_AppendText(json, "]}");
}

static RpStatus Assemble(const Bake *bake, const RpAniGltfOptions *options, const char *name,
                         RpBuffer *html, RpError *error) {
    RpAniGltfOptions binary = *options;
    RpBuffer glb, json;
    binary.text = false;
    RpBuffer_Init(&glb, bake->ani->allocator);
    RpBuffer_Init(&json, bake->ani->allocator);
    Describe(bake, name, &json);
    RpStatus status = RpAni_ExportGltf(bake->ani, &binary, &glb, error);
    if (status == RP_OK && json.failed)
        status = RpMemory_Refused(error, "a page");
    const RpViewPage page = {.html = ani_view_page,
                             .html_size = (size_t)(ani_view_page_end - ani_view_page),
                             .title = name,
                             .info = json.bytes,
                             .info_size = json.size,
                             .glb = glb.bytes,
                             .glb_size = glb.size};
    if (status == RP_OK)
        status = RpView_Assemble(&page, html, error);
    RpBuffer_Free(&glb);
    RpBuffer_Free(&json);
    return status;
}

RpStatus RpAni_View(const RpAni *ani, const RpAniGltfOptions *options, const char *name,
                    RpBuffer *html, RpError *error) {
    Bake bake = {
        .ani = ani, .policy = options->policy, .step = options->step ? options->step : USUAL_STEP};
    const size_t count = ani->node_count;
    bake.frames = (ani->duration > 0 ? (uint32_t)ani->duration / bake.step : 0) + 2;
    if (count == 0 || (uint64_t)count * bake.frames > MOST_MATRICES)
        return RpError_Set(error, count ? RP_UNSUPPORTED : RP_INVALID, RP_NOWHERE,
                           "there is too much to show, or nothing", name,
                           "up to 1048576 matrices, nodes by steps; a larger step makes fewer", "");
    bake.local = RpMemory_Resize(ani->allocator, NULL, count * sizeof *bake.local);
    bake.world = RpMemory_Resize(ani->allocator, NULL, count * sizeof *bake.world);
    bake.places =
        RpMemory_Resize(ani->allocator, NULL, count * bake.frames * 12 * sizeof *bake.places);
    RpStatus status = RpMemory_Refused(error, "a page");
    if (bake.local && bake.world && bake.places) {
        BakeNodes(&bake);
        status = Assemble(&bake, options, name, html, error);
    }
    RpMemory_Free(ani->allocator, bake.local);
    RpMemory_Free(ani->allocator, bake.world);
    RpMemory_Free(ani->allocator, bake.places);
    return status;
}
