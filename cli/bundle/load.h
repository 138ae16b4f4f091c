/* Reads a bundle, for the verbs about them. */
#ifndef RETROPOSE_CLI_BUNDLE_LOAD_H
#define RETROPOSE_CLI_BUNDLE_LOAD_H

#include "replay/truth/bundle.h"

/* cJSON_Delete frees the bundle. */
RpStatus BundleFile_Load(const char *path, struct cJSON **bundle, RpError *error);

#endif
