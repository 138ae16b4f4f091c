#include "cli/ani/ani.h"

#include <string.h>

static bool EndsWith(const char *text, const char *end) {
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static int Convert(const RpAni *ani, const RpAniGltfOptions *options, const char *path) {
    RpBuffer file;
    RpError error;
    RpBuffer_Init(&file, NULL);
    const RpStatus status = RpAni_ExportGltf(ani, options, &file, &error);
    return CliFile_Write(&file, path, status, &error);
}

/* Decides by the output's name, or by --to for the standard output, which has none, whether the
 * file is a text. Says what is wrong and returns false otherwise. */
static bool TakeForm(const Cli *cli, const char *path, bool *text) {
    const char *to = Cli_Value(cli, "to", NULL);
    const bool glb = EndsWith(path, ".glb"), standard = strcmp(path, "-") == 0;
    *text = standard ? to && strcmp(to, "gltf") == 0 : EndsWith(path, ".gltf");
    if (to && strcmp(to, "glb") != 0 && strcmp(to, "gltf") != 0)
        Cli_Complain("--to takes glb or gltf, not %s", to);
    else if (standard && !to)
        Cli_Complain("the standard output needs --to: glb or gltf");
    else if (!standard && !*text && !glb)
        Cli_Complain("%s: only .glb and .gltf can be written", path);
    else if (to && !standard && *text != (strcmp(to, "gltf") == 0))
        Cli_Complain("--to %s contradicts the name of %s", to, path);
    else
        return true;
    return false;
}

static int Run(Cli *cli) {
    RpAniGltfOptions options = RpAniGltfOptions_Default();
    uint64_t step = options.step;
    RpAni ani;
    const char *path;
    if (!CliFile_Output(cli, "an animation", NULL, &path))
        return CLI_TROUBLE;
    if (!TakeForm(cli, path, &options.text))
        return CLI_TROUBLE;
    if (!Cli_Number(cli, "step", 1, RP_ANI_MOST_TIME, &step) ||
        !AniVerb_Policy(cli, &options.policy) ||
        !AniVerb_Open(cli, cli->arguments[0], RP_STRICT, &ani))
        return CLI_TROUBLE;
    options.step = (uint32_t)step;
    const int code = Convert(&ani, &options, path);
    RpAni_Free(&ani);
    return code;
}

const CliVerb cli_ani_convert = {
    "ani convert",
    "write the animated tree and the camera as glTF 2.0",
    "FILE [OUTPUT.glb|OUTPUT.gltf]",
    "retropose ani convert pns065rd.ani pns065rd.glb\n",
    {{"step", "MS", "between keys where a rotation blends (default: 50)", 0},
     {"policy", "NAME", "of sampling: S or D (default: S)", 0},
     {"to", "FORM", "glb or gltf, for standard output", 0},
     CLI_OUTPUT,
     ANI_BODY},
    Run};
