/* An INResFile object over an NRes image in the memory of the trace, to be passed to AniMesh's
 * loader. It has the methods to which the ABI tables give a signature. Any other method traps,
 * and the call's outcome is a crash. */
#ifndef RETROPOSE_REPLAY_HOST_NRESFILE_H
#define RETROPOSE_REPLAY_HOST_NRESFILE_H

#include <stdint.h>

/* Returns the object over memory `id`, the same one each time, or null where memory is short. */
void *NResFile_Object(uint32_t id);
/* Frees all objects. */
void NResFile_Forget(void);

#endif
