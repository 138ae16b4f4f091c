#include "core/files/input_budget.h"

#include "core/bounds.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct InputFile {
    uint64_t volume, identity;
    bool used;
} InputFile;

void InputBudget_Begin(InputBudget *budget, uint64_t text_bytes) {
    *budget = (InputBudget){.input = text_bytes};
}

void InputBudget_End(InputBudget *budget) {
    free(budget->files);
    InputBudget_Begin(budget, 0);
}

/* Returns the file's entry in the table, or the free entry where it belongs. */
static InputFile *Locate(InputFile *files, size_t capacity, uint64_t volume, uint64_t identity) {
    uint64_t hash = (identity ^ volume << 32) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (capacity - 1);
    while (files[at].used && (files[at].volume != volume || files[at].identity != identity))
        at = (at + 1) & (capacity - 1);
    return &files[at];
}

RpStatus InputBudget_Take(InputBudget *budget, const Mapping *file, const char *path,
                          RpError *error) {
    if (2 * budget->count >= budget->capacity) {
        const size_t capacity = budget->capacity ? 2 * budget->capacity : 64;
        InputFile *files = calloc(capacity, sizeof *files);
        if (!files)
            return RpMemory_Refused(error, path);
        for (size_t i = 0; i < budget->capacity; i++)
            if (budget->files[i].used)
                *Locate(files, capacity, budget->files[i].volume, budget->files[i].identity) =
                    budget->files[i];
        free(budget->files);
        budget->files = files;
        budget->capacity = capacity;
    }

    InputFile *known = Locate(budget->files, budget->capacity, file->volume, file->identity);
    if (!known->used) {
        *known = (InputFile){.volume = file->volume, .identity = file->identity, .used = true};
        budget->count++;
        budget->input += file->size;
    }
    budget->taken += file->size;
    const RpStatus status =
        Bounds_Check(budget->taken, budget->input, BOUNDS_COPIES,
                     "files that are named several times add up to too much", error);
    if (status != RP_OK && error)
        snprintf(error->where, sizeof error->where, "%.150s", path);
    return status;
}
