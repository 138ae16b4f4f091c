#include "calibrate_search.h"

#include <stdlib.h>
#include <string.h>

#define NEAREST_STARTS 8u
#define NEAREST_SWEEPS 8u
#define MOST_PAIRS     (UINT64_C(1) << 28) /* of combinations that are compared with each other */

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
}

/* ---- sets of combinations ----------------------------------------------------------------------
 */

void Domains_All(Domains *domains) {
    memset(domains, 0, sizeof *domains);
    for (int i = 0; RpHypotheses_Name(i); i++)
        domains->possible[i] = (1u << Choices_Alternatives(i)) - 1;
}

RpStatus Combinations_Add(Combinations *combinations, const RpHypotheses *choices, RpError *error) {
    if (combinations->count == combinations->capacity) {
        size_t capacity = combinations->capacity * 2 + 16;
        RpHypotheses *list = realloc(combinations->list, capacity * sizeof *list);
        if (!list)
            return NoMemory(error);
        combinations->list = list;
        combinations->capacity = capacity;
    }
    combinations->list[combinations->count++] = *choices;
    return RP_OK;
}

void Combinations_Free(Combinations *combinations) {
    free(combinations->list);
    memset(combinations, 0, sizeof *combinations);
}

/* ---- one function -----------------------------------------------------------------------------
 */

static unsigned BitCount(uint32_t bits) {
    return (unsigned)__builtin_popcount(bits);
}

uint64_t Search_Product(HypothesisSet set, const Domains *domains) {
    uint64_t product = 1;
    for (int i = 0; i < RP_HYPOTHESIS_MAX; i++)
        if (Set_Has(set, i) && product <= UINT32_MAX)
            product *= BitCount(domains->possible[i]);
    return product;
}

/* The next alternative that is possible, or -1. */
static int NextPossible(uint32_t possible, int alternative) {
    for (int i = alternative + 1; i < CALIBRATE_MAX_ALTERNATIVES; i++)
        if (possible >> i & 1)
            return i;
    return -1;
}

/* Counts on; false behind the last one. */
static bool NextCombination(HypothesisSet set, const Domains *domains, RpHypotheses *choices) {
    for (int i = 0; i < RP_HYPOTHESIS_MAX; i++) {
        if (!Set_Has(set, i))
            continue;
        int next = NextPossible(domains->possible[i], choices->choice[i]);
        if (next >= 0) {
            choices->choice[i] = (uint8_t)next;
            return true;
        }
        choices->choice[i] = (uint8_t)NextPossible(domains->possible[i], -1);
    }
    return false;
}

/* Most combinations fail at the case that the one before them failed at. */
static bool ExplainsAll(Bench *bench, const Subject *subject, size_t first,
                        const RpHypotheses *choices, size_t *killer) {
    if (*killer >= first && *killer < subject->count && subject->cases[*killer].answered &&
        !Bench_Explains(bench, subject, &subject->cases[*killer], choices))
        return false;
    for (size_t i = first; i < subject->count; i++)
        if (subject->cases[i].answered &&
            !Bench_Explains(bench, subject, &subject->cases[i], choices)) {
            *killer = i;
            return false;
        }
    return true;
}

RpStatus Search_Solve(Bench *bench, const Subject *subject, const Domains *domains,
                      Combinations *fitting, RpError *error) {
    RpHypotheses choices = {{0}};
    RpStatus status = RP_OK;
    size_t killer = subject->count;
    fitting->count = 0;
    for (int i = 0; i < RP_HYPOTHESIS_MAX; i++)
        if (Set_Has(subject->reaches, i))
            choices.choice[i] = (uint8_t)NextPossible(domains->possible[i], -1);
    do
        if (ExplainsAll(bench, subject, 0, &choices, &killer))
            status = Combinations_Add(fitting, &choices, error);
    while (!status && NextCombination(subject->reaches, domains, &choices));
    return status;
}

void Search_Filter(Bench *bench, const Subject *subject, size_t first, Combinations *fitting) {
    size_t kept = 0, killer = subject->count;
    for (size_t i = 0; i < fitting->count; i++)
        if (ExplainsAll(bench, subject, first, &fitting->list[i], &killer))
            fitting->list[kept++] = fitting->list[i];
    fitting->count = kept;
}

