#include "replay/lift/lift_digest.h"

#include "replay/lift/lift_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char Sum[DIGEST_HEX_BYTES];

typedef struct Sums {
    LiftRules *rules;
    Sum *of; /* by id of an expression; empty until it is made */
    bool failed;
} Sums;

static void AddText(Digest *digest, const char *text) {
    Digest_Add(digest, text, strlen(text) + 1);
}

static int Order(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Adds digests in an order that does not depend on where they are. */
static void AddSorted(Digest *digest, Sum *sums, size_t count) {
    qsort(sums, count, sizeof *sums, Order);
    for (size_t i = 0; i < count; i++)
        AddText(digest, sums[i]);
}

/* Whether the two operands may be exchanged. The rules have put them into the order of their ids,
 * which are not the same from one run to the next. */
static bool Commutes(const Expression *e) {
    switch (e->operation) {
    case EXPRESSION_MUL:
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_XOR:
    case EXPRESSION_X87_ADD:
    case EXPRESSION_X87_MUL:
        return true;
    case EXPRESSION_SSE_ADD:
    case EXPRESSION_SSE_MUL:
        return !Expression_MayBeNan(e->operands[0]) || !Expression_MayBeNan(e->operands[1]);
    default:
        return false;
    }
}

/* Makes the digest of a normal form. */
static const char *SumOf(Sums *sums, const Expression *e) {
    char head[160];
    Digest digest;
    if (sums->of[e->id][0])
        return sums->of[e->id];
    /* A sum of integers is a chain to the left, in the order of ids, too. */
    const bool is_sum = e->operation == EXPRESSION_ADD;
    size_t count = 0;
    for (const Expression *at = e; is_sum && at->operation == EXPRESSION_ADD; at = at->operands[0])
        count++;
    count = is_sum ? count + 1 : e->count;
    Sum *parts = malloc((count + 1) * sizeof *parts);
    if (!parts) {
        sums->failed = true;
        return "";
    }
    size_t filled = 0;
    const Expression *at = e;
    for (; is_sum && at->operation == EXPRESSION_ADD; at = at->operands[0])
        memcpy(parts[filled++], SumOf(sums, at->operands[1]), sizeof *parts);
    if (is_sum)
        memcpy(parts[filled++], SumOf(sums, at), sizeof *parts);
    for (uint32_t i = 0; !is_sum && i < e->count; i++)
        memcpy(parts[filled++], SumOf(sums, e->operands[i]), sizeof *parts);

    Digest_Begin(&digest);
    snprintf(head, sizeof head, "%s %u %u %04X %" PRIX64 " ",
             ExpressionOperation_Symbol((ExpressionOperation)e->operation), (unsigned)e->bits,
             (unsigned)e->control, (unsigned)e->head, e->value);
    AddText(&digest, head);
    AddText(&digest,
            e->region ? ExpressionGraph_NameOf(LiftRules_Graph(sums->rules), e->region) : "");
    if (is_sum || Commutes(e))
        AddSorted(&digest, parts, filled);
    else
        for (size_t i = 0; i < filled; i++)
            AddText(&digest, parts[i]);
    free(parts);
    Digest_End(&digest, sums->of[e->id]);
    return sums->of[e->id];
}

/* Makes the digest of a path: conditions in any order, then outputs in the order of their places.
 * What is stored as it was is no output. */
static void AddPath(Sums *sums, const LiftPaths *paths, const LiftPath *path, Sum sum) {
    Sum *conditions = malloc((path->condition_count + 1) * sizeof *conditions);
    size_t count = 0;
    char text[64];
    Digest digest;
    if (!conditions) {
        sums->failed = true;
        return;
    }
    for (uint32_t i = 0; i < path->condition_count; i++) {
        const LiftTest test = LiftRules_Test(sums->rules, &path->conditions[i]);
        if (test.kind != LIFT_TEST_ALWAYS && test.kind != LIFT_TEST_NEVER) {
            char words[160];
            const char *left = SumOf(sums, test.left),
                       *right = test.right ? SumOf(sums, test.right) : "";
            uint32_t outcomes = test.outcomes;
            /* The rules have the order of ids here, too. */
            if (strcmp(left, right) > 0 && test.right) {
                const char *other = left;
                left = right;
                right = other;
                outcomes = (outcomes & (COMPARE_EQUAL | COMPARE_UNORDERED)) |
                           (outcomes & COMPARE_LESS ? COMPARE_GREATER : 0u) |
                           (outcomes & COMPARE_GREATER ? COMPARE_LESS : 0u);
            }
            Digest sum_of_condition;
            Digest_Begin(&sum_of_condition);
            snprintf(words, sizeof words, "if %d %d %u %u ", (int)test.kind, test.is_signed,
                     outcomes, (unsigned)test.interval_count);
            AddText(&sum_of_condition, words);
            AddText(&sum_of_condition, left);
            AddText(&sum_of_condition, right);
            for (uint32_t k = 0; k < test.interval_count; k++) {
                snprintf(words, sizeof words, "%" PRIX64 " %" PRIX64, test.intervals[k].low,
                         test.intervals[k].high);
                AddText(&sum_of_condition, words);
            }
            Digest_End(&sum_of_condition, conditions[count++]);
        }
    }
    Digest_Begin(&digest);
    snprintf(text, sizeof text, "path %d", (int)path->end);
    AddText(&digest, text);
    AddSorted(&digest, conditions, count);
    for (uint32_t i = 0; i < path->output_count; i++) {
        const LiftOutput *output = &path->outputs[i];
        const Expression *value = LiftRules_Normal(sums->rules, output->value);
        const bool is_kept = output->place == LIFT_MEMORY && value->operation == EXPRESSION_INPUT &&
                             value->region == output->region && value->value == output->offset;
        if (!LiftOutput_IsSeen(paths->signature, output) || is_kept)
            continue;
        snprintf(text, sizeof text, "%d %" PRIu32, (int)output->place, output->offset);
        AddText(&digest, text);
        AddText(&digest, output->place == LIFT_MEMORY
                             ? ExpressionGraph_NameOf(paths->graph, output->region)
                             : "");
        AddText(&digest, SumOf(sums, value));
    }
    free(conditions);
    Digest_End(&digest, sum);
}

RpStatus LiftDigest_Side(const LiftPaths *paths, int side, char hex[DIGEST_HEX_BYTES],
                         RpError *error) {
    Sums sums = {.rules = LiftRules_Create(paths->graph, 0)};
    Sum *all = calloc(paths->found_count[side] + 1u, sizeof *all);
    Digest digest;
    hex[0] = '\0';
    sums.failed = !sums.rules || !all;
    /* Every normal form is made before there is room for its digest, because it may be new. */
    for (uint32_t f = 0; !sums.failed && f < paths->found_count[side]; f++) {
        const LiftPath *path = paths->found[side][f].path;
        for (uint32_t i = 0; i < path->condition_count; i++)
            LiftRules_Test(sums.rules, &path->conditions[i]);
        for (uint32_t i = 0; i < path->output_count; i++)
            LiftRules_Normal(sums.rules, path->outputs[i].value);
    }
    sums.of = calloc(ExpressionGraph_Count(paths->graph) + 1u, sizeof *sums.of);
    sums.failed |= !sums.of;
    for (uint32_t f = 0; !sums.failed && f < paths->found_count[side]; f++)
        AddPath(&sums, paths, paths->found[side][f].path, all[f]);
    if (!sums.failed) {
        Digest_Begin(&digest);
        AddText(&digest, paths->function->key);
        AddSorted(&digest, all, paths->found_count[side]);
        Digest_End(&digest, hex);
    }
    free(sums.of);
    free(all);
    LiftRules_Destroy(sums.rules);
    return sums.failed || ExpressionGraph_HasFailed(paths->graph)
               ? RpMemory_Refused(error, "no memory for the digest of formulas")
               : RP_OK;
}
