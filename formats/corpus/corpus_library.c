/* Makes the libraries of the synthetic corpus: NRes archives with its models, and an RsLi library
 * that uses every method. */
#include "formats/corpus/corpus_parts.h"
#include "formats/corpus/integer.h"

#include "ngi32/processor/modes.h"
#include "retropose/rsli.h"

#include <string.h>

/* ---- NRes ------------------------------------------------------------------------------------ */

uint32_t RpCorpus_LibraryCount(void) {
    return CORPUS_FAMILY_COUNT;
}

const char *RpCorpus_LibraryName(uint32_t index) {
    return CorpusFamily_Library((CorpusFamily)index);
}

RpStatus RpCorpus_Library(const RpCorpus *corpus, uint32_t index, RpBuffer *image, RpError *error) {
    MODES_OF_C();
    RpNResArchive library;
    RpStatus status = RP_OK;
    if (index >= CORPUS_FAMILY_COUNT)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such library in the corpus",
                           "", "", "");
    RpNResArchive_Init(&library, corpus->allocator);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS && !status; i++) {
        if (corpus->plan.models[i].family != (CorpusFamily)index)
            continue;
        RpBuffer model;
        RpBuffer_Init(&model, corpus->allocator);
        status = CorpusModel_Write(corpus, i, &model, error);
        if (!status) {
            RpNResMember member = {.type = RP_CORPUS_MODEL_TYPE,
                                   .attr3 = 1, /* members of the game's libraries have this value */
                                   .data = model.bytes,
                                   .size = (uint32_t)model.size};
            memcpy(member.name, corpus->plan.models[i].name, sizeof member.name);
            status = RpNResArchive_Add(&library, library.count, &member, error);
        }
        RpBuffer_Free(&model);
    }
    if (!status)
        status = RpNResArchive_Write(&library, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&library);
    return status;
}

/* ---- RsLi ------------------------------------------------------------------------------------ */

static const RpRsLiMethod methods[] = {RP_RSLI_STORED,   RP_RSLI_XOR,     RP_RSLI_LZSS,
                                       RP_RSLI_XOR_LZSS, RP_RSLI_HUFFMAN, RP_RSLI_XOR_HUFFMAN,
                                       RP_RSLI_DEFLATE};
enum { METHODS = sizeof methods / sizeof *methods, AT_CIPHER_SEED = 20 };

enum { SEED_TEXT = 1, TEXT_BYTES = 4000, NOISE_BYTES = 5000, RUN_BYTES = 20000, SIDE = 64 };

/* Writes the same few words many times, which gives short matches near and far. */
static RpStatus AppendText(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    static const char *const words[8] = {"piece ", "slot ", "batch ",     "key ",
                                         "frame ", "map ",  "placement ", "trace\r\n"};
    (void)error;
    for (uint32_t i = 0; data->size < TEXT_BYTES && !data->failed; i++)
        RpBuffer_AppendText(data, words[Corpus_Draw(corpus->plan.seed, 0, SEED_TEXT, i) % 8]);
    return RP_OK;
}

/* Writes bytes that do not compress. */
static RpStatus AppendNoise(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    (void)error;
    for (uint32_t i = 0; i < NOISE_BYTES / 4; i++)
        RpBuffer_AppendU32(data, Corpus_Draw(corpus->plan.seed, 1, SEED_TEXT, i));
    return RP_OK;
}

/* Writes data with matches of the greatest length, also across the end of the ring. It begins with
 * spaces, of which the ring consists at first. */
static RpStatus AppendRuns(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    (void)error;
    for (uint32_t i = 0; data->size < RUN_BYTES && !data->failed; i++) {
        const uint32_t draw = Corpus_Draw(corpus->plan.seed, 2, SEED_TEXT, i);
        const uint32_t length = i ? 1 + draw % 700 : 100;
        uint8_t *run = RpBuffer_Extend(data, length);
        if (run)
            memset(run, i ? (int)(draw >> 24 & 7) : ' ', length);
    }
    return RP_OK;
}

/* Writes a picture of 64 by 64 words. */
static RpStatus AppendPicture(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    (void)corpus;
    (void)error;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            RpBuffer_AppendU16(data, (uint16_t)((x / 4) << 11 | (x + y) / 4 << 5 | y / 4));
    return RP_OK;
}

