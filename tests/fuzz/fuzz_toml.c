/* Reads settings of any text. The result is an error with its line, or values that are in bounds.
 */
#include "core/text/toml.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static RpStatus Check(void *context, const TomlItem *item, RpError *error) {
    uint32_t *line = context;
    (void)error;
    if (item->line <= *line || strlen(item->table) >= TOML_NAME_BYTES ||
        strlen(item->name) >= TOML_NAME_BYTES || strlen(item->text) >= TOML_STRING_BYTES)
        abort();
    *line = item->line;
    return RP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    uint32_t line = 0;
    RpError error = {.status = RP_OK};
    const RpStatus status = Toml_Read((const char *)bytes, size, Check, &line, &error);
    if (status && (status != RP_INVALID || strncmp(error.where, "line ", 5) != 0))
        abort();
    return 0;
}
