/* Rows of the ABI tables that need no body of their own: no-ops, refusals, and what is absent. Rows
 * that share an address share its code. */
#ifndef RETROPOSE_STANDIN_BODIES_H
#define RETROPOSE_STANDIN_BODIES_H

#include "entry.h"

/* X-macros for export rows: EXPORT_ROW(module)(row) places the export unless it is native. */
#define EXPORT_BODY(module, provider, name, rva, returns)                                          \
    body_##provider CONV_##module##_##name, STACK_##module##_##name, rva, name, returns;
.macro body_NOOP convention, stack, address, name, returns
    .ifndef code_at_\address
        at \address
        /* 0x00000 is no address: nothing is shared there */
        .ifnc \address,0x00000
code_at_\address\():
        .endif
        decorated \convention, \stack, \name
        .ifnc \returns,void
            xor eax, eax
        .endif
        return_popping \convention, \stack
    .else
        decorated_alias \convention, \stack, \name, code_at_\address
    .endif
.endm

.macro decorated_alias convention, stack, name, code
    .if \convention == 1
        alias _\name\()@\stack, \code
    .elseif \convention == 2
        alias @\name\()@\stack, \code
    .else
        alias _\name, \code
    .endif
.endm
.macro alias symbol, code
    .globl \symbol
    .set \symbol, \code
.endm

/* Refusal: null, 0, or -1 for an index. */
.macro body_REFUSED convention, stack, address, name, returns
    at \address
    decorated \convention, \stack, \name
    .ifc \returns,i32
        or eax, -1
    .else
        xor eax, eax
    .endif
    return_popping \convention, \stack
.endm

/* With unpublished arguments it cannot return. */
.macro body_FATAL convention, stack, address, name, returns
    at \address
    decorated \convention, \stack, \name
    call absent
.endm

.macro body_NATIVE convention, stack, address, name, returns
.endm
.macro body_DATA convention, stack, address, name, returns
.endm

/* A documented function that is not in the stand-in, and its label for vtables. */
.macro absent_at address, label
    .ifndef absent_at_\address
        at \address
absent_at_\address\():
        call absent
    .endif
    .ifnb \label
        .globl \label
        .set \label, absent_at_\address
    .endif
.endm

/* Consecutive entries of a vtable: `vtable_entry` fills up to its slot with unknown ones. */
.macro vtable
    .set vtable_slot, 0
.endm
.macro vtable_entry slot, routine
    .rept \slot - vtable_slot
        .long absent_slot
    .endr
    .long \routine
    .set vtable_slot, \slot + 1
.endm
.macro vtable_end slots
    .rept \slots - vtable_slot
        .long absent_slot
    .endr
.endm

#endif
