/* Finds the model of a piece in a trace's memory: what SampleNode and BlendPoses read of it. */
#ifndef RETROPOSE_TRACEFILE_TRACE_PIECE_H
#define RETROPOSE_TRACEFILE_TRACE_PIECE_H

#include "retropose/pose.h"
#include "tracefile/tracefile.h"

/* Finds the streams and the node of the piece at `offset` of the memory `id`, as far as the trace
 * has them. Each stream goes from where its pointer leads to the end of that memory, and is empty
 * for a null pointer. Returns false for a reference that leads outside of the trace's memories. */
bool TracePiece_Find(const TraceReader *reader, uint32_t id, uint32_t offset, RpSkeleton *skeleton,
                     uint32_t *node);

#endif
