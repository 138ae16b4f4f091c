/* Makes one call of a 32-bit function under a chosen state of the machine. A guest runs one call at
 * a time, so it has one frame. invoke.S knows the offsets. */
#ifndef RETROPOSE_REPLAY_HOST_INVOKE_H
#define RETROPOSE_REPLAY_HOST_INVOKE_H

#define INVOKE_FUNCTION      0
#define INVOKE_STACK         4
#define INVOKE_STACK_COUNT   8
#define INVOKE_IN_ECX        12
#define INVOKE_IN_EDX        16
#define INVOKE_CONTROL_IN    20
#define INVOKE_MXCSR_IN      24
#define INVOKE_RETURNS_FLOAT 28
#define INVOKE_EAX           32
#define INVOKE_ESP_BEFORE    36
#define INVOKE_ESP_AFTER     40
#define INVOKE_EBX           44
#define INVOKE_ESI           48
#define INVOKE_EDI           52
#define INVOKE_EBP           56
#define INVOKE_EFLAGS        60
#define INVOKE_CONTROL_OUT   64
#define INVOKE_MXCSR_OUT     68
#define INVOKE_X87_CLEAN     72
#define INVOKE_ST0           76
#define INVOKE_RUNNING       88
#define INVOKE_HOST_ESP      92
#define INVOKE_HOST_CONTROL  96
#define INVOKE_HOST_MXCSR    100
#define INVOKE_FAULT_CODE    104
#define INVOKE_FAULT_ADDRESS 108
#define INVOKE_FRESH         112
#define INVOKE_CONTROL_NOW   116
#define INVOKE_SAVED         120

#define INVOKE_SENTINEL_EBX 0x5E471EB0
#define INVOKE_SENTINEL_ESI 0x5E4715A0
#define INVOKE_SENTINEL_EDI 0x5E471D10
#define INVOKE_SENTINEL_EBP 0x5E471BB0
/* the value that ECX and EDX have, too, where they carry no argument */
#define INVOKE_SENTINEL_EAX 0x5E471AA0

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

struct Guest;

typedef struct InvokeFrame {
    /* The members that the caller fills: */
    uint32_t function;
    const uint32_t *stack; /* dwords, the first argument first */
    uint32_t stack_count;
    uint32_t in_ecx, in_edx;
    uint32_t control_in; /* a control word of 16 bits */
    uint32_t mxcsr_in;
    uint32_t returns_float;
    /* The members that the call fills; after an exception only the last two of them: */
    uint32_t eax;
    uint32_t esp_before, esp_after;
    uint32_t ebx, esi, edi, ebp;
    uint32_t eflags;
    uint32_t control_out; /* only the low word counts */
    uint32_t mxcsr_out;
    uint32_t x87_clean; /* the x87 stack holds only the float that was to be returned, or nothing */
    uint8_t st0[12];
    uint32_t running; /* set while foreign code runs */
    uint32_t host_esp, host_control, host_mxcsr;
    uint32_t fault_code; /* 0 if the function returned */
    uint32_t fault_address;
    uint32_t fresh;       /* the next call begins with fninit; see Invoke_Leave */
    uint32_t control_now; /* the x87's control word between two calls, if it is one */
    uint8_t saved[108];   /* written by fnsave */
    /* How the call ended: TRACE_RETURNED or TRACE_CRASHED. In a machine it may also be TRACE_EXITED
     * with `exit_code`, TRACE_TIMED_OUT, or TRACE_UNSUPPORTED if the call needed something that the
     * machine does not have. */
    uint8_t outcome;
    uint32_t exit_code;
    /* The reason of the last two of these, such as "KERNEL32.CreateThread: not supported";
     * otherwise empty. */
    char reason[256];
} InvokeFrame;

#ifdef GUEST_IS_NATIVE
_Static_assert(offsetof(InvokeFrame, returns_float) == INVOKE_RETURNS_FLOAT, "invoke.S");
_Static_assert(offsetof(InvokeFrame, x87_clean) == INVOKE_X87_CLEAN, "invoke.S");
_Static_assert(offsetof(InvokeFrame, fault_address) == INVOKE_FAULT_ADDRESS, "invoke.S");
_Static_assert(offsetof(InvokeFrame, saved) == INVOKE_SAVED, "invoke.S");
#endif

#ifdef GUEST_IS_NATIVE
extern InvokeFrame invoke_frame; /* the frame of this process */
#endif

/* Calls `function` of the guest's frame. It returns whatever the function does, unless the function
 * ends the process or destroys the caller's stack. Under Windows the x87 and MXCSR are left as they
 * are for the next call, so no arithmetic and no call of the system may come in between, unless
 * Invoke_Leave comes first. Defined in crash_windows.c and guest_machine.c. */
void Invoke_Guarded(struct Guest *guest);
/* Gives the host its own floating-point state back. Defined in the same files. */
void Invoke_Leave(struct Guest *guest);

/* Does what Invoke_Guarded does without a guard against exceptions. Defined in invoke.S. */
void Invoke_Run(void);
/* Leaves the x87 as fninit does, with the host's control words. Defined in invoke.S. */
void Invoke_Restore(void);
#endif

#endif
