/* Computes the digest of sampled poses that fparkan keeps (in its crate fparkan-msh, the test of
 * the licensed corpus). The poses are fparkan's and not the game's: the components of a rotation in
 * the order of the file, divided by 32767, brought to length 1 and interpolated linearly. An equal
 * digest therefore says that the models, their order, tracks and frames are equal. It says nothing
 * about the game's poses.
 *
 * For each model, these are hashed: its name; the numbers of keys and of words of the frame map, as
 * 64 bits; and for each node the frames 0, n/2 and n-1 (only 0 if it does not move), each with the
 * node, the frame and a line of text: "P", the time, three lengths and four components as bits of
 * floats. */
#include "core/hash.h"
#include "formats/census/census_tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct SampledPose {
    float position[3], rotation[4];
} SampledPose;

static void Hash(CensusDigest *digest, const void *bytes, size_t size) {
    digest->hash = Hash_Fnv64(digest->hash, bytes, size);
}

static void HashNumber(CensusDigest *digest, uint64_t number) {
    for (int i = 0; i < 8; i++) {
        const uint8_t byte = (uint8_t)(number >> (8 * i));
        Hash(digest, &byte, 1);
    }
}

static void Refuse(CensusDigest *digest, const char *name) {
    if (!digest->refused[0])
        snprintf(digest->refused, sizeof digest->refused, "%s", name);
}

/* ---- fparkan's poses ------------------------------------------------------------------------- */

/* Each step rounds to a float of 32 bits, in this order. */
static float Dot(const float a[4], const float b[4]) {
    float sum = a[0] * b[0];
    for (int i = 1; i < 4; i++) {
        const float product = a[i] * b[i];
        sum = sum + product;
    }
    return sum;
}

/* Returns false if fparkan's limit, the epsilon of a float, says that the quaternion has no
 * direction. */
static bool Normalise(float q[4]) {
    const float square = Dot(q, q);
    if (!isfinite(square) || square <= 0x1p-23f)
        return false;
    const float length = sqrtf(square);
    const float inverse = 1.0f / length;
    for (int i = 0; i < 4; i++)
        q[i] = q[i] * inverse;
    return true;
}

static void Decode(const RpMshKey *key, SampledPose *pose) {
    memcpy(pose->position, key->position, sizeof pose->position);
    for (int i = 0; i < 4; i++)
        pose->rotation[i] = (float)key->rotation[i] / 32767.0f;
    if (!Normalise(pose->rotation))
        memcpy(pose->rotation, (const float[4]){0, 0, 0, 1}, sizeof pose->rotation);
}

static float Between(float a, float b, float t) {
    const float difference = b - a;
    const float part = difference * t;
    return a + part;
}

static void Blend(const RpMshKey *first, const RpMshKey *second, float time, SampledPose *pose) {
    SampledPose a, b;
    Decode(first, &a);
    Decode(second, &b);
    const float whole = second->time - first->time;
    const float past = time - first->time;
    const float t = past / whole;
    const bool far = Dot(a.rotation, b.rotation) < 0;
    for (int i = 0; i < 3; i++)
        pose->position[i] = Between(a.position[i], b.position[i], t);
    for (int i = 0; i < 4; i++)
        pose->rotation[i] = Between(a.rotation[i], far ? -b.rotation[i] : b.rotation[i], t);
    Normalise(pose->rotation);
}

static void Sample(const RpMsh *msh, const RpMshNode *node, uint32_t frame, SampledPose *pose) {
    RpMshKey first, second;
    const float time = (float)frame;
    uint16_t word = node->fallback;
    if (node->map_start != RP_MSH_NONE && frame < msh->frame_count)
        RpMsh_MapWord(msh, node->map_start + frame, &word);
    const uint32_t key = word < node->fallback ? word : node->fallback;
    RpMsh_Key(msh, key, &first);
    if (key == node->fallback || !RpMsh_Key(msh, key + 1, &second) || second.time <= first.time ||
        time <= first.time)
        Decode(&first, pose);
    else if (time <= second.time)
        Blend(&first, &second, time, pose);
    else
        Decode(&second, pose);
}

/* ---- what is hashed -------------------------------------------------------------------------- */

static void HashPose(CensusDigest *digest, uint32_t frame, const SampledPose *pose) {
    const float time = (float)frame;
    uint32_t bits[8];
    char line[96];
    memcpy(&bits[0], &time, sizeof time);
    memcpy(&bits[1], pose->position, sizeof pose->position);
    memcpy(&bits[4], pose->rotation, sizeof pose->rotation);
    size_t length = (size_t)snprintf(line, sizeof line, "P");
    for (int i = 0; i < 8; i++)
        length += (size_t)snprintf(line + length, sizeof line - length, ",%08" PRIx32, bits[i]);
    line[length++] = '\n';
    Hash(digest, line, length);
}

static void AddNode(CensusDigest *digest, const RpMsh *msh, uint32_t index, const RpMshNode *node) {
    const bool moves = node->map_start != RP_MSH_NONE && msh->frame_count > 0;
    const uint32_t frames[3] = {0, msh->frame_count / 2, msh->frame_count - 1};
    for (int i = 0; i < (moves ? 3 : 1); i++) {
        SampledPose pose;
        if (i > 0 && frames[i] == frames[i - 1])
            continue;
        Sample(msh, node, frames[i], &pose);
        HashNumber(digest, index);
        HashNumber(digest, frames[i]);
        HashPose(digest, frames[i], &pose);
        digest->samples++;
    }
}

/* Returns whether fparkan's reader accepts the node. */
static bool IsTaken(const RpMsh *msh, const RpMshNode *node) {
    const uint64_t words = RpMsh_Count(msh, RP_MSH_FRAME_MAP);
    return node->fallback < RpMsh_Count(msh, RP_MSH_KEYS) &&
           (node->map_start == RP_MSH_NONE ||
            (uint64_t)node->map_start + msh->frame_count <= words);
}

static bool TimesAreFinite(const RpMsh *msh) {
    RpMshKey key;
    for (uint32_t k = 0; RpMsh_Key(msh, k, &key); k++)
        if (!isfinite(key.time))
            return false;
    return true;
}

void CensusDigest_Begin(CensusDigest *digest) {
    *digest = (CensusDigest){.hash = HASH_FNV64_BEGIN};
}

void CensusDigest_Add(CensusDigest *digest, const char *name, const RpMsh *msh) {
    RpMshNode node;
    if (!TimesAreFinite(msh)) {
        Refuse(digest, name);
        return;
    }
    Hash(digest, name, strlen(name));
    HashNumber(digest, RpMsh_Count(msh, RP_MSH_KEYS));
    HashNumber(digest, RpMsh_Count(msh, RP_MSH_FRAME_MAP));
    if (msh->node_stride != RP_MSH_NODE_BYTES)
        return;
    for (uint32_t n = 0; RpMsh_Node(msh, n, &node); n++)
        if (IsTaken(msh, &node))
            AddNode(digest, msh, n, &node);
        else
            Refuse(digest, name);
}
