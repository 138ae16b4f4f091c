/* The animation sequencer of the Asheron's Call client: the resources Animation (0x03......) and
 * MotionTable (0x09......), the sequence that plays animations, and the motion table's state
 * machine.
 *
 * docs/reference/sequencer.md is the manual. The behaviour is that of facts/ac-sequencer.md. Where
 * that document corrects seed 004, the comments name the correction (D-1 to D-38). "Retail" is the
 * client as it was sold. Its quirks are reproduced and can be switched off one by one.
 *
 * Times are seconds, frame rates are frames per second, lengths are metres, and angles are radians.
 * Quaternions are w, x, y, z (Hamilton). Results are the same on every machine, provided that the
 * processor rounds to nearest and keeps denormals (no flush to zero, no denormals as zeros: the
 * MXCSR that threads begin with): every step is binary64 and is rounded to binary32 where the
 * client has a float. The text forms need nothing of the thread (arithmetic.h). */
#ifndef RETROPOSE_SEQUENCER_H
#define RETROPOSE_SEQUENCER_H

#include "api.h"
#include "error.h"
#include "finding.h"
#include "memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

/* ---- frames (facts/ac-sequencer.md B.10) ----------------------------------------------------- */

/* A place and a rotation. A resource stores it as 28 bytes in this order. */
typedef struct RpAcFrame {
    float origin[3];
    float q[4]; /* w x y z */
} RpAcFrame;

/* The client's only epsilon (D-7), which is 0.0002 as a float. It is in hexadecimal because a
 * decimal float constant may have more bits where arithmetic is done in x87 registers. */
#define RP_AC_EPSILON 0x1.a36e2ep-13f

/* Makes a frame that neither moves nor turns. */
void RpAcFrame_Identity(RpAcFrame *frame);
/* Appends `by`, which is in frame's own space, to frame. */
void RpAcFrame_Combine(RpAcFrame *frame, const RpAcFrame *by);
/* Does the same with the origin of `by` multiplied by `scale`, component by component. Parts are
 * posed so. */
void RpAcFrame_CombineScaled(RpAcFrame *frame, const RpAcFrame *by, const float scale[3]);
/* Undoes RpAcFrame_Combine. */
void RpAcFrame_Subtract(RpAcFrame *frame, const RpAcFrame *by);
/* Turn the frame by the vector `omega`, whose length is the angle, in the frame's own space or in
 * the outer space. A length below RP_AC_EPSILON turns nothing. */
void RpAcFrame_Rotate(RpAcFrame *frame, const float omega[3]);
/* Turns a frame by a rotation vector, in radians, about the axes of the space that it is in. */
void RpAcFrame_RotateGlobally(RpAcFrame *frame, const float omega[3]);
/* Normalises `q` and sets it. If `q` is not usable (NaN, or length 0), the old rotation stays and
 * the result is false. */
bool RpAcFrame_SetRotation(RpAcFrame *frame, const float q[4]);
/* Returns whether no component is NaN and the rotation's squared length is within 0.001 of 1. */
bool RpAcFrame_IsValid(const RpAcFrame *frame);
/* The client's own interpolation of two frames, which it does not use for animation
 * (facts/ac-sequencer.md F). */
void RpAcFrame_Interpolate(const RpAcFrame *from, const RpAcFrame *to, float weight,
                           RpAcFrame *result);

/* ---- readings and quirks --------------------------------------------------------------------- */

/* Bits for the points on which public readers of the resources disagree (facts/ac-sequencer.md
 * A.2). The default is 0, which is what the client does. */
enum {
    /* ReplaceObject begins with a 16-bit part number instead of an 8-bit one */
    RP_AC_REPLACE_U16 = 1,
    RP_AC_TWEAKED_SWAPPED = 2 /* SoundTweaked stores priority, probability, volume in this order */
};

/* Bits for what the client does although nobody would expect it. All are set by default. A cleared
 * bit selects the behaviour that docs/reference/sequencer.md describes as sane. */
