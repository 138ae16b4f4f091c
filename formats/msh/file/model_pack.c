#include "formats/msh/file/model_pack.h"

#include "formats/archive/nres_names.h"

#include <string.h>

enum { MESH = 0x4853454D };

RpStatus ModelPack_Put(const RpNRes *library, const char *name, const void *model, uint32_t size,
                       RpBuffer *image, RpError *error) {
    RpNResArchive archive;
    RpNResArchive_Init(&archive, image->allocator);
    RpStatus status = RpNResArchive_Read(&archive, library, error);
    if (status == RP_OK) {
        /* Plain members of the game's libraries have an attr3 of 1 (facts/formats.md A.2). */
        RpNResMember member = {.type = MESH, .attr3 = 1, .data = model, .size = size};
        if (!ArchiveName_FromUtf8(name, member.name) || !member.name[0] || name[0] == '#' ||
            member.name[RP_NRES_NAME_MAX]) {
            status =
                RpError_Set(error, RP_INVALID, RP_NOWHERE, "a member cannot have this name",
                            "library", "1 to 35 characters of Windows-1251, the first no #", name);
        } else {
            int32_t index = RpNResArchive_Find(&archive, member.name);
            if (index >= 0)
                status = RpNResArchive_Replace(&archive, (uint32_t)index, model, size, error);
            else
                status = RpNResArchive_Add(&archive, archive.count, &member, error);
        }
    }
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_PRESERVING, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

const char *ModelPack_NameOf(const char *source) {
    const char *name = source;
    for (const char *at = source; *at; at++)
        if (*at == '/' || *at == '\\' || *at == ':')
            name = at + 1;
    return name;
}
