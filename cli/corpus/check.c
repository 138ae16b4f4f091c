#include "cli/files.h"
#include "core/files/file_ops.h"
#include "core/files/inputs.h"
#include "core/json/json_text.h"
#include "formats/census/census.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FOLDERS = 4096 };

typedef struct Walk {
    const Cli *cli;
    Census *census;
    FileIdentity visited[MOST_FOLDERS]; /* links may lead in a circle */
    size_t visited_count;
    uint64_t files;
    RpStatus status;
    RpError *error;
} Walk;

/* ---- the files ------------------------------------------------------------------------------- */

typedef struct Names {
    char (*names)[FILES_NAME_BYTES];
    size_t count, room;
    bool failed;
} Names;

static void KeepName(void *context, const char *name) {
    Names *names = context;
    if (names->failed || strlen(name) >= FILES_NAME_BYTES)
        return;
    if (names->count == names->room) {
        const size_t room = names->room ? 2 * names->room : 64;
        void *grown = realloc(names->names, room * sizeof *names->names);
        names->failed = !grown;
        if (!grown)
            return;
        names->names = grown;
        names->room = room;
    }
    strcpy(names->names[names->count++], name);
}

static int CompareNames(const void *a, const void *b) {
    return strcmp(a, b);
}

static bool IsNew(Walk *walk, const char *path) {
    FileIdentity identity;
    if (!FileIdentity_OfFolder(path, &identity) || walk->visited_count == MOST_FOLDERS)
        return false;
    for (size_t i = 0; i < walk->visited_count; i++)
        if (FileIdentity_Equal(walk->visited[i], identity))
            return false;
    walk->visited[walk->visited_count++] = identity;
    return true;
}

static void TakeFolder(Walk *walk, const char *path);

static void TakeFile(Walk *walk, const char *path, const char *name) {
    Mapping mapping;
    if (Mapping_Open(path, &mapping, walk->error)) {
        Cli_Fail(walk->error); /* the others are still worth counting */
        return;
    }
    walk->files++;
    walk->status = Census_AddFile(walk->census, name, mapping.bytes, mapping.size, walk->error);
    Mapping_Close(&mapping);
}

static void TakeEntry(Walk *walk, const char *folder, const char *name) {
    char path[FILES_PATH_BYTES];
    struct stat facts;
    if (!Files_Join(folder, name, path) || stat(path, &facts))
        return;
    if ((facts.st_mode & S_IFMT) == S_IFDIR)
        TakeFolder(walk, path);
    else if ((facts.st_mode & S_IFMT) == S_IFREG)
        TakeFile(walk, path, name);
}

static void TakeFolder(Walk *walk, const char *path) {
    Names names = {.names = NULL};
    if (!IsNew(walk, path))
        return;
    walk->status = FileOps_System.list(FileOps_System.context, path, KeepName, &names, walk->error);
    if (names.failed)
        walk->status = RpMemory_Refused(walk->error, path);
    if (names.count > 0)
        qsort(names.names, names.count, sizeof *names.names, CompareNames);
    for (size_t i = 0; i < names.count && walk->status == RP_OK; i++)
        TakeEntry(walk, path, names.names[i]);
    free(names.names);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static const char *const verdicts[] = {"ok", "DIFFERS", "not checked"};

static void PrintRow(const CensusRow *row, RpBuffer *text) {
    RpBuffer_Print(text, "%-11s  %-5s %s\n", verdicts[row->verdict], row->id, row->what);
    if (row->verdict == CENSUS_OK)
        RpBuffer_Print(text, "%-19s%s", "", row->found);
    else if (row->verdict == CENSUS_DIFFERS)
        RpBuffer_Print(text, "%-19sfound %s, expected %s", "", row->found, row->expected);
    else
        RpBuffer_Print(text, "%-19s%s; expected %s", "", row->why, row->expected);
    RpBuffer_Print(text, "%s%s%s\n", row->source[0] ? "  [" : "", row->source,
                   row->source[0] ? "]" : "");
}

static void PrintRows(const Walk *walk, RpBuffer *text) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(walk->census, i, &row);
        counts[row.verdict]++;
        PrintRow(&row, text);
    }
    RpBuffer_Print(text,
                   "part %u, %llu files: %zu of %zu numbers as published, %zu not, %zu not "
                   "checked\n",
                   (unsigned)Census_Part(walk->census), (unsigned long long)walk->files,
                   counts[CENSUS_OK], Census_RowCount(), counts[CENSUS_DIFFERS],
                   counts[CENSUS_NOT_CHECKED]);
}

