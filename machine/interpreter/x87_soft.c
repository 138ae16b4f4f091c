/* Executes the x87's arithmetic in software. */
#include "machine/interpreter/soft_float.h"
#include "machine/interpreter/soft_series.h"
#include "machine/interpreter/x87_operation.h"
#include "ngi32/processor/soft_x87.h"

#include <string.h>

enum { ST_BYTES = 10, BIAS_ADJUSTMENT = 24576 };

/* One instruction that is being executed. */
typedef struct Run {
    MachineVectors *vectors;
    X87Operation *operation;
    SoftControl control;
    bool stack; /* stack fault: a register is empty that must be full, or full that must be empty */
    bool keeps_c1; /* C1 stays as it is, unless there is a stack fault */
} Run;

/* ---- the stack ------------------------------------------------------------------------------- */

static unsigned Register(const Run *run, unsigned place) {
    return (Vectors_Top(run->vectors) + place) & 7u;
}

static bool IsEmpty(const Run *run, unsigned place) {
    return ((unsigned)run->vectors->tags >> Register(run, place) & 1u) == 0;
}

static void SetTag(Run *run, unsigned place, bool full) {
    const unsigned bit = 1u << Register(run, place);
    run->vectors->tags = (uint8_t)(full ? run->vectors->tags | bit : run->vectors->tags & ~bit);
}

static SoftFloat Get(const Run *run, unsigned place) {
    return SoftFloat_Unpack80(run->vectors->st[place]);
}

static void PutBytes(Run *run, unsigned place, const uint8_t bytes[ST_BYTES]) {
    memmove(run->vectors->st[place], bytes, ST_BYTES);
    SetTag(run, place, true);
}

static void Put(Run *run, unsigned place, SoftFloat x) {
    uint8_t bytes[ST_BYTES];
    SoftFloat_Pack80(x, bytes);
    PutBytes(run, place, bytes);
}

static void Pop(Run *run) {
    SetTag(run, 0, false);
    Vectors_SetTop(run->vectors, Vectors_Top(run->vectors) + 1);
}

static void PushBytes(Run *run, const uint8_t bytes[ST_BYTES]) {
    Vectors_SetTop(run->vectors, Vectors_Top(run->vectors) - 1);
    PutBytes(run, 0, bytes);
}

static void Push(Run *run, SoftFloat x) {
    uint8_t bytes[ST_BYTES];
    SoftFloat_Pack80(x, bytes);
    PushBytes(run, bytes);
}

/* Notes a stack fault. C1 says whether something was to be pushed. */
static SoftFloat StackFault(Run *run, bool pushes) {
    run->control.raised |= SOFT_INVALID;
    run->control.up = pushes;
    run->stack = true;
    return SoftFloat_Indefinite();
}

static bool IsStopped(const Run *run) {
    return SoftControl_IsStopped(&run->control);
}

static void SetConditions(Run *run, unsigned conditions) {
    MachineVectors *vectors = run->vectors;
    vectors->status = (uint16_t)((vectors->status & ~(X87_C0 | X87_C2 | X87_C3)) | conditions);
}

/* ---- NaNs ------------------------------------------------------------------------------------ */

static SoftFloat Invalid(Run *run) {
    run->control.raised |= SOFT_INVALID;
    run->control.up = false;
    return SoftFloat_Indefinite();
}

/* If an operand is a NaN or unsupported, gives the result and returns true. A quiet NaN wins over a
 * signalling one. Between equals, the larger significand wins, and then the positive one. */
static bool HasNan(Run *run, SoftFloat a, SoftFloat b, SoftFloat *result) {
    if (a.kind == SOFT_UNSUPPORTED || b.kind == SOFT_UNSUPPORTED) {
        *result = Invalid(run);
        return true;
    }
    const bool a_nan = SoftFloat_IsNan(a), b_nan = SoftFloat_IsNan(b);
    if (!a_nan && !b_nan)
        return false;
    if (a.kind == SOFT_SIGNALLING || b.kind == SOFT_SIGNALLING)
        run->control.raised |= SOFT_INVALID;
    bool takes_a = a_nan;
    if (a_nan && b_nan) {
        if (a.kind != b.kind)
            takes_a = a.kind == SOFT_QUIET;
        else if (a.significand != b.significand)
            takes_a = a.significand > b.significand;
        else
            takes_a = !a.negative;
    }
    run->control.up = false;
    *result = SoftFloat_Quiet(takes_a ? a : b);
    return true;
}

/* Notes denormal operands. Returns whether the instruction stops because of them. */
static bool Denormals(Run *run, SoftFloat a, SoftFloat b) {
    if (a.denormal || b.denormal)
        run->control.raised |= SOFT_DENORMAL;
    return IsStopped(run);
}

/* ---- arithmetic and comparison --------------------------------------------------------------- */

static SoftFormat Precision(const Run *run) {
    SoftFormat format = soft_extended;
    const unsigned precision = run->vectors->control >> 8 & 3u;
    format.bits = precision == 0 ? 24 : precision == 2 ? 53 : 64;
    return format;
}

/* Returns the result of a comparison as C3, C2 and C0. If the operands are ordered, at most one of
 * C3 and C0 is set. */
