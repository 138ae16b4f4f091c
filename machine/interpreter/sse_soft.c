#include "machine/interpreter/soft_float.h"
#include "machine/interpreter/sse_float.h"

/* One instruction under one MXCSR. The exceptions of all its lanes are collected. */
typedef struct Run {
    SoftControl control;
    bool zeros; /* denormal operands count as zeros */
} Run;

static void SetFormat(Run *run, bool wide) {
    run->control.format = wide ? soft_binary64 : soft_binary32;
}

static SoftFloat Get(const Run *run, const Lanes *from, unsigned lane, bool wide) {
    const SoftFloat x =
        wide ? SoftFloat_Unpack64(from->q[lane]) : SoftFloat_Unpack32(from->d[lane]);
    return run->zeros && x.denormal ? SoftFloat_Zero(x.negative) : x;
}

static void Set(Lanes *to, unsigned lane, bool wide, SoftFloat x) {
    if (wide)
        to->q[lane] = SoftFloat_Pack64(x);
    else
        to->d[lane] = SoftFloat_Pack32(x);
}

/* If an operand is a NaN, gives the NaN that is the result, and returns true. Of two NaNs it is the
 * first. */
static bool HasNan(Run *run, SoftFloat a, SoftFloat b, SoftFloat *nan) {
    if (!SoftFloat_IsNan(a) && !SoftFloat_IsNan(b))
        return false;
    if (a.kind == SOFT_SIGNALLING || b.kind == SOFT_SIGNALLING)
        run->control.raised |= SOFT_INVALID;
    *nan = SoftFloat_Quiet(SoftFloat_IsNan(a) ? a : b);
    return true;
}

/* Returns ZF, PF and CF as COMISS and UCOMISS set them. */
static uint32_t Flags(Run *run, bool signals, SoftFloat a, SoftFloat b) {
    if (SoftFloat_IsNan(a) || SoftFloat_IsNan(b)) {
        if (signals || a.kind == SOFT_SIGNALLING || b.kind == SOFT_SIGNALLING)
            run->control.raised |= SOFT_INVALID;
        return MACHINE_ZF | MACHINE_PF | MACHINE_CF;
    }
    if (a.denormal || b.denormal)
        run->control.raised |= SOFT_DENORMAL;
    const int order = SoftFloat_Compare(a, b);
    return order == 0 ? MACHINE_ZF : order < 0 ? MACHINE_CF : 0;
}

static SoftFloat Convert(Run *run, SoftFloat x) {
    SoftFloat nan;
    if (HasNan(run, x, x, &nan))
        return nan;
    if (x.denormal)
        run->control.raised |= SOFT_DENORMAL;
    return x.kind == SOFT_FINITE && !SoftControl_IsStopped(&run->control)
               ? SoftFloat_Round(x, 0, &run->control)
               : x;
}

static uint32_t ToInteger(Run *run, bool truncates, SoftFloat x) {
    const unsigned rounding = run->control.rounding;
    if (truncates)
        run->control.rounding = SOFT_TO_ZERO;
    const int64_t integer = SoftFloat_ToInteger(x, 32, &run->control);
    run->control.rounding = rounding;
    return (uint32_t)integer;
}

static SoftFloat FromInteger(Run *run, uint32_t integer) {
    const SoftFloat x = SoftFloat_Integer((int32_t)integer);
    return x.kind == SOFT_ZERO ? x : SoftFloat_Round(x, 0, &run->control);
}

/* What an instruction does in each lane. */
typedef enum Action { SQRT, ADD, MUL, SUB, MIN, DIV, MAX, COMPARE } Action;

typedef struct Form {
    ZydisMnemonic mnemonic;
    Action action;
    bool wide;
    unsigned lanes;
} Form;

