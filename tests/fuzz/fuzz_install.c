/* Reads a retropose.install of any bytes, which is refused, or read back as it was written. The sum
 * over the text is corrected first, so that the rest of the parser is reached. */
#include "core/digest.h"
#include "fuzz.h"
#include "game/install/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void CheckName(const char *name) {
    if (strpbrk(name, "/\\:") || strlen(name) < 9)
        abort(); /* the name becomes part of a path */
}

static void Check(const char *text, size_t size) {
    InstallManifest manifest;
    OWNED(RpBuffer) again = {0};
    RpError error;
    if (InstallManifest_Parse(text, size, &manifest, &error)) {
        if (!error.what[0])
            abort();
        return;
    }
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        CheckName(manifest.pairs[i].name);
    InstallManifest_Format(&manifest, &again);
    InstallManifest second;
    if (InstallManifest_Parse((const char *)again.bytes, again.size, &second, &error) ||
        memcmp(&manifest, &second, sizeof manifest) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char sum[DIGEST_HEX_BYTES];
    OWNED(RpBuffer) text = {0};
    RpBuffer_Append(&text, data, size);
    Check((const char *)text.bytes ? (const char *)text.bytes : "", text.size);
    Digest_OfBytes(data, size, sum);
    RpBuffer_Print(&text, "end %s\n", sum);
    Check((const char *)text.bytes, text.size);
    return 0;
}
