/* Writes what the references of a call lead to (Followed) as words of 32 bits in a fixed order, for
 * the files of shards. */
#ifndef RETROPOSE_REPLAY_MERGE_FOLLOWED_WORDS_H
#define RETROPOSE_REPLAY_MERGE_FOLLOWED_WORDS_H

#include "replay/compare/follow.h"
#include "retropose/memory.h"

bool FollowedWords_Append(const Followed *followed, RpBuffer *bytes);
/* Reads it again. Returns null where the words do not describe one, or where memory is short. */
Followed *FollowedWords_Read(const uint8_t *bytes, size_t size);

#endif
