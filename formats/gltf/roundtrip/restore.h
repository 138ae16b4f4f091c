/* Corrections: what an import of an exported document would get wrong is stored in the document, so
 * that export and import together give every byte of a model back. */
#ifndef RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H
#define RETROPOSE_FORMATS_GLTF_ROUNDTRIP_RESTORE_H

#include "formats/gltf/export/export.h"
#include "formats/gltf/import/import.h"

/* Imports the document that was built of `model`, and puts what differs into exporter->extras. */
RpStatus Restore_Add(GltfExporter *exporter, const RpNResArchive *model, RpError *error);

/* Makes `model`, empty so far, of what an importer built and the corrections of the file (null: the
 * file has none). */
RpStatus Restore_Apply(const GltfDoc *doc, const cJSON *restore, const RpNResArchive *built,
                       RpNResArchive *model, RpError *error);

#endif
