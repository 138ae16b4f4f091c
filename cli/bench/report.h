/* What `retropose bench` prints and writes. */
#ifndef RETROPOSE_CLI_BENCH_REPORT_H
#define RETROPOSE_CLI_BENCH_REPORT_H

#include "cli/bench/measure/table.h"
#include "cli/cli.h"
#include "retropose/memory.h"

struct cJSON;

/* A thing that can be measured, as users name it. */
typedef struct BenchSubject {
    const char *name;
    const char *what;          /* one line */
    const struct Bench *bench; /* that has it */
    const char *operation;     /* its name there */
    uint64_t number;           /* its size there; 0: any */
    const char *first;         /* what the ratios are against, where the bench has another name */
    int most_ways;             /* how many of the bench's ways are shown; 0: all */
} BenchSubject;

typedef struct BenchReport {
    const Cli *cli;
    bool quick;
    bool silent;          /* the JSON goes to the standard output, so nothing else does */
    unsigned ways, noisy; /* how many were measured, and how many of them vary too much */
    struct cJSON *rows;   /* null where no JSON is wanted */
} BenchReport;

/* A way is too noisy if a tenth of its runs are faster, or a tenth slower, than its median by about
 * this part of it. */
#define BENCH_NOISE 0.1

/* Print the head, and the ways of one subject, the first of which the ratios are against. The times
 * are sorted. */
void BenchReport_Begin(const BenchReport *report);
void BenchReport_Ways(BenchReport *report, const BenchSubject *subject, const BenchWay *ways,
                      int count);
/* Says whether the machine was quiet enough to believe the numbers. */
void BenchReport_End(const BenchReport *report);
/* Appends all of it as JSON, and frees the rows. */
RpStatus BenchReport_Json(BenchReport *report, RpBuffer *json, RpError *error);

#endif
