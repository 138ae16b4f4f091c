/* Slot 45, SegmentPlane: facts/ngi32.md B.4d. */
#include "tests/standin/arithmetic.inc"

/* n0*p0 + n1*p1 + n2*p2 + n3 */
.macro plane_distance point
    mov edi, [ebp+\point]
    .if plane_order == 3 /* offset-first */
        LOAD [esi+12]
        .irp i, 0, 4, 8
        PRODUCT [esi+\i], [edi+\i]
        ADD_
        .endr
    .else
        DOT3 plane_order, [esi], [edi], [esi+4], [edi+4], [esi+8], [edi+8]
        LOAD [esi+12]
        ADD_
    .endif
.endm

/* Computes k = d0 / (-nv) and hit_i = start_i + v_i * k from v0, v1, v2, nv and d0. */
.macro hit_x87
#if STANDIN_PLANE_DIVISION == 1 /* d0 * (1 / (-nv)) */
    ONE
    PICK 2
    NEGATE
    DIVIDE
    MULTIPLY
#else
    PICK 1
    NEGATE
    DIVIDE
#endif
    hit_element_x87 0, 5
    hit_element_x87 4, 4
    hit_element_x87 8, 3
    DROP 5
.endm
.macro hit_element_x87 i, below
    LOAD [ebx+\i]
    PICK \below
    PICK 2
    MULTIPLY
    ADD_
    STORE [ebp+result+\i]
.endm

/* Computes the same in xmm0 to xmm4, with rcpss and one Newton step for the quotient. */
.macro hit_sse
    movaps xmm5, xmm3
    xorps xmm5, xmmword ptr [sign_mask] /* m */
    rcpss xmm6, xmm5
#if STANDIN_PLANE_NEWTON == 1
    movss xmm7, dword ptr [constant_two]
    mulss xmm5, xmm6
    subss xmm7, xmm5
    mulss xmm6, xmm7
    movaps xmm7, xmm6 /* r * (2 - m*r) */
#else
    movaps xmm7, xmm6
    addss xmm7, xmm7
    mulss xmm5, xmm6
    mulss xmm5, xmm6
    subss xmm7, xmm5 /* (r + r) - (m*r)*r */
#endif
    mulss xmm4, xmm7
    .irp i, 0, 1, 2
    mulss xmm\i, xmm4
    movss xmm5, dword ptr [ebx+4*\i]
    addss xmm5, xmm\i
    movss dword ptr [ebp+result+4*\i], xmm5
    .endr
.endm

/* n . v must be less than near_limit. far_test compares the distance of the end with 0. */
.macro segment_plane near_limit, far_test
    enter_ngi32_slot45 start, end, plane, hit
    local_block result, 12
    mov esi, [ebp+plane]
    mov edi, [ebp+end]
    mov ebx, [ebp+start]
    .if sse
        .set plane_order, STANDIN_PLANE_SUM_SSE
    .else
        .set plane_order, STANDIN_PLANE_SUM
    .endif
    .irp i, 0, 4, 8
    LOAD [edi+\i]
    LOAD [ebx+\i]
    SUBTRACT
    .endr /* v0 v1 v2 */
    DOT3_OF_STACK plane_order, [esi], [esi+4], [esi+8] /* v0 v1 v2 nv */
    PICK 0
    LOAD [\near_limit]
    UNLESS_LESS segment_miss4\@
    plane_distance start
    PICK 0
    LOAD [constant_plane_near]
    UNLESS_GREATER_OR_EQUAL segment_miss5\@
    plane_distance end
    LOAD [constant_plane_far]
    \far_test segment_miss5\@
    .if sse
        hit_sse
    .else
        hit_x87
    .endif
    copy_out 3, result, hit
    mov eax, 1
    jmp segment_return\@
segment_miss5\@:
    DEPTH 5
    DROP
segment_miss4\@:
    DEPTH 4
    DROP 4
    xor eax, eax
segment_return\@:
    leave_ngi32_slot45
.endm

#if STANDIN_PLANE_FAR == 1 /* inclusive */
#define X87_FAR_TEST UNLESS_LESS_OR_EQUAL
#else
#define X87_FAR_TEST UNLESS_LESS
#endif
    GENERIC_BUILD(ngi32_slot45)
    segment_plane constant_minus_tiny, X87_FAR_TEST
    FXCH_BUILD(ngi32_slot45)
    segment_plane constant_plane_near, X87_FAR_TEST
    SSE_BUILD(ngi32_slot45)
    segment_plane constant_plane_near, UNLESS_LESS_OR_EQUAL
