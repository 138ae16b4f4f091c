#include "dll/animesh/agent.h"

#include "dll/animesh/diagnose.h"
#include "dll/base/log.h"

#include <string.h>

static CRITICAL_SECTION lock;
static AgentObject *list;

/* ---- the interface table --------------------------------------------------------------------- */

enum { TABLE_COLUMNS = 48 };

/* Returns the number of an interface's entry in the table, or UINT32_MAX for an id that has
 * none. */
static uint32_t EntryOf(uint32_t id) {
    const uint32_t column = id & 0xFF, entry = (id >> 8) * TABLE_COLUMNS + column;
    return id >> 8 < ABI_AGENT_TABLE / TABLE_COLUMNS && column < TABLE_COLUMNS ? entry : UINT32_MAX;
}

void Agent_File(AgentObject *agent, uint32_t id, uintptr_t object) {
    const uint32_t entry = EntryOf(id);
    if (entry != UINT32_MAX)
        agent->agent.interfaces[entry] = object;
}

uintptr_t Agent_Filed(const AgentObject *agent, uint32_t id) {
    const uint32_t entry = EntryOf(id);
    return entry == UINT32_MAX ? 0 : agent->agent.interfaces[entry];
}

/* ---- aggregation ----------------------------------------------------------------------------- */

/* A question to an outer object that has not been answered yet. It is kept on the stack of its
 * thread. */
typedef struct Question {
    const AgentObject *agent;
    DWORD thread;
    struct Question *next;
} Question;

static Question *questions;

/* The only outer object of the game, a building, answers five ids itself and hands all others back
 * to the agent's table (Terrain 0x10057CF6, facts/animesh.md C.3). It does so through IAgent, which
 * never asks the outer object. If one handed them back to IGameObject instead, the two would ask
 * each other for ever; so a question that is being asked is not asked again. */
uintptr_t Agent_Query(const AgentObject *agent, uint32_t id) {
    if (!agent->agent.outer || id == ID_AGENT)
        return Agent_Filed(agent, id);
    Question question = {.agent = agent, .thread = GetCurrentThreadId()};
    EnterCriticalSection(&lock);
    const Question *asked = questions;
    while (asked && (asked->agent != agent || asked->thread != question.thread))
        asked = asked->next;
    if (!asked) {
        question.next = questions;
        questions = &question;
    }
    LeaveCriticalSection(&lock);
    if (asked)
        return Agent_Filed(agent, id);

    const uintptr_t found = Object_Query(agent->agent.outer, id);

    EnterCriticalSection(&lock);
    Question **link = &questions;
    while (*link != &question)
        link = &(*link)->next;
    *link = question.next;
    LeaveCriticalSection(&lock);
    return found;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* The components that other modules made are left alone, because it is not published how they are
 * to be ended. */
bool Agent_Destroy(uintptr_t object) {
    EnterCriticalSection(&lock);
    AgentObject **link = &list;
    while (*link && (uintptr_t)*link + ABI_AGENT_IAGENT != object)
        link = &(*link)->next;
    AgentObject *agent = *link;
    if (agent)
        *link = agent->next;
    LeaveCriticalSection(&lock);

    if (!agent)
        return false;
    MeshObject_Destroy((uintptr_t)agent->mesh);
    RpMemory_Free(NULL, agent->parts);
    RpMemory_Free(NULL, agent->children);
    RpMemory_Free(NULL, agent);
    return true;
}

void Agents_Open(void) {
    InitializeCriticalSection(&lock);
}

void Agents_Close(bool process_ends) {
    while (list && !process_ends)
        Agent_Destroy((uintptr_t)list + ABI_AGENT_IAGENT);
    DeleteCriticalSection(&lock);
}

/* ---- setting up, 0x10002FF0 ------------------------------------------------------------------ */

enum { KIND_WEAPON = 2, KIND_UNIT = 4, KIND_BULLET = 9, KIND_SCENERY = 10, KIND_UNKNOWN = 0 };

typedef ABI_PROTO_animesh_IGameObject_11((*KindMethod));

static RpStatus Load(AgentObject **agent, const char *archive, const char *member, uintptr_t outer,
                     uint32_t player, RpError *error) {
    if (!archive || !member)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no name", "", "", "");
    AgentObject *made = RpMemory_Resize(NULL, NULL, sizeof *made);
    *agent = made;
    if (!made)
        return RpMemory_Refused(error, "an agent");
    memset(made, 0, sizeof *made);
    Object_SetVtables(made, OBJECT_Agent);
    made->agent.outer = outer;
    made->agent.joint = -1;
    made->player = player;
    Agent_File(made, 0, (uintptr_t)made);
    Agent_File(made, ID_GAME_OBJECT, (uintptr_t)made);
    Agent_File(made, ID_AGENT, (uintptr_t)made + ABI_AGENT_IAGENT);
    Agent_File(made, ID_PART_NAMES, (uintptr_t)made + AGENT_PART_NAMES);
    EnterCriticalSection(&lock);
    made->next = list;
    list = made;
    LeaveCriticalSection(&lock);

    static const uint32_t ids[] = {ID_ANIMATION, ID_MESH2, ID_JOINT_MESH, ID_COLLISION_MESH};
    AgentRecord record;
    RpStatus status = AgentRecord_Read(archive, member, &record, error);
    if (status == RP_OK)
        status = Agent_EnterRoot(made, archive, member, error);
    if (status == RP_OK)
        status = MeshObject_Load(record.names[PAIR_MESH][0], record.names[PAIR_MESH][1],
                                 (uintptr_t)made, &made->mesh, error);
    if (status != RP_OK) {
        Agent_Destroy((uintptr_t)made + ABI_AGENT_IAGENT);
        return status;
    }
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        Agent_File(made, ids[i], MeshObject_Interface(made->mesh, ids[i]));
    made->agent.animation = Agent_Filed(made, ID_ANIMATION);
    made->agent.mesh = made->agent.animation; /* that it is this interface is assumed */
    made->agent.mesh_save = MeshObject_Interface(made->mesh, ID_SAVE);

    /* A building knows its kind. That of other objects is in the record's tag. */
    const uintptr_t object = Object_Query(made->agent.outer, ID_GAME_OBJECT);
    made->agent.kind = KIND_UNKNOWN;
    if (object)
        made->agent.kind = ((KindMethod)Object_Method(object, 11))(object);
    else if (record.tag == AGENT_TAG('B', 'T', 'L', 'U'))
        made->agent.kind = KIND_UNIT;
    else if (record.tag == AGENT_TAG('B', 'U', 'L', 'L'))
        made->agent.kind = KIND_BULLET;
    else if (record.tag == AGENT_TAG('W', 'P', 'N', 'S'))
        made->agent.kind = KIND_WEAPON;
    else if (record.tag == AGENT_TAG('S', 'T', 'A', 'T'))
        made->agent.kind = KIND_SCENERY;
    Agent_MakeComponents(made, &record);
    return RP_OK;
}

ABI_PROTO_animesh_LoadAgent(LoadAgent);

ABI_PROTO_animesh_LoadAgent(LoadAgent) {
    AgentObject *agent;
    RpError error;
    char message[LOG_LINE_BYTES];
    if (Load(&agent, archive, member, outer, player, &error) == RP_OK)
        return (uintptr_t)agent + ABI_AGENT_IAGENT;
    RpError_Format(&error, message, sizeof message);
    Log_Write("LoadAgent(%s, %s) returns null: %s", archive, member, message);
    return 0;
}
