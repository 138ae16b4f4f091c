/* An INResFile object over an NRes image in the memory of the trace, to be passed to AniMesh's
 * loader. It has the methods to which the ABI tables give a signature. Any other method ends the
 * call in an illegal instruction, because nobody knows how many bytes it should pop. */
#ifndef RETROPOSE_REPLAY_HOST_NRESFILE_H
#define RETROPOSE_REPLAY_HOST_NRESFILE_H

#include <stdint.h>

#define NRESFILE_METHODS    32
#define NRESFILE_NAME_BYTES 36u /* of an entry of the directory; it may lack its NUL */

/* Returns the address of the object over memory `id`, the same one each time, or 0 where memory is
 * short. */
uint32_t NResFile_Object(uint32_t id);
/* Forgets all objects. */
void NResFile_Forget(void);

/* The methods. `self` is what the pair gives as the object, which may be anything. A name has
 * NRESFILE_NAME_BYTES bytes or ends with a NUL. */
int32_t NResFile_Find(uint32_t self, const char *name);
uint32_t NResFile_Directory(uint32_t self);
uint32_t NResFile_Data(uint32_t self, int32_t index);
int32_t NResFile_FindType(uint32_t self, uint32_t type);

/* Returns the address of the table of the methods in the pair's address space, or 0. In
 * nresfile_windows.c and nresfile_machine.c. */
uint32_t NResFile_Methods(void);

#endif
