/* Prints the poses that our sampler gives the test models, for the test that plays them in a
 * browser:
 *
 *     print_poses DIRECTORY
 *
 * NNN.json belongs to NNN.glb. It holds, for every node at every frame, the rotation x, y, z, w in
 * glTF's sense and the place, and the box of what is visible at first. Nothing here is taken from
 * the exporter. */
#include "exports/reading_table.h"
#include "models.h"
#include "retropose/gltf.h"

#include <math.h>
#include <stdio.h>

static RpArithmetic Settings(const RpReadings *readings) {
    return (RpArithmetic){.build = RP_BUILD_SSE, .readings = *readings};
}

static void PrintPose(const RpSkeleton *model, const RpReadings *readings, uint32_t node,
                      uint32_t frame, RpBuffer *text) {
    const RpArithmetic settings = Settings(readings);
    const float sign = readings->choice[READING_ROTATION] ? 1.0F : -1.0F;
    float q[4], p[3];
    uint16_t word = RpFpu_SetControlWord();
    RpPose_Sample(model, &settings, node, (float)frame, q, p, NULL);
    RpFpu_Restore(word);
    const float numbers[7] = {sign * q[1], sign * q[2], sign * q[3], q[0], p[0], p[1], p[2]};
    for (int i = 0; i < 7; i++)
        RpBuffer_Print(text, "%s%.9g", i ? "," : "[",
                       isfinite(numbers[i]) ? (double)numbers[i] : 0.0);
    RpBuffer_AppendText(text, "]");
}

/* ---- where the geometry is ------------------------------------------------------------------- */

typedef struct Box {
    double low[3], high[3];
    bool any;
} Box;

static void Grow(Box *box, const double m[16], const float p[3]) {
    double place[3];
    for (int i = 0; i < 3; i++)
        place[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
    const double shown[3] = {place[0], place[2], -place[1]};
    for (int i = 0; i < 3; i++) {
        box->low[i] = !box->any || shown[i] < box->low[i] ? shown[i] : box->low[i];
        box->high[i] = !box->any || shown[i] > box->high[i] ? shown[i] : box->high[i];
    }
    box->any = true;
}

static void GrowByBatch(Box *box, const RpMsh *msh, const double m[16], uint32_t index) {
    RpMshBatch batch;
    RpMsh_Batch(msh, index, &batch);
    for (uint32_t i = 0; i < batch.index_count; i++) {
        uint16_t relative;
        float p[3];
        if (RpMsh_Index(msh, batch.first_index + i, &relative) &&
            RpMsh_Position(msh, batch.base_vertex + relative, p))
            Grow(box, m, p);
    }
}

/* Prints the box of what the first cell with geometry shows at frame 0, in glTF's axes. */
static void PrintBox(const RpMsh *msh, const RpGltfExportOptions *options, RpBuffer *text) {
    static double matrices[256][16];
    Box box = {.any = false};
    RpMshNode node;
    RpMshSlot slot;
    if (RpMsh_Count(msh, RP_MSH_NODES) > 256 ||
        RpMsh_PoseNodes(msh, &options->readings, 0.0, options->root_motion == RP_GLTF_ROOT_DROP,
                        matrices, NULL) != RP_OK)
        return;
    for (uint32_t cell = 0; cell < RP_MSH_SLOT_WORDS && !box.any; cell++)
        for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++)
            if (RpMsh_Slot(msh, node.slots[cell], &slot))
                for (uint32_t b = 0; b < slot.batch_count; b++)
                    GrowByBatch(&box, msh, matrices[i], (uint32_t)slot.first_batch + b);
    if (box.any)
        RpBuffer_Print(text, "\"box\": [%.9g,%.9g,%.9g,%.9g,%.9g,%.9g], ", box.low[0], box.low[1],
                       box.low[2], box.high[0], box.high[1], box.high[2]);
}

/* Prints the poses of a node. A node without a frame map has the same pose at every frame. */
static void PrintNode(const RpMsh *msh, const RpSkeleton *model, const RpReadings *readings,
                      uint32_t node, uint32_t frames, RpBuffer *text) {
    RpMshNode record;
    RpMsh_Node(msh, node, &record);
    uint32_t count = record.map_start == RP_MSH_NONE ? 1 : frames;
    RpBuffer_AppendText(text, node ? ",\n[" : "[");
    for (uint32_t frame = 0; frame < count; frame++) {
        RpBuffer_AppendText(text, frame ? "," : "");
        PrintPose(model, readings, node, frame, text);
    }
    RpBuffer_AppendText(text, "]");
}

static uint32_t Frames(const RpMsh *msh) {
    RpMshNode node;
    bool animated = false;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++)
        animated |= node.map_start != RP_MSH_NONE;
    return animated && msh->frame_count > 1 ? msh->frame_count : 1;
}

static bool PrintModel(const TestModel *model, const RpGltfExportOptions *options, bool box,
                       RpBuffer *text) {
    RpMsh msh;
    RpSkeleton poses;
    if (RpMsh_Open(RpNResArchive_Entries(&model->archive), RP_TOLERANT, &msh, NULL) != RP_OK ||
        RpMsh_Skeleton(&msh, &poses, NULL) != RP_OK)
        return false;
    RpBuffer_AppendText(text, "{");
    if (box)
        PrintBox(&msh, options, text);
    RpBuffer_Print(text,
                   "\"frames\": %u, \"subFrames\": %u, \"rootMotion\": \"%s\", \"samples\": [",
                   (unsigned)Frames(&msh), (unsigned)options->sub_frames,
                   RpGltfRootMotion_Name(options->root_motion));
    for (uint32_t node = 0; node < RpMsh_Count(&msh, RP_MSH_NODES); node++)
        PrintNode(&msh, &poses, &options->readings, node, Frames(&msh), text);
    RpBuffer_AppendText(text, "]}\n");
    return !text->failed;
}

/* Returns whether a model is one of the corpus. Wild models have rotations of any length, which
 * would show in the box. */
static bool IsOfCorpus(uint32_t number) {
    return number >= TEST_MODELS_SMALL && number < TEST_MODELS_CORPUS;
}

static bool Print(const TestModel *model, const RpGltfExportOptions *options, uint32_t number,
                  RpBuffer *text, RpError *error) {
    (void)error;
    return PrintModel(model, options, IsOfCorpus(number), text);
}

int main(int count, char **arguments) {
    return TestModels_Write(count, arguments, "json", Print) ? 0 : 1;
}
