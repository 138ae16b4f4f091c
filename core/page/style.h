/* The style of all pages, in pieces up to a null, because compilers may refuse long texts. */
#ifndef RETROPOSE_CORE_PAGE_STYLE_H
#define RETROPOSE_CORE_PAGE_STYLE_H

extern const char *const page_style[];

#endif
