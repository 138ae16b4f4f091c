/* Writes the test models as GLB files, which the tests in JavaScript read:
 *
 *     export_models DIRECTORY */
#include "core/files/output.h"
#include "models.h"
#include "retropose/gltf.h"

#include <stdio.h>

static bool Export(const TestModels *models, const char *directory, uint32_t number) {
    char path[1024];
    TestModel model;
    RpError error = {0};
    RpBuffer file;
    RpBuffer_Init(&file, NULL);
    const RpGltfExportOptions options = TestModels_ExportOptions(number);
    snprintf(path, sizeof path, "%s/%03u.%s", directory, (unsigned)number,
             options.container == RP_GLTF_TEXT ? "gltf" : "glb");
    bool made = TestModels_Make(models, number, &model);
    if (made && TestModel_CanExport(&model))
        made = RpGltf_Export(&model.archive, &options, &file, &error) == RP_OK &&
               Output_WriteBytes(path, file.bytes, file.size, &error) == RP_OK;
    if (!made)
        fprintf(stderr, "%s: %s\n", path, error.what);
    RpBuffer_Free(&file);
    TestModel_Free(&model);
    return made;
}

int main(int count, char **arguments) {
    TestModels models;
    bool made = count == 2 && TestModels_Open(&models);
    for (uint32_t i = 0; made && i < models.count; i++)
        made = Export(&models, arguments[1], i);
    if (count == 2)
        TestModels_Close(&models);
    return made ? 0 : 1;
}
