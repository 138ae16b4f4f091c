/* Archives that can be changed: members in directory order, and the regions between payloads. */
#include "core/bounds.h"
#include "core/text.h"
#include "formats/nres/name.h"
#include "formats/nres/record.h"
#include "formats/nres/sweep.h"

#include <string.h>

/* An image with sizes of 32 bits cannot hold more members. */
static const uint32_t max_members = (UINT32_MAX - RP_NRES_HEADER_BYTES) / RP_NRES_RECORD_BYTES;

void RpNResArchive_Init(RpNResArchive *archive, const RpAllocator *allocator) {
    *archive = (RpNResArchive){.allocator = allocator};
}

static RpNResMember *ResizeMembers(const RpAllocator *allocator, RpNResMember *members,
                                   uint32_t capacity) {
    const uint64_t bytes = (uint64_t)capacity * sizeof *members;
    return bytes <= SIZE_MAX / 2 ? RpMemory_Resize(allocator, members, (size_t)bytes) : NULL;
}

static void FreeMember(const RpNResArchive *archive, const RpNResMember *member) {
    if (member->owned)
        RpMemory_Free(archive->allocator, (void *)(uintptr_t)member->data);
}

void RpNResArchive_Free(RpNResArchive *archive) {
    for (uint32_t i = 0; i < archive->count; i++)
        FreeMember(archive, &archive->members[i]);
    RpMemory_Free(archive->allocator, archive->members);
    RpMemory_Free(archive->allocator, archive->regions);
    RpNResArchive_Init(archive, archive->allocator);
}

static RpStatus RefuseIndex(const RpNResArchive *archive, uint64_t index, RpError *error) {
    char expected[40], found[24];
    Text text = Text_Begin(expected, sizeof expected);
    Text_Append(&text, "a number below ");
    Text_AppendDecimal(&text, archive->count);
    text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, index);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such member", "", expected,
                       found);
}

/* ---- payloads that share bytes --------------------------------------------------------------- */

RpStatus RpNRes_CheckCopies(const RpNRes *archive, RpError *error) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        bytes += entry.data ? entry.size : 0;
    }
    return Bounds_Check(bytes, archive->size, BOUNDS_COPIES,
                        "payloads share so many bytes that copies of them add up to too much",
                        error);
}

/* ---- reading an image ------------------------------------------------------------------------ */

typedef struct RegionList {
    RpNResRegion *regions; /* null: regions are only counted */
    uint32_t count;
} RegionList;

static void TakeGap(RegionList *list, const RpNRes *image, uint64_t start, uint64_t end) {
    if (start >= end)
        return;

    /* A gap that consists only of padding is no region. Padding that is not zero belongs to the
     * region behind it. */
    const uint64_t padded = end - start < RP_NRES_ALIGNMENT ? end : NRes_Align(start);
    uint64_t from = padded;
    for (uint64_t at = start; at < padded; at++)
        if (image->image[at])
            from = start;
    if (from >= end)
        return;
    if (list->regions)
        list->regions[list->count] = (RpNResRegion){
            .data = image->image + from, .offset = (uint32_t)from, .size = (uint32_t)(end - from)};
    list->count++;
}

static void TakeGaps(RegionList *list, const RpNRes *image, uint32_t *work) {
    uint64_t end = RP_NRES_HEADER_BYTES;
    NResRange range;
    NResSweep sweep;
    NResSweep_Begin(&sweep, image, work);
    while (NResSweep_Next(&sweep, &range)) {
        TakeGap(list, image, end, range.start);
        end = range.end > end ? range.end : end;
    }
    TakeGap(list, image, end, image->directory_offset);
}

