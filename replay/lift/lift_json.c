#include "replay/lift/lift_json.h"

#include "core/text/view_text.h"
#include "replay/lift/lift_digest.h"
#include "replay/lift/lift_names.h"
#include "replay/lift/lift_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for formulas", "", "", "");
}

void LiftJson_Setup(const LiftSetup *setup, RpBuffer *json) {
    RpBuffer_AppendText(json, "\"processor\": ");
    ViewText_Json(json, setup->processor);
    RpBuffer_Print(json,
                   ", \"builds\": \"%s\", \"control_word\": \"0x%04X\", \"mxcsr\": \"0x%04" PRIX32
                   "\", \"readings\": ",
                   LiftSetup_BuildName(setup), setup->control, setup->mxcsr);
    ViewText_Json(json, setup->readings);
    RpBuffer_AppendText(json, ",\n");
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Which expressions of the graph are needed; `numbers` is 1 + the place in the list, or 0. */
typedef struct Needed {
    uint32_t *numbers;
    uint32_t most;
} Needed;

static void Need(Needed *needed, const Expression *expression) {
    if (needed->numbers[expression->id])
        return;
    needed->numbers[expression->id] = 1;
    if (expression->id > needed->most)
        needed->most = expression->id;
    for (uint32_t i = 0; i < expression->count; i++)
        Need(needed, expression->operands[i]);
}

/* Appends the list of all expressions that the paths of a side need; operands come first. Each gets
 * its number. */
static void PutExpressions(const LiftPaths *paths, int side, Needed *needed, RpBuffer *json) {
    for (uint32_t f = 0; f < paths->found_count[side]; f++) {
        const LiftPath *path = paths->found[side][f].path;
        for (uint32_t i = 0; i < path->condition_count; i++) {
            Need(needed, path->conditions[i].left);
            Need(needed, path->conditions[i].right);
        }
        for (uint32_t i = 0; i < path->output_count; i++)
            if (LiftOutput_IsSeen(paths->signature, &path->outputs[i]))
                Need(needed, path->outputs[i].value);
    }
    uint32_t count = 0;
    RpBuffer_AppendText(json, "\"expressions\": [");
    for (uint32_t id = 0; id <= needed->most && id < ExpressionGraph_Count(paths->graph); id++) {
        if (!needed->numbers[id])
            continue;
        RpBuffer_AppendText(json, count == 0 ? "\n  " : ",\n  ");
        needed->numbers[id] = ++count;
        const Expression *expression = ExpressionGraph_At(paths->graph, id);
        RpBuffer_Print(json, "{\"op\": \"%s\", \"bits\": %u",
                       ExpressionOperation_Symbol((ExpressionOperation)expression->operation),
                       expression->bits);
        if (expression->control)
            RpBuffer_Print(json, ", \"control\": %u", expression->control);
        if (expression->region) {
            RpBuffer_AppendText(json, ", \"region\": ");
            ViewText_Json(json, ExpressionGraph_NameOf(paths->graph, expression->region));
        }
        switch (expression->operation) {
        case EXPRESSION_CONSTANT:
            if (expression->bits == 80)
                RpBuffer_Print(json, ", \"value\": \"0x%04X%016" PRIX64 "\"", expression->head,
                               expression->value);
            else
                RpBuffer_Print(json, ", \"value\": \"0x%" PRIX64 "\"", expression->value);
            break;
        case EXPRESSION_INPUT:
        case EXPRESSION_ADDRESS:
        case EXPRESSION_EXTRACT:
        case EXPRESSION_OUTPUT:
        case EXPRESSION_SSE_MASK:
            RpBuffer_Print(json, ", \"at\": %" PRIu64, expression->value);
            break;
        default:
            break;
        }
        for (uint32_t i = 0; i < expression->count; i++)
            RpBuffer_Print(json, "%s%" PRIu32, i == 0 ? ", \"of\": [" : ", ",
                           needed->numbers[expression->operands[i]->id] - 1);
        RpBuffer_AppendText(json, expression->count > 0 ? "]}" : "}");
    }
    RpBuffer_AppendText(json, "],\n");
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Appends the inputs as {"q0": "0000803f...", ...}: bytes in the order of memory. */
static void PutInput(const LiftInput *input, RpBuffer *json) {
    RpBuffer_AppendText(json, "{");
    for (uint32_t i = 0; i < input->part_count; i++) {
        const LiftPart *part = &input->parts[i];
        RpBuffer_Print(json, "%s\"%s\": \"", i == 0 ? "" : ", ", part->name);
        for (uint32_t k = 0; k < part->size; k++)
            RpBuffer_Print(json, "%02x", input->bytes[part->first + k]);
        RpBuffer_AppendText(json, "\"");
    }
    RpBuffer_AppendText(json, "}");
}

static void PutPlace(const LiftPaths *paths, const LiftOutput *output, RpBuffer *json) {
    static const char *const registers[] = {"memory", "eax", "edx", "st0"};
    RpBuffer_Print(json, "{\"place\": \"%s\", ", registers[output->place]);
    if (output->place == LIFT_MEMORY)
        RpBuffer_Print(json, "\"region\": \"%s\", \"offset\": %" PRIu32 ", ",
                       ExpressionGraph_NameOf(paths->graph, output->region), output->offset);
}

static RpStatus PutPath(const LiftPaths *paths, int side, uint32_t number, const Needed *needed,
                        RpBuffer *json, RpError *error) {
    static const char *const ends[] = {"returned", "faulted", "timed out", "refused"};
    static const char *const orders[] = {"x87", "sse", "signed", "unsigned"};
    static const char *const decisions[] = {"branch", "select", "pin"};
    const LiftFound *found = &paths->found[side][number];
    const LiftPath *path = found->path;
    LiftNames *names = LiftNames_Create(paths, side, number);
    if (!names)
        return NoMemory(error);
    ExpressionPrinter printer = LiftNames_Printer(names);
    printer.given = NULL; /* a formula stands alone here */
    RpBuffer_Print(json, "{\"end\": \"%s\", \"reason\": ", ends[path->end]);
    ViewText_Json(json, path->reason);
    RpBuffer_Print(json,
                   ", \"inputs\": %" PRIu32 ", \"instructions\": %" PRIu32 ", \"popped\": %" PRIu32
                   ", \"x87_depth\": %" PRId32 ", \"preserves\": %s,\n   \"conditions\": [",
                   found->inputs, path->step_count, path->popped, path->x87_depth,
                   path->preserves ? "true" : "false");
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftCondition *condition = &path->conditions[i];
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        LiftText_Condition(&printer, condition, &text);
        RpBuffer_Print(json,
                       "%s{\"left\": %" PRIu32 ", \"right\": %" PRIu32
                       ", \"order\": \"%s\", \"decision\": \"%s\", \"outcomes\": ",
                       i == 0 ? "\n    " : ",\n    ", needed->numbers[condition->left->id] - 1,
                       needed->numbers[condition->right->id] - 1, orders[condition->order],
                       decisions[condition->decision]);
        static const char *const outcomes[4] = {"less", "equal", "greater", "unordered"};
        bool is_first_outcome = true;
        RpBuffer_AppendText(json, "[");
        for (int bit = 0; bit < 4; bit++)
            if (condition->outcomes >> bit & 1) {
                RpBuffer_Print(json, "%s\"%s\"", is_first_outcome ? "" : ", ", outcomes[bit]);
                is_first_outcome = false;
            }
        RpBuffer_AppendText(json, "]");
        RpBuffer_AppendText(json, ", \"formula\": ");
        ViewText_JsonBytes(json, (const char *)text.bytes, text.size);
        RpBuffer_AppendText(json, "}");
        RpBuffer_Free(&text);
    }
    RpBuffer_AppendText(json, "],\n   \"outputs\": [");
    bool is_first = true;
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        if (!LiftOutput_IsSeen(paths->signature, output))
            continue;
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        LiftText_Place(LiftNames_Inputs(names), output, &text);
        RpBuffer_AppendText(&text, " = ");
        Expression_Print(&printer, output->value, &text);
        RpBuffer_AppendText(json, is_first ? "\n    " : ",\n    ");
        PutPlace(paths, output, json);
        RpBuffer_Print(json,
                       "\"stored\": %u, \"value\": %" PRIu32 ", \"formula\": ", output->stored,
                       needed->numbers[output->value->id] - 1);
        ViewText_JsonBytes(json, (const char *)text.bytes, text.size);
        RpBuffer_AppendText(json, "}");
        RpBuffer_Free(&text);
        is_first = false;
    }
    RpBuffer_AppendText(json, "],\n   \"example\": ");
    PutInput(&found->input, json);
    RpBuffer_AppendText(json, "}");
    LiftNames_Destroy(names);
    return RP_OK;
}

