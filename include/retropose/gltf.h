/* glTF 2.0 out of models and into models; Wavefront OBJ out of models (docs/formats/gltf.md).
 *
 * Export writes whatever glTF can express as glTF: nodes with their names and poses, one scene for
 * each of the 15 cells of slot words that shows geometry, a mesh for each slot, a primitive for
 * each batch, materials by their row, and the animation sampled at every frame. What glTF cannot
 * express goes to `extras`. Bytes of the model that do not follow from all this go there as well,
 * as corrections, each guarded by a checksum of what it corrects. Import rebuilds the model from
 * the glTF content and applies only the corrections that still fit. An untouched export therefore
 * gives every stream back byte for byte, and an edited one keeps the edit.
 *
 * Lengths are the model's own. The model's axes (x right, y forward, z up) stay as they are below
 * one node that is turned by -90 degrees about X, so that no number is rounded.
 *
 * Export needs at most 24 times the model's size and 64 MB more. Import needs at most 128 times the
 * input's size and 64 MB more; it is the JSON that takes so much, while binary data takes 8 times
 * its size.
 */
#ifndef RETROPOSE_GLTF_H
#define RETROPOSE_GLTF_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

#define RP_GLTF_ALL_CELLS 0x7FFFu
/* frames are steps of 50 ms of the game's controllers (facts/formats.md D.5) */
#define RP_GLTF_DEFAULT_FPS  20.0
#define RP_GLTF_MAX_SUBFRAME 64

/* Where the translation of node 0 goes, which the game's pose walk ignores (facts/formats.md
 * C13). */
typedef enum RpGltfRootMotion {
    RP_GLTF_ROOT_KEEP,    /* it stays on node 0 */
    RP_GLTF_ROOT_DROP,    /* it is left out */
    RP_GLTF_ROOT_SEPARATE /* it goes on a node of its own between the root and node 0 */
} RpGltfRootMotion;

/* Returns "keep", "drop" or "separate", and null past the last. */
const char *RpGltfRootMotion_Name(RpGltfRootMotion motion);

typedef enum RpGltfContainer {
    RP_GLTF_BINARY, /* a .glb file */
    RP_GLTF_TEXT    /* a .gltf file with its buffer inside as a base64 data URI */
} RpGltfContainer;

typedef struct RpGltfExportOptions {
    RpReadings readings;
    /* name of the root node in UTF-8; null takes the name of the first directory entry */
    const char *name;
    /* more than 0; the caller chooses it, because a model does not say how fast it plays */
    double frames_per_second;
    uint32_t sub_frames; /* samples for each frame: 1 to RP_GLTF_MAX_SUBFRAME */
    /* bit outer * 5 + inner is set for each of the 15 slot words that is exported */
    uint32_t cells;
    RpGltfRootMotion root_motion;
    RpGltfContainer container;
    bool animation;
    bool restore; /* whether corrections are written, which needs all cells and the animation */
    /* receives what could not be shown; may be null; docs/formats/gltf.md lists the rules from G01
     * on */
    const RpFindingSink *notes;
    const RpAllocator *allocator; /* JSON is allocated with the C library's heap regardless */
} RpGltfExportOptions;

/* Returns the default readings, 20 frames a second, one sample a frame, and everything exported as
 * GLB. */
RpGltfExportOptions RpGltfExportOptions_Default(void);

/* Appends the file to an empty buffer. Null options are the defaults. The result is RP_UNSUPPORTED
 * for nodes of stride 24, RP_NOT_FOUND without nodes, and RP_INVALID for options out of range. What
 * cannot be shown, such as a batch that reaches past the vertices or a position that is not a
 * number, is left out or cleaned, and noted. */
RpStatus RpGltf_Export(const RpNResArchive *model, const RpGltfExportOptions *options,
                       RpBuffer *file, RpError *error);

typedef struct RpGltfImportOptions {
    /* readings for files that do not say with which ones they were exported */
    RpReadings readings;
    bool use_readings; /* whether `readings` count even if the file says otherwise */
    /* 0 takes the rate of the export that made the file, else RP_GLTF_DEFAULT_FPS */
    double frames_per_second;
    /* name of the animation; null takes the first one that moves the default scene */
    const char *animation;
    /* name of all directory entries; null takes the one that the file states, else "model" */
    const char *name;
    /* by how much the pose of a left out key may be missed; the default is 1e-6 */
    double tolerance;
    bool ignore_restore;   /* whether the file's corrections are ignored */
    bool ignore_animation; /* whether the model stands still, in the file's rest pose */
    /* Appends the bytes of another file. The path is what an URI of the glTF says, with its escapes
     * decoded; if the result is RP_NOT_FOUND, the function is called again with the URI as it
     * stands. Whoever reads from a disk should refuse what RpGltf_IsBeside does not accept. Null
     * refuses files that consist of several parts. */
    RpStatus (*load)(void *context, const char *path, RpBuffer *bytes, RpError *error);
    void *load_context;
    const RpFindingSink *notes;
    const RpAllocator *allocator;
} RpGltfImportOptions;

/* Returns the default readings, a tolerance of 1e-6, and no reader of further files. */
RpGltfImportOptions RpGltfImportOptions_Default(void);

/* Reads GLB or JSON text, told apart by the first bytes, into an initialised, empty archive. Null
 * options are the defaults.
 * RP_TRUNCATED and RP_CORRUPT give the place, such as `/meshes/3/primitives/0`, in `where`.
 * RP_UNSUPPORTED stands for Draco and meshopt compression, which the error names, and for content
 * that the model format has no room for. Skins, morph targets, cameras and the like are left out
 * and noted. */
RpStatus RpGltf_Import(const void *bytes, size_t size, const RpGltfImportOptions *options,
                       RpNResArchive *model, RpError *error);

/* Returns whether a path that `load` gets leads to a file in the folder of the glTF, or in one
 * below: it is relative, and has neither `..` as a part nor a colon nor a backslash. */
bool RpGltf_IsBeside(const char *path);

/* Returns whether these bytes begin as a GLB file does, or as JSON text with an "asset". */
bool RpGltf_Is(const void *bytes, size_t size);

/* ---- Wavefront OBJ --------------------------------------------------------------------------- */

typedef struct RpObjOptions {
    RpReadings readings;
    uint32_t cell;  /* outer * 5 + inner of the slot word that is shown: 0 to 14 */
    double frame;   /* time in frames; a negative one asks for the rest pose */
    bool zero_root; /* whether node 0's translation is left out */
    bool y_up;      /* whether (x, y, z) becomes (x, z, -y); otherwise the axes are the model's */
    const char *materials; /* file name for the `mtllib` line; null writes none */
    const RpFindingSink *notes;
} RpObjOptions;

/* Returns the rest pose with y up, without materials. */
RpObjOptions RpObjOptions_Default(void);
/* Writes one group for each node, one `usemtl` for each material row, and the normals and UV of
 * every vertex that is used. Null options are the defaults. Both results are appended to empty
 * buffers; `materials` may be null. RP_INVALID stands for a cell above 14 and for a parent that
 * does not precede its child, RP_UNSUPPORTED for nodes of stride 24 and for ranges that share their
 * elements again and again. */
RpStatus RpObj_Export(const RpNResArchive *model, const RpObjOptions *options, RpBuffer *text,
                      RpBuffer *materials, RpError *error);

RP_API_END

#endif
