/* Declares what `retropose bench` prints and writes. */
#ifndef RETROPOSE_CLI_BENCH_BENCH_REPORT_H
#define RETROPOSE_CLI_BENCH_BENCH_REPORT_H

#include "cli/bench/measure/bench_table.h"
#include "cli/cli.h"
#include "retropose/memory.h"

struct cJSON;

/* Something that can be measured, under a name for users. */
typedef struct BenchSubject {
    const char *name;
    const char *what;          /* a description in one line */
    const struct Bench *bench; /* the bench that measures it */
    const char *operation;     /* its name in the bench */
    uint64_t number;           /* its size in the bench; 0: any */
    const char *first;         /* the way that ratios compare with, if its name differs */
    int most_ways;             /* how many of the bench's ways are shown; 0: all */
} BenchSubject;

typedef struct BenchReport {
    const Cli *cli;
    bool quick;
    bool silent;          /* nothing else is printed, because the JSON goes to standard output */
    unsigned ways, noisy; /* how many were measured, and how many of them vary too much */
    struct cJSON *rows;   /* null where no JSON is wanted */
} BenchReport;

/* A way is too noisy if the fastest or the slowest tenth of its runs differ from its median by more
 * than about this part of it. */
#define BENCH_NOISE 0.1

/* BenchReport_Begin prints the head, BenchReport_Ways the ways of one subject. The times are
 * sorted. Ratios compare with the first way. */
void BenchReport_Begin(const BenchReport *report);
void BenchReport_Ways(BenchReport *report, const BenchSubject *subject, const BenchWay *ways,
                      int count);
/* Says whether the machine was quiet enough to believe the numbers. */
void BenchReport_End(const BenchReport *report);
/* Appends all of it as JSON, and frees the rows. */
RpStatus BenchReport_Json(BenchReport *report, RpBuffer *json, RpError *error);

#endif
