/* Functions for archives of both kinds, on top of retropose/nres.h and retropose/rsli.h. */
#include "bindings/js/binding.h"

#include <stdlib.h>
#include <string.h>

enum { TRAILER = 2 }; /* the flag of RpRsLi_Open that looks for the trailer, as the game does */

JS_EXPORT(JsArchive_Close) void JsArchive_Close(JsArchive *archive) {
    JsImage_Release(archive->image);
    free(archive->records);
    free(archive);
}

/* Opens an archive of either kind, and takes over the caller's reference to the image, even after a
 * failure. A file that begins like neither kind goes to the reader of NRes, whose error says what
 * is wrong. */
JS_EXPORT(JsArchive_Open) JsArchive *JsArchive_Open(JsImage *image, bool strict) {
    const RpReadMode mode = strict ? RP_STRICT : RP_TOLERANT;
    JsArchive *archive = calloc(1, sizeof *archive);
    if (!archive) {
        JsImage_Release(image);
        RpMemory_Refused(&js_error, "an archive");
        return NULL;
    }
    archive->image = image;
    archive->is_rsli = image->size >= 2 && memcmp(image->bytes, "NL", 2) == 0;
    RpStatus status;
    if (archive->is_rsli) {
        const uint32_t count = RpRsLi_Count(image->bytes, image->size);
        archive->records = calloc(count ? count : 1, sizeof *archive->records);
        status = archive->records ? RpRsLi_Open(image->bytes, image->size, TRAILER, mode,
                                                archive->records, count, &archive->rsli, &js_error)
                                  : RpMemory_Refused(&js_error, "an archive");
    } else {
        status = RpNRes_Open(image->bytes, image->size, mode, &archive->nres, &js_error);
    }
    if (!status)
        return archive;
    JsArchive_Close(archive);
    return NULL;
}

JS_EXPORT(JsArchive_IsRsLi) bool JsArchive_IsRsLi(const JsArchive *archive) {
    return archive->is_rsli;
}

/* ---- members --------------------------------------------------------------------------------- */

static uint32_t Count(const JsArchive *archive) {
    return archive->is_rsli ? archive->rsli.count : archive->nres.count;
}

/* Writes the number of members, and for each of them: name, size, type, three attributes, method.
 */
JS_EXPORT(JsArchive_List) RpStatus JsArchive_List(const JsArchive *archive) {
    JsResult_Begin();
    JsResult_U32(Count(archive));
    if (archive->is_rsli) {
        for (uint32_t i = 0; i < archive->rsli.count; i++) {
            const RpRsLiRecord *record = &archive->rsli.records[i];
            const void *end = memchr(record->name, 0, sizeof record->name);
            JsResult_Bytes(record->name, end ? (size_t)((const uint8_t *)end - record->name)
                                             : sizeof record->name);
            JsResult_U32(record->unpacked_size);
            JsResult_U32(0);
            JsResult_U32(record->flags);
            JsResult_U32(record->sort);
            JsResult_U32(record->packed_size);
            JsResult_Text(RpRsLiMethod_Name(record->flags));
        }
    } else {
        for (uint32_t i = 0; i < archive->nres.count; i++) {
            const RpNResEntry entry = RpNRes_Entry(&archive->nres, i);
            JsResult_Bytes(entry.name, entry.name_length);
            JsResult_U32(entry.size);
            JsResult_U32(entry.type);
            JsResult_U32(entry.attr1);
            JsResult_U32(entry.attr2);
            JsResult_U32(entry.attr3);
            JsResult_Text("");
        }
    }
    return JsResult_End();
}

JS_EXPORT(JsArchive_Find) int32_t JsArchive_Find(const JsArchive *archive, const char *name) {
    return archive->is_rsli ? RpRsLi_Find(&archive->rsli, name) : RpNRes_Find(&archive->nres, name);
}

/* Finds the bytes of a member: the image that holds them, with a reference that the caller has to
 * release, and their place in it. */
static RpStatus Member(const JsArchive *archive, uint32_t index, JsImage **image, uint32_t *offset,
                       uint32_t *size) {
    if (index >= Count(archive))
        return Js_Invalid("there is no such member", "an index below the number of members");
    *image = NULL;
    *offset = *size = 0;

    /* A member of an RsLi library is unpacked into a new image. */
    if (archive->is_rsli) {
        const RpRsLiRecord *record = &archive->rsli.records[index];
        size_t packed;
        if (!RpRsLi_Packed(&archive->rsli, index, &packed) ||
            record->unpacked_size > RpRsLiMethod_MostUnpacked(record->flags, (uint64_t)packed + 1))
            return RpError_Set(&js_error, RP_CORRUPT, record->offset,
                               "the packed data is not all there", "", "as much as the size needs",
                               "less");
        JsImage *unpacked = JsImage_New(record->unpacked_size);
        void *work = malloc(RP_RSLI_WORK_BYTES);
        const RpStatus status =
            !unpacked || !work
                ? RpMemory_Refused(&js_error, "a member")
                : RpRsLi_Load(&archive->rsli, index, unpacked->bytes, work, NULL, &js_error);
        free(work);
        if (status) {
            JsImage_Release(unpacked);
            return status;
        }
        *image = unpacked;
        *size = unpacked->size;
        return RP_OK;
    }
    const RpNResEntry entry = RpNRes_Entry(&archive->nres, index);
    if (!entry.data)
        return RpError_Set(&js_error, RP_CORRUPT, entry.record_offset,
                           "the member's data is not in the archive", "directory",
                           "a range inside of the data", "another");
    *image = JsImage_Take(archive->image);
    *offset = entry.data_offset;
    *size = entry.size;
    return RP_OK;
}

