#include "formats/msh/file/model_source.h"

#include "core/bounds.h"
#include "formats/archive/nres_names.h"
#include "formats/msh/file/model_pack.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "::"
enum { MESH = 0x4853454D }; /* "MESH", the type of models in libraries */

/* ---- what is a model ------------------------------------------------------------------------- */

static bool EndsInMsh(const char *name, size_t length) {
    static const char suffix[] = ".msh";
    if (length < 4)
        return false;
    for (size_t i = 0; i < 4; i++)
        if (tolower((unsigned char)name[length - 4 + i]) != suffix[i])
            return false;
    return true;
}

bool ModelSource_LooksLikeModel(const RpNRes *archive, const char *name) {
    if (RpMsh_IsLand(RpNRes_Entries(archive)))
        return false;
    bool only_streams = archive->count > 0;
    for (uint32_t i = 0; i < archive->count; i++)
        only_streams &= RpMsh_StreamName(RpNRes_Entry(archive, i).type) != NULL;
    return RpMsh_Is(RpNRes_Entries(archive)) || only_streams || EndsInMsh(name, strlen(name));
}

static void Classify(ModelSource *source) {
    source->is_land = RpMsh_IsLand(RpNRes_Entries(&source->archive));
    source->is_model = ModelSource_LooksLikeModel(&source->archive, source->name);
}

/* ---- errors ---------------------------------------------------------------------------------- */

void ModelSource_Locate(const ModelSource *source, RpError *error) {
    char where[sizeof error->where];
    if (!error)
        return;
    snprintf(where, sizeof where, "%.100s%s%.50s", source->name, error->where[0] ? ", " : "",
             error->where);
    memcpy(error->where, where, sizeof where);
    if (error->offset != RP_NOWHERE)
        error->offset += source->offset;
}

static RpStatus Located(const ModelSource *source, RpStatus status, RpError *error) {
    if (status != RP_OK)
        ModelSource_Locate(source, error);
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Appends a member to the name. Returns false if the name becomes too long. */
static bool Descend(ModelSource *source, const char *member, size_t length) {
    size_t used = strlen(source->name);
    if (used + strlen(SEPARATOR) + length >= sizeof source->name)
        return false;
    memcpy(source->name + used, SEPARATOR, strlen(SEPARATOR));
    memcpy(source->name + used + strlen(SEPARATOR), member, length);
    source->name[used + strlen(SEPARATOR) + length] = 0;
    return true;
}

/* Finds a member by its name in UTF-8 or in Windows-1251, in which a console may give texts. */
static int32_t FindText(const RpNRes *archive, const char *text) {
    char name[RP_NRES_NAME_BYTES + 1] = {0};
    return RpNRes_Find(archive, ArchiveName_FromUtf8(text, name) ? name : text);
}

int32_t ModelSource_FindMember(const RpNRes *archive, const char *member, size_t length) {
    char text[ARCHIVE_NAME_BYTES];
    if (length == 0 || length >= sizeof text)
        return -1;
    memcpy(text, member, length);
    text[length] = 0;
    if (text[0] == '#' && isdigit((unsigned char)text[1])) {
        char *end = NULL;
        unsigned long index = strtoul(text + 1, &end, 10);
        return !*end && index < archive->count ? (int32_t)index : -1;
    }
    return FindText(archive, text);
}

/* Makes the contents of `entry` the source. */
static RpStatus Enter(ModelSource *source, const RpNResEntry *entry, RpError *error) {
    source->bytes = entry->data;
    source->size = entry->size;
    if (source->depth >= RP_NRES_MAX_DEPTH)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "archives within archives are followed three deep", "", "", "");
    source->way[source->depth++] = entry->index;
    ArchiveName_ToUtf8(entry->name, source->member);
    if (!entry->data)
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                           "the member's payload is outside the file", "", "", "");
    RpNRes archive;
    source->offset += entry->data_offset;
    RpStatus status = RpNRes_Open(entry->data, entry->size, RP_TOLERANT, &archive, error);
    if (status == RP_OK)
        source->archive = archive;
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