enum {
    /* boundary: the frame that a node ends on is left without its hooks, and position frame `low`
     * counts twice */
    RP_AC_QUIRK_BOUNDARY = 0x01,
    /* done-by-head: AnimDone is reported while the list's head is a link */
    RP_AC_QUIRK_DONE_BY_HEAD = 0x02,
    /* cycle-tail: of a cycle with several animations only the last repeats */
    RP_AC_QUIRK_CYCLE_TAIL = 0x04,
    RP_AC_QUIRK_UNSIGNED_LOW = 0x08, /* unsigned-low: a low of -1 becomes the last frame  */
    RP_AC_QUIRK_FROZEN_CYCLE = 0x10, /* frozen-cycle: a cycle slowed to 0 never runs again  */
    /* remodify-head: of several modifiers one is applied again and again, the others are not */
    RP_AC_QUIRK_REMODIFY_HEAD = 0x20,
    /* one-redundant: only the last entry of the queue is examined */
    RP_AC_QUIRK_ONE_REDUNDANT = 0x40,
    RP_AC_QUIRK_TYPE4 = 0x80, /* type4: an AnimationDone hook in a file is not treated as a hook */
    RP_AC_QUIRKS = 0xFF
};
/* Returns "boundary" and so on, by the position of the bit, and null past the last. */
const char *RpAcQuirk_Name(uint32_t bit);
/* Returns what a quirk is, as one sentence, by the position of the bit, and null past the last. */
const char *RpAcQuirk_Describe(uint32_t bit);
/* Parses a list of quirks that are switched off, such as "boundary,type4", while all others stay
 * on. The words "all" and "none" instead name the quirks that stay on. RP_INVALID stands for any
 * other word, and leaves *quirks as it was. */
RpStatus RpAcQuirks_Parse(const char *text, uint32_t *quirks, RpError *error);

/* ---- Animation (facts/ac-sequencer.md A.2) --------------------------------------------------- */

enum { RP_AC_HOOK_TYPES = 27, RP_AC_HOOK_MOST_BYTES = 40, RP_AC_HOOK_MOST_FIELDS = 12 };
enum { RP_AC_FORWARD = 1, RP_AC_BACKWARD = -1, RP_AC_BOTH = 0 };
enum {
    RP_AC_HOOK_ANIMATION_DONE = 4,
    RP_AC_HOOK_REPLACE_OBJECT = 5,
    RP_AC_HOOK_SOUND_TWEAKED = 21
};

typedef struct RpAcHook {
    uint32_t type;
    int32_t direction;
    uint32_t size; /* size of the payload with its padding, a multiple of 4 */
    uint8_t payload[RP_AC_HOOK_MOST_BYTES]; /* as in the file */
} RpAcHook;

typedef enum RpAcFieldKind {
    RP_AC_U8,
    RP_AC_U16,
    RP_AC_U32,
    RP_AC_I32,
    RP_AC_F32,
    RP_AC_PACKED_ID /* 16 bits, or 30 bits in two 16-bit words when the top bit of the first is set
                     */
} RpAcFieldKind;

typedef struct RpAcHookField {
    const char *name;
    RpAcFieldKind kind;
    uint32_t offset; /* byte in the payload */
} RpAcHookField;

/* Returns "Sound" and so on, and null for an unknown type. */
const char *RpAcHook_Name(uint32_t type);
/* Gives the fields of a type under `readings` and returns how many there are: 0 for none and for
 * unknown types. */
uint32_t RpAcHook_Fields(uint32_t type, uint32_t readings, RpAcHookField *fields);

typedef struct RpAcAnimation {
    uint32_t id;
    uint32_t flags; /* as stored; bit 0 says whether there are pos_frames */
    uint32_t part_count, frame_count;
    RpAcFrame *pos_frames; /* frame_count frames, or null */
    /* frame_count * part_count frames, of all parts for one animation frame after another */
    RpAcFrame *part_frames;
    /* frame_count + 1 numbers: hooks of frame i are [first_hook[i], first_hook[i + 1]) */
    uint32_t *first_hook;
    RpAcHook *hooks;
    uint32_t hook_count;
    uint8_t *trailing; /* the bytes that follow the last frame */
    size_t trailing_size;
    bool damaged; /* whether a tolerant reading lost something */
    const RpAllocator *allocator;
} RpAcAnimation;

/* Reads a resource. In strict mode the first broken rule of severity error
 * (docs/reference/sequencer.md) is the error, with its id in `what`. In tolerant mode whole frames
 * up to the first that does not fit are kept. On failure *animation is empty. Counts are checked
 * against the rest of the image before anything is allocated. RP_TRUNCATED stands for an image that
 * ends early, RP_UNSUPPORTED for a hook of unknown type, whose end is unknowable, RP_CORRUPT for
 * all other broken rules; in tolerant mode they are errors only where not one frame can be read. */
