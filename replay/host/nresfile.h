/* An INResFile object over an NRes image in the memory of the trace, to be passed to AniMesh's
 * loader. It has the methods to which the ABI tables give a signature. Any other method ends the
 * call in an illegal instruction, because nobody knows how many bytes it should pop. */
#ifndef RETROPOSE_REPLAY_HOST_NRESFILE_H
#define RETROPOSE_REPLAY_HOST_NRESFILE_H

#include "replay/host/trace_memory.h"

#define NRESFILE_METHODS    32
#define NRESFILE_NAME_BYTES 36u /* the bytes of a name in the directory, which may lack its NUL */

/* An object that exists or existed. The pair may write into its own part of it, so the methods look
 * only at what is here. */
typedef struct NResFile {
    uint32_t object;
    uint32_t id; /* the id of the memory with the image */
    uint32_t image, size, count, directory;
} NResFile;

typedef struct NResFiles {
    Memory *memory;
    NResFile *all;
    uint32_t file_count; /* the number of objects that exist now */
    uint32_t made_count; /* the number of objects that have memory */
    uint32_t methods;    /* the address of the table of methods; 0 while it has not been made */
} NResFiles;

/* Returns the address of the object over memory `id`, the same one each time, or 0 where memory is
 * short. */
uint32_t NResFile_Object(NResFiles *files, uint32_t id);
/* Forgets all objects. */
void NResFile_Forget(NResFiles *files);

/* Frees what the host keeps about the objects. */
void NResFile_Free(NResFiles *files);

/* These are the methods. `self` is what the pair passes as the object, which may be anything. A
 * name has NRESFILE_NAME_BYTES bytes or ends with a NUL. */
int32_t NResFile_Find(const NResFiles *files, uint32_t self, const char *name);
uint32_t NResFile_Directory(const NResFiles *files, uint32_t self);
uint32_t NResFile_Data(const NResFiles *files, uint32_t self, int32_t index);
int32_t NResFile_FindType(const NResFiles *files, uint32_t self, uint32_t type);

/* Returns the address of the table of the methods in the pair's address space, or 0. Defined in
 * nresfile_windows.c and nresfile_machine.c. */
uint32_t NResFile_Methods(NResFiles *files);

#endif
