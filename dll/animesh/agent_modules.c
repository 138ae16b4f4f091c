/* Makes the components of an agent that other modules supply (facts/animesh.md B, C.3). A factory
 * is called only if its arguments are public. The log names the other factories, and each module
 * that is missing. No source tells whether the caller or the callee removes the arguments from the
 * stack, so the stack is repaired after each call. */
#include "dll/animesh/agent.h"

#include "dll/base/log.h"
#include "dll/folder.h"
#include "dll/gate.h"

#include <windows.h>

enum { MAX_ARGUMENTS = 8 };

typedef struct Factory {
    const char *module, *function;
    uint32_t id; /* interface under which the result enters the table */
    bool has_known_arguments;
    long seen;
} Factory;

enum {
    MATERIALS,
    LIGHTS,
    CONTROL,
    COLLISION_OBJECT,
    EFFECTS,
    MAN_MANAGER,
    WIZARD,
    BEHAVIOUR,
    HALLWAY,
    COLLISION_MANAGER,
    FACTORY_COUNT
};

static Factory factories[FACTORY_COUNT] = {
    [MATERIALS] = {"World3D.dll", "LoadMatManager", ID_MATERIAL_MANAGER, true, 0},
    [LIGHTS] = {"Terrain.dll", "CreateLightManager", ID_LIGHT_MANAGER, false, 0},
    [CONTROL] = {"Control.dll", "LoadControlSystem", ID_CONTROL, true, 0},
    [COLLISION_OBJECT] = {"Control.dll", "CreateCollObject", ID_COLLISION_OBJECT, true, 0},
    [EFFECTS] = {"Effect.dll", "CreateFxManager", ID_EFFECT_MANAGER, false, 0},
    [MAN_MANAGER] = {"World3D.dll", "CreateManManager", ID_MAN_MANAGER, false, 0},
    [WIZARD] = {"Wizard.dll", "CreateWizard", ID_WIZARD, false, 0},
    [BEHAVIOUR] = {"Behavior.dll", "CreateBehaviour", ID_BEHAVIOUR, false, 0},
    [HALLWAY] = {"ArealMap.dll", "CreateHallWay", ID_HALLWAY, false, 0},
    [COLLISION_MANAGER] = {"Control.dll", "CreateCollManager", ID_COLLISION_MANAGER, true, 0},
};

/* ---- calls ----------------------------------------------------------------------------------- */

static void Say(Factory *factory, const char *what) {
    if (Log_IsFirst(&factory->seen))
        Log_Write("agents have no %s: %s %s", factory->function, factory->module, what);
}

/* The reference to the module is never released, because the objects that it made have their code
 * there. */
static const void *Find(Factory *factory) {
    /* The game's modules lie in the same folder as this DLL. */
    wchar_t folder[FOLDER_PATH_CHARS];
    HMODULE own = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const char *)factories, &own);
    if (!Folder_Of(own, folder))
        folder[0] = 0;
    const HMODULE module = Folder_LoadOfGame(folder, factory->module);

    if (!module) {
        Say(factory, "is not there");
        return NULL;
    }
    const void *code = (const void *)(uintptr_t)GetProcAddress(module, factory->function);
    if (!code)
        Say(factory, "does not have it");
    return code;
}

static uintptr_t Call(const void *code, const uint32_t *arguments, uint32_t count) {
    MachineCall call = {.code = code, .stack = arguments, .dwords = count};
    Live_CallMachine(&call);
    return call.eax;
}

static uintptr_t Make(AgentObject *agent, int which, const uint32_t *arguments, uint32_t count) {
    Factory *factory = &factories[which];
    const void *code = Find(factory);
    if (!code)
        return 0;
    if (!factory->has_known_arguments) {
        Say(factory, "has it, but no public source tells its arguments");
        return 0;
    }
    const uintptr_t made = Call(code, arguments, count);
    if (!made)
        Say(factory, "returned null");
    Agent_File(agent, factory->id, made);
    return made;
}

static uint32_t Word(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

/* ---- components ------------------------------------------------------------------------------ */

enum { KIND_BUILDING = 3 };

/* Calls the factories in the order of 0x10002FF0. Of the switch by kind at 0x100033D1 only kind 3
 * is public. */
void Agent_MakeComponents(AgentObject *agent, const AgentRecord *record) {
    /* Component loaders take four arguments: archive, member, outer and player. It is assumed that
     * this one does, too. */
    const uint32_t for_materials[] = {Word(record->names[PAIR_WEAR][0]),
                                      Word(record->names[PAIR_WEAR][1]), Word(agent),
                                      agent->player};
    agent->agent.material_manager = Make(agent, MATERIALS, for_materials, 4);

    agent->agent.light_manager = Make(agent, LIGHTS, NULL, 0);

    /* The control loader takes six names, a resource context and the kind. It is assumed that the
     * context is the agent. */
    uint32_t for_control[MAX_ARGUMENTS];
    for (int i = 0; i < 6; i++)
        for_control[i] = Word(record->names[PAIR_CONTROL + i / 2][i % 2]);
    for_control[6] = Word(agent);
    for_control[7] = agent->agent.kind;
    const uintptr_t control = Make(agent, CONTROL, for_control, 8);
    agent->agent.control = control;
    agent->agent.life_system = Object_Query(control, ID_LIFE_SYSTEM);
    agent->agent.items = Object_Query(control, ID_ITEM_MANAGER);
    agent->agent.control_save = Object_Query(control, ID_SAVE);
    Agent_File(agent, ID_LIFE_SYSTEM, agent->agent.life_system);
    Agent_File(agent, ID_ITEM_MANAGER, agent->agent.items);

    agent->agent.devices = Object_Query(agent->agent.outer, ID_DEVICE_MANAGER);
    Agent_File(agent, ID_DEVICE_MANAGER, agent->agent.devices);

    const uint32_t for_object[] = {Word(agent),
                                   /* The original reads two values here. Which ones these are is
                                    * assumed. */
                                   Word(agent->mesh)};
    agent->agent.collision_object = Make(agent, COLLISION_OBJECT, for_object, 2);

    agent->agent.effect_manager = Make(agent, EFFECTS, NULL, 0);
    Make(agent, MAN_MANAGER, NULL, 0);
    if (agent->agent.kind == KIND_BUILDING) {
        const uint32_t owner = Word(agent);
        agent->agent.wizard = Make(agent, WIZARD, NULL, 0);
        agent->agent.behaviour = Make(agent, BEHAVIOUR, NULL, 0);
        agent->agent.hallway = Make(agent, HALLWAY, NULL, 0);
        agent->agent.collision_manager = Make(agent, COLLISION_MANAGER, &owner, 1);
    }
}

/* ---- settings -------------------------------------------------------------------------------- */

typedef uint32_t METHOD_CC (*SettingMethod)(uintptr_t self, uint32_t key);

enum { SETTING_METHOD = 3 };

/* It is assumed that the function takes no argument. */
uint32_t Settings_Read(uint32_t key) {
    static Factory create = {"World3D.dll", "CreateGameSettings", 0, true, 0};
    const void *code = Find(&create);
    const uintptr_t registry = code ? Call(code, NULL, 0) : 0;
    return registry ? ((SettingMethod)Object_Method(registry, SETTING_METHOD))(registry, key) : 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

void Agent_Kill(const AgentObject *agent) {
    static Factory kill = {"World3D.dll", "KillGameObject", 0, true, 0};
    const void *code = Find(&kill);
    if (code)
        Call(code, &agent->agent.object_id, 1);
}
