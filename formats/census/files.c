/* A census, and the files that it is taken of. */
#include "formats/census/census.h"

#include "core/bytes.h"
#include "exports/readings.h"
#include "formats/census/tally.h"
#include "retropose/rsli.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TYPE_MODEL = 0x4853454D /* MESH */ };

static RpStatus CheckReadings(const RpReadings *readings, RpError *error) {
    RpReadings drawn;
    const RpStatus status = RpReadings_Parse(&drawn, RP_READS_FILES, "drawn", error);
    for (int32_t i = 0; !status && RpReadings_Name(i); i++) {
        char expected[32], found[32];
        size_t length[2];
        const char *texts[2] = {RpReadings_Choice(&drawn, i, &length[0]),
                                RpReadings_Choice(readings, i, &length[1])};
        if (!(RpReadings_Kind(i) & RP_READS_FILES) || i == READING_KEY_ORDER ||
            drawn.choice[i] == readings->choice[i])
            continue;
        snprintf(expected, sizeof expected, "%.*s", (int)length[0], texts[0]);
        snprintf(found, sizeof found, "%.*s", (int)length[1], texts[1]);
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "the runtime, which is what a census judges, has no such reading",
                           RpReadings_Name(i), expected, found);
    }
    return status;
}

RpStatus Census_New(const RpReadings *readings, Census **census, RpError *error) {
    if (CheckReadings(readings, error))
        return error->status;
    Census *made = RpMemory_Resize(NULL, NULL, sizeof *made);
    if (!made)
        return RpMemory_Refused(error, "a census");
    memset(made, 0, sizeof *made);
    made->readings = *readings;
    RpBuffer_Init(&made->tally.errors[0], NULL);
    RpBuffer_Init(&made->tally.errors[1], NULL);
    CensusDigest_Begin(&made->tally.digest);
    *census = made;
    return RP_OK;
}

void Census_Free(Census *census) {
    if (!census)
        return;
    RpBuffer_Free(&census->tally.errors[0]);
    RpBuffer_Free(&census->tally.errors[1]);
    RpMemory_Free(NULL, census);
}

void Census_AskForDigest(Census *census) {
    census->asks_for_digest = true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool IsNamed(const char *name, const char *wanted) {
    while (*name && tolower((unsigned char)*name) == *wanted) {
        name++;
        wanted++;
    }
    return !*name && !*wanted;
}

static RpStatus AddModel(Census *census, const RpNResEntry *entry, RpError *error) {
    CensusTally *tally = &census->tally;
    char name[RP_NRES_NAME_BYTES + 1];
    RpNRes model;
    RpMsh msh;
    if (!entry->data || RpNRes_Open(entry->data, entry->size, RP_TOLERANT, &model, NULL) ||
        RpMsh_Open(RpNRes_Entries(&model), RP_TOLERANT, &msh, NULL)) {
        tally->damaged++;
        return RP_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)entry->name_length, entry->name);
    CensusTally_Streams(tally, &msh, &census->readings);
    CensusDigest_Add(&tally->digest, name, &msh);
    RpStatus status = CensusTally_Poses(tally, &model, &msh, &census->readings, error);
    if (status == RP_OK)
        status = CensusTally_Named(tally, name, &model, &msh, &census->readings, error);
    return status;
}

/* The sort table of system.rlb, the only one that was published (facts/formats.md A.3). */
static bool Permutes(const RpNRes *archive) {
    static const uint8_t published[] = {0, 5, 6, 7, 8, 9, 10, 11, 12, 16, 1, 4, 15, 13, 14, 2, 3};
    bool same = archive->count == sizeof published;
    for (uint32_t i = 0; same && i < archive->count; i++)
        same = RpNRes_Entry(archive, i).sort_index == published[i];
    return same;
}

static RpStatus AddArchive(Census *census, const char *name, const RpNRes *archive,
                           RpError *error) {
    RpStatus status = RP_OK;
    census->tally.archives++;
    census->tally.entries += archive->count;
    if (IsNamed(name, "system.rlb")) {
        census->tally.has_system = true;
        census->tally.system_permutes = Permutes(archive);
    }
    for (uint32_t i = 0; i < archive->count && status == RP_OK; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.type == TYPE_MODEL)
            status = AddModel(census, &entry, error);
    }
    return status;
}

static bool IsLibrary(const uint8_t *bytes, size_t size) {
    return size >= RP_RSLI_HEADER_BYTES && memcmp(bytes, "NL\0\1", 4) == 0;
}

/* The header states the sum of all unpacked sizes. */
static void AddLibrary(Census *census, const char *name, const uint8_t *bytes) {
    enum { AT_SUM = 16 };
    const uint32_t sum = Bytes_U32(bytes + AT_SUM);
    if (IsNamed(name, "gamefont.rlb"))
        census->tally.gamefont_sum = sum;
    else if (IsNamed(name, "sprites.lib"))
        census->tally.sprites_sum = sum;
}

RpStatus Census_AddFile(Census *census, const char *name, const void *bytes, size_t size,
                        RpError *error) {
    RpNRes archive;
    if (RpNRes_Is(bytes, size)) {
        if (RpNRes_Open(bytes, size, RP_TOLERANT, &archive, NULL) == RP_OK)
            return AddArchive(census, name, &archive, error);
        census->tally.damaged++;
    } else if (IsLibrary(bytes, size)) {
        AddLibrary(census, name, bytes);
    }
    return RP_OK;
}
