/* The files that this process has read, by what the system knows them by and not by name: an output
 * that is one of them, through another name or a link, is refused (output.h). Whatever opens a file
 * to read it says so here. What this process wrote itself, and reads again, is no input. */
#ifndef RETROPOSE_CORE_FILES_INPUTS_H
#define RETROPOSE_CORE_FILES_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct FileIdentity {
    uint64_t volume, index; /* device and inode, or volume serial number and file index */
} FileIdentity;

/* Of an open file: a descriptor, under Windows a HANDLE. False when it is no file on a disk. */
bool FileIdentity_OfHandle(intptr_t handle, FileIdentity *identity);
/* Links are followed; false too when there is none. */
bool FileIdentity_OfPath(const char *path, FileIdentity *identity);
bool FileIdentity_Equal(FileIdentity a, FileIdentity b);

/* Adding what is no file on a disk does nothing. */
void Inputs_AddHandle(intptr_t handle);
void Inputs_AddStream(FILE *file);
/* For what is opened later, or by another process. */
void Inputs_AddPath(const char *path);
bool Inputs_Has(FileIdentity identity);
/* The file is one that this process wrote. */
void Inputs_Wrote(FileIdentity identity);

#endif
