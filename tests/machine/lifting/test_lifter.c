/* Lifts pieces of code, and evaluates what comes out with numbers that the interpreter has no part
 * in: the results have to be the same bits. Two runs that fulfil the same conditions have to have
 * the same expressions. */
#include "tests/machine/fixture.h"

#include "core/random.h"
#include "machine/lifting/expression_value.h"
#include "machine/lifting/lifter.h"

#include <stdlib.h>
#include <string.h>

#define CODE 0x10000000u
#define DATA 0x20000000u
#define IN   (DATA + 0x100)
#define OUT  (DATA + 0x200)

enum { IN_BYTES = 32, OUT_BYTES = 64, STACK_BYTES = 0x400 };

const MachineFixture machine_fixture = {
    .options = {.force_cpu = -1, .stack_bytes = 0x8000},
    .profile = "pentium4",
    .regions = {{CODE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE},
                {DATA, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE}}};

/* What the code gets: ESI points to `in`, EDI to `out`, and ECX is a number. */
typedef struct Inputs {
    uint8_t in[IN_BYTES], out[OUT_BYTES];
    uint32_t ecx;
} Inputs;

static ExpressionGraph *graph;
static ExpressionEvaluator *evaluator;
static Lifter *lifter;
static uint32_t in_name, out_name, ecx_name, stack_name;

static int SetUp(void **state) {
    if (Fixture_MakeInterpreter(state))
        return 1;
    graph = ExpressionGraph_Create();
    evaluator = ExpressionEvaluator_Create(graph);
    in_name = ExpressionGraph_Name(graph, "in");
    out_name = ExpressionGraph_Name(graph, "out");
    ecx_name = ExpressionGraph_Name(graph, "ecx");
    stack_name = ExpressionGraph_Name(graph, "stack");
    return Lifter_Create(machine, graph, &lifter, NULL) != RP_OK;
}

static int TearDown(void **state) {
    Lifter_Destroy(lifter);
    ExpressionEvaluator_Destroy(evaluator);
    ExpressionGraph_Destroy(graph);
    return Fixture_Destroy(state);
}

#define COUNTERS (DATA + 0x400)

static LiftPath *Run(const Inputs *inputs, uint16_t control) {
    const uint32_t esp = stack_top - 0x100;
    const LiftRegion regions[] = {
        {.name = stack_name,
         .address = esp - STACK_BYTES,
         .size = STACK_BYTES,
         .scratch = true,
         .fixed = true},
        {.name = in_name, .address = IN, .size = IN_BYTES},
        {.name = out_name, .address = OUT, .size = OUT_BYTES},
        {.name = ExpressionGraph_Name(graph, "counters"),
         .address = COUNTERS,
         .size = 8,
         .scratch = true,
         .fixed = true,
         .counters = true},
    };
    LiftPath *path;
    Lifter_Begin(lifter);
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++)
        assert_int_equal(Lifter_AddRegion(lifter, &regions[i], NULL), RP_OK);
    assert_true(Lifter_WriteUnknown(lifter, IN, inputs->in, IN_BYTES));
    assert_true(Lifter_WriteUnknown(lifter, OUT, inputs->out, OUT_BYTES));
    Lifter_SetRegister(lifter, MACHINE_ESP, esp,
                       Expression_Address(graph, stack_name, STACK_BYTES));
    Lifter_SetRegister(lifter, MACHINE_ESI, IN, Expression_Address(graph, in_name, 0));
    Lifter_SetRegister(lifter, MACHINE_EDI, OUT, Expression_Address(graph, out_name, 0));
    Lifter_SetRegister(lifter, MACHINE_ECX, inputs->ecx, Expression_Input(graph, ecx_name, 0, 32));
    Lifter_SetControl(lifter, control, 0x1F80);
    assert_int_equal(Lifter_Run(lifter, CODE, 1000, &path, NULL), RP_OK);
    return path;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static bool Bytes(void *context, uint32_t region, uint32_t offset, uint8_t *to, uint32_t size) {
    const Inputs *inputs = context;
    const uint8_t *from = (const uint8_t *)&inputs->ecx;
    uint32_t bytes = 4;
    if (region == in_name || region == out_name) {
        from = region == in_name ? inputs->in : inputs->out;
        bytes = region == in_name ? IN_BYTES : OUT_BYTES;
    } else if (region != ecx_name) {
        return false;
    }
    if (offset > bytes || bytes - offset < size)
        return false;
    memcpy(to, from + offset, size);
    return true;
}

static bool Address(void *context, uint32_t region, uint32_t *address) {
    (void)context;
    *address = region == in_name ? IN : region == out_name ? OUT : stack_top - 0x100 - STACK_BYTES;
    return true;
}

static void Begin(Inputs *inputs) {
    const ExpressionInputs all = {.bytes = Bytes, .address = Address, .context = inputs};
    ExpressionEvaluator_Begin(evaluator, &all);
}

static ExpressionValue ValueOf(const Expression *expression) {
    ExpressionValue value;
    if (!ExpressionEvaluator_Value(evaluator, expression, &value)) {
        RpBuffer text;
        const ExpressionPrinter printer = {.graph = graph};
        RpBuffer_Init(&text, NULL);
        Expression_Print(&printer, expression, &text);
        fail_msg("no value: %.*s", (int)text.size, (const char *)text.bytes);
    }
    return value;
}

static uint32_t Outcome(const LiftCondition *condition, ExpressionValue left,
                        ExpressionValue right) {
    if (condition->order == LIFT_X87 || condition->order == LIFT_SSE)
        return ExpressionValue_Compare(condition->left->bits, left, right);
    if (left.low == right.low)
        return COMPARE_EQUAL;
    const uint32_t unused = 64 - condition->left->bits;
    const bool less = condition->order == LIFT_SIGNED
                          ? (int64_t)(left.low << unused) < (int64_t)(right.low << unused)
                          : left.low < right.low;
    return less ? COMPARE_LESS : COMPARE_GREATER;
}

static void IsSame(const char *name, const Expression *expression, ExpressionValue expected) {
    const ExpressionValue value = ValueOf(expression);
    if (value.low != expected.low || value.head != expected.head) {
        RpBuffer text;
        const ExpressionPrinter printer = {.graph = graph};
        RpBuffer_Init(&text, NULL);
        Expression_Print(&printer, expression, &text);
        fail_msg("%s: %.*s is %04X %016llX, and the interpreter has %04X %016llX", name,
                 (int)text.size, (const char *)text.bytes, (unsigned)value.head,
                 (unsigned long long)value.low, (unsigned)expected.head,
                 (unsigned long long)expected.low);
    }
}

