#ifndef RETROPOSE_SIBLINGS_SEQUENCER_TABLE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_TABLE_H

#include "siblings/sequencer/resource.h"

/* Makes `order`, by which the lists are searched; false when memory runs out. */
bool Table_Sort(RpAcMotionTable *table);
/* Equal keys in one list: which one the client takes is unpublished. */
void Table_ReportTwins(const RpAcMotionTable *table, Resource *resource);

#endif