static RpStatus AppendModel(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    return CorpusModel_Write(corpus, (uint32_t)RpCorpus_FindModel(corpus, "sys_point.msh"), data,
                             error);
}

static RpStatus AppendByte(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    (void)corpus;
    (void)error;
    RpBuffer_Append(data, "t", 1);
    return RP_OK;
}

static RpStatus AppendNothing(const RpCorpus *corpus, RpBuffer *data, RpError *error) {
    (void)corpus;
    (void)data;
    (void)error;
    return RP_OK;
}

typedef struct Content {
    const char *names[METHODS]; /* a name for each method; one of them has all twelve characters */
    RpStatus (*append)(const RpCorpus *corpus, RpBuffer *data, RpError *error);
} Content;

/* Neither the names nor the methods are in order. Otherwise the sort map and the keys would simply
 * be 0, 1, 2 and so on. */
static const Content contents[] = {
    {{"TEXT.TXT", "TEXT_X.TXT", "TEXT_L.TXT", "TEXT_XL.TXT", "TEXT_H.TXT", "TWELVE_CHARS",
      "TEXT_D.TXT"},
     AppendText},
    {{"NOISE.BIN", "NOISE_X.BIN", "NOISE_L.BIN", "NOISEXL.BIN", "NOISE_H.BIN", "NOISEXH.BIN",
      "NOISE_D.BIN"},
     AppendNoise},
    {{"RUNS.BIN", "RUNS_X.BIN", "RUNS_L.BIN", "RUNS_XL.BIN", "RUNS_H.BIN", "RUNS_XH.BIN",
      "RUNS_D.BIN"},
     AppendRuns},
    {{"ARIAL.TFT", "ARIAL_X.TFT", "ARIAL_L.TFT", "ARIALXL.TFT", "ARIAL_H.TFT", "ARIALXH.TFT",
      "ARIAL_D.TFT"},
     AppendPicture},
    {{"POINT.MSH", "POINT_X.MSH", "POINT_L.MSH", "POINTXL.MSH", "POINT_H.MSH", "POINTXH.MSH",
      "POINT_D.MSH"},
     AppendModel},
    {{"B.", "BX", "BL", "BXL", "BH", "BXH", "BD"}, AppendByte},
    {{"0", "0X", "0L", "0XL", "0H", "0XH", "0D"}, AppendNothing},
};
enum { CONTENTS = sizeof contents / sizeof *contents };

uint32_t RpCorpus_RsLiCount(void) {
    return CONTENTS * METHODS;
}

RpStatus RpCorpus_RsLiData(const RpCorpus *corpus, uint32_t index, const char **name,
                           uint32_t *method, RpBuffer *data, RpError *error) {
    MODES_OF_C();
    if (index >= CONTENTS * METHODS)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "there is no such entry in the corpus",
                           "", "", "");
    const uint32_t place = index * 5 % (CONTENTS * METHODS); /* 5 is prime to 49: a permutation */
    const Content *content = &contents[place / METHODS];
    *name = content->names[place % METHODS];
    *method = methods[place % METHODS];
    const RpStatus status = content->append(corpus, data, error);
    return status || !data->failed ? status : RpMemory_Refused(error, "an RsLi entry");
}

RpStatus RpCorpus_RsLi(const RpCorpus *corpus, RpBuffer *image, RpError *error) {
    MODES_OF_C();
    RpRsLiArchive archive;
    RpStatus status = RP_OK;
    RpRsLiArchive_Init(&archive, corpus->allocator);
    archive.header[AT_CIPHER_SEED] = 0x34; /* 0x1234, as in the published vectors (B.2) */
    archive.header[AT_CIPHER_SEED + 1] = 0x12;
    for (uint32_t i = 0; i < CONTENTS * METHODS && !status; i++) {
        RpBuffer data;
        const char *name;
        uint32_t method;
        RpBuffer_Init(&data, corpus->allocator);
        status = RpCorpus_RsLiData(corpus, i, &name, &method, &data, error);
        if (!status)
            status = RpRsLiArchive_Add(&archive, archive.count, name, method, data.bytes, data.size,
                                       error);
        RpBuffer_Free(&data);
    }
    if (!status)
        status = RpRsLiArchive_Write(&archive, RP_RSLI_CANONICAL, image, error);
    RpRsLiArchive_Free(&archive);
    return status;
}
