/* The page that `retropose msh view` fills in: a template for RpView_Assemble. */
#ifndef RETROPOSE_BINDINGS_VIEWER_VIEWER_H
#define RETROPOSE_BINDINGS_VIEWER_VIEWER_H

#include <stddef.h>

/* Returns null if this build has no viewer (bindings/viewer/CMakeLists.txt). */
const char *Viewer_Page(size_t *size);

#endif
