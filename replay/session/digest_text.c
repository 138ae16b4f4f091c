/* Writes and reads the text of a digest: words with spaces or line ends between them
 * (docs/proof/send.md). */
#include "core/hash.h"
#include "core/hex.h"
#include "replay/session/answer_digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WORD   "retropose-digest"
#define VERSION      "1"
#define LINE_COLUMNS 92 /* seventy lines for all scenarios; a message may break them again */
#define MOST_BLOCKS  64
#define MOST_INPUTS  16 /* the most inputs of a block */

static const char *const sum_names[ABI_MODULE_COUNT] = {"Ngi32.dll", "AniMesh.dll"};

/* Adds a word and a line end to the check that stands at the end. */
static uint64_t CheckWord(uint64_t check, const char *word, size_t length) {
    return Hash_Fnv64(Hash_Fnv64(check, word, length), "\n", 1);
}

/* ---- writing ---------------------------------------------------------------------------------
 */

typedef struct Writing {
    RpBuffer *text;
    size_t column;
    uint64_t check;
} Writing;

static void EndLine(Writing *writing) {
    if (writing->column > 0)
        RpBuffer_AppendText(writing->text, "\n");
    writing->column = 0;
}

/* Writes a word, in a new line if the current one has no room for it. */
static void AddWord(Writing *writing, const char *word) {
    const size_t length = strlen(word);
    if (writing->column > 0 && writing->column + 1 + length > LINE_COLUMNS)
        EndLine(writing);
    if (writing->column > 0)
        RpBuffer_AppendText(writing->text, " ");
    RpBuffer_AppendText(writing->text, word);
    writing->column += length + (writing->column > 0);
    writing->check = CheckWord(writing->check, word, length);
}

/* Writes a value without spaces, so that a word ends where its value does. */
static void AddValue(Writing *writing, const char *name, const char *value) {
    char word[2200];
    snprintf(word, sizeof word, "%s=%s", name, value);
    for (char *c = word; *c; c++)
        if (*c == ' ')
            *c = '_';
    AddWord(writing, word);
}

static void AddNumber(Writing *writing, const char *name, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    AddValue(writing, name, text);
}

/* Returns whether the input's machine is a ForceCpu value of its own. */
static bool NamesCpu(const SessionInput *input) {
    return strstr(input->name, "@cpu") != NULL;
}

void AnswerDigest_Text(const AnswerDigest *digest, RpBuffer *text) {
    Writing writing = {.text = text, .check = HASH_FNV64_BEGIN};
    AddWord(&writing, FIRST_WORD);
    AddWord(&writing, VERSION);
    AddValue(&writing, "by", digest->by);
    if (digest->processor[0])
        AddValue(&writing, "processor", digest->processor);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        EndLine(&writing);
        if (digest->sha256[i][0])
            AddValue(&writing, sum_names[i], digest->sha256[i]);
    }
    EndLine(&writing);
    AddValue(&writing, "readings", digest->readings[0] ? digest->readings : "default");
    EndLine(&writing);
    for (size_t i = 0; i < digest->block_count; i++) {
        const DigestBlock *block = &digest->blocks[i];
        char calls[16], inputs[1024]; /* inputs such as "slots:1000,slots@fxch:1000" */
        size_t length = 0;
        for (size_t k = 0; k < block->input_count && length < sizeof inputs; k++) {
            const SessionInput *input = &block->inputs[k];
            length += (size_t)snprintf(
                inputs + length, sizeof inputs - length, "%s%s:%" PRIu64, k ? "," : "",
                input->name[0] ? input->name : input->scenario->name, input->count);
        }
        AddValue(&writing, "scenario", inputs);
        AddNumber(&writing, "seed", block->inputs->seed);
        AddNumber(&writing, "first", block->inputs->first);
        for (size_t k = 0; k < block->input_count; k++)
            if (block->inputs[k].force_cpu >= 0 && !NamesCpu(&block->inputs[k])) {
                AddNumber(&writing, "force-cpu", (uint64_t)block->inputs[k].force_cpu);
                break; /* --force-cpu is the same for all inputs */
            }
        snprintf(calls, sizeof calls, "%08" PRIx32, block->calls);
        AddValue(&writing, "calls", calls);

        /* Keys begin with the name of their module, which is written once before all keys that have
         * it. */
        char module[64] = "";
        for (size_t k = 0; k < block->cell_count; k++) {
            const DigestCell *cell = &block->cells[k];
            const char *key = cell->function->key, *name = strchr(key, '.') + 1;
            const char *mark = cell->kind == ANSWERS_OF_PROCESSOR ? "~" : "";
            char begin[64], pair[160];
            snprintf(begin, sizeof begin, "%.*s:", (int)(name - 1 - key), key);
            if (strcmp(begin, module) != 0) {
                snprintf(module, sizeof module, "%s", begin);
                EndLine(&writing);
                AddWord(&writing, begin);
            }
            if (cell->state == DIGEST_WHOLE)
                snprintf(pair, sizeof pair, "%s%s=%08" PRIx32, name, mark, cell->digest);
            else
                snprintf(pair, sizeof pair, "%s%s=%s", name, mark,
                         cell->state == DIGEST_NONE ? "none" : "part");
            AddWord(&writing, pair);
        }
        EndLine(&writing);
    }
    RpBuffer_Print(text, "end=%08" PRIx32 "\n", (uint32_t)writing.check);
}

