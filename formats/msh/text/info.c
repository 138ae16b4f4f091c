#include "formats/msh/text/info.h"

#include <string.h>

/* ---- order of streams ------------------------------------------------------------------------ */

/* These orders come from facts/formats.md C.1 and seed 001 section 11. */
static const uint32_t plain_order[] = {1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17};
static const uint32_t lit_order[] = {1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20};

static bool HasOrder(const RpNRes *archive, const uint32_t *types, uint32_t count) {
    if (archive->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (RpNRes_Entry(archive, i).type != types[i])
            return false;
    return true;
}

/* ---- slot words ------------------------------------------------------------------------------ */

static uint32_t TrianglesOf(const RpMsh *msh, uint16_t slot_index) {
    RpMshSlot slot;
    return slot_index != RP_MSH_NONE && RpMsh_Slot(msh, slot_index, &slot) ? slot.triangle_count
                                                                           : 0;
}

RpStatus MshInfo_Collect(const RpNRes *archive, const RpReadings *readings, MshInfo *info,
                         RpError *error) {
    RpMshNode node;
    memset(info, 0, sizeof *info);
    info->archive = *archive;
    info->order = MSH_ORDER_OTHER;
    if (HasOrder(archive, plain_order, sizeof plain_order / sizeof *plain_order))
        info->order = MSH_ORDER_PLAIN;
    else if (HasOrder(archive, lit_order, sizeof lit_order / sizeof *lit_order))
        info->order = MSH_ORDER_LIT;
    RpStatus status = RpMsh_Open(RpNRes_Entries(archive), RP_TOLERANT, &info->msh, error);
    if (status != RP_OK)
        return status;
    for (uint32_t i = 0; RpMsh_Node(&info->msh, i, &node); i++) {
        info->animated += node.map_start != RP_MSH_NONE;
        for (int outer = 0; outer < 3; outer++) {
            const uint16_t *words = node.slots + 5 * outer;
            for (int inner = 0; inner < 5; inner++) {
                info->filled[outer][inner] += words[inner] != RP_MSH_NONE;
                info->triangles[outer][inner] += TrianglesOf(&info->msh, words[inner]);
            }

            /* The number of triangles decreases along the levels of a state, but not along groups
             * (facts/formats.md C4). */
            uint32_t steps = 0, before = 0;
            bool falling = true;
            for (int level = 0; level < 4; level++) {
                if (words[level] == RP_MSH_NONE)
                    continue;
                uint32_t triangles = TrianglesOf(&info->msh, words[level]);
                falling &= steps == 0 || triangles <= before;
                before = triangles;
                steps++;
            }
            info->ladders += steps >= 2;
            info->falling += steps >= 2 && falling;
        }
    }

    RpMshBatch batch;
    for (uint32_t i = 0; RpMsh_Batch(&info->msh, i, &batch); i++) {
        info->word2_set += batch.material != 0;
        info->byte4_set += batch.row != 0;
    }
    RpMsh_IdentityKeys(&info->msh, &info->identity_xyzw, &info->identity_wxyz);
    status = RpMsh_ReadingsByEvidence(&info->msh, NULL, &info->readings, info->found, error);
    if (status != RP_OK)
        return status;
    info->chosen = !readings;
    if (readings)
        info->readings = *readings;
    return RpMsh_BoxEvidence(&info->msh, NULL, &info->evidence, error);
}
