/* LEGO Island (1997) animations, `.ani`: read, check, build, write, sample, and bind to a scene.
 *
 * A file holds the header of a presenter (the game's class that plays it), a list of actors, a
 * duration, the tracks of a camera if the header says so, and one tree of nodes with four tracks
 * each. docs/formats/ani.md is the manual. The layout is that of seed 002 and facts/lego-ani.md A;
 * sampling is that of facts/lego-ani.md B.
 *
 * Times are milliseconds. Matrices are 16 floats in the original's layout: row-major, for row
 * vectors, with the translation in elements 12, 13 and 14. Names are bytes with a length, and a NUL
 * follows them in memory. Sampling gives the same results on every machine, provided that the
 * processor rounds to nearest and keeps denormals, as threads begin. Checks, text and glTF need
 * nothing of the thread (arithmetic.h).
 */
#ifndef RETROPOSE_ANI_H
#define RETROPOSE_ANI_H

#include "api.h"
#include "error.h"
#include "finding.h"
#include "memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

/* ---- what a file holds ----------------------------------------------------------------------- */

enum {
    RP_ANI_MAGIC = 17,
    RP_ANI_HEADER_BYTES = 28,
    RP_ANI_NODE_LEAST_BYTES = 16,
    RP_ANI_ACTOR_LEAST_BYTES = 4,
    RP_ANI_MOST_TIME = 0xFFFFFF, /* 24 bits, which is 4 h 39 m 37.215 s */
    RP_ANI_MOST_KEYS = 0xFFFF,   /* in one track */
    /* this library's limit; the original recurses until its stack is full */
    RP_ANI_MOST_DEPTH = 256
};

/* Flags of a key. Other bits have no meaning and are preserved. */
enum {
    /* the value takes part; a value can also cause that itself: see RpAniKey.active */
    RP_ANI_ACTIVE = 0x01,
    /* rotation, on the later key of two: its value is negated before blending */
    RP_ANI_NEGATE = 0x02,
    /* rotation, on the later key of two: the earlier key's value stays until this key's time */
    RP_ANI_HOLD = 0x04
};

typedef enum RpAniTrackKind {
    RP_ANI_TRANSLATION, /* value: x y z                                                         */
    RP_ANI_ROTATION,    /* value: w x y z                                                       */
    RP_ANI_SCALE,       /* value: x y z                                                         */
    RP_ANI_MORPH,       /* no value but `visible` */
    RP_ANI_NODE_TRACKS,
    RP_ANI_EYE = RP_ANI_NODE_TRACKS, /* camera: a translation */
    RP_ANI_TARGET,                   /* camera: a translation */
    RP_ANI_ROLL,                     /* of the camera: value[0] in radians                      */
    RP_ANI_TRACK_KINDS,
    RP_ANI_CAMERA_TRACKS = RP_ANI_TRACK_KINDS - RP_ANI_NODE_TRACKS
} RpAniTrackKind;

typedef struct RpAniKey {
    uint32_t time;   /* 0 to RP_ANI_MOST_TIME                                                   */
    uint8_t flags;   /* as stored, and as written back */
    uint8_t visible; /* morph keys: as stored; anything but 0 means visible */
    /* whether the game uses the value: the stored flag is set, or the value has an effect
     * (facts/lego-ani.md A.4). The library sets this field wherever it sets keys. */
    bool active;
    float value[4]; /* as many numbers as the kind has, with the bits of the file */
} RpAniKey;

typedef struct RpAniTrack {
    RpAniKey *keys;
    uint32_t count;  /* 0 to RP_ANI_MOST_KEYS                                                   */
    bool ordered;    /* whether times never decrease, so that a search needs no history */
    uint64_t offset; /* byte of the track's count in the file that was read, or RP_NOWHERE */
} RpAniTrack;

typedef struct RpAniName {
    char *bytes; /* never null; a NUL follows the bytes */
    uint32_t length;
} RpAniName;

typedef struct RpAniActor {
    RpAniName name; /* a name of length 0 has no type in the file */
    uint32_t type;
    uint64_t offset;
} RpAniActor;

#define RP_ANI_NO_NODE UINT32_MAX

/* Nodes lie in pre-order: the root is first, a parent precedes its children, and a subtree lies
 * together. */
