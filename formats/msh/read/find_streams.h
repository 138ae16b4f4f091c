/* Finds the streams of a model among the entries of an archive. */
#ifndef RETROPOSE_FORMATS_MSH_READ_FIND_STREAMS_H
#define RETROPOSE_FORMATS_MSH_READ_FIND_STREAMS_H

#include "retropose/msh.h"

/* Finds the streams and counts their elements. Checks nothing. */
void Msh_FindStreams(const RpNResEntries *entries, RpMsh *msh);

/* Returns the streams from which poses are made. Nodes and keys may be missing. The stride of nodes
 * has to be 38. */
RpSkeleton Msh_SkeletonOf(const RpMsh *msh);

/* Returns the labels in this entry. RpMsh_Texts, in contrast, takes the first entry of the type. */
RpMshStream Msh_LabelsOf(const RpNResEntry *entry);

#endif
