#ifndef RETROPOSE_SIBLINGS_SEQUENCER_TABLE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_TABLE_H

#include "siblings/sequencer/resource.h"

/* Fills `order`, through which the lists are searched. Returns false when memory runs out. */
bool Table_Sort(RpAcMotionTable *table);
/* Warns of equal keys in one list: it is not published which of them the client takes. */
void Table_ReportTwins(const RpAcMotionTable *table, Resource *resource);

#endif
