/* Archives within archives. */
#include "core/text.h"
#include "formats/nres/record.h"

typedef struct Walk {
    RpNResVisit visit;
    void *context;
    const uint8_t *image; /* image of the outermost archive */
    uint64_t budget;      /* bytes of nested archives that may still be opened */
    char path[RP_NRES_MAX_DEPTH * (RP_NRES_NAME_BYTES + 1) + 1];
} Walk;

static bool VisitMembers(Walk *walk, const RpNRes *archive, uint32_t depth, size_t length) {
    RpNRes member;
    const uint32_t offset = (uint32_t)(archive->image - walk->image);
    if (!walk->visit(walk->context, archive, walk->path, depth, offset))
        return false;
    for (uint32_t i = 0; depth < RP_NRES_MAX_DEPTH && i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        if (!entry.data || entry.size > walk->budget || !RpNRes_Is(entry.data, entry.size) ||
            RpNRes_Open(entry.data, entry.size, RP_TOLERANT, &member, NULL) != RP_OK)
            continue;
        walk->budget -= entry.size;

        /* The members are visited with the entry's name behind the path. */
        Text text = {.buffer = walk->path, .size = sizeof walk->path, .length = length};
        Text_Append(&text, length ? "/" : "");
        Text_AppendPart(&text, entry.name, entry.name_length);
        const size_t inner = text.length;
        /* the recursion ends at depth RP_NRES_MAX_DEPTH */
        const bool go_on = VisitMembers(walk, &member, depth + 1, inner);
        walk->path[length] = 0;
        if (!go_on)
            return false;
    }
    return true;
}

void RpNRes_Walk(const RpNRes *archive, RpNResVisit visit, void *context) {
    Walk walk = {.visit = visit,
                 .context = context,
                 .image = archive->image,
                 .budget = (uint64_t)archive->size * RP_NRES_MAX_DEPTH};
    VisitMembers(&walk, archive, 0, 0);
}
