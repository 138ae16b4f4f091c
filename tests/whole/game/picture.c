#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCALE 90.0f /* pixels for a length of 1 */
#define FAR   1e6f
#define FACES 12

typedef struct Point {
    float x, y, depth; /* in pixels; a smaller depth is nearer */
} Point;

/* Bit i of corner c is set if its coordinate i is high. */
static const uint8_t faces[FACES][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                        {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                        {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static void Clear(Picture *picture) {
    for (int y = 0; y < PICTURE_HEIGHT; y++)
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            uint8_t sky = (uint8_t)(40 + y / 4);
            memset(picture->pixels[y][x], sky, 3);
            picture->depth[y][x] = FAR;
        }
}

/* Projects from the side, centred on the root. */
static Point Project(const Walker *walker, const float *corner) {
    const float *root = walker->world[0];
    Point point = {PICTURE_WIDTH / 2 + SCALE * (corner[1] - root[7] + 0.4f * (corner[0] - root[3])),
                   PICTURE_HEIGHT / 2 - SCALE * (corner[2] - root[11]), corner[0]};
    return point;
}

static float Side(const Point *a, const Point *b, float x, float y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static int Clamp(float value, int limit) {
    return value < 0 ? 0 : value > (float)limit ? limit : (int)value;
}

static void FillPixel(Picture *picture, int x, int y, float depth, const uint8_t *colour) {
    if (depth >= picture->depth[y][x])
        return;
    picture->depth[y][x] = depth;
    memcpy(picture->pixels[y][x], colour, 3);
}

static void FillTriangle(Picture *picture, const Point *a, const Point *b, const Point *c,
                         const uint8_t *colour) {
    float area = Side(a, b, c->x, c->y);
    if (fabsf(area) < 1e-3f)
        return;
    int top = Clamp(fminf(a->y, fminf(b->y, c->y)), PICTURE_HEIGHT - 1);
    int bottom = Clamp(fmaxf(a->y, fmaxf(b->y, c->y)), PICTURE_HEIGHT - 1);
    int left = Clamp(fminf(a->x, fminf(b->x, c->x)), PICTURE_WIDTH - 1);
    int right = Clamp(fmaxf(a->x, fmaxf(b->x, c->x)), PICTURE_WIDTH - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            float u = Side(b, c, (float)x, (float)y) / area;
            float v = Side(c, a, (float)x, (float)y) / area;
            if (u >= 0 && v >= 0 && u + v <= 1)
                FillPixel(picture, x, y, u * a->depth + v * b->depth + (1 - u - v) * c->depth,
                          colour);
        }
}

static void DrawBox(const Walker *walker, uint32_t node, Picture *picture) {
    Point corners[WALK_CORNERS];
    for (int i = 0; i < WALK_CORNERS; i++)
        corners[i] = Project(walker, walker->corners[node][i]);
    for (int face = 0; face < FACES; face++) {
        uint8_t colour[3];
        for (int i = 0; i < 3; i++)
            colour[i] = (uint8_t)Clamp(walker->colours[node][i] * (float)(150 - 8 * face), 255);
        FillTriangle(picture, &corners[faces[face][0]], &corners[faces[face][1]],
                     &corners[faces[face][2]], colour);
    }
}

void Picture_Draw(const Walker *walker, Picture *picture) {
    Clear(picture);
    for (uint32_t node = 0; node < walker->walk->node_count; node++)
        DrawBox(walker, node, picture);
}

bool Picture_Write(const Picture *picture, const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    fprintf(file, "P6\n%d %d\n255\n", PICTURE_WIDTH, PICTURE_HEIGHT);
    size_t written = fwrite(picture->pixels, sizeof picture->pixels, 1, file);
    return fclose(file) == 0 && written == 1;
}