static unsigned Compare(Run *run, SoftFloat a, SoftFloat b, bool quiet) {
    const unsigned unordered = X87_C3 | X87_C2 | X87_C0;
    if (a.kind == SOFT_UNSUPPORTED || b.kind == SOFT_UNSUPPORTED || a.kind == SOFT_SIGNALLING ||
        b.kind == SOFT_SIGNALLING || (!quiet && (SoftFloat_IsNan(a) || SoftFloat_IsNan(b)))) {
        run->control.raised |= SOFT_INVALID;
        return unordered;
    }
    if (SoftFloat_IsNan(a) || SoftFloat_IsNan(b))
        return unordered;
    (void)Denormals(run, a, b);
    const int order = SoftFloat_Compare(a, b);
    return order == 0 ? X87_C3 : order < 0 ? X87_C0 : 0;
}

/* FCOM and the like. `b_empty` means that the other operand is an empty register. */
static void CompareAndPop(Run *run, SoftFloat b, bool b_empty, bool quiet, unsigned pops) {
    unsigned conditions = X87_C3 | X87_C2 | X87_C0;
    run->control.up = false;
    if (IsEmpty(run, 0) || b_empty)
        (void)StackFault(run, false);
    else
        conditions = Compare(run, Get(run, 0), b, quiet);
    /* An exception that is not masked only keeps the operands from being popped. */
    SetConditions(run, conditions);
    while (pops-- > 0 && !IsStopped(run))
        Pop(run);
}

/* FCOMI and the like, which set the processor's flags. */
static void CompareToFlags(Run *run, unsigned place, bool quiet, bool pops) {
    unsigned conditions = X87_C3 | X87_C2 | X87_C0;
    run->keeps_c1 = true; /* processors keep it, although the manual says that it is cleared */
    if (IsEmpty(run, 0) || IsEmpty(run, place))
        (void)StackFault(run, false);
    else
        conditions = Compare(run, Get(run, 0), Get(run, place), quiet);
    uint32_t flags = run->operation->eflags &
                     ~(MACHINE_OF | MACHINE_SF | MACHINE_AF | MACHINE_ZF | MACHINE_PF | MACHINE_CF);
    flags |= (conditions & X87_C3 ? MACHINE_ZF : 0) | (conditions & X87_C2 ? MACHINE_PF : 0) |
             (conditions & X87_C0 ? MACHINE_CF : 0);
    run->operation->eflags = flags;
    if (pops && !IsStopped(run))
        Pop(run);
}

/* Does arithmetic with ST(0) and another operand. The result goes to a register. */
static void Arithmetic(Run *run, unsigned kind, SoftFloat b, bool b_empty, unsigned to, bool pops) {
    /* The middle field of ModRM is, from 0 on: add, multiply, two comparisons, subtract, subtract
     * reversed, divide, divide reversed. */
    static const SoftOperation operations[8] = {SOFT_ADD, SOFT_MUL, SOFT_ADD, SOFT_ADD,
                                                SOFT_SUB, SOFT_SUB, SOFT_DIV, SOFT_DIV};
    const bool reversed = kind == 5 || kind == 7;
    const SoftFloat a = Get(run, 0);
    SoftFloat result;
    if (IsEmpty(run, 0) || b_empty) {
        result = StackFault(run, false);
    } else if (!HasNan(run, a, b, &result)) {
        run->control.format = Precision(run);
        result =
            SoftFloat_Operate(operations[kind], reversed ? b : a, reversed ? a : b, &run->control);
    }
    if (IsStopped(run))
        return;
    Put(run, to, result);
    if (pops)
        Pop(run);
}

static void Examine(Run *run) {
    const uint8_t *at = run->vectors->st[0];
    static const unsigned conditions[] = {
        [SOFT_ZERO] = X87_C3,  [SOFT_FINITE] = X87_C2,     [SOFT_INFINITE] = X87_C2 | X87_C0,
        [SOFT_QUIET] = X87_C0, [SOFT_SIGNALLING] = X87_C0, [SOFT_UNSUPPORTED] = 0};
    const SoftFloat x = Get(run, 0);
    unsigned answer = x.denormal ? X87_C3 | X87_C2 : conditions[x.kind];
    if (IsEmpty(run, 0))
        answer = X87_C3 | X87_C0;
    SetConditions(run, answer);
    run->control.up = at[9] >> 7 != 0;
}

/* ---- loads and stores ------------------------------------------------------------------------ */

static SoftFloat Integer(const uint8_t *at, unsigned size) {
    int64_t integer = 0;
    memcpy(&integer, at, size);
    const unsigned unused = 64 - 8 * size;
    return SoftFloat_Integer((int64_t)((uint64_t)integer << unused) >> unused);
}

/* Returns the operand in memory of arithmetic and loads, as the opcode says. */
static SoftFloat MemoryOperand(const Run *run) {
    const uint8_t *at = run->operation->operand;
    uint32_t bits32;
    uint64_t bits64;
    memcpy(&bits32, at, sizeof bits32);
    memcpy(&bits64, at, sizeof bits64);
    switch (run->operation->opcode & 7u) {
    case 0:
    case 1:
        return SoftFloat_Unpack32(bits32);
    case 2:
    case 3:
        return Integer(at, 4);
    case 4:
    case 5:
        return SoftFloat_Unpack64(bits64);
    default:
        return Integer(at, 2);
    }
}

