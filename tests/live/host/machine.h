/* Calls by the conventions and orders that the overlay of the game folder gives. */
#ifndef RETROPOSE_TESTS_LIVE_HOST_MACHINE_H
#define RETROPOSE_TESTS_LIVE_HOST_MACHINE_H

#include "exports/overlay/overlay.h"
#include "tests/standin/checked_call.h"

#define CONTROL_SINGLE 0x007F

/* The original's call: the overlay's, or the table's. */
OverlayCall Machine_OriginalCall(const char *key);
/* The call that ours are compiled for. */
OverlayCall Machine_CompiledCall(const char *key);
/* `arguments` in the order of the table. Asserts what Function_Call (checked_call.h) does. */
CheckedFrame Machine_Call(const char *key, OverlayCall call, const void *target,
                          const uint32_t *arguments);
/* Where the arguments of a call go; stack has room for OVERLAY_MAX_PARAMS dwords. */
void Machine_Place(const char *key, const OverlayCall *call, const uint32_t *arguments,
                   CheckedFrame *frame, uint32_t *stack);

/* RVA in the original. */
uint32_t Machine_Address(const char *key);
/* A file that is absent or malformed is as none. */
void Machine_ReadOverlay(const char *path);
/* From now on there is none. */
void Machine_ForgetOverlay(void);

#endif
