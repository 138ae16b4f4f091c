/* An Ngi32.dll whose functions leave the x87 and MXCSR in another state than they found them in,
 * most of them within the rules, and one function that reports the state that it finds.
 * test_lane.c says what has to result from that. */
#include "prototypes.h"

/* Stores the state that it finds: the x87's status and control words and MXCSR. */
__attribute__((naked)) static void Finds(void) {
    __asm__("movl 4(%esp), %ecx\n\tfnstsw %ax\n\tmovzwl %ax, %eax\n\tmovl %eax, (%ecx)\n\t"
            "fnstcw 4(%ecx)\n\tstmxcsr 8(%ecx)\n\tret $4");
}

/* Leaves flags of exceptions, condition codes, and all exceptions of SSE. */
__attribute__((naked)) static void LeavesFlags(void) {
    __asm__("fldpi\n\tfstps (%edx)\n\tfldz\n\tftst\n\tfstp %st(0)\n\tpushl $0x1FBF\n\t"
            "ldmxcsr (%esp)\n\tpopl %eax\n\tret");
}

/* Leaves another register as the top of the empty stack. */
__attribute__((naked)) static void LeavesAnotherTop(void) {
    __asm__("fincstp\n\tret");
}

/* Causes a stack fault, and leaves the stack empty. */
__attribute__((naked)) static void HasAStackFault(void) {
    __asm__("fstp %st(0)\n\tfdecstp\n\tret $8");
}

/* Leaves the x87 in use by MMX, so that no register of it is empty, which is a violation. */
__attribute__((naked)) static void LeavesMmx(void) {
    __asm__("movd %eax, %mm0\n\tret $8");
}

/* Returns without the float that it has to return, which is a violation. */
__attribute__((naked)) static void ReturnsNoFloat(void) {
    __asm__("ret");
}

/* Writes past its output in the first call only. */
static ABI_PROTO_ngi32_slot35(WritesOutsideOnce) {
    static uint32_t calls;
    (void)matrix;
    vector[calls++ == 0 ? 3 : 0] = 0;
}

#define FUNCTION(name) (const void *)(uintptr_t)(name)
const void *g_FastProc[68] = {
    [14] = FUNCTION(LeavesFlags),    [15] = FUNCTION(LeavesAnotherTop),
    [17] = FUNCTION(HasAStackFault), [22] = FUNCTION(LeavesMmx),
    [26] = FUNCTION(Finds),          [35] = FUNCTION(WritesOutsideOnce),
    [38] = FUNCTION(ReturnsNoFloat),
};
