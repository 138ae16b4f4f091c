/* Reads profiles of any text. The result is an error that changes nothing, or choices that exist
 * and survive being written and read again. */
#include "dll/settings/settings.h"
#include "exports/reading_table.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void CheckChoices(const RpReadings *readings) {
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        unsigned alternatives = 1;
        for (const char *c = RpReadings_Choices(h); *c; c++)
            alternatives += *c == '|';
        Insist(readings->choice[h] < alternatives);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const RpReadings defaults;
    RpReadings parsed = defaults, again = defaults;
    char list[4096];
    if (Profile_Parse((const char *)bytes, size, RP_READS_RUNTIME, &parsed, NULL, NULL)) {
        Insist(memcmp(&parsed, &defaults, sizeof parsed) == 0);
        return 0;
    }
    CheckChoices(&parsed);
    RpReadings_Format(&parsed, RP_READS_RUNTIME, list, sizeof list);
    if (Profile_Parse(list, strlen(list), RP_READS_RUNTIME, &again, NULL, NULL) ||
        memcmp(&parsed, &again, sizeof parsed) != 0)
        abort();
    return 0;
}
