#include "cli/findings.h"
#include "cli/rsli/rsli.h"

#define TRAILER                                                                                    \
    { "no-trailer", NULL, "take no AO trailer, as rsOpenLib without flag 2", 0 }

static const CliVerb ls = {"rsli ls",           "list the entries of a library",
                           "LIBRARY",           "retropose rsli ls methods.lib\n",
                           {TRAILER, CLI_JSON}, Verb_RsLiLs};

static const CliVerb info = {
    "rsli info",         "sum up a library: sizes, methods, sort map, findings",
    "LIBRARY",           NULL,
    {TRAILER, CLI_JSON}, Verb_RsLiInfo};

static const CliVerb check = {"rsli check",
                              "report what is wrong or odd (docs/formats/rsli.md lists the rules)",
                              "LIBRARY...",
                              "retropose rsli check --least warning methods.lib\n",
                              {CLI_CHECK_OPTIONS, TRAILER},
                              Verb_RsLiCheck};

static const CliVerb extract = {
    "rsli extract",
    "write entries into files, unpacked",
    "LIBRARY [NAME|#INDEX...]",
    "retropose rsli extract methods.lib text.txt '#2' --output out\n"
    "retropose rsli extract methods.lib --all --output methods\n",
    {{"all", NULL, "every entry, and what `rsli pack` needs to make the library again", 'a'},
     {"packed", NULL, "as they are in the library", 0},
     CLI_OUTPUT_FOLDER,
     TRAILER,
     {"json", NULL, "name the files as one JSON object", 0}},
    Verb_RsLiExtract};

static const CliVerb pack = {
    "rsli pack",
    "make a library of what `rsli extract --all` wrote, or of files",
    "FOLDER|MANIFEST [LIBRARY]",
    "retropose rsli pack methods new.lib\n"
    "retropose rsli pack out packed.lib --method lzss\n",
    {{"method", "METHOD", "every file of the folder, in order of names, by " RSLI_METHODS, 0},
     CLI_OUTPUT,
     CLI_LAYOUT("the manifest's"),
     CLI_JSON_WRITTEN},
    Verb_RsLiPack};

static const CliVerb edit = {
    "rsli edit",
    "change a library: operations in the order given",
    "LIBRARY",
    "retropose rsli edit methods.lib --replace text.txt=out/TEXT.TXT --rename runs_x.bin=x "
    "--backup\n"
    "retropose rsli edit methods.lib --method huffman --repack '#3' --add out/TEXT.TXT:y -o "
    "my.lib\n",
    {{"method", "METHOD", "for the operations that follow: " RSLI_METHODS, 0},
     {"add", "FILE[:NAME]", "a new entry at the end (deflate, unless --method)", 0},
     {"replace", "ENTRY=FILE", "other contents (by the old method, unless --method)", 0},
     {"remove", "ENTRY", "by name, the first of equal ones, or #INDEX", 0},
     {"rename", "ENTRY=NAME", "up to 12 characters; keys and sort map follow", 0},
     {"move", "ENTRY=POSITION", "to another place in the table", 0},
     {"repack", "ENTRY", "the same contents, by --method", 0},
     CLI_LAYOUT("preserving"),
     CLI_OUTPUT_EDITED,
     {"backup", NULL, "keep the library as LIBRARY.bak; refused where that exists", 0},
     TRAILER,
     CLI_JSON_WRITTEN},
    Verb_RsLiEdit};

static const CliVerb diff = {
    "rsli diff",  "compare two libraries entry by entry", "A B", NULL, {TRAILER, CLI_JSON},
    Verb_RsLiDiff};

static const CliVerb dump = {
    "rsli dump",
    "write a whole library as JSON text, with packed payloads in hex",
    "LIBRARY [TEXT]",
    "retropose rsli dump methods.lib -o methods.json\n",
    {CLI_OUTPUT_TEXT,
     {"files", "DIR", "payloads in files beside it, as `rsli extract --all`", 0},
     TRAILER},
    Verb_RsLiDump};

static const CliVerb assemble = {"rsli assemble",
                                 "make the library of such a text, byte for byte",
                                 "TEXT [LIBRARY]",
                                 "retropose rsli assemble methods.json methods.lib\n",
                                 {CLI_OUTPUT, CLI_LAYOUT("the text's"), CLI_JSON_WRITTEN},
                                 Verb_RsLiAssemble};

const CliVerb *const cli_rsli_verbs[] = {&ls,   &info, &check, &extract,  &pack,
                                         &edit, &diff, &dump,  &assemble, NULL};
