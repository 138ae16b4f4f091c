/* Models as a page: an HTML file with an interactive viewer and the files that it shows, which
 * needs nothing but a browser (docs/use/view.md).
 *
 * The viewer itself is a template that bindings/viewer/build makes out of bindings/viewer/, this
 * library as WebAssembly, and three.js. The template has two marks, which are replaced by the title
 * and by what the page holds. It is a page as it is, too, which waits for files.
 */
#ifndef RETROPOSE_VIEW_H
#define RETROPOSE_VIEW_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* Appends one JSON object about a model that was opened in tolerant mode: nodes (their slots,
 * labels and key times), slot bounds, the header, counts, and the readings with their choices.
 * `readings` may be null. Texts are UTF-8, and bytes that are not become U+FFFD. RP_UNSUPPORTED
 * stands for nodes of stride 24, RP_NOT_FOUND for a model without nodes. */
RpStatus RpView_Describe(const RpNRes *model, const RpReadings *readings, RpBuffer *json,
                         RpError *error);

typedef struct RpViewPage {
    const void *html; /* the template; each mark occurs in it exactly once */
    size_t html_size;
    const char *title;
    /* JSON text: one object with the members of docs/use/view.md ("What a page holds") */
    const void *data;
    size_t data_size;
} RpViewPage;

#define RP_VIEW_TITLE_MARK "@RETROPOSE_TITLE@"
#define RP_VIEW_DATA_MARK  "@RETROPOSE_DATA@"

/* Appends the page. Whatever title and JSON contain stays text: nothing in them begins or ends an
 * HTML element. RP_INVALID names a mark that the template lacks or has more than once. */
RpStatus RpView_Assemble(const RpViewPage *page, RpBuffer *html, RpError *error);

RP_API_END

#endif
