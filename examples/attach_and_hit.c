/* Makes an object of two models, poses it, and asks where it is and what a shot would hit.
 *
 *   attach_and_hit [ROOT.msh PART.msh PIECE]
 *
 * Without models, a tank's hull and turret, and a gun on the turret.
 */
#include <retropose/mesh_object.h>

#include "model_boxes.h"
#include "model_image.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- models ---------------------------------------------------------------------------------- */

static uint8_t *MakeTank(size_t *size) {
    static const ModelBox boxes[] = {
        {.parent = MODEL_BOXES_NO_PARENT, .low = {-2, -3, 0}, .high = {2, 3, 1}, .stages = 1},
        {.parent = 0, /* a turret, which turns by 90 degrees in 8 frames */
         .position = {0, 0, 1},
         .turned = {0, 0, -23170, 23170},
         .low = {-1, -1, 0},
         .high = {1, 1, 1},
         .stages = 1},
    };
    return ModelBoxes_Write(boxes, 2, 9, size);
}

/* Node 0 is the socket, for which the piece stands that the part is attached to. */
static uint8_t *MakeGun(size_t *size) {
    static const ModelBox boxes[] = {
        {.parent = MODEL_BOXES_NO_PARENT},
        {.parent = 0,
         .position = {0, 1, 0.5f},
         .low = {-0.25f, 0, -0.25f},
         .high = {0.25f, 4, 0.25f},
         .stages = 1},
    };
    return ModelBoxes_Write(boxes, 2, 1, size);
}

typedef struct Loaded {
    uint8_t *image; /* must outlive the model */
    RpModel *model;
} Loaded;

static int Report(const RpError *error) {
    char text[512];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

static int Load(uint8_t *image, size_t size, Loaded *loaded) {
    RpError error;
    *loaded = (Loaded){image, NULL};
    if (!image) {
        fputs("cannot read a model\n", stderr);
        return 1;
    }
    return RpModel_FromNRes(image, size, NULL, &loaded->model, &error) ? Report(&error) : 0;
}

static void Unload(Loaded *loaded) {
    RpModel_Free(loaded->model);
    free(loaded->image);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void PrintPieces(const RpMeshObject *mesh) {
    RpMeshPiece piece;
    for (int32_t i = 0; RpMeshObject_Piece(mesh, i, &piece); i++) {
        const float *world = RpMeshObject_Matrix(mesh, i, RP_MESH_WORLD);
        printf("piece %d, part %u node %u, parent %2d: at %7.3f %7.3f %7.3f\n", (int)i,
               (unsigned)piece.part, (unsigned)piece.node, (int)piece.parent, (double)world[3],
               (double)world[7], (double)world[11]);
    }
}

static void PrintBounds(const RpMeshObject *mesh) {
    RpMeshBounds bounds;
    RpMeshObject_Bounds(mesh, &bounds);
    const float *low = bounds.corners[0], *high = bounds.corners[7], *sphere = bounds.agent_sphere;
    printf("box %.3f %.3f %.3f to %.3f %.3f %.3f, sphere of %.3f about %.3f %.3f %.3f\n",
           (double)low[0], (double)low[1], (double)low[2], (double)high[0], (double)high[1],
           (double)high[2], (double)sphere[3], (double)sphere[0], (double)sphere[1],
           (double)sphere[2]);
}

static void Shoot(const RpMeshObject *mesh, const float from[3], const float to[3]) {
    RpMeshHit hit;
    if (RpMeshObject_Segment(mesh, -1, from, to, NULL, &hit))
        printf("hit: piece %d, batch %u, triangle %u at %.3f %.3f %.3f\n", (int)hit.piece,
               (unsigned)hit.batch, (unsigned)hit.triangle, (double)hit.point[0],
               (double)hit.point[1], (double)hit.point[2]);
    else
        puts("no hit");
}

/* Nothing of this allocates: it may run for thousands of objects in every frame. */
static void Play(RpMeshObject *mesh) {
    static const float placement[16] = {1, 0, 0, 100, 0, 1, 0, 50, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float from[3] = {100, 60, 1.5f}, to[3] = {100, 40, 1.5f};
    RpMeshObject_SetPlacement(mesh, placement);
    RpMeshObject_SetFrames(mesh, 0, 8, -1, -1); /* side A from frame 0 to 8; no side B */
    for (int step = 0; step <= 2; step++) {
        RpMeshObject_SetPhase(mesh, (float)step / 2, 0);
        RpMeshObject_Pose(mesh);
        printf("phase %.1f\n", (double)step / 2);
        PrintPieces(mesh);
        Shoot(mesh, from, to);
    }
    RpMeshObject_UpdateBounds(mesh); /* the game does this when it loads and attaches only */
    PrintBounds(mesh);
}

static int Run(const Loaded *root, const Loaded *part, int32_t socket) {
    /* What the game gets on any processor with SSE, by the default reading of the format. */
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpMeshObject *mesh;
    RpError error;
    if (RpMeshObject_Create(root->model, &settings, NULL, &mesh, &error))
        return Report(&error);
    RpStatus status = RpMeshObject_Attach(mesh, part->model, 1, socket, 0, &error);
    if (status == RP_OK)
        Play(mesh);
    RpMeshObject_Free(mesh);
    return status == RP_OK ? 0 : Report(&error);
}

int main(int argc, char **argv) {
    size_t root_size = 0, part_size = 0;
    uint8_t *root_image = argc > 3 ? ModelImage_Read(argv[1], &root_size) : MakeTank(&root_size);
    uint8_t *part_image = argc > 3 ? ModelImage_Read(argv[2], &part_size) : MakeGun(&part_size);
    Loaded root, part;
    int failed = Load(root_image, root_size, &root);
    failed |= Load(part_image, part_size, &part);
    if (!failed)
        failed = Run(&root, &part, argc > 3 ? (int32_t)strtol(argv[3], NULL, 10) : 1);
    Unload(&root);
    Unload(&part);
    return failed;
}
