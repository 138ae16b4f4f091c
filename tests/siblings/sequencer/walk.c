#include "walk.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static void PutData(RpBuffer *image, uint32_t key, uint8_t bitfield, uint32_t animation,
                    const float velocity[3], const float omega[3]) {
    const uint8_t bytes[4] = {animation != 0, bitfield,
                              (uint8_t)((velocity ? 1 : 0) | (omega ? 2 : 0)), 0};
    const float rate = 30;
    RpBuffer_AppendU32(image, key);
    RpBuffer_Append(image, bytes, 4);
    if (animation) {
        RpBuffer_AppendU32(image, animation);
        RpBuffer_AppendU32(image, 0);
        RpBuffer_AppendU32(image, UINT32_MAX);
        RpBuffer_Append(image, &rate, 4);
    }
    if (velocity)
        RpBuffer_Append(image, velocity, 12);
    if (omega)
        RpBuffer_Append(image, omega, 12);
}

static uint32_t Animation(Fixture *fixture, char letter, uint32_t frames) {
    return Fixture_Animation(fixture, letter, frames, NULL);
}

/* The letters stand for animations: r and w are ready and walk in peace, W goes into war, f is
 * ready in war, l leads from ready to walk, and b is a wave. */
void Walk_Make(Fixture *fixture, RpAcMotionTable *table, RpBuffer *copy) {
    static const float ahead[] = {0, 3, 0}, turn[] = {0, 0, -1.5f}, up[] = {0, 0, 1};
    OWNED(RpBuffer) image = {0};
    RpBuffer_AppendU32(&image, 0x09000001);
    RpBuffer_AppendU32(&image, STYLE_PEACE);
    RpBuffer_AppendU32(&image, 2);
    RpBuffer_AppendU32(&image, STYLE_PEACE);
    RpBuffer_AppendU32(&image, READY);
    RpBuffer_AppendU32(&image, STYLE_WAR);
    RpBuffer_AppendU32(&image, READY);
    RpBuffer_AppendU32(&image, 4);
    PutData(&image, RpAc_Key(STYLE_PEACE, READY), 0, Animation(fixture, 'r', 4), NULL, NULL);
    PutData(&image, RpAc_Key(STYLE_PEACE, WALK), 0, Animation(fixture, 'w', 6), ahead, NULL);
    PutData(&image, RpAc_Key(STYLE_WAR, READY), 1, Animation(fixture, 'f', 4), NULL, NULL);
    PutData(&image, RpAc_Key(STYLE_PEACE, RUN), 2, Animation(fixture, 'u', 3), ahead, NULL);
    RpBuffer_AppendU32(&image, 2);
    PutData(&image, RpAc_Key(STYLE_PEACE, TURN), 0, 0, NULL, turn);
    PutData(&image, HOVER & 0xFFFFFF, 0, 0, up, NULL);
    RpBuffer_AppendU32(&image, 2);
    RpBuffer_AppendU32(&image, RpAc_Key(STYLE_PEACE, READY));
    RpBuffer_AppendU32(&image, 3);
    PutData(&image, WALK, 0, Animation(fixture, 'l', 2), NULL, NULL);
    PutData(&image, WAVE, 0, Animation(fixture, 'b', 3), NULL, NULL);
    PutData(&image, STYLE_WAR, 0, Animation(fixture, 'W', 2), NULL, NULL);
    RpBuffer_AppendU32(&image, RpAc_Key(STYLE_PEACE, WALK));
    RpBuffer_AppendU32(&image, 1);
    PutData(&image, READY, 0, fixture->animations[4].id, NULL, NULL);
    assert_int_equal(RpAcMotionTable_Read(image.bytes, image.size, RP_STRICT, NULL, table, NULL),
                     RP_OK);
    if (copy)
        RpBuffer_Append(copy, image.bytes, image.size);
}
