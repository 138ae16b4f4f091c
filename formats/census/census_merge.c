/* Saves the counts of a census as bytes, and adds saved counts to those of another census. */
#include "formats/census/census.h"

#include "formats/census/census_tally.h"

#include <stddef.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

typedef enum Rule {
    ADDED,
    GREATER_COUNTS,
    LESSER_COUNTS /* except for 0, which is the number of no model */
} Rule;

typedef struct Field {
    size_t at, count, size; /* `count` numbers of 4 or 8 bytes */
    Rule rule;
} Field;

#define NUMBERS(member, bytes, rule)                                                               \
    {                                                                                              \
        offsetof(CensusTally, member), sizeof((CensusTally){.archives = 0}.member) / (bytes),      \
            bytes, rule                                                                            \
    }
#define SUM(member)   NUMBERS(member, 4, ADDED)
#define WIDE(member)  NUMBERS(member, 8, ADDED)
#define MOST(member)  NUMBERS(member, 4, GREATER_COUNTS)
#define LEAST(member) NUMBERS(member, 4, LESSER_COUNTS)

static const Field fields[] = {SUM(archives),
                               SUM(entries),
                               SUM(damaged),
                               SUM(odd_offsets),
                               SUM(wide_gaps),
                               SUM(repacked),
                               SUM(models),
                               SUM(animated_models),
                               SUM(legacy),
                               SUM(lit),
                               SUM(paths),
                               SUM(interiors),
                               SUM(nodes),
                               SUM(animated),
                               SUM(cockpits),
                               MOST(most_nodes),
                               LEAST(fewest_slots),
                               MOST(most_slots),
                               LEAST(fewest_batches),
                               MOST(most_batches),
                               LEAST(fewest_vertices),
                               MOST(most_vertices),
                               SUM(timed_models),
                               SUM(level_slots),
                               SUM(exact_slots),
                               SUM(state_nodes),
                               SUM(batches),
                               SUM(bits),
                               SUM(lit_batches),
                               SUM(keys),
                               SUM(unit_keys),
                               SUM(zero_keys),
                               SUM(animated_keys),
                               SUM(placed_keys),
                               SUM(last_fallbacks),
                               SUM(triangles),
                               SUM(posed),
                               SUM(level_models),
                               SUM(level_inside),
                               WIDE(level_triangles),
                               WIDE(cockpit_triangles),
                               SUM(inside_with_cockpits),
                               SUM(animated_inside),
                               SUM(animated_with_cockpits),
                               SUM(reached),
                               SUM(reached_unposed),
                               SUM(exact_boxes),
                               SUM(exact_with_all),
                               SUM(bounded)};
enum { FIELDS = sizeof fields / sizeof *fields };

static uint64_t Load(const void *from, size_t size) {
    uint32_t word;
    uint64_t wide;
    memcpy(&word, from, sizeof word);
    if (size == sizeof word)
        return word;
    memcpy(&wide, from, sizeof wide);
    return wide;
}

