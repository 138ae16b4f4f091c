#include "retropose/sequencer.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} quirks[] = {
    {"boundary",
     "the frame a node ends on keeps its hooks to itself, and position frame `low` counts "
     "twice; else each frame once, hooks and all"},
    {"done-by-head",
     "AnimDone is told by the list's head, so cycles that end in the same update tell "
     "it too; else for links alone"},
    {"cycle-tail", "of a cycle with several animations the last repeats; else all of it"},
    {"unsigned-low", "a low of -1 is the last frame; else the first"},
    {"frozen-cycle", "a cycle slowed to 0 stays at rest; else it takes up its frame rate again"},
    {"remodify-head", "of several modifiers one is applied once for each; else each once"},
    {"one-redundant",
     "a new motion ends the wait of older ones only through the queue's last entry; "
     "else through earlier ones as well"},
    {"type4", "an AnimationDone hook in a file does nothing; else it is a hook"},
};

const char *RpAcQuirk_Name(uint32_t bit) {
    return bit < sizeof quirks / sizeof *quirks ? quirks[bit].name : NULL;
}

const char *RpAcQuirk_Describe(uint32_t bit) {
    return bit < sizeof quirks / sizeof *quirks ? quirks[bit].text : NULL;
}

static bool Is(const char *word, size_t length, const char *name) {
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

RpStatus RpAcQuirks_Parse(const char *text, uint32_t *result, RpError *error) {
    uint32_t kept = RP_AC_QUIRKS;
    for (const char *word = text; *word;) {
        const size_t length = strcspn(word, ",");

        uint32_t quirk = 0;
        for (unsigned bit = 0; bit < sizeof quirks / sizeof *quirks; bit++)
            if (strlen(quirks[bit].name) == length && memcmp(quirks[bit].name, word, length) == 0) {
                quirk = 1u << bit;
                break;
            }

        char found[64];
        snprintf(found, sizeof found, "%.*s", (int)(length < 60 ? length : 60), word);
        if (Is(word, length, "none"))
            kept = 0;
        else if (Is(word, length, "all"))
            kept = RP_AC_QUIRKS;
        else if (quirk)
            kept &= ~quirk;
        else
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown quirk", "",
                               "boundary, done-by-head, cycle-tail, unsigned-low, frozen-cycle, "
                               "remodify-head, one-redundant, type4, all or none",
                               found);
        word += length + (word[length] == ',');
    }
    *result = kept;
    return RP_OK;
}
