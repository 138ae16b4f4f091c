/* Where a verb finds its model: `FILE`, or `FILE::MEMBER` in a library, where the member is a
 * name in any case or `#index`, and may itself be a library (`a.rlb::b.lib::c.msh`). Names of
 * members are UTF-8 here and Windows-1251 in files. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_SOURCE_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_SOURCE_H

#include "core/files/mapping.h"
#include "retropose/msh.h"

enum { MODEL_SOURCE_NAME_BYTES = 1024 };

typedef struct ModelSource {
    /* "FILE" or "FILE::MEMBER"; it can be used as an argument again. */
    char name[MODEL_SOURCE_NAME_BYTES];
    /* The last member's name in the library, which other members may have, too; empty for a
     * file. */
    char member[3 * RP_NRES_NAME_BYTES + 1];
    Mapping mapping;                 /* the file; empty during a visit */
    RpNRes archive;                  /* the model, or a library */
    uint64_t offset;                 /* offset of `archive` in the file */
    uint32_t way[RP_NRES_MAX_DEPTH]; /* indices of the members that lead to it, from the file on */
    uint32_t depth;                  /* number of these members */
    const uint8_t *bytes;            /* the bytes that `name` refers to, even if they do not open */
    size_t size;
    bool is_model; /* set for a broken model, too: see ModelSource_LooksLikeModel */
    bool is_land;  /* it is a map's terrain, which has a model's shape */
} ModelSource;

/* Opens what `name` names, tolerantly: a model, a library, or any NRes image. Errors name file
 * and member. The source must be closed after an error, too. */
RpStatus ModelSource_Open(ModelSource *source, const char *name, RpError *error);
/* Opens exactly one model in the same way. A library that has only one model stands for that. If it
 * has more, returns RP_INVALID and lists the first few. */
RpStatus ModelSource_OpenModel(ModelSource *source, const char *name, RpError *error);
void ModelSource_Close(ModelSource *source);

/* Returns the member that `length` characters name: by its name, or by its index behind a #.
 * Returns -1 where there is none. */
int32_t ModelSource_FindMember(const RpNRes *archive, const char *member, size_t length);

/* Visits every model in what `name` names, which may be one itself. `failed` is null, or says
 * why a member that should be a model does not open as an archive. Stops where `visit` returns
 * false. Returns RP_NOT_FOUND where there is none. */
typedef bool (*ModelVisit)(void *context, const ModelSource *model, const RpError *failed);
RpStatus ModelSource_Each(const char *name, ModelVisit visit, void *context, RpError *error);
/* Visits the models of an open source. *count becomes their number. Returns RP_UNSUPPORTED if
 * members share so many bytes that together they have more than BOUNDS_COPIES times the bytes of
 * the source. */
RpStatus ModelSource_Visit(const ModelSource *source, ModelVisit visit, void *context,
                           uint32_t *count, RpError *error);

/* Returns whether this is meant to be a model: it has the five core streams, or only streams of
 * known types, or a name that ends in `.msh`. */
bool ModelSource_LooksLikeModel(const RpNRes *archive, const char *name);

/* Returns a file name for a copy: "hero.msh" for "a/b/hero.msh" and for a member of that name, even
 * if an earlier member has the name and only "#3" leads to this one. A member without a suitable
 * name is called "#3". */
const char *ModelSource_OwnName(const ModelSource *source);

/* Puts the source's name in front of the place that an error names, and makes the offset one in
 * the file. */
void ModelSource_Locate(const ModelSource *source, RpError *error);

#endif
