/* Writes a library: the payloads in the order of their places, and then the table, which says where
 * they are. */
#include "core/bounds.h"
#include "core/bytes.h"
#include "formats/rsli/rsli_ranges.h"
#include "formats/rsli/rsli_rules.h"

#include <string.h>

enum { MOST_PADDING = 1 << 20 };

typedef struct Writer {
    const RpRsLiArchive *archive;
    bool canonical;
    RpBuffer *image;
    RpRsLiRecord *records;    /* as they will be in the table */
    RsLiRange *order;         /* start: place of the member; 0 for all if places do not matter */
    const RpRsLiMember *last; /* member written, while nothing follows it */
} Writer;

/* ---- payloads -------------------------------------------------------------------------------- */

static RpStatus WritePayload(Writer *writer, uint32_t index, RpError *error) {
    const RpRsLiMember *member = &writer->archive->members[index];
    RpRsLiRecord *record = &writer->records[index];

    /* Two entries that share a payload go on sharing it, unless they need it under two keys. The
     * entries of a manifest have their own copies of payloads. Two copies are one payload if they
     * had the same place and are still equal. */
    const RpRsLiMember *last = writer->last;
    bool shared = last && member->packed_size > 0 && last->packed_size == member->packed_size &&
                  (last->packed == member->packed ||
                   (last->place != RP_RSLI_NO_PLACE && last->place == member->place &&
                    memcmp(last->packed, member->packed, last->packed_size) == 0)) &&
                  !RpRsLiMethod_HasKey(last->record.flags) &&
                  !RpRsLiMethod_HasKey(member->record.flags);
    if (writer->image->failed) /* the payload that this one may share is not there */
        return RpMemory_Refused(error, "the image of a library");
    uint64_t place = writer->image->size - (shared ? member->packed_size : 0U);
    if (place - writer->archive->overlay > UINT32_MAX)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the library is too large", "",
                           "offsets of 32 bits", "");
    record->offset = (uint32_t)(place - writer->archive->overlay);
    record->packed_size = member->packed_size;
    writer->last = member;
    if (!shared && RpBuffer_Append(writer->image, member->packed, member->packed_size) &&
        member->packed_size > 0) {
        /* Changes a payload from its old key to that of the new map. The cipher is its own inverse.
         */
        uint8_t *packed = writer->image->bytes + place;
        RpRsLiCipher old = RpRsLiCipher_Start(member->packed_key);
        RpRsLiCipher new = RpRsLiCipher_Start(record->sort);
        if (RpRsLiMethod_HasKey(record->flags) && (uint16_t)member->packed_key != record->sort) {
            RpRsLiCipher_Apply(&old, packed, member->packed_size, packed);
            RpRsLiCipher_Apply(&new, packed, member->packed_size, packed);
        }
    }
    return RP_OK;
}

static void WriteRegion(Writer *writer, const RpRsLiRegion *region) {
    RpBuffer_Append(writer->image, region->data, (size_t)region->size);
    writer->last = NULL;
}

