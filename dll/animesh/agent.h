/* The object that LoadAgent makes: first the original's record, then fields of our own
 * (facts/animesh.md C.3). What no source tells is marked "assumed" at its place, and listed in
 * docs/reference/mesh.md. */
#ifndef RETROPOSE_DLL_ANIMESH_AGENT_H
#define RETROPOSE_DLL_ANIMESH_AGENT_H

#include "dll/animesh/loaded_mesh.h"

#define LAYOUT_MEMBER_49(type, name)  Layout_##type name[49];
#define LAYOUT_MEMBER_68(type, name)  Layout_##type name[68];
#define LAYOUT_MEMBER_336(type, name) Layout_##type name[336];

typedef struct Agent {
    ABI_AGENT_FIELDS(LAYOUT_MEMBER)
} Agent;

#define AGENT_CHECK(offset, type, count, name) LAYOUT_CHECK(Agent, offset, name)
ABI_AGENT_FIELDS(AGENT_CHECK)
#undef AGENT_CHECK
_Static_assert(sizeof(Agent) == ABI_AGENT_SIZE, "Agent");

typedef struct AgentChild {
    uintptr_t object; /* an IGameObject */
    int32_t joint;
} AgentChild;

typedef struct AgentObject {
    Agent agent; /* must be first: it is the original's record */
    /* the interface 0x24; its place in the original's record is unpublished */
    uintptr_t part_names;
    MeshObject *mesh;
    AgentPart *parts; /* the same pointer as agent.parts */
    uint32_t part_count;
    AgentChild *children;
    uint32_t child_count;
    uint32_t player;
    struct AgentObject *next;
} AgentObject;

enum { AGENT_PART_NAMES = offsetof(AgentObject, part_names) };

/* ---- agent.c --------------------------------------------------------------------------------- */

void Agents_Open(void);
void Agents_Close(bool process_ends);
/* Destroys the agent that LoadAgent returned as `object`. Returns false for anything else. */
bool Agent_Destroy(uintptr_t object);

/* These put an object into the interface table, and get it from there, by the id of an
 * interface. */
void Agent_File(AgentObject *agent, uint32_t id, uintptr_t object);
uintptr_t Agent_Filed(const AgentObject *agent, uint32_t id);
/* Does what QueryInterface of IGameObject does (0x10001320): if there is an outer object, it
 * answers, except for IAgent. If the outer object hands a question back, the table answers, through
 * whichever interface the question comes. */
uintptr_t Agent_Query(const AgentObject *agent, uint32_t id);

/* ---- agent_record.c -------------------------------------------------------------------------- */

/* The record that an archive has under the name of an object or a part. It holds five pairs of
 * names, or it is itself a model. */
enum { PAIR_MESH = 0, PAIR_WEAR = 1, PAIR_CONTROL = 2, PAIR_COUNT = 5, NAME_BYTES = 32 };

typedef struct AgentRecord {
    uint32_t tag;
    /* pairs of archive and member; the pairs that the record does not have are empty */
    char names[PAIR_COUNT][2][NAME_BYTES + 1];
} AgentRecord;

#define AGENT_TAG(a, b, c, d)                                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

RpStatus AgentRecord_Read(const char *archive, const char *member, AgentRecord *record,
                          RpError *error);

/* ---- agent_modules.c ------------------------------------------------------------------------- */

/* Makes the components that other modules supply. For each one that is missing, the log gets one
 * line. */
void Agent_MakeComponents(AgentObject *agent, const AgentRecord *record);
/* Calls World3D's KillGameObject. */
void Agent_Kill(const AgentObject *agent);

/* ---- agent_parts.c --------------------------------------------------------------------------- */

enum { NO_PART = -1 };

/* Makes the object itself entry 0 of the parts. */
RpStatus Agent_EnterRoot(AgentObject *agent, const char *archive, const char *member,
                         RpError *error);
/* Returns the id of the part, or NO_PART with an error, in which case nothing has changed. */
int32_t Agent_AttachPart(AgentObject *agent, const AgentPart *part, RpError *error);
bool Agent_RemovePart(AgentObject *agent, uint32_t part);
/* Returns the name of the part's member, or null for a part that does not exist. A name of 32
 * letters has no NUL at its end, neither here nor in the record that it was copied from. */
const char *Agent_PartName(const AgentObject *agent, uint32_t part);

#endif
