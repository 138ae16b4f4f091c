/* The frame of structured exception handling around a run that may crash (guard.h). The system asks
 * the frames of the run itself first, so an exception that the run handles itself, as IsBadWritePtr
 * does, never comes here. */
    .text

/* uint32_t Guard_Enter(void (*run)(void *context), void *context, GuardFault *fault); returns 1, or
 * 0 after Guard_Abandon. It pushes the GuardFrame of guard.c onto the stack. */
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

/* void Guard_Abandon(GuardFrame *frame); makes the Guard_Enter of this frame return. */
    .globl _Guard_Abandon
_Guard_Abandon:
    movl 4(%esp), %esp
    cld
    fninit /* drops a pending exception, which the caller's next x87 instruction would raise */
    xorl %eax, %eax
    jmp leave_guard
