/* Tests that what computes with models, and with the files of the siblings, gives the same bytes
 * whatever the thread's MXCSR, control word and locale are, that it leaves them as they were, and
 * that it calls nothing of the caller's under other ones. */
#include "replay/composed/rounding.h"
#include "retropose/retropose.h"
#include "siblings/samples/samples.h"
#include "tests/test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define MXCSR_FLAGS 0x3Fu

static bool SameModes(Rounding a, Rounding b) {
    return a.control_word == b.control_word && ((a.mxcsr ^ b.mxcsr) & ~MXCSR_FLAGS) == 0;
}

/* Modes in which drivers of graphics cards, games, and the runtimes of compilers leave a thread. */
static const Rounding modes[] = {
    {0x037F, 0x1F80}, /* the modes of C itself, which come first */
    {0x037F, 0x7FA0}, /* towards zero, with a flag raised */
    {0x037F, 0x3F80}, /* down */
    {0x037F, 0x5F80}, /* up */
    {0x037F, 0x9FC0}, /* flush to zero, denormals are zero */
    {0x0F7F, 0xFFC0}, /* flush to zero, denormals are zero, and towards zero in x87 and SSE */
    {0x0F7F, 0x1F80}, {0x007F, 0x1F80},
    {0x0372, 0x1900}, /* invalid operations, divisions by zero and overflows fault */
};
enum { MODES = sizeof modes / sizeof *modes };

/* A locale with a decimal comma. LOCPATH has it (CMakeLists.txt beside this file), or the system.
 */
#ifdef _WIN32
static const char german[] = "German_Germany.1252";
#else
static const char german[] = "de_DE.UTF-8";
#endif

static bool HasComma(void) {
    return strcmp(localeconv()->decimal_point, ",") == 0;
}

static void SetComma(bool comma) {
    assert_non_null(setlocale(LC_ALL, comma ? german : "C"));
    assert_int_equal(HasComma(), comma);
}

/* ---- what belongs to the caller -------------------------------------------------------------- */

static const Rounding *callers; /* modes that the functions below must find */
static bool callers_comma;
static uint32_t calls, wrong_calls;

static void Look(void) {
    calls++;
    wrong_calls += !SameModes(Rounding_Get(), *callers) || HasComma() != callers_comma;
}

static void *Resize(void *context, void *block, size_t size) {
    (void)context;
    Look();
    if (size > 0)
        return realloc(block, size);
    free(block);
    return NULL;
}

static const RpAllocator allocator = {Resize, NULL};

static void TakeFinding(void *context, const RpFinding *finding) {
    Look();
    RpBuffer_AppendText(context, finding->what);
    RpBuffer_AppendText(context, finding->expected);
    RpBuffer_AppendText(context, finding->found);
}

static void TakeDifference(void *context, const RpMshDifference *difference) {
    Look();
    RpBuffer_AppendText(context, difference->place);
    RpBuffer_AppendText(context, difference->a);
    RpBuffer_AppendText(context, difference->b);
}

static RpStatus Load(void *context, const char *uri, RpBuffer *bytes, RpError *error) {
    (void)uri, (void)error;
    Look();
    return RpBuffer_Append(bytes, context, 4) ? RP_OK : RP_NO_MEMORY;
}

/* ---- models ---------------------------------------------------------------------------------- */

static const char *const names[] = {"R_H_02.msh", "e_tur_0_20.msh", "g_las_0_20.msh", "R_B_01.msh"};
enum { MODELS = sizeof names / sizeof *names };

/* A model, and what others are made of, under C's own modes. */
typedef struct Model {
    RpBuffer image, dump, gltf;
    RpNRes archive;
    RpMsh msh;
} Model;

static RpCorpus *corpus;
static Model models[MODELS];
static Model *model;

static const RpReadings readings; /* the defaults */

/* Moves an image out of `image`, in which the next one is made. */
static void EndImage(RpBuffer *image, RpBuffer *out) {
    RpBuffer_Append(out, image->bytes, image->size);
    RpBuffer_Free(image);
}

