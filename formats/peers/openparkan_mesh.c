#include "formats/peers/openparkan.h"

#include "exports/reading_table.h"
#include "formats/msh/read/sharing.h"
#include "formats/peers/peer_json.h"
#include "formats/peers/unit_pose.h"
#include "retropose/msh.h"
#include "retropose/texm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NO_NODE = -1 };

typedef struct Dump {
    RpMsh msh;
    RpSkeleton skeleton;
    bool posed; /* the model has all streams that poses need */
    RpArithmetic arithmetic;
    uint32_t nodes, vertices, triangles;
    UnitPose *local, *world; /* for each node, in the rest pose */
    uint32_t (*corners)[3];  /* for each triangle: numbers among all vertices */
    int32_t *owners;         /* for each vertex: its node, or NO_NODE */
    RpBuffer *json;
} Dump;

/* ---- poses ----------------------------------------------------------------------------------- */

/* openparkan makes rotations units. They turn in the direction opposite to that of the four numbers
 * in a file. */
static void Convert(const float sampled[4], const float position[3], UnitPose *pose) {
    double length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)sampled[i] * sampled[i];
    length = sqrt(length);
    for (int i = 0; i < 4; i++)
        pose->turn[i] =
            length < 1e-6 ? unit_pose_identity.turn[i] : sampled[i] / (i ? -length : length);
    for (int i = 0; i < 3; i++)
        pose->place[i] = position[i];
}

static UnitPose Sample(const Dump *dump, uint32_t node, float frame) {
    float turn[4], place[3];
    UnitPose pose = unit_pose_identity;
    if (!dump->posed)
        return pose;
    RpPose_Sample(&dump->skeleton, &dump->arithmetic, node, frame, turn, place, NULL);
    Convert(turn, place, &pose);
    return pose;
}

/* Blends two frames with a weight as the game does. The game's matrix has the rotation of the file,
 * whose direction is opposite to openparkan's. */
static UnitPose Blend(const Dump *dump, uint32_t node, float a, float b, float weight) {
    float turns[2][4], places[2][3], turn[4], place[3];
    UnitPose pose = unit_pose_identity;
    if (!dump->posed)
        return pose;
    RpPose_Sample(&dump->skeleton, &dump->arithmetic, node, a, turns[0], places[0], NULL);
    RpPose_Sample(&dump->skeleton, &dump->arithmetic, node, b, turns[1], places[1], NULL);
    RpQuaternion_Interpolate(&dump->arithmetic, turns[0], turns[1], weight, turn);
    for (int i = 0; i < 3; i++)
        place[i] = (1 - weight) * places[0][i] + weight * places[1][i];
    Convert(turn, place, &pose);
    return pose;
}

