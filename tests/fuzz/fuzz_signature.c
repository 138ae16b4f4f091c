/* Parses signatures of any text, and checks inputs of any bytes under them: the first line is the
 * parameters, the rest the inputs. A signature that parses must print to a text that parses to
 * itself. */
#include "fuzz.h"
#include "tracefile/signature.h"

#include <stdlib.h>
#include <string.h>

static void CheckText(const Signature *signature) {
    char text[2048], again[2048];
    Signature second;
    int length = Signature_Text(signature, text, sizeof text);
    if (length >= (int)sizeof text)
        return;
    char *params = strchr(text, '(') + 1;
    params[strlen(params) - 1] = 0;
    const AbiFunction function = {.key = "fuzz", .returns = "void", .params = params};
    if (Signature_Parse(&function, &second, NULL))
        abort();
    params[strlen(params)] = ')';
    Signature_Text(&second, again, sizeof again);
    Insist(strcmp(text, again) == 0);
}

static void CheckInputs(const Signature *signature, const uint8_t *inputs, uint32_t size) {
    SignatureElement element;
    SignatureMap map;
    RpError error;
    bool fits = Signature_CheckInputs(signature, inputs, size, &error) == RP_OK;
    if (!Signature_Map(signature, inputs, size, &map)) { /* mapping ignores opaque values */
        if (fits)
            abort();
        return;
    }
    for (int i = 0; i < signature->param_count; i++)
        if (map.input_offset[i] + map.input_bytes[i] > size ||
            map.output_offset[i] + map.output_bytes[i] > map.output_size)
            abort();
    uint32_t outputs = Signature_OutputBytes(signature, inputs, size);
    SignatureCursor cursor = Signature_InputElements(signature, inputs, size);
    while (Signature_NextElement(&cursor, &element))
        Insist(element.offset + element.size <= size);
    cursor = Signature_OutputElements(signature, inputs, size);
    while (Signature_NextElement(&cursor, &element))
        Insist(element.offset + element.size <= outputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : size;
    HEAP char *params = malloc(length + 1);
    Signature signature;
    if (!params)
        return 0;
    if (length > 0)
        memcpy(params, data, length);
    params[length] = 0;
    const AbiFunction function = {.key = "fuzz", .returns = "void", .params = params};
    if (Signature_Parse(&function, &signature, NULL) == RP_OK) {
        CheckText(&signature);
        if (end)
            CheckInputs(&signature, end + 1, (uint32_t)(size - length - 1));
    }
    return 0;
}
