#include "machine.h"

#include "tests/test.h"
#include "tracefile/signature.h"

#include <stddef.h>
#include <string.h>

#define MXCSR_DEFAULT  0x1F80
#define MXCSR_CONTROL  0xFFC0
#define DIRECTION_FLAG 0x400

static Overlay overlay;

void Machine_ReadOverlay(const char *path) {
    RpError error;
    Overlay_Init(&overlay, NULL);
    if (Overlay_Load(path, &overlay, &error) != RP_OK)
        Overlay_Init(&overlay, NULL);
}

void Machine_ForgetOverlay(void) {
    Overlay_Free(&overlay);
    Overlay_Init(&overlay, NULL);
}

uint32_t Machine_Address(const char *key) {
    const OverlayFunction *row = Overlay_Find(&overlay, Abi_Find(key));
    return row && row->rva ? row->rva : Abi_Find(key)->rva;
}

OverlayCall Machine_OriginalCall(const char *key) {
    OverlayCall call;
    assert_int_equal(Overlay_CallOf(&overlay, Abi_Find(key), &call, NULL), RP_OK);
    return call;
}

OverlayCall Machine_CompiledCall(const char *key) {
    OverlayCall call;
    assert_int_equal(Overlay_CallOf(NULL, Abi_Find(key), &call, NULL), RP_OK);
    return call;
}

void Machine_Place(const char *key, const OverlayCall *call, const uint32_t *arguments,
                   CheckedFrame *frame, uint32_t *stack) {
    Signature signature;
    assert_int_equal(Signature_Parse(Abi_Find(key), &signature, NULL), RP_OK);
    uint32_t *registers[] = {&frame->ecx, &frame->edx};
    int used = 0, available = call->convention == ABI_FASTCALL   ? 2
                              : call->convention == ABI_THISCALL ? 1
                                                                 : 0;
    frame->stack = stack;
    frame->dwords = 0;
    for (int i = 0; i < call->param_count; i++) {
        const SignatureParam *param = &signature.params[call->order[i]];
        bool real = param->direction == SIGNATURE_VALUE && param->type == SIGNATURE_F32;
        if (used < available && !real)
            *registers[used++] = arguments[call->order[i]];
        else
            stack[frame->dwords++] = arguments[call->order[i]];
    }
}

CheckedFrame Machine_Call(const char *key, OverlayCall call, const void *target,
                          const uint32_t *arguments) {
    uint32_t stack[OVERLAY_MAX_PARAMS];
    CheckedFrame frame = {.target = target,
                          .ecx = 0xEC0EC0EC,
                          .edx = 0xED0ED0ED,
                          .control = CONTROL_SINGLE,
                          .mxcsr = MXCSR_DEFAULT};
    Machine_Place(key, &call, arguments, &frame, stack);
    CheckedCall(&frame);
    bool number = strcmp(Abi_Find(key)->returns, "f32") == 0;
    uint32_t tags = frame.environment.tags & 0xFFFF;
    assert_int_equal(frame.ebx, 0x0B0B0B0B);
    assert_int_equal(frame.esi, 0x51515151);
    assert_int_equal(frame.edi, 0xD1D1D1D1);
    assert_int_equal(frame.ebp, 0x0E0E0E0E);
    assert_int_equal(frame.popped, call.convention == ABI_CDECL ? 0 : 4 * frame.dwords);
    assert_int_equal(frame.eflags & DIRECTION_FLAG, 0);
    assert_int_equal(frame.mxcsr_after & MXCSR_CONTROL, MXCSR_DEFAULT & MXCSR_CONTROL);
    assert_int_equal(frame.environment.control & 0xFFFF, CONTROL_SINGLE);
    assert_int_equal(number ? tags | 0xC000 : tags, 0xFFFF);
    assert_int_equal(number && tags == 0xFFFF, false);
    return frame;
}
