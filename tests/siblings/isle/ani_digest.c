#include "ani_digest.h"

#include "core/hash.h"
#include "random_ani.h"
#include "synthetic.h"
#include "tests/owned.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TIME = -50, FILE_STEP = 21, MOST_NODES = SYNTHETIC_NODES };

static uint64_t HashSamples(const RpAni *ani, RpAniPolicy policy, int32_t step, int32_t count,
                            uint64_t hash) {
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float local[MOST_NODES][16], world[MOST_NODES][16], camera[16];
    uint8_t visible[MOST_NODES];
    if (ani->node_count > MOST_NODES)
        abort();
    for (int32_t i = 0; i < count; i++) {
        const int32_t time = FIRST_TIME + step * i;
        RpAni_Sample(ani, time, policy, NULL, NULL, local, world, visible);
        memcpy(camera, identity, sizeof camera);
        RpAni_SampleCamera(ani, (float)time, policy, NULL, camera);
        hash = Hash_Fnv64(hash, local, ani->node_count * sizeof *local);
        hash = Hash_Fnv64(hash, world, ani->node_count * sizeof *world);
        hash = Hash_Fnv64(hash, visible, ani->node_count * sizeof *visible);
        hash = Hash_Fnv64(hash, camera, sizeof camera);
    }
    return hash;
}

uint64_t AniDigest_Samples(RpAniPolicy policy) {
    OWNED(RpAni) synthetic;
    Synthetic_Make(&synthetic, NULL);
    uint64_t hash = HashSamples(&synthetic, policy, 1, ANI_DIGEST_TIMES, HASH_FNV64_BEGIN);
    for (uint32_t number = 0; number < ANI_DIGEST_FILES; number++) {
        OWNED(RpAni) ani;
        if (!RandomAni_Build(number, &ani))
            abort();
        hash = HashSamples(&ani, policy, FILE_STEP, ANI_DIGEST_FILE_TIMES, hash);
    }
    return hash;
}
