/* LEGO Island (1997) animations, `.ani`: read, check, build, write, sample, bind.
 *
 * A file is a presenter's header, a list of actors, a duration, the tracks of a camera where the
 * header says so, and one tree of nodes with four tracks each. docs/formats/ani.md is the manual;
 * the layout is that of seed 002 and facts/lego-ani.md A, sampling is facts/lego-ani.md B.
 *
 * Times are milliseconds. Matrices are 16 floats of the original's layout: row-major, for row
 * vectors, translation in 12, 13, 14. Names are bytes with a length; a NUL follows them in memory.
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
    RP_ANI_MOST_TIME = 0xFFFFFF, /* 24 bits: 4 h 39 m 37.215 s                                  */
    RP_ANI_MOST_KEYS = 0xFFFF,   /* of one track                                                */
    RP_ANI_MOST_DEPTH = 256      /* ours: the original recurses until its stack is full         */
};

/* Flags of a key. Others are kept and mean nothing. */
enum {
    RP_ANI_ACTIVE = 0x01, /* the value takes part; also set by the value itself: see `active`   */
    RP_ANI_NEGATE = 0x02, /* rotation, on the later key of two: it is negated before blending   */
    RP_ANI_HOLD = 0x04    /* rotation, on the later key of two: the earlier one stays until then */
};

typedef enum RpAniTrackKind {
    RP_ANI_TRANSLATION, /* value: x y z                                                         */
    RP_ANI_ROTATION,    /* value: w x y z                                                       */
    RP_ANI_SCALE,       /* value: x y z                                                         */
    RP_ANI_MORPH,       /* visible                                                              */
    RP_ANI_NODE_TRACKS,
    RP_ANI_EYE = RP_ANI_NODE_TRACKS, /* of the camera: a translation                            */
    RP_ANI_TARGET,                   /* of the camera: a translation                            */
    RP_ANI_ROLL,                     /* of the camera: value[0] in radians                      */
    RP_ANI_TRACK_KINDS,
    RP_ANI_CAMERA_TRACKS = RP_ANI_TRACK_KINDS - RP_ANI_NODE_TRACKS
} RpAniTrackKind;

typedef struct RpAniKey {
    uint32_t time;   /* 0 to RP_ANI_MOST_TIME                                                   */
    uint8_t flags;   /* as stored: what is written back                                         */
    uint8_t visible; /* morph: as stored; not 0 means visible                                   */
    bool active;     /* as the game sees it: the stored bit, or a value that has an effect
                        (facts/lego-ani.md A.4). The library sets it wherever keys are set      */
    float value[4];  /* as many as the kind has; the bits of the file                           */
} RpAniKey;

typedef struct RpAniTrack {
    RpAniKey *keys;
    uint32_t count;  /* 0 to RP_ANI_MOST_KEYS                                                   */
    bool ordered;    /* times never decrease: searching needs no history                        */
    uint64_t offset; /* of the count in the file that was read, or RP_NOWHERE                   */
} RpAniTrack;

typedef struct RpAniName {
    char *bytes; /* never null; a NUL follows                                                   */
    uint32_t length;
} RpAniName;

typedef struct RpAniActor {
    RpAniName name; /* of length 0: the file holds no type                                      */
    uint32_t type;
    uint64_t offset;
} RpAniActor;

#define RP_ANI_NO_NODE UINT32_MAX

/* Nodes lie in pre-order: the root first, a parent before its children, a subtree together. */
typedef struct RpAniNode {
    RpAniName name;
    uint32_t parent; /* RP_ANI_NO_NODE: the root                                                */
    uint32_t depth;  /* root 0                                                                  */
    uint32_t children;
    uint32_t descendants; /* the subtree without the node itself                                */
    RpAniTrack tracks[RP_ANI_NODE_TRACKS];
    uint64_t offset;
} RpAniNode;

/* Fields may be read, and plain numbers changed; lists change through the functions below. */
typedef struct RpAni {
    bool has_header; /* false: a bare body, as world.wdb embeds it: no camera either            */
    int32_t magic;
    float radius, centre[3];
    int32_t has_camera; /* not 0: the file holds the camera's tracks                            */
    int32_t unused;     /* the header's last word                                               */
    RpAniActor *actors;
    uint32_t actor_count;
    int32_t duration;
    RpAniTrack camera[RP_ANI_CAMERA_TRACKS]; /* [kind - RP_ANI_NODE_TRACKS]                     */
    RpAniNode *nodes;
    uint32_t node_count;
    uint8_t *trailing; /* what follows the tree                                                 */
    size_t trailing_size;
    bool damaged; /* read tolerantly, and something was lost                                    */
    uint32_t actor_capacity, node_capacity;
    const RpAllocator *allocator;
} RpAni;

