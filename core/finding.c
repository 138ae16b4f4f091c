#include "retropose/finding.h"

#include "core/callers.h"
#include "core/text.h"

const char *RpSeverity_Name(RpSeverity severity) {
    static const char *const names[RP_SEVERITY_COUNT] = {"error", "warning", "canonical", "info"};
    return (unsigned)severity < RP_SEVERITY_COUNT ? names[severity] : "unknown";
}

RpFinding RpFinding_New(const char *rule, RpSeverity severity) {
    return (RpFinding){.rule = rule,
                       .severity = severity,
                       .offset = RP_NOWHERE,
                       .entry = RP_NO_INDEX,
                       .stream = RP_NO_INDEX,
                       .node = RP_NO_INDEX,
                       .element = RP_NO_INDEX};
}

void RpFindingSink_Report(const RpFindingSink *sink, const RpFinding *finding) {
    if (!sink)
        return;
    const bool changed = Callers_Enter();
    sink->take(sink->context, finding);
    Callers_Leave(changed);
}

static void Count(void *context, const RpFinding *finding) {
    RpFindingCounter *counter = context;
    counter->count[finding->severity]++;
    if (finding->severity == RP_SEVERITY_ERROR && !counter->first_error.rule)
        counter->first_error = *finding;
    RpFindingSink_Report(counter->next, finding);
}

RpFindingSink RpFindingCounter_Sink(RpFindingCounter *counter) {
    return (RpFindingSink){.take = Count, .context = counter};
}

static void AppendIndex(Text *text, const char *name, int32_t index) {
    if (index < 0)
        return;
    Text_Append(text, text->length ? ", " : "");
    Text_Append(text, name);
    Text_AppendDecimal(text, (uint64_t)index);
}

RpStatus RpFindingCounter_Verdict(const RpFindingCounter *counter, RpError *error) {
    const RpFinding *first = &counter->first_error;
    if (!first->rule)
        return RP_OK;
    char what[160], where[160];
    Text text = Text_Begin(what, sizeof what);
    Text_Append(&text, first->rule);
    Text_Append(&text, ": ");
    Text_Append(&text, first->what);
    text = Text_Begin(where, sizeof where);
    AppendIndex(&text, "Res", first->stream);
    AppendIndex(&text, "entry ", first->entry);
    AppendIndex(&text, "node ", first->node);
    AppendIndex(&text, "element ", first->element);
    return RpError_Set(error, RP_CORRUPT, first->offset, what, where, first->expected,
                       first->found);
}
