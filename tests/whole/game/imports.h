/* Declares what the game imports from the two DLLs. There are three forms: linked by name
 * (imports_static.c with the import library of names), linked by ordinal (the same file with the
 * library of ordinals), and asked for at run time (imports_dynamic.c). */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_IMPORTS_H
#define RETROPOSE_TESTS_WHOLE_GAME_IMPORTS_H

/* X(name) for each function, and for the one DATA export that every caller uses. */
#define GAME_NGI32_IMPORTS(X)                                                                      \
    X(ngiAlloc)                                                                                    \
    X(ngiFree)                                                                                     \
    X(ngiGetMemSize)                                                                               \
    X(ngiGetClocks)                                                                                \
    X(ngiGetSinCos)                                                                                \
    X(ngiIsBackSurface)                                                                            \
    X(niGetProcAddress)                                                                            \
    X(niOpenResFileEx)                                                                             \
    X(mrnPointInPoly)                                                                              \
    X(g_FastProc)
#define GAME_ANIMESH_IMPORTS(X)                                                                    \
    X(LoadAgent)                                                                                   \
    X(LoadAniMesh)

enum {
#define IMPORT_INDEX(name) IMPORT_##name,
    GAME_NGI32_IMPORTS(IMPORT_INDEX) GAME_ANIMESH_IMPORTS(IMPORT_INDEX)
#undef IMPORT_INDEX
        IMPORT_COUNT
};

/* This is "names", "ordinals" or "dynamic". */
extern const char imports_how[];
extern const void *game_imports[IMPORT_COUNT];
/* Returns null, or the name of what is missing. */
const char *Imports_Open(void);

#define IMPORTED(name) game_imports[IMPORT_##name]

#endif
