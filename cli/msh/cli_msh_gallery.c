#include "cli/msh/msh_common.h"
#include "cli/viewer_page.h"

#include <string.h>

static bool CountModel(void *context, const ModelSource *model, const RpError *failed) {
    uint64_t *count = context;
    (void)model;
    *count += failed == NULL;
    return true;
}

static int RunGallery(Cli *cli) {
    CliPage page;
    uint64_t models = 0;
    int code = CLI_TROUBLE;
    if (!Cli_Has(cli, "output") && !Cli_Has(cli, "png"))
        return Cli_Complain("msh gallery needs --output or --png");
    CliPage_Init(&page, cli);
    bool fine = CliPage_TakeOptions(&page);

    /* The page gets whole files. It finds the models in them in the same way as this function,
     * whatever else they contain. */
    for (size_t i = 0; i < cli->argument_count && fine; i++) {
        const char *path = cli->arguments[i];
        RpError error;
        Mapping mapping;
        RpStatus status = ModelSource_Each(path, CountModel, &models, &error);
        if (!status)
            status = Mapping_Open(path, &mapping, &error);
        if (status) {
            Cli_Fail(&error);
            fine = false;
        } else {
            CliPage_AddFile(&page, CliPage_LastPart(path), mapping.bytes, mapping.size);
            Mapping_Close(&mapping);
        }
    }

    if (fine) {
        const char *first = cli->argument_count > 0 ? cli->arguments[0] : "";
        const char *title = first[0] ? CliPage_LastPart(first) : "Retropose";
        code = CliPage_Write(&page, title, "library", first);
    }
    if (code == CLI_EQUAL && models > 0)
        Cli_Note(cli, "%lu model%s", (unsigned long)models, models == 1 ? "" : "s");
    CliPage_Free(&page);
    return code;
}

const CliVerb cli_msh_gallery = {
    "msh gallery",
    "make a page that shows all models of libraries",
    "[FILE...]",
    "retropose msh gallery parts.rlb -o parts.html\n"
    "retropose msh gallery -o viewer.html        (a page for files that are dropped on it)\n",
    {{"output", "FILE", "the page, which needs nothing but a browser (-: standard output)", 'o'},
     {"png", "FILE", "a picture of it, by a headless browser", 0},
     CLI_PAGE_OPTIONS,
     CLI_JSON_WRITTEN},
    RunGallery};
