#include "formats/msh_report.h"

#include "formats/msh_info.h"
#include "msh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Check {
    RpMshCheckOptions options;
    RpSeverity least; /* the mildest severity that is told */
    bool json, tolerant;
    RpBuffer text;
    const ModelSource *model;
    uint64_t counts[RP_SEVERITY_COUNT]; /* of the model, told or not */
    uint64_t told;
    uint64_t models, broken; /* broken: with errors */
    bool no_memory;
} Check;

/* ---- one model ------------------------------------------------------------------------------- */

static void TakeFinding(void *context, const RpFinding *finding) {
    Check *check = context;
    check->counts[finding->severity]++;
    if (finding->severity > check->least)
        return;
    if (check->json) {
        RpBuffer_AppendText(&check->text, check->told ? ",\n   " : "\n   ");
        MshReport_FindingJson(finding, check->model->offset, &check->text);
    } else {
        MshReport_Finding(finding, check->model->name, &check->text);
    }
    check->told++;
}

/* A member that is no archive at all has no streams to check: an error of its own. */
static void TakeFailed(Check *check, const RpError *failed) {
    RpFinding finding = RpFinding_New("M01", RP_SEVERITY_ERROR);
    snprintf(finding.what, sizeof finding.what, "the model does not open: %.100s", failed->what);
    snprintf(finding.expected, sizeof finding.expected, "%.127s", failed->expected);
    snprintf(finding.found, sizeof finding.found, "%.127s", failed->found);
    TakeFinding(check, &finding);
}

static void CheckModel(Check *check, const ModelSource *model, const RpError *failed) {
    const RpFindingSink sink = {.take = TakeFinding, .context = check};
    if (failed)
        TakeFailed(check, failed);
    else
        check->no_memory |=
            RpMsh_Check(&model->archive, &check->options, &sink, NULL) == RP_NO_MEMORY;
}

static void JsonCounts(Check *check) {
    RpBuffer_AppendText(&check->text, ", \"counts\": {");
    for (int s = 0; s < RP_SEVERITY_COUNT; s++)
        RpBuffer_Print(&check->text, "%s\"%s\": %" PRIu64, s ? ", " : "",
                       RpSeverity_Name((RpSeverity)s), check->counts[s]);
    RpBuffer_AppendText(&check->text, "}");
}

static bool TakeModel(void *context, const ModelSource *model, const RpError *failed) {
    Check *check = context;
    memset(check->counts, 0, sizeof check->counts);
    check->told = 0;
    check->model = model;
    if (check->json) {
        RpBuffer_Print(&check->text, "%s\n {\"model\": ", check->models ? "," : "");
        MshInfo_AppendJsonPath(&check->text, model->name);
        RpBuffer_AppendText(&check->text, ", \"findings\": [");
    }
    CheckModel(check, model, failed);
    if (check->json) {
        RpBuffer_AppendText(&check->text, "]");
        JsonCounts(check);
        RpBuffer_AppendText(&check->text, "}");
    } else {
        RpBuffer_Print(&check->text, "%s: ", model->name);
        MshReport_Counts(check->counts, &check->text);
        RpBuffer_AppendText(&check->text, "\n");
    }
    check->models++;
    check->broken += check->counts[RP_SEVERITY_ERROR] > 0;
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool TakeRules(const Cli *cli, uint64_t *rules) {
    for (size_t i = 0; i < cli->given_count; i++) {
        if (strcmp(cli->given[i].option->name, "rule") != 0)
            continue;
        int rule = RpMshRule_Find(cli->given[i].value);
        if (rule == 0) {
            Cli_Complain("there is no rule %s; --rules lists them", cli->given[i].value);
            return false;
        }
        *rules |= UINT64_C(1) << rule;
    }
    return true;
}

static bool TakeLeast(const Cli *cli, RpSeverity *least) {
    const char *name = Cli_Value(cli, "least", "info");
    for (int s = 0; s < RP_SEVERITY_COUNT; s++)
        if (strcmp(name, RpSeverity_Name((RpSeverity)s)) == 0) {
            *least = (RpSeverity)s;
            return true;
        }
    Cli_Complain("--least is error, warning, canonical or info, not %s", name);
    return false;
}

static bool TakeOptions(const Cli *cli, Check *check) {
    uint64_t repeats = RP_MSH_CHECK_REPEATS;
    check->json = Cli_Has(cli, "json");
    check->tolerant = Cli_Has(cli, "tolerant");
    if (check->tolerant && Cli_Has(cli, "strict")) {
        Cli_Complain("--strict and --tolerant exclude each other");
        return false;
    }
    if (!Cli_Number(cli, "repeats", 1, UINT32_MAX, &repeats))
        return false;
    check->options.repeats = (uint32_t)repeats;
    return TakeRules(cli, &check->options.rules) && TakeLeast(cli, &check->least);
}

static int ListRules(void) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++)
        RpBuffer_Print(&text, "%s  %-5s  %s\n", RpMshRule_Id(rule), RpMshRule_Severities(rule),
                       RpMshRule_Text(rule));
    int code = CliMsh_Print(&text);
    RpBuffer_Free(&text);
    return code;
}

static int Run(Cli *cli) {
    Check check = {.json = false};
    if (Cli_Has(cli, "rules"))
        return ListRules();
    if (!TakeOptions(cli, &check))
        return CLI_TROUBLE;
    RpBuffer_Init(&check.text, NULL);
    if (check.json)
        RpBuffer_AppendText(&check.text, "{\"models\": [");
    int code = CliMsh_Each(cli, TakeModel, &check);
    if (check.json)
        RpBuffer_Print(&check.text, "],\n \"checked\": %" PRIu64 ", \"broken\": %" PRIu64 "}\n",
                       check.models, check.broken);
    int printed = CliMsh_Print(&check.text);
    RpBuffer_Free(&check.text);
    if (check.no_memory)
        return Cli_Complain("out of memory");
    if (code || printed)
        return CLI_TROUBLE;
    return check.broken && !check.tolerant ? CLI_DIFFERENT : CLI_EQUAL;
}

const CliVerb cli_msh_check = {
    "msh check",
    "check models by the rules M01 to M34 (docs/msh.md)",
    "FILE[::MEMBER]...",
    "retropose msh check static.rlb\n"
    "retropose msh check --rule M31 --json hero.msh\n",
    {{"json", NULL, "one JSON object", 0},
     {"strict", NULL, "errors make the command fail with 1 (the default)", 0},
     {"tolerant", NULL, "findings are told, and never make it fail", 0},
     {"rule", "ID", "only this rule; may be given again", 0},
     {"least", "SEVERITY", "the mildest to tell: error, warning, canonical or info (default)", 0},
     {"repeats", "N", "findings of one rule and severity before the rest are counted (20)", 0},
     {"rules", NULL, "list the rules", 0}},
    Run};