/* At rest an animated node stands in its first frame, and another one in its only key. */
static float RestTime(const RpMshNode *node) {
    return node->map_start == RP_MSH_NONE ? -1.0F : 0.0F;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* Indices are relative to the base vertex of the batch to which they belong. Indices of no batch
 * are used unchanged. */
static void FindCorners(const Dump *dump) {
    for (uint32_t t = 0; t < dump->triangles; t++)
        for (uint32_t i = 0; i < 3; i++) {
            uint16_t index;
            RpMsh_Index(&dump->msh, 3 * t + i, &index);
            dump->corners[t][i] = index;
        }
    for (uint32_t b = 0; b < RpMsh_Count(&dump->msh, RP_MSH_BATCHES); b++) {
        RpMshBatch batch;
        RpMsh_Batch(&dump->msh, b, &batch);
        const uint32_t first = batch.first_index / 3, count = batch.index_count / 3;
        for (uint32_t t = first; t < first + count && t < dump->triangles; t++)
            for (uint32_t i = 0; i < 3; i++) {
                uint16_t index;
                RpMsh_Index(&dump->msh, 3 * t + i, &index);
                dump->corners[t][i] = batch.base_vertex + index;
            }
    }
}

static void OwnSlot(const Dump *dump, uint32_t node, const RpMshSlot *slot) {
    const uint32_t end = (uint32_t)slot->first_triangle + slot->triangle_count;
    for (uint32_t t = slot->first_triangle; t < end && t < dump->triangles; t++)
        for (uint32_t i = 0; i < 3; i++)
            if (dump->corners[t][i] < dump->vertices)
                dump->owners[dump->corners[t][i]] = (int32_t)node;
}

/* A vertex belongs to the last node that has a slot with this vertex. */
static void FindOwners(const Dump *dump) {
    for (uint32_t i = 0; i < dump->vertices; i++)
        dump->owners[i] = NO_NODE;
    for (uint32_t i = 0; i < dump->nodes; i++) {
        RpMshNode node;
        RpMshSlot slot;
        RpMsh_Node(&dump->msh, i, &node);
        for (uint32_t word = 0; word < RP_MSH_SLOT_WORDS; word++)
            if (node.slots[word] != RP_MSH_NONE && RpMsh_Slot(&dump->msh, node.slots[word], &slot))
                OwnSlot(dump, i, &slot);
    }
}

/* ---- members of the object ------------------------------------------------------------------- */

static void Comma(const Dump *dump, uint32_t index) {
    RpBuffer_AppendText(dump->json, index ? ",\n" : "\n");
}

static void PutPose(const Dump *dump, const UnitPose *pose) {
    RpBuffer_AppendText(dump->json, "[");
    PeerJson_Doubles(dump->json, pose->place, 3);
    RpBuffer_AppendText(dump->json, ", ");
    PeerJson_Doubles(dump->json, pose->turn, 4);
    RpBuffer_AppendText(dump->json, "]");
}

static void PutNodes(const Dump *dump) {
    RpMshTexts names = RpMsh_Texts(&dump->msh, RP_MSH_NAMES);
    for (uint32_t i = 0; i < dump->nodes; i++) {
        RpMshNode node;
        const char *name = NULL;
        uint32_t length = 0;
        RpMsh_Node(&dump->msh, i, &node);
        if (!RpMshTexts_Next(&names, &name, &length) || !name)
            length = 0;
        Comma(dump, i);
        RpBuffer_AppendText(dump->json, "{\"name\": ");
        PeerJson_Text(dump->json, name ? name : "", length);
        RpBuffer_Print(dump->json,
                       ", \"flags\": %u, \"parent\": %u, \"anim_start\": %u, \"fallback_key\": %u, "
                       "\"slot_index\": ",
                       (unsigned)node.flags, (unsigned)node.parent, (unsigned)node.map_start,
                       (unsigned)node.fallback);
        for (uint32_t k = 0; k < RP_MSH_SLOT_WORDS; k++)
            RpBuffer_Print(dump->json, "%s%u", k ? ", " : "[", (unsigned)node.slots[k]);
        RpBuffer_AppendText(dump->json, "]");
        RpBuffer_AppendText(dump->json, ", \"world_pose\": ");
        PutPose(dump, &dump->world[i]);
        RpBuffer_AppendText(dump->json, "}");
    }
}

static void PutSlots(const Dump *dump) {
    for (uint32_t i = 0; i < RpMsh_Count(&dump->msh, RP_MSH_SLOTS); i++) {
        RpMshSlot slot;
        RpMsh_Slot(&dump->msh, i, &slot);
        Comma(dump, i);
        RpBuffer_Print(dump->json, "[%u, %u, %u, %u, ", (unsigned)slot.first_triangle,
                       (unsigned)slot.triangle_count, (unsigned)slot.first_batch,
                       (unsigned)slot.batch_count);
        PeerJson_Floats(dump->json, slot.low, 3);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Floats(dump->json, slot.high, 3);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Floats(dump->json, slot.sphere, 4);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Number(dump->json, (double)slot.area);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Number(dump->json, (double)slot.volume);
        RpBuffer_AppendText(dump->json, "]");
    }
}

static void PutBatches(const Dump *dump) {
    for (uint32_t i = 0; i < RpMsh_Count(&dump->msh, RP_MSH_BATCHES); i++) {
        RpMshBatch batch;
        RpMsh_Batch(&dump->msh, i, &batch);
        Comma(dump, i);
        RpBuffer_Print(dump->json, "[%u, %u, %" PRIu32 ", %u, %" PRIu32 ", %u]",
                       (unsigned)batch.row, (unsigned)batch.lightmap, batch.first_index,
                       (unsigned)batch.index_count, batch.base_vertex,
                       (unsigned)batch.vertex_count);
    }
}

static void PutTriangles(const Dump *dump) {
    for (uint32_t t = 0; t < dump->triangles; t++) {
        Comma(dump, t);
        RpBuffer_Print(dump->json, "[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", dump->corners[t][0],
                       dump->corners[t][1], dump->corners[t][2]);
    }
}

static void PutPositions(const Dump *dump) {
    for (uint32_t v = 0; v < dump->vertices; v++) {
        float stored[3];
        double posed[3];
        RpMsh_Position(&dump->msh, v, stored);
        for (int i = 0; i < 3; i++)
            posed[i] = stored[i];
        if (dump->owners[v] != NO_NODE)
            UnitPose_Apply(&dump->world[dump->owners[v]],
                           (const double[3]){posed[0], posed[1], posed[2]}, posed);
        Comma(dump, v);
        PeerJson_Doubles(dump->json, posed, 3);
    }
}

static void PutNormals(const Dump *dump) {
    for (uint32_t v = 0; v < dump->vertices; v++) {
        int8_t stored[4];
        double normal[3];
        RpMsh_Normal(&dump->msh, v, stored);
        for (int i = 0; i < 3; i++)
            normal[i] = stored[i] / 127.0;
        Comma(dump, v);
        PeerJson_Doubles(dump->json, normal, 3);
    }
}

static void PutUvs(const Dump *dump, uint32_t type) {
    const uint32_t count = RpMsh_Count(&dump->msh, type) > 0 ? dump->vertices : 0;
    for (uint32_t v = 0; v < count; v++) {
        uint16_t stored[2];
        RpMsh_Uv(&dump->msh, type, v, stored);
        const double uv[2] = {stored[0] / 1024.0, stored[1] / 1024.0};
        Comma(dump, v);
        PeerJson_Doubles(dump->json, uv, 2);
    }
}

static void PutKeys(const Dump *dump) {
    for (uint32_t k = 0; k < RpMsh_Count(&dump->msh, RP_MSH_KEYS); k++) {
        RpMshKey key;
        float turn[4];
        UnitPose pose;
        RpMsh_Key(&dump->msh, k, &key);
        for (int i = 0; i < 4; i++)
            turn[i] = (float)key.rotation[i];
        Convert(turn, key.position, &pose);
        if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0)
            memcpy(pose.turn, unit_pose_identity.turn, sizeof pose.turn);
        Comma(dump, k);
        RpBuffer_AppendText(dump->json, "[");
        PeerJson_Floats(dump->json, key.position, 3);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Number(dump->json, (double)key.time);
        RpBuffer_AppendText(dump->json, ", ");
        PeerJson_Doubles(dump->json, pose.turn, 4);
        RpBuffer_AppendText(dump->json, "]");
    }
}

