/* Exports models as glTF and imports them, each with corrections. */
#include "formats/gltf/roundtrip/restore.h"
#include "ngi32/processor/modes.h"

RpStatus RpGltf_Export(const RpNResArchive *model, const RpGltfExportOptions *options,
                       RpBuffer *file, RpError *error) {
    MODES_OF_C();
    const RpGltfExportOptions usual = RpGltfExportOptions_Default();
    if (!options)
        options = &usual;
    GltfExporter exporter = {.options = options};
    RpStatus status = GltfExporter_Make(&exporter, model, error);
    if (status == RP_OK && options->restore && options->animation &&
        options->cells == RP_GLTF_ALL_CELLS)
        status = Restore_Add(&exporter, model, error);
    else if (status == RP_OK && options->restore)
        GltfExporter_Note(&exporter, "G09", "a part of the model: an import cannot give it back",
                          RP_MSH_NODES, RP_NO_INDEX, RP_NO_INDEX);
    if (status == RP_OK)
        status =
            GltfWriter_Write(&exporter.writer, options->container == RP_GLTF_TEXT, file, error);
    GltfExporter_Free(&exporter);
    return status;
}

RpStatus RpGltf_Import(const void *bytes, size_t size, const RpGltfImportOptions *options,
                       RpNResArchive *model, RpError *error) {
    MODES_OF_C();
    const RpGltfImportOptions usual = RpGltfImportOptions_Default();
    if (!options)
        options = &usual;
    Importer importer = {.options = options};
    RpNResArchive built;
    RpNResArchive_Init(&built, options->allocator);
    if (model->count > 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive is not empty", "", "", "");
    RpStatus status = GltfDoc_Open(&importer.doc, bytes, size, options, error);
    if (status == RP_OK)
        status = Importer_Make(&importer, &built, error);
    if (status == RP_OK) {
        const cJSON *restore =
            options->ignore_restore ? NULL : Gltf_Member(importer.hints, "restore");
        status = Restore_Apply(&importer.doc, restore, &built, model, error);
    }
    Importer_Free(&importer);
    RpNResArchive_Free(&built);
    while (status != RP_OK && model->count > 0)
        RpNResArchive_Remove(model, model->count - 1, NULL);
    return status;
}
