/* Edits arbitrary models: the first eight bytes choose the edits, and the model follows. Whatever
 * it is, edits succeed or are refused, and their results can be written and read again. */
#include "fuzz.h"
#include "retropose/msh_anim.h"
#include "retropose/msh_edit.h"

#include <stdlib.h>

enum { CHOICES = 8, MAX_FRAMES = 512 };

static void EditAnimation(const uint8_t *choices, RpNResArchive *archive) {
    OWNED(RpMshAnimation) animation = {0};
    RpMsh msh;
    RpMshAnimation_Init(&animation, NULL);
    if (RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &msh, NULL) != RP_OK ||
        msh.frame_count > MAX_FRAMES ||
        RpMshAnimation_Extract(&animation, &msh,
                               choices[0] & 1 ? RP_MSH_EXTRACT_EXACT : RP_MSH_EXTRACT_SAMPLE, NULL,
                               NULL) != RP_OK)
        return;
    if (choices[0] & 2)
        RpMshAnimation_Reverse(&animation, NULL);
    if (choices[0] & 4)
        RpMshAnimation_Retime(&animation, (double)choices[1] / 64, NULL, NULL);
    if (choices[0] & 8)
        RpMshAnimation_Append(&animation, &animation, NULL, NULL);
    if (choices[0] & 16)
        RpMshAnimation_Range(&animation, choices[2], (uint32_t)choices[2] + choices[3], NULL);
    if (choices[0] & 32)
        RpMshAnimation_Resample(&animation, choices[4] % 8, NULL);
    if (choices[0] & 64)
        RpMshAnimation_Simplify(&animation, choices[5] / 16.0, choices[6] / 4.0, NULL, NULL);
    if (choices[0] & 128)
        RpMshAnimation_MakeStatic(&animation);
    RpMshAnimation_Install(&animation, archive, NULL);
}

static void EditGeometry(const uint8_t *choices, RpNResArchive *archive) {
    RpMshTransform transform = RpMshTransform_Identity();
    const double axis[3] = {1, choices[5], choices[6]};
    RpMshTransform_Turn(&transform, axis, choices[4], NULL);
    transform.translation[0] = choices[3];
    if (choices[7] & 1)
        RpMsh_UpdateTriangles(archive, NULL);
    if (choices[7] & 2)
        RpMshEdit_TransformNode(archive, NULL, choices[2] % 4, &transform, NULL);
    if (choices[7] & 4)
        RpMshEdit_TransformAll(archive, NULL, &transform, NULL);
    if (choices[7] & 8)
        RpMsh_UpdateBounds(archive, NULL, NULL);
    if (choices[7] & 16)
        RpMshEdit_SetLabel(archive, choices[2] % 8, "label", NULL);
    if (choices[7] & 32)
        RpMshEdit_Rename(archive, choices[2] % 8, "name", NULL);
    if (choices[7] & 64)
        RpMshEdit_SetSlot(archive, choices[2] % 8, choices[3] % 16, choices[4], NULL);
    if (choices[7] & 128)
        RpMshEdit_DropStream(archive, choices[3] % 24, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RpNRes image;
    OWNED(RpNResArchive) archive = {0};
    OWNED(RpBuffer) written = {0};
    if (size < CHOICES ||
        RpNRes_Open(data + CHOICES, size - CHOICES, RP_TOLERANT, &image, NULL) != RP_OK)
        return 0;
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&written, NULL);
    if (RpNResArchive_Read(&archive, &image, NULL) == RP_OK) {
        EditGeometry(data, &archive);
        EditAnimation(data, &archive);
        if (RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &written, NULL) == RP_OK)
            Insist(RpNRes_Open(written.bytes, written.size, RP_TOLERANT, &image, NULL) == RP_OK);
    }
    return 0;
}
