#include "replay/lift/lift_text.h"

#include "replay/lift/lift_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for formulas", "", "", "");
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Appends a formula. Each has a buffer of its own, because the printer cuts what is too long. */
static void PutFormula(const ExpressionPrinter *printer, const Expression *expression,
                       RpBuffer *text) {
    RpBuffer formula;
    RpBuffer_Init(&formula, NULL);
    Expression_Print(printer, expression, &formula);
    RpBuffer_Append(text, formula.bytes, formula.size);
    RpBuffer_Free(&formula);
}

/* Appends the name that an expression was given, or its formula. */
static void PutValue(const ExpressionPrinter *printer, const Expression *expression,
                     RpBuffer *text) {
    const char *given = printer->given ? printer->given(printer->context, expression) : NULL;
    if (given)
        RpBuffer_AppendText(text, given);
    else
        PutFormula(printer, expression, text);
}

/* The words for each set of outcomes of floating-point numbers. */
static const char *const relations[16] = {"never",
                                          "<",
                                          "=",
                                          "<=",
                                          ">",
                                          "< or >",
                                          ">=",
                                          "is ordered with",
                                          "is unordered with",
                                          "not >=",
                                          "= or unordered with",
                                          "not >",
                                          "not <=",
                                          "!=",
                                          "not <",
                                          "any"};

/* Returns whether an expression is a constant, loaded or not. */
static bool IsConstant(const Expression *expression) {
    while (expression->count == 1)
        expression = expression->operands[0];
    return Expression_IsConstant(expression);
}

void LiftText_Condition(const ExpressionPrinter *printer, const LiftCondition *condition,
                        RpBuffer *text) {
    /* A constant is printed on the right, as a reader would write it. */
    const Expression *left = condition->left, *right = condition->right;
    uint8_t outcomes = condition->outcomes;
    if (IsConstant(left) && !IsConstant(right)) {
        left = condition->right;
        right = condition->left;
        outcomes &= COMPARE_EQUAL | COMPARE_UNORDERED;
        outcomes |= condition->outcomes & COMPARE_LESS ? COMPARE_GREATER : 0;
        outcomes |= condition->outcomes & COMPARE_GREATER ? COMPARE_LESS : 0;
    }
    const bool is_integer = condition->order == LIFT_SIGNED || condition->order == LIFT_UNSIGNED;
    const bool is_unequal = is_integer && outcomes == (COMPARE_LESS | COMPARE_GREATER);
    const char *relation = is_unequal ? "!=" : relations[outcomes & COMPARE_ANY];
    PutValue(printer, left, text);
    RpBuffer_Print(text, " %s ", relation);
    PutValue(printer, right, text);
    if (condition->order == LIFT_SIGNED)
        RpBuffer_AppendText(text, "  (signed)");
    if (condition->decision == LIFT_PIN)
        RpBuffer_AppendText(text, "  (the only value that was followed)");
}

void LiftText_Place(LiftInputContext *context, const LiftOutput *output, RpBuffer *text) {
    if (output->place == LIFT_MEMORY)
        LiftInput_NameOf(context, output->region, output->offset, 32, text);
    else
        RpBuffer_AppendText(text, output->place == LIFT_EAX   ? "eax"
                                  : output->place == LIFT_EDX ? "edx"
                                                              : "st0");
}

/* Appends " = formula" with a note on what happens to the value last. */
static void PutOutput(const ExpressionPrinter *printer, const LiftOutput *output, RpBuffer *text) {
    const Expression *value = output->value;
    const bool is_stored = value->operation == EXPRESSION_X87_TO_F32;
    PutValue(printer, is_stored ? value->operands[0] : value, text);
    if (output->place == LIFT_MEMORY && Expression_IsConstant(value) && value->value != 0) {
        float number;
        memcpy(&number, &value->value, sizeof number);
        RpBuffer_Print(text, "   (%.9g as binary32)", (double)number);
    }
    if (is_stored)
        RpBuffer_AppendText(text, "   (stored to binary32)");
    if (output->place == LIFT_MEMORY && output->stored != 0xF)
        RpBuffer_Print(text, "   (bytes %X of the dword)", (unsigned)output->stored);
}

/* Pads a line from where it began to a column. */
static void PadTo(RpBuffer *text, size_t began, size_t column) {
    while (!text->failed && text->size - began < column)
        RpBuffer_AppendText(text, " ");
}

