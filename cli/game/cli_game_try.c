/* retropose try: does everything that an owner of the game can find out with one command. Each
 * stage runs a verb. The results are kept, so that an interrupted run continues where it
 * stopped. */
#include "cli/config.h"
#include "cli/files.h"
#include "cli/original_pair.h"
#include "cli/signals.h"
#include "cli/stage.h"
#include "core/digest.h"
#include "core/files/output.h"
#include "core/stop.h"
#include "core/system.h"
#include "replay/truth/bundle.h"
#include "retropose/file.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_OUTPUT "retropose-bundle.json"

enum {
    STAGES = 7,
    MOST_COVERED = 1000000, /* calls whose code is looked at */
    MOST_WORDS = 32,
    MOST_CALLS = 16,        /* differing calls in a bundle, one of a function */
    MOST_CALL_BYTES = 65536 /* bytes of a call; a call of a large model is left out */
};

typedef struct Words {
    const char *words[MOST_WORDS + 1];
    size_t count;
} Words;

typedef struct Try {
    const Cli *cli;
    const char *game;               /* as it was given */
    const char *pair;               /* the folder with both originals under their own names */
    Provider original, replacement; /* used only for their digests */
    char keep[CLI_PATH_BYTES];      /* where results are kept */
    char key[DIGEST_HEX_BYTES];     /* digest of everything on which the stages so far depend */
    char paths[CLI_PATH_BYTES];     /* a trace with a call for each path that `same` has found */
    char calls[24], seed[24], jobs[24];
    int stage; /* the number of the current one */
} Try;

/* ---- stages ---------------------------------------------------------------------------------- */

static void Add(Words *words, const char *word) {
    if (words->count < MOST_WORDS)
        words->words[words->count++] = word;
}

static void AddOption(Words *words, const char *option, const char *value) {
    if (value) {
        Add(words, option);
        Add(words, value);
    }
}

/* Adds the options of `try` that say how a pair is run. The stages have the same options. */
static void AddRunOptions(const Try *try, Words *words) {
    AddOption(words, "--engine", Cli_Value(try->cli, "engine", NULL));
    AddOption(words, "--host", Cli_Value(try->cli, "host", NULL));
    AddOption(words, "--wine-prefix", Cli_Value(try->cli, "wine-prefix", NULL));
    AddOption(words, "--work", Cli_Value(try->cli, "work", NULL));
}

/* Begins a stage. Its key is a digest of the last stage's key, its own name, and `inputs`, which
 * are all further things that affect its result. */
static void Begin(Try *try, const char *name, const char *const *inputs, const char *what) {
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, try->key, strlen(try->key) + 1);
    Digest_Add(&digest, name, strlen(name) + 1);
    for (size_t i = 0; inputs[i]; i++)
        Digest_Add(&digest, inputs[i], strlen(inputs[i]) + 1);
    Digest_End(&digest, try->key);
    Cli_Note(try->cli, "%d of %d  %s: %s", ++try->stage, STAGES, name, what);
}

/* Names a file of the current stage. */
static void NameFile(const Try *try, const char *name, char path[CLI_PATH_BYTES]) {
    snprintf(path, CLI_PATH_BYTES, "%.3900s/%.16s-%s", try->keep, try->key, name);
}

static bool Exists(const char *path) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, NULL))
        return false;
    Mapping_Close(&mapping);
    return true;
}

/* Returns whether an earlier run has completed the stage. */
static bool IsDone(const Try *try) {
    char path[CLI_PATH_BYTES];
    NameFile(try, "done", path);
    const bool done = Exists(path);
    if (done)
        Cli_Note(try->cli, "       done before");
    return done;
}

static int EndStage(const Try *try) {
    char path[CLI_PATH_BYTES];
    RpError error;
    if (Stop_Asked())
        return Cli_Complain("stopped; the same command goes on from here");
    NameFile(try, "done", path);
    return Output_Write(path, "", &error) ? Cli_Fail(&error) : 0;
}

static int TellTrouble(const char *verb) {
    if (Stop_Asked())
        return Cli_Complain("stopped; the same command goes on from here");
    return Cli_Complain("%s could not be done", verb);
}

