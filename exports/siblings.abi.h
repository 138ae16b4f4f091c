/* Functions of the sibling runtimes: libraries without a DLL, which are in traces so that any
 * engine can compare itself with them. Only the native provider runs them. Types and directions of
 * the parameters are those of ngi32.abi.h. X(library, name, returns, params, source, note).
 *
 * ani: `file` is a memory of a trace that holds a whole .ani file (header and body), at offset 0.
 * policy: 0 S, 1 D (docs/ani.md). node: in pre-order. cursor: where the searches of a node's four
 * tracks, or of the camera's three, stopped last; 0 for a file that was just loaded. Matrices are
 * 16 floats, row-major, for row vectors. What cannot be called (no such node, a cursor behind a
 * track's keys, a file that breaks a rule) is unsupported.
 */
#ifndef RETROPOSE_EXPORTS_SIBLINGS_ABI_H
#define RETROPOSE_EXPORTS_SIBLINGS_ABI_H

/* clang-format off */
#define ABI_SIBLING_FUNCTIONS(X) \
    X(ani, local, "void", "ref file, u32 policy, u32 node, f32 time, in u32[4] cursor, out f32[16] matrix", "facts/lego-ani.md B.1 to B.5", "scale, then rotation, then translation") \
    X(ani, world, "void", "ref file, u32 policy, u32 node, i32 time, in f32[16] parent, out f32[16] matrix", "facts/lego-ani.md B.6", "local x parent from the root down; `parent` is the root's; cursors of 0") \
    X(ani, camera, "u32", "ref file, u32 policy, f32 time, in u32[3] cursor, inout f32[16] matrix", "facts/lego-ani.md B.7", "0 moved, 1 eye at target, 2 straight up or down, 3 no target keys: the matrix stays in 1 to 3") \
    X(ani, visible, "u32", "ref file, u32 node, f32 time, in u32[4] cursor", "facts/lego-ani.md B.1", "the morph byte; 1 in front of the first key and without keys")
/* clang-format on */

#endif
