/* An INResFile object over an NRes image in the memory of the trace: what AniMesh's loader is
 * handed. It has the methods that the ABI tables give a signature; any other one traps, which ends
 * as the call's crash. */
#ifndef RETROPOSE_REPLAY_HOST_NRESFILE_H
#define RETROPOSE_REPLAY_HOST_NRESFILE_H

#include <stdint.h>

/* The object over memory `id`: the same one each time. Null without memory. */
void *NResFile_Object(uint32_t id);

#endif
