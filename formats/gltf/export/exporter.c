/* Memory and notes, for all parts of the exporter. */
#include "formats/gltf/export/export.h"

#include <stdio.h>
#include <string.h>

void *GltfExporter_Allocate(GltfExporter *exporter, size_t count, size_t size) {
    if (count > SIZE_MAX / size)
        return NULL;
    size_t total = count > 0 ? count * size : 1;
    void *block = RpMemory_Resize(exporter->options->allocator, NULL, total);
    if (block)
        memset(block, 0, total);
    return block;
}

void GltfExporter_Release(GltfExporter *exporter, void *block) {
    RpMemory_Free(exporter->options->allocator, block);
}

void GltfExporter_Note(const GltfExporter *exporter, const char *rule, const char *what,
                       uint32_t stream, int64_t node, int64_t element) {
    RpFinding finding = RpFinding_New(rule, RP_SEVERITY_WARNING);
    finding.stream = (int32_t)stream;
    finding.node = (int32_t)node;
    finding.element = (int32_t)element;
    snprintf(finding.what, sizeof finding.what, "%s", what);
    RpFindingSink_Report(exporter->options->notes, &finding);
}
