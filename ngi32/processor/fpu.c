#include "retropose/fastproc.h"

#include "ngi32/processor/state.h"

uint16_t RpFpu_ControlWord(void) {
    return State_ControlWord();
}

void RpFpu_Restore(uint16_t control_word) {
    State_SetControlWord(control_word);
}

bool RpFpu_IsIdeal(void) {
    return !MACHINE_HAS_X87;
}

/* Does what Ngi32 0x10006D00 does: significands of 24 bits, rounding to nearest even, all
 * exceptions masked (facts/ngi32.md C). */
uint16_t RpFpu_SetControlWord(void) {
    uint16_t old = RpFpu_ControlWord();
    RpFpu_Restore((uint16_t)((old & 0xF0FF) | 0x003F));
    return old;
}
