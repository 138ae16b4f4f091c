#include "replay/session/session_coverage.h"

#include "replay/coverage/reached_blocks.h"

#include <stdio.h>

RpStatus SessionCoverage_Begin(Provider *provider, RpError *error) {
    PeFile files[ABI_MODULE_COUNT];
    uint32_t bytes[ABI_MODULE_COUNT];
    RpStatus status = Provider_LoadFiles(provider->directory, files, error);
    if (status)
        return status;
    for (int i = 0; i < ABI_MODULE_COUNT && !status; i++) {
        bytes[i] = files[i].image_size;
        if (bytes[i] > COVERAGE_MOST_BYTES) {
            char expected[48], found[48];
            snprintf(expected, sizeof expected, "at most %u bytes", COVERAGE_MOST_BYTES);
            snprintf(found, sizeof found, "%u bytes", (unsigned)bytes[i]);
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                 "the image is too large for coverage",
                                 AbiModule_File((AbiModule)i), expected, found);
        }
    }
    if (!status)
        status = ReachedRecord_Create(bytes, &provider->reached, error);
    Provider_CloseFiles(files);
    return status;
}

RpStatus SessionCoverage_Add(const Provider *provider, const char *name, Coverage *coverage,
                             RpError *error) {
    PeFile files[ABI_MODULE_COUNT];
    bool is_ours[ABI_MODULE_COUNT];
    if (!provider->reached)
        return RP_OK;
    const ReachedFile *file = ReachedRecord_Whole(provider->reached);
    if (!file)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "what a host has reached is lost",
                           provider->directory, "the file of each host", "");
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        is_ours[i] =
            provider->files[i] == PROVIDER_STANDIN || provider->files[i] == PROVIDER_REPLACEMENT;
    RpStatus status = Provider_LoadFiles(provider->directory, files, error);
    if (status)
        return status;
    status = ReachedBlocks_Add(coverage, name, file, files, is_ours, error);
    Provider_CloseFiles(files);
    return status;
}