typedef struct RpAniNode {
    RpAniName name;
    uint32_t parent; /* index of the parent, or RP_ANI_NO_NODE for the root */
    uint32_t depth;  /* 0 for the root */
    uint32_t children;
    uint32_t descendants; /* number of nodes below this one */
    RpAniTrack tracks[RP_ANI_NODE_TRACKS];
    uint64_t offset;
} RpAniNode;

/* Callers may read all fields and change plain numbers. Lists change only through the functions
 * below. */
typedef struct RpAni {
    bool has_header; /* false for a bare body, as world.wdb embeds it, which has no camera either */
    int32_t magic;
    float radius, centre[3];
    /* the file's word, of which other numbers than 1 are preserved; not 0 when the file holds the
     * camera's tracks */
    int32_t has_camera;
    int32_t unused; /* the header's last word                                               */
    RpAniActor *actors;
    uint32_t actor_count;
    int32_t duration;
    RpAniTrack camera[RP_ANI_CAMERA_TRACKS]; /* indexed by kind - RP_ANI_NODE_TRACKS */
    RpAniNode *nodes;
    uint32_t node_count;
    uint8_t *trailing; /* the bytes that follow the tree */
    size_t trailing_size;
    bool damaged; /* whether a tolerant reading lost something */
    uint32_t actor_capacity, node_capacity;
    const RpAllocator *allocator;
} RpAni;

typedef enum RpAniForm {
    RP_ANI_FILE, /* a header and a body */
    RP_ANI_BODY  /* a body without a header */
} RpAniForm;

/* Returns "translation", "rotation", "scale", "morph", "eye", "target" or "roll". */
const char *RpAniTrackKind_Name(RpAniTrackKind kind);
/* Returns the bytes of one key in a file, in the order of the kinds: 16, 20, 16, 5, 16, 16, 8. */
uint32_t RpAniTrackKind_Bytes(RpAniTrackKind kind);
/* Returns how many numbers of `value` are used, in the order of the kinds: 3, 4, 3, 0, 3, 3, 1. */
uint32_t RpAniTrackKind_Numbers(RpAniTrackKind kind);

/* ---- read, check, write ---------------------------------------------------------------------- */

/* Reads a file. In strict mode the first broken rule of severity error (docs/formats/ani.md) is the
 * error, with its id in `what`. In tolerant mode everything before the first thing that does not
 * fit is kept, in whole keys and nodes, and `damaged` is set. Counts are checked before memory is
 * allocated, so that at most about 60 times the input's size is. On failure *ani is empty.
 * RP_TRUNCATED stands for an input that ends early, RP_UNSUPPORTED for a tree deeper than
 * RP_ANI_MOST_DEPTH, RP_CORRUPT for all other broken rules; in tolerant mode they are errors only
 * where not even a root can be read. */
RpStatus RpAni_Read(const uint8_t *image, size_t size, RpAniForm form, RpReadMode mode,
                    const RpAllocator *allocator, RpAni *ani, RpError *error);
/* Returns the bytes that header, body and tree take. The rest of the file is `trailing`. */
uint64_t RpAni_ParsedSize(const RpAni *ani);
/* Reports every finding to `sink`. Returns RP_OK, or what RpAni_Read returns for the first finding
 * of severity error: RP_TRUNCATED, RP_UNSUPPORTED or RP_CORRUPT. */
RpStatus RpAni_Check(const uint8_t *image, size_t size, RpAniForm form,
                     const RpAllocator *allocator, const RpFindingSink *sink, RpError *error);
/* Appends the file. What was read and not changed is written byte for byte, including stored flags,
 * bits of floats, names with NULs in them, and trailing bytes. RP_INVALID stands for an animation
 * without a root. */
RpStatus RpAni_Write(const RpAni *ani, RpBuffer *image, RpError *error);

/* ---- build ----------------------------------------------------------------------------------- */

/* Makes an empty file: it has a magic number and a header, radius and centre are 0, and there are
 * no actors and no root. */
void RpAni_Init(RpAni *ani, const RpAllocator *allocator);
/* Frees what an animation owns, and leaves it empty. An empty one is fine. */
void RpAni_Free(RpAni *ani);

