#ifndef RETROPOSE_TESTS_GOLDEN_MESH_H
#define RETROPOSE_TESTS_GOLDEN_MESH_H

#include "retropose/fastproc.h"

/* Prints digests of this number of random objects under the game's control word: their poses,
 * tilts, strides and bounds, with every choice of the readings about posing. */
void GoldenMesh_Print(const char *class_name, RpBuild build, int objects);

#endif
