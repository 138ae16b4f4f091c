#include "formats/peers/unit_pose.h"

const UnitPose unit_pose_identity = {{0, 0, 0}, {1, 0, 0, 0}};

static void Cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* v + 2w (u x v) + 2u x (u x v), u being the vector part of a unit quaternion. */
void UnitPose_Apply(const UnitPose *pose, const double point[3], double placed[3]) {
    const double *axis = pose->turn + 1;
    double once[3], twice[3];
    Cross(axis, point, once);
    Cross(axis, once, twice);
    for (int i = 0; i < 3; i++)
        placed[i] = point[i] + 2 * (pose->turn[0] * once[i] + twice[i]) + pose->place[i];
}

UnitPose UnitPose_Compose(const UnitPose *parent, const UnitPose *child) {
    const double *a = parent->turn, *b = child->turn;
    UnitPose pose;
    UnitPose_Apply(parent, child->place, pose.place);
    Cross(a + 1, b + 1, pose.turn + 1);
    pose.turn[0] = a[0] * b[0] - (a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    for (int i = 1; i < 4; i++)
        pose.turn[i] += a[0] * b[i] + b[0] * a[i];
    return pose;
}
