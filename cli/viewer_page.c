#include "cli/viewer_page.h"

#include "bindings/viewer/viewer.h"
#include "core/files/output.h"
#include "core/text/encoding.h"
#include "core/text/view_text.h"
#include "retropose/view.h"
#include "revision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void CliPage_Init(CliPage *page, const Cli *cli) {
    *page = (CliPage){.cli = cli,
                      .hash = "#",
                      .output = Cli_Value(cli, "output", NULL),
                      .png = Cli_Value(cli, "png", NULL)};
    RpBuffer_Init(&page->data, NULL);
    RpBuffer_Init(&page->html, NULL);
    RpBuffer_AppendText(&page->data, "{\"format\":1");
    CliPage_Say(page, "producer", "retropose " RETROPOSE_BUILT);
}

void CliPage_Free(CliPage *page) {
    Mapping_Close(&page->template);
    RpBuffer_Free(&page->data);
    RpBuffer_Free(&page->html);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool Refuse(const char *option, const char *expected, const char *text) {
    Cli_Complain("--%s takes %s, not %s", option, expected, text);
    return false;
}

void CliPage_AppendHash(CliPage *page, const char *name, const char *value) {
    size_t length = strlen(page->hash);
    snprintf(page->hash + length, sizeof page->hash - length, "%s%s%s%s", length > 1 ? "&" : "",
             name, name[0] ? "=" : "", value);
}

enum { MOST_WORDS = 3000 }; /* the same limit as in bindings/viewer/commands.js */

bool CliPage_TakeOptions(CliPage *page) {
    const char *size = Cli_Value(page->cli, "size", "1280x960");
    uint64_t seconds = 60;
    unsigned *const sides[] = {&page->shot.width, &page->shot.height};
    const char *at = size;
    bool good = true;
    for (int i = 0; good && i < 2; i++) {
        char *end;
        const unsigned long side = strtoul(at, &end, 10);
        good = *at >= '0' && *at <= '9' && side >= 16 && side <= 8192 && *end == (i == 0 ? 'x' : 0);
        *sides[i] = (unsigned)side;
        at = end + 1;
    }
    if (!good)
        return Refuse("size", "WIDTHxHEIGHT, 16 to 8192 each", size);
    if (!Cli_Number(page->cli, "timeout", 1, 3600, &seconds))
        return false;
    page->shot.seconds = (unsigned)seconds;
    page->shot.browser = Cli_Value(page->cli, "browser", NULL);

    const char *text = Cli_Value(page->cli, "view", NULL);
    if (!text)
        return true;
    text += *text == '#';
    if (strlen(text) > MOST_WORDS)
        return Refuse("view", "at most 3000 characters", "more");
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789=&,.-") != strlen(text))
        return Refuse("view", "words=values with & between them", text);
    CliPage_AppendHash(page, "", text);
    return true;
}

/* ---- what the page holds --------------------------------------------------------------------- */

const char *CliPage_LastPart(const char *name) {
    const char *last = name;
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\' || (c[0] == ':' && c[1] == ':'))
            last = c[0] == ':' ? c + 2 : c + 1;
    return last;
}

void CliPage_Say(CliPage *page, const char *name, const char *value) {
    RpBuffer_Print(&page->data, ",\"%s\":", name);
    ViewText_Json(&page->data, value);
}

void CliPage_AddFile(CliPage *page, const char *name, const void *bytes, size_t size) {
    RpBuffer_AppendText(&page->data,
                        page->files++ > 0 ? ",\n{\"name\":" : ",\n\"files\":[{\"name\":");
    ViewText_Json(&page->data, name);
    RpBuffer_AppendText(&page->data, ",\"bytes\":\"");
    if (!Base64_Encode(bytes, size, &page->data))
        page->data.failed = true;
    RpBuffer_AppendText(&page->data, "\"}");
}

/* ---- what comes of it ------------------------------------------------------------------------ */

static bool OpenTemplate(CliPage *page, RpViewPage *parts) {
    RpError error;
    const char *path = Cli_Value(page->cli, "template", NULL);
    parts->html = Viewer_Page(&parts->html_size);
    if (!path && !parts->html) {
        Cli_Complain("this build has no viewer: give --template a page that another one has "
                     "(docs/use/view.md says how it is made)");
        return false;
    }
    if (!path)
        return true;
    if (Mapping_Open(path, &page->template, &error)) {
        Cli_Fail(&error);
        return false;
    }
    parts->html = page->template.bytes;
    parts->html_size = page->template.size;
    return true;
}

int CliPage_Write(CliPage *page, const char *title, const char *what, const char *source) {
    RpError error;
    RpViewPage parts = {.title = title};
    if (!CliFile_CanWriteAll((const char *const[]){page->output, page->png}, 2) ||
        !OpenTemplate(page, &parts))
        return CLI_TROUBLE;

    RpBuffer_AppendText(&page->data, page->files > 0 ? "]}" : "}");
    parts.data = page->data.bytes;
    parts.data_size = page->data.size;
    RpStatus status = page->data.failed ? RpMemory_Refused(&error, "page")
                                        : RpView_Assemble(&parts, &page->html, &error);
    if (!status && page->output)
        status = Output_WriteBytes(page->output, page->html.bytes, page->html.size, &error);
    if (!status && page->png) {
        char hash[sizeof page->hash + 8];
        snprintf(hash, sizeof hash, "#ui=0%s%s", page->hash[1] ? "&" : "", page->hash + 1);
        page->shot.page = page->html.bytes;
        page->shot.page_size = page->html.size;
        page->shot.hash = hash;
        status = Browser_Shoot(&page->shot, page->png, &error);
    }
    if (status) {
        Cli_Fail(&error);
        return CLI_TROUBLE;
    }

    /* What was written is told as notes, or as one object of JSON. */
    if (Cli_Has(page->cli, "json")) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        RpBuffer_Print(&text, "{\"%s\": ", what);
        ViewText_Json(&text, source);
        RpBuffer_AppendText(&text, ", \"page\": ");
        if (page->output)
            ViewText_Json(&text, page->output);
        else
            RpBuffer_AppendText(&text, "null");
        RpBuffer_Print(&text, ", \"page_bytes\": %zu, \"hash\": ", page->html.size);
        ViewText_Json(&text, page->hash[1] ? page->hash : "");
        RpBuffer_AppendText(&text, ", \"picture\": ");
        if (page->png)
            ViewText_Json(&text, page->png);
        else
            RpBuffer_AppendText(&text, "null");
        RpBuffer_Print(&text, ", \"width\": %u, \"height\": %u}\n", page->shot.width,
                       page->shot.height);
        CliFile_Print(&text, RP_OK, NULL);
    } else {
        if (page->output && strcmp(page->output, "-") != 0)
            Cli_Note(page->cli, "%s%s: %lu bytes", page->output, page->hash[1] ? page->hash : "",
                     (unsigned long)page->html.size);
        if (page->png && strcmp(page->png, "-") != 0)
            Cli_Note(page->cli, "%s: %u x %u", page->png, page->shot.width, page->shot.height);
    }
    return CLI_EQUAL;
}