/* Runs a verb and keeps what it prints as a file of the stage. An exit code that states a result of
 * the verb, such as a difference, is not a failure. */
static int RunVerb(Try *try, const char *verb, const Words *words, const char *kept) {
    char path[CLI_PATH_BYTES];
    RpBuffer output;
    RpBuffer_Init(&output, NULL);
    const int code = Cli_RunStage(try->cli, verb, words->words, &output);
    if (code == CLI_TROUBLE || Stop_Asked()) {
        RpBuffer_Free(&output);
        return TellTrouble(verb);
    }
    if (!kept) {
        RpBuffer_Free(&output);
        return 0;
    }
    NameFile(try, kept, path);
    return CliFile_Write(&output, path, RP_OK, NULL);
}

/* Returns whether a verb has written a report about a run that came to its end. */
static bool HasWholeReport(const char *path) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, NULL))
        return false;
    cJSON *report = cJSON_ParseWithLength((const char *)mapping.bytes, mapping.size);
    const bool whole = report && !cJSON_GetObjectItemCaseSensitive(report, "stopped") &&
                       !cJSON_GetObjectItemCaseSensitive(report, "error");
    cJSON_Delete(report);
    Mapping_Close(&mapping);
    return whole;
}

/* Runs a verb that writes a report to `json`. The verb complains if the original answered nothing.
 * Here this is a result like any other, because the owner of that original wants to know the
 * reason. */
static int RunAsking(Try *try, const char *verb, const Words *words, const char *json) {
    RpBuffer output;
    RpBuffer_Init(&output, NULL);
    remove(json); /* an interrupted run may have left it */
    const int code = Cli_RunStage(try->cli, verb, words->words, &output);
    RpBuffer_Free(&output);
    return Stop_Asked() || (code == CLI_TROUBLE && !HasWholeReport(json)) ? TellTrouble(verb) : 0;
}

/* ---- what the stages are --------------------------------------------------------------------- */

static int Look(Try *try) {
    Words words = {.count = 0};
    RpBuffer output;
    Begin(try, "doctor", (const char *const[]){NULL}, "whether all of this can run here");
    AddOption(&words, "--original", try->pair);
    AddOption(&words, "--replacement", Cli_Value(try->cli, "replacement", NULL));
    AddRunOptions(try, &words);
    Add(&words, "--json");
    RpBuffer_Init(&output, NULL);
    Cli_RunStage(try->cli, "doctor", words.words, &output);
    RpBuffer_Append(&output, "", 1);
    cJSON *report = output.failed ? NULL : cJSON_Parse((const char *)output.bytes);

    /* Before work that takes long, says what will make it impossible here. */
    int problems = 0;
    const cJSON *check;
    cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(report, "checks")) {
        const char *level = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(check, "level"));
        if (!level || strcmp(level, "problem") != 0)
            continue;
        const char *texts[3] = {"name", "found", "advice"};
        for (int i = 0; i < 3; i++) {
            const char *text =
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(check, texts[i]));
            texts[i] = text ? text : "";
        }
        Cli_Complain("%s: %s%s%s", texts[0], texts[1], texts[2][0] ? "; " : "", texts[2]);
        problems++;
    }
    cJSON_Delete(report);
    RpBuffer_Free(&output);
    return problems ? CLI_TROUBLE : 0;
}

static int ListExports(Try *try, char overlay[CLI_PATH_BYTES]) {
    static const char *const kept[] = {"ngi32.json", "animesh.json"};
    RpError error;
    Begin(try, "exports", (const char *const[]){NULL}, "what the two DLLs export");
    NameFile(try, "exports.overlay", overlay);
    if (IsDone(try))
        return 0;
    remove(overlay); /* an interrupted run may have left it */
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        Words words = {.count = 0};
        char path[PLACE_BYTES];
        if (Provider_Path(try->pair, (AbiModule)i, path, sizeof path, &error))
            return Cli_Fail(&error);
        Add(&words, path);
        AddOption(&words, "--output", overlay);
        Add(&words, "--json");
        if (RunVerb(try, "exports", &words, kept[i]))
            return CLI_TROUBLE;
    }
    return EndStage(try);
}

