/* write_game GAME OURS fills two folders. */
#include "made_game.h"

#include <stdio.h>

int main(int count, char **words) {
    if (count != 3) {
        fputs("usage: write_game GAME OURS\n", stderr);
        return 2;
    }
    MadeGame_Write(words[1], words[2]);
    return 0;
}
