/* The folder that --original names, as a pair of DLLs that can be called. */
#ifndef RETROPOSE_CLI_ORIGINAL_PAIR_H
#define RETROPOSE_CLI_ORIGINAL_PAIR_H

#include "cli/cli.h"
#include "cli/place.h"
#include "replay/provider/provider.h"

/* The options that name two pairs of DLLs and say how they are run. `recorded` stands for outcomes
 * that a trace holds, which only a verb can take that runs the very calls of the trace. */
#define CLI_PAIRS                                                                                  \
    CLI_PAIRS_WHERE("plays the original: a pair, or `recorded` (default: the stand-in)")
#define CLI_PAIRS_THAT_RUN                                                                         \
    CLI_PAIRS_WHERE("the pair that plays the original (default: the stand-in)")
#define CLI_ENGINE                                                                                 \
    { "engine", "ENGINE", "what runs DLLs: " PROVIDER_ENGINES " (default: auto)", 0 }
#define CLI_PAIRS_WHERE(original)                                                                  \
    {"original", "DIR", original, 0},                                                              \
        {"replacement", "DIR", "the pair under test (default: ours); `native`: this program", 0},  \
        CLI_ENGINE,                                                                                \
        {"host", "FILE", "the host program of the engine (default: beside this program)", 0},      \
        {"overlay", "FILE", "how the original is called (default: its retropose.overlay)", 0},     \
        {"wine-prefix", "DIR", "private Wine prefix (default: in the cache)", 0},                  \
        {"timeout", "SECONDS", "for one call in a host process (default: 60)", 0},                 \
        {"most-endings", "N", "a trace's calls that may end or hang the host (default: 16)", 0}, { \
        "work", "DIR", "where a new folder for the work is made (default: the system's)", 0        \
    }

/* Returns the folder `given`. If `retropose install` has been used there, returns a folder with
 * copies under the names that Windows looks for. That folder is removed when this program ends. */
RpStatus Original_Folder(const char *given, const char **folder, RpError *error);

/* Reads the options that say how the pairs are run, as far as the verb has them: the host, which is
 * written to `host`, the seconds for one call (`timeout` without the option, at most `most`), and
 * so on, but not --overlay. If one is wrong, says so and returns false. */
bool Original_RunOptions(const Cli *cli, uint64_t timeout, uint64_t most, char host[PLACE_BYTES],
                         ProviderOptions *options);

/* Reads the option --engine. The result is never PROVIDER_ENGINE_AUTO. If it is wrong, says so and
 * returns false. */
bool Original_Engine(const Cli *cli, ProviderEngine *engine, const char **processor);
/* Returns what says on stderr that a prefix for Wine is being made; null with --quiet. */
WineProgress Original_WineProgress(const Cli *cli);
/* Returns the path of an engine's host program: the one that --host names, or the usual one. Null
 * if there is none. */
const char *Original_Host(const Cli *cli, ProviderEngine engine, char host[PLACE_BYTES]);

/* Returns the folder as it was given, for reports. */
const char *Original_Named(const char *folder);

#endif
