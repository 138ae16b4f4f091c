/* Slots 4, 23 and 28: products of row-major matrices. */
#include "tests/standin/arithmetic.inc"

.set products_in_memory, STANDIN_OPERANDS

/* out[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j] + a[i][3]*b[3][j] */
.macro matrix_product_44 function
    enter_\function left, right, product
    local_block result, 64
    mov esi, [ebp+left]
    mov edi, [ebp+right]
    .if sse
        .set matrix_order, STANDIN_MATRIX_SUM_SSE
    .else
        .set matrix_order, STANDIN_MATRIX_SUM
    .endif
    .irp i, 0, 16, 32, 48
    .irp j, 0, 4, 8, 12
    .set row, \i
    .set column, \j
    SUM4 matrix_order, matrix_term
    STORE [ebp+result+\i+\j]
    .endr
    .endr
    copy_out 16, result, product
    leave_\function
.endm
.macro matrix_term k
    PRODUCT [esi+row+4*\k], [edi+column+16*\k]
.endm

/* Computes three rows of four. `a` carries the fourth column of b, and then a's own is added. */
.macro matrix_product_34
    enter_ngi32_slot4 left, right, product
    local_block result, 48
    mov esi, [ebp+left]
    mov edi, [ebp+right]
    .irp i, 0, 16, 32
    .irp j, 0, 4, 8
    DOT3 STANDIN_MATRIX34_SUM, [esi+\i], [edi+\j], [esi+\i+4], [edi+\j+16], [esi+\i+8], [edi+\j+32]
    STORE [ebp+result+\i+\j]
    .endr
#if STANDIN_MATRIX34_SUM == 3 /* translation-first */
    LOAD [esi+\i+12]
    .irp k, 0, 1, 2
    PRODUCT [esi+\i+4*\k], [edi+12+16*\k]
    ADD_
    .endr
#else
    DOT3 STANDIN_MATRIX34_SUM, [esi+\i], [edi+12], [esi+\i+4], [edi+28], [esi+\i+8], [edi+44]
    LOAD [esi+\i+12]
    ADD_
#endif
    STORE [ebp+result+\i+12]
    .endr
    copy_out 12, result, product
    leave_ngi32_slot4
.endm

    GENERIC_BUILD(ngi32_slot4)
    matrix_product_34
    UNPUBLISHED_SSE_BUILD(ngi32_slot4)
    matrix_product_34

    GENERIC_BUILD(ngi32_slot23)
    matrix_product_44 ngi32_slot23
    SSE_BUILD(ngi32_slot23)
    matrix_product_44 ngi32_slot23

    GENERIC_BUILD(ngi32_slot28)
    matrix_product_44 ngi32_slot28
    UNPUBLISHED_SSE_BUILD(ngi32_slot28)
    matrix_product_44 ngi32_slot28
