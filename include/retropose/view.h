/* One model as a page of its own: an HTML file with an interactive viewer, the model (GLB) and what
 * the viewer says about it (JSON), which needs nothing but a browser (docs/use/view.md).
 *
 * The viewer itself is a template that viewer/build makes out of viewer/ and three.js; it has three
 * marks, for the title, the JSON and the GLB.
 */
#ifndef RETROPOSE_VIEW_H
#define RETROPOSE_VIEW_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

/* What the viewer is told about a model. Texts are UTF-8; bytes that are not become U+FFFD. */
typedef struct RpViewSubject {
    const RpNRes *model; /* read tolerantly */
    RpMshReadings readings;
    const char *name;     /* of the model */
    const char *source;   /* where it comes from; null: nowhere */
    const char *producer; /* program and version; null: unsaid */
    double frames_per_second;
    uint32_t sub_frames; /* samples a frame in the GLB */
    const RpAllocator *allocator;
} RpViewSubject;

/* Appends one JSON object: nodes with their slots, labels and key times, slot bounds, the header,
 * counts, readings and the findings of RpMsh_Check. RP_UNSUPPORTED for nodes of stride 24,
 * RP_NOT_FOUND without nodes. */
RpStatus RpView_Describe(const RpViewSubject *subject, RpBuffer *json, RpError *error);

typedef struct RpViewPage {
    const void *html; /* the template; each mark must be in it exactly once */
    size_t html_size;
    const char *title;
    const void *info; /* JSON text */
    size_t info_size;
    const void *glb;
    size_t glb_size;
} RpViewPage;

#define RP_VIEW_TITLE_MARK "@RETROPOSE_TITLE@"
#define RP_VIEW_INFO_MARK  "@RETROPOSE_INFO@"
#define RP_VIEW_GLB_MARK   "@RETROPOSE_GLB@"

/* Appends the page. Whatever title and JSON hold, they stay text: nothing in them ends an element
 * or begins one. RP_INVALID names a mark that the template has not, or more than once. */
RpStatus RpView_Assemble(const RpViewPage *page, RpBuffer *html, RpError *error);

RP_API_END

#endif
