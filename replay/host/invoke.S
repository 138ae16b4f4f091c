/* The machine state around one foreign call; see invoke.h. */
#include "replay/host/invoke.h"

#define FRAME(offset) _invoke_frame + offset

#define X87_EXCEPTIONS 0x003F /* masked, in the control word */
#define X87_NO_CONTROL 0x10000

/* in the x87's status word */
#define X87_FLAGS       0x00FF
#define X87_STACK_FAULT 0x0040
#define X87_TOP         0x3800
#define X87_CLASS       0x4500 /* after fxam */
#define X87_CLASS_EMPTY 0x4100

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
    movl $X87_NO_CONTROL, FRAME(INVOKE_CONTROL_NOW)
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

    movl FRAME(INVOKE_CONTROL_IN), %eax
    cmpl %eax, FRAME(INVOKE_CONTROL_NOW)
    je control_is_right
    fldcw FRAME(INVOKE_CONTROL_IN)
control_is_right:
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
    movl $1, FRAME(INVOKE_X87_CLEAN)
    movzwl FRAME(INVOKE_CONTROL_OUT), %eax
    movl %eax, FRAME(INVOKE_CONTROL_NOW)
    notl %eax
    testl $X87_EXCEPTIONS, %eax
    jnz not_masked
all_masked:
    cmpl $0, FRAME(INVOKE_RETURNS_FLOAT)
    jne take_float

    /* Is the stack empty? Eight numbers fit into it only if it is; this takes a twentieth of the
     * time of fnstenv. The last of them leaves the condition codes as fninit does. */
ask_stack:
    .rept 7
    fldz
    .endr
    fld1
    ftst
    fnstsw %ax
    testl $(X87_TOP | X87_FLAGS), %eax
    jnz not_fresh
    emms
    jmp restored

not_masked:
    fldcw FRAME(INVOKE_HOST_CONTROL) /* masks all exceptions */
    movzwl FRAME(INVOKE_HOST_CONTROL), %eax
    movl %eax, FRAME(INVOKE_CONTROL_NOW)
    jmp all_masked

take_float:
    fxam
    fnstsw %ax
    fstpt FRAME(INVOKE_ST0)
    andl $X87_CLASS, %eax
    cmpl $X87_CLASS_EMPTY, %eax
    jne ask_stack
    movl $0, FRAME(INVOKE_X87_CLEAN)
    jmp ask_stack

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
    movl $0, FRAME(INVOKE_X87_CLEAN)
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
    movl $X87_NO_CONTROL, FRAME(INVOKE_CONTROL_NOW)
    fldcw FRAME(INVOKE_HOST_CONTROL)
    ldmxcsr FRAME(INVOKE_HOST_MXCSR)
    ret
