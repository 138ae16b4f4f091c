/* Output of the verbs that check files: findings as lines or JSON, which of them are shown, their
 * totals, and the exit code. */
#ifndef RETROPOSE_CLI_FINDINGS_H
#define RETROPOSE_CLI_FINDINGS_H

#include "cli/cli.h"
#include "core/files/mapping.h"
#include "formats/msh/text/finding_text.h"

#define CLI_CHECK_OPTIONS                                                                          \
    {"rule", "ID", "only this rule; may be given again", 0},                                       \
        {"least", "SEVERITY",                                                                      \
         "the mildest to tell: error, warning, canonical (default) or info (with --rule, --json)", \
         0},                                                                                       \
        {"strict", NULL, "exit with 1 for warnings, too", 0},                                      \
        {"tolerant", NULL, "exit with 0 whatever is found", 0},                                    \
        {"repeats", "N", "findings of one rule and severity before the rest are counted (20)", 0}, \
    {                                                                                              \
        "json", NULL, "print one JSON object instead of text", 0                                   \
    }

typedef struct Findings {
    const Cli *cli;
    char letter; /* first letter of the rules' ids */
    bool as_json;
    bool failed; /* something could not be checked */
    FindingJson json;
    uint64_t rules;   /* a bit for each rule that --rule names; 0 for all rules */
    RpSeverity least; /* the mildest severity that is told */
    uint64_t repeats; /* findings of one rule and severity in one file before the rest are only */
                      /* counted; a checker that counts by itself sets it to UINT64_MAX         */
    uint64_t seen[64][RP_SEVERITY_COUNT];       /* findings of each rule in this file */
    const char *name;                           /* name of what is being checked */
    uint64_t offset;                            /* where that begins in its file */
    uint64_t checked, count[RP_SEVERITY_COUNT]; /* numbers of all findings, shown or not */
} Findings;

/* Reads the options, or says what is wrong and returns false. Rules are `letter` and a number from
 * 1 to `rule_count`, which is at most 63. */
bool Findings_Begin(Findings *findings, const Cli *cli, char letter, int rule_count);
/* Says that the findings which follow are about `name`, whose first byte lies at `offset` of its
 * file. The name has to stay until the next call, or until Findings_EndFile. */
void Findings_BeginFile(Findings *findings, const char *name, uint64_t offset);
/* Says how many findings of the file were counted without being shown. Findings_BeginFile and
 * Findings_End do this as well. It must be called before the name changes in between. */
void Findings_EndFile(Findings *findings);
/* Takes a finding. Its offset counts from the first byte of what is being checked. `entry_name` is
 * a name to show, or null. */
void Findings_Take(Findings *findings, const char *entry_name, const RpFinding *finding);
/* Reports something that could not be checked. */
void Findings_Fail(Findings *findings, const RpError *error);
/* Prints the sums and returns the exit code. */
int Findings_End(Findings *findings);

/* Does all the work of a verb that checks one file after another. `needs` is the complaint if there
 * are no files, and `context` is handed to the check. Findings say what is wrong with a file; the
 * check itself fails only with RP_NO_MEMORY. */
typedef RpStatus FindingsCheck(const void *context, const Mapping *file, const RpFindingSink *sink,
                               RpError *error);
int Findings_CheckFiles(const Cli *cli, const char *needs, char letter, int rule_count,
                        FindingsCheck *check, const void *context);

#endif