/* ---- one path -------------------------------------------------------------------------------- */

static void PutInstructions(const LiftPaths *paths, int side, const LiftPath *path,
                            const ExpressionPrinter *printer, RpBuffer *text) {
    enum { WHERE = 24, INSTRUCTION = 64 };
    for (uint32_t i = 0; i < path->step_count; i++) {
        const LiftStep *step = &path->steps[i];
        char where[48], instruction[128];
        const size_t began = text->size;
        LiftPair_Locate(paths->pairs[side], step->address, where, sizeof where);
        LiftStep_Text(step, instruction, sizeof instruction);
        RpBuffer_Print(text, "    %s", where);
        PadTo(text, began, WHERE);
        RpBuffer_Print(text, "%*s%s", 2 * step->depth, "", instruction);
        for (uint32_t m = 0; m < step->made_count; m++) {
            const Expression *made = path->made[step->first_made + m];
            const char *given = printer->given(printer->context, made);
            PadTo(text, began, INSTRUCTION);
            RpBuffer_AppendText(text, m > 0 ? ", " : "  ");
            if (given)
                RpBuffer_Print(text, "%s = ", given);
            PutFormula(printer, made, text);
        }
        for (uint32_t c = 0; c < path->condition_count; c++)
            if (path->conditions[c].step == i) {
                PadTo(text, began, INSTRUCTION);
                RpBuffer_AppendText(text, "  if ");
                LiftText_Condition(printer, &path->conditions[c], text);
            }
        RpBuffer_AppendText(text, "\n");
    }
}

static RpStatus PutPath(const LiftPaths *paths, int side, uint32_t number, bool with_instructions,
                        RpBuffer *text, RpError *error) {
    enum { COLUMN = 18 };
    const LiftFound *found = &paths->found[side][number];
    const LiftPath *path = found->path;
    LiftNames *names = LiftNames_Create(paths, side, number);
    if (!names)
        return NoMemory(error);
    const ExpressionPrinter printer = LiftNames_Printer(names);
    RpBuffer_Print(text, "\npath %" PRIu32 " of %" PRIu32 ", taken by %" PRIu32 " input%s\n",
                   number + 1, paths->found_count[side], found->inputs,
                   found->inputs == 1 ? "" : "s");
    for (uint32_t i = 0; i < path->condition_count; i++) {
        RpBuffer_AppendText(text, i == 0 ? "  if  " : "  and ");
        LiftText_Condition(&printer, &path->conditions[i], text);
        RpBuffer_AppendText(text, "\n");
    }
    for (uint32_t i = 0; i < LiftNames_Count(names); i++) {
        const Expression *value = LiftNames_At(names, i);
        const size_t began = text->size;
        RpBuffer_Print(text, "  %s", LiftNames_Of(names, value));
        PadTo(text, began, COLUMN);
        RpBuffer_AppendText(text, " = ");
        PutFormula(&printer, value, text);
        RpBuffer_AppendText(text, "\n");
    }
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        const size_t began = text->size;
        if (!LiftOutput_IsSeen(paths->signature, output))
            continue;
        RpBuffer_AppendText(text, "  ");
        LiftText_Place(LiftNames_Inputs(names), output, text);
        PadTo(text, began, COLUMN);
        RpBuffer_AppendText(text, " = ");
        PutOutput(&printer, output, text);
        RpBuffer_AppendText(text, "\n");
    }
    if (path->end == LIFT_REFUSED)
        RpBuffer_Print(text, "  cannot say: %s\n", path->reason);
    else if (path->end != LIFT_RETURNED)
        RpBuffer_Print(text, "  ends with %s\n", path->reason);
    else if (!path->preserves)
        RpBuffer_AppendText(text, "  does not preserve EBX, ESI, EDI, EBP or the direction flag\n");
    RpBuffer_AppendText(text, "  example: ");
    LiftInput_Print(&found->input, paths->graph, path, text);
    RpBuffer_AppendText(text, "\n");
    if (with_instructions)
        PutInstructions(paths, side, path, &printer, text);
    LiftNames_Destroy(names);
    return RP_OK;
}

/* ---- a function ------------------------------------------------------------------------------ */

