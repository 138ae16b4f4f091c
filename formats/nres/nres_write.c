/* Laying out and writing NRes images (facts/formats.md A.6). */
#include "core/bounds.h"
#include "core/bytes.h"
#include "core/text.h"
#include "formats/nres/canonical.h"
#include "formats/nres/name.h"
#include "formats/nres/order.h"
#include "formats/nres/record.h"

#include <string.h>

/* Says where each item goes. The items are the members, followed by the regions. */
typedef struct Layout {
    uint64_t *offsets; /* offsets of the items */
    uint32_t *order;   /* order of the items; the second half is scratch memory */
    uint32_t item_count;
    uint64_t directory_offset;
    uint64_t total;
} Layout;

static bool Layout_Init(Layout *layout, const RpNResArchive *archive, uint32_t item_count) {
    const RpAllocator *allocator = archive->allocator;
    *layout = (Layout){.item_count = item_count};
    layout->offsets =
        RpMemory_Resize(allocator, NULL, (size_t)item_count * sizeof *layout->offsets + 1);
    if (layout->offsets)
        layout->order = RpMemory_Resize(allocator, NULL, RpNRes_CheckWork(item_count) + 1);
    return layout->order != NULL;
}

static void Layout_Free(Layout *layout, const RpNResArchive *archive) {
    RpMemory_Free(archive->allocator, layout->offsets);
    RpMemory_Free(archive->allocator, layout->order);
}

/* ---- preserving ------------------------------------------------------------------------------ */

typedef struct Item {
    uint64_t offset; /* in the image that was read; 0 for a payload that was added */
    uint64_t size;
    bool kept; /* its bytes are the ones that lay at that offset */
} Item;

static Item ItemAt(const RpNResArchive *archive, uint32_t index) {
    if (index >= archive->count) {
        const RpNResRegion *region = &archive->regions[index - archive->count];
        return (Item){.offset = region->offset, .size = region->size, .kept = true};
    }
    const RpNResMember *member = &archive->members[index];
    return (Item){.offset = member->offset,
                  .size = member->size,
                  .kept = member->offset != 0 && !member->owned};
}

/* Returns whether item `b` lay before item `a` in the image. Items that were added come last. */
static bool LiesBefore(const void *archive, uint32_t b, uint32_t a) {
    const uint64_t left = ItemAt(archive, b).offset, right = ItemAt(archive, a).offset;
    return left != 0 && (right == 0 || left < right);
}

static const uint64_t unplaced = UINT64_MAX;

/* The state while the items are visited in the order in which they lay. */
typedef struct Placing {
    int64_t shift;     /* how far items are moved: a multiple of 8 */
    uint64_t cursor;   /* end of the last item that has its place */
    uint64_t kept_end; /* where the bytes kept so far ended in the image that was read */
    bool ends_as_read; /* the bytes in front of the cursor were kept */
} Placing;

static uint64_t Place(Placing *placing, const Item *item) {
    const bool shares_bytes = item->offset < placing->kept_end;
    if (item->offset == 0 || (shares_bytes && !item->kept))
        return unplaced;
    if (!shares_bytes) {
        /* Closes holes of 8 bytes and more, and makes room where things have grown. */
        const uint64_t offset = item->offset;
        const int64_t room = (int64_t)offset + placing->shift - (int64_t)placing->cursor;
        if (room < 0)
            placing->shift += (int64_t)NRes_Align((uint64_t)-room);
        else
            placing->shift -= room / RP_NRES_ALIGNMENT * RP_NRES_ALIGNMENT;
    }
    uint64_t place = (uint64_t)((int64_t)item->offset + placing->shift);
    if (!item->kept)
        place = NRes_Align(place);
    if (place + item->size >= placing->cursor) {
        placing->cursor = place + item->size;
        placing->ends_as_read = item->kept;
    }
    if (item->kept && item->offset + item->size > placing->kept_end)
        placing->kept_end = item->offset + item->size;
    return place;
}

/* ---- the sort table -------------------------------------------------------------------------- */

static bool NameIsBefore(const void *context, uint32_t b, uint32_t a) {
    const RpNResMember *members = context;
    NResKey key;
    NResKey_OfField((const uint8_t *)members[b].name, &key);
    return NResKey_CompareField(&key, (const uint8_t *)members[a].name) < 0;
}

