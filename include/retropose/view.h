/* One model as a page of its own: an HTML file with an interactive viewer, the model (GLB) and what
 * the viewer says about it (JSON), which needs nothing but a browser (docs/use/view.md).
 *
 * The viewer itself is a template that viewer/build makes out of viewer/ and three.js. The template
 * has three marks, which are replaced by the title, the JSON and the GLB.
 */
#ifndef RETROPOSE_VIEW_H
#define RETROPOSE_VIEW_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* What the viewer is told about a model. Texts are UTF-8, and bytes that are not become U+FFFD. */
typedef struct RpViewSubject {
    const RpNRes *model; /* opened in tolerant mode */
    RpReadings readings;
    const char *name;     /* name of the model */
    const char *source;   /* where the model comes from; null leaves it out */
    const char *producer; /* program and version that make the page; null leaves it out */
    double frames_per_second;
    uint32_t sub_frames; /* samples for each frame in the GLB */
    const RpAllocator *allocator;
} RpViewSubject;

/* Appends one JSON object with nodes (their slots, labels and key times), slot bounds, the header,
 * counts, readings, and the findings of RpMsh_Check. RP_UNSUPPORTED stands for nodes of stride 24,
 * RP_NOT_FOUND for a model without nodes. */
RpStatus RpView_Describe(const RpViewSubject *subject, RpBuffer *json, RpError *error);

typedef struct RpViewPage {
    const void *html; /* the template; each mark occurs in it exactly once */
    size_t html_size;
    const char *title;
    const void *info; /* the text of RpView_Describe */
    size_t info_size;
    const void *glb;
    size_t glb_size;
} RpViewPage;

#define RP_VIEW_TITLE_MARK "@RETROPOSE_TITLE@"
#define RP_VIEW_INFO_MARK  "@RETROPOSE_INFO@"
#define RP_VIEW_GLB_MARK   "@RETROPOSE_GLB@"

/* Appends the page. Whatever title and JSON contain stays text: nothing in them begins or ends an
 * HTML element. RP_INVALID names a mark that the template lacks or has more than once. */
RpStatus RpView_Assemble(const RpViewPage *page, RpBuffer *html, RpError *error);

RP_API_END

#endif
