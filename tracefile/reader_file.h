/* A reader of a trace in a file that the system has opened in a way of the caller's. */
#ifndef RETROPOSE_TRACEFILE_READER_FILE_H
#define RETROPOSE_TRACEFILE_READER_FILE_H

#include "core/files/file_reader.h"
#include "tracefile/trace.h"

/* Takes over the open file, which a failure closes. `name` is for messages. */
RpStatus TraceReader_OpenFile(FileReader *opened, const char *name, TraceReader **reader,
                              RpError *error);

#endif
