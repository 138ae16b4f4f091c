/* retropose bench: how fast the library is on this machine, beside the x87's own steps. */
#include "cli/bench/bench_report.h"
#include "cli/bench/measure/benches.h"
#include "cli/files.h"
#include "core/nearest.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const BenchSubject subjects[] = {
    {"slot17", "one interpolation of rotations, as slots 17 and 22 do it", &bench_builds, "slot17",
     0, NULL, 0},
    {"slerps", "one of 64 interpolations at once, by width", &bench_many, "interpolation", 0, NULL,
     0},
    {"node", "a node's rotation and position at a time", &bench_builds, "Sample", 0, NULL, 0},
    {"blend", "a node's matrix between two times", &bench_builds, "Blend", 0, NULL, 0},
    {"skeleton", "a joint of a skeleton of 64, from the raw streams", &bench_many,
     "joint at random times", 0, NULL, 0},
    {"clip", "a joint of a skeleton of 64, from a prepared clip", &bench_many,
     "joint of a prepared clip at random times", 0, NULL, 0},
    {"pose", "a mesh object of 38 nodes; the exact core serves both builds", &bench_mesh,
     "pose 38 nodes", 1, "x87 build", 0},
    {"segment", "where a segment meets ground of 968 triangles", &bench_mesh, "segment", 968, NULL,
     0},
    {"open", "opening and checking an archive of 8171 entries", &bench_nres, "open_strict", 8171,
     NULL, 0},
    {"parse", "reading and checking a model of 38 nodes, 645 kB", &bench_msh, "a model of 38 nodes",
     0, "baseline", 3}, /* further ways of this bench check, dump and assemble the model */
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects, QUICK_RUNS = 5 };

typedef struct BenchVerb {
    BenchReport report;
    bool chosen[SUBJECTS];
} BenchVerb;

/* ---- measuring ------------------------------------------------------------------------------- */

/* Asks a bench for a single subject. The subjects are measured one by one, because a bench would
 * measure them in an order of its own. */
typedef struct Turn {
    BenchVerb *verb;
    const BenchSubject *subject;
} Turn;

static bool Wants(void *context, const char *operation, uint64_t number) {
    const BenchSubject *subject = ((const Turn *)context)->subject;
    return strcmp(subject->operation, operation) == 0 &&
           (subject->number == 0 || subject->number == number);
}

static void TakeWays(void *context, const char *operation, uint64_t number, const BenchWay *ways,
                     int count) {
    const Turn *turn = context;
    const int most = turn->subject->most_ways;
    (void)operation;
    (void)number;
    BenchReport_Ways(&turn->verb->report, turn->subject, ways,
                     most > 0 && most < count ? most : count);
}

static int Run(Cli *cli) {
    static BenchVerb verb;
    const char *file = Cli_Value(cli, "json", NULL);
    verb = (BenchVerb){.report = {.cli = cli, .quick = Cli_Has(cli, "quick")}};
    if (Cli_Has(cli, "list")) {
        for (size_t i = 0; i < SUBJECTS; i++)
            Visible_Print(stdout, "%-9s %s\n", subjects[i].name, subjects[i].what);
        return CLI_EQUAL;
    }

    /* The subjects that are named, or all of them. */
    for (size_t a = 0; a < cli->argument_count; a++) {
        const char *name = cli->arguments[a];
        bool known = false;
        Nearest nearest;
        Nearest_Init(&nearest, name);
        for (size_t i = 0; i < SUBJECTS; i++) {
            Nearest_Offer(&nearest, subjects[i].name);
            known |= strcmp(subjects[i].name, name) == 0;
            verb.chosen[i] |= strcmp(subjects[i].name, name) == 0;
        }
        if (!known)
            return Cli_Complain("nothing is measured under the name %s%s%s; see `retropose bench "
                                "--list`",
                                name, nearest.best ? ", perhaps " : "",
                                nearest.best ? nearest.best : "");
    }
    for (size_t i = 0; i < SUBJECTS && cli->argument_count == 0; i++)
        verb.chosen[i] = true;
    if (!CliFile_CanWrite(file))
        return CLI_TROUBLE;
    if (file && !(verb.report.rows = cJSON_CreateArray()))
        return Cli_Complain("no memory for the measurements");

    RpBuffer json;
    RpError error;
    const bool told = !file || strcmp(file, "-") != 0;
    verb.report.silent = !told;
    BenchReport_Begin(&verb.report);
    for (size_t i = 0; i < SUBJECTS; i++) {
        const BenchSubject *subject = &subjects[i];
        Turn turn = {&verb, subject};
        const BenchReader reader = {.wants = Wants,
                                    .ways = TakeWays,
                                    .context = &turn,
                                    .most_runs = verb.report.quick ? QUICK_RUNS : 0};
        if (!verb.chosen[i])
            continue;
        BenchTable table = BenchTable_For(&reader);
        if (!subject->bench->run(&table, subject->bench->number, false))
            return Cli_Complain("%s cannot be measured here", subject->name);
    }
    BenchReport_End(&verb.report);
    if (!file)
        return CLI_EQUAL;
    RpBuffer_Init(&json, NULL);
    const RpStatus status = BenchReport_Json(&verb.report, &json, &error);
    return CliFile_Write(&json, file, status, &error);
}

const CliVerb cli_bench_bench = {
    "bench",
    "measure how fast the library is on this machine",
    "[NAME...]",
    "retropose bench\n"
    "retropose bench --quick slerps clip\n"
    "retropose bench --json bench.json\n",
    {{"list", NULL, "say what can be measured", 0},
     {"quick", NULL, "five runs of each way instead of up to a hundred", 0},
     {"json", "FILE", "write all times as JSON, beside the text (-: standard output)", 0}},
    Run};
