/* Redirects a function in a loaded module. A jump overwrites its first instructions, which are
 * moved into a trampoline. This is done only if the loaded bytes are the expected ones, and before
 * any code of the module runs. No page is ever writable and executable at the same time. */
#ifndef RETROPOSE_DLL_DETOUR_H
#define RETROPOSE_DLL_DETOUR_H

#include "exports/overlay/overlay.h"

typedef struct DetourPlace {
    uint8_t *module;                       /* where the module was loaded */
    uint32_t rva;                          /* address of the function in the module */
    uint32_t signature_bytes, entry_bytes; /* as in OverlayFunction */
    const char *signature;
} DetourPlace;

/* Returns whether the loaded bytes are those of the signature. Dwords that relocation changes
 * count as zero, as in the overlay. */
bool Detour_Matches(const DetourPlace *place);
/* Redirects calls of the function to `gate`, and makes *original do what the function did before.
 * On failure nothing is changed. This is never undone: a redirected module stays loaded. */
RpStatus Detour_Install(const DetourPlace *place, const void *gate, const void **original,
                        RpError *error);

#endif