/* Pushes a loaded number if ST(7) is empty. A load from binary32 or binary64 converts it. Such a
 * load is completed even if the number is a denormal and that exception is not masked, as on
 * processors. */
static void Load(Run *run, SoftFloat x) {
    if (!IsEmpty(run, 7)) {
        x = StackFault(run, true);
    } else {
        if (x.kind == SOFT_SIGNALLING) {
            run->control.raised |= SOFT_INVALID;
            x = SoftFloat_Quiet(x);
        }
        (void)Denormals(run, x, x);
    }
    if (!(run->control.raised & ~run->control.masks & SOFT_INVALID))
        Push(run, x);
}

/* Pushes the bytes of a register or of 10 bytes of memory, unchanged. */
static void LoadBytes(Run *run, const uint8_t bytes[ST_BYTES], bool empty) {
    uint8_t copy[ST_BYTES];
    memcpy(copy, bytes, ST_BYTES);
    if (empty)
        SoftFloat_Pack80(StackFault(run, false), copy);
    else if (!IsEmpty(run, 7))
        SoftFloat_Pack80(StackFault(run, true), copy);
    if (!IsStopped(run))
        PushBytes(run, copy);
}

/* Pushes a constant. Each has 64 more bits after its significand, because it is rounded as the
 * control word says. */
static void Constant(Run *run, unsigned number) {
    static const struct {
        int32_t exponent;
        uint64_t significand, rest;
    } constants[7] = {{0, 0x8000000000000000u, 0},
                      {1, 0xD49A784BCD1B8AFEu, 0x492BF6FF4DAFDB4Cu},  /* log2 10 */
                      {0, 0xB8AA3B295C17F0BBu, 0xBE87FED0691D3E89u},  /* log2 e */
                      {1, 0xC90FDAA22168C234u, 0xC4C6628B80DC1CD1u},  /* pi */
                      {-2, 0x9A209A84FBCFF798u, 0x8F8959AC0B7C9178u}, /* log10 2 */
                      {-1, 0xB17217F7D1CF79ABu, 0xC9E3B39803F2F6AFu}, /* ln 2 */
                      {0, 0, 0}};
    SoftFloat x = SoftFloat_Zero(false);
    if (!IsEmpty(run, 7)) {
        x = StackFault(run, true);
    } else if (number < 6) {
        SoftControl control = run->control;
        control.format = soft_extended;
        x = (SoftFloat){SOFT_FINITE, false, false, constants[number].exponent,
                        constants[number].significand};
        x = SoftFloat_Round(x, constants[number].rest, &control);
    }
    if (!IsStopped(run))
        Push(run, x);
}

/* FST and FSTP to binary32 or binary64. */
static void StoreFloat(Run *run, bool wide, bool pops) {
    SoftFloat x = Get(run, 0), nan;
    run->control.format = wide ? soft_binary64 : soft_binary32;
    if (IsEmpty(run, 0)) {
        x = StackFault(run, false);
    } else if (HasNan(run, x, x, &nan)) {
        x = nan;
    } else if (x.kind == SOFT_FINITE) {
        run->control.adjustment = 0;
        x = SoftFloat_Round(x, 0, &run->control);
    }
    const unsigned unmasked = run->control.raised & ~run->control.masks;
    if (unmasked & (SOFT_OVERFLOW | SOFT_UNDERFLOW)) { /* no rounded number can be stored */
        run->control.raised &= ~(unsigned)SOFT_INEXACT;
        run->control.up = false;
    }
    if (unmasked & ~(unsigned)SOFT_INEXACT)
        return;
    if (wide) {
        const uint64_t bits = SoftFloat_Pack64(x);
        memcpy(run->operation->operand, &bits, sizeof bits);
    } else {
        const uint32_t bits = SoftFloat_Pack32(x);
        memcpy(run->operation->operand, &bits, sizeof bits);
    }
    if (pops)
        Pop(run);
}

/* FIST and FISTP. */
static void StoreInteger(Run *run, unsigned size, bool pops) {
    int64_t integer = (int64_t)((uint64_t)1 << (8 * size - 1));
    if (IsEmpty(run, 0))
        (void)StackFault(run, false);
    else
        integer = SoftFloat_ToInteger(Get(run, 0), (int)(8 * size), &run->control);
    if (IsStopped(run))
        return;
    memcpy(run->operation->operand, &integer, size);
    if (pops)
        Pop(run);
}

