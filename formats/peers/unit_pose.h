/* Poses as a translation and a unit quaternion w, x, y, z. */
#ifndef RETROPOSE_FORMATS_PEERS_UNIT_POSE_H
#define RETROPOSE_FORMATS_PEERS_UNIT_POSE_H

typedef struct UnitPose {
    double place[3], turn[4];
} UnitPose;

extern const UnitPose unit_pose_identity;

/* Turns a point and moves it. */
void UnitPose_Apply(const UnitPose *pose, const double point[3], double placed[3]);
/* Puts a child into the space of its parent's parent. */
UnitPose UnitPose_Compose(const UnitPose *parent, const UnitPose *child);

#endif
