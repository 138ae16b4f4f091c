/* Out of a library: find a model by name, check it, and pose its nodes.
 *
 * There is no file of the game here, so the library is made in memory first: with a file of your
 * own, begin at ReadLibrary.
 */
#include "retropose/corpus.h"
#include "retropose/msh_check.h"
#include "retropose/pose.h"

#include <stdio.h>
#include <stdlib.h>

static void Stop(const RpError *error) {
    char text[640];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

/* An archive with one model in it. */
static void MakeLibrary(const char *name, RpBuffer *library) {
    RpError error;
    RpCorpus *corpus;
    RpNResArchive model, archive;
    RpBuffer image;
    RpNResArchive_Init(&model, NULL);
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    if (RpCorpus_New(NULL, NULL, &corpus, &error) ||
        RpCorpus_Model(corpus, (uint32_t)RpCorpus_FindModel(corpus, name), &model, &error) ||
        RpNResArchive_Write(&model, RP_NRES_CANONICAL, &image, &error))
        Stop(&error);
    RpNResMember member = {.type = RP_CORPUS_MODEL_TYPE,
                           .attr3 = 1,
                           .data = image.bytes,
                           .size = (uint32_t)image.size};
    snprintf(member.name, sizeof member.name, "%s", name);
    if (RpNResArchive_Add(&archive, 0, &member, &error) ||
        RpNResArchive_Write(&archive, RP_NRES_CANONICAL, library, &error))
        Stop(&error);
    RpBuffer_Free(&image);
    RpNResArchive_Free(&archive);
    RpNResArchive_Free(&model);
    RpCorpus_Free(corpus);
}

static void PrintNodes(const RpMsh *msh, float (*model_space)[16]) {
    for (uint32_t node = 0; node < RpMsh_Count(msh, RP_MSH_NODES); node++) {
        uint32_t length;
        const char *name = RpMsh_Text(msh, RP_MSH_NAMES, node, &length);
        const float *matrix = model_space[node];
        printf("%-8.*s %8.3f %8.3f %8.3f\n", name ? (int)length : 0, name ? name : "", matrix[3],
               matrix[7], matrix[11]);
    }
}

static void PoseModel(const RpMsh *msh, float frame) {
    static float model_space[64][16];
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpError error;
    RpSkeleton model;
    if (RpMsh_Skeleton(msh, &model, &error))
        Stop(&error);
    if (RpSkeleton_NodeCount(&model) > 64)
        return;
    RpStatus status =
        RpPose_Skeleton(&model, &settings, frame, -1.0f, 0.0f, 1, NULL, model_space, NULL, &error);
    if (status)
        Stop(&error);
    PrintNodes(msh, model_space);
}

/* Nothing is copied: the archive, the member and the model point into the bytes. */
static void ReadLibrary(const void *bytes, size_t size, const char *name, float frame) {
    RpError error;
    RpNRes library, member;
    RpMsh msh;
    if (RpNRes_Open(bytes, size, RP_STRICT, &library, &error))
        Stop(&error);
    int32_t index = RpNRes_Find(&library, name);
    if (index < 0)
        return;
    RpNResEntry entry = RpNRes_Entry(&library, (uint32_t)index);
    if (RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, &error) ||
        RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, &msh, &error) ||
        RpMsh_Validate(&msh, &error))
        Stop(&error);
    printf("%s: %u nodes, %u frames; at frame %g:\n", name, RpMsh_Count(&msh, RP_MSH_NODES),
           msh.frame_count, (double)frame);
    PoseModel(&msh, frame);
}

int main(void) {
    RpBuffer library;
    RpBuffer_Init(&library, NULL);
    MakeLibrary("R_H_02.msh", &library);
    ReadLibrary(library.bytes, library.size, "r_h_02.MSH", 18.5f);
    RpBuffer_Free(&library);
    return 0;
}
