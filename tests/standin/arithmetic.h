/* The rules of docs/arithmetic.md as a stack of numbers: every step is one instruction, written
 * once for the x87 and the SSE build of a function. In an x87 build the stack is the x87's own, and
 * a value keeps all its bits until STORE. In an SSE build it is xmm0, xmm1, ..., every operation
 * rounds to binary32, and the left operand is the destination, which decides between two NaNs.
 *
 * The comparing branches pop both operands, jump unless the relation holds (always with a NaN), and
 * use eax. A label that is reached by a jump states its depth with DEPTH. */
#ifndef RETROPOSE_STANDIN_ARITHMETIC_H
#define RETROPOSE_STANDIN_ARITHMETIC_H

#include "entry.h"

/* Builds of a slot: labels ngi32_slotN_generic, _fxch, _sse at their addresses. */
#define GENERIC_BUILD(function) build RVA_##function, function##_generic, 0
#define FXCH_BUILD(function)    build RVA_FXCH_##function, function##_fxch, 0
#define SSE_BUILD(function)     build RVA_SSE_##function, function##_sse, 1

.macro build address, symbol, with_sse
    function_at \address, \symbol
    .set sse, \with_sse
    .set depth, 0
.endm

.macro x87_arithmetic
    .set sse, 0
    .set depth, 0
.endm

.macro DEPTH numbers
    .set depth, \numbers
.endm

/* Register numbers become text through the alternate macro syntax's %. */
.macro xmm_memory instruction, register, operand
    \instruction xmm\register, dword ptr \operand
.endm
.macro memory_xmm instruction, operand, register
    \instruction dword ptr \operand, xmm\register
.endm
.macro xmm_xmm instruction, left, right
    \instruction xmm\left, xmm\right
.endm
.macro xmm_mask instruction, register, mask
    \instruction xmm\register, xmmword ptr [\mask]
.endm

.macro LOAD operand
    .if sse
        .altmacro
        xmm_memory movss, %depth, \operand
        .noaltmacro
    .else
        fld dword ptr \operand
    .endif
    .set depth, depth + 1
.endm

.macro ONE
    .if sse
        LOAD [constant_one]
    .else
        fld1
        .set depth, depth + 1
    .endif
.endm

.macro ZERO
    .if sse
        .altmacro
        xmm_xmm xorps, %depth, %depth
        .noaltmacro
    .else
        fldz
    .endif
    .set depth, depth + 1
.endm

/* A copy of the number `below` places under the top. */
.macro PICK below
    .if sse
        .altmacro
        xmm_xmm movaps, %depth, %depth-1-\below
        .noaltmacro
    .else
        fld st(\below)
    .endif
    .set depth, depth + 1
.endm

.macro DROP count=1
    .if !sse
        .rept \count
            fstp st(0)
        .endr
    .endif
    .set depth, depth - \count
.endm

.macro STORE operand
    .set depth, depth - 1
    .if sse
        .altmacro
        memory_xmm movss, \operand, %depth
        .noaltmacro
    .else
        fstp dword ptr \operand
    .endif
.endm

.macro two_operands x87_instruction, sse_instruction
    .if sse
        .altmacro
        xmm_xmm \sse_instruction, %depth-2, %depth-1
        .noaltmacro
    .else
        \x87_instruction st(1), st
    .endif
    .set depth, depth - 1
.endm

.macro ADD_
    two_operands faddp, addss
.endm
.macro SUBTRACT /* left - right */
    two_operands fsubp, subss
.endm
.macro MULTIPLY
    two_operands fmulp, mulss
.endm
.macro DIVIDE /* left / right */
    two_operands fdivp, divss
.endm

/* with itself */
.macro one_operand x87_instruction, sse_instruction
    .if sse
        .altmacro
        xmm_xmm \sse_instruction, %depth-1, %depth-1
        .noaltmacro
    .else
        \x87_instruction
    .endif
.endm

.macro DOUBLE
    one_operand "fadd st, st(0)", addss
.endm
.macro SQUARE
    one_operand "fmul st, st(0)", mulss
.endm
.macro ROOT
    one_operand fsqrt, sqrtss
.endm

.macro NEGATE
    .if sse
        .altmacro
        xmm_mask xorps, %depth-1, sign_mask
        .noaltmacro
    .else
        fchs
    .endif
.endm

.macro PRODUCT left, right
    LOAD \left
    LOAD \right
    MULTIPLY
.endm

/* (a0*b0 + a1*b1) + a2*b2 over memory */
.macro DOT3 a0, b0, a1, b1, a2, b2
    PRODUCT \a0, \b0
    PRODUCT \a1, \b1
    ADD_
    PRODUCT \a2, \b2
    ADD_
.endm

/* The sum of the squares of the three numbers on top, x*x first; they stay. */
.macro SQUARES3
    PICK 2
    SQUARE
    PICK 2
    SQUARE
    ADD_
    PICK 1
    SQUARE
    ADD_
.endm

.macro compare_in_x87 /* C0 right < left, C3 equal, all three bits when unordered */
    fcompp
    fnstsw ax
.endm
.macro compare_in_sse first, second
    .altmacro
    xmm_xmm comiss, %depth-\first, %depth-\second
    .noaltmacro
.endm

.macro UNLESS_LESS label
    .if sse
        compare_in_sse 1, 2
        jbe \label
    .else
        compare_in_x87
        test ah, 0x45
        jnz \label
    .endif
    .set depth, depth - 2
.endm

.macro UNLESS_LESS_OR_EQUAL label
    .if sse
        compare_in_sse 1, 2
        jb \label
    .else
        compare_in_x87
        test ah, 0x01
        jnz \label
    .endif
    .set depth, depth - 2
.endm

.macro UNLESS_GREATER label
    .if sse
        compare_in_sse 2, 1
        jbe \label
    .else
        compare_in_x87
        and ah, 0x45
        cmp ah, 0x01
        jne \label
    .endif
    .set depth, depth - 2
.endm

.macro UNLESS_GREATER_OR_EQUAL label
    .if sse
        compare_in_sse 2, 1
        jb \label
    .else
        compare_in_x87
        test ah, 0x04
        jnz \label
        test ah, 0x41
        jz \label
    .endif
    .set depth, depth - 2
.endm

.macro UNLESS_EQUAL label
    .if sse
        compare_in_sse 2, 1
        jne \label
        jp \label
    .else
        compare_in_x87
        and ah, 0x45
        cmp ah, 0x40
        jne \label
    .endif
    .set depth, depth - 2
.endm

/* The result in ST0: an x87 build leaves it there with all its bits, an SSE build loads its
 * binary32. `scratch` is a local block. */
.macro RETURN_NUMBER scratch
    .if sse
        STORE [ebp+\scratch]
        fld dword ptr [ebp+\scratch]
    .else
        .set depth, depth - 1
    .endif
.endm

#endif