static void PutFaceFlags(const Dump *dump) {
    for (uint32_t t = 0; t < RpMsh_Count(&dump->msh, RP_MSH_TRIANGLES); t++) {
        RpMshTriangle face;
        RpMsh_Triangle(&dump->msh, t, &face);
        RpBuffer_Print(dump->json, "%s%u", t ? ", " : "", (unsigned)face.flags);
    }
}

static void PutFaceNormals(const Dump *dump) {
    for (uint32_t t = 0; t < RpMsh_Count(&dump->msh, RP_MSH_TRIANGLES); t++) {
        RpMshTriangle face;
        RpMsh_Triangle(&dump->msh, t, &face);
        const double normal[3] = {face.normal[0] / 32767.0, face.normal[1] / 32767.0,
                                  face.normal[2] / 32767.0};
        Comma(dump, t);
        PeerJson_Doubles(dump->json, normal, 3);
    }
}

static void PutFrameMap(const Dump *dump) {
    for (uint32_t i = 0; i < RpMsh_Count(&dump->msh, RP_MSH_FRAME_MAP); i++) {
        uint16_t word;
        RpMsh_MapWord(&dump->msh, i, &word);
        RpBuffer_Print(dump->json, "%s%u", i ? ", " : "", (unsigned)word);
    }
}

static void PutRootPose(const Dump *dump) {
    RpMshNode node;
    for (uint32_t i = 0; i < dump->nodes; i++)
        if (RpMsh_Node(&dump->msh, i, &node) && node.parent == RP_MSH_NONE) {
            PutPose(dump, &dump->local[i]);
            return;
        }
    PutPose(dump, &unit_pose_identity);
}