static void Store(void *to, size_t size, uint64_t number) {
    const uint32_t word = (uint32_t)number;
    memcpy(to, size == sizeof word ? (const void *)&word : (const void *)&number, size);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

bool Census_Save(const Census *census, RpBuffer *bytes) {
    const CensusTally *tally = &census->tally;
    const uint8_t flags[] = {tally->has_system, tally->system_permutes};
    for (size_t i = 0; i < FIELDS; i++)
        RpBuffer_Append(bytes, (const uint8_t *)tally + fields[i].at,
                        fields[i].count * fields[i].size);
    RpBuffer_Append(bytes, flags, sizeof flags);
    RpBuffer_Append(bytes, tally->sums, sizeof tally->sums);
    RpBuffer_Append(bytes, tally->unpacked, sizeof tally->unpacked);
    RpBuffer_Append(bytes, tally->named, sizeof tally->named);
    RpBuffer_Append(bytes, &tally->word_count, sizeof tally->word_count);
    RpBuffer_Append(bytes, tally->words, tally->word_count * sizeof *tally->words);
    for (int i = 0; i < 2; i++) {
        const uint64_t size = tally->errors[i].size;
        RpBuffer_Append(bytes, &size, sizeof size);
        RpBuffer_Append(bytes, tally->errors[i].bytes, tally->errors[i].size);
    }
    return !bytes->failed;
}

typedef struct Bytes {
    const uint8_t *at;
    size_t left;
} Bytes;

/* Returns the next `size` bytes, or null if there are fewer. */
static const uint8_t *Take(Bytes *bytes, size_t size) {
    const uint8_t *at = bytes->at;
    if (!at || bytes->left < size) {
        bytes->at = NULL;
        return NULL;
    }
    bytes->at += size;
    bytes->left -= size;
    return at;
}

static uint64_t Join(Rule rule, uint64_t own, uint64_t other) {
    if (rule == ADDED || !own || !other)
        return own + other;
    return (rule == GREATER_COUNTS) == (own > other) ? own : other;
}

/* If two files have the same name, the last one counts, as in a single census. */
static bool AddNamed(CensusTally *tally, Bytes *bytes) {
    enum { SUMS = CENSUS_LIBRARIES * sizeof(uint64_t) };
    const uint8_t *flags = Take(bytes, 2), *sums = Take(bytes, SUMS);
    const uint8_t *unpacked = Take(bytes, SUMS);
    if (!unpacked || flags[0] > 1 || flags[1] > 1)
        return false;
    if (flags[0]) {
        tally->has_system = true;
        tally->system_permutes = flags[1];
    }
    for (size_t i = 0; i < CENSUS_LIBRARIES; i++) {
        if (!Load(sums + 8 * i, 8))
            continue;
        tally->sums[i] = Load(sums + 8 * i, 8);
        tally->unpacked[i] = Load(unpacked + 8 * i, 8);
    }
    return true;
}

/* If two models have the same name, the first one counts. */
static bool AddModels(CensusTally *tally, Bytes *bytes) {
    for (size_t i = 0; i < CENSUS_NAMED; i++) {
        const char *text = (const char *)Take(bytes, CENSUS_TEXT);
        if (!text || text[CENSUS_TEXT - 1])
            return false;
        if (!tally->named[i][0])
            memcpy(tally->named[i], text, CENSUS_TEXT);
    }
    return true;
}

static bool AddWords(CensusTally *tally, Bytes *bytes) {
    const uint8_t *head = Take(bytes, 4);
    const uint64_t count = head ? Load(head, 4) : 0;
    const uint8_t *words = count <= CENSUS_WORDS ? Take(bytes, 4 * (size_t)count) : NULL;
    for (uint64_t i = 0; words && i < count; i++)
        CensusTally_Word(tally, (uint32_t)Load(words + 4 * i, 4));
    return head && words;
}

static bool AddErrors(RpBuffer *errors, Bytes *bytes) {
    const uint8_t *head = Take(bytes, 8);
    const uint64_t size = head ? Load(head, 8) : 1;
    const uint8_t *added =
        size % sizeof(double) == 0 && size <= bytes->left ? Take(bytes, (size_t)size) : NULL;
    return added && RpBuffer_Append(errors, added, (size_t)size);
}

RpStatus Census_Merge(Census *census, const void *saved, size_t size, RpError *error) {
    CensusTally *tally = &census->tally;
    Bytes bytes = {saved, size};
    bool good = saved != NULL;
    for (size_t i = 0; i < FIELDS && good; i++) {
        const Field *field = &fields[i];
        const uint8_t *from = Take(&bytes, field->count * field->size);
        uint8_t *to = (uint8_t *)tally + field->at;
        for (size_t k = 0; from && k < field->count; k++) {
            const size_t at = k * field->size;
            const uint64_t own = Load(to + at, field->size), other = Load(from + at, field->size);
            Store(to + at, field->size, Join(field->rule, own, other));
        }
        good = from != NULL;
    }
    good = good && AddNamed(tally, &bytes) && AddModels(tally, &bytes) && AddWords(tally, &bytes) &&
           AddErrors(&tally->errors[0], &bytes) && AddErrors(&tally->errors[1], &bytes);
    if (tally->errors[0].failed || tally->errors[1].failed)
        return RpMemory_Refused(error, "a census");
    return good && bytes.left == 0
               ? RP_OK
               : RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "these are not the sums of a census",
                             "", "what the same program has saved", "");
}