/* Evaluates everything that a path says with the inputs of its run. */
static void Check(const char *name, const LiftPath *path, const Inputs *inputs) {
    if (path->end != LIFT_RETURNED)
        fail_msg("%s: %s", name, path->reason);
    assert_true(path->preserves);
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftCondition *condition = &path->conditions[i];
        IsSame(name, condition->left, condition->left_value);
        IsSame(name, condition->right, condition->right_value);
        assert_int_equal(Outcome(condition, condition->left_value, condition->right_value),
                         condition->outcome);
        assert_true(condition->outcome & condition->outcomes);
    }
    bool is_output[OUT_BYTES] = {false};
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        if (Expression_IsModelled(graph, output->value))
            IsSame(name, output->value, output->number);
        for (uint32_t k = 0; output->place == LIFT_MEMORY && k < 4; k++)
            is_output[output->offset + k] |= output->stored >> k & 1;
    }
    /* What is no output has not changed. */
    for (uint32_t i = 0; i < OUT_BYTES; i++)
        if (!is_output[i] && (uint8_t)Get(OUT + i) != inputs->out[i])
            fail_msg("%s: byte %u of the output is not in the path", name, i);
}

/* Whether the inputs of Begin fulfil the conditions of a path. */
static bool Fulfils(const LiftPath *path) {
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftCondition *condition = &path->conditions[i];
        if (!(Outcome(condition, ValueOf(condition->left), ValueOf(condition->right)) &
              condition->outcomes))
            return false;
    }
    return true;
}

static void HaveSameOutputs(const char *name, const LiftPath *a, const LiftPath *b) {
    if (a->output_count != b->output_count || a->step_count != b->step_count)
        fail_msg("%s: two runs with the same conditions went different ways", name);
    for (uint32_t i = 0; i < a->output_count; i++)
        if (a->outputs[i].value != b->outputs[i].value ||
            a->outputs[i].offset != b->outputs[i].offset)
            fail_msg("%s: output %u differs in two runs with the same conditions", name, i);
}

/* ---- pieces of code -------------------------------------------------------------------------- */

