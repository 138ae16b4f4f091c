#include "replay/provider/siblings.h"

#include <string.h>

static uint32_t Word(const float *in) {
    uint32_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

void Siblings_Free(Siblings *siblings) {
    if (siblings->has_ani)
        RpAni_Free(&siblings->ani);
    siblings->has_ani = false;
    Siblings_FreeResources(&siblings->resources);
}

/* ---- ani ---------------------------------------------------------------------------------------
 */

/* Opens the file that the reference at `in` names. A trace's memories never change, so the last
 * animation is kept. */
static const RpAni *OpenAni(Siblings *siblings, const float *in) {
    const uint32_t id = Word(in);
    const TraceMemory *memory = TraceReader_Memory(siblings->reader, id);
    if (!memory || Word(in + 1) != 0)
        return NULL;
    if (siblings->has_ani && siblings->ani_id == id)
        return &siblings->ani;
    if (siblings->has_ani)
        RpAni_Free(&siblings->ani);
    siblings->ani_id = id;
    siblings->has_ani = RpAni_Read(memory->bytes, memory->size, RP_ANI_FILE, RP_STRICT, NULL,
                                   &siblings->ani, NULL) == RP_OK;
    return siblings->has_ani ? &siblings->ani : NULL;
}

/* Takes a cursor, which must be one of the track's keys, because a search begins there. */
static bool TakeCursor(const float *in, const RpAniTrack *tracks, uint32_t count, uint32_t *keys) {
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = Word(in + i);
        if (keys[i] != 0 && keys[i] >= tracks[i].count)
            return false;
    }
    return true;
}

bool Siblings_AniLocal(Siblings *siblings, const float *in, float *out) {
    const RpAni *ani = OpenAni(siblings, in);
    const uint32_t policy = Word(in + 2), node = Word(in + 3);
    RpAniCursor cursor;
    if (!ani || policy >= RP_ANI_POLICIES || node >= ani->node_count ||
        !TakeCursor(in + 5, ani->nodes[node].tracks, RP_ANI_NODE_TRACKS, cursor.key))
        return false;
    RpAni_SampleLocal(ani, node, in[4], (RpAniPolicy)policy, &cursor, out);
    return true;
}

/* Lists the nodes from `node` up to the root and returns their number. */
static uint32_t Ancestry(const RpAni *ani, uint32_t node, uint32_t *line) {
    uint32_t length = 0;
    for (; node != RP_ANI_NO_NODE; node = ani->nodes[node].parent)
        line[length++] = node;
    return length;
}

bool Siblings_AniWorld(Siblings *siblings, const float *in, float *out) {
    const RpAni *ani = OpenAni(siblings, in);
    const uint32_t policy = Word(in + 2), node = Word(in + 3);
    uint32_t line[RP_ANI_MOST_DEPTH];
    float world[16], local[16];
    if (!ani || policy >= RP_ANI_POLICIES || node >= ani->node_count)
        return false;
    const float time = (float)(int32_t)Word(in + 4);
    memcpy(world, in + 5, sizeof world);
    for (uint32_t i = Ancestry(ani, node, line); i-- > 0;) {
        RpAniCursor cursor = {{0}};
        RpAni_SampleLocal(ani, line[i], time, (RpAniPolicy)policy, &cursor, local);
        RpAni_Multiply(local, world, (RpAniPolicy)policy, out);
        memcpy(world, out, sizeof world);
    }
    return true;
}

bool Siblings_AniCamera(Siblings *siblings, const float *in, float *out) {
    const RpAni *ani = OpenAni(siblings, in);
    const uint32_t policy = Word(in + 2);
    RpAniCameraCursor cursor;
    if (!ani || policy >= RP_ANI_POLICIES || !ani->has_camera ||
        !TakeCursor(in + 4, ani->camera, RP_ANI_CAMERA_TRACKS, cursor.key))
        return false;
    memcpy(out + 1, in + 7, 16 * sizeof *out);
    const uint32_t result =
        (uint32_t)RpAni_SampleCamera(ani, in[3], (RpAniPolicy)policy, &cursor, out + 1);
    memcpy(out, &result, sizeof result);
    return true;
}

bool Siblings_AniVisible(Siblings *siblings, const float *in, float *out) {
    const RpAni *ani = OpenAni(siblings, in);
    const uint32_t node = Word(in + 2);
    RpAniCursor cursor;
    if (!ani || node >= ani->node_count ||
        !TakeCursor(in + 4, ani->nodes[node].tracks, RP_ANI_NODE_TRACKS, cursor.key))
        return false;
    const uint32_t visible = RpAni_SampleVisible(ani, node, in[3], &cursor);
    memcpy(out, &visible, sizeof visible);
    return true;
}
