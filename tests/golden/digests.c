/* Prints digests of everything the library computes. tests/golden/run compares what every build
 * prints, on every machine, with the kept digests (digests.txt).
 *
 *   digests [SECTION...]
 *
 * Without a SECTION it prints all that this build has, and names in a comment what it leaves out.
 * A line has the section, the function, the dependence, the number of calls and the FNV-1a of the
 * outputs. The dependence says what another processor may change: nothing for `exact`, the results
 * of fsin, fcos and fpatan for `transcendental`. The estimates are Intel's on every processor. */
#include "sections.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void FewObjects(const char *section) {
    Objects_Print(section, 200);
}

static void ManyObjects(const char *section) {
    Objects_Print(section, 3000);
}

#ifdef DIGESTS_HAVE_MODELS /* where there is JSON */
static void FewModels(const char *section) {
    Models_Print(section, 8);
    Spheres_Print(section);
}

static void AllModels(const char *section) {
    Models_Print(section, 1);
}
#else
#define FewModels NULL
#define AllModels NULL
#endif

#ifndef DIGESTS_HAVE_SCENARIOS /* where there is the harness, and an x87 in hardware */
#define Scenarios_Print NULL
#endif

/* The last three take too long for a machine that is emulated. */
static const struct Section {
    const char *name;
    void (*print)(const char *name); /* null where this build does not have the section */
} sections[] = {
    {"slots", Slots_Print},    {"poses", Poses_Print},        {"queries", Queries_Print},
    {"objects", FewObjects},   {"siblings", Siblings_Print},  {"models", FewModels},
    {"all-models", AllModels}, {"many-objects", ManyObjects}, {"scenarios", Scenarios_Print}};
enum { SECTIONS = sizeof sections / sizeof *sections };

int main(int argc, char **argv) {
    for (int i = 0; i < SECTIONS && argc == 1; i++) {
        if (sections[i].print)
            sections[i].print(sections[i].name);
        else
            printf("# left out: %s\n", sections[i].name);
    }
    for (int k = 1; k < argc; k++) {
        int i = 0;
        while (i < SECTIONS && strcmp(argv[k], sections[i].name) != 0)
            i++;
        if (i == SECTIONS || !sections[i].print) {
            fprintf(stderr, "digests: this build has no section %s\n", argv[k]);
            return 2;
        }
        sections[i].print(sections[i].name);
    }
    return 0;
}
