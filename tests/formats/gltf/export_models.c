/* Writes the test models as GLB files, which the tests in JavaScript read:
 *
 *     export_models DIRECTORY */
#include "models.h"
#include "retropose/gltf.h"

static bool Export(const TestModel *model, const RpGltfExportOptions *options, uint32_t number,
                   RpBuffer *file, RpError *error) {
    (void)number;
    return RpGltf_Export(&model->archive, options, file, error) == RP_OK;
}

int main(int count, char **arguments) {
    return TestModels_Write(count, arguments, NULL, Export) ? 0 : 1;
}
