/* Makes bird.ani, a bird in the layout that seed 002 describes (docs/formats/ani.md). */
#include "siblings/samples/samples.h"

#include "retropose/ani.h"

/* FAR is a turn by 36.87 degrees, NEAR one by 16.26: _W is the cosine of half the angle, _V its
 * sine. The squares of the two add up to 1 within the rounding of a float. */
#define FAR_W  0.94868330f
#define FAR_V  0.31622777f
#define NEAR_W 0.98994949f
#define NEAR_V 0.14142136f

typedef struct Track {
    const char *node; /* null means the camera */
    RpAniTrackKind kind;
    uint32_t count;
    RpAniKey keys[5];
} Track;

#define T(at, x, y, z)                                                                             \
    {                                                                                              \
        .time = at, .flags = RP_ANI_ACTIVE, .value = { x, y, z }                                   \
    }
#define R(at, w, x, y, z)                                                                          \
    {                                                                                              \
        .time = at, .flags = RP_ANI_ACTIVE, .value = { w, x, y, z }                                \
    }

/* In one second the bird flies two units ahead, and its wings beat twice. */
static const Track tracks[] = {
    {NULL, RP_ANI_EYE, 2, {T(0, 4, 2, -5), T(1000, 4, 2, -3)}},
    {NULL, RP_ANI_TARGET, 2, {T(0, 0, 1, 0), T(1000, 0, 1, 2)}},
    {"BIRD", RP_ANI_TRANSLATION, 3, {T(0, 0, 1, 0), T(500, 0, 1.25f, 1), T(1000, 0, 1, 2)}},
    {"HEAD", RP_ANI_TRANSLATION, 1, {T(0, 0, 0.25f, 0.75f)}},
    {"HEAD",
     RP_ANI_ROTATION,
     3,
     {R(0, NEAR_W, NEAR_V, 0, 0), R(500, NEAR_W, -NEAR_V, 0, 0), R(1000, NEAR_W, NEAR_V, 0, 0)}},
    {"LEFT", RP_ANI_TRANSLATION, 1, {T(0, -0.25f, 0, 0)}},
    {"LEFT",
     RP_ANI_ROTATION,
     5,
     {R(0, FAR_W, 0, 0, FAR_V), R(250, FAR_W, 0, 0, -FAR_V), R(500, FAR_W, 0, 0, FAR_V),
      R(750, FAR_W, 0, 0, -FAR_V), R(1000, FAR_W, 0, 0, FAR_V)}},
    {"RIGHT", RP_ANI_TRANSLATION, 1, {T(0, 0.25f, 0, 0)}},
    {"RIGHT",
     RP_ANI_ROTATION,
     5,
     {R(0, FAR_W, 0, 0, -FAR_V), R(250, FAR_W, 0, 0, FAR_V), R(500, FAR_W, 0, 0, -FAR_V),
      R(750, FAR_W, 0, 0, FAR_V), R(1000, FAR_W, 0, 0, -FAR_V)}},
};

RpStatus Sample_Bird(RpBuffer *image, RpError *error) {
    RpAni bird;
    RpAni_Init(&bird, NULL);

    static const char *const parts[] = {"HEAD", "LEFT", "RIGHT"};
    uint32_t root = 0;
    bird.radius = 4;
    bird.centre[1] = 1;
    bird.centre[2] = 1;
    bird.duration = 1000;
    RpStatus status = RpAni_AddActor(&bird, "BIRD", SIZE_MAX, 4, error);
    if (!status)
        status = RpAni_AddNode(&bird, RP_ANI_NO_NODE, "BIRD", SIZE_MAX, &root, error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++)
        status = RpAni_AddNode(&bird, root, parts[i], SIZE_MAX, NULL, error);
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks && !status; i++) {
        const Track *track = &tracks[i];
        const uint32_t node =
            track->node ? RpAni_FindNode(&bird, track->node, RP_ANI_NO_NODE) : root;
        status = RpAni_SetKeys(&bird, node, track->kind, track->keys, track->count, error);
    }

    if (!status)
        status = RpAni_Write(&bird, image, error);
    RpAni_Free(&bird);
    return status;
}