static void MakeTable(const RpNResArchive *archive, RpNResLayout kind, Layout *layout) {
    bool untouched = kind == RP_NRES_PRESERVING && archive->keeps_table &&
                     archive->count == archive->source.count;
    for (uint32_t i = 0; untouched && i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&archive->source, i);
        const RpNResMember *member = &archive->members[i];
        untouched = member->offset == entry.data_offset && !member->owned &&
                    member->size == entry.size && member->type == entry.type &&
                    member->attr1 == entry.attr1 && member->attr2 == entry.attr2 &&
                    member->attr3 == entry.attr3 &&
                    memcmp(member->name, entry.name, sizeof member->name) == 0;
    }
    if (untouched) {
        for (uint32_t i = 0; i < archive->count; i++)
            layout->order[i] = NRes_SortIndex(&archive->source, i);
        return;
    }
    NResOrder_Sort(layout->order, layout->order + archive->count, archive->count, NameIsBefore,
                   archive->members);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void PutHeader(uint8_t *image, uint32_t count, uint32_t total) {
    memcpy(image, "NRes", 4);
    Bytes_PutU32(image + NRES_AT_VERSION, RP_NRES_VERSION);
    Bytes_PutU32(image + NRES_AT_COUNT, count);
    Bytes_PutU32(image + NRES_AT_TOTAL, total);
}

static void PutRecord(uint8_t *record, const RpNResMember *member, uint32_t offset,
                      uint32_t sort_index) {
    Bytes_PutU32(record + NRES_AT_TYPE, member->type);
    Bytes_PutU32(record + NRES_AT_ATTR1, member->attr1);
    Bytes_PutU32(record + NRES_AT_ATTR2, member->attr2);
    Bytes_PutU32(record + NRES_AT_SIZE, member->size);
    Bytes_PutU32(record + NRES_AT_ATTR3, member->attr3);
    memcpy(record + NRES_AT_NAME, member->name, RP_NRES_NAME_BYTES);
    Bytes_PutU32(record + NRES_AT_DATA_OFFSET, offset);
    Bytes_PutU32(record + NRES_AT_SORT_INDEX, sort_index);
}

static RpStatus LayOut(const RpNResArchive *archive, RpNResLayout kind, Layout *layout,
                       RpError *error) {
    if (kind == RP_NRES_PRESERVING) {
        /* What was read keeps its place, or moves as little as possible. */
        Placing placing = {.cursor = RP_NRES_HEADER_BYTES, .ends_as_read = true};
        NResOrder_Sort(layout->order, layout->order + layout->item_count, layout->item_count,
                       LiesBefore, archive);
        for (uint32_t i = 0; i < layout->item_count; i++) {
            const Item item = ItemAt(archive, layout->order[i]);
            layout->offsets[layout->order[i]] = Place(&placing, &item);
        }

        /* Puts new payloads behind everything else, in the order of the directory. */
        uint64_t *cursor = &placing.cursor;
        bool any = false;
        for (uint32_t i = 0; i < archive->count; i++) {
            if (layout->offsets[i] != unplaced)
                continue;
            layout->offsets[i] = NRes_Align(*cursor);
            *cursor = layout->offsets[i] + archive->members[i].size;
            any = true;
        }
        const bool ends_as_read = !any && placing.ends_as_read;
        const int64_t directory = (int64_t)archive->source.directory_offset + placing.shift;
        const int64_t padding = directory - (int64_t)placing.cursor;
        const bool keeps_padding =
            ends_as_read && archive->source.image && padding >= 0 && padding < RP_NRES_ALIGNMENT;
        layout->directory_offset = keeps_padding ? (uint64_t)directory : NRes_Align(placing.cursor);
    } else {
        uint64_t cursor = RP_NRES_HEADER_BYTES;
        for (uint32_t i = 0; i < archive->count; i++) {
            layout->offsets[i] = cursor;
            cursor = NRes_Align(cursor + archive->members[i].size);
        }
        layout->directory_offset = cursor;
    }
    layout->total = layout->directory_offset + (uint64_t)archive->count * RP_NRES_RECORD_BYTES;
    if (layout->total <= UINT32_MAX)
        return RP_OK;
    char found[40];
    Text text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, layout->total);
    Text_Append(&text, " bytes");
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive is too large", "",
                       "at most 4294967295 bytes", found);
}