static const struct {
    const char *name, *code;
} pieces[] = {
    /* clang-format off */
    {"adds and subtracts in the order of the operands",
     /* fld dword ptr [esi]; fsub dword ptr [esi+4]; fstp dword ptr [edi]; ret */
     "D9 06 D8 66 04 D9 1F C3"
    },
    {"reversed operations",
     /* fld dword ptr [esi]; fld dword ptr [esi+4]; fsubr st(1),st; fdivrp st(1),st; fstp dword
      * ptr [edi]; ret */
     "D9 06 D9 46 04 DC E1 DE F1 D9 1F C3"
    },
    {"products and sums",
     /* fld dword ptr [esi]; fmul dword ptr [esi+4]; fld dword ptr [esi+8]; fmul dword ptr
      * [esi+12]; faddp st(1),st; fstp dword ptr [edi]; ret */
     "D9 06 D8 4E 04 D9 46 08 D8 4E 0C DE C1 D9 1F C3"
    },
    {"a quotient and a root",
     /* fld dword ptr [esi]; fdiv dword ptr [esi+4]; fabs; fsqrt; fst dword ptr [edi]; fchs;
      * fstp qword ptr [edi+8]; ret */
     "D9 06 D8 76 04 D9 E1 D9 FA D9 17 D9 E0 DD 5F 08 C3"
    },
    {"binary64 and 80 bits",
     /* fld qword ptr [esi]; fadd qword ptr [esi+8]; fld st; fstp tbyte ptr [edi]; fstp qword
      * ptr [edi+16]; ret */
     "DD 06 DC 46 08 D9 C0 DB 3F DD 5F 10 C3"
    },
    {"80 bits from memory",
     /* fld tbyte ptr [esi]; fstp tbyte ptr [edi]; ret */
     "DB 2E DB 3F C3"
    },
    {"80 bits of a constant",
     /* fld1; fstp tbyte ptr [edi]; mov eax,[edi+8]; ret */
     "D9 E8 DB 3F 8B 47 08 C3"
    },
    {"integers to numbers and back",
     /* fild dword ptr [esi]; fild word ptr [esi+4]; faddp st(1),st; fist dword ptr [edi];
      * frndint; fistp qword ptr [edi+8]; fild qword ptr [esi+8]; fistp word ptr [edi+16]; ret */
     "DB 06 DF 46 04 DE C1 DB 17 D9 FC DF 7F 08 DF 6E 08 DF 5F 10 C3"
    },
    {"integer operands",
     /* fild dword ptr [esi]; fimul dword ptr [esi+4]; fisub word ptr [esi+8]; fidivr dword ptr
      * [esi+12]; fstp dword ptr [edi]; ret */
     "DB 06 DA 4E 04 DE 66 08 DA 7E 0C D9 1F C3"
    },
    {"the stack is shuffled",
     /* fld dword ptr [esi]; fld dword ptr [esi+4]; fld dword ptr [esi+8]; fxch st(2); fsub
      * st,st(1); fxch st(1); fmulp st(2),st; fstp dword ptr [edi]; fstp dword ptr [edi+4]; ret */
     "D9 06 D9 46 04 D9 46 08 D9 CA D8 E1 D9 C9 DE CA D9 1F D9 5F 04 C3"
    },
    {"constants of the x87",
     /* fld1; fldz; fldpi; fldl2e; fldln2; fldlg2; fldl2t; faddp st(1),st; faddp st(1),st; faddp
      * st(1),st; faddp st(1),st; faddp st(1),st; faddp st(1),st; fadd dword ptr [esi]; fstp
      * dword ptr [edi]; ret */
     "D9 E8 D9 EE D9 EB D9 EA D9 ED D9 EC D9 E9 DE C1 DE C1 DE C1 DE C1 DE C1 DE C1 D8 06 "
     "D9 1F C3"
    },
    {"a status word decides",
     /* fld dword ptr [esi]; fcomp dword ptr [esi+4]; fnstsw ax; test ah,0x41; jne 1f; mov dword
      * ptr [edi],1; 1: mov [edi+4],ecx; xor eax,eax; ret */
     "D9 06 D8 5E 04 DF E0 F6 C4 41 75 06 C7 07 01 00 00 00 89 4F 04 31 C0 C3"
    },
    {"a status word and parity",
     /* fld dword ptr [esi]; fucomp st(0); fnstsw ax; fld dword ptr [esi]; fld dword ptr
      * [esi+4]; fucompp; fnstsw ax; and ah,0x45; xor ah,0x40; je 1f; mov dword ptr [edi],1; 1:
      * xor eax,eax; ret */
     "D9 06 DD E8 DF E0 D9 06 D9 46 04 DA E9 DF E0 80 E4 45 80 F4 40 74 06 C7 07 01 00 00 "
     "00 31 C0 C3"
    },
    {"parity of a masked status word",
     /* fld dword ptr [esi]; fcomp dword ptr [esi+4]; fnstsw ax; test ah,0x44; jp 1f; mov dword
      * ptr [edi],1; 1: xor eax,eax; ret */
     "D9 06 D8 5E 04 DF E0 F6 C4 44 7A 06 C7 07 01 00 00 00 31 C0 C3"
    },
    {"SAHF",
     /* fld dword ptr [esi]; fcomp dword ptr [esi+4]; fnstsw ax; sahf; jbe 1f; mov dword ptr
      * [edi],1; 1: xor eax,eax; ret */
     "D9 06 D8 5E 04 DF E0 9E 76 06 C7 07 01 00 00 00 31 C0 C3"
    },
    {"FTST and FICOM",
     /* fld dword ptr [esi]; ftst; fnstsw ax; sahf; ja 1f; mov dword ptr [edi],1; 1: ficomp
      * dword ptr [esi+4]; fnstsw ax; sahf; jb 1f; mov dword ptr [edi+4],1; 1: xor eax,eax; ret */
     "D9 06 D9 E4 DF E0 9E 77 06 C7 07 01 00 00 00 DA 5E 04 DF E0 9E 72 07 C7 47 04 01 00 "
     "00 00 31 C0 C3"
    },
    {"FCOMI",
     /* fld dword ptr [esi]; fld dword ptr [esi+4]; fcomip st,st(1); fstp st; jp 1f; jae 2f; mov
      * dword ptr [edi],1; 1: mov dword ptr [edi+4],2; 2:; ret */
     "D9 06 D9 46 04 DF F1 DD D8 7A 08 73 0D C7 07 01 00 00 00 C7 47 04 02 00 00 00 C3"
    },
    {"FCMOV",
     /* fld dword ptr [esi]; fld dword ptr [esi+4]; fld st; fucomi st,st(2); fcmovb st,st(2);
      * fstp dword ptr [edi]; fcmovnu st,st(1); fstp dword ptr [edi+4]; fstp st; ret */
     "D9 06 D9 46 04 D9 C0 DB EA DA C2 D9 1F DB D9 D9 5F 04 DD D8 C3"
    },
    {"COMISS",
     /* movss xmm0,[esi]; ucomiss xmm0,[esi+4]; seta al; movzx eax,al; comiss xmm0,[esi+8];
      * setnp cl; movzx ecx,cl; mov [edi],ecx; ret */
     "F3 0F 10 06 0F 2E 46 04 0F 97 C0 0F B6 C0 0F 2F 46 08 0F 9B C1 0F B6 C9 89 0F C3"
    },
    {"arithmetic of SSE",
     /* movups xmm0,[esi]; movups xmm1,[esi+16]; movaps xmm2,xmm0; mulps xmm0,xmm1; addps
      * xmm0,xmm2; subps xmm2,xmm1; divss xmm2,xmm1; movups [edi],xmm0; movups [edi+16],xmm2;
      * ret */
     "0F 10 06 0F 10 4E 10 0F 28 D0 0F 59 C1 0F 58 C2 0F 5C D1 F3 0F 5E D1 0F 11 07 0F 11 "
     "57 10 C3"
    },
    {"shuffles of SSE",
     /* movups xmm0,[esi]; movups xmm1,[esi+16]; movaps xmm2,xmm0; shufps xmm2,xmm1,0x1B;
      * unpcklps xmm0,xmm1; punpckhwd xmm1,xmm2; movhlps xmm1,xmm0; punpcklbw xmm1,xmm2; movlhps
      * xmm0,xmm2; movups [edi],xmm0; movups [edi+16],xmm1; movups [edi+32],xmm2; movhps
      * [edi+48],xmm2; movlps [edi+56],xmm0; ret */
     "0F 10 06 0F 10 4E 10 0F 28 D0 0F C6 D1 1B 0F 14 C1 66 0F 69 CA 0F 12 C8 66 0F 60 CA "
     "0F 16 C2 0F 11 07 0F 11 4F 10 0F 11 57 20 0F 17 57 30 0F 13 47 38 C3"
    },
    {"logic of SSE",
     /* movups xmm0,[esi]; movups xmm1,[esi+16]; movaps xmm2,xmm0; andps xmm0,xmm1; xorps
      * xmm1,xmm2; andnps xmm2,xmm1; orps xmm2,xmm0; movups [edi],xmm0; movups [edi+16],xmm2;
      * movmskps eax,xmm1; ret */
     "0F 10 06 0F 10 4E 10 0F 28 D0 0F 54 C1 0F 57 CA 0F 55 D1 0F 56 D0 0F 11 07 0F 11 57 "
     "10 0F 50 C1 C3"
    },
    {"minima, roots and masks of SSE",
     /* movups xmm0,[esi]; movups xmm1,[esi+16]; movaps xmm2,xmm0; minps xmm2,xmm1; maxss
      * xmm2,xmm0; sqrtss xmm3,xmm2; sqrtsd xmm4,[esi+16]; movsd [edi+40],xmm4; cmpltps
      * xmm0,xmm1; cmpneqss xmm1,xmm2; movups [edi],xmm2; movups [edi+16],xmm0; movss
      * [edi+32],xmm3; movss [edi+36],xmm1; ret */
     "0F 10 06 0F 10 4E 10 0F 28 D0 0F 5D D1 F3 0F 5F D0 F3 0F 51 DA F2 0F 51 66 10 F2 0F "
     "11 67 28 0F C2 C1 01 F3 0F C2 CA 04 0F 11 17 0F 11 47 10 F3 0F 11 5F 20 F3 0F 11 4F "
     "24 C3"
    },
    {"conversions of SSE",
     /* cvtsi2ss xmm0,ecx; cvttss2si eax,[esi]; cvtss2si edx,[esi+4]; movss [edi],xmm0; cvtss2sd
      * xmm1,[esi]; addsd xmm1,xmm1; movsd [edi+8],xmm1; cvtsd2ss xmm2,[esi+16]; movss
      * [edi+4],xmm2; ret */
     "F3 0F 2A C1 F3 0F 2C 06 F3 0F 2D 56 04 F3 0F 11 07 F3 0F 5A 0E F2 0F 58 C9 F2 0F 11 "
     "4F 08 F2 0F 5A 56 10 F3 0F 11 57 04 C3"
    },
    {"sums of integers",
     /* mov eax,[esi]; lea edx,[eax+eax*4+7]; sub edx,ecx; add eax,edx; imul eax,eax,12; mov
      * [edi],eax; neg eax; dec eax; not eax; inc eax; ret */
     "8B 06 8D 54 80 07 29 CA 01 D0 6B C0 0C 89 07 F7 D8 48 F7 D0 40 C3"
    },
    {"logic and shifts",
     /* mov eax,[esi]; and eax,0xFFFF; mov edx,ecx; shr edx,5; or eax,edx; sar ecx,3; xor
      * eax,ecx; shl eax,9; rol eax,7; ror dx,3; mov [edi],edx; movsx edx,dl; shld eax,edx,5;
      * shrd edx,eax,9; ret */
     "8B 06 25 FF FF 00 00 89 CA C1 EA 05 09 D0 C1 F9 03 31 C8 C1 E0 09 C1 C0 07 66 C1 CA "
     "03 89 17 0F BE D2 0F A4 D0 05 0F AC C2 09 C3"
    },
    {"bytes and words",
     /* mov al,[esi+1]; mov ah,[esi]; mov [edi],ax; movzx ecx,ah; movsx edx,word ptr [esi+2];
      * mov [edi+2],cl; mov [edi+3],dl; bswap eax; xchg eax,edx; xchg [edi+4],edx; mov
      * cx,[edi+1]; mov [edi+8],ecx; ret */
     "8A 46 01 8A 26 66 89 07 0F B6 CC 0F BF 56 02 88 4F 02 88 57 03 0F C8 92 87 57 04 66 "
     "8B 4F 01 89 4F 08 C3"
    },
    {"long products and quotients",
     /* mov eax,[esi]; mul ecx; mov [edi],edx; mov eax,[esi+4]; imul dword ptr [esi]; mov
      * [edi+4],edx; mov eax,[esi+8]; cdq; mov ecx,[esi+12]; or ecx,1; and ecx,0xFFFF; idiv ecx;
      * mov [edi+8],edx; xor edx,edx; div ecx; ret */
     "8B 06 F7 E1 89 17 8B 46 04 F7 2E 89 57 04 8B 46 08 99 8B 4E 0C 83 C9 01 81 E1 FF FF "
     "00 00 F7 F9 89 57 08 31 D2 F7 F1 C3"
    },
    {"orders of integers",
     /* mov eax,[esi]; cmp eax,ecx; jl 1f; jbe 2f; mov dword ptr [edi],1; 1: cmp eax,5; setg dl;
      * movzx edx,dl; 2: test ecx,ecx; cmovs eax,edx; add ecx,-3; js 3f; jg 4f; mov dword ptr
      * [edi+4],1; 3: sub eax,ecx; jz 4f; 4:; ret */
     "8B 06 39 C8 7C 08 76 0F C7 07 01 00 00 00 83 F8 05 0F 9F C2 0F B6 D2 85 C9 0F 48 C2 "
     "83 C1 FD 78 09 7F 0B C7 47 04 01 00 00 00 29 C8 74 00 C3"
    },
    {"carries",
     /* mov eax,[esi]; add eax,[esi+4]; inc eax; adc ecx,0; dec ecx; mov edx,[esi+8]; sub
      * edx,ecx; sbb edx,edx; mov [edi],edx; bt eax,3; jc 1f; inc eax; 1: shr eax,1; jnc 2f; dec
      * ecx; 2: mov [edi+4],eax; ret */
     "8B 06 03 46 04 40 83 D1 00 49 8B 56 08 29 CA 19 D2 89 17 0F BA E0 03 72 01 40 D1 E8 "
     "73 01 49 89 47 04 C3"
    },
    {"copies of strings",
     /* mov eax,[esi]; push esi; push edi; cld; mov ecx,5; rep movsd; stosb; stosb; stosd;
      * lodsb; movsb; pop edi; pop esi; xor ecx,ecx; rep movsd; ret */
     "8B 06 56 57 FC B9 05 00 00 00 F3 A5 AA AA AB AC A4 5F 5E 31 C9 F3 A5 C3"
    },
    {"calls and frames",
     /* push ecx; call 1f; mov [edi],eax; jmp 2f; 1: push ebp; mov ebp,esp; sub esp,16; and
      * esp,-16; mov eax,[ebp+8]; mov [esp+4],eax; add eax,[esp+4]; leave; ret 4; 2: enter 8,0;
      * leave; lea ecx,[esp-4]; sub ecx,esp; mov [edi+4],ecx; ret */
     "51 E8 04 00 00 00 89 07 EB 18 55 89 E5 83 EC 10 83 E4 F0 8B 45 08 89 44 24 04 03 44 "
     "24 04 C9 C2 04 00 C8 08 00 00 C9 8D 4C 24 FC 29 E1 89 4F 04 C3"
    },
    {"loops",
     /* xor eax,eax; xor edx,edx; mov ecx,3; 1: add eax,[esi+edx*4]; inc edx; loop 1b; 2: add
      * eax,[esi+edx*4]; inc edx; cmp edx,6; jb 2b; mov [edi],eax; jecxz 3f; inc edx; 3:; ret */
     "31 C0 31 D2 B9 03 00 00 00 03 04 96 42 E2 FA 03 04 96 42 83 FA 06 72 F7 89 07 E3 01 "
     "42 C3"
    },
    {"sines and arc tangents",
     /* fld dword ptr [esi]; fsin; fstp dword ptr [edi]; fld dword ptr [esi+4]; fcos; fstp dword
      * ptr [edi+4]; fld dword ptr [esi+8]; fld dword ptr [esi+12]; fpatan; fstp dword ptr
      * [edi+8]; ret */
     "D9 06 D9 FE D9 1F D9 46 04 D9 FF D9 5F 04 D9 46 08 D9 46 0C D9 F3 D9 5F 08 C3"
    },
    {"control words",
     /* sub esp,4; fnstcw [esp]; mov ax,[esp]; or ah,12; mov [esp+2],ax; fld dword ptr [esi];
      * fldcw [esp+2]; fadd dword ptr [esi+4]; fistp dword ptr [edi]; fldcw [esp]; fld dword ptr
      * [esi]; fadd dword ptr [esi+4]; fstp dword ptr [edi+4]; pop eax; xor eax,eax; ret */
     "83 EC 04 D9 3C 24 66 8B 04 24 80 CC 0C 66 89 44 24 02 D9 06 D9 6C 24 02 D8 46 04 DB "
     "1F D9 2C 24 D9 06 D8 46 04 D9 5F 04 58 31 C0 C3"
    },
    {"a number is returned",
     /* fld dword ptr [esi]; fmul dword ptr [esi+4]; ret */
     "D9 06 D8 4E 04 C3"
    },
    {"exponents",
     /* fld dword ptr [esi]; fld1; faddp st(1),st; fxtract; fstp dword ptr [edi]; fstp dword ptr
      * [edi+4]; ret */
     "D9 06 D9 E8 DE C1 D9 F4 D9 1F D9 5F 04 C3"
    },
    /* clang-format on */
};

