/* An instruction as the interpreter keeps it after decoding, small enough that a loop of them stays
 * in the processor's cache. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_OPERATION_H
#define RETROPOSE_MACHINE_INTERPRETER_OPERATION_H

#include <Zydis/Zydis.h>

#include <stdbool.h>

/* machine/interpreter/step.h */
typedef struct Step Step;
typedef struct Decoded Decoded;

typedef struct Operation Operation;

/* Executes an instruction. False: the fault is filled, and nothing of the guest has changed, except
 * for the finished repetitions of a string instruction. */
typedef bool (*Handler)(Step *step, const Operation *operation);

typedef enum PlaceKind {
    PLACE_NONE,
    PLACE_REGISTER,  /* a general one, or 8 or 16 bits of it */
    PLACE_MEMORY,    /* at Operation_Address */
    PLACE_IMMEDIATE, /* the field of this name */
    PLACE_SEGMENT,   /* a segment register: 0 to 5 are ES, CS, SS, DS, FS, GS */
    PLACE_OTHER
} PlaceKind;

/* Where an operand is. */
typedef struct Place {
    uint32_t mask; /* as many low bits as the operand has */
    uint8_t kind, size;
    uint8_t number, shift; /* of the register; AH is EAX from bit 8 on */
} Place;

struct Operation {
    Handler handler;
    Operation *following; /* what was executed behind it on the same page; null where unknown */
    Decoded *decoded;     /* for the instructions that the handlers of step.h execute */
    uint32_t address, end;

    /* The operand in memory. Masks are 0 where there is no such register. */
    uint32_t base_mask, index_mask, displacement;
    uint32_t address_mask; /* 0xFFFF with 16-bit addresses, else all bits */
    uint8_t base, index, scale;
    bool fs;

    uint8_t size;      /* of the first operand or of what a string or stack instruction moves */
    uint8_t condition; /* of Jcc, SETcc and CMOVcc: the low 4 bits of the opcode */
    uint8_t repeat;    /* the last prefix 0xF2 or 0xF3, or 0 */
    bool alone;        /* the run must look at the flags before it goes on behind it */
    uint32_t sign;     /* the highest bit of that size */
    uint32_t immediate, second_immediate; /* a jump's target is an immediate */
    Place first, second, third;

    Operation *in_bucket, *on_page; /* the next ones */
    bool live;                      /* no write to its page was noticed since it was decoded */
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH]; /* that were decoded */
};

/* Fills an operation from what Zydis says, but for the handler. */
void Operation_Fill(Operation *operation, const ZydisDecodedInstruction *instruction,
                    const ZydisDecodedOperand *operands, uint32_t address);

/* Each returns the handler of an instruction that its file knows, or null. */
Handler Operation_ChooseInteger(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseShift(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseStack(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseControl(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseString(const ZydisDecodedInstruction *instruction, Operation *operation);
Handler Operation_ChooseSystem(const ZydisDecodedInstruction *instruction, Operation *operation);

#endif
