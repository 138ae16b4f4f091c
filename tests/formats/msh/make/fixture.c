#include "fixture.h"

#include "core/random.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ------------------------------------------------------------------------------------ */

void RandomRotation(uint64_t *seed, int16_t rotation[4]) {
    float quaternion[4];
    double length = 0;
    do {
        length = 0;
        for (int i = 0; i < 4; i++) {
            quaternion[i] = Random_SplitMixBetween(seed, -1, 1);
            length += (double)quaternion[i] * quaternion[i];
        }
    } while (length < 0.1 || length > 1);
    for (int i = 0; i < 4; i++)
        quaternion[i] = (float)(quaternion[i] / sqrt(length));
    RpMsh_EncodeRotation(quaternion, NULL, rotation);
}

static void RandomPose(uint64_t *seed, RpMshKey *key) {
    for (int i = 0; i < 3; i++)
        key->position[i] = Random_SplitMixBetween(seed, -10, 10);
    RandomRotation(seed, key->rotation);
}

uint32_t RandomTrack(uint64_t *seed, RpMshKey *keys, uint32_t last, uint32_t limit) {
    uint32_t count = 0;
    for (uint32_t frame = 0; frame <= last && count + 1 < limit;
         frame += 1 + Random_SplitMixBelow(seed, 4)) {
        keys[count].time = (float)frame;
        RandomPose(seed, &keys[count++]);
    }
    if (keys[count - 1].time < (float)last) {
        keys[count].time = (float)last;
        RandomPose(seed, &keys[count++]);
    }
    return count;
}

/* ---- models ---------------------------------------------------------------------------------- */

static void AddBatch(Described *d, uint64_t *seed) {
    RpMshDescription *model = &d->model;
    RpMshBatchDescription *batch = &d->batches[model->batch_count++];
    uint32_t vertices = 3 + Random_SplitMixBelow(seed, 20), first = d->index_count;
    uint32_t triangles = vertices - 2 + Random_SplitMixBelow(seed, 10);
    *batch = (RpMshBatchDescription){.flags = (uint16_t)Random_SplitMixBelow(seed, 0x10000),
                                     .material = (uint16_t)Random_SplitMixBelow(seed, 5),
                                     .row = (uint8_t)Random_SplitMixBelow(seed, 5),
                                     .lightmap = model->uv1 ? 0 : 0xFF,
                                     .portal = Random_SplitMixBelow(seed, 5) ? RP_MSH_NONE : 0,
                                     .base_vertex = model->vertex_count,
                                     .indices = d->indices + first,
                                     .index_count = triangles * 3,
                                     .triangle_flags = d->triangle_flags + first / 3};
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t a = t + 2 < vertices ? t : Random_SplitMixBelow(seed, vertices);
        uint32_t b = t + 2 < vertices ? t + 1 : (a + 1) % vertices;
        uint32_t c = t + 2 < vertices ? t + 2 : (a + 2) % vertices;
        uint16_t *corners = d->indices + d->index_count;
        /* Neighbours in a strip run in opposite directions. */
        corners[0] = (uint16_t)(t % 2 ? b : a);
        corners[1] = (uint16_t)(t % 2 ? a : b);
        corners[2] = (uint16_t)c;
        d->triangle_flags[d->index_count / 3] = (uint16_t)Random_SplitMixBelow(seed, 64);
        d->index_count += 3;
    }
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t vertex = model->vertex_count++;
        for (int i = 0; i < 3; i++)
            d->positions[vertex][i] = Random_SplitMixBetween(seed, -20, 20);
        for (int i = 0; i < 4; i++)
            d->normals[vertex][i] = (int8_t)Random_SplitMixBelow(seed, 256);
        for (int i = 0; i < 2; i++) {
            d->uv0[vertex][i] = (uint16_t)Random_SplitMixBelow(seed, 0x10000);
            d->uv1[vertex][i] = (uint16_t)Random_SplitMixBelow(seed, 0x10000);
        }
        for (int i = 0; i < 8; i++)
            d->res15[vertex][i] = (uint8_t)Random_SplitMixBelow(seed, 256);
    }
}

