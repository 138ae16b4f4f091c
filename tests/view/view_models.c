/* Models of the synthetic corpus as files, and where their nodes are by RpMsh_PoseNodes:
 *
 *     view_models DIRECTORY NAME...
 *
 * writes NAME.msh and NAME.json: {"frames": [{"frame": f, "matrices": [[16 numbers], ...]}, ...]}.
 */
#include "core/files/output.h"
#include "retropose/corpus.h"

#include <stdio.h>
#include <stdlib.h>

static RpStatus WritePoses(const RpNResArchive *archive, const RpReadings *readings,
                           const char *path, RpError *error) {
    RpMsh msh;
    RpBuffer json;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &msh, error);
    uint32_t nodes = RpMsh_Count(&msh, RP_MSH_NODES), last = msh.frame_count - 1;
    double(*matrices)[16] = calloc(nodes, sizeof *matrices);
    const uint32_t frames[] = {0, 1, last / 3, last / 2, last};
    RpBuffer_Init(&json, NULL);
    RpBuffer_AppendText(&json, "{\"frames\":[");
    for (size_t f = 0; f < sizeof frames / sizeof *frames && !status; f++) {
        status = RpMsh_PoseNodes(&msh, readings, frames[f], false, matrices, error);
        RpBuffer_Print(&json, "%s{\"frame\":%u,\"matrices\":[", f ? "," : "", (unsigned)frames[f]);
        for (uint32_t n = 0; n < nodes; n++)
            for (int i = 0; i < 16; i++)
                RpBuffer_Print(&json, "%s%.9g%s", i ? "," : (n ? ",[" : "["), matrices[n][i],
                               i == 15 ? "]" : "");
        RpBuffer_AppendText(&json, "]}");
    }
    RpBuffer_AppendText(&json, "]}");
    if (!status)
        status = Output_WriteBytes(path, json.bytes, json.size, error);
    RpBuffer_Free(&json);
    free(matrices);
    return status;
}

static RpStatus WriteModel(const RpCorpus *corpus, const char *folder, const char *name,
                           RpError *error) {
    char path[1024];
    RpNResArchive archive;
    RpBuffer image;
    const RpReadings readings = RpCorpusOptions_Default().readings;
    int32_t index = RpCorpus_FindModel(corpus, name);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no such model", name, "", "");
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    RpStatus status = RpCorpus_Model(corpus, (uint32_t)index, &archive, error);
    if (!status)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, error);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!status)
        status = Output_WriteBytes(path, image.bytes, image.size, error);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (!status)
        status = WritePoses(&archive, &readings, path, error);
    RpBuffer_Free(&image);
    RpNResArchive_Free(&archive);
    return status;
}

int main(int count, char **arguments) {
    RpCorpus *corpus;
    RpError error = {0};
    RpStatus status = RpCorpus_New(NULL, NULL, &corpus, &error);
    for (int i = 2; i < count && !status; i++)
        status = WriteModel(corpus, arguments[1], arguments[i], &error);
    if (status)
        fprintf(stderr, "%s: %s\n", error.where, error.what);
    RpCorpus_Free(corpus);
    return status ? 1 : 0;
}
