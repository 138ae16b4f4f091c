/* Imports any bytes as a GLB or as glTF text, and glTF text with a buffer of any bytes. The result
 * is an error, or a model that can be exported again, and that export imports as the same bytes. */
#include "fuzz.h"
#include "retropose/gltf.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

static bool SameBytes(const RpNResArchive *a, const RpNResArchive *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->members[i].size != b->members[i].size ||
            (a->members[i].size > 0 &&
             memcmp(a->members[i].data, b->members[i].data, a->members[i].size) != 0))
            return false;
    return true;
}

static void CountNote(void *context, const RpFinding *finding) {
    bool *lossy = context;
    *lossy |= strcmp(finding->rule, "G08") == 0;
}

static void ExportAgain(const RpNResArchive *model) {
    bool lossy = false;
    const RpFindingSink sink = {CountNote, &lossy};
    const RpGltfImportOptions import = RpGltfImportOptions_Default();
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    OWNED(RpNResArchive) back = {0};
    OWNED(RpBuffer) file = {0};
    options.notes = &sink;
    if (RpGltf_Export(model, &options, &file, NULL) == RP_OK && !lossy &&
        (RpGltf_Import(file.bytes, file.size, &import, &back, NULL) != RP_OK ||
         !SameBytes(model, &back)))
        abort();
}

static RpStatus Load(void *context, const char *uri, RpBuffer *bytes, RpError *error) {
    const RpBuffer *beside = context;
    (void)uri;
    RpBuffer_Append(bytes, beside->bytes, beside->size);
    return bytes->failed ? RpMemory_Refused(error, "buffer") : RP_OK;
}

static void Import(const uint8_t *bytes, size_t size, RpBuffer *beside) {
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    OWNED(RpNResArchive) model = {0};
    options.load = Load;
    options.load_context = beside;
    if (RpGltf_Import(bytes, size, &options, &model, NULL) == RP_OK)
        ExportAgain(&model);
}

/* Files are in blocks of their own, so that reads beyond their ends are noticed. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const uint8_t *end = size > 0 ? memchr(bytes, 0, size) : NULL;
    size_t text = end ? (size_t)(end - bytes) : size;
    OWNED(RpBuffer) beside = {0};
    if (size > MOST_BYTES)
        return 0;
    HEAP uint8_t *copy = Fuzz_Copy(bytes, size);
    RpBuffer_Init(&beside, NULL);
    RpBuffer_Append(&beside, bytes + text, size - text);
    Import(copy, size, &beside);
    if (end)
        Import(copy, text, &beside);
    return 0;
}