static void StoreDecimal(Run *run) {
    static const uint8_t indefinite[10] = {0, 0, 0, 0, 0, 0, 0, 0xC0, 0xFF, 0xFF};
    const uint64_t limit = 1000000000000000000u;
    const SoftFloat x = Get(run, 0);
    uint8_t *to = run->operation->operand;
    uint64_t magnitude = 0;
    const unsigned raised = run->control.raised;
    if (IsEmpty(run, 0)) {
        (void)StackFault(run, false);
    } else if (!SoftFloat_Whole(x, &run->control, &magnitude) || magnitude >= limit) {
        run->control.raised = raised;
        (void)Invalid(run);
    }
    if (IsStopped(run))
        return;
    if (run->control.raised & SOFT_INVALID) {
        memcpy(to, indefinite, sizeof indefinite);
    } else {
        for (unsigned i = 0; i < 9; i++, magnitude /= 100)
            to[i] = (uint8_t)(magnitude % 10 | magnitude / 10 % 10 << 4);
        to[9] = x.negative ? 0x80 : 0;
    }
    Pop(run);
}

/* FST and FSTP to a register. */
static void StoreRegister(Run *run, unsigned place, bool pops) {
    uint8_t bytes[ST_BYTES];
    memcpy(bytes, run->vectors->st[0], ST_BYTES);
    if (IsEmpty(run, 0))
        SoftFloat_Pack80(StackFault(run, false), bytes);
    if (IsStopped(run))
        return;
    PutBytes(run, place, bytes);
    if (pops)
        Pop(run);
}

/* FXCH. An empty register counts as the indefinite NaN. */
static void Exchange(Run *run, unsigned place) {
    uint8_t first[ST_BYTES], other[ST_BYTES];
    memcpy(first, run->vectors->st[0], ST_BYTES);
    memcpy(other, run->vectors->st[place], ST_BYTES);
    if (IsEmpty(run, 0))
        SoftFloat_Pack80(StackFault(run, false), first);
    if (IsEmpty(run, place))
        SoftFloat_Pack80(StackFault(run, false), other);
    if (IsStopped(run))
        return;
    PutBytes(run, 0, other);
    PutBytes(run, place, first);
}

/* FCMOVcc. The conditions are below, equal, below or equal, unordered, and their opposites. */
static void Move(Run *run, unsigned condition, bool opposite, unsigned place) {
    const uint32_t flags = run->operation->eflags;
    static const uint32_t tested[4] = {MACHINE_CF, MACHINE_ZF, MACHINE_CF | MACHINE_ZF, MACHINE_PF};
    const bool moves = ((flags & tested[condition]) != 0) != opposite;
    uint8_t bytes[ST_BYTES];
    run->keeps_c1 = true;
    memcpy(bytes, run->vectors->st[moves ? place : 0], ST_BYTES);
    if (IsEmpty(run, 0) || IsEmpty(run, place))
        SoftFloat_Pack80(StackFault(run, false), bytes);
    if (!IsStopped(run))
        PutBytes(run, 0, bytes);
}

/* ---- functions of one operand ---------------------------------------------------------------- */

/* Replaces ST(0) unless the instruction stops. */
static void Replace(Run *run, SoftFloat x) {
    if (!IsStopped(run))
        Put(run, 0, x);
}

static void SquareRoot(Run *run) {
    SoftFloat x = Get(run, 0), nan;
    run->control.format = Precision(run);
    if (HasNan(run, x, x, &nan))
        Replace(run, nan);
    else
        Replace(run, SoftFloat_Operate(SOFT_SQRT, x, x, &run->control));
}

static void RoundToInteger(Run *run) {
    SoftFloat x = Get(run, 0), nan;
    if (HasNan(run, x, x, &nan)) {
        Replace(run, nan);
        return;
    }
    uint64_t magnitude = 0;
    if (Denormals(run, x, x) || x.kind != SOFT_FINITE || x.exponent >= 63) {
        Replace(run, x);
        return;
    }
    (void)SoftFloat_Whole(x, &run->control, &magnitude);
    SoftFloat whole = SoftFloat_Zero(x.negative);
    if (magnitude != 0) {
        const int shift = __builtin_clzll(magnitude);
        whole = (SoftFloat){SOFT_FINITE, x.negative, false, 63 - shift, magnitude << shift};
    }
    Replace(run, whole);
}

static void Scale(Run *run) {
    const SoftFloat x = Get(run, 0), by = Get(run, 1);
    SoftFloat result;
    if (IsEmpty(run, 1)) {
        result = StackFault(run, false);
    } else if (HasNan(run, x, by, &result)) {
    } else if (by.kind == SOFT_INFINITE) {
        if ((by.negative ? x.kind == SOFT_INFINITE : x.kind == SOFT_ZERO))
            result = Invalid(run);
        else {
            (void)Denormals(run, x, by);
            result = by.negative ? SoftFloat_Zero(x.negative) : SoftFloat_Infinity(x.negative);
        }
    } else {
        (void)Denormals(run, x, by);
        result = x;
        if (x.kind == SOFT_FINITE) {
            /* A power beyond this is out of reach of every number. */
            enum { FAR = 0x10000 };
            SoftControl control = {.rounding = SOFT_TO_ZERO, .masks = 0x3F};
            int64_t steps = by.negative ? -FAR : FAR;
            if (by.kind == SOFT_ZERO || by.exponent < 16)
                steps = SoftFloat_ToInteger(by, 32, &control);
            result.exponent += (int32_t)steps;
            run->control.format = soft_extended;
            if (!IsStopped(run))
                result = SoftFloat_Round(result, 0, &run->control);
        }
    }
    Replace(run, result);
}

