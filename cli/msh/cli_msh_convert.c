/* Converts models to glTF, GLB or OBJ, and glTF or GLB to models. The names decide the
 * direction. */
#include "cli/cli_readings.h"
#include "cli/msh/msh_common.h"
#include "exports/reading_table.h"

#include "cli/progress.h"
#include "core/files/input_budget.h"
#include "core/files/output.h"
#include "core/json/json_text.h"
#include "core/text/encoding.h"
#include "core/text/windows_names.h"
#include "formats/msh/file/model_pack.h"
#include "retropose/msh_check.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum Form { FORM_MSH, FORM_GLB, FORM_GLTF, FORM_OBJ, FORM_UNKNOWN } Form;
static const char *const suffixes[] = {".msh", ".glb", ".gltf", ".obj"};

/* The same note about several places is printed once. */
typedef struct Said {
    char rule[8], what[sizeof((RpFinding *)NULL)->what], places[160];
    uint32_t count;
} Said;

typedef struct Convert {
    Cli *cli;
    const char *output;
    bool directory; /* the output is a folder */
    Form form;      /* form of the output, or of the files in the folder */
    bool automatic; /* the readings are chosen for each model by its own numbers */
    RpGltfExportOptions export;
    RpGltfImportOptions import;
    RpObjOptions obj;
    cJSON *results; /* null without --json */
    cJSON *notes;   /* about the current file, with --json */
    RpBuffer said;  /* elements of type Said, about the current file */
    const char *name;
    /* names used in the folder so far, without endings, in small letters, a line for each */
    RpBuffer taken;
    InputBudget budget; /* for the current glTF file */
    Progress progress;
    uint32_t done, total;
    int code;
} Convert;

/* ---- names ----------------------------------------------------------------------------------- */

static bool EndsIn(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    if (length < end)
        return false;
    for (size_t i = 0; i < end; i++)
        if (tolower((unsigned char)name[length - end + i]) != suffix[i])
            return false;
    return true;
}

static Form FormOf(const char *name) {
    for (int i = 0; i < FORM_UNKNOWN; i++)
        if (EndsIn(name, suffixes[i]))
            return (Form)i;
    return FORM_UNKNOWN;
}

/* Gives the part of a name between the last separator and the last dot: "b" for "a.rlb::b.msh". */
static void Stem(const char *name, char *stem, size_t size) {
    const char *start = ModelPack_NameOf(name);
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    snprintf(stem, size, "%.*s", (int)(length < size ? length : size - 1), start);
}

static bool IsStandard(const Convert *convert) {
    return strcmp(convert->output, "-") == 0;
}

static void OutputPath(Convert *convert, const char *name, char *path, size_t size) {
    char own[256], stem[256 + 13];
    Stem(name, own, sizeof own);
    if (!convert->directory) {
        snprintf(path, size, "%s", convert->output);
        return;
    }
    snprintf(stem, sizeof stem, "%s%s", WindowsName_IsReserved(own) ? "_" : "", own);
    /* Windows does not allow some characters in names, and an OBJ's materials have no blanks. */
    for (char *c = stem; *c; c++)
        if (strchr(convert->form == FORM_OBJ ? "<>\"|?* \t" : "<>\"|?*", *c))
            *c = '_';

    /* Several models may have the same name, in one library or in several, and names may differ
     * only in their case. So that no file of the folder is written twice, they become "hero",
     * "hero~2" and so on. */
    RpBuffer *taken = &convert->taken;
    char small[280];
    const size_t base = strlen(stem);
    for (unsigned number = 2;; number++) {
        snprintf(small, sizeof small, "\n%s\n", stem);
        Text1251_Fold(small);
        if (taken->size == 0 || !strstr((const char *)taken->bytes, small))
            break;
        snprintf(stem + base, sizeof stem - base, "~%u", number);
    }
    if (taken->size > 0)
        taken->size--; /* drops the NUL */
    RpBuffer_Append(taken, small, strlen(small) + 1);
    const size_t length = strlen(convert->output);
    bool closed = length > 0 && strchr("/\\", convert->output[length - 1]);
    snprintf(path, size, "%s%s%s%s", convert->output, closed ? "" : "/", stem,
             suffixes[convert->form]);
}

