/* Pages of reports: one HTML file for each, without scripts, that asks for no other file. What they
 * have in common is here: the frame and its style, texts out of files made harmless, tables, bars,
 * commands to copy. A page is light or dark as the browser asks, can be printed, and is used with
 * the keyboard alone.
 *
 * All functions append to a buffer; a caller asks once, at the end, whether it failed. */
#ifndef RETROPOSE_CORE_PAGE_PAGE_H
#define RETROPOSE_CORE_PAGE_PAGE_H

#include "core/text/visible.h"

/* Appends a text as an element or a quoted attribute of HTML or XML holds it. What could change how
 * it is read or shown becomes visible, as core/text/visible.h describes. */
void Page_Text(RpBuffer *html, const char *text);
/* Works as printf does, but appends what `%s` stands for as Page_Text does. The format itself is
 * HTML. It knows %s, %c and %%, and d i u x X f e g with flags, width and precision (no stars) and
 * the lengths l, ll and z. */
void Page_Print(RpBuffer *html, const char *format, ...)
    __attribute__((format(VISIBLE_PRINTF, 2, 3)));

/* How something turned out. It has a colour, and its words say it, too. */
typedef enum PageState { PAGE_GOOD, PAGE_BAD, PAGE_UNSURE, PAGE_STATES } PageState;

/* Begins the document with its verdict. `by` is the command that made the page. */
void Page_Begin(RpBuffer *html, const char *title, const char *by, PageState state,
                const char *verdict);
/* Something that a reader must not miss. Nothing for an empty text. */
void Page_Notice(RpBuffer *html, const char *text);
void Page_End(RpBuffer *html);

/* Begin and end a section with a heading. `anchor` is a text of which an id is made. */
void Page_BeginSection(RpBuffer *html, const char *anchor, const char *heading);
void Page_EndSection(RpBuffer *html);
/* Appends href="#..." with the id that Page_BeginSection makes of an anchor. */
void Page_Link(RpBuffer *html, const char *anchor);
/* Something that stays closed until the reader opens it; it is open on paper. */
void Page_BeginFold(RpBuffer *html, const char *summary);
void Page_EndFold(RpBuffer *html);

/* Begin a table, which can be scrolled where it is too wide; `heads` ends with a null. A head that
 * begins with # is that of a column of numbers. The caller writes the rows. */
void Page_BeginTable(RpBuffer *html, const char *caption, const char *const *heads);
void Page_EndTable(RpBuffer *html);
/* A cell with a bar of a length from 0 to 1. */
void Page_Bar(RpBuffer *html, double length);

/* Columns of heights from 0 to 1, from left to right, in a picture that `label` describes. */
void Page_Columns(RpBuffer *html, const char *label, const double *heights, size_t count);

/* A list of facts: a name and what it says. */
void Page_BeginFacts(RpBuffer *html);
void Page_Fact(RpBuffer *html, const char *name, const char *text);
void Page_EndFacts(RpBuffer *html);

/* A command that is selected whole by one click, to be copied. */
void Page_Command(RpBuffer *html, const char *label, const char *command);

/* Returns RP_OK, or RP_NO_MEMORY where the buffer failed. */
RpStatus Page_Status(const RpBuffer *html, RpError *error);

#endif
