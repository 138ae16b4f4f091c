/* Prints a trace as JSON lines with every field as it is. tests/tracefile/kaitai compares them with
 * a reader that was made from docs/formats/trace.ksy. The program uses nothing but TraceReader. */
#include "tracefile/tracefile.h"

#include <inttypes.h>
#include <stdio.h>

static void PrintHex(const char *name, const uint8_t *bytes, uint32_t size) {
    printf("\"%s\":\"", name);
    for (uint32_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf("\"");
}

static void PrintText(const char *name, const char *text) {
    printf("\"%s\":\"", name);
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            printf("\\u%04x", *text);
        else
            putchar(*text);
    printf("\"");
}

static void PrintHeader(const TraceHeader *header) {
    printf("{\"kind\":\"header\",\"major\":%u,\"minor\":%u,", header->major, header->minor);
    PrintText("text", header->text);
    puts("}");
}

static void PrintMemory(const TraceMemory *memory) {
    printf("{\"kind\":\"memory\",\"id\":%" PRIu32 ",\"relocations\":[", memory->id);
    for (uint32_t i = 0; i < memory->relocation_count; i++) {
        const TraceRelocation *relocation = &memory->relocations[i];
        printf("%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", i ? "," : "", relocation->offset,
               relocation->target, relocation->target_offset);
    }
    printf("],");
    PrintHex("bytes", memory->bytes, memory->size);
    puts("}");
}

static void PrintCall(const TraceCall *call) {
    char signature[2048];
    Signature_Text(call->signature, signature, sizeof signature);
    printf("{\"kind\":\"call\",");
    PrintText("key", call->function->key);
    printf(",");
    PrintText("signature", signature);
    printf(",\"outcome\":%u,\"violations\":%u,\"sequence\":%" PRIu64
           ",\"control\":[%u,%u],\"mxcsr\":[%" PRIu32 ",%" PRIu32 "],",
           call->outcome, call->violations, call->sequence, call->control_in, call->control_out,
           call->mxcsr_in, call->mxcsr_out);
    PrintHex("inputs", call->inputs, call->input_size);
    printf(",");
    PrintHex("outputs", call->outputs, call->output_size);
    puts("}");
}

static RpStatus PrintCalls(TraceReader *reader, RpError *error) {
    TraceCall call;
    bool found = true;
    RpStatus status = TraceReader_Next(reader, &call, &found, error);
    while (status == RP_OK && found) {
        PrintCall(&call);
        status = TraceReader_Next(reader, &call, &found, error);
    }
    return status;
}

int main(int argc, char **argv) {
    RpError error = {0};
    TraceReader *reader = NULL;
    char text[512];
    if (argc != 2) {
        fputs("usage: dump_trace TRACE\n", stderr);
        return 2;
    }
    RpStatus status = TraceReader_Open(argv[1], &reader, &error);
    if (status == RP_OK) {
        PrintHeader(TraceReader_Header(reader));
        status = PrintCalls(reader, &error);
    }
    if (status == RP_OK) {
        for (uint32_t i = 0; i < TraceReader_MemoryCount(reader); i++)
            PrintMemory(TraceReader_MemoryAt(reader, i));
        printf("{\"kind\":\"end\",\"calls\":%" PRIu64 "}\n", TraceReader_CallCount(reader));
    } else {
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "dump_trace: %s\n", text);
    }
    TraceReader_Close(reader);
    return status == RP_OK ? 0 : 1;
}
