/* A synthetic corpus: models in the numbers, sizes and shapes of the game's own
 * (facts/formats.md C.14), because no file of the game may be published; docs/proof/corpus.md.
 *
 * The same options give the same bytes on every machine: sizes are shared out, shapes are made and
 * poses are computed in integers. A corpus is planned once (all counts), then models are made one
 * at a time. Any number of threads may use one RpCorpus.
 */
#ifndef RETROPOSE_CORPUS_H
#define RETROPOSE_CORPUS_H

#include "api.h"
#include "msh_build.h"

RP_API_BEGIN

enum {
    RP_CORPUS_MODELS = 435,
    RP_CORPUS_MODEL_TYPE = 0x4853454D /* "MESH": of a model's entry in a library */
};

typedef struct RpCorpusOptions {
    uint64_t seed;          /* shapes and shares; the totals are the same for every seed        */
    RpMshReadings readings; /* what the models mean: how keys, slot words, materials are written */
} RpCorpusOptions;

/* Seed 1, the seeds' readings. */
RpCorpusOptions RpCorpusOptions_Default(void);

typedef struct RpCorpus RpCorpus;

/* `options` null: the defaults. RP_INVALID for readings that do not exist. */
RpStatus RpCorpus_New(const RpCorpusOptions *options, const RpAllocator *allocator,
                      RpCorpus **corpus, RpError *error);
void RpCorpus_Free(RpCorpus *corpus);

/* The word of a node (0 to 14) for a state (0 to 2) and a level of detail (0 to 3, 4: cockpit).
 * slot-words=state-lod: state * 5 + level, as in the game's files. lod-group, which has three
 * levels of five groups: levels 0 to 2 of state s are group s; level 3 is group 3 of LOD 2 - s;
 * level 4, which only state 0 has, is group 4 of LOD 0 (RP_MSH_NONE for the others). */
uint32_t RpCorpus_SlotWord(const RpMshReadings *readings, uint32_t state, uint32_t level);

/* ---- models ---------------------------------------------------------------------------------- */

typedef struct RpCorpusModel {
    const char *name;    /* "R_B_01.msh"                                                          */
    const char *library; /* "parts.rlb"                                                           */
    uint32_t nodes;      /* 0 for the one model of stride 24                                      */
    uint32_t animated;   /* nodes                                                                 */
    uint32_t frames, keys, slots, batches, triangles;
    bool lit;             /* has Res18 and Res20, in the stream order of the 21 lit models        */
    bool paths;           /* has a path graph                                                     */
    const char *expected; /* rules whose findings are meant, ' '-separated, or "": see below      */
} RpCorpusModel;

/* `index` below RP_CORPUS_MODELS. Two rules have findings on every model and are never listed as
 * expected: M31, the evidence for readings, and N21, streams that share a name. */
RpCorpusModel RpCorpus_ModelInfo(const RpCorpus *corpus, uint32_t index);
/* By name as lookups compare them; -1 without one. */
int32_t RpCorpus_FindModel(const RpCorpus *corpus, const char *name);
/* Into an initialised, empty archive, whose allocator is used. */
RpStatus RpCorpus_Model(const RpCorpus *corpus, uint32_t index, RpNResArchive *archive,
                        RpError *error);
/* Index of the model to measure with: 38 nodes, 645 kB. */
uint32_t RpCorpus_Benchmark(void);

/* ---- libraries ------------------------------------------------------------------------------- */

uint32_t RpCorpus_LibraryCount(void);
/* "static.rlb", "fortif.rlb", ...; null past the last. */
const char *RpCorpus_LibraryName(uint32_t index);
/* All models of the library, as an NRes image appended to an empty buffer. */
RpStatus RpCorpus_Library(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error);
/* An RsLi library with every method, appended to an empty buffer. The data of each entry is what
 * RpCorpus_RsLiData gives for its index. Unlike all else here its bytes may differ from machine to
 * machine: they are zlib's where the method is Deflate. */
RpStatus RpCorpus_RsLi(const RpCorpus *corpus, RpBuffer *image, RpError *error);
uint32_t RpCorpus_RsLiCount(void);
/* Name of the entry (static text), its method, and its data appended. */
RpStatus RpCorpus_RsLiData(const RpCorpus *corpus, uint32_t index, const char **name,
                           uint32_t *method, RpBuffer *data, RpError *error);

/* ---- what no file of the game does ----------------------------------------------------------- */

typedef struct RpCorpusVariant {
    const char *name;     /* file name without its extension */
    const char *what;     /* one sentence without a stop */
    const char *expected; /* rules of archive and model whose findings are meant, or "", as above */
} RpCorpusVariant;

uint32_t RpCorpus_VariantCount(void);
RpCorpusVariant RpCorpus_VariantInfo(uint32_t index);
/* The image of the model, appended to an empty buffer. */
RpStatus RpCorpus_Variant(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error);

/* ---- files ----------------------------------------------------------------------------------- */

typedef enum RpCorpusKind {
    RP_CORPUS_MODEL,
    RP_CORPUS_VARIANT,
    RP_CORPUS_LIBRARY,
    RP_CORPUS_RSLI /* one: index 0 */
} RpCorpusKind;

/* A file that was written of the corpus. */
typedef struct RpCorpusFile {
    RpCorpusKind kind;
    uint32_t index; /* of the model, variant or library */
    char path[64];  /* below the corpus's folder, with slashes: "models/R_B_01.msh"     */
    uint64_t size;
    char sha256[65];
} RpCorpusFile;

/* Number of files of a kind. */
uint32_t RpCorpus_FileCount(RpCorpusKind kind);
/* Kind, index and path of a file; size and digest are the writer's. */
RpCorpusFile RpCorpus_File(const RpCorpus *corpus, RpCorpusKind kind, uint32_t index);
/* The file's bytes, appended to an empty buffer. */
RpStatus RpCorpus_FileImage(const RpCorpus *corpus, const RpCorpusFile *file, RpBuffer *image,
                            RpError *error);
/* A JSON object that lists files: path, size, digest, counts of models, and the rules whose
 * findings are meant. */
RpStatus RpCorpus_Manifest(const RpCorpus *corpus, const RpCorpusFile *files, uint32_t count,
                           RpBuffer *text, RpError *error);

RP_API_END

#endif
