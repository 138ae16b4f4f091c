/* Finds which members of one list keep their place in another list, and which have moved. */
#ifndef RETROPOSE_CORE_MEMBER_ORDER_H
#define RETROPOSE_CORE_MEMBER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* `match` holds for each of `count` members its place in the other list, or RP_NO_INDEX. The
 * longest rising run counts as staying, so that as few members as possible have moved. Free the
 * result with free(); it is null when memory is refused. */
bool *MemberOrder_Staying(const int32_t *match, uint32_t count);

#endif
