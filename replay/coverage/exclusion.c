#include "replay/coverage/exclusion.h"

#include <string.h>

/* A row needs a reason why the calls cannot reach the code, or why it would say nothing about an
 * original if they did. That nobody has tried is none. */
const CoverageExclusion coverage_exclusions[] = {
    /* Of our DLLs. */
    {"the log",
     "it is written when a file or a call is wrong, and what it says is no result",
     {"log.c", "diagnose.c"}},
    {"modes of the library's callers",
     "in our DLLs the thread's own control word and MXCSR are in force",
     {"scope.c"}},
    {"estimates of other makers",
     "our DLLs run the instructions; only callers of the library name another maker",
     {"estimates.c"}},
    /* Of the stand-in. */
    {"a mailslot", "the machine has none", {"write_mailslot"}},
    {"a blend of which neither side counts",
     "what the original does then is undefined, so no scenario asks for it",
     {"blend_neither", "blend_sampled"}},
    {"an object without a part or a piece",
     "every object of the scenarios has one",
     {"bounds_counted", "animesh_IAnimation_32_body"}},
    {"a model without an entry of type 19",
     "every model of the scenarios has one",
     {"animesh_LoadReader"}},
    {"a piece without a reader", "every piece of the scenarios has one", {"node_flags"}},
};
const uint32_t coverage_exclusion_count = sizeof coverage_exclusions / sizeof *coverage_exclusions;

uint32_t CoverageExclusion_Of(const char *function, const char *source) {
    for (uint32_t row = 0; row < coverage_exclusion_count; row++) {
        const char *const *places = coverage_exclusions[row].places;
        for (int i = 0; i < 4 && places[i]; i++)
            if (strcmp(places[i], function) == 0 || strcmp(places[i], source) == 0)
                return row + 1;
    }
    return 0;
}
