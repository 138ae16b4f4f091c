#include "cli/cli.h"

int Verb_GenCorpus(Cli *cli);

static const CliVerb corpus = {
    "gen corpus",
    "make models and libraries with the numbers of the game's own",
    "DIR",
    "retropose gen corpus corpus\n"
    "retropose gen corpus corpus --variants --libraries --readings drawn\n"
    "retropose gen corpus --list\n",
    {{"models", "N", "so many models, the first ones (default: all 435)", 0},
     {"variants", NULL, "what no file of the game does, too, one model for each rule", 0},
     {"libraries", NULL, "the models in ten NRes libraries, and an RsLi library, too", 0},
     {"seed", "N", "of shapes and shares; totals do not change (default: 1)", 0},
     {"readings", "LIST", "what the models mean: key-order=wxyz,... or drawn (docs/formats/msh.md)",
      0},
     {"list", NULL, "name everything and write nothing", 0},
     {"json", NULL, "the manifest on standard output, too", 0}},
    Verb_GenCorpus};

const CliVerb *const cli_gen_verbs[] = {&corpus, NULL};