static RpStatus AddJson(const Walk *walk, RpBuffer *text, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "retropose corpus check 1");
    cJSON_AddNumberToObject(root, "part", Census_Part(walk->census));
    cJSON_AddNumberToObject(root, "files", (double)walk->files);
    cJSON *list = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(walk->census, i, &row);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "id", row.id);
        cJSON_AddStringToObject(object, "what", row.what);
        cJSON_AddStringToObject(object, "source", row.source);
        cJSON_AddStringToObject(object, "expected", row.expected);
        cJSON_AddStringToObject(object, "found", row.found);
        cJSON_AddStringToObject(object, "verdict", verdicts[row.verdict]);
        if (row.why[0])
            cJSON_AddStringToObject(object, "why", row.why);
        cJSON_AddItemToArray(list, object);
    }
    return JsonText_End(root, true, "a census", text, error);
}

static bool AnyDiffers(const Census *census) {
    bool any = false;
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(census, i, &row);
        any |= row.verdict == CENSUS_DIFFERS;
    }
    return any;
}

static int Tell(const Walk *walk) {
    RpBuffer text;
    RpError error;
    RpStatus status = RP_OK;
    RpBuffer_Init(&text, NULL);
    if (Cli_Has(walk->cli, "json"))
        status = AddJson(walk, &text, &error);
    else
        PrintRows(walk, &text);
    const int code = CliFile_Print(&text, status, &error);
    if (code)
        return code;
    return AnyDiffers(walk->census) ? CLI_DIFFERENT : CLI_EQUAL;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    RpReadings readings;
    RpError error = {.status = RP_OK};
    int code = CLI_TROUBLE;
    if (cli->argument_count != 1)
        return Cli_Complain("corpus check needs the folder of a game, or of a corpus");
    const char *list = Cli_Value(cli, "readings", "drawn");
    const char *digest = Cli_Value(cli, "digest", "");
    if (digest[0] && strcmp(digest, "fparkan") != 0)
        return Cli_Complain("--digest knows fparkan's only, not %s", digest);
    if (RpReadings_Parse(&readings, RP_READS_FILES, list, &error))
        return Cli_Fail(&error);
    Walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return Cli_Complain("out of memory");
    walk->cli = cli;
    walk->error = &error;
    walk->status = Census_New(&readings, &walk->census, &error);
    if (walk->status == RP_OK && digest[0])
        Census_AskForDigest(walk->census);
    if (walk->status == RP_OK)
        TakeFolder(walk, cli->arguments[0]);
    if (walk->status)
        Cli_Fail(&error);
    else if (walk->files == 0)
        Cli_Complain("%s has no files", cli->arguments[0]);
    else
        code = Tell(walk);
    Census_Free(walk->census);
    free(walk);
    return code;
}

static const CliVerb check = {
    "corpus check",
    "count and measure a game's files, and compare with what was published about them",
    "DIR",
    "retropose corpus check game\n"
    "retropose corpus check game --digest fparkan --json\n",
    {{"readings", "LIST", "by which models are read (default: drawn, as those who published did)",
      0},
     {"digest", "WHOSE", "fparkan: compare the digest that this project made of its own poses, too",
      0},
     CLI_JSON},
    Run};

const CliVerb *const cli_corpus_verbs[] = {&check, NULL};
