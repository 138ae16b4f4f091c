/* A dump that is never in memory as a whole. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_DUMP_H
#define RETROPOSE_FORMATS_MSH_TEXT_DUMP_H

#include "retropose/msh_text.h"

/* Takes the next bytes of the text. Once it fails, nothing more is handed to it. */
typedef RpStatus (*MshDumpTake)(void *context, const void *bytes, size_t size, RpError *error);

/* Gives the text of RpMsh_Dump in large pieces of whole pages, except for the last one. An archive
 * that cannot be dumped is refused before the first piece; only for want of memory may the dump
 * fail later. */
RpStatus MshDump_Write(const RpNRes *archive, MshDumpTake take, void *context, RpError *error);

#endif