static RpStatus WriteData(Writer *writer, RpError *error) {
    const RpRsLiArchive *archive = writer->archive;
    uint32_t region = 0, regions = writer->canonical ? 0 : archive->region_count;
    for (uint32_t i = 0; i < archive->count; i++) {
        while (region < regions && archive->regions[region].place < writer->order[i].start)
            WriteRegion(writer, &archive->regions[region++]);

        /* No payload lies in front of the overlay, because offsets are relative to it. If the
         * archive was read from a file, only a few bytes are padded. An overlay that is much too
         * large would need more. */
        RpStatus status = RP_OK;
        size_t overlay = writer->archive->overlay, size = writer->image->size;
        if (size < overlay && !writer->image->failed) {
            if (overlay - size > MOST_PADDING)
                status = RpError_Set(error, RP_INVALID, RP_NOWHERE,
                                     "the overlay begins far behind everything before it", "",
                                     "at most 1 MiB to be filled with zeros", "");
            else
                RpBuffer_Extend(writer->image, overlay - size);
        }
        if (status == RP_OK)
            status = WritePayload(writer, writer->order[i].entry, error);
        if (status)
            return status;
    }
    while (region < regions)
        WriteRegion(writer, &archive->regions[region++]);
    return RP_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static RpStatus WriteAll(Writer *writer, RpError *error) {
    size_t start = writer->image->size;
    RpBuffer_Extend(writer->image,
                    RP_RSLI_HEADER_BYTES + (size_t)writer->archive->count * RP_RSLI_RECORD_BYTES);
    RpStatus status = WriteData(writer, error);
    if (status)
        return status;

    /* The last payload keeps a declared size that is greater than the file allows, if it still ends
     * the file. */
    const RpRsLiMember *last = writer->last;
    if (last && !writer->canonical && !writer->archive->has_trailer)
        writer->records[last - writer->archive->members].packed_size += last->past_end;
    if (writer->archive->has_trailer) {
        RpBuffer_AppendText(writer->image, "AO");
        RpBuffer_AppendU32(writer->image, writer->archive->overlay);
    }
    if (writer->image->failed)
        return RpMemory_Refused(error, "the image of a library");
    uint8_t *header = writer->image->bytes + start;
    const RpRsLiArchive *archive = writer->archive;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < archive->count; i++)
        sum += archive->members[i].record.unpacked_size;
    memcpy(header, archive->header, RP_RSLI_HEADER_BYTES);
    Bytes_PutU16(header + RSLI_AT_COUNT, archive->count);
    Bytes_PutU16(header + RSLI_AT_COUNT_AGAIN, archive->count);
    Bytes_PutU32(header + RSLI_AT_SUM, sum);
    if (writer->canonical)
        Bytes_PutU16(header + RSLI_AT_SORTED, RP_RSLI_SORTED);

    /* If the map in the file is not marked as valid, it is kept, because the game then makes its
     * own. */
    bool sorted = Bytes_U16(header + RSLI_AT_SORTED) == RP_RSLI_SORTED;
    uint8_t *table = header + RP_RSLI_HEADER_BYTES;
    RpRsLiCipher cipher = RpRsLiCipher_Start(Bytes_U32(header + RSLI_AT_SEED));
    for (uint32_t i = 0; i < writer->archive->count; i++) {
        const RpRsLiRecord *record = &writer->records[i];
        const uint32_t sort = sorted ? record->sort : record->stored_sort;
        uint8_t *at = table + (size_t)i * RP_RSLI_RECORD_BYTES;
        memcpy(at, record->name, RP_RSLI_NAME_BYTES);
        memcpy(at + RSLI_AT_SERVICE, record->service, sizeof record->service);
        Bytes_PutU16(at + RSLI_AT_FLAGS, record->flags);
        Bytes_PutU16(at + RSLI_AT_SORT, sort);
        Bytes_PutU32(at + RSLI_AT_UNPACKED_SIZE, record->unpacked_size);
        Bytes_PutU32(at + RSLI_AT_OFFSET, record->offset);
        Bytes_PutU32(at + RSLI_AT_PACKED_SIZE, record->packed_size);
    }
    RpRsLiCipher_Apply(&cipher, table, (size_t)writer->archive->count * RP_RSLI_RECORD_BYTES,
                       table);
    return RP_OK;
}

RpStatus RpRsLiArchive_Write(const RpRsLiArchive *archive, RpRsLiLayout layout, RpBuffer *image,
                             RpError *error) {
    if (archive->image && layout == RP_RSLI_PRESERVING)
        return RpBuffer_Append(image, archive->image, archive->image_size)
                   ? RP_OK
                   : RpMemory_Refused(error, "the image of a library");

    /* Payloads that shared bytes in the library that was read have their own copies when it is
     * written. Checks how much this makes together. */
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < archive->count; i++)
        bytes += archive->members[i].owned ? 0 : archive->members[i].packed_size;
    RpStatus status =
        Bounds_Check(bytes, archive->image_size, BOUNDS_COPIES,
                     "payloads share so many bytes that copies of them add up to too much", error);
    if (status != RP_OK)
        return status;
    size_t each = sizeof(RsLiRange) + sizeof(RpRsLiRecord);
    void *memory = RpMemory_Resize(archive->allocator, NULL, (archive->count + 1) * each);
    if (!memory)
        return RpMemory_Refused(error, "the table of a library");
    Writer writer = {.archive = archive,
                     .canonical = layout == RP_RSLI_CANONICAL,
                     .image = image,
                     .order = memory};
    writer.records = (RpRsLiRecord *)(void *)(writer.order + archive->count);
    for (uint32_t i = 0; i < archive->count; i++) {
        writer.records[i] = archive->members[i].record;
        writer.order[i] = (RsLiRange){writer.canonical ? 0 : archive->members[i].place, 0, i};
    }
    RsLi_SortRanges(writer.order, archive->count);
    RsLi_SortMap(writer.records, archive->count);
    status = WriteAll(&writer, error);
    RpMemory_Free(archive->allocator, memory);
    return status;
}
