#include "dll/host.h"

#include "dll/base/log.h"
#include "dll/base/unicode.h"
#include "dll/configuration.h"
#include "dll/gate.h"
#include "dll/gate_modes.h"
#include "dll/original.h"
#include "dll/watch.h"
#include "exports/published.h"

#include <string.h>

static struct Host {
    HINSTANCE instance;
    AbiModule module;
    wchar_t folder[FOLDER_PATH_CHARS]; /* empty if the path is too long to be used */
    bool has_settings_file, is_observing;
    LiveSettings settings, changed; /* `changed` is where the watcher reads into */
    ConfigurationStamp stamp;       /* stamp of the file that `settings` is from, or an older one */
    Overlay overlay;
    bool has_overlay;
    LiveOriginal original, other; /* `other` is that of the other DLL, and is only examined */
    Modes modes;
} host;

/* ---- settings -------------------------------------------------------------------------------- */

static bool HasOriginal(void) {
    wchar_t path[FOLDER_PATH_CHARS];
    return Folder_Path(host.folder, Original_Name(host.module), path) &&
           GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

void Host_Open(HINSTANCE instance, AbiModule module) {
    host.instance = instance;
    host.module = module;
    if (!Folder_Of(instance, host.folder)) {
        host.folder[0] = 0;
        Settings_Init(&host.settings);
        return;
    }
    host.has_settings_file = Configuration_Read(host.folder, &host.settings, false);
    if (host.has_settings_file || HasOriginal()) {
        /* If there is neither a settings file nor an original, a log is written only if the
         * environment names one. */
        wchar_t path[FOLDER_PATH_CHARS];
        if (host.settings.log[0] && Folder_Path(host.folder, host.settings.log, path))
            Log_OpenFile(path);
    }
}

void Host_Readings(RpReadings *readings) {
    Configuration_Readings(host.folder, &host.settings, readings);
}

/* Returns whether this DLL logs messages that would be the same from both of them. */
static bool IsLoud(void) {
    return host.module == ABI_NGI32 || !live_observer;
}

/* ---- originals ------------------------------------------------------------------------------- */

static void FillGates(void) {
    if (!host.original.module) {
        Original_FillStubs(host.instance);
        if (!host.original.present)
            Log_Write("no %s here: ours serve", Original_Name(host.module));
        return;
    }
    Log_Write("hosting %s, SHA-256 %s: %s", Original_Name(host.module), host.original.file.sha256,
              host.has_overlay &&
                      Overlay_IsFor(&host.overlay, host.original.of, host.original.file.sha256)
                  ? "the overlay is for this file"
              : Published_Is(host.original.of, host.original.file.sha256)
                  ? "the published version"
                  : "unknown version: nothing of it is overridden");
    Original_FillGates(&host.original, host.instance);
    if (host.has_overlay)
        Original_Redirect(&host.original, &host.overlay);
}

/* ---- calls that leave this DLL --------------------------------------------------------------- */

static void AdaptSlots(HMODULE ngi32) {
    const void *const *table =
        ngi32 ? (const void *)(uintptr_t)GetProcAddress(ngi32, "g_FastProc") : NULL;
    for (uint32_t i = live_gate_count - live_outgoing_count; table && i < live_gate_count; i++) {
        LiveGate *gate = &live_gates[i];
        gate->original.code = table[gate->slot];
        gate->plan = 0;
        /* Our Ngi32.dll knows how its own gates are called. */
        OverlayCall *call = &gate->original.call;
        const bool known =
            live_observer ? live_observer->slot_call((uint32_t)gate->slot, call)
                          : host.has_overlay &&
                                Overlay_IsFor(&host.overlay, ABI_NGI32, host.other.file.sha256) &&
                                Overlay_CallOf(&host.overlay, gate->function, call, NULL) == RP_OK;
        if (!known)
            *call = gate->incoming;
    }
}

const void *Host_SlotAdapter(uint32_t slot) {
    const LiveGate *gate = Gates_FindSlot(slot);
    bool adapted = gate && gate->callable && gate->original.code &&
                   !Live_IsSameCall(&gate->original.call, &gate->incoming);
    return adapted ? Gate_Entry(gate) : NULL;
}

/* ---- a running game -------------------------------------------------------------------------- */

/* Returns whether this DLL is Ngi32.dll, which has the observer. There is one observer in a
 * process. */
static bool IsObserver(void) {
    return host.module == ABI_NGI32 && live_observer;
}

static void OpenObserver(void) {
    ObserveIdentity identity = {0};
    for (int module = 0; module < ABI_MODULE_COUNT; module++) {
        const LiveModule *file = &host.modes.modules[module];
        identity.hosted[module] = file->hosted;
        memcpy(identity.sha256[module], file->sha256, sizeof identity.sha256[module]);
    }
    identity.standin[ABI_NGI32] = Original_IsStandin(&host.original);
    identity.standin[ABI_ANIMESH] = Original_IsStandin(&host.other);
    if (!identity.hosted[ABI_NGI32])
        Original_DigestOf(host.instance, identity.sha256[ABI_NGI32]);
    if (!identity.hosted[ABI_ANIMESH]) /* AniMesh.dll loads after Ngi32.dll, if at all */
        Original_DigestOfOurs(host.folder, ABI_ANIMESH, identity.sha256[ABI_ANIMESH]);
    Unicode_Narrow(host.folder, identity.folder, sizeof identity.folder);
    live_observer->open(&host.settings, &identity);
    host.is_observing = true;
}

/* Runs on the watcher's thread. If the file does not exist, nothing is changed: many editors save
 * by deleting the file and making a new one. */
static void TakeChange(void) {
    if (!Configuration_Read(host.folder, &host.changed, IsLoud()))
        return;
    memcpy(&host.settings, &host.changed, sizeof host.settings);
    Log_Write("%s has changed", CONFIGURATION_FILE);
    if (IsObserver())
        live_observer->change(&host.settings);
    if (Modes_Apply(&host.modes))
        Modes_Log();
}

bool Host_IsHosting(void) {
    return host.original.module != NULL;
}

void Host_Start(const LiveObserver *observer, HMODULE ngi32) {
    live_observer = observer;
    if (!host.folder[0])
        return;
    host.stamp = Configuration_Stamp(host.folder);
    Configuration_Read(host.folder, &host.settings, IsLoud());

    RpError error;
    char message[LOG_LINE_BYTES];
    RpStatus status = Configuration_ReadOverlay(host.folder, &host.settings, &host.overlay, &error);
    host.has_overlay = status == RP_OK;
    if (status != RP_OK && status != RP_NOT_FOUND && IsLoud()) {
        RpError_Format(&error, message, sizeof message);
        Log_Write("the overlay is ignored: %s", message);
    }

    if (!host.has_settings_file && !host.has_overlay && !HasOriginal() && !host.settings.record) {
        AdaptSlots(ngi32);
        Original_FillStubs(host.instance);
        return;
    }

    AbiModule other = host.module == ABI_NGI32 ? ABI_ANIMESH : ABI_NGI32;
    Original_Load(host.folder, host.module, &host.original);
    Original_Look(host.folder, other, &host.other);

    /* AniMesh.dll finds out which Ngi32.dll is used. If it is ours, it has tried to load its
     * original by now. If it is not, it is the original under its own name. */
    if (ngi32 && GetProcAddress(ngi32, "RetroposeInternal")) {
        host.other.file.hosted = GetModuleHandleA(Original_Name(ABI_NGI32)) != NULL;
    } else if (ngi32) {
        Original_DigestOf(ngi32, host.other.file.sha256);
        host.other.file.hosted = true;
        Log_Write(
            "the Ngi32.dll of this process is not ours: calls are neither recorded nor compared");
    }
    host.modes.modules[host.module] = host.original.file;
    host.modes.modules[other] = host.other.file;

    FillGates();
    host.modes.settings = &host.settings;
    host.modes.overlay = host.has_overlay ? &host.overlay : NULL;
    Modes_SetCalls(&host.modes);
    AdaptSlots(ngi32);

    /* This DLL stays loaded, because from here on other threads run its code. */
    HMODULE module;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const wchar_t *)(const void *)host.instance, &module);

    if (IsObserver())
        OpenObserver();
    Modes_Apply(&host.modes);
    Modes_Log();

    if (!host.settings.watch)
        return;
    if (!Watch_Start(host.folder, host.stamp, TakeChange))
        Log_Write("%s is not watched (system error %u)", CONFIGURATION_FILE,
                  (uint32_t)GetLastError());
}

/* If something observes, this DLL is pinned, so that it is unloaded only when the process ends. */
void Host_EndProcess(void) {
    if (host.is_observing)
        live_observer->end_process();
}
