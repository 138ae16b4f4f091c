/* Writes the test models as GLB files for what reads them in JavaScript:
 *
 *     export_models DIRECTORY
 */
#include "formats/output.h"
#include "models.h"
#include "retropose/gltf.h"

#include <stdio.h>

static bool Export(const char *directory, uint32_t number) {
    char path[1024];
    TestModel model;
    RpError error = {0};
    RpBuffer file;
    RpBuffer_Init(&file, NULL);
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    options.root_motion = (RpGltfRootMotion)(number % 3);
    options.sub_frames = number % 7 == 3 ? 4 : 1;
    snprintf(path, sizeof path, "%s/model_%02u.%s", directory, (unsigned)number,
             number % 8 == 7 ? "gltf" : "glb");
    options.container = number % 8 == 7 ? RP_GLTF_TEXT : RP_GLTF_BINARY;
    bool made = TestModel_Make(number, &model) &&
                RpGltf_Export(&model.archive, &options, &file, &error) == RP_OK &&
                Output_WriteBytes(path, file.bytes, file.size, &error) == RP_OK;
    if (!made)
        fprintf(stderr, "%s: %s\n", path, error.what);
    RpBuffer_Free(&file);
    TestModel_Free(&model);
    return made;
}

int main(int count, char **arguments) {
    bool made = count == 2;
    for (uint32_t i = 0; made && i < TEST_MODEL_COUNT; i++)
        made = Export(arguments[1], i);
    return made ? 0 : 1;
}
