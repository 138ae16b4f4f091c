#include "sections.h"
#include "tests/siblings/isle/ani_digest.h"
#include "tests/siblings/sequencer/random_object.h"

#include <inttypes.h>
#include <stdio.h>

void Siblings_Print(const char *section) {
    for (int policy = 0; policy < RP_ANI_POLICIES; policy++)
        printf("%s ani.%s exact %d %016" PRIx64 "\n", section,
               RpAniPolicy_Name((RpAniPolicy)policy), ANI_DIGEST_SAMPLES,
               AniDigest_Samples((RpAniPolicy)policy));
    printf("%s ac exact %d %016" PRIx64 "\n", section, RANDOM_DIGEST_STEPS, RandomObject_Digest());
}
