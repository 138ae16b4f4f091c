/* Begins and ends a census, and adds files to it. */
#include "formats/census/census.h"

#include "core/bytes.h"
#include "exports/reading_table.h"
#include "formats/census/census_tally.h"
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

/* ---- where payloads lie (facts/formats.md A.4) ----------------------------------------------- */

static bool IsPadding(const RpNRes *archive, uint32_t from, uint32_t to) {
    bool padding = to - from < 8;
    for (uint32_t i = from; padding && i < to; i++)
        padding = archive->image[i] == 0;
    return padding;
}

/* Reads the archive and writes it anew, with its sort table, to see whether the bytes are the
 * same. */
static RpStatus Repack(CensusTally *tally, const RpNRes *archive, RpError *error) {
    RpNResArchive apart;
    RpBuffer image;
    RpError own;
    RpNResArchive_Init(&apart, NULL);
    RpBuffer_Init(&image, NULL);
    RpStatus status = RpNRes_CheckCopies(archive, &own);
    if (!status)
        status = RpNResArchive_Read(&apart, archive, &own);
    apart.keeps_table = false;
    if (!status)
        status = RpNResArchive_Write(&apart, RP_NRES_CANONICAL, &image, &own);
    tally->repacked += !status && image.size == archive->size &&
                       memcmp(image.bytes, archive->image, image.size) == 0;
    RpNResArchive_Free(&apart);
    RpBuffer_Free(&image);
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "a census") : RP_OK;
}

/* ---- archives and libraries ------------------------------------------------------------------ */

static RpStatus AddArchive(Census *census, const char *name, const RpNRes *archive,
                           RpError *error) {
    RpStatus status = Repack(&census->tally, archive, error);

    /* Visits the payloads in the order of the directory, which in the game's files is also the
     * order in which they lie. A payload that begins before the end of the one before it counts as
     * a gap, too. */
    CensusTally *tally = &census->tally;
    uint32_t end = RP_NRES_HEADER_BYTES;
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        tally->odd_offsets += entry.data_offset % 8 != 0;
        if (!entry.data) {
            tally->wide_gaps++;
            continue;
        }
        tally->wide_gaps += entry.data_offset < end || !IsPadding(archive, end, entry.data_offset);
        end = entry.data_offset + entry.size;
    }
    tally->wide_gaps +=
        end > archive->directory_offset || !IsPadding(archive, end, archive->directory_offset);
    census->tally.archives++;
    census->tally.entries += archive->count;
    if (IsNamed(name, "system.rlb")) {
        census->tally.has_system = true;

        /* The sort table of system.rlb, the only one that was published (facts/formats.md A.3). */
        static const uint8_t published[] = {0,  5, 6, 7,  8,  9,  10, 11, 12,
                                            16, 1, 4, 15, 13, 14, 2,  3};
        bool same = archive->count == sizeof published;
        for (uint32_t i = 0; same && i < archive->count; i++)
            same = RpNRes_Entry(archive, i).sort_index == published[i];
        census->tally.system_permutes = same;
    }
    for (uint32_t i = 0; i < archive->count && status == RP_OK; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.type == TYPE_MODEL)
            status = AddModel(census, &entry, error);
    }
    return status;
}

/* Unpacks all entries, and counts their bytes. An entry that cannot be unpacked has none. */
static RpStatus Unpack(const RpRsLi *library, uint64_t *bytes, RpError *error) {
    uint32_t most = 0;
    RpError own;
    *bytes = 0;
    if (RpRsLi_CheckSizes(library, &own))
        return RP_OK;
    for (uint32_t i = 0; i < library->count; i++)
        most = library->records[i].unpacked_size > most ? library->records[i].unpacked_size : most;
    uint8_t *work = RpMemory_Resize(NULL, NULL, RP_RSLI_WORK_BYTES + (size_t)most);
    if (!work)
        return RpMemory_Refused(error, "a census");
    for (uint32_t i = 0; i < library->count; i++) {
        RpRsLiNotes notes;
        if (RpRsLi_Load(library, i, work + RP_RSLI_WORK_BYTES, work, &notes, &own) == RP_OK)
            *bytes += library->records[i].unpacked_size;
    }
    RpMemory_Free(NULL, work);
    return RP_OK;
}

/* The header states the sum of all unpacked sizes. */
static RpStatus AddLibrary(Census *census, const char *name, const uint8_t *bytes, size_t size,
                           RpError *error) {
    enum { AT_SUM = 16 };
    static const char *const names[CENSUS_LIBRARIES] = {"gamefont.rlb", "sprites.lib"};
    const uint32_t count = RpRsLi_Count(bytes, size);
    RpRsLiRecord *records = RpMemory_Resize(NULL, NULL, (count + (size_t)1) * sizeof *records);
    RpRsLi library;
    RpError own;
    RpStatus status = RP_OK;
    if (!records)
        return RpMemory_Refused(error, "a census");
    if (RpRsLi_Open(bytes, size, 0, RP_TOLERANT, records, count, &library, &own))
        census->tally.damaged++;
    else
        for (size_t i = 0; i < CENSUS_LIBRARIES && !status; i++) {
            if (!IsNamed(name, names[i]))
                continue;
            census->tally.sums[i] = Bytes_U32(bytes + AT_SUM);
            status = Unpack(&library, &census->tally.unpacked[i], error);
        }
    RpMemory_Free(NULL, records);
    return status;
}

RpStatus Census_AddFile(Census *census, const char *name, const void *bytes, size_t size,
                        RpError *error) {
    RpNRes archive;
    if (RpNRes_Is(bytes, size)) {
        if (RpNRes_Open(bytes, size, RP_TOLERANT, &archive, NULL) == RP_OK)
            return AddArchive(census, name, &archive, error);
        census->tally.damaged++;
    } else if (size >= 4 && memcmp(bytes, "NL\0\1", 4) == 0) {
        return AddLibrary(census, name, bytes, size, error);
    }
    return RP_OK;
}
