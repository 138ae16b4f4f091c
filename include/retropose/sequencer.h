/* The animation sequencer of the Asheron's Call client: the resources Animation (0x03......) and
 * MotionTable (0x09......), the sequence that plays animations, and the motion table's state
 * machine.
 *
 * docs/sequencer.md is the manual. Behaviour is that of facts/ac-sequencer.md; where it corrects
 * the seed, the code names the correction (D-1 to D-38). Retail's quirks are kept and can be
 * switched off one by one.
 *
 * Times are seconds, frame rates frames per second, lengths metres, angles radians. Quaternions are
 * w, x, y, z (Hamilton). Results are the same on every machine: every step is binary64 and is
 * rounded to binary32 where the client has a float; the processor must round to nearest.
 */
#ifndef RETROPOSE_SEQUENCER_H
#define RETROPOSE_SEQUENCER_H

#include "error.h"
#include "finding.h"
#include "memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frames (facts/ac-sequencer.md B.10) ----------------------------------------------------- */

/* A place and a rotation: 28 bytes in a resource, in this order. */
typedef struct RpAcFrame {
    float origin[3];
    float q[4]; /* w x y z */
} RpAcFrame;

/* The client's one epsilon (D-7), 0.0002 as a float; in hexadecimal, because a decimal float
 * constant may have more bits where arithmetic is done in x87 registers. */
#define RP_AC_EPSILON 0x1.a36e2ep-13f

void RpAcFrame_Identity(RpAcFrame *frame);
/* frame = frame then `by`, in frame's own space. */
void RpAcFrame_Combine(RpAcFrame *frame, const RpAcFrame *by);
/* As Combine, with by's origin times `scale`, component by component: how parts are posed. */
void RpAcFrame_CombineScaled(RpAcFrame *frame, const RpAcFrame *by, const float scale[3]);
/* Undoes Combine. */
void RpAcFrame_Subtract(RpAcFrame *frame, const RpAcFrame *by);
/* Turns by the vector `omega`, whose length is the angle, in frame's own or in the outer space.
 * Less than RP_AC_EPSILON is nothing. */
void RpAcFrame_Rotate(RpAcFrame *frame, const float omega[3]);
void RpAcFrame_RotateGlobally(RpAcFrame *frame, const float omega[3]);
/* Normalises; keeps the old rotation and returns false when `q` is not usable (NaN, length 0). */
bool RpAcFrame_SetRotation(RpAcFrame *frame, const float q[4]);
/* Whether no component is NaN and the rotation's squared length is within 0.001 of 1. */
bool RpAcFrame_IsValid(const RpAcFrame *frame);
/* The client's slerp and lerp, which it does not use for animation (facts/ac-sequencer.md F). */
void RpAcFrame_Interpolate(const RpAcFrame *from, const RpAcFrame *to, float weight,
                           RpAcFrame *result);

/* ---- readings and quirks --------------------------------------------------------------------- */

/* Where public readers of the resources disagree (facts/ac-sequencer.md A.2); bits. The default is
 * the client's. */
enum {
    RP_AC_REPLACE_U16 = 1, /* ReplaceObject begins with a u16 part, not a u8                    */
    RP_AC_TWEAKED_SWAPPED = 2 /* SoundTweaked: priority, probability, volume */
};

/* What the client does and nobody would expect; bits, all set by default. Cleared: the sane
 * reading, docs/sequencer.md says which. */
enum {
    RP_AC_QUIRK_BOUNDARY = 0x01, /* boundary: the frame a node ends on is left without its hooks;
                                    position frame `low` counts twice                         */
    RP_AC_QUIRK_DONE_BY_HEAD = 0x02,  /* done-by-head: AnimDone while the list's head is a link  */
    RP_AC_QUIRK_CYCLE_TAIL = 0x04,    /* cycle-tail: of a cycle with several animations only the
                                         last repeats                                              */
    RP_AC_QUIRK_UNSIGNED_LOW = 0x08,  /* unsigned-low: a low of -1 becomes the last frame  */
    RP_AC_QUIRK_FROZEN_CYCLE = 0x10,  /* frozen-cycle: a cycle slowed to 0 never runs again  */
    RP_AC_QUIRK_REMODIFY_HEAD = 0x20, /* remodify-head: of several modifiers one is applied again
                                         and again, the others not */
    RP_AC_QUIRK_ONE_REDUNDANT = 0x40, /* one-redundant: only the queue's last entry is looked at */
    RP_AC_QUIRK_TYPE4 = 0x80, /* type4: an AnimationDone hook in a file is no hook          */
    RP_AC_QUIRKS = 0xFF
};
/* "boundary", ... by position of the bit; null past the last. */
const char *RpAcQuirk_Name(unsigned bit);
const char *RpAcQuirk_Describe(unsigned bit);
/* "boundary,type4" are switched off, from all on; "all" and "none" name the quirks that stay on. */
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
    uint32_t size; /* of the payload with its padding, a multiple of 4    */
    uint8_t payload[RP_AC_HOOK_MOST_BYTES]; /* as in the file */
} RpAcHook;

