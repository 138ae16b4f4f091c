/* Parses any text in the selection language. The result is an error or a selection, never a
 * crash. */
#include "fuzz.h"
#include "tracefile/select.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Selection *selection;
    RpError error;
    HEAP char *text = malloc(size + 1);
    if (!text || memchr(data, '@', size)) /* terms that name files are left out */
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (Selection_Parse(text, &selection, &error) == RP_OK) {
        Insist(selection);
        for (size_t i = 0; i < abi_function_count; i++)
            if (Selection_HasCall(selection, &abi_functions[i], i) &&
                !Selection_HasFunction(selection, &abi_functions[i]))
                abort();
        Selection_Free(selection);
    }
    return 0;
}