/* ---- reading ---------------------------------------------------------------------------------
 */

typedef struct Reading {
    AnswerDigest *digest;
    const char *begin, *at, *end;
    uint64_t check;
    char word[2200]; /* the last word that was read */
    size_t offset;   /* where that word is in the text */
    char module[32]; /* the module, with a point, with which the keys after it begin */
    DigestBlock *block;
    DigestBlock dropped; /* stands for a block of a scenario that this version does not have */
    bool ended;
    RpError *error;
} Reading;

static bool IsSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads the next word. A word that is too long is cut, so that it matches no known one. At the
 * beginning of a line, the marks of a quotation are skipped, too. */
static bool NextWord(Reading *reading) {
    size_t length = 0;
    bool fresh = reading->at == reading->begin;
    for (; reading->at < reading->end; reading->at++) {
        const char c = *reading->at;
        if (c == '\n')
            fresh = true;
        else if (!IsSpace(c) && !(fresh && c == '>'))
            break;
    }
    reading->offset = (size_t)(reading->at - reading->begin);
    for (; reading->at < reading->end && !IsSpace(*reading->at); reading->at++)
        if (length + 1 < sizeof reading->word)
            /* no word contains a question mark */
            reading->word[length++] = *reading->at ? *reading->at : '?';
    reading->word[length] = 0;
    return length > 0;
}

static RpStatus Refuse(const Reading *reading, RpStatus status, const char *what,
                       const char *expected) {
    char found[80];
    snprintf(found, sizeof found, "%.79s", reading->word);
    return RpError_Set(reading->error, status, reading->offset, what, "the digest", expected,
                       found);
}

