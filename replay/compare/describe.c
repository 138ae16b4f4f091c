#include "replay/compare/describe.h"

#include "core/text/visible.h"
#include "tracefile/format.h"
#include "tracefile/value.h"

#include <string.h>

#define PER_LINE   4
#define CELL_WIDTH 27

/* Returns the length of the part in front of the indices: of "matrix" in "matrix[2][1]", of
 * "piece[3].model" in "piece[3].model[2][1]". A field of a struct has no such part, so its length
 * is that of the whole path. */
static size_t BaseLength(const char *path) {
    const char *field = strrchr(path, '.');
    size_t before = field ? (size_t)(field - path) : 0;
    return before + strcspn(path + before, "[");
}

void Describe_Data(FILE *out, const DescribeData *data) {
    SignatureElement element;
    char block[64] = "";
    unsigned in_line = 0;
    int last = 0; /* the length of the last cell */
    SignatureCursor cursor = (data->outputs ? Signature_OutputElements : Signature_InputElements)(
        data->signature, data->inputs, data->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        /* elements that differ in their indices alone share a block */
        const size_t base = BaseLength(element.path);
        const bool fresh =
            !block[0] || base != BaseLength(block) || memcmp(block, element.path, base) != 0;
        if (fresh || in_line == PER_LINE) {
            Visible_Print(out, block[0] ? "\n%s%-12.*s" : "%s%-12.*s", data->indent,
                          fresh ? (int)base : 0, element.path);
            in_line = 0;
        } else {
            Visible_Print(out, "%*s", last < CELL_WIDTH ? CELL_WIDTH - last : 0, "");
        }
        in_line++;
        memcpy(block, element.path, sizeof block);

        char hex[32], decimal[256];
        const uint8_t *bytes = data->bytes + element.offset;
        Value_Hex(element.type, element.size, bytes, hex, sizeof hex);
        Value_Decimal(element.type, element.size, bytes, decimal, sizeof decimal);
        const bool differs = element.compared && data->other &&
                             memcmp(bytes, data->other + element.offset, element.size) != 0;
        last =
            Visible_Print(out, " %s%s%s%s", hex, hex[0] ? " " : "", decimal, differs ? " *" : "");
    }
    if (in_line > 0)
        fputc('\n', out);
}

const char *Describe_Outcome(uint8_t outcome) {
    static const char *const names[TRACE_OUTCOME_COUNT] = {
        "not run", "returned", "crashed", "exited", "timed out", "unsupported", "not called"};
    return outcome < TRACE_OUTCOME_COUNT ? names[outcome] : "unknown";
}

const char *Describe_Exception(uint32_t code) {
    static const struct {
        uint32_t code;
        const char *name;
    } exceptions[] = {
        {0x80000003, "breakpoint"},
        {0x80000004, "single step"},
        {0xC0000005, "access violation"},
        {0xC000001D, "illegal instruction"},
        {0xC000008C, "array bounds exceeded"},
        {0xC000008D, "denormal operand"},
        {0xC000008E, "floating-point division by zero"},
        {0xC000008F, "inexact result"},
        {0xC0000090, "invalid floating-point operation"},
        {0xC0000091, "floating-point overflow"},
        {0xC0000092, "x87 stack overflow or underflow"},
        {0xC0000093, "floating-point underflow"},
        {0xC0000094, "integer division by zero"},
        {0xC0000095, "integer overflow"},
        {0xC0000096, "privileged instruction"},
        {0xC00000FD, "stack overflow"},
        {0xC00002B4, "SSE exception"},
        {0xC00002B5, "SSE exception"},
    };
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i].code == code)
            return exceptions[i].name;
    return "";
}

int Describe_Ending(uint8_t outcome, const uint8_t *outputs, uint32_t output_size, char *text,
                    size_t size) {
    static const char *const modules[] = {"Ngi32.dll+", "AniMesh.dll+", ""};
    if (outcome == TRACE_CRASHED && output_size == 12) {
        uint32_t module = Bytes_U32(outputs + 8);
        const char *name = Describe_Exception(Bytes_U32(outputs));
        return snprintf(text, size, "crashed with %08x%s%s%s at %s0x%x", Bytes_U32(outputs),
                        name[0] ? " (" : "", name, name[0] ? ")" : "",
                        modules[module < 2 ? module : 2], Bytes_U32(outputs + 4));
    }
    if (outcome == TRACE_EXITED && output_size == 4)
        return snprintf(text, size, "exited with %u", Bytes_U32(outputs));
    return snprintf(text, size, "%s", Describe_Outcome(outcome));
}

static const char *const violation_names[] = {"stack pointer", "saved register", "x87 stack",
                                              "direction flag", "outside write"};
