/* Libraries that can be changed: members in the order of the table, and what lies between them. */
#include "formats/rsli/rsli_ranges.h"
#include "formats/rsli/rsli_rules.h"

#include <string.h>

void RpRsLiArchive_Init(RpRsLiArchive *archive, const RpAllocator *allocator) {
    static const uint8_t header[RP_RSLI_HEADER_BYTES] = {
        'N', 'L', 0, 1, [RSLI_AT_SORTED] = 0xBA, [RSLI_AT_SORTED + 1] = 0xAB};
    *archive = (RpRsLiArchive){.allocator = allocator};
    memcpy(archive->header, header, sizeof header);
}

static void FreeMember(const RpRsLiArchive *archive, const RpRsLiMember *member) {
    if (member->owned)
        RpMemory_Free(archive->allocator, (void *)(uintptr_t)member->packed);
}

void RpRsLiArchive_Free(RpRsLiArchive *archive) {
    for (uint32_t i = 0; i < archive->count; i++)
        FreeMember(archive, &archive->members[i]);
    RpMemory_Free(archive->allocator, archive->members);
    RpMemory_Free(archive->allocator, archive->regions);
    RpRsLiArchive_Init(archive, archive->allocator);
}

static RpStatus RefuseIndex(uint32_t bound, uint32_t index, RpError *error) {
    char expected[40], found[24];
    Text text = Text_Begin(expected, sizeof expected);
    Text_Append(&text, "a number below ");
    Text_AppendDecimal(&text, bound);
    text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, index);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such entry", "", expected,
                       found);
}

/* ---- reading an image ------------------------------------------------------------------------ */

/* Returns the number of gaps. Fills in `regions` unless it is null. */
static uint32_t TakeGaps(const RpRsLi *rsli, const RsLiRange *ranges, uint32_t count,
                         RpRsLiRegion *regions) {
    uint64_t end = RsLi_DataStart(rsli);
    uint32_t gaps = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint64_t start = i < count ? ranges[i].start : RsLi_DataEnd(rsli);
        if (start > end && regions)
            regions[gaps] = (RpRsLiRegion){rsli->image + end, end, start - end};
        gaps += start > end;
        if (i < count && ranges[i].end > end)
            end = ranges[i].end;
    }
    return gaps;
}

static RpStatus ReadMembers(RpRsLiArchive *archive, const RpRsLi *rsli, RpError *error) {
    archive->members = RpMemory_Resize(archive->allocator, NULL,
                                       ((size_t)rsli->count + 1) * sizeof *archive->members);
    if (!archive->members)
        return RpMemory_Refused(error, "the members of a library");
    archive->capacity = rsli->count + 1;
    for (; archive->count < rsli->count; archive->count++) {
        const uint32_t i = archive->count;
        RpRsLiMember *member = &archive->members[archive->count];
        const RpRsLiRecord *record = &rsli->records[i];
        uint64_t place = RsLi_Place(rsli, record);
        size_t size;
        const uint8_t *packed = RpRsLi_Packed(rsli, i, &size);
        if (!packed) {
            char where[64];
            Text text = Text_Begin(where, sizeof where);
            Text_Append(&text, "entry ");
            Text_AppendDecimal(&text, i);
            return RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                               "R19: the payload is not inside the file", where, "", "");
        }
        *member = (RpRsLiMember){.record = *record,
                                 .packed = packed,
                                 .packed_size = (uint32_t)size,
                                 .packed_key = record->sort,
                                 .place = place,
                                 .past_end = record->packed_size - (uint32_t)size};
    }
    return RP_OK;
}

RpStatus RpRsLiArchive_Read(RpRsLiArchive *archive, const RpRsLi *rsli, RpError *error) {
    RpRsLiArchive read;
    RpRsLiArchive_Init(&read, archive->allocator);
    RpStatus status = ReadMembers(&read, rsli, error);
    if (status == RP_OK) {
        /* What lies between payloads becomes regions. */
        RsLiRange *ranges =
            RpMemory_Resize(read.allocator, NULL, ((size_t)rsli->count + 1) * sizeof *ranges);
        if (!ranges) {
            status = RpMemory_Refused(error, "the ranges of a library");
        } else {
            uint32_t count = RsLi_Ranges(rsli, ranges);
            uint32_t gaps = TakeGaps(rsli, ranges, count, NULL);
            if (gaps > 0)
                read.regions = RpMemory_Resize(read.allocator, NULL, gaps * sizeof *read.regions);
            if (read.regions)
                read.region_count = TakeGaps(rsli, ranges, count, read.regions);
            RpMemory_Free(read.allocator, ranges);
            status = read.region_count == gaps
                         ? RP_OK
                         : RpMemory_Refused(error, "the regions of a library");
        }
    }
    if (status) {
        RpRsLiArchive_Free(&read);
        return status;
    }
    memcpy(read.header, rsli->image, RP_RSLI_HEADER_BYTES);
    read.overlay = rsli->overlay;
    read.has_trailer = rsli->has_trailer;
    read.image = rsli->image;
    read.image_size = rsli->size;
    *archive = read;
    return RP_OK;
}

/* ---- members --------------------------------------------------------------------------------- */

static RpStatus Reserve(RpRsLiArchive *archive, RpError *error) {
    if (archive->count >= INT16_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many entries", "", "at most 32767",
                           "");
    if (archive->count < archive->capacity)
        return RP_OK;
    uint32_t capacity = archive->capacity + archive->capacity / 2 + 8;
    RpRsLiMember *members =
        RpMemory_Resize(archive->allocator, archive->members, (size_t)capacity * sizeof *members);
    if (!members)
        return RpMemory_Refused(error, "the members of a library");
    archive->members = members;
    archive->capacity = capacity;
    return RP_OK;
}

