/* A synthetic corpus: models in the numbers, sizes and shapes of the game's own
 * (facts/formats.md C.14), because no file of the game may be published; docs/proof/inputs.md.
 *
 * The same options give the same bytes on every machine, because the sizes, the shapes and the
 * poses are all computed in integers. RpCorpus_New plans the whole corpus once, which fixes every
 * count; each model is then made on request. Any number of threads may use one RpCorpus.
 */
#ifndef RETROPOSE_CORPUS_H
#define RETROPOSE_CORPUS_H

#include "api.h"
#include "msh_make.h"

RP_API_BEGIN

enum {
    RP_CORPUS_MODELS = 435,
    RP_CORPUS_MODEL_TYPE = 0x4853454D /* "MESH": the type of a model's entry in a library */
};

typedef struct RpCorpusOptions {
    /* chooses shapes and how totals are shared out; the totals are the same for every seed */
    uint64_t seed;
    RpReadings readings; /* decides how keys, slot words and materials are encoded */
} RpCorpusOptions;

/* Returns seed 1 and the default readings, which are those of the seed documents. */
RpCorpusOptions RpCorpusOptions_Default(void);

typedef struct RpCorpus RpCorpus;

/* Plans a corpus. A null `options` means the defaults. The result is RP_INVALID for readings that
 * do not exist. */
RpStatus RpCorpus_New(const RpCorpusOptions *options, const RpAllocator *allocator,
                      RpCorpus **corpus, RpError *error);
/* Frees a corpus, which may be null. */
void RpCorpus_Free(RpCorpus *corpus);

/* Returns which of a node's slot words (0 to 14) holds a damage state (0 to 2) at a level of detail
 * (0 to 3, or 4 for the cockpit). Under slot-words=state-lod it is state * 5 + level, as in the
 * game's files. The reading lod-group has only three levels of five groups each: levels 0 to 2 of
 * state s are group s; level 3 is group 3 of LOD 2 - s; level 4, which only state 0 has, is group 4
 * of LOD 0. The result is RP_MSH_NONE for level 4 of the other states. */
uint32_t RpCorpus_SlotWord(const RpReadings *readings, uint32_t state, uint32_t level);

/* ---- models ---------------------------------------------------------------------------------- */

typedef struct RpCorpusModel {
    const char *name;    /* file name, such as "R_B_01.msh" */
    const char *library; /* the library that holds the model, such as "parts.rlb" */
    uint32_t nodes;      /* 0 for the one model whose nodes have a stride of 24 */
    uint32_t animated;   /* number of nodes that move */
    uint32_t frames, keys, slots, batches, triangles;
    bool lit;   /* whether Res18 and Res20 exist, in the stream order of the 21 lit models */
    bool paths; /* whether the model has a path graph */
    /* ids of the rules that the model breaks on purpose, separated by spaces, or "" */
    const char *expected;
} RpCorpusModel;

/* Describes the model of an `index` below RP_CORPUS_MODELS. Two rules have findings on every model
 * and are therefore never listed in `expected`: M31, which reports the evidence for readings, and
 * N21, which reports streams that share a name. */
RpCorpusModel RpCorpus_ModelInfo(const RpCorpus *corpus, uint32_t index);
/* Finds a model by its name, compared as the game's lookups do; -1 when there is none. */
int32_t RpCorpus_FindModel(const RpCorpus *corpus, const char *name);
/* Makes a model in an initialised, empty archive. The archive's allocator is used. RP_INVALID
 * stands for an index that does not exist, and for an archive that is not empty. */
RpStatus RpCorpus_Model(const RpCorpus *corpus, uint32_t index, RpNResArchive *archive,
                        RpError *error);
/* Returns the index of the model that benchmarks measure with: it has 38 nodes and 645 kB. */
uint32_t RpCorpus_Benchmark(void);

/* ---- libraries ------------------------------------------------------------------------------- */

/* Returns how many NRes libraries the corpus has. */
uint32_t RpCorpus_LibraryCount(void);
/* Returns "static.rlb", "fortif.rlb" and so on, and null past the last library. */
const char *RpCorpus_LibraryName(uint32_t index);
/* Appends an NRes image with all models of the library to an empty buffer. RP_INVALID stands for an
 * index that does not exist, and for a buffer that is not empty. */
RpStatus RpCorpus_Library(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error);
/* Appends an RsLi library that uses every packing method to an empty buffer. The data of each entry
 * is what RpCorpus_RsLiData gives for its index. Unlike everything else here, these bytes may
 * differ between machines: where the method is Deflate, they are whatever zlib makes. The error is
 * RP_NO_MEMORY. */
RpStatus RpCorpus_RsLi(const RpCorpus *corpus, RpBuffer *image, RpError *error);
/* Returns how many entries the RsLi library has. */
uint32_t RpCorpus_RsLiCount(void);
/* Gives an entry's name (static text) and method, and appends its unpacked data. RP_INVALID stands
 * for an index that does not exist. */
RpStatus RpCorpus_RsLiData(const RpCorpus *corpus, uint32_t index, const char **name,
                           uint32_t *method, RpBuffer *data, RpError *error);

/* ---- what no file of the game does ----------------------------------------------------------- */

typedef struct RpCorpusVariant {
    const char *name; /* file name without its extension */
    const char *what; /* what is unusual about it: one sentence without a full stop */
    /* ids of the archive and model rules that it breaks on purpose, separated by spaces, or "" */
    const char *expected;
} RpCorpusVariant;

/* Returns how many variants the corpus has. */
uint32_t RpCorpus_VariantCount(void);
/* Describes the variant of an `index` below RpCorpus_VariantCount. */
RpCorpusVariant RpCorpus_VariantInfo(uint32_t index);
/* Appends the image of a variant to an empty buffer. RP_INVALID stands for an index that does not
 * exist, and for a buffer that is not empty. */
RpStatus RpCorpus_Variant(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error);

/* ---- files ----------------------------------------------------------------------------------- */

typedef enum RpCorpusKind {
    RP_CORPUS_MODEL,
    RP_CORPUS_VARIANT,
    RP_CORPUS_LIBRARY,
    RP_CORPUS_RSLI /* there is one, with index 0 */
} RpCorpusKind;

/* One file of the corpus as it is, or will be, written to disk. */
typedef struct RpCorpusFile {
    RpCorpusKind kind;
    uint32_t index; /* index of the model, variant or library */
    char path[64];  /* path below the corpus's folder, with slashes, such as "models/R_B_01.msh" */
    uint64_t size;
    char sha256[65];
} RpCorpusFile;

/* Returns how many files of a kind the corpus has. */
uint32_t RpCorpus_FileCount(RpCorpusKind kind);
/* Returns the kind, index and path of a file. The writer fills in size and digest. */
RpCorpusFile RpCorpus_File(const RpCorpus *corpus, RpCorpusKind kind, uint32_t index);
/* Appends the file's bytes to an empty buffer. RP_INVALID stands for an index that does not exist,
 * and, but for RP_CORPUS_RSLI, for a buffer that is not empty. */
RpStatus RpCorpus_FileImage(const RpCorpus *corpus, const RpCorpusFile *file, RpBuffer *image,
                            RpError *error);
/* Appends a JSON object that lists files: their paths, sizes, digests, the counts of the models,
 * and the rules that are broken on purpose. The error is RP_NO_MEMORY. */
RpStatus RpCorpus_Manifest(const RpCorpus *corpus, const RpCorpusFile *files, uint32_t count,
                           RpBuffer *text, RpError *error);

RP_API_END

#endif
