/* The agent's interfaces: IGameObject, which is the object itself, IAgent at +0x130, and IPartNames
 * behind the original's record (facts/animesh.md C.3). */
#include "dll/animesh/agent.h"
#include "dll/animesh/diagnose.h"
#include "dll/unserved.h"
#include "exports/reading_table.h"

#include <string.h>

static AgentObject *AgentOf(uintptr_t self) {
    return (AgentObject *)self;
}

/* ---- interfaces ------------------------------------------------------------------------------ */

ABI_PROTO_animesh_IAgent_0(AniMesh_IAgent_0) {
    return Agent_Filed(AgentOf(self - ABI_AGENT_IAGENT), id);
}

ABI_PROTO_animesh_IGameObject_0(AniMesh_IGameObject_0) {
    return Agent_Query(AgentOf(self), id);
}

ABI_PROTO_animesh_IPartNames_0(AniMesh_IPartNames_0) {
    return Agent_Query(AgentOf(self - AGENT_PART_NAMES), id);
}

ABI_PROTO_animesh_IPartNames_2(AniMesh_IPartNames_2) {
    return (uintptr_t)Agent_PartName(AgentOf(self - AGENT_PART_NAMES), part);
}

/* ---- what is asked --------------------------------------------------------------------------- */

ABI_PROTO_animesh_IGameObject_2(AniMesh_IGameObject_2) {
    AgentOf(self)->agent.parent = parent;
    AgentOf(self)->agent.joint = joint;
}

ABI_PROTO_animesh_IGameObject_3(AniMesh_IGameObject_3) {
    return AgentOf(self)->agent.parent;
}

ABI_PROTO_animesh_IGameObject_9(AniMesh_IGameObject_9) {
    return AgentOf(self)->agent.object_id;
}

ABI_PROTO_animesh_IGameObject_11(AniMesh_IGameObject_11) {
    return AgentOf(self)->agent.kind;
}

/* The logic id and the type word come with the object's record or from its mission. Where the agent
 * keeps them is not published. */
ABI_PROTO_animesh_IGameObject_12(AniMesh_IGameObject_12) {
    static long seen;
    (void)self;
    Diagnose_Refused("IGameObject::GetLogicId", "where an agent keeps it is unpublished", &seen);
    return 0;
}

ABI_PROTO_animesh_IGameObject_14(AniMesh_IGameObject_14) {
    static long seen;
    (void)self;
    Diagnose_Refused("IGameObject::GetTypeWord", "where an agent keeps it is unpublished", &seen);
    return 0;
}

ABI_PROTO_animesh_IGameObject_16(AniMesh_IGameObject_16) {
    return AgentOf(self)->agent.joint;
}

ABI_PROTO_animesh_IGameObject_21(AniMesh_IGameObject_21) {
    return AgentOf(self)->agent.mirrored[0];
}

/* The control system keeps the word of the owner. Method 11 of its ILifeSystem, which takes no
 * argument, returns it. OWNER_NONE is what the control system's constructor writes. */
enum { LIFE_OWNER_METHOD = 11, OWNER_NONE = 0xFFFF };

typedef ABI_PROTO_animesh_IGameObject_17((*OwnerMethod));

/* This method has two readings. Under one of them it saves chunks, with arguments that are not
 * published. */
