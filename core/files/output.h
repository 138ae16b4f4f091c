/* The one way in which this project writes files.
 *
 * A file exists whole or not at all: it is written under a new name of its own in the same folder
 * (created exclusively, with random letters), flushed, and renamed when it is complete. Until then
 * what was there under the name stays as it is; so it does when anything fails. The new file has
 * the mode of the one that it replaces.
 *
 * A link that the path is leads to the file that is replaced; the link stays. Devices, pipes and
 * sockets are opened and written to, never replaced. /dev/stdout and the like are the descriptor
 * that they name.
 *
 * An output that is a file which this process has read (inputs.h), under whatever name, is refused
 * before anything is written, unless the caller edits just that file in place. */
#ifndef RETROPOSE_CORE_FILES_OUTPUT_H
#define RETROPOSE_CORE_FILES_OUTPUT_H

#include "retropose/error.h"

#include <stddef.h>
#include <stdio.h>

/* ---- whole files ----------------------------------------------------------------------------- */

/* `path` "-" writes to the standard output. */
RpStatus Output_Write(const char *path, const char *text, RpError *error);
RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error);
/* As above, and `path` may be the very file `edited`, which was read to make these bytes. */
RpStatus Output_WriteEdited(const char *path, const char *edited, const void *bytes, size_t size,
                            RpError *error);

/* Refuses what writing `path` would refuse, and writes nothing: for work that takes long before
 * there is anything to write. */
RpStatus Output_Check(const char *path, RpError *error);

/* Makes the folder, unless it is there; not those above it. */
RpStatus Output_MakeFolder(const char *folder, RpError *error);
/* A file in a folder, one of many that can be made again: it is not flushed, which took most of the
 * time of unpacking an archive. A link that is there in the file's place is replaced and not
 * followed, because the folder may come from somebody else; anything else but a file is refused. */
RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error);
/* FOLDER/NAME, unless it is there; a link there is refused. */
RpStatus Output_MakeFolderInto(const char *folder, const char *name, RpError *error);

/* Gives a finished file, made by another process in the same folder or another one, the name
 * `path`, under the rules above. */
RpStatus Output_Move(const char *finished, const char *path, RpError *error);

/* An empty file of this process's own in the system's folder for such files. It goes with
 * Output_DropScratch, or when a signal ends the process. */
RpStatus Output_MakeScratch(char *path, size_t size, RpError *error);
void Output_DropScratch(const char *path);

/* ---- streams --------------------------------------------------------------------------------- */

typedef struct OutputFile OutputFile;

/* Opens it and refuses what is refused; whoever reads inputs later has them checked again by
 * Output_Commit. `path` may be "-". */
RpStatus Output_Open(const char *path, OutputFile **file, RpError *error);
/* For a file of this process's own making, in a folder of its own, that others read while it grows:
 * it has its name from the beginning. What was there is removed. */
RpStatus Output_OpenGrowing(const char *path, OutputFile **file, RpError *error);
FILE *Output_Stream(const OutputFile *file);
RpStatus Output_Append(OutputFile *file, const void *bytes, size_t size, RpError *error);
/* Closes it and gives it its name. `file` is gone in any case; when this fails, so are the bytes
 * that were written, and what had the name before still has it. Null is allowed. */
RpStatus Output_Commit(OutputFile *file, RpError *error);
/* Forgets what was written, but for what a device or pipe has got already. Null is allowed. */
void Output_Abandon(OutputFile *file);

#endif