/* Numbers at which instructions change what they do. */
static uint32_t Special(uint64_t *random) {
    static const uint32_t specials[] = {
        0,          0x80000000, 1,          0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000,
        0x7F800001, 0xFFA00000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x00800000, 0x7F7FFFFF,
        0x4B800001, 0x3F000000, 2,          3,          5,          0x4F000000, 0x7FFFFFFF};
    return specials[Random_SplitMixBelow(random, sizeof specials / sizeof *specials)];
}

static Inputs MakeInputs(uint64_t *random) {
    Inputs inputs;
    for (uint32_t i = 0; i < IN_BYTES / 4; i++) {
        const uint32_t kind = Random_SplitMixBelow(random, 8);
        uint32_t bits = (uint32_t)Random_SplitMix(random);
        if (kind < 3) /* a number of plain size */
            bits = (bits & 0x807FFFFF) | (0x7Bu + Random_SplitMixBelow(random, 10)) << 23;
        else if (kind == 3)
            bits = Special(random);
        else if (kind == 4 && i > 0)
            memcpy(&bits, &inputs.in[4 * Random_SplitMixBelow(random, i)], 4);
        memcpy(&inputs.in[4 * i], &bits, 4);
    }
    for (uint32_t i = 0; i < OUT_BYTES; i++)
        inputs.out[i] = (uint8_t)Random_SplitMix(random);
    inputs.ecx =
        Random_SplitMixBelow(random, 2) ? (uint32_t)Random_SplitMix(random) : Special(random);
    return inputs;
}