/* Runs inputs again, and appends each with what the machine left. */
static RpStatus PutCalls(LiftPaths *paths, int side, LiftInputs *inputs, uint32_t calls,
                         RpBuffer *json, RpError *error) {
    RpStatus status = RP_OK;
    RpBuffer_AppendText(json, ",\n\"calls\": [");
    for (uint32_t number = 0; !status && number < calls; number++) {
        LiftInput input;
        LiftPath *path = NULL;
        status = LiftInputs_Make(inputs, paths->function, number, &input, error);
        if (!status)
            status = LiftPair_Run(paths->pairs[side], &input, paths->instructions, &path, error);
        if (!status) {
            bool is_first = true;
            RpBuffer_Print(json, "%s{\"returned\": %s, \"input\": ", number == 0 ? "\n  " : ",\n  ",
                           path->end == LIFT_RETURNED ? "true" : "false");
            PutInput(&input, json);
            RpBuffer_AppendText(json, ", \"left\": [");
            for (uint32_t i = 0; i < path->output_count; i++) {
                const LiftOutput *output = &path->outputs[i];
                if (!LiftOutput_IsSeen(paths->signature, output))
                    continue;
                RpBuffer_AppendText(json, is_first ? "" : ", ");
                PutPlace(paths, output, json);
                RpBuffer_AppendText(json, "\"bits\": ");
                if (output->place == LIFT_ST0)
                    RpBuffer_Print(json, "\"0x%04X%016" PRIX64 "\"", output->number.head,
                                   output->number.low);
                else
                    RpBuffer_Print(json, "\"0x%08" PRIX32 "\"", (uint32_t)output->number.low);
                RpBuffer_AppendText(json, "}");
                is_first = false;
            }
            RpBuffer_AppendText(json, "]}");
        }
        LiftPath_Free(path);
        LiftInput_Free(&input);
    }
    RpBuffer_AppendText(json, "]");
    return status;
}

