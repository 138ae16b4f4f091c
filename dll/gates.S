/* Every way into a DLL of ours: the gates, the pool of gates for exports that have no row, and the
 * entries of observed calls. Also calls a function by any convention. The code is static: at run
 * time only tables of addresses are written. */

#define GATE_STRIDE   8
#define ENTRY_STRIDE  16
#define POOL_COUNT    256 /* EXPORT_GATE_COUNT */
#define STUB_STRIDE   8
#define STUB_MAX_POPS 64

/* ---- gates: gates-NAME.inc has one line for each ---------------------------------------------- */

    .set gate_count, 0
    .set outgoing_count, 0

.macro gate_to native
    jmp *_live_gate_targets + 4 * gate_count
    .balign GATE_STRIDE, 0xCC
    .data
    .long \native
    .text
    .set gate_count, gate_count + 1
.endm

.macro gate name, native
    .globl _gate_\name
_gate_\name:
    gate_to \native
.endm

/* Until the processor's class is known, a slot leads to the entry for slots without public
 * facts. */
.macro slot_gate number
    gate_to "unserved_slots + 8 * \number" /* dll/ngi32/dispatch.c */
.endm

.macro outgoing_gate number
    .set outgoing_count, outgoing_count + 1
.endm

    .data
    .balign 4
    .globl _live_gate_targets
_live_gate_targets:
    .text
    .balign GATE_STRIDE, 0xCC
    .globl _live_gate_code
_live_gate_code:
#include LIVE_GATES

/* ---- the pool --------------------------------------------------------------------------------- */

    .balign GATE_STRIDE, 0xCC
pool_gates:
    .set pool_number, 0
    .rept POOL_COUNT
    jmp *_live_pool_targets + 4 * pool_number
    .balign GATE_STRIDE, 0xCC
    .data
    .if pool_number == 0
    .globl _live_pool_targets
_live_pool_targets:
    .endif
    .long unserved_pool + ENTRY_STRIDE * pool_number
    .text
    .set pool_number, pool_number + 1
    .endr

    /* It is not known how many bytes such an export pops, so it cannot return. */
    .balign ENTRY_STRIDE, 0xCC
unserved_pool:
    .set pool_number, 0
    .rept POOL_COUNT
    pushl $pool_number
    call _Pool_EndUnserved
    .balign ENTRY_STRIDE, 0xCC
    .set pool_number, pool_number + 1
    .endr

    /* What an export that only pops does without an original. The number of such a stub is (pops /
     * 4) * 2 + clears. */
    .balign STUB_STRIDE, 0xCC
    .globl _live_stubs
_live_stubs:
    .set stub_pops, 0
    .rept STUB_MAX_POPS / 4 + 1
    ret $stub_pops
    .balign STUB_STRIDE, 0xCC
    xorl %eax, %eax
    ret $stub_pops
    .balign STUB_STRIDE, 0xCC
    .set stub_pops, stub_pops + 4
    .endr

    .data
    .balign 4
    .globl _RetroposeGates
_RetroposeGates: /* ExportGates of exports/section.h */
    .long 0x54475052, 1, POOL_COUNT, GATE_STRIDE
    .rva pool_gates
    .long 0

/* ---- observed calls --------------------------------------------------------------------------- */

    .text
    .balign ENTRY_STRIDE, 0xCC
    .globl _live_observed_entries
_live_observed_entries:
    .set entry_number, 0
    .rept gate_count + outgoing_count
    pushl $entry_number
    jmp observed
    .balign ENTRY_STRIDE, 0xCC
    .set entry_number, entry_number + 1
    .endr

#define FRAME_ECX     24
#define FRAME_FLAGS   32
#define FRAME_RETURN  40

/* Pushes a LiveFrame (gate.h), has Gate_Run make the call, and returns as the called function
 * would. EAX and EDX are taken from the frame, the x87 is as the function left it, and the
 * arguments are removed if the function's convention says so. */
observed:
    pushfl
    cld
    pushal
    movl %esp, %ebp
    andl $-16, %esp
    subl $16, %esp
    movl %ebp, (%esp)
    call _Gate_Run
    movl %ebp, %esp
    leal FRAME_RETURN(%esp, %eax), %ecx /* for the return address: over the removed arguments */
    movl FRAME_RETURN(%esp), %edx
    movl %edx, (%ecx)
    movl FRAME_FLAGS(%esp), %edx
    subl $4, %ecx
    movl %edx, (%ecx)
    movl %ecx, FRAME_ECX(%esp)
    popal
    movl %ecx, %esp
    popfl
    ret

/* ---- calling a function of any convention ----------------------------------------------------- */

#define CALL_CODE    0
#define CALL_ECX     4
#define CALL_EDX     8
#define CALL_STACK   12
#define CALL_DWORDS  16
#define CALL_EAX     20

/* void Live_CallMachine(MachineCall *). The function begins with the caller's x87 state and MXCSR,
 * and the caller gets those that the function leaves. */
    .globl _Live_CallMachine
_Live_CallMachine:
    pushl %ebp
    movl %esp, %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl 8(%ebp), %ebx
    movl CALL_DWORDS(%ebx), %ecx
    leal (, %ecx, 4), %eax
    subl %eax, %esp
    movl %esp, %edi
    movl CALL_STACK(%ebx), %esi
    rep movsl
    movl CALL_ECX(%ebx), %ecx
    movl CALL_EDX(%ebx), %edx
    call *CALL_CODE(%ebx)
    cld
    movl 8(%ebp), %ecx
    movl %eax, CALL_EAX(%ecx)
    movl %edx, CALL_EAX + 4(%ecx)
    leal -12(%ebp), %esp /* repairs the stack, whoever popped the arguments */
    popl %edi
    popl %esi
    popl %ebx
    popl %ebp
    ret

/* ---- trampolines of redirected functions (detour.c): pages of their own ----------------------- */

    .section .rptr, "xr"
    .globl _live_trampolines
_live_trampolines:
    .fill 128 * 32, 1, 0xCC
