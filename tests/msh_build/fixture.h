/* Random models and animations, the same everywhere, and the small things tests share. */
#ifndef RETROPOSE_TESTS_MSH_BUILD_FIXTURE_H
#define RETROPOSE_TESTS_MSH_BUILD_FIXTURE_H

#include "random.h"
#include "retropose/msh_anim.h"
#include "retropose/msh_make.h"

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
/* after its own prerequisites */
#include <cmocka.h>

enum {
    MAX_NODES = 16,
    MAX_SLOTS = 32,
    MAX_BATCHES = 64,
    MAX_VERTICES = 2048,
    MAX_INDICES = 8192,
    MAX_KEYS = 2048,
    MAX_PROBES = 4
};

/* A description and all that it points to. */
typedef struct Described {
    RpMshDescription model;
    RpMshNodeDescription nodes[MAX_NODES];
    RpMshSlotDescription slots[MAX_SLOTS];
    RpMshBatchDescription batches[MAX_BATCHES];
    float positions[MAX_VERTICES][3];
    int8_t normals[MAX_VERTICES][4];
    uint16_t uv0[MAX_VERTICES][2], uv1[MAX_VERTICES][2];
    uint8_t res15[MAX_VERTICES][8], res16[MAX_VERTICES][8];
    uint16_t indices[MAX_INDICES], triangle_flags[MAX_INDICES / 3];
    RpMshKey keys[MAX_KEYS];
    RpMshProbe probes[MAX_PROBES];
    uint8_t paths[200];
    uint32_t index_count, key_count;
} Described;

/* Every vertex is used, by one node; no face is degenerate. `lit`: with Res18 and Res20. */
void Described_Random(Described *described, uint64_t seed, bool lit);
/* One static node with one triangle. */
void Described_Triangle(Described *described);

/* Into an initialised archive; fails the test when it does not build. */
void BuildModel(const RpMshDescription *model, RpNResArchive *archive);
/* Random unit rotation in the file's form. */
void RandomRotation(uint64_t *seed, int16_t rotation[4]);
/* Ascending whole times from 0 to `last`, random poses; returns how many. */
uint32_t RandomTrack(uint64_t *seed, RpMshKey *keys, uint32_t last, uint32_t limit);
/* Of `node_count` random tracks, the first one to the end of the timeline; every third static. */
void RandomAnimation(RpMshAnimation *animation, uint64_t seed, uint32_t node_count,
                     uint32_t frame_count);

/* How far apart the poses of two animations are: of one node, at a time of each. */
void AssertPosesNear(const RpMshAnimation *a, float time_a, const RpMshAnimation *b, float time_b,
                     double position, double degrees);
void AssertSameTracks(const RpMshAnimation *a, const RpMshAnimation *b);

#endif
