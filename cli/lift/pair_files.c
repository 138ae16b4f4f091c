#include "cli/lift/pair_files.h"

#include "cli/place.h"

#include <string.h>

RpStatus CliPairFiles_Open(const Provider *provider, CliPairFiles *files, RpError *error) {
    RpStatus status = RP_OK;
    memset(files, 0, sizeof *files);
    for (int module = 0; !status && module < ABI_MODULE_COUNT; module++) {
        char path[PLACE_BYTES];
        status = Provider_Path(provider->directory, (AbiModule)module, path, sizeof path, error);
        if (!status)
            status = Mapping_Open(path, &files->modules[module], error);
    }
    if (!status && provider->overlay[0])
        status = Mapping_Open(provider->overlay, &files->overlay, error);
    return status;
}

void CliPairFiles_Close(CliPairFiles *files) {
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        Mapping_Close(&files->modules[module]);
    Mapping_Close(&files->overlay);
}

LiftFiles CliPairFiles_ForLifting(const CliPairFiles *files) {
    LiftFiles lifted = {.overlay_size = files->overlay.size};
    if (files->overlay.size > 0)
        lifted.overlay = (const char *)files->overlay.bytes;
    for (int module = 0; module < ABI_MODULE_COUNT; module++)
        lifted.files[module] =
            (PairFile){.bytes = files->modules[module].bytes, .size = files->modules[module].size};
    return lifted;
}
