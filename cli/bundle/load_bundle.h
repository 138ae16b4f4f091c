/* Reads a bundle, for the verbs about them. */
#ifndef RETROPOSE_CLI_BUNDLE_LOAD_BUNDLE_H
#define RETROPOSE_CLI_BUNDLE_LOAD_BUNDLE_H

#include "replay/truth/bundle.h"

/* Reads and checks a bundle. The caller frees it with cJSON_Delete. */
RpStatus BundleFile_Load(const char *path, struct cJSON **bundle, RpError *error);

#endif
