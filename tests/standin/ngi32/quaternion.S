/* Slots 14, 15, 17 and 22: quaternions w, x, y, z. docs/reference/arithmetic.md, facts/ngi32.md B.4. */
#include "tests/standin/arithmetic.inc"

.set products_in_memory, STANDIN_OPERANDS

#define W [esi]
#define X [esi+4]
#define Y [esi+8]
#define Z [esi+12]
#define M(element) [ebp+result+4*element]

#if RVA_ngi32_slot17 != RVA_ngi32_slot22 || RVA_FXCH_ngi32_slot17 != RVA_FXCH_ngi32_slot22 ||      \
    RVA_SSE_ngi32_slot17 != RVA_SSE_ngi32_slot22 || CALL_ngi32_slot17 != CALL_ngi32_slot22
#error "slots 17 and 22 are one routine"
#endif

/* Computes 1 - 2(aa + bb), (1 - 2aa) - 2bb, or (1 - 2bb) - 2aa. */
.macro diagonal a, b, element
    .if sse
        .set diagonal_order, STANDIN_QUAT_DIAGONAL_SSE
    .else
        .set diagonal_order, STANDIN_QUAT_DIAGONAL
    .endif
    ONE
    .if diagonal_order == 1
        less_twice_square \a
        less_twice_square \b
    .elseif diagonal_order == 2
        less_twice_square \b
        less_twice_square \a
    .else
        LOAD \a
        SQUARE
        LOAD \b
        SQUARE
        ADD_
        DOUBLE
        SUBTRACT
    .endif
    STORE \element
.endm
.macro less_twice_square a
    LOAD \a
    SQUARE
    DOUBLE
    SUBTRACT
.endm

/* Computes 2(ab + cd) and 2(ab - cd), which are negated for the mirrored matrix. */
.macro twice combine, negation, a, b, c, d, element
    PRODUCT \a, \b
    PRODUCT \c, \d
    \combine
    DOUBLE
    \negation
    STORE \element
.endm

/* Computes -2(ab - cd), or 2(cd - ab), which gives no -0 for equal products (mirror-sign). */
.macro negative_difference a, b, c, d, element
#if STANDIN_MIRROR_SIGN == 1
    twice SUBTRACT, , \c, \d, \a, \b, \element
#else
    twice SUBTRACT, NEGATE, \a, \b, \c, \d, \element
#endif
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

/* Computes S R S with S = diag(1, 1, -1), where R is the usual right-handed rotation. */
.macro quaternion_to_mirrored_matrix
    enter_ngi32_slot15 quaternion, matrix
    local_block result, 64
    mov esi, [ebp+quaternion]
    diagonal Y, Z, M(0)
    twice SUBTRACT, , X, Y, W, Z, M(1)
    twice ADD_, NEGATE, X, Z, W, Y, M(2)
    twice ADD_, , X, Y, W, Z, M(4)
    diagonal X, Z, M(5)
    negative_difference Y, Z, W, X, M(6)
    negative_difference X, Z, W, Y, M(8)
    twice ADD_, NEGATE, Y, Z, W, X, M(9)
    diagonal X, Y, M(10)
#if STANDIN_MIRROR_SHAPE == 1
    jmp rotation_return_ngi32_slot15
#else
    jmp affine_return_ngi32_slot15
#endif
.endm

/* The rest of both functions does not fit between their documented addresses. */
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

/* The 3x3 form of slot 15 leaves the other seven elements as they are. */
.macro rotation_return function
rotation_return_\function:
    parameters_\function quaternion, matrix
    lea esi, [ebp+result]
    mov edi, [ebp+matrix]
    .rept 3
    movsd
    movsd
    movsd
    add esi, 4
    add edi, 4
    .endr
    leave_\function
.endm

/* Turns c into c and r = sqrt((1+c)(1-c)). */
.macro factored_root
    fld1
    fadd st, st(1)
    fld1
    fsub st, st(2)
    fmulp st(1), st
    ROUND_IF all_stored, scratch
    fsqrt
    ROUND_IF all_stored, scratch
.endm

/* Turns c into c and r = sqrt(1 - cc). */
.macro plain_root
    fld st(0)
    fmul st, st(0)
    ROUND_IF all_stored, scratch
    fld1
    fsubrp st(1), st
    fsqrt
    ROUND_IF all_stored, scratch
.endm

/* Turns c into c and theta, by slerp-acos. */
.macro arc_cosine
#if STANDIN_SLERP_ACOS == 0 /* crt */
    factored_root
    fld st(1)
    fpatan
#elif STANDIN_SLERP_ACOS == 1 /* plain */
    plain_root
    fld st(1)
    fpatan
