/* A model into a library. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_PACK_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_PACK_H

#include "retropose/nres.h"

/* Appends the image of `library` with the model as its member `name` (UTF-8): in the place of the
 * first of that name, or as a new one of type MESH at its end. Everything else stays where it is.
 * "#3" is no name, but what a source without one is called. */
RpStatus ModelPack_Put(const RpNRes *library, const char *name, const void *model, uint32_t size,
                       RpBuffer *image, RpError *error);

/* What a member is called for a file or a source: "a/b/hero.msh" and "x.rlb::hero.msh" give
 * "hero.msh". */
const char *ModelPack_NameOf(const char *source);

#endif
