/* PoseWalk 0x10008B30, ClearPoseCache 0x1000A2A0, and IAnimation 4, 31 and 32 (facts/animesh.md E.7,
 * E.10). */
#include "mesh.inc"

    x87_arithmetic

/* ---- steps of the walk, in the frame of the function that has these locals ---- */

.macro time_locals
    local_block time_a, 4
    local_block time_b, 4
    local_block phase, 4
    local_block weight, 4
.endm

/* Computes first + s * (last - first), where edi + pair holds A0, A1 (or B0, B1). */
.macro frame_time pair, to
#if STANDIN_FRAME_LERP == 1 /* weights */
    ONE
    LOAD [ebp+phase]
    SUBTRACT
    WHOLE [edi+\pair]
    MULTIPLY
    LOAD [ebp+phase]
    WHOLE [edi+\pair+4]
    MULTIPLY
    ADD_
#else
    WHOLE [edi+\pair]
    LOAD [ebp+phase]
    WHOLE [edi+\pair+4]
    WHOLE [edi+\pair]
    SUBTRACT
    MULTIPLY
    ADD_
#endif
    STORE [ebp+\to]
.endm

.macro frame_times of, pairs, phase_at, weight_at
    move [\of+\phase_at], [ebp+phase]
    move [\of+\weight_at], [ebp+weight]
    lea edi, [\of+\pairs]
    frame_time 0, time_a
    frame_time 8, time_b
.endm

/* The arguments of slot 28 are the addresses in the locals left, right and product. */
.macro product_locals
    local_block left, 4
    local_block right, 4
    local_block product, 4
.endm
.macro product_28 left_at, right_at, product_at
    lea eax, [\left_at]
    mov [ebp+left], eax
    lea eax, [\right_at]
    mov [ebp+right], eax
    lea eax, [\product_at]
    mov [ebp+product], eax
    fast_proc 28, m, [ebp+left], m, [ebp+right], m, [ebp+product]
.endm

/* Names x, y, z of the matrix at `matrix`, of which `base` is a register. */
.macro scale_translation base, matrix
    .irp i, 0, 1, 2
    PRODUCT [\base+\matrix+TRANSLATION_X+16*\i], [ebx+MESH_SCALE+4*\i]
    STORE [\base+\matrix+TRANSLATION_X+16*\i]
    .endr
.endm

.macro unless_cached label
#if STANDIN_POSE_CACHE != 2 /* never */
    cmp byte ptr [esi+PIECE_CACHE_VALID], 0
    je \label
    LOAD [ebp+time_a]
    LOAD [esi+PIECE_CACHED_A]
    UNLESS_EQUAL \label
    LOAD [ebp+time_b]
    LOAD [esi+PIECE_CACHED_B]
    UNLESS_EQUAL \label
#else
    jmp \label
#endif
.endm

FUNCTION(animesh_PoseWalk)
    enter_animesh_PoseWalk self
    local_block index, 4
    local_block parent, 4 /* a piece, or 0 */
    time_locals
    product_locals
    local_block tilt, 16
    local_block rotation, 64
    local_block translation, 12
    load_mesh
    mov dword ptr [ebp+index], 0
pose_next:
    mov eax, [ebp+index]
    cmp eax, [ebx+MESH_PIECE_COUNT]
    jae pose_return
    inc dword ptr [ebp+index]
    load_piece eax
    cmp byte ptr [esi+PIECE_FLYING], 0
    jne pose_next
    parent_of esi, pose_parent_known
    mov [ebp+parent], eax

    cmp byte ptr [esi+PIECE_OWN_SEGMENT], 0
    jne pose_own_segment
    frame_times ebx, MESH_PAIRS, MESH_PHASE, MESH_WEIGHT
    jmp pose_times_known
pose_own_segment:
    frame_times esi, PIECE_PAIRS, PIECE_PHASE, PIECE_WEIGHT
pose_times_known:

    unless_cached pose_local
    jmp pose_model
pose_local:
    lea edi, [esi+PIECE_LOCAL]
    invoke_animesh_BlendPoses animesh_BlendPoses, r, esi, f, [ebp+time_a], f, [ebp+time_b], f, [ebp+weight], r, edi
    cmp dword ptr [ebx+MESH_SCALED], 0
    je pose_unscaled
    scale_translation esi, PIECE_LOCAL
pose_unscaled:
#if STANDIN_ROOT_TRANSLATION == 0 /* zeroed */
    xor eax, eax
    cmp [ebp+parent], eax
    jne pose_not_root
    mov [esi+PIECE_LOCAL+TRANSLATION_X], eax
    mov [esi+PIECE_LOCAL+TRANSLATION_Y], eax
    mov [esi+PIECE_LOCAL+TRANSLATION_Z], eax
pose_not_root:
#endif
    move [ebp+time_a], [esi+PIECE_CACHED_A]
    move [ebp+time_b], [esi+PIECE_CACHED_B]
    mov byte ptr [esi+PIECE_CACHE_VALID], 1

pose_model:
    mov edi, [ebp+parent]
    test edi, edi
    jz pose_model_of_root
    product_28 edi+PIECE_MODEL, esi+PIECE_LOCAL, esi+PIECE_MODEL
    jmp pose_world
pose_model_of_root:
    push esi
    lea edi, [esi+PIECE_MODEL]
    add esi, PIECE_LOCAL
    copy_dwords 16
    pop esi

