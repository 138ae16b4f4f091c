/* The verbs of archives, once for each kind. */
#include "cli/archive/archive_common.h"

/* ---- nres ------------------------------------------------------------------------------------ */

static const CliVerb nres_ls = {
    "nres ls",
    "list the members of an archive",
    "ARCHIVE[::MEMBER]",
    "retropose nres ls static.rlb\n"
    "retropose nres ls parts.rlb::R_H_02.msh\n",
    {{"recursive", NULL, "also the members of archives within", 'r'}, CLI_JSON},
    ArchiveVerb_List};

static const CliVerb nres_info = {
    "nres info",         "sum up an archive: sizes, types, regions, layout",
    "ARCHIVE[::MEMBER]", NULL,
    {CLI_JSON},          ArchiveVerb_Info};

static const CliVerb nres_check = {
    "nres check",
    "report what is wrong or odd (docs/formats/nres.md lists the rules)",
    "ARCHIVE[::MEMBER]...",
    "retropose nres check --recursive *.rlb\n",
    {{"recursive", NULL, "also archives within", 'r'}, CLI_CHECK_OPTIONS},
    ArchiveVerb_Check};

static const CliVerb nres_extract = {
    "nres extract",
    "write members into files",
    "ARCHIVE[::MEMBER] [NAME|#INDEX...]",
    "retropose nres extract parts.rlb R_H_02.msh \"#12\" --output out\n"
    "retropose nres extract static.rlb --all --output static\n",
    {{"all", NULL, "every member, and a manifest for `nres pack`", 'a'},
     CLI_OUTPUT_FOLDER,
     {"json", NULL, "print the names of the files as one JSON object", 0}},
    ArchiveVerb_Extract};

static const CliVerb nres_pack = {
    "nres pack",
    "make an archive of what `nres extract --all` wrote, or of files",
    "FOLDER|MANIFEST [ARCHIVE]",
    "retropose nres pack static new.rlb\n"
    "retropose nres pack out two.rlb --type MESH\n",
    {{"type", "TYPE", "every file of the folder, in order of names, as this type", 0},
     CLI_OUTPUT,
     CLI_LAYOUT("the manifest's"),
     CLI_JSON_WRITTEN},
    ArchiveVerb_Pack};

static const CliVerb nres_edit = {
    "nres edit",
    "change an archive: operations in the order given",
    "ARCHIVE",
    "retropose nres edit parts.rlb --replace R_H_02.msh=out/R_H_02.msh --backup\n"
    "retropose nres edit parts.rlb --remove \"#3\" --set R_H_02.msh.attr1=5 --sort type+name -o "
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
    ArchiveVerb_Edit};

static const CliVerb nres_diff = {"nres diff",
                                  "compare two archives member by member",
                                  "A[::MEMBER] B[::MEMBER]",
                                  NULL,
                                  {CLI_JSON},
                                  ArchiveVerb_Diff};

static const CliVerb nres_dump = {
    "nres dump",
    "write a whole archive as JSON text, with payloads in hex",
    "ARCHIVE[::MEMBER] [TEXT]",
    "retropose nres dump parts.rlb::R_H_02.msh -o hero.json\n",
    {CLI_OUTPUT_TEXT, {"files", "DIR", "payloads in files beside it, as `nres extract --all`", 0}},
    ArchiveVerb_Dump};

static const CliVerb nres_assemble = {"nres assemble",
                                      "make the archive of such a text, byte for byte",
                                      "TEXT [ARCHIVE]",
                                      "retropose nres assemble hero.json hero.msh\n",
                                      {CLI_OUTPUT, CLI_LAYOUT("the text's"), CLI_JSON_WRITTEN},
                                      ArchiveVerb_Assemble};

const CliVerb *const cli_nres_verbs[] = {&nres_ls,       &nres_info, &nres_check, &nres_extract,
                                         &nres_pack,     &nres_edit, &nres_diff,  &nres_dump,
                                         &nres_assemble, NULL};

/* ---- rsli ------------------------------------------------------------------------------------ */