ABI_PROTO_animesh_IGameObject_17(AniMesh_IGameObject_17) {
    if (animesh_arithmetic.readings.choice[READING_OBJECT_SLOT_17] == 0) /* chunks */
        Live_EndUnserved("IGameObject method 17", __builtin_return_address(0));
    const uintptr_t life = AgentOf(self)->agent.life_system;
    return life ? ((OwnerMethod)Object_Method(life, LIFE_OWNER_METHOD))(life) : OWNER_NONE;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The payload of message 6 begins with a sub-code, which is followed by what the sub-code needs.
 * That both are dwords is assumed. */
enum { SUB_TICK = 1, SUB_MODE = 7, SUB_REMOVE_PART = 20, SUB_KILL = 0x16 };

enum { MODE_AI = 0 }; /* a value of SUB_MODE; 1 is the player's, 2 is off */

typedef struct Contained {
    uint32_t code, value;
} Contained;

/* The game's queue sends the clock in a container. The original passes the tick on to five objects,
 * of which four are public (facts/animesh.md C.3). */
static uint32_t Tick(const AgentObject *agent, uintptr_t payload) {
    const Agent *has = &agent->agent;
    Object_Message(has->behaviour, MESSAGE_TICK, payload);
    Object_Message(has->wizard, MESSAGE_TICK, payload);
    Object_Message(has->collision_object, MESSAGE_TICK, payload);
    Object_Message(has->control, MESSAGE_TICK, payload);
    Object_Message(has->collision_object, MESSAGE_FRAME, payload);
    return 1;
}

/* Passes the initialisation on to the mesh, which is public, and to the other components, which is
 * assumed. */
static uint32_t Init(const AgentObject *agent, uintptr_t payload) {
    const Agent *has = &agent->agent;
    Object_Message(has->animation, MESSAGE_INIT, payload);
    Object_Message(has->control, MESSAGE_INIT, payload);
    Object_Message(has->collision_object, MESSAGE_INIT, payload);
    Object_Message(has->behaviour, MESSAGE_INIT, payload);
    Object_Message(has->wizard, MESSAGE_INIT, payload);
    return 1;
}

static uint32_t TakeContained(AgentObject *agent, const Contained *contained) {
    static long seen;
    switch (contained ? contained->code : 0) {
    case SUB_TICK:
        return Tick(agent, contained->value);
    case SUB_REMOVE_PART:
        return Agent_RemovePart(agent, contained->value);
    case SUB_MODE:
        agent->agent.mirrored[0] = contained->value != MODE_AI;
        Object_Message(agent->agent.wizard, MESSAGE_MODE, contained->value);
        return 1;
    case SUB_KILL:
        Agent_Kill(agent);
        return 1;
    default:
        Diagnose_Refused("IGameObject::HandleMessage, container",
                         "no public source tells of such a code", &seen);
        return 0;
    }
}

ABI_PROTO_animesh_IGameObject_13(AniMesh_IGameObject_13) {
    static long seen;
    AgentObject *agent = AgentOf(self);
    switch (message) {
    case MESSAGE_TICK:
        return Tick(agent, payload);
    case MESSAGE_INIT:
        return Init(agent, payload);
    case MESSAGE_CONTAINER:
        return TakeContained(agent, (const Contained *)payload);
    default:
        Diagnose_Refused("IGameObject::HandleMessage", "no public source tells of such a message",
                         &seen);
        return 0;
    }
}

/* ---- children -------------------------------------------------------------------------------- */

enum {
    EVENT_CHILD_PLACED = 1,
    EVENT_CHILD_ADDED = 2,
    EVENT_CHILD_REMOVED = 3,
    EVENT_PARENT_PLACED = 5,
    EVENT_ADDED = 6,
    EVENT_REMOVED = 7,
    EVENT_PLACED = 9
};

typedef struct ChildEvent { /* Child event of message 21. Its form is assumed. */
    uint32_t event;
    uintptr_t payload;
} ChildEvent;

typedef ABI_PROTO_animesh_IGameObject_2((*ParentMethod));
typedef ABI_PROTO_animesh_IGameObject_20((*EventMethod));

ABI_PROTO_animesh_IGameObject_20(AniMesh_IGameObject_20) {
    const Agent *has = &AgentOf(self)->agent;
    const ChildEvent child_event = {event, payload};
    Object_Message(has->animation, MESSAGE_CHILD_EVENT, (uintptr_t)&child_event);
    Object_Message(has->control, MESSAGE_CHILD_EVENT, (uintptr_t)&child_event);
    Object_Message(has->collision_object, MESSAGE_CHILD_EVENT, (uintptr_t)&child_event);
}

static void Tell(uintptr_t object, uint32_t event, uintptr_t about) {
    ((EventMethod)Object_Method(object, 20))(object, event, about);
}

static void GiveParent(uintptr_t child, uintptr_t parent, int32_t joint) {
    ((ParentMethod)Object_Method(child, 2))(child, parent, joint);
}

static AgentChild *FindChild(const AgentObject *agent, uintptr_t child) {
    for (uint32_t i = 0; i < agent->child_count; i++)
        if (agent->children[i].object == child)
            return &agent->children[i];
    return NULL;
}

ABI_PROTO_animesh_IGameObject_4(AniMesh_IGameObject_4) {
    AgentObject *agent = AgentOf(self);
    AgentChild *grown =
        child && child != self && !FindChild(agent, child)
            ? RpMemory_Resize(NULL, agent->children, (agent->child_count + 1) * sizeof *grown)
            : NULL;
    if (!grown)
        return 0;
    grown[agent->child_count++] = (AgentChild){child, joint};
    agent->children = grown;
    GiveParent(child, self, joint);
    Tell(self, EVENT_CHILD_ADDED, child);
    Tell(child, EVENT_ADDED, self);
    return 1;
}

ABI_PROTO_animesh_IGameObject_5(AniMesh_IGameObject_5) {
    AgentObject *agent = AgentOf(self);
    AgentChild *found = FindChild(agent, child);
    if (!found)
        return 0;
    *found = agent->children[--agent->child_count];
    GiveParent(child, 0, -1);
    Tell(self, EVENT_CHILD_REMOVED, child);
    Tell(child, EVENT_REMOVED, self);
    return 1;
}

/* ---- placement ------------------------------------------------------------------------------- */

/* The three events are read at 0x10017BE1. That each is about the object placed is assumed. */
ABI_PROTO_animesh_PlaceObject(AniMesh_PlaceObject) {
    const AgentObject *agent = AgentOf(self);
    memcpy(agent->mesh->mesh.placement, matrix, sizeof agent->mesh->mesh.placement);
    Tell(self, EVENT_PLACED, self);
    if (agent->agent.parent)
        Tell(agent->agent.parent, EVENT_CHILD_PLACED, self);
    for (uint32_t i = 0; i < agent->child_count; i++)
        Tell(agent->children[i].object, EVENT_PARENT_PLACED, self);
}

/* Of the three kinds of matrix that methods 7 and 8 know, only the world's is public. */
enum { MATRIX_WORLD = 2 };

ABI_PROTO_animesh_IGameObject_7(AniMesh_IGameObject_7) {
    static long seen;
    if (kind == MATRIX_WORLD)
        AniMesh_PlaceObject(self, matrix);
    else
        Diagnose_Refused("IGameObject::SetMatrix", "of the kinds of matrix only 2 is published",
                         &seen);
}

ABI_PROTO_animesh_IGameObject_8(AniMesh_IGameObject_8) {
    static long seen_kind, seen_parent;
    if (kind != MATRIX_WORLD)
        Diagnose_Refused("IGameObject::GetMatrix", "of the kinds of matrix only 2 is published",
                         &seen_kind);
    else if (AgentOf(self)->agent.parent)
        Diagnose_Refused("IGameObject::GetMatrix",
                         "of what the matrix of an attached object is composed is unpublished",
                         &seen_parent);
    else
        AniMesh_GetPlacement(self, matrix);
}

ABI_PROTO_animesh_GetPlacement(AniMesh_GetPlacement) {
    memcpy(matrix, AgentOf(self)->mesh->mesh.placement, sizeof AgentOf(self)->mesh->mesh.placement);
}