/* Copies the overlay of the stage `exports`, to which the probe adds its results. */
static int CopyFile(const char *from, const char *to) {
    Mapping mapping;
    RpError error;
    if (Mapping_Open(from, &mapping, &error))
        return Cli_Fail(&error);
    const RpStatus status = Output_WriteBytes(to, mapping.bytes, mapping.size, &error);
    Mapping_Close(&mapping);
    return status ? Cli_Fail(&error) : 0;
}

static int Probe(Try *try, char overlay[CLI_PATH_BYTES]) {
    Words words = {.count = 0};
    char exports[CLI_PATH_BYTES];
    snprintf(exports, sizeof exports, "%s", overlay);
    Begin(try, "probe", (const char *const[]){NULL}, "how their functions are called");
    NameFile(try, "probe.overlay", overlay);
    if (IsDone(try))
        return 0;
    if (CopyFile(exports, overlay))
        return CLI_TROUBLE;
    AddOption(&words, "--original", try->pair);
    AddOption(&words, "--output", overlay);
    Add(&words, "--json");
    if (RunVerb(try, "probe", &words, "probe.json"))
        return CLI_TROUBLE;
    return EndStage(try);
}

/* If the original answered nothing, there is no profile. Its name then becomes empty. */
static void TakeDefaults(const Try *try, char profile[CLI_PATH_BYTES]) {
    if (Exists(profile))
        return;
    profile[0] = 0;
    Cli_Note(try->cli, "       no reading could be found, so the default readings are taken");
}

static int Calibrate(Try *try, const char *overlay, char profile[CLI_PATH_BYTES]) {
    Words words = {.count = 0};
    char json[CLI_PATH_BYTES];
    Begin(try, "calibrate", (const char *const[]){NULL}, "which readings they follow");
    NameFile(try, "readings.profile", profile);
    NameFile(try, "calibrate.json", json);
    if (IsDone(try)) {
        TakeDefaults(try, profile);
        return 0;
    }
    AddOption(&words, "--original", try->pair);
    AddOption(&words, "--overlay", overlay);
    AddOption(&words, "--output", profile);
    AddOption(&words, "--json", json);
    remove(profile); /* an interrupted run may have left it */
    AddRunOptions(try, &words);
    if (RunAsking(try, "calibrate", &words, json))
        return CLI_TROUBLE;
    TakeDefaults(try, profile);
    return EndStage(try);
}

static void AddPair(const Try *try, Words *words, const char *overlay) {
    AddOption(words, "--original", try->pair);
    AddOption(words, "--overlay", overlay);
    AddOption(words, "--replacement", Cli_Value(try->cli, "replacement", NULL));
    AddRunOptions(try, words);
}

static int Replay(Try *try, const char *overlay, const char *profile) {
    Words words = {.count = 0};
    const Provider *ours = &try->replacement;
    char json[CLI_PATH_BYTES], page[CLI_PATH_BYTES], digest[CLI_PATH_BYTES];
    Begin(try, "replay",
          (const char *const[]){ours->sha256[0], ours->sha256[1], try->calls, try->seed, NULL},
          "every scenario, by theirs and by ours");
    NameFile(try, "replay.json", json);
    NameFile(try, "replay.html", page);
    NameFile(try, "digest.txt", digest);
    if (IsDone(try))
        return 0;
    AddPair(try, &words, overlay);
    AddOption(&words, "--profile", profile[0] ? profile : NULL);
    Add(&words, "--all-scenarios");
    AddOption(&words, "--calls", try->calls[0] ? try->calls : NULL);
    AddOption(&words, "--seed", try->seed);
    AddOption(&words, "--jobs", try->jobs);
    AddOption(&words, "--json", json);
    AddOption(&words, "--html", page);
    AddOption(&words, "--digest", digest);
    if (RunAsking(try, "replay", &words, json))
        return CLI_TROUBLE;
    return EndStage(try);
}

/* Runs `same`, which needs neither the replay nor its engine. A pair that cannot be lifted at all
 * has no verdicts; the other stages have said what it is. */
