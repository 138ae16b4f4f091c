#include "game/next.h"

#include "game/game_folder.h"

static bool HasProfile(const GameFolder *folder) {
    RpBuffer bytes;
    RpError error;
    RpBuffer_Init(&bytes, NULL);
    const RpStatus status = GameFolder_Read(folder, folder->settings.profile, &bytes, &error);
    RpBuffer_Free(&bytes);
    return status != RP_NOT_FOUND;
}

RpStatus GameNext_Find(const char *path, GameNext *next, RpError *error) {
    GameFolder folder;
    *next = (GameNext){.step = GAME_STEP_DOCTOR};
    const RpStatus status = GameFolder_Open(path, NULL, &folder, error);
    if (!status) {
        const Overlay *overlay = folder.overlay_status ? NULL : &folder.overlay;
        for (size_t i = 0; i < abi_function_count; i++) {
            const AbiFunction *function = &abi_functions[i];
            LiveReason reason;
            if (!GameFolder_HasMode(function) || !folder.modules[function->module].hosted)
                continue;
            next->functions++;
            next->verified +=
                Settings_IsVerified(overlay, &folder.modules[function->module], function, &reason);
        }

        /* Whether `retropose probe` has left something for these files. It may not find out
         * everything, so that some function without a call does not mean that it has not run. */
        bool probed = false;
        for (size_t i = 0; overlay && !probed && i < overlay->function_count; i++) {
            const OverlayFunction *row = &overlay->functions[i];
            const AbiModule module = row->function->module;
            probed = row->has_call && Overlay_IsFor(overlay, module, folder.modules[module].sha256);
        }
        if (next->verified < next->functions && !probed)
            next->step = GAME_STEP_PROBE;
        else if (next->functions > 0 && !HasProfile(&folder))
            next->step = GAME_STEP_CALIBRATE;
        else if (folder.state != INSTALL_WHOLE)
            next->step = GAME_STEP_INSTALL;
    }
    GameFolder_Close(&folder);
    return status;
}
