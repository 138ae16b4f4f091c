/* A second computation of poses and bounds, from the formulas of facts/animesh.md E.4 to E.12, and
 * by other means than the library's: in binary64, and on the description of a model instead of its
 * streams.
 *
 * There are two ways. In the first, no step rounds to less than binary64, so that results are equal
 * if the numbers are whole, and near otherwise. In the second, each step of
 * docs/reference/arithmetic.md rounds to binary32, which is what the x87 does under the game's
 * control word (53 >= 2 * 24 + 2), and the library computes what Ngi32 would. The bits are then
 * equal whatever the numbers are. */
#ifndef RETROPOSE_TESTS_MESH_POSE_REFERENCE_H
#define RETROPOSE_TESTS_MESH_POSE_REFERENCE_H

#include "pose_fixture.h"

typedef enum Steps { STEPS_EXACT, STEPS_ROUNDED } Steps;

typedef struct Reference {
    Steps steps;
    const TestMesh *test; /* the object before the call that is checked */
} Reference;

typedef struct ReferencePiece {
    double local[16], model[16], world[16];
    float cached_a, cached_b;
    int cache_valid, fresh; /* `fresh` says that the local matrix was computed again */
} ReferencePiece;

void Reference_Pose(const Reference *reference, ReferencePiece pieces[MESH_PIECES]);
void Reference_RootTranslation(const Reference *reference, double translation[3]);
void Reference_Tilt(const Reference *reference, const float from[3], const float to[3],
                    double quaternion[4]);

/* Measures the pose that the object has. Corners are 8 points. */
void Reference_Box(const Reference *reference, int32_t node, uint32_t mode,
                   const JointRequest *request, double corners[24]);
void Reference_Sphere(const Reference *reference, int32_t node, uint32_t mode,
                      const JointRequest *request, double sphere[4]);
void Reference_Capsule(const Reference *reference, const double corners[24], double capsule[7]);

typedef struct ReferenceBounds {
    double box[24], agent[4], nodes[4], capsule[7];
} ReferenceBounds;
/* Computes what MeshBounds leaves in an object whose pose is up to date. */
void Reference_Bounds(const Reference *reference, ReferenceBounds *bounds);

#endif
