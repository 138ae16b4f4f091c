/* Finds which members of one list keep their place in another list, and which have moved. */
#ifndef RETROPOSE_CORE_MEMBER_ORDER_H
#define RETROPOSE_CORE_MEMBER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* For each of `count` members, `match` holds its place in the other list, or RP_NO_INDEX. The
 * members of the longest rising run count as staying, so that as few as possible have moved. Free
 * the result with free(). It is null when memory is refused. */
bool *MemberOrder_Staying(const int32_t *match, uint32_t count);

#endif