pose_world:
#if STANDIN_WORLD_PRODUCT == 1 /* parent */
    mov edi, [ebp+parent]
    test edi, edi
    jz pose_world_of_root
    product_28 edi+PIECE_WORLD, esi+PIECE_LOCAL, esi+PIECE_WORLD
    jmp pose_tilt
pose_world_of_root:
#endif
    product_28 ebx+MESH_PLACEMENT, esi+PIECE_MODEL, esi+PIECE_WORLD

pose_tilt:
    cmp byte ptr [esi+PIECE_TILTED], 0
    je pose_next
    lea eax, [esi+PIECE_PREVIOUS_TILT]
    mov [ebp+left], eax
    lea eax, [esi+PIECE_TILT]
    mov [ebp+right], eax
    lea edi, [ebp+tilt]
    fast_proc 17, m, [ebp+left], m, [ebp+right], f, [ebx+MESH_PHASE], r, edi
    lea eax, [ebp+rotation]
    mov [ebp+left], eax
    fast_proc 14, r, edi, m, [ebp+left]
    .irp i, 0, 1, 2
    move [esi+PIECE_WORLD+TRANSLATION_X+16*\i], [ebp+translation+4*\i]
    .endr
#if STANDIN_TILT_ORDER == 1 /* before */
    product_28 esi+PIECE_WORLD, ebp+rotation, esi+PIECE_WORLD
#else
    product_28 ebp+rotation, esi+PIECE_WORLD, esi+PIECE_WORLD
#endif
    .irp i, 0, 1, 2
    move [ebp+translation+4*\i], [esi+PIECE_WORLD+TRANSLATION_X+16*\i]
    .endr
    jmp pose_next
pose_return:
    leave_animesh_PoseWalk

FUNCTION(animesh_ClearPoseCache)
    enter_animesh_ClearPoseCache self
    load_mesh
    mov esi, [ebx+MESH_PIECES]
    mov ecx, [ebx+MESH_PIECE_COUNT]
clear_next:
    sub ecx, 1
    jb clear_done
    mov byte ptr [esi+PIECE_CACHE_VALID], 0
    add esi, PIECE_STRIDE
    jmp clear_next
clear_done:
    leave_animesh_ClearPoseCache

FUNCTION(animesh_IAnimation_4)
    enter_animesh_IAnimation_4 self, node, space, matrix
    load_mesh
    load_node
    invoke_animesh_PoseWalk animesh_PoseWalk, r, ebx
    mov edi, [ebp+matrix]
    mov eax, [ebp+space]
    cmp eax, MODE_MODEL
    je matrix_model
    cmp eax, MODE_WORLD
    je matrix_world
    xor eax, eax
    mov ecx, 16
    rep stosd
    .irp i, 0, 5, 10, 15
    mov dword ptr [edi-64+4*\i], 0x3F800000
    .endr
    jmp matrix_return
matrix_model:
    add esi, PIECE_MODEL - PIECE_WORLD
matrix_world:
    add esi, PIECE_WORLD
    copy_dwords 16
matrix_return:
    leave_animesh_IAnimation_4

FUNCTION(animesh_IAnimation_31)
    enter_animesh_IAnimation_31 self, node, first, second
    local_block identity, 16
    local_block double_angle, 16
    load_mesh
    load_node
    move3 esi, PIECE_TILT, esi, PIECE_PREVIOUS_TILT
    move [esi+PIECE_TILT+12], [esi+PIECE_PREVIOUS_TILT+12]
    .irp to, esi+PIECE_TILT, ebp+identity
    mov dword ptr [\to], 0x3F800000
    mov dword ptr [\to+4], 0
    mov dword ptr [\to+8], 0
    mov dword ptr [\to+12], 0
    .endr
    mov edi, [ebp+first]
    mov edx, [ebp+second]
    test edi, edi
    jz tilt_return
    test edx, edx
    jz tilt_return
    DOT3 0, [edi], [edx], [edi+4], [edx+4], [edi+8], [edx+8]
    STORE [ebp+double_angle]
    CROSS edi, 0, edx, 0, ebp, double_angle+4
    lea ebx, [ebp+identity]
    lea edi, [ebp+double_angle]
    add esi, PIECE_TILT
    fast_proc 17, r, ebx, r, edi, f, [constant_half], r, esi
tilt_return:
    leave_animesh_IAnimation_31

FUNCTION_ELSEWHERE(animesh_IAnimation_32)
    enter_animesh_IAnimation_32 self, moved
    time_locals
    local_block root, 64
    load_mesh
    mov edi, [ebp+moved]
    xor eax, eax
    mov [edi], eax
    mov [edi+4], eax
    mov [edi+8], eax
    cmp [ebx+MESH_PIECE_COUNT], eax
    je root_return
    frame_times ebx, MESH_PAIRS, MESH_PHASE, MESH_WEIGHT
    mov esi, [ebx+MESH_PIECES]
    lea edi, [ebp+root]
    invoke_animesh_BlendPoses animesh_BlendPoses, r, esi, f, [ebp+time_a], f, [ebp+time_b], f, [ebp+weight], r, edi
    cmp dword ptr [ebx+MESH_SCALED], 0
    je root_unscaled
    scale_translation ebp, root
root_unscaled:
    mov edi, [ebp+moved]
    move [ebp+root+TRANSLATION_X], [edi]
    move [ebp+root+TRANSLATION_Y], [edi+4]
    move [ebp+root+TRANSLATION_Z], [edi+8]
root_return:
    leave_animesh_IAnimation_32