typedef enum RpAniForm {
    RP_ANI_FILE, /* header and body                                                             */
    RP_ANI_BODY  /* body alone                                                                  */
} RpAniForm;

/* "translation", "rotation", "scale", "morph", "eye", "target", "roll". */
const char *RpAniTrackKind_Name(RpAniTrackKind kind);
/* Bytes of one key in a file: 16, 20, 16, 5, 16, 16, 8. */
uint32_t RpAniTrackKind_Bytes(RpAniTrackKind kind);
/* Numbers in `value`: 3, 4, 3, 0, 3, 3, 1. */
uint32_t RpAniTrackKind_Numbers(RpAniTrackKind kind);

/* ---- read, check, write ---------------------------------------------------------------------- */

/* Strict: the first broken rule of severity error (docs/formats/ani.md) is the error, its id in
 * `what`. Tolerant: everything in front of the first thing that does not fit is kept, whole keys
 * and nodes only, and `damaged` is set. Allocates at most about 60 times the input, of which counts
 * are checked first. On failure *ani is empty. */
RpStatus RpAni_Read(const uint8_t *image, size_t size, RpAniForm form, RpReadMode mode,
                    const RpAllocator *allocator, RpAni *ani, RpError *error);
/* Bytes that the header, body and tree take; the rest of the file is `trailing`. */
uint64_t RpAni_ParsedSize(const RpAni *ani);
/* Every rule, to `sink`; RP_OK, or the first finding of severity error. */
RpStatus RpAni_Check(const uint8_t *image, size_t size, RpAniForm form,
                     const RpAllocator *allocator, const RpFindingSink *sink, RpError *error);
/* Appends the file. What was read and not changed is written byte for byte: stored flags, bits of
 * floats, names with NULs in them, trailing bytes. RP_INVALID when there is no root. */
RpStatus RpAni_Write(const RpAni *ani, RpBuffer *image, RpError *error);

/* ---- build ----------------------------------------------------------------------------------- */

/* An empty file: magic and header there, radius and centre 0, no actors, no root. */
void RpAni_Init(RpAni *ani, const RpAllocator *allocator);
void RpAni_Free(RpAni *ani);

RpAniKey RpAniKey_Translation(uint32_t time, uint8_t flags, float x, float y, float z);
RpAniKey RpAniKey_Rotation(uint32_t time, uint8_t flags, float w, float x, float y, float z);
RpAniKey RpAniKey_Scale(uint32_t time, uint8_t flags, float x, float y, float z);
RpAniKey RpAniKey_Morph(uint32_t time, uint8_t flags, uint8_t visible);
RpAniKey RpAniKey_Roll(uint32_t time, uint8_t flags, float radians);

/* Names are copied; `length` UINT32_MAX asks for strlen. On failure nothing changes. */
RpStatus RpAni_AddActor(RpAni *ani, const char *name, uint32_t length, uint32_t type,
                        RpError *error);
/* A child behind the other children of `parent`, or the root (RP_ANI_NO_NODE). *index (may be
 * null) is the new node; the nodes from there on move up by one. RP_UNSUPPORTED beyond
 * RP_ANI_MOST_DEPTH. */
RpStatus RpAni_AddNode(RpAni *ani, uint32_t parent, const char *name, uint32_t length,
                       uint32_t *index, RpError *error);
/* With all its descendants. */
RpStatus RpAni_RemoveNode(RpAni *ani, uint32_t node, RpError *error);
RpStatus RpAni_RenameNode(RpAni *ani, uint32_t node, const char *name, uint32_t length,
                          RpError *error);
/* Replaces a track by a copy of `keys`; `active` of the copies is worked out. `node` is ignored for
 * tracks of the camera, and has_camera becomes 1 if it was 0 and the track gets keys. */
RpStatus RpAni_SetKeys(RpAni *ani, uint32_t node, RpAniTrackKind kind, const RpAniKey *keys,
                       uint32_t count, RpError *error);
RpStatus RpAni_SetTrailing(RpAni *ani, const void *bytes, size_t size, RpError *error);

