/* Changes single fields of nodes, batches and the directory. */
#include "exports/reading_table.h"
#include "retropose/msh_edit.h"

#include "core/bytes.h"
#include "formats/msh/make/member.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- which node ------------------------------------------------------------------------------ */

enum { NAMES_RES9, NAMES_RES10 };

RpStatus RpMshEdit_FindNode(const RpNResArchive *archive, const RpReadings *readings,
                            const char *text, uint32_t *node, RpError *error) {
    RpMsh msh;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &msh, error);
    if (status != RP_OK)
        return status;
    if (text[0] == '#') {
        char *end;
        unsigned long number = strtoul(text + 1, &end, 10);
        if (end == text + 1 || *end != 0 || number >= RpMsh_Count(&msh, RP_MSH_NODES))
            return Make_Refuse(error, RP_NOT_FOUND, "there is no such node", "model of",
                               RpMsh_Count(&msh, RP_MSH_NODES), "a name, or # and a number below",
                               "%s", text);
        *node = (uint32_t)number;
        return RP_OK;
    }
    bool by_label = readings && readings->choice[READING_NAMES] == NAMES_RES10;
    RpMshTexts texts = RpMsh_Texts(&msh, by_label ? RP_MSH_LABELS : RP_MSH_NAMES);
    const char *name;
    uint32_t length, found = RP_MSH_NONE, wanted = (uint32_t)strlen(text);
    for (uint32_t n = 0; n < RpMsh_Count(&msh, RP_MSH_NODES); n++) {
        if (!RpMshTexts_Next(&texts, &name, &length))
            break;
        if (!name || length != wanted || memcmp(name, text, length) != 0)
            continue;
        if (found != RP_MSH_NONE)
            return Make_Refuse(error, RP_INVALID, "several nodes have that name", "node", found,
                               "a name of one node, or # and a number", "%s, also node %" PRIu32,
                               text, n);
        found = n;
    }
    if (found == RP_MSH_NONE)
        return Make_Refuse(error, RP_NOT_FOUND, "there is no such node", "model of",
                           RpMsh_Count(&msh, RP_MSH_NODES), "a node's name, or # and its number",
                           "%s", text);
    *node = found;
    return RP_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Opens Res1 at a node's record. */
static RpStatus OpenNode(Member *member, const RpNResArchive *archive, uint32_t node,
                         RpMshNode *record, RpError *error) {
    RpMsh msh;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &msh, error);
    if (status == RP_OK && !RpMsh_Node(&msh, node, record))
        status = Make_Refuse(
            error, msh.node_stride == RP_MSH_NODE_BYTES ? RP_INVALID : RP_UNSUPPORTED,
            "there is no such node of 38 bytes", "node", node, "a node of Res1",
            "%" PRIu32 " nodes of %" PRIu32, RpMsh_Count(&msh, RP_MSH_NODES), msh.node_stride);
    return status == RP_OK ? Member_Open(member, archive, RP_MSH_NODES, error) : status;
}

static RpStatus PutNode(Member *member, RpNResArchive *archive, uint32_t node,
                        const RpMshNode *record, RpError *error) {
    RpMshNode_Write(record, member->bytes + (size_t)node * RP_MSH_NODE_BYTES);
    RpStatus status = Member_Put(member, archive, error);
    Member_Free(member, archive);
    return status;
}

RpStatus RpMshEdit_SetParent(RpNResArchive *archive, uint32_t node, uint32_t parent,
                             RpError *error) {
    Member member;
    RpMshNode record;
    if (parent != RP_MSH_NONE && parent >= node)
        return Make_Refuse(error, RP_INVALID, "M19: a parent must precede its child", "node", node,
                           "a smaller number, or none", "%" PRIu32, parent);
    RpStatus status = OpenNode(&member, archive, node, &record, error);
    if (status != RP_OK)
        return status;
    record.parent = (uint16_t)parent;
    return PutNode(&member, archive, node, &record, error);
}

