#include "formats/peers/wear.h"

#include "formats/peers/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_ROWS = 65536 };

typedef struct Word {
    const char *text;
    size_t size;
} Word;

typedef struct Words {
    const Word *words;
    size_t count;
} Words;

static bool IsSpace(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Appends the words of a text. */
static void Split(const char *text, size_t size, RpBuffer *words) {
    for (size_t at = 0; at < size;) {
        const size_t start = at;
        while (at < size && !IsSpace(text[at]))
            at++;
        const Word word = {text + start, at - start};
        if (word.size > 0)
            RpBuffer_Append(words, &word, sizeof word);
        else
            at++;
    }
}

/* Returns a whole number from 0 on, or -1. Larger ones than any row become MOST_ROWS. */
static int64_t NumberOf(const Words *words, size_t at) {
    int64_t number = 0;
    if (at >= words->count)
        return -1;
    for (size_t i = 0; i < words->words[at].size; i++) {
        const char digit = words->words[at].text[i];
        if (digit < '0' || digit > '9')
            return -1;
        number = number < MOST_ROWS ? 10 * number + (digit - '0') : MOST_ROWS;
    }
    return number < MOST_ROWS ? number : MOST_ROWS;
}

/* A section's count and pairs begin at `at`. */
typedef struct Table {
    size_t first, end; /* of the pairs, in words */
    int64_t count;     /* of the names; -1: there is no table */
} Table;

static Table FindTable(const Words *words, size_t at) {
    Table table = {at + 1, at + 1, NumberOf(words, at)};
    if (table.count < 0 || table.count >= MOST_ROWS)
        return (Table){at, at, -1};
    while (table.end + 1 < words->count && NumberOf(words, table.end) >= 0)
        table.end += 2;
    return table;
}

/* Of two pairs with one number the later one counts. */
static void PutTable(RpBuffer *json, const Words *words, const Table *table, Word *names) {
    const size_t count = table->count > 0 ? (size_t)table->count : 0;
    for (size_t i = 0; i < count; i++)
        names[i] = (Word){"", 0};
    for (size_t at = table->first; at < table->end; at += 2) {
        const int64_t row = NumberOf(words, at);
        if (row < table->count)
            names[row] = words->words[at + 1];
    }
    RpBuffer_AppendText(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            RpBuffer_AppendText(json, ", ");
        PeerJson_Text(json, names[i].text, names[i].size);
    }
    RpBuffer_AppendText(json, "]");
}

static bool IsKeyword(const Word *word, const char *keyword) {
    bool same = word->size == strlen(keyword);
    for (size_t i = 0; same && i < word->size; i++) {
        const char letter = word->text[i];
        same = (letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter) == keyword[i];
    }
    return same;
}

static Table FindLightmaps(const Words *words, size_t at) {
    Table found = {at, at, -1};
    while (at < words->count) {
        const Table table = FindTable(words, at + 1);
        if (IsKeyword(&words->words[at], "LIGHTMAPS"))
            found = table;
        at = table.count < 0 ? at + 1 : table.end;
    }
    return found;
}

void Wear_Put(RpBuffer *json, const char *text, size_t size, const RpAllocator *allocator) {
    RpBuffer split;
    RpBuffer_Init(&split, allocator);
    Split(text, text ? size : 0, &split);
    const Words words = {(const Word *)(const void *)split.bytes, split.size / sizeof(Word)};
    Word *names = RpMemory_Resize(allocator, NULL, MOST_ROWS * sizeof *names);
    const Table materials = FindTable(&words, 0), lightmaps = FindLightmaps(&words, materials.end);
    if (split.failed || !names) {
        json->failed = true;
    } else {
        RpBuffer_AppendText(json, "{\"materials\": ");
        PutTable(json, &words, &materials, names);
        RpBuffer_AppendText(json, ", \"lightmaps\": ");
        PutTable(json, &words, &lightmaps, names);
        RpBuffer_AppendText(json, "}");
    }
    RpMemory_Free(allocator, names);
    RpBuffer_Free(&split);
}
