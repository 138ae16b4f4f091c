/* Limits the total size of the files that a text names, because a text can name one file any number
 * of times. */
#ifndef RETROPOSE_CORE_FILES_INPUT_BUDGET_H
#define RETROPOSE_CORE_FILES_INPUT_BUDGET_H

#include "core/files/mapping.h"

typedef struct InputBudget {
    uint64_t input; /* bytes of the text and of the different files so far */
    uint64_t taken; /* bytes of all files so far, each as often as it was named */
    struct InputFile *files;
    size_t count, capacity; /* `capacity` is a power of two, or 0 */
} InputBudget;

void InputBudget_Begin(InputBudget *budget, uint64_t text_bytes);
/* Adds one more file. RP_UNSUPPORTED means that the files together exceed BOUNDS_COPIES times the
 * input. */
RpStatus InputBudget_Take(InputBudget *budget, const Mapping *file, const char *path,
                          RpError *error);
void InputBudget_End(InputBudget *budget);

#endif