static void Edit(RpNResArchive *archive) {
    RpNResArchive_Init(archive, &allocator);
    assert_int_equal(RpNResArchive_Read(archive, &model->archive, NULL), RP_OK);
}

static void EndEdit(RpNResArchive *archive, RpBuffer *out) {
    RpBuffer image = {0};
    assert_int_equal(RpNResArchive_Write(archive, RP_NRES_CANONICAL, &image, NULL), RP_OK);
    EndImage(&image, out);
    RpNResArchive_Free(archive);
}

static void Dump(RpBuffer *out) {
    assert_int_equal(RpMsh_Dump(&model->archive, out, NULL), RP_OK);
}

static void Assemble(RpBuffer *out) {
    assert_int_equal(RpMsh_Assemble((const char *)model->dump.bytes, model->dump.size, out, NULL),
                     RP_OK);
}

static void Diff(RpBuffer *out) {
    const Model *other = model == models ? &models[1] : models;
    RpMshDiffOptions options = RpMshDiffOptions_Default();
    RpMshDiffResult result;
    options.most = 100;
    options.allocator = &allocator;
    assert_int_equal(
        RpMsh_Diff(&model->archive, &other->archive, &options, TakeDifference, out, &result, NULL),
        RP_OK);
    RpBuffer_Append(out, &result.position, sizeof result.position);
    RpBuffer_Append(out, &result.angle, sizeof result.angle);
}

static void ExportGltf(RpBuffer *out) {
    OWNED(RpBuffer) said;
    const RpFindingSink notes = {TakeFinding, &said};
    OWNED(RpNResArchive) archive;
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    options.container = RP_GLTF_TEXT;
    options.sub_frames = 3;
    options.notes = &notes;
    options.allocator = &allocator;
    RpBuffer_Init(&said, NULL);
    Edit(&archive);
    assert_int_equal(RpGltf_Export(&archive, &options, out, NULL), RP_OK);
}

/* Imports without the corrections, which would put the model's own bytes in place of computed
 * ones. */
static void ImportGltf(RpBuffer *out) {
    const RpFindingSink notes = {TakeFinding, out};
    RpNResArchive archive;
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    options.ignore_restore = true;
    options.notes = &notes;
    options.allocator = &allocator;
    RpNResArchive_Init(&archive, &allocator);
    assert_int_equal(RpGltf_Import(model->gltf.bytes, model->gltf.size, &options, &archive, NULL),
                     RP_OK);
    EndEdit(&archive, out);
}

static void LoadOther(RpBuffer *out) {
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},"
                               "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":4}]}";
    OWNED(RpNResArchive) archive;
    RpError error;
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    options.load = Load;
    options.load_context = "abc";
    RpNResArchive_Init(&archive, &allocator);
    RpGltf_Import(text, sizeof text - 1, &options, &archive, &error);
    RpBuffer_AppendText(out, error.what);
}

static void ExportObj(RpBuffer *out) {
    RpObjOptions options = RpObjOptions_Default();
    OWNED(RpNResArchive) archive;
    options.frame = 1.3;
    Edit(&archive);
    assert_int_equal(RpObj_Export(&archive, &options, out, NULL, NULL), RP_OK);
}

static void Describe(RpBuffer *out) {
    assert_int_equal(RpView_Describe(&model->archive, NULL, out, NULL), RP_OK);
}

static void Check(RpBuffer *out) {
    const RpFindingSink sink = {TakeFinding, out};
    RpMshCheckOptions options = RpMshCheckOptions_Default();
    options.allocator = &allocator;
    RpMsh_Check(RpNRes_Entries(&model->archive), &options, &sink, NULL);
    RpMsh_Validate(&model->msh, NULL);
}

static void Evidence(RpBuffer *out) {
    RpMshBoxEvidence evidence;
    RpMshReading found[RP_MSH_READINGS];
    RpReadings chosen;
    assert_int_equal(RpMsh_BoxEvidence(&model->msh, &allocator, &evidence, NULL), RP_OK);
    RpBuffer_Append(out, evidence.fits, sizeof evidence.fits);
    RpBuffer_Append(out, evidence.supported, sizeof evidence.supported);
    assert_int_equal(RpMsh_ReadingsByEvidence(&model->msh, &allocator, &chosen, found, NULL),
                     RP_OK);
    for (int i = 0; i < RP_MSH_READINGS; i++)
        RpBuffer_AppendText(out, found[i].why);
}

