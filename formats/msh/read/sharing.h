/* Limits to how often the ranges of a model may name the same elements. */
#ifndef RETROPOSE_FORMATS_MSH_READ_SHARING_H
#define RETROPOSE_FORMATS_MSH_READ_SHARING_H

#include "retropose/msh.h"

/* How often, on average, a pass over a model may visit the same bytes. A node can refer to the same
 * slot with all of its 15 words, so sound models stay below this number. */
enum { MSH_MOST_SHARING = 16 };

/* Returns RP_UNSUPPORTED, with the node or slot, where following all ranges (from nodes to slots,
 * batches and indices, and to keys and frames) comes to more than MSH_MOST_SHARING times the bytes
 * of the model. Whoever follows them in a model that may be anybody's calls this first. */
RpStatus Msh_CheckSharing(const RpMsh *msh, RpError *error);
/* Returns how many bytes a pass may visit. */
uint64_t Msh_SharingBudget(const RpMsh *msh);

#endif
