/* A game folder with DLLs that are made byte by byte, into which the command itself can install.
 * The pair of originals has exports that no row of ours names, and our DLLs have pools of gates. */
#ifndef RETROPOSE_TESTS_GAME_INSTALL_MADE_GAME_H
#define RETROPOSE_TESTS_GAME_INSTALL_MADE_GAME_H

/* Both folders must exist. */
void MadeGame_Write(const char *game, const char *ours);

#endif