/* ---- options --------------------------------------------------------------------------------- */

/* Reads "all", or numbers from 0 to 14 separated by commas. 1.2 stands for 7. */
static bool TakeCells(Convert *convert) {
    const char *text = Cli_Value(convert->cli, "cells", "all"), *at = text;
    static const char expected[] = "all, or cells 0 to 14 or 0.0 to 2.4 with commas";
    if (strcmp(text, "all") == 0)
        return true;
    convert->export.cells = 0;
    for (uint32_t count = 0;; count++) {
        char *end;
        unsigned long cell = strtoul(at, &end, 10), inner = 0;
        if (end == at || !isdigit((unsigned char)*at))
            return CliMsh_Refuse("cells", expected, text);
        if (*end == '.') {
            at = end + 1;
            inner = strtoul(at, &end, 10);
            cell = inner < 5 && end > at ? cell * 5 + inner : 99;
        }
        if (cell > 14 || (*end && *end != ','))
            return CliMsh_Refuse("cells", expected, text);
        if (count == 0)
            convert->obj.cell = (uint32_t)cell;
        convert->export.cells |= 1u << cell;
        if (!*end)
            return true;
        at = end + 1;
    }
}

static bool TakeOptions(Convert *convert) {
    const Cli *cli = convert->cli;
    const char *fps = Cli_Value(cli, "fps", NULL), *frame = Cli_Value(cli, "frame", NULL);
    uint64_t samples = 1;
    char *end;
    convert->export = RpGltfExportOptions_Default();
    convert->import = RpGltfImportOptions_Default();
    convert->obj = RpObjOptions_Default();
    convert->export.animation = !Cli_Has(cli, "no-animation");
    convert->export.restore = !Cli_Has(cli, "no-restore");
    convert->import.ignore_restore = !convert->export.restore;
    convert->import.ignore_animation = !convert->export.animation;
    convert->import.animation = Cli_Value(cli, "animation", NULL);

    convert->automatic = CliMsh_ReadingsAreAuto(cli);
    if (!convert->automatic) {
        if (!CliMsh_Readings(cli, &convert->export.readings))
            return false;
        convert->import.readings = convert->export.readings;
        convert->import.use_readings = true;
        convert->obj.readings = convert->export.readings;
    }

    if (fps) {
        double number = strtod(fps, &end);
        if (end == fps || *end || !(number > 0.0 && number <= 1e6))
            return CliMsh_Refuse("fps", "a number above 0, at most 1000000", fps);
        convert->export.frames_per_second = number;
        convert->import.frames_per_second = number;
    }
    if (!Cli_Number(cli, "sub-frames", 1, RP_GLTF_MAX_SUBFRAME, &samples))
        return false;
    convert->export.sub_frames = (uint32_t)samples;

    if (!CliMsh_RootMotion(cli, &convert->export.root_motion) || !TakeCells(convert))
        return false;
    convert->obj.zero_root = convert->export.root_motion == RP_GLTF_ROOT_DROP;
    if (!frame)
        return true;
    convert->obj.frame = strtod(frame, &end);
    return (end != frame && !*end && convert->obj.frame >= 0.0) ||
           CliMsh_Refuse("frame", "a number from 0 up", frame);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void Say(Convert *convert, const RpFinding *finding, const char *place) {
    Said *said = (Said *)(void *)convert->said.bytes;
    const size_t count = convert->said.size / sizeof *said;
    size_t i = 0;
    while (i < count &&
           (strcmp(said[i].rule, finding->rule) != 0 || strcmp(said[i].what, finding->what) != 0))
        i++;
    if (i == count) {
        Said fresh = {.count = 0};
        snprintf(fresh.rule, sizeof fresh.rule, "%s", finding->rule);
        snprintf(fresh.what, sizeof fresh.what, "%s", finding->what);
        if (!RpBuffer_Append(&convert->said, &fresh, sizeof fresh))
            return;
        said = (Said *)(void *)convert->said.bytes;
    }
    said[i].count++;
    const size_t used = strlen(said[i].places), more = sizeof said->places - used;
    const char *comma = used > 0 ? ", " : "";
    if (*place && strlen(place) + strlen(", , ...") < more)
        snprintf(said[i].places + used, more, "%s%s", comma, place);
    else if (*place && strlen(", ...") < more && !strstr(said[i].places, "..."))
        snprintf(said[i].places + used, more, "%s...", comma);
}

static void PrintNotes(Convert *convert) {
    const Said *said = (const Said *)(const void *)convert->said.bytes;
    for (size_t i = 0; i < convert->said.size / sizeof *said; i++) {
        char count[24] = "";
        if (said[i].count > 1)
            snprintf(count, sizeof count, "%u times%s", (unsigned)said[i].count,
                     said[i].places[0] ? ": " : "");
        const bool closed = count[0] || said[i].places[0];
        Cli_Note(convert->cli, "%s: %s: %s%s%s%s%s", convert->name, said[i].rule, said[i].what,
                 closed ? " (" : "", count, said[i].places, closed ? ")" : "");
    }
    RpBuffer_Free(&convert->said);
}

static void TakeNote(void *context, const RpFinding *finding) {
    Convert *convert = context;
    char place[64] = "";
    if (finding->node >= 0)
        snprintf(place, sizeof place, "node %d", (int)finding->node);
    else if (finding->element >= 0)
        snprintf(place, sizeof place, "Res%d element %d", (int)finding->stream,
                 (int)finding->element);
    else if (finding->found[0])
        snprintf(place, sizeof place, "%.48s", finding->found);
    Say(convert, finding, place);
    cJSON *note = convert->notes ? cJSON_CreateObject() : NULL;
    if (!note)
        return;
    cJSON_AddStringToObject(note, "rule", finding->rule);
    cJSON_AddStringToObject(note, "what", finding->what);
    if (finding->node >= 0)
        cJSON_AddNumberToObject(note, "node", finding->node);
    if (finding->element >= 0)
        cJSON_AddNumberToObject(note, "element", finding->element);
    if (finding->found[0])
        cJSON_AddStringToObject(note, "found", finding->found);
    cJSON_AddItemToArray(convert->notes, note);
}

static cJSON *BeginResult(Convert *convert, const char *name) {
    convert->name = name;
    if (!convert->results)
        return NULL;
    cJSON *result = cJSON_CreateObject();
    cJSON_AddItemToArray(convert->results, result);
    cJSON_AddStringToObject(result, "from", name);
    convert->notes = cJSON_AddArrayToObject(result, "notes");
    return result;
}

static void EndResult(Convert *convert, cJSON *result, const char *path, size_t size,
                      const RpError *error) {
    PrintNotes(convert);
    if (error)
        convert->code = Cli_Fail(error);
    if (result && error) {
        cJSON_AddStringToObject(result, "error", error->what);
    } else if (result) {
        cJSON_AddStringToObject(result, "to", path);
        cJSON_AddNumberToObject(result, "bytes", (double)size);
    } else if (!error && strcmp(path, "-") != 0) {
        Cli_Note(convert->cli, "%s: %zu bytes", path, size);
    }
    convert->notes = NULL;
}

/* ---- out of models --------------------------------------------------------------------------- */

static RpStatus WriteObj(Convert *convert, const RpNResArchive *archive, const char *path,
                         size_t *size, RpError *error) {
    RpBuffer text, materials;
    char file[1024], other[1024], library[300];
    const char *own = ModelPack_NameOf(path);
    struct stat facts;
    Stem(path, library, sizeof library - sizeof ".mtl");
    strcat(library, ".mtl");

    /* Some readers take blanks in a name for its end, and others do not. Another OBJ may have the
     * name without blanks, and its materials with it. */
    const bool has_blanks = strpbrk(library, " \t") != NULL;
    for (char *c = library; *c; c++)
        *c = *c == ' ' || *c == '\t' ? '_' : *c;
    snprintf(file, sizeof file, "%.*s%s", (int)(own - path), path, library);
    snprintf(other, sizeof other, "%.*s.obj", (int)(strlen(file) - strlen(".mtl")), file);
    if (has_blanks && strcmp(path, "-") != 0 && stat(other, &facts) == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                           "another OBJ has the name that this one's materials would get", file,
                           "a name without blanks", other);
    RpBuffer_Init(&text, NULL);
    RpBuffer_Init(&materials, NULL);
    convert->obj.materials = strcmp(path, "-") == 0 ? NULL : library; /* no file beside it */
    RpStatus status = RpObj_Export(archive, &convert->obj, &text, &materials, error);
    if (status == RP_OK && convert->obj.materials)
        status = Output_CheckUnnamed(NULL, file, "newmtl row_", error);
    if (status == RP_OK && convert->obj.materials)
        status = Output_Check(file, error);
    if (status == RP_OK)
        status = Output_WriteBytes(path, text.bytes, text.size, error);
    if (status == RP_OK && convert->obj.materials)
        status = Output_WriteBytes(file, materials.bytes, materials.size, error);
    *size = text.size;
    RpBuffer_Free(&text);
    RpBuffer_Free(&materials);
    return status;
}

static RpStatus ExportModel(Convert *convert, const ModelSource *model, const char *path,
                            size_t *size, RpError *error) {
    const RpFindingSink sink = {TakeNote, convert};
    RpReadings readings = convert->export.readings;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);

    /* The readings of one model are chosen by its own numbers, unless they were given. Then it is
     * said if the model's box does not agree with them. */
    RpMsh msh;
    RpMshBoxEvidence evidence;
    RpStatus status = RpMsh_Open(RpNRes_Entries(&model->archive), RP_TOLERANT, &msh, error);

    /* With many models, the choices for each would hide everything else. */
    const bool says_each = convert->total < 2 || convert->cli->verbosity > 0;
    if (status == RP_OK && convert->automatic) {
        status = CliReadings_Choose(convert->cli, convert->name, says_each ? RP_MSH_READINGS : 0,
                                    &msh, &readings, error);
    } else {
        if (status == RP_OK)
            status = RpMsh_BoxEvidence(&msh, NULL, &evidence, error);
        if (status == RP_OK && evidence.usable && evidence.telling &&
            !evidence
                 .supported[readings.choice[READING_KEY_ORDER]][readings.choice[READING_ROTATION]])
            Cli_Note(convert->cli,
                     "%s: key-order=%s,rotation=%s puts geometry outside the model's own box; "
                     "--readings auto takes what fits",
                     convert->name, readings.choice[READING_KEY_ORDER] ? "wxyz" : "xyzw",
                     readings.choice[READING_ROTATION] ? "plain" : "conjugate");
    }

    convert->export.readings = convert->obj.readings = readings;
    convert->export.notes = convert->obj.notes = &sink;
    if (status == RP_OK)
        status = RpNResArchive_Read(&archive, &model->archive, error);
    if (status == RP_OK && convert->form == FORM_OBJ) {
        status = WriteObj(convert, &archive, path, size, error);
    } else if (status == RP_OK) {
        RpBuffer file;
        RpBuffer_Init(&file, NULL);
        convert->export.container = convert->form == FORM_GLTF ? RP_GLTF_TEXT : RP_GLTF_BINARY;
        status = RpGltf_Export(&archive, &convert->export, &file, error);
        if (status == RP_OK)
            status = Output_WriteBytes(path, file.bytes, file.size, error);
        *size = file.size;
        RpBuffer_Free(&file);
    }
    RpNResArchive_Free(&archive);
    return status;
}

