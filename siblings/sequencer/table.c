/* Reads and writes the MotionTable resource: facts/ac-sequencer.md A.3. */
#include "siblings/sequencer/table.h"

#include "siblings/sequencer/resource.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_LEAST_BYTES = 8, REF_BYTES = 16, LINK_LEAST_BYTES = 8, STYLE_BYTES = 8 };

typedef struct Reading {
    Resource resource;
    RpAcMotionTable *table;
    uint32_t ref_capacity, target_capacity;
} Reading;

uint32_t RpAc_Key(uint32_t style, uint32_t motion) {
    return style << 16 | (motion & 0xFFFFFF);
}

/* ---- growing lists --------------------------------------------------------------------------- */

/* Makes room for `more` elements behind the first `count`. Returns false when memory runs out. */
static bool Grow(Resource *resource, void **list, uint32_t *capacity, uint32_t count, uint32_t more,
                 size_t size) {
    if (more <= *capacity - count)
        return true;
    const uint64_t wanted = ((uint64_t)count + more) * 2;
    void *grown = wanted <= UINT32_MAX && wanted <= SIZE_MAX / size
                      ? RpMemory_Resize(resource->allocator, *list, (size_t)wanted * size)
                      : NULL;
    if (!grown) {
        resource->no_memory = resource->damaged = true;
        return false;
    }
    *list = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

/* ---- MotionData ------------------------------------------------------------------------------ */

static bool TakeVector(Resource *resource, bool there, const char *what, float vector[3]) {
    const uint64_t offset = resource->at;
    if (!there)
        return true;
    if (!Resource_Floats(resource, what, vector, 3))
        return false;
    for (int i = 0; i < 3; i++)
        if (!isfinite(vector[i]))
            Resource_Report(resource, "Q32", RP_SEVERITY_WARNING, offset + 4 * (uint64_t)i,
                            "a velocity or omega that is no number", "", "");
    return true;
}

static bool TakeData(Reading *reading, RpAcMotionData *data) {
    Resource *resource = &reading->resource;
    const uint64_t offset = resource->at;
    memset(data, 0, sizeof *data);
    if (!Resource_Has(resource, "a motion", DATA_LEAST_BYTES))
        return false;
    Resource_U32(resource, "a motion", &data->key);
    const uint8_t *bytes = resource->bytes + resource->at;
    data->ref_count = bytes[0];
    data->bitfield = bytes[1];
    data->flags = bytes[2];
    data->padding = bytes[3];
    resource->at += 4;

    if (data->bitfield & ~(RP_AC_DATA_CLEARS_MODIFIERS | RP_AC_DATA_FROM_DEFAULT_ONLY))
        Resource_ReportWord(resource, "Q33", RP_SEVERITY_WARNING, offset + 5,
                            "bits of a motion without a known meaning", "0 to 3", data->bitfield);
    if (data->flags & ~(RP_AC_DATA_VELOCITY | RP_AC_DATA_OMEGA))
        Resource_ReportWord(resource, "Q33", RP_SEVERITY_WARNING, offset + 6,
                            "bits of a motion's physics without a known meaning", "0 to 3",
                            data->flags);
    if (data->padding)
        Resource_ReportWord(resource, "Q16", RP_SEVERITY_CANONICAL, offset + 7,
                            "padding of a motion that is not zero", "0", data->padding);

    RpAcMotionTable *table = reading->table;
    void *refs = table->refs;
    data->first_ref = table->ref_count;
    if (!Resource_Has(resource, "a motion's animations", (size_t)data->ref_count * REF_BYTES))
        return false;
    const bool grown = Grow(resource, &refs, &reading->ref_capacity, table->ref_count,
                            data->ref_count, sizeof *table->refs);
    table->refs = refs;
    if (!grown)
        return false;
    for (uint32_t i = 0; i < data->ref_count; i++) {
        RpAcAnimRef *ref = &table->refs[table->ref_count++];
        const uint64_t at = resource->at;
        resource->element = (int32_t)i;
        Resource_U32(resource, "an animation", &ref->animation);
        Resource_I32(resource, "an animation", &ref->low);
        Resource_I32(resource, "an animation", &ref->high);
        Resource_F32(resource, "an animation", &ref->framerate);

        if (ref->animation >> 16 != 0x0300 && ref->animation != 0)
            Resource_ReportWord(resource, "Q30", RP_SEVERITY_WARNING, at,
                                "an animation id of another kind", "0x0300....", ref->animation);
        if (!isfinite(ref->framerate))
            Resource_Report(resource, "Q31", RP_SEVERITY_ERROR, at + 12,
                            "a frame rate that is no number", "", "");
    }
    resource->element = RP_NO_INDEX;

    return TakeVector(resource, data->flags & RP_AC_DATA_VELOCITY, "a velocity", data->velocity) &&
           TakeVector(resource, data->flags & RP_AC_DATA_OMEGA, "an omega", data->omega);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool TakeStyles(Reading *reading) {
    Resource *resource = &reading->resource;
    RpAcMotionTable *table = reading->table;
    uint32_t count;
    if (!Resource_U32(resource, "the number of styles", &count) ||
        !Resource_Fits(resource, "styles", resource->at - 4, count, STYLE_BYTES))
        return false;
    table->styles = Resource_Allocate(resource, count, sizeof *table->styles);
    if (!table->styles)
        return false;
    for (; table->style_count < count; table->style_count++) {
        RpAcStyle *style = &table->styles[table->style_count];
        Resource_U32(resource, "a style", &style->style);
        Resource_U32(resource, "a style", &style->substate);
    }
    return true;
}

static bool TakeList(Reading *reading, const char *what, RpAcMotionData **list, uint32_t *taken) {
    Resource *resource = &reading->resource;
    uint32_t count;
    if (!Resource_U32(resource, what, &count) ||
        !Resource_Fits(resource, what, resource->at - 4, count, DATA_LEAST_BYTES))
        return false;
    *list = Resource_Allocate(resource, count, sizeof **list);
    if (!*list)
        return false;
    for (; *taken < count; ++*taken) {
        resource->frame = (int32_t)*taken;
        if (!TakeData(reading, &(*list)[*taken]))
            return false;
    }
    resource->frame = RP_NO_INDEX;
    return true;
}

static bool TakeLinks(Reading *reading) {
    Resource *resource = &reading->resource;
    RpAcMotionTable *table = reading->table;
    uint32_t count;
    if (!Resource_U32(resource, "the number of links", &count) ||
        !Resource_Fits(resource, "links", resource->at - 4, count, LINK_LEAST_BYTES))
        return false;
    table->links = Resource_Allocate(resource, count, sizeof *table->links);
    if (!table->links)
        return false;
    for (; table->link_count < count; table->link_count++) {
        resource->frame = (int32_t)table->link_count;

        /* Only link tables that are complete are kept. */
        RpAcLink *link = &table->links[table->link_count];
        uint32_t motions;
        if (!Resource_U32(resource, "a link", &link->key) ||
            !Resource_U32(resource, "a link", &motions) ||
            !Resource_Fits(resource, "motions of a link", resource->at - 4, motions,
                           DATA_LEAST_BYTES))
            return false;
        void *targets = table->targets;
        const bool grown = Grow(resource, &targets, &reading->target_capacity, table->target_count,
                                motions, sizeof *table->targets);
        table->targets = targets;
        if (!grown)
            return false;
        link->first = table->target_count;
        for (; link->count < motions; link->count++)
            if (!TakeData(reading, &table->targets[link->first + link->count]))
                return false;
        table->target_count += motions;
    }
    resource->frame = RP_NO_INDEX;
    return true;
}

/* ---- whole ----------------------------------------------------------------------------------- */

static Reading Begin(const uint8_t *image, size_t size, const RpAllocator *allocator,
                     const RpFindingSink *sink, RpAcMotionTable *table) {
    Reading reading = {.table = table};
    memset(table, 0, sizeof *table);
    table->allocator = allocator;
    Resource *resource = &reading.resource;
    Resource_Open(resource, image, size, sink, allocator);
    if (Resource_U32(resource, "the header", &table->id) &&
        Resource_U32(resource, "the header", &table->default_style) && TakeStyles(&reading) &&
        TakeList(&reading, "cycles", &table->cycles, &table->cycle_count) &&
        TakeList(&reading, "modifiers", &table->modifiers, &table->modifier_count) &&
        TakeLinks(&reading))
        Resource_TakeTrailing(resource, &table->trailing, &table->trailing_size);
    resource->frame = resource->element = RP_NO_INDEX;
    if (resource->no_memory)
        return reading;
    if (!Table_Sort(table)) {
        resource->no_memory = true;
        return reading;
    }

    if (table->id >> 16 != 0x0900)
        Resource_ReportWord(resource, "Q10", RP_SEVERITY_WARNING, 0, "an id of another kind",
                            "0x0900....", table->id);
    const uint32_t standard = RpAcMotionTable_Default(table, table->default_style);
    if (!standard)
        Resource_ReportWord(resource, "Q34", RP_SEVERITY_WARNING, 4,
                            "the default style has no default substate", "", table->default_style);
    else if (!RpAcMotionTable_Cycle(table, RpAc_Key(table->default_style, standard)))
        Resource_ReportWord(resource, "Q35", RP_SEVERITY_WARNING, 4,
                            "the default state has no cycle", "", standard);
    Table_ReportTwins(table, resource);
    return reading;
}

RpStatus RpAcMotionTable_Read(const uint8_t *image, size_t size, RpReadMode mode,
                              const RpAllocator *allocator, RpAcMotionTable *table,
                              RpError *error) {
    const Reading reading = Begin(image, size, allocator, NULL, table);
    const RpStatus status = Resource_Verdict(&reading.resource, error);
    table->damaged = reading.resource.damaged;
    if (!status || (mode == RP_TOLERANT && !reading.resource.no_memory))
        return RP_OK;
    RpAcMotionTable_Free(table);
    return status;
}

RpStatus RpAcMotionTable_Check(const uint8_t *image, size_t size, const RpAllocator *allocator,
                               const RpFindingSink *sink, RpError *error) {
    RpAcMotionTable table;
    const Reading reading = Begin(image, size, allocator, sink, &table);
    RpAcMotionTable_Free(&table);
    return Resource_Verdict(&reading.resource, error);
}

static int CompareToId(const void *id, const void *animation) {
    const uint32_t left = *(const uint32_t *)id, right = ((const RpAcAnimation *)animation)->id;
    return (left > right) - (left < right);
}

void RpAcMotionTable_CheckFrames(const RpAcMotionTable *table, const RpAcAnimation *animations,
                                 size_t count, const RpFindingSink *sink) {
    for (uint32_t i = 0; i < table->ref_count && count > 0; i++) {
        const RpAcAnimRef *ref = &table->refs[i];
        const RpAcAnimation *animation =
            bsearch(&ref->animation, animations, count, sizeof *animations, CompareToId);
        const int64_t last = animation ? (int64_t)animation->frame_count - 1 : INT64_MAX;
        if (ref->low <= last && ref->high <= last)
            continue;
        RpFinding finding = RpFinding_New("Q37", RP_SEVERITY_WARNING);
        finding.element = (int32_t)i;
        snprintf(finding.what, sizeof finding.what,
                 "a motion asks for frames that animation 0x%08" PRIX32 " does not have",
                 ref->animation);
        snprintf(finding.expected, sizeof finding.expected, "frames up to %" PRId64, last);
        snprintf(finding.found, sizeof finding.found, "%" PRId32 " to %" PRId32, ref->low,
                 ref->high);
        RpFindingSink_Report(sink, &finding);
    }
}

void RpAcMotionTable_Free(RpAcMotionTable *table) {
    const RpAllocator *allocator = table->allocator;
    RpMemory_Free(allocator, table->styles);
    RpMemory_Free(allocator, table->cycles);
    RpMemory_Free(allocator, table->modifiers);
    RpMemory_Free(allocator, table->targets);
    RpMemory_Free(allocator, table->links);
    RpMemory_Free(allocator, table->refs);
    RpMemory_Free(allocator, table->order);
    RpMemory_Free(allocator, table->trailing);
    memset(table, 0, sizeof *table);
    table->allocator = allocator;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void PutFloats(RpBuffer *image, const float *values, int count) {
    uint32_t words[3];
    memcpy(words, values, (size_t)count * 4);
    for (int i = 0; i < count; i++)
        RpBuffer_AppendU32(image, words[i]);
}

static void PutList(RpBuffer *image, const RpAcMotionTable *table, const RpAcMotionData *list,
                    uint32_t count) {
    RpBuffer_AppendU32(image, count);
    for (uint32_t i = 0; i < count; i++) {
        const RpAcMotionData *data = &list[i];
        const uint8_t bytes[4] = {data->ref_count, data->bitfield, data->flags, data->padding};
        RpBuffer_AppendU32(image, data->key);
        RpBuffer_Append(image, bytes, sizeof bytes);
        for (uint32_t k = 0; k < data->ref_count; k++) {
            const RpAcAnimRef *ref = &table->refs[data->first_ref + k];
            RpBuffer_AppendU32(image, ref->animation);
            RpBuffer_AppendU32(image, (uint32_t)ref->low);
            RpBuffer_AppendU32(image, (uint32_t)ref->high);
            PutFloats(image, &ref->framerate, 1);
        }
        if (data->flags & RP_AC_DATA_VELOCITY)
            PutFloats(image, data->velocity, 3);
        if (data->flags & RP_AC_DATA_OMEGA)
            PutFloats(image, data->omega, 3);
    }
}

RpStatus RpAcMotionTable_Write(const RpAcMotionTable *table, RpBuffer *image, RpError *error) {
    RpBuffer_AppendU32(image, table->id);
    RpBuffer_AppendU32(image, table->default_style);
    RpBuffer_AppendU32(image, table->style_count);
    for (uint32_t i = 0; i < table->style_count; i++) {
        RpBuffer_AppendU32(image, table->styles[i].style);
        RpBuffer_AppendU32(image, table->styles[i].substate);
    }
    PutList(image, table, table->cycles, table->cycle_count);
    PutList(image, table, table->modifiers, table->modifier_count);
    RpBuffer_AppendU32(image, table->link_count);
    for (uint32_t i = 0; i < table->link_count; i++) {
        const RpAcLink *link = &table->links[i];
        RpBuffer_AppendU32(image, link->key);
        PutList(image, table, link->count > 0 ? table->targets + link->first : NULL, link->count);
    }
    RpBuffer_Append(image, table->trailing, table->trailing_size);
    return image->failed ? RpMemory_Refused(error, "a resource") : RP_OK;
}
