/* The files that this process has read. They are kept by the system's identity for them, not by
 * name. An output that is one of these files is refused, even through another name or a link
 * (output.h). Code that opens a file to read it must register it here. A file that this process
 * wrote itself and reads again is not an input. */
#ifndef RETROPOSE_CORE_FILES_INPUTS_H
#define RETROPOSE_CORE_FILES_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct FileIdentity {
    uint64_t volume, index; /* device and inode, or volume serial number and file index */
} FileIdentity;

/* Identifies an open file, given by its descriptor or, under Windows, its HANDLE. The result is
 * false when this is not a file on a disk. */
bool FileIdentity_OfHandle(intptr_t handle, FileIdentity *identity);
/* Identifies the file at a path, following links. The result is false, too, when there is none. */
bool FileIdentity_OfPath(const char *path, FileIdentity *identity);
/* Identifies a folder, following links. */
bool FileIdentity_OfFolder(const char *path, FileIdentity *identity);
bool FileIdentity_Equal(FileIdentity a, FileIdentity b);

/* Registers an open file. Does nothing with something that is not a file on a disk. */
void Inputs_AddHandle(intptr_t handle);
void Inputs_AddStream(FILE *file);
/* Registers a file that is opened later, or by another process. */
void Inputs_AddPath(const char *path);
bool Inputs_Has(FileIdentity identity);
/* Returns whether the file at the path is one that this process has read or written, with the size
 * and the time of its last change that it had then. The result is also true when there is no
 * file. */
bool Inputs_IsAsRead(const char *path);
/* Registers that this process wrote the file at the path, and has closed it. */
void Inputs_Wrote(const char *path);

#endif