static void CheckPiece(const char *name, const char *code, uint16_t control) {
    enum { RUNS = 300, MOST_PATHS = 64 };
    LiftPath *paths[MOST_PATHS];
    uint32_t count = 0;
    uint64_t random = 7;
    PutCode(CODE, code);
    for (uint32_t i = 0; i < RUNS; i++) {
        Inputs inputs = MakeInputs(&random);
        LiftPath *path = Run(&inputs, control);
        Begin(&inputs);
        Check(name, path, &inputs);
        bool known = false;
        for (uint32_t k = 0; k < count; k++)
            if (Fulfils(paths[k])) {
                HaveSameOutputs(name, paths[k], path);
                known = true;
            }
        if (known)
            LiftPath_Free(path);
        else if (count < MOST_PATHS)
            paths[count++] = path;
        else
            fail_msg("%s: more paths than there are ways through the code", name);
    }
    while (count > 0)
        LiftPath_Free(paths[--count]);
}

TEST_WITH(ExpressionsGiveTheBitsOfTheRun, SetUp, TearDown) {
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        CheckPiece(pieces[i].name, pieces[i].code, 0x007F);
}

TEST_WITH(ExpressionsRoundAsTheControlWordSays, SetUp, TearDown) {
    static const uint16_t controls[] = {0x027F, 0x037F, 0x047F, 0x0A7F, 0x0F7F};
    for (size_t k = 0; k < sizeof controls / sizeof *controls; k++)
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            CheckPiece(pieces[i].name, pieces[i].code, controls[k]);
}

/* ---- what a path says ------------------------------------------------------------------------ */

static Inputs PlainInputs(void) {
    Inputs inputs;
    for (uint32_t i = 0; i < IN_BYTES; i++)
        inputs.in[i] = (uint8_t)(i + 1);
    memset(inputs.out, 0xEE, sizeof inputs.out);
    inputs.ecx = 0x0C0B0A09;
    return inputs;
}

static LiftPath *RunCode(const char *code) {
    const Inputs inputs = PlainInputs();
    PutCode(CODE, code);
    return Run(&inputs, 0x007F);
}

static void IsText(const Expression *expression, const char *expected) {
    RpBuffer text;
    const ExpressionPrinter printer = {.graph = graph, .usual_control = 0x007F};
    RpBuffer_Init(&text, NULL);
    Expression_Print(&printer, expression, &text);
    assert_true(RpBuffer_AppendU16(&text, 0));
    assert_string_equal((const char *)text.bytes, expected);
    RpBuffer_Free(&text);
}

static const LiftOutput *Find(const LiftPath *path, LiftPlace place, uint32_t offset) {
    for (uint32_t i = 0; i < path->output_count; i++)
        if (path->outputs[i].place == place && path->outputs[i].offset == offset)
            return &path->outputs[i];
    fail_msg("there is no such output");
    return NULL;
}

TEST_WITH(OutputsAreWholeDwordsOfRegions, SetUp, TearDown) {
    /* mov al,[esi+1]; mov [edi+5],al; mov [edi+9],cx; movsx edx,al; ret 12 */
    LiftPath *path = RunCode("8A 46 01 88 47 05 66 89 4F 09 0F BE D0 C2 0C 00");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->popped, 12);
    assert_int_equal(path->x87_depth, 0);
    assert_int_equal(path->output_count, 4);
    const LiftOutput *output = Find(path, LIFT_MEMORY, 4);
    assert_int_equal(output->stored, 2);
    assert_int_equal(output->step, 1);
    assert_int_equal(output->number.low, 0xEEEE02EE);
    IsText(output->value, "concat(concat(out[4], in[1]), out[6])");
    assert_int_equal(Find(path, LIFT_MEMORY, 8)->stored, 6);
    IsText(Find(path, LIFT_EDX, 0)->value, "sign-extend(in[1])");
    /* The stack is scratch: it is no output, but it was read, at the return address. */
    assert_int_equal(path->write_count, 2);
    assert_int_equal(path->writes[1].offset, 9);
    assert_int_equal(path->writes[1].size, 2);
    assert_int_equal(path->read_count, 2);
    assert_int_equal(path->reads[0].region, in_name);
    assert_int_equal(path->reads[0].offset, 1);
    assert_int_equal(path->reads[0].size, 1);
    LiftPath_Free(path);
}

TEST_WITH(MemoryIsTakenBack, SetUp, TearDown) {
    Put(DATA + 0x200, 0x11223344);
    Put(IN, 0x55667788);
    Put(stack_top - 0x108, 0x12345678);
    /* mov [edi],ecx; mov [esi],ecx; push ecx; pop ecx; ret */
    LiftPath_Free(RunCode("89 0F 89 0E 51 59 C3"));
    assert_int_equal(Get(OUT), 0x0C0B0A09);
    assert_int_equal(Get(stack_top - 0x108), 0x0C0B0A09);
    Lifter_Begin(lifter);
    assert_int_equal(Get(stack_top - 0x108), 0x12345678);
    assert_int_equal(Get(OUT), 0x11223344);
    assert_int_equal(Get(IN), 0x55667788);
}

TEST_WITH(ALoadAtAnInputIsKeptByItsOffset, SetUp, TearDown) {
    /* mov eax,[esi]; and eax,3; mov eax,[esi+eax*4+8]; mov [edi],eax; ret */
    LiftPath *path = RunCode("8B 06 83 E0 03 8B 44 86 08 89 07 C3");
    assert_int_equal(path->condition_count, 0);
    IsText(Find(path, LIFT_MEMORY, 0)->value, "in[(zero-extend(in[0] & 3) * 4) + 8]");
    LiftPath_Free(path);
}

TEST_WITH(ALoadThatAStoreMayChangeIsPinned, SetUp, TearDown) {
    /* mov [esi+8],ecx; and then the same */
    LiftPath *path = RunCode("89 4E 08 8B 06 83 E0 03 8B 44 86 08 89 07 C3");
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    assert_int_equal(path->conditions[0].outcomes, COMPARE_EQUAL);
    assert_int_equal(path->conditions[0].right->value, 4 * 1 + 8);
    IsText(Find(path, LIFT_MEMORY, 0)->value, "in[12]");
    LiftPath_Free(path);
}

