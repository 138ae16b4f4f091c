/* Parses overlays of any text. The result is an error, or rows whose text parses to the same
 * text. */
#include "exports/overlay/overlay.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static RpBuffer Format(const Overlay *overlay) {
    RpBuffer text = {0};
    if (Overlay_Format(overlay, &text, NULL))
        abort();
    return text;
}

static void AskForCalls(const Overlay *overlay) {
    OverlayCall call;
    for (size_t i = 0; i < overlay->function_count; i++) {
        const OverlayFunction *row = &overlay->functions[i];
        if (row->ranged && Overlay_FindFor(overlay, row->function, row->first) != row)
            abort();
        if (!row->ranged && Overlay_Find(overlay, row->function) != row)
            abort();
        if (row->has_call && Overlay_CallFor(overlay, row->function, row->last, &call, NULL))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Overlay overlay, again;
    RpError error;
    if (Overlay_Parse((const char *)bytes, size, NULL, &overlay, &error))
        return 0;
    AskForCalls(&overlay);
    OWNED(RpBuffer) once = Format(&overlay);
    if (Overlay_Parse((const char *)once.bytes, once.size, NULL, &again, &error))
        abort();
    OWNED(RpBuffer) twice = Format(&again);
    if (once.size != twice.size || memcmp(once.bytes, twice.bytes, once.size) != 0)
        abort();
    Overlay_Free(&overlay);
    Overlay_Free(&again);
    return 0;
}
