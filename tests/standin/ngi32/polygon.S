/* mrnPointInPoly (facts/ngi32.md B.5) and ngiGetSinCos, which have only x87 code. */
#include "tests/standin/arithmetic.inc"

    x87_arithmetic

/* Jumps to the label unless |plane[a]| >= |plane[b]|. */
.macro unless_dominates a, b, label
    LOAD [esi+\a]
    fabs
    LOAD [esi+\b]
    fabs
    UNLESS_GREATER_OR_EQUAL \label
.endm

/* ebx is the dropped axis; then `u` and `v` become the byte offsets of the kept ones. */
.macro keep_axes dropped, first, second
    mov ebx, \dropped
    mov dword ptr [ebp+u], \first
    mov dword ptr [ebp+v], \second
.endm

    EXPORT(mrnPointInPoly)
    enter_ngi32_mrnPointInPoly plane, vertices, count, point
    local_block u, 4
    local_block v, 4
    local_block index, 4
    local_block normal_component, 4
    mov esi, [ebp+plane]
    unless_dominates 4, 8, polygon_drop_z
    unless_dominates 0, 4, polygon_not_x
    keep_axes 0, 4, 8
    jmp polygon_axes_chosen
polygon_not_x: /* y asks for |nx| < |ny|, which a NaN fails too */
    LOAD [esi]
    fabs
    LOAD [esi+4]
    fabs
    UNLESS_LESS polygon_drop_z
    keep_axes 4, 8, 0
    jmp polygon_axes_chosen
polygon_drop_z:
    keep_axes 8, 0, 4
polygon_axes_chosen:
    mov eax, [esi+ebx]
    mov [ebp+normal_component], eax
    mov dword ptr [ebp+index], 0
polygon_edge:
    mov eax, [ebp+index]
    cmp eax, [ebp+count]
    jae polygon_inside
    mov edx, [ebp+vertices]
    mov esi, [edx+4*eax] /* this */
    inc eax
    mov [ebp+index], eax
    cmp eax, [ebp+count]
    jb polygon_next_vertex
    xor eax, eax
polygon_next_vertex:
    mov edi, [edx+4*eax] /* next */
    mov edx, [ebp+point]
    mov ecx, [ebp+u]
    mov ebx, [ebp+v]
    /* (e_u * d_v - e_v * d_u) * n */
    LOAD [edi+ecx]
    LOAD [esi+ecx]
    SUBTRACT
    LOAD [edx+ebx]
    LOAD [esi+ebx]
    SUBTRACT
    MULTIPLY
    LOAD [edi+ebx]
    LOAD [esi+ebx]
    SUBTRACT
    LOAD [edx+ecx]
    LOAD [esi+ecx]
    SUBTRACT
    MULTIPLY
    SUBTRACT
    LOAD [ebp+normal_component]
    MULTIPLY
    LOAD [constant_polygon]
    UNLESS_GREATER_OR_EQUAL polygon_outside
    jmp polygon_edge
polygon_inside:
    mov eax, 1
    jmp polygon_return
polygon_outside:
    xor eax, eax
polygon_return:
    leave_ngi32_mrnPointInPoly

    EXPORT(ngiGetSinCos)
    enter_ngi32_ngiGetSinCos angle, sine, cosine
    fld dword ptr [ebp+angle]
    fcos
    fld dword ptr [ebp+angle]
    fsin
    mov esi, [ebp+sine]
    mov edi, [ebp+cosine]
    fstp dword ptr [esi]
    fstp dword ptr [edi]
    leave_ngi32_ngiGetSinCos
