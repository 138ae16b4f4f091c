/* Writes pieces of JSON that dumps and reports share. */
#ifndef RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_TEXT_H
#define RETROPOSE_SIBLINGS_ISLE_TEXT_ANI_TEXT_H

#include "core/json/json_text.h"
#include "retropose/ani.h"

/* Writes "NAME" if the name is printable ASCII, otherwise {"hex": "..."}. */
void AniText_Name(RpBuffer *text, const RpAniName *name);

#endif
