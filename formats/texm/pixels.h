/* Pixels of each format (facts/formats.md E.2). */
#ifndef RETROPOSE_FORMATS_TEXM_PIXELS_H
#define RETROPOSE_FORMATS_TEXM_PIXELS_H

#include "retropose/texm.h"

/* Returns the bytes of a pixel of a known format. */
uint32_t Texm_PixelBytes(uint32_t format);
/* Writes pixels as red, green, blue, alpha. `palette` is used only for RP_TEXM_PALETTE. */
void Texm_Decode(uint32_t format, const uint8_t *palette, const uint8_t *pixels, size_t count,
                 uint8_t *rgba);

#endif
