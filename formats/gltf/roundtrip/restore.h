/* Corrections: an exported document contains what an import of it would otherwise get wrong. So an
 * export followed by an import gives back every byte of a model. */
#ifndef RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H
#define RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H

#include "formats/gltf/export/export.h"
#include "formats/gltf/import/import.h"

/* Imports the document that was made from `model`, and puts the differences into
 * exporter->extras. */
RpStatus Restore_Add(GltfExporter *exporter, const RpNResArchive *model, RpError *error);

/* Fills `model`, which is empty, with what an importer has built, changed by the corrections of the
 * file. `restore` is null if the file has none. */
RpStatus Restore_Apply(const GltfDoc *doc, const cJSON *restore, const RpNResArchive *built,
                       RpNResArchive *model, RpError *error);

#endif
