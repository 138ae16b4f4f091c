/* Slots 7, 11, 20, 26, 35 and 38. */
#include "tests/standin/arithmetic.inc"

.set products_in_memory, STANDIN_OPERANDS

/* out_i = (m[4i]*v0 + m[4i+1]*v1) + m[4i+2]*v2 */
.macro rotate_vector
    enter_ngi32_slot7 matrix, vector, rotated
    local_block result, 12
    mov esi, [ebp+matrix]
    mov edi, [ebp+vector]
    .irp i, 0, 1, 2
    DOT3 STANDIN_ROTATE_SUM, [esi+16*\i], [edi], [esi+16*\i+4], [edi+4], [esi+16*\i+8], [edi+8]
#if STANDIN_ROTATE_VECTOR == 1 /* affine */
    LOAD [esi+16*\i+12]
    ADD_
#endif
    STORE [ebp+result+4*\i]
    .endr
    copy_out 3, result, rotated
    leave_ngi32_slot7
.endm

/* out_j = (m[j]*v0 + m[4+j]*v1) + m[8+j]*v2 */
.macro rotate_vector_transposed
    enter_ngi32_slot35 matrix, vector
    local_block result, 12
    mov esi, [ebp+matrix]
    mov edi, [ebp+vector]
    .irp j, 0, 4, 8
    DOT3 STANDIN_TRANSPOSED_SUM, [esi+\j], [edi], [esi+\j+16], [edi+4], [esi+\j+32], [edi+8]
    STORE [ebp+result+\j]
    .endr
    copy_out 3, result, vector
    leave_ngi32_slot35
.endm

/* Computes 1 / sqrt(x), sqrt(1 / x), or the estimate r and one Newton step: (0.5 r)(3 - (x r)
 * r). */
.macro reciprocal_square_root
    enter_ngi32_slot11 x
    local_block scratch, 4
    .if sse && STANDIN_RSQRT_SSE == 1
        LOAD [ebp+x]
        one_operand "", rsqrtss
        LOAD [constant_one_half]
        PICK 1
        MULTIPLY
        LOAD [constant_three]
        LOAD [ebp+x]
        PICK 3
        MULTIPLY
        PICK 3
        MULTIPLY
        SUBTRACT
        MULTIPLY
    .elseif !sse && STANDIN_RSQRT == 1
        ONE
        LOAD [ebp+x]
        DIVIDE
        ROOT
    .else
        ONE
        LOAD [ebp+x]
        ROOT
        DIVIDE
    .endif
    RETURN_NUMBER scratch
    leave_ngi32_slot11
.endm

/* Computes one channel of max(light + ambient, scene). The x87 build takes scene if the sum is less
 * than it. maxss takes it unless the sum is greater. */
.macro combine_channel i
    mov esi, [ebp+light]
    LOAD [esi+\i]
    mov esi, [ebp+ambient]
    LOAD [esi+\i]
    ADD_
    mov esi, [ebp+scene]
    .if sse
        LOAD [esi+\i]
        two_operands , maxss
    .else
        PICK 0
        LOAD [esi+\i]
        UNLESS_LESS combine_keep\@
        DROP
        LOAD [esi+\i]
combine_keep\@:
    .endif
    STORE [ebp+result+\i]
.endm

.macro combine_light
    enter_ngi32_slot20 light, ambient, scene, colour
    local_block result, 12
    combine_channel 0
    combine_channel 4
    combine_channel 8
    copy_out 3, result, colour
    leave_ngi32_slot20
.endm

/* d_i = p_i - m[4i+3]; out_j = column j . d / (column j . column j) */
.macro point_to_frame
    enter_ngi32_slot26 frame, point, local_point
    local_block result, 12
    mov esi, [ebp+frame]
    mov edi, [ebp+point]
    .irp i, 0, 1, 2
    LOAD [edi+4*\i]
    LOAD [esi+16*\i+12]
    SUBTRACT
    .endr
    .irp j, 0, 4, 8
    DOT3_OF_STACK STANDIN_FRAME_SUM, [esi+\j], [esi+\j+16], [esi+\j+32]
#if STANDIN_FRAME_DIVISION == 1 /* reciprocal */
    ONE
#endif
    DOT3 STANDIN_FRAME_SUM, [esi+\j], [esi+\j], [esi+\j+16], [esi+\j+16], [esi+\j+32], [esi+\j+32]
    DIVIDE
#if STANDIN_FRAME_DIVISION == 1
    MULTIPLY
#endif
    STORE [ebp+result+\j]
    .endr
    DROP 3
    copy_out 3, result, local_point
    leave_ngi32_slot26
.endm

/* Returns the length. A vector of length 0 stays as it is. */
.macro normalise_vector
    enter_ngi32_slot38 vector
    local_block scratch, 4
    mov esi, [ebp+vector]
    DOT3 STANDIN_NORMALISE_SUM, [esi], [esi], [esi+4], [esi+4], [esi+8], [esi+8]
    ROOT
    PICK 0
    ZERO
    UNLESS_EQUAL normalise_scale\@
    jmp normalise_return\@
normalise_scale\@:
#if STANDIN_NORMALISE == 1 /* quotient */
    .irp i, 0, 4, 8
    LOAD [esi+\i]
    PICK 1
    DIVIDE
    STORE [esi+\i]
    .endr
#else
    ONE
    PICK 1
    DIVIDE
    .irp i, 0, 4, 8
    LOAD [esi+\i]
    PICK 1
    MULTIPLY
    STORE [esi+\i]
    .endr
    DROP
#endif
normalise_return\@:
    RETURN_NUMBER scratch
    leave_ngi32_slot38
.endm

    GENERIC_BUILD(ngi32_slot7)
    rotate_vector
    UNPUBLISHED_SSE_BUILD(ngi32_slot7)
    rotate_vector

    GENERIC_BUILD(ngi32_slot35)
    rotate_vector_transposed
    SSE_BUILD(ngi32_slot35)
    rotate_vector_transposed

    GENERIC_BUILD(ngi32_slot11)
    reciprocal_square_root
    UNPUBLISHED_SSE_BUILD(ngi32_slot11)
    reciprocal_square_root

    /* There are only 80 and 32 bytes between two of slot 20's addresses and the next functions. */
    GENERIC_BUILD(ngi32_slot20)
    combine_light
    FXCH_BUILD(ngi32_slot20)
    jmp ngi32_slot20_generic
    SSE_BUILD(ngi32_slot20)
    jmp combine_light_sse
    build 0x00000, combine_light_sse, 1
    combine_light
    build 0x1BDD0, combine_light_other, 0 /* facts/ngi32.md B.3: of an unpublished class */
    combine_light

    GENERIC_BUILD(ngi32_slot26)
    point_to_frame
    FXCH_BUILD(ngi32_slot26)
    point_to_frame
    UNPUBLISHED_SSE_BUILD(ngi32_slot26)
    point_to_frame

    GENERIC_BUILD(ngi32_slot38)
    normalise_vector
    UNPUBLISHED_SSE_BUILD(ngi32_slot38)
    normalise_vector