/* Makes a key at `time`, in milliseconds, that moves by x, y, z. */
RpAniKey RpAniKey_Translation(uint32_t time, uint8_t flags, float x, float y, float z);
/* Makes a key at `time`, in milliseconds, that turns by the quaternion w, x, y, z. */
RpAniKey RpAniKey_Rotation(uint32_t time, uint8_t flags, float w, float x, float y, float z);
/* Makes a key at `time`, in milliseconds, that scales by x, y, z. */
RpAniKey RpAniKey_Scale(uint32_t time, uint8_t flags, float x, float y, float z);
/* Makes a key from `time` on, in milliseconds, that shows (1) or hides (0) the node. */
RpAniKey RpAniKey_Morph(uint32_t time, uint8_t flags, uint8_t visible);
/* Makes a key at `time`, in milliseconds, that rolls the camera by an angle in radians. */
RpAniKey RpAniKey_Roll(uint32_t time, uint8_t flags, float radians);

/* Adds an actor. Names are copied, here and below; a `length` of SIZE_MAX asks for strlen.
 * RP_INVALID stands for a name of 4 GiB or more, which the format cannot hold. On failure nothing
 * changes. */
RpStatus RpAni_AddActor(RpAni *ani, const char *name, size_t length, uint32_t type, RpError *error);
/* Adds a child behind the other children of `parent`, or the root (RP_ANI_NO_NODE). *index, which
 * may be null, becomes the new node's index; the nodes from there on move up by one. RP_UNSUPPORTED
 * stands for a depth beyond RP_ANI_MOST_DEPTH, RP_INVALID for a parent that does not exist, for a
 * second root, and for a name of 4 GiB or more. On failure nothing changes. */
RpStatus RpAni_AddNode(RpAni *ani, uint32_t parent, const char *name, size_t length,
                       uint32_t *index, RpError *error);
/* Removes a node with all its descendants. RP_INVALID stands for a node that does not exist. */
RpStatus RpAni_RemoveNode(RpAni *ani, uint32_t node, RpError *error);
/* Gives a node another name. RP_INVALID stands for a node that does not exist, and for a name of 4
 * GiB or more. On failure nothing changes. */
RpStatus RpAni_RenameNode(RpAni *ani, uint32_t node, const char *name, size_t length,
                          RpError *error);
/* Replaces a track by a copy of `keys` and computes `active` for the copies. For tracks of the
 * camera `node` is ignored, and has_camera becomes 1 if it was 0 and the track gets keys.
 * RP_INVALID stands for a node or kind that does not exist, for more than RP_ANI_MOST_KEYS keys,
 * and for a time above RP_ANI_MOST_TIME. On failure nothing changes. */
RpStatus RpAni_SetKeys(RpAni *ani, uint32_t node, RpAniTrackKind kind, const RpAniKey *keys,
                       uint32_t count, RpError *error);
/* Replaces the bytes that follow the tree in the file by a copy of these. The error is
 * RP_NO_MEMORY, and nothing changes then. */
RpStatus RpAni_SetTrailing(RpAni *ani, const void *bytes, size_t size, RpError *error);

/* Returns the first node of that name behind the node `after`, or from the root on for
 * RP_ANI_NO_NODE. The case of ASCII letters is ignored. The result is RP_ANI_NO_NODE when there is
 * none. */
uint32_t RpAni_FindNode(const RpAni *ani, const char *name, uint32_t after);

/* ---- sample ---------------------------------------------------------------------------------- */

/* How expressions round (facts/lego-ani.md B.8). Neither policy depends on the compiler or the
 * machine: the steps are those of docs/formats/ani.md, provided that the processor rounds to
 * nearest. */
typedef enum RpAniPolicy {
    RP_ANI_POLICY_S, /* every float operation rounds to binary32, like an SSE build of the source */
    RP_ANI_POLICY_D, /* binary64 inside an expression, which is nearest to the retail x87 build */
    RP_ANI_POLICIES
} RpAniPolicy;

/* Returns "S" or "D". */
const char *RpAniPolicy_Name(RpAniPolicy policy);
/* Accepts "S", "s", "strict", "D", "d" and "double". RP_INVALID stands for any other name. */
RpStatus RpAniPolicy_Parse(const char *name, RpAniPolicy *policy, RpError *error);

