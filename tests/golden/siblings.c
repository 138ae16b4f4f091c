#include "siblings.h"

#include "tests/isle/synthetic.h"
#include "tests/sequencer/random_object.h"

#include <inttypes.h>
#include <stdio.h>

void GoldenSiblings_Print(void) {
    for (int policy = 0; policy < RP_ANI_POLICIES; policy++)
        printf("siblings ani.%s exact %d %016" PRIx64 "\n", RpAniPolicy_Name((RpAniPolicy)policy),
               SYNTHETIC_TIMES, Synthetic_Digest((RpAniPolicy)policy));
    printf("siblings ac exact %d %016" PRIx64 "\n", RANDOM_DIGEST_STEPS, RandomObject_Digest());
}
