/* Files as the library's functions take them: whole, in memory. */
#ifndef RETROPOSE_FILE_H
#define RETROPOSE_FILE_H

#include "api.h"
#include "memory.h"

RP_API_BEGIN

/* Appends the bytes of a file, at most 256 MiB, to a buffer that RpBuffer_Init has made. The path
 * is one that fopen takes. Returns RP_OK; RP_NOT_FOUND for a file that does not exist; RP_IO, with
 * the system's message in `found`, for one that cannot be read; RP_UNSUPPORTED for one that is too
 * large; RP_NO_MEMORY. After an error the buffer may hold the beginning of the file; RpBuffer_Free
 * frees it in any case. */
RpStatus RpFile_Read(const char *path, RpBuffer *bytes, RpError *error);

RP_API_END

#endif
