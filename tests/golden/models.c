#include "digest.h"
#include "sections.h"

#include "core/random.h"
#include "retropose/corpus.h"
#include "retropose/gltf.h"
#include "retropose/msh_anim.h"
#include "retropose/msh_check.h"
#include "retropose/msh_edit.h"
#include "retropose/msh_text.h"
#include "retropose/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 20000, MOST_POINTS = 12 };

typedef struct Digests {
    Digest made, gltf, import, anew, obj, turned, animated, findings, view;
} Digests;

static void Demand(RpStatus status, const char *name, const RpError *error) {
    if (status != RP_OK) {
        fprintf(stderr, "%s: %s %s %s\n", name, error->what, error->where, error->found);
        exit(2);
    }
}

static void AddArchive(Digest *digest, const RpNResArchive *archive) {
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResMember *member = &archive->members[i];
        const uint32_t words[] = {member->type, member->attr1, member->attr2, member->attr3,
                                  member->size};
        Digest_Add(digest, words, sizeof words);
        Digest_Add(digest, member->name, strlen(member->name));
        Digest_Add(digest, member->data, member->size);
    }
    digest->calls++;
}

static void AddText(Digest *digest, RpBuffer *text) {
    Digest_Add(digest, text->bytes, text->size);
    digest->calls++;
    RpBuffer_Free(text);
}

/* ---- one model ------------------------------------------------------------------------------- */

typedef struct Model {
    Digests *digests;
    RpNResArchive archive;
    RpBuffer image;
    const char *name;
    uint32_t number;
    RpError error;
} Model;

/* Adds the file as glTF. It is read twice: with its corrections it must give the model back, and
 * without them everything that can be computed is computed. */
static void AddGltf(Model *model) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    options.root_motion = (RpGltfRootMotion)(model->number % 3);
    options.sub_frames = model->number % 7 == 3 ? 4 : 1;
    options.frames_per_second = model->number % 5 == 1 ? 23.976 : 20.0;
    options.container = model->number % 8 == 7 ? RP_GLTF_TEXT : RP_GLTF_BINARY;
    RpBuffer file;
    RpBuffer_Init(&file, NULL);
    Demand(RpGltf_Export(&model->archive, &options, &file, &model->error), model->name,
           &model->error);
    for (int anew = 0; anew < 2; anew++) {
        RpGltfImportOptions import = RpGltfImportOptions_Default();
        RpNResArchive back;
        import.ignore_restore = anew;
        import.frames_per_second = anew && model->number % 2 ? 17.3 : 0;
        RpNResArchive_Init(&back, NULL);
        Demand(RpGltf_Import(file.bytes, file.size, &import, &back, &model->error), model->name,
               &model->error);
        AddArchive(anew ? &model->digests->anew : &model->digests->import, &back);
        RpNResArchive_Free(&back);
    }
    AddText(&model->digests->gltf, &file);
}

static void AddObj(Model *model) {
    RpObjOptions options = RpObjOptions_Default();
    options.frame = 0.37 * (model->number % 5);
    RpBuffer text, materials;
    RpBuffer_Init(&text, NULL);
    RpBuffer_Init(&materials, NULL);
    Demand(RpObj_Export(&model->archive, &options, &text, &materials, &model->error), model->name,
           &model->error);
    AddText(&model->digests->obj, &text);
    RpBuffer_Free(&materials);
}

/* ---- findings -------------------------------------------------------------------------------- */

static void TakeFinding(void *context, const RpFinding *finding) {
    Digest *digest = context;
    Digest_Add(digest, finding->rule, strlen(finding->rule));
    Digest_Add(digest, finding->what, strlen(finding->what));
    Digest_Add(digest, finding->expected, strlen(finding->expected));
    Digest_Add(digest, finding->found, strlen(finding->found));
    digest->calls++;
}