enum { VIOLATIONS = sizeof violation_names / sizeof *violation_names };

int Describe_Violations(uint8_t violations, char *text, size_t size) {
    size_t length = 0;
    if (size > 0)
        text[0] = 0;
    if (violations == 0)
        return snprintf(text, size, "none");
    for (unsigned i = 0; i < VIOLATIONS; i++)
        if (violations >> i & 1)
            length += (size_t)snprintf(length < size ? text + length : NULL,
                                       length < size ? size - length : 0, "%s%s",
                                       length ? ", " : "", violation_names[i]);
    return (int)length;
}

bool Describe_State(const char *path, uint32_t value, char *text, size_t size) {
    if (strcmp(path, "outcome") == 0) {
        snprintf(text, size, "%s", Describe_Outcome((uint8_t)value));
        return true;
    }
    if (strcmp(path, "exception") == 0) {
        const char *name = Describe_Exception(value);
        snprintf(text, size, "%08x%s%s%s", value, name[0] ? " (" : "", name, name[0] ? ")" : "");
        return true;
    }
    for (unsigned i = 0; i < VIOLATIONS; i++)
        if (strcmp(path, violation_names[i]) == 0) {
            snprintf(text, size, "%s", value ? "violated" : "kept");
            return true;
        }
    return false;
}

static DescribeData Inputs(const TraceCall *call, const char *indent) {
    return (DescribeData){.signature = call->signature,
                          .inputs = call->inputs,
                          .input_size = call->input_size,
                          .bytes = call->inputs,
                          .indent = indent};
}

/* Prints the outputs of a call. `other` is the other side's call, or null. */
static void PrintOutputs(FILE *out, const TraceCall *call, const TraceCall *other,
                         const char *indent) {
    DescribeData data = Inputs(call, indent);
    data.bytes = call->outputs;
    data.other = other && other->outcome == TRACE_RETURNED ? other->outputs : NULL;
    data.outputs = true;
    if (call->outcome == TRACE_RETURNED)
        Describe_Data(out, &data);
}

/* Prints how one side ended, and the state that it left. */
static void PrintSide(FILE *out, char side, const TraceCall *call, const TraceCall *other) {
    char ending[128], violations[128];
    const char indent[] = {' ', ' ', side, ' ', 0};
    Describe_Ending(call->outcome, call->outputs, call->output_size, ending, sizeof ending);
    Visible_Print(out, "%s%s", indent, ending);
    if (call->outcome == TRACE_RETURNED)
        Visible_Print(out, ", control word %04x, MXCSR %08x", call->control_out, call->mxcsr_out);
    if (call->violations) {
        Describe_Violations(call->violations, violations, sizeof violations);
        Visible_Print(out, ", violations: %s", violations);
    }
    fputc('\n', out);
    PrintOutputs(out, call, other, indent);
}

void Describe_Pair(FILE *out, const TraceCall *a, const TraceCall *b) {
    const DescribeData inputs = Inputs(a, "  in  ");
    Visible_Print(out, "%llu %s %s\n", (unsigned long long)a->sequence, a->function->key,
                  a->function->name);
    Visible_Print(out, "  control word %04x, MXCSR %08x before\n", a->control_in, a->mxcsr_in);
    Describe_Data(out, &inputs);
    PrintSide(out, 'a', a, b);
    PrintSide(out, 'b', b, a);
}

void Describe_Call(FILE *out, const TraceCall *call) {
    char ending[128], violations[128];
    const DescribeData inputs = Inputs(call, "  in  ");
    Describe_Ending(call->outcome, call->outputs, call->output_size, ending, sizeof ending);
    Visible_Print(out, "%llu %s %s: %s\n", (unsigned long long)call->sequence, call->function->key,
                  call->function->name, ending);
    Visible_Print(out, "  control word %04x", call->control_in);
    if (call->outcome == TRACE_RETURNED)
        Visible_Print(out, " -> %04x", call->control_out);
    Visible_Print(out, ", MXCSR %08x", call->mxcsr_in);
    if (call->outcome == TRACE_RETURNED)
        Visible_Print(out, " -> %08x", call->mxcsr_out);
    fputc('\n', out);
    if (call->violations) {
        Describe_Violations(call->violations, violations, sizeof violations);
        Visible_Print(out, "  violations: %s\n", violations);
    }
    Describe_Data(out, &inputs);
    PrintOutputs(out, call, NULL, "  out ");
}

void Describe_Header(FILE *out, const TraceHeader *header) {
    Visible_Print(out, "format %u.%u\n", header->major, header->minor);
    for (const char *line = header->text; *line;) {
        const size_t length = strcspn(line, "\n");
        Visible_Print(out, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}