static int Lift(Try *try, const char *overlay, const char *profile) {
    Words words = {.count = 0};
    const Provider *ours = &try->replacement;
    const bool with_formulas = Cli_Has(try->cli, "with-formulas");
    char path[CLI_PATH_BYTES];
    RpBuffer output;
    Begin(try, "same",
          (const char *const[]){ours->sha256[0], ours->sha256[1], with_formulas ? "formulas" : NULL,
                                NULL},
          "which of them are the same expressions");
    NameFile(try, "paths.rptrace", try->paths);
    if (IsDone(try))
        return 0;
    Add(&words, try->pair);
    AddOption(&words, "--overlay", overlay);
    AddOption(&words, "--profile", profile[0] ? profile : NULL);
    AddOption(&words, "--replacement", Cli_Value(try->cli, "replacement", NULL));
    AddOption(&words, "--output", try->paths);
    Add(&words, "--json");
    if (with_formulas)
        Add(&words, "--formulas");
    RpBuffer_Init(&output, NULL);
    const int code = Cli_RunStage(try->cli, "same", words.words, &output);
    if (code == CLI_TROUBLE || Stop_Asked()) {
        RpBuffer_Free(&output);
        if (Stop_Asked())
            return TellTrouble("same");
        Cli_Note(try->cli, "       no formula could be read, so nothing is said about expressions");
        return EndStage(try);
    }
    NameFile(try, "same.json", path);
    return CliFile_Write(&output, path, RP_OK, NULL) ? CLI_TROUBLE : EndStage(try);
}

/* Runs some of the calls once more, and those that take all paths that were found, in the machine,
 * which alone sees which code runs. */
static int Cover(Try *try, const char *overlay, const char *profile) {
    Words words = {.count = 0};
    const Provider *ours = &try->replacement;
    char json[CLI_PATH_BYTES], calls[24];
    const unsigned long long asked = strtoull(try->calls, NULL, 10);
    snprintf(calls, sizeof calls, "%llu",
             asked > 0 && asked < MOST_COVERED ? asked : (unsigned long long)MOST_COVERED);
    Begin(try, "replay --coverage",
          (const char *const[]){ours->sha256[0], ours->sha256[1], calls, try->seed, NULL},
          "how much of their code the calls reach");
    NameFile(try, "coverage.json", json);
    if (IsDone(try))
        return 0;
    AddOption(&words, "--original", try->pair);
    AddOption(&words, "--overlay", overlay);
    AddOption(&words, "--replacement", Cli_Value(try->cli, "replacement", NULL));
    AddOption(&words, "--work", Cli_Value(try->cli, "work", NULL));
    AddOption(&words, "--engine", "machine");
    Add(&words, "--coverage");
    AddOption(&words, "--profile", profile[0] ? profile : NULL);
    Add(&words, "--all-scenarios");
    AddOption(&words, "--calls", calls);
    AddOption(&words, "--seed", try->seed);
    AddOption(&words, "--jobs", try->jobs);
    AddOption(&words, "--json", json);
    if (Exists(try->paths))
        Add(&words, try->paths);
    if (RunAsking(try, "replay", &words, json))
        return CLI_TROUBLE;
    return EndStage(try);
}

/* ---- the differing calls, as small as they can be -------------------------------------------- */

