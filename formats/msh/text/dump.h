/* A dump that is never in memory as a whole. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_DUMP_H
#define RETROPOSE_FORMATS_MSH_TEXT_DUMP_H

#include "retropose/msh_text.h"

/* Receives the next bytes of the text. After it has failed, it is not called again. */
typedef RpStatus (*MshDumpTake)(void *context, const void *bytes, size_t size, RpError *error);

/* Writes the text of RpMsh_Dump in large pieces, which, except for the last one, consist of whole
 * pages. An archive that cannot be dumped is refused before the first piece. After that, the dump
 * can fail only for lack of memory. */
RpStatus MshDump_Write(const RpNRes *archive, MshDumpTake take, void *context, RpError *error);

#endif