TEST_WITH(AStoreAtAnInputIsPinned, SetUp, TearDown) {
    /* mov eax,[esi]; and eax,3; mov [edi+eax*4],ecx; ret */
    LiftPath *path = RunCode("8B 06 83 E0 03 89 0C 87 C3");
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    IsText(Find(path, LIFT_MEMORY, 4)->value, "ecx[0]");
    LiftPath_Free(path);
}

TEST_WITH(OnlyAddressesThatMayBeAnywhereAreConditions, SetUp, TearDown) {
    /* cmp esi,edi; jb; test esi,esi; je; lea eax,[esi+8]; cmp eax,esi; je; xor eax,eax; ret */
    LiftPath *path = RunCode("39 FE 72 00 85 F6 74 00 8D 46 08 39 F0 74 00 31 C0 C3");
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].order, LIFT_UNSIGNED);
    assert_int_equal(path->conditions[0].outcomes, COMPARE_LESS);
    IsText(path->conditions[0].left, "&in");
    IsText(path->conditions[0].right, "&out");
    LiftPath_Free(path);
}

TEST_WITH(AnAddressThatIsRoundedIsPinned, SetUp, TearDown) {
    /* lea eax,[esi+7]; and eax,-16; mov eax,[eax]; mov edx,esp; and edx,-16; mov [edx-16],eax; ret:
     * where the stack is does not count */
    LiftPath *path = RunCode("8D 46 07 83 E0 F0 8B 00 89 E2 83 E2 F0 89 42 F0 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    IsText(Find(path, LIFT_EAX, 0)->value, "in[0]");
    LiftPath_Free(path);
}

TEST_WITH(AnInputToWhichAFunctionReturnsIsPinned, SetUp, TearDown) {
    Inputs inputs = PlainInputs();
    const uint32_t back = CODE + 3;
    memcpy(inputs.in, &back, sizeof back);
    PutCode(CODE, "FF 36 C3 C3"); /* push dword ptr [esi]; ret; ret */
    LiftPath *path = Run(&inputs, 0x007F);
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->step_count, 3);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    IsText(path->conditions[0].left, "in[0]");
    LiftPath_Free(path);
}

TEST_WITH(AddressesWithASignMayBeNegative, SetUp, TearDown) {
    /* test esi,esi; jl; xor eax,eax; ret */
    LiftPath *path = RunCode("85 F6 7C 00 31 C0 C3");
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].order, LIFT_SIGNED);
    LiftPath_Free(path);
}