static const Form forms[] = {
    {ZYDIS_MNEMONIC_ADDPS, ADD, false, 4},     {ZYDIS_MNEMONIC_ADDSS, ADD, false, 1},
    {ZYDIS_MNEMONIC_ADDPD, ADD, true, 2},      {ZYDIS_MNEMONIC_ADDSD, ADD, true, 1},
    {ZYDIS_MNEMONIC_SUBPS, SUB, false, 4},     {ZYDIS_MNEMONIC_SUBSS, SUB, false, 1},
    {ZYDIS_MNEMONIC_SUBPD, SUB, true, 2},      {ZYDIS_MNEMONIC_SUBSD, SUB, true, 1},
    {ZYDIS_MNEMONIC_MULPS, MUL, false, 4},     {ZYDIS_MNEMONIC_MULSS, MUL, false, 1},
    {ZYDIS_MNEMONIC_MULPD, MUL, true, 2},      {ZYDIS_MNEMONIC_MULSD, MUL, true, 1},
    {ZYDIS_MNEMONIC_DIVPS, DIV, false, 4},     {ZYDIS_MNEMONIC_DIVSS, DIV, false, 1},
    {ZYDIS_MNEMONIC_DIVPD, DIV, true, 2},      {ZYDIS_MNEMONIC_DIVSD, DIV, true, 1},
    {ZYDIS_MNEMONIC_SQRTPS, SQRT, false, 4},   {ZYDIS_MNEMONIC_SQRTSS, SQRT, false, 1},
    {ZYDIS_MNEMONIC_SQRTPD, SQRT, true, 2},    {ZYDIS_MNEMONIC_SQRTSD, SQRT, true, 1},
    {ZYDIS_MNEMONIC_MINPS, MIN, false, 4},     {ZYDIS_MNEMONIC_MINSS, MIN, false, 1},
    {ZYDIS_MNEMONIC_MINPD, MIN, true, 2},      {ZYDIS_MNEMONIC_MINSD, MIN, true, 1},
    {ZYDIS_MNEMONIC_MAXPS, MAX, false, 4},     {ZYDIS_MNEMONIC_MAXSS, MAX, false, 1},
    {ZYDIS_MNEMONIC_MAXPD, MAX, true, 2},      {ZYDIS_MNEMONIC_MAXSD, MAX, true, 1},
    {ZYDIS_MNEMONIC_CMPPS, COMPARE, false, 4}, {ZYDIS_MNEMONIC_CMPSS, COMPARE, false, 1},
    {ZYDIS_MNEMONIC_CMPPD, COMPARE, true, 2},  {ZYDIS_MNEMONIC_CMPSD, COMPARE, true, 1},
};

static void Lane(Run *run, const Form *form, unsigned predicate, unsigned lane, Lanes *to,
                 SoftFloat a, SoftFloat b) {
    static const SoftOperation operations[] = {
        [SQRT] = SOFT_SQRT, [ADD] = SOFT_ADD, [MUL] = SOFT_MUL, [SUB] = SOFT_SUB, [DIV] = SOFT_DIV};
    switch (form->action) {
    case COMPARE: {
        /* The predicates are equal, less, less or equal, unordered, and their opposites. */
        const bool unordered = SoftFloat_IsNan(a) || SoftFloat_IsNan(b);
        const unsigned kind = predicate & 3u;
        bool holds;
        if (unordered) {
            if (kind == 1 || kind == 2 || a.kind == SOFT_SIGNALLING || b.kind == SOFT_SIGNALLING)
                run->control.raised |= SOFT_INVALID;
            holds = kind == 3;
        } else {
            if (a.denormal || b.denormal)
                run->control.raised |= SOFT_DENORMAL;
            const int order = SoftFloat_Compare(a, b);
            holds = kind == 0 ? order == 0 : kind == 1 ? order < 0 : kind == 2 ? order <= 0 : false;
        }
        const uint64_t answer = holds != ((predicate & 4u) != 0) ? ~(uint64_t)0 : 0;
        if (form->wide)
            to->q[lane] = answer;
        else
            to->d[lane] = (uint32_t)answer;
        return;
    }
    case MIN:
    case MAX: {
        /* They give the first operand if it is less (or greater), and otherwise the second one,
         * also if both are 0 or one is a NaN. */
        SoftFloat chosen = b;
        if (SoftFloat_IsNan(a) || SoftFloat_IsNan(b)) {
            run->control.raised |= SOFT_INVALID;
        } else {
            if (a.denormal || b.denormal)
                run->control.raised |= SOFT_DENORMAL;
            const int order = SoftFloat_Compare(a, b);
            chosen = (form->action == MAX ? order > 0 : order < 0) ? a : b;
        }
        Set(to, lane, form->wide, chosen);
        return;
    }
    default: { /* a root has only the second operand */
        const SoftOperation operation = operations[form->action];
        const SoftFloat first = operation == SOFT_SQRT ? b : a;
        SoftFloat result;
        if (!HasNan(run, first, b, &result))
            result = SoftFloat_Operate(operation, first, b, &run->control);
        Set(to, lane, form->wide, result);
        return;
    }
    }
}