/* Inserts a member for which room has been reserved. */
static void PutIn(RpRsLiArchive *archive, uint32_t position, RpRsLiMember member) {
    RpRsLiMember *at = archive->members + position;
    memmove(at + 1, at, (archive->count - position) * sizeof *at);
    *at = member;
    archive->count++;
    archive->image = NULL;
}

static RpRsLiMember TakeOut(RpRsLiArchive *archive, uint32_t index) {
    RpRsLiMember *at = archive->members + index, taken = *at;
    archive->count--;
    memmove(at, at + 1, (archive->count - index) * sizeof *at);
    archive->image = NULL;
    return taken;
}

static RpStatus FoldName(const char *name, uint8_t field[RP_RSLI_NAME_BYTES], RpError *error) {
    uint8_t query[RSLI_QUERY_BYTES];
    size_t length = strlen(name);
    if (length == 0 || length > RP_RSLI_NAME_BYTES)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "not a name for an entry", "",
                           "1 to 12 characters", name);
    RsLi_FoldQuery(name, query);
    memcpy(field, query, RP_RSLI_NAME_BYTES);
    return RP_OK;
}

/* Payloads are packed under key 0, which changes nothing, until the sort map gives the entry its
 * key. */
static RpStatus PackMember(RpRsLiArchive *archive, RpRsLiMember *member, uint32_t method,
                           const void *data, size_t size, RpError *error) {
    RpBuffer packed;
    RpBuffer_Init(&packed, archive->allocator);
    RpStatus status = RpRsLi_Pack(method, 0, data, size, &packed, error);
    if (status == RP_OK && packed.size > UINT32_MAX)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many bytes to pack", "", "", "");
    if (status) {
        RpBuffer_Free(&packed);
        return status;
    }
    member->packed = packed.bytes;
    member->packed_size = (uint32_t)packed.size;
    member->packed_key = 0;
    member->past_end = 0;
    member->owned = true;
    member->record.flags = (uint16_t)((member->record.flags & (uint32_t)~RP_RSLI_METHOD_MASK) |
                                      (method & RP_RSLI_METHOD_MASK));
    member->record.unpacked_size = (uint32_t)size;
    return RP_OK;
}

RpStatus RpRsLiArchive_Add(RpRsLiArchive *archive, uint32_t position, const char *name,
                           uint32_t method, const void *data, size_t size, RpError *error) {
    RpRsLiMember member = {.place = RP_RSLI_NO_PLACE};
    if (position > archive->count)
        return RefuseIndex(archive->count + 1, position, error);
    RpStatus status = FoldName(name, member.record.name, error);
    if (status == RP_OK)
        status = Reserve(archive, error);
    if (status == RP_OK)
        status = PackMember(archive, &member, method, data, size, error);
    if (status == RP_OK)
        PutIn(archive, position, member);
    return status;
}

RpStatus RpRsLiArchive_Insert(RpRsLiArchive *archive, uint32_t position, const RpRsLiMember *member,
                              RpError *error) {
    RpRsLiMember copy = *member;
    if (position > archive->count)
        return RefuseIndex(archive->count + 1, position, error);
    RpStatus status = Reserve(archive, error);
    if (status)
        return status;
    uint8_t *packed = RpMemory_Resize(archive->allocator, NULL,
                                      (size_t)member->packed_size + (member->packed_size == 0));
    if (!packed)
        return RpMemory_Refused(error, "packed data");
    if (member->packed_size > 0)
        memcpy(packed, member->packed, member->packed_size);
    copy.packed = packed;
    copy.owned = true;
    PutIn(archive, position, copy);
    return RP_OK;
}

RpStatus RpRsLiArchive_Replace(RpRsLiArchive *archive, uint32_t index, uint32_t method,
                               const void *data, size_t size, RpError *error) {
    if (index >= archive->count)
        return RefuseIndex(archive->count, index, error);
    RpRsLiMember replaced = archive->members[index];
    RpStatus status = PackMember(archive, &replaced, method, data, size, error);
    if (status)
        return status;
    FreeMember(archive, &archive->members[index]);
    archive->members[index] = replaced;
    archive->image = NULL;
    return RP_OK;
}

RpStatus RpRsLiArchive_Remove(RpRsLiArchive *archive, uint32_t index, RpError *error) {
    if (index >= archive->count)
        return RefuseIndex(archive->count, index, error);
    RpRsLiMember removed = TakeOut(archive, index);
    FreeMember(archive, &removed);
    return RP_OK;
}

RpStatus RpRsLiArchive_Move(RpRsLiArchive *archive, uint32_t from, uint32_t to, RpError *error) {
    if (from >= archive->count || to >= archive->count)
        return RefuseIndex(archive->count, from >= archive->count ? from : to, error);
    PutIn(archive, to, TakeOut(archive, from));
    return RP_OK;
}

RpStatus RpRsLiArchive_Rename(RpRsLiArchive *archive, uint32_t index, const char *name,
                              RpError *error) {
    uint8_t field[RP_RSLI_NAME_BYTES];
    if (index >= archive->count)
        return RefuseIndex(archive->count, index, error);
    RpStatus status = FoldName(name, field, error);
    if (status)
        return status;
    memcpy(archive->members[index].record.name, field, sizeof field);
    archive->image = NULL;
    return RP_OK;
}

int32_t RpRsLiArchive_Find(const RpRsLiArchive *archive, const char *name) {
    uint8_t query[RSLI_QUERY_BYTES];
    RsLi_FoldQuery(name, query);
    for (uint32_t i = 0; i < archive->count; i++)
        if (RsLi_CompareQuery(query, archive->members[i].record.name) == 0)
            return (int32_t)i;
    return -1;
}
