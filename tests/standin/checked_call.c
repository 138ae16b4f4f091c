#include "checked_call.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(CheckedFrame, environment) == 60, "checked_call.S");
_Static_assert(offsetof(CheckedFrame, st0) == 88, "checked_call.S");

#define MXCSR_DEFAULT  0x1F80
#define MXCSR_CONTROL  0xFFC0 /* all bits but the sticky flags */
#define DIRECTION_FLAG 0x400
#define TAGS_EMPTY     0xFFFF

uint32_t Argument_Pointer(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

uint32_t Argument_Float(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int RegisterArguments(AbiConvention convention) {
    return convention == ABI_FASTCALL ? 2 : convention == ABI_THISCALL ? 1 : 0;
}

CheckedFrame Function_Call(const AbiFunction *function, const void *target, uint16_t control,
                           const uint32_t *arguments) {
    assert_non_null(function);
    uint32_t stack[16], registers[2] = {0xEC0EC0EC, 0xED0ED0ED};
    int used = 0, available = RegisterArguments(function->convention);
    uint32_t dwords = 0;
    const char *param = function->params;
    for (int i = 0; *param; i++) {
        param += strspn(param, " ");
        if (used < available && strncmp(param, "f32 ", 4) != 0)
            registers[used++] = arguments[i];
        else
            stack[dwords++] = arguments[i];
        param += strcspn(param, ",");
        param += *param == ',';
    }
    CheckedFrame frame = {.target = target,
                          .ecx = registers[0],
                          .edx = registers[1],
                          .stack = stack,
                          .dwords = dwords,
                          .control = control,
                          .mxcsr = MXCSR_DEFAULT};
    CheckedCall(&frame);
    bool number = strcmp(function->returns, "f32") == 0;
    uint32_t tags = frame.environment.tags & 0xFFFF;
    assert_int_equal(frame.ebx, 0x0B0B0B0B);
    assert_int_equal(frame.esi, 0x51515151);
    assert_int_equal(frame.edi, 0xD1D1D1D1);
    assert_int_equal(frame.ebp, 0x0E0E0E0E);
    assert_int_equal(frame.popped, function->convention == ABI_CDECL ? 0 : 4 * dwords);
    assert_int_equal(frame.eflags & DIRECTION_FLAG, 0);
    assert_int_equal(frame.mxcsr_after & MXCSR_CONTROL, MXCSR_DEFAULT & MXCSR_CONTROL);
    if (strcmp(function->name, "SetFpuControlWord") != 0)
        assert_int_equal(frame.environment.control & 0xFFFF, control);
    assert_int_equal(number ? tags | 0xC000 : tags, TAGS_EMPTY);
    assert_int_equal(number && tags == TAGS_EMPTY, false);
    return frame;
}
