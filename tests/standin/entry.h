/* How a function of the stand-in is placed, entered and left, and how it calls another one. All of
 * it follows the ABI tables (standin.inc): with another convention there, the same source is
 * assembled to another entry sequence. Intel syntax. */
#ifndef RETROPOSE_STANDIN_ENTRY_H
#define RETROPOSE_STANDIN_ENTRY_H

#include "standin.inc"

    .intel_syntax noprefix

/* What follows goes to `address` (0xRRRRR as the tables print it; 0x00000: anywhere), see layout.c.
 * Alignment 1, because documented addresses are not aligned. */
.macro at address
    .section .at.\address, "x0"
.endm

#define FUNCTION(function) function_at RVA_##function, function
.macro function_at address, symbol
    at \address
    .globl \symbol
\symbol:
.endm

/* The symbol that the .def files expect for an export. */
#define EXPORT(name) export_label CONV_ngi32_##name, STACK_ngi32_##name, RVA_ngi32_##name, name
#define ANIMESH_EXPORT(name) \
    export_label CONV_animesh_##name, STACK_animesh_##name, RVA_animesh_##name, name
.macro export_label convention, stack, address, name
    at \address
    decorated \convention, \stack, \name
.endm
.macro decorated convention, stack, name
    .if \convention == 1
        .globl _\name\()@\stack
_\name\()@\stack\():
    .elseif \convention == 2
        .globl @\name\()@\stack
@\name\()@\stack\():
    .else
        .globl _\name
_\name:
    .endif
.endm

/* PROLOGUE(f), then its parameters in order (`dword_parameter`, `float_parameter`), then `local_block`s;
 * each name becomes an offset from ebp. EPILOGUE(f) restores ebx, esi, edi and pops what f pops. */
#define PROLOGUE(function) prologue CONV_##function
#define EPILOGUE(function) epilogue CONV_##function, STACK_##function

.macro prologue convention
    push ebp
    mov ebp, esp
    push ecx
    push edx
    push ebx
    push esi
    push edi
    .set frame_bytes, 20
    .set register_offset, -4
    .set stack_offset, 8
    .set free_registers, 0
    .if \convention == 2
        .set free_registers, 2
    .elseif \convention == 3
        .set free_registers, 1
    .endif
.endm

.macro dword_parameter name
    .if free_registers > 0
        .set \name, register_offset
        .set register_offset, register_offset - 4
        .set free_registers, free_registers - 1
    .else
        float_parameter \name
    .endif
.endm

/* fastcall and thiscall never pass a float in a register */
.macro float_parameter name
    .set \name, stack_offset
    .set stack_offset, stack_offset + 4
.endm

.macro local_block name, bytes
    .set frame_bytes, frame_bytes + \bytes
    .set \name, -frame_bytes
    sub esp, \bytes
.endm

.macro epilogue convention, stack
    .if stack_offset - 8 != \stack
        .error "parameters disagree with the ABI table"
    .endif
    mov ebx, [ebp-12]
    mov esi, [ebp-16]
    mov edi, [ebp-20]
    leave
    return_popping \convention, \stack
.endm

.macro return_popping convention, stack
    .if \convention == 0 || \stack == 0
        ret
    .else
        ret \stack
    .endif
.endm

/* invoke CONV_f, target, kind, value, ...: kind r = a dword in a register, m = a dword in memory,
 * f = a float in memory. Values must not use eax, ecx or edx; an indirect target may use eax. */
.macro invoke convention, target, k0, v0, k1, v1, k2, v2, k3, v3, k4, v4
    .set free_registers, 0
    .if \convention == 2
        .set free_registers, 2
    .elseif \convention == 3
        .set free_registers, 1
    .endif
    .set pushed_bytes, 0
    .set next_register, 2
    assign_place 0, \k0
    assign_place 1, \k1
    assign_place 2, \k2
    assign_place 3, \k3
    assign_place 4, \k4
    push_argument 4, \k4, \v4
    push_argument 3, \k3, \v3
    push_argument 2, \k2, \v2
    push_argument 1, \k1, \v1
    push_argument 0, \k0, \v0
    load_argument 0, \v0
    load_argument 1, \v1
    load_argument 2, \v2
    load_argument 3, \v3
    load_argument 4, \v4
    call \target
    .if \convention == 0 && pushed_bytes > 0
        add esp, pushed_bytes
    .endif
.endm

/* place_N: 0 stack, 2 the first register (ecx), 1 the second (edx) */
.macro assign_place index, kind
    .set place_\index, 0
    .ifnb \kind
        .ifnc \kind,f
            .if free_registers > 0
                .set place_\index, next_register
                .set next_register, 1
                .set free_registers, free_registers - 1
            .endif
        .endif
    .endif
.endm

.macro push_argument index, kind, value
    .ifnb \kind
        .if place_\index == 0
            .ifc \kind,r
                push \value
            .else
                push dword ptr \value
            .endif
            .set pushed_bytes, pushed_bytes + 4
        .endif
    .endif
.endm

.macro load_argument index, value
    .if place_\index == 2
        mov ecx, \value
    .elseif place_\index == 1
        mov edx, \value
    .endif
.endm

/* Results are computed in full into a local block, then copied. */
.macro copy_out dwords, from, to
    lea esi, [ebp+\from]
    mov edi, [ebp+\to]
    mov ecx, \dwords
    rep movsd
.endm

#endif
