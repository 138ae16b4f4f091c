#ifndef RETROPOSE_TESTS_GOLDEN_MESH_H
#define RETROPOSE_TESTS_GOLDEN_MESH_H

#include "retropose/fastproc.h"

/* Lines of digests of random objects: their poses, tilts, strides and bounds, under the game's
 * control word, with every choice of the hypotheses that posing has. */
void GoldenMesh_Print(const char *class_name, RpBuild build);

#endif
