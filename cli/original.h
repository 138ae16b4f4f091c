/* The folder that --original names, as a pair that can be called. */
#ifndef RETROPOSE_CLI_ORIGINAL_H
#define RETROPOSE_CLI_ORIGINAL_H

#include "retropose/error.h"

/* *folder is `given`; or, where `retropose install` has been, a folder with copies under the names
 * that Windows looks for, which goes when this program ends. */
RpStatus Original_Folder(const char *given, const char **folder, RpError *error);

/* The folder as it was given, for reports: `folder` itself unless it is that of the copies. */
const char *Original_Named(const char *folder);

#endif
