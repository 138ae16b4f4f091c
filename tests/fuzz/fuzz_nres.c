/* Reads NRes images of any bytes, and a small sound one with changes. Everything is read within
 * bounds, and what is written again can be read. The last bytes of the input choose edits. */
#include "fuzz.h"
#include "retropose/nres.h"

#include <stdlib.h>
#include <string.h>

typedef struct Tally {
    uint64_t broken; /* the number of errors and warnings */
    uint64_t odd;    /* that number and the number of findings about the canonical form */
} Tally;

static Tally Check(const uint8_t *image, size_t size, void *work) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpNRes_Check(image, size, work, &sink, NULL);
    const uint64_t broken = counter.count[RP_SEVERITY_ERROR] + counter.count[RP_SEVERITY_WARNING];
    return (Tally){.broken = broken, .odd = broken + counter.count[RP_SEVERITY_CANONICAL]};
}

static bool Visit(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                  uint32_t offset) {
    (void)archive, (void)offset;
    Insist(depth <= RP_NRES_MAX_DEPTH && strlen(path) <= depth * (RP_NRES_NAME_BYTES + 1u));
    ++*(uint32_t *)context;
    return true;
}

/* ---- lookups --------------------------------------------------------------------------------- */

static int32_t FirstOfName(const RpNRes *archive, const char *name) {
    for (uint32_t i = 0; i < archive->count; i++)
        if (RpNRes_CompareName(RpNRes_Entry(archive, i).name, name) == 0)
            return (int32_t)i;
    return -1;
}

static void LookUp(const RpNRes *archive, const char *name) {
    const int32_t found = RpNRes_Find(archive, name);
    Insist(found == FirstOfName(archive, name));
    const int32_t game = RpNRes_FindAsGame(archive, name);
    if (game >= 0)
        Insist(RpNRes_CompareName(RpNRes_Entry(archive, (uint32_t)game).name, name) == 0);
    else
        Insist(!archive->sorted || found == -1);
}

static void LookUpAll(const RpNRes *archive) {
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        char name[RP_NRES_NAME_BYTES + 1] = {0};
        memcpy(name, entry.name, entry.name_length);
        LookUp(archive, name);
        name[entry.name_length / 2] ^= 1;
        LookUp(archive, name);
        const int32_t first = RpNRes_FindType(archive, entry.type, 0);
        Insist(first >= 0 && (uint32_t)first <= i);
        if (entry.data)
            Insist(entry.data + entry.size <= archive->image + archive->directory_offset);
    }
    LookUp(archive, "");
    LookUp(archive, "a query that is longer than any field of a directory");
}

/* ---- editing and writing --------------------------------------------------------------------- */

static void EditOnce(RpNResArchive *archive, const uint8_t *choice) {
    RpNResMember member = {.type = choice[1], .data = choice, .size = choice[2] & 3, .name = "new"};
    const uint32_t at = archive->count ? choice[1] % archive->count : 0;
    const uint32_t to = archive->count ? choice[2] % archive->count : 0;
    if (choice[0] % 6 == 0 || archive->count == 0)
        RpNResArchive_Add(archive, at, &member, NULL);
    else if (choice[0] % 6 == 1)
        RpNResArchive_Replace(archive, at, choice, choice[2] & 3, NULL);
    else if (choice[0] % 6 == 2)
        RpNResArchive_Remove(archive, at, NULL);
    else if (choice[0] % 6 == 3)
        RpNResArchive_Move(archive, at, to, NULL);
    else if (choice[0] % 6 == 4)
        RpNResArchive_Rename(archive, at, choice[2] & 1 ? "zz" : "_A", NULL);
    else
        RpNResArchive_Sort(archive, (RpNResSort)(choice[1] % RP_NRES_SORT_COUNT), NULL);
}

static RpBuffer Write(const RpNResArchive *archive, RpNResLayout layout) {
    RpBuffer image = {0};
    Insist(RpNResArchive_Write(archive, layout, &image, NULL) == RP_OK);
    return image;
}

static void DemandHolds(const RpBuffer *image, const RpNResArchive *archive) {
    RpNRes written;
    Insist(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &written, NULL) == RP_OK);
    Insist(written.count == archive->count);
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResMember *member = &archive->members[i];
        const RpNResEntry entry = RpNRes_Entry(&written, i);
        Insist(entry.size == member->size && entry.type == member->type && entry.data);
        Insist(memcmp(entry.name, member->name, RP_NRES_NAME_BYTES) == 0);
        Insist(!member->size || memcmp(entry.data, member->data, member->size) == 0);
    }
}

