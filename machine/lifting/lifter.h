/* Runs a function of the guest, instruction by instruction, and keeps beside every value the
 * expression that made it. The result is a path (path.h).
 *
 * One call goes like this:
 *
 *   Lifter_Begin(lifter);
 *   Lifter_AddRegion(lifter, &stack, error);                   memory that the call may touch
 *   Lifter_AddRegion(lifter, &q0, error); ...
 *   Lifter_WriteUnknown(lifter, q0.address, bytes, 16);        inputs: these bytes, but any others
 *   Lifter_WritePointer(lifter, esp + 0, q0.address);          arguments
 *   Lifter_SetRegister(lifter, MACHINE_ESP, esp, Expression_Address(graph, stack.name, ...));
 *   Lifter_Run(lifter, function, budget, &path, error);
 *
 * The lifter takes back what was written to the guest's memory at the next Begin, so the guest is
 * as it was before. What is neither in a region nor written by the functions below has the bytes
 * that the guest has, as constants: code, tables, and the state of the DLL, which are thereby part
 * of what a path holds for.
 *
 * An address that depends on an input is either part of an expression (LOAD), or it is a condition
 * of its own (LIFT_PIN). Every other input that fulfils the conditions of a path is taken to do
 * three things, which no condition says:
 *
 *   - the address of a LOAD stays within its region;
 *   - the quotient of an IDIV fits into 32 bits (a divisor of 0, and the quotient of DIV, are
 *     conditions);
 *   - a function that was cut out ends, does not fault, and accesses what its cut says.
 *
 * What is not modelled ends a path with LIFT_REFUSED: instructions without a model; unmasked
 * exceptions of x87 and SSE; calls of the system; writes outside of the regions; and conditions,
 * addresses and outputs in memory that depend on exception flags, on C1, or on C2 after anything
 * but a comparison. EAX, EDX and ST0 at the end are no such outputs: they may depend on something
 * that is not modelled (Expression_IsModelled), because not every caller looks at them. Exception
 * flags that a function leaves behind are not modelled, either. */
#ifndef RETROPOSE_MACHINE_LIFTING_LIFTER_H
#define RETROPOSE_MACHINE_LIFTING_LIFTER_H

#include "machine/lifting/path.h"
#include "machine/x86_machine.h"

typedef struct Lifter Lifter;

/* Memory that a call may touch. Regions must not overlap. An ADDRESS of a region may lie outside of
 * it. */
typedef struct LiftRegion {
    uint32_t name; /* of the graph */
    uint32_t address, size;
    /* What is written here is gone after the call, so it is no output: the stack below the return
     * address, and the arguments. */
    bool scratch;
    /* The address is a constant, such as that of the stack: what is computed from addresses in it
     * by other operations than + and - is folded to the number that it was (`and esp, -16`). */
    bool fixed;
    /* Scratch in which a DLL keeps counters and the like: what it gets must not depend on an input,
     * or else the path is refused, because a later call might depend on it. */
    bool counters;
} LiftRegion;

/* The machine must have loaded its DLLs; its own registers are not touched, and no other call may
 * run in it between Begin and the end of Run. Machine, graph and lifter belong to one thread. */
RpStatus Lifter_Create(Machine *machine, ExpressionGraph *graph, Lifter **lifter, RpError *error);
/* Takes back what was written, too. Null is allowed. */
void Lifter_Destroy(Lifter *lifter);

/* Forgets regions, inputs and registers, and takes back what was written to the guest's memory.
 * Registers are as in a new thread afterwards (MachineRegisters_Init), as constants. */
void Lifter_Begin(Lifter *lifter);

/* Fails with RP_INVALID if the region overlaps another one or is not mapped. All of its bytes are
 * inputs that nobody knows: they have the bytes that the guest has there, or that the following
 * functions write. Bytes of scratch regions are constants instead, until WriteUnknown says
 * otherwise. */
RpStatus Lifter_AddRegion(Lifter *lifter, const LiftRegion *region, RpError *error);
/* These return false if the guest has no such memory, or if memory is short.
 * WriteUnknown writes bytes that are an example of what an input may be: its expression is INPUT.
 * The bytes have to lie in a region. WriteKnown writes constants. WritePointer writes the address
 * of a byte of a region: its expression is ADDRESS. */
bool Lifter_WriteUnknown(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size);
bool Lifter_WriteKnown(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size);
bool Lifter_WritePointer(Lifter *lifter, uint32_t address, uint32_t target);
/* Writes bytes whose expression is another one, for example an INPUT of a region that stands for a
 * parameter and is not memory ("t"). `expression` has 8 * size bits. */
bool Lifter_WriteAs(Lifter *lifter, uint32_t address, const void *bytes, uint32_t size,
                    const Expression *expression);

/* Sets a general register (MACHINE_EAX ...). `expression` has 32 bits; null: a constant. */
void Lifter_SetRegister(Lifter *lifter, uint32_t number, uint32_t value,
                        const Expression *expression);
/* The x87's control word and MXCSR. Without this they are 0x027F and 0x1F80. */
void Lifter_SetControl(Lifter *lifter, uint16_t control, uint32_t mxcsr);

/* ---- cutting --------------------------------------------------------------------------------- */

/* What a cut function gets behind a pointer, or leaves there. The pointer is a dword of its stack
 * (0 is the first argument) or, from LIFT_CUT_ECX on, a register. */
enum { LIFT_CUT_ECX = 100, LIFT_CUT_EDX = 101 };
typedef struct LiftCutRange {
    uint32_t pointer;
    uint32_t offset, size; /* of whole dwords behind the pointer */
    bool read, written;
} LiftCutRange;

/* A function that is not lifted but called by its name: calls of it become a CALL with these inputs
 * in this order: ECX and EDX if they are values, the dwords of the stack that are no pointer of a
 * range, and then the dwords of all ranges that are read, each input with 32 bits. Its outputs are
 * numbered: 0 EAX, 1 EDX, 2 ST0, and from 3 on the dwords of all ranges that are written. The
 * function runs as it is; what it reads or writes besides refuses the path, except constants and
 * its own stack. */
typedef struct LiftCut {
    uint32_t address;
    const char *name; /* of the function; the lifter does not keep it */
    uint32_t stack_words;
    bool takes_ecx, takes_edx;                    /* as values */
    bool returns_eax, returns_edx, returns_float; /* what is not returned is UNMODELLED */
    const LiftCutRange *ranges;                   /* the lifter keeps a copy */
    uint32_t range_count;
} LiftCut;

/* Cuts stay until the lifter is destroyed. */
RpStatus Lifter_AddCut(Lifter *lifter, const LiftCut *cut, RpError *error);

/* ---- running --------------------------------------------------------------------------------- */

/* Calls a function. ESP points at its first argument; the return address is pushed below. `budget`
 * is in instructions. Returns RP_OK with a path, however the call ended, or RP_NO_MEMORY. Another
 * Run needs another Begin. */
RpStatus Lifter_Run(Lifter *lifter, uint32_t function, uint64_t budget, LiftPath **path,
                    RpError *error);

#endif
