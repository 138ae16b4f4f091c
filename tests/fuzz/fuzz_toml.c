/* Reads settings of any text. The result is an error with its line, or values that are in bounds
 * and whose strings come back when they are written and read again. */
#include "core/text/toml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void Require(bool holds) {
    if (!holds)
        abort();
}

static RpStatus IsSame(void *context, const TomlItem *item, RpError *error) {
    (void)error;
    Require(item->type == TOML_STRING && item->line == 1 && strcmp(item->text, context) == 0);
    return RP_OK;
}

static RpStatus Check(void *context, const TomlItem *item, RpError *error) {
    uint32_t *line = context;
    Require(item->line > *line && strlen(item->table) < TOML_NAME_BYTES &&
            strlen(item->name) < TOML_NAME_BYTES && strlen(item->text) < TOML_STRING_BYTES);
    *line = item->line;
    if (item->type == TOML_STRING) {
        static char again[8 + 6 * TOML_STRING_BYTES];
        const int before = snprintf(again, sizeof again, "a = ");
        Toml_Quote(item->text, again + before, sizeof again - (size_t)before);
        Require(Toml_Read(again, strlen(again), IsSame, (char *)(uintptr_t)item->text, error) ==
                RP_OK);
    }
    return RP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    uint32_t line = 0;
    RpError error = {.status = RP_OK};
    const RpStatus status = Toml_Read((const char *)bytes, size, Check, &line, &error);
    Require(status == RP_OK || (status == RP_INVALID && strncmp(error.where, "line ", 5) == 0));
    return 0;
}