static void Extract(Run *run) {
    SoftFloat x = Get(run, 0), exponent;
    if (!IsEmpty(run, 7)) {
        exponent = x = StackFault(run, true);
    } else if (HasNan(run, x, x, &exponent)) {
        x = exponent;
    } else if (x.kind == SOFT_ZERO) {
        run->control.raised |= SOFT_DIVIDE;
        exponent = SoftFloat_Infinity(true);
    } else if (x.kind == SOFT_INFINITE) {
        exponent = SoftFloat_Infinity(false);
    } else {
        (void)Denormals(run, x, x);
        exponent = SoftFloat_Integer(x.exponent);
        x.exponent = 0;
    }
    if (IsStopped(run))
        return;
    Put(run, 0, exponent);
    Push(run, x);
}

/* Subtracts y from x as often as it fits, one bit of the quotient after the other. With `nearest`,
 * subtracts it once more if that leaves less. Both are finite. If the quotient has more than 64
 * bits, only the upper ones are done; processors differ in how many, and this number is AMD's. */
static SoftFloat TakeOff(SoftFloat x, SoftFloat y, bool nearest, unsigned *quotient,
                         bool *incomplete) {
    const int32_t apart = x.exponent - y.exponent;
    const int32_t steps = apart >= 64 ? 32 + apart % 32 : apart;
    *quotient = 0;
    *incomplete = apart >= 64;
    if (apart < (nearest ? -1 : 0))
        return x;
    uint64_t left = x.significand;
    bool over = false; /* what is left has one bit more than a word holds */
    for (int32_t i = steps; i >= 0; i--) {
        const bool fits = over || left >= y.significand;
        *quotient = *quotient << 1 | fits;
        if (fits)
            left -= y.significand;
        if (i > 0) {
            over = left >> 63 != 0;
            left <<= 1;
        }
    }
    bool negative = x.negative;
    if (nearest && !*incomplete) {
        /* What is left is compared with half of y. If x has the smaller exponent, half of y has the
         * same exponent as x. */
        const uint64_t other = (apart < 0 ? y.significand : 0) + y.significand - left;
        if (apart < 0 ? left > y.significand : left > other || (left == other && *quotient & 1)) {
            left = other;
            negative = !negative;
            ++*quotient;
        }
    }
    if (left == 0)
        return SoftFloat_Zero(x.negative);
    const int shift = __builtin_clzll(left);
    const int32_t exponent = x.exponent - (apart < 0 ? 0 : steps);
    return (SoftFloat){SOFT_FINITE, negative, false, exponent - shift, left << shift};
}

/* FPREM cuts off the quotient, and FPREM1 rounds it to the nearest. */
static void Remainder(Run *run, bool nearest) {
    const SoftFloat x = Get(run, 0), y = Get(run, 1);
    SoftFloat result;
    unsigned quotient = 0;
    bool incomplete = false;
    if (IsEmpty(run, 1)) {
        result = StackFault(run, false);
    } else if (HasNan(run, x, y, &result)) {
    } else if (x.kind == SOFT_INFINITE || y.kind == SOFT_ZERO) {
        result = Invalid(run);
    } else {
        result = x;
        const bool stopped = Denormals(run, x, y);
        if (x.kind == SOFT_FINITE && y.kind == SOFT_FINITE)
            result = TakeOff(x, y, nearest, &quotient, &incomplete);
        run->control.format = soft_extended;
        if (result.kind == SOFT_FINITE && !stopped)
            result = SoftFloat_Round(result, 0, &run->control);
    }
    run->vectors->status &= (uint16_t)~X87_C2;
    if (IsStopped(run))
        return;
    if (!SoftFloat_IsNan(result)) {
        if (incomplete)
            quotient = 0;
        SetConditions(run, (incomplete ? X87_C2 : 0) | (quotient & 4u ? X87_C0 : 0) |
                               (quotient & 2u ? X87_C3 : 0));
        run->control.up = quotient & 1u;
    }
    Put(run, 0, result);
}

/* ---- transcendental functions ---------------------------------------------------------------- */

static SoftX87 ToSoft(SoftFloat x) {
    uint8_t bytes[ST_BYTES];
    SoftX87 soft = {0, 0};
    SoftFloat_Pack80(x, bytes);
    memcpy(&soft.significand, bytes, 8);
    memcpy(&soft.head, bytes + 8, 2);
    return soft;
}

static SoftFloat FromSoft(SoftX87 soft) {
    uint8_t bytes[ST_BYTES];
    memcpy(bytes, &soft.significand, 8);
    memcpy(bytes + 8, &soft.head, 2);
    SoftFloat x = SoftFloat_Unpack80(bytes);
    x.denormal = false;
    return x;
}

/* Sets the control word of soft_x87.h to 64 bits and to the guest's rounding. Returns the former
 * one. */
static uint16_t BorrowControl(const Run *run) {
    const uint16_t old = soft_x87_control_word;
    soft_x87_control_word = (uint16_t)(0x037Fu | run->control.rounding << 10);
    return old;
}