static RpStatus ReadRegions(RpNResArchive *archive, const RpNRes *image, RpError *error) {
    RegionList list = {.regions = NULL};
    uint32_t *work = RpMemory_Resize(archive->allocator, NULL, RpNRes_CheckWork(image->count) + 1);
    if (!work)
        return RpMemory_Refused(error, "the gaps of an archive");
    TakeGaps(&list, image, work);
    if (list.count > 0) {
        list.regions = RpMemory_Resize(archive->allocator, NULL, list.count * sizeof *list.regions);
        if (!list.regions) {
            RpMemory_Free(archive->allocator, work);
            return RpMemory_Refused(error, "the regions of an archive");
        }
        list.count = 0;
        TakeGaps(&list, image, work);
    }
    RpMemory_Free(archive->allocator, work);
    archive->regions = list.regions;
    archive->region_count = list.count;
    return RP_OK;
}

RpStatus RpNResArchive_Read(RpNResArchive *archive, const RpNRes *image, RpError *error) {
    RpNResArchive read;
    RpNResArchive_Init(&read, archive->allocator);
    if (archive->count > 0 || archive->members || archive->regions)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive to read into is not empty",
                           "", "", "");
    if (image->count > 0) {
        read.members = ResizeMembers(read.allocator, NULL, image->count);
        if (!read.members)
            return RpMemory_Refused(error, "the members of an archive");
    }
    read.capacity = image->count;
    read.source = *image;
    read.keeps_table = true;
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < image->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(image, i);
        if (!entry.data) {
            char where[64];
            Text text = Text_Begin(where, sizeof where);
            Text_Append(&text, "entry ");
            Text_AppendDecimal(&text, entry.index);
            status = RpError_Set(error, RP_CORRUPT, entry.record_offset + NRES_AT_DATA_OFFSET,
                                 "N06: a payload lies outside the image's data", where, "", "");
            break;
        }
        RpNResMember *member = &read.members[read.count++];
        *member = (RpNResMember){.type = entry.type,
                                 .attr1 = entry.attr1,
                                 .attr2 = entry.attr2,
                                 .attr3 = entry.attr3,
                                 .data = entry.data,
                                 .size = entry.size,
                                 .offset = entry.data_offset};
        memcpy(member->name, entry.name, sizeof member->name);
        read.payload_bytes += NRes_Align(entry.size);
    }
    if (status == RP_OK)
        status = ReadRegions(&read, image, error);
    if (status == RP_OK)
        *archive = read;
    else
        RpNResArchive_Free(&read);
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Returns null when there are no bytes to copy, and when memory is refused. */
static uint8_t *CopyBytes(const RpNResArchive *archive, const void *bytes, size_t size) {
    uint8_t *copy = size ? RpMemory_Resize(archive->allocator, NULL, size) : NULL;
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/* Checks whether an image with that many members and bytes could be written. */
static RpStatus CheckRoom(uint32_t count, uint64_t payload_bytes, RpError *error) {
    const uint64_t rest = RP_NRES_HEADER_BYTES + (uint64_t)count * RP_NRES_RECORD_BYTES;
    const uint64_t total = payload_bytes <= UINT64_MAX - rest ? rest + payload_bytes : UINT64_MAX;
    if (count <= max_members && total <= UINT32_MAX)
        return RP_OK;
    char found[40];
    Text text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, total);
    Text_Append(&text, " bytes");
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive would be too large", "",
                       "at most 4294967295 bytes", found);
}

static RpStatus CheckName(const char *name, size_t length, RpError *error) {
    if (length > 0 && length <= RP_NRES_NAME_MAX)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                       length ? "the name is too long" : "the name is empty", name,
                       "1 to 35 characters", "");
}

static void MoveMembers(RpNResArchive *archive, uint32_t to, uint32_t from, uint32_t count) {
    memmove(archive->members + to, archive->members + from, count * sizeof *archive->members);
}

