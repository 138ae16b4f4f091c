#include "cli.h"

#include "replay/nearest.h"
#include "replay/trace.h"
#include "revision.h"

#include <stdio.h>
#include <string.h>

static int UnknownVerb(const char *word) {
    Nearest nearest;
    Nearest_Init(&nearest, word);
    for (size_t i = 0; i < cli_verb_count; i++)
        Nearest_Offer(&nearest, cli_verbs[i].name);
    if (nearest.best)
        return Cli_Complain("there is no verb %s, did you mean %s?", word, nearest.best);
    return Cli_Complain("there is no verb %s; see `retropose help`", word);
}

static int PrintVersion(void) {
    printf("retropose %s (%s), reads and writes trace format %d.0 to %d.%d\n", RETROPOSE_VERSION,
           RETROPOSE_REVISION, TRACE_VERSION_MAJOR, TRACE_VERSION_MAJOR, TRACE_VERSION_MINOR);
    return CLI_EQUAL;
}

static int RunVerb(const CliVerb *verb, int count, char **words) {
    Cli cli;
    if (!Cli_Parse(&cli, verb, count, words))
        return CLI_TROUBLE;
    if (Cli_Has(&cli, "help")) {
        Help_Verb(verb);
        return CLI_EQUAL;
    }
    int code = verb->run(&cli);
    if (fflush(stdout) || ferror(stdout))
        return Cli_Complain("cannot write the standard output");
    return code;
}

int main(int count, char **words) {
    if (count < 2) {
        Help_All();
        return CLI_TROUBLE;
    }
    const char *word = words[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        Help_All();
        return CLI_EQUAL;
    }
    if (strcmp(word, "--version") == 0)
        return PrintVersion();
    const CliVerb *verb = CliVerb_Find(word);
    return verb ? RunVerb(verb, count - 2, words + 2) : UnknownVerb(word);
}
