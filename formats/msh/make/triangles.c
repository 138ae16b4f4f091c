/* Computes Res7 from the geometry: the corners of every triangle, its slot, normal and
 * neighbours. */
#include "formats/msh/make/make.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>

/* A corner that is in no batch, and a triangle that is in no slot. */
#define UNREACHED UINT32_MAX

typedef struct Faces {
    RpMsh msh;
    uint32_t count;
    uint32_t (*corners)[3];
    uint32_t *slots;
    RpMshTriangle *triangles;
    float (*positions)[3];
    uint8_t *bytes;
    const RpAllocator *allocator;
    RpError *error;
} Faces;

static RpStatus PlaceBatch(Faces *faces, uint32_t index) {
    RpMshBatch batch;
    RpMsh_Batch(&faces->msh, index, &batch);
    RpStatus status = RP_OK;
    uint64_t end = (uint64_t)batch.first_index + batch.index_count;
    if (batch.first_index % 3 != 0 || batch.index_count % 3 != 0 ||
        end > (uint64_t)faces->count * 3)
        status =
            Make_Refuse(faces->error, RP_CORRUPT, "a batch is not a stretch of triangles", "batch",
                        index, "a start and a count that are multiples of 3, within Res6",
                        "indices %" PRIu32 " to %" PRIu64, batch.first_index, end);
    for (uint32_t i = 0; status == RP_OK && i < batch.index_count; i++) {
        uint32_t at = batch.first_index + i;
        uint16_t relative;
        uint64_t vertex = batch.base_vertex;
        if (RpMsh_Index(&faces->msh, at, &relative))
            vertex += relative;
        if (vertex >= RpMsh_Count(&faces->msh, RP_MSH_POSITIONS))
            return Make_Refuse(faces->error, RP_CORRUPT, "a batch reaches past the vertices",
                               "batch", index, "a vertex that exists", "vertex %" PRIu64, vertex);
        if (faces->corners[at / 3][at % 3] == UNREACHED)
            faces->corners[at / 3][at % 3] = (uint32_t)vertex;
    }
    return status;
}

static RpStatus Open(Faces *faces, const RpNResArchive *archive) {
    RpStatus status =
        RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &faces->msh, faces->error);
    if (status != RP_OK)
        return status;
    uint32_t indices = RpMsh_Count(&faces->msh, RP_MSH_INDICES);
    if (RpNResArchive_FindType(archive, RP_MSH_TRIANGLES) < 0)
        return RpError_Set(faces->error, RP_NOT_FOUND, RP_NOWHERE,
                           "the model has no triangle records", "Res7", "the stream", "");
    if (indices % 3 != 0 || indices / 3 > RP_MSH_NONE)
        return RpError_Set(faces->error, RP_CORRUPT, RP_NOWHERE,
                           "the indices are no list of triangles", "Res6",
                           "a multiple of 3, at most 196605", "");
    faces->count = indices / 3;

    const RpAllocator *allocator = faces->allocator;
    const size_t count = (size_t)faces->count + 1; /* a count of 0 is not a failure */
    const size_t vertices = (size_t)RpMsh_Count(&faces->msh, RP_MSH_POSITIONS) + 1;
    faces->corners = Make_Array(allocator, count, sizeof *faces->corners);
    faces->slots = Make_Array(allocator, count, sizeof *faces->slots);
    faces->triangles = Make_Array(allocator, count, sizeof *faces->triangles);
    faces->positions = Make_Array(allocator, vertices, sizeof *faces->positions);
    faces->bytes = Make_Array(allocator, count, RP_MSH_TRIANGLE_BYTES);
    if (!faces->corners || !faces->slots || !faces->triangles || !faces->positions || !faces->bytes)
        return RpMemory_Refused(faces->error, "triangles");
    memset(faces->corners, 0xFF, count * sizeof *faces->corners);
    memset(faces->slots, 0xFF, count * sizeof *faces->slots);
    return RP_OK;
}

RpStatus RpMsh_UpdateTriangles(RpNResArchive *archive, RpError *error) {
    MODES_OF_C();
    Faces faces = {.allocator = archive->allocator, .error = error};
    RpStatus status = Open(&faces, archive);
    if (status == RP_OK) {
        /* Gather the corners of all triangles, each of which some batch must reach. */
        for (uint32_t v = 0; v < RpMsh_Count(&faces.msh, RP_MSH_POSITIONS); v++)
            RpMsh_Position(&faces.msh, v, faces.positions[v]);
        for (uint32_t t = 0; t < faces.count; t++)
            RpMsh_Triangle(&faces.msh, t, &faces.triangles[t]); /* zero where Res7 is too short */
        for (uint32_t b = 0; status == RP_OK && b < RpMsh_Count(&faces.msh, RP_MSH_BATCHES); b++)
            status = PlaceBatch(&faces, b);

        /* Faces of different slots do not touch. Slots of one node are levels of detail or states
         * that lie in the same place, and slots of different nodes have different spaces. */
        for (uint32_t s = 0; s < RpMsh_Count(&faces.msh, RP_MSH_SLOTS); s++) {
            RpMshSlot slot;
            RpMsh_Slot(&faces.msh, s, &slot);
            for (uint32_t t = slot.first_triangle;
                 t < faces.count && t - slot.first_triangle < slot.triangle_count; t++)
                if (faces.slots[t] == UNREACHED)
                    faces.slots[t] = s;
        }

        for (uint32_t t = 0; status == RP_OK && t < faces.count; t++)
            if (faces.corners[t][0] == UNREACHED)
                status = Make_Refuse(faces.error, RP_CORRUPT, "no batch reaches a triangle",
                                     "triangle", t, "batches that cover Res6", "none");
    }
    if (status == RP_OK) {
        for (uint32_t t = 0; t < faces.count; t++) {
            const uint32_t *corners = faces.corners[t];
            RpMsh_FaceNormal(faces.positions[corners[0]], faces.positions[corners[1]],
                             faces.positions[corners[2]], faces.triangles[t].normal);
        }
        status =
            Topology_Link((const float(*)[3])faces.positions, (const uint32_t(*)[3])faces.corners,
                          faces.slots, faces.count, faces.triangles, faces.allocator, faces.error);
    }
    if (status == RP_OK) {
        for (uint32_t t = 0; t < faces.count; t++)
            RpMshTriangle_Write(&faces.triangles[t],
                                faces.bytes + (size_t)t * RP_MSH_TRIANGLE_BYTES);
        uint32_t member = (uint32_t)RpNResArchive_FindType(archive, RP_MSH_TRIANGLES);
        status = RpNResArchive_Replace(archive, member, faces.bytes,
                                       faces.count * RP_MSH_TRIANGLE_BYTES, faces.error);
        if (status == RP_OK)
            archive->members[member].attr1 = faces.count;
    }
    RpMemory_Free(archive->allocator, faces.corners);
    RpMemory_Free(archive->allocator, faces.slots);
    RpMemory_Free(archive->allocator, faces.triangles);
    RpMemory_Free(archive->allocator, faces.positions);
    RpMemory_Free(archive->allocator, faces.bytes);
    return status;
}
