/* The functions are imported as data, because only their addresses matter: the calls know the
 * convention (calls.h). */
#include "imports.h"

#define DECLARE(name) extern __declspec(dllimport) char name[];
GAME_NGI32_IMPORTS(DECLARE)
GAME_ANIMESH_IMPORTS(DECLARE)

const char imports_how[] = GAME_IMPORTS;
const void *game_imports[IMPORT_COUNT];

const char *Imports_Open(void) {
#define TAKE(name) IMPORTED(name) = name;
    GAME_NGI32_IMPORTS(TAKE)
    GAME_ANIMESH_IMPORTS(TAKE)
    return (const char *)0;
}
