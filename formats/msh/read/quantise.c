/* Converts numbers of models to and from their packed forms (facts/formats.md C.8, C.9; seed 001
 * sections 5.4, 5.5). */
#include "exports/reading_table.h"
#include "ngi32/processor/modes.h"
#include "retropose/msh_make.h"

#include <math.h>

enum { KEY_ORDER_XYZW, KEY_ORDER_WXYZ };
enum { ROTATION_CONJUGATE, ROTATION_PLAIN };
enum { UV_SIGNED, UV_UNSIGNED };

static const RpReadings defaults;

/* Rounds to nearest, with halves away from zero; a NaN gives 0. The product of a float and a
 * scale of at most 15 bits is exact in double. */
static int32_t RoundWithin(double value, int32_t least, int32_t most) {
    if (!(value >= 0 || value < 0))
        return 0;
    if (value <= least)
        return least;
    return value >= most ? most : (int32_t)round(value);
}

int8_t RpMsh_EncodeNormal(float component) {
    MODES_OF_C();
    return (int8_t)RoundWithin((double)component * 127.0, -128, 127);
}

uint16_t RpMsh_EncodeUv(float component, const RpReadings *readings) {
    MODES_OF_C();
    const RpReadings *reading = readings ? readings : &defaults;
    double scaled = (double)component * 1024.0;
    return (uint16_t)(reading->choice[READING_UV] == UV_UNSIGNED
                          ? RoundWithin(scaled, 0, 65535)
                          : RoundWithin(scaled, -32768, 32767));
}

static int16_t EncodeComponent(float component) {
    return (int16_t)RoundWithin((double)component * 32767.0, -32767, 32767);
}

void RpMsh_EncodeRotation(const float quaternion[4], const RpReadings *readings,
                          int16_t rotation[4]) {
    MODES_OF_C();
    const RpReadings *reading = readings ? readings : &defaults;
    const int w = reading->choice[READING_KEY_ORDER] == KEY_ORDER_WXYZ ? 0 : 3;
    const int x = reading->choice[READING_KEY_ORDER] == KEY_ORDER_WXYZ ? 1 : 0;
    const float sense = reading->choice[READING_ROTATION] == ROTATION_PLAIN ? 1.0F : -1.0F;
    rotation[w] = EncodeComponent(quaternion[0]);
    for (int i = 0; i < 3; i++)
        rotation[x + i] = EncodeComponent(sense * quaternion[1 + i]);
}

void RpMsh_DecodeRotation(const int16_t rotation[4], const RpReadings *readings,
                          float quaternion[4]) {
    MODES_OF_C();
    const RpReadings *reading = readings ? readings : &defaults;
    const int w = reading->choice[READING_KEY_ORDER] == KEY_ORDER_WXYZ ? 0 : 3;
    const int x = reading->choice[READING_KEY_ORDER] == KEY_ORDER_WXYZ ? 1 : 0;
    const float sense = reading->choice[READING_ROTATION] == ROTATION_PLAIN ? 1.0F : -1.0F;
    bool zero = true;
    for (int i = 0; i < 4; i++)
        zero = zero && rotation[i] == 0;
    quaternion[0] = zero ? 1.0F : (float)rotation[w] / 32767.0F;
    for (int i = 0; i < 3; i++)
        quaternion[1 + i] = sense * ((float)rotation[x + i] / 32767.0F);
}
