#include "machine/services/service_state.h"

/* The characters 0x80 to 0x9F of code page 1252. Five of these are not assigned; Windows gives them
 * the control characters of the same number. */
static const uint16_t wide_1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

uint16_t CodePage_ToWide(uint8_t c) {
    return c >= 0x80 && c < 0xA0 ? wide_1252[c - 0x80] : c;
}

bool CodePage_ToByte(uint16_t c, uint8_t *byte) {
    if (c < 0x80 || (c >= 0xA0 && c < 0x100)) {
        *byte = (uint8_t)c;
        return true;
    }
    for (uint32_t i = 0; i < 32; i++)
        if (wide_1252[i] == c) {
            *byte = (uint8_t)(0x80 + i);
            return true;
        }
    return false;
}
