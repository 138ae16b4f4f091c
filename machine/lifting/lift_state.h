/* What the files of the lifter share: the expressions beside the guest's registers and memory, and
 * the path that is being made.
 *
 * An instruction is lifted before the interpreter executes it, so all numbers that can be read here
 * are those from before the instruction. */
#ifndef RETROPOSE_MACHINE_LIFTING_LIFT_STATE_H
#define RETROPOSE_MACHINE_LIFTING_LIFT_STATE_H

#include "machine/interpreter/interpreter.h"
#include "machine/lifting/expression_value.h"
#include "machine/lifting/lifter.h"

#include <Zydis/Zydis.h>

/* A byte of a register or of memory: byte `number` of an expression. */
typedef struct LiftByte {
    const Expression *of;
    uint32_t number;
} LiftByte;

/* A dword of memory of which anything is known. The masks have a bit for each byte. */
typedef struct LiftWord {
    uint32_t address;    /* a multiple of 4 */
    uint32_t generation; /* of the lifter, if the word is in use */
    uint8_t set;    /* `bytes` says what is there; without it, the byte is as before the call */
    uint8_t stored; /* written by the function */
    uint8_t read;   /* read by the function before it was written */
    uint32_t step;  /* the last step that wrote here */
    LiftByte bytes[4];
} LiftWord;

/* Bytes of the guest's memory, as they were before they were written. */
typedef struct LiftUndo {
    uint32_t address;
    uint8_t size, bytes[16];
} LiftUndo;

typedef struct LiftPlacedRegion {
    LiftRegion region;
    bool touched; /* there are bytes with expressions of their own */
} LiftPlacedRegion;

/* Where a flag comes from. `a` and `b` have the same number of bits. */
typedef enum LiftFlagKind {
    FLAGS_CONSTANT,   /* they are those of a new thread */
    FLAGS_DIFFERENCE, /* a - b */
    FLAGS_SUM,        /* a + b */
    FLAGS_RESULT,     /* zero, sign and parity of a; the others are not known */
    FLAGS_COMPARISON, /* a is COMPARE_X87 or COMPARE_SSE; as FCOMI and COMISS set them */
    FLAGS_BYTE,       /* SAHF: a has 8 bits */
    FLAGS_BIT,        /* the carry is bit 0 of a, which has 1 bit */
    FLAGS_NOT_MODELLED
} LiftFlagKind;

typedef struct LiftFlags {
    LiftFlagKind kind;
    const Expression *a, *b;
    ExpressionValue a_value, b_value; /* what they were in this run */
} LiftFlags;

/* The operands of a comparison of this run, with their values. */
typedef struct LiftCompared {
    const Expression *comparison;
    ExpressionValue left, right;
} LiftCompared;

/* What a condition on flags was found to say of a floating-point comparison. It depends on the
 * expressions alone, so it is kept as long as the lifter. */
typedef struct LiftFoundOutcomes {
    LiftFlagKind kind;
    const Expression *a, *b, *comparison;
    uint32_t code, outcomes;
    bool holds;
} LiftFoundOutcomes;

/* An instruction as it was decoded the last time, if its bytes are still the same. */
typedef struct LiftDecoded {
    uint32_t address;
    uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
} LiftDecoded;

#define LIFT_FOUND_SIZE   256u /* numbers of places; powers of two */
#define LIFT_DECODED_SIZE 4096u

typedef struct LiftKeptCut {
    LiftCut cut;
    uint32_t name; /* of the graph */
} LiftKeptCut;

/* What a function that was cut out accessed. */
typedef struct LiftAccess {
    uint32_t address, size;
    bool written;
} LiftAccess;

/* A vector that grows. */
#define LIFT_LIST(Type)                                                                            \
    struct {                                                                                       \
        Type *at;                                                                                  \
        uint32_t count, capacity;                                                                  \
    }

