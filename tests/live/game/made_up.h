/* The exports that a complete list has besides the ones with public facts: asked for by ordinal,
 * called, and compared with what they are known to do. */
#ifndef RETROPOSE_TESTS_LIVE_GAME_MADE_UP_H
#define RETROPOSE_TESTS_LIVE_GAME_MADE_UP_H

/* How many answered; -1 and a message in `wrong` when one is missing or answers something else. */
int MadeUp_Check(char *wrong, unsigned size);

#endif