RpStatus ModelSource_Open(ModelSource *source, const char *name, RpError *error) {
    memset(source, 0, sizeof *source);
    const char *member = strstr(name, SEPARATOR);
    size_t length = member ? (size_t)(member - name) : strlen(name);
    if (length >= sizeof source->name)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name is too long", name, "", "");
    memcpy(source->name, name, length);

    RpStatus status = Mapping_Open(source->name, &source->mapping, error);
    if (status == RP_OK) {
        source->bytes = source->mapping.bytes;
        source->size = source->mapping.size;
        status = Located(source,
                         RpNRes_Open(source->bytes ? source->bytes : (const uint8_t *)"",
                                     source->size, RP_TOLERANT, &source->archive, error),
                         error);
    }

    while (status == RP_OK && member) {
        member += strlen(SEPARATOR);
        const char *next = strstr(member, SEPARATOR);
        length = next ? (size_t)(next - member) : strlen(member);
        char found[64];
        int32_t index = ModelSource_FindMember(&source->archive, member, length);
        if (index < 0) {
            char shown[ARCHIVE_SHOWN_BYTES], expected[sizeof error->expected];
            MemberNearest nearest;
            snprintf(found, sizeof found, "%.*s", length < 60 ? (int)length : 60, member);
            MemberNearest_Init(&nearest, found);
            for (uint32_t i = 0; i < source->archive.count; i++) {
                ArchiveName_Show(RpNRes_Entry(&source->archive, i).name, shown);
                MemberNearest_Offer(&nearest, shown);
            }
            snprintf(expected, sizeof expected, "a member's name%s%s, or #index",
                     nearest.best[0] ? ", perhaps " : "", nearest.best);
            status = Located(source,
                             RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE,
                                         "the library has no such member", "", expected, found),
                             error);
        } else {
            RpNResEntry entry = RpNRes_Entry(&source->archive, (uint32_t)index);
            if (!Descend(source, member, length))
                status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name is too long",
                                     source->name, "", "");
            else
                status = Located(source, Enter(source, &entry, error), error);
        }
        member = next;
    }
    if (status == RP_OK)
        Classify(source);
    return status;
}

void ModelSource_Close(ModelSource *source) {
    Mapping_Close(&source->mapping);
    memset(source, 0, sizeof *source);
}

/* ---- visiting -------------------------------------------------------------------------------- */

typedef struct Visit {
    ModelVisit visit;
    void *context;
    uint32_t count;
    bool stopped;
    uint64_t size, entered; /* bytes of the file; bytes of all members that were opened so far */
    RpError *error;
    RpStatus status;
} Visit;

static void VisitArchive(Visit *visit, const ModelSource *source, uint32_t depth);

static void Call(Visit *visit, const ModelSource *model, const RpError *failed) {
    visit->count++;
    visit->stopped = !visit->visit(visit->context, model, failed);
}

/* Returns whether a member can be named by its name. "#3", for example, would be taken for an
 * index. */
static bool IsPlain(const char *text) {
    if (!text[0] || text[0] == '#' || strstr(text, SEPARATOR))
        return false;
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            return false;
    return true;
}

const char *ModelSource_OwnName(const ModelSource *source) {
    const bool plain = IsPlain(source->member);
    return ModelPack_NameOf(source->depth > 0 && plain ? source->member : source->name);
}

