/* Reads a retropose.ini of any bytes. The result is complaints or settings, never a crash, and
 * every setting is a text. */
#include "dll/settings/settings.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void Count(void *context, unsigned line, const RpError *error) {
    const size_t *size = context;
    if (line == 0 || line > *size + 1 || !error->what[0])
        abort();
}

static void CheckText(const char *text, size_t size) {
    Insist(memchr(text, 0, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static LiveSettings settings;
    HEAP char *text = (char *)Fuzz_Copy(data, size);
    Settings_Init(&settings);
    Settings_Parse(&settings, text, size, Count, &size);
    CheckText(settings.log, sizeof settings.log);
    CheckText(settings.record_functions, sizeof settings.record_functions);
    if (settings.rule_count > SETTINGS_MAX_RULES || settings.shadow_sample == 0)
        abort();
    for (size_t i = 0; i < settings.rule_count; i++)
        CheckText(settings.rules[i].glob, sizeof settings.rules[i].glob);
    for (size_t i = 0; i < abi_function_count; i += 16) {
        Settings_ModeOf(&settings, &abi_functions[i]);
        Settings_Records(&settings, &abi_functions[i]);
    }
    return 0;
}
