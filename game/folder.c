#include "game/folder.h"

#include <string.h>

/* ---- what is hosted -------------------------------------------------------------------------- */

static void FindModule(GameFolder *folder, AbiModule module) {
    const InstallFound *dll = &folder->files.files[INSTALL_DLL + (int)module];
    const InstallFound *retail = &folder->files.files[INSTALL_RETAIL + (int)module];
    const bool would = !retail->present && dll->present && !InstallFound_IsOurs(dll);
    const InstallFound *original = would ? dll : retail;
    folder->modules[module].hosted = original->present;
    memcpy(folder->modules[module].sha256, original->sha256, sizeof original->sha256);
    folder->would = folder->would || would;
}

/* ---- settings and overlay -------------------------------------------------------------------- */

static void AddComplaint(void *context, unsigned line, const RpError *error) {
    RpBuffer *complaints = context;
    char text[800];
    RpError_Format(error, text, sizeof text);
    if (line > 0)
        RpBuffer_Print(complaints, "%s, line %u is ignored: %s\n", SETTINGS_FILE, line, text);
    else
        RpBuffer_Print(complaints, "a variable of the environment is ignored: %s\n", text);
}

/* Both callbacks of Settings_Environment get the same context; the getter does not use it. */
static void ReadSettings(GameFolder *folder, SettingsGetter getter) {
    const InstallFound *ini = &folder->files.files[INSTALL_TEXT + INSTALL_INI];
    Settings_Init(&folder->settings);
    if (ini->present)
        Settings_Parse(&folder->settings, (const char *)ini->bytes.bytes, ini->bytes.size,
                       AddComplaint, &folder->complaints);
    if (getter)
        Settings_Environment(&folder->settings, getter, AddComplaint, &folder->complaints);
}

static bool IsAbsolute(const char *path) {
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

RpStatus GameFolder_Read(const GameFolder *folder, const char *name, RpBuffer *bytes,
                         RpError *error) {
    char path[FILES_PATH_BYTES];
    const char *found = InstallFolder_Find(&folder->files, name); /* in the folder's spelling */
    if (!name[0])
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no file is named", "", "", "");
    if (IsAbsolute(name))
        return folder->files.ops->read(folder->files.ops->context, name, bytes, error);
    if (!Files_Join(folder->files.path, found ? found : name, path))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", name, "", "");
    return folder->files.ops->read(folder->files.ops->context, path, bytes, error);
}

static void ReadOverlay(GameFolder *folder) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpError *error = &folder->overlay_error;
    folder->overlay_status = GameFolder_Read(folder, folder->settings.overlay, &text, error);
    if (!folder->overlay_status)
        folder->overlay_status =
            Overlay_Parse((const char *)text.bytes, text.size, NULL, &folder->overlay, error);
    RpBuffer_Free(&text);
}

/* ---- the folder ------------------------------------------------------------------------------ */

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
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        FindModule(folder, (AbiModule)i);
    ReadSettings(folder, getter);
    ReadOverlay(folder);
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
    return function->module < ABI_MODULE_COUNT && function->kind != ABI_OWN_EXPORT &&
           function->provider != ABI_ABSENT;
}
