#include "replay/compare/call_html.h"

#include "core/page/page.h"
#include "core/text.h"
#include "replay/compare/describe.h"
#include "replay/compare/figure.h"
#include "tracefile/value.h"

#include <stdlib.h>
#include <string.h>

/* An object may have 65,536 elements, so tables end after these numbers of rows. */
enum { MOST_INPUT_ROWS = 64, MOST_OUTPUT_ROWS = 64, MOST_FRAMES = 4, MATRIX = 16 };

typedef unsigned long long Number;

/* ---- values -----------------------------------------------------------------------------------
 */

static void UlpsText(int64_t ulps, char *text, size_t size) {
    if (ulps == VALUE_NO_DISTANCE)
        text[0] = 0;
    else
        snprintf(text, size, "%+lld", (long long)ulps);
}

static void BitsCell(RpBuffer *html, SignatureType type, uint32_t size, const uint8_t *bytes) {
    char hex[32], decimal[256];
    Value_Hex(type, size, bytes, hex, sizeof hex);
    Value_Decimal(type, size, bytes, decimal, sizeof decimal);
    Page_Print(html, "<td><span class=\"bits\">%s</span> %s</td>", hex, decimal);
}

void CallHtml_Cells(RpBuffer *html, const Difference *d) {
    char a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES], ulps[32] = "";
    Page_Print(html, "<td><code>%s</code></td>", d->path);
    if (Report_Sides(d, a, b)) {
        Page_Print(html, "<td>%s</td><td>%s</td>", a, b);
    } else {
        BitsCell(html, d->type, d->size, d->a);
        BitsCell(html, d->type, d->size, d->b);
        UlpsText(d->ulps, ulps, sizeof ulps);
    }
    Page_Print(html, "<td class=\"number\">%s</td>", ulps);
}

/* ---- what differs -----------------------------------------------------------------------------
 */

static void AppendSide(RpBuffer *html, char side, const Difference *d, const uint8_t *bytes) {
    char hex[32], decimal[256], hexfloat[64];
    const char *class = Value_Class(d->type, d->size, bytes);
    Value_Hex(d->type, d->size, bytes, hex, sizeof hex);
    Value_Decimal(d->type, d->size, bytes, decimal, sizeof decimal);
    Value_HexFloat(d->type, d->size, bytes, hexfloat, sizeof hexfloat);
    Page_Print(html,
               "<tr><th scope=\"row\" class=\"key-%c\">%c</th><td class=\"bits\">%s</td>"
               "<td>%s</td><td class=\"bits\">%s</td><td>%s</td></tr>\n",
               side, side, hex, decimal, hexfloat, class);
}

static void AppendElement(RpBuffer *html, const Difference *d) {
    static const char *const heads[] = {"side", "bits", "value", "exact", "class", NULL};
    char ending[REPORT_SIDE_BYTES], ulps[32], a[REPORT_SIDE_BYTES], b[REPORT_SIDE_BYTES];
    const bool words = Report_Sides(d, a, b);
    if (!words) {
        Page_BeginTable(html, d->path, heads);
        AppendSide(html, 'a', d, d->a);
        AppendSide(html, 'b', d, d->b);
        Page_EndTable(html);
        UlpsText(d->ulps, ulps, sizeof ulps);
        if (ulps[0])
            Page_Print(html, "<p>Distance: %s in units in the last place%s.</p>\n", ulps,
                       d->size == 12 ? " of 80 bits" : "");
    }
    Page_BeginFacts(html);
    /* if the outcomes differ, the endings below say so */
    if (words && d->outcome_a == d->outcome_b) {
        Page_Fact(html, "element", d->path);
        Page_Fact(html, "a", a);
        Page_Fact(html, "b", b);
    }
    for (int i = 0; i < 2; i++) {
        if (d->outcome_a == TRACE_RETURNED && d->outcome_b == TRACE_RETURNED)
            break;
        if (i == 0)
            Describe_Ending(d->outcome_a, d->outputs_a, d->output_size_a, ending, sizeof ending);
        else
            Describe_Ending(d->outcome_b, d->outputs_b, d->output_size_b, ending, sizeof ending);
        Page_Fact(html, i == 0 ? "a ended" : "b ended", ending);
    }
    Page_EndFacts(html);
}

/* ---- inputs and outputs -----------------------------------------------------------------------
 */

static bool Differs(const Difference *d, const SignatureElement *element) {
    return element->compared && memcmp(d->outputs_a + element->offset,
                                       d->outputs_b + element->offset, element->size) != 0;
}

static bool HasOutputs(const Difference *d) {
    return d->outcome_a == TRACE_RETURNED && d->outcome_b == TRACE_RETURNED &&
           d->output_size_a > 0 && d->output_size_a == d->output_size_b;
}

static SignatureCursor Outputs(const Difference *d) {
    return Signature_OutputElements(d->signature, d->inputs, d->input_size);
}

