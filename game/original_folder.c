#include "game/original_folder.h"

#include "game/install/install_folder.h"

bool OriginalFolder_IsInstalled(const char *path) {
    InstallFolder folder;
    /* it does not matter here if the manifest is bad */
    InstallFolder_Open(&FileOps_System, path, &folder, NULL);
    bool installed = true;
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        installed = installed && folder.files[INSTALL_RETAIL + i].present &&
                    InstallFound_IsOurs(&folder.files[INSTALL_DLL + i]);
    InstallFolder_Close(&folder);
    return installed;
}

static RpStatus CopyFound(const InstallFound *found, const char *copy, const char *name,
                          RpError *error) {
    char path[FILES_PATH_BYTES];
    if (!found->present)
        return RP_OK;
    if (!Files_Join(copy, name, path))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", copy, "", "");
    return Files_Create(&FileOps_System, path, found->bytes.bytes, found->bytes.size, error);
}

RpStatus OriginalFolder_Copy(const char *path, const char *copy, RpError *error) {
    InstallFolder folder;
    RpStatus status = RP_OK;
    InstallFolder_Open(&FileOps_System, path, &folder, NULL);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        status =
            CopyFound(&folder.files[INSTALL_RETAIL + i], copy, AbiModule_File((AbiModule)i), error);
    if (!status)
        status = CopyFound(&folder.files[INSTALL_TEXT + INSTALL_OVERLAY], copy,
                           InstallText_File(INSTALL_OVERLAY), error);
    InstallFolder_Close(&folder);
    return status;
}

static void RemoveFrom(const char *copy, const char *name) {
    char path[FILES_PATH_BYTES];
    if (Files_Join(copy, name, path))
        FileOps_System.remove(NULL, path, NULL);
}

void OriginalFolder_Empty(const char *copy) {
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        RemoveFrom(copy, AbiModule_File((AbiModule)i));
    RemoveFrom(copy, InstallText_File(INSTALL_OVERLAY));
}
