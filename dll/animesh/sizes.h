/* The sizes of a reader's streams, for which the original's record of 0xA4 bytes has no room.
 *
 * LoadReader fills a small table beside the readers. A reader is not in the table if something else
 * filled it, or if its streams were changed since; functions then read it as the original's do,
 * without bounds. New entries overwrite old ones. Any thread may call these functions. None waits
 * for another, because every sample of the game looks up a reader here.
 */
#ifndef RETROPOSE_DLL_ANIMESH_SIZES_H
#define RETROPOSE_DLL_ANIMESH_SIZES_H

#include "animesh/mesh.h"

/* Sizes in bytes; 0 for a stream that does not exist. The streams that poses and texts are read
 * from come first. */
typedef struct PoseSizes {
    uint32_t nodes, keys, frame_map, strings;
} PoseSizes;

typedef struct StreamSizes {
    PoseSizes pose;
    uint32_t header, positions, normals, uv0, triangles, batches, indices, uv1, res20;
} StreamSizes;

/* Records the sizes of a reader. If all eight places for it are being written at that moment,
 * nothing is recorded. */
void StreamSizes_Remember(const Reader *reader, const StreamSizes *sizes);
/* These return false, and give zeros, for a reader that is not in the table. The second function
 * copies less. */
bool StreamSizes_Find(const Reader *reader, StreamSizes *sizes);
bool PoseSizes_Find(const Reader *reader, PoseSizes *sizes);

/* Makes the model of a reader with these sizes as its bounds. */
void StreamSizes_Model(const Reader *reader, const StreamSizes *sizes, MeshModel *model);
/* Serves as MeshContext.find, for any reader. */
const MeshModel *StreamSizes_FindModel(const MeshContext *context, const Reader *reader,
                                       MeshModel *scratch);

#endif
