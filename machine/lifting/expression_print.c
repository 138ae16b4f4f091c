/* Prints expressions as formulas. */
#include "machine/lifting/expression.h"

#include "ngi32/processor/soft_x87.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operands that many formulas share are written out again each time, so a text could grow without
 * bounds. */
enum { MOST_BYTES = 1 << 16 };

static void PrintBinary64(uint64_t bits, RpBuffer *text) {
    double number;
    char digits[40];
    memcpy(&number, &bits, sizeof number);
    if ((bits & 0x7FFFFFFFFFFFFFFFu) >= 0x7FF0000000000000u) {
        RpBuffer_Print(text, "f64:%016llX", (unsigned long long)bits);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    RpBuffer_AppendText(text, digits);
}

/* Appends what an operation's rounding differs in from the usual one: "53", "24,down". */
static void PrintRounding(const ExpressionPrinter *printer, const Expression *expression,
                          RpBuffer *text) {
    static const char *const precisions[4] = {"24", "?", "53", "64"};
    static const char *const roundings[4] = {"", ",down", ",up", ",zero"};
    const bool x87 = expression->operation <= EXPRESSION_X87_TO_INTEGER;
    const uint32_t rounding = x87 ? expression->control >> 10 & 3u : expression->control >> 13 & 3u;
    if (!x87) {
        RpBuffer_AppendText(text, roundings[rounding] + (rounding != 0));
        return;
    }
    const bool has_precision =
        expression->operation >= EXPRESSION_X87_ADD && expression->operation <= EXPRESSION_X87_SQRT;
    const uint32_t differs = expression->control ^ printer->usual_control;
    if (has_precision && differs & 0x0F00) {
        RpBuffer_AppendText(text, precisions[expression->control >> 8 & 3u]);
        RpBuffer_AppendText(text, roundings[rounding]);
    } else if (!has_precision && Expression_IsRounded(expression) && differs & 0x0C00) {
        RpBuffer_AppendText(text, rounding ? roundings[rounding] + 1 : "nearest");
    }
}

static bool IsInfix(const Expression *expression) {
    switch (expression->operation) {
    case EXPRESSION_ADD:
    case EXPRESSION_MUL:
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_XOR:
    case EXPRESSION_SHL:
    case EXPRESSION_SHR:
    case EXPRESSION_SAR:
    case EXPRESSION_X87_ADD:
    case EXPRESSION_X87_SUB:
    case EXPRESSION_X87_MUL:
    case EXPRESSION_X87_DIV:
    case EXPRESSION_SSE_ADD:
    case EXPRESSION_SSE_SUB:
    case EXPRESSION_SSE_MUL:
    case EXPRESSION_SSE_DIV:
        return true;
    default:
        return false;
    }
}

static void PrintConstant(const Expression *constant, bool is_number, RpBuffer *text) {
    if (constant->bits == 80) {
        /* A number of 80 bits that a binary64 holds is printed like one. */
        const SoftX87 number = {constant->value, constant->head};
        const bool finite = (number.head & 0x7FFF) != 0x7FFF;
        const double near = finite ? (double)SoftX87_ToLongDouble(number) : 0;
        const SoftX87 back = SoftX87_LoadF64(&near);
        if (finite && back.significand == number.significand && back.head == number.head) {
            uint64_t bits;
            memcpy(&bits, &near, sizeof bits);
            PrintBinary64(bits, text);
        } else {
            RpBuffer_Print(text, "f80:%04X%016llX", (unsigned)number.head,
                           (unsigned long long)number.significand);
        }
    } else if (is_number && constant->bits == 32) {
        const uint32_t bits = (uint32_t)constant->value;
        float number;
        char digits[40];
        memcpy(&number, &bits, sizeof number);
        snprintf(digits, sizeof digits, "f32:%08X", bits);
        for (int precision = 1; precision <= 9 && (bits & 0x7FFFFFFF) < 0x7F800000; precision++) {
            snprintf(digits, sizeof digits, "%.*g", precision, (double)number);
            if (strtof(digits, NULL) == number)
                break;
        }
        RpBuffer_AppendText(text, digits);
    } else if (is_number && constant->bits == 64) {
        PrintBinary64(constant->value, text);
    } else if (constant->value < 10) {
        RpBuffer_Print(text, "%u", (unsigned)constant->value);
    } else {
        RpBuffer_Print(text, "0x%llX", (unsigned long long)constant->value);
    }
}

static void Print(const ExpressionPrinter *printer, const Expression *expression, bool is_number,
                  bool is_operand, RpBuffer *text);

static void PrintOperand(const ExpressionPrinter *printer, const Expression *of, uint32_t index,
                         RpBuffer *text) {
    const uint32_t operation = of->operation;
    const bool takes_numbers =
        (operation >= EXPRESSION_X87_LOAD32 && operation <= EXPRESSION_X87_TO_INTEGER &&
         operation != EXPRESSION_X87_FROM_INTEGER) ||
        (operation >= EXPRESSION_SSE_ADD && operation <= EXPRESSION_COMPARE_SSE &&
         operation != EXPRESSION_SSE_FROM_INTEGER);
    const Expression *operand = of->operands[index];
    const char *given = printer->given ? printer->given(printer->context, operand) : NULL;
    if (given)
        RpBuffer_AppendText(text, given);
    else
        Print(printer, operand, takes_numbers, IsInfix(of), text);
}

/* Appends "name(a, b)". */
static void PrintFunction(const ExpressionPrinter *printer, const Expression *expression,
                          const char *name, RpBuffer *text) {
    RpBuffer_AppendText(text, name);
    PrintRounding(printer, expression, text);
    RpBuffer_AppendText(text, "(");
    for (uint32_t i = 0; i < expression->count; i++) {
        if (i > 0)
            RpBuffer_AppendText(text, ", ");
        PrintOperand(printer, expression, i, text);
    }
    RpBuffer_AppendText(text, ")");
}

static void Print(const ExpressionPrinter *printer, const Expression *expression, bool is_number,
                  bool is_operand, RpBuffer *text) {
    const ExpressionGraph *graph = printer->graph;
    const ExpressionOperation operation = (ExpressionOperation)expression->operation;
    const char *name = ExpressionOperation_Name(operation);
    if (text->size > (printer->most_bytes > 0 ? printer->most_bytes : MOST_BYTES)) {
        RpBuffer_AppendText(text, "...");
        return;
    }
    if (IsInfix(expression)) {
        if (is_operand)
            RpBuffer_AppendText(text, "(");
        PrintOperand(printer, expression, 0, text);
        RpBuffer_Print(text, " %s", name);
        PrintRounding(printer, expression, text);
        RpBuffer_AppendText(text, " ");
        PrintOperand(printer, expression, 1, text);
        if (is_operand)
            RpBuffer_AppendText(text, ")");
        return;
    }
    switch (operation) {
    case EXPRESSION_INPUT:
        if (printer->name)
            printer->name(printer->context, expression->region, (uint32_t)expression->value,
                          expression->bits, text);
        else
            RpBuffer_Print(text, "%s[%u]", ExpressionGraph_NameOf(graph, expression->region),
                           (unsigned)expression->value);
        return;
    case EXPRESSION_CONSTANT:
        PrintConstant(expression, is_number, text);
        return;
    case EXPRESSION_ADDRESS:
        RpBuffer_Print(text, "&%s", ExpressionGraph_NameOf(graph, expression->region));
        if (expression->value != 0)
            RpBuffer_Print(text, "[%d]", (int32_t)(uint32_t)expression->value);
        return;
    case EXPRESSION_UNMODELLED:
        RpBuffer_Print(text, "{%s}", ExpressionGraph_NameOf(graph, expression->region));
        return;
    case EXPRESSION_LOAD:
        RpBuffer_Print(text, "%s[", ExpressionGraph_NameOf(graph, expression->region));
        PrintOperand(printer, expression, 0, text);
        RpBuffer_AppendText(text, "]");
        return;
    case EXPRESSION_CALL:
        PrintFunction(printer, expression, ExpressionGraph_NameOf(graph, expression->region), text);
        return;
    case EXPRESSION_OUTPUT: {
        static const char *const registers[] = {"eax", "edx", "st0"};
        PrintOperand(printer, expression, 0, text);
        if (expression->value < 3)
            RpBuffer_Print(text, ".%s", registers[expression->value]);
        else
            RpBuffer_Print(text, ".%u", (unsigned)expression->value - 3);
        return;
    }
    case EXPRESSION_EXTRACT:
        PrintOperand(printer, expression, 0, text);
        RpBuffer_Print(text, "{%u:%u}", (unsigned)(expression->value + expression->bits - 1),
                       (unsigned)expression->value);
        return;
    case EXPRESSION_X87_LOAD32:
    case EXPRESSION_X87_LOAD64: {
        const Expression *operand = expression->operands[0];
        const char *given = printer->given ? printer->given(printer->context, operand) : NULL;
        if (given)
            RpBuffer_AppendText(text, given);
        else
            Print(printer, operand, true, is_operand, text);
        return;
    }
    case EXPRESSION_X87_OPERAND32:
    case EXPRESSION_X87_OPERAND64:
        PrintFunction(printer, expression, "mem", text);
        return;
    case EXPRESSION_X87_NEG:
        RpBuffer_AppendText(text, "-");
        if (IsInfix(expression->operands[0]) &&
            !(printer->given && printer->given(printer->context, expression->operands[0]))) {
            RpBuffer_AppendText(text, "(");
            PrintOperand(printer, expression, 0, text);
            RpBuffer_AppendText(text, ")");
        } else {
            PrintOperand(printer, expression, 0, text);
        }
        return;
    case EXPRESSION_SSE_MASK: {
        static const char *const predicates[8] = {"eq",  "lt",  "le",  "unord",
                                                  "neq", "nlt", "nle", "ord"};
        PrintFunction(printer, expression, predicates[expression->value & 7], text);
        return;
    }
    default:
        PrintFunction(printer, expression, name, text);
        return;
    }
}

void Expression_Print(const ExpressionPrinter *printer, const Expression *expression,
                      RpBuffer *text) {
    Print(printer, expression, false, false, text);
}