TEST_WITH(AFixedAddressThatDependsOnAnotherOneIsPinned, SetUp, TearDown) {
    /* mov eax,esp; xor eax,esi; xor eax,IN; mov edx,[eax]; ret: ESP, as long as `in` is where it
     * is */
    LiftPath *path = RunCode("89 E0 31 F0 35 00 01 00 20 8B 10 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    LiftPath_Free(path);
}

TEST_WITH(StepsSayWhatTheyMade, SetUp, TearDown) {
    /* fld dword ptr [esi]; fdiv dword ptr [esi+4]; ret */
    LiftPath *path = RunCode("D9 06 D8 76 04 C3");
    char text[80];
    assert_int_equal(path->step_count, 3);
    LiftStep_Text(&path->steps[1], text, sizeof text);
    assert_string_equal(text, "fdiv dword ptr [esi+0x04]");
    assert_int_equal(path->steps[1].address, CODE + 2);
    assert_int_equal(path->steps[1].memory, IN + 4);
    assert_int_equal(path->steps[1].made_count, 3);
    IsText(path->made[path->steps[1].first_made], "in[4]");
    IsText(path->made[path->steps[1].first_made + 2], "in[0] / mem(in[4])");
    assert_int_equal(path->x87_depth, 1);
    assert_ptr_equal(Find(path, LIFT_ST0, 0)->value, path->made[path->steps[1].first_made + 2]);
    LiftPath_Free(path);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void IsRefused(const char *code, const char *why) {
    LiftPath *path = RunCode(code);
    if (path->end != LIFT_REFUSED || !strstr(path->reason, why))
        fail_msg("%s: \"%s\" is not in \"%s\"", code, why, path->reason);
    LiftPath_Free(path);
}

TEST_WITH(WhatHasNoModelIsRefusedByName, SetUp, TearDown) {
    /* pushfd; pop eax; ret */
    IsRefused("9C 58 C3", "pushfd at 0x10000000: the instruction has no model");
    /* fld dword ptr [esi]; fsincos; ret */
    IsRefused("D9 06 D9 FB C3", "fsincos at 0x10000002: the instruction has no model");
    /* fadd st,st(1); ret */
    IsRefused("D8 C1 C3", "ST(0) is empty");
    /* mov dword ptr ds:[0x20000800],5; ret */
    IsRefused("C7 05 00 08 00 20 05 00 00 00 C3",
              "it writes to 0x20000800, outside of what was declared");
    /* mov eax,0xFFF00430; call eax; ret */
    IsRefused("B8 30 04 F0 FF FF D0 C3", "it calls the system");
    /* fnstsw ax; mov [edi],ax; ret */
    IsRefused("DF E0 66 89 07 C3", "what it leaves in out[0] is not modelled");
    /* shl word ptr [edi],31; ret */
    IsRefused("66 C1 27 1F C3", "it shifts by 31 of 16 bits");
    /* ret of 16 bits */
    IsRefused("66 C3", "only the form with 32 bits has a model");
}

TEST_WITH(TheControlBitsOfMxcsrAreConstants, SetUp, TearDown) {
    /* push eax; stmxcsr [esp]; pop eax; and eax,0x7F80; cmp eax,0x1F80; sete al; ret */
    LiftPath *path = RunCode("50 0F AE 1C 24 58 25 80 7F 00 00 3D 80 1F 00 00 0F 94 C0 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 0);
    IsText(Find(path, LIFT_EAX, 0)->value, "0x1F01");
    LiftPath_Free(path);
}

TEST_WITH(ConditionsOnBitsThatAreNotModelledAreRefused, SetUp, TearDown) {
    /* fld dword ptr [esi]; fcom dword ptr [esi+4]; fsin; fnstsw ax; test ah,4; jne; ret: C2 is that
     * of FSIN */
    IsRefused("D9 06 D8 56 04 D9 FE DF E0 F6 C4 04 75 00 C3", "it depends on what is not modelled");
    /* fld dword ptr [esi]; fcomp dword ptr [esi+4]; fnstsw ax; test ax,0x20; jne; ret: the flag
     * of an inexact result */
    IsRefused("D9 06 D8 5E 04 DF E0 66 A9 20 00 75 00 C3",
              "it depends on bits of the status word that are not modelled");
    /* imul eax,ecx; jo; ret */
    IsRefused("0F AF C1 70 00 C3", "the flags of condition O are not modelled");
}

TEST_WITH(FlagsThatDoNotFollowFromTheResultAreRefused, SetUp, TearDown) {
    /* fld dword ptr [esi]; fcomp dword ptr [esi+4]; fnstsw ax; shr ax,8; jl; ret */
    IsRefused("D9 06 D8 5E 04 DF E0 66 C1 E8 08 7C 00 C3",
              "the flags of condition L are not modelled");
    /* the same with sahf; jo */
    IsRefused("D9 06 D8 5E 04 DF E0 9E 70 00 C3", "the flags of condition O are not modelled");
    /* and with and ah,0x45; cmp ah,0x40; dec ah; jbe: the carry is that of cmp */
    IsRefused("D9 06 D8 5E 04 DF E0 80 E4 45 80 FC 40 FE CC 76 00 C3",
              "the flags that BE reads come from two instructions");
    /* cmp [esi],ecx; mov eax,ecx; lea edx,[ecx-5]; sbb eax,edx; setb al; ret: 4 in any case, but
     * the borrow is not */
    IsRefused("39 0E 89 C8 8D 51 FB 19 D0 0F 92 C0 C3",
              "the flags of condition B are not modelled");
    /* cmp [esi],ecx; mov eax,ecx; lea edx,[ecx-5]; sbb eax,edx; jl; ret: nor is the overflow */
    IsRefused("39 0E 89 C8 8D 51 FB 19 D0 7C 00 C3", "the flags of condition L are not modelled");
}

TEST_WITH(AComparisonWithDenormalsAsZerosIsNoCondition, SetUp, TearDown) {
    /* push 0x1FC0; ldmxcsr [esp]; pop eax; movss xmm0,[esi]; ucomiss xmm0,[esi+4]; jp; ret */
    IsRefused("68 C0 1F 00 00 0F AE 14 24 58 F3 0F 10 06 0F 2E 46 04 7A 00 C3",
              "it compares with denormals as zeros");
}

TEST_WITH(ControlBitsOfMxcsrThatAreAnInputArePinned, SetUp, TearDown) {
    /* push eax; stmxcsr [esp]; and ecx,0x8000; or [esp],ecx; ldmxcsr [esp]; pop eax; ret */
    LiftPath *path = RunCode("50 0F AE 1C 24 81 E1 00 80 00 00 09 0C 24 0F AE 14 24 58 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].decision, LIFT_PIN);
    assert_int_equal(path->conditions[0].right->value, 0x1F80 >> 6);
    LiftPath_Free(path);
}

TEST_WITH(ADivisionThatMayFaultIsACondition, SetUp, TearDown) {
    /* mov eax,[esi]; xor edx,edx; div ecx; ret */
    LiftPath *path = RunCode("8B 06 31 D2 F7 F1 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].outcomes, COMPARE_LESS | COMPARE_GREATER);
    IsText(path->conditions[0].left, "ecx[0]");
    LiftPath_Free(path);
    Inputs inputs = PlainInputs();
    inputs.ecx = 0;
    path = Run(&inputs, 0x007F);
    assert_int_equal(path->end, LIFT_FAULTED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].outcomes, COMPARE_EQUAL);
    LiftPath_Free(path);
    /* mov eax,[esi]; mov edx,[esi+4]; div ecx; ret: the quotient may be too large */
    path = RunCode("8B 06 8B 56 04 F7 F1 C3");
    assert_int_equal(path->end, LIFT_RETURNED);
    assert_int_equal(path->condition_count, 1);
    assert_int_equal(path->conditions[0].outcomes, COMPARE_LESS);
    IsText(path->conditions[0].left, "in[4]");
    LiftPath_Free(path);
    /* mov eax,[esi]; cdq; idiv ecx; ret */
    path = RunCode("8B 06 99 F7 F9 C3");
    assert_int_equal(path->condition_count, 1);
    IsText(path->conditions[0].left, "ecx[0]");
    LiftPath_Free(path);
}

TEST_WITH(ExceptionsThatAreNotMaskedAreRefused, SetUp, TearDown) {
    const Inputs inputs = PlainInputs();
    PutCode(CODE, "C3");
    LiftPath *path = Run(&inputs, 0x007E);
    assert_int_equal(path->end, LIFT_REFUSED);
    LiftPath_Free(path);
    /* push 0x7E; fldcw [esp]; pop eax; ret */
    IsRefused("6A 7E D9 2C 24 58 C3", "it unmasks exceptions");
}

TEST_WITH(FaultsAndEndlessLoopsAreEndsOfTheirOwn, SetUp, TearDown) {
    LiftPath *path = RunCode("8B 05 10 00 00 00 C3"); /* mov eax,[0x10] */
    assert_int_equal(path->end, LIFT_FAULTED);
    assert_string_equal(path->reason, "exception 0xC0000005 at 0x10000000, address 0x00000010");
    LiftPath_Free(path);
    path = RunCode("EB FE");
    assert_int_equal(path->end, LIFT_TIMED_OUT);
    assert_int_equal(path->step_count, 1000);
    LiftPath_Free(path);
}

TEST_WITH(RegionsDoNotOverlapAndAreMapped, SetUp, TearDown) {
    const LiftRegion first = {.name = in_name, .address = IN, .size = 32};
    const LiftRegion overlapping = {.name = out_name, .address = IN + 28, .size = 8};
    const LiftRegion nowhere = {.name = out_name, .address = DATA + MACHINE_PAGE - 4, .size = 8};
    RpError error;
    Lifter_Begin(lifter);
    assert_int_equal(Lifter_AddRegion(lifter, &first, &error), RP_OK);
    assert_int_equal(Lifter_AddRegion(lifter, &overlapping, &error), RP_INVALID);
    assert_string_equal(error.found, "overlaps another region");
    assert_int_equal(Lifter_AddRegion(lifter, &nowhere, &error), RP_INVALID);
    assert_string_equal(error.found, "is not mapped");
    assert_false(Lifter_WriteUnknown(lifter, OUT, "abcd", 4));
    assert_false(Lifter_WritePointer(lifter, IN, OUT));
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* A function calls another one at CODE + 0x19 with a pointer to `in`, ECX and a pointer to `out`:
 *
 *   mov eax,[esp+4]; mov edx,[esp+12]; push eax; fld dword ptr [eax]; fadd dword ptr [eax+4]
 *   fst dword ptr [edx]; mov ecx,[esp+12]; mov [edx+4],ecx; pop eax; ret */
static const char calling[] =
    "83 EC 08 89 34 24 89 7C 24 04 57 51 56 E8 07 00 00 00 83 C4 0C 83 C4 08 C3 8B 44 24 04 8B 54 "
    "24 0C 50 D9 00 D8 40 04 D9 12 8B 4C 24 0C 89 4A 04 58 C3";
#define CALLED (CODE + 0x19)

TEST_WITH(AFunctionThatIsCutOutIsACallByName, SetUp, TearDown) {
    const LiftCutRange ranges[] = {{0, 0, 8, true, false}, {2, 0, 8, false, true}};
    const LiftCut cut = {.address = CALLED,
                         .name = "Blend",
                         .stack_words = 3,
                         .returns_float = true,
                         .ranges = ranges,
                         .range_count = 2};
    assert_int_equal(Lifter_AddCut(lifter, &cut, NULL), RP_OK);
    LiftPath *path = RunCode(calling);
    assert_string_equal(path->reason, "");
    assert_int_equal(path->end, LIFT_RETURNED);
    IsText(Find(path, LIFT_MEMORY, 0)->value, "Blend(ecx[0], in[0], in[4]).0");
    IsText(Find(path, LIFT_MEMORY, 4)->value, "Blend(ecx[0], in[0], in[4]).1");
    IsText(Find(path, LIFT_ST0, 0)->value, "Blend(ecx[0], in[0], in[4]).st0");
    assert_int_equal(Find(path, LIFT_MEMORY, 4)->number.low, 0x0C0B0A09);
    assert_int_equal(path->step_count, 10); /* nothing of the function itself */
    LiftPath_Free(path);
}

TEST_WITH(ACutThatSaysTooLittleIsRefused, SetUp, TearDown) {
    const LiftCutRange ranges[] = {{0, 0, 4, true, false}, {2, 0, 8, false, true}};
    LiftCut cut = {.address = CALLED,
                   .name = "Blend",
                   .stack_words = 3,
                   .returns_float = true,
                   .ranges = ranges,
                   .range_count = 2};
    assert_int_equal(Lifter_AddCut(lifter, &cut, NULL), RP_OK);
    IsRefused(calling, "Blend reads 0x20000104, which its cut does not say");
    Lifter_Destroy(lifter);
    const LiftCutRange others[] = {{0, 0, 8, true, false}, {2, 0, 4, false, true}};
    cut.ranges = others;
    assert_int_equal(Lifter_Create(machine, graph, &lifter, NULL), RP_OK);
    assert_int_equal(Lifter_AddCut(lifter, &cut, NULL), RP_OK);
    IsRefused(calling, "Blend writes 0x20000204, which its cut does not say");
}

TEST_WITH(CountersAreNoOutputsAndKeepNoInputs, SetUp, TearDown) {
    /* lock inc dword ptr ds:[0x20000400]; mov eax,ds:[0x20000400]; ret */
    for (int call = 0; call < 2; call++) {
        LiftPath *path = RunCode("F0 FF 05 00 04 00 20 A1 00 04 00 20 C3");
        assert_int_equal(path->end, LIFT_RETURNED);
        assert_int_equal(path->output_count, 2);     /* EAX and EDX */
        IsText(Find(path, LIFT_EAX, 0)->value, "1"); /* the counter is what it was before */
        LiftPath_Free(path);
    }
    /* mov ds:[0x20000404],ecx; ret */
    IsRefused("89 0D 04 04 00 20 C3", "it keeps in counters what depends on an input");
    /* inc dword ptr ds:[0x20000408]; ret */
    IsRefused("FF 05 08 04 00 20 C3", "it writes to 0x20000408, outside of what was declared");
}

static void IsRefusedWithCut(uint32_t address, uint32_t stack_words, const char *code,
                             const char *why) {
    const LiftCut cut = {.address = address, .name = "Callee", .stack_words = stack_words};
    Lifter_Destroy(lifter);
    assert_int_equal(Lifter_Create(machine, graph, &lifter, NULL), RP_OK);
    assert_int_equal(Lifter_AddCut(lifter, &cut, NULL), RP_OK);
    IsRefused(code, why);
}

/* A function that was cut out may read constants: counters, or the stack where nobody wrote. */
TEST_WITH(ACutMayReadWhatNobodyWrote, SetUp, TearDown) {
    const LiftCut cut = {.address = CODE + 12, .name = "Callee"};
    assert_int_equal(Lifter_AddCut(lifter, &cut, NULL), RP_OK);
    /* sub esp,8; call 1f; add esp,8; ret; 1: mov eax,ds:[0x20000400]; mov eax,[esp+4]; ret */
    LiftPath *path = RunCode("83 EC 08 E8 04 00 00 00 83 C4 08 C3 A1 00 04 00 20 8B 44 24 04 C3");
    assert_string_equal(path->reason, "");
    LiftPath_Free(path);
    /* sub esp,8; mov [esp],ecx; call 1f; add esp,8; ret; 1: mov eax,[esp+4]; ret */
    IsRefusedWithCut(CODE + 15, 0, "83 EC 08 89 0C 24 E8 04 00 00 00 83 C4 08 C3 8B 44 24 04 C3",
                     "which its cut does not say");
}

TEST_WITH(NothingOfACutLeaksOutOfIt, SetUp, TearDown) {
    /* push ecx; call 1f; add esp,4; movss [edi],xmm0; ret; 1: movss xmm0,[esp+4]; ret */
    IsRefusedWithCut(CODE + 14, 1, "51 E8 08 00 00 00 83 C4 04 F3 0F 11 07 C3 F3 0F 10 44 24 04 C3",
                     "what it leaves in out[0] is not modelled");
    /* push ecx; call 1f; pop eax; mov [edi],eax; ret; 1: add [esp+4],ecx; ret: its argument */
    IsRefusedWithCut(CODE + 10, 1, "51 E8 04 00 00 00 58 89 07 C3 01 4C 24 04 C3",
                     "what it leaves in out[0] is not modelled");
    /* call 1f; mov eax,[esp-8]; mov [edi],eax; ret; 1: push ecx; pop ecx; ret: its stack */
    IsRefusedWithCut(CODE + 12, 0, "E8 07 00 00 00 8B 44 24 F8 89 07 C3 51 59 C3",
                     "what it leaves in out[0] is not modelled");
    /* call 1f; mov [edi],ebx; ret; 1: mov ebx,ecx; ret */
    IsRefusedWithCut(CODE + 8, 0, "E8 03 00 00 00 89 1F C3 89 CB C3",
                     "what it leaves in out[0] is not modelled");
    /* fldz; call 1f; fstp dword ptr [edi]; ret; 1: fld1; faddp st(1),st; ret */
    IsRefusedWithCut(CODE + 10, 0, "D9 EE E8 03 00 00 00 D9 1F C3 D9 E8 DE C1 C3",
                     "what it leaves in out[0] is not modelled");
    /* call 1f; ret; 1: fld1; ret */
    IsRefusedWithCut(CODE + 6, 0, "E8 01 00 00 00 C3 D9 E8 C3",
                     "Callee leaves 1 x87 registers in use of 0");
    /* call 1f; ret; 1: push 0x0A7F; fldcw [esp]; pop eax; ret */
    IsRefusedWithCut(CODE + 6, 0, "E8 01 00 00 00 C3 68 7F 0A 00 00 D9 2C 24 58 C3",
                     "Callee changes the x87's control word");
}
