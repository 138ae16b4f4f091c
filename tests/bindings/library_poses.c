/* Prints the poses of all models of a file as JSON, for the tests of the bindings, which pose the
 * same models in other languages and compare the bits:
 *
 *     library_poses FILE [READINGS]
 *
 * FILE is a model (.msh) or an NRes library of models. Every model that can be posed has its number
 * in the directory, its name, its readings, and poses at five moments: the frames 0, 0.5, a third
 * of the last one and the last one, and a blend of the last two. Times and weights are the bits of
 * binary32 in hexadecimal, as are `local` and `model_space`, which hold 16 numbers for each node,
 * one behind the other without spaces. */
#include "retropose/file.h"
#include "retropose/msh.h"
#include "tests/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 5, ROOM = 1 << 16 };

static void PrintName(const char *name, uint32_t length, RpBuffer *text) {
    RpBuffer_AppendText(text, "\"");
    for (uint32_t i = 0; i < length; i++) {
        const unsigned char letter = (unsigned char)name[i];
        const bool plain = letter >= ' ' && letter < 0x7F && letter != '"' && letter != '\\';
        RpBuffer_Print(text, plain ? "%c" : "\\u%04x", letter);
    }
    RpBuffer_AppendText(text, "\"");
}

static void PrintBits(const float *values, size_t count, RpBuffer *text) {
    RpBuffer_AppendText(text, "\"");
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_Print(text, "%08x", bits);
    }
    RpBuffer_AppendText(text, "\"");
}

static void PrintMember(const char *name, const float *values, size_t count, RpBuffer *text) {
    RpBuffer_Print(text, ",\"%s\":", name);
    PrintBits(values, count, text);
}

static RpStatus PrintPoses(const RpSkeleton *skeleton, const RpArithmetic *arithmetic,
                           RpBuffer *text, RpError *error) {
    static float local[ROOM / 16][16], model_space[ROOM / 16][16];
    const uint32_t nodes = RpSkeleton_NodeCount(skeleton);
    const float last = skeleton->frame_count ? (float)(skeleton->frame_count - 1) : 0.0F;
    const RpPoseTimes moments[MOMENTS] = {{0.0F, -1.0F, 0.0F},
                                          {0.5F, -1.0F, 0.0F},
                                          {last / 3.0F, -1.0F, 0.0F},
                                          {last, -1.0F, 0.0F},
                                          {last / 3.0F, last, 0.375F}};
    if (nodes > ROOM / 16)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "too many nodes", "", "", "");
    for (int i = 0; i < MOMENTS; i++) {
        const RpPoseTimes *times = &moments[i];
        const RpStatus status =
            RpPose_Skeleton(skeleton, arithmetic, times->a, times->b, times->weight, false, local,
                            model_space, NULL, error);
        if (status != RP_OK)
            return status;
        RpBuffer_Print(text, "%s\n  {\"index\":%d", i ? "," : "", i);
        PrintMember("a", &times->a, 1, text);
        PrintMember("b", &times->b, 1, text);
        PrintMember("weight", &times->weight, 1, text);
        PrintMember("local", local[0], (size_t)nodes * 16, text);
        PrintMember("model_space", model_space[0], (size_t)nodes * 16, text);
        RpBuffer_AppendText(text, "}");
    }
    return RP_OK;
}

/* Prints a model. A model without poses, such as one with nodes of stride 24, is left out. */
static RpStatus PrintModel(const RpNRes *file, uint32_t index, const char *name, uint32_t length,
                           const RpReadings *readings, RpBuffer *text, RpError *error) {
    const RpNResEntries entries = RpNRes_Entries(file);
    const RpArithmetic arithmetic = {.readings = *readings};
    RpMsh msh;
    RpSkeleton skeleton;
    char chosen[RP_READINGS_TEXT];
    if (!RpMsh_Is(entries) || RpMsh_Open(entries, RP_TOLERANT, &msh, NULL) != RP_OK ||
        RpMsh_Skeleton(&msh, &skeleton, NULL) != RP_OK)
        return RP_OK;
    RpReadings_Format(readings, RP_READS_FILES, chosen, sizeof chosen);
    RpBuffer_Print(text, "%s\n {\"index\":%u,\"name\":", text->size > 16 ? "," : "", index);
    PrintName(name, length, text);
    RpBuffer_Print(text, ",\"readings\":\"%s\",\"nodes\":%u,\"frames\":%u,\"poses\":[", chosen,
                   RpSkeleton_NodeCount(&skeleton), skeleton.frame_count);
    const RpStatus status = PrintPoses(&skeleton, &arithmetic, text, error);
    RpBuffer_AppendText(text, "]}");
    return status;
}

static RpStatus PrintFile(const RpBuffer *bytes, const RpReadings *readings, RpBuffer *text,
                          RpError *error) {
    RpNRes file;
    RpStatus status = RpNRes_Open(bytes->bytes, bytes->size, RP_TOLERANT, &file, error);
    if (status != RP_OK)
        return status;
    RpBuffer_AppendText(text, "{\"models\":[");
    if (RpMsh_Is(RpNRes_Entries(&file)))
        status = PrintModel(&file, 0, "model", 5, readings, text, error);
    for (uint32_t i = 0; status == RP_OK && i < file.count; i++) {
        const RpNResEntry entry = RpNRes_Entry(&file, i);
        RpNRes model;
        if (entry.data && RpNRes_Is(entry.data, entry.size) &&
            RpNRes_Open(entry.data, entry.size, RP_TOLERANT, &model, NULL) == RP_OK)
            status = PrintModel(&model, i, entry.name, entry.name_length, readings, text, error);
    }
    RpBuffer_AppendText(text, "]}\n");
    return status;
}

int main(int argc, char **argv) {
    OWNED(RpBuffer) bytes = {0}, text = {0};
    RpReadings readings;
    RpError error;
    if (argc != 2 && argc != 3) {
        fputs("usage: library_poses FILE [READINGS]\n", stderr);
        return 2;
    }
    RpStatus status =
        RpReadings_Parse(&readings, RP_READS_FILES, argc == 3 ? argv[2] : NULL, &error);
    if (status == RP_OK)
        status = RpFile_Read(argv[1], &bytes, &error);
    if (status == RP_OK)
        status = PrintFile(&bytes, &readings, &text, &error);
    if (status == RP_OK && text.failed)
        status = RpMemory_Refused(&error, argv[1]);
    if (status == RP_OK)
        fwrite(text.bytes, 1, text.size, stdout);
    if (status != RP_OK) {
        char message[1024];
        RpError_Format(&error, message, sizeof message);
        fprintf(stderr, "library_poses: %s\n", message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