RpStatus RpAcAnimation_Read(const uint8_t *image, size_t size, RpReadMode mode,
                            const RpAllocator *allocator, RpAcAnimation *animation, RpError *error);
/* Frees what an animation owns, and leaves it empty. */
void RpAcAnimation_Free(RpAcAnimation *animation);
/* Appends the resource, with the same bytes as were read. RP_INVALID stands for a flag for position
 * frames that contradicts `pos_frames`. */
RpStatus RpAcAnimation_Write(const RpAcAnimation *animation, RpBuffer *image, RpError *error);
/* Checks all rules of a resource and reports each finding to `sink`. Returns RP_OK, or what
 * RpAcAnimation_Read returns for the first finding of severity error: RP_TRUNCATED, RP_UNSUPPORTED
 * or RP_CORRUPT. */
RpStatus RpAcAnimation_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                             const RpFindingSink *sink, RpError *error);
/* Appends the resource as JSON, with the fields of hooks under `readings`. The error is
 * RP_NO_MEMORY. */
RpStatus RpAcAnimation_Dump(const RpAcAnimation *animation, uint32_t readings, RpBuffer *json,
                            RpError *error);
/* Makes an animation of the JSON that RpAcAnimation_Dump writes. RP_CORRUPT stands for a text that
 * is no JSON or no such dump, and names the place in it; other errors are those of
 * RpAcAnimation_Read in strict mode. On failure *animation is empty. */
RpStatus RpAcAnimation_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                RpAcAnimation *animation, RpError *error);

/* ---- MotionTable (facts/ac-sequencer.md A.3) ------------------------------------------------- */

typedef struct RpAcAnimRef { /* the client calls it AnimData */
    uint32_t animation;
    int32_t low, high; /* both inclusive; a `high` of -1 means the last frame */
    float framerate;   /* negative numbers play backwards */
} RpAcAnimRef;

enum { RP_AC_DATA_CLEARS_MODIFIERS = 1, RP_AC_DATA_FROM_DEFAULT_ONLY = 2 }; /* bits of `bitfield` */
enum { RP_AC_DATA_VELOCITY = 1, RP_AC_DATA_OMEGA = 2 };                     /* bits of `flags` */

typedef struct RpAcMotionData {
    /* RpAc_Key(style, motion) of cycles and modifiers; of links, the full target motion */
    uint32_t key;
    uint8_t bitfield, flags, padding;
    uint8_t ref_count;
    uint32_t first_ref;          /* index in the table's `refs` */
    float velocity[3], omega[3]; /* zero where `flags` leave them out */
} RpAcMotionData;

typedef struct RpAcLink {
    /* RpAc_Key(style, from substate), or style << 16 when it leads from any substate */
    uint32_t key;
    uint32_t first, count; /* a range of the table's `targets` */
} RpAcLink;

typedef struct RpAcStyle {
    uint32_t style, substate;
} RpAcStyle;

typedef struct RpAcMotionTable {
    uint32_t id, default_style;
    RpAcStyle *styles;
    RpAcMotionData *cycles, *modifiers, *targets;
    RpAcLink *links;
    RpAcAnimRef *refs;
    uint32_t style_count, cycle_count, modifier_count, link_count, target_count, ref_count;
    uint32_t *order; /* private: the order in which the lists above are searched */
    uint8_t *trailing;
    size_t trailing_size;
    bool damaged;
    const RpAllocator *allocator;
} RpAcMotionTable;

/* Returns (style << 16) | (motion & 0xFFFFFF). */
uint32_t RpAc_Key(uint32_t style, uint32_t motion);

/* Reads a resource, strictly or tolerantly as RpAcAnimation_Read does. RP_TRUNCATED stands for an
 * image that ends early and RP_CORRUPT for all other broken rules; in tolerant mode the only error
 * is RP_NO_MEMORY. On failure *table is empty. */
RpStatus RpAcMotionTable_Read(const uint8_t *image, size_t size, RpReadMode mode,
                              const RpAllocator *allocator, RpAcMotionTable *table, RpError *error);
/* Frees what a table owns, and leaves it empty. */
void RpAcMotionTable_Free(RpAcMotionTable *table);
/* Appends the resource, with the same bytes as were read. The error is RP_NO_MEMORY. */
RpStatus RpAcMotionTable_Write(const RpAcMotionTable *table, RpBuffer *image, RpError *error);
/* Checks all rules of a resource and reports each finding to `sink`. Errors are those of
 * RpAcAnimation_Check. */