static const char *TextOf(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* Adds the smallest call that shows a difference. A call that does not show it when it is made
 * alone is left out. */
static int AddCall(Try *try, cJSON *bundle, const cJSON *difference, const char *overlay,
                   const char *profile) {
    char small[CLI_PATH_BYTES], file[96];
    const char *function = TextOf(difference, "function");
    snprintf(file, sizeof file, "%.80s.trace", function);
    NameFile(try, file, small);
    Cli_Note(try->cli, "       reducing the first differing call of %s", function);
    if (!Exists(small)) {
        /* The trace of the one call that the difference is about. */
        Words making = {.count = 0};
        char trace[CLI_PATH_BYTES], scenario[64], readings[CLI_PATH_BYTES + 1];
        const char *name = TextOf(difference, "trace"), *at = strchr(name, '@');
        const bool by_class = at && strncmp(at + 1, "cpu", 3) == 0;
        NameFile(try, "call.trace", trace);
        snprintf(scenario, sizeof scenario, "%.*s", (int)strcspn(name, "@"), name);
        snprintf(readings, sizeof readings, "@%s", profile);
        Add(&making, scenario);
        Add(&making, trace);
        AddOption(&making, "--first", TextOf(difference, "sequence"));
        AddOption(&making, "--calls", "1");
        AddOption(&making, "--seed", try->seed);
        AddOption(&making, "--readings", profile[0] ? readings : NULL);
        if (at)
            AddOption(&making, by_class ? "--force-cpu" : "--slot-build",
                      by_class ? at + 4 : at + 1);
        int code = RunVerb(try, "gen", &making, NULL);

        /* The smallest trace that still differs. */
        Words words = {.count = 0};
        Add(&words, trace);
        Add(&words, small);
        AddPair(try, &words, overlay);
        if (!code)
            code = RunVerb(try, "minimise", &words, NULL);
        remove(trace);
        if (code && Stop_Asked())
            return CLI_TROUBLE;
    }

    Mapping mapping;
    if (Mapping_Open(small, &mapping, NULL))
        return 0;
    if (mapping.size <= MOST_CALL_BYTES)
        Bundle_AddCall(bundle, function, mapping.bytes, mapping.size);
    Mapping_Close(&mapping);
    return 0;
}

static bool IsDifferent(const cJSON *bundle, const char *key) {
    const cJSON *function;
    cJSON_ArrayForEach(function, cJSON_GetObjectItemCaseSensitive(bundle, "functions")) {
        if (strcmp(TextOf(function, "key"), key) == 0)
            return Bundle_StandingOf(function) == BUNDLE_DIFFERENT;
    }
    return false;
}

/* ---- the bundle ------------------------------------------------------------------------------ */

/* Reads a whole file; null: there is none, or no name of one. The caller frees it. */
static char *ReadText(const char *path) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    if (!path || RpFile_Read(path, &text, NULL) || !RpBuffer_Append(&text, "", 1)) {
        RpBuffer_Free(&text);
        return NULL;
    }
    return (char *)text.bytes;
}

/* Reads a file that a stage has kept. */
static char *ReadKept(const char *key, const Try *try, const char *name) {
    char path[CLI_PATH_BYTES];
    snprintf(path, sizeof path, "%.3900s/%.16s-%s", try->keep, key, name);
    return ReadText(path);
}

static int WriteBundle(const Try *try, const cJSON *bundle) {
    const char *path = Cli_Value(try->cli, "output", DEFAULT_OUTPUT);
    RpBuffer text;
    RpError error;

    /* Every member of a bundle was chosen deliberately. This is one more check, for a folder's name
     * that may have come in with a game's file. */
    const char *const folders[] = {try->game, try->pair, try->keep, getenv("HOME"),
                                   getenv("USERPROFILE")};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (Bundle_NamesFolder(bundle, folders[i]))
            return Cli_Complain("the bundle would name a folder of yours, so it was not written");

    RpBuffer_Init(&text, NULL);
    const RpStatus status = Bundle_Text(bundle, &text, &error);
    const int code = CliFile_Write(&text, path, status, &error);
    if (!code)
        Cli_Note(try->cli, "wrote %s; `retropose bundle show %s` prints what is in it", path, path);
    return code;
}

/* The keys of the stages whose results a bundle is made of. */
typedef struct Keys {
    char exports[DIGEST_HEX_BYTES], probe[DIGEST_HEX_BYTES], calibrate[DIGEST_HEX_BYTES],
        replay[DIGEST_HEX_BYTES], same[DIGEST_HEX_BYTES], coverage[DIGEST_HEX_BYTES];
} Keys;

