/* Tests of LoadAgent beside modules of the game that are present (Control.dll and World3D.dll,
 * fakes in the folder fake/) and modules that are missing. */
#include "fake.h"
#include "game.h"
#include "models.h"

#include "exports/animesh.abi.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

enum { PLAYER = 3, KIND_UNIT = 4 };

static FakeLog *control_log, *world_log;
static uint8_t *agent; /* the one that is tested */

/* ---- agents ---------------------------------------------------------------------------------- */

static uint8_t *LoadTank(uintptr_t outer) {
    const uintptr_t loaded = game.load_agent(MODELS_ARCHIVE, "tank", outer, PLAYER);
    assert_true(loaded != 0);
    return (uint8_t *)loaded - ABI_AGENT_IAGENT;
}

static void Destroy(uint8_t *object) {
    Game_Destroy(object + ABI_AGENT_IAGENT);
}

static void *Ask(uint32_t id) {
    uint8_t *self = agent + ABI_AGENT_IAGENT;
    return (void *)METHOD(self, IAgent, 0)((uintptr_t)self, id);
}

static uint32_t DwordAt(uint32_t offset) {
    uint32_t value;
    memcpy(&value, agent + offset, sizeof value);
    return value;
}

static uint32_t Send(uint32_t message, const void *payload) {
    return METHOD(agent, IGameObject, 13)((uintptr_t)agent, message, (uintptr_t)payload);
}

static void ForgetCalls(void) {
    control_log->count = world_log->count = 0;
}

static int MakeTank(void **state) {
    (void)state;
    ForgetCalls();
    agent = LoadTank(0);
    return 0;
}

static int DestroyTank(void **state) {
    (void)state;
    Destroy(agent);
    return 0;
}

#define TEST_OF_TANK(name) TEST_WITH(name, MakeTank, DestroyTank)

static void AssertCall(const FakeLog *log, uint32_t index, const char *what, uint32_t first) {
    assert_true(index < log->count);
    assert_string_equal(log->calls[index].what, what);
    assert_int_equal(log->calls[index].arguments[0], first);
}

/* ---- making ---------------------------------------------------------------------------------- */

TEST_OF_TANK(SetupMakesWhatIsThere) {
    assert_int_equal(DwordAt(0x6D8), KIND_UNIT);
    assert_int_equal(METHOD(agent, IGameObject, 11)((uintptr_t)agent), KIND_UNIT);
    assert_ptr_equal(Ask(6), agent);
    assert_ptr_equal(Ask(0x15), agent + 0x130);
    uint8_t *mesh = Ask(0xB);
    assert_non_null(mesh);
    assert_ptr_equal(Ask(0x18), mesh + 4);
    assert_int_equal(DwordAt(0x188), (uint32_t)(uintptr_t)(mesh + 0x10));

    const FakeCall *control = &control_log->calls[0];
    assert_string_equal(control->what, "LoadControlSystem");
    assert_string_equal(control->names[1], "tank.cpt");
    assert_string_equal(control->names[3], "tank.ndp");
    assert_string_equal(control->names[5], "tank.ctl");
    assert_int_equal(control->arguments[7], KIND_UNIT);
    AssertCall(control_log, 1, "CreateCollObject", (uint32_t)(uintptr_t)agent);
    assert_int_equal(DwordAt(0x158), (uint32_t)(uintptr_t)Ask(0xA));
    assert_int_equal(DwordAt(0x160), (uint32_t)(uintptr_t)Ask(0x16));
    assert_int_equal(DwordAt(0x170), (uint32_t)(uintptr_t)Ask(0x28));
    assert_true(DwordAt(0x18C) != 0);

    assert_int_equal(world_log->count,
                     /* CreateManManager was not called, because no source tells its arguments */
                     1);
    assert_string_equal(world_log->calls[0].what, "LoadMatManager");
    assert_int_equal(world_log->calls[0].arguments[2], (uint32_t)(uintptr_t)agent);
    assert_int_equal(world_log->calls[0].arguments[3], PLAYER);
    assert_ptr_equal(Ask(0xD), (void *)(uintptr_t)DwordAt(0x14C));
}

TEST(WhatIsMissingIsOneLineEach) {
    static const char *const lines[] = {"no CreateLightManager: Terrain.dll is not there",
                                        "no CreateFxManager: Effect.dll is not there",
                                        "no CreateManManager: World3D.dll has it, but"};
    for (int i = 0; i < 3; i++)
        Destroy(LoadTank(0));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(Game_CountLog(lines[i]), 1);
    assert_int_equal(Game_CountLog("agents have no LoadControlSystem"), 0);
    assert_int_equal(Game_CountLog("agents have no CreateWizard"), 0); /* only buildings have it */
}

