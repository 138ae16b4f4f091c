#include "replay/vectors/vector_text.h"

#include "core/json/json_text.h"
#include "replay/vectors/vectors.h"

#include <inttypes.h>
#include <string.h>

VectorText VectorText_Begin(RpBuffer *json, const char *file) {
    RpBuffer_Print(json,
                   "{\n\"format\": \"" VECTORS_FORMAT "\",\n\"file\": \"%s\",\n"
                   "\"control_word\": \"007f\"",
                   file);
    return (VectorText){.json = json};
}

RpStatus VectorText_End(VectorText *text, RpError *error) {
    RpBuffer_AppendText(text->json, "\n}\n");
    return text->json->failed ? RpMemory_Refused(error, "vectors") : RP_OK;
}

void VectorText_Section(VectorText *text, const char *name) {
    RpBuffer_Print(text->json, ",\n\"%s\": [", name);
    text->in_list = false;
}

void VectorText_EndSection(VectorText *text) {
    RpBuffer_AppendText(text->json, "\n]");
}

void VectorText_Case(VectorText *text) {
    RpBuffer_AppendText(text->json, text->in_list ? ",\n{" : "\n{");
    text->in_list = true;
    text->in_case = false;
}

void VectorText_EndCase(VectorText *text) {
    RpBuffer_AppendText(text->json, "}");
}

static void Name(VectorText *text, const char *name, const char *suffix) {
    RpBuffer_Print(text->json, "%s\"%s%s\": ", text->in_case ? ", " : "", name, suffix);
    text->in_case = true;
}

void VectorText_Floats(VectorText *text, const char *name, const float *values, uint32_t count) {
    Name(text, name, "");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_Print(text->json, "%s%08" PRIx32, i ? " " : "\"", bits);
    }
    RpBuffer_AppendText(text->json, "\"");
    Name(text, name, "_decimal");
    JsonText_Floats(text->json, values, count);
}

void VectorText_Number(VectorText *text, const char *name, int64_t value) {
    Name(text, name, "");
    RpBuffer_Print(text->json, "%" PRId64, value);
}

void VectorText_Word(VectorText *text, const char *name, const char *value) {
    Name(text, name, "");
    RpBuffer_Print(text->json, "\"%s\"", value);
}

void VectorText_Integers(VectorText *text, const char *name, const int32_t *values,
                         uint32_t count) {
    Name(text, name, "");
    RpBuffer_AppendText(text->json, "[");
    for (uint32_t i = 0; i < count; i++)
        RpBuffer_Print(text->json, "%s%" PRId32, i ? ", " : "", values[i]);
    RpBuffer_AppendText(text->json, "]");
}