static bool TakeModel(void *context, const ModelSource *model, const RpError *failed) {
    Convert *convert = context;
    const RpReadings readings = convert->export.readings;
    char path[MODEL_SOURCE_NAME_BYTES + 300];
    size_t size = 0;
    RpError error;
    if (model->is_land)
        return true;
    cJSON *result = BeginResult(convert, model->name);
    OutputPath(convert, ModelSource_OwnName(model), path, sizeof path);
    if (failed) {
        EndResult(convert, result, path, 0, failed);
        return true;
    }
    RpStatus status = ExportModel(convert, model, path, &size, &error);
    if (status != RP_OK)
        ModelSource_Locate(model, &error);
    convert->export.readings = convert->obj.readings = readings;
    EndResult(convert, result, path, size, status == RP_OK ? NULL : &error);
    Progress_Update(&convert->progress, ++convert->done, convert->total);
    return true;
}

static bool CountModel(void *context, const ModelSource *model, const RpError *failed) {
    Convert *convert = context;
    (void)failed;
    convert->total += !model->is_land;
    return true;
}

static int ExportAll(Convert *convert, const char *name) {
    RpError error;
    if (ModelSource_Each(name, CountModel, convert, &error))
        return Cli_Fail(&error);
    if (convert->total > 1 && !convert->directory)
        return Cli_Complain("%s holds %u models: name one of them (FILE::MEMBER), or a folder",
                            name, (unsigned)convert->total);
    Progress_Start(&convert->progress, convert->cli->verbosity < 0 || convert->total < 2);
    RpStatus status = ModelSource_Each(name, TakeModel, convert, &error);
    Progress_End(&convert->progress);
    return status == RP_OK ? convert->code : Cli_Fail(&error);
}