RpStatus LiftJson_Paths(LiftPaths *paths, int side, LiftInputs *inputs, uint32_t calls,
                        RpBuffer *json, RpError *error) {
    LiftPair *pair = paths->pairs[side];
    char where[48];
    Needed needed = {.most = 0};
    needed.numbers = calloc(ExpressionGraph_Count(paths->graph) + 1u, sizeof *needed.numbers);
    if (!needed.numbers)
        return NoMemory(error);
    LiftPair_Locate(pair, LiftPair_Address(pair, paths->function), where, sizeof where);
    RpBuffer_Print(
        json, "{\"function\": \"%s\", \"name\": \"%s\", \"at\": \"%s\", \"played_by\": \"%s\",\n",
        paths->function->key, paths->function->name, where, Provider_Name(LiftPair_Provider(pair)));
    LiftJson_Setup(LiftPair_Setup(pair), json);
    char sum[DIGEST_HEX_BYTES];
    RpStatus status = LiftDigest_Side(paths, side, sum, error);
    RpBuffer_Print(json, "\"digest\": \"%s\",\n", sum);
    PutExpressions(paths, side, &needed, json);
    RpBuffer_AppendText(json, "\"paths\": [");
    for (uint32_t i = 0; !status && i < paths->found_count[side]; i++) {
        RpBuffer_AppendText(json, i == 0 ? "\n  " : ",\n  ");
        status = PutPath(paths, side, i, &needed, json, error);
    }
    RpBuffer_AppendText(json, "]");
    if (!status && calls > 0)
        status = PutCalls(paths, side, inputs, calls, json, error);
    RpBuffer_AppendText(json, "}\n");
    free(needed.numbers);
    return status ? status : json->failed ? NoMemory(error) : RP_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Appends a text as a list of its lines, from number `first` on and without their indents. */
static void PutLines(const RpBuffer *text, size_t first, RpBuffer *json) {
    const char *at = (const char *)text->bytes, *end = at + text->size;
    RpBuffer_AppendText(json, "[");
    for (size_t line = 0; at < end; line++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        while (*at == ' ')
            at++;
        if (line > first)
            RpBuffer_AppendText(json, ", ");
        if (line >= first)
            ViewText_JsonBytes(json, at, (size_t)(next - at));
        at = next + 1;
    }
    RpBuffer_AppendText(json, "]");
}

RpStatus LiftJson_Same(const LiftPaths *paths, const LiftSame *same, bool with_formulas,
                       RpBuffer *json, RpError *error) {
    static const char *const kinds[] = {"condition", "output", "convention", "end", "bits"};
    char sums[LIFT_SIDES][DIGEST_HEX_BYTES];
    RpStatus status = RP_OK;
    for (int side = 0; !status && side < LIFT_SIDES; side++)
        status = LiftDigest_Side(paths, side, sums[side], error);
    if (status)
        return status;
    RpBuffer_Print(json,
                   "{\"function\": \"%s\", \"name\": \"%s\", \"verdict\": \"%s\", \"but_for\": [",
                   paths->function->key, paths->function->name, LiftVerdict_Text(same->verdict));
    bool is_first = true;
    for (int law = 0; law < LIFT_LAW_COUNT; law++)
        if (same->laws >> law & 1) {
            RpBuffer_AppendText(json, is_first ? "" : ", ");
            ViewText_Json(json, LiftLaw_Except((LiftLaw)(1 << law)));
            is_first = false;
        }
    RpBuffer_Print(json,
                   "],\n \"apart\": %s, \"aligned\": %s, \"limits\": \"%s\", \"calls\": \"%s\", "
                   "\"digests\": [\"%s\", \"%s\"], \"paths\": [%" PRIu32 ", %" PRIu32
                   "], \"pairs\": %" PRIu32 ", \"complete\": [%s, %s], \"open\": %" PRIu32
                   ", \"runs\": %" PRIu64 ", \"reason\": ",
                   same->is_apart ? "true" : "false", same->has_places ? "true" : "false",
                   same->limits, same->calls, sums[0], sums[1], paths->found_count[0],
                   paths->found_count[1], same->pairs, same->complete[0] ? "true" : "false",
                   same->complete[1] ? "true" : "false", same->open_count, paths->runs);
    ViewText_Json(json, same->reason);
    if (same->has_difference) {
        RpBuffer_Print(
            json, ",\n \"difference\": {\"kind\": \"%s\", \"paths\": [%" PRIu32 ", %" PRIu32 "]",
            kinds[same->difference.kind], same->difference.found[0], same->difference.found[1]);
        if (same->difference.has_witness) {
            RpBuffer_AppendText(json, ", \"witness\": ");
            PutInput(&same->difference.witness, json);
        }
        RpBuffer_AppendText(json, "}");
    }
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    status = LiftText_Same(paths, same, true, &text, error);
    if (!status) {
        RpBuffer_AppendText(json, ",\n \"details\": ");
        PutLines(&text, 1, json); /* the first line says the verdict */
    }
    RpBuffer_Free(&text);
    RpBuffer_Init(&text, NULL);
    if (!status && with_formulas)
        status = LiftText_Paths(paths, LIFT_ORIGINAL, false, &text, error);
    if (!status && with_formulas) {
        RpBuffer_AppendText(json, ",\n \"formulas\": ");
        PutLines(&text, 0, json);
    }
    RpBuffer_Free(&text);
    RpBuffer_AppendText(json, "}");
    return status ? status : json->failed ? NoMemory(error) : RP_OK;
}