/* The folder of the stand-ins is in the search path, but it is neither the game's nor the system's
 * folder. Terrain.dll and another winmm.dll are there. */
TEST(TheSearchPathIsNotTrusted) {
    Destroy(LoadTank(0));
    assert_null(GetModuleHandleA("Terrain.dll"));
    const HMODULE winmm = GetModuleHandleA("winmm.dll");
    if (winmm)
        assert_non_null(GetProcAddress(winmm, "timeGetTime"));
}

TEST_OF_TANK(TableKnowsItsBounds) {
    static const uint32_t ids[] = {
        0x62 /* not 0x202 */, 0x30, 0xFF, 0x130, 0x700, 0x62F, 0x72F, 0xFFFFFFFF, 0x80000006};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_null(Ask(ids[i]));
}

TEST(WhatIsNoObjectGivesNull) {
    static const char *const names[][2] = {
        {MODELS_ARCHIVE, "text.msh"}, {MODELS_ARCHIVE, "none"}, {MODELS_ARCHIVE, "wild.msh"},
        {"none.rlb", "tank"},         {NULL, "tank"},           {MODELS_ARCHIVE, NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int lines = Game_CountLog("LoadAgent(");
        assert_true(game.load_agent(names[i][0], names[i][1], 0, PLAYER) == 0);
        assert_int_equal(Game_CountLog("LoadAgent("), lines + 1);
    }
}

TEST(ModelsStandForThemselves) {
    const uintptr_t model = game.load_agent(MODELS_ARCHIVE, "tank.msh", 0, PLAYER);
    assert_true(model != 0);
    assert_int_equal(game.destroy(model), 1);
    assert_int_equal(game.destroy(model), 0);
}

/* ---- an outer object ------------------------------------------------------------------------- */

typedef void (*Method)(void);

typedef struct Outer {
    const Method *methods;
} Outer;

static uintptr_t ABI_CC(fastcall) Outer_Query(Outer *self, uint32_t id) {
    return id == 6 || id == 0x17 ? (uintptr_t)self : 0;
}

static uint32_t ABI_CC(fastcall) Outer_Kind(Outer *self) {
    (void)self;
    return 3;
}

TEST(OuterObjectAnswersForItsAgent) {
    const Method methods[12] = {[0] = (Method)Outer_Query, [11] = (Method)Outer_Kind};
    Outer outer = {methods};
    agent = LoadTank((uintptr_t)&outer);
    assert_int_equal(DwordAt(0x04), (uint32_t)(uintptr_t)&outer);
    assert_int_equal(DwordAt(0x6D8), 3);
    assert_ptr_equal(METHOD(agent, IGameObject, 0)((uintptr_t)agent, 0x17), &outer);
    assert_true(METHOD(agent, IGameObject, 0)((uintptr_t)agent, 0xB) ==
                0); /* it does not have one */
    assert_ptr_equal(METHOD(agent, IGameObject, 0)((uintptr_t)agent, 0x15), agent + 0x130);
    assert_non_null(Ask(0xB)); /* IAgent never asks it */
    assert_int_equal(Game_CountLog("agents have no CreateWizard: Wizard.dll is not there"), 1);
    Destroy(agent);
}

/* Terrain's building (facts/animesh.md C.3): it answers five ids, and hands all others back to its
 * agent. */
typedef struct Building {
    const Method *methods;
    uint8_t *agent;
    bool careless; /* it hands questions back to the interface that asks it */
    int asked;
} Building;

static uintptr_t ABI_CC(fastcall) Building_Query(Building *self, uint32_t id) {
    self->asked++;
    if (id == 0 || id == 6 || id == 0x11 || id == 0x17 || id == 0x18)
        return (uintptr_t)self;
    if (!self->agent) /* only while the agent is being made */
        return 0;
    if (self->careless)
        return METHOD(self->agent, IGameObject, 0)((uintptr_t)self->agent, id);
    return (uintptr_t)Ask(id);
}

static uint32_t ABI_CC(fastcall) Building_Kind(Building *self) {
    (void)self;
    return 3;
}

TEST(BuildingsHandQuestionsBack) {
    const Method methods[12] = {[0] = (Method)Building_Query, [11] = (Method)Building_Kind};
    for (int careless = 0; careless < 2; careless++) {
        Building building = {.methods = methods, .careless = careless};
        agent = LoadTank((uintptr_t)&building);
        building.agent = agent;
        void *mesh = Ask(0xB), *names = Ask(0x24);
        building.asked = 0;
        for (int i = 1; i <= 3; i++) { /* a question leaves no state behind */
            assert_ptr_equal(METHOD(agent, IGameObject, 0)((uintptr_t)agent, 0xB), mesh);
            assert_ptr_equal(METHOD(agent, IGameObject, 0)((uintptr_t)agent, 0x17), &building);
            assert_ptr_equal(METHOD(names, IPartNames, 0)((uintptr_t)names, 0xD), Ask(0xD));
            assert_int_equal(building.asked, 3 * i);
        }
        Destroy(agent);
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

TEST_OF_TANK(MessagesGoOnInTheirOrder) {
    ForgetCalls();
    assert_int_equal(Send(1, NULL), 1);
    assert_int_equal(control_log->count, 3);
    AssertCall(control_log, 0, "collision", 1);
    AssertCall(control_log, 1, "control", 1);
    AssertCall(control_log, 2, "collision", 0x1C);
    assert_int_equal(Send(4, NULL), 1);
    const Mesh *mesh = Ask(0xB);
    assert_int_equal(mesh->life_system, DwordAt(0x160)); /* bound in the first pass */
    assert_int_equal(mesh->material_manager, DwordAt(0x14C));
    ForgetCalls();
    METHOD(agent, IGameObject, 20)((uintptr_t)agent, 2, 0);
    assert_int_equal(control_log->count, 2);
    AssertCall(control_log, 0, "control", 21);
    assert_int_equal(control_log->calls[0].arguments[2], 2);
    AssertCall(control_log, 1, "collision", 21);
    assert_int_equal(Send(99, NULL), 0);
}

TEST_OF_TANK(ContainersHoldWhatToDo) {
    static const uint32_t tick[2] = {1, 123456}, mirrored[2] = {7, 1}, own[2] = {7, 0};
    static const uint32_t kill[2] = {0x16, 0}, unknown[2] = {99, 0};
    memcpy(agent + 0x120, &(uint32_t){4711}, 4);
    assert_int_equal(METHOD(agent, IGameObject, 9)((uintptr_t)agent), 4711);
    assert_int_equal(METHOD(agent, IGameObject, 21)((uintptr_t)agent), 0);
    Send(6, mirrored);
    assert_int_equal(METHOD(agent, IGameObject, 21)((uintptr_t)agent), 1);
    Send(6, own);
    assert_int_equal(METHOD(agent, IGameObject, 21)((uintptr_t)agent), 0);
    ForgetCalls();
    assert_int_equal(Send(6, tick), 1); /* as the game's queue sends the clock */
    assert_int_equal(control_log->count, 3);
    AssertCall(control_log, 1, "control", 1);
    assert_int_equal(control_log->calls[1].arguments[1], 123456);
    ForgetCalls();
    Send(6, kill);
    AssertCall(world_log, 0, "KillGameObject", 4711);
    assert_int_equal(Send(6, unknown), 0);
}

/* p of (6, 7, p) is 0 for the computer, 1 for the player, 2 for off. */
TEST_OF_TANK(WizardsLearnWhoDrives) {
    const void *wizard = Ask(0xA); /* any object that records its messages */
    memcpy(agent + 0x178, &wizard, 4);
    for (uint32_t mode = 0; mode < 3; mode++) {
        ForgetCalls();
        assert_int_equal(Send(6, (const uint32_t[2]){7, mode}), 1);
        assert_int_equal(control_log->count, 1);
        AssertCall(control_log, 0, "control", 7);
        assert_int_equal(control_log->calls[0].arguments[1], mode);
        assert_int_equal(METHOD(agent, IGameObject, 21)((uintptr_t)agent), mode != 0);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int32_t Attach(const char *member, int32_t parent, int32_t node) {
    ABI_PROTO_animesh_AttachPart((*attach)) =
        (ABI_PROTO_animesh_AttachPart((*)))game.internal(0x10003760);
    AgentPart part = {.parent = parent, .attach = node};
    memcpy(part.archive, MODELS_ARCHIVE, sizeof MODELS_ARCHIVE);
    memcpy(part.member, member, strlen(member));
    return attach((uintptr_t)agent, (uintptr_t)&part);
}

TEST_OF_TANK(PartsAreListedByTheLowestFreeId) {
    const uint32_t remove_gun[2] = {20, 1};
    const Mesh *mesh = Ask(0xB);
    ForgetCalls();
    assert_int_equal(Attach("gun", 0, 3), 1);
    AssertCall(control_log, 0, "control", 0x80000020);
    assert_string_equal(control_log->calls[0].names[1], "tank.cpt");
    assert_int_equal(control_log->calls[0].part, 1);
    assert_int_equal(control_log->calls[0].base, 4);
    assert_int_equal(Attach("gun", 1, 0), 2); /* on the first gun */
    assert_int_equal(Attach("gun.msh", 0, 1), 3);
    assert_int_equal(mesh->piece_count, 10);
    const AgentPart *parts = (const AgentPart *)(uintptr_t)DwordAt(0x6E4);
    assert_int_equal(parts[0].id, 0);
    assert_int_equal(parts[0].parent, -1);
    assert_int_equal(parts[0].attach, -1);
    assert_string_equal((const char *)parts[0].member, "tank");
    assert_int_equal(parts[2].parent, 1);
    assert_int_equal(Attach("gun", 9, 0), -1);
    assert_int_equal(Attach("gun", 0, 99), -1);
    assert_int_equal(Attach("none", 0, 0), -1);
    assert_int_equal(mesh->piece_count, 10);

    assert_int_equal(Send(6, remove_gun), 1); /* this also removes what is attached to it */
    assert_int_equal(mesh->piece_count, 6);
    assert_int_equal(Send(6, remove_gun), 0);
    assert_int_equal(Attach("gun", 0, 3), 1);
    /* both parts have been removed */
    assert_int_equal(Attach("gun", 0, 3), 2);
    /* the object itself is never removed */
    assert_int_equal(Send(6, (const uint32_t[2]){20, 0}), 0);
}

static const char *PartName(uint32_t part) {
    void *names = Ask(0x24);
    assert_non_null(names);
    return (const char *)METHOD(names, IPartNames, 2)((uintptr_t)names, part);
}

TEST_OF_TANK(PartsHaveTheNamesOfTheirRecords) {
    assert_string_equal(PartName(0), "tank");
    assert_null(PartName(1));
    assert_int_equal(Attach("gun", 0, 3), 1);
    assert_int_equal(Attach("gun.msh", 0, 3), 2);
    assert_string_equal(PartName(1), "gun");
    Send(6, (const uint32_t[2]){20, 1});
    assert_null(PartName(1));
    assert_string_equal(PartName(2), "gun.msh"); /* found by its id, and not by its place */
}

/* ---- children, placement --------------------------------------------------------------------- */

TEST_OF_TANK(ChildrenKnowTheirParent) {
    uint8_t *child = LoadTank(0);
    const uintptr_t self = (uintptr_t)agent, other = (uintptr_t)child;
    ForgetCalls();
    assert_int_equal(METHOD(agent, IGameObject, 4)(self, other, 2), 1);
    /* the message to the parent that a child was added */
    assert_int_equal(control_log->calls[0].arguments[2], 2);
    /* the message to the child that it was added */
    assert_int_equal(control_log->calls[2].arguments[2], 6);
    assert_int_equal(METHOD(child, IGameObject, 3)(other), self);
    assert_int_equal(METHOD(child, IGameObject, 16)(other), 2);
    assert_int_equal(METHOD(agent, IGameObject, 4)(self, other, 2), 0); /* the child is there */
    assert_int_equal(METHOD(agent, IGameObject, 4)(self, self, 2), 0);
    ABI_PROTO_animesh_PlaceObject((*place)) =
        (ABI_PROTO_animesh_PlaceObject((*)))game.internal(0x10017790);
    ABI_PROTO_animesh_GetPlacement((*placement)) =
        (ABI_PROTO_animesh_GetPlacement((*)))game.internal(0x10017C30);
    static const float moved[16] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
    float matrix[16], node[16];
    ForgetCalls();
    place(self, moved);
    /* the message that the object itself was placed */
    assert_int_equal(control_log->calls[0].arguments[2], 9);
    assert_int_equal(control_log->calls[2].arguments[2],
                     5); /* the message to the child that its parent was placed */
    placement(self, matrix);
    assert_memory_equal(matrix, moved, sizeof moved);
    void *mesh = Ask(0xB);
    METHOD(mesh, IAnimation, 4)(mesh, 0, 2, node);
    assert_memory_equal(node, moved, sizeof moved);
    ForgetCalls();
    assert_int_equal(METHOD(agent, IGameObject, 5)(self, other), 1);
    assert_int_equal(control_log->calls[0].arguments[2], 3);
    assert_int_equal(control_log->calls[2].arguments[2], 7);
    assert_int_equal(METHOD(child, IGameObject, 3)(other), 0);
    assert_int_equal(METHOD(agent, IGameObject, 5)(self, other), 0);
    Destroy(child);
}

TEST_OF_TANK(MatricesAreSetAndReadByKind) {
    static const float moved[16] = {0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
    float matrix[16], untouched[16] = {42};
    uint8_t *parent = LoadTank(0);
    const uintptr_t self = (uintptr_t)agent;
    METHOD(agent, IGameObject, 7)(self, 2, moved);
    METHOD(agent, IGameObject, 8)(self, 2, matrix);
    assert_memory_equal(matrix, moved, sizeof moved);
    memcpy(matrix, untouched, sizeof matrix);
    for (uint32_t kind = 0; kind < 4; kind++) {
        if (kind == 2)
            continue;
        METHOD(agent, IGameObject, 7)(self, kind, untouched);
        METHOD(agent, IGameObject, 8)(self, kind, matrix);
        assert_memory_equal(matrix, untouched, sizeof matrix);
    }
    METHOD(agent, IGameObject, 2)(self, (uintptr_t)parent, 1);
    METHOD(agent, IGameObject, 8)(self, 2, matrix);
    assert_memory_equal(matrix, untouched, sizeof matrix);
    METHOD(agent, IGameObject, 2)(self, 0, -1);
    METHOD(agent, IGameObject, 8)(self, 2, matrix);
    assert_memory_equal(matrix, moved, sizeof moved);
    assert_int_equal(Game_CountLog("IGameObject::SetMatrix is refused: of the kinds"), 1);
    assert_int_equal(Game_CountLog("IGameObject::GetMatrix is refused: of the kinds"), 1);
    assert_int_equal(Game_CountLog("IGameObject::GetMatrix is refused: of what the matrix"), 1);
    Destroy(parent);
}

TEST_OF_TANK(WhatIsUnpublishedIsRefusedByName) {
    for (int i = 0; i < 3; i++) {
        assert_int_equal(METHOD(agent, IGameObject, 12)((uintptr_t)agent), 0);
        assert_int_equal(METHOD(agent, IGameObject, 14)((uintptr_t)agent), 0);
    }
    assert_int_equal(Game_CountLog("IGameObject::GetLogicId is refused"), 1);
    assert_int_equal(Game_CountLog("IGameObject::GetTypeWord is refused"), 1);
}

/* ---- method 17 ------------------------------------------------------------------------------- */

enum { OWNER = 5, FATAL_EXIT = 4 };

static uint32_t ABI_CC(fastcall) Life_Owner(const void *self) {
    (void)self;
    return OWNER;
}

/* Asks in a process of its own, because the call may end it. The exit code of the process is the
 * owner. */
static int AskForOwner(bool has_life) {
    const Method methods[12] = {[11] = (Method)Life_Owner};
    Outer life = {methods};
    if (!Game_Join())
        return 1;
    agent = LoadTank(0);
    memcpy(agent + 0x160, &(const void *){has_life ? &life : NULL}, 4);
    const uint32_t owner = METHOD(agent, IGameObject, 17)((uintptr_t)agent);
    return owner == 0xFFFF ? 6 : (int)owner;
}

static unsigned long RunWith(const char *word, const char *reading) {
    SetEnvironmentVariableA("RETROPOSE_READINGS", reading);
    const unsigned long code = Game_RunSelf(word);
    SetEnvironmentVariableA("RETROPOSE_READINGS", NULL);
    return code;
}

TEST(Slot17IsWhatTheReadingSays) {
    assert_int_equal(RunWith("life", "object-slot-17=owner"), OWNER);
    assert_int_equal(RunWith("none", "object-slot-17=owner"), 6);
    assert_int_equal(Game_CountLog("IGameObject method 17 was called"), 0);
    assert_int_equal(RunWith("life", NULL), FATAL_EXIT);
    assert_int_equal(Game_CountLog("IGameObject method 17 was called"), 1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void Live(void) {
    agent = LoadTank(0);
    uint8_t *child = LoadTank(0);
    Attach("gun", 0, 3);
    Attach("gun", 1, 0);
    Attach("none", 1, 0);
    METHOD(agent, IGameObject, 4)((uintptr_t)agent, (uintptr_t)child, 2);
    Send(4, NULL);
    Send(6, (const uint32_t[2]){20, 1});
    game.load_agent(MODELS_ARCHIVE, "wild.msh", 0, PLAYER);
    Destroy(child);
    Destroy(agent);
}

TEST(NothingIsLeftBehind) {
    Game_AssertLeavesNothing(Live);
}

static int Open(void **state) {
    control_log = Game_LogOf("Control.dll");
    world_log = Game_LogOf("World3D.dll");
    return control_log && world_log ? Game_Begin(state) : -1;
}

AROUND_ALL(Open, Game_End)

int main(int argc, char **argv) {
    if (argc > 1)
        return AskForOwner(strcmp(argv[1], "life") == 0);
    return Tests_Run();
}
