/* The component table, whose rows have an id, a DLL and an export (facts/animesh.md A.2). */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_COMPONENTS_H
#define RETROPOSE_TESTS_WHOLE_GAME_COMPONENTS_H

#include <stdint.h>

/* Returns the number of rows, or -1 if the file cannot be read or a row cannot be resolved. */
int Components_Read(const char *path);
/* Passes four dwords to the loader of this id. Returns false if there is none. */
int Component_Load(uint32_t id, const char *archive, const char *member, void *outer,
                   uint32_t player, uint32_t *object);

#endif
