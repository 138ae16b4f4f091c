/* Reading a resource front to back: every count is checked against what is left before anything is
 * allocated for it, and every broken rule is a finding (docs/reference/sequencer.md lists them). */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_RESOURCE_H
#define RETROPOSE_SIBLINGS_SEQUENCER_RESOURCE_H

#include "retropose/sequencer.h"

typedef struct Resource {
    const uint8_t *bytes;
    size_t size, at;
    const RpFindingSink *sink;
    const RpAllocator *allocator;
    int32_t frame;   /* in work, for findings: of an animation, or the entry of a table's list */
    int32_t element; /* likewise: hook of the frame, AnimData of the entry */
    bool damaged;    /* something does not fit: nothing behind it can be read */
    bool no_memory;
    RpStatus status; /* of the first finding of severity error */
    RpFinding first;
} Resource;

void Resource_Open(Resource *resource, const uint8_t *image, size_t size, const RpFindingSink *sink,
                   const RpAllocator *allocator);
/* The first error as a status, or RP_OK. */
RpStatus Resource_Verdict(const Resource *resource, RpError *error);

size_t Resource_Left(const Resource *resource);
/* False, and a finding of being cut within `what`, when fewer are left. */
bool Resource_Has(Resource *resource, const char *what, size_t bytes);
bool Resource_U32(Resource *resource, const char *what, uint32_t *value);
bool Resource_I32(Resource *resource, const char *what, int32_t *value);
bool Resource_F32(Resource *resource, const char *what, float *value);
bool Resource_Floats(Resource *resource, const char *what, float *values, uint32_t count);
/* Whether so many things of at least so many bytes each are left; what = "frames", `offset` is that
 * of the count. */
bool Resource_Fits(Resource *resource, const char *what, uint64_t offset, uint32_t count,
                   uint32_t least_bytes);

/* Null, with no_memory set, when there is none; zeroed. `count` 0 gives one element. */
void *Resource_Allocate(Resource *resource, size_t count, size_t size);
/* The rest of the image: a warning when there is one. */
void Resource_TakeTrailing(Resource *resource, uint8_t **trailing, size_t *size);

/* `offset`: of the field. Texts may be empty. */
void Resource_Report(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                     const char *what, const char *expected, const char *found);
void Resource_ReportWord(Resource *resource, const char *rule, RpSeverity severity, uint64_t offset,
                         const char *what, const char *expected, uint32_t found);
/* An error that ends reading; returns false. */
bool Resource_Refuse(Resource *resource, RpStatus status, const char *rule, uint64_t offset,
                     const char *what, const char *expected, uint32_t found);

#endif
