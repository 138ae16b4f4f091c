/* The orders of a directory (Ngi32 0x10012560, facts/ngi32.md E.5). */
#include "formats/nres/name.h"
#include "formats/nres/order.h"

#include <string.h>

typedef enum SortKey { KEY_END, KEY_ATTR1, KEY_ATTR2, KEY_TYPE, KEY_NAME } SortKey;

typedef struct SortMode {
    const char *name;
    SortKey keys[3]; /* the first one that differs decides */
} SortMode;

static const SortMode modes[RP_NRES_SORT_COUNT] = {
    [RP_NRES_SORT_NONE] = {"none", {KEY_END}},
    [RP_NRES_SORT_ATTR1] = {"attr1", {KEY_ATTR1}},
    [RP_NRES_SORT_ATTR2] = {"attr2", {KEY_ATTR2}},
    [RP_NRES_SORT_ATTR1_ATTR2] = {"attr1+attr2", {KEY_ATTR1, KEY_ATTR2}},
    [RP_NRES_SORT_TYPE] = {"type", {KEY_TYPE}},
    [RP_NRES_SORT_TYPE_ATTR1] = {"type+attr1", {KEY_TYPE, KEY_ATTR1}},
    [RP_NRES_SORT_TYPE_ATTR1_AGAIN] = {"type+attr1-again", {KEY_TYPE, KEY_ATTR1}},
    [RP_NRES_SORT_TYPE_ATTR1_ATTR2] = {"type+attr1+attr2", {KEY_TYPE, KEY_ATTR1, KEY_ATTR2}},
    [RP_NRES_SORT_NAME] = {"name", {KEY_NAME}},
    [RP_NRES_SORT_TYPE_NAME] = {"type+name", {KEY_TYPE, KEY_NAME}},
    [RP_NRES_SORT_ATTR1_NAME] = {"attr1+name", {KEY_ATTR1, KEY_NAME}},
    [RP_NRES_SORT_ATTR2_NAME] = {"attr2+name", {KEY_ATTR2, KEY_NAME}},
};

const char *RpNResSort_Name(RpNResSort sort) {
    return (unsigned)sort < RP_NRES_SORT_COUNT ? modes[sort].name : NULL;
}

static int CompareNumbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

typedef struct Sorting {
    const RpNResMember *members;
    const SortMode *mode;
} Sorting;

static bool IsBefore(const void *context, uint32_t b, uint32_t a) {
    const Sorting *sorting = context;
    const RpNResMember *left = &sorting->members[b], *right = &sorting->members[a];
    int order = 0;
    for (int i = 0; order == 0 && i < 3; i++)
        switch (sorting->mode->keys[i]) {
        case KEY_ATTR1:
            order = CompareNumbers(left->attr1, right->attr1);
            break;
        case KEY_ATTR2:
            order = CompareNumbers(left->attr2, right->attr2);
            break;
        case KEY_TYPE:
            order = CompareNumbers(left->type, right->type);
            break;
        case KEY_NAME:
            order = NResName_Compare((const uint8_t *)left->name, (const uint8_t *)right->name);
            break;
        case KEY_END:
            break;
        }
    return order < 0;
}

RpStatus RpNResArchive_Sort(RpNResArchive *archive, RpNResSort sort, RpError *error) {
    if ((unsigned)sort >= RP_NRES_SORT_COUNT)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such order of a directory",
                           "", "0 to 11", "");
    if (archive->count < 2)
        return RP_OK;
    const RpAllocator *allocator = archive->allocator;
    const size_t bytes = (size_t)archive->count * sizeof(RpNResMember);
    uint32_t *order = RpMemory_Resize(allocator, NULL, RpNRes_CheckWork(archive->count));
    RpNResMember *sorted = order ? RpMemory_Resize(allocator, NULL, bytes) : NULL;
    if (sorted) {
        /* `order` has room for twice as many numbers as there are members. */
        const Sorting sorting = {.members = archive->members, .mode = &modes[sort]};
        NResOrder_Sort(order, order + archive->count, archive->count, IsBefore, &sorting);
        for (uint32_t i = 0; i < archive->count; i++)
            sorted[i] = archive->members[order[i]];
        memcpy(archive->members, sorted, bytes);
    }
    RpMemory_Free(allocator, order);
    RpMemory_Free(allocator, sorted);
    return sorted ? RP_OK : RpMemory_Refused(error, "the order of a directory");
}
