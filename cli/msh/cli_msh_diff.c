#include "retropose/msh_text.h"

#include "cli/msh/msh_common.h"
#include "core/text/view_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Comparison {
    RpMshDiffOptions options;
    ModelSource a, b;
    bool json;
    RpBuffer text;
    uint32_t told;
} Comparison;

static const char *const kinds[] = {"stream", "node",  "count", "attribute",
                                    "field",  "bytes", "pose",  "rest"};

static void JsonText(RpBuffer *text, const char *member, const char *value) {
    RpBuffer_Print(text, ", \"%s\": ", member);
    ViewText_Json(text, value);
}

static void Take(void *context, const RpMshDifference *difference) {
    Comparison *comparison = context;
    RpBuffer *text = &comparison->text;
    if (comparison->json) {
        RpBuffer_Print(text, "%s\n  {\"kind\": \"%s\"", comparison->told ? "," : "",
                       kinds[difference->kind]);
        if (difference->stream >= 0)
            RpBuffer_Print(text, ", \"stream\": %" PRId32, difference->stream);
        if (difference->node >= 0)
            RpBuffer_Print(text, ", \"node\": %" PRId32, difference->node);
        if (difference->element >= 0)
            RpBuffer_Print(text, ", \"element\": %" PRId32, difference->element);
        JsonText(text, "place", difference->place);
        JsonText(text, "a", difference->a);
        JsonText(text, "b", difference->b);
        RpBuffer_AppendText(text, "}");
    } else if (difference->kind == RP_MSH_REST) {
        RpBuffer_Print(text, "%s: %s more\n", difference->place, difference->a);
    } else if (difference->kind == RP_MSH_POSE) {
        RpBuffer_Print(text, "%s: %s, %s\n", difference->place, difference->a, difference->b);
    } else { /* a dash stands for what one of the two does not have */
        RpBuffer_Print(text, "%s: %s -> %s\n", difference->place,
                       difference->a[0] ? difference->a : "-",
                       difference->b[0] ? difference->b : "-");
    }
    comparison->told++;
}

/* Reads a tolerance; says what is wrong and returns false otherwise. */
static bool TakeTolerance(const Cli *cli, const char *name, double *value) {
    const char *text = Cli_Value(cli, name, NULL);
    char *end = NULL;
    if (!text)
        return true;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0)
        return true;
    Cli_Complain("--%s takes a number from 0 up, not %s", name, text);
    return false;
}

static int Run(Cli *cli) {
    Comparison comparison = {.json = Cli_Has(cli, "json")};
    uint64_t most = 10;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("msh diff needs two models");
    comparison.options.bytes_only = Cli_Has(cli, "no-poses");
    if (!CliMsh_Readings(cli, &comparison.options.readings) ||
        !TakeTolerance(cli, "position", &comparison.options.position) ||
        !TakeTolerance(cli, "angle", &comparison.options.angle) ||
        !Cli_Number(cli, "most", 1, UINT32_MAX, &most))
        return CLI_TROUBLE;
    comparison.options.most = (uint32_t)most;
    int code = CLI_EQUAL;
    RpMshDiffResult result;
    RpBuffer *text = &comparison.text;
    RpBuffer_Init(text, NULL);
    if (comparison.json)
        RpBuffer_AppendText(text, "{\"list\": [");
    memset(&comparison.b, 0, sizeof comparison.b);
    if (ModelSource_OpenModel(&comparison.a, cli->arguments[0], &error) ||
        ModelSource_OpenModel(&comparison.b, cli->arguments[1], &error) ||
        RpMsh_Diff(&comparison.a.archive, &comparison.b.archive, &comparison.options, Take,
                   &comparison, &result, &error)) {
        RpBuffer_Free(text);
        code = Cli_Fail(&error);
    } else {
        if (comparison.json) {
            RpBuffer_Print(text, "],\n \"differences\": %" PRIu64 ", \"posed\": %s", result.count,
                           result.posed ? "true" : "false");
            if (result.posed && isfinite(result.position))
                RpBuffer_Print(text, ", \"position\": %.9g", result.position);
            if (result.posed)
                RpBuffer_Print(text, ", \"angle\": %.9g", result.angle);
            RpBuffer_AppendText(text, "}\n");
        } else {
            if (result.posed)
                RpBuffer_Print(text, "poses at most %.6g apart and %.6g degrees turned\n",
                               result.position, result.angle);
            RpBuffer_Print(text, "%" PRIu64 " difference%s\n", result.count,
                           result.count == 1 ? "" : "s");
        }
        code = CliFile_Print(text, RP_OK, NULL);
        if (!code && result.count)
            code = CLI_DIFFERENT;
    }
    ModelSource_Close(&comparison.a);
    ModelSource_Close(&comparison.b);
    return code;
}

const CliVerb cli_msh_diff = {
    "msh diff",
    "compare two models: streams, nodes, fields, poses",
    "FILE[::MEMBER] FILE[::MEMBER]",
    "retropose msh diff hero.msh parts.rlb::R_B_01.msh\n"
    "retropose msh diff --json parts.rlb::R_H_02.msh new.rlb::R_H_02.msh\n",
    {CLI_JSON,
     {"most", "N", "differences of one stream that are told (10)", 0},
     {"no-poses", NULL, "compare bytes and fields only", 0},
     {"position", "DISTANCE", "poses that are nearer count as equal (0: any difference tells)", 0},
     {"angle", "DEGREES", "poses that are turned less count as equal (0)", 0},
     CLI_MSH_READINGS},
    Run};
