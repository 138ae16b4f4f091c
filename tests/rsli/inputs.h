/* Inputs for the codecs, the same on every machine: every size at which a window, a match or a
 * group ends, of runs, noise, text and what spaces do. */
#ifndef RETROPOSE_TESTS_RSLI_INPUTS_H
#define RETROPOSE_TESTS_RSLI_INPUTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Input {
    char name[32];
    uint8_t *bytes;
    size_t size;
} Input;

/* Of `index`, from 0 on; false past the last. To be freed by Input_Free. */
int Input_Make(size_t index, Input *input);
void Input_Free(Input *input);

#endif
