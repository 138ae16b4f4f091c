/* Corrections: what an import of an exported document would get wrong is stored in the document.
 * So an export and an import together give back every byte of a model. */
#ifndef RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H
#define RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H

#include "formats/gltf/export/export.h"
#include "formats/gltf/import/import.h"

/* Imports the document that was made from `model`, and puts the differences into
 * exporter->extras. */
RpStatus Restore_Add(GltfExporter *exporter, const RpNResArchive *model, RpError *error);

/* Fills `model`, which is empty, with what an importer has built and with the corrections of the
 * file (null: the file has none). */
RpStatus Restore_Apply(const GltfDoc *doc, const cJSON *restore, const RpNResArchive *built,
                       RpNResArchive *model, RpError *error);

#endif
