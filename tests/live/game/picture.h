/* Drawing in software: every box of the model, filled, nearest first, lit by slot 20's colour. */
#ifndef RETROPOSE_TESTS_LIVE_GAME_PICTURE_H
#define RETROPOSE_TESTS_LIVE_GAME_PICTURE_H

#include "walk.h"

#define PICTURE_WIDTH  640
#define PICTURE_HEIGHT 480

typedef struct Picture {
    uint8_t pixels[PICTURE_HEIGHT][PICTURE_WIDTH][3];
    float depth[PICTURE_HEIGHT][PICTURE_WIDTH];
} Picture;

void Picture_Draw(const Walker *walker, Picture *picture);
/* As a PPM file. False when it cannot be written. */
bool Picture_Write(const Picture *picture, const char *path);

#endif
