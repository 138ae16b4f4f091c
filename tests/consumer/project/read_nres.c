/* Lists the entries of a small NRes archive: a model of two streams and its frame map. */
#include <retropose/nres.h>

#include "model_image.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t size;
    uint8_t *image = ModelImage_Tiny(&size);
    RpNRes archive;
    RpError error;
    if (!image || RpNRes_Open(image, size, RP_TOLERANT, &archive, &error) != RP_OK) {
        free(image);
        return 1;
    }
    for (uint32_t i = 0; i < archive.count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive, i);
        printf("type %u: %u bytes\n", (unsigned)entry.type, (unsigned)entry.size);
    }
    free(image);
    return 0;
}
