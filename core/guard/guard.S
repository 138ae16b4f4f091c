/* The frame of structured exception handling around a run that may crash; see guard.h. Frames of the
 * run come first, so what it handles itself (IsBadWritePtr does) is none of our business. */
    .text

/* uint32_t Guard_Enter(void (*run)(void *context), void *context, GuardFault *fault): 1, or 0 after
 * Guard_Abandon. What it pushes is GuardFrame of guard.c. */
    .globl _Guard_Enter
_Guard_Enter:
    movl 4(%esp), %eax
    movl 8(%esp), %ecx
    movl 12(%esp), %edx
    pushl %ebp
    pushl %edi
    pushl %esi
    pushl %ebx
    pushl %edx
    pushl $_Guard_Handler
    pushl %fs:0
    movl %esp, %fs:0
    pushl %ecx
    call *%eax
    addl $4, %esp
    movl $1, %eax
leave_guard: /* ESP is the frame */
    popl %fs:0
    addl $8, %esp
    popl %ebx
    popl %esi
    popl %edi
    popl %ebp
    ret

/* void Guard_Abandon(GuardFrame *frame): returns from the frame's Guard_Enter. */
    .globl _Guard_Abandon
_Guard_Abandon:
    movl 4(%esp), %esp
    cld
    fninit /* an exception that waits would come with the caller's next instruction */
    xorl %eax, %eax
    jmp leave_guard