static void PutOwners(const Dump *dump) {
    for (uint32_t v = 0; v < dump->vertices; v++)
        RpBuffer_Print(dump->json, "%s%" PRId32, v ? ", " : "", dump->owners[v]);
}

static void PutSphere(const Dump *dump) {
    RpMshHeader header;
    if (!RpMsh_Header(&dump->msh, &header)) {
        RpBuffer_AppendText(dump->json, "null");
        return;
    }
    RpBuffer_AppendText(dump->json, "[");
    PeerJson_Floats(dump->json, header.sphere, 3);
    RpBuffer_AppendText(dump->json, ", ");
    PeerJson_Number(dump->json, (double)header.sphere[3]);
    RpBuffer_AppendText(dump->json, "]");
}

/* Writes samples at whole frames, between frames, and behind the end. */
static void PutSamples(const Dump *dump) {
    const float n = (float)dump->msh.frame_count;
    const float frames[] = {0, 0.5F, 1, 2.25F, n * 0.5F + 0.3F, n - 1, n + 1};
    uint32_t count = 0;
    for (uint32_t i = 0; i < dump->nodes; i++) {
        RpMshNode node;
        RpMsh_Node(&dump->msh, i, &node);
        if (node.map_start == RP_MSH_NONE)
            continue;
        Comma(dump, count++);
        RpBuffer_Print(dump->json, "{\"node\": %" PRIu32 ", \"at\": [", i);
        for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
            const UnitPose pose = Sample(dump, i, frames[f]);
            if (f)
                RpBuffer_AppendText(dump->json, ", ");
            PutPose(dump, &pose);
        }
        const UnitPose blended = Blend(dump, i, 0.5F, n * 0.6F, 0.3F);
        RpBuffer_AppendText(dump->json, "], \"blended\": ");
        PutPose(dump, &blended);
        RpBuffer_AppendText(dump->json, "}");
    }
}

/* ---- the object ------------------------------------------------------------------------------ */

static void PutUv0(const Dump *dump) {
    PutUvs(dump, RP_MSH_UV0);
}

static void PutUv1(const Dump *dump) {
    PutUvs(dump, RP_MSH_UV1);
}

typedef struct Part {
    const char *name;
    void (*put)(const Dump *dump);
    bool is_list;
} Part;

static void PutFrameCount(const Dump *dump) {
    RpBuffer_Print(dump->json, "%" PRIu32, dump->msh.frame_count);
}

static void PutNames(RpBuffer *json, const RpWearName *names, uint32_t count) {
    RpBuffer_AppendText(json, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            RpBuffer_AppendText(json, ", ");
        PeerJson_Text(json, names[i].text, names[i].length);
    }
    RpBuffer_AppendText(json, "]");
}

static RpStatus Open(Dump *dump, const RpNRes *archive, const char *member, RpError *error) {
    RpNRes model;
    const int32_t index = RpNRes_Find(archive, member);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the archive has no such member",
                           member, "a model", "");
    const RpNResEntry entry = RpNRes_Entry(archive, (uint32_t)index);
    RpStatus status =
        RpNRes_Open(entry.data, entry.data ? entry.size : 0, RP_TOLERANT, &model, error);
    if (status == RP_OK)
        status = RpMsh_Open(RpNRes_Entries(&model), RP_TOLERANT, &dump->msh, error);
    if (status == RP_OK)
        status = Msh_CheckSharing(&dump->msh, error);
    if (status != RP_OK)
        return status;
    RpReadings_Parse(&dump->arithmetic.readings, RP_READS_FILES, "key-order=wxyz", NULL);
    dump->posed = RpMsh_Skeleton(&dump->msh, &dump->skeleton, NULL) == RP_OK;
    dump->nodes = dump->msh.node_stride == RP_MSH_NODE_BYTES ? RpMsh_Count(&dump->msh, RP_MSH_NODES)
                                                             : 0; /* openparkan reads no others */
    dump->vertices = RpMsh_Count(&dump->msh, RP_MSH_POSITIONS);
    dump->triangles = RpMsh_Count(&dump->msh, RP_MSH_INDICES) / 3;
    dump->local = RpMemory_Resize(NULL, NULL, ((size_t)dump->nodes + 1) * sizeof *dump->local);
    dump->world = RpMemory_Resize(NULL, NULL, ((size_t)dump->nodes + 1) * sizeof *dump->world);
    dump->corners =
        RpMemory_Resize(NULL, NULL, ((size_t)dump->triangles + 1) * sizeof *dump->corners);
    dump->owners = RpMemory_Resize(NULL, NULL, ((size_t)dump->vertices + 1) * sizeof *dump->owners);
    return dump->local && dump->world && dump->corners && dump->owners
               ? RP_OK
               : RpMemory_Refused(error, "a dump");
}

