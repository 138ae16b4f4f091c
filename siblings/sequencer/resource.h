/* Reads a resource from front to back. Every count is checked against what is left before anything
 * is allocated for it, and every broken rule is a finding (docs/reference/sequencer.md lists
 * them). */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_RESOURCE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_RESOURCE_H

#include "retropose/sequencer.h"

typedef struct Resource {
    const uint8_t *bytes;
    size_t size, at;
    const RpFindingSink *sink;
    const RpAllocator *allocator;
    /* The frame of an animation, or the entry of a table's list, that is being read; for
     * findings. */
    int32_t frame;
    /* The hook of the frame, or the AnimData of the entry, that is being read; for findings. */
    int32_t element;
    bool damaged; /* Something does not fit, so nothing behind it can be read. */
    bool no_memory;
    RpStatus status; /* status of the first finding of severity error */
    RpFinding first;
} Resource;

void Resource_Open(Resource *resource, const uint8_t *image, size_t size, const RpFindingSink *sink,
                   const RpAllocator *allocator);
/* Returns the status of the first error, or RP_OK. */
RpStatus Resource_Verdict(const Resource *resource, RpError *error);

size_t Resource_Left(const Resource *resource);
/* Returns false, and reports that the resource is cut within `what`, if fewer bytes are left. */
bool Resource_Has(Resource *resource, const char *what, size_t bytes);
bool Resource_U32(Resource *resource, const char *what, uint32_t *value);
bool Resource_I32(Resource *resource, const char *what, int32_t *value);
bool Resource_F32(Resource *resource, const char *what, float *value);
bool Resource_Floats(Resource *resource, const char *what, float *values, uint32_t count);
/* Returns whether `count` elements of at least `least_bytes` each can still follow. `what` names
 * them in the plural; `offset` is where the count is. */
bool Resource_Fits(Resource *resource, const char *what, uint64_t offset, uint32_t count,
                   uint32_t least_bytes);

/* Returns zeroed memory, or null with no_memory set. A `count` of 0 gives one element. */
void *Resource_Allocate(Resource *resource, size_t count, size_t size);
/* Reads all bytes that are left. If there are any, it reports a warning. */
void Resource_TakeTrailing(Resource *resource, uint8_t **trailing, size_t *size);

/* Reports that a rule is broken. `offset` is where the field is. The texts may be empty. */
void Resource_Report(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                     const char *what, const char *expected, const char *found);
void Resource_ReportWord(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                         const char *what, const char *expected, uint32_t found);
/* Reports an error that ends reading. Returns false. */
bool Resource_Refuse(Resource *resource, RpStatus status, const char *rule, uint64_t offset,
                     const char *what, const char *expected, uint32_t found);

#endif
