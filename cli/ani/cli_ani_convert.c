#include "cli/ani/ani_common.h"

#include <string.h>

static bool EndsWith(const char *text, const char *end) {
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static int Run(Cli *cli) {
    RpAniGltfOptions options = RpAniGltfOptions_Default();
    uint64_t step = options.step;
    RpAni ani;
    const char *path;
    if (!CliFile_Output(cli, "an animation", NULL, &path))
        return CLI_TROUBLE;

    /* The output's name decides whether the file is a text. The standard output has none, so --to
     * does. */
    const char *to = Cli_Value(cli, "to", NULL);
    const bool glb = EndsWith(path, ".glb"), standard = strcmp(path, "-") == 0;
    options.text = standard ? to && strcmp(to, "gltf") == 0 : EndsWith(path, ".gltf");
    if (to && strcmp(to, "glb") != 0 && strcmp(to, "gltf") != 0)
        return Cli_Complain("--to takes glb or gltf, not %s", to);
    if (standard && !to)
        return Cli_Complain("the standard output needs --to: glb or gltf");
    if (!standard && !options.text && !glb)
        return Cli_Complain("%s: only .glb and .gltf can be written", path);
    if (to && !standard && options.text != (strcmp(to, "gltf") == 0))
        return Cli_Complain("--to %s contradicts the name of %s", to, path);

    if (!Cli_Number(cli, "step", 1, RP_ANI_MOST_TIME, &step) ||
        !AniVerb_Policy(cli, &options.policy) ||
        !AniVerb_Open(cli, cli->arguments[0], RP_STRICT, &ani))
        return CLI_TROUBLE;
    options.step = (uint32_t)step;

    RpBuffer file;
    RpError error;
    RpBuffer_Init(&file, NULL);
    const RpStatus status = RpAni_ExportGltf(&ani, &options, &file, &error);
    const int code = CliFile_Write(&file, path, status, &error);
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
