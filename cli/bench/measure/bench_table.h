/* The table that every bench prints, as CSV or, with --json, as JSON. A line is one operation done
 * in one way:
 *
 *   operation,number,by,unit,median,tenth,ninetieth,repetitions,first_over_it
 *
 * `number` says how large the operation is: objects, keys, triangles, entries or bytes, as the head
 * of the bench's source says. A tenth of the repetitions were faster than `tenth`, and a tenth
 * slower than `ninetieth`. `first_over_it` is the median of the operation's first way over this
 * one's: how many times as fast this way is. */
#ifndef RETROPOSE_CLI_BENCH_MEASURE_BENCH_TABLE_H
#define RETROPOSE_CLI_BENCH_MEASURE_BENCH_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* One way of doing an operation, and the nanoseconds that it took each time. */
typedef struct BenchWay {
    const char *name;
    double *times; /* will be sorted */
    int count;
} BenchWay;

/* Receives the measurements that would otherwise be printed. */
typedef struct BenchReader {
    /* Says whether an operation of this size is wanted. */
    bool (*wants)(void *context, const char *operation, uint64_t number);
    /* Receives all ways of an operation, with their times sorted. It does not receive amounts,
     * which are not times. */
    void (*ways)(void *context, const char *operation, uint64_t number, const BenchWay *ways,
                 int count);
    void *context;
    int most_runs; /* most repetitions of a way; 0 leaves the number to the bench */
} BenchReader;

typedef struct BenchTable {
    bool json;
    uint32_t lines;
    const BenchReader *reader; /* null: what is measured is printed */
} BenchTable;

/* Takes --json out of the arguments and prints the head. */
BenchTable BenchTable_Begin(const char *program, int *argument_count, char **arguments);
/* Begins a table whose measurements a reader receives. */
BenchTable BenchTable_For(const BenchReader *reader);
/* Returns whether an operation is to be measured. `number` may be 0 if the size is not known before
 * the operation is prepared. */
bool BenchTable_Wants(const BenchTable *table, const char *operation, uint64_t number);
/* Returns how often to repeat what the bench itself would repeat `usual` times. */
int BenchTable_Runs(const BenchTable *table, int usual);
void BenchTable_Ways(BenchTable *table, const char *operation, uint64_t number, BenchWay *ways,
                     int count);
/* Adds a line with an amount that is not a time, such as bytes of memory. */
void BenchTable_Amount(BenchTable *table, const char *operation, uint64_t number, const char *by,
                       const char *unit, double amount);
void BenchTable_End(const BenchTable *table);

#endif
