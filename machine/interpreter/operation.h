/* The form in which the interpreter keeps a decoded instruction. It is small enough that a loop of
 * them stays in the processor's cache. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_OPERATION_H
#define RETROPOSE_MACHINE_INTERPRETER_OPERATION_H

#include <Zydis/Zydis.h>

#include <stdbool.h>

/* machine/interpreter/step.h */
typedef struct Step Step;
typedef struct Decoded Decoded;

typedef struct Operation Operation;

/* Executes an instruction. Returns false, with the fault filled, if it faults. Nothing of the guest
 * has then changed, except by the finished repetitions of a string instruction. */
typedef bool (*Handler)(Step *step, const Operation *operation);

typedef enum PlaceKind {
    PLACE_NONE,
    PLACE_REGISTER,  /* a general register, or 8 or 16 bits of it */
    PLACE_MEMORY,    /* memory at Operation_Address */
    PLACE_IMMEDIATE, /* `immediate` or `second_immediate` */
    PLACE_SEGMENT,   /* a segment register: 0 to 5 are ES, CS, SS, DS, FS, GS */
    PLACE_OTHER
} PlaceKind;

/* Where an operand is. */
typedef struct Place {
    uint32_t mask; /* the low bits that the operand has */
    uint8_t kind, size;
    uint8_t number, shift; /* number of the register, and its lowest bit: AH is EAX from bit 8 on */
} Place;

struct Operation {
    Handler handler;
    Operation *following; /* the instruction that was executed next, if it is on the same page; null
                             if unknown */
    Decoded *decoded;     /* for instructions that the functions of step.h execute */
    uint32_t address, end;

    /* Address of the operand in memory. The mask of a register is 0 if the address has no such
     * register. */
    uint32_t base_mask, index_mask, displacement;
    uint32_t address_mask; /* 0xFFFF with 16-bit addresses, else all bits */
    uint8_t base, index, scale;
    bool fs;

    uint8_t size; /* size of the first operand, or of what a string or stack instruction moves */
    uint8_t condition; /* condition of Jcc, SETcc and CMOVcc: the low 4 bits of the opcode */
    uint8_t repeat;    /* the last prefix 0xF2 or 0xF3, or 0 */
    bool alone;        /* the flags have to be looked at before the next instruction runs */
    uint32_t sign;     /* the highest bit of that size */
    uint32_t immediate, second_immediate; /* a jump's target counts as an immediate */
    Place first, second, third;

    Operation *in_bucket, *on_page; /* the next operations in these lists */
    bool live;                      /* no write to its page has been noticed since it was decoded */
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH]; /* the bytes that were decoded */
};

/* Fills an operation, except for its handler, from what Zydis has decoded. */
void Operation_Fill(Operation *operation, const ZydisDecodedInstruction *instruction,
                    const ZydisDecodedOperand *operands, uint32_t address);

/* Each of these returns the handler of an instruction that its file knows, or null. */
Handler Operation_ChooseInteger(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseShift(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseStack(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseControl(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseString(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseSystem(const ZydisDecodedInstruction *instruction, Operation *operation);

#endif
