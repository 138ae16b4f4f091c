/* The names of the policies, and which time is sampled: facts/lego-ani.md B.1 and B.6. */
#include "siblings/isle/ani_arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *RpAniPolicy_Name(RpAniPolicy policy) {
    return policy == RP_ANI_POLICY_S ? "S" : "D";
}

RpStatus RpAniPolicy_Parse(const char *name, RpAniPolicy *policy, RpError *error) {
    static const char *const names[RP_ANI_POLICIES][3] = {{"S", "s", "strict"},
                                                          {"D", "d", "double"}};
    for (int i = 0; i < RP_ANI_POLICIES; i++)
        for (int k = 0; k < 3; k++)
            if (strcmp(name, names[i][k]) == 0) {
                *policy = (RpAniPolicy)i;
                return RP_OK;
            }
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such policy of arithmetic", "",
                       "S (strict) or D (double)", name);
}

RpStatus RpAni_LoopTime(const RpAni *ani, int32_t elapsed, int32_t *time, RpError *error) {
    char found[16];
    snprintf(found, sizeof found, "%" PRId32 " ms", ani->duration);
    if (ani->duration <= 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "an animation without length cannot loop",
                           "", "a duration over 0", found);
    *time = elapsed % ani->duration;
    return RP_OK;
}

int32_t RpAni_WalkTime(float time) {
    return time > -2147483648.0f && time < 2147483648.0f ? (int32_t)time : INT32_MIN;
}

/* Every step is in binary32. A quotient of 2^24 or more has no fraction, so there is nothing to cut
 * off. */
float RpAni_PathPhase(const RpAni *ani, float time) {
    const float duration = Round((double)ani->duration);
    const float quotient = Round((double)time / duration);
    const float whole =
        quotient > -16777216.0f && quotient < 16777216.0f ? (float)(int32_t)quotient : quotient;
    return Round((double)time - Round((double)duration * whole));
}
