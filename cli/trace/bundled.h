/* The traces that come with this program. */
#ifndef RETROPOSE_CLI_TRACE_BUNDLED_H
#define RETROPOSE_CLI_TRACE_BUNDLED_H

#include "cli/place.h"

#include <stddef.h>

typedef char BundledPath[PLACE_BYTES];

/* Returns the paths of all bundled traces in the order of their names, and their number in *count.
 * The caller frees them. If they are missing, says so and returns null. */
BundledPath *Bundled_Traces(size_t *count);

#endif
