/* The table that every bench prints, as CSV or, with --json, as JSON. A line is one operation done
 * in one way:
 *
 *   operation,number,by,unit,median,tenth,ninetieth,repetitions,first_over_it
 *
 * `number` says how large the operation is: objects, keys, triangles, entries or bytes, as the head
 * of the bench's source says. A tenth of the repetitions were faster than `tenth`, and a tenth
 * slower than `ninetieth`. `first_over_it` is the median of the operation's first way over this
 * one's: how many times as fast this way is. */
#ifndef RETROPOSE_BENCH_TABLE_H
#define RETROPOSE_BENCH_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BenchTable {
    bool json;
    uint32_t lines;
} BenchTable;

/* One way of doing an operation, and the nanoseconds that it took each time. */
typedef struct BenchWay {
    const char *name;
    double *times; /* will be sorted */
    int count;
} BenchWay;

/* Takes --json out of the arguments and prints the head. */
BenchTable BenchTable_Begin(const char *program, int *argument_count, char **arguments);
void BenchTable_Ways(BenchTable *table, const char *operation, uint64_t number, BenchWay *ways,
                     int count);
/* A line that is no time: bytes of memory, for example. */
void BenchTable_Amount(BenchTable *table, const char *operation, uint64_t number, const char *by,
                       const char *unit, double amount);
void BenchTable_End(const BenchTable *table);

#endif
