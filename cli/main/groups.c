/* All groups, in the order of help. */
#include "cli/cli.h"

const CliGroup cli_groups[] = {
    {"trace", "calls of two DLLs, replayed and compared", cli_trace_verbs, true},
    {"game", "a game's folder, and the originals in it", cli_game_verbs, true},
    {"lift", "what functions compute, read out of their instructions", cli_lift_verbs, true},
    {"prove", "proofs of the exact core", cli_prove_verbs, true},
    {"merge", "work that was shared among machines", cli_merge_verbs, true},
    {"bench", "how fast it is", cli_bench_verbs, true},
    {"main", "the command itself", cli_main_verbs, true},
    {"config", "settings that need not be repeated: retropose.toml", cli_config_verbs, false},
    {"report", "reports that `replay --json` and `compare --json` have written", cli_report_verbs,
     false},
    {"bundle", "bundles that `try` has written", cli_bundle_verbs, false},
    {"digest", "digests of answers that `replay --digest` has written", cli_digest_verbs, false},
    {"gen", "made-up input", cli_gen_verbs, false},
    {"nres", "NRes archives: libraries, models, maps", cli_nres_verbs, false},
    {"rsli", "RsLi libraries", cli_rsli_verbs, false},
    {"msh", "models", cli_msh_verbs, false},
    {"texm", "images of models", cli_texm_verbs, false},
    {"material", "materials of models", cli_material_verbs, false},
    {"object", "mesh objects: models posed, measured and queried", cli_object_verbs, false},
    {"ani", "LEGO Island animations", cli_ani_verbs, false},
    {"ac", "Asheron's Call animations and motion tables", cli_ac_verbs, false},
    {NULL, NULL, NULL, false},
};
