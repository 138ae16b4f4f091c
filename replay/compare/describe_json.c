#include "replay/compare/describe.h"

#include "core/json/json_text.h"
#include "tracefile/value.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

static void AddElements(cJSON *root, const char *name, SignatureCursor cursor,
                        const uint8_t *bytes) {
    char hex[32], decimal[256];
    SignatureElement element;
    cJSON *list = cJSON_AddArrayToObject(root, name);
    while (Signature_NextElement(&cursor, &element)) {
        const uint8_t *at = bytes + element.offset;
        Value_Hex(element.type, element.size, at, hex, sizeof hex);
        Value_Decimal(element.type, element.size, at, decimal, sizeof decimal);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "path", element.path);
        if (hex[0])
            cJSON_AddStringToObject(object, "hex", hex);
        cJSON_AddStringToObject(object, "value", decimal);
        cJSON_AddItemToArray(list, object);
    }
}

static void AddState(cJSON *root, const char *control_name, uint16_t control,
                     const char *mxcsr_name, uint32_t mxcsr) {
    char text[16];
    snprintf(text, sizeof text, "%04x", control);
    cJSON_AddStringToObject(root, control_name, text);
    snprintf(text, sizeof text, "%08x", mxcsr);
    cJSON_AddStringToObject(root, mxcsr_name, text);
}

static cJSON *CallObject(const TraceCall *call) {
    char text[128];
    cJSON *root = cJSON_CreateObject();
    snprintf(text, sizeof text, "%" PRIu64, call->sequence);
    /* a text, because JSON numbers cannot hold all values of 64 bits */
    cJSON_AddStringToObject(root, "sequence", text);
    cJSON_AddStringToObject(root, "function", call->function->key);
    cJSON_AddStringToObject(root, "name", call->function->name);
    Describe_Ending(call->outcome, call->outputs, call->output_size, text, sizeof text);
    cJSON_AddStringToObject(root, "outcome", text);
    Describe_Violations(call->violations, text, sizeof text);
    cJSON_AddStringToObject(root, "violations", text);
    AddState(root, "control_word", call->control_in, "mxcsr", call->mxcsr_in);
    AddElements(root, "inputs",
                Signature_InputElements(call->signature, call->inputs, call->input_size),
                call->inputs);
    if (call->outcome == TRACE_RETURNED) {
        AddState(root, "control_word_after", call->control_out, "mxcsr_after", call->mxcsr_out);
        AddElements(root, "outputs",
                    Signature_OutputElements(call->signature, call->inputs, call->input_size),
                    call->outputs);
    }
    return root;
}

/* Writes the object as one line, and deletes it. */
static bool WriteLine(FILE *out, cJSON *root) {
    RpBuffer line;
    RpBuffer_Init(&line, NULL);
    const bool written =
        JsonText_Append(&line, root, false) && fwrite(line.bytes, 1, line.size, out) == line.size;
    cJSON_Delete(root);
    RpBuffer_Free(&line);
    return written;
}

bool Describe_CallJson(FILE *out, const TraceCall *call) {
    return WriteLine(out, CallObject(call));
}

bool Describe_PairJson(FILE *out, const TraceCall *a, const TraceCall *b) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddItemToObject(root, "a", CallObject(a));
    cJSON_AddItemToObject(root, "b", CallObject(b));
    return WriteLine(out, root);
}
