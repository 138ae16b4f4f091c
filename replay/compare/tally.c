#include "replay/compare/tally.h"

#include "tracefile/value.h"

#include <string.h>

/* ---- the run ----------------------------------------------------------------------------------
 */

/* Makes each stretch twice as long. */
static void Widen(TallyRun *run) {
    TallyRun wide = {
        .any = run->any, .shift = run->shift + 1, .first = run->first / 2, .last = run->last / 2};
    for (uint64_t i = 0; run->any && i <= run->last - run->first; i++) {
        const size_t at = (size_t)((run->first + i) / 2 - wide.first);
        wide.compared[at] += run->compared[i];
        wide.different[at] += run->different[i];
    }
    *run = wide;
}

void TallyRun_Add(TallyRun *run, uint64_t stretch, uint32_t shift, uint64_t compared,
                  uint64_t different) {
    while (run->shift < shift)
        Widen(run);
    for (;;) {
        const uint64_t at = stretch >> (run->shift - shift);
        const uint64_t first = run->any && run->first < at ? run->first : at;
        const uint64_t last = run->any && run->last > at ? run->last : at;
        if (last - first >= TALLY_STRETCHES) {
            Widen(run);
            continue;
        }
        if (!run->any)
            run->first = at;
        else if (first < run->first) {
            /* the stretches move, so that the first one in use becomes `first` */
            const size_t by = (size_t)(run->first - first);
            const size_t used = (size_t)(run->last - run->first + 1);
            memmove(run->compared + by, run->compared, used * sizeof *run->compared);
            memmove(run->different + by, run->different, used * sizeof *run->different);
            memset(run->compared, 0, by * sizeof *run->compared);
            memset(run->different, 0, by * sizeof *run->different);
            run->first = first;
        }
        run->any = true;
        run->last = last;
        run->compared[at - run->first] += compared;
        run->different[at - run->first] += different;
        return;
    }
}

uint32_t TallyRun_Shift(uint64_t first, uint64_t count) {
    uint32_t shift = 0;
    const uint64_t last = count ? first + (count - 1) : first;
    while ((last >> shift) - (first >> shift) >= TALLY_STRETCHES)
        shift++;
    return shift;
}

/* ---- distances --------------------------------------------------------------------------------
 */

uint64_t TallyUlps_Most(uint32_t bucket) {
    return bucket == 0 ? 0 : (uint64_t)1 << (bucket - 1);
}

uint64_t TallyUlps_Least(uint32_t bucket) {
    return bucket == 0 ? 0 : TallyUlps_Most(bucket - 1) + 1;
}

void TallyUlps_Add(TallyUlps *tally, bool is_number, int64_t ulps) {
    uint32_t bucket = 0;
    if (!is_number) {
        tally->no_number++;
        return;
    }
    if (ulps == VALUE_NO_DISTANCE) {
        tally->no_distance++;
        return;
    }
    const uint64_t size = ulps < 0 ? (uint64_t)-ulps : (uint64_t)ulps;
    while (bucket + 1 < TALLY_BUCKETS && size > TallyUlps_Most(bucket))
        bucket++;
    tally->buckets[bucket]++;
    tally->above += ulps > 0;
}

void TallyUlps_Merge(TallyUlps *tally, const TallyUlps *other) {
    for (uint32_t i = 0; i < TALLY_BUCKETS; i++)
        tally->buckets[i] += other->buckets[i];
    tally->no_distance += other->no_distance;
    tally->no_number += other->no_number;
    tally->above += other->above;
}
