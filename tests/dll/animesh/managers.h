/* Two objects of other modules as far as they are published (facts/animesh.md C.10): Terrain's
 * light manager and World3D's material manager, of a game that does nothing else. */
#ifndef RETROPOSE_TESTS_DLL_ANIMESH_MANAGERS_H
#define RETROPOSE_TESTS_DLL_ANIMESH_MANAGERS_H

#include <stdint.h>

typedef void (*ManagerMethod)(void);

/* ---- lights ---------------------------------------------------------------------------------- */

enum { LIGHT_ROOM = 20, LIGHT_SLOTS = 23 };

/* A record of 0x5c bytes, laid out as D3DLIGHT2 is. */
typedef struct Light {
    uint32_t size, type;
    float colour[4], position[3], direction[3], range, unknown_34[7];
    uint32_t flags, unknown_54[2];
} Light;

typedef struct LightManager {
    const ManagerMethod *methods;
    const float *placement; /* the owner's placement, 16 numbers */
    Light lights[LIGHT_ROOM];
    uint32_t count;
    uint32_t calls; /* the number of calls of any slot */
} LightManager;

/* A slot that is not published ends the process when it is called. */
void LightManager_Init(LightManager *manager, const float placement[16]);

/* ---- materials ------------------------------------------------------------------------------- */

enum { MATERIAL_SLOTS = 11, MATERIAL_WEARS = 8, MATERIAL_ROOM = 16, MATERIAL_TRACKS = 2 };

typedef struct MaterialManager {
    const ManagerMethod *methods;
    uint32_t clock;                                  /* the game's clock */
    uint32_t tracks;                                 /* the number of tracks of each material */
    uint32_t last_key;                               /* time of each track's last key */
    uint32_t classes[MATERIAL_WEARS][MATERIAL_ROOM]; /* indexed by wear and index */
    uint32_t calls;
} MaterialManager;

/* The state that slots 3 and 5 hand out. */
typedef struct MaterialState {
    uint32_t wear, index, track;
    float time;
} MaterialState;

void MaterialManager_Init(MaterialManager *manager);

#endif
