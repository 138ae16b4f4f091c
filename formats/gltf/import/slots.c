/* Makes the slots of a model from the meshes of a glTF file. A slot is one mesh, or several into
 * which a program has split it. */
#include "formats/gltf/import/import.h"

#include <string.h>

static RpStatus AddPart(Importer *importer, uint32_t slot, uint32_t mesh, const GltfAffine *place,
                        RpError *error) {
    ImportPart part = {.mesh = mesh, .next = GLTF_ABSENT, .place = *place};
    const uint32_t number = importer->part_count;
    part.is_moved = !Linear_IsIdentity(place->linear);
    for (int i = 0; i < 3; i++)
        part.is_moved |= place->offset[i] != 0.0;
    if (!RpBuffer_Append(&importer->parts, &part, sizeof part))
        return RpMemory_Refused(error, "slots");
    importer->part_count++;
    ImportSlot *to = Importer_Slot(importer, slot);
    if (to->first_part == GLTF_ABSENT)
        to->first_part = number;
    else
        Importer_Part(importer, to->last_part)->next = number;
    to->last_part = number;
    return RP_OK;
}

/* Finds a slot that shows the same, or returns GLTF_ABSENT. */
static uint32_t FindSlot(Importer *importer, uint32_t mesh, uint32_t hint,
                         const GltfAffine *place) {
    const uint32_t candidates[] = {importer->mesh_slots[mesh],
                                   hint < 65536 ? importer->hinted_slots[hint] : GLTF_ABSENT};
    for (int i = 0; i < 2; i++) {
        if (candidates[i] == GLTF_ABSENT)
            continue;
        const ImportPart *part =
            Importer_Part(importer, Importer_Slot(importer, candidates[i])->first_part);
        if (part->mesh == mesh && memcmp(&part->place, place, sizeof *place) == 0)
            return candidates[i];
    }
    return GLTF_ABSENT;
}

static RpStatus AddSlot(Importer *importer, const cJSON *hints, uint32_t mesh, uint32_t node,
                        const GltfAffine *place, uint32_t *index, RpError *error) {
    const uint32_t hint = Gltf_Index(hints, "slot");
    *index = FindSlot(importer, mesh, hint, place);
    if (*index != GLTF_ABSENT)
        return RP_OK;
    ImportSlot slot = {.first_part = GLTF_ABSENT,
                       .node = node,
                       .hints = hints,
                       .slot_hint = hint,
                       .batch_hint = Gltf_Index(hints, "batch")};
    double opaque[3] = {0.0, 0.0, 0.0};
    Gltf_Numbers(hints, "opaque", opaque, 3);
    for (int i = 0; i < 3; i++)
        slot.opaque[i] = opaque[i] >= 0.0 && opaque[i] <= UINT32_MAX ? (uint32_t)opaque[i] : 0;
    if (!RpBuffer_Append(&importer->slots, &slot, sizeof slot))
        return RpMemory_Refused(error, "slots");
    *index = importer->slot_count++;
    if (importer->mesh_slots[mesh] == GLTF_ABSENT)
        importer->mesh_slots[mesh] = *index;
    if (hint < 65536 && importer->hinted_slots[hint] == GLTF_ABSENT)
        importer->hinted_slots[hint] = *index;
    return AddPart(importer, *index, mesh, place, error);
}

RpStatus Importer_ShowMesh(Importer *importer, const cJSON *json, uint32_t node, uint32_t cell,
                           const GltfAffine *place, RpError *error) {
    const GltfTable *meshes = &importer->doc.tables[GLTF_TABLE_MESHES];
    const uint32_t mesh = Gltf_Index(json, "mesh");
    uint32_t slot;
    if (!Gltf_Member(json, "mesh"))
        return RP_OK;
    if (mesh >= meshes->count)
        return Gltf_Bad(error, RP_CORRUPT, "there is no such mesh", "meshes", mesh,
                        "an index of meshes");
    const cJSON *hints = Gltf_Hints(meshes->items[mesh]);
    if (!Gltf_Member(hints, "slot")) /* three.js moves them to the nodes */
        hints = Gltf_Hints(json);
    if (node == GLTF_ABSENT)
        return AddSlot(importer, hints, mesh, node, place, &slot, error);
    if (importer->nodes[node].hidden) {
        GltfDoc_Note(&importer->doc, "G51", "a node is hidden in the file: its mesh is left out",
                     Gltf_Text(json, "name"));
        return RP_OK;
    }
    uint32_t *shown = &importer->nodes[node].slots[cell];
    if (*shown == GLTF_ABSENT) {
        RpStatus status = AddSlot(importer, hints, mesh, node, place, &slot, error);
        if (status == RP_OK)
            *shown = slot;
        return status;
    }

    /* A further part of the slot. Another node that shows it has the same parts, of course. */
    const ImportSlot *to = Importer_Slot(importer, *shown);
    if (to->slot_hint != GLTF_ABSENT && to->slot_hint == Gltf_Index(hints, "slot") &&
        Gltf_Index(Gltf_Hints(json), "node") == GLTF_ABSENT)
        return to->node == node ? AddPart(importer, *shown, mesh, place, error) : RP_OK;
    GltfDoc_Note(&importer->doc, "G20", "a node shows two meshes in one cell: the first is kept",
                 Gltf_Text(json, "name"));
    return RP_OK;
}
