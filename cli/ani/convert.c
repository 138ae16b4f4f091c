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

static int Run(Cli *cli) {
    RpAniGltfOptions options = {.step = 0};
    uint64_t step = 50;
    RpAni ani;
    const char *path;
    if (!CliFile_Output(cli, "an animation", NULL, &path))
        return CLI_TROUBLE;
    options.text = EndsWith(path, ".gltf");
    if (!options.text && !EndsWith(path, ".glb"))
        return Cli_Complain("%s: only .glb and .gltf can be written", path);
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
     CLI_OUTPUT,
     ANI_BODY},
    Run};
