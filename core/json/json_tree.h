/* Reads JSON with long lists, and makes cJSON's nodes for only one element of a list at a time. */
#ifndef RETROPOSE_CORE_JSON_JSON_TREE_H
#define RETROPOSE_CORE_JSON_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

/* Memory for nodes and texts. It is handed out in small pieces, and all of it is freed at once. */
typedef struct JsonMemory {
    struct JsonBlock *blocks;
    char *room; /* what is left of the first block */
    size_t room_size;
} JsonMemory;

typedef struct JsonTree {
    struct cJSON *root; /* to be read only: its nodes cannot be moved or deleted one by one */
    bool is_folded;
    const char *text, *end;
    uint32_t folded, read; /* numbers of lists */
    JsonMemory memory;     /* of all nodes that are not in folded lists */
    JsonMemory element;    /* of the element that JsonList_Next has returned last */
} JsonTree;

/* Makes the tree of a text in which the lists at a depth (the root's is 0) stay folded. To cJSON,
 * such a node is neither a list nor anything else; JsonList reads it. The result is false for a
 * text that is not plain JSON without escapes, even if cJSON could read it. When the result is
 * true, a folded list may still contain a mistake, which JsonTree_IsRead tells. Memory comes from
 * the C library. */
bool JsonTree_Fold(JsonTree *tree, const char *text, size_t size, uint32_t depth);
/* Makes the whole tree, as JsonRead_Parse does. The result is false where that function returns
 * null. */
bool JsonTree_Parse(JsonTree *tree, const char *text, size_t size, const char **end);
/* Returns whether every folded list was read to its end without a mistake. If so, cJSON would read
 * the text, too, and would make the same nodes. */
bool JsonTree_IsRead(const JsonTree *tree);
void JsonTree_Free(JsonTree *tree);

/* The elements of a list, folded or not. */
typedef struct JsonList {
    JsonTree *tree;
    struct cJSON *folded;     /* null: the list is not folded */
    const struct cJSON *next; /* the next element of a list that is not folded */
    const char *at;           /* the place in the text of a folded list; null after its end */
    bool is_first;            /* no element of a folded list has been read yet */
} JsonList;

/* Returns false for what is not a list. */
bool JsonList_Begin(JsonList *list, JsonTree *tree, const struct cJSON *item);
/* Returns null after the last element, or at a mistake. An element of a folded list is valid until
 * the next call. */
const struct cJSON *JsonList_Next(JsonList *list);

#endif
