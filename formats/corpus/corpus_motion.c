/* Keys of the synthetic corpus, and the header that follows from its poses: rotations are
 * directions in integers, normalised to 32767 by an integer root. */
#include "exports/reading_table.h"
#include "formats/corpus/corpus_model.h"
#include "formats/corpus/integer.h"

#include <string.h>

/* ---- rotations ------------------------------------------------------------------------------- */

void CorpusRotation_Encode(const RpReadings *readings, const int64_t quaternion[4],
                           int16_t rotation[4]) {
    const bool w_first = readings->choice[READING_KEY_ORDER] == CORPUS_KEYS_ORDER_WXYZ;
    const int sense = readings->choice[READING_ROTATION] == CORPUS_ROTATION_PLAIN ? 1 : -1;
    int32_t unit[4];
    Corpus_Normalise(quaternion, 4, 32767, unit);
    rotation[w_first ? 0 : 3] = (int16_t)unit[0];
    for (int i = 0; i < 3; i++)
        rotation[(w_first ? 1 : 0) + i] = (int16_t)(sense * unit[1 + i]);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

typedef struct Track {
    const CorpusMaking *making;
    uint32_t node;             /* within the model */
    uint32_t keys, end, order; /* end: last key time; order: among the animated nodes */
    int32_t bone[3];
    int32_t axis[3];       /* length 4096 */
    int32_t rest, swing;   /* angles */
    uint32_t phase, turns; /* phase of the swing, and number of swings */
    bool body;             /* only the body also moves */
} Track;

static uint32_t DrawNode(const Track *track, uint32_t purpose, uint32_t index) {
    const CorpusMaking *making = track->making;
    return Corpus_Draw(making->plan->seed, making->model->first_node + track->node, purpose, index);
}

static const CorpusNode *NodeAt(const CorpusMaking *making, uint32_t node) {
    return &making->plan->nodes[making->model->first_node + node];
}

static bool IsTurret(const PlannedModel *model) {
    return model->form == CORPUS_TURRET;
}

static Track PlanTrack(const CorpusMaking *making, uint32_t node) {
    const PlannedModel *model = making->model;
    const CorpusNode *plan = NodeAt(making, node);
    Track track = {.making = making, .node = node, .keys = plan->keys};
    CorpusLayout_Bone(making, node, track.bone);

    /* Limbs swing to and fro, about x or nearly; all else turns about z. Only houses stand at any
     * angle. */
    const CorpusRole role = CorpusLayout_Role(track.making, track.node);
    const uint32_t draw = DrawNode(&track, CORPUS_DRAW_AXIS, 0);
    const int64_t slant[3] = {16, (int64_t)(draw % 17) - 8, (int64_t)(draw / 32 % 17) - 8};
    const int64_t across[3] = {1, 0, 0}, upright[3] = {0, 0, 1};
    const uint32_t most = role == CORPUS_BUILDING ? 0x10000 : 0x1800;
    const int64_t *hinge = draw >> 28 & 1 ? across : slant;
    Corpus_Normalise(role == CORPUS_LIMB ? hinge : upright, 3, 4096, track.axis);
    if (DrawNode(&track, CORPUS_DRAW_REST, 0) % 3 && track.node > 0)
        track.rest = (int32_t)(DrawNode(&track, CORPUS_DRAW_REST, 1) % most) - (int32_t)most / 2;
    track.order = (node + model->node_count - 1) % model->node_count;
    track.body = track.order == 0 && !IsTurret(model);
    track.swing = 1000 + (int32_t)(DrawNode(&track, CORPUS_DRAW_SWING, 0) % 7000);
    track.phase = DrawNode(&track, CORPUS_DRAW_SWING, 1) % 65536;
    track.turns = 1 + DrawNode(&track, CORPUS_DRAW_SWING, 2) % 3;
    if (plan->keys == 1)
        return track;
    /* Some tracks end early. The rest of their blocks consists of the fallback. */
    const uint32_t early = track.order == 0 ? 0 : DrawNode(&track, CORPUS_DRAW_SWING, 3) % 6;
    track.end = model->frames - 1;
    if (!IsTurret(model) && track.end >= early && track.end - early + 1 >= plan->keys)
        track.end -= early;
    return track;
}

static int32_t Swing(const Track *track, uint32_t time) {
    int32_t cosine, sine;
    const uint32_t span = track->end ? track->end : 1;
    Corpus_Circle(track->phase + time * 65536u / span * track->turns, &cosine, &sine);
    return sine;
}

bool CorpusMaking_Keys(CorpusMaking *making) {
    for (uint32_t n = 0; n < making->model->node_count; n++) {
        const Track track = PlanTrack(making, n);
        for (uint32_t k = 0; k < track.keys; k++) {
            const uint32_t time = track.keys > 1 ? k * track.end / (track.keys - 1) : 0;
            RpMshKey key = {.time = (float)time};
            int64_t q[4];
            int32_t at[3];
            memcpy(at, track.bone, sizeof at);
            if (track.body && track.keys > 1) { /* limbs stay in place; the body bobs and walks */
                at[1] += (int32_t)(time * 16);
                at[2] += Swing(&track, time) / 64;
            }

            int32_t cosine, sine;
            int32_t angle = track.rest / 2;
            if (IsTurret(making->model) && track.order == 0) {
                /* The yaw of a turret is 180, -90, 0, 90 and 180 degrees (facts/formats.md C.14),
                 * and is written as cosine and sine of half the angle. */
                static const int32_t halves[5][2] = {
                    {0, 1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}; /* cos, sin */
                q[0] = halves[k % 5][0];
                q[1] = q[2] = 0;
                q[3] = halves[k % 5][1];
            } else {
                if (track.keys > 1)
                    angle += (int32_t)Corpus_Scale(Swing(&track, time), track.swing, 32768);
                Corpus_Circle((uint32_t)angle, &cosine, &sine);
                q[0] = (int64_t)cosine * 4096;
                for (int i = 0; i < 3; i++)
                    q[1 + i] = (int64_t)sine * track.axis[i];
            }

            CorpusRotation_Encode(&making->readings, q, key.rotation);
            for (int i = 0; i < 3; i++)
                key.position[i] = (float)at[i] / (float)CORPUS_UNIT;
            RpBuffer_Append(&making->keys, &key, sizeof key);
        }
    }
    if (making->keys.failed)
        return false;

    /* Makes rotations that consist of zeros, in the last keys of the first tracks with more than
     * one key. */
    RpMshKey *keys = (RpMshKey *)(void *)making->keys.bytes;
    uint32_t left = making->model->zero_rotations, end = 0;
    for (uint32_t n = 0; n < making->model->node_count && left > 0; n++) {
        const uint32_t count = NodeAt(making, n)->keys;
        end += count;
        if (count < 2 && making->model->animated > 0)
            continue;
        memset(keys[end - 1].rotation, 0, sizeof keys->rotation);
        left--;
    }
    return true;
}

/* ---- header ---------------------------------------------------------------------------------- */

enum { FRACTION = 24 }; /* fraction bits of a matrix element */

typedef struct Pose {
    int64_t turn[3][3]; /* in units of 2^-24 */
    int64_t at[3];      /* in units of 1 / CORPUS_UNIT / 256 */
} Pose;

static int64_t Shift(int64_t value, int bits) {
    const int64_t unit = (int64_t)1 << bits;
    return value >= 0 ? (value + unit / 2) / unit : -((-value + unit / 2) / unit);
}

static void LocalPose(const CorpusMaking *making, const RpMshKey *key, Pose *pose) {
    int64_t q[4];

    /* The encoded rotation as w, x, y, z. Four zeros become the identity. */
    const bool w_first = making->readings.choice[READING_KEY_ORDER] == CORPUS_KEYS_ORDER_WXYZ;
    const int sense = making->readings.choice[READING_ROTATION] == CORPUS_ROTATION_PLAIN ? 1 : -1;
    q[0] = key->rotation[w_first ? 0 : 3];
    for (int i = 0; i < 3; i++)
        q[1 + i] = sense * key->rotation[(w_first ? 1 : 0) + i];
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        q[0] = 32767;

    const int64_t w = q[0], x = q[1], y = q[2], z = q[3];
    const int64_t square = w * w + x * x + y * y + z * z;
    const int64_t turn[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            pose->turn[row][column] =
                Corpus_Scale(turn[row][column], (int64_t)1 << FRACTION, square);
        pose->at[row] = (int64_t)(key->position[row] * (float)CORPUS_UNIT) * 256;
    }
}

static void Compose(const Pose *parent, const Pose *local, Pose *pose) {
    Pose result;
    for (int row = 0; row < 3; row++) {
        int64_t at = 0;
        for (int column = 0; column < 3; column++) {
            int64_t sum = 0;
            for (int i = 0; i < 3; i++)
                sum += parent->turn[row][i] * local->turn[i][column];
            result.turn[row][column] = Shift(sum, FRACTION);
            at += parent->turn[row][column] * local->at[column];
        }
        result.at[row] = parent->at[row] + Shift(at, FRACTION);
    }
    *pose = result;
}

/* Poses every node at frame 0, that is, by the first keys of the tracks. */
static void PoseNodes(const CorpusMaking *making, Pose *poses) {
    const RpMshKey *keys = (const RpMshKey *)(const void *)making->keys.bytes;
    if (making->model->form == CORPUS_LEGACY) /* its only record is opaque: it stays where it is */
        LocalPose(making, keys, &poses[0]);
    for (uint32_t n = 0, key = 0; n < making->model->node_count; n++) {
        const CorpusNode *node = NodeAt(making, n);
        Pose local;
        LocalPose(making, &keys[key], &local);
        key += node->keys;
        poses[n] = local;
        if (node->parent != RP_MSH_NONE)
            Compose(&poses[node->parent], &local, &poses[n]);
    }
}

/* It is known only that the header bounds level 0 of state 0. Here it bounds, in the words of the
 * readings, level 0 of all states; with lod-group these are all groups of LOD 0, among them level
 * 4. */
static bool IsBounded(const CorpusMaking *making, const CorpusSlot *slot) {
    if (making->model->form == CORPUS_LEGACY)
        return true;
    if (making->plan->nodes[slot->node].kind == CORPUS_COCKPIT)
        return false;
    return slot->level == 0 ||
           (slot->level == 4 && making->readings.choice[READING_SLOT_WORDS] != CORPUS_STATE_LOD);
}

typedef struct Reach {
    const CorpusMaking *making;
    const Pose *poses;
    const int32_t (*places)[3];
    int64_t low[3], high[3]; /* in units of 1 / CORPUS_UNIT */
    uint64_t square;         /* square of the greatest distance from the centre */
    bool measuring;          /* on the second pass, which measures this distance */
} Reach;

static void Visit(Reach *reach, const Pose *pose, const int32_t place[3]) {
    uint64_t square = 0;
    for (int row = 0; row < 3; row++) {
        int64_t at = 0;
        for (int i = 0; i < 3; i++)
            at += pose->turn[row][i] * place[i];
        at = Shift(Shift(at, FRACTION - 8) + pose->at[row], 8);
        if (reach->measuring) {
            const int64_t off = 2 * at - reach->low[row] - reach->high[row];
            square += (uint64_t)(off * off);
        } else {
            reach->low[row] = at < reach->low[row] ? at : reach->low[row];
            reach->high[row] = at > reach->high[row] ? at : reach->high[row];
        }
    }
    reach->square = square > reach->square ? square : reach->square;
}

static void VisitSlots(Reach *reach) {
    const CorpusMaking *making = reach->making;
    const RpMshBatchDescription *batches =
        (const RpMshBatchDescription *)(const void *)making->batches.bytes;
    const uint16_t *indices = (const uint16_t *)(const void *)making->indices.bytes;
    for (uint32_t s = 0, b = 0; s < making->model->slot_count; s++) {
        const CorpusSlot *slot = &making->plan->slots[making->model->first_slot + s];
        for (uint32_t i = 0; i < slot->batch_count; i++, b++) {
            if (IsBounded(making, slot))
                for (uint32_t v = 0; v < batches[b].index_count; v++) {
                    const PlannedModel *model = reach->making->model;
                    Visit(reach,
                          &reach->poses[model->form == CORPUS_LEGACY
                                            ? 0
                                            : slot->node - model->first_node],
                          reach->places[batches[b].base_vertex + indices[v]]);
                }
            indices += batches[b].index_count;
        }
    }
}

bool CorpusMaking_Header(const CorpusMaking *making, RpMshHeader *header) {
    RpBuffer poses;
    RpBuffer_Init(&poses, making->allocator);
    RpBuffer_Extend(&poses, (making->model->node_count + 1) * sizeof(Pose));
    Reach reach = {.making = making,
                   .poses = (const Pose *)(const void *)poses.bytes,
                   .places = (const int32_t(*)[3])(const void *)making->places.bytes,
                   .low = {INT32_MAX, INT32_MAX, INT32_MAX},
                   .high = {INT32_MIN, INT32_MIN, INT32_MIN}};
    const bool ready = !poses.failed;
    if (ready) {
        PoseNodes(making, (Pose *)(void *)poses.bytes);
        VisitSlots(&reach);
        reach.measuring = true;
        VisitSlots(&reach);

        /* The corners of the bottom come first, then those of the top, each in the order front
         * left, front right, back right, back left. Front is +y. */
        static const bool right[4] = {false, true, true, false},
                          front[4] = {true, true, false, false};
        float low[3], high[3], middle[3];
        uint64_t square = 0;
        for (int i = 0; i < 3; i++) {
            const int64_t size = reach.high[i] - reach.low[i];
            low[i] = (float)reach.low[i] / (float)CORPUS_UNIT;
            high[i] = (float)reach.high[i] / (float)CORPUS_UNIT;
            middle[i] = (float)(reach.low[i] + reach.high[i]) / (2.0F * CORPUS_UNIT);
            square += i < 2 ? (uint64_t)(size * size) : 0;
            header->sphere[i] = header->axis_low[i] = header->axis_high[i] = middle[i];
        }
        for (int c = 0; c < 8; c++) {
            header->corners[c][0] = right[c % 4] ? high[0] : low[0];
            header->corners[c][1] = front[c % 4] ? high[1] : low[1];
            header->corners[c][2] = c < 4 ? low[2] : high[2];
        }
        header->axis_low[2] = low[2];
        header->axis_high[2] = high[2];
        header->axis_radius = (float)(Corpus_Root(square * 4) + 1) / (4.0F * CORPUS_UNIT);
        header->sphere[3] = (float)(Corpus_Root(reach.square) + 1) / (2.0F * CORPUS_UNIT);
    }
    RpBuffer_Free(&poses);
    return ready;
}
