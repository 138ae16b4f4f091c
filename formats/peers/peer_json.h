/* JSON as openparkan's readers write it. */
#ifndef RETROPOSE_FORMATS_PEERS_PEER_JSON_H
#define RETROPOSE_FORMATS_PEERS_PEER_JSON_H

#include "retropose/memory.h"

#include <stddef.h>

/* Appends a number, or its name if JSON does not have it ("NaN", for example). */
void PeerJson_Number(RpBuffer *json, double value);
/* A list of numbers. */
void PeerJson_Floats(RpBuffer *json, const float *values, size_t count);
void PeerJson_Doubles(RpBuffer *json, const double *values, size_t count);
/* Appends a text in Latin-1, which ends at the first NUL. */
void PeerJson_Text(RpBuffer *json, const char *text, size_t size);

#endif
