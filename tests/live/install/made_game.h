/* A game folder with DLLs made byte by byte, which the command itself can install into: the pair of
 * originals has exports that no row of ours names, ours have pools of gates. */
#ifndef RETROPOSE_TESTS_LIVE_MADE_GAME_H
#define RETROPOSE_TESTS_LIVE_MADE_GAME_H

/* Both folders must be there. */
void MadeGame_Write(const char *game, const char *ours);

#endif
