/* Where a verb finds its model: `FILE`, or `FILE::MEMBER` in a library, by name in any case or as
 * `#index`, also nested (`a.rlb::b.lib::c.msh`). Names of members are UTF-8 here, Windows-1251 in
 * files. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_SOURCE_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_SOURCE_H

#include "core/files/mapping.h"
#include "retropose/msh.h"

enum { MODEL_SOURCE_NAME_BYTES = 1024 };

typedef struct ModelSource {
    char name[MODEL_SOURCE_NAME_BYTES]; /* "FILE" or "FILE::MEMBER", as it can be given again */
    Mapping mapping;                    /* of the file; empty in a visit */
    RpNRes archive;                     /* the model, or a library */
    uint64_t offset;                    /* of `archive` in the file */
    uint32_t way[RP_NRES_MAX_DEPTH];    /* the members that lead to it, from the file down */
    uint32_t depth;                     /* how many */
    const uint8_t *bytes;               /* of what `name` names, whether it opens or not */
    size_t size;
    bool is_model; /* also a broken one: see ModelSource_LooksLikeModel */
    bool is_land;  /* a map's terrain: no model, but shaped like one */
} ModelSource;

/* Opens what `name` names: a model, a library, any NRes image, tolerantly. Errors name file and
 * member. Close it also after an error. */
RpStatus ModelSource_Open(ModelSource *source, const char *name, RpError *error);
/* The same, but it must be one model: a library with a single one stands for that. RP_INVALID lists
 * the first few when there are more. */
RpStatus ModelSource_OpenModel(ModelSource *source, const char *name, RpError *error);
void ModelSource_Close(ModelSource *source);

/* Every model of what `name` names, itself included. `failed` is null, or why a member that should
 * be a model does not open as an archive. Stops when `visit` returns false. RP_NOT_FOUND when there
 * is none. */
typedef bool (*ModelVisit)(void *context, const ModelSource *model, const RpError *failed);
RpStatus ModelSource_Each(const char *name, ModelVisit visit, void *context, RpError *error);
/* The same of an open source; *count is how many were visited. RP_UNSUPPORTED when members share so
 * many bytes that together they are more than BOUNDS_COPIES times the source. */
RpStatus ModelSource_Visit(const ModelSource *source, ModelVisit visit, void *context,
                           uint32_t *count, RpError *error);

/* Whether this is meant to be a model: the five core streams are there, or nothing but streams of
 * known types, or its name ends in `.msh`. */
bool ModelSource_LooksLikeModel(const RpNRes *archive, const char *name);

/* Puts the source's name before what an error says of its place, and the offset into the file. */
void ModelSource_Locate(const ModelSource *source, RpError *error);

#endif
