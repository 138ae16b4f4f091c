/* A model's .wea text: sections, each a count and pairs of a number and a name. The first section
 * has no keyword and names materials; LIGHTMAPS names lightmaps (facts/formats.md E.3). */
#include "retropose/texm.h"

#include <string.h>

enum { MOST_ROWS = 65536 };

typedef struct Words {
    const RpWearName *words;
    size_t count;
} Words;

/* Returns a whole number that is not negative, or -1. A number that is too large for any row
 * becomes MOST_ROWS. */
static int64_t NumberOf(const Words *words, size_t at) {
    int64_t number = 0;
    if (at >= words->count)
        return -1;
    for (size_t i = 0; i < words->words[at].length; i++) {
        const char digit = words->words[at].text[i];
        if (digit < '0' || digit > '9')
            return -1;
        number = number < MOST_ROWS ? 10 * number + (digit - '0') : MOST_ROWS;
    }
    return number < MOST_ROWS ? number : MOST_ROWS;
}

/* A section's count and pairs begin at `at`. */
typedef struct Table {
    size_t first, end; /* range of the pairs, in words */
    int64_t count;     /* number of names; -1 if there is no table */
} Table;

static Table FindTable(const Words *words, size_t at) {
    Table table = {at + 1, at + 1, NumberOf(words, at)};
    if (table.count < 0 || table.count >= MOST_ROWS)
        return (Table){at, at, -1};
    while (table.end + 1 < words->count && NumberOf(words, table.end) >= 0)
        table.end += 2;
    return table;
}

/* Makes the names of a table, which may be empty. If two pairs have the same number, the later one
 * counts. Returns false if memory is refused. */
static bool TakeNames(const Words *words, const Table *table, const RpAllocator *allocator,
                      RpWearName **names, uint32_t *count) {
    *names = NULL;
    *count = table->count > 0 ? (uint32_t)table->count : 0;
    if (*count == 0)
        return true;
    *names = RpMemory_Resize(allocator, NULL, *count * sizeof **names);
    if (!*names)
        return false;
    for (uint32_t i = 0; i < *count; i++)
        (*names)[i] = (RpWearName){"", 0};
    for (size_t at = table->first; at < table->end; at += 2) {
        const int64_t row = NumberOf(words, at);
        if (row < table->count)
            (*names)[row] = words->words[at + 1];
    }
    return true;
}

RpStatus RpWear_Read(RpWear *wear, const void *text, size_t size, const RpAllocator *allocator,
                     RpError *error) {
    RpBuffer split;
    RpBuffer_Init(&split, allocator);
    const char *characters = text;
    for (size_t at = 0; at < size;) {
        const size_t start = at;
        while (at < size &&
               !(characters[at] == ' ' || (characters[at] >= '\t' && characters[at] <= '\r')))
            at++;
        const RpWearName word = {characters + start, at - start};
        if (word.length > 0)
            RpBuffer_Append(&split, &word, sizeof word);
        else
            at++;
    }
    const Words words = {(const RpWearName *)(const void *)split.bytes,
                         split.size / sizeof(RpWearName)};
    RpWear read = {.allocator = allocator};
    const Table materials = FindTable(&words, 0);

    /* The lightmaps are in the last table behind their keyword. */
    static const char keyword[] = "LIGHTMAPS";
    Table lightmaps = {materials.end, materials.end, -1};
    for (size_t at = materials.end; at < words.count;) {
        const Table table = FindTable(&words, at + 1);
        const RpWearName *word = &words.words[at];
        bool same = word->length == sizeof keyword - 1;
        for (size_t i = 0; same && i < word->length; i++) {
            const char letter = word->text[i];
            same = (letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter) == keyword[i];
        }
        if (same)
            lightmaps = table;
        at = table.count < 0 ? at + 1 : table.end;
    }

    bool fits = !split.failed;
    fits = fits && TakeNames(&words, &materials, allocator, &read.materials, &read.material_count);
    fits = fits && TakeNames(&words, &lightmaps, allocator, &read.lightmaps, &read.lightmap_count);
    RpBuffer_Free(&split);
    if (!fits) {
        RpWear_Free(&read);
        return RpMemory_Refused(error, "no memory for the names of materials");
    }
    *wear = read;
    return RP_OK;
}

void RpWear_Free(RpWear *wear) {
    RpMemory_Free(wear->allocator, wear->materials);
    RpMemory_Free(wear->allocator, wear->lightmaps);
    *wear = (RpWear){.allocator = wear->allocator};
}
