#include "machine/processor/profile.h"
#include "ngi32/processor/in_software.h"
#include "replay/process/wine.h"
#include "replay/provider/provider.h"

#include <string.h>

static const char *const names[] = {"auto", "machine", "interpreter", "wine", "windows"};

ProviderEngine ProviderEngine_Choose(ProviderEngine asked) {
    if (asked != PROVIDER_ENGINE_AUTO)
        return asked;
#ifdef _WIN32
    return PROVIDER_ENGINE_WINDOWS;
#else
    /* Where the processor has no x87, an emulator runs the programs that Wine runs, and nobody
     * knows what bits its arithmetic gives. */
    return MACHINE_HAS_X87 && Wine_IsUsable() ? PROVIDER_ENGINE_WINE : PROVIDER_ENGINE_MACHINE;
#endif
}

const char *ProviderEngine_Name(ProviderEngine engine) {
    return names[engine];
}

bool ProviderEngine_Named(const char *word, ProviderEngine *engine, const char **processor) {
    const size_t length = strcspn(word, ":");
    const MachineProfile *profile = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(word, names[i], length) == 0) {
            *engine = (ProviderEngine)i;
            if (word[length]) {
                if (!ProviderEngine_IsMachine(*engine) ||
                    !(profile = MachineProfile_Find(word + length + 1)))
                    return false;
            }
            *processor = profile ? profile->name : NULL;
            return true;
        }
    return false;
}

bool ProviderEngine_IsMachine(ProviderEngine engine) {
    return engine == PROVIDER_ENGINE_MACHINE || engine == PROVIDER_ENGINE_INTERPRETER;
}

const char *ProviderEngine_Host(ProviderEngine engine) {
    engine = ProviderEngine_Choose(engine);
    return ProviderEngine_IsMachine(engine) ? "retropose-host" : "retropose-host.exe";
}
