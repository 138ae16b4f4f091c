/* glTF 2.0 out of models and into models; Wavefront OBJ out of models (docs/gltf.md).
 *
 * Export writes what glTF can say as glTF: nodes with their names and poses, one scene for each of
 * the 15 cells of slot words that shows geometry, a mesh for each slot, a primitive for each batch,
 * materials by row, the animation sampled at every frame. What glTF cannot say goes to `extras`,
 * and bytes of the model that do not follow from all this go there as corrections, each guarded by
 * a checksum of what it corrects. Import rebuilds the model from the glTF content and applies only
 * what still fits: an untouched export gives every stream back byte for byte, an edited one keeps
 * the edit.
 *
 * Lengths are the model's own. The model's axes (x right, y forward, z up) stay as they are under
 * one node with a turn of -90 degrees about X, so that no number is rounded.
 * Memory: export needs at most 24 times the model's size and 64 MB more; import at most 128 times
 * the input's size (JSON is what takes that much; binary data takes 8 times) and 64 MB more.
 */
#ifndef RETROPOSE_GLTF_H
#define RETROPOSE_GLTF_H

#include "msh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RP_GLTF_ALL_CELLS    0x7FFFu
#define RP_GLTF_DEFAULT_FPS  20.0 /* the controllers' steps of 50 ms (facts/formats.md D.5) */
#define RP_GLTF_MAX_SUBFRAME 64

/* What becomes of the translation of node 0, which the game's pose walk ignores
 * (facts/formats.md C13). */
typedef enum RpGltfRootMotion {
    RP_GLTF_ROOT_KEEP,    /* on node 0                                    */
    RP_GLTF_ROOT_DROP,    /* nowhere                                      */
    RP_GLTF_ROOT_SEPARATE /* on a node of its own between root and node 0 */
} RpGltfRootMotion;

/* "keep", "drop", "separate"; null past the last. */
const char *RpGltfRootMotion_Name(RpGltfRootMotion motion);

typedef enum RpGltfContainer {
    RP_GLTF_BINARY, /* .glb                                         */
    RP_GLTF_TEXT    /* .gltf, its buffer inside as a base64 data URI */
} RpGltfContainer;

typedef struct RpGltfExportOptions {
    RpMshReadings readings;
    const char *name;         /* of the root node, UTF-8; null: that of the first directory entry */
    double frames_per_second; /* more than 0: the model has no such number, so that it is chosen  */
    uint32_t sub_frames; /* samples a frame: 1 to RP_GLTF_MAX_SUBFRAME                        */
    uint32_t cells;      /* bit outer * 5 + inner of the 15 slot words                        */
    RpGltfRootMotion root_motion;
    RpGltfContainer container;
    bool animation;
    bool restore; /* corrections, too; there are none without all cells and the animation */
    const RpFindingSink *notes;   /* may be null; rules G01 ... in docs/gltf.md */
    const RpAllocator *allocator; /* JSON takes the C library's heap regardless */
} RpGltfExportOptions;

/* The default readings, 20 frames a second, one sample a frame, everything there is, as GLB. */
RpGltfExportOptions RpGltfExportOptions_Default(void);

/* Appends to an empty buffer. RP_UNSUPPORTED for nodes of stride 24, RP_NOT_FOUND without nodes,
 * RP_INVALID for options out of range. What cannot be shown (a batch that reaches past the
 * vertices, a position that is not a number) is left out or cleaned, and noted. */
RpStatus RpGltf_Export(const RpNResArchive *model, const RpGltfExportOptions *options,
                       RpBuffer *file, RpError *error);

typedef struct RpGltfImportOptions {
    RpMshReadings readings;   /* for files that do not say what they were exported with          */
    bool use_readings;        /* these, even if the file says otherwise                          */
    double frames_per_second; /* 0: what the file was exported with, else RP_GLTF_DEFAULT_FPS    */
    const char *animation;    /* by name; null: the first that moves the default scene           */
    const char *name;         /* of all directory entries; null: what the file says, else "model" */
    double tolerance;         /* by which a key that is left out may be missed: 1e-6             */
    bool ignore_restore;      /* as if the file had no corrections                               */
    /* Appends the bytes that an URI names; null: files of several parts are refused. */
    RpStatus (*load)(void *context, const char *uri, RpBuffer *bytes, RpError *error);
    void *load_context;
    const RpFindingSink *notes;
    const RpAllocator *allocator;
} RpGltfImportOptions;

RpGltfImportOptions RpGltfImportOptions_Default(void);

/* GLB or JSON text, told apart by its first bytes, into an initialised, empty archive.
 * RP_TRUNCATED, RP_CORRUPT with the place (`/meshes/3/primitives/0`) in `where`; RP_UNSUPPORTED for
 * Draco and meshopt by name, and for what the format has no room for. Skins, morph targets, cameras
 * and the like are left out and noted. */
RpStatus RpGltf_Import(const void *bytes, size_t size, const RpGltfImportOptions *options,
                       RpNResArchive *model, RpError *error);

/* Whether these bytes begin as a GLB does, or as JSON text with an "asset". */
bool RpGltf_Is(const void *bytes, size_t size);

/* ---- Wavefront OBJ --------------------------------------------------------------------------- */

typedef struct RpObjOptions {
    RpMshReadings readings;
    uint32_t cell;         /* 0 to 14                                                      */
    double frame;          /* in frames; negative: the rest pose                           */
    bool zero_root;        /* without node 0's translation                                 */
    bool y_up;             /* (x, y, z) becomes (x, z, -y); else the model's own axes      */
    const char *materials; /* file name for mtllib; null: none                             */
    const RpFindingSink *notes;
} RpObjOptions;

RpObjOptions RpObjOptions_Default(void);
/* One group a node, one usemtl a row, normals and UV of every vertex that is used. Appends to empty
 * buffers; `materials` may be null. */
RpStatus RpObj_Export(const RpNResArchive *model, const RpObjOptions *options, RpBuffer *text,
                      RpBuffer *materials, RpError *error);

#ifdef __cplusplus
}
#endif

#endif