static void AddTexts(Model *model, const RpNRes *image) {
    const RpFindingSink sink = {TakeFinding, &model->digests->findings};
    RpBuffer text;
    RpMsh_Check(RpNRes_Entries(image), NULL, &sink, NULL);
    RpBuffer_Init(&text, NULL);
    Demand(RpView_Describe(image, NULL, &text, &model->error), model->name, &model->error);
    AddText(&model->digests->view, &text);
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void AddTurned(Model *model, const RpNRes *image) {
    const double axis[3] = {1, 2, 3};
    RpMshTransform transform = RpMshTransform_Identity();
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpMshTransform_Turn(&transform, axis, 33.3 + model->number, NULL);
    for (int i = 0; i < 3; i++) {
        transform.scale[i] = 1.1;
        transform.translation[i] = 0.3 * i - 0.7;
    }
    Demand(RpNResArchive_Read(&archive, image, &model->error), model->name, &model->error);
    /* A model may be refused, because its nodes share vertices. That is a result, too. */
    const RpStatus status = RpMshEdit_TransformAll(&archive, NULL, &transform, NULL);
    Digest_Add(&model->digests->turned, &status, sizeof status);
    AddArchive(&model->digests->turned, &archive);
    RpNResArchive_Free(&archive);
}

static void AddAnimated(Model *model, const RpNRes *image, const RpMsh *msh) {
    RpMshAnimation animation;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpMshAnimation_Init(&animation, NULL);
    Demand(RpNResArchive_Read(&archive, image, &model->error), model->name, &model->error);
    Demand(RpMshAnimation_Extract(&animation, msh, RP_MSH_EXTRACT_SAMPLE, NULL, &model->error),
           model->name, &model->error);
    Demand(RpMshAnimation_Simplify(&animation, 0.01, 0.5, NULL, &model->error), model->name,
           &model->error);
    if (animation.frame_count > 1)
        Demand(RpMshAnimation_Retime(&animation, 1.37, NULL, &model->error), model->name,
               &model->error);
    Demand(RpMshAnimation_Install(&animation, &archive, &model->error), model->name, &model->error);
    Demand(RpMsh_UpdateBounds(&archive, NULL, &model->error), model->name, &model->error);
    AddArchive(&model->digests->animated, &archive);
    RpMshAnimation_Free(&animation);
    RpNResArchive_Free(&archive);
}

static void AddModel(Digests *digests, const RpCorpus *corpus, uint32_t number) {
    const RpCorpusModel info = RpCorpus_ModelInfo(corpus, number);
    Model model = {.digests = digests, .name = info.name, .number = number};
    RpNRes image;
    RpMsh msh;
    RpNResArchive_Init(&model.archive, NULL);
    RpBuffer_Init(&model.image, NULL);
    Demand(RpCorpus_Model(corpus, number, &model.archive, &model.error), info.name, &model.error);
    Demand(RpNResArchive_Write(&model.archive, RP_NRES_CANONICAL, &model.image, &model.error),
           info.name, &model.error);
    Demand(RpNRes_Open(model.image.bytes, model.image.size, RP_TOLERANT, &image, &model.error),
           info.name, &model.error);
    Demand(RpMsh_Open(RpNRes_Entries(&image), RP_TOLERANT, &msh, &model.error), info.name,
           &model.error);
    if (info.nodes > 0) { /* the nodes of one model have a stride that nobody computes with */
        AddArchive(&digests->made, &model.archive);
        AddGltf(&model);
        AddObj(&model);
        AddTexts(&model, &image);
        AddTurned(&model, &image);
        AddAnimated(&model, &image, &msh);
    }
    RpNResArchive_Free(&model.archive);
    RpBuffer_Free(&model.image);
}

void Models_Print(const char *section, uint32_t step) {
    const Digest none = {0, HASH_FNV64_BEGIN};
    Digests digests = {none, none, none, none, none, none, none, none, none};
    RpCorpus *corpus;
    RpError error;
    Demand(RpCorpus_New(NULL, NULL, &corpus, &error), "the corpus", &error);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i += step)
        AddModel(&digests, corpus, i);
    RpCorpus_Free(corpus);
    Digest_Print(section, NULL, "made", "exact", &digests.made);
    Digest_Print(section, NULL, "gltf", "exact", &digests.gltf);
    Digest_Print(section, NULL, "import", "exact", &digests.import);
    Digest_Print(section, NULL, "anew", "exact", &digests.anew);
    Digest_Print(section, NULL, "obj", "exact", &digests.obj);
    Digest_Print(section, NULL, "turned", "exact", &digests.turned);
    Digest_Print(section, NULL, "animated", "exact", &digests.animated);
    Digest_Print(section, NULL, "findings", "exact", &digests.findings);
    Digest_Print(section, NULL, "view", "exact", &digests.view);
}

/* ---- points ---------------------------------------------------------------------------------- */

void Spheres_Print(const char *section) {
    Digest digest = {0, HASH_FNV64_BEGIN};
    uint64_t seed = 1;
    for (int round = 0; round < SPHERES; round++) {
        float points[MOST_POINTS][3], sphere[4];
        const uint32_t count = 1 + Random_Lcg64Word(&seed) % MOST_POINTS;
        for (uint32_t p = 0; p < count; p++)
            for (int i = 0; i < 3; i++)
                points[p][i] =
                    (float)((int32_t)(Random_Lcg64Word(&seed) >> 7) - (1 << 24)) * 0x1p-20f;
        RpMsh_Sphere((const float(*)[3])points, count, sphere);
        Digest_Add(&digest, sphere, sizeof sphere);
        digest.calls++;
    }
    Digest_Print(section, NULL, "spheres", "exact", &digest);
}
