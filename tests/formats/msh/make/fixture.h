/* Random models and animations, which are the same on every machine, and small helpers that the
 * tests share. */
#ifndef RETROPOSE_TESTS_FORMATS_MSH_MAKE_FIXTURE_H
#define RETROPOSE_TESTS_FORMATS_MSH_MAKE_FIXTURE_H

#include "retropose/msh_anim.h"
#include "retropose/msh_make.h"
#include "tests/test.h"

#include <stddef.h>

enum {
    MAX_NODES = 16,
    MAX_SLOTS = 32,
    MAX_BATCHES = 64,
    MAX_VERTICES = 2048,
    MAX_INDICES = 8192,
    MAX_KEYS = 2048,
    MAX_PROBES = 4
};

/* A description of a model with everything that it points to. */
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

/* Describes a model in which each vertex is used by one node and no face is degenerate. `lit` adds
 * Res18 and Res20. */
void Described_Random(Described *described, uint64_t seed, bool lit);
/* Describes a model of one static node with one triangle. */
void Described_Triangle(Described *described);

/* Builds into an initialised archive, and fails the test if that is refused. */
void BuildModel(const RpMshDescription *model, RpNResArchive *archive);
/* Demands that a model has no findings but those of severity info. */
void AssertSound(const RpNResArchive *archive);
/* Gives a random unit rotation in the file's form. */
void RandomRotation(uint64_t *seed, int16_t rotation[4]);
/* Gives random poses at whole times that ascend from 0 to `last`. Returns how many. */
uint32_t RandomTrack(uint64_t *seed, RpMshKey *keys, uint32_t last, uint32_t limit);
/* Makes `node_count` random tracks. The first one lasts until the end of the timeline, and every
 * third one is static. */
void RandomAnimation(RpMshAnimation *animation, uint64_t seed, uint32_t node_count,
                     uint32_t frame_count);

/* Compares the poses of one node in two animations, each at a time of its own. */
void AssertPosesNear(const RpMshAnimation *a, float time_a, const RpMshAnimation *b, float time_b,
                     double position, double degrees);
void AssertSameTracks(const RpMshAnimation *a, const RpMshAnimation *b);

#endif
