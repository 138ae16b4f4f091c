/* The component table: rows of id, DLL and export (facts/animesh.md A.2). */
#ifndef RETROPOSE_TESTS_LIVE_GAME_COMPONENTS_H
#define RETROPOSE_TESTS_LIVE_GAME_COMPONENTS_H

#include <stdint.h>

/* The number of rows, or -1 when the file cannot be read or a row not be resolved. */
int Components_Read(const char *path);
/* Four dwords for the loader of this id; false when there is none. */
int Component_Load(uint32_t id, const char *archive, const char *member, void *outer,
                   uint32_t player, uint32_t *object);

#endif
