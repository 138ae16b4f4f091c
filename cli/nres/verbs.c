#include "cli/findings.h"
#include "cli/nres/nres.h"

static const CliVerb ls = {
    "nres ls",
    "list the members of an archive",
    "ARCHIVE[::MEMBER]",
    "retropose nres ls static.rlb\n"
    "retropose nres ls parts.rlb::R_H_02.msh\n",
    {{"recursive", NULL, "also the members of archives within", 'r'}, CLI_JSON},
    Verb_NResLs};

static const CliVerb info = {
    "nres info",         "sum up an archive: sizes, types, regions, layout",
    "ARCHIVE[::MEMBER]", NULL,
    {CLI_JSON},          Verb_NResInfo};

static const CliVerb check = {"nres check",
                              "report what is wrong or odd (docs/formats/nres.md lists the rules)",
                              "ARCHIVE[::MEMBER]...",
                              "retropose nres check --recursive *.rlb\n",
                              {{"recursive", NULL, "also archives within", 'r'}, CLI_CHECK_OPTIONS},
                              Verb_NResCheck};

static const CliVerb extract = {"nres extract",
                                "write members into files",
                                "ARCHIVE[::MEMBER] [NAME|#INDEX...]",
                                "retropose nres extract parts.rlb R_H_02.msh '#12' --output out\n"
                                "retropose nres extract static.rlb --all --output static\n",
                                {{"all", NULL, "every member, and a manifest for `nres pack`", 'a'},
                                 CLI_OUTPUT_FOLDER,
                                 {"json", NULL, "name the files as one JSON object", 0}},
                                Verb_NResExtract};

static const CliVerb pack = {
    "nres pack",
    "make an archive of what `nres extract --all` wrote, or of files",
    "FOLDER|MANIFEST [ARCHIVE]",
    "retropose nres pack static new.rlb\n"
    "retropose nres pack out two.rlb --type MESH\n",
    {{"type", "TYPE", "every file of the folder, in order of names, as this type", 0},
     CLI_OUTPUT,
     CLI_LAYOUT("the manifest's"),
     CLI_JSON_WRITTEN},
    Verb_NResPack};

static const CliVerb edit = {
    "nres edit",
    "change an archive: operations in the order given",
    "ARCHIVE",
    "retropose nres edit parts.rlb --replace R_H_02.msh=out/R_H_02.msh --backup\n"
    "retropose nres edit parts.rlb --remove '#3' --set R_H_02.msh.attr1=5 --sort type+name -o "
    "my.rlb\n",
    {{"add", "FILE[:NAME]", "a new member at the end, of type 0", 0},
     {"replace", "MEMBER=FILE", "a new payload", 0},
     {"remove", "MEMBER", "by name, the first of equal ones, or #INDEX", 0},
     {"rename", "MEMBER=NAME", "up to 35 characters", 0},
     {"move", "MEMBER=POSITION", "to another place in the directory", 0},
     {"set", "MEMBER.FIELD=VALUE", "type (MESH or a number), attr1, attr2 or attr3", 0},
     {"sort", "MODE", "none, attr1, type+name, ... or 0 to 11 (docs/formats/nres.md)", 0},
     CLI_LAYOUT("preserving"),
     CLI_OUTPUT_EDITED,
     {"backup", NULL, "keep the archive as ARCHIVE.bak; refused where that exists", 0},
     CLI_JSON_WRITTEN},
    Verb_NResEdit};

static const CliVerb diff = {"nres diff",
                             "compare two archives member by member",
                             "A[::MEMBER] B[::MEMBER]",
                             NULL,
                             {CLI_JSON},
                             Verb_NResDiff};

static const CliVerb dump = {
    "nres dump",
    "write a whole archive as JSON text, with payloads in hex",
    "ARCHIVE[::MEMBER] [TEXT]",
    "retropose nres dump parts.rlb::R_H_02.msh -o hero.json\n",
    {CLI_OUTPUT_TEXT, {"files", "DIR", "payloads in files beside it, as `nres extract --all`", 0}},
    Verb_NResDump};

static const CliVerb assemble = {"nres assemble",
                                 "make the archive of such a text, byte for byte",
                                 "TEXT [ARCHIVE]",
                                 "retropose nres assemble hero.json hero.msh\n",
                                 {CLI_OUTPUT, CLI_LAYOUT("the text's"), CLI_JSON_WRITTEN},
                                 Verb_NResAssemble};

const CliVerb *const cli_nres_verbs[] = {&ls,   &info, &check, &extract,  &pack,
                                         &edit, &diff, &dump,  &assemble, NULL};
