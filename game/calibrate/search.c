#include "game/calibrate/search.h"

#include "exports/reading_table.h"

#include <stdlib.h>
#include <string.h>

#define NEAREST_STARTS 8u
#define NEAREST_SWEEPS 8u
#define MOST_PAIRS     (UINT64_C(1) << 28) /* most pairs of combinations to compare */

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
}

/* ---- sets of combinations -------------------------------------------------------------------- */

void Domains_All(Domains *domains) {
    memset(domains, 0, sizeof *domains);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        domains->possible[i] = (1u << Choices_Alternatives(i)) - 1;
}

RpStatus Combinations_Add(Combinations *combinations, const RpReadings *choices, RpError *error) {
    if (combinations->count == combinations->capacity) {
        size_t capacity = combinations->capacity * 2 + 16;
        RpReadings *list = realloc(combinations->list, capacity * sizeof *list);
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

/* ---- one function ---------------------------------------------------------------------------- */

uint64_t Search_Product(ReadingSet set, const Domains *domains) {
    uint64_t product = 1;
    for (int i = 0; i < RP_READING_MAX; i++)
        if (Set_Has(set, i) && product <= UINT32_MAX)
            product *= (unsigned)__builtin_popcount(domains->possible[i]);
    return product;
}

/* Returns the next possible alternative, or -1. */
static int NextPossible(uint32_t possible, int alternative) {
    for (int i = alternative + 1; i < CALIBRATE_MAX_ALTERNATIVES; i++)
        if (possible >> i & 1)
            return i;
    return -1;
}

/* Goes to the next combination; returns false behind the last one. */
static bool NextCombination(ReadingSet set, const Domains *domains, RpReadings *choices) {
    for (int i = 0; i < RP_READING_MAX; i++) {
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

RpStatus Relation_Init(Relation *relation, RpError *error) {
    static const RpReadings defaults;
    Relation_Free(relation);
    return Combinations_Add(&relation->fitting, &defaults, error);
}

void Relation_Free(Relation *relation) {
    Combinations_Free(&relation->fitting);
    relation->held = 0;
}

/* Returns, of the cases that are not done, the one that multiplies the number of combinations
 * least; null if all are done. */
static const Case *NextCase(const Subject *subject, size_t first, const bool *done, ReadingSet held,
                            const Domains *domains, uint64_t *product) {
    const Case *next = NULL;
    for (size_t i = first; i < subject->count; i++) {
        if (done[i - first] || !subject->cases[i].answered)
            continue;
        uint64_t extends = Search_Product(subject->cases[i].depends & ~held, domains);
        if (next && extends >= *product)
            continue;
        next = &subject->cases[i];
        *product = extends;
        if (extends == 1)
            break;
    }
    return next;
}

RpStatus Search_Explain(Bench *bench, const Subject *subject, size_t first, const Domains *domains,
                        Relation *relation, bool *too_many, RpError *error) {
    size_t count = subject->count - first;
    bool *done = calloc(count ? count : 1, sizeof *done);
    RpStatus status = done ? RP_OK : NoMemory(error);
    const Case *next = NULL;
    uint64_t product = 0;
    *too_many = false;
    while (!status && relation->fitting.count > 0 &&
           (next = NextCase(subject, first, done, relation->held, domains, &product))) {
        done[next - subject->cases - (ptrdiff_t)first] = true;
        *too_many = product > SEARCH_MOST_COMBINATIONS / relation->fitting.count;
        if (*too_many)
            break;

        /* Every combination of the list is combined with every one of the readings on which the
         * case depends and that the list does not have yet. */
        const ReadingSet set = next->depends & ~relation->held;
        if (product > 1 || set) {
            Combinations extended = {NULL, 0, 0};
            RpReadings start = {{0}};
            for (int i = 0; i < RP_READING_MAX; i++)
                if (Set_Has(set, i))
                    start.choice[i] = (uint8_t)NextPossible(domains->possible[i], -1);
            for (size_t i = 0; !status && i < relation->fitting.count; i++) {
                RpReadings choices = Choices_Within(set, &start, &relation->fitting.list[i]);
                do
                    status = Combinations_Add(&extended, &choices, error);
                while (!status && NextCombination(set, domains, &choices));
            }
            Combinations_Free(&relation->fitting);
            relation->fitting = extended;
            relation->held |= set;
        }

        /* Those that do not explain the case are dropped. */
        if (!status) {
            size_t kept = 0;
            for (size_t i = 0; i < relation->fitting.count; i++)
                if (Bench_Explains(bench, subject, next, &relation->fitting.list[i]))
                    relation->fitting.list[kept++] = relation->fitting.list[i];
            relation->fitting.count = kept;
        }
    }
    free(done);
    return status;
}

static int CompareChoices(const void *a, const void *b) {
    return memcmp(a, b, sizeof(RpReadings));
}

/* Drops each reading of which every alternative occurs with every combination of the others. That
 * is so exactly if the list has as many members as the product. */
void Relation_DropFree(Relation *relation) {
    Combinations *fitting = &relation->fitting;
    size_t bytes = fitting->count * sizeof(RpReadings);
    RpReadings *rest = bytes ? malloc(bytes) : NULL;
    for (int h = 0; rest && h < RP_READING_MAX; h++) {
        if (!Set_Has(relation->held, h))
            continue;
        size_t alternatives = (size_t)Choices_Alternatives(h);
        if (fitting->count % alternatives != 0)
            continue;
        for (size_t i = 0; i < fitting->count; i++)
            rest[i] = Choices_With(&fitting->list[i], h, 0);

        size_t count = 0;
        qsort(rest, fitting->count, sizeof *rest, CompareChoices);
        for (size_t i = 0; i < fitting->count; i++)
            if (i == 0 || memcmp(&rest[i], &rest[count - 1], sizeof *rest) != 0)
                rest[count++] = rest[i];

        if (count * alternatives != fitting->count)
            continue;
        memcpy(fitting->list, rest, count * sizeof *rest);
        fitting->count = count;
        relation->held &= ~Set_Of(h);
    }
    free(rest);
}

static uint64_t Explained(Bench *bench, const Subject *subject, const RpReadings *choices) {
    uint64_t explained = 0;
    for (size_t i = 0; i < subject->count; i++)
        explained += subject->cases[i].answered &&
                     Bench_Explains(bench, subject, &subject->cases[i], choices);
    return explained;
}

/* Gives each reading in turn the alternative that explains most cases, until nothing gets
 * better. */
static uint64_t Climb(Bench *bench, const Subject *subject, RpReadings *choices) {
    uint64_t best = Explained(bench, subject, choices);
    bool better = true;
    for (unsigned sweep = 0; better && sweep < NEAREST_SWEEPS; sweep++) {
        better = false;
        for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
            int alternatives = Set_Has(subject->reaches, h) ? Choices_Alternatives(h) : 0;
            for (int a = 0; a < alternatives; a++) {
                RpReadings other = Choices_With(choices, h, a);
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

uint64_t Search_Nearest(Bench *bench, const Subject *subject, uint64_t seed, RpReadings *nearest) {
    static const RpReadings defaults;
    Random random = Random_Start("nearest", seed, 0);
    RpReadings choices = defaults;
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

/* ---- all functions --------------------------------------------------------------------------- */

RpStatus Joint_Init(Joint *joint, RpError *error) {
    static const RpReadings defaults;
    memset(joint, 0, sizeof *joint);
    return Combinations_Add(&joint->combinations, &defaults, error);
}

void Joint_Free(Joint *joint) {
    Combinations_Free(&joint->combinations);
}

RpStatus Joint_Add(Joint *joint, ReadingSet reaches, const Combinations *fitting, bool *added,
                   bool *too_many, RpError *error) {
    Combinations together = {NULL, 0, 0};
    RpStatus status = RP_OK;
    ReadingSet shared = joint->known & reaches;
    *too_many = joint->combinations.count * (uint64_t)fitting->count > MOST_PAIRS;
    for (size_t i = 0; !*too_many && !status && i < joint->combinations.count; i++)
        for (size_t k = 0; !status && !*too_many && k < fitting->count; k++) {
            const RpReadings *a = &joint->combinations.list[i], *b = &fitting->list[k];
            if (!Choices_AgreeOn(shared, a, b))
                continue;
            RpReadings both = Choices_Within(reaches, b, a);
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
    for (int h = 0; h < RP_READING_MAX; h++) {
        if (!Set_Has(joint->known, h))
            continue;
        domains->possible[h] = 0;
        for (size_t i = 0; i < joint->combinations.count; i++)
            domains->possible[h] |= 1u << joint->combinations.list[i].choice[h];
    }
}

static unsigned Deviations(const RpReadings *choices) {
    unsigned count = 0;
    for (int i = 0; i < RP_READING_MAX; i++)
        count += choices->choice[i] != 0;
    return count;
}

const RpReadings *Joint_Plainest(const Joint *joint) {
    const RpReadings *plainest = &joint->combinations.list[0];
    for (size_t i = 1; i < joint->combinations.count; i++)
        if (Deviations(&joint->combinations.list[i]) < Deviations(plainest))
            plainest = &joint->combinations.list[i];
    return plainest;
}
