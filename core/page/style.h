/* The style of all pages. It is cut into pieces, of which the last is followed by a null, because
 * compilers may refuse long texts. */
#ifndef RETROPOSE_CORE_PAGE_STYLE_H
#define RETROPOSE_CORE_PAGE_STYLE_H

extern const char *const page_style[];

#endif
