/* A page of any model: what is told about it must be text that a script element can hold. */
#include "retropose/view.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The page consists of JSON only, so nothing in it may begin or end an element. */
static void CheckPage(const RpBuffer *html) {
    for (size_t i = 0; i < html->size; i++)
        if (html->bytes[i] == '<' || html->bytes[i] == '>' || html->bytes[i] == '&' ||
            (html->bytes[i] < 0x20 && html->bytes[i] != '\n'))
            abort();
}

static void Show(const RpNRes *model, const char *name) {
    static const char template[] = RP_VIEW_INFO_MARK RP_VIEW_GLB_MARK RP_VIEW_TITLE_MARK;
    RpBuffer json, html;
    RpViewSubject subject = {.model = model, .name = name, .frames_per_second = 20.0};
    RpBuffer_Init(&json, NULL);
    RpBuffer_Init(&html, NULL);
    if (RpView_Describe(&subject, &json, NULL) == RP_OK) {
        RpViewPage page = {.html = template,
                           .html_size = sizeof template - 1,
                           .title = "",
                           .info = json.bytes,
                           .info_size = json.size};
        if (RpView_Assemble(&page, &html, NULL) == RP_OK)
            CheckPage(&html);
    }
    RpBuffer_Free(&html);
    RpBuffer_Free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char name[32] = "";
    RpNRes model;
    if (RpNRes_Open(data, size, RP_TOLERANT, &model, NULL))
        return 0;
    memcpy(name, data, size < sizeof name - 1 ? size : sizeof name - 1);
    Show(&model, name);
    return 0;
}
