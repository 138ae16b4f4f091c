/* Files that exist whole or not at all: written under a temporary name and renamed. */
#ifndef RETROPOSE_REPLAY_OUTPUT_H
#define RETROPOSE_REPLAY_OUTPUT_H

#include "retropose/error.h"

/* `path` "-" writes to the standard output. */
RpStatus Output_Write(const char *path, const char *text, RpError *error);

#endif
