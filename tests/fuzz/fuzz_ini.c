/* Changes modes in a retropose.ini of any bytes. The mode is then what was asked for, and every
 * other line is where it was. */
#include "dll/settings/ini.h"
#include "dll/settings/settings.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static LiveSettings settings;

static void Set(const char *ini, size_t size, const char *mode, RpBuffer *text) {
    RpError error;
    RpBuffer_Init(text, NULL);
    if (Ini_SetMode(ini, size, "ngi32.slot17", mode, text, &error))
        abort();
    Settings_Init(&settings);
    Settings_Parse(&settings, (const char *)text->bytes, text->size, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    OWNED(RpBuffer) set, again, removed;
    HEAP char *ini = (char *)Fuzz_Copy(data, size);
    const bool text = size < 2 || (data[0] < 0xFE && data[1] < 0xFE); /* not UTF-16 */
    Set(ini, size, "shadow", &set);
    if (text && settings.rule_count < SETTINGS_MAX_RULES &&
        Settings_ModeOf(&settings, Abi_Find("ngi32.slot17")) != LIVE_SHADOW)
        abort();
    /* a second time there is nothing to do */
    Set((const char *)set.bytes, set.size, "shadow", &again);
    if (set.size != again.size || memcmp(set.bytes, again.bytes, set.size) != 0)
        abort();
    Set(ini, size, NULL, &removed);
    for (size_t i = 0; i < settings.rule_count; i++)
        Insist(strcmp(settings.rules[i].glob, "ngi32.slot17") != 0);
    return 0;
}
