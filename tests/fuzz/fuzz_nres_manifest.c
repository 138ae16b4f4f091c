/* Reads manifests of any text, without files. Also turns images into text and back, which gives the
 * same bytes. */
#include "formats/archive/nres_diff.h"
#include "formats/archive/nres_list.h"
#include "formats/archive/nres_manifest.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static bool NamesFiles(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i + 4 <= size; i++)
        if (memcmp(bytes + i, "file", 4) == 0 || bytes[i] == '\\')
            return true;
    return false;
}

static void Assemble(const uint8_t *bytes, size_t size) {
    OWNED(RpBuffer) image = {0};
    RpError error;
    RpNRes archive;
    const RpStatus status =
        ArchiveManifest_Assemble((const char *)bytes, size, "/nowhere", NULL, &image, &error);
    if (status == RP_OK)
        Insist(RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, &error) == RP_OK &&
               image.size <= 64 + 100 * size);
    else
        Insist(error.what[0] != 0);
}

static void DumpAndAssemble(const RpNRes *archive) {
    OWNED(RpBuffer) json = {0}, again = {0};
    if (ArchiveManifest_Dump(archive, &json, NULL) == RP_OK) {
        Insist(ArchiveManifest_Assemble((const char *)json.bytes, json.size, "/nowhere", NULL,
                                        &again, NULL) == RP_OK);
        Insist(again.size == archive->size && memcmp(again.bytes, archive->image, again.size) == 0);
    }
}

static void Describe(const RpNRes *archive) {
    OWNED(RpBuffer) text = {0};
    bool different = true;
    Insist(ArchiveDiff_Text(archive, archive, &text, &different, NULL) == RP_OK && !different);
    Insist(ArchiveList_Text(archive, true, &text, NULL) == RP_OK);
    Insist(ArchiveList_Json(archive, true, &text, NULL) == RP_OK);
    Insist(ArchiveInfo_Text(archive, &text, NULL) == RP_OK);
    Insist(ArchiveInfo_Json(archive, NULL, &text, NULL) == RP_OK);
}

/* Payloads may share bytes, but their texts do not, so these may be very long. */
static bool IsModest(const RpNRes *archive) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < archive->count; i++)
        bytes += RpNRes_Entry(archive, i).size;
    return bytes < 1u << 20;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    RpNRes archive;
    if (!NamesFiles(bytes, size))
        Assemble(bytes, size);
    if (RpNRes_Open(bytes, size, RP_TOLERANT, &archive, NULL) == RP_OK && IsModest(&archive)) {
        DumpAndAssemble(&archive);
        Describe(&archive);
    }
    return 0;
}
