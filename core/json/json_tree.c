#include "core/json/json_tree.h"

#include "core/json/json_read.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The parser in this file reads plain JSON only: no escapes in texts, and no numbers of unusual
 * length. When it meets anything else, a mistake above all, it gives up, and cJSON reads the text
 * from the beginning. So all messages about wrong texts are cJSON's, and this parser has only one
 * thing to get right: a text that it understands must become the same nodes that cJSON would
 * make. */

enum {
    BLOCK_BYTES = 1 << 16,
    MOST_DEPTH = 100,       /* cJSON's own limit is 1000 */
    MOST_NUMBER = 63,       /* cJSON looks at no more characters of a number */
    MOST_EXACT_DIGITS = 15, /* these fit into the 53 bits of a double */
    MOST_EXACT_POWER = 22,  /* the largest power of ten that is exact in a double */
    FOLDED = cJSON_Raw      /* the type of a folded list; valuedouble is its place in the text, and
                               valueint becomes 1 when it has been read */
};

struct JsonBlock {
    struct JsonBlock *next;
};

typedef struct Parser {
    JsonTree *tree;
    JsonMemory *memory;
    const char *at, *end;
    uint32_t fold; /* lists at this depth stay folded */
} Parser;

/* ---- memory ---------------------------------------------------------------------------------- */

static void *AllocateBlock(JsonMemory *memory, size_t size) {
    struct JsonBlock *block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    block->next = memory->blocks;
    memory->blocks = block;
    return block + 1;
}

/* Returns memory that is aligned for a node. */
static void *Allocate(JsonMemory *memory, size_t size) {
    const size_t rounded = (size + sizeof(cJSON *) - 1) / sizeof(cJSON *) * sizeof(cJSON *);
    if (rounded > memory->room_size) {
        const size_t block = rounded > BLOCK_BYTES ? rounded : BLOCK_BYTES;
        memory->room = AllocateBlock(memory, block);
        memory->room_size = memory->room ? block : 0;
        if (!memory->room)
            return NULL;
    }
    void *taken = memory->room;
    memory->room += rounded;
    memory->room_size -= rounded;
    return taken;
}

static void FreeMemory(JsonMemory *memory) {
    while (memory->blocks) {
        struct JsonBlock *next = memory->blocks->next;
        free(memory->blocks);
        memory->blocks = next;
    }
    *memory = (JsonMemory){.blocks = NULL};
}