/* The first node of that name behind `after` (RP_ANI_NO_NODE: from the root), whatever the case of
 * ASCII letters; RP_ANI_NO_NODE when there is none. */
uint32_t RpAni_FindNode(const RpAni *ani, const char *name, uint32_t after);

/* ---- sample ---------------------------------------------------------------------------------- */

/* How expressions round (facts/lego-ani.md B.8). Neither depends on the compiler or the machine:
 * the steps are those of docs/formats/ani.md, with the processor rounding to nearest. */
typedef enum RpAniPolicy {
    RP_ANI_POLICY_S, /* every float operation rounds to binary32: an SSE build of the source    */
    RP_ANI_POLICY_D, /* binary64 inside an expression: nearest to the retail x87 build          */
    RP_ANI_POLICIES
} RpAniPolicy;

/* "S", "D". */
const char *RpAniPolicy_Name(RpAniPolicy policy);
/* Takes "S", "s", "strict", "D", "d", "double". */
RpStatus RpAniPolicy_Parse(const char *name, RpAniPolicy *policy, RpError *error);

/* Where searches of a node's tracks stopped last. Zero to begin with. For times that never go
 * back a search is O(1) on the average; for tracks whose times decrease somewhere the result
 * depends on it, as the original's does. */
typedef struct RpAniCursor {
    uint32_t key[RP_ANI_NODE_TRACKS];
} RpAniCursor;
typedef struct RpAniCameraCursor {
    uint32_t key[RP_ANI_CAMERA_TRACKS];
} RpAniCameraCursor;

/* The keys that time `time` lies on or between: returns how many (0: before the first; 1: on one,
 * or behind the last; 2), and their index or the first one's in *key. `cursor` may be null: then
 * an ordered track is searched by halves, another from its start. */
uint32_t RpAniTrack_Find(const RpAniTrack *track, float time, uint32_t *cursor, uint32_t *key);

/* What a node's tracks say, before they become a matrix. */
typedef struct RpAniParts {
    bool translates, rotates, scales; /* false: nothing; the values are then those of identity  */
    float translation[3];
    float rotation[4]; /* w x y z, as blended: of any length                                    */
    float scale[3];
} RpAniParts;

void RpAni_SampleParts(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, RpAniParts *parts);
/* The local matrix: scale, then rotation, then translation. `node` < node_count. */
void RpAni_SampleLocal(const RpAni *ani, uint32_t node, float time, RpAniPolicy policy,
                       RpAniCursor *cursor, float local[16]);
/* The morph byte, 1 in front of the first key and without keys. */
uint8_t RpAni_SampleVisible(const RpAni *ani, uint32_t node, float time, RpAniCursor *cursor);

/* The whole tree at `time`, which the original takes as an integer. `cursors`: node_count or null.
 * `parent`: of the root; null: the identity. Results have node_count elements or are null; world
 * needs local. */
void RpAni_Sample(const RpAni *ani, int32_t time, RpAniPolicy policy, RpAniCursor *cursors,
                  const float parent[16], float (*local)[16], float (*world)[16], uint8_t *visible);
/* c = a x b, as worlds are made. c is neither a nor b. */
void RpAni_Multiply(const float a[16], const float b[16], RpAniPolicy policy, float c[16]);

typedef enum RpAniCameraResult {
    RP_ANI_CAMERA_MOVED,
    RP_ANI_CAMERA_AT_TARGET,   /* eye and target coincide: the matrix stays as it is            */
    RP_ANI_CAMERA_UPRIGHT,     /* looking straight up or down: the matrix stays as it is        */
    RP_ANI_CAMERA_WITHOUT_GOAL /* no target keys: the original reads an uninitialised vector.
                                  The matrix stays as it is                                     */
} RpAniCameraResult;

/* `matrix` is the base going in and the camera coming out; rows 0 to 2 are right, up, ahead. */
RpAniCameraResult RpAni_SampleCamera(const RpAni *ani, float time, RpAniPolicy policy,
                                     RpAniCameraCursor *cursor, float matrix[16]);

/* The time a looping presenter samples: elapsed modulo the duration. RP_INVALID for durations that
 * are not positive, by which the original divides. */
RpStatus RpAni_LoopTime(const RpAni *ani, int32_t elapsed, int32_t *time, RpError *error);
/* A float time, as the walk over the tree takes it: cut towards zero. What 32 bits cannot hold
 * becomes INT32_MIN. */
