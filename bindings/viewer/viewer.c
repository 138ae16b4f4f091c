#include "bindings/viewer/viewer.h"

#ifdef HAVE_VIEWER_PAGE
/* Defined in page.S. The names lack the underscore that 32-bit Windows puts in front of names in C.
 */
extern const char viewer_page[] __asm__("viewer_page");
extern const char viewer_page_end[] __asm__("viewer_page_end");

const char *Viewer_Page(size_t *size) {
    *size = (size_t)(viewer_page_end - viewer_page);
    return viewer_page;
}
#else
const char *Viewer_Page(size_t *size) {
    *size = 0;
    return NULL;
}
#endif
