/* Where an edited model goes: back into the file, or into the library, that it came from. */
#ifndef RETROPOSE_FORMATS_MSH_FILE_MODEL_TARGET_H
#define RETROPOSE_FORMATS_MSH_FILE_MODEL_TARGET_H

#include "formats/msh/file/model_source.h"

/* Appends the whole file, with the model's new form in its place, to an empty buffer. Libraries
 * keep their layout (RP_NRES_PRESERVING); a model that has bytes which no entry points to, too,
 * else it is laid out as the game's own. */
RpStatus ModelTarget_Pack(const ModelSource *source, const RpNResArchive *model, RpBuffer *image,
                          RpError *error);
/* The path of the file that a source's name begins with; false when it does not fit. */
bool ModelTarget_Path(const ModelSource *source, char *path, size_t size);

#endif
