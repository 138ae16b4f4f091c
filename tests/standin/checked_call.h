/* Calls a function of the ABI tables by its convention and asserts (with cmocka) that it preserved
 * ebx, esi, edi, ebp, the direction flag and both control words, took what it has to off the stack,
 * and left nothing but a result on the x87 stack. */
#ifndef RETROPOSE_STANDIN_CHECKED_CALL_H
#define RETROPOSE_STANDIN_CHECKED_CALL_H

#include "exports/abi.h"

#include <stdint.h>

typedef struct CheckedFrame { /* checked_call.S knows the offsets of the members */
    const void *target;
    uint32_t ecx, edx;
    const uint32_t *stack;
    uint32_t dwords, control, mxcsr;
    uint32_t eax, ebx, esi, edi, ebp, popped, eflags, mxcsr_after;
    struct {
        uint32_t control, status, tags, rest[4];
    } environment;
    long double st0;
} CheckedFrame;

void CheckedCall(CheckedFrame *frame);

/* These return an argument as its dword. */
uint32_t Argument_Pointer(const void *pointer);
uint32_t Argument_Float(float number);

/* Makes the call. `arguments` are in the order of the table's parameters. The results are in eax
 * and st0. */
CheckedFrame Function_Call(const AbiFunction *function, const void *target, uint16_t control,
                           const uint32_t *arguments);

#define CALL(key_, target_, control_, ...)                                                         \
    Function_Call(Abi_Find(key_), target_, control_, (const uint32_t[]){__VA_ARGS__})
#define P(pointer) Argument_Pointer(pointer)
#define F(number)  Argument_Float(number)

#endif