static RpStatus WriteLaidOut(const RpNResArchive *archive, RpNResLayout kind, Layout *layout,
                             RpBuffer *image, RpError *error) {
    const RpStatus status = LayOut(archive, kind, layout, error);
    if (status != RP_OK)
        return status;
    uint8_t *bytes = RpBuffer_Extend(image, (size_t)layout->total);
    if (!bytes)
        return RpMemory_Refused(error, "an archive's image");
    MakeTable(archive, kind, layout);

    /* Writes into an image that consists of zeros. */
    uint8_t *record = bytes + layout->directory_offset;
    PutHeader(bytes, archive->count, (uint32_t)layout->total);
    for (uint32_t i = archive->count; i < layout->item_count; i++) {
        const RpNResRegion *region = &archive->regions[i - archive->count];
        memcpy(bytes + layout->offsets[i], region->data, region->size);
    }
    for (uint32_t i = 0; i < archive->count; i++, record += RP_NRES_RECORD_BYTES) {
        const RpNResMember *member = &archive->members[i];
        if (member->size)
            memcpy(bytes + layout->offsets[i], member->data, member->size);
        PutRecord(record, member, (uint32_t)layout->offsets[i], layout->order[i]);
    }
    return RP_OK;
}

RpStatus RpNResArchive_Write(const RpNResArchive *archive, RpNResLayout layout, RpBuffer *image,
                             RpError *error) {
    Layout laid_out;
    const bool keeps_regions = layout == RP_NRES_PRESERVING;
    if (image->size > 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the buffer for an image is not empty",
                           "", "", "");

    /* Payloads that shared bytes in the image that was read have their own copies when it is laid
     * out anew. All other payloads have their own bytes in memory already, whether the archive or
     * its maker owns them. */
    uint64_t copied = 0;
    for (uint32_t i = 0; !keeps_regions && i < archive->count; i++) {
        const uintptr_t source = (uintptr_t)archive->source.image;
        const uintptr_t data = (uintptr_t)archive->members[i].data;
        if (source != 0 && data >= source && data - source < archive->source.size)
            copied += archive->members[i].size;
    }
    RpStatus status = RP_OK;
    if (!keeps_regions)
        status = Bounds_Check(copied, archive->source.size, BOUNDS_COPIES,
                              "payloads share so many bytes that copies of them add up to too much",
                              error);
    if (status != RP_OK)
        return status;
    if (Layout_Init(&laid_out, archive,
                    archive->count + (keeps_regions ? archive->region_count : 0)))
        status = WriteLaidOut(archive, layout, &laid_out, image, error);
    else
        status = RpMemory_Refused(error, "the layout of an archive");
    Layout_Free(&laid_out, archive);
    return status;
}

/* ---- whether an image is canonical ----------------------------------------------------------- */

/* For an image of the right size: compares everything that WriteLaidOut() would write with what is
 * there. Payloads that are at the right place need not be compared: they would be compared with
 * themselves. */
static bool IsAsPut(const RpNResArchive *archive, const Layout *layout, const uint8_t *image) {
    uint8_t made[RP_NRES_RECORD_BYTES];
    const uint8_t *record = image + layout->directory_offset;
    PutHeader(made, archive->count, (uint32_t)layout->total);
    if (memcmp(made, image, RP_NRES_HEADER_BYTES) != 0)
        return false;
    for (uint32_t i = 0; i < archive->count; i++, record += RP_NRES_RECORD_BYTES) {
        const RpNResMember *member = &archive->members[i];
        const uint64_t end = layout->offsets[i] + member->size;
        PutRecord(made, member, (uint32_t)layout->offsets[i], layout->order[i]);
        if (memcmp(made, record, sizeof made) != 0)
            return false;

        const uint8_t *bytes = image + end;
        uint64_t count = NRes_Align(end) - end;
        while (count > 0 && *bytes == 0) {
            bytes++;
            count--;
        }
        if (count != 0)
            return false;
    }
    return true;
}

RpStatus NRes_IsCanonical(const RpNRes *image, const RpAllocator *allocator, bool *canonical) {
    RpNResArchive archive;
    Layout layout;
    *canonical = false;
    RpNResArchive_Init(&archive, allocator);
    RpStatus status = RpNResArchive_Read(&archive, image, NULL);
    if (status != RP_OK)
        return status == RP_NO_MEMORY ? status : RP_OK;
    if (!Layout_Init(&layout, &archive, archive.count)) {
        status = RP_NO_MEMORY;
    } else if (LayOut(&archive, RP_NRES_CANONICAL, &layout, NULL) == RP_OK &&
               layout.total == image->size) {
        MakeTable(&archive, RP_NRES_CANONICAL, &layout);
        *canonical = IsAsPut(&archive, &layout, image->image);
    }
    Layout_Free(&layout, &archive);
    RpNResArchive_Free(&archive);
    return status;
}
