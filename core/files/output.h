/* The one way in which this project writes files.
 *
 * A file exists whole or not at all. It is written under a new name of its own in the same folder
 * (created exclusively, with random letters), flushed, and renamed when it is complete. Whatever
 * had the final name before keeps it until then, and for good when anything fails. The new file has
 * the mode of the one that it replaces, on Linux also its access list and its user's attributes. In
 * a folder that this process removes when it ends (cleanup.h), files are not flushed.
 *
 * A file that is read-only, for everybody, is refused. If the path is a link, the file that it
 * leads to is replaced and the link stays. Devices, pipes and sockets are opened and written to,
 * never replaced. /dev/stdout and the like stand for the descriptor that they name.
 *
 * An output that is a file which this process has read (inputs.h), under whatever name, is refused
 * before anything is written, unless the caller edits just that file in place; and that, too, where
 * somebody has saved the file since it was read. A descriptor that leads into an input is always
 * refused.
 */
#ifndef RETROPOSE_CORE_FILES_OUTPUT_H
#define RETROPOSE_CORE_FILES_OUTPUT_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- whole files ----------------------------------------------------------------------------- */

/* Write a whole file. The `path` "-" writes to the standard output. */
RpStatus Output_Write(const char *path, const char *text, RpError *error);
RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error);
/* Does the same, but `path` may be the file `edited`, which was read to make these bytes. */
RpStatus Output_WriteEdited(const char *path, const char *edited, const void *bytes, size_t size,
                            RpError *error);

/* Refuses what writing to `path` would refuse, and writes nothing. It is for work that takes long
 * before there is anything to write. */
RpStatus Output_Check(const char *path, RpError *error);

/* Refuses outputs of which two would be one file, under whatever names, or both the standard
 * output: the later one would replace the earlier. Null stands for an output that is not wanted.
 * Writes nothing. */
RpStatus Output_CheckApart(const char *const paths[], size_t count, RpError *error);

/* Makes the folder unless it exists, but not the folders above it. */
RpStatus Output_MakeFolder(const char *folder, RpError *error);
/* Writes a file in a folder, one of many that can be made again. It is not flushed, because
 * flushing took most of the time of unpacking an archive. A link in the file's place is replaced
 * and not followed, because the folder may come from somebody else; anything else that is not a
 * file is refused. */
RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error);
/* Refuses a file of which nobody gave the name, as that of a manifest, if there is one that is not
 * ours: `mark` is not among its first 128 bytes. `folder` may be null, and `name` a path. Writes
 * nothing. */
RpStatus Output_CheckUnnamed(const char *folder, const char *name, const char *mark,
                             RpError *error);
/* Makes FOLDER/NAME unless it exists; a link of that name is refused. */
RpStatus Output_MakeFolderInto(const char *folder, const char *name, RpError *error);

/* Gives a finished file, which another process made in the same or another folder, the name `path`,
 * under the rules above; but a device or a pipe is refused, because it cannot be written to by a
 * rename. */
RpStatus Output_Move(const char *finished, const char *path, RpError *error);

/* Makes an empty file of this process's own in the system's folder for temporary files.
 * Output_DropScratch removes it, or the handler of a signal that ends the process. */
RpStatus Output_MakeScratch(char *path, size_t size, RpError *error);
void Output_DropScratch(const char *path);

/* Returns whether a file of a folder is one that a process was writing when it was killed: it has
 * the name of an unfinished file, and nobody writes to it any more. A link is none. */
bool Output_IsLeftover(const char *folder, const char *name);

/* ---- streams --------------------------------------------------------------------------------- */

typedef struct OutputFile OutputFile;

/* Opens an output and refuses what is refused. Output_Commit checks again, for the case that inputs
 * were read in between. `path` may be "-". */
RpStatus Output_Open(const char *path, OutputFile **file, RpError *error);
/* Does the same, but `path` may be the file `edited`, which may be null. */
RpStatus Output_OpenEdited(const char *path, const char *edited, OutputFile **file, RpError *error);
/* Opens a file of this process's own making, in a folder of its own, that others read while it
 * grows. It therefore has its name from the beginning, and a former file of that name is removed.
 */
RpStatus Output_OpenGrowing(const char *path, OutputFile **file, RpError *error);
FILE *Output_Stream(const OutputFile *file);
RpStatus Output_Append(OutputFile *file, const void *bytes, size_t size, RpError *error);
/* Closes the output and gives it its name. `file` is freed in any case. When this fails, the
 * written bytes are lost, and what had the name before still has it. Null is allowed. */
RpStatus Output_Commit(OutputFile *file, RpError *error);
/* Discards what was written, except for what a device or pipe has received already, and frees
 * `file`. Null is allowed. */
void Output_Abandon(OutputFile *file);

#endif