RpStatus RpAcMotionTable_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                               const RpFindingSink *sink, RpError *error);
/* Reports, by rule Q37, where motions ask for frames that their animations do not have. Of the
 * animations, which are in ascending order of their ids, only ids and numbers of frames are looked
 * at. */
void RpAcMotionTable_CheckFrames(const RpAcMotionTable *table, const RpAcAnimation *animations,
                                 size_t count, const RpFindingSink *sink);
/* Appends the table as JSON. The error is RP_NO_MEMORY. */
RpStatus RpAcMotionTable_Dump(const RpAcMotionTable *table, RpBuffer *json, RpError *error);
/* Makes a table of the JSON that RpAcMotionTable_Dump writes. RP_CORRUPT stands for a text that is
 * no JSON or no such dump, and names the place in it; other errors are those of
 * RpAcMotionTable_Read in strict mode. On failure *table is empty. */
RpStatus RpAcMotionTable_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                  RpAcMotionTable *table, RpError *error);

/* These look-ups take logarithmic time. Of equal keys, the first in the file is found. The result
 * is null if there is none, and 0 for a style without a default. */
const RpAcMotionData *RpAcMotionTable_Cycle(const RpAcMotionTable *table, uint32_t key);
/* Finds a modifier by its key, in the same way. */
const RpAcMotionData *RpAcMotionTable_Modifier(const RpAcMotionTable *table, uint32_t key);
/* Finds the target of a link by the link's key and the full motion that it leads to. */
const RpAcMotionData *RpAcMotionTable_Link(const RpAcMotionTable *table, uint32_t key,
                                           uint32_t motion);
/* Returns the default substate of a style. */
uint32_t RpAcMotionTable_Default(const RpAcMotionTable *table, uint32_t style);

/* ---- sequence (facts/ac-sequencer.md B) ------------------------------------------------------ */

/* Where animations come from. `find` returns null when there is no animation of that id. What it
 * returns must stay valid. */
typedef struct RpAcLibrary {
    const RpAcAnimation *(*find)(void *context, uint32_t id);
    void *context;
} RpAcLibrary;

#define RP_AC_NO_NODE    UINT16_MAX
#define RP_AC_MOST_NODES 256
/* The most passes and frame crossings of one update. Retail would hang beyond it; here the update
 * is RP_UNSUPPORTED. */
#define RP_AC_MOST_STEPS 100000u

typedef struct RpSequenceNode {
    const RpAcAnimation *animation;
    float framerate;
    float stored_framerate; /* as it was appended */
    int32_t low, high;      /* both inclusive */
    uint16_t next, previous;
} RpSequenceNode;

/* Callers may read all fields. Nodes refer to each other by index in `nodes`. */
typedef struct RpSequence {
    RpSequenceNode *nodes;
    uint16_t capacity, count, head, tail, first_cyclic, current, unused;
    double frame_number;
    float velocity[3], omega[3];
    const RpAcAnimation *placement; /* what is shown while nothing plays */
    uint32_t placement_frame;
    uint32_t quirks;
    bool has_hooks; /* if false, hooks and AnimDone are dropped */
    RpAcLibrary library;
} RpSequence;

typedef struct RpSequenceEvent {
    const RpAcHook *hook; /* null stands for AnimDone */
    const RpAcAnimation *animation;
    uint32_t frame;
    int32_t direction; /* direction of play */
} RpSequenceEvent;

/* Receives events in the order in which the client queues them; the client runs them when the
 * update is over. The sink must not touch the sequence. */
typedef void RpSequenceSink(void *context, const RpSequenceEvent *event);

/* Makes an empty sequence. `nodes` belong to the caller and must outlive the sequence. At most
 * RP_AC_MOST_NODES of them are used. */
void RpSequence_Init(RpSequence *sequence, RpSequenceNode *nodes, uint16_t capacity,
                     const RpAcLibrary *library);
/* Appends an animation. RP_NOT_FOUND stands for an unknown animation, and nothing is appended
 * (D-4). RP_NO_MEMORY means that no node is left, RP_INVALID that the animation has no frames. */
