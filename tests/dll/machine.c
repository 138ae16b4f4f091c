#include "machine.h"

#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

CheckedFrame Machine_Call(const AbiFunction *function, const OverlayCall *call, const void *target,
                          const uint32_t *arguments) {
    AbiFunction row = *function;
    char params[256] = "";
    const char *texts[OVERLAY_MAX_PARAMS];
    uint32_t ordered[OVERLAY_MAX_PARAMS];
    int count = 0;
    for (const char *text = row.params; *text && count < OVERLAY_MAX_PARAMS;) {
        texts[count++] = text + strspn(text, " ");
        text += strcspn(text, ",");
        text += *text == ',';
    }
    size_t length = 0;
    for (int i = 0; i < call->param_count; i++) {
        const char *text = texts[call->order[i]];
        length += (size_t)snprintf(params + length, sizeof params - length, "%s%.*s", i ? ", " : "",
                                   (int)strcspn(text, ","), text);
        ordered[i] = arguments[call->order[i]];
    }
    row.convention = call->convention;
    row.params = params;
    return Function_Call(&row, target, CONTROL_SINGLE, ordered);
}
