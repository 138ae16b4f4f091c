/* Redirects a function inside of a loaded module by a jump over its first instructions, which
 * move into a trampoline. It does so only where the loaded bytes are the expected ones and while
 * no code runs there yet, and no page is writable and executable at the same time. */
#ifndef RETROPOSE_DLL_DETOUR_H
#define RETROPOSE_DLL_DETOUR_H

#include "exports/overlay/overlay.h"

typedef struct DetourPlace {
    uint8_t *module;                       /* where the module was loaded */
    uint32_t rva;                          /* of the function */
    uint32_t signature_bytes, entry_bytes; /* as in OverlayFunction */
    const char *signature;
} DetourPlace;

/* Returns whether the loaded bytes are those of the signature. Dwords that relocation changes
 * count as zero, as in the overlay. */
bool Detour_Matches(const DetourPlace *place);
/* Lets calls of the function go to `gate`, and *original do what the function did. After a
 * failure nothing is changed. This is never undone: a redirected module stays loaded. */
RpStatus Detour_Install(const DetourPlace *place, const void *gate, const void **original,
                        RpError *error);

#endif