static bool Conversion(Run *run, ZydisMnemonic mnemonic, Lanes *a, const Lanes *b) {
    bool truncates = false;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_COMISS:
    case ZYDIS_MNEMONIC_UCOMISS:
        a->d[0] = Flags(run, mnemonic == ZYDIS_MNEMONIC_COMISS, Get(run, a, 0, false),
                        Get(run, b, 0, false));
        return true;
    case ZYDIS_MNEMONIC_COMISD:
    case ZYDIS_MNEMONIC_UCOMISD:
        a->d[0] = Flags(run, mnemonic == ZYDIS_MNEMONIC_COMISD, Get(run, a, 0, true),
                        Get(run, b, 0, true));
        return true;
    case ZYDIS_MNEMONIC_CVTPI2PS:
    case ZYDIS_MNEMONIC_CVTSI2SS:
    case ZYDIS_MNEMONIC_CVTDQ2PS: {
        const unsigned lanes = mnemonic == ZYDIS_MNEMONIC_CVTDQ2PS   ? 4
                               : mnemonic == ZYDIS_MNEMONIC_CVTPI2PS ? 2
                                                                     : 1;
        SetFormat(run, false);
        for (unsigned i = 0; i < lanes; i++)
            Set(a, i, false, FromInteger(run, b->d[i]));
        return true;
    }
    case ZYDIS_MNEMONIC_CVTPI2PD:
    case ZYDIS_MNEMONIC_CVTDQ2PD:
    case ZYDIS_MNEMONIC_CVTSI2SD: {
        SetFormat(run, true);
        const Lanes from = *b;
        for (unsigned i = 0; i < (mnemonic == ZYDIS_MNEMONIC_CVTSI2SD ? 1u : 2u); i++)
            Set(a, i, true, FromInteger(run, from.d[i]));
        return true;
    }
    case ZYDIS_MNEMONIC_CVTTPS2PI:
    case ZYDIS_MNEMONIC_CVTTSS2SI:
    case ZYDIS_MNEMONIC_CVTTPS2DQ:
        truncates = true;
        /* fall through */
    case ZYDIS_MNEMONIC_CVTPS2PI:
    case ZYDIS_MNEMONIC_CVTSS2SI:
    case ZYDIS_MNEMONIC_CVTPS2DQ: {
        const bool dq = mnemonic == ZYDIS_MNEMONIC_CVTPS2DQ || mnemonic == ZYDIS_MNEMONIC_CVTTPS2DQ;
        const bool si = mnemonic == ZYDIS_MNEMONIC_CVTSS2SI || mnemonic == ZYDIS_MNEMONIC_CVTTSS2SI;
        for (unsigned i = 0; i < (dq ? 4u : si ? 1u : 2u); i++)
            a->d[i] = ToInteger(run, truncates, Get(run, b, i, false));
        return true;
    }
    case ZYDIS_MNEMONIC_CVTTPD2PI:
    case ZYDIS_MNEMONIC_CVTTPD2DQ:
    case ZYDIS_MNEMONIC_CVTTSD2SI:
        truncates = true;
        /* fall through */
    case ZYDIS_MNEMONIC_CVTPD2PI:
    case ZYDIS_MNEMONIC_CVTPD2DQ:
    case ZYDIS_MNEMONIC_CVTSD2SI: {
        const bool si = mnemonic == ZYDIS_MNEMONIC_CVTSD2SI || mnemonic == ZYDIS_MNEMONIC_CVTTSD2SI;
        const Lanes from = *b;
        for (unsigned i = 0; i < (si ? 1u : 2u); i++)
            a->d[i] = ToInteger(run, truncates, Get(run, &from, i, true));
        if (!si)
            a->q[1] = 0;
        return true;
    }
    case ZYDIS_MNEMONIC_CVTPS2PD:
    case ZYDIS_MNEMONIC_CVTSS2SD: {
        SetFormat(run, true);
        const Lanes from = *b;
        for (unsigned i = 0; i < (mnemonic == ZYDIS_MNEMONIC_CVTPS2PD ? 2u : 1u); i++)
            Set(a, i, true, Convert(run, Get(run, &from, i, false)));
        return true;
    }
    case ZYDIS_MNEMONIC_CVTPD2PS:
    case ZYDIS_MNEMONIC_CVTSD2SS: {
        const bool pd = mnemonic == ZYDIS_MNEMONIC_CVTPD2PS;
        SetFormat(run, false);
        const Lanes from = *b;
        for (unsigned i = 0; i < (pd ? 2u : 1u); i++)
            Set(a, i, false, Convert(run, Get(run, &from, i, true)));
        if (pd)
            a->q[1] = 0;
        return true;
    }
    default:
        return false;
    }
}

bool SseSoft_Execute(ZydisMnemonic mnemonic, unsigned predicate, Lanes *a, const Lanes *b,
                     uint32_t *mxcsr) {
    Run run = {.control = {.rounding = *mxcsr >> MXCSR_ROUNDING & 3u,
                           .masks = (*mxcsr & MXCSR_MASKS) >> 7,
                           .flush = (*mxcsr & MXCSR_FLUSH) != 0},
               .zeros = (*mxcsr & MXCSR_DAZ) != 0};
    bool known = false;
    for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].mnemonic != mnemonic)
            continue;
        SetFormat(&run, forms[i].wide);
        for (unsigned lane = 0; lane < forms[i].lanes; lane++)
            Lane(&run, &forms[i], predicate, lane, a, Get(&run, a, lane, forms[i].wide),
                 Get(&run, b, lane, forms[i].wide));
        known = true;
        break;
    }
    if (!known && !Conversion(&run, mnemonic, a, b))
        return false;
    /* If an exception that is found early stops the instruction, no lane has been rounded. */
    if (SoftControl_IsStopped(&run.control))
        run.control.raised &= SOFT_EARLY;
    *mxcsr |= run.control.raised;
    return true;
}