static uint64_t Explained(Bench *bench, const Subject *subject, const RpHypotheses *choices) {
    uint64_t explained = 0;
    for (size_t i = 0; i < subject->count; i++)
        explained += subject->cases[i].answered &&
                     Bench_Explains(bench, subject, &subject->cases[i], choices);
    return explained;
}

/* One hypothesis after the other takes its best alternative, until none gets better. */
static uint64_t Climb(Bench *bench, const Subject *subject, RpHypotheses *choices) {
    uint64_t best = Explained(bench, subject, choices);
    bool better = true;
    for (unsigned sweep = 0; better && sweep < NEAREST_SWEEPS; sweep++) {
        better = false;
        for (int h = 0; RpHypotheses_Name(h); h++) {
            int alternatives = Set_Has(subject->reaches, h) ? Choices_Alternatives(h) : 0;
            for (int a = 0; a < alternatives; a++) {
                RpHypotheses other = Choices_With(choices, h, a);
                uint64_t explained =
                    a == choices->choice[h] ? 0 : Explained(bench, subject, &other);
                if (explained > best) {
                    best = explained;
                    *choices = other;
                    better = true;
                }
            }
        }
    }
    return best;
}

uint64_t Search_Nearest(Bench *bench, const Subject *subject, uint64_t seed,
                        RpHypotheses *nearest) {
    static const RpHypotheses defaults;
    Random random = Random_Start("nearest", seed, 0);
    RpHypotheses choices = defaults;
    *nearest = defaults;
    uint64_t best = 0;
    for (unsigned start = 0; start < (subject->reaches ? NEAREST_STARTS : 1); start++) {
        uint64_t explained = Climb(bench, subject, &choices);
        if (start == 0 || explained > best) {
            best = explained;
            *nearest = choices;
        }
        Choices_Draw(&random, &choices);
        choices = Choices_Within(subject->reaches, &choices, &defaults);
    }
    return best;
}

/* ---- all functions ----------------------------------------------------------------------------
 */

RpStatus Joint_Init(Joint *joint, RpError *error) {
    static const RpHypotheses defaults;
    memset(joint, 0, sizeof *joint);
    return Combinations_Add(&joint->combinations, &defaults, error);
}

void Joint_Free(Joint *joint) {
    Combinations_Free(&joint->combinations);
}

RpStatus Joint_Add(Joint *joint, HypothesisSet reaches, const Combinations *fitting, bool *added,
                   bool *too_many, RpError *error) {
    Combinations together = {NULL, 0, 0};
    RpStatus status = RP_OK;
    HypothesisSet shared = joint->known & reaches;
    *too_many = joint->combinations.count * (uint64_t)fitting->count > MOST_PAIRS;
    for (size_t i = 0; !*too_many && !status && i < joint->combinations.count; i++)
        for (size_t k = 0; !status && !*too_many && k < fitting->count; k++) {
            const RpHypotheses *a = &joint->combinations.list[i], *b = &fitting->list[k];
            if (!Choices_AgreeOn(shared, a, b))
                continue;
            RpHypotheses both = Choices_Within(reaches, b, a);
            *too_many = together.count == SEARCH_MOST_JOINT;
            status = Combinations_Add(&together, &both, error);
        }
    *added = !status && !*too_many && together.count > 0;
    if (*added) {
        Combinations_Free(&joint->combinations);
        joint->combinations = together;
        joint->known |= reaches;
    } else {
        Combinations_Free(&together);
    }
    return status;
}

void Joint_Domains(const Joint *joint, Domains *domains) {
    Domains_All(domains);
    for (int h = 0; h < RP_HYPOTHESIS_MAX; h++) {
        if (!Set_Has(joint->known, h))
            continue;
        domains->possible[h] = 0;
        for (size_t i = 0; i < joint->combinations.count; i++)
            domains->possible[h] |= 1u << joint->combinations.list[i].choice[h];
    }
}

static unsigned Deviations(const RpHypotheses *choices) {
    unsigned count = 0;
    for (int i = 0; i < RP_HYPOTHESIS_MAX; i++)
        count += choices->choice[i] != 0;
    return count;
}

const RpHypotheses *Joint_Plainest(const Joint *joint) {
    const RpHypotheses *plainest = &joint->combinations.list[0];
    for (size_t i = 1; i < joint->combinations.count; i++)
        if (Deviations(&joint->combinations.list[i]) < Deviations(plainest))
            plainest = &joint->combinations.list[i];
    return plainest;
}
