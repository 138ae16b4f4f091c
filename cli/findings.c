#include "cli/findings.h"

#include "cli/files.h"
#include "retropose/msh_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

/* Returns the number of a rule, such as 7 of "M07". */
static int NumberOf(const char *id) {
    return (id[1] - '0') * 10 + id[2] - '0';
}

bool Findings_Begin(Findings *findings, const Cli *cli, char letter, int rule_count) {
    *findings = (Findings){.cli = cli,
                           .letter = letter,
                           .as_json = Cli_Has(cli, "json"),
                           .repeats = RP_MSH_CHECK_REPEATS};
    if (Cli_Has(cli, "strict") && Cli_Has(cli, "tolerant")) {
        Cli_Complain("--strict and --tolerant exclude each other");
        return false;
    }

    for (size_t i = 0; i < cli->given_count; i++) {
        if (strcmp(cli->given[i].option->name, "rule") != 0)
            continue;
        const char *id = cli->given[i].value;
        const bool is_id = strlen(id) == 3 && id[0] == letter && strspn(id + 1, "0123456789") == 2;
        const int rule = is_id ? NumberOf(id) : 0;
        if (rule == 0 || rule > rule_count) {
            Cli_Complain("--rule takes %c01 to %c%02d, not %s", letter, letter, rule_count, id);
            return false;
        }
        findings->rules |= UINT64_C(1) << rule;
    }

    /* Remarks about hundreds of sound files would hide the errors of a single one. */
    const bool everything = findings->as_json || findings->rules;
    const char *name = Cli_Value(cli, "least", everything ? "info" : "canonical");
    findings->least = RP_SEVERITY_COUNT;
    for (int s = 0; s < RP_SEVERITY_COUNT; s++)
        if (strcmp(name, RpSeverity_Name((RpSeverity)s)) == 0)
            findings->least = (RpSeverity)s;
    if (findings->least == RP_SEVERITY_COUNT) {
        Cli_Complain("--least is error, warning, canonical or info, not %s", name);
        return false;
    }
    if (!Cli_Number(cli, "repeats", 1, UINT32_MAX, &findings->repeats))
        return false;
    if (findings->as_json)
        FindingJson_Init(&findings->json);
    return true;
}

/* ---- findings -------------------------------------------------------------------------------- */

static void Tell(Findings *findings, const char *entry_name, const RpFinding *finding) {
    if (findings->as_json) {
        FindingJson_Add(&findings->json, entry_name, finding);
    } else {
        RpBuffer line;
        RpBuffer_Init(&line, NULL);
        FindingText_Line(&line, findings->name, entry_name, finding);
        if (line.size && !line.failed)
            fwrite(line.bytes, 1, line.size, stdout);
        RpBuffer_Free(&line);
    }
}

void Findings_EndFile(Findings *findings) {
    for (int rule = 0; rule < (int)(sizeof findings->seen / sizeof *findings->seen); rule++)
        for (int severity = 0; severity < RP_SEVERITY_COUNT; severity++) {
            const uint64_t count = findings->seen[rule][severity];
            if (count <= findings->repeats || (RpSeverity)severity > findings->least)
                continue;
            const char id[] = {findings->letter, (char)('0' + rule / 10), (char)('0' + rule % 10),
                               0};
            RpFinding finding = RpFinding_New(id, (RpSeverity)severity);
            snprintf(finding.what, sizeof finding.what, "%" PRIu64 " more of this rule",
                     count - findings->repeats);
            Tell(findings, NULL, &finding);
        }
    memset(findings->seen, 0, sizeof findings->seen);
}

void Findings_BeginFile(Findings *findings, const char *name, uint64_t offset) {
    Findings_EndFile(findings);
    findings->name = name;
    findings->offset = offset;
    findings->checked++;
    if (findings->as_json)
        FindingJson_BeginFile(&findings->json, name);
}

void Findings_Take(Findings *findings, const char *entry_name, const RpFinding *finding) {
    const int rule = NumberOf(finding->rule);
    RpFinding placed = *finding;
    if (findings->rules && !(findings->rules >> rule & 1))
        return;
    findings->count[finding->severity]++;
    if (placed.offset != RP_NOWHERE)
        placed.offset += findings->offset;
    if (findings->as_json)
        FindingJson_Count(&findings->json, finding->severity);
    if (findings->seen[rule][finding->severity]++ < findings->repeats &&
        finding->severity <= findings->least)
        Tell(findings, entry_name, &placed);
}

void Findings_Fail(Findings *findings, const RpError *error) {
    Cli_Fail(error);
    findings->failed = true;
}

/* ---- sums ------------------------------------------------------------------------------------ */

int Findings_End(Findings *findings) {
    const uint64_t *count = findings->count;
    const bool untold = count[RP_SEVERITY_INFO] > 0 && findings->least == RP_SEVERITY_CANONICAL;
    int code = CLI_EQUAL;
    Findings_EndFile(findings);
    if (findings->as_json) {
        RpBuffer text;
        RpError error;
        RpBuffer_Init(&text, NULL);
        const RpStatus status = FindingJson_End(&findings->json, &text, &error);
        code = CliFile_Print(&text, status, &error);
    } else {
        Cli_Note(findings->cli,
                 "%" PRIu64 " checked: %" PRIu64 " error%s, %" PRIu64 " warning%s, %" PRIu64
                 " canonical, %" PRIu64 " info%s%s",
                 findings->checked, count[RP_SEVERITY_ERROR], Text_Plural(count[RP_SEVERITY_ERROR]),
                 count[RP_SEVERITY_WARNING], Text_Plural(count[RP_SEVERITY_WARNING]),
                 count[RP_SEVERITY_CANONICAL], count[RP_SEVERITY_INFO],
                 Text_Plural(count[RP_SEVERITY_INFO]), untold ? " (--least info tells)" : "");
    }

    if (findings->failed || code != CLI_EQUAL)
        return CLI_TROUBLE;
    if (Cli_Has(findings->cli, "tolerant"))
        return CLI_EQUAL;
    const uint64_t strict = Cli_Has(findings->cli, "strict") ? count[RP_SEVERITY_WARNING] : 0;
    return count[RP_SEVERITY_ERROR] + strict > 0 ? CLI_DIFFERENT : CLI_EQUAL;
}

/* ---- the whole verb -------------------------------------------------------------------------- */

static void Take(void *context, const RpFinding *finding) {
    Findings_Take(context, NULL, finding);
}

int Findings_CheckFiles(const Cli *cli, const char *needs, char letter, int rule_count,
                        FindingsCheck *check, const void *context) {
    Findings findings;
    if (cli->argument_count == 0)
        return Cli_Complain("%s", needs);
    if (!Findings_Begin(&findings, cli, letter, rule_count))
        return CLI_TROUBLE;

    const RpFindingSink sink = {.take = Take, .context = &findings};
    for (size_t i = 0; i < cli->argument_count; i++) {
        Mapping mapping;
        RpError error;
        if (Mapping_Open(cli->arguments[i], &mapping, &error)) {
            Findings_Fail(&findings, &error);
            continue;
        }
        Findings_BeginFile(&findings, cli->arguments[i], 0);
        if (check(context, &mapping, &sink, &error) == RP_NO_MEMORY)
            Findings_Fail(&findings, &error);
        Mapping_Close(&mapping);
    }
    return Findings_End(&findings);
}
