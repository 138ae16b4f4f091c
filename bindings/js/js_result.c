/* Memory, errors, results and settings of the module. */
#include "bindings/js/binding.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

RpError js_error;
RpBuffer js_result;
RpArithmetic js_settings;
bool js_by_evidence;
float js_numbers[JS_NUMBERS];

/* ---- memory: blocks are counted, so that a test notices one that is not freed ---------------- */

static uint32_t blocks;
static size_t used;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static void *Count(void *block) {
    if (block) {
        blocks++;
        used += malloc_usable_size(block);
    }
    return block;
}

void *__wrap_malloc(size_t size) {
    return Count(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return Count(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size) {
    const size_t before = block ? malloc_usable_size(block) : 0;
    void *after = __real_realloc(block, size);
    if (after) {
        blocks += block ? 0 : 1;
        used += malloc_usable_size(after) - before;
    }
    return after;
}

void __wrap_free(void *block) {
    if (block) {
        blocks--;
        used -= malloc_usable_size(block);
    }
    __real_free(block);
}

JS_EXPORT(JsMemory_Used) double JsMemory_Used(void) {
    return (double)used;
}

JS_EXPORT(JsMemory_Blocks) uint32_t JsMemory_Blocks(void) {
    return blocks;
}

JS_EXPORT(JsMemory_New) void *JsMemory_New(uint32_t size) {
    return malloc(size ? size : 1);
}

JS_EXPORT(JsMemory_Free) void JsMemory_Free(void *block) {
    free(block);
}

/* Returns a block for the arguments or the result of a call. All calls share this block, which
 * grows when it is too small. */
JS_EXPORT(JsMemory_Work) void *JsMemory_Work(uint32_t size) {
    static void *work;
    static uint32_t room;
    if (size <= room)
        return work;
    void *more = malloc(size);
    if (!more)
        return NULL;
    free(work);
    work = more;
    room = size;
    return work;
}

JS_EXPORT(JsMemory_Numbers) float *JsMemory_Numbers(void) {
    return js_numbers;
}

/* ---- errors ---------------------------------------------------------------------------------- */

RpStatus Js_Invalid(const char *what, const char *expected) {
    return RpError_Set(&js_error, RP_INVALID, RP_NOWHERE, what, "", expected, "");
}

JS_EXPORT(JsError_Status) const char *JsError_Status(void) {
    return RpStatus_Name(js_error.status);
}

JS_EXPORT(JsError_Offset) double JsError_Offset(void) {
    return js_error.offset == RP_NOWHERE ? -1.0 : (double)js_error.offset;
}

/* Returns the text of a field of the last error: what, where, expected, found. */
JS_EXPORT(JsError_Text) const char *JsError_Text(uint32_t field) {
    const char *const texts[] = {js_error.what, js_error.where, js_error.expected, js_error.found};
    return field < sizeof texts / sizeof *texts ? texts[field] : "";
}

/* ---- results --------------------------------------------------------------------------------- */

JS_EXPORT(JsResult_Data) const uint8_t *JsResult_Data(void) {
    return js_result.bytes;
}

JS_EXPORT(JsResult_Size) uint32_t JsResult_Size(void) {
    return (uint32_t)js_result.size;
}

JS_EXPORT(JsResult_Clear) void JsResult_Clear(void) {
    RpBuffer_Free(&js_result);
}

void JsResult_Begin(void) {
    RpBuffer_Free(&js_result);
    RpBuffer_Init(&js_result, NULL);
}

RpStatus JsResult_End(void) {
    return js_result.failed ? RpMemory_Refused(&js_error, "a result") : RP_OK;
}

void JsResult_U32(uint32_t value) {
    RpBuffer_AppendU32(&js_result, value);
}

void JsResult_I32(int32_t value) {
    RpBuffer_AppendU32(&js_result, (uint32_t)value);
}

void JsResult_F64(double value) {
    RpBuffer_Append(&js_result, &value, sizeof value);
}

void JsResult_Bytes(const void *bytes, size_t size) {
    RpBuffer_AppendU32(&js_result, (uint32_t)size);
    RpBuffer_Append(&js_result, bytes, size);
}

void JsResult_Text(const char *text) {
    JsResult_Bytes(text ? text : "", text ? strlen(text) : 0);
}

void JsResult_Floats(const float *values, size_t count) {
    RpBuffer_Append(&js_result, values, count * sizeof *values);
}

static void TakeFinding(void *context, const RpFinding *finding) {
    (void)context;
    JsResult_U32(1);
    JsResult_Text(finding->rule);
    JsResult_Text(RpSeverity_Name(finding->severity));
    JsResult_Text(finding->what);
    JsResult_Text(finding->expected);
    JsResult_Text(finding->found);
    JsResult_F64(finding->offset == RP_NOWHERE ? -1.0 : (double)finding->offset);
    JsResult_I32(finding->entry);
    JsResult_I32(finding->stream);
    JsResult_I32(finding->node);
    JsResult_I32(finding->element);
}

RpFindingSink JsResult_Findings(void) {
    return (RpFindingSink){TakeFinding, NULL};
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Takes a list of readings of either kind, or "evidence". */
JS_EXPORT(JsSettings_Set)
RpStatus JsSettings_Set(const char *text, uint32_t build, uint32_t control_word,
                        uint32_t estimates) {
    RpBuffer lists[2];
    js_by_evidence = strcmp(text, "evidence") == 0;
    js_settings = (RpArithmetic){.build = (RpBuild)build,
                                 .control_word = (uint16_t)control_word,
                                 .estimates = (RpEstimates)estimates};
    RpReadings files, *readings = &js_settings.readings;

    /* The list is split into one for files and one for the runtime. A name that concerns both kinds
     * goes to the files' list, and so does an unknown one. */
    for (int i = 0; i < 2; i++)
        RpBuffer_Init(&lists[i], NULL);
    for (const char *at = js_by_evidence ? "" : text; *at;) {
        const size_t length = strcspn(at, ",");
        bool runtime = false;
        for (int32_t i = 0; RpReadings_Name(i); i++) {
            const size_t name = strlen(RpReadings_Name(i));
            if (name < length && at[name] == '=' && memcmp(at, RpReadings_Name(i), name) == 0)
                runtime = RpReadings_Kind(i) == RP_READS_RUNTIME;
        }
        RpBuffer *list = &lists[runtime];
        if (list->size > 0)
            RpBuffer_AppendText(list, ",");
        RpBuffer_Append(list, at, length);
        at += length + (at[length] == ',');
    }

    RpStatus status = RpBuffer_Append(&lists[0], "", 1) && RpBuffer_Append(&lists[1], "", 1)
                          ? RP_OK
                          : RpMemory_Refused(&js_error, "readings");
    if (!status)
        status =
            RpReadings_Parse(readings, RP_READS_RUNTIME, (const char *)lists[1].bytes, &js_error);
    if (!status)
        status = RpReadings_Parse(&files, RP_READS_FILES, (const char *)lists[0].bytes, &js_error);
    for (int32_t i = 0; !status && RpReadings_Name(i); i++)
        if (RpReadings_Kind(i) & RP_READS_FILES)
            readings->choice[i] = files.choice[i];
    RpBuffer_Free(&lists[0]);
    RpBuffer_Free(&lists[1]);
    return status;
}

/* Writes name, choices, kind and source of every reading. */
JS_EXPORT(JsReadings_List) RpStatus JsReadings_List(void) {
    JsResult_Begin();
    int32_t count = 0;
    while (RpReadings_Name(count))
        count++;
    JsResult_I32(count);
    for (int32_t i = 0; i < count; i++) {
        JsResult_Text(RpReadings_Name(i));
        JsResult_Text(RpReadings_Choices(i));
        JsResult_U32(RpReadings_Kind(i));
        JsResult_Text(RpReadings_Source(i));
    }
    return JsResult_End();
}

JS_EXPORT(Js_Version) const char *Js_Version(void) {
    return RP_VERSION_STRING;
}

JS_EXPORT(Js_HasSimd) bool Js_HasSimd(void) {
#ifdef __wasm_simd128__
    return true;
#else
    return false;
#endif
}

/* ---- images ---------------------------------------------------------------------------------- */

JS_EXPORT(JsImage_New) JsImage *JsImage_New(uint32_t size) {
    JsImage *image = size < INT32_MAX ? malloc(sizeof *image + size) : NULL;
    if (!image) {
        RpMemory_Refused(&js_error, "a file");
        return NULL;
    }
    image->references = 1;
    image->size = size;
    return image;
}

JS_EXPORT(JsImage_Bytes) uint8_t *JsImage_Bytes(JsImage *image) {
    return image->bytes;
}

JS_EXPORT(JsImage_Size) uint32_t JsImage_Size(const JsImage *image) {
    return image->size;
}

JsImage *JsImage_Take(JsImage *image) {
    image->references++;
    return image;
}

JS_EXPORT(JsImage_Release) void JsImage_Release(JsImage *image) {
    if (image && --image->references == 0)
        free(image);
}