RpStatus LiftText_Paths(const LiftPaths *paths, int side, bool with_instructions, RpBuffer *text,
                        RpError *error) {
    static const char *const precisions[4] = {"24", "an unknown number of", "53", "64"};
    static const char *const roundings[4] = {"to nearest", "down", "up", "to zero"};
    char where[48];
    LiftPair *pair = paths->pairs[side];
    const LiftSetup *setup = LiftPair_Setup(pair);
    LiftPair_Locate(pair, LiftPair_Address(pair, paths->function), where, sizeof where);
    RpBuffer_Print(text, "%s %s, at %s\n", paths->function->key, paths->function->name, where);
    RpBuffer_Print(text, "each step of the x87 is rounded to %s bits, %s (control word %04X)\n",
                   precisions[setup->control >> 8 & 3], roundings[setup->control >> 10 & 3],
                   setup->control);

    /* What the first path that returned says of the convention. */
    for (uint32_t i = 0; i < paths->found_count[side]; i++) {
        const LiftPath *path = paths->found[side][i].path;
        if (path->end != LIFT_RETURNED)
            continue;
        RpBuffer_Print(text, "pops %" PRIu32 " bytes, leaves %" PRId32 " on the x87 stack",
                       path->popped, path->x87_depth);
        bool is_first = true;
        for (uint32_t k = 0; k < path->read_count; k++) {
            const char *name = ExpressionGraph_NameOf(paths->graph, path->reads[k].region);
            if (!LiftInput_Part(&paths->found[side][i].input, name))
                continue; /* the stack */
            RpBuffer_Print(text, "%s%s+%" PRIu32 " (%" PRIu32 ")", is_first ? "; reads " : ", ",
                           name, path->reads[k].offset, path->reads[k].size);
            is_first = false;
        }
        RpBuffer_AppendText(text, "\n");
        break;
    }

    RpStatus status = RP_OK;
    for (uint32_t i = 0; !status && i < paths->found_count[side]; i++)
        status = PutPath(paths, side, i, with_instructions, text, error);
    return status;
}

/* ---- a verdict ------------------------------------------------------------------------------- */

static const char *const side_names[LIFT_SIDES] = {"original", "replacement"};
enum { MOST_OF_FORMULA = 300 }; /* bytes in a line of a verdict; `lift` prints all of it */

static void PutStep(const LiftPaths *paths, int side, const LiftPath *path, uint32_t step,
                    RpBuffer *text) {
    char where[48], instruction[128];
    if (step >= path->step_count)
        return;
    LiftPair_Locate(paths->pairs[side], path->steps[step].address, where, sizeof where);
    LiftStep_Text(&path->steps[step], instruction, sizeof instruction);
    RpBuffer_Print(text, "   at %s: %s", where, instruction);
}

/* Appends what one side of a difference computes. */
static void PutSide(const LiftPaths *paths, const LiftDifference *difference, int side,
                    RpBuffer *text) {
    const LiftFound *found = &paths->found[side][difference->found[side]];
    LiftInputContext inputs = {&found->input, paths->graph};
    const ExpressionPrinter printer = {.graph = paths->graph,
                                       .name = LiftInput_NameOf,
                                       .context = &inputs,
                                       .most_bytes = MOST_OF_FORMULA,
                                       .usual_control =
                                           LiftPair_Setup(paths->pairs[side])->control};
    RpBuffer_Print(text, "    %-12s path %" PRIu32 ": ", side_names[side],
                   difference->found[side] + 1);
    const LiftCondition *condition = difference->conditions[side];
    const LiftOutput *output = difference->outputs[side];
    switch (difference->kind) {
    case LIFT_DIFFERENT_CONDITION:
        if (condition)
            LiftText_Condition(&printer, condition, text);
        else
            RpBuffer_AppendText(text, "asks nothing like it");
        break;
    case LIFT_DIFFERENT_OUTPUT:
    case LIFT_DIFFERENT_BITS:
        if (output) {
            LiftText_Place(&inputs, output, text);
            RpBuffer_AppendText(text, " = ");
            PutOutput(&printer, output, text);
        } else {
            RpBuffer_AppendText(text, "leaves it as it was");
        }
        break;
    case LIFT_DIFFERENT_CONVENTION:
        RpBuffer_Print(text,
                       "pops %" PRIu32 " bytes, leaves %" PRId32
                       " on the x87 stack, control word %04X%s",
                       found->path->popped, found->path->x87_depth, found->path->control,
                       found->path->preserves ? "" : ", does not preserve its caller's registers");
        break;
    default:
        RpBuffer_AppendText(text,
                            found->path->end == LIFT_RETURNED ? "returns" : found->path->reason);
    }
    RpBuffer_AppendText(text, "\n");
    if (difference->values[side]) {
        RpBuffer_Print(text, "    %-12s first differs in ", "");
        PutFormula(&printer, difference->values[side], text);
        PutStep(paths, side, found->path, difference->steps[side], text);
        RpBuffer_AppendText(text, "\n");
    }
}

