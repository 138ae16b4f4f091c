/* Writes floating-point numbers as text, with their bits alone, because no code in dll may touch
 * the registers that hold such numbers. */
#ifndef RETROPOSE_DLL_OBSERVE_NUMBER_H
#define RETROPOSE_DLL_OBSERVE_NUMBER_H

#include "core/text.h"

/* Writes a binary32 as printf's %.9g does, which gives different texts for different numbers. Only
 * one thread may use it at a time. */
void Number_AppendFloat(Text *text, uint32_t bits);
/* Writes the ten bytes of an x87 register as %.21Lg does. Only one thread may use it at a time. */
void Number_AppendExtended(Text *text, const uint8_t bytes[10]);
/* Returns how many steps of binary32 lie between the two numbers, or UINT32_MAX if one is a NaN. */
uint32_t Number_Ulps(uint32_t a, uint32_t b);

#endif
