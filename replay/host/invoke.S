/* The machine state around one foreign call; see invoke.h. */
#include "replay/host/invoke.h"

#define FRAME(offset) _invoke_frame + offset

/* in the x87's status word */
#define X87_FLAGS       0x00FF
#define X87_STACK_FAULT 0x0040
#define X87_TOP         0x3800

#define X87_ALL_EMPTY 0xFFFF /* of the tags */

    .text
    .globl _Invoke_Run
_Invoke_Run:
    pushl %ebp
    pushl %ebx
    pushl %esi
    pushl %edi
    movl $0, FRAME(INVOKE_FAULT_CODE)
    movl %esp, FRAME(INVOKE_HOST_ESP)

    /* The end of each call leaves the x87 as fninit does, which takes as long as many a function. */
    cmpl $0, FRAME(INVOKE_FRESH)
    je is_fresh
    fnstcw FRAME(INVOKE_HOST_CONTROL)
    stmxcsr FRAME(INVOKE_HOST_MXCSR)
    fninit
    movl $0, FRAME(INVOKE_FRESH)
is_fresh:

    /* Arguments at 4 modulo 16: the game's compiler kept 4 bytes only, so code that counts on more
     * must fail here too. The room above takes what a callee may write behind its arguments. */
    movl FRAME(INVOKE_STACK_COUNT), %ecx
    movl FRAME(INVOKE_STACK), %esi
    leal 256(, %ecx, 4), %eax
    movl %esp, %edx
    subl %eax, %edx
    andl $-16, %edx
    addl $4, %edx
    movl %edx, %esp
    movl %esp, FRAME(INVOKE_ESP_BEFORE)
    movl %esp, %edi
    cld
    jecxz arguments_are_there
next_argument: /* `rep movsl` takes longer for the few that there are */
    movl (%esi), %eax
    movl %eax, (%edi)
    addl $4, %esi
    addl $4, %edi
    decl %ecx
    jnz next_argument
arguments_are_there:
    /* what lies behind the arguments is nobody's: no stale pointer of the host for a callee that
     * reads more than it was given */
    movups nobodys, %xmm0
    .set at, 0
    .rept 15
    movups %xmm0, at(%edi)
    .set at, at + 16
    .endr

    fldcw FRAME(INVOKE_CONTROL_IN)
    ldmxcsr FRAME(INVOKE_MXCSR_IN)
    movl $INVOKE_SENTINEL_EAX, %eax
    movl $INVOKE_SENTINEL_EBX, %ebx
    movl $INVOKE_SENTINEL_ESI, %esi
    movl $INVOKE_SENTINEL_EDI, %edi
    movl $INVOKE_SENTINEL_EBP, %ebp
    movl FRAME(INVOKE_IN_ECX), %ecx
    movl FRAME(INVOKE_IN_EDX), %edx
    movl $1, FRAME(INVOKE_RUNNING)
    call *FRAME(INVOKE_FUNCTION)

    movl %eax, FRAME(INVOKE_EAX)
    movl %esp, FRAME(INVOKE_ESP_AFTER)
    movl %ebx, FRAME(INVOKE_EBX)
    movl %esi, FRAME(INVOKE_ESI)
    movl %edi, FRAME(INVOKE_EDI)
    movl %ebp, FRAME(INVOKE_EBP)
    movl FRAME(INVOKE_HOST_ESP), %esp
    pushfl
    popl FRAME(INVOKE_EFLAGS)
    cld
    fwait /* an unmasked x87 exception that waits for the next instruction belongs to this call */
    movl $0, FRAME(INVOKE_RUNNING)
    fnstcw FRAME(INVOKE_CONTROL_OUT)
    stmxcsr FRAME(INVOKE_MXCSR_OUT)
    cmpl $0, FRAME(INVOKE_RETURNS_FLOAT)
    jne float_result

    /* Is the stack empty? Eight numbers fit into it only if it is; this takes a twentieth of the
     * time of fnstenv. The last of them leaves the condition codes as fninit does. */
    fldcw FRAME(INVOKE_HOST_CONTROL) /* masks all exceptions */
    ldmxcsr FRAME(INVOKE_HOST_MXCSR)
    .rept 7
    fldz
    .endr
    fld1
    ftst
    fnstsw %ax
    movl $X87_ALL_EMPTY, FRAME(INVOKE_TAGS)
    testl $(X87_TOP | X87_FLAGS), %eax
    jnz not_fresh
    emms
    jmp restored
not_fresh:
    testl $X87_STACK_FAULT, %eax
    jnz stack_fault
    testl $X87_TOP, %eax
    jnz another_top
    emms
    fnclex
    jmp restored
stack_fault:
    /* Either the function had a fault, or now there was one: then a number that found its register
     * full has become a NaN. */
    fnsave FRAME(INVOKE_SAVED)
    .set at, INVOKE_SAVED + 36
    .rept 8
    cmpw $0xFFFF, FRAME(at)
    je was_full
    .set at, at + 10
    .endr
another_top:
    call _Invoke_Restore
    jmp restored
was_full:
    movl $0, FRAME(INVOKE_TAGS)
    call _Invoke_Restore
    jmp restored
float_result:
    fnstenv FRAME(INVOKE_ENVIRONMENT) /* masks all exceptions, too */
    fnclex
    fstpt FRAME(INVOKE_ST0)
    call _Invoke_Restore
restored:
    popl %edi
    popl %esi
    popl %ebx
    popl %ebp
    ret

nobodys:
    .long INVOKE_SENTINEL_EAX, INVOKE_SENTINEL_EAX, INVOKE_SENTINEL_EAX, INVOKE_SENTINEL_EAX

    .globl _Invoke_Restore
_Invoke_Restore:
    movl $0, FRAME(INVOKE_RUNNING)
    cld
    fninit
    fldcw FRAME(INVOKE_HOST_CONTROL)
    ldmxcsr FRAME(INVOKE_HOST_MXCSR)
    ret
