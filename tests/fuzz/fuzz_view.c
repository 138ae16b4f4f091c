/* Makes a page of any model. What the page says about the model must be text that a script element
 * can hold. */
#include "fuzz.h"
#include "retropose/view.h"

#include <stdlib.h>

/* The page consists of JSON only, so nothing in it may begin or end an element. */
static void CheckPage(const RpBuffer *html) {
    for (size_t i = 0; i < html->size; i++)
        if (html->bytes[i] == '<' || html->bytes[i] == '>' || html->bytes[i] == '&' ||
            (html->bytes[i] < 0x20 && html->bytes[i] != '\n'))
            abort();
}

static void Show(const RpNRes *model) {
    static const char template[] = RP_VIEW_DATA_MARK RP_VIEW_TITLE_MARK;
    OWNED(RpBuffer) json = {0}, html = {0};
    if (RpView_Describe(model, NULL, &json, NULL) == RP_OK) {
        RpViewPage page = {.html = template,
                           .html_size = sizeof template - 1,
                           .title = "",
                           .data = json.bytes,
                           .data_size = json.size};
        if (RpView_Assemble(&page, &html, NULL) == RP_OK)
            CheckPage(&html);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RpNRes model;
    if (RpNRes_Open(data, size, RP_TOLERANT, &model, NULL))
        return 0;
    Show(&model);
    return 0;
}
