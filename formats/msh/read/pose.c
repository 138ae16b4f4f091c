/* Poses for tools, in double: seed 000 sections 3 and 4 without the game's rounding. */
#include "exports/readings.h"
#include "retropose/msh_make.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REST_FRAME0, REST_FALLBACK };

typedef struct Pose {
    double rotation[4], position[3];
} Pose;

static const RpReadings defaults;

static void KeyPose(const RpMshKey *key, const RpReadings *readings, Pose *pose) {
    float quaternion[4];
    RpMsh_DecodeRotation(key->rotation, readings, quaternion);
    for (int i = 0; i < 4; i++)
        pose->rotation[i] = quaternion[i];
    for (int i = 0; i < 3; i++)
        pose->position[i] = key->position[i];
}

/* Rounds to nearest, with halves to even, whatever rounding mode the process has set. */
static double RoundHalfEven(double value) {
    double below = floor(value), part = value - below;
    if (part != 0.5)
        return part < 0.5 ? below : below + 1;
    return fmod(below, 2) == 0 ? below : below + 1;
}

/* Returns the key at a frame; the fallback for a frame before the first, and where the frame map is
 * broken. */
static uint32_t KeyIndex(const RpMsh *msh, uint32_t number, const RpMshNode *node, double frame) {
    const double index = RoundHalfEven(frame - 0.5);
    uint32_t key;
    return frame >= 0 && index < msh->frame_count &&
                   RpMsh_KeyAt(msh, number, index > 0 ? (uint32_t)index : 0, &key)
               ? key
               : node->fallback;
}

/* Interpolates as slots 17 and 22 of g_FastProc (seed 000 section 4.4), without normalising. */
static void Interpolate(const Pose *a, const Pose *b, double t, Pose *pose) {
    double dot = 0, sign = 1, weight_a = 1 - t, weight_b = t;
    for (int i = 0; i < 4; i++)
        dot += a->rotation[i] * b->rotation[i];
    if (dot < 0) {
        dot = -dot;
        sign = -1;
    }
    if (1 - dot > 9.9999997e-6) {
        double angle = acos(dot);
        weight_b = sin(t * angle) / sin(angle);
        weight_a = cos(t * angle) - weight_b * dot;
    }
    for (int i = 0; i < 4; i++)
        pose->rotation[i] = weight_a * a->rotation[i] + weight_b * sign * b->rotation[i];
    for (int i = 0; i < 3; i++)
        pose->position[i] = a->position[i] + (b->position[i] - a->position[i]) * t;
}

static void SampleNode(const RpMsh *msh, const RpReadings *readings, uint32_t number,
                       const RpMshNode *node, double frame, Pose *pose) {
    RpMshKey key, next;
    const uint32_t index = KeyIndex(msh, number, node, frame);
    *pose = (Pose){.rotation = {1, 0, 0, 0}};
    if (!RpMsh_Key(msh, index, &key))
        return;
    KeyPose(&key, readings, pose);
    if (index == node->fallback || frame == key.time || !RpMsh_Key(msh, index + 1, &next))
        return;
    Pose from = *pose, to;
    KeyPose(&next, readings, &to);
    if (frame == next.time || !(next.time != key.time))
        *pose = to;
    else
        Interpolate(&from, &to, (frame - key.time) / ((double)next.time - key.time), pose);
}

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

static RpStatus CheckParents(const RpMsh *msh, RpError *error) {
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
    return RP_OK;
}

RpStatus RpMsh_PoseNodes(const RpMsh *msh, const RpReadings *readings, double frame, bool zero_root,
                         double (*matrices)[16], RpError *error) {
    const RpReadings *reading = readings ? readings : &defaults;
    if (msh->streams[RP_MSH_NODES].data && msh->node_stride != RP_MSH_NODE_BYTES)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "nodes of the legacy form cannot be posed", "Res1", "stride 38",
                           "another stride");
    RpStatus status = CheckParents(msh, error);
    if (status != RP_OK)
        return status;
    /* The rest pose of frame 0 is what a sample at time 0 gives. */
    if (frame < 0)
        frame = reading->choice[READING_REST_POSE] == REST_FALLBACK ? -1 : 0;
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        Pose pose;
        double local[16];
        RpMsh_Node(msh, n, &node);
        SampleNode(msh, reading, n, &node, frame, &pose);
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
