/* Floating-point numbers as text, from their bits alone: no code of live/dll may touch the
 * registers that hold such numbers. */
#ifndef RETROPOSE_LIVE_DLL_OBSERVE_NUMBER_H
#define RETROPOSE_LIVE_DLL_OBSERVE_NUMBER_H

#include "core/text.h"

/* As printf's %.9g of a binary32, which tells any two apart. One thread at a time. */
void Number_AppendFloat(Text *text, uint32_t bits);
/* As %.21Lg of the ten bytes of an x87 register. One thread at a time. */
void Number_AppendExtended(Text *text, const uint8_t bytes[10]);
/* How many binary32 lie between the two; UINT32_MAX for NaNs. */
uint32_t Number_Ulps(uint32_t a, uint32_t b);

#endif