static void VisitArchive(Visit *visit, const ModelSource *source, uint32_t depth) {
    if (source->is_model || source->is_land) {
        Call(visit, source, NULL);
        return;
    }
    for (uint32_t i = 0; depth < RP_NRES_MAX_DEPTH && i < source->archive.count; i++) {
        if (visit->stopped)
            return;
        RpNResEntry entry = RpNRes_Entry(&source->archive, i);
        bool meant = entry.type == MESH || EndsInMsh(entry.name, entry.name_length);
        if (!meant && !(entry.data && RpNRes_Is(entry.data, entry.size)))
            continue;
        visit->entered += entry.data ? entry.size : 0;
        visit->status =
            Bounds_Check(visit->entered, visit->size, BOUNDS_COPIES,
                         "models share so many bytes that all together are too much", visit->error);
        visit->stopped = visit->status != RP_OK;
        if (visit->stopped)
            continue;
        ModelSource member = *source;
        RpError failed;
        memset(&member.mapping, 0, sizeof member.mapping);

        /* Gives the member's name where that leads back to it, else its index. */
        const RpNRes *archive = &source->archive;
        char text[ARCHIVE_NAME_BYTES];
        ArchiveName_ToUtf8(entry.name, text);
        if (entry.name_length >= RP_NRES_NAME_BYTES || !IsPlain(text) ||
            FindText(archive, text) != (int32_t)entry.index)
            snprintf(text, sizeof text, "#%" PRIu32, entry.index);
        if (!Descend(&member, text, strlen(text)))
            continue;
        if (Located(&member, Enter(&member, &entry, &failed), &failed) == RP_OK) {
            Classify(&member);
            member.is_model |= meant && !member.is_land;
            VisitArchive(visit, &member, depth + 1);
        } else if (meant) {
            Call(visit, &member, &failed);
        }
    }
}

RpStatus ModelSource_Visit(const ModelSource *source, ModelVisit visit, void *context,
                           uint32_t *count, RpError *error) {
    Visit run = {.visit = visit, .context = context, .size = source->size, .error = error};
    VisitArchive(&run, source, 0);
    *count = run.count;
    return Located(source, run.status, error);
}

RpStatus ModelSource_Each(const char *name, ModelVisit visit, void *context, RpError *error) {
    ModelSource source;
    uint32_t count = 0;
    RpStatus status = ModelSource_Open(&source, name, error);
    if (status == RP_OK)
        status = ModelSource_Visit(&source, visit, context, &count, error);
    if (status == RP_OK && count == 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no model in it", name,
                             "a model, or a library of models", "");
    ModelSource_Close(&source);
    return status;
}

/* ---- one model ------------------------------------------------------------------------------- */

typedef struct Choice {
    ModelSource model;
    uint32_t count;
    char list[200];
} Choice;

static bool Choose(void *context, const ModelSource *model, const RpError *failed) {
    Choice *choice = context;
    size_t used = strlen(choice->list);
    const char *member = strrchr(model->name, ':');
    if (failed || model->is_land)
        return true;
    if (choice->count++ == 0)
        choice->model = *model;
    if (used + 60 < sizeof choice->list)
        snprintf(choice->list + used, sizeof choice->list - used, "%s%.50s", used ? ", " : "",
                 member ? member + 1 : model->name);
    return true;
}

RpStatus ModelSource_OpenModel(ModelSource *source, const char *name, RpError *error) {
    Choice choice = {.count = 0};
    RpStatus status = ModelSource_Open(source, name, error);
    if (status != RP_OK || source->is_model)
        return status;
    uint32_t count;
    status = ModelSource_Visit(source, Choose, &choice, &count, error);
    if (status != RP_OK)
        return status;
    char found[40];
    if (choice.count == 1) {
        Mapping mapping = source->mapping;
        *source = choice.model;
        source->mapping = mapping;
        return RP_OK;
    }
    if (choice.count == 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE,
                           source->is_land ? "a map's terrain is not a model"
                                           : "there is no model in it",
                           source->name, "a model, or a library of models", "");
    snprintf(found, sizeof found, "%" PRIu32 " models", choice.count);
    char expected[256];
    snprintf(expected, sizeof expected, "FILE::MEMBER with one of %s%s", choice.list,
             choice.count > 3 ? ", ..." : "");
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the library has more than one model",
                       source->name, expected, found);
}
