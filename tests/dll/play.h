/* The game's side: the DLLs of the folder, copies of the originals and of ours to compare with, and
 * calls of known functions with random arguments. */
#ifndef RETROPOSE_TESTS_DLL_PLAY_H
#define RETROPOSE_TESTS_DLL_PLAY_H

#include "machine.h"
#include "tracefile/signature.h"

#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef interface /* windows.h defines this name, which is a field of the ABI tables */
#undef cdecl     /* windows.h defines this name, which exports/conventions.h uses */

extern HMODULE play_ours[ABI_MODULE_COUNT], play_retail[ABI_MODULE_COUNT];

void Play_Load(void); /* loads Ngi32.dll and then AniMesh.dll, as a game does */

/* Returns what the game calls: an export, an entry of g_FastProc, or an address in the original. */
const void *Play_Gate(const char *key);
/* Return the same function in a copy of the original that nothing redirects, and in a copy of ours
 * that hosts nothing. */
const void *Play_Original(const char *key);
const void *Play_Native(const char *key);

/* Returns where `jmp [target]` leads. */
const void *Play_TargetOf(const void *gate);
HMODULE Play_ModuleOf(const void *code);
bool Play_IsRedirected(const char *key);
/* Returns false for two functions of the stand-in that begin with a jump, which cannot be moved. */
bool Play_CanBeRedirected(const char *key);

/* The arguments of one call, which are the same for the same seed. */
typedef struct PlayCall {
    Signature signature;
    float data[SIGNATURE_MAX_PARAMS][64];
    const float *vertices[4];
    uint32_t arguments[SIGNATURE_MAX_PARAMS];
    CheckedFrame left;
} PlayCall;
void Play_Run(PlayCall *call, const char *key, uint32_t seed, OverlayCall by, const void *code);
bool Play_IsSame(const PlayCall *a, const PlayCall *b);
/* Fails the test unless both functions leave the same bits, for some dozens of seeds. */
void Play_ExpectSame(const char *key, OverlayCall by, const void *code, OverlayCall expected_by,
                     const void *expected);

/* The keys of slots, exports and internal functions whose outputs show everything that they do. */
extern const char *const play_keys[];
extern const size_t play_key_count, play_internal_count; /* the internal functions come last */

#endif