RpStatus RpSequence_Append(RpSequence *sequence, const RpAcAnimRef *ref, RpError *error);
/* Advances by `quantum` seconds. `offset`, which may be null, is combined with the movement of the
 * update. After an error the sequence and the offset are as before, although the sink has already
 * received events. RP_INVALID stands for a quantum that is not finite, RP_UNSUPPORTED for more than
 * RP_AC_MOST_STEPS steps, where the client would hang. */
RpStatus RpSequence_Update(RpSequence *sequence, double quantum, RpAcFrame *offset,
                           RpSequenceSink *sink, void *context, RpError *error);

/* Removes all nodes, and clears the physics and the placement. */
void RpSequence_Clear(RpSequence *sequence);
/* Removes all nodes, and puts the cursor to frame 0. */
void RpSequence_ClearAnimations(RpSequence *sequence);
/* Sets velocity and omega to 0. */
void RpSequence_ClearPhysics(RpSequence *sequence);
/* Sets the velocity, in units a second, and omega, in radians a second. */
void RpSequence_SetPhysics(RpSequence *sequence, const float velocity[3], const float omega[3]);
/* Adds to velocity and omega. */
void RpSequence_CombinePhysics(RpSequence *sequence, const float velocity[3], const float omega[3]);
/* Subtracts from velocity and omega. */
void RpSequence_SubtractPhysics(RpSequence *sequence, const float velocity[3],
                                const float omega[3]);
/* Removes the cyclic nodes. A link that plays goes on; where a cyclic node played, the cursor
 * goes to the end of the node before it. */
void RpSequence_RemoveCyclic(RpSequence *sequence);
/* Removes up to `count` links in front of the cyclic nodes, beginning with the one nearest to them.
 */
void RpSequence_RemoveLinks(RpSequence *sequence, uint32_t count);
/* Removes all links in front of the cyclic nodes. */
void RpSequence_RemoveAllLinks(RpSequence *sequence);
/* Multiplies the frame rates of the cyclic nodes. A negative factor is RP_INVALID, because retail
 * never ends with one (facts/ac-sequencer.md C.6). */
RpStatus RpSequence_MultiplyFramerate(RpSequence *sequence, float factor, RpError *error);
/* Sets what is shown while nothing plays: a frame of an animation, which may be null. */
void RpSequence_SetPlacement(RpSequence *sequence, const RpAcAnimation *animation, uint32_t frame);

/* Returns the frame number that a node begins with, by the direction in which it plays. */
double RpSequenceNode_Start(const RpSequenceNode *node);
/* Returns the frame number that a node ends with, by the direction in which it plays. */
double RpSequenceNode_End(const RpSequenceNode *node);

/* Gives the pose that is shown now as a frame of an animation, or returns false when there is none.
 */
bool RpSequence_CurrentFrame(const RpSequence *sequence, const RpAcAnimation **animation,
                             uint32_t *frame);
/* Gives the parts' frames in the space of the object: the object's frame combined with the part's,
 * whose origin is scaled. Retail takes the frame at or below the cursor; `interpolate` asks for a
 * blend towards the next one. Returns how many of `count` parts were written. */
uint32_t RpSequence_Pose(const RpSequence *sequence, const RpAcFrame *object, const float scale[3],
                         bool interpolate, RpAcFrame *parts, uint32_t count);

/* ---- motion: the state machine (facts/ac-sequencer.md C) ------------------------------------- */

#define RP_AC_STYLE    0x80000000u
#define RP_AC_SUBSTATE 0x40000000u
#define RP_AC_MODIFIER 0x20000000u
#define RP_AC_ACTION   0x10000000u
#define RP_AC_READY    0x41000003u
typedef enum RpAcCommand { RP_AC_DO = 2, RP_AC_STOP = 4, RP_AC_STOP_ALL = 5 } RpAcCommand;
enum { RP_AC_DONE = 0, RP_AC_NO_TABLE = 7, RP_AC_REFUSED = 67 }; /* results of a command */

typedef struct RpAcListed {
    uint32_t motion;
    float speed;
} RpAcListed;

typedef struct RpAcPending {
    uint32_t motion, animations;
} RpAcPending;

enum { RP_AC_MOST_MODIFIERS = 16, RP_AC_MOST_ACTIONS = 32, RP_AC_MOST_PENDING = 64 };

