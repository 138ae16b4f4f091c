/* Shows the entries of an image, and those of an archive under construction, through one
 * interface. */
#include "retropose/nres.h"

#include <string.h>

RpNResEntries RpNRes_Entries(const RpNRes *archive) {
    return (RpNResEntries){.image = archive, .count = archive->count};
}

RpNResEntries RpNResArchive_Entries(const RpNResArchive *archive) {
    return (RpNResEntries){.archive = archive, .count = archive->count};
}

RpNResEntry RpNResEntries_Get(const RpNResEntries *entries, uint32_t index) {
    if (entries->image)
        return RpNRes_Entry(entries->image, index);
    const RpNResMember *member = &entries->archive->members[index];
    const char *end = memchr(member->name, 0, RP_NRES_NAME_BYTES);
    return (RpNResEntry){.index = index,
                         .type = member->type,
                         .attr1 = member->attr1,
                         .attr2 = member->attr2,
                         .attr3 = member->attr3,
                         .name = member->name,
                         .name_length =
                             end ? (uint32_t)(end - member->name) : (uint32_t)RP_NRES_NAME_BYTES,
                         .size = member->size,
                         .data = member->data ? member->data : (const uint8_t *)""};
}