#define TRAILER                                                                                    \
    { "no-trailer", NULL, "take no AO trailer, as rsOpenLib without flag 2", 0 }

static const CliVerb rsli_ls = {"rsli ls",           "list the entries of a library",
                                "LIBRARY",           "retropose rsli ls methods.lib\n",
                                {TRAILER, CLI_JSON}, ArchiveVerb_List};

static const CliVerb rsli_info = {
    "rsli info",         "sum up a library: sizes, methods, sort map, findings",
    "LIBRARY",           NULL,
    {TRAILER, CLI_JSON}, ArchiveVerb_Info};

static const CliVerb rsli_check = {
    "rsli check",
    "report what is wrong or odd (docs/formats/rsli.md lists the rules)",
    "LIBRARY...",
    "retropose rsli check --least warning methods.lib\n",
    {CLI_CHECK_OPTIONS, TRAILER},
    ArchiveVerb_Check};

static const CliVerb rsli_extract = {
    "rsli extract",
    "write entries into files, unpacked",
    "LIBRARY [NAME|#INDEX...]",
    "retropose rsli extract methods.lib text.txt \"#2\" --output out\n"
    "retropose rsli extract methods.lib --all --output methods\n",
    {{"all", NULL, "every entry, and what `rsli pack` needs to make the library again", 'a'},
     {"packed", NULL, "as they are in the library", 0},
     CLI_OUTPUT_FOLDER,
     TRAILER,
     {"json", NULL, "print the names of the files as one JSON object", 0}},
    ArchiveVerb_Extract};

static const CliVerb rsli_pack = {
    "rsli pack",
    "make a library of what `rsli extract --all` wrote, or of files",
    "FOLDER|MANIFEST [LIBRARY]",
    "retropose rsli pack methods new.lib\n"
    "retropose rsli pack out packed.lib --method lzss\n",
    {{"method", "METHOD", "every file of the folder, in order of names, by " ARCHIVE_RSLI_METHODS,
      0},
     CLI_OUTPUT,
     CLI_LAYOUT("the manifest's"),
     CLI_JSON_WRITTEN},
    ArchiveVerb_Pack};

static const CliVerb rsli_edit = {
    "rsli edit",
    "change a library: operations in the order given",
    "LIBRARY",
    "retropose rsli edit methods.lib --replace text.txt=out/TEXT.TXT --rename runs_x.bin=x "
    "--backup\n"
    "retropose rsli edit methods.lib --method huffman --repack \"#3\" --add out/TEXT.TXT:y -o "
    "my.lib\n",
    {{"method", "METHOD", "for the operations that follow: " ARCHIVE_RSLI_METHODS, 0},
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
    ArchiveVerb_Edit};

static const CliVerb rsli_diff = {
    "rsli diff",     "compare two libraries entry by entry", "A B", NULL, {TRAILER, CLI_JSON},
    ArchiveVerb_Diff};

static const CliVerb rsli_dump = {
    "rsli dump",
    "write a whole library as JSON text, with packed payloads in hex",
    "LIBRARY [TEXT]",
    "retropose rsli dump methods.lib -o methods.json\n",
    {CLI_OUTPUT_TEXT,
     {"files", "DIR", "payloads in files beside it, as `rsli extract --all`", 0},
     TRAILER},
    ArchiveVerb_Dump};

static const CliVerb rsli_assemble = {"rsli assemble",
                                      "make the library of such a text, byte for byte",
                                      "TEXT [LIBRARY]",
                                      "retropose rsli assemble methods.json methods.lib\n",
                                      {CLI_OUTPUT, CLI_LAYOUT("the text's"), CLI_JSON_WRITTEN},
                                      ArchiveVerb_Assemble};

const CliVerb *const cli_rsli_verbs[] = {&rsli_ls,       &rsli_info, &rsli_check, &rsli_extract,
                                         &rsli_pack,     &rsli_edit, &rsli_diff,  &rsli_dump,
                                         &rsli_assemble, NULL};
