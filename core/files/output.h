/* The one way in which this project writes files.
 *
 * A file exists whole or not at all. It is written under a new name of its own in the same folder
 * (created exclusively, with random letters), flushed, and renamed when it is complete. Whatever
 * had the final name before keeps it until then, and for good when anything fails. The new file has
 * the mode of the one that it replaces, and on Linux also its access list and the attributes that
 * users have given it. In a folder that this process removes when it ends (cleanup.h), files are
 * not flushed.
 *
 * A file that is read-only, for everybody, is refused. If the path is a link, the file that it
 * leads to is replaced and the link stays. Devices, pipes and sockets are opened and written to,
 * never replaced. /dev/stdout and the like stand for the descriptor that they name.
 *
 * An output that is a file which this process has read (inputs.h), under whatever name, is refused
 * before anything is written. The exception is a caller that edits just this file in place; but
 * that is refused, too, when somebody has saved the file since it was read. A descriptor that leads
 * into an input is always refused.
 */
#ifndef RETROPOSE_CORE_FILES_OUTPUT_H
#define RETROPOSE_CORE_FILES_OUTPUT_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- whole files ----------------------------------------------------------------------------- */

/* These functions write a whole file. The `path` "-" is the standard output. */
RpStatus Output_Write(const char *path, const char *text, RpError *error);
RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error);
/* Does the same, but `path` may be the file `edited`, which was read to make these bytes. */
RpStatus Output_WriteEdited(const char *path, const char *edited, const void *bytes, size_t size,
                            RpError *error);

/* Fails where writing to `path` would be refused, and writes nothing. Call it before work that
 * takes long, so that the user need not wait for the refusal. */
RpStatus Output_Check(const char *path, RpError *error);

/* Fails when two of the outputs would be one file, under whatever names, or when both are the
 * standard output, because the later one would replace the earlier. Null stands for an output that
 * is not wanted. Nothing is written. */
RpStatus Output_CheckApart(const char *const paths[], size_t count, RpError *error);

/* Makes the folder unless it exists, but not the folders above it. */
RpStatus Output_MakeFolder(const char *folder, RpError *error);
/* Writes one of many files in a folder. It is not flushed, because such files can be made again,
 * and flushing took most of the time of unpacking an archive. A link in the file's place is
 * replaced and not followed, because the folder may come from somebody else. Anything else that is
 * not a file is refused. */
RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error);
/* Protects an existing file whose name the user did not give, such as that of a manifest. Fails if
 * there is such a file and it is not ours, which means that `mark` is not among its first 128
 * bytes. `folder` may be null; `name` is then a path. Nothing is written. */
RpStatus Output_CheckUnnamed(const char *folder, const char *name, const char *mark,
                             RpError *error);
/* Makes FOLDER/NAME unless it exists; a link of that name is refused. */
RpStatus Output_MakeFolderInto(const char *folder, const char *name, RpError *error);

/* Gives the name `path` to a finished file, which another process made in the same or another
 * folder. The rules above hold, except that a device or a pipe is refused, because a rename cannot
 * write to it. */
RpStatus Output_Move(const char *finished, const char *path, RpError *error);

/* Makes an empty file of this process's own in the system's folder for temporary files. It is
 * removed by Output_DropScratch, or by the handler of a signal that ends the process. */
RpStatus Output_MakeScratch(char *path, size_t size, RpError *error);
void Output_DropScratch(const char *path);

/* Returns whether a file in a folder is one that a process was writing when it was killed. Such a
 * file has the name of an unfinished file, and nobody writes to it any more. A link never counts as
 * one. */
bool Output_IsLeftover(const char *folder, const char *name);

/* ---- streams --------------------------------------------------------------------------------- */

typedef struct OutputFile OutputFile;

/* Opens an output, and fails where Output_Check does. Output_Commit checks again, because inputs
 * may have been read in between. `path` may be "-". */
RpStatus Output_Open(const char *path, OutputFile **file, RpError *error);
/* Does the same, but `path` may be the file `edited`, which may be null. */
RpStatus Output_OpenEdited(const char *path, const char *edited, OutputFile **file, RpError *error);
/* Opens a file that this process makes in a folder of its own, and that others read while it grows.
 * It therefore has its name from the beginning, and an older file of that name is removed. */
RpStatus Output_OpenGrowing(const char *path, OutputFile **file, RpError *error);
FILE *Output_Stream(const OutputFile *file);
RpStatus Output_Append(OutputFile *file, const void *bytes, size_t size, RpError *error);
/* Closes the output and gives it its name. `file` is freed in any case, and may be null. On failure
 * the written bytes are lost, and the file that had the name before still has it. */
RpStatus Output_Commit(OutputFile *file, RpError *error);
/* Discards what was written, except for what a device or pipe has already received, and frees
 * `file`, which may be null. */
void Output_Abandon(OutputFile *file);

#endif