static uint16_t AddSlot(Described *d, uint64_t *seed) {
    RpMshSlotDescription *slot = &d->slots[d->model.slot_count];
    *slot = (RpMshSlotDescription){.first_batch = d->model.batch_count};
    for (slot->batch_count = 1 + Random_SplitMixBelow(seed, 2);
         d->model.batch_count - slot->first_batch < slot->batch_count;)
        AddBatch(d, seed);
    for (int i = 0; i < 3; i++)
        slot->opaque[i] = Random_SplitMixBelow(seed, 1000);
    return (uint16_t)d->model.slot_count++;
}

static void AddNode(Described *d, uint64_t *seed, uint32_t frames) {
    static const char *const labels[] = {NULL, "", "central", "e_tur_tt"};
    uint32_t index = d->model.node_count++;
    RpMshNodeDescription *node = &d->nodes[index];
    *node = (RpMshNodeDescription){
        .flags = (uint16_t)(Random_SplitMixBelow(seed, 0x1000) & 0xFDF),
        .parent = index == 0 ? RP_MSH_NONE : (uint16_t)Random_SplitMixBelow(seed, index),
        .label = labels[Random_SplitMixBelow(seed, 4)],
        .keys = d->keys + d->key_count};
    snprintf(node->name, sizeof node->name, "node%u", (unsigned)index);
    memset(node->slots, 0xFF, sizeof node->slots);
    for (int w = 0; w < 3 && d->model.slot_count < MAX_SLOTS; w++)
        if (w == 0 || Random_SplitMixBelow(seed, 2))
            node->slots[w] = AddSlot(d, seed);
    uint32_t last = index % 3 == 2 ? 0
                    : index == 0   ? frames - 1
                                   : Random_SplitMixBelow(seed, frames);
    node->key_count = RandomTrack(seed, d->keys + d->key_count, last, MAX_KEYS / MAX_NODES);
    d->key_count += node->key_count;
}

static void Begin(Described *d) {
    memset(d, 0, sizeof *d);
    d->model = (RpMshDescription){.name = "model",
                                  .nodes = d->nodes,
                                  .slots = d->slots,
                                  .batches = d->batches,
                                  .positions = (const float(*)[3])d->positions,
                                  .normals = (const int8_t(*)[4])d->normals,
                                  .uv0 = (const uint16_t(*)[2])d->uv0,
                                  .res15 = (const uint8_t(*)[8])d->res15};
}

void Described_Random(Described *d, uint64_t seed, bool lit) {
    Begin(d);
    if (lit) {
        d->model.uv1 = (const uint16_t(*)[2])d->uv1;
        d->model.probes = d->probes;
        d->model.probe_count = 1 + Random_SplitMixBelow(&seed, MAX_PROBES);
        for (uint32_t p = 0; p < d->model.probe_count; p++)
            d->probes[p] = (RpMshProbe){.node = 0, .position = {1, 2, (float)p}, .intensity = 0.5F};
    }
    uint32_t nodes = 1 + Random_SplitMixBelow(&seed, 9),
             frames = 1 + Random_SplitMixBelow(&seed, 60);
    d->model.nodes_attr2 = Random_SplitMixBelow(&seed, 3);
    d->model.paths = d->paths;
    d->model.path_vertices = Random_SplitMixBelow(&seed, 3);
    d->model.path_links = Random_SplitMixBelow(&seed, 3);
    for (size_t i = 0; i < sizeof d->paths; i++)
        d->paths[i] = (uint8_t)i;
    while (d->model.node_count < nodes)
        AddNode(d, &seed, frames);
}

