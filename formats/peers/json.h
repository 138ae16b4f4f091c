/* JSON as openparkan's readers write it. */
#ifndef RETROPOSE_FORMATS_PEERS_JSON_H
#define RETROPOSE_FORMATS_PEERS_JSON_H

#include "retropose/memory.h"

#include <stddef.h>

/* A number, or the name of one that JSON has not. */
void PeerJson_Number(RpBuffer *json, double value);
/* A list of numbers. */
void PeerJson_Floats(RpBuffer *json, const float *values, size_t count);
void PeerJson_Doubles(RpBuffer *json, const double *values, size_t count);
/* A text of Latin-1, cut at a NUL. */
void PeerJson_Text(RpBuffer *json, const char *text, size_t size);

#endif
