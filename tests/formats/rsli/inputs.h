/* Makes inputs for the codecs, which are the same on every machine: runs, noise, text and texts
 * that begin with spaces, in every size at which a window, a match or a group ends. */
#ifndef RETROPOSE_TESTS_FORMATS_RSLI_INPUTS_H
#define RETROPOSE_TESTS_FORMATS_RSLI_INPUTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Input {
    char name[32];
    uint8_t *bytes;
    size_t size;
} Input;

/* Makes the input of `index`, counting from 0, or returns false past the last one. Input_Free frees
 * it. */
int Input_Make(size_t index, Input *input);
void Input_Free(Input *input);

#endif
