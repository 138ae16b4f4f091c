/* Poses models for tools. Nodes are sampled as the game samples them, and their poses are
 * multiplied in double. */
#include "exports/reading_table.h"
#include "formats/msh/read/find_streams.h"
#include "ngi32/processor/modes.h"
#include "retropose/msh_make.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY_SCALE_DIVIDE = 2, ROTATION_PLAIN = 1, REST_FALLBACK = 1 };

typedef struct Pose {
    double rotation[4], position[3];
} Pose;

static void PoseMatrix(const Pose *pose, double m[16]) {
    const double w = pose->rotation[0], x = pose->rotation[1], y = pose->rotation[2],
                 z = pose->rotation[3];
    const double rows[16] = {1 - 2 * (y * y + z * z),
                             2 * (x * y - w * z),
                             2 * (x * z + w * y),
                             pose->position[0],
                             2 * (x * y + w * z),
                             1 - 2 * (x * x + z * z),
                             2 * (y * z - w * x),
                             pose->position[1],
                             2 * (x * z - w * y),
                             2 * (y * z + w * x),
                             1 - 2 * (x * x + y * y),
                             pose->position[2],
                             0,
                             0,
                             0,
                             1};
    memcpy(m, rows, sizeof rows);
}

static void Multiply(const double a[16], const double b[16], double product[16]) {
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int i = 0; i < 4; i++)
                sum += a[row * 4 + i] * b[i * 4 + column];
            product[row * 4 + column] = sum;
        }
}

RpStatus RpMsh_PoseNodes(const RpMsh *msh, const RpReadings *readings, double frame, bool zero_root,
                         double (*matrices)[16], RpError *error) {
    MODES_OF_C();
    static const RpReadings defaults;
    const RpReadings *reading = readings ? readings : &defaults;
    RpSkeleton skeleton = Msh_SkeletonOf(msh);
    if (msh->streams[RP_MSH_NODES].data && msh->node_stride != RP_MSH_NODE_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nodes of the legacy form cannot be posed", "Res1", "stride 38",
                           "another stride");
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        if (!RpMsh_Node(msh, n, &node) || node.parent == RP_MSH_NONE || node.parent < n)
            continue;
        char where[16], found[8];
        snprintf(where, sizeof where, "node %" PRIu32, n);
        snprintf(found, sizeof found, "%" PRIu16, node.parent);
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a parent does not precede its child",
                           where, "a smaller number than the node's own", found);
    }
    /* The rest pose of frame 0 is what a sample at time 0 gives. */
    if (frame < 0)
        frame = reading->choice[READING_REST_POSE] == REST_FALLBACK ? -1 : 0;
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        Pose pose;
        double local[16];
        RpMsh_Node(msh, n, &node);

        /* Sample under the game's control word. Rotations of keys are divided as
         * RpMsh_DecodeRotation does. The headers of models that were posed in this way are the ones
         * to which the corrections in glTF files refer. */
        RpArithmetic settings = {.build = RP_BUILD_SSE, .readings = *reading};
        const double sense = reading->choice[READING_ROTATION] == ROTATION_PLAIN ? 1 : -1;
        float quaternion[4], position[3];
        settings.readings.choice[READING_KEY_SCALE] = KEY_SCALE_DIVIDE;
        RpPose_Sample(&skeleton, &settings, n, (float)frame, quaternion, position, NULL);
        pose.rotation[0] = quaternion[0];
        for (int i = 0; i < 3; i++) {
            pose.rotation[1 + i] = sense * quaternion[1 + i];
            pose.position[i] = position[i];
        }
        if (n == 0 && zero_root && node.parent == RP_MSH_NONE)
            memset(pose.position, 0, sizeof pose.position);
        PoseMatrix(&pose, local);
        if (node.parent == RP_MSH_NONE)
            memcpy(matrices[n], local, sizeof local);
        else
            Multiply(matrices[node.parent], local, matrices[n]);
    }
    return RP_OK;
}
