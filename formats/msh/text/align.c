#include "formats/msh/text/align.h"

#include <string.h>

/* How many rows may be compared when looking ahead. In the worst case this takes a second. */
#define MOST_WORK 50000000u

typedef struct Aligner {
    const MshRows *a, *b;
    MshAlignment *alignment;
    uint32_t work;
} Aligner;

static bool IsEqual(Aligner *aligner, uint32_t i, uint32_t j) {
    const MshRows *a = aligner->a, *b = aligner->b;
    if (i >= a->count || j >= b->count)
        return false;
    aligner->work++;
    for (uint32_t c = 0; c < a->columns; c++)
        if (memcmp(a->data[c] + (size_t)i * a->size[c], b->data[c] + (size_t)j * b->size[c],
                   a->size[c]) != 0)
            return false;
    return true;
}

/* Finds the nearest rows from which on both tables are alike again. If the tables' rests have
 * different lengths, it is first tried whether rows were removed or inserted. Returns false if
 * there are no such rows near. */
static bool FindNext(Aligner *aligner, uint32_t *i, uint32_t *j) {
    const uint32_t rest_a = aligner->a->count - *i, rest_b = aligner->b->count - *j;
    const uint32_t uneven = rest_a > rest_b ? rest_a - rest_b : rest_b - rest_a;
    for (uint32_t far = 1; far <= uneven + 64 && aligner->work < MOST_WORK; far++) {
        const bool equal = IsEqual(aligner, *i + far, *j + far);
        if (equal && uneven == 0) {
            *i += far;
            *j += far;
            return true;
        }
        if (rest_a >= rest_b && IsEqual(aligner, *i + far, *j)) {
            *i += far;
            return true;
        }
        if (rest_b >= rest_a && IsEqual(aligner, *i, *j + far)) {
            *j += far;
            return true;
        }
        if (equal) {
            *i += far;
            *j += far;
            return true;
        }
    }
    return false;
}

static void Pair(const MshAlignment *alignment, uint32_t i, uint32_t j) {
    alignment->of_a[i] = j;
    alignment->of_b[j] = i;
}

bool MshAlignment_Make(const MshRows *a, const MshRows *b, const RpAllocator *allocator,
                       MshAlignment *alignment) {
    const size_t count = (size_t)a->count + b->count;
    *alignment = (MshAlignment){.count_a = a->count, .count_b = b->count};
    alignment->of_a = RpMemory_Resize(allocator, NULL, (count + 1) * sizeof *alignment->of_a);
    if (!alignment->of_a)
        return false;
    memset(alignment->of_a, 0xFF, (count + 1) * sizeof *alignment->of_a);
    alignment->of_b = alignment->of_a + a->count;
    Aligner aligner = {a, b, alignment, 0};

    /* Walk through both, and pair what is equal. */
    uint32_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        if (IsEqual(&aligner, i, j)) {
            Pair(alignment, i++, j++);
            continue;
        }
        uint32_t next_i = i, next_j = j;
        if (!FindNext(&aligner, &next_i, &next_j))
            next_i++, next_j++;
        while (i < next_i && j < next_j) /* these rows were changed */
            Pair(alignment, i++, j++);
        i = next_i;
        j = next_j;
    }
    return true;
}

void MshAlignment_Free(MshAlignment *alignment, const RpAllocator *allocator) {
    RpMemory_Free(allocator, alignment->of_a);
    alignment->of_a = alignment->of_b = NULL;
}

bool MshAlignment_IsSame(const MshAlignment *alignment, uint32_t a, uint32_t b) {
    if (a >= alignment->count_a || b >= alignment->count_b)
        return false;
    return alignment->of_a[a] == b || alignment->of_a[a] == MSH_ALIGN_NONE ||
           alignment->of_b[b] == MSH_ALIGN_NONE;
}

bool MshAlignment_IsSameEdge(const MshAlignment *alignment, uint32_t a, uint32_t b) {
    if (a > alignment->count_a || b > alignment->count_b)
        return false;
    while (a > 0 && alignment->of_a[a - 1] == MSH_ALIGN_NONE)
        a--;
    while (b > 0 && alignment->of_b[b - 1] == MSH_ALIGN_NONE)
        b--;
    return a == 0 || b == 0 ? a == b : alignment->of_a[a - 1] == b - 1;
}