static int MakeBundle(Try *try, const Keys *keys, const char *overlay, const char *profile) {
    char system[128], version[96];
    char *texts[9] = {ReadKept(keys->exports, try, "ngi32.json"),
                      ReadKept(keys->exports, try, "animesh.json"),
                      ReadKept(keys->probe, try, "probe.json"),
                      ReadKept(keys->calibrate, try, "calibrate.json"),
                      ReadKept(keys->replay, try, "replay.json"),
                      ReadKept(keys->replay, try, "digest.txt"),
                      ReadText(Cli_Value(try->cli, "published", NULL)),
                      ReadKept(keys->same, try, "same.json"),
                      ReadKept(keys->coverage, try, "coverage.json")};
    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    snprintf(version, sizeof version, "%s", RETROPOSE_BUILT);
    const BundleSources sources = {.version = version,
                                   .system = system,
                                   .exports = {texts[0], texts[1]},
                                   .probe = texts[2],
                                   .calibrate = texts[3],
                                   .replay = texts[4],
                                   .digest = texts[5],
                                   .census = texts[6],
                                   .same = texts[7],
                                   .coverage = texts[8]};
    cJSON *bundle = NULL;
    RpError error;
    int code = Bundle_Make(&sources, &bundle, &error) ? Cli_Fail(&error) : 0;
    if (!code) {
        /* The first difference of each function that differs. */
        const cJSON *difference;
        char seen[MOST_CALLS][96];
        size_t count = 0;
        cJSON_ArrayForEach(difference, cJSON_GetObjectItemCaseSensitive(bundle, "differences")) {
            const char *key = TextOf(difference, "function");
            bool again = count == MOST_CALLS || !IsDifferent(bundle, key);
            for (size_t i = 0; i < count && !again; i++)
                again = strcmp(seen[i], key) == 0;
            if (again || code)
                continue;
            snprintf(seen[count++], sizeof *seen, "%.95s", key);
            code = AddCall(try, bundle, difference, overlay, profile);
        }
    }

    if (!code)
        code = WriteBundle(try, bundle);
    if (!code) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        Bundle_Verdict(bundle, &text);
        code = CliFile_Print(&text, RP_OK, NULL);
    }
    if (!code && Bundle_Count(bundle, BUNDLE_DIFFERENT) > 0)
        code = CLI_DIFFERENT;
    else if (!code && Bundle_Count(bundle, BUNDLE_NOT_CALLABLE) +
                              Bundle_Count(bundle, BUNDLE_PARTLY) +
                              Bundle_Count(bundle, BUNDLE_NOT_COMPARED) >
                          0)
        code = CLI_PARTIAL;
    cJSON_Delete(bundle);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* Finds where results are kept: --keep, or retropose/try in the user's cache. */
static int FindKeep(Try *try) {
    const char *given = Cli_Value(try->cli, "keep", NULL), *cache = getenv("XDG_CACHE_HOME");
    const char *local = getenv("LOCALAPPDATA"), *home = getenv("HOME");
    char file[CLI_PATH_BYTES];
    RpError error;
    if (given)
        snprintf(try->keep, sizeof try->keep, "%.3900s", given);
    else if (cache && *cache)
        snprintf(try->keep, sizeof try->keep, "%.3800s/retropose/try", cache);
    else if (local && *local)
        snprintf(try->keep, sizeof try->keep, "%.3800s/retropose/try", local);
    else if (home && *home)
        snprintf(try->keep, sizeof try->keep, "%.3800s/.cache/retropose/try", home);
    else
        return Cli_Complain("there is no folder to keep results in; name one with --keep");
    for (char *c = try->keep; *c; c++)
        if (*c == '\\')
            *c = '/';
    snprintf(file, sizeof file, "%.3900s/x", try->keep);
    return Place_MakeFolders(file, &error) ? Cli_Fail(&error) : 0;
}

static int OpenPairs(Try *try) {
    char place[PLACE_BYTES];
    RpError error;
    const char *ours = Cli_Value(try->cli, "replacement", NULL);
    if (Original_Folder(try->game, &try->pair, &error) ||
        Provider_Open(try->pair, &try->original, &error))
        return Cli_Fail(&error);
    if (try->original.kind == PROVIDER_NATIVE || try->original.kind == PROVIDER_RECORDED)
        return Cli_Complain("try needs the folder of a game");
    if (!ours && !Place_Find("replacement", place, sizeof place))
        return Cli_Complain("our DLLs are not beside this program or in RETROPOSE_HOME: name their "
                            "folder with --replacement");
    return Provider_Open(ours ? ours : place, &try->replacement, &error) ? Cli_Fail(&error) : 0;
}

