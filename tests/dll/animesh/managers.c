#include "managers.h"

#include "exports/conventions.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void NotPublished(void) {
    fprintf(stderr, "a method of a manager was called of which nothing is published\n");
    exit(1);
}

/* ---- lights ---------------------------------------------------------------------------------- */

_Static_assert(sizeof(Light) == 0x5C, "Light");
_Static_assert(offsetof(Light, colour) == 0x08, "Light.colour");
_Static_assert(offsetof(Light, direction) == 0x24, "Light.direction");
_Static_assert(offsetof(Light, flags) == 0x50, "Light.flags");

static Light *LightOf(LightManager *manager, uint32_t id) {
    manager->calls++;
    if (id >= manager->count)
        NotPublished();
    return &manager->lights[id];
}

static void ABI_CC(fastcall)
    SetColour(LightManager *self, uint32_t id, float red, float green, float blue) {
    const float colour[3] = {red, green, blue};
    memcpy(LightOf(self, id)->colour, colour, sizeof colour);
}

enum { SPACE_GIVEN = 0, SPACE_OWNER = 2 };

static void ABI_CC(fastcall)
    SetDirection(LightManager *self, uint32_t id, uint32_t space, float x, float y, float z) {
    const float given[3] = {x, y, z}, *m = self->placement;
    float *direction = LightOf(self, id)->direction;
    if (space == SPACE_GIVEN)
        memcpy(direction, given, sizeof given);
    for (int i = 0; i < 3 && space == SPACE_OWNER; i++)
        direction[i] = m[4 * i] * x + m[4 * i + 1] * y + m[4 * i + 2] * z;
}

static uint32_t ABI_CC(fastcall) Create(LightManager *self, uint32_t type) {
    self->calls++;
    if (self->count == LIGHT_ROOM)
        NotPublished();
    self->lights[self->count] = (Light){.type = type, .direction = {1, 0, 0}};
    return self->count++;
}

static void ABI_CC(fastcall) AddFlags(LightManager *self, uint32_t id, uint32_t flags) {
    LightOf(self, id)->flags |= flags;
}

void LightManager_Init(LightManager *manager, const float placement[16]) {
    static ManagerMethod methods[LIGHT_SLOTS];
    for (int i = 0; i < LIGHT_SLOTS; i++)
        methods[i] = NotPublished;
    methods[3] = (ManagerMethod)SetColour;
    methods[9] = (ManagerMethod)SetDirection;
    methods[12] = (ManagerMethod)Create;
    methods[13] = (ManagerMethod)AddFlags;
    *manager = (LightManager){.methods = methods, .placement = placement};
}

/* ---- materials ------------------------------------------------------------------------------- */

enum { WEAR_SHIFT = 16, INDEX_MASK = 0xFFFF };

static MaterialState At(MaterialManager *manager, uint32_t id, uint32_t track, float time) {
    manager->calls++;
    return (MaterialState){.wear = id >> WEAR_SHIFT,
                           .index = id & INDEX_MASK,
                           .track = track < manager->tracks ? track : 0,
                           .time = time};
}

static void ABI_CC(fastcall)
    FetchByClock(MaterialManager *self, uint32_t id, uint32_t track, MaterialState *state) {
    *state = At(self, id, track, (float)self->clock);
}

static void ABI_CC(fastcall) FetchByFraction(MaterialManager *self, uint32_t id, uint32_t track,
                                             float fraction, MaterialState *state) {
    const float used = fraction >= 0 && fraction <= 1 ? fraction : 0.5F;
    *state = At(self, id, track, (float)self->last_key * used);
}

static const uint32_t *ABI_CC(fastcall) ClassOf(MaterialManager *self, uint32_t id) {
    self->calls++;
    return &self->classes[(id >> WEAR_SHIFT) % MATERIAL_WEARS][(id & INDEX_MASK) % MATERIAL_ROOM];
}

void MaterialManager_Init(MaterialManager *manager) {
    static ManagerMethod methods[MATERIAL_SLOTS];
    for (int i = 0; i < MATERIAL_SLOTS; i++)
        methods[i] = NotPublished;
    methods[3] = (ManagerMethod)FetchByClock;
    methods[5] = (ManagerMethod)FetchByFraction;
    methods[9] = (ManagerMethod)ClassOf;
    *manager = (MaterialManager){.methods = methods, .tracks = MATERIAL_TRACKS, .last_key = 200};
}