static bool ReadNumber(const char *text, uint64_t most, uint64_t *number) {
    *number = 0;
    for (const char *c = text; *c; c++) {
        const unsigned digit = (unsigned)(*c - '0');
        if (digit > 9 || *number > (most - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return *text != 0;
}

static bool ReadDigest(const char *text, uint32_t *digest) {
    uint8_t bytes[4];
    if (strlen(text) != 8 || !Hex_Read(text, bytes, sizeof bytes))
        return false;
    *digest = Bytes_BigU32(bytes);
    return true;
}

/* Reads "slots@fxch:1000". An unknown scenario leaves the block without one. */
static bool ReadInput(DigestBlock *block, const char *text) {
    SessionInput input = {.force_cpu = -1};
    const char *colon = strchr(text, ':'), *at = strchr(text, '@');
    char name[64], machine[32] = "";
    if (!colon || (at && at > colon))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)((at ? at : colon) - text), text);
    if (at)
        snprintf(machine, sizeof machine, "%.*s", (int)(colon - at - 1), at + 1);
    input.scenario = Scenario_Find(name);
    if (!ReadNumber(colon + 1, UINT32_MAX * (uint64_t)1024, &input.count) || input.count == 0)
        return false;
    if (!input.scenario)
        return true;
    if ((at && !SessionInput_OnMachine(&input, machine)) || block->input_count == MOST_INPUTS ||
        (block->scenario && block->scenario != input.scenario))
        return false;
    SessionInput *inputs = realloc(block->inputs, (block->input_count + 1) * sizeof *inputs);
    if (!inputs)
        return false;
    block->inputs = inputs;
    inputs[block->input_count++] = input;
    block->scenario = input.scenario;
    return true;
}

static void FreeBlock(DigestBlock *block) {
    free(block->inputs);
    free(block->cells);
    *block = (DigestBlock){.scenario = NULL};
}

/* Reads a word about a block that comes before its cells. Returns false if the name is none of
 * those that a block has. */
static bool ReadOfBlock(Reading *reading, const char *name, const char *value, bool *good) {
    DigestBlock *block = reading->block;
    uint64_t number = 0;
    if (strcmp(name, "calls") == 0) {
        *good = ReadDigest(value, &block->calls);
        return true;
    }
    const bool seed = strcmp(name, "seed") == 0, first = strcmp(name, "first") == 0;
    const bool force = strcmp(name, "force-cpu") == 0;
    if (!seed && !first && !force)
        return false;
    *good = ReadNumber(value, force ? INT32_MAX : UINT64_MAX, &number);
    for (size_t i = 0; i < block->input_count; i++) {
        if (seed)
            block->inputs[i].seed = number;
        else if (first)
            block->inputs[i].first = number;
        else if (!NamesCpu(&block->inputs[i]))
            block->inputs[i].force_cpu = (int)number;
    }
    return true;
}

static RpStatus ReadCell(Reading *reading, char *name, const char *value) {
    DigestCell cell = {.state = DIGEST_WHOLE};
    DigestBlock *block = reading->block;
    const size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '~') {
        name[length - 1] = 0;
        cell.kind = ANSWERS_OF_PROCESSOR;
    }
    if (strcmp(value, "none") == 0)
        cell.state = DIGEST_NONE;
    else if (strcmp(value, "part") == 0)
        cell.state = DIGEST_PART;
    else if (!ReadDigest(value, &cell.digest))
        return Refuse(reading, RP_CORRUPT, "this is no digest of answers",
                      "eight hexadecimal digits, none or part");
    char key[128];
    snprintf(key, sizeof key, "%s%.90s", reading->module, name);
    cell.function = Abi_Find(key);
    if (!cell.function || block == &reading->dropped) {
        reading->digest->unknown += !cell.function;
        return RP_OK;
    }
    DigestCell *cells = realloc(block->cells, (block->cell_count + 1) * sizeof *cells);
    if (!cells)
        return RpMemory_Refused(reading->error, "a digest");
    block->cells = cells;
    cells[block->cell_count++] = cell;
    return RP_OK;
}

/* Copies a value and puts back the spaces that AddValue has replaced. Returns false if it is too
 * long. */
static bool TakeText(char *text, size_t size, const char *value, bool spaces) {
    if (strlen(value) >= size)
        return false;
    memcpy(text, value, strlen(value) + 1);
    for (char *c = text; spaces && *c; c++)
        if (*c == '_')
            *c = ' ';
    return true;
}

/* Reads a word about the whole digest. Returns false if the name is none of those that a digest
 * has. */
static bool ReadOfAll(Reading *reading, const char *name, const char *value, bool *good) {
    AnswerDigest *digest = reading->digest;
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (strcmp(name, sum_names[i]) == 0) {
            *good = strlen(value) == 64 && Hex_IsSha256(value) &&
                    TakeText(digest->sha256[i], sizeof digest->sha256[i], value, false);
            return true;
        }
    if (strcmp(name, "by") == 0)
        *good = TakeText(digest->by, sizeof digest->by, value, true);
    else if (strcmp(name, "processor") == 0)
        *good = TakeText(digest->processor, sizeof digest->processor, value, true);
    else if (strcmp(name, "readings") == 0)
        *good = TakeText(digest->readings, sizeof digest->readings,
                         strcmp(value, "default") == 0 ? "" : value, false);
    else
        return false;
    return true;
}

static RpStatus EndsEarly(const Reading *reading) {
    return RpError_Set(reading->error, RP_TRUNCATED, (uint64_t)(reading->end - reading->begin),
                       "the digest ends early", "", "a last word end=...", "");
}

