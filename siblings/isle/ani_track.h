/* The value of a track at a time: facts/lego-ani.md B.1 to B.4. */
#ifndef RETROPOSE_SIBLINGS_ISLE_ANI_TRACK_H
#define RETROPOSE_SIBLINGS_ISLE_ANI_TRACK_H

#include "retropose/ani.h"

/* The functions return false, and do not write `value`, if the track contributes nothing. */
bool Ani_TrackTranslation(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                          float value[3]);
bool Ani_TrackScale(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                    float value[3]);
bool Ani_TrackRotation(const RpAniTrack *track, float time, RpAniPolicy policy, uint32_t *cursor,
                       float value[4]);

#endif
