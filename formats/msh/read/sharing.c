#include "formats/msh/read/sharing.h"

#include "core/text.h"

enum { SMALL_MODEL = 1 << 16 }; /* in bytes; smaller models cost no noticeable time */

typedef struct Pass {
    const RpMsh *msh;
    uint64_t budget; /* how many more bytes the pass may visit */
} Pass;

uint64_t Msh_SharingBudget(const RpMsh *msh) {
    uint64_t bytes = SMALL_MODEL;
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        bytes += msh->streams[type].size;
    return MSH_MOST_SHARING * bytes;
}

static bool Take(Pass *pass, uint64_t bytes) {
    if (bytes > pass->budget)
        return false;
    pass->budget -= bytes;
    return true;
}

/* Batches that do not exist are not reported here, like everything else that is missing. Other
 * checks report them. */
static bool TakeBatch(Pass *pass, uint32_t index) {
    RpMshBatch batch;
    return !RpMsh_Batch(pass->msh, index, &batch) ||
           Take(pass, RP_MSH_BATCH_BYTES + 2ULL * batch.index_count);
}

static bool TakeSlot(Pass *pass, uint32_t index) {
    const uint64_t batches = RpMsh_Count(pass->msh, RP_MSH_BATCHES);
    RpMshSlot slot;
    if (!RpMsh_Slot(pass->msh, index, &slot))
        return true;
    bool taken =
        Take(pass, RP_MSH_SLOT_BYTES + (uint64_t)slot.triangle_count * RP_MSH_TRIANGLE_BYTES);
    for (uint32_t i = 0; taken && i < slot.batch_count && slot.first_batch + i < batches; i++)
        taken = TakeBatch(pass, slot.first_batch + i);
    return taken;
}

static RpStatus Refuse(const char *stream, uint32_t index, RpError *error) {
    char where[40];
    Text text = Text_Begin(where, sizeof where);
    Text_Append(&text, stream);
    Text_AppendDecimal(&text, index);
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                       "ranges of the model name the same elements again and again", where,
                       "each at most 16 times", "");
}

RpStatus Msh_CheckSharing(const RpMsh *msh, RpError *error) {
    Pass pass = {msh, Msh_SharingBudget(msh)};
    const uint64_t words = RpMsh_Count(msh, RP_MSH_FRAME_MAP);
    for (uint32_t i = 0; i < RpMsh_Count(msh, RP_MSH_NODES); i++) {
        uint32_t first, last;
        RpMshNode node;
        if (!RpMsh_Node(msh, i, &node))
            continue;
        bool taken = Take(&pass, RP_MSH_NODE_BYTES);
        if (taken && node.map_start != RP_MSH_NONE && node.map_start < words) {
            uint64_t frames = words - node.map_start;
            frames = frames < msh->frame_count ? frames : msh->frame_count;
            taken = Take(&pass, 2 * frames);
        }
        if (taken && RpMsh_Track(msh, i, &first, &last))
            taken = Take(&pass, ((uint64_t)last - first + 1) * RP_MSH_KEY_BYTES);
        for (uint32_t word = 0; taken && word < RP_MSH_SLOT_WORDS; word++)
            taken = node.slots[word] == RP_MSH_NONE || TakeSlot(&pass, node.slots[word]);
        if (!taken)
            return Refuse("Res1 node ", i, error);
    }

    /* Slots and batches to which no node refers are visited by themselves. */
    pass.budget = Msh_SharingBudget(msh);
    for (uint32_t i = 0; i < RpMsh_Count(msh, RP_MSH_SLOTS); i++)
        if (!TakeSlot(&pass, i))
            return Refuse("Res2 slot ", i, error);
    pass.budget = Msh_SharingBudget(msh);
    for (uint32_t i = 0; i < RpMsh_Count(msh, RP_MSH_BATCHES); i++)
        if (!TakeBatch(&pass, i))
            return Refuse("Res13 batch ", i, error);
    return RP_OK;
}