static RpStatus ReadWord(Reading *reading) {
    char *word = reading->word, *equals = strchr(word, '=');
    const size_t length = strlen(word);
    if (strncmp(word, "end=", 4) == 0) {
        uint32_t check = 0;
        char expected[16];
        snprintf(expected, sizeof expected, "%08" PRIx32, (uint32_t)reading->check);
        reading->ended = true;
        if (!ReadDigest(word + 4, &check) || check != (uint32_t)reading->check)
            return Refuse(reading, RP_CORRUPT, "the digest was changed on its way", expected);
        return RP_OK;
    }
    if (reading->at == reading->end) /* the text may have ended within a word */
        return EndsEarly(reading);
    reading->check = CheckWord(reading->check, word, length);

    if (!equals && word[length - 1] == ':' && length < sizeof reading->module) {
        snprintf(reading->module, sizeof reading->module, "%.*s.", (int)(length - 1), word);
        return RP_OK;
    }
    if (!equals)
        return Refuse(reading, RP_CORRUPT, "the word is unknown", "what a digest has there");

    /* a copy, because the whole word is still needed for an error */
    char name[sizeof reading->word], *value = name + (equals - word) + 1;
    snprintf(name, sizeof name, "%s", word);
    name[equals - word] = 0;
    if (strcmp(name, "scenario") == 0) {
        AnswerDigest *digest = reading->digest;
        DigestBlock block = {.scenario = NULL};
        bool are_scenarios = digest->block_count < MOST_BLOCKS;
        for (char *text = value; text && are_scenarios;) {
            char *comma = strchr(text, ',');
            if (comma)
                *comma = 0;
            are_scenarios = ReadInput(&block, text);
            text = comma ? comma + 1 : NULL;
        }
        if (!are_scenarios) {
            FreeBlock(&block);
            return Refuse(reading, RP_CORRUPT, "this is no scenario", "NAME[@MACHINE]:CALLS,...");
        }
        if (!block.scenario) {
            digest->unknown++;
            FreeBlock(&reading->dropped);
            reading->block = &reading->dropped;
            return RP_OK;
        }
        DigestBlock *blocks = realloc(digest->blocks, (digest->block_count + 1) * sizeof *blocks);
        if (!blocks) {
            FreeBlock(&block);
            return RpMemory_Refused(reading->error, "a digest");
        }
        digest->blocks = blocks;
        blocks[digest->block_count] = block;
        reading->block = &blocks[digest->block_count++];
        return RP_OK;
    }
    bool good = true;
    const bool taken = reading->block ? ReadOfBlock(reading, name, value, &good)
                                      : ReadOfAll(reading, name, value, &good);
    if (!good)
        return Refuse(reading, RP_CORRUPT, "this is no value", "what a digest has there");
    if (taken)
        return RP_OK;
    if (!reading->block || !reading->module[0])
        return Refuse(reading, RP_CORRUPT, "the word is unknown", "what a digest has there");
    return ReadCell(reading, name, value);
}

RpStatus AnswerDigest_Read(AnswerDigest *digest, const char *text, size_t size, RpError *error) {
    Reading *reading = calloc(1, sizeof *reading);
    memset(digest, 0, sizeof *digest);
    if (!reading)
        return RpMemory_Refused(error, "a digest");
    reading->digest = digest;
    reading->begin = reading->at = text;
    reading->end = text + size;
    reading->error = error;
    RpStatus status = RP_OK;

    /* The first word, before which a message may have any others, and the version. */
    while (NextWord(reading) && strcmp(reading->word, FIRST_WORD) != 0) {
    }
    if (strcmp(reading->word, FIRST_WORD) != 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no digest", "",
                             "a text with the word " FIRST_WORD, "");
    if (!status) {
        reading->check = CheckWord(HASH_FNV64_BEGIN, reading->word, strlen(reading->word));
        NextWord(reading);
        if (strcmp(reading->word, VERSION) != 0)
            status = Refuse(reading, RP_UNSUPPORTED, "the digest has another version", VERSION);
        reading->check = CheckWord(reading->check, reading->word, strlen(reading->word));
    }

    while (!status && !reading->ended && NextWord(reading))
        status = ReadWord(reading);
    if (!status && !reading->ended)
        status = EndsEarly(reading);
    FreeBlock(&reading->dropped);
    free(reading);
    if (status)
        AnswerDigest_Free(digest);
    return status;
}