/* If there are more elements than rows, only those that differ are shown. */
static void AppendOutputs(RpBuffer *html, const Difference *d) {
    static const char *const heads[] = {"output", "a", "b", "#ulps", NULL};
    SignatureElement element;
    uint32_t all = 0, rows = 0;
    SignatureCursor cursor = Outputs(d);
    while (Signature_NextElement(&cursor, &element))
        all++;
    Page_BeginTable(html, "Outputs", heads);
    cursor = Outputs(d);
    while (Signature_NextElement(&cursor, &element))
        if (rows < MOST_OUTPUT_ROWS && (all <= MOST_OUTPUT_ROWS || Differs(d, &element))) {
            char ulps[32];
            const uint8_t *a = d->outputs_a + element.offset, *b = d->outputs_b + element.offset;
            const bool differs = Differs(d, &element);
            UlpsText(differs ? Value_Ulps(element.type, element.size, a, b) : VALUE_NO_DISTANCE,
                     ulps, sizeof ulps);
            Page_Print(html,
                       differs ? "<tr class=\"differs\"><th scope=\"row\"><code>%s</code></th>"
                               : "<tr><th scope=\"row\"><code>%s</code></th>",
                       element.path);
            BitsCell(html, element.type, element.size, a);
            BitsCell(html, element.type, element.size, b);
            Page_Print(html, "<td class=\"number\">%s</td></tr>\n",
                       differs && !ulps[0] ? "differs" : ulps);
            rows++;
        }
    Page_EndTable(html);
    if (rows < all)
        Page_Print(html, "<p class=\"soft\">%u of %u elements; %u differ.</p>\n", rows, all,
                   d->elements);
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Sixteen elements "matrix[0][0]" to "matrix[3][3]" that are being collected. */
typedef struct Matrix {
    char name[64];
    uint32_t count;
    bool differs;
    float a[MATRIX], b[MATRIX];
} Matrix;

/* Takes the next element. Returns true when it is the last one of a matrix. */
static bool TakeElement(Matrix *matrix, const Difference *d, const SignatureElement *element) {
    char index[16];
    size_t length = strlen(element->path);
    const bool begins = length > 6 && strcmp(element->path + length - 6, "[0][0]") == 0;
    if (begins) {
        memset(matrix, 0, sizeof *matrix);
        memcpy(matrix->name, element->path, length - 6);
    }
    snprintf(index, sizeof index, "[%u][%u]", matrix->count / 4, matrix->count % 4);
    const size_t name = strlen(matrix->name);
    if (!matrix->name[0] || element->type != SIGNATURE_F32 || element->size != 4 ||
        strncmp(element->path, matrix->name, name) != 0 ||
        strcmp(element->path + name, index) != 0) {
        matrix->name[0] = 0;
        return false;
    }
    memcpy(&matrix->a[matrix->count], d->outputs_a + element->offset, 4);
    memcpy(&matrix->b[matrix->count], d->outputs_b + element->offset, 4);
    matrix->differs |= Differs(d, element);
    return ++matrix->count == MATRIX;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

void CallHtml_Append(RpBuffer *html, const Report *report, const Difference *d) {
    char command[2048], text[160];
    Page_Print(html,
               "<h3>The first difference: call %llu of %s</h3>\n<p><code>%s</code> differs (%u "
               "element%s of this call differ%s).</p>\n",
               (Number)d->sequence, d->trace, d->path, d->elements, Text_Plural(d->elements),
               d->elements == 1 ? "s" : "");
    AppendElement(html, d);
    if (HasOutputs(d)) {
        SignatureElement element;
        Matrix matrix = {.count = 0};
        int drawn = 0;
        SignatureCursor cursor = Outputs(d);
        while (drawn < MOST_FRAMES && Signature_NextElement(&cursor, &element))
            if (TakeElement(&matrix, d, &element)) {
                if (matrix.differs) {
                    Figure_Frames(html, matrix.name, matrix.a, matrix.b);
                    drawn++;
                }
                matrix.name[0] = 0;
            }
    }
    Figure_Followed(html, d->followed);
    if (d->parting)
        Parting_Html(d->parting, html);
    if (report->repeat && report->repeat(report->context, d, command, sizeof command))
        Page_Command(html, "Repeat this call", command);

    Page_BeginFold(html, "Inputs, outputs and state of this call");
    Page_BeginFacts(html);
    snprintf(text, sizeof text, "control word %04x, MXCSR %08x", d->control_in, d->mxcsr_in);
    Page_Fact(html, "state before", text);
    snprintf(text, sizeof text, "control word %04x, MXCSR %08x", d->control_out_a, d->mxcsr_out_a);
    Page_Fact(html, "after, a", text);
    snprintf(text, sizeof text, "control word %04x, MXCSR %08x", d->control_out_b, d->mxcsr_out_b);
    Page_Fact(html, "after, b", text);
    if (d->violations_a || d->violations_b) {
        Describe_Violations(d->violations_a, text, sizeof text);
        Page_Fact(html, "violations, a", text);
        Describe_Violations(d->violations_b, text, sizeof text);
        Page_Fact(html, "violations, b", text);
    }
    Page_EndFacts(html);

    static const char *const heads[] = {"input", "bits and value", NULL};
    if (d->input_size > 0) {
        SignatureElement element;
        uint32_t rows = 0, left = 0;
        Page_BeginTable(html, "Inputs", heads);
        SignatureCursor cursor = Signature_InputElements(d->signature, d->inputs, d->input_size);
        while (Signature_NextElement(&cursor, &element)) {
            if (rows == MOST_INPUT_ROWS) {
                left++;
                continue;
            }
            rows++;
            Page_Print(html, "<tr><th scope=\"row\"><code>%s</code></th>", element.path);
            BitsCell(html, element.type, element.size, d->inputs + element.offset);
            RpBuffer_AppendText(html, "</tr>\n");
        }
        Page_EndTable(html);
        if (left > 0)
            Page_Print(html, "<p class=\"soft\">And %u more.</p>\n", left);
    }
    if (HasOutputs(d))
        AppendOutputs(html, d);
    Page_EndFold(html);
}
