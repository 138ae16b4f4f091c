/* Names of nodes as keys that can be sorted. */
#ifndef RETROPOSE_FORMATS_MSH_READ_NODE_NAMES_H
#define RETROPOSE_FORMATS_MSH_READ_NODE_NAMES_H

#include "retropose/msh.h"

/* The text is in the model itself and is not terminated. */
typedef struct MshName {
    const char *text;
    uint32_t length, node;
} MshName;

/* Orders names by their bytes. The result is below, equal to or above 0. */
int MshName_Compare(const MshName *a, const MshName *b);
/* Sorts names; equal ones keep their order. `room` is as large as `names`. This takes n log n steps
 * for any names. */
void MshName_Sort(MshName *names, MshName *room, uint32_t count);

#endif
