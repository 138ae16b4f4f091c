/* Calls functions by the conventions and orders that the overlay of the game folder gives. */
#ifndef RETROPOSE_TESTS_DLL_MACHINE_H
#define RETROPOSE_TESTS_DLL_MACHINE_H

#include "exports/overlay/overlay.h"
#include "tests/standin/checked_call.h"

#define CONTROL_SINGLE 0x007F

/* Returns how the original is called: by the overlay, or by the table. */
OverlayCall Machine_OriginalCall(const char *key);
/* Returns how our own functions are called, as they are compiled. */
OverlayCall Machine_CompiledCall(const char *key);
/* Makes a call as Function_Call (checked_call.h) does, by this convention and in this order.
 * `arguments` are in the order of the table. */
CheckedFrame Machine_Call(const AbiFunction *function, const OverlayCall *call, const void *target,
                          const uint32_t *arguments);

/* Returns the RVA in the original. */
uint32_t Machine_Address(const char *key);
/* Reads an overlay. A file that is absent or malformed counts as none. */
void Machine_ReadOverlay(const char *path);
/* Drops the overlay that was read. */
void Machine_ForgetOverlay(void);

#endif
