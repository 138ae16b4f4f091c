/* Completes DLLs of any bytes from DLLs of any bytes. The result is an error, or a DLL that opens,
 * has a section that says so, and resolves every name that the original does. The first two bytes
 * say where the second file begins. */
#include "fuzz.h"
#include "game/exports/exports_import.h"
#include "game/install/pe_writer.h"

#include <stdlib.h>
#include <string.h>

static void Resolves(const PeFile *completed, const PeFile *original) {
    for (size_t i = 0; i < original->export_count; i++) {
        const PeExport *wanted = &original->exports[i];
        const PeExport *found = wanted->name ? Pe_FindExport(completed, wanted->name) : NULL;
        if (wanted->name && wanted->name[0] && (!found || found->ordinal != wanted->ordinal))
            abort();
    }
}

static void CheckCompleted(const RpBuffer *out, const PeFile *original) {
    PeFile completed;
    PeCompletion completion;
    RpError error;
    if (Pe_Open(out->bytes, out->size, "completed", &completed, &error))
        abort();
    if (PeWriter_Inspect(&completed, &completion, &error))
        abort();
    Resolves(&completed, original);
    Pe_Close(&completed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    PeFile ours, original;
    RpBuffer out;
    if (size < 2)
        return 0;
    size_t middle = 2 + ((size_t)bytes[0] | (size_t)bytes[1] << 8);
    if (middle > size || Pe_Open(bytes + 2, middle - 2, "ours", &ours, NULL))
        return 0;
    if (Pe_Open(bytes + middle, size - middle, "original", &original, NULL) == RP_OK) {
        RpBuffer_Init(&out, NULL);
        if (PeWriter_Complete(&ours, &original, ABI_NGI32, &out, NULL) == RP_OK)
            CheckCompleted(&out, &original);
        else if (out.size != 0)
            abort();
        RpBuffer_Free(&out);
        Pe_Close(&original);
    }
    Pe_Close(&ours);
    return 0;
}
