/* BlendPoses 0x10012560, SetColumn 0x1000B8E0, GetColumn 0x1000B600 (facts/animesh.md E.5). */
#include "piece.inc"

    x87_arithmetic

.macro sample_side t, rotation, position
    lea esi, [ebp+\rotation]
    lea edi, [ebp+\position]
    invoke_animesh_SampleNode animesh_SampleNode, m, [ebp+piece], f, [ebp+\t], r, esi, r, edi
.endm

/* Writes to `out` the matrix of `rotation` with `position` as its translation. */
.macro compose rotation, position
    lea esi, [ebp+\rotation]
    fast_proc 14, r, esi, m, [ebp+matrix]
    lea esi, [ebp+\position]
    mov edi, 3
    invoke_animesh_SetColumn animesh_SetColumn, m, [ebp+matrix], r, edi, r, esi
.endm

/* Pushes the terms of |a + b|^2 and |a - b|^2. */
.macro square_of_sum i
    LOAD [ebp+rotation_a+4*\i]
    LOAD [ebp+rotation_b+4*\i]
    ADD_
    SQUARE
.endm
.macro square_of_difference i
    LOAD [ebp+rotation_a+4*\i]
    LOAD [ebp+rotation_b+4*\i]
    SUBTRACT
    SQUARE
.endm

FUNCTION(animesh_BlendPoses)
    enter_animesh_BlendPoses piece, t_a, t_b, weight, matrix
    local_block rotation_a, 16
    local_block rotation_b, 16
    local_block rotation, 16
    local_block position_a, 12
    local_block position_b, 12
    local_block position, 12

    xor ebx, ebx /* bit 0: side A, bit 1: side B */
    LOAD [ebp+weight]
    ONE
    UNLESS_LESS blend_not_a
    LOAD [ebp+t_a]
    ZERO
    UNLESS_GREATER_OR_EQUAL blend_not_a
    or ebx, 1
    sample_side t_a, rotation_a, position_a
blend_not_a:
    LOAD [ebp+weight]
    ZERO
    UNLESS_GREATER blend_sampled
    LOAD [ebp+t_b]
    ZERO
    UNLESS_GREATER_OR_EQUAL blend_sampled
    or ebx, 2
    sample_side t_b, rotation_b, position_b
blend_sampled:
    cmp ebx, 1
    jb blend_neither
    je blend_a
    cmp ebx, 2
    je blend_b

    SUM4 STANDIN_FLIP_SUM, square_of_sum
    SUM4 STANDIN_FLIP_SUM, square_of_difference
    UNLESS_LESS blend_same_side
    .irp i, 0, 4, 8, 12
    LOAD [ebp+rotation_b+\i]
    NEGATE
    STORE [ebp+rotation_b+\i]
    .endr
blend_same_side:
    lea esi, [ebp+rotation_a]
    lea edi, [ebp+rotation_b]
    lea ebx, [ebp+rotation]
    fast_proc 22, r, esi, r, edi, f, [ebp+weight], r, ebx
    .irp i, 0, 4, 8
#if STANDIN_BLEND_LERP == 1 /* delta */
    LOAD [ebp+position_a+\i]
    LOAD [ebp+position_b+\i]
    LOAD [ebp+position_a+\i]
    SUBTRACT
    LOAD [ebp+weight]
    MULTIPLY
    ADD_
#else
    ONE
    LOAD [ebp+weight]
    SUBTRACT
    LOAD [ebp+position_a+\i]
    MULTIPLY
    PRODUCT [ebp+weight], [ebp+position_b+\i]
    ADD_
#endif
    STORE [ebp+position+\i]
    .endr
    compose rotation, position
    jmp blend_return

blend_a:
    compose rotation_a, position_a
    jmp blend_return
blend_b:
    compose rotation_b, position_b
    jmp blend_return

/* This case is undefined in the original (seed 000 section 4.1). The identity is the project's
 * reading. */
blend_neither:
    mov edi, [ebp+matrix]
    xor eax, eax
    mov ecx, 16
    rep stosd
    .irp i, 0, 5, 10, 15
    mov dword ptr [edi-64+4*\i], 0x3F800000
    .endr
blend_return:
    leave_animesh_BlendPoses

FUNCTION(animesh_SetColumn)
    enter_animesh_SetColumn matrix, column, vector
    mov edi, [ebp+column]
    shl edi, 2
    add edi, [ebp+matrix]
    mov esi, [ebp+vector]
    mov eax, [esi]
    mov ecx, [esi+4]
    mov edx, [esi+8]
    mov [edi], eax
    mov [edi+16], ecx
    mov [edi+32], edx
    leave_animesh_SetColumn

FUNCTION_ELSEWHERE(animesh_GetColumn) /* has 32 bytes */
    enter_animesh_GetColumn matrix, column, vector
    mov esi, [ebp+column]
    shl esi, 2
    add esi, [ebp+matrix]
    mov edi, [ebp+vector]
    mov eax, [esi]
    mov ecx, [esi+16]
    mov edx, [esi+32]
    mov [edi], eax
    mov [edi+4], ecx
    mov [edi+8], edx
    leave_animesh_GetColumn