RpStatus LiftText_Same(const LiftPaths *paths, const LiftSame *same, bool with_open, RpBuffer *text,
                       RpError *error) {
    enum { FIRST_OPEN = 3 };
    RpBuffer_Print(text, "%-26s %-26s %s", paths->function->key, paths->function->name,
                   LiftVerdict_Text(same->verdict));
    for (int law = 0, count = 0; law < LIFT_LAW_COUNT; law++)
        if (same->laws >> law & 1)
            RpBuffer_Print(text, "%s%s", count++ == 0 ? ", but for: " : "; ",
                           LiftLaw_Except((LiftLaw)(1 << law)));
    if (same->verdict <= LIFT_SAME_ON_PATHS) {
        if (same->is_apart)
            RpBuffer_AppendText(text, ", for parameters that lie apart");
        if (same->has_places)
            RpBuffer_AppendText(text, ", aligned as in the runs");
        if (same->limits[0])
            RpBuffer_Print(text, ", for %s", same->limits);
        if (same->calls[0])
            RpBuffer_Print(text, ", where %s %s the same", same->calls,
                           strchr(same->calls, ',') ? "are" : "is");
    }
    RpBuffer_Print(text, "  (paths %" PRIu32 "/%" PRIu32 ", pairs %" PRIu32 ")\n",
                   paths->found_count[LIFT_ORIGINAL], paths->found_count[LIFT_REPLACEMENT],
                   same->pairs);
    if (same->verdict == LIFT_CANNOT_SAY)
        RpBuffer_Print(text, "    because %s\n", same->reason);
    if (same->verdict == LIFT_SAME_ON_PATHS && same->reason[0])
        RpBuffer_Print(text, "    %s\n", same->reason);
    if (same->has_difference && (same->verdict != LIFT_SAME_ALWAYS || same->laws != 0)) {
        for (int side = 0; side < LIFT_SIDES; side++)
            PutSide(paths, &same->difference, side, text);
        if (same->difference.has_witness) {
            RpBuffer_AppendText(text, "    seen with     ");
            LiftInput_Print(&same->difference.witness, paths->graph,
                            paths->found[LIFT_ORIGINAL][same->difference.found[LIFT_ORIGINAL]].path,
                            text);
            RpBuffer_AppendText(text, "\n");
        } else {
            RpBuffer_Print(text, "    no input that shows it was found among %" PRIu64 "\n",
                           same->searched);
        }
    }
    const uint32_t listed =
        with_open || same->open_count <= FIRST_OPEN ? same->open_count : FIRST_OPEN;
    for (uint32_t i = 0; i < listed && same->verdict != LIFT_SAME_ALWAYS; i++) {
        const LiftOpen *open = &same->open[i];
        LiftInputContext inputs = {&paths->found[open->side][open->found].input, paths->graph};
        const LiftPath *path = paths->found[open->side][open->found].path;
        const ExpressionPrinter printer = {.graph = paths->graph,
                                           .name = LiftInput_NameOf,
                                           .context = &inputs,
                                           .most_bytes = MOST_OF_FORMULA,
                                           .usual_control =
                                               LiftPair_Setup(paths->pairs[open->side])->control};
        RpBuffer_Print(text, "    %s, path %" PRIu32 ": nothing took the other side of ",
                       side_names[open->side], open->found + 1);
        LiftText_Condition(&printer, open->condition, text);
        if (open->rounds > 0)
            RpBuffer_Print(text, ", after %" PRIu32 " rounds", open->rounds);
        PutStep(paths, (int)open->side, path, open->condition->step, text);
        RpBuffer_AppendText(text, "\n");
    }
    if (listed < same->open_count && same->verdict != LIFT_SAME_ALWAYS)
        RpBuffer_Print(text, "    and %" PRIu32 " other sides of branches (-v lists them)\n",
                       same->open_count - listed);
    return text->failed ? NoMemory(error) : RP_OK;
}
