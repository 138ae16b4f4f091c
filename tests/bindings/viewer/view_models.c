/* Writes models of the synthetic corpus as files, and the bits of their nodes' matrices at five
 * moments, one of which is a blend of two:
 *
 *   view_models DIRECTORY NAME...
 *
 * It writes NAME.msh and NAME.json, which is {"readings": LIST, "poses": [{"a": A, "b": B,
 * "weight": W, "bits": [16 words for each node, row-major, in the model's space]}, ...]}. */
#include "core/files/output.h"
#include "retropose/corpus.h"
#include "tests/owned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpStatus WritePoses(const RpNResArchive *archive, const RpReadings *readings,
                           const char *path, RpError *error) {
    RpMsh msh;
    RpSkeleton skeleton;
    OWNED(RpBuffer) json = {0};
    char text[RP_READINGS_TEXT];
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &msh, error);
    if (!status)
        status = RpMsh_Skeleton(&msh, &skeleton, error);
    if (status)
        return status;
    const uint32_t nodes = RpMsh_Count(&msh, RP_MSH_NODES);
    const float last = (float)(msh.frame_count - 1);
    HEAP float(*matrices)[16] = calloc(nodes, sizeof *matrices);
    const RpPoseTimes times[] = {{0, -1, 0},
                                 {1, -1, 0},
                                 {last * 0.37F, -1, 0},
                                 {last, -1, 0},
                                 {last * 0.25F, floorf(last / 2), 0.375F}};
    const RpArithmetic arithmetic = {.readings = *readings};
    RpReadings_Format(readings, RP_READS_FILES, text, sizeof text);
    RpBuffer_Init(&json, NULL);
    RpBuffer_Print(&json, "{\"readings\":\"%s\",\"poses\":[", text);
    for (size_t i = 0; i < sizeof times / sizeof *times && !status; i++) {
        status = RpPose_Skeletons(&skeleton, &arithmetic, 1, &times[i], false, NULL, matrices, NULL,
                                  error);
        RpBuffer_Print(&json, "%s{\"a\":%.9g,\"b\":%.9g,\"weight\":%.9g,\"bits\":[", i ? "," : "",
                       times[i].a, times[i].b, times[i].weight);
        for (uint32_t k = 0; k < 16 * nodes; k++) {
            uint32_t bits;
            memcpy(&bits, &matrices[k / 16][k % 16], sizeof bits);
            RpBuffer_Print(&json, "%s%u", k ? "," : "", (unsigned)bits);
        }
        RpBuffer_AppendText(&json, "]}");
    }
    RpBuffer_AppendText(&json, "]}");
    if (!status)
        status = Output_WriteBytes(path, json.bytes, json.size, error);
    return status;
}

static RpStatus WriteModel(const RpCorpus *corpus, const char *folder, const char *name,
                           RpError *error) {
    char path[1024];
    OWNED(RpNResArchive) archive = {0};
    OWNED(RpBuffer) image = {0};
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