/* Where the last searches of a node's tracks stopped; begin with zeros. For times that never go
 * back, a search then takes constant time on average. If a track's times decrease somewhere, the
 * result depends on the cursor, as the original's does. */
typedef struct RpAniCursor {
    uint32_t key[RP_ANI_NODE_TRACKS];
} RpAniCursor;
typedef struct RpAniCameraCursor {
    uint32_t key[RP_ANI_CAMERA_TRACKS];
} RpAniCameraCursor;

/* Finds the keys that `time` lies on or between. Returns how many there are (0 before the first
 * key; 1 on a key or behind the last; 2 between keys) and in *key the index of the only or the
 * first one. `cursor` may be null: then an ordered track is searched by bisection, and any other
 * from its start. */
uint32_t RpAniTrack_Find(const RpAniTrack *track, float time, uint32_t *cursor, uint32_t *key);

/* What a node's tracks give before it becomes a matrix. */
typedef struct RpAniParts {
    /* false when the track gives nothing; its values are then those of the identity */
    bool translates, rotates, scales;
    float translation[3];
    float rotation[4]; /* w x y z, as blended and therefore of any length */
    float scale[3];
} RpAniParts;

/* Samples the local translation, rotation and scale of a node below node_count, at a time in
 * milliseconds. They are the factors of RpAni_SampleLocal's matrix. `cursor` is where the last
 * searches stopped; it is updated. */
void RpAni_SampleParts(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, RpAniParts *parts);
/* Samples the local matrix, which scales, then rotates, then translates. `node` is below
 * node_count. */
void RpAni_SampleLocal(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, float local[16]);
/* Returns the morph byte; it is 1 before the first key and in a track without keys. */
uint8_t RpAni_SampleVisible(const RpAni *ani, uint32_t node, float time, RpAniCursor *cursor);

/* Samples the whole tree at `time`, which the original takes as an integer. `cursors` has
 * node_count elements or is null. `parent` is the matrix above the root; null means the identity.
 * Each result has node_count elements or is null; `world` needs `local`. */
void RpAni_Sample(const RpAni *ani, int32_t time, RpAniPolicy policy, RpAniCursor *cursors,
                  const float parent[16], float (*local)[16], float (*world)[16], uint8_t *visible);
/* Computes c = a x b with the steps that world matrices are made with. c is neither a nor b. */
void RpAni_Multiply(const float a[16], const float b[16], RpAniPolicy policy, float c[16]);

typedef enum RpAniCameraResult {
    RP_ANI_CAMERA_MOVED,
    RP_ANI_CAMERA_AT_TARGET, /* eye and target coincide: the matrix stays as it is */
    RP_ANI_CAMERA_UPRIGHT,   /* the camera looks straight up or down: the matrix stays as it is */
    /* there are no target keys, where the original reads an uninitialised vector: the matrix stays
     */
    RP_ANI_CAMERA_WITHOUT_GOAL
} RpAniCameraResult;

/* Turns the base in `matrix` into the camera. Rows 0 to 2 are right, up and ahead. */
RpAniCameraResult RpAni_SampleCamera(const RpAni *ani, float time, RpAniPolicy policy,
                                     RpAniCameraCursor *cursor, float matrix[16]);

/* Computes the time that a looping presenter samples: `elapsed` modulo the duration. RP_INVALID
 * stands for durations that are not positive, because the original divides by them. */
RpStatus RpAni_LoopTime(const RpAni *ani, int32_t elapsed, int32_t *time, RpError *error);
/* Converts a float time as the walk over the tree does: it is cut towards zero, and becomes
 * INT32_MIN where 32 bits cannot hold it. */
int32_t RpAni_WalkTime(float time);
/* Returns the phase of a path actor, which walks only the children of the root: the time minus
 * whole durations, in binary32. */
float RpAni_PathPhase(const RpAni *ani, float time);

/* ---- bind to a scene (facts/lego-ani.md D) --------------------------------------------------- */

/* A scene of the caller's. Objects and parts belong to the caller, and the library only hands them
 * back. Every function may be null, which answers "none". Names are C strings, and the scene
 * compares them without regard to case. */