struct Lifter {
    void *block; /* the allocated block that contains this, which must be aligned to 16 */
    Machine *machine;
    MachineMemory *memory;
    ExpressionGraph *graph;
    Interpreter *interpreter;
    ExpressionEvaluator *evaluator;
    ZydisDecoder decoder;
    MachineContext context;

    LiftByte general[8][4];
    LiftByte xmm[8][16];
    const Expression *x87[8]; /* by number of the register, not by place on the stack */
    LiftFlags carry, flags;   /* CF; all other flags */
    const Expression *status; /* the comparison or EXAMINE that C0 to C3 come from; null: none */

    LiftWord *words;                /* open addressing; the size is a power of two */
    uint32_t word_size, generation; /* Begin makes the next generation */
    LIFT_LIST(uint32_t) used;       /* the addresses of all words in use */
    LIFT_LIST(LiftPlacedRegion) regions;
    LIFT_LIST(LiftUndo) undo;
    LIFT_LIST(LiftKeptCut) cuts;
    LIFT_LIST(LiftCompared) compared;
    LiftFoundOutcomes found[LIFT_FOUND_SIZE]; /* at the id of `a`, modulo the size */
    LiftDecoded *decoded;                     /* at a hash of the address */

    LIFT_LIST(LiftCondition) conditions;
    LIFT_LIST(LiftStep) steps;
    LIFT_LIST(const Expression *) made;
    uint32_t depth;
    bool in_cut;         /* a function that was cut out is running: nothing is noted */
    uint32_t cut_lowest; /* the least ESP that it had */
    LIFT_LIST(LiftAccess) cut_accesses;
    bool failed; /* memory is short */
    bool refused;
    char reason[256];

    /* The instruction that is being lifted. */
    const ZydisDecodedInstruction *instruction;
    const ZydisDecodedOperand *operands;
    const uint8_t *bytes;
    uint32_t constant_after; /* registers that are constants after it, a bit for each */
};

/* Returns the elements of a list with room for one more. Returns null, and notes it, when memory is
 * short. */
void *Lift_Grow(Lifter *lifter, void *elements, uint32_t count, uint32_t *capacity, size_t size);
#define LIFT_ADD(lifter, list, ...)                                                                \
    do {                                                                                           \
        void *grown =                                                                              \
            Lift_Grow(lifter, (list).at, (list).count, &(list).capacity, sizeof *(list).at);       \
        if (grown) {                                                                               \
            (list).at = grown;                                                                     \
            (list).at[(list).count++] = __VA_ARGS__;                                               \
        }                                                                                          \
    } while (0)

/* Ends the path. The reason is completed by the instruction and its address. Always returns
 * false. */