typedef enum RpAcFieldKind {
    RP_AC_U8,
    RP_AC_U16,
    RP_AC_U32,
    RP_AC_I32,
    RP_AC_F32,
    RP_AC_PACKED_ID /* u16, or 30 bits in two u16 when the first one's top bit is set */
} RpAcFieldKind;

typedef struct RpAcHookField {
    const char *name;
    RpAcFieldKind kind;
    uint32_t offset; /* in the payload */
} RpAcHookField;

/* "Sound", ...; null for an unknown type. */
const char *RpAcHook_Name(uint32_t type);
/* Fields of a type under `readings`; returns how many, 0 for none and for unknown types. */
unsigned RpAcHook_Fields(uint32_t type, uint32_t readings, RpAcHookField *fields);

typedef struct RpAcAnimation {
    uint32_t id;
    uint32_t flags; /* as stored; bit 0 decides pos_frames */
    uint32_t part_count, frame_count;
    RpAcFrame *pos_frames;  /* frame_count, or null  */
    RpAcFrame *part_frames; /* frame_count * part_count, frame by frame */
    uint32_t *first_hook; /* frame_count + 1: hooks of frame i are [first[i], first[i + 1])       */
    RpAcHook *hooks;
    uint32_t hook_count;
    uint8_t *trailing; /* what follows the last frame */
    size_t trailing_size;
    bool damaged; /* read tolerantly, and something was lost */
    const RpAllocator *allocator;
} RpAcAnimation;

/* Strict: the first broken rule of severity error (docs/sequencer.md) is the error, its id in
 * `what`. Tolerant: whole frames up to the first that does not fit are kept. On failure *animation
 * is empty. Counts are checked against the rest of the image before anything is allocated. */
RpStatus RpAcAnimation_Read(const uint8_t *image, size_t size, RpReadMode mode,
                            const RpAllocator *allocator, RpAcAnimation *animation, RpError *error);
void RpAcAnimation_Free(RpAcAnimation *animation);
/* Appends the resource: the same bytes as were read. */
RpStatus RpAcAnimation_Write(const RpAcAnimation *animation, RpBuffer *image, RpError *error);
RpStatus RpAcAnimation_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                             const RpFindingSink *sink, RpError *error);
RpStatus RpAcAnimation_Dump(const RpAcAnimation *animation, uint32_t readings, RpBuffer *json,
                            RpError *error);
RpStatus RpAcAnimation_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                RpAcAnimation *animation, RpError *error);

/* ---- MotionTable (facts/ac-sequencer.md A.3) ------------------------------------------------- */

typedef struct RpAcAnimRef { /* AnimData */
    uint32_t animation;
    int32_t low, high; /* inclusive; high -1: the last frame */
    float framerate; /* negative: backwards                                                      */
} RpAcAnimRef;

enum {
    RP_AC_DATA_CLEARS_MODIFIERS = 1,
    RP_AC_DATA_FROM_DEFAULT_ONLY = 2
};                                                      /* of `bitfield`        */
enum { RP_AC_DATA_VELOCITY = 1, RP_AC_DATA_OMEGA = 2 }; /* of `flags`           */

typedef struct RpAcMotionData {
    uint32_t key; /* cycles and modifiers: K(style, motion); links: the full target motion */
    uint8_t bitfield, flags, padding;
    uint8_t ref_count;
    uint32_t first_ref;          /* in the table's refs          */
    float velocity[3], omega[3]; /* zero where the flags leave them out */
} RpAcMotionData;

typedef struct RpAcLink {
    uint32_t key;          /* K(style, from substate), or style << 16: from any          */
    uint32_t first, count; /* in the table's `targets` */
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
    uint32_t *order; /* how the lists above are looked up; private */
    uint8_t *trailing;
    size_t trailing_size;
    bool damaged;
    const RpAllocator *allocator;
} RpAcMotionTable;

/* (style << 16) | (motion & 0xFFFFFF) */
uint32_t RpAc_Key(uint32_t style, uint32_t motion);

RpStatus RpAcMotionTable_Read(const uint8_t *image, size_t size, RpReadMode mode,
                              const RpAllocator *allocator, RpAcMotionTable *table, RpError *error);
