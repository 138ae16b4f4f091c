/* Keeps the list of an agent's parts, and attaches and removes parts (facts/animesh.md C.3:
 * 0x10003760, 0x10003C40). */
#include "dll/animesh/agent.h"

#include "dll/base/log.h"

#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

static RpStatus Enter(AgentObject *agent, const AgentPart *part, RpError *error) {
    AgentPart *grown = RpMemory_Resize(NULL, agent->parts, (agent->part_count + 1) * sizeof *grown);
    if (!grown)
        return RpMemory_Refused(error, "the part list");
    grown[agent->part_count++] = *part;
    agent->parts = grown;
    agent->agent.parts = (uintptr_t)grown;
    return RP_OK;
}

static AgentPart *FindPart(const AgentObject *agent, uint32_t id) {
    for (uint32_t i = 0; i < agent->part_count; i++)
        if (agent->parts[i].id == id)
            return &agent->parts[i];
    return NULL;
}

static void Leave(AgentObject *agent, uint32_t index) {
    agent->part_count--;
    memmove(agent->parts + index, agent->parts + index + 1,
            (agent->part_count - index) * sizeof *agent->parts);
}

RpStatus Agent_EnterRoot(AgentObject *agent, const char *archive, const char *member,
                         RpError *error) {
    AgentPart root = {.parent = NO_PART, .attach = -1};
    if (strlen(archive) > sizeof root.archive || strlen(member) > sizeof root.member)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a name of more than 32 letters", member,
                           "", "");
    memcpy(root.archive, archive, strlen(archive));
    memcpy(root.member, member, strlen(member));
    return Enter(agent, &root, error);
}

const char *Agent_PartName(const AgentObject *agent, uint32_t id) {
    const AgentPart *part = FindPart(agent, id);
    return part ? (const char *)part->member : NULL;
}

/* ---- coming ---------------------------------------------------------------------------------- */

/* The payload of message 0x80000020 to the control system. The names lie before +0xC0. */
typedef struct ControlAppend {
    char names[6][NAME_BYTES];
    uint32_t part;
    int32_t base;
} ControlAppend;

_Static_assert(offsetof(ControlAppend, part) == 0xC0, "ControlAppend");

int32_t Agent_AttachPart(AgentObject *agent, const AgentPart *wanted, RpError *error) {
    AgentRecord record;
    AgentPart part = *wanted;
    char archive[NAME_BYTES + 1] = {0}, member[NAME_BYTES + 1] = {0};
    memcpy(archive, part.archive, NAME_BYTES);
    memcpy(member, part.member, NAME_BYTES);

    uint32_t id = 0;
    while (FindPart(agent, id))
        id++;
    part.id = id;

    RpStatus status = AgentRecord_Read(archive, member, &record, error);
    if (status == RP_OK && !FindPart(agent, (uint32_t)part.parent))
        status =
            RpError_Set(error, RP_INVALID, RP_NOWHERE, "its parent is no part", member, "", "");
    if (status == RP_OK)
        status = Enter(agent, &part, error);
    if (status != RP_OK)
        return NO_PART;

    /* An internal part has no mesh of its own. The number of the attach node is counted from the
     * first piece of the part that carries it. */
    if (record.tag != AGENT_TAG('I', 'N', 'T', 'O')) {
        MeshAppend mesh;
        const int32_t first = Mesh_FirstPieceOfPart(&agent->mesh->mesh, (uint32_t)part.parent);
        if (first < 0 || part.attach < 0) {
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is nothing to attach it to",
                                 "", "", "");
        } else {
            MeshAppend_Set(&mesh, record.names[PAIR_MESH][0], record.names[PAIR_MESH][1]);
            mesh.part = part.id;
            mesh.piece = first + part.attach;
            status = MeshObject_Append(agent->mesh, &mesh, error);
        }
        if (status == RP_OK)
            AniMesh_MeshBounds(agent->mesh);
    }
    if (status != RP_OK) {
        Leave(agent, agent->part_count - 1);
        return NO_PART;
    }

    ControlAppend append = {.part = part.id,
                            .base = Mesh_FirstPieceOfPart(&agent->mesh->mesh, part.id)};
    for (int i = 0; i < 6; i++)
        memcpy(append.names[i], record.names[PAIR_CONTROL + i / 2][i % 2], NAME_BYTES);
    Object_Message(agent->agent.control, MESSAGE_APPEND, (uintptr_t)&append);

    return (int32_t)part.id;
}

ABI_PROTO_animesh_AttachPart(AniMesh_AttachPart) {
    RpError error;
    char message[LOG_LINE_BYTES];
    const int32_t id = Agent_AttachPart((AgentObject *)self, (const AgentPart *)part, &error);
    if (id == NO_PART) {
        RpError_Format(&error, message, sizeof message);
        Log_Write("a part is not attached: %s", message);
    }
    return id;
}

/* ---- going ----------------------------------------------------------------------------------- */

bool Agent_RemovePart(AgentObject *agent, uint32_t id) {
    const AgentPart *part = FindPart(agent, id);
    if (!part || id == 0)
        return false;
    Leave(agent, (uint32_t)(part - agent->parts));
    /* A part comes after the part that it hangs on, so one pass over the list finds all parts that
     * go. */
    for (uint32_t i = 0; i < agent->part_count;)
        if (agent->parts[i].parent != NO_PART && !FindPart(agent, (uint32_t)agent->parts[i].parent))
            Leave(agent, i);
        else
            i++;
    Object_Message(agent->agent.animation, MESSAGE_REMOVE_PART, id);
    return true;
}

ABI_PROTO_animesh_RemoveAgentPart(AniMesh_RemoveAgentPart) {
    return Agent_RemovePart((AgentObject *)self, part);
}
