#include "game/game_folder.h"

#include <string.h>

static void AddComplaint(void *context, unsigned line, const RpError *error) {
    RpBuffer *complaints = context;
    char text[800];
    RpError_Format(error, text, sizeof text);
    if (line > 0)
        RpBuffer_Print(complaints, "%s, line %u is ignored: %s\n", SETTINGS_FILE, line, text);
    else
        RpBuffer_Print(complaints, "a variable of the environment is ignored: %s\n", text);
}

RpStatus GameFolder_Read(const GameFolder *folder, const char *name, RpBuffer *bytes,
                         RpError *error) {
    char path[FILES_PATH_BYTES];
    const char *found = InstallFolder_Find(&folder->files, name); /* spelt as in the folder */
    const bool absolute = name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':');
    if (!name[0])
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no file is named", "", "", "");
    if (absolute)
        return folder->files.ops->read(folder->files.ops->context, name, bytes, error);
    if (!Files_Join(folder->files.path, found ? found : name, path))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", name, "", "");
    return folder->files.ops->read(folder->files.ops->context, path, bytes, error);
}

RpStatus GameFolder_Open(const char *path, SettingsGetter getter, GameFolder *folder,
                         RpError *error) {
    memset(folder, 0, sizeof *folder);
    Overlay_Init(&folder->overlay, NULL);
    folder->overlay_status = RP_NOT_FOUND;
    Settings_Init(&folder->settings);
    const RpStatus status = InstallFolder_Open(&FileOps_System, path, &folder->files, error);
    if (status)
        return status;
    folder->state = InstallFolder_State(&folder->files, &folder->blocked);

    /* After an installation, the file that is hosted has its other name (NAME.retail.dll); before
     * it, it has its own name. */
    const InstallFound *files = folder->files.files;
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallFound *dll = &files[INSTALL_DLL + i], *retail = &files[INSTALL_RETAIL + i];
        const bool would = !retail->present && dll->present && !InstallFound_IsOurs(dll);
        const InstallFound *original = would ? dll : retail;
        folder->modules[i].hosted = original->present;
        memcpy(folder->modules[i].sha256, original->sha256, sizeof original->sha256);
        folder->would = folder->would || would;
    }

    /* Settings_Environment gives the same context to both callbacks. The getter does not use it. */
    const InstallFound *ini = &files[INSTALL_TEXT + INSTALL_INI];
    if (ini->present)
        Settings_Parse(&folder->settings, (const char *)ini->bytes.bytes, ini->bytes.size,
                       AddComplaint, &folder->complaints);
    if (getter)
        Settings_Environment(&folder->settings, getter, AddComplaint, &folder->complaints);

    /* The settings name the overlay. */
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    folder->overlay_status =
        GameFolder_Read(folder, folder->settings.overlay, &text, &folder->overlay_error);
    if (!folder->overlay_status)
        folder->overlay_status = Overlay_Parse((const char *)text.bytes, text.size, NULL,
                                               &folder->overlay, &folder->overlay_error);
    RpBuffer_Free(&text);
    return folder->complaints.failed ? RpMemory_Refused(error, path) : RP_OK;
}

RpStatus GameFolder_OpenGame(const char *path, GameFolder *folder, RpError *error) {
    const RpStatus status = GameFolder_Open(path, NULL, folder, error);
    for (int i = 0; !status && i < ABI_MODULE_COUNT; i++)
        if (!folder->files.files[INSTALL_DLL + i].present &&
            !folder->files.files[INSTALL_RETAIL + i].present)
            return InstallFolder_Missing(&folder->files, (AbiModule)i, error);
    return status;
}

void GameFolder_Close(GameFolder *folder) {
    if (!folder->overlay_status)
        Overlay_Free(&folder->overlay);
    RpBuffer_Free(&folder->complaints);
    InstallFolder_Close(&folder->files);
}

LiveDecision GameFolder_Decide(const GameFolder *folder, const AbiFunction *function) {
    return Settings_Decide(&folder->settings, folder->overlay_status ? NULL : &folder->overlay,
                           folder->modules, function);
}

bool GameFolder_HasMode(const AbiFunction *function) {
    return function->kind != ABI_OWN_EXPORT && function->provider != ABI_ABSENT;
}
