/* Reads the arguments of the operations of `nres edit` and `rsli edit`, as far as they are the
 * same. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_EDIT_ARGUMENT_H
#define RETROPOSE_FORMATS_ARCHIVE_EDIT_ARGUMENT_H

#include "core/files/mapping.h"

/* Reports RP_INVALID about an argument. */
RpStatus EditArgument_Refuse(const char *what, const char *argument, const char *expected,
                             RpError *error);
/* Maps a file that can be a payload, which has less than 4 GiB. The caller closes the mapping. */
RpStatus EditArgument_MapFile(const char *path, Mapping *mapping, RpError *error);
/* Maps the file that FILE or FILE:NAME names. *name becomes NAME or, without it, the file's own
 * name; it points into the argument. After RP_OK, the caller closes the mapping. */
RpStatus EditArgument_MapNamed(const char *argument, Mapping *mapping, const char **name,
                               RpError *error);

#endif
