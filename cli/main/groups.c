#include "cli/cli.h"

extern const CliVerb cli_trace_gen;
extern const CliVerb cli_trace_replay;
extern const CliVerb cli_trace_compare;
extern const CliVerb cli_trace_show;
extern const CliVerb cli_trace_stat;
extern const CliVerb cli_trace_trim;
extern const CliVerb cli_trace_export;
extern const CliVerb cli_trace_dump;
extern const CliVerb cli_trace_minimise;
extern const CliVerb cli_game_doctor;
extern const CliVerb cli_help;
extern const CliVerb cli_completion;

static const CliVerb *const replay_verbs[] = {&cli_trace_gen,
                                              &cli_trace_replay,
                                              &cli_trace_compare,
                                              &cli_trace_show,
                                              &cli_trace_stat,
                                              &cli_trace_trim,
                                              &cli_trace_export,
                                              &cli_trace_dump,
                                              &cli_trace_minimise,
                                              &cli_game_doctor,
                                              &cli_help,
                                              &cli_completion,
                                              NULL};

const CliGroup cli_groups[] = {
    {NULL, "replaying calls of two DLLs", replay_verbs},
    {NULL, "in the folder of a game", cli_live_verbs},
    {NULL, "proving the exact core", cli_prove_verbs},
    {NULL, "sharing work among machines", cli_merge_verbs},
    {NULL, "how fast it is", cli_bench_verbs},
    {"config", "settings that need not be repeated: retropose.toml", cli_config_verbs},
    {"report", "reports that `replay --json` and `compare --json` have written", cli_report_verbs},
    {"bundle", "bundles that `try` has written", cli_bundle_verbs},
    {"digest", "digests of answers that `replay --digest` has written", cli_digest_verbs},
    {"corpus", "a game's own files, against what was published about them", cli_corpus_verbs},
    {"gen", "made-up input", cli_gen_verbs},
    {"nres", "NRes archives: libraries, models, maps", cli_nres_verbs},
    {"rsli", "RsLi libraries", cli_rsli_verbs},
    {"msh", "models", cli_msh_verbs},
    {"mesh", "mesh objects: models posed, measured and queried", cli_mesh_verbs},
    {"ani", "LEGO Island animations", cli_ani_verbs},
    {"ac", "Asheron's Call animations and motion tables", cli_ac_verbs},
    {NULL, NULL, NULL},
};
