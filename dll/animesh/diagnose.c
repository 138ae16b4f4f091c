#include "dll/animesh/diagnose.h"

#include "dll/animesh/internals.h"
#include "dll/base/log.h"
#include "dll/folder.h"

static uint32_t out_of_bounds, undefined;

static void Count(uint32_t *total, uint32_t more) {
    __atomic_fetch_add(total, more, __ATOMIC_RELAXED);
}

/* ---- head and foot of the log ---------------------------------------------------------------- */

void Diagnose_Open(HINSTANCE module) {
    char path[LOG_LINE_BYTES], readings[RP_READINGS_TEXT];
    Folder_ModulePath(module, path, sizeof path);
    RpReadings_Format(&animesh_arithmetic.readings, RP_READS_RUNTIME, readings, sizeof readings);
    Log_Write("Retropose %s, %s", RETROPOSE_VERSION, path);
    Log_Write("readings: %s", readings[0] ? readings : "all default");
}

void Diagnose_Close(void) {
    if (out_of_bounds)
        Log_Write("in all, %u reads outside a model's streams", out_of_bounds);
    if (undefined)
        Log_Write("in all, %u blends with neither side valid", undefined);
    Log_Close();
}

/* ---- once each ------------------------------------------------------------------------------- */

void Diagnose_Refused(const char *function, const char *why, long *seen) {
    if (Log_IsFirst(seen))
        Log_Write("%s is refused: %s", function, why);
}

void Diagnose_MissingStream(uint32_t type) {
    static long seen[32];
    if (Log_IsFirst(&seen[type % 32]))
        Log_Write("a model without Res%u, which the original needs: null pointers", type);
}

void Diagnose_OutOfBounds(const char *function, const Piece *piece, uint32_t reads) {
    static long seen;
    Count(&out_of_bounds, reads);
    if (Log_IsFirst(&seen))
        Log_Write("a read outside a model's streams, in %s of node %u (reader %x): the fallback "
                  "key, the identity or null is used",
                  function, piece->node, (uint32_t)(uintptr_t)piece->reader);
}

void Diagnose_UndefinedBlend(const Piece *piece) {
    static long seen;
    Count(&undefined, 1);
    if (Log_IsFirst(&seen))
        Log_Write("a blend with neither side valid, of node %u: the identity is used", piece->node);
}

void Diagnose_MeshOutOfBounds(const char *method, uint32_t reads) {
    static long seen;
    Count(&out_of_bounds, reads);
    if (Log_IsFirst(&seen))
        Log_Write("a read outside a model's streams, in %s: as if there were nothing", method);
}

void Diagnose_MeshUndefinedBlend(const char *method, uint32_t blends) {
    static long seen;
    Count(&undefined, blends);
    if (Log_IsFirst(&seen))
        Log_Write("a blend with neither side valid, in %s: the identity is used", method);
}
