/* Writes an edited model back into the file or the library that it came from. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_TARGET_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_TARGET_H

#include "formats/msh/file/model_source.h"

/* Appends the whole file to an empty buffer, with the changed model in its place. Libraries keep
 * their layout (RP_NRES_PRESERVING). So does a model with bytes that no entry points to. Any other
 * model is laid out as the game's own are. */
RpStatus ModelTarget_Pack(const ModelSource *source, const RpNResArchive *model, RpBuffer *image,
                          RpError *error);
/* Writes the path of the file with which a source's name begins. Returns false if there is not
 * enough room. */
bool ModelTarget_Path(const ModelSource *source, char *path, size_t size);

#endif
