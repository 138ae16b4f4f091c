#include "dll/observe/shadow.h"

#include "dll/base/log.h"
#include "dll/observe/lock.h"
#include "dll/observe/number.h"
#include "tracefile/format.h"

enum {
    BLOCK_BYTES = 16384, /* limit for one entry of the log */
    MOST_ELEMENTS = 64,  /* limit for a difference that is written in full */
    STICKY = 0x3F,       /* flags of MXCSR that a comparison ignores (docs/formats/trace.md) */
    SECOND_BYTES = DRAFT_DATA_BYTES
};

static struct ShadowLog {
    Lock lock;
    ShadowOptions options;
    PlatformFile file;
    uint64_t size;
    bool opened, full, failed;
    char block[BLOCK_BYTES];
    uint8_t second[SECOND_BYTES]; /* the shadow's outputs in the trace's layout */
} log_file = {.file = PLATFORM_NO_FILE};

/* ---- comparing ------------------------------------------------------------------------------- */

bool Shadow_Differ(const Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow) {
    const Signature *signature = &call->marshal->signature;
    const LiveResult *a = &serving->result, *b = &shadow->result;
    const SignatureType returns = signature->returns;
    const bool differ =
        returns != SIGNATURE_VOID && returns != SIGNATURE_ANY &&
        (returns == SIGNATURE_F32 ? memcmp(a->st0, b->st0, 10) != 0 : a->eax != b->eax);
    if (differ || serving->result.control_out != shadow->result.control_out ||
        ((serving->result.mxcsr_out ^ shadow->result.mxcsr_out) & ~(uint32_t)STICKY) != 0 ||
        shadow->x87_left || shadow->outside)
        return true;
    for (int i = 0; i < signature->param_count; i++) {
        const MarshalBuffer *buffer = &call->buffers[i];
        if ((signature->params[i].direction == SIGNATURE_OUT ||
             signature->params[i].direction == SIGNATURE_INOUT) &&
            memcmp(serving->data + buffer->offset, shadow->data + buffer->offset, buffer->bytes) !=
                0)
            return true;
    }
    return false;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Writes the whole text or nothing, because a log must not end in the middle of a difference. */
static bool WriteText(const Text *text) {
    static const char last[] = "the log is full: differences are only counted from here on\r\n";
    uint32_t code;
    size_t length = text->length < text->size ? text->length : text->size - 1;
    if (log_file.full || log_file.failed)
        return false;

    /* The file is opened once, for the first text. */
    const char *path = log_file.options.path;
    if (!log_file.opened) {
        log_file.opened = true;
        if (!path[0] ||
            Platform_Append(path, &log_file.file, &log_file.size, &code) != PLATFORM_OPENED) {
            log_file.file = PLATFORM_NO_FILE;
            if (path[0])
                Log_Write("shadow: cannot open %s (system error %u): differences are counted only",
                          path, code);
        }
    }
    if (log_file.file == PLATFORM_NO_FILE)
        return false;

    const char *bytes = text->buffer;
    if (log_file.size + length + sizeof last > log_file.options.limit) {
        log_file.full = true;
        bytes = last;
        length = sizeof last - 1;
        if (log_file.size + length > log_file.options.limit)
            return false;
    }
    if (!Platform_Write(log_file.file, log_file.size, bytes, length, &code)) {
        log_file.failed = true;
        Platform_Cut(log_file.file, log_file.size);
        Log_Write("shadow: cannot write %s (system error %u)", path, code);
        return false;
    }
    log_file.size += length;
    return !log_file.full;
}

/* ---- one difference -------------------------------------------------------------------------- */

static void EndLine(Text *text) {
    Text_Append(text, "\r\n");
}

static void AppendElement(Text *text, const SignatureElement *element, const uint8_t *data) {
    const uint8_t *bytes = data + element->offset;
    if (element->type == SIGNATURE_F32 && element->size == 12) {
        Text_AppendHex(text, Bytes_U16(bytes + 8), 4);
        Text_AppendHex(text, Trace_Get64(bytes), 16);
        Text_AppendChar(text, ' ');
        Number_AppendExtended(text, bytes);
    } else if (element->type == SIGNATURE_CSTR) {
        Text_AppendChar(text, '"');
        Text_AppendPart(text, (const char *)bytes, element->size < 64 ? element->size : 64);
        Text_AppendChar(text, '"');
    } else if (element->size == 1) {
        Text_AppendDecimal(text, bytes[0]);
    } else {
        uint32_t word = Bytes_U32(bytes);
        Text_AppendHex(text, word, 8);
        Text_AppendChar(text, ' ');
        if (element->type == SIGNATURE_F32) {
            Number_AppendFloat(text, word);
        } else if (element->type == SIGNATURE_I32 && word >> 31) {
            Text_AppendChar(text, '-');
            Text_AppendDecimal(text, 0u - word);
        } else {
            Text_AppendDecimal(text, word);
        }
    }
}

static void AppendState(Text *text, const char *what, uint32_t a, uint32_t b,
                        const ShadowSides *sides, int digits) {
    if (a == b)
        return;
    Text_Append(text, "  ");
    Text_Append(text, what);
    Text_Append(text, ": ");
    Text_Append(text, sides->serving);
    Text_AppendChar(text, ' ');
    Text_AppendHex(text, a, digits);
    Text_Append(text, ", ");
    Text_Append(text, sides->shadow);
    Text_AppendChar(text, ' ');
    Text_AppendHex(text, b, digits);
    EndLine(text);
}

static void AppendInputs(Text *text, const Draft *draft) {
    SignatureElement element;
    SignatureCursor cursor =
        Signature_InputElements(draft->signature, draft->inputs, draft->input_size);
    for (uint32_t i = 0; i < MOST_ELEMENTS && Signature_NextElement(&cursor, &element); i++) {
        Text_Append(text, "  input ");
        Text_Append(text, element.path);
        Text_Append(text, " = ");
        AppendElement(text, &element, draft->inputs);
        EndLine(text);
    }
}

static void AppendHead(Text *text, const char *what, const Marshalled *call, uint32_t call_number) {
    const AbiFunction *function = call->marshal->signature.function;
    Text_Append(text, what);
    Text_Append(text, function->key);
    Text_AppendChar(text, ' ');
    Text_Append(text, function->name);
    Text_Append(text, ", its call ");
    Text_AppendDecimal(text, call_number);
    Text_Append(text, " (control word ");
    Text_AppendHex(text, call->draft.control_in, 4);
    Text_Append(text, ", MXCSR ");
    Text_AppendHex(text, call->draft.mxcsr_in, 4);
    Text_AppendChar(text, ')');
}

bool Shadow_LogDifference(Marshalled *call, const ShadowSide *serving, const ShadowSide *shadow,
                          const ShadowSides *sides, uint32_t number, uint32_t call_number) {
    Draft *draft = &call->draft;
    Lock_Take(&log_file.lock);
    Text text = Text_Begin(log_file.block, sizeof log_file.block);
    Text_Append(&text, "difference ");
    Text_AppendDecimal(&text, number);
    AppendHead(&text, " of ", call, call_number);
    EndLine(&text);
    Marshal_Outputs(call, &shadow->result, shadow->data);
    memcpy(log_file.second, draft->outputs, draft->output_size);
    MarshalFault fault = Marshal_Outputs(call, &serving->result, serving->data);
    if (!fault) {
        /* The first elements of the outputs that differ, and by how much. */
        SignatureElement element;
        SignatureCursor cursor =
            Signature_OutputElements(draft->signature, draft->inputs, draft->input_size);
        for (uint32_t shown = 0; shown < MOST_ELEMENTS && Signature_NextElement(&cursor, &element);)
            if (element.compared && memcmp(draft->outputs + element.offset,
                                           log_file.second + element.offset, element.size) != 0) {
                Text_Append(&text, "  ");
                Text_Append(&text, element.path);
                Text_Append(&text, ": ");
                Text_Append(&text, sides->serving);
                Text_AppendChar(&text, ' ');
                AppendElement(&text, &element, draft->outputs);
                Text_Append(&text, ", ");
                Text_Append(&text, sides->shadow);
                Text_AppendChar(&text, ' ');
                AppendElement(&text, &element, log_file.second);
                uint32_t ulps = UINT32_MAX; /* unless both are numbers */
                if (element.type == SIGNATURE_F32 && element.size == 4)
                    ulps = Number_Ulps(Bytes_U32(draft->outputs + element.offset),
                                       Bytes_U32(log_file.second + element.offset));
                if (ulps != UINT32_MAX) {
                    Text_Append(&text, ", ");
                    Text_AppendDecimal(&text, ulps);
                    Text_Append(&text, ulps == 1 ? " ulp" : " ulps");
                }
                EndLine(&text);

                shown++;
            }
    }

    AppendState(&text, "control word", serving->result.control_out, shadow->result.control_out,
                sides, 4);
    AppendState(&text, "MXCSR", serving->result.mxcsr_out & ~(uint32_t)STICKY,
                shadow->result.mxcsr_out & ~(uint32_t)STICKY, sides, 4);
    if (shadow->x87_left || shadow->outside) {
        Text_Append(&text, "  ");
        Text_Append(&text, sides->shadow);
        Text_Append(&text, shadow->x87_left ? ": values left on, or missing from, the x87 stack"
                                            : ": bytes outside of its outputs changed");
        EndLine(&text);
    }

    AppendInputs(&text, draft);
    bool written = WriteText(&text);
    Lock_Release(&log_file.lock);
    return written;
}

void Shadow_LogCrash(const Marshalled *call, const PlatformFault *fault, const ShadowSides *sides,
                     uint32_t call_number) {
    Lock_Take(&log_file.lock);
    Text text = Text_Begin(log_file.block, sizeof log_file.block);
    AppendHead(&text, "crash in ", call, call_number);
    Text_Append(&text, ": ");
    Text_Append(&text, sides->shadow);
    Text_Append(&text, " raised ");
    Text_AppendHex(&text, fault->code, 8);
    Text_Append(&text, " at ");
    Text_AppendHex(&text, fault->address, 8);
    Text_Append(&text, "; the game goes on with the result of ");
    Text_Append(&text, sides->serving);
    EndLine(&text);
    AppendInputs(&text, &call->draft);
    WriteText(&text);
    Lock_Release(&log_file.lock);
}

void Shadow_LogLine(const char *line) {
    Lock_Take(&log_file.lock);
    Text text = Text_Begin(log_file.block, sizeof log_file.block);
    Text_Append(&text, line);
    EndLine(&text);
    WriteText(&text);
    Lock_Release(&log_file.lock);
}

/* ---- life ------------------------------------------------------------------------------------ */

void Shadow_Open(const ShadowOptions *options) {
    log_file.options = *options;
    log_file.opened = log_file.full = log_file.failed = false;
    log_file.file = PLATFORM_NO_FILE;
}

/* With a larger limit the log may have room again. A new name takes effect at the next start. */
void Shadow_Change(const ShadowOptions *options) {
    Lock_Take(&log_file.lock);
    log_file.options.limit = options->limit;
    log_file.options.first = options->first;
    log_file.full = false;
    Lock_Release(&log_file.lock);
}

bool Shadow_IsSound(void) {
    bool sound = Lock_TryTake(&log_file.lock);
    if (sound)
        Lock_Release(&log_file.lock);
    return sound;
}

void Shadow_EndProcess(void) {
    if (!Lock_TryTake(&log_file.lock))
        return;
    if (log_file.file != PLATFORM_NO_FILE)
        Platform_CloseFile(log_file.file);
    log_file.file = PLATFORM_NO_FILE;
    Lock_Release(&log_file.lock);
}
