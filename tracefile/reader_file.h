/* Opens a reader of a trace on a file that the caller has already opened. */
#ifndef RETROPOSE_TRACEFILE_READER_FILE_H
#define RETROPOSE_TRACEFILE_READER_FILE_H

#include "core/files/file_reader.h"
#include "tracefile/tracefile.h"

/* Takes over the open file, and closes it on failure. `name` is for messages. */
RpStatus TraceReader_OpenFile(FileReader *opened, const char *name, TraceReader **reader,
                              RpError *error);

#endif