/* ---- into models ----------------------------------------------------------------------------- */

static RpStatus LoadBeside(void *context, const char *beside, RpBuffer *bytes, RpError *error) {
    Convert *convert = context;
    char path[2048];
    const char *end = convert->name;
    Mapping mapping;
    for (const char *at = convert->name; *at; at++)
        if (*at == '/' || *at == '\\')
            end = at + 1;
    if (!RpGltf_IsBeside(beside))
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "the buffer is not a file beside the glTF", "/buffers",
                           "a relative path without ..", beside);
    /* "./", because a name "-" alone would be the standard input */
    if ((size_t)snprintf(path, sizeof path, "%.*s%s%s", (int)(end - convert->name), convert->name,
                         end == convert->name ? "./" : "", beside) >= sizeof path)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", "/buffers", "",
                           beside);
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status != RP_OK)
        return status;
    status = InputBudget_Take(&convert->budget, &mapping, path, error);
    if (status == RP_OK && !RpBuffer_Append(bytes, mapping.bytes, mapping.size))
        status = RpMemory_Refused(error, path);
    Mapping_Close(&mapping);
    return status;
}

static int ImportOne(Convert *convert, const char *name) {
    const RpFindingSink sink = {TakeNote, convert};
    char path[MODEL_SOURCE_NAME_BYTES + 300];
    size_t size = 0;
    Mapping mapping;
    RpNResArchive model;
    RpBuffer image;
    RpError error;
    cJSON *result = BeginResult(convert, name);
    OutputPath(convert, name, path, sizeof path);
    RpNResArchive_Init(&model, NULL);
    RpBuffer_Init(&image, NULL);
    convert->import.notes = &sink;
    convert->import.load = LoadBeside;
    convert->import.load_context = convert;
    RpStatus status = Mapping_Open(name, &mapping, &error);
    if (status == RP_OK) {
        InputBudget_Begin(&convert->budget, mapping.size);
        status = RpGltf_Import(mapping.bytes, mapping.size, &convert->import, &model, &error);
        InputBudget_End(&convert->budget);
        if (status == RP_OK)
            status = RpNResArchive_Write(&model, RP_NRES_CANONICAL, &image, &error);
        if (status == RP_OK)
            status = Output_WriteBytes(path, image.bytes, image.size, &error);
        size = image.size;
        RpBuffer_Free(&image);
        RpNResArchive_Free(&model);
        Mapping_Close(&mapping);
    }
    CliFile_Locate(name, status, &error);
    EndResult(convert, result, path, size, status == RP_OK ? NULL : &error);
    return convert->code;
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* Finds out from --to and the output's name which form to write, and whether into a folder.
 * With --to, a new name that does not show a form is a folder. Without it, files in a folder
 * become .glb, or .msh if they are made from glTF; glTF that is converted to standard output
 * becomes .msh. */
static bool SettleForm(Convert *convert, const char *input) {
    RpError error;
    struct stat facts;
    Form from = FormOf(input);
    Form named = FormOf(convert->output), to = FORM_UNKNOWN;
    const char *word = Cli_Value(convert->cli, "to", NULL);
    for (int i = 0; word && i < FORM_UNKNOWN; i++)
        if (strcmp(suffixes[i] + 1, word) == 0)
            to = (Form)i;
    if (word && to == FORM_UNKNOWN)
        return CliMsh_Refuse("to", "glb, gltf, obj or msh", word);
    if (strcmp(input, "-") == 0) /* the standard input has no name that tells */
        from = to == FORM_MSH || named == FORM_MSH ? FORM_GLTF : FORM_MSH;
    bool importing = from == FORM_GLB || from == FORM_GLTF;
    const size_t length = strlen(convert->output);
    const bool closed = length > 0 && strchr("/\\", convert->output[length - 1]);
    const bool exists = stat(convert->output, &facts) == 0;
    convert->directory =
        closed || (exists && (facts.st_mode & S_IFMT) == S_IFDIR) ||
        (to != FORM_UNKNOWN && named == FORM_UNKNOWN && !IsStandard(convert) && !exists);
    if (convert->directory)
        named = importing ? FORM_MSH : FORM_GLB;
    else if (IsStandard(convert) && importing)
        named = FORM_MSH;
    else if (to != FORM_UNKNOWN && named != FORM_UNKNOWN && to != named)
        return CliMsh_Refuse("to", "the form that the output's name has", word);
    convert->form = to != FORM_UNKNOWN ? to : named;
    if (convert->form == FORM_UNKNOWN && IsStandard(convert)) {
        Cli_Complain("the standard output needs --to: glb, gltf or obj");
        return false;
    }
    if (convert->form == FORM_UNKNOWN || importing != (convert->form == FORM_MSH)) {
        Cli_Complain("%s cannot become %s: models become .glb, .gltf or .obj, and .glb or .gltf "
                     "become .msh",
                     input, to != FORM_UNKNOWN ? suffixes[to] : convert->output);
        return false;
    }
    if (!convert->directory)
        return CliMsh_MayWrite(convert->output);
    if (Output_MakeFolder(convert->output, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}

static int Run(Cli *cli) {
    Convert convert = {.cli = cli, .code = CLI_EQUAL};
    if (!CliFile_Output(cli, "a model or a glTF file", NULL, &convert.output) ||
        !TakeOptions(&convert) || !SettleForm(&convert, cli->arguments[0]))
        return CLI_TROUBLE;
    RpBuffer_Init(&convert.taken, NULL);
    RpBuffer_Init(&convert.said, NULL);
    if (Cli_Has(cli, "json"))
        convert.results = cJSON_CreateArray();
    int code = convert.form == FORM_MSH ? ImportOne(&convert, cli->arguments[0])
                                        : ExportAll(&convert, cli->arguments[0]);
    /* When a file goes to standard output, no messages may be printed there. */
    int printed = CLI_EQUAL;
    if (convert.results && !IsStandard(&convert)) {
        RpError error;
        cJSON *root = cJSON_CreateObject();
        cJSON_AddItemReferenceToObject(root, "converted", convert.results);
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        const RpStatus status = JsonText_End(root, true, "a report as JSON", &text, &error);
        printed = CliFile_Print(&text, status, &error);
    }
    cJSON_Delete(convert.results);
    RpBuffer_Free(&convert.taken);
    return code ? code : printed;
}

const CliVerb cli_msh_convert = {
    "msh convert",
    "models to glTF or OBJ, and glTF to models",
    "INPUT [OUTPUT]",
    "retropose msh convert parts.rlb::R_H_02.msh hero.glb\n"
    "retropose msh convert --fps 30 hero.glb hero.msh\n"
    "retropose msh convert --to glb turrets.rlb models/\n",
    {CLI_MSH_READINGS_AUTO,
     {"fps", "N", "frames a second (20, or what the glTF file says)", 0},
     {"sub-frames", "N", "samples a frame (1)", 0},
     {"root-motion", "CHOICE", "node 0's translation: keep, drop or separate", 0},
     {"cells", "LIST", "all, or some of the 15 cells: 0,1 or 0.0,1.2 (OBJ: the first)", 0},
     {"frame", "N", "OBJ: the pose at a frame, instead of the rest pose", 0},
     {"animation", "NAME", "glTF: which of several animations", 0},
     {"no-animation", NULL, "the rest pose only, in both directions", 0},
     {"no-restore", NULL, "without the corrections that make an import exact", 0},
     {"to", "FORM",
      "glb, gltf, obj or msh, on standard output or in a folder, which a new OUTPUT then is", 0},
     CLI_OUTPUT,
     CLI_JSON_WRITTEN},
    Run};
