/* Reads manifests of RsLi libraries of any text. The result is an error, or a library whose own
 * manifest gives the same bytes again. No folder is given, so no files can be named. */
#include "formats/archive/rsli_manifest.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 14 };

static void AssembleAgain(const RpRsLi *library) {
    OWNED(RpBuffer) json = {0}, again = {0};
    if (RsLiManifest_Dump(library, &json, NULL) == RP_OK) {
        Insist(RsLiManifest_Assemble((const char *)json.bytes, json.size, "/nowhere/at/all", false,
                                     &again, NULL) == RP_OK);
        Insist(again.size == library->size);
        Insist(memcmp(again.bytes, library->image, again.size) == 0);
    }
}

static void OpenImage(const RpBuffer *image) {
    RpRsLi library;
    uint32_t count = RpRsLi_Count(image->bytes, image->size);
    HEAP RpRsLiRecord *records = malloc((count + 1U) * sizeof *records);
    Insist(records != NULL);
    Insist(RpRsLi_Open(image->bytes, image->size, 2, RP_TOLERANT, records, count, &library, NULL) ==
           RP_OK);
    AssembleAgain(&library);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    RpBuffer image;
    if (size > MOST_TEXT)
        return 0;
    for (int canonical = 0; canonical < 2; canonical++) {
        RpBuffer_Init(&image, NULL);
        if (RsLiManifest_Assemble((const char *)bytes, size, "/nowhere/at/all", canonical, &image,
                                  NULL) == RP_OK)
            OpenImage(&image);
        RpBuffer_Free(&image);
    }
    return 0;
}