static void PoseNodes(RpBuffer *out) {
    const uint32_t nodes = RpMsh_Count(&model->msh, RP_MSH_NODES);
    HEAP double(*matrices)[16] = malloc(nodes * sizeof *matrices);
    assert_int_equal(RpMsh_PoseNodes(&model->msh, NULL, 1.3, false, matrices, NULL), RP_OK);
    RpBuffer_Append(out, matrices, nodes * sizeof *matrices);
}

static void Bounds(RpBuffer *out) {
    RpNResArchive archive;
    Edit(&archive);
    assert_int_equal(RpMsh_UpdateBounds(&archive, NULL, NULL), RP_OK);
    assert_int_equal(RpMsh_UpdateTriangles(&archive, NULL), RP_OK);
    EndEdit(&archive, out);
    Edit(&archive);
    assert_int_equal(RpMsh_UpdateHeader(&archive, NULL, NULL), RP_OK);
    EndEdit(&archive, out);
}

static void Transform(RpBuffer *out) {
    static const double axis[3] = {1, 2, 3};
    RpMshTransform turn = RpMshTransform_Identity();
    RpNResArchive archive;
    assert_int_equal(RpMshTransform_Turn(&turn, axis, 33, NULL), RP_OK);
    RpBuffer_Append(out, turn.quaternion, sizeof turn.quaternion);
    for (int i = 0; i < 3; i++)
        turn.scale[i] = 1.1;
    Edit(&archive);
    RpMshEdit_TransformNode(&archive, NULL, 0, &turn, NULL);
    assert_int_equal(RpMshEdit_TransformAll(&archive, NULL, &turn, NULL), RP_OK);
    EndEdit(&archive, out);
}

static void Extract(RpMshAnimation *animation) {
    RpMshAnimation_Init(animation, &allocator);
    assert_int_equal(
        RpMshAnimation_Extract(animation, &model->msh, RP_MSH_EXTRACT_SAMPLE, NULL, NULL), RP_OK);
}

static void InstallAnimation(RpMshAnimation *animation, RpBuffer *out) {
    RpNResArchive archive;
    Edit(&archive);
    assert_int_equal(RpMshAnimation_Install(animation, &archive, NULL), RP_OK);
    EndEdit(&archive, out);
    RpMshAnimation_Free(animation);
}