int32_t RpAni_WalkTime(float time);
/* The phase of a path actor, which walks the children of the root only: time minus whole durations,
 * in binary32. */
float RpAni_PathPhase(const RpAni *ani, float time);

/* ---- bind to a scene (facts/lego-ani.md D) --------------------------------------------------- */

/* A caller's scene. Objects and parts are the caller's; the library only hands them back. Every
 * function may be null, which answers "none". Names are C strings; the scene compares them without
 * regard to case. */
typedef struct RpAniScene {
    void *context;
    void *(*find_object)(void *context, const char *name); /* top-level objects                 */
    /* The object itself, then its direct children, then depth-first. */
    void *(*find_part)(void *context, void *object, const char *name);
    const char *(*variable)(void *context, const char *name); /* null: no such variable         */
    bool (*is_known_actor)(void *context, const char *name);  /* of the game's 66               */
    const char *action;                                       /* name of the action object      */
    uint32_t instance;                                        /* of the running action          */
} RpAniScene;

typedef enum RpAniActorKind {
    RP_ANI_ACTOR_MANAGED,  /* type 2: the character manager makes it                          */
    RP_ANI_ACTOR_OBJECT,   /* types 3, 4: an object of a model                                */
    RP_ANI_ACTOR_SCENE,    /* types 5, 6: of a model, unless the scene has one of that name   */
    RP_ANI_ACTOR_LOOKED_UP /* others: nothing is made                                         */
} RpAniActorKind;

typedef struct RpAniActorPlan {
    RpAniActorKind kind;
    bool create, visible; /* create: SCENE is false when the scene has the object                */
    RpBuffer object;      /* name, ending in NUL                                                */
    RpBuffer model;       /* name of the model to make it of, ending in NUL; may be empty       */
} RpAniActorPlan;

/* What start-up does for an actor. Free the plan's buffers with RpAniActorPlan_Free. */
RpStatus RpAni_PlanActor(const RpAni *ani, uint32_t actor, const RpAniScene *scene,
                         RpAniActorPlan *plan, RpError *error);
void RpAniActorPlan_Free(RpAniActorPlan *plan);

typedef struct RpAniBinding {
    void *object, *part; /* part: what moves; object: the top-level object it belongs to      */
    char *key;           /* "object:node", or "node" for an object of its own                 */
} RpAniBinding;

/* index[node]: 1 and up into bindings, 0 for nodes that move nothing. Equal keys share one. */
typedef struct RpAniMap {
    uint32_t *index;
    RpAniBinding *bindings; /* [0] is empty                                                     */
    uint32_t count;         /* with [0]                                                         */
    const RpAllocator *allocator;
} RpAniMap;

RpStatus RpAni_Bind(const RpAni *ani, const RpAniScene *scene, RpAniMap *map, RpError *error);
void RpAniMap_Free(RpAniMap *map);

/* ---- text and glTF --------------------------------------------------------------------------- */

/* The whole file as JSON, from which RpAni_Assemble makes the same bytes. */
RpStatus RpAni_Dump(const RpAni *ani, RpBuffer *text, RpError *error);
/* *ani is a new animation. Errors name the place in the text: "nodes[3].rotation[1].value". */
RpStatus RpAni_Assemble(const char *text, size_t size, const RpAllocator *allocator, RpAni *ani,
                        RpError *error);

typedef struct RpAniGltfOptions {
    RpAniPolicy policy;
    uint32_t step; /* ms between baked keys where a blend is not linear; 0: 50                  */
    bool text;     /* .gltf with a data URI, else .glb                                          */
} RpAniGltfOptions;

/* The animated tree and the camera as glTF 2.0: right-handed, y up, z mirrored, seconds.
 * RP_UNSUPPORTED beyond four million baked keys: a larger step makes fewer. */
RpStatus RpAni_ExportGltf(const RpAni *ani, const RpAniGltfOptions *options, RpBuffer *file,
                          RpError *error);

/* A page that plays the tree and the camera, as an HTML file that needs nothing but a browser, with
 * the GLB in it. The step is that of the page's poses, too; `text` is ignored. RP_UNSUPPORTED for
 * over a million matrices. */
RpStatus RpAni_View(const RpAni *ani, const RpAniGltfOptions *options, const char *name,
                    RpBuffer *html, RpError *error);

RP_API_END

#endif