static int Run(Cli *cli) {
    static Try try; /* static, because it is too large for some stacks */
    try = (Try){.cli = cli};
    if (cli->argument_count == 0)
        Config_TakeGame(cli);
    if (cli->argument_count != 1)
        return Cli_Complain("try needs the folder of the game");
    try.game = cli->arguments[0];
    if (!CliFile_CanWriteAll((const char *const[]){Cli_Value(cli, "output", DEFAULT_OUTPUT),
                                                   Cli_Value(cli, "html", NULL)},
                             2))
        return CLI_TROUBLE;

    const char *published = Cli_Value(cli, "published", NULL);
    if (published && !HasWholeReport(published))
        return Cli_Complain("%s is no report that `python3 -m retropose.census --json` has written",
                            published);

    uint64_t calls = 0, seed = 1, jobs = 1;
    if (!Cli_Number(cli, "calls", 1, UINT64_MAX, &calls) ||
        !Cli_Number(cli, "seed", 0, UINT64_MAX, &seed) || !Cli_Number(cli, "jobs", 1, 64, &jobs))
        return CLI_TROUBLE;
    if (calls > 0)
        snprintf(try.calls, sizeof try.calls, "%llu", (unsigned long long)calls);
    snprintf(try.seed, sizeof try.seed, "%llu", (unsigned long long)seed);
    snprintf(try.jobs, sizeof try.jobs, "%llu", (unsigned long long)jobs);

    if (OpenPairs(&try) || FindKeep(&try))
        return CLI_TROUBLE;

    /* The key begins with that on which every stage depends: this program and the originals. */
    snprintf(try.key, sizeof try.key, "%.30s %.30s", RETROPOSE_VERSION, RETROPOSE_REVISION);
    Digest digest;
    Digest_Begin(&digest);
    Digest_Add(&digest, try.key, strlen(try.key));
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        Digest_Add(&digest, try.original.sha256[i], strlen(try.original.sha256[i]));
    Digest_End(&digest, try.key);

    char overlay[CLI_PATH_BYTES], profile[CLI_PATH_BYTES];
    Keys keys;
    int code = Look(&try);
    if (!code)
        code = ListExports(&try, overlay);
    memcpy(keys.exports, try.key, sizeof keys.exports);
    if (!code)
        code = Probe(&try, overlay);
    memcpy(keys.probe, try.key, sizeof keys.probe);
    if (!code)
        code = Calibrate(&try, overlay, profile);
    memcpy(keys.calibrate, try.key, sizeof keys.calibrate);
    if (!code)
        code = Replay(&try, overlay, profile);
    memcpy(keys.replay, try.key, sizeof keys.replay);
    if (!code)
        code = Lift(&try, overlay, profile);
    memcpy(keys.same, try.key, sizeof keys.same);
    if (!code)
        code = Cover(&try, overlay, profile);
    memcpy(keys.coverage, try.key, sizeof keys.coverage);

    const char *page = Cli_Value(try.cli, "html", NULL);
    if (!code && page) {
        char path[CLI_PATH_BYTES];
        snprintf(path, sizeof path, "%.3900s/%.16s-replay.html", try.keep, keys.replay);
        code = CopyFile(path, page);
    }

    return code ? code : MakeBundle(&try, &keys, overlay, profile);
}

const CliVerb cli_game_try = {
    "try",
    "find out all about the originals in a game's folder, and make a bundle to send",
    "[GAME_DIR]",
    "retropose try \"C:\\Games\\Parkan\"\n"
    "retropose try GAME --html report.html -o parkan-bundle.json\n",
    {{"output", "FILE", "the bundle (default: " DEFAULT_OUTPUT ")", 'o'},
     {"html", "FILE", "write the report of the replay as a page for a browser, too", 0},
     {"published", "FILE", "a census of the game's archives, to be put into the bundle, too", 0},
     {"replacement", "DIR", "the pair under test (default: ours)", 0},
     {"calls", "N", "of all scenarios together (default: 13 million)", 0},
     {"seed", "N", "of the scenarios (default: 1)", 0},
     {"with-formulas", NULL, "put the originals' formulas into the bundle, not their digests alone",
      0},
     {"jobs", "N", "slices at a time (default: 1)", 'j'},
     {"keep", "DIR", "where results are kept, to go on from (default: in the cache)", 0},
     CLI_ENGINE,
     {"host", "FILE", "the host program of the engine (default: beside this program)", 0},
     {"wine-prefix", "DIR", "private Wine prefix (default: in the cache)", 0},
     {"work", "DIR", "where a new folder for the work is made (default: the system's)", 0}},
    Run};