#elif STANDIN_SLERP_ACOS == 2 /* quotient */
    plain_root
    fdiv st, st(1)
    ROUND_IF all_stored, scratch
    fld1
    fpatan
#elif STANDIN_SLERP_ACOS == 3 /* half */
    fld1
    fsub st, st(1)
    fsqrt
    ROUND_IF all_stored, scratch
    fld1
    fadd st, st(2)
    fsqrt
    ROUND_IF all_stored, scratch
    fpatan
    ROUND_IF all_stored, scratch
    fadd st, st(0)
#else /* complement */
    factored_root
    fld st(1)
    fxch
    fpatan
    ROUND_IF all_stored, scratch
    fld qword ptr [constant_right_angle]
    fsubrp st(1), st
#endif
    ROUND_IF theta_stored, scratch
.endm

/* Turns c = ST0 >= 0 into w0 and w1, which are then ST1 and ST0. */
.macro slerp_weights_x87
    .set all_stored, sse*STANDIN_SLERP_TRIG_SSE
    .set theta_stored, all_stored|STANDIN_SLERP_THETA
    .set trig_stored, all_stored|STANDIN_SLERP_TRIG
    .set weights_stored, all_stored|STANDIN_SLERP_WEIGHTS
    arc_cosine
    fld dword ptr [ebp+t]
    fmul st, st(1)
    ROUND_IF all_stored, scratch /* c theta phi */
    fld st(1)
    fsin
    ROUND_IF trig_stored, scratch /* c theta phi sin(theta) */
#if STANDIN_SLERP_SINE == 0 /* reciprocal */
    fld1
    fdivrp st(1), st
    ROUND_IF all_stored, scratch
#endif
    fld st(1)
    fsin
    ROUND_IF trig_stored, scratch
#if STANDIN_SLERP_SINE == 0
    fmulp st(1), st
#else
    fdivrp st(1), st
#endif
    ROUND_IF weights_stored, scratch /* c theta phi w1 */
    fld st(1)
    fcos
    ROUND_IF trig_stored, scratch
    fld st(1)
    fmul st, st(5)
    ROUND_IF all_stored, scratch
    fsubp st(1), st
    ROUND_IF weights_stored, scratch /* c theta phi w1 w0 */
    fstp st(4)
    fstp st(2)
    fstp st(0)
.endm

.macro quaternion_term i
    PRODUCT [esi+4*\i], [edi+4*\i]
.endm

/* Computes (p0 + p2) + (p1 + p3), as adding the halves of a register gives it. */
.macro dot4_halves
    quaternion_term 0
    quaternion_term 2
    ADD_
    quaternion_term 1
    quaternion_term 3
    ADD_
    ADD_
.endm

.macro dot4
    .if !sse
        SUM4 STANDIN_DOT4, quaternion_term
    .elseif STANDIN_DOT4_SSE == 0
        dot4_halves
    .else /* sequential, pairs: 0 and 1 of SUM4 */
        .set dot4_order, STANDIN_DOT4_SSE - 1
        SUM4 dot4_order, quaternion_term
    .endif
.endm

.macro interpolate_quaternions
    enter_ngi32_slot17 from, to, t, interpolated
    local_block result, 16
    local_block sign, 4
    local_block cosine, 4
    local_block weights, 8
    local_block scratch, 4
    mov esi, [ebp+from]
    mov edi, [ebp+to]
    mov dword ptr [ebp+sign], 0x3F800000
    dot4
    PICK 0
    ZERO
    UNLESS_LESS interpolate_positive\@
    NEGATE
    mov dword ptr [ebp+sign], 0xBF800000
interpolate_positive\@:
    ONE
    PICK 1
    SUBTRACT
    .if sse || STANDIN_SLERP_LIMIT == 0
        LOAD [constant_near]
    .else
        fld qword ptr [constant_near_f64]
        DEPTH depth+1
    .endif
    UNLESS_LESS_OR_EQUAL interpolate_far\@
    DROP
    ONE
    LOAD [ebp+t]
    SUBTRACT
    .if !sse
        ROUND_IF STANDIN_SLERP_WEIGHTS, scratch
    .endif
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
    TIMES [esi+\i]
    PICK 1
    TIMES [edi+\i]
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
    UNPUBLISHED_SSE_BUILD(ngi32_slot15)
    quaternion_to_mirrored_matrix

    at 0x00000
    affine_return ngi32_slot14
#if STANDIN_MIRROR_SHAPE == 1
    rotation_return ngi32_slot15
#elif CALL_ngi32_slot14 == CALL_ngi32_slot15
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
    .irp build, generic, fxch, sse
    .globl ngi32_slot22_\build
    .set ngi32_slot22_\build, ngi32_slot17_\build
    .endr
