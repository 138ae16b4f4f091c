/* The sizes of a reader's streams, which the 0xA4 bytes of the original have no room for.
 *
 * A small table beside the readers, filled by LoadReader. A reader that something else filled is
 * not in it; nor is one whose streams have been changed since: its functions then read as the
 * original's do, without bounds. Old entries give way to new ones. Any thread may call, and none
 * waits for another: every sample of the game looks something up here. */
#ifndef RETROPOSE_ANIMESH_DLL_SIZES_H
#define RETROPOSE_ANIMESH_DLL_SIZES_H

#include "animesh/mesh.h"

/* In bytes; 0 for a stream that is not there. First what poses and texts are read from. */
typedef struct PoseSizes {
    uint32_t nodes, keys, frame_map, strings;
} PoseSizes;

typedef struct StreamSizes {
    PoseSizes pose;
    uint32_t header, positions, normals, uv0, triangles, batches, indices, colours, res20;
} StreamSizes;

/* Where all eight places for a reader are being written at a time, it is forgotten. */
void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes);
/* False, and zeros, for a reader that is not in the table. The second
 * copies less. */
bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes);
bool PoseSizes_Find(const Reader *reader, PoseSizes *sizes);

/* The model of a reader, within these sizes. */
void StreamSizes_Model(const Reader *reader, const StreamSizes *sizes, MeshModel *model);
/* For MeshContext.find: any reader. */
const MeshModel *StreamSizes_FindModel(const MeshContext *context, const Reader *reader,
                                       MeshModel *scratch);

#endif