RpStatus RpMshEdit_SetFlags(RpNResArchive *archive, uint32_t node, uint32_t flags, RpError *error) {
    Member member;
    RpMshNode record;
    if (flags > UINT16_MAX)
        return Make_Refuse(error, RP_INVALID, "flags have 16 bits", "node", node, "at most 0xFFFF",
                           "0x%" PRIX32, flags);
    RpStatus status = OpenNode(&member, archive, node, &record, error);
    if (status != RP_OK)
        return status;
    record.flags = (uint16_t)flags;
    return PutNode(&member, archive, node, &record, error);
}

RpStatus RpMshEdit_SetSlot(RpNResArchive *archive, uint32_t node, uint32_t cell, uint32_t slot,
                           RpError *error) {
    Member member;
    RpMshNode record;
    RpMsh msh;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &msh, error);
    if (status != RP_OK)
        return status;
    if (cell >= RP_MSH_SLOT_WORDS)
        return Make_Refuse(error, RP_INVALID, "there is no such cell", "node", node, "0 to 14",
                           "%" PRIu32, cell);
    if (slot != RP_MSH_NONE && slot >= RpMsh_Count(&msh, RP_MSH_SLOTS))
        return Make_Refuse(error, RP_INVALID, "M08: there is no such slot", "node", node,
                           "a slot of Res2, or none", "%" PRIu32 " of %" PRIu32, slot,
                           RpMsh_Count(&msh, RP_MSH_SLOTS));
    status = OpenNode(&member, archive, node, &record, error);
    if (status != RP_OK)
        return status;
    record.slots[cell] = (uint16_t)slot;
    return PutNode(&member, archive, node, &record, error);
}

enum { MATERIAL_WORD2, MATERIAL_BYTE4 };

RpStatus RpMshEdit_SetMaterial(RpNResArchive *archive, const RpReadings *readings, uint32_t batch,
                               uint32_t material, RpError *error) {
    bool is_byte = readings && readings->choice[READING_MATERIAL] == MATERIAL_BYTE4;
    Member member;
    RpStatus status = Member_Open(&member, archive, RP_MSH_BATCHES, error);
    if (status != RP_OK)
        return status;
    if (batch >= member.size / RP_MSH_BATCH_BYTES || material > (is_byte ? 0xFFU : 0xFFFFU)) {
        status = Make_Refuse(error, RP_INVALID, "no such batch, or no such material", "batch",
                             batch, is_byte ? "a material up to 255" : "a material up to 65535",
                             "material %" PRIu32 ", %" PRIu32 " batches", material,
                             member.size / RP_MSH_BATCH_BYTES);
    } else {
        uint8_t *at = member.bytes + (size_t)batch * RP_MSH_BATCH_BYTES;
        RpMshBatch record;
        RpMshBatch_Read(&record, at);
        if (is_byte)
            record.row = (uint8_t)material;
        else
            record.material = (uint16_t)material;
        RpMshBatch_Write(&record, at);
        status = Member_Put(&member, archive, error);
    }
    Member_Free(&member, archive);
    return status;
}

/* ---- texts ----------------------------------------------------------------------------------- */

RpStatus RpMshEdit_Rename(RpNResArchive *archive, uint32_t node, const char *name, RpError *error) {
    Member member;
    size_t length = strlen(name);
    if (length >= RP_MSH_NAME_BYTES)
        return Make_Refuse(error, RP_INVALID, "the name is too long", "node", node,
                           "at most 31 characters", "%zu", length);
    RpStatus status = Member_Open(&member, archive, RP_MSH_NAMES, error);
    if (status != RP_OK)
        return status;
    if (node >= member.size / RP_MSH_NAME_BYTES) {
        status =
            Make_Refuse(error, RP_INVALID, "the node has no name to change", "node", node,
                        "a record of Res9", "%" PRIu32 " records", member.size / RP_MSH_NAME_BYTES);
    } else {
        char *field = (char *)member.bytes + (size_t)node * RP_MSH_NAME_BYTES;
        memset(field, 0, RP_MSH_NAME_BYTES);
        memcpy(field, name, length);
        status = Member_Put(&member, archive, error);
    }
    Member_Free(&member, archive);
    return status;
}

