#include "gltf_export.h"

RpStatus GltfExporter_AddRestore(GltfExporter *exporter, const RpNResArchive *model,
                                 RpError *error) {
    (void)exporter;
    (void)model;
    (void)error;
    return RP_OK;
}
