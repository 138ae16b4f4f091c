/* Tests the names that Windows takes for devices, in every folder. */
#include "core/text/windows_names.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const devices[] = {
    "CON",  "con",  "PRN",  "aux",  "Nul",         "CONIN$",      "conout$",     "COM0",
    "com1", "COM9", "LPT0", "lpt5", "COM\xC2\xB9", "lpt\xC2\xB2", "COM\xC2\xB3", "COM\xB9"};

TEST(DevicesAreReservedWhateverFollows) {
    static const char *const tails[] = {"",  ".txt", " .txt", "   ", "  .a.b",
                                        ".", "..",   ". ",    ":x",  " :x"};
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", devices[i], tails[k]);
            assert_true(WindowsName_IsReserved(name));
        }
}

TEST(NamesThatOnlyBeginAlikeAreNot) {
    static const char *const names[] = {
        "",      " ",    ".",       ".con",    "CONE",         "CONIN",        "CONOUT",
        "NULL",  "COM",  "LPT",     "COM10",   "COMA",         "LPT-1",        "_NUL",
        "x.nul", "con_", "CON\xB9", "COM\xC2", "COM\xB9 \xB9", "auxiliary.msh"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(WindowsName_IsReserved(names[i]));
}
