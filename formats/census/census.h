/* Counts and measures what was published about the game's own files on the files of somebody who
 * has them (docs/proof/send.md; facts/published.md 2, facts/formats.md A.4 and C.14).
 *
 * Poses, levels and bounds are computed by the runtime that a game would use (RpMeshObject), not by
 * a reader of the format. A number that differs from the published one thus says that the runtime
 * reads these files in another way than those who published it. */
#ifndef RETROPOSE_FORMATS_CENSUS_CENSUS_H
#define RETROPOSE_FORMATS_CENSUS_CENSUS_H

#include "retropose/memory.h"
#include "retropose/nres.h"
#include "retropose/readings.h"

#include <stdbool.h>

typedef enum CensusVerdict {
    CENSUS_OK,
    CENSUS_DIFFERS,
    CENSUS_NOT_CHECKED /* no file was there to check it; `why` says what is missing */
} CensusVerdict;

typedef struct CensusRow {
    const char *id;     /* as in facts/published.md 2, "T2", or in facts/formats.md, "C.14" */
    const char *what;   /* the statement, without its number */
    const char *source; /* who published it */
    char expected[64], found[64];
    CensusVerdict verdict;
    char why[80];
} CensusRow;

typedef struct Census Census;

/* Begins a census. `readings` are those with which models are posed. The runtime can read the
 * fields of a model's file in one way only, "drawn", except for the order of a key's components.
 * Other readings are refused with RP_UNSUPPORTED, because the rows would show the results of this
 * one. Can also return RP_NO_MEMORY. */
RpStatus Census_New(const RpReadings *readings, Census **census, RpError *error);
void Census_Free(Census *census); /* does nothing with null */
/* Also compares with the digest that fparkan has made of its own poses. It depends on the order of
 * the files. */
void Census_AskForDigest(Census *census);

/* Counts a file. Of an NRes archive, the entries are counted and members of type MESH are counted
 * as models. Of an RsLi library, the sizes are counted. Every other file is passed over. Models
 * that cannot be opened are counted as damaged, in a row of their own. `name` is the file's name
 * without its folder. Can return RP_NO_MEMORY. */
RpStatus Census_AddFile(Census *census, const char *name, const void *bytes, size_t size,
                        RpError *error);

/* Appends the counts as bytes, which Census_Merge of the same program can read. */
bool Census_Save(const Census *census, RpBuffer *bytes);
/* Adds the counts of another census, whose files follow those counted here. Can return RP_CORRUPT
 * or RP_NO_MEMORY; the census is then useless. */
RpStatus Census_Merge(Census *census, const void *saved, size_t size, RpError *error);

/* Returns to which part of the game the files belong: the part whose number of models is nearest.
 * For most rows, numbers were published only for part 1. */
uint32_t Census_Part(const Census *census);
size_t Census_RowCount(void);
/* Fills in a row. The expected numbers are those for the part to which the files belong. */
void Census_Row(const Census *census, size_t index, CensusRow *row);

#endif
