#include "siblings/sequencer/resource.h"

#include "core/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void Resource_Open(Resource *resource, const uint8_t *image, size_t size, const RpFindingSink *sink,
                   const RpAllocator *allocator) {
    *resource = (Resource){.bytes = image,
                           .size = size,
                           .sink = sink,
                           .allocator = allocator,
                           .frame = RP_NO_INDEX,
                           .element = RP_NO_INDEX};
}

/* ---- findings -------------------------------------------------------------------------------- */

static void Report(Resource *resource, const RpFinding *finding, RpStatus status) {
    if (finding->severity == RP_SEVERITY_ERROR && !resource->status) {
        resource->status = status;
        resource->first = *finding;
    }
    RpFindingSink_Report(resource->sink, finding);
}

static RpFinding At(const Resource *resource, const char *rule, RpSeverity severity,
                    uint64_t offset, const char *what, const char *expected, const char *found) {
    RpFinding finding = RpFinding_New(rule, severity);
    finding.offset = offset;
    finding.entry = resource->frame;
    finding.element = resource->element;
    snprintf(finding.what, sizeof finding.what, "%s", what);
    snprintf(finding.expected, sizeof finding.expected, "%s", expected);
    snprintf(finding.found, sizeof finding.found, "%s", found);
    return finding;
}

void Resource_Report(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                     const char *what, const char *expected, const char *found) {
    const RpFinding finding = At(resource, rule, severity, offset, what, expected, found);
    Report(resource, &finding, RP_CORRUPT);
}

void Resource_ReportWord(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                         const char *what, const char *expected, uint32_t found) {
    char text[16];
    snprintf(text, sizeof text, "0x%08" PRIX32, found);
    Resource_Report(resource, rule, severity, offset, what, expected, text);
}

bool Resource_Refuse(Resource *resource, RpStatus status, const char *rule, uint64_t offset,
                     const char *what, const char *expected, uint32_t found) {
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, found);
    const RpFinding finding = At(resource, rule, RP_SEVERITY_ERROR, offset, what, expected, text);
    Report(resource, &finding, status);
    resource->damaged = true;
    return false;
}

RpStatus Resource_Verdict(const Resource *resource, RpError *error) {
    const RpFinding *first = &resource->first;
    char what[160], where[64] = "";
    if (resource->no_memory)
        return RpMemory_Refused(error, NULL);
    if (!resource->status)
        return RP_OK;
    snprintf(what, sizeof what, "%s: %.140s", first->rule, first->what);
    if (first->entry != RP_NO_INDEX)
        snprintf(where, sizeof where, "entry %" PRId32, first->entry);
    return RpError_Set(error, resource->status, first->offset, what, where, first->expected,
                       first->found);
}

/* ---- fields ---------------------------------------------------------------------------------- */

size_t Resource_Left(const Resource *resource) {
    return resource->size - resource->at;
}

bool Resource_Has(Resource *resource, const char *what, size_t bytes) {
    char sentence[120], expected[48], found[32];
    if (resource->damaged)
        return false;
    if (Resource_Left(resource) >= bytes)
        return true;
    snprintf(sentence, sizeof sentence, "the resource ends within %s", what);
    snprintf(expected, sizeof expected, "%zu bytes", bytes);
    snprintf(found, sizeof found, "%zu", Resource_Left(resource));
    const RpFinding finding =
        At(resource, "Q01", RP_SEVERITY_ERROR, resource->at, sentence, expected, found);
    Report(resource, &finding, RP_TRUNCATED);
    resource->damaged = true;
    return false;
}

bool Resource_U32(Resource *resource, const char *what, uint32_t *value) {
    *value = 0;
    if (!Resource_Has(resource, what, 4))
        return false;
    *value = Bytes_U32(resource->bytes + resource->at);
    resource->at += 4;
    return true;
}

bool Resource_I32(Resource *resource, const char *what, int32_t *value) {
    uint32_t bits;
    const bool taken = Resource_U32(resource, what, &bits);
    memcpy(value, &bits, sizeof bits);
    return taken;
}

bool Resource_F32(Resource *resource, const char *what, float *value) {
    uint32_t bits;
    const bool taken = Resource_U32(resource, what, &bits);
    memcpy(value, &bits, sizeof bits);
    return taken;
}

bool Resource_Floats(Resource *resource, const char *what, float *values, uint32_t count) {
    if (!Resource_Has(resource, what, (size_t)count * 4))
        return false;
    for (uint32_t i = 0; i < count; i++)
        Resource_F32(resource, what, &values[i]);
    return true;
}

bool Resource_Fits(Resource *resource, const char *what, uint64_t offset, uint32_t count,
                   uint32_t least_bytes) {
    char sentence[120], expected[64];
    const size_t most = Resource_Left(resource) / least_bytes;
    if (resource->damaged)
        return false;
    if (count <= most)
        return true;
    snprintf(sentence, sizeof sentence, "more %s than the rest of the resource can hold", what);
    snprintf(expected, sizeof expected, "at most %zu (of %" PRIu32 " bytes or more each)", most,
             least_bytes);
    return Resource_Refuse(resource, RP_CORRUPT, "Q02", offset, sentence, expected, count);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *Resource_Allocate(Resource *resource, size_t count, size_t size) {
    if (count == 0)
        count = 1;
    void *block =
        count <= SIZE_MAX / size ? RpMemory_Resize(resource->allocator, NULL, count * size) : NULL;
    if (block)
        memset(block, 0, count * size);
    else
        resource->no_memory = resource->damaged = true;
    return block;
}

void Resource_TakeTrailing(Resource *resource, uint8_t **trailing, size_t *size) {
    char found[32];
    *size = Resource_Left(resource);
    if (*size == 0)
        return;
    resource->frame = resource->element = RP_NO_INDEX;
    snprintf(found, sizeof found, "%zu bytes", *size);
    Resource_Report(resource, "Q03", RP_SEVERITY_WARNING, resource->at,
                    "bytes behind the end of the resource", "none", found);
    *trailing = Resource_Allocate(resource, *size, 1);
    if (*trailing)
        memcpy(*trailing, resource->bytes + resource->at, *size);
    else
        *size = 0;
}
