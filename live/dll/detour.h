/* Redirection of a function inside a loaded module: a jump over its first instructions, which live
 * on in a trampoline. Only where the loaded bytes are the expected ones, only while nothing runs
 * there yet, and no page is writable and executable at a time. */
#ifndef RETROPOSE_LIVE_DLL_DETOUR_H
#define RETROPOSE_LIVE_DLL_DETOUR_H

#include "exports/overlay/overlay.h"

typedef struct DetourPlace {
    uint8_t *module;                       /* base of the loaded module */
    uint32_t rva;                          /* of the function */
    uint32_t signature_bytes, entry_bytes; /* OverlayFunction's */
    const char *signature;
} DetourPlace;

/* Whether the loaded bytes are those of the signature. Dwords that relocation changes count as
 * zero, as in the overlay. */
bool Detour_Matches(const DetourPlace *place);
/* Calls of the function go to `gate`; *original does what the function did. On failure nothing is
 * changed. Never undone: what is redirected stays loaded. */
RpStatus Detour_Install(const DetourPlace *place, const void *gate, const void **original,
                        RpError *error);

#endif
