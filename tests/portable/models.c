/* Prints the digests of models alone (tests/golden/models.h), for builds without the harness:
 *
 *   portable_models [STEP]
 *
 * With STEP, only every STEPth model is used, for machines that are emulated. */
#include "tests/golden/models.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const unsigned long step = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    if (argc > 2 || step < 1 || step > 1000) {
        fprintf(stderr, "usage: portable_models [STEP]\n");
        return 2;
    }
    GoldenModels_Print((uint32_t)step);
    return 0;
}
