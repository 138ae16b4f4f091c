/* The modules Control.dll and World3D.dll of a game that does nothing. Their loaders take their own
 * arguments off the stack, while the other functions leave that to the caller: an agent has to cope
 * with either. */
#include "fake.h"

#include "exports/conventions.h"

#include <string.h>

static FakeLog calls;

__declspec(dllexport) FakeLog *Fake_Log(void);
FakeLog *Fake_Log(void) {
    return &calls;
}

static FakeCall *Note(const char *what) {
    FakeCall *call = &calls.calls[calls.count++ % FAKE_MAX_CALLS];
    memset(call, 0, sizeof *call);
    strncpy(call->what, what, sizeof call->what - 1);
    return call;
}

/* ---- an object ------------------------------------------------------------------------------- */

typedef void (*Method)(void);

typedef struct Object {
    const Method *methods;
    const char *name;
} Object;

static uintptr_t ABI_CC(fastcall) Query(Object *self, uint32_t id);
static uint32_t ABI_CC(fastcall) Message(Object *self, uint32_t message, uintptr_t payload);
static const Method methods[] = {(Method)Query, NULL, (Method)Message};

static Object life = {methods, "life"}, save = {methods, "save"}, items = {methods, "items"};

static uintptr_t ABI_CC(fastcall) Query(Object *self, uint32_t id) {
    (void)self;
    return id == 0x16    ? (uintptr_t)&life
           : id == 0x26  ? (uintptr_t)&save
           : id == 0x202 ? (uintptr_t)&items
                         : 0;
}

static uint32_t ABI_CC(fastcall) Message(Object *self, uint32_t message, uintptr_t payload) {
    FakeCall *call = Note(self->name);
    call->arguments[0] = message;
    call->arguments[1] = payload;
    if (message == 0x80000020) {
        const char *bytes = (const char *)payload;
        for (int i = 0; i < 6; i++)
            memcpy(call->names[i], bytes + 32 * i, 32);
        memcpy(&call->part, bytes + 0xC0, 4);
        memcpy(&call->base, bytes + 0xC4, 4);
    }
    if (message == 21)
        memcpy(call->arguments + 2, (const void *)payload, 4);
    return 1;
}

/* ---- factories ------------------------------------------------------------------------------- */

#ifdef FAKE_CONTROL
static Object control = {methods, "control"}, collision = {methods, "collision"};

__declspec(dllexport) void *ABI_CC(stdcall)
    LoadControlSystem(const char *a, const char *b, const char *c, const char *d, const char *e,
                      const char *f, uint32_t context, uint32_t kind);
void *ABI_CC(stdcall)
    LoadControlSystem(const char *a, const char *b, const char *c, const char *d, const char *e,
                      const char *f, uint32_t context, uint32_t kind) {
    const char *names[6] = {a, b, c, d, e, f};
    FakeCall *call = Note("LoadControlSystem");
    for (int i = 0; i < 6; i++)
        strncpy(call->names[i], names[i], 32);
    call->arguments[6] = context;
    call->arguments[7] = kind;
    return &control;
}

__declspec(dllexport) void *CreateCollObject(uint32_t a, uint32_t b);
void *CreateCollObject(uint32_t a, uint32_t b) {
    FakeCall *call = Note("CreateCollObject");
    call->arguments[0] = a;
    call->arguments[1] = b;
    return &collision;
}
#else
static Object materials = {methods, "materials"};

__declspec(dllexport) void *ABI_CC(stdcall)
    LoadMatManager(const char *archive, const char *member, uint32_t outer, uint32_t player);
void *ABI_CC(stdcall)
    LoadMatManager(const char *archive, const char *member, uint32_t outer, uint32_t player) {
    FakeCall *call = Note("LoadMatManager");
    strncpy(call->names[0], archive, 32);
    strncpy(call->names[1], member, 32);
    call->arguments[2] = outer;
    call->arguments[3] = player;
    return &materials;
}

/* World3D's registry of settings. Slot 3 gets one by its key. */
static uint32_t ABI_CC(fastcall) GetSetting(Object *self, uint32_t key) {
    Note(self->name)->arguments[0] = key;
    return 1;
}

static const Method registry_methods[] = {(Method)Query, NULL, NULL, (Method)GetSetting};
static Object registry = {registry_methods, "settings"};

__declspec(dllexport) void *CreateGameSettings(void);
void *CreateGameSettings(void) {
    Note("CreateGameSettings");
    return &registry;
}

/* No source tells which arguments this function takes, so an agent must not call it. */
__declspec(dllexport) void *CreateManManager(void);
void *CreateManManager(void) {
    Note("CreateManManager");
    return NULL;
}

__declspec(dllexport) void KillGameObject(uint32_t id);
void KillGameObject(uint32_t id) {
    Note("KillGameObject")->arguments[0] = id;
}
#endif
