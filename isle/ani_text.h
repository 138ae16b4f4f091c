/* Pieces of JSON that dumps and reports share. */
#ifndef RETROPOSE_ISLE_ANI_TEXT_H
#define RETROPOSE_ISLE_ANI_TEXT_H

#include "retropose/ani.h"

/* Nine digits, which every float survives; what is not finite as the text of its bits. */
void AniText_Float(RpBuffer *text, float value);
void AniText_Floats(RpBuffer *text, const float *values, uint32_t count);
/* "NAME" in printable ASCII, else {"hex": "..."}. */
void AniText_Name(RpBuffer *text, const RpAniName *name);
void AniText_Hex(RpBuffer *text, const uint8_t *bytes, size_t size);

#endif
