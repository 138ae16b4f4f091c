/* Prints the digests of models alone, for builds without the harness:
 *
 *   golden_models [STEP]    of every STEPth model, for machines that are emulated */
#include "models.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const long step = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    if (argc > 2 || step < 1) {
        fprintf(stderr, "usage: golden_models [STEP]\n");
        return 2;
    }
    GoldenModels_Print((uint32_t)step);
    return 0;
}
