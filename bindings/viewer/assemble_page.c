/* RpView_Assemble (retropose/view.h): makes the viewer's page from its template. */
#include "retropose/view.h"

#include "core/text/view_text.h"

#include <string.h>

enum { MARK_TITLE, MARK_DATA, MARK_COUNT };
static const char *const marks[MARK_COUNT] = {RP_VIEW_TITLE_MARK, RP_VIEW_DATA_MARK};

typedef struct Place {
    int mark;
    size_t offset;
} Place;

/* Returns the place of `mark` in the template at or behind `from`, or the template's size if there
 * is none. */
static size_t FindMark(const RpViewPage *page, const char *mark, size_t from) {
    const char *html = page->html;
    size_t length = strlen(mark);
    while (from + length <= page->html_size) {
        const char *at = memchr(html + from, mark[0], page->html_size - length + 1 - from);
        if (!at)
            break;
        if (memcmp(at, mark, length) == 0)
            return (size_t)(at - html);
        from = (size_t)(at - html) + 1;
    }
    return page->html_size;
}

RpStatus RpView_Assemble(const RpViewPage *page, RpBuffer *html, RpError *error) {
    Place places[MARK_COUNT];
    const uint8_t *from = page->html;
    size_t done = 0;

    for (int i = 0; i < MARK_COUNT; i++) {
        size_t offset = FindMark(page, marks[i], 0);
        bool found = offset < page->html_size;
        bool again = found && FindMark(page, marks[i], offset + 1) < page->html_size;
        if (!found || again)
            return RpError_Set(error, RP_INVALID, found ? offset : RP_NOWHERE,
                               "the viewer's template is not usable", marks[i], "once",
                               found ? "more than once" : "nowhere");
        int at = i;
        for (; at > 0 && places[at - 1].offset > offset; at--)
            places[at] = places[at - 1];
        places[at] = (Place){i, offset};
    }

    for (int i = 0; i < MARK_COUNT; i++) {
        RpBuffer_Append(html, from + done, places[i].offset - done);

        if (places[i].mark == MARK_TITLE)
            ViewText_Html(html, page->title);
        else
            ViewText_JsonInScript(html, page->data, page->data_size);

        done = places[i].offset + strlen(marks[places[i].mark]);
    }
    RpBuffer_Append(html, from + done, page->html_size - done);
    return html->failed ? RpMemory_Refused(error, "page") : RP_OK;
}
