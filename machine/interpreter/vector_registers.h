/* Functions that x87.c, mmx.c, sse.c and amd3dnow.c share: for operands of an instruction, and for
 * the registers that x87 and MMX have in common. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_VECTOR_REGISTERS_H
#define RETROPOSE_MACHINE_INTERPRETER_VECTOR_REGISTERS_H

#include "machine/interpreter/step.h"

/* Bits of the x87's status word. */
#define X87_INVALID    0x0001u
#define X87_DENORMAL   0x0002u
#define X87_DIVIDE     0x0004u
#define X87_OVERFLOW   0x0008u
#define X87_UNDERFLOW  0x0010u
#define X87_INEXACT    0x0020u
#define X87_EXCEPTIONS 0x003Fu
#define X87_STACK      0x0040u
#define X87_SUMMARY    0x8080u /* ES, and B, which always equals it */
#define X87_C0         0x0100u
#define X87_C1         0x0200u
#define X87_C2         0x0400u
#define X87_C3         0x4000u

/* The contents of an XMM or MMX register, or of an operand of that size, as lanes. */
typedef union Lanes {
    uint8_t b[16];
    int8_t sb[16];
    uint16_t w[8];
    int16_t sw[8];
    uint32_t d[4];
    int32_t sd[4];
    uint64_t q[2];
} Lanes;

/* Returns the number of the register that is ST(0). */
static inline unsigned Vectors_Top(const MachineVectors *vectors) {
    return vectors->status >> 11 & 7u;
}

/* Makes another register ST(0). All registers keep their contents, so `st`, which begins with
 * ST(0), is rotated. */
void Vectors_SetTop(MachineVectors *vectors, unsigned top);
/* Sets ES and B if an exception that is not masked has occurred, and clears them otherwise. */
void Vectors_Summarise(MachineVectors *vectors);

/* Returns whether an instruction that waits for exceptions may continue. If an earlier instruction
 * left an exception that is not masked, returns false and fills the fault with its code. */
bool Step_Wait(Step *step);
/* Returns the code that Windows gives for these x87 exceptions, which are not masked. If there are
 * several, Windows reports the first one in an order of its own. */
uint32_t Step_FloatCode(unsigned flags, bool stack);
/* Returns the bits of MXCSR that the profile's processor has; DAZ came with the Pentium 4. Setting
 * any other bit is a general protection fault, for which Step_Raise takes
 * MACHINE_ACCESS_VIOLATION. */
uint32_t Step_MxcsrMask(const Step *step);

/* Fetches an operand: a general, MMX or XMM register, or memory. The bytes that the operand does
 * not fill become 0. An operand of 16 bytes in memory has to be aligned, unless `anywhere` is
 * set. */
bool Step_Fetch(Step *step, unsigned operand, bool anywhere, Lanes *to);
/* Writes an operand of `size` bytes. The other bytes of an XMM register stay as they are; of a
 * general register, 4 bytes are written. MMX registers are written by Mmx_Write instead. */
bool Step_Put(Step *step, unsigned operand, bool anywhere, const Lanes *from, uint32_t size);
/* These return whether an operand is a register of this kind. */
bool Step_IsMmx(const Step *step, unsigned operand);
bool Step_IsXmm(const Step *step, unsigned operand);
bool Step_IsMemory(const Step *step, unsigned operand);
/* Returns the number of an operand's register. */
unsigned Step_Number(const Step *step, unsigned operand);

/* Does what every MMX instruction except EMMS does to the x87: TOP becomes 0, and all tags become
 * valid. (EMMS makes TOP 0, too, and all tags empty: SDM 3, table 12-1.) */
void Mmx_Enter(MachineVectors *vectors);
/* Writes an MMX register. Mmx_Enter must have been called. */
void Mmx_Write(MachineVectors *vectors, unsigned number, uint64_t value);
/* MASKMOVQ and MASKMOVDQU: stores at EDI those bytes whose mask has bit 7 set. If it faults,
 * nothing is stored. */
bool Step_StoreMasked(Step *step, const Lanes *bytes, const Lanes *mask, uint32_t size);

/* Executes integer operations on lanes, which are the same for MMX (8 bytes) and SSE2 (16). Returns
 * false for another mnemonic. `selector` is the immediate byte of instructions that have one. */
bool Packed_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, unsigned selector,
                    unsigned size);

#endif