void Described_Triangle(Described *d) {
    static const float corners[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    static const uint16_t indices[3] = {0, 1, 2};
    Begin(d);
    d->model.node_count = d->model.slot_count = d->model.batch_count = 1;
    d->model.vertex_count = 3;
    memcpy(d->positions, corners, sizeof corners);
    memcpy(d->indices, indices, sizeof indices);
    d->batches[0] = (RpMshBatchDescription){
        .lightmap = 0xFF, .portal = RP_MSH_NONE, .indices = d->indices, .index_count = 3};
    d->slots[0] = (RpMshSlotDescription){.batch_count = 1};
    d->keys[0].rotation[3] = 32767;
    d->nodes[0] = (RpMshNodeDescription){
        .name = "root", .parent = RP_MSH_NONE, .keys = d->keys, .key_count = 1};
    memset(d->nodes[0].slots, 0xFF, sizeof d->nodes[0].slots);
    d->nodes[0].slots[0] = 0;
}

void BuildModel(const RpMshDescription *model, RpNResArchive *archive) {
    RpError error;
    RpNResArchive_Init(archive, NULL);
    if (RpMsh_Make(model, archive, &error) != RP_OK)
        fail_msg("%s: %s, %s", error.what, error.where, error.found);
}

static void TakeFinding(void *context, const RpFinding *finding) {
    (void)context;
    if (finding->severity != RP_SEVERITY_INFO)
        fail_msg("%s: %s: expected %s, found %s", finding->rule, finding->what, finding->expected,
                 finding->found);
}

void AssertSound(const RpNResArchive *archive) {
    const RpFindingSink sink = {.take = TakeFinding};
    assert_int_equal(RpMsh_Check(RpNResArchive_Entries(archive), NULL, &sink, NULL), RP_OK);
}

/* ---- animations ------------------------------------------------------------------------------ */

void RandomAnimation(RpMshAnimation *animation, uint64_t seed, uint32_t node_count,
                     uint32_t frame_count) {
    static RpMshKey keys[MAX_KEYS];
    RpMshAnimation_Init(animation, NULL);
    animation->tracks = calloc(node_count, sizeof *animation->tracks);
    animation->node_count = node_count;
    for (uint32_t n = 0; n < node_count; n++) {
        uint32_t last = n == 0       ? frame_count - 1
                        : n % 3 == 2 ? 0
                                     : Random_SplitMixBelow(&seed, frame_count);
        uint32_t count = RandomTrack(&seed, keys, last, MAX_KEYS);
        assert_int_equal(RpMshAnimation_SetTrack(animation, n, keys, count, NULL), RP_OK);
    }
    assert_int_equal(animation->frame_count, frame_count);
}

static double Degrees(const float *a, const float *b) {
    double dot = 0, length_a = 0, length_b = 0;
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * b[i];
        length_a += (double)a[i] * a[i];
        length_b += (double)b[i] * b[i];
    }
    double cosine = fabs(dot) / sqrt(length_a * length_b);
    return cosine >= 1 ? 0 : 2 * acos(cosine) * 57.29577951308232;
}

void AssertPosesNear(const RpMshAnimation *a, float time_a, const RpMshAnimation *b, float time_b,
                     double position, double degrees) {
    for (uint32_t n = 0; n < a->node_count; n++) {
        float quaternion_a[4], quaternion_b[4], position_a[3], position_b[3];
        assert_int_equal(RpMshAnimation_Sample(a, n, time_a, quaternion_a, position_a, NULL),
                         RP_OK);
        assert_int_equal(RpMshAnimation_Sample(b, n, time_b, quaternion_b, position_b, NULL),
                         RP_OK);
        double apart = 0;
        for (int i = 0; i < 3; i++)
            apart +=
                ((double)position_a[i] - position_b[i]) * ((double)position_a[i] - position_b[i]);
        double angle = Degrees(quaternion_a, quaternion_b);
        if (sqrt(apart) > position || angle > degrees)
            fail_msg("node %u at %g and %g: %g units and %g degrees apart", (unsigned)n,
                     (double)time_a, (double)time_b, sqrt(apart), angle);
    }
}

void AssertSameTracks(const RpMshAnimation *a, const RpMshAnimation *b) {
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->frame_count, b->frame_count);
    for (uint32_t n = 0; n < a->node_count; n++) {
        assert_int_equal(a->tracks[n].key_count, b->tracks[n].key_count);
        assert_memory_equal(a->tracks[n].keys, b->tracks[n].keys,
                            a->tracks[n].key_count * sizeof *a->tracks[n].keys);
    }
}
