/* The exports that a complete list has besides those with public facts. They are asked for by
 * ordinal, called, and compared with what they are known to do. */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_MADE_UP_H
#define RETROPOSE_TESTS_WHOLE_GAME_MADE_UP_H

/* Returns how many answered, or -1 and a message in `wrong` if one is missing or gives another
 * answer. */
int MadeUp_Check(char *wrong, unsigned size);

#endif
