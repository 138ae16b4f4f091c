#include "replay/merge/followed_words.h"

#include <stdlib.h>
#include <string.h>

typedef struct Words {
    RpBuffer *out;     /* null if words are read */
    const uint8_t *in; /* the words that are left */
    size_t size;
} Words;

static bool Visit(Words *words, void *at, size_t count) {
    if (words->out)
        return RpBuffer_Append(words->out, at, 4 * count);
    if (words->size < 4 * count)
        return false;
    memcpy(at, words->in, 4 * count);
    words->in += 4 * count;
    words->size -= 4 * count;
    return true;
}

static bool VisitFlag(Words *words, bool *flag) {
    uint32_t word = *flag;
    if (!Visit(words, &word, 1) || word > 1)
        return false;
    *flag = word == 1;
    return true;
}

/* Visits all members in their order. This is the only place that knows the order, for writing and
 * for reading. */
static bool VisitAll(Words *words, Followed *followed) {
    bool good = VisitFlag(words, &followed->has_model) && VisitFlag(words, &followed->is_object) &&
                Visit(words, &followed->node, 1) && Visit(words, &followed->node_count, 1) &&
                Visit(words, &followed->kept, 1) && followed->kept <= FOLLOW_MOST_NODES &&
                followed->node >= -1 && followed->node < (int32_t)followed->kept &&
                Visit(words, &followed->frame_count, 1) && Visit(words, &followed->key_count, 1) &&
                Visit(words, &followed->time, 1) && Visit(words, &followed->vertex_count, 1) &&
                Visit(words, followed->point, 3);
    for (uint32_t i = 0; good && i < followed->kept; i++) {
        FollowedNode *node = &followed->nodes[i];
        good = Visit(words, &node->parent, 1) && node->parent >= -1 &&
               node->parent < (int32_t)followed->kept && VisitFlag(words, &node->has_box) &&
               Visit(words, node->origin, 3) && (!node->has_box || Visit(words, node->corners, 24));
    }
    const uint32_t count = followed->vertex_count;
    return good && Visit(words, followed->vertices,
                         3 * (size_t)(count < FOLLOW_MOST_VERTICES ? count : FOLLOW_MOST_VERTICES));
}

bool FollowedWords_Append(const Followed *followed, RpBuffer *bytes) {
    Words words = {.out = bytes};
    Followed *copy = malloc(sizeof *copy); /* a copy, because a visit writes each flag back */
    if (!copy)
        return false;
    *copy = *followed;
    const bool good = VisitAll(&words, copy);
    free(copy);
    return good;
}

Followed *FollowedWords_Read(const uint8_t *bytes, size_t size) {
    Words words = {.in = bytes, .size = size};
    Followed *followed = calloc(1, sizeof *followed);
    if (followed && VisitAll(&words, followed) && words.size == 0)
        return followed;
    free(followed);
    return NULL;
}
