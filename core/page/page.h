/* Makes the pages of reports. Each is one HTML file without scripts that asks for no other file.
 * This file has what all pages share: the frame and its style, tables, bars, commands to copy, and
 * the escaping of texts that come from files. A page is light or dark as the browser asks, can be
 * printed, and can be used with the keyboard alone.
 *
 * All functions append to a buffer; a caller asks once, at the end, whether it failed. */
#ifndef RETROPOSE_CORE_PAGE_PAGE_H
#define RETROPOSE_CORE_PAGE_PAGE_H

#include "core/text/visible.h"

/* Appends a text so that it can stand in an element or a quoted attribute of HTML or XML.
 * Characters that could change how it is read or shown become visible, as core/text/visible.h
 * describes. */
void Page_Text(RpBuffer *html, const char *text);
/* Works as printf does, but appends what `%s` stands for as Page_Text does. The format itself is
 * HTML. It knows %s, %c and %%, and d i u x X f e g with flags, width and precision (no stars) and
 * the lengths l, ll and z. */
void Page_Print(RpBuffer *html, const char *format, ...)
    __attribute__((format(VISIBLE_PRINTF, 2, 3)));

/* How something turned out. Each state has a colour, and its words say the same. */
typedef enum PageState { PAGE_GOOD, PAGE_BAD, PAGE_UNSURE, PAGE_STATES } PageState;

/* Begins the document with its verdict. `by` is the command that made the page. */
void Page_Begin(RpBuffer *html, const char *title, const char *by, PageState state,
                const char *verdict);
/* Adds something that a reader must not miss. An empty text adds nothing. */
void Page_Notice(RpBuffer *html, const char *text);
void Page_End(RpBuffer *html);

/* These begin and end a section with a heading. An id is made of the text `anchor`. */
void Page_BeginSection(RpBuffer *html, const char *anchor, const char *heading);
void Page_EndSection(RpBuffer *html);
/* Appends href="#..." with the id that Page_BeginSection makes of an anchor. */
void Page_Link(RpBuffer *html, const char *anchor);
/* Begins something that stays closed until the reader opens it. It is open on paper. */
void Page_BeginFold(RpBuffer *html, const char *summary);
void Page_EndFold(RpBuffer *html);

/* Begins a table, which can be scrolled when it is too wide. `heads` ends with a null. A head that
 * begins with # is that of a column of numbers. The caller writes the rows. */
void Page_BeginTable(RpBuffer *html, const char *caption, const char *const *heads);
void Page_EndTable(RpBuffer *html);
/* Adds a cell with a bar. Its length is from 0 to 1. */
void Page_Bar(RpBuffer *html, double length);

/* Adds a picture that `label` describes: columns with heights from 0 to 1, from left to right. */
void Page_Columns(RpBuffer *html, const char *label, const double *heights, size_t count);

/* Begins a list of facts, each of which is a name and a value. */
void Page_BeginFacts(RpBuffer *html);
void Page_Fact(RpBuffer *html, const char *name, const char *text);
void Page_EndFacts(RpBuffer *html);

/* Adds a command. One click selects all of it, so that it can be copied. */
void Page_Command(RpBuffer *html, const char *label, const char *command);

/* Returns RP_OK, or RP_NO_MEMORY where the buffer failed. */
RpStatus Page_Status(const RpBuffer *html, RpError *error);

#endif
