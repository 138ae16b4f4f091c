#include "cli/ani/ani.h"
#include "cli/browser.h"
#include "core/files/output.h"

/* Returns "a.ani" for "dir/a.ani". */
static const char *LastPart(const char *path) {
    const char *last = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\')
            last = c + 1;
    return last;
}

static RpStatus Shoot(const RpBuffer *html, const char *path, RpError *error) {
    const BrowserShot shot = {.page = html->bytes,
                              .page_size = html->size,
                              .hash = "#time=0",
                              .width = 1280,
                              .height = 960,
                              .seconds = 60};
    return Browser_Shoot(&shot, path, error);
}

static int View(const Cli *cli, const RpAni *ani, const RpAniGltfOptions *options) {
    const char *path = Cli_Value(cli, "output", NULL), *png = Cli_Value(cli, "png", NULL);
    const char *name = LastPart(cli->arguments[0]);
    RpBuffer html;
    RpError error;
    RpBuffer_Init(&html, NULL);
    RpStatus status = RpAni_View(ani, options, name, &html, &error);
    if (status == RP_OK && path)
        status = Output_WriteBytes(path, html.bytes, html.size, &error);
    if (status == RP_OK && png)
        status = Shoot(&html, png, &error);
    RpBuffer_Free(&html);
    return status == RP_OK ? CLI_EQUAL : Cli_Fail(&error);
}

static int Run(Cli *cli) {
    RpAniGltfOptions options = {.step = 0};
    uint64_t step = 50;
    RpAni ani;
    if (cli->argument_count != 1)
        return Cli_Complain("ani view needs one animation");
    if (!Cli_Has(cli, "output") && !Cli_Has(cli, "png"))
        return Cli_Complain("ani view needs --output or --png");
    if (!CliFile_CanWriteAll(
            (const char *const[]){Cli_Value(cli, "output", NULL), Cli_Value(cli, "png", NULL)},
            2) ||
        !Cli_Number(cli, "step", 1, RP_ANI_MOST_TIME, &step) ||
        !AniVerb_Policy(cli, &options.policy) ||
        !AniVerb_Open(cli, cli->arguments[0], RP_STRICT, &ani))
        return CLI_TROUBLE;
    options.step = (uint32_t)step;
    const int code = View(cli, &ani, &options);
    RpAni_Free(&ani);
    return code;
}

const CliVerb cli_ani_view = {
    "ani view",
    "write a page that plays the tree and the camera",
    "FILE",
    "retropose ani view pns065rd.ani --output pns065rd.html\n",
    {{"output", "FILE", "the page, which needs nothing but a browser", 'o'},
     {"png", "FILE", "a picture of it at 0 ms, taken by an installed browser", 0},
     {"step", "MS", "between poses (default: 50)", 0},
     {"policy", "NAME", "of sampling: S or D (default: S)", 0},
     ANI_BODY},
    Run};
