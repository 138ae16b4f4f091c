/* Which members of one list keep their place in another, and which have moved. */
#ifndef RETROPOSE_CORE_MEMBER_ORDER_H
#define RETROPOSE_CORE_MEMBER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* `match` has the place in the other list for each of `count` members, or RP_NO_INDEX. The longest
 * run that rises stays: as few as possible have moved. To be freed with free(); null when memory is
 * refused. */
bool *MemberOrder_Staying(const int32_t *match, uint32_t count);

#endif