/* Notes that a result is inexact, and whether it is too small to be a normal number. */
static SoftFloat Inexact(Run *run, SoftFloat x) {
    if (x.kind == SOFT_FINITE || x.kind == SOFT_ZERO) {
        run->control.raised |= SOFT_INEXACT;
        if (x.kind == SOFT_ZERO || x.exponent < soft_extended.least) {
            run->control.raised |= SOFT_UNDERFLOW;
            if (!(run->control.masks & SOFT_UNDERFLOW))
                x.exponent += BIAS_ADJUSTMENT;
        }
    }
    return x;
}

/* FSIN, FCOS, FSINCOS and FPTAN. */
static void Trigonometry(Run *run, bool sine, bool cosine, bool tangent) {
    const SoftFloat x = Get(run, 0);
    const bool pushes = tangent || (sine && cosine);
    run->vectors->status &= (uint16_t)~X87_C2;
    SoftFloat first, second = SoftFloat_Integer(1);
    if (pushes && !IsEmpty(run, 7)) {
        first = second = StackFault(run, true);
    } else if (HasNan(run, x, x, &first)) {
        second = first;
    } else if (x.kind == SOFT_INFINITE) {
        first = second = Invalid(run);
    } else if (x.kind == SOFT_FINITE && x.exponent >= 63) {
        run->vectors->status |= X87_C2;
        return;
    } else {
        if (Denormals(run, x, x))
            return;
        const uint16_t old = BorrowControl(run);
        if (tangent) /* only the quotient is rounded as the control word says */
            soft_x87_control_word = 0x037F;
        const SoftFloat sin = FromSoft(SoftX87_Sin(ToSoft(x)));
        const SoftFloat cos = FromSoft(SoftX87_Cos(ToSoft(x)));
        soft_x87_control_word = old;
        first = sine || tangent ? sin : cos;
        if (tangent && x.kind == SOFT_FINITE) {
            SoftControl control = run->control;
            control.format = soft_extended;
            first = SoftFloat_Operate(SOFT_DIV, sin, cos, &control);
        }
        if (sine && cosine)
            second = cos;
        if (x.kind == SOFT_FINITE)
            first = Inexact(run, first);
    }
    if (IsStopped(run))
        return;
    Put(run, 0, first);
    if (pushes)
        Push(run, second);
}

static void ArcTangent(Run *run) {
    const SoftFloat x = Get(run, 0), y = Get(run, 1);
    SoftFloat result;
    if (IsEmpty(run, 1)) {
        result = StackFault(run, false);
    } else if (!HasNan(run, x, y, &result)) {
        if (Denormals(run, x, y))
            return;
        const uint16_t old = BorrowControl(run);
        result = FromSoft(SoftX87_Patan(ToSoft(y), ToSoft(x)));
        soft_x87_control_word = old;
        /* Only the result for the angle 0 is exact. */
        const bool exact =
            result.kind == SOFT_ZERO && (y.kind == SOFT_ZERO || x.kind == SOFT_INFINITE);
        if (!exact)
            result = Inexact(run, result);
    }
    if (IsStopped(run))
        return;
    Put(run, 1, result);
    Pop(run);
}

static void PowerLessOne(Run *run) {
    const SoftFloat x = Get(run, 0);
    SoftFloat result;
    if (!HasNan(run, x, x, &result)) {
        if (Denormals(run, x, x))
            return;
        result = x;
        run->control.format = soft_extended;
        if (x.kind == SOFT_INFINITE && x.negative)
            result = (SoftFloat){SOFT_FINITE, true, false, 0, (uint64_t)1 << 63};
        else if (x.kind == SOFT_FINITE && x.exponent < 0)
            result = SoftSeries_PowerLessOne(x, &run->control);
        else if (x.kind == SOFT_FINITE && x.exponent == 0 && x.significand << 1 == 0) {
            if (x.negative) /* 2^-1 - 1; and 2^1 - 1 is the operand itself */
                result.exponent = -1;
        }
    }
    Replace(run, result);
}

/* FYL2X, and FYL2XP1, which adds 1 to its operand. */
static void Logarithm(Run *run, bool plus_one) {
    const SoftFloat x = Get(run, 0), y = Get(run, 1);
    SoftFloat result;
    if (IsEmpty(run, 1)) {
        result = StackFault(run, false);
    } else if (!HasNan(run, x, y, &result)) {
        const bool one = plus_one ? x.kind == SOFT_ZERO
                                  : x.kind == SOFT_FINITE && !x.negative && x.exponent == 0 &&
                                        x.significand << 1 == 0;
        const bool below = plus_one ? x.negative : x.exponent < 0 || x.kind == SOFT_ZERO;
        const bool far = x.kind == SOFT_INFINITE;
        run->control.format = soft_extended;
        if (far && !x.negative) { /* the logarithm is infinite */
            result = y.kind == SOFT_ZERO ? Invalid(run) : SoftFloat_Infinity(y.negative);
            (void)Denormals(run, x, y);
        } else if ((!plus_one && x.negative && x.kind != SOFT_ZERO) || (plus_one && far)) {
            result = Invalid(run);
        } else if (!plus_one && x.kind == SOFT_ZERO) {
            if (y.kind == SOFT_ZERO) {
                result = Invalid(run);
            } else {
                if (y.kind != SOFT_INFINITE)
                    run->control.raised |= SOFT_DIVIDE;
                result = SoftFloat_Infinity(!y.negative);
            }
        } else if (y.kind == SOFT_INFINITE) {
            if (one)
                result = Invalid(run);
            else {
                (void)Denormals(run, x, y);
                result = SoftFloat_Infinity(y.negative != below);
            }
        } else if (one || y.kind == SOFT_ZERO) {
            (void)Denormals(run, x, y);
            /* The sign is that of the product. The sign of log2(1 + x) is that of x. */
            result = SoftFloat_Zero(y.negative != (one && !plus_one ? false : below));
        } else {
            if (Denormals(run, x, y))
                return;
            /* Processors report even the logarithm of a power of 2 as inexact. */
            result = Inexact(run, SoftSeries_Logarithm(x, plus_one, y, &run->control));
        }
    }
    if (IsStopped(run))
        return;
    Put(run, 1, result);
    Pop(run);
}