/* Gives a member's bytes as js_result. */
JS_EXPORT(JsArchive_Read) RpStatus JsArchive_Read(const JsArchive *archive, uint32_t index) {
    JsImage *image;
    uint32_t offset, size;
    RpStatus status = Member(archive, index, &image, &offset, &size);
    if (status)
        return status;
    JsResult_Begin();
    RpBuffer_Append(&js_result, image->bytes + offset, size);
    JsImage_Release(image);
    return JsResult_End();
}

/* Opens a member as a model, under js_settings. */
JS_EXPORT(JsArchive_Model) JsModel *JsArchive_Model(const JsArchive *archive, uint32_t index) {
    JsImage *image;
    uint32_t offset, size;
    if (Member(archive, index, &image, &offset, &size))
        return NULL;
    return JsModel_Open(image, offset, size);
}

/* Returns whether the bytes are an NRes archive with the streams of a model. */
static bool IsModel(const void *bytes, uint32_t size) {
    RpNRes nres;
    return RpNRes_Open(bytes, size, RP_TOLERANT, &nres, NULL) == RP_OK &&
           RpMsh_Is(RpNRes_Entries(&nres));
}

JS_EXPORT(JsImage_IsModel) bool JsImage_IsModel(const JsImage *image) {
    return IsModel(image->bytes, image->size);
}

JS_EXPORT(JsArchive_IsModel) bool JsArchive_IsModel(const JsArchive *archive, uint32_t index) {
    JsImage *image;
    uint32_t offset, size;
    if (Member(archive, index, &image, &offset, &size))
        return false;
    const bool is = IsModel(image->bytes + offset, size);
    JsImage_Release(image);
    return is;
}

/* ---- the archive as a whole ------------------------------------------------------------------ */

JS_EXPORT(JsArchive_Image) const JsImage *JsArchive_Image(const JsArchive *archive) {
    return archive->image;
}

/* Writes the findings. Findings of severity error do not make the call fail. */
JS_EXPORT(JsArchive_Check) RpStatus JsArchive_Check(const JsArchive *archive) {
    const JsImage *image = archive->image;
    const RpFindingSink sink = JsResult_Findings();
    RpStatus status;
    JsResult_Begin();
    if (archive->is_rsli) {
        status = RpRsLi_Check(image->bytes, image->size, TRAILER, NULL, &sink, &js_error);
    } else {
        void *work = malloc(RpNRes_CheckWork(archive->nres.count));
        status = RpNRes_Check(image->bytes, image->size, work, &sink, &js_error);
        free(work);
    }
    JsResult_U32(0);
    return status == RP_NO_MEMORY ? status : JsResult_End();
}

/* Gives the archive's bytes with one member replaced or added. */
JS_EXPORT(JsArchive_With)
RpStatus JsArchive_With(const JsArchive *archive, const char *name, const void *data,
                        uint32_t size) {
    RpNResArchive edited;
    if (archive->is_rsli)
        return RpError_Set(&js_error, RP_UNSUPPORTED, RP_NOWHERE,
                           "members of this kind of archive are not replaced", "",
                           "an NRes archive", "an RsLi library");
    RpNResArchive_Init(&edited, NULL);
    RpStatus status = RpNRes_CheckCopies(&archive->nres, &js_error);
    if (!status)
        status = RpNResArchive_Read(&edited, &archive->nres, &js_error);
    const int32_t index = status ? -1 : RpNResArchive_Find(&edited, name);
    RpNResMember member = {.data = data, .size = size};
    if (!status && index >= 0) {
        status = RpNResArchive_Replace(&edited, (uint32_t)index, data, size, &js_error);
    } else if (!status && strlen(name) >= sizeof member.name) {
        status = Js_Invalid("the name is too long", "1 to 35 characters");
    } else if (!status) {
        memcpy(member.name, name, strlen(name));
        /* In the game's libraries the type of a model is "MESH". */
        if (IsModel(data, size))
            memcpy(&member.type, "MESH", sizeof member.type);
        status = RpNResArchive_Add(&edited, edited.count, &member, &js_error);
    }
    JsResult_Begin();
    if (!status)
        status = RpNResArchive_Write(&edited, RP_NRES_PRESERVING, &js_result, &js_error);
    RpNResArchive_Free(&edited);
    return status;
}
