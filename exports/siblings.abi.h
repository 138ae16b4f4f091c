/* Functions of the sibling runtimes. These are libraries without a DLL; they occur in traces so
 * that any engine can compare itself with them. Only the native provider runs them. Types and
 * directions of the parameters are those of ngi32.abi.h. X(library, name, returns, params, source,
 * note).
 *
 * ani: `file` is a memory of the trace that holds a whole .ani file (header and body) at offset 0.
 * `policy` is 0 for S and 1 for D (docs/formats/ani.md). `node` counts in pre-order. `cursor` is
 * where the last searches of a node's four tracks, or of the camera's three, stopped; it is 0 for a
 * file that was just loaded. Matrices are 16 floats, row-major, for row vectors. A call that cannot
 * be made (a node that does not exist, a cursor behind a track's keys, a file that breaks a rule)
 * is unsupported.
 *
 * ac: `resources` is a memory that holds u32 count; count times u32 id, u32 offset, u32 size; and
 * then the resources themselves, Animations and MotionTables, at those offsets. `state` holds the
 * words of RpMotion_Save (docs/reference/sequencer.md), then words that are 0 on return. `quantum`
 * holds the bits of a binary64, the low word first. `offset` is x, y, z, qw, qx, qy, qz. `events`
 * has four words for each event: the animation, the frame, the hook (its number in the animation,
 * or 0xFFFFFFFF for AnimDone), and the direction of play. Events for which there is no room are
 * left out, and counted in the result. A call that cannot be made (no state, no such table, not
 * enough words for the new state, an update that would not end) is unsupported.
 */
#ifndef RETROPOSE_EXPORTS_SIBLINGS_ABI_H
#define RETROPOSE_EXPORTS_SIBLINGS_ABI_H

/* clang-format off */
#define ABI_SIBLING_FUNCTIONS(X) \
    X(ani, local, "void", "ref file, u32 policy, u32 node, f32 time, in u32[4] cursor, out f32[16] matrix", "facts/lego-ani.md B.1 to B.5", "scale, then rotation, then translation") \
    X(ani, world, "void", "ref file, u32 policy, u32 node, i32 time, in f32[16] parent, out f32[16] matrix", "facts/lego-ani.md B.6", "local x parent from the root down; `parent` is the root's; cursors of 0") \
    X(ani, camera, "u32", "ref file, u32 policy, f32 time, in u32[3] cursor, inout f32[16] matrix", "facts/lego-ani.md B.7", "0 moved, 1 eye at target, 2 straight up or down, 3 no target keys: the matrix stays in 1 to 3") \
    X(ani, visible, "u32", "ref file, u32 node, f32 time, in u32[4] cursor", "facts/lego-ani.md B.1", "the morph byte; 1 in front of the first key and without keys") \
    X(ac, update, "u32", "ref resources, in u32[2] quantum, u32 words, inout u32[words] state, inout f32[7] offset, out u32[240] events", "facts/ac-sequencer.md B.4 to B.9", "CSequence::update; returns the number of events") \
    X(ac, perform_movement, "u32", "ref resources, u32 table, u32 command, u32 motion, f32 speed, u32 words, inout u32[words] state", "facts/ac-sequencer.md C.4 to C.10", "MotionTableManager::PerformMovement: 2 do, 4 stop, 5 stop all; returns 0, 7 or 67")
/* clang-format on */

#endif
