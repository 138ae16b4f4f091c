/* This is the program of one subject of cli/bench/measure/, which BENCH_SUBJECT names:
 *
 *   bench_NAME [--json] [NUMBER] */
#include "cli/bench/measure/benches.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const Bench *bench = &BENCH_SUBJECT;
    char program[64];
    snprintf(program, sizeof program, "bench_%s", bench->name);
    BenchTable table = BenchTable_Begin(program, &argc, argv);
    const bool given = argc > 1 && bench->number_is;
    const long number = given ? strtol(argv[1], NULL, 10) : bench->number;
    if (bench->number_is && (number < bench->least || number > bench->most)) {
        fprintf(stderr, "usage: %s [%s]\n", program, bench->number_is);
        return 2;
    }
    const bool measured = bench->run(&table, number, given);
    BenchTable_End(&table);
    return measured ? 0 : 2;
}