/* ---- decoding -------------------------------------------------------------------------------- */

static void Memory(Run *run, unsigned opcode, unsigned middle) {
    static const unsigned integer_size[8] = {0, 0, 0, 4, 0, 8, 0, 2};
    if (!(opcode & 1)) { /* arithmetic with ST(0) */
        const SoftFloat operand = MemoryOperand(run);
        if (middle == 2 || middle == 3)
            CompareAndPop(run, operand, false, false, middle - 2);
        else
            Arithmetic(run, middle, operand, false, 0, false);
        return;
    }
    switch (opcode << 4 | middle) { /* the opcode without D8, and the middle field */
    case 0x10:                      /* FLD and FILD */
    case 0x30:
    case 0x50:
    case 0x70:
        Load(run, MemoryOperand(run));
        return;
    case 0x12: /* FST and FSTP */
    case 0x13:
        StoreFloat(run, false, middle == 3);
        return;
    case 0x52:
    case 0x53:
        StoreFloat(run, true, middle == 3);
        return;
    case 0x35: /* FLD m80 */
        LoadBytes(run, run->operation->operand, false);
        return;
    case 0x37: /* FSTP m80 */
        if (IsEmpty(run, 0))
            SoftFloat_Pack80(StackFault(run, false), run->operation->operand);
        else
            memcpy(run->operation->operand, run->vectors->st[0], ST_BYTES);
        if (!IsStopped(run))
            Pop(run);
        return;
    case 0x74: { /* FBLD: a packed decimal number has 18 digits and a sign */
        const uint8_t *at = run->operation->operand;
        int64_t integer = 0;
        for (int i = 8; i >= 0; i--)
            integer = integer * 100 + (at[i] >> 4) * 10 + (at[i] & 15);
        SoftFloat x = SoftFloat_Integer(integer);
        x.negative = at[9] >> 7 != 0;
        Load(run, x);
        return;
    }
    case 0x75: /* FILD m64 */
        Load(run, Integer(run->operation->operand, 8));
        return;
    case 0x76: /* FBSTP */
        StoreDecimal(run);
        return;
    case 0x77: /* FISTP m64 */
        StoreInteger(run, 8, true);
        return;
    default: /* FIST and FISTP */
        StoreInteger(run, integer_size[opcode], middle == 3);
        return;
    }
}

/* The lower 6 bits of the second byte of D9 E0 to D9 FF. 0x28 to 0x2E are constants. */
enum {
    FCHS = 0x20,
    FABS = 0x21,
    FTST = 0x24,
    F2XM1 = 0x30,
    FYL2X = 0x31,
    FPTAN = 0x32,
    FPATAN = 0x33,
    FXTRACT = 0x34,
    FPREM1 = 0x35,
    FDECSTP = 0x36,
    FINCSTP = 0x37,
    FPREM = 0x38,
    FYL2XP1 = 0x39,
    FSQRT = 0x3A,
    FSINCOS = 0x3B,
    FRNDINT = 0x3C,
    FSCALE = 0x3D,
    FSIN = 0x3E,
    FCOS = 0x3F,
    FXAM = 0x25,
    FLD1 = 0x28,
    FLDZ = 0x2E
};