void RpAcMotionTable_Free(RpAcMotionTable *table);
RpStatus RpAcMotionTable_Write(const RpAcMotionTable *table, RpBuffer *image, RpError *error);
RpStatus RpAcMotionTable_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                               const RpFindingSink *sink, RpError *error);
RpStatus RpAcMotionTable_Dump(const RpAcMotionTable *table, RpBuffer *json, RpError *error);
RpStatus RpAcMotionTable_Assemble(const char *json, size_t size, const RpAllocator *allocator,
                                  RpAcMotionTable *table, RpError *error);

/* O(log n); of equal keys the first in the file. Null, or 0 for a style without default. */
const RpAcMotionData *RpAcMotionTable_Cycle(const RpAcMotionTable *table, uint32_t key);
const RpAcMotionData *RpAcMotionTable_Modifier(const RpAcMotionTable *table, uint32_t key);
const RpAcMotionData *RpAcMotionTable_Link(const RpAcMotionTable *table, uint32_t key,
                                           uint32_t motion);
uint32_t RpAcMotionTable_Default(const RpAcMotionTable *table, uint32_t style);

/* ---- sequence (facts/ac-sequencer.md B) ------------------------------------------------------ */

/* Where animations come from; null when there is none of that id. What it returns must stay. */
typedef struct RpAcLibrary {
    const RpAcAnimation *(*find)(void *context, uint32_t id);
    void *context;
} RpAcLibrary;

#define RP_AC_NO_NODE    UINT16_MAX
#define RP_AC_MOST_NODES 256
/* Passes and frame crossings of one update; beyond, retail would hang: RP_UNSUPPORTED. */
#define RP_AC_MOST_STEPS 100000u

typedef struct RpSequenceNode {
    const RpAcAnimation *animation;
    float framerate;
    float stored_framerate; /* as appended */
    int32_t low, high; /* inclusive                                                            */
    uint16_t next, previous;
} RpSequenceNode;

/* Fields may be read. Nodes are indices into `nodes`. */
typedef struct RpSequence {
    RpSequenceNode *nodes;
    uint16_t capacity, count, head, tail, first_cyclic, current, unused;
    double frame_number;
    float velocity[3], omega[3];
    const RpAcAnimation *placement; /* what stands where nothing plays */
    uint32_t placement_frame;
    uint32_t quirks;
    bool has_hooks; /* false: hooks and AnimDone are dropped */
    RpAcLibrary library;
} RpSequence;

typedef struct RpSequenceEvent {
    const RpAcHook *hook; /* null: AnimDone */
    const RpAcAnimation *animation;
    uint32_t frame;
    int32_t direction; /* of play */
} RpSequenceEvent;

/* Called in the order in which the client queues; it runs them when the update is over. The
 * sequence must not be touched from here. */
typedef void RpSequenceSink(void *context, const RpSequenceEvent *event);

/* `nodes` are the caller's and outlive the sequence: up to RP_AC_MOST_NODES, the rest is not used.
 */
void RpSequence_Init(RpSequence *sequence, RpSequenceNode *nodes, uint16_t capacity,
                     const RpAcLibrary *library);
/* RP_NOT_FOUND: no such animation, nothing is appended (D-4). RP_NO_MEMORY: no node is left.
 * RP_INVALID: an animation without frames. */
RpStatus RpSequence_Append(RpSequence *sequence, const RpAcAnimRef *ref, RpError *error);
/* `offset` (may be null) is combined with what the update moves. After an error the sequence and
 * the offset are as before; the sink has been told events all the same. */
RpStatus RpSequence_Update(RpSequence *sequence, double quantum, RpAcFrame *offset,
                           RpSequenceSink *sink, void *context, RpError *error);

void RpSequence_Clear(RpSequence *sequence);
void RpSequence_ClearAnimations(RpSequence *sequence);
void RpSequence_ClearPhysics(RpSequence *sequence);
void RpSequence_SetPhysics(RpSequence *sequence, const float velocity[3], const float omega[3]);
void RpSequence_CombinePhysics(RpSequence *sequence, const float velocity[3], const float omega[3]);
void RpSequence_SubtractPhysics(RpSequence *sequence, const float velocity[3],
                                const float omega[3]);
void RpSequence_RemoveCyclic(RpSequence *sequence);
void RpSequence_RemoveLinks(RpSequence *sequence, uint32_t count);
void RpSequence_RemoveAllLinks(RpSequence *sequence);
/* RP_INVALID for a negative factor, with which retail never ends (facts/ac-sequencer.md C.6). */
RpStatus RpSequence_MultiplyFramerate(RpSequence *sequence, float factor, RpError *error);
void RpSequence_SetPlacement(RpSequence *sequence, const RpAcAnimation *animation, uint32_t frame);

double RpSequenceNode_Start(const RpSequenceNode *node);
double RpSequenceNode_End(const RpSequenceNode *node);