static void Retime(RpBuffer *out) {
    RpMshAnimation animation, other;
    Extract(&animation);
    Extract(&other);
    assert_int_equal(RpMshAnimation_Append(&animation, &other, NULL, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Reverse(&animation, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Retime(&animation, 0.7, NULL, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Range(&animation, 0, animation.frame_count / 2, NULL), RP_OK);
    if (animation.frame_count > 1)
        assert_int_equal(RpMshAnimation_RetimeTo(&animation, 17, NULL, NULL), RP_OK);
    RpMshAnimation_Free(&other);
    InstallAnimation(&animation, out);
}

static void Rekey(RpBuffer *out) {
    RpMshAnimation animation;
    float quaternion[4], position[3];
    Extract(&animation);
    assert_int_equal(RpMshAnimation_Sample(&animation, 0, 1.3f, quaternion, position, NULL), RP_OK);
    RpBuffer_Append(out, quaternion, sizeof quaternion);
    RpBuffer_Append(out, position, sizeof position);
    assert_int_equal(RpMshAnimation_Resample(&animation, 3, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_Simplify(&animation, 0.01, 0.5, NULL, NULL), RP_OK);
    assert_int_equal(RpMshAnimation_ClearTrack(&animation, 0, 0.3f, NULL), RP_OK);
    InstallAnimation(&animation, out);
}

static void Numbers(RpBuffer *out) {
    static const float numbers[6][4] = {{0.1f, 0.7f, -0.3f, 0.64f},   {1e-40f, 0.333f, 0.9f, 0.5f},
                                        {-0.2f, 1e-30f, 12.7f, 0.1f}, {3.3f, 5e-39f, -7.1f, 0.25f},
                                        {0.3f, 0.4f, 0.5f, 0.6f},     {9.9f, -8.8f, 7.7f, -6.6f}};
    static const int16_t rotation[4] = {11, -22222, 3333, 12345};
    float points[6][3], sphere[4], quaternion[4];
    int16_t packed[4];
    for (int i = 0; i < 6; i++)
        memcpy(points[i], numbers[i], sizeof points[i]);
    RpMsh_Sphere((const float(*)[3])points, 6, sphere);
    RpBuffer_Append(out, sphere, sizeof sphere);
    RpMsh_FaceNormal(points[0], points[2], points[5], packed);
    RpBuffer_Append(out, packed, 3 * sizeof *packed);
    RpMsh_DecodeRotation(rotation, NULL, quaternion);
    RpBuffer_Append(out, quaternion, sizeof quaternion);
    for (int i = 0; i < 6; i++) {
        RpMsh_EncodeRotation(numbers[i], NULL, packed);
        RpBuffer_Append(out, packed, sizeof packed);
        RpBuffer_AppendU16(out, (uint16_t)RpMsh_EncodeNormal(numbers[i][0]));
        RpBuffer_AppendU16(out, RpMsh_EncodeUv(numbers[i][1], &readings));
    }
}

/* ---- the corpus ------------------------------------------------------------------------------ */

static void MakeModel(RpBuffer *out) {
    const RpCorpusOptions options = {.seed = 7};
    RpCorpus *other;
    RpNResArchive archive;
    assert_int_equal(RpCorpus_New(&options, &allocator, &other, NULL), RP_OK);
    for (uint32_t i = 3; i < RP_CORPUS_MODELS; i += 100) {
        RpNResArchive_Init(&archive, &allocator);
        assert_int_equal(RpCorpus_Model(other, i, &archive, NULL), RP_OK);
        EndEdit(&archive, out);
    }
    RpCorpus_Free(other);
}

static void MakeFiles(RpBuffer *out) {
    RpBuffer image;
    RpBuffer_Init(&image, &allocator);
    for (int kind = RP_CORPUS_MODEL; kind <= RP_CORPUS_VARIANT; kind++) {
        const RpCorpusFile file = RpCorpus_File(corpus, (RpCorpusKind)kind, 1);
        assert_int_equal(RpCorpus_FileImage(corpus, &file, &image, NULL), RP_OK);
        assert_int_equal(RpCorpus_Manifest(corpus, &file, 1, out, NULL), RP_OK);
        EndImage(&image, out);
    }
}

static void MakeVariants(RpBuffer *out) {
    RpBuffer image;
    RpBuffer_Init(&image, &allocator);
    for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++) {
        assert_int_equal(RpCorpus_Variant(corpus, i, &image, NULL), RP_OK);
        EndImage(&image, out);
    }
}

static void MakeRsLiData(RpBuffer *out) {
    RpBuffer data;
    RpBuffer_Init(&data, &allocator);
    for (uint32_t i = 0; i < RpCorpus_RsLiCount(); i++) {
        const char *name;
        uint32_t method;
        assert_int_equal(RpCorpus_RsLiData(corpus, i, &name, &method, &data, NULL), RP_OK);
        EndImage(&data, out);
    }
}

enum { SYSTEM_LIBRARY = 9 }; /* the library with the fewest triangles */

static void MakeLibrary(RpBuffer *out) {
    RpBuffer image;
    RpBuffer_Init(&image, &allocator);
    assert_int_equal(RpCorpus_Library(corpus, SYSTEM_LIBRARY, &image, NULL), RP_OK);
    EndImage(&image, out);
}

/* ---- the siblings ---------------------------------------------------------------------------- */

static RpBuffer bird, table, walk, bird_dump, table_dump, walk_dump;

static void ReadAni(RpAni *ani) {
    assert_int_equal(
        RpAni_Read(bird.bytes, bird.size, RP_ANI_FILE, RP_STRICT, &allocator, ani, NULL), RP_OK);
}

static void DumpAni(RpBuffer *out) {
    OWNED(RpAni) ani;
    ReadAni(&ani);
    assert_int_equal(RpAni_Dump(&ani, out, NULL), RP_OK);
}

static void AssembleAni(RpBuffer *out) {
    const char *text = (const char *)bird_dump.bytes;
    OWNED(RpAni) ani;
    assert_int_equal(RpAni_Assemble(text, bird_dump.size, &allocator, &ani, NULL), RP_OK);
    assert_int_equal(RpAni_Write(&ani, out, NULL), RP_OK);
}

static void ExportAni(RpBuffer *out) {
    RpAniGltfOptions options = RpAniGltfOptions_Default();
    OWNED(RpAni) ani;
    options.text = true;
    ReadAni(&ani);
    assert_int_equal(RpAni_ExportGltf(&ani, &options, out, NULL), RP_OK);
}

static void CheckAni(RpBuffer *out) {
    const RpFindingSink sink = {TakeFinding, out};
    RpAni_Check(bird.bytes, bird.size, RP_ANI_FILE, &allocator, &sink, NULL);
}

static void ReadTable(RpAcMotionTable *motions) {
    assert_int_equal(
        RpAcMotionTable_Read(table.bytes, table.size, RP_STRICT, &allocator, motions, NULL), RP_OK);
}

static void ReadWalk(RpAcAnimation *animation) {
    assert_int_equal(
        RpAcAnimation_Read(walk.bytes, walk.size, RP_STRICT, &allocator, animation, NULL), RP_OK);
}

static void DumpTable(RpBuffer *out) {
    OWNED(RpAcMotionTable) motions;
    ReadTable(&motions);
    assert_int_equal(RpAcMotionTable_Dump(&motions, out, NULL), RP_OK);
}

static void AssembleTable(RpBuffer *out) {
    OWNED(RpAcMotionTable) motions;
    assert_int_equal(RpAcMotionTable_Assemble((const char *)table_dump.bytes, table_dump.size,
                                              &allocator, &motions, NULL),
                     RP_OK);
    assert_int_equal(RpAcMotionTable_Write(&motions, out, NULL), RP_OK);
}

static void DumpWalk(RpBuffer *out) {
    OWNED(RpAcAnimation) animation;
    ReadWalk(&animation);
    assert_int_equal(RpAcAnimation_Dump(&animation, 0, out, NULL), RP_OK);
}

static void AssembleWalk(RpBuffer *out) {
    OWNED(RpAcAnimation) animation;
    assert_int_equal(RpAcAnimation_Assemble((const char *)walk_dump.bytes, walk_dump.size,
                                            &allocator, &animation, NULL),
                     RP_OK);
    assert_int_equal(RpAcAnimation_Write(&animation, out, NULL), RP_OK);
}

/* ---- the same under all modes ---------------------------------------------------------------- */

typedef struct Job {
    const char *name;
    void (*run)(RpBuffer *out);
} Job;

static const Job of_model[] = {
    {"dump", Dump},           {"assemble", Assemble},  {"diff", Diff},
    {"glTF out", ExportGltf}, {"glTF in", ImportGltf}, {"OBJ", ExportObj},
    {"describe", Describe},   {"check", Check},        {"evidence", Evidence},
    {"pose", PoseNodes},      {"bounds", Bounds},      {"transform", Transform},
    {"retime", Retime},       {"rekey", Rekey},
};
static const Job once[] = {
    {"numbers", Numbers},
    {"glTF in parts", LoadOther},
    {"corpus", MakeModel},
    {"corpus files", MakeFiles},
    {"variants", MakeVariants},
    {"library", MakeLibrary},
    {"RsLi data", MakeRsLiData},
    {".ani dump", DumpAni},
    {".ani assemble", AssembleAni},
    {".ani glTF", ExportAni},
    {".ani check", CheckAni},
    {"table dump", DumpTable},
    {"table assemble", AssembleTable},
    {"walk dump", DumpWalk},
    {"walk assemble", AssembleWalk},
};

/* Runs a job under a thread's modes, and returns those that it left. */
static Rounding RunUnder(const Rounding *thread, bool comma, const Job *job, RpBuffer *out) {
    RpBuffer_Init(out, &allocator);
    callers = thread;
    callers_comma = comma;
    SetComma(comma);
    Rounding_Set(*thread);
    job->run(out);
    const Rounding left = Rounding_Get();
    Rounding_Set(modes[0]);
    assert_int_equal(HasComma(), comma);
    SetComma(false);
    callers = modes;
    callers_comma = false;
    return left;
}

static void Compare(const Job *job, const char *subject) {
    OWNED(RpBuffer) expected;
    RunUnder(&modes[0], false, job, &expected);
    assert_true(expected.size > 0 && !expected.failed);
    /* all other modes, and then a decimal comma under the first and under the last of them */
    for (int run = 1; run < MODES + 2; run++) {
        const bool comma = run >= MODES;
        const int i = run == MODES ? 0 : comma ? MODES - 1 : run;
        OWNED(RpBuffer) found;
        calls = wrong_calls = 0;
        const Rounding left = RunUnder(&modes[i], comma, job, &found);
        if (found.size != expected.size || memcmp(found.bytes, expected.bytes, found.size) != 0)
            fail_msg("%s of %s differs under control word %04X and MXCSR %04X%s", job->name,
                     subject, modes[i].control_word, (unsigned)modes[i].mxcsr,
                     comma ? " with a decimal comma" : "");
        if (!SameModes(left, modes[i]))
            fail_msg("%s of %s leaves control word %04X and MXCSR %04X for %04X and %04X",
                     job->name, subject, left.control_word, (unsigned)left.mxcsr,
                     modes[i].control_word, (unsigned)modes[i].mxcsr);
        if (calls == 0 || wrong_calls > 0)
            fail_msg("%s of %s calls its caller %u times, %u times under modes of its own",
                     job->name, subject, (unsigned)calls, (unsigned)wrong_calls);
    }
}

/* ---- what jobs begin with -------------------------------------------------------------------- */

static RpBuffer *const sibling_files[] = {&bird,      &table,      &walk,
                                          &bird_dump, &table_dump, &walk_dump};
enum { SIBLING_FILES = sizeof sibling_files / sizeof *sibling_files };

/* Numbers that are rounded when they become text: they have as many digits as a float has and more,
 * or are below the normal ones. */
static const float odd[] = {0.1f, 1.23456789e-12f, 1e-40f};

static void MakeModelFiles(const char *name) {
    const RpCorpusFile file = {.kind = RP_CORPUS_MODEL,
                               .index = (uint32_t)RpCorpus_FindModel(corpus, name)};
    RpBuffer_Init(&model->image, NULL);
    RpBuffer_Init(&model->dump, NULL);
    RpBuffer_Init(&model->gltf, NULL);
    assert_int_equal(RpCorpus_FileImage(corpus, &file, &model->image, NULL), RP_OK);
    assert_int_equal(
        RpNRes_Open(model->image.bytes, model->image.size, RP_STRICT, &model->archive, NULL),
        RP_OK);
    assert_int_equal(RpMsh_Open(RpNRes_Entries(&model->archive), RP_TOLERANT, &model->msh, NULL),
                     RP_OK);
    /* changes the first vertex in the image */
    memcpy(model->image.bytes + (model->msh.streams[RP_MSH_POSITIONS].data - model->image.bytes),
           odd, sizeof odd);
    Dump(&model->dump);
    ExportGltf(&model->gltf);
}

static void MakeBird(void) {
    const RpAniKey turns[] = {RpAniKey_Rotation(0, RP_ANI_ACTIVE, 0.1f, 0.2f, 0.3f, 0.7f),
                              RpAniKey_Rotation(333, RP_ANI_ACTIVE, 0.5f, -0.4f, 0.3f, 0.2f)};
    const RpAniKey move = RpAniKey_Translation(0, RP_ANI_ACTIVE, odd[0], odd[1], odd[2]);
    OWNED(RpAni) ani;
    assert_int_equal(Sample_Bird(&bird, NULL), RP_OK);
    ReadAni(&ani);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_ROTATION, turns, 2, NULL), RP_OK);
    assert_int_equal(RpAni_SetKeys(&ani, 0, RP_ANI_TRANSLATION, &move, 1, NULL), RP_OK);
    bird.size = 0;
    assert_int_equal(RpAni_Write(&ani, &bird, NULL), RP_OK);
}

static void MakeMotions(void) {
    OWNED(RpAcMotionTable) motions;
    OWNED(RpAcAnimation) animation;
    assert_int_equal(Sample_Table(&table, NULL), RP_OK);
    assert_int_equal(Sample_Walk(&walk, NULL), RP_OK);
    ReadTable(&motions);
    ReadWalk(&animation);
    motions.refs[0].framerate = odd[0];
    motions.refs[1].framerate = odd[1];
    memcpy(animation.part_frames[0].origin, odd, sizeof odd);
    table.size = walk.size = 0;
    assert_int_equal(RpAcMotionTable_Write(&motions, &table, NULL), RP_OK);
    assert_int_equal(RpAcAnimation_Write(&animation, &walk, NULL), RP_OK);
}

AROUND(BeforeAll) {
    callers = modes;
    assert_int_equal(RpCorpus_New(NULL, &allocator, &corpus, NULL), RP_OK);
    for (int i = 0; i < MODELS; i++) {
        model = &models[i];
        MakeModelFiles(names[i]);
    }
    for (int i = 0; i < SIBLING_FILES; i++)
        RpBuffer_Init(sibling_files[i], NULL);
    MakeBird();
    MakeMotions();
    DumpAni(&bird_dump);
    DumpTable(&table_dump);
    DumpWalk(&walk_dump);
}

AROUND(AfterAll) {
    for (int i = 0; i < MODELS; i++) {
        RpBuffer_Free(&models[i].image);
        RpBuffer_Free(&models[i].dump);
        RpBuffer_Free(&models[i].gltf);
    }
    for (int i = 0; i < SIBLING_FILES; i++)
        RpBuffer_Free(sibling_files[i]);
    RpCorpus_Free(corpus);
}

/* ---- the tests ------------------------------------------------------------------------------- */

TEST(ModelsAreTheSameUnderAllModes) {
    for (int i = 0; i < MODELS; i++) {
        model = &models[i];
        for (size_t job = 0; job < sizeof of_model / sizeof *of_model; job++)
            Compare(&of_model[job], names[i]);
    }
}

TEST(OtherFilesAreTheSameUnderAllModes) {
    for (size_t job = 0; job < sizeof once / sizeof *once; job++)
        Compare(&once[job], "no model");
}

/* An allocator that leaves by a jump, as a C++ allocator does that throws. */
static jmp_buf outside;

static void *Jump(void *context, void *block, size_t size) {
    (void)context, (void)block, (void)size;
    longjmp(outside, 1);
}

static void DumpUntilJump(void) {
    static const RpAllocator jumping = {Jump, NULL};
    RpBuffer text;
    RpBuffer_Init(&text, &jumping);
    if (!setjmp(outside))
        RpMsh_Dump(&model->archive, &text, NULL);
}

TEST(AnAllocatorThatJumpsLeavesTheModesAsTheyWere) {
    model = models;
    for (int i = 0; i < MODES; i++) {
        OWNED(RpBuffer) again;
        SetComma(i % 2 == 0);
        Rounding_Set(modes[i]);
        DumpUntilJump();
        const Rounding left = Rounding_Get();
        Rounding_Set(modes[0]);
        assert_true(SameModes(left, modes[i]));
        assert_int_equal(HasComma(), i % 2 == 0);
        RunUnder(&modes[i], i % 2 == 0, &of_model[0], &again);
        assert_int_equal(again.size, model->dump.size);
        assert_memory_equal(again.bytes, model->dump.bytes, again.size);
    }
}
