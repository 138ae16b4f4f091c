/* Slots 14, 15, 17 and 22: quaternions w, x, y, z. docs/arithmetic.md, facts/ngi32.md B.4. */
#include "../arithmetic.inc"

#define W [esi]
#define X [esi+4]
#define Y [esi+8]
#define Z [esi+12]
#define M(element) [ebp+result+4*element]

#if RVA_ngi32_slot17 != RVA_ngi32_slot22 || RVA_FXCH_ngi32_slot17 != RVA_FXCH_ngi32_slot22 ||      \
    RVA_SSE_ngi32_slot17 != RVA_SSE_ngi32_slot22 || CALL_ngi32_slot17 != CALL_ngi32_slot22
#error "slots 17 and 22 are one routine"
#endif

/* 1 - 2(aa + bb) */
.macro diagonal a, b, element
    ONE
    LOAD \a
    SQUARE
    LOAD \b
    SQUARE
    ADD_
    DOUBLE
    SUBTRACT
    STORE \element
.endm

/* 2(ab + cd), 2(ab - cd); negated for the mirrored matrix */
.macro twice combine, negation, a, b, c, d, element
    PRODUCT \a, \b
    PRODUCT \c, \d
    \combine
    DOUBLE
    \negation
    STORE \element
.endm

.macro quaternion_to_matrix
    enter_ngi32_slot14 quaternion, matrix
    local_block result, 64
    mov esi, [ebp+quaternion]
    diagonal Y, Z, M(0)
    twice ADD_, , X, Y, W, Z, M(1)
    twice SUBTRACT, , X, Z, W, Y, M(2)
    twice SUBTRACT, , X, Y, W, Z, M(4)
    diagonal X, Z, M(5)
    twice ADD_, , Y, Z, W, X, M(6)
    twice ADD_, , X, Z, W, Y, M(8)
    twice SUBTRACT, , Y, Z, W, X, M(9)
    diagonal X, Y, M(10)
    jmp affine_return_ngi32_slot14
.endm

/* S R S with S = diag(1, 1, -1) and R the usual right-handed rotation */
.macro quaternion_to_mirrored_matrix
    enter_ngi32_slot15 quaternion, matrix
    local_block result, 64
    mov esi, [ebp+quaternion]
    diagonal Y, Z, M(0)
    twice SUBTRACT, , X, Y, W, Z, M(1)
    twice ADD_, NEGATE, X, Z, W, Y, M(2)
    twice ADD_, , X, Y, W, Z, M(4)
    diagonal X, Z, M(5)
    twice SUBTRACT, NEGATE, Y, Z, W, X, M(6)
    twice SUBTRACT, NEGATE, X, Z, W, Y, M(8)
    twice ADD_, NEGATE, Y, Z, W, X, M(9)
    diagonal X, Y, M(10)
    jmp affine_return_ngi32_slot15
.endm

/* The rest of both, which does not fit between their documented addresses. */
.macro affine_return function
affine_return_\function:
    parameters_\function quaternion, matrix
    xor eax, eax
    .irp element, 3, 7, 11, 12, 13, 14
    mov M(\element), eax
    .endr
    mov dword ptr M(15), 0x3F800000
    copy_out 16, result, matrix
    leave_\function
.endm

/* From c = ST0 >= 0 to w0, w1 = ST1, ST0: acos as the arc tangent of sqrt((1+c)(1-c)) / c. */
.macro slerp_weights_x87
    fld1
    fadd st, st(1)
    fld1
    fsub st, st(2)
    fmulp st(1), st
    fsqrt
    fld st(1)
    fpatan /* c theta */
    fld dword ptr [ebp+t]
    fmul st, st(1) /* c theta phi */
    fld1
    fld st(2)
    fsin
    fdivp st(1), st /* c theta phi 1/sin(theta) */
    fld st(1)
    fsin
    fmulp st(1), st /* c theta phi w1 */
    fld st(1)
    fcos
    fld st(1)
    fmul st, st(5)
    fsubp st(1), st /* c theta phi w1 w0 */
    fstp st(4)
    fstp st(2)
    fstp st(0)
.endm

.macro dot4_sequential
    PRODUCT [esi], [edi]
    PRODUCT [esi+4], [edi+4]
    ADD_
    PRODUCT [esi+8], [edi+8]
    ADD_
    PRODUCT [esi+12], [edi+12]
    ADD_
.endm

/* (p0 + p2) + (p1 + p3), as folding the halves of a register gives */
.macro dot4_halves
    PRODUCT [esi], [edi]
    PRODUCT [esi+8], [edi+8]
    ADD_
    PRODUCT [esi+4], [edi+4]
    PRODUCT [esi+12], [edi+12]
    ADD_
    ADD_
.endm

.macro interpolate_quaternions
    enter_ngi32_slot17 from, to, t, interpolated
    local_block result, 16
    local_block sign, 4
    local_block cosine, 4
    local_block weights, 8
    mov esi, [ebp+from]
    mov edi, [ebp+to]
    mov dword ptr [ebp+sign], 0x3F800000
    .if sse
        dot4_halves
    .else
        dot4_sequential
    .endif
    PICK 0
    ZERO
    UNLESS_LESS interpolate_positive\@
    NEGATE
    mov dword ptr [ebp+sign], 0xBF800000
interpolate_positive\@:
    ONE
    PICK 1
    SUBTRACT
    LOAD [constant_near]
    UNLESS_LESS_OR_EQUAL interpolate_far\@
    DROP
    ONE
    LOAD [ebp+t]
    SUBTRACT
    LOAD [ebp+t]
    jmp interpolate_blend\@
interpolate_far\@:
    DEPTH 1
    .if sse
        STORE [ebp+cosine]
        fld dword ptr [ebp+cosine]
    .endif
    slerp_weights_x87
    .if sse
        fstp dword ptr [ebp+weights+4]
        fstp dword ptr [ebp+weights]
        LOAD [ebp+weights]
        LOAD [ebp+weights+4]
    .endif
interpolate_blend\@:
    DEPTH 2
    LOAD [ebp+sign]
    MULTIPLY
    .irp i, 0, 4, 8, 12
    PICK 1
    LOAD [esi+\i]
    MULTIPLY
    PICK 1
    LOAD [edi+\i]
    MULTIPLY
    ADD_
    STORE [ebp+result+\i]
    .endr
    DROP 2
    copy_out 4, result, interpolated
    leave_ngi32_slot17
.endm

    GENERIC_BUILD(ngi32_slot14)
    quaternion_to_matrix
    FXCH_BUILD(ngi32_slot14)
    quaternion_to_matrix
    SSE_BUILD(ngi32_slot14) /* has 336 bytes */
    jmp quaternion_to_matrix_sse
    build 0x00000, quaternion_to_matrix_sse, 1
    quaternion_to_matrix

    GENERIC_BUILD(ngi32_slot15)
    quaternion_to_mirrored_matrix
    SSE_BUILD(ngi32_slot15)
    quaternion_to_mirrored_matrix

    at 0x00000
    affine_return ngi32_slot14
#if CALL_ngi32_slot14 == CALL_ngi32_slot15
    .set affine_return_ngi32_slot15, affine_return_ngi32_slot14
#else
    affine_return ngi32_slot15
#endif

    GENERIC_BUILD(ngi32_slot17)
    interpolate_quaternions
    FXCH_BUILD(ngi32_slot17)
    interpolate_quaternions
    SSE_BUILD(ngi32_slot17)
    interpolate_quaternions