/* Payloads may share bytes, which those of a canonical image do not. */
static uint64_t UnsharedBytes(const RpNResArchive *archive) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < archive->count; i++)
        bytes += archive->members[i].size;
    return bytes;
}

static void EditAndWrite(const RpNRes *opened, bool names_are_sound, bool was_strict,
                         const uint8_t *choices, size_t count) {
    OWNED(RpNResArchive) archive = {0};
    if (RpNResArchive_Read(&archive, opened, NULL) == RP_OK && UnsharedBytes(&archive) < 1u << 24) {
        RpBuffer same = Write(&archive, RP_NRES_PRESERVING);
        Insist(same.size == opened->size && memcmp(same.bytes, opened->image, same.size) == 0);
        RpBuffer_Free(&same);
        for (size_t i = 0; i + 3 <= count; i += 3)
            EditOnce(&archive, choices + i);
        OWNED(RpBuffer) canonical = Write(&archive, RP_NRES_CANONICAL);
        OWNED(RpBuffer) preserving = Write(&archive, RP_NRES_PRESERVING);
        DemandHolds(&canonical, &archive);
        DemandHolds(&preserving, &archive);
        Insist(!names_are_sound || Check(canonical.bytes, canonical.size, NULL).odd == 0);
        Insist(!was_strict || Check(preserving.bytes, preserving.size, NULL).broken == 0);
    }
}

static bool NamesAreSound(const RpNRes *archive) {
    for (uint32_t i = 0; i < archive->count; i++) {
        const uint32_t length = RpNRes_Entry(archive, i).name_length;
        if (length == 0 || length > RP_NRES_NAME_MAX)
            return false;
    }
    return true;
}

/* ---- one image ------------------------------------------------------------------------------- */

static void UseImage(const uint8_t *image, size_t size, const uint8_t *choices, size_t count) {
    RpNRes strict, archive;
    RpError error;
    uint32_t visits = 0;
    const bool is_strict = RpNRes_Open(image, size, RP_STRICT, &strict, &error) == RP_OK;
    const Tally tally = Check(image, size, NULL);
    Insist(is_strict == (tally.broken == 0));
    if (RpNRes_Open(image, size, RP_TOLERANT, &archive, &error) != RP_OK) {
        Insist(!is_strict && error.what[0]);
        return;
    }
    HEAP void *work = malloc(RpNRes_CheckWork(archive.count) + 1);
    const Tally again = Check(image, size, work);
    Insist(again.broken == tally.broken && again.odd == tally.odd);
    RpNRes_Walk(&archive, Visit, &visits);
    Insist(visits > 0);
    LookUpAll(&archive);
    EditAndWrite(&archive, NamesAreSound(&archive), is_strict, choices, count);
}

static void UseCopy(const uint8_t *bytes, size_t size, const uint8_t *choices, size_t count) {
    HEAP uint8_t *copy = Fuzz_Copy(bytes, size);
    UseImage(copy, size, choices, count);
}

/* Uses a sound image with some bytes changed. Each change is two bytes for the place and one for
 * the value. */
static void ChangeAndUse(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"b.msh", "Alpha", "alpha", "z", "mm"};
    OWNED(RpNResArchive) archive = {0};
    for (uint32_t i = 0; i < 5; i++) {
        RpNResMember member = {.type = i, .data = (const uint8_t *)"0123456789abc", .size = i * 3};
        memcpy(member.name, names[i], strlen(names[i]));
        Insist(RpNResArchive_Add(&archive, i, &member, NULL) == RP_OK);
    }
    OWNED(RpBuffer) image = Write(&archive, RP_NRES_CANONICAL);
    const size_t changes = size / 2;
    for (size_t i = 0; i + 3 <= changes; i += 3)
        image.bytes[(size_t)(bytes[i] | bytes[i + 1] << 8) % image.size] = bytes[i + 2];
    UseCopy(image.bytes, image.size, bytes + changes, size - changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const size_t choices = size < 48 ? size : 48;
    UseCopy(bytes, size, bytes + size - choices, choices);
    ChangeAndUse(bytes, size);
    return 0;
}
