/* Attaches a model to a node of another one, poses both, and asks what a shot hits.
 *
 *   attach_model ARCHIVE ROOT NODE ARCHIVE PART FRAME
 *
 * Between loading and freeing, nothing allocates memory except attaching, because a game poses and
 * asks in every frame. */
#include <retropose/file.h>
#include <retropose/mesh_object.h>
#include <retropose/msh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Loaded {
    RpBuffer archive; /* must outlive the model */
    RpModel *model;
    RpMsh streams; /* needed for the names of the nodes */
} Loaded;

/* ---- loading --------------------------------------------------------------------------------- */

static RpStatus Load(const char *path, const char *name, Loaded *loaded, RpError *error) {
    RpNRes archive, member;
    RpStatus status = RpFile_Read(path, &loaded->archive, error);
    if (status == RP_OK)
        status =
            RpNRes_Open(loaded->archive.bytes, loaded->archive.size, RP_STRICT, &archive, error);
    if (status != RP_OK)
        return status;
    const int32_t index = RpNRes_Find(&archive, name);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the archive has no such member", name,
                           "", "");
    const RpNResEntry entry = RpNRes_Entry(&archive, (uint32_t)index);
    status = RpModel_FromNRes(entry.data, entry.size, NULL, &loaded->model, error);
    if (status == RP_OK)
        status = RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, error);
    if (status == RP_OK)
        status = RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, &loaded->streams, error);
    return status;
}

static void Unload(Loaded *loaded) {
    RpModel_Free(loaded->model);
    RpBuffer_Free(&loaded->archive);
}

/* Returns the piece of the root's node of this name, or -1. Part 0 is the root, and has a piece for
 * each of its nodes. */
static int32_t FindNode(const RpMsh *streams, const char *wanted) {
    for (uint32_t node = 0; node < RpMsh_Count(streams, RP_MSH_NODES); node++) {
        uint32_t length;
        const char *name = RpMsh_Text(streams, RP_MSH_NAMES, node, &length);
        if (name && length == strlen(wanted) && memcmp(name, wanted, length) == 0)
            return (int32_t)node;
    }
    return -1;
}

/* ---- posing and asking ----------------------------------------------------------------------- */

/* Shoots along y through the middle of a piece's box. */
static void Shoot(const RpMeshObject *mesh, int32_t piece) {
    float corners[8][3];
    RpMeshHit hit;
    RpMeshObject_Box(mesh, piece, RP_MESH_WORLD, false, corners);
    const float x = (corners[0][0] + corners[7][0]) / 2, z = (corners[0][2] + corners[7][2]) / 2;
    const float from[3] = {x, corners[7][1] + 10, z}, to[3] = {x, corners[0][1] - 10, z};
    if (RpMeshObject_Segment(mesh, -1, from, to, NULL, &hit))
        printf("shot at piece %d: hit piece %d, triangle %u at %.3f %.3f %.3f\n", (int)piece,
               (int)hit.piece, (unsigned)hit.triangle, (double)hit.point[0], (double)hit.point[1],
               (double)hit.point[2]);
    else
        printf("shot at piece %d: no hit\n", (int)piece);
}

static void PrintPart(const RpMeshObject *mesh, uint32_t part) {
    RpMeshPiece piece;
    for (int32_t i = RpMeshObject_FirstPieceOfPart(mesh, part);
         RpMeshObject_Piece(mesh, i, &piece) && piece.part == part; i++) {
        const float *world = RpMeshObject_Matrix(mesh, i, RP_MESH_WORLD);
        printf("piece %d on piece %d: at %.3f %.3f %.3f\n", (int)i, (int)piece.parent,
               (double)world[3], (double)world[7], (double)world[11]);
        Shoot(mesh, i);
    }
}

static RpStatus Play(const Loaded *root, int32_t node, const Loaded *part, int32_t frame,
                     RpError *error) {
    RpMeshObject *mesh;
    RpStatus status = RpMeshObject_Create(root->model, NULL, NULL, &mesh, error);
    if (status != RP_OK)
        return status;
    status = RpMeshObject_Attach(mesh, part->model, 1, node, 0, error);
    if (status == RP_OK) {
        RpMeshObject_SetFrames(mesh, frame, frame, -1, -1);
        RpMeshObject_Pose(mesh);
        PrintPart(mesh, 1);
    }
    RpMeshObject_Free(mesh);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fputs("usage: attach_model ARCHIVE ROOT NODE ARCHIVE PART FRAME\n", stderr);
        return 2;
    }
    Loaded root = {.model = NULL}, part = {.model = NULL};
    RpError error;
    RpStatus status = Load(argv[1], argv[2], &root, &error);
    if (status == RP_OK)
        status = Load(argv[4], argv[5], &part, &error);
    if (status == RP_OK) {
        const int32_t node = FindNode(&root.streams, argv[3]);
        status = node < 0 ? RpError_Set(&error, RP_NOT_FOUND, RP_NOWHERE,
                                        "the model has no such node", argv[3], "", "")
                          : Play(&root, node, &part, (int32_t)strtol(argv[6], NULL, 10), &error);
    }
    Unload(&part);
    Unload(&root);
    if (status == RP_OK)
        return 0;
    char text[640];
    RpError_Format(&error, text, sizeof text);
    fprintf(stderr, "attach_model: %s\n", text);
    return 1;
}