RpStatus OpenparkanDump_Mesh(const RpNRes *archive, const char *member, RpBuffer *json,
                             RpError *error) {
    Dump dump = {.json = json};
    RpStatus status = Open(&dump, archive, member, error);
    if (status == RP_OK) {
        /* Poses of the nodes at their times of rest. */
        for (uint32_t i = 0; i < dump.nodes; i++) {
            RpMshNode node;
            RpMsh_Node(&dump.msh, i, &node);
            dump.local[i] = dump.world[i] = Sample(&dump, i, RestTime(&node));
            if (node.parent < i) /* a parent behind its child has not been posed yet */
                dump.world[i] = UnitPose_Compose(&dump.world[node.parent], &dump.local[i]);
        }
        FindCorners(&dump);
        FindOwners(&dump);
        RpBuffer_AppendText(json, "{\"kind\": \"mesh\", \"name\": ");
        PeerJson_Text(json, member, strlen(member));
        RpBuffer_AppendText(json, ", \"wear\": ");

        /* The .wea member has the model's name up to its last dot. */
        char name[RP_NRES_NAME_BYTES + 8];
        const char *dot = strrchr(member, '.');
        const int length = dot ? (int)(dot - member) : (int)strlen(member);
        snprintf(name, sizeof name, "%.*s.wea",
                 length < RP_NRES_NAME_BYTES ? length : RP_NRES_NAME_BYTES, member);
        const int32_t index = RpNRes_Find(archive, name);
        const RpNResEntry entry =
            index < 0 ? (RpNResEntry){.data = NULL} : RpNRes_Entry(archive, (uint32_t)index);
        RpWear wear;
        if (RpWear_Read(&wear, entry.data, entry.data ? entry.size : 0, NULL, NULL)) {
            json->failed = true;
        } else {
            RpBuffer_AppendText(json, "{\"materials\": ");
            PutNames(json, wear.materials, wear.material_count);
            RpBuffer_AppendText(json, ", \"lightmaps\": ");
            PutNames(json, wear.lightmaps, wear.lightmap_count);
            RpBuffer_AppendText(json, "}");
            RpWear_Free(&wear);
        }
        static const Part parts[] = {{"nodes", PutNodes, true},
                                     {"slots", PutSlots, true},
                                     {"batches", PutBatches, true},
                                     {"triangles", PutTriangles, true},
                                     {"positions", PutPositions, true},
                                     {"normals", PutNormals, true},
                                     {"uv", PutUv0, true},
                                     {"lightmap_uv", PutUv1, true},
                                     {"keys", PutKeys, true},
                                     {"face_flags", PutFaceFlags, true},
                                     {"face_normals", PutFaceNormals, true},
                                     {"frame_map", PutFrameMap, true},
                                     {"frame_count", PutFrameCount, false},
                                     {"root_pose", PutRootPose, false},
                                     {"node_of_vertex", PutOwners, true},
                                     {"sphere", PutSphere, false},
                                     {"samples", PutSamples, true}};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            RpBuffer_Print(dump.json, ",\n\"%s\": %s", parts[i].name, parts[i].is_list ? "[" : "");
            parts[i].put(&dump);
            if (parts[i].is_list)
                RpBuffer_AppendText(dump.json, "]");
        }
        RpBuffer_AppendText(json, "}\n");
        status = json->failed ? RpMemory_Refused(error, "a dump") : RP_OK;
    }
    RpMemory_Free(NULL, dump.local);
    RpMemory_Free(NULL, dump.world);
    RpMemory_Free(NULL, dump.corners);
    RpMemory_Free(NULL, dump.owners);
    return status;
}