static void Function(Run *run, unsigned function) {
    MachineVectors *vectors = run->vectors;
    const bool loads = function >= FLD1 && function <= FLDZ;
    const bool moves_top = function == FDECSTP || function == FINCSTP;
    if (function == FXAM) {
        Examine(run);
        return;
    }
    if (!loads && !moves_top && function != FTST && IsEmpty(run, 0)) {
        /* An empty ST(0) has the consequences of any other invalid operation, including what is
         * pushed or popped. */
        const bool pops = function == FYL2X || function == FPATAN || function == FYL2XP1;
        const bool pushes = function == FPTAN || function == FXTRACT || function == FSINCOS;
        const SoftFloat result = StackFault(run, false);
        if (function == FPREM1 || function == FPREM || function == FPTAN || function == FSINCOS ||
            function >= FSIN) /* these set C2 if they are incomplete */
            vectors->status &= (uint16_t)~X87_C2;
        if (IsStopped(run))
            return;
        Put(run, pops ? 1 : 0, result);
        if (pops)
            Pop(run);
        if (pushes)
            Push(run, result);
        return;
    }
    switch (function) {
    case FCHS:
        vectors->st[0][9] ^= 0x80;
        return;
    case FABS:
        vectors->st[0][9] &= 0x7F;
        return;
    case FTST:
        CompareAndPop(run, SoftFloat_Zero(false), false, false, 0);
        return;
    case F2XM1:
        PowerLessOne(run);
        return;
    case FYL2X:
    case FYL2XP1:
        Logarithm(run, function == FYL2XP1);
        return;
    case FPTAN:
        Trigonometry(run, false, false, true);
        return;
    case FPATAN:
        ArcTangent(run);
        return;
    case FXTRACT:
        Extract(run);
        return;
    case FPREM1:
    case FPREM:
        Remainder(run, function == FPREM1);
        return;
    case FDECSTP:
        Vectors_SetTop(vectors, Vectors_Top(vectors) - 1);
        return;
    case FINCSTP:
        Vectors_SetTop(vectors, Vectors_Top(vectors) + 1);
        return;
    case FSQRT:
        SquareRoot(run);
        return;
    case FSINCOS:
        Trigonometry(run, true, true, false);
        return;
    case FRNDINT:
        RoundToInteger(run);
        return;
    case FSCALE:
        Scale(run);
        return;
    case FSIN:
        Trigonometry(run, true, false, false);
        return;
    case FCOS:
        Trigonometry(run, false, true, false);
        return;
    default:
        Constant(run, function - FLD1);
        return;
    }
}

/* Executes the forms with two registers, some of which have several encodings. */
static void Registers(Run *run, unsigned opcode, unsigned middle, unsigned place) {
    const SoftFloat other = Get(run, place);
    const bool empty = IsEmpty(run, place);
    switch (opcode << 4 | middle) {
    case 0x02: /* FCOM and FCOMP */
    case 0x03:
    case 0x42:
    case 0x43:
    case 0x62:
        CompareAndPop(run, other, empty, false, middle == 2 && opcode != 6 ? 0 : 1);
        return;
    case 0x10: /* FLD */
        LoadBytes(run, run->vectors->st[place], empty);
        return;
    case 0x11: /* FXCH */
    case 0x51:
    case 0x71:
        Exchange(run, place);
        return;
    case 0x12: /* FNOP */
        run->keeps_c1 = true;
        return;
    case 0x13: /* another FSTP, which never faults: it ignores an empty register */
        if (!IsEmpty(run, 0))
            PutBytes(run, place, run->vectors->st[0]);
        Pop(run);
        return;
    case 0x53: /* FSTP */
    case 0x72:
    case 0x73:
        StoreRegister(run, place, true);
        return;
    case 0x52: /* FST */
        StoreRegister(run, place, false);
        return;
    case 0x20: /* FCMOVcc */
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
        Move(run, middle, opcode == 3, place);
        return;
    case 0x25: /* FUCOMPP */
    case 0x63: /* FCOMPP */
        CompareAndPop(run, other, empty, opcode == 2, 2);
        return;
    case 0x35: /* FUCOMI and FCOMI */
    case 0x36:
    case 0x75:
    case 0x76:
        CompareToFlags(run, place, middle == 5, opcode == 7);
        return;
    case 0x50: /* FFREE, and another form that pops, too */
    case 0x70:
        SetTag(run, place, false);
        if (opcode == 7)
            Pop(run);
        return;
    case 0x54: /* FUCOM and FUCOMP */
    case 0x55:
        CompareAndPop(run, other, empty, true, middle - 4);
        return;
    default: /* arithmetic: D8 writes to ST(0), DC and DE to ST(i) */
        Arithmetic(run, middle, other, empty, opcode == 0 ? 0 : place, opcode == 6);
        return;
    }
}

void X87Soft_Execute(MachineVectors *vectors, X87Operation *operation) {
    Run run = {.vectors = vectors,
               .operation = operation,
               .control = {.format = soft_extended,
                           .rounding = vectors->control >> 10 & 3u,
                           .masks = vectors->control & X87_EXCEPTIONS,
                           .adjustment = BIAS_ADJUSTMENT}};
    const unsigned opcode = operation->opcode & 7u, middle = operation->modrm >> 3 & 7u;
    if (operation->modrm < 0xC0)
        Memory(&run, opcode, middle);
    else if (opcode == 1 && middle >= 4)
        Function(&run, operation->modrm & 63u);
    else
        Registers(&run, opcode, middle, operation->modrm & 7u);

    /* If an exception that is not masked was found early, nothing was rounded. */
    if (IsStopped(&run)) {
        run.control.raised &= SOFT_EARLY;
        if (!run.stack)
            run.control.up = false;
    }
    unsigned status = vectors->status | run.control.raised | (run.stack ? X87_STACK : 0u);
    if (!run.keeps_c1 || run.stack)
        status = (status & ~X87_C1) | (run.control.up ? X87_C1 : 0u);
    vectors->status = (uint16_t)status;
    Vectors_Summarise(vectors);
}
