#include "game/exports/exports_import.h"
#include "game/install/install.h"
#include "game/install/pe_writer.h"

static RpStatus Complete(void *context, const PeFile *ours, const PeFile *original,
                         AbiModule module, RpBuffer *dll, RpError *error) {
    (void)context;
    return PeWriter_Complete(ours, original, module, dll, error);
}

static RpStatus MakeOverlay(void *context, const PeFile originals[ABI_MODULE_COUNT], RpBuffer *text,
                            RpError *error) {
    (void)context;
    Overlay overlay;
    Overlay_Init(&overlay, NULL);
    RpStatus status = RP_OK;
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status = ExportsImport_Read(&originals[i], (AbiModule)i, &overlay, error);
    if (!status)
        status = Overlay_Format(&overlay, text, error);
    Overlay_Free(&overlay);
    return status;
}

const InstallMaker InstallMaker_Default = {NULL, Complete, MakeOverlay};
