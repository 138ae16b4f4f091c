/* What a reference leads to, as words of 32 bits in one order, for the files of shards. */
#ifndef RETROPOSE_REPLAY_MERGE_FOLLOWED_WORDS_H
#define RETROPOSE_REPLAY_MERGE_FOLLOWED_WORDS_H

#include "replay/compare/follow.h"
#include "retropose/memory.h"

bool FollowedWords_Append(const Followed *followed, RpBuffer *bytes);
/* Returns null where the words are not those of one, or where memory is short. */
Followed *FollowedWords_Read(const uint8_t *bytes, size_t size);

#endif
