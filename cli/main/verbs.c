#include "cli/cli.h"

#define SELECT                                                                                     \
    { "select", "SELECTION", "only these calls: globs, numbers, ranges, GLOB:RANGE, @FILE", 0 }
#define PAIRS                                                                                      \
    {"original", "DIR", "plays the original: a pair, or `recorded` (default: the stand-in)", 0},   \
        {"replacement", "DIR", "the pair under test (default: ours); `native`: this program", 0},  \
        {"host", "FILE", "retropose-host.exe (default: beside this program)", 0},                  \
        {"overlay", "FILE", "how the original is called (default: its retropose.overlay)", 0},     \
        {"wine-prefix", "DIR", "private Wine prefix (default: in the cache)", 0},                  \
        {"timeout", "SECONDS", "for one call in a host process (default: 60)", 0},                 \
        {"most-endings", "N", "a trace's calls that may end or hang the host (default: 16)", 0}, { \
        "work", "DIR", "where a new folder for the work is made (default: the system's)", 0        \
    }
#define TRUST                                                                                      \
    { "trust", NULL, "call what names files, makes or ends objects, too: docs/proof/host.md", 0 }
#define ALLOW_PARTIAL                                                                              \
    { "allow-partial", NULL, "exit code 0 even if selected calls were not compared", 0 }
#define HYPOTHESES                                                                                 \
    { "hypotheses", "LIST", "readings other than the defaults, e.g. key-order=wxyz; @FILE", 0 }

static const CliVerb gen = {
    "gen",
    "make a trace of a scenario",
    "SCENARIO FILE",
    "retropose gen --list\n"
    "retropose gen slots slots.trace --calls 1000 --seed 7\n",
    {{"list", NULL, "name the scenarios", 0},
     {"calls", "N", "number of calls (default: the scenario's own)", 0},
     {"first", "N", "position of the first call in the scenario (default: 0)", 0},
     {"seed", "N", "of everything random (default: 1)", 0},
     {"slot-build", "NAME", "put these builds into g_FastProc: generic, fxch or sse", 0},
     {"force-cpu", "N", "the ForceCpu value that providers shall start with", 0},
     HYPOTHESES,
     SELECT,
     {"compress", NULL, "pack the trace with zlib", 0}},
    Verb_Gen};

static const CliVerb replay = {
    "replay",
    "run traces through two DLL pairs and compare bit for bit",
    "[TRACE...]",
    "retropose replay --all-scenarios --calls 10000000 --jobs 2\n"
    "retropose replay --original \"C:\\Games\\Parkan\" --scenario poses:100000\n"
    "retropose replay slots.trace --select 'ngi32.slot17:1000-1999' --json report.json\n",
    {PAIRS,
     TRUST,
     {"scenario", "NAME[@M][:CALLS]", "a scenario; M: generic, fxch, sse or cpuN; repeatable", 0},
     {"all-scenarios", NULL, "every scenario, on every build of the slots", 0},
     {"calls", "N", "in all, shared among the scenarios that name no number themselves", 0},
     {"first", "N", "position of the first call in each scenario (default: 0)", 0},
     {"seed", "N", "of the scenarios (default: 1)", 0},
     {"force-cpu", "N", "the ForceCpu value that providers shall start with", 0},
     {"profile", "FILE", "readings that `calibrate` found; --hypotheses goes over them", 0},
     HYPOTHESES,
     SELECT,
     {"known", "FILE", "expected differences: selection | path glob | reason, one a line", 0},
     {"jobs", "N", "slices at a time (default: 1)", 'j'},
     {"max-differences", "N", "kept in detail (default: 20)", 0},
     {"fail-fast", NULL, "stop behind the first slice that differs", 0},
     ALLOW_PARTIAL,
     {"json", "FILE", "write the report as JSON (-: standard output)", 0},
     {"junit", "FILE", "write the report as JUnit XML", 0},
     {"keep", NULL, "leave traces and results in the work folder", 0}},
    Verb_Replay};

static const CliVerb compare = {
    "compare",
    "compare two traces of the same calls",
    "A B",
    "retropose compare original.trace replacement.trace\n",
    {SELECT,
     {"known", "FILE", "expected differences: selection | path glob | reason, one a line", 0},
     {"max-differences", "N", "kept in detail (default: 20)", 0},
     ALLOW_PARTIAL,
     {"allow-unlike", NULL, "compare traces of unlike readings, force-cpu or slot-build", 0},
     {"json", "FILE", "write the report as JSON (-: standard output)", 0},
     {"junit", "FILE", "write the report as JUnit XML", 0}},
    Verb_Compare};

static const CliVerb show = {"show",
                             "print the calls of a trace",
                             "TRACE",
                             "retropose show slots.trace --select 100-109\n",
                             {SELECT,
                              {"json", NULL, "one line of JSON a call", 0},
                              {"header", NULL, "the header instead of calls", 0},
                              {"memories", NULL, "the memories instead of calls", 0}},
                             Verb_Show};

static const CliVerb stat_verb = {"stat",   "count what a trace holds", "TRACE...", NULL, {SELECT},
                                  Verb_Stat};

static const CliVerb trim = {"trim",
                             "cut a trace down to a selection",
                             "TRACE OUTPUT --select SELECTION",
                             "retropose trim big.trace small.trace --select 'animesh.*:0-99'\n",
                             {SELECT,
                              {"strip", NULL, "leave the outcomes out: calls as before a run", 0},
                              {"compress", NULL, "pack the trace with zlib", 0}},
                             Verb_Trim};

static const CliVerb minimise = {"minimise",
                                 "find the smallest trace that still differs",
                                 "TRACE OUTPUT",
                                 "retropose minimise failing.trace small.trace\n",
                                 {PAIRS, TRUST, SELECT},
                                 Verb_Minimise};

static const CliVerb doctor = {
    "doctor",
    "check that replay can work here, or what happens in a game's folder",
    "[GAME_DIR]",
    "retropose doctor\n"
    "retropose doctor \"C:\\Games\\Parkan\"\n",
    {PAIRS},
    Verb_Doctor};

static const CliVerb help = {"help",
                             "explain a verb",
                             "[[GROUP] VERB]",
                             NULL,
                             {{"list", NULL, "name every verb, one a line", 0}},
                             Verb_Help};

static const CliVerb completion = {"completion",    "print completions for a shell",
                                   "bash|zsh|fish", "source <(retropose completion bash)\n",
                                   {{0}},           Verb_Completion};

/* ---- groups ----------------------------------------------------------------------------------
 */

static const CliVerb *const replay_verbs[] = {&gen,       &replay,     &compare,  &show,
                                              &stat_verb, &trim,       &minimise, &doctor,
                                              &help,      &completion, NULL};

const CliGroup cli_groups[] = {
    {NULL, "replaying calls of two DLLs", replay_verbs},
    {NULL, "in the folder of a game", cli_live_verbs},
    {"gen", "made-up input", cli_gen_verbs},
    {"nres", "NRes archives: libraries, models, maps", cli_nres_verbs},
    {"rsli", "RsLi libraries", cli_rsli_verbs},
    {"msh", "models", cli_msh_verbs},
    {"mesh", "mesh objects: models posed, measured and queried", cli_mesh_verbs},
    {"ani", "LEGO Island animations", cli_ani_verbs},
    {"ac", "Asheron's Call animations and motion tables", cli_ac_verbs},
};
const size_t cli_group_count = sizeof cli_groups / sizeof *cli_groups;
