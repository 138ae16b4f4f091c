/* Makes a page out of its parts by the library, for tests that look at it in a browser:
 *
 *   assemble_page TEMPLATE TITLE DATA PAGE
 *
 * TITLE is the name of a file, too, because a title may contain any byte but NUL. */
#include "core/files/mapping.h"
#include "core/files/output.h"
#include "retropose/view.h"

#include <stdio.h>
#include <string.h>

static char title[4096];

int main(int count, char **arguments) {
    Mapping files[3] = {{.bytes = NULL}};
    RpError error = {0};
    RpBuffer html = {0};
    if (count != 5)
        return 2;
    for (int i = 0; i < 3; i++)
        if (Mapping_Open(arguments[i + 1], &files[i], &error)) {
            fprintf(stderr, "%s: %s\n", arguments[i + 1], error.what);
            return 1;
        }
    size_t length = files[1].size < sizeof title - 1 ? files[1].size : sizeof title - 1;
    memcpy(title, files[1].bytes, length);
    const RpViewPage page = {files[0].bytes, files[0].size, title, files[2].bytes, files[2].size};
    RpStatus status = RpView_Assemble(&page, &html, &error);
    if (!status)
        status = Output_WriteBytes(arguments[4], html.bytes, html.size, &error);
    if (status)
        fprintf(stderr, "%s: %s\n", error.where, error.what);
    RpBuffer_Free(&html);
    for (int i = 0; i < 3; i++)
        Mapping_Close(&files[i]);
    return status ? 1 : 0;
}