RpStatus RpMshEdit_SetLabel(RpNResArchive *archive, uint32_t node, const char *label,
                            RpError *error) {
    Member member;
    RpMshNode record;
    if (label && strlen(label) > RP_MSH_LABEL_MAX)
        return Make_Refuse(error, RP_INVALID, "the label is too long", "node", node,
                           "at most 255 characters", "%zu", strlen(label));
    RpStatus status = OpenNode(&member, archive, node, &record, error);
    if (status != RP_OK)
        return status;
    Member_Free(&member, archive);
    status = Member_Open(&member, archive, RP_MSH_LABELS, error);
    if (status != RP_OK)
        return status;
    /* The label of a node follows those of the nodes before it. */
    size_t start = 0, end = 0;
    for (uint32_t n = 0; n <= node; n++) {
        start = end;
        const size_t left = member.size - start;
        const uint64_t length = left >= 4 ? Bytes_U32(member.bytes + start) : 0;
        const uint64_t taken = 4 + (length > 0 ? length + 1 : 0);
        if (taken > left) {
            status = Make_Refuse(error, RP_CORRUPT, "M18: the labels end early", "node", n,
                                 "one record a node in Res10", "%" PRIu32 " bytes", member.size);
            Member_Free(&member, archive);
            return status;
        }
        end = start + (size_t)taken;
    }
    RpBuffer bytes;
    RpBuffer_Init(&bytes, archive->allocator);
    RpBuffer_Append(&bytes, member.bytes, start);
    Make_AppendLabel(&bytes, label);
    RpBuffer_Append(&bytes, member.bytes + end, member.size - end);
    status = bytes.failed
                 ? RpMemory_Refused(error, "labels")
                 : RpNResArchive_Replace(archive, member.index, bytes.bytes, bytes.size, error);
    RpBuffer_Free(&bytes);
    Member_Free(&member, archive);
    return status;
}

/* ---- streams --------------------------------------------------------------------------------- */

RpStatus RpMshEdit_DropStream(RpNResArchive *archive, uint32_t type, RpError *error) {
    int32_t index = RpNResArchive_FindType(archive, type);
    if (type == RP_MSH_NODES || type == RP_MSH_SLOTS || type == RP_MSH_POSITIONS ||
        type == RP_MSH_INDICES || type == RP_MSH_BATCHES)
        return Make_Refuse(error, RP_INVALID, "M01: no model without it", "stream", type,
                           "a stream other than 1, 2, 3, 6 and 13", "%" PRIu32, type);
    if (index < 0)
        return Make_Refuse(error, RP_NOT_FOUND, "the model lacks the stream", "stream", type,
                           "the stream", "nothing");
    RpStatus status = RP_OK;
    for (; status == RP_OK && index >= 0; index = RpNResArchive_FindType(archive, type))
        status = RpNResArchive_Remove(archive, (uint32_t)index, error);
    return status;
}

RpStatus RpMshEdit_SetAttribute(RpNResArchive *archive, uint32_t type, uint32_t which,
                                uint32_t value, RpError *error) {
    int32_t index = RpNResArchive_FindType(archive, type);
    if (index < 0 || which < 1 || which > 3)
        return Make_Refuse(error, index < 0 ? RP_NOT_FOUND : RP_INVALID, "no such attribute",
                           "stream", type, "attribute 1 to 3 of a stream that is there", "%d",
                           which);
    RpNResMember *member = &archive->members[index];
    uint32_t *const attributes[3] = {&member->attr1, &member->attr2, &member->attr3};
    *attributes[which - 1] = value;
    return RP_OK;
}
