/* Finds elements in the lists of a motion table. `order` holds the indices of the elements, one
 * list after the other, each sorted by the elements' keys. Elements with equal keys stay in the
 * order of the file. */
#include "siblings/sequencer/table.h"

#include <string.h>

typedef struct List {
    const uint8_t *keys; /* where the key of the first element is */
    uint32_t stride, count;
    uint32_t *order;
} List;

static uint32_t KeyAt(const List *list, uint32_t index) {
    uint32_t key;
    memcpy(&key, list->keys + (size_t)index * list->stride, sizeof key);
    return key;
}

static List ListOf(const void *first, uint32_t stride, uint32_t count, uint32_t *order) {
    return (List){first, stride, count, order};
}

/* ---- sorting: merging runs, which keeps the order of equal keys ------------------------------ */

static void Sort(const List *list, uint32_t *spare) {
    uint32_t *from = list->order, *to = spare;
    for (uint32_t i = 0; i < list->count; i++)
        from[i] = i;
    for (uint64_t run = 1; run < list->count; run *= 2) {
        for (uint64_t low = 0; low < list->count; low += 2 * run) {
            const uint64_t middle = low + run < list->count ? low + run : list->count;
            const uint64_t high = low + 2 * run < list->count ? low + 2 * run : list->count;

            /* Two runs that follow each other are merged. */
            uint32_t left = (uint32_t)low, right = (uint32_t)middle;
            for (uint32_t i = (uint32_t)low; i < high; i++) {
                const bool take_left =
                    left < middle &&
                    (right >= high || KeyAt(list, from[left]) <= KeyAt(list, from[right]));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != list->order)
        memcpy(list->order, from, list->count * sizeof *from);
}

/* ---- the lists of a table -------------------------------------------------------------------- */

static List Styles(const RpAcMotionTable *table) {
    return ListOf(table->styles, sizeof *table->styles, table->style_count, table->order);
}

static List Cycles(const RpAcMotionTable *table) {
    return ListOf(table->cycles, sizeof *table->cycles, table->cycle_count,
                  table->order + table->style_count);
}

static List Modifiers(const RpAcMotionTable *table) {
    return ListOf(table->modifiers, sizeof *table->modifiers, table->modifier_count,
                  Cycles(table).order + table->cycle_count);
}

static uint32_t *LinkOrder(const RpAcMotionTable *table) {
    return Modifiers(table).order + table->modifier_count;
}

static List Links(const RpAcMotionTable *table) {
    return (List){table->links ? (const uint8_t *)&table->links->key : NULL, sizeof *table->links,
                  table->link_count, LinkOrder(table)};
}

static List Targets(const RpAcMotionTable *table, const RpAcLink *link) {
    return ListOf(link->count > 0 ? table->targets + link->first : NULL, sizeof *table->targets,
                  link->count, LinkOrder(table) + table->link_count + link->first);
}

bool Table_Sort(RpAcMotionTable *table) {
    const size_t count = (size_t)table->style_count + table->cycle_count + table->modifier_count +
                         table->link_count + table->target_count;
    table->order = RpMemory_Resize(table->allocator, NULL, (count + 1) * sizeof *table->order);
    uint32_t *spare = RpMemory_Resize(table->allocator, NULL, (count + 1) * sizeof *spare);
    if (table->order && spare) {
        const List lists[] = {Styles(table), Cycles(table), Modifiers(table), Links(table)};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            Sort(&lists[i], spare);
        for (uint32_t i = 0; i < table->link_count; i++) {
            const List targets = Targets(table, &table->links[i]);
            Sort(&targets, spare);
        }
    }
    RpMemory_Free(table->allocator, spare);
    return table->order && spare;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* Finds the first element in the file that has the key. Returns false if there is none. */
static bool Find(const List *list, uint32_t key, uint32_t *index) {
    uint32_t low = 0, high = list->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (KeyAt(list, list->order[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == list->count || KeyAt(list, list->order[low]) != key)
        return false;
    *index = list->order[low];
    return true;
}

const RpAcMotionData *RpAcMotionTable_Cycle(const RpAcMotionTable *table, uint32_t key) {
    const List list = Cycles(table);
    uint32_t index;
    return Find(&list, key, &index) ? &table->cycles[index] : NULL;
}

const RpAcMotionData *RpAcMotionTable_Modifier(const RpAcMotionTable *table, uint32_t key) {
    const List list = Modifiers(table);
    uint32_t index;
    return Find(&list, key, &index) ? &table->modifiers[index] : NULL;
}

const RpAcMotionData *RpAcMotionTable_Link(const RpAcMotionTable *table, uint32_t key,
                                           uint32_t motion) {
    const List list = Links(table);
    uint32_t index;
    if (!Find(&list, key, &index))
        return NULL;
    const RpAcLink *link = &table->links[index];
    const List targets = Targets(table, link);
    return Find(&targets, motion, &index) ? &table->targets[link->first + index] : NULL;
}

uint32_t RpAcMotionTable_Default(const RpAcMotionTable *table, uint32_t style) {
    const List list = Styles(table);
    uint32_t index;
    return Find(&list, style, &index) ? table->styles[index].substate : 0;
}

/* ---- twins ----------------------------------------------------------------------------------- */

static void ReportTwins(const List *list, const char *what, Resource *resource) {
    for (uint32_t i = 1; i < list->count; i++) {
        const uint32_t key = KeyAt(list, list->order[i]);
        resource->frame = (int32_t)list->order[i];
        if (KeyAt(list, list->order[i - 1]) == key)
            Resource_ReportWord(resource, "Q36", RP_SEVERITY_WARNING, RP_NOWHERE, what, "", key);
    }
    resource->frame = RP_NO_INDEX;
}

void Table_ReportTwins(const RpAcMotionTable *table, Resource *resource) {
    const List styles = Styles(table), cycles = Cycles(table), modifiers = Modifiers(table),
               links = Links(table);
    ReportTwins(&styles, "two defaults of one style: the first counts here", resource);
    ReportTwins(&cycles, "two cycles of one key: the first counts here", resource);
    ReportTwins(&modifiers, "two modifiers of one key: the first counts here", resource);
    ReportTwins(&links, "two link tables of one key: the first counts here", resource);
    for (uint32_t i = 0; i < table->link_count; i++) {
        const List targets = Targets(table, &table->links[i]);
        ReportTwins(&targets, "two links to one motion: the first counts here", resource);
    }
}
