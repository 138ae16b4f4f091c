/* Draws in software: every box of the model is filled, with the nearest in front, in the light's
 * colour from slot 20. */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_PICTURE_H
#define RETROPOSE_TESTS_WHOLE_GAME_PICTURE_H

#include "walk.h"

#define PICTURE_WIDTH  640
#define PICTURE_HEIGHT 480

typedef struct Picture {
    uint8_t pixels[PICTURE_HEIGHT][PICTURE_WIDTH][3];
    float depth[PICTURE_HEIGHT][PICTURE_WIDTH];
} Picture;

void Picture_Draw(const Walker *walker, Picture *picture);
/* Writes a PPM file. Returns false if that is impossible. */
bool Picture_Write(const Picture *picture, const char *path);

#endif
