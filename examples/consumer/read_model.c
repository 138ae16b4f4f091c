/* Reads a model out of an archive and prints what it consists of.
 *
 *   read_model ARCHIVE MODEL
 */
#include <retropose/file.h>
#include <retropose/msh.h>

#include <stdio.h>

/* Finds the model. Nothing is copied: it points into the bytes of the archive. */
static RpStatus OpenModel(const RpBuffer *bytes, const char *name, RpMsh *model, RpError *error) {
    RpNRes archive, member;
    RpStatus status = RpNRes_Open(bytes->bytes, bytes->size, RP_STRICT, &archive, error);
    if (status != RP_OK)
        return status;
    const int32_t index = RpNRes_Find(&archive, name);
    if (index < 0)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the archive has no such member", name,
                           "", "");
    const RpNResEntry entry = RpNRes_Entry(&archive, (uint32_t)index);
    status = RpNRes_Open(entry.data, entry.size, RP_STRICT, &member, error);
    return status != RP_OK ? status : RpMsh_Open(RpNRes_Entries(&member), RP_STRICT, model, error);
}

static void PrintModel(const RpMsh *model) {
    RpMshHeader header;
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        if (model->streams[type].data)
            printf("%-10s %6u\n", RpMsh_StreamName(type), (unsigned)RpMsh_Count(model, type));
    printf("frames     %6u\n", (unsigned)model->frame_count);
    if (RpMsh_Header(model, &header))
        printf("sphere of %.3f about %.3f %.3f %.3f\n", (double)header.sphere[3],
               (double)header.sphere[0], (double)header.sphere[1], (double)header.sphere[2]);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: read_model ARCHIVE MODEL\n", stderr);
        return 2;
    }
    RpBuffer bytes;
    RpMsh model;
    RpError error;
    RpBuffer_Init(&bytes, NULL);
    RpStatus status = RpFile_Read(argv[1], &bytes, &error);
    if (status == RP_OK)
        status = OpenModel(&bytes, argv[2], &model, &error);
    if (status == RP_OK) {
        PrintModel(&model);
    } else {
        char text[640];
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "read_model: %s\n", text);
    }
    RpBuffer_Free(&bytes);
    return status == RP_OK ? 0 : 1;
}