RpStatus RpNResArchive_Add(RpNResArchive *archive, uint32_t position, const RpNResMember *member,
                           RpError *error) {
    RpNResMember added = *member;
    const uint64_t payload_bytes = archive->payload_bytes + NRes_Align(added.size);
    const uint32_t name_length = NResName_Length((const uint8_t *)added.name);
    RpStatus status = CheckName("", name_length, error);
    if (position > archive->count)
        return RefuseIndex(archive, position, error);
    if (status == RP_OK)
        status = CheckRoom(archive->count + 1, payload_bytes, error);
    if (status != RP_OK)
        return status;
    if (archive->count >= archive->capacity) {
        uint32_t capacity = archive->capacity < 8 ? 8 : archive->capacity + archive->capacity / 2;
        RpNResMember *members = ResizeMembers(archive->allocator, archive->members, capacity);
        if (!members)
            return RpMemory_Refused(error, "the members of an archive");
        archive->members = members;
        archive->capacity = capacity;
    }
    added.data = CopyBytes(archive, added.data, added.size);
    if (!added.data && added.size)
        return RpMemory_Refused(error, "a payload");
    added.owned = true;
    added.offset = 0;
    MoveMembers(archive, position + 1, position, archive->count - position);
    archive->members[position] = added;
    archive->count++;
    archive->payload_bytes = payload_bytes;
    return RP_OK;
}

RpStatus RpNResArchive_Replace(RpNResArchive *archive, uint32_t index, const void *data,
                               size_t size, RpError *error) {
    if (index >= archive->count)
        return RefuseIndex(archive, index, error);
    RpNResMember *member = &archive->members[index];
    const uint64_t others = archive->payload_bytes - NRes_Align(member->size);
    /* The sum could overflow if `size` has more than 32 bits. In that case the size alone is too
     * much. */
    const uint64_t payload_bytes = size <= UINT32_MAX ? others + NRes_Align(size) : size;
    const RpStatus status = CheckRoom(archive->count, payload_bytes, error);
    if (status != RP_OK)
        return status;
    const uint8_t *copy = CopyBytes(archive, data, size);
    if (!copy && size)
        return RpMemory_Refused(error, "a payload");
    FreeMember(archive, member);
    member->data = copy;
    member->size = (uint32_t)size;
    member->owned = true;
    archive->payload_bytes = payload_bytes;
    return RP_OK;
}

RpStatus RpNResArchive_Remove(RpNResArchive *archive, uint32_t index, RpError *error) {
    if (index >= archive->count)
        return RefuseIndex(archive, index, error);
    archive->payload_bytes -= NRes_Align(archive->members[index].size);
    FreeMember(archive, &archive->members[index]);
    MoveMembers(archive, index, index + 1, archive->count - index - 1);
    archive->count--;
    return RP_OK;
}

RpStatus RpNResArchive_Move(RpNResArchive *archive, uint32_t from, uint32_t to, RpError *error) {
    if (from >= archive->count || to >= archive->count)
        return RefuseIndex(archive, from >= archive->count ? from : to, error);
    const RpNResMember moved = archive->members[from];
    MoveMembers(archive, from, from + 1, archive->count - from - 1);
    MoveMembers(archive, to + 1, to, archive->count - to - 1);
    archive->members[to] = moved;
    return RP_OK;
}

RpStatus RpNResArchive_Rename(RpNResArchive *archive, uint32_t index, const char *name,
                              RpError *error) {
    if (index >= archive->count)
        return RefuseIndex(archive, index, error);
    const size_t length = strlen(name);
    const RpStatus status = CheckName(name, length, error);
    if (status != RP_OK)
        return status;
    char field[RP_NRES_NAME_BYTES] = {0};
    memcpy(field, name, length);
    memcpy(archive->members[index].name, field, sizeof field);
    return RP_OK;
}

/* ---- lookups --------------------------------------------------------------------------------- */

int32_t RpNResArchive_Find(const RpNResArchive *archive, const char *name) {
    NResKey key;
    if (!NResKey_OfText(name, &key))
        return -1;
    for (uint32_t i = 0; i < archive->count; i++)
        if (NResKey_CompareField(&key, (const uint8_t *)archive->members[i].name) == 0)
            return (int32_t)i;
    return -1;
}

int32_t RpNResArchive_FindType(const RpNResArchive *archive, uint32_t type) {
    for (uint32_t i = 0; i < archive->count; i++)
        if (archive->members[i].type == type)
            return (int32_t)i;
    return -1;
}
