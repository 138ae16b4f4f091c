/* What was published about the game's own files, counted and measured on the files of somebody who
 * has them (docs/proof/send.md; facts/published.md 2, facts/formats.md A.4 and C.14).
 *
 * Poses, levels and bounds come from the runtime that games would run on (RpMeshObject), and not
 * from a reader of the format, so that a number that does not come out says that the runtime reads
 * these files otherwise than those who published it. */
#ifndef RETROPOSE_FORMATS_CENSUS_CENSUS_H
#define RETROPOSE_FORMATS_CENSUS_CENSUS_H

#include "retropose/memory.h"
#include "retropose/nres.h"
#include "retropose/readings.h"

#include <stdbool.h>

typedef enum CensusVerdict {
    CENSUS_OK,
    CENSUS_DIFFERS,
    CENSUS_NOT_CHECKED /* nothing was there to check it on; `why` says what is missing */
} CensusVerdict;

typedef struct CensusRow {
    const char *id;     /* as in facts/published.md 2: "T2", or of facts/formats.md: "C.14" */
    const char *what;   /* the statement, without its number */
    const char *source; /* who published it */
    char expected[64], found[64];
    CensusVerdict verdict;
    char why[80];
} CensusRow;

typedef struct Census Census;

/* The readings are those by which models are posed. The runtime has one reading of a model file's
 * fields, "drawn", except for the order of a key's components; RP_UNSUPPORTED names any other one,
 * because the rows would come out as if it were that one. RP_NO_MEMORY. */
RpStatus Census_New(const RpReadings *readings, Census **census, RpError *error);
void Census_Free(Census *census); /* null is fine */
/* Has the digest checked that fparkan made of its own poses: it depends on the order of files. */
void Census_AskForDigest(Census *census);

/* Counts a file. An NRes archive counts with its entries, and members of type MESH as models; an
 * RsLi library with its sizes; every other file is passed over. A model that cannot be opened is
 * counted as damaged, which is a row of its own. `name` is the file's name without its folder.
 * RP_NO_MEMORY. */
RpStatus Census_AddFile(Census *census, const char *name, const void *bytes, size_t size,
                        RpError *error);

/* Appends what was counted as bytes, for Census_Merge of the same program. */
bool Census_Save(const Census *census, RpBuffer *bytes);
/* Adds what another census has counted of files that come behind. RP_CORRUPT, RP_NO_MEMORY; the
 * census is of no use then. */
RpStatus Census_Merge(Census *census, const void *saved, size_t size, RpError *error);

/* Which part of the game the files are: the one whose number of models is nearest. The numbers of
 * most rows were published for part 1 only. */
uint32_t Census_Part(const Census *census);
size_t Census_RowCount(void);
/* Gives a row, for the part that the files are. */
void Census_Row(const Census *census, size_t index, CensusRow *row);

#endif
