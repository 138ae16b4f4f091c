/* Pieces of JSON that dumps and reports share. */
#ifndef RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_TEXT_H
#define RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_TEXT_H

#include "core/json/json_text.h"
#include "retropose/ani.h"

/* "NAME" in printable ASCII, else {"hex": "..."}. */
void AniText_Name(RpBuffer *text, const RpAniName *name);

#endif
