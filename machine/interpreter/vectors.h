/* What x87.c, mmx.c, sse.c and amd3dnow.c share: operands of an instruction, and the registers that
 * x87 and MMX have in common. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_VECTORS_H
#define RETROPOSE_MACHINE_INTERPRETER_VECTORS_H

#include "machine/interpreter/step.h"

/* Bits of the status word of the x87. */
#define X87_INVALID    0x0001u
#define X87_DENORMAL   0x0002u
#define X87_DIVIDE     0x0004u
#define X87_OVERFLOW   0x0008u
#define X87_UNDERFLOW  0x0010u
#define X87_INEXACT    0x0020u
#define X87_EXCEPTIONS 0x003Fu
#define X87_STACK      0x0040u
#define X87_SUMMARY    0x8080u /* ES, and B, which repeats it */
#define X87_C0         0x0100u
#define X87_C1         0x0200u
#define X87_C2         0x0400u
#define X87_C3         0x4000u

/* The contents of an XMM or MMX register, or of an operand of that size, in lanes. */
typedef union Lanes {
    uint8_t b[16];
    int8_t sb[16];
    uint16_t w[8];
    int16_t sw[8];
    uint32_t d[4];
    int32_t sd[4];
    uint64_t q[2];
} Lanes;

/* The number of the register that is ST(0). */
static inline unsigned Vectors_Top(const MachineVectors *vectors) {
    return vectors->status >> 11 & 7u;
}

/* Makes another register ST(0). All registers keep their contents, so `st` rotates. */
void Vectors_SetTop(MachineVectors *vectors, unsigned top);
/* Sets ES and B where an exception is flagged that is not masked, and else clears them. */
void Vectors_Summarise(MachineVectors *vectors);

/* Whether an instruction that waits may go on. False: an earlier one left an exception that is not
 * masked, and the fault is filled with its code. */
bool Step_Wait(Step *step);
/* Which code Windows derives from the x87 flags of exceptions that are not masked: of several, it
 * reports the first in an order of its own. */
uint32_t Step_FloatCode(unsigned flags, bool stack);
/* The bits of MXCSR that the profile's processor has: DAZ came with the Pentium 4. To set another
 * one is a general protection fault, which is an access violation for Step_Raise. */
uint32_t Step_MxcsrMask(const Step *step);

/* Fetches an operand: a general, MMX or XMM register, or memory. What the operand does not fill
 * becomes 0. An operand of 16 bytes in memory has to be aligned unless `anywhere`. */
bool Step_Fetch(Step *step, unsigned operand, bool anywhere, Lanes *to);
/* Writes an operand of `size` bytes: of an XMM register it leaves the others alone, of a general
 * register it takes 4. An MMX register is left to Mmx_Write. */
bool Step_Put(Step *step, unsigned operand, bool anywhere, const Lanes *from, uint32_t size);
/* Of which kind a register is. */
bool Step_IsMmx(const Step *step, unsigned operand);
bool Step_IsXmm(const Step *step, unsigned operand);
bool Step_IsMemory(const Step *step, unsigned operand);
/* The number of an operand's register. */
unsigned Step_Number(const Step *step, unsigned operand);

/* What every MMX instruction but EMMS does to the x87: TOP becomes 0, and all tags valid. (EMMS
 * makes them empty, and TOP 0 as well: SDM 3, table 12-1.) */
void Mmx_Enter(MachineVectors *vectors);
/* Writes an MMX register, after Mmx_Enter. */
void Mmx_Write(MachineVectors *vectors, unsigned number, uint64_t value);
/* MASKMOVQ and MASKMOVDQU: stores the bytes whose mask has bit 7 to where EDI points, or none. */
bool Step_StoreMasked(Step *step, const Lanes *bytes, const Lanes *mask, uint32_t size);

/* Integer operations on lanes, the same for MMX (8 bytes) and SSE2 (16). False for another
 * mnemonic. `selector` is the immediate byte of those that have one. */
bool Packed_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, unsigned selector,
                    unsigned size);

#endif