/* One object in motion. Callers may read all fields. */
typedef struct RpMotion {
    const RpAcMotionTable *table; /* null when the object has no table */
    RpSequence sequence;
    uint32_t style, substate;
    float substate_speed;
    RpAcListed modifiers[RP_AC_MOST_MODIFIERS]; /* [0] is the head, which was pushed last */
    RpAcListed actions[RP_AC_MOST_ACTIONS];     /* [0] is the oldest */
    RpAcPending pending[RP_AC_MOST_PENDING];
    uint32_t modifier_count, action_count, pending_count;
    int32_t animation_counter;
    /* Called when a motion ends, in order. It may be null, and must not touch the object. */
    void (*motion_done)(void *context, uint32_t motion, bool success);
    void *context;
} RpMotion;

/* Makes an object that has not started. `nodes` belong to the caller and must outlive it, as
 * must the table, which may be null, and the library. */
void RpMotion_Init(RpMotion *motion, const RpAcMotionTable *table, RpSequenceNode *nodes,
                   uint16_t capacity, const RpAcLibrary *library);
/* Enters the default state and puts it into the queue. RP_NOT_FOUND means that the table has none.
 */
RpStatus RpMotion_Start(RpMotion *motion, RpError *error);
/* Performs a command. *result becomes RP_AC_DONE or another result of a command. Other statuses
 * than RP_OK are limits of this library: RP_NO_MEMORY where a list is full or no node is left,
 * RP_UNSUPPORTED where the client would hang, and RP_INVALID for an animation that cannot play
 * (RpSequence_Append) or a command that does not exist. They leave the object as it was. */
RpStatus RpMotion_Perform(RpMotion *motion, RpAcCommand command, uint32_t id, float speed,
                          uint32_t *result, RpError *error);
/* Performs one step of physics: the update, then the hooks in order (in which AnimDone ends
 * motions), then the completed motions. Errors are those of RpSequence_Update; nothing has been
 * performed then. */
RpStatus RpMotion_Tick(RpMotion *motion, double quantum, RpAcFrame *offset, RpSequenceSink *sink,
                       void *context, RpError *error);
/* Tells that an animation of the queue has ended, as AnimDone does in RpMotion_Tick. */
void RpMotion_AnimationDone(RpMotion *motion, bool success);
/* Ends the motions at the front of the queue that have no animations left. */
void RpMotion_CheckCompleted(RpMotion *motion);
/* Removes the links, and ends the motions of the queue without success, as the client does when the
 * object enters the world. */
void RpMotion_EnterWorld(RpMotion *motion);
/* Ends the motions of the queue without success, as the client does when the object leaves the
 * world. */
void RpMotion_ExitWorld(RpMotion *motion);

/* Runs the state machine alone, for engines that have a queue of their own. *animations is how many
 * animations the command adds to that queue. *done is false when the command was refused.
 * RP_NOT_FOUND stands for an object without a motion table. RP_NO_MEMORY means that a list is full
 * or no node is left, RP_INVALID that an animation of the command cannot play (RpSequence_Append),
 * RP_UNSUPPORTED that the client would hang; the object stays as it was. */
RpStatus RpMotion_GetSequence(RpMotion *motion, uint32_t id, float speed, bool stop_modifiers,
                              bool *done, uint32_t *animations, RpError *error);
/* Stops a motion, as RP_AC_STOP does, without a queue. Errors are those of RpMotion_GetSequence. */
RpStatus RpMotion_Stop(RpMotion *motion, uint32_t id, bool *done, uint32_t *animations,
                       RpError *error);
/* Stops all motions, as RP_AC_STOP_ALL does, without a queue. Errors are those of
 * RpMotion_GetSequence. */
RpStatus RpMotion_StopCompletely(RpMotion *motion, bool *done, uint32_t *animations,
                                 RpError *error);

/* ---- saved states ---------------------------------------------------------------------------- */

/* A saved state consists of words of 32 bits, in the order of docs/reference/sequencer.md. It holds
 * everything but library, table and callbacks. A restored object continues bit for bit. */
uint32_t RpMotion_StateWords(const RpMotion *motion);
/* Writes the state: RpMotion_StateWords words. */
void RpMotion_Save(const RpMotion *motion, uint32_t *words);
/* Restores a saved state. Words behind it are ignored. RP_CORRUPT stands for words that no object
 * gives, RP_NOT_FOUND for an animation that the library lacks, RP_NO_MEMORY for too few nodes. The
 * object is then as it was. */
RpStatus RpMotion_Restore(RpMotion *motion, const uint32_t *words, uint32_t count, RpError *error);

RP_API_END

#endif
