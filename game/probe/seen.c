#include "game/probe/seen.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* How far accesses of one kind go in each region of a graph. */
typedef struct Extents {
    uint32_t regions[LIFT_MOST_PARTS], ends[LIFT_MOST_PARTS];
    uint32_t count;
} Extents;

static void AddRanges(Extents *extents, const LiftInput *input, const ExpressionGraph *graph,
                      const LiftRange *ranges, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const LiftPart *part =
            LiftInput_Part(input, ExpressionGraph_NameOf(graph, ranges[i].region));
        uint32_t at = 0;
        while (at < extents->count && extents->regions[at] != ranges[i].region)
            at++;
        if (!part || part->address == 0 || at == LIFT_MOST_PARTS)
            continue; /* the stack and what a DLL keeps are no argument's memory */
        if (at == extents->count) {
            extents->regions[extents->count] = ranges[i].region;
            extents->ends[extents->count++] = 0;
        }
        const uint32_t end = ranges[i].offset + ranges[i].size;
        extents->ends[at] = end > extents->ends[at] ? end : extents->ends[at];
    }
}

static void Append(Text *text, const char *verb, const Extents *extents,
                   const ExpressionGraph *graph) {
    for (uint32_t i = 0; i < extents->count; i++) {
        char one[64];
        snprintf(one, sizeof one, "%s%s %u", i == 0 ? verb : ", ",
                 ExpressionGraph_NameOf(graph, extents->regions[i]), (unsigned)extents->ends[i]);
        Text_Append(text, one);
    }
    if (extents->count > 0)
        Text_Append(text, "; ");
}

RpStatus ProbeSeen_Find(LiftPair *pair, LiftInputs *inputs, const AbiFunction *function,
                        ProbeSeen *seen, RpError *error) {
    LiftPair *const pairs[LIFT_SIDES] = {pair, NULL};
    const ExpressionGraph *graph = LiftPair_Graph(pair);
    LiftBudget budget = LiftBudget_Default();
    LiftPaths paths;
    memset(seen, 0, sizeof *seen);
    if (LiftInput_WhyNot(function))
        return RP_OK;
    budget.most_inputs = 120;
    budget.patience = 40;
    budget.most_paths = 64;
    RpStatus status = LiftPaths_Find(pairs, inputs, function, &budget, &paths, error);

    Extents reads = {.count = 0}, writes = {.count = 0};
    const LiftPath *last = NULL;
    bool are_alike = true, preserve = true;
    for (uint32_t i = 0; i < paths.found_count[0] && !status; i++) {
        const LiftFound *found = &paths.found[0][i];
        const LiftPath *path = found->path;
        if (path->end != LIFT_RETURNED)
            continue;
        seen->paths++;
        AddRanges(&reads, &found->input, graph, path->reads, path->read_count);
        AddRanges(&writes, &found->input, graph, path->writes, path->write_count);
        preserve &= path->preserves;
        are_alike &= !last || (path->popped == last->popped && path->x87_depth == last->x87_depth);
        last = path;
    }
    if (last) {
        char end[160];
        Text text = Text_Begin(seen->words, sizeof seen->words);
        Append(&text, "reads ", &reads, graph);
        Append(&text, "writes ", &writes, graph);
        if (are_alike)
            snprintf(end, sizeof end, "takes %u byte%s off the stack; %s%s", (unsigned)last->popped,
                     Text_Plural(last->popped),
                     last->x87_depth == 0   ? "leaves nothing on the x87 stack"
                     : last->x87_depth == 1 ? "leaves a number on the x87 stack"
                                            : "leaves the x87 stack in disorder",
                     preserve ? "" : "; does not keep what a callee has to keep");
        else
            snprintf(end, sizeof end, "its paths take unlike numbers of bytes off the stack");
        Text_Append(&text, end);
    }
    LiftPaths_Free(&paths);
    return status == RP_NOT_FOUND || status == RP_UNSUPPORTED ? RP_OK : status;
}
