#include "cli/bundle/load_bundle.h"

#include "cli/files.h"

RpStatus BundleFile_Load(const char *path, struct cJSON **bundle, RpError *error) {
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = Bundle_Read((const char *)mapping.bytes, mapping.size, bundle, error);
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}
