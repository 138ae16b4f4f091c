/* Finds the streams of a model among the entries of an archive. */
#ifndef RETROPOSE_FORMATS_MSH_READ_STREAMS_H
#define RETROPOSE_FORMATS_MSH_READ_STREAMS_H

#include "retropose/msh.h"

/* Finds the streams and counts their elements. Nothing is checked. */
void Msh_FindStreams(const RpNResEntries *entries, RpMsh *msh);

/* Gives the streams that poses are made from, which may lack nodes and keys. Nodes have to be of
 * stride 38. */
RpSkeleton Msh_SkeletonOf(const RpMsh *msh);

/* Returns the labels in this entry, which need not be the first of its type as RpMsh_Texts takes
 * it. */
RpMshStream Msh_LabelsOf(const RpNResEntry *entry);

#endif
