/* An INResFile over a file in memory, for originals that open no archives (the stand-in). It has
 * the methods of which LoadReader makes use (facts/ngi32.md E.4). */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_ARCHIVE_H
#define RETROPOSE_TESTS_WHOLE_GAME_ARCHIVE_H

#include <stdint.h>

typedef struct Archive {
    const void *const *methods;
    uint8_t *image, *directory;
    uint32_t count;
} Archive;

/* Returns 0, or 1 if the file is no NRes archive. */
int Archive_Open(const char *path, Archive *archive);

#endif