bool Lift_Refuse(Lifter *lifter, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes an expression that the instruction made. Copies need not be noted. */
void Lift_Note(Lifter *lifter, const Expression *expression);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Returns `count` bytes as one expression. */
const Expression *Lift_Join(Lifter *lifter, const LiftByte *bytes, uint32_t count);
/* Makes `count` bytes those of an expression from byte `from` on. */
void Lift_Split(LiftByte *bytes, uint32_t count, const Expression *expression, uint32_t from);

LiftPlacedRegion *Lift_FindRegion(Lifter *lifter, uint32_t address);
/* Returns the dword that contains an address. If it is not there yet, returns null, or makes it.
 * Making another one moves them. */
LiftWord *Lift_FindWord(Lifter *lifter, uint32_t address, bool make);
/* Remembers bytes of the guest that will be written, so that Begin can take it back. */
bool Lift_Remember(Lifter *lifter, uint32_t address, uint32_t size);

/* Notes that bytes of a region were read, unless the function itself wrote them. */
void Lift_NoteRead(Lifter *lifter, uint32_t address, uint32_t size);
/* Returns what up to 10 bytes of memory are. */
const Expression *Lift_ReadBytes(Lifter *lifter, uint32_t address, uint32_t size);
/* Notes that the function stores an expression there. Returns false if it may not. */
bool Lift_WriteBytes(Lifter *lifter, uint32_t address, uint32_t size, const Expression *expression);

/* ---- operands -------------------------------------------------------------------------------- */

/* The mask of a value's bits. */
static inline uint64_t Lift_Mask(uint32_t bits) {
    return bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}
const Expression *Lift_GetRegister(Lifter *lifter, ZydisRegister which, uint64_t *number);
void Lift_PutRegister(Lifter *lifter, ZydisRegister which, const Expression *expression);
/* Gives the address of a memory operand, as LEA does, and as a number. */
const Expression *Lift_Address(Lifter *lifter, const ZydisDecodedOperand *operand,
                               uint32_t *number);
/* Loads `size` bytes of an operand in memory, `from` bytes behind its address. `number` may be
 * null. Returns null if it is refused or would fault; then the instruction faults, too, or the path
 * is refused. */
const Expression *Lift_LoadOperand(Lifter *lifter, const ZydisDecodedOperand *operand,
                                   uint32_t from, uint32_t size, ExpressionValue *number);
bool Lift_StoreOperand(Lifter *lifter, const ZydisDecodedOperand *operand, uint32_t from,
                       uint32_t size, const Expression *expression);
/* Loads or stores at an address that is an expression. */
const Expression *Lift_LoadAt(Lifter *lifter, const Expression *address, uint32_t number,
                              uint32_t size);
bool Lift_StoreAt(Lifter *lifter, const Expression *address, uint32_t number, uint32_t size,
                  const Expression *expression);
/* Demands that an address is the number that it is in this run. Within a region, the offset is what
 * counts, because regions may be anywhere. */
bool Lift_PinAddress(Lifter *lifter, const Expression *address, uint32_t number);
/* Reads a number of the guest. */
bool Lift_Peek(Lifter *lifter, uint32_t address, uint32_t size, ExpressionValue *number);

/* ---- conditions ------------------------------------------------------------------------------ */

/* Notes a condition. Returns false if it is refused. */
bool Lift_Decide(Lifter *lifter, LiftDecision decision, LiftOrder order, const Expression *left,
                 const Expression *right, uint32_t outcomes, ExpressionValue left_value,
                 ExpressionValue right_value);
/* Whether all addresses in an expression without inputs are those of fixed regions. Of a large
 * expression this may be false although they are. */
bool Lift_HasOnlyFixedAddresses(const Lifter *lifter, const Expression *expression);
/* Demands that an expression has the value that it has in this run. */
bool Lift_Pin(Lifter *lifter, const Expression *expression, uint64_t number);
/* Notes whether the condition `code` (the low four bits of a Jcc's opcode) holds, which the flags
 * of the context say, as a condition. */
bool Lift_DecideFlags(Lifter *lifter, LiftDecision decision, uint32_t code, bool *holds);
/* Remembers the operands of a comparison. */
void Lift_Compared(Lifter *lifter, const Expression *comparison, ExpressionValue left,
                   ExpressionValue right);
/* Sets all flags. */
void Lift_SetFlags(Lifter *lifter, LiftFlagKind kind, const Expression *a, const Expression *b,
                   ExpressionValue a_value, ExpressionValue b_value);

/* ---- instructions ---------------------------------------------------------------------------- */

typedef enum LiftResult {
    LIFT_DONE,
    LIFT_UNKNOWN, /* this file does not know the instruction */
    LIFT_STOPPED  /* it is refused */
} LiftResult;

LiftResult Lift_Integer(Lifter *lifter);
LiftResult Lift_X87(Lifter *lifter);
LiftResult Lift_Sse(Lifter *lifter);

/* Lifts and executes the instruction at EIP. Returns false if it is refused or faults. */
bool Lift_One(Lifter *lifter);
/* Returns the cut at an address, or null. */
const LiftKeptCut *Lift_FindCut(const Lifter *lifter, uint32_t address);
/* Runs a function that was cut out, which has just been called, to its return. */
bool Lift_RunCut(Lifter *lifter, const LiftKeptCut *kept, uint64_t *budget);

#endif