typedef struct RpAniScene {
    void *context;
    void *(*find_object)(void *context, const char *name); /* searches the top-level objects */
    /* Searches the object itself, then its direct children, then all below them depth-first. */
    void *(*find_part)(void *context, void *object, const char *name);
    /* returns null when there is no such variable */
    const char *(*variable)(void *context, const char *name);
    /* whether the name is one of the game's 66 */
    bool (*is_known_actor)(void *context, const char *name);
    const char *action; /* name of the action object      */
    uint32_t instance;  /* number of the running action */
} RpAniScene;

typedef enum RpAniActorKind {
    RP_ANI_ACTOR_MANAGED, /* type 2: the character manager makes it */
    RP_ANI_ACTOR_OBJECT,  /* types 3 and 4: an object made of a model */
    /* types 5 and 6: made of a model, unless the scene has an object of that name */
    RP_ANI_ACTOR_SCENE,
    RP_ANI_ACTOR_LOOKED_UP /* other types: nothing is made */
} RpAniActorKind;

typedef struct RpAniActorPlan {
    RpAniActorKind kind;
    bool create, visible; /* `create` is false for a SCENE actor that the scene has already */
    RpBuffer object;      /* the object's name, ending in a NUL */
    RpBuffer model;       /* name of the model to make it of, ending in a NUL; may be empty */
} RpAniActorPlan;

/* Plans what the game does for an actor at start-up. Free the plan's buffers with
 * RpAniActorPlan_Free. RP_INVALID stands for an actor that does not exist or has no name. */
RpStatus RpAni_PlanActor(const RpAni *ani, uint32_t actor, const RpAniScene *scene,
                         RpAniActorPlan *plan, RpError *error);
/* Frees the buffers of a plan. */
void RpAniActorPlan_Free(RpAniActorPlan *plan);

typedef struct RpAniBinding {
    void *object, *part; /* `part` moves, and `object` is the top-level object that it belongs to */
    char *key;           /* "object:node", or "node" for a node that is an object of its own */
} RpAniBinding;

/* index[node] is an index into `bindings` from 1 on, or 0 for a node that moves nothing. Nodes with
 * equal keys share a binding. */
typedef struct RpAniMap {
    uint32_t *index;
    RpAniBinding *bindings; /* [0] is empty                                                     */
    uint32_t count;         /* number of bindings, including [0] */
    const RpAllocator *allocator;
} RpAniMap;

/* Finds what each node of the tree moves in a scene, and writes the map from nodes to bindings.
 * Returns RP_OK, and a map that RpAniMap_Free frees, or RP_NO_MEMORY, which leaves the map
 * empty. */
RpStatus RpAni_Bind(const RpAni *ani, const RpAniScene *scene, RpAniMap *map, RpError *error);
/* Frees what a map owns, and leaves it empty. */
void RpAniMap_Free(RpAniMap *map);

/* ---- text and glTF --------------------------------------------------------------------------- */

/* Writes the whole file as JSON, from which RpAni_Assemble makes the same bytes. The error is
 * RP_NO_MEMORY. */
RpStatus RpAni_Dump(const RpAni *ani, RpBuffer *text, RpError *error);
/* Makes a new animation in *ani. Errors name the place in the text, such as
 * "nodes[3].rotation[1].value". RP_CORRUPT stands for a text that is no JSON or no such dump; *ani
 * is empty then. */
RpStatus RpAni_Assemble(const char *text, size_t size, const RpAllocator *allocator, RpAni *ani,
                        RpError *error);

typedef struct RpAniGltfOptions {
    RpAniPolicy policy;
    uint32_t step; /* milliseconds between baked keys where a blend is not linear; 0 means 50 */
    bool text;     /* writes .gltf with a data URI instead of .glb */
} RpAniGltfOptions;

/* Returns policy S, 50 ms and .glb. */
RpAniGltfOptions RpAniGltfOptions_Default(void);
/* Writes the animated tree and the camera as glTF 2.0: right-handed, y up, z mirrored, in seconds.
 * Null options are the defaults. RP_UNSUPPORTED stands for more than four million baked keys; a
 * larger step makes fewer. */
RpStatus RpAni_ExportGltf(const RpAni *ani, const RpAniGltfOptions *options, RpBuffer *file,
                          RpError *error);

RP_API_END

#endif
