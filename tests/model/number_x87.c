/* Implements number.h on the processor's own numbers. Every variable is volatile, so that no
 * conversion is left out and no operation is done under another control word. */
#include "number.h"

Format Format_X87(uint16_t control_word) {
    return (Format){control_word, false};
}

/* Returns a format that rounds twice, first to 64 bits and then to 24. The first rounding cannot
 * spoil the second one, because 64 is more than twice 24 plus two; directed roundings never do. */
Format Format_Sse(uint32_t mxcsr) {
    return (Format){(uint16_t)(0x033F | (mxcsr >> 13 & 3) << 10), true};
}

/* Returns the control word that was in force. */
static uint16_t Enter(uint16_t control_word) {
    uint16_t before;
    __asm__ volatile("fnstcw %0" : "=m"(before));
    if (before != control_word)
        __asm__ volatile("fldcw %0" : : "m"(control_word));
    return before;
}

static Number Narrow(Number number) {
    volatile float stored = (float)number;
    return Number_FromFloat(stored);
}

Number Number_FromFloat(float value) {
    volatile float stored = value;
    volatile Number loaded = stored;
    return loaded;
}

Number Number_FromDouble(double value) {
    volatile double stored = value;
    return stored;
}

Number Number_FromInteger(long value) {
    return (Number)value;
}

Number Number_FromLongDouble(long double value) {
    return value;
}

long double Number_ToLongDouble(Number number) {
    return number;
}

float Number_ToFloat(const Format *format, Number number) {
    const uint16_t before = Enter(format->control_word);
    volatile float stored = (float)number;
    Enter(before);
    return stored;
}

Number Number_Stored(const Format *format, Number number) {
    return Number_FromFloat(Number_ToFloat(format, number));
}

int64_t Number_ToInteger(const Format *format, Number number) {
    int64_t integer;
    const uint16_t before = Enter(format->control_word);
    __asm__ volatile("fistpll %0" : "=m"(integer) : "t"(number) : "st");
    Enter(before);
    return integer;
}

typedef enum Operation { PLUS, MINUS, TIMES, OVER, ROOT } Operation;

static Number Compute(const Format *format, Operation operation, Number a, Number b) {
    if (format->binary32 && (Number_IsNan(a) || Number_IsNan(b)))
        return Number_IsNan(a) ? a : b;
    const uint16_t before = Enter(format->control_word);
    volatile Number left = a, right = b, result = 0;
    switch (operation) {
    case PLUS:
        result = left + right;
        break;
    case MINUS:
        result = left - right;
        break;
    case TIMES:
        result = left * right;
        break;
    case OVER:
        result = left / right;
        break;
    case ROOT:
        __asm__ volatile("fsqrt" : "=t"(result) : "0"(left));
        break;
    }
    if (format->binary32)
        result = Narrow(result);
    Enter(before);
    return result;
}

Number Number_Add(const Format *format, Number a, Number b) {
    return Compute(format, PLUS, a, b);
}

Number Number_Subtract(const Format *format, Number a, Number b) {
    return Compute(format, MINUS, a, b);
}

Number Number_Multiply(const Format *format, Number a, Number b) {
    return Compute(format, TIMES, a, b);
}

Number Number_Divide(const Format *format, Number a, Number b) {
    return Compute(format, OVER, a, b);
}

Number Number_SquareRoot(const Format *format, Number a) {
    return Compute(format, ROOT, a, a);
}

Number Number_Negate(Number a) {
    return -a;
}

bool Number_IsNan(Number a) {
    return a != a;
}

bool Number_Less(Number a, Number b) {
    return a < b;
}

bool Number_LessEqual(Number a, Number b) {
    return a <= b;
}

bool Number_Equal(Number a, Number b) {
    return a == b;
}
