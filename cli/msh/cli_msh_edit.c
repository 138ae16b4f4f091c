#include "retropose/msh_edit.h"

#include "cli/files.h"
#include "cli/msh/edited_model.h"
#include "cli/msh/msh_common.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = MSH_FILE_TEXT_BYTES };

typedef struct Edit {
    const Cli *cli;
    MshFile file;
    uint32_t node; /* the node for the next transforms; RP_MSH_NONE for all */
} Edit;

/* ---- values ---------------------------------------------------------------------------------- */

/* Splits "KEY=VALUE" at the first separator, or with `last` at the last one. Returns null where
 * there is none. */
static const char *Split(const char *text, char separator, bool last, char key[KEY_BYTES]) {
    const char *at = last ? strrchr(text, separator) : strchr(text, separator);
    if (!at || (size_t)(at - text) >= KEY_BYTES)
        return NULL;
    memcpy(key, text, (size_t)(at - text));
    key[at - text] = 0;
    return at + 1;
}

static bool ReadNumber(const char *text, int base, uint32_t *number) {
    char *end;
    unsigned long value = strtoul(text, &end, base);
    if (end == text || *end != 0 || text[0] == '-' || text[0] == '+' || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* Reads "NODE=VALUE". */
static RpStatus NodeAndValue(const Edit *edit, const char *option, const char *text,
                             const char *expected, uint32_t *node, const char **value,
                             RpError *error) {
    char name[KEY_BYTES];
    *value = Split(text, '=', false, name);
    return *value ? MshFile_FindNode(&edit->file, option, name, node, error)
                  : MshFile_BadValue(error, option, expected, text);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static RpStatus Rename(Edit *edit, const char *text, RpError *error) {
    char name[MSH_FILE_TEXT_BYTES];
    const char *value;
    uint32_t node;
    RpStatus status = NodeAndValue(edit, "rename-node", text, "NODE=NAME", &node, &value, error);
    if (status == RP_OK)
        status = MshFile_Text("rename-node", value, name, error);
    return status == RP_OK ? RpMshEdit_Rename(&edit->file.archive, node, name, error) : status;
}

static RpStatus Label(Edit *edit, const char *text, RpError *error) {
    char label[MSH_FILE_TEXT_BYTES];
    const char *value;
    uint32_t node;
    RpStatus status = NodeAndValue(edit, "label", text, "NODE=TEXT", &node, &value, error);
    if (status == RP_OK)
        status = MshFile_Text("label", value, label, error);
    return status == RP_OK ? RpMshEdit_SetLabel(&edit->file.archive, node, label, error) : status;
}

static RpStatus Parent(Edit *edit, const char *text, RpError *error) {
    const char *value;
    uint32_t node, parent = RP_MSH_NONE;
    RpStatus status =
        NodeAndValue(edit, "parent", text, "NODE=PARENT, or NODE=none", &node, &value, error);
    if (status == RP_OK && strcmp(value, "none") != 0)
        status = MshFile_FindNode(&edit->file, "parent", value, &parent, error);
    return status == RP_OK ? RpMshEdit_SetParent(&edit->file.archive, node, parent, error) : status;
}

static RpStatus Flags(Edit *edit, const char *text, RpError *error) {
    const char *value;
    uint32_t node, flags = 0;
    RpStatus status = NodeAndValue(edit, "flags", text, "NODE=HEX, 16 bits", &node, &value, error);
    if (status == RP_OK && !ReadNumber(value, 16, &flags))
        status = MshFile_BadValue(error, "flags", "NODE=HEX, 16 bits", text);
    return status == RP_OK ? RpMshEdit_SetFlags(&edit->file.archive, node, flags, error) : status;
}

static RpStatus Slot(Edit *edit, const char *text, RpError *error) {
    static const char expected[] = "NODE.CELL=SLOT, or NODE.CELL=none";
    char place[KEY_BYTES], name[KEY_BYTES];
    uint32_t node, cell, slot = RP_MSH_NONE;
    const char *value = Split(text, '=', true, place);
    const char *word = value ? Split(place, '.', true, name) : NULL;
    if (!word || !ReadNumber(word, 10, &cell) ||
        (strcmp(value, "none") != 0 && (!ReadNumber(value, 10, &slot) || slot >= RP_MSH_NONE)))
        return MshFile_BadValue(error, "slot", expected, text);
    RpStatus status = MshFile_FindNode(&edit->file, "slot", name, &node, error);
    return status == RP_OK ? RpMshEdit_SetSlot(&edit->file.archive, node, cell, slot, error)
                           : status;
}

/* ---- materials, streams ---------------------------------------------------------------------- */

static RpStatus Material(Edit *edit, const char *text, RpError *error) {
    char place[KEY_BYTES];
    uint32_t batch, material;
    const char *value = Split(text, '=', false, place);
    if (!value || !ReadNumber(place, 10, &batch) || !ReadNumber(value, 10, &material))
        return MshFile_BadValue(error, "material", "BATCH=N", text);
    return RpMshEdit_SetMaterial(&edit->file.archive, &edit->file.readings, batch, material, error);
}

static RpStatus DropStream(Edit *edit, const char *text, RpError *error) {
    uint32_t type;
    if (!ReadNumber(text, 10, &type))
        return MshFile_BadValue(error, "drop-stream", "the type of a stream", text);
    return RpMshEdit_DropStream(&edit->file.archive, type, error);
}

static RpStatus SetAttribute(Edit *edit, const char *text, RpError *error) {
    char place[KEY_BYTES], stream[KEY_BYTES];
    uint32_t type, which, value;
    const char *number = Split(text, '=', false, place);
    const char *word = number ? Split(place, '.', false, stream) : NULL;
    if (!word || !ReadNumber(stream, 10, &type) || !ReadNumber(word, 10, &which) || which < 1 ||
        which > 3 || !ReadNumber(number, 10, &value))
        return MshFile_BadValue(error, "set-attr", "TYPE.1=N, TYPE.2=N or TYPE.3=N", text);
    return RpMshEdit_SetAttribute(&edit->file.archive, type, which, value, error);
}

/* ---- geometry -------------------------------------------------------------------------------- */

static RpStatus Node(Edit *edit, const char *text, RpError *error) {
    edit->node = RP_MSH_NONE;
    return strcmp(text, "all") == 0
               ? RP_OK
               : MshFile_FindNode(&edit->file, "node", text, &edit->node, error);
}

static RpStatus Transform(Edit *edit, const RpMshTransform *transform, RpError *error) {
    RpNResArchive *archive = &edit->file.archive;
    return edit->node == RP_MSH_NONE
               ? RpMshEdit_TransformAll(archive, &edit->file.readings, transform, error)
               : RpMshEdit_TransformNode(archive, &edit->file.readings, edit->node, transform,
                                         error);
}

static RpStatus Translate(Edit *edit, const char *text, RpError *error) {
    RpMshTransform transform = RpMshTransform_Identity();
    if (!MshFile_Numbers(text, 3, transform.translation))
        return MshFile_BadValue(error, "translate", "X,Y,Z", text);
    return Transform(edit, &transform, error);
}

static RpStatus Scale(Edit *edit, const char *text, RpError *error) {
    RpMshTransform transform = RpMshTransform_Identity();
    if (MshFile_Numbers(text, 1, transform.scale))
        transform.scale[1] = transform.scale[2] = transform.scale[0];
    else if (!MshFile_Numbers(text, 3, transform.scale))
        return MshFile_BadValue(error, "scale", "S, or X,Y,Z", text);
    return Transform(edit, &transform, error);
}

static RpStatus Rotate(Edit *edit, const char *text, RpError *error) {
    RpMshTransform transform = RpMshTransform_Identity();
    double numbers[4];
    if (!MshFile_Numbers(text, 4, numbers))
        return MshFile_BadValue(error, "rotate", "X,Y,Z,DEGREES: an axis and an angle", text);
    RpStatus status = RpMshTransform_Turn(&transform, numbers, numbers[3], error);
    return status == RP_OK ? Transform(edit, &transform, error) : status;
}

static RpStatus UpdateBounds(Edit *edit, const char *text, RpError *error) {
    (void)text;
    return RpMsh_UpdateBounds(&edit->file.archive, &edit->file.readings, error);
}

static RpStatus UpdateTriangles(Edit *edit, const char *text, RpError *error) {
    (void)text;
    return RpMsh_UpdateTriangles(&edit->file.archive, error);
}

/* ---- the verb -------------------------------------------------------------------------------- */

typedef struct Step {
    const char *option;
    RpStatus (*take)(Edit *edit, const char *text, RpError *error);
} Step;

static const Step steps[] = {{"rename-node", Rename},
                             {"label", Label},
                             {"parent", Parent},
                             {"flags", Flags},
                             {"slot", Slot},
                             {"material", Material},
                             {"drop-stream", DropStream},
                             {"set-attr", SetAttribute},
                             {"node", Node},
                             {"translate", Translate},
                             {"scale", Scale},
                             {"rotate", Rotate},
                             {"update-bounds", UpdateBounds},
                             {"update-triangles", UpdateTriangles}};

static int RunEdit(Cli *cli) {
    Edit edit = {.cli = cli, .node = RP_MSH_NONE};
    char path[MODEL_SOURCE_NAME_BYTES];
    RpError error;
    int code = CLI_TROUBLE, taken = 0;
    if (MshFile_Open(&edit.file, cli)) {
        /* The steps are executed in the order of the command line. */
        RpStatus status = RP_OK;
        for (size_t i = 0; status == RP_OK && i < cli->given_count; i++) {
            const CliGiven *given = &cli->given[i];
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
                if (strcmp(given->option->name, steps[s].option) == 0) {
                    status = steps[s].take(&edit, given->value, &error);
                    taken++;
                }
        }
        if (status != RP_OK) {
            ModelSource_Locate(&edit.file.source, &error);
            code = Cli_Fail(&error);
        } else if (taken == 0) {
            code = Cli_Complain("nothing to edit; see `retropose help msh edit`");
        } else if (MshFile_Output(&edit.file, cli, path, sizeof path)) {
            EditReport report = {.output = path};
            code = MshFile_Finish(&edit.file, cli, &report);
        }
    }
    MshFile_Close(&edit.file);
    return code;
}

const CliVerb cli_msh_edit = {
    "msh edit",
    "change a model; what follows from a change is recomputed, the rest stays",
    "FILE[::MEMBER]",
    "retropose msh edit hero.msh --rename-node B_Up=Body --label Body=central -o new.msh\n"
    "retropose msh edit parts.rlb::R_H_02.msh --node LA_Up --rotate 0,0,1,90\n"
    "retropose msh edit hero.msh --scale 2 --update-triangles\n",
    {CLI_OUTPUT_EDITED,
     CLI_MSH_BACKUP,
     {"rename-node", "NODE=NAME", "Res9; NODE is a name, or # and a number, everywhere", 0},
     {"label", "NODE=TEXT", "Res10; no TEXT takes the label away", 0},
     {"parent", "NODE=PARENT", "a node before this one, or none", 0},
     {"flags", "NODE=HEX", "all 16 bits", 0},
     {"slot", "NODE.CELL=SLOT", "which slot a node shows in cell 0 to 14, or none", 0},
     {"material", "BATCH=N", "where the readings have it", 0},
     {"node", "NODE|all", "what the transforms that follow act on (default: all)", 0},
     {"translate", "X,Y,Z", "in the node's own space; of all, in the root's", 0},
     {"scale", "S|X,Y,Z", "of all: one number", 0},
     {"rotate", "X,Y,Z,DEGREES", "about an axis through the origin", 0},
     {"update-bounds", NULL, "boxes and spheres of all slots, and the header", 0},
     {"update-triangles", NULL, "face normals and neighbours of all triangles", 0},
     {"drop-stream", "TYPE", "take a stream out", 0},
     {"set-attr", "TYPE.N=VALUE", "attribute 1 to 3 of a stream's directory record", 0},
     CLI_MSH_READINGS,
     CLI_JSON_WRITTEN},
    RunEdit};
