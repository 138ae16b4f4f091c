#include "cli/bench/measure/bench_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Line {
    const char *operation, *by, *unit;
    uint64_t number;
    double median, tenth, ninetieth, first_over_it;
    int repetitions;
} Line;

static void Print(BenchTable *table, const Line *line) {
    if (table->json)
        printf("%s\n  {\"operation\": \"%s\", \"number\": %" PRIu64 ", \"by\": \"%s\", \"unit\": "
               "\"%s\", \"median\": %.2f, \"tenth\": %.2f, \"ninetieth\": %.2f, \"repetitions\": "
               "%d, \"first_over_it\": %.2f}",
               table->lines ? "," : "", line->operation, line->number, line->by, line->unit,
               line->median, line->tenth, line->ninetieth, line->repetitions, line->first_over_it);
    else
        printf("%s,%" PRIu64 ",%s,%s,%.2f,%.2f,%.2f,%d,%.2f\n", line->operation, line->number,
               line->by, line->unit, line->median, line->tenth, line->ninetieth, line->repetitions,
               line->first_over_it);
    fflush(stdout);
    table->lines++;
}

BenchTable BenchTable_Begin(const char *program, int *argument_count, char **arguments) {
    BenchTable table = {.json = false};
    int kept = 1;
    for (int i = 1; i < *argument_count; i++) {
        const bool json = strcmp(arguments[i], "--json") == 0;
        table.json = table.json || json;
        if (!json)
            arguments[kept++] = arguments[i];
    }
    if (kept < *argument_count)
        *argument_count = kept;
    if (table.json)
        printf("{\"program\": \"%s\", \"lines\": [", program);
    else
        puts("operation,number,by,unit,median,tenth,ninetieth,repetitions,first_over_it");
    return table;
}

BenchTable BenchTable_For(const BenchReader *reader) {
    return (BenchTable){.reader = reader};
}

bool BenchTable_Wants(const BenchTable *table, const char *operation, uint64_t number) {
    return !table->reader || table->reader->wants(table->reader->context, operation, number);
}

int BenchTable_Runs(const BenchTable *table, int usual) {
    const int most = table->reader ? table->reader->most_runs : 0;
    return most > 0 && most < usual ? most : usual;
}

static int Order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void BenchTable_Ways(BenchTable *table, const char *operation, uint64_t number, BenchWay *ways,
                     int count) {
    for (int i = 0; i < count; i++)
        qsort(ways[i].times, (size_t)ways[i].count, sizeof *ways[i].times, Order);
    if (table->reader) {
        table->reader->ways(table->reader->context, operation, number, ways, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        const BenchWay *way = &ways[i];
        const double median = way->times[way->count / 2];
        const double first = ways[0].times[ways[0].count / 2];
        Print(table, &(Line){.operation = operation,
                             .number = number,
                             .by = way->name,
                             .unit = "ns",
                             .median = median,
                             .tenth = way->times[way->count / 10],
                             .ninetieth = way->times[way->count - 1 - way->count / 10],
                             .repetitions = way->count,
                             .first_over_it = median > 0 ? first / median : 0});
    }
}

void BenchTable_Amount(BenchTable *table, const char *operation, uint64_t number, const char *by,
                       const char *unit, double amount) {
    if (table->reader)
        return;
    Print(table, &(Line){.operation = operation,
                         .number = number,
                         .by = by,
                         .unit = unit,
                         .median = amount,
                         .tenth = amount,
                         .ninetieth = amount,
                         .repetitions = 1,
                         .first_over_it = 1});
}

void BenchTable_End(const BenchTable *table) {
    if (table->json)
        puts("\n]}");
}