/* The pose that shows now: frame of an animation, false when there is none. */
bool RpSequence_CurrentFrame(const RpSequence *sequence, const RpAcAnimation **animation,
                             uint32_t *frame);
/* Part frames in the object's space: object combined with the part's frame, origins scaled. Retail:
 * the frame at or below the cursor; `interpolate`: towards the next one. Returns how many of
 * `count` were written. */
uint32_t RpSequence_Pose(const RpSequence *sequence, const RpAcFrame *object, const float scale[3],
                         bool interpolate, RpAcFrame *parts, uint32_t count);

/* ---- motion: the state machine (facts/ac-sequencer.md C) ----------------------------------------
 */

#define RP_AC_STYLE    0x80000000u
#define RP_AC_SUBSTATE 0x40000000u
#define RP_AC_MODIFIER 0x20000000u
#define RP_AC_ACTION   0x10000000u
#define RP_AC_READY    0x41000003u
typedef enum RpAcCommand { RP_AC_DO = 2, RP_AC_STOP = 4, RP_AC_STOP_ALL = 5 } RpAcCommand;
enum {
    RP_AC_DONE = 0,
    RP_AC_NO_TABLE = 7,
    RP_AC_REFUSED = 67
}; /* results of a command            */

typedef struct RpAcListed {
    uint32_t motion;
    float speed;
} RpAcListed;

typedef struct RpAcPending {
    uint32_t motion, animations;
} RpAcPending;

enum { RP_AC_MOST_MODIFIERS = 16, RP_AC_MOST_ACTIONS = 32, RP_AC_MOST_PENDING = 64 };

/* One object. Fields may be read. */
typedef struct RpMotion {
    const RpAcMotionTable *table; /* null: none */
    RpSequence sequence;
    uint32_t style, substate;
    float substate_speed;
    RpAcListed modifiers[RP_AC_MOST_MODIFIERS]; /* [0] is the head, the last pushed */
    RpAcListed actions[RP_AC_MOST_ACTIONS]; /* [0] is the oldest                                */
    RpAcPending pending[RP_AC_MOST_PENDING];
    uint32_t modifier_count, action_count, pending_count;
    int32_t animation_counter;
    /* Called when a motion ends, in order; may be null. Must not touch the object. */
    void (*motion_done)(void *context, uint32_t motion, bool success);
    void *context;
} RpMotion;

void RpMotion_Init(RpMotion *motion, const RpAcMotionTable *table, RpSequenceNode *nodes,
                   uint16_t capacity, const RpAcLibrary *library);
/* The default state, and its entry in the queue; RP_NOT_FOUND when the table has none. */
RpStatus RpMotion_Start(RpMotion *motion, RpError *error);
/* *result: RP_AC_DONE, ... Statuses other than RP_OK are limits of this library (a full list, no
 * node left, retail would not end) and leave the object as it was. */
RpStatus RpMotion_Perform(RpMotion *motion, RpAcCommand command, uint32_t id, float speed,
                          uint32_t *result, RpError *error);
/* One step of physics: update, hooks in order with AnimDone ending motions, completed motions. */
RpStatus RpMotion_Tick(RpMotion *motion, double quantum, RpAcFrame *offset, RpSequenceSink *sink,
                       void *context, RpError *error);
void RpMotion_AnimationDone(RpMotion *motion, bool success);
void RpMotion_CheckCompleted(RpMotion *motion);
void RpMotion_EnterWorld(RpMotion *motion);
void RpMotion_ExitWorld(RpMotion *motion);

/* The state machine alone, for engines that have a queue of their own: *animations is what the
 * command adds to it. False: refused. */
RpStatus RpMotion_GetSequence(RpMotion *motion, uint32_t id, float speed, bool stop_modifiers,
                              bool *done, uint32_t *animations, RpError *error);
RpStatus RpMotion_Stop(RpMotion *motion, uint32_t id, bool *done, uint32_t *animations,
                       RpError *error);
RpStatus RpMotion_StopCompletely(RpMotion *motion, bool *done, uint32_t *animations,
                                 RpError *error);

/* ---- saved states -----------------------------------------------------------------------------
 */

/* Words of 32 bits (docs/sequencer.md has their order): everything but library, table and
 * callbacks. A restored object continues bit for bit. */
uint32_t RpMotion_StateWords(const RpMotion *motion);
void RpMotion_Save(const RpMotion *motion, uint32_t *words);
/* Words behind the state are not looked at. RP_CORRUPT for words that no object gives, RP_NOT_FOUND
 * for an animation that the library lacks, RP_NO_MEMORY for too few nodes; the object is then as it
 * was. */
RpStatus RpMotion_Restore(RpMotion *motion, const uint32_t *words, uint32_t count, RpError *error);

#ifdef __cplusplus
}
#endif

#endif
