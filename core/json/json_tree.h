/* Texts of JSON with long lists, of which one element at a time is made into cJSON's nodes. */
#ifndef RETROPOSE_CORE_JSON_JSON_TREE_H
#define RETROPOSE_CORE_JSON_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

/* Memory for nodes and texts, taken bit by bit and given back at once. */
typedef struct JsonMemory {
    struct JsonBlock *blocks;
    char *room; /* what is left of the first block */
    size_t room_size;
} JsonMemory;

typedef struct JsonTree {
    struct cJSON *root; /* to be read only: its nodes cannot be moved or deleted one by one */
    bool is_folded;
    const char *text, *end;
    uint32_t folded, read; /* lists */
    JsonMemory memory;     /* of all nodes outside of folded lists */
    JsonMemory element;    /* of the element that JsonList_Next has given last */
} JsonTree;

/* Makes the tree of a text, in which the lists at a depth (the root's is 0) stay folded: for cJSON
 * they are neither lists nor anything else, and JsonList reads them. The result is false for a text
 * that is not plain JSON without escapes, although cJSON may read it. When it is true, a mistake
 * may still be in a folded list: JsonTree_IsRead tells. Memory comes from the C library. */
bool JsonTree_Fold(JsonTree *tree, const char *text, size_t size, uint32_t depth);
/* Makes the whole tree as JsonRead_Parse does. The result is false where that gives none. */
bool JsonTree_Parse(JsonTree *tree, const char *text, size_t size, const char **end);
/* Returns whether every folded list was read to its end without a mistake. The text is then one
 * that cJSON reads, too, and all nodes were those that it makes. */
bool JsonTree_IsRead(const JsonTree *tree);
void JsonTree_Free(JsonTree *tree);

/* The elements of a list, folded or not. */
typedef struct JsonList {
    JsonTree *tree;
    struct cJSON *folded;     /* null: the list is not folded */
    const struct cJSON *next; /* of such a list */
    const char *at;           /* in the text of a folded list; null: it has ended */
    bool is_first;            /* no element of a folded list was read */
} JsonList;

/* Returns false for what is not a list. */
bool JsonList_Begin(JsonList *list, JsonTree *tree, const struct cJSON *item);
/* Returns null behind the last element, or at a mistake. Of a folded list, each element is there
 * until the next one is asked for. */
const struct cJSON *JsonList_Next(JsonList *list);

#endif
