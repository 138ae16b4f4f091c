#include "core/text/windows_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool EqualsInAnyCase(const char *text, const char *small, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)text[i]) != small[i])
            return false;
    return true;
}

bool WindowsName_IsReserved(const char *file) {
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    size_t length = strcspn(file, ".:");
    while (length > 0 && file[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (length == strlen(devices[i]) && EqualsInAnyCase(file, devices[i], length))
            return true;
    if (length <= 3 || (!EqualsInAnyCase(file, "com", 3) && !EqualsInAnyCase(file, "lpt", 3)))
        return false;

    /* These devices have a number of one digit: 0 to 9, or a superscript 1, 2 or 3 (as a byte of
     * Latin-1 or as UTF-8), which Windows takes for the digit. */
    static const char superscripts[] = "\xB9\xB2\xB3";
    const char *digit = file + 3;
    if (length == 5 && (unsigned char)*digit == 0xC2) {
        digit++;
        length--;
    }
    return length == 4 && *digit &&
           (isdigit((unsigned char)*digit) || strchr(superscripts, *digit) != NULL);
}
