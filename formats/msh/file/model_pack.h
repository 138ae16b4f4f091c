/* Puts a model into a library. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_PACK_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_PACK_H

#include "retropose/nres.h"

/* Appends the image of `library` with the model as its member `name` (UTF-8): in the place of
 * the first member of that name, or as a new one of type MESH at the end. Everything else stays
 * where it is. "#3" is not a name; it stands for a member without one. */
RpStatus ModelPack_Put(const RpNRes *library, const char *name, const void *model, uint32_t size,
                       RpBuffer *image, RpError *error);

/* Returns the member's name that a file or source suggests: "hero.msh" for "a/b/hero.msh" and for
 * "x.rlb::hero.msh". */
const char *ModelPack_NameOf(const char *source);

#endif