/* Frees all blocks, unless there is only one, which is kept to be filled anew. */
static void ClearMemory(JsonMemory *memory) {
    if (!memory->blocks || memory->blocks->next) {
        FreeMemory(memory);
        return;
    }
    char *start = (char *)(memory->blocks + 1);
    memory->room_size += (size_t)(memory->room - start);
    memory->room = start;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void SkipSpace(Parser *parser) {
    while (parser->at < parser->end && (unsigned char)*parser->at <= ' ')
        parser->at++;
}

static bool Take(Parser *parser, char expected) {
    if (parser->at == parser->end || *parser->at != expected)
        return false;
    parser->at++;
    return true;
}

static bool IsDigit(const Parser *parser, const char *at) {
    return at < parser->end && *at >= '0' && *at <= '9';
}

/* Reads digits into `*value`. More than MOST_EXACT_DIGITS may overflow it, which IsExact then rules
 * out. */
static const char *ReadDigits(const Parser *parser, const char *at, uint64_t *value) {
    for (; IsDigit(parser, at); at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Lets the C library convert a number, as cJSON does. The result is false when the library does not
 * take all of the text, for example because its locale has another decimal point. */
static bool Convert(const char *text, size_t length, double *number) {
    char copy[MOST_NUMBER + 1], *end;
    memcpy(copy, text, length);
    copy[length] = 0;
    *number = strtod(copy, &end);
    return end == copy + length;
}

/* An integer of 53 bits is exact as a double, and so is a power of ten up to 10^22. Their quotient
 * is rounded once, which is what a correct conversion does. Excess precision would round twice. */
static bool IsExact(size_t digits, int power) {
    return FLT_EVAL_METHOD == 0 && digits <= MOST_EXACT_DIGITS && power <= 0 &&
           power >= -MOST_EXACT_POWER;
}

/* Reads a number of JSON's grammar, except that any number of zeros may stand in front. */
static bool ParseNumber(Parser *parser, cJSON *node) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *start = parser->at, *whole = start + (*start == '-');
    uint64_t value = 0, exponent = 0;
    const char *at = ReadDigits(parser, whole, &value);
    size_t digits = (size_t)(at - whole);
    int power = 0;
    if (digits == 0)
        return false;
    if (at < parser->end && *at == '.') {
        const char *part = at + 1;
        at = ReadDigits(parser, part, &value);
        power = part < at && at - part <= MOST_NUMBER ? -(int)(at - part) : INT_MIN;
        digits += (size_t)(at - part);
    }
    if (at < parser->end && (*at == 'e' || *at == 'E')) {
        const char *sign = at + 1;
        const bool signs = sign < parser->end && (*sign == '-' || *sign == '+');
        const char *part = sign + signs;
        at = ReadDigits(parser, part, &exponent);
        if (at == part || power == INT_MIN)
            return false;
        const int size = at - part <= 4 ? (int)exponent : 9999;
        power += signs && *sign == '-' ? -size : size;
    }
    if (power == INT_MIN || at - start > MOST_NUMBER)
        return false;
    double number = (double)value;
    if (!IsExact(digits, power)) {
        if (!Convert(start, (size_t)(at - start), &number))
            return false;
    } else {
        if (power < 0)
            number /= powers[-power];
        if (*start == '-')
            number = -number;
    }
    node->type = cJSON_Number;
    node->valuedouble = number;
    node->valueint = number >= INT_MAX ? INT_MAX : number <= INT_MIN ? INT_MIN : (int)number;
    parser->at = at;
    return true;
}

/* Reads a text without escapes. The NUL is added to the copy; the text itself may contain
 * others. */
static bool ParseText(Parser *parser, char **text) {
    if (!Take(parser, '"'))
        return false;
    const char *start = parser->at, *at = start;
    while (at < parser->end && *at != '"' && *at != '\\')
        at++;
    if (at == parser->end || *at != '"')
        return false;
    const size_t length = (size_t)(at - start);
    *text = Allocate(parser->memory, length + 1);
    if (!*text)
        return false;
    memcpy(*text, start, length);
    (*text)[length] = 0;
    parser->at = at + 1;
    return true;
}

static bool ParseWord(Parser *parser, const char *word, size_t length, int type, cJSON *node) {
    if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0)
        return false;
    parser->at += length;
    node->type = type;
    node->valueint = type == cJSON_True;
    return true;
}

/* Passes over a list by counting brackets. */
static bool FoldList(Parser *parser, cJSON *node) {
    uint32_t open = 0;
    node->type = FOLDED;
    node->valuestring = (char *)""; /* cJSON prints it in the place of the list */
    node->valuedouble = (double)(parser->at - parser->tree->text);
    parser->tree->folded++;
    for (; parser->at < parser->end; parser->at++) {
        switch (*parser->at) {
        case '[':
        case '{':
            open++;
            break;
        case ']':
        case '}':
            if (--open == 0) {
                parser->at++;
                return true;
            }
            break;
        case '"':
            parser->at++;
            while (parser->at < parser->end && *parser->at != '"')
                parser->at++;
            if (parser->at == parser->end)
                return false;
            break;
        default:
            break;
        }
    }
    return false;
}

static bool ParseValue(Parser *parser, uint32_t depth, cJSON *node);

/* Reads the elements of a list, or the members of an object, up to the bracket that closes it. */
static bool ParseChildren(Parser *parser, uint32_t depth, bool named, char close, cJSON *node) {
    cJSON *last = NULL;
    parser->at++;
    SkipSpace(parser);
    if (depth >= MOST_DEPTH)
        return false;
    if (Take(parser, close))
        return true;
    do {
        cJSON *child = Allocate(parser->memory, sizeof *child);
        if (!child)
            return false;
        *child = (cJSON){.prev = last};
        *(last ? &last->next : &node->child) = child;
        last = child;
        SkipSpace(parser);
        if (named) {
            if (!ParseText(parser, &child->string))
                return false;
            SkipSpace(parser);
            if (!Take(parser, ':'))
                return false;
            SkipSpace(parser);
        }
        if (!ParseValue(parser, depth + 1, child))
            return false;
        SkipSpace(parser);
    } while (Take(parser, ','));
    node->child->prev = last;
    return Take(parser, close);
}

static bool ParseValue(Parser *parser, uint32_t depth, cJSON *node) {
    switch (parser->at < parser->end ? *parser->at : 0) {
    case '[':
        if (depth == parser->fold)
            return FoldList(parser, node);
        node->type = cJSON_Array;
        return ParseChildren(parser, depth, false, ']', node);
    case '{':
        node->type = cJSON_Object;
        return ParseChildren(parser, depth, true, '}', node);
    case '"':
        node->type = cJSON_String;
        return ParseText(parser, &node->valuestring);
    case 'n':
        return ParseWord(parser, "null", 4, cJSON_NULL, node);
    case 't':
        return ParseWord(parser, "true", 4, cJSON_True, node);
    case 'f':
        return ParseWord(parser, "false", 5, cJSON_False, node);
    default:
        return parser->at < parser->end && (*parser->at == '-' || IsDigit(parser, parser->at)) &&
               ParseNumber(parser, node);
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

bool JsonTree_Fold(JsonTree *tree, const char *text, size_t size, uint32_t depth) {
    const char *end = size ? text + size : text; /* an empty text may be NULL */
    *tree = (JsonTree){.is_folded = true, .text = text, .end = end};
    Parser parser = {.tree = tree, .memory = &tree->memory, .at = text, .end = end, .fold = depth};
    cJSON *root = Allocate(&tree->memory, sizeof *root);
    if (root) {
        *root = (cJSON){.type = cJSON_Invalid};
        SkipSpace(&parser);
        if (ParseValue(&parser, 0, root) &&
            JsonRead_SkipSpace(parser.at, parser.end) == parser.end) {
            tree->root = root;
            return true;
        }
    }
    JsonTree_Free(tree);
    return false;
}

bool JsonTree_Parse(JsonTree *tree, const char *text, size_t size, const char **end) {
    *tree = (JsonTree){.root = JsonRead_Parse(text, size, end)};
    return tree->root != NULL;
}

bool JsonTree_IsRead(const JsonTree *tree) {
    return tree->read == tree->folded;
}

void JsonTree_Free(JsonTree *tree) {
    if (!tree->is_folded)
        cJSON_Delete(tree->root);
    FreeMemory(&tree->memory);
    FreeMemory(&tree->element);
    tree->root = NULL;
}

/* ---- lists ----------------------------------------------------------------------------------- */

bool JsonList_Begin(JsonList *list, JsonTree *tree, const cJSON *item) {
    *list = (JsonList){.tree = tree, .is_first = true};
    if (cJSON_IsArray(item)) {
        list->next = item->child;
        return true;
    }
    if (!tree->is_folded || !cJSON_IsRaw(item))
        return false;
    list->folded = (cJSON *)(uintptr_t)item;
    list->at = tree->text + (size_t)item->valuedouble + 1; /* behind the bracket */
    return true;
}

static const cJSON *NextOfFolded(JsonList *list) {
    JsonTree *tree = list->tree;
    Parser parser = {.tree = tree,
                     .memory = &tree->element,
                     .at = list->at,
                     .end = tree->end,
                     .fold = UINT32_MAX};
    list->at = NULL;
    SkipSpace(&parser);
    if (Take(&parser, ']')) {
        tree->read += !list->folded->valueint;
        list->folded->valueint = 1;
        return NULL;
    }
    if (!list->is_first && !Take(&parser, ','))
        return NULL;
    SkipSpace(&parser);
    ClearMemory(&tree->element);
    cJSON *element = Allocate(&tree->element, sizeof *element);
    if (!element)
        return NULL;
    *element = (cJSON){.type = cJSON_Invalid};
    if (!ParseValue(&parser, 0, element))
        return NULL;
    list->at = parser.at;
    list->is_first = false;
    return element;
}

const cJSON *JsonList_Next(JsonList *list) {
    if (list->folded)
        return list->at ? NextOfFolded(list) : NULL;
    const cJSON *element = list->next;
    list->next = element ? element->next : NULL;
    return element;
}
