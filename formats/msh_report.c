#include "formats/msh_report.h"

#include "formats/msh_info.h"

#include <inttypes.h>
#include <string.h>

static void AppendPlace(const RpFinding *finding, RpBuffer *text) {
    const char *name = finding->stream >= 0 ? RpMsh_StreamName((uint32_t)finding->stream) : NULL;
    if (finding->offset != RP_NOWHERE)
        RpBuffer_Print(text, ", at byte %" PRIu64, finding->offset);
    if (finding->stream >= 0)
        RpBuffer_Print(text, ", Res%" PRId32 "%s%s", finding->stream, name ? " " : "",
                       name ? name : "");
    if (finding->element >= 0)
        RpBuffer_Print(text, "[%" PRId32 "]", finding->element);
    if (finding->node >= 0 && finding->stream != RP_MSH_NODES)
        RpBuffer_Print(text, ", node %" PRId32, finding->node);
}

void MshReport_Finding(const RpFinding *finding, const char *name, RpBuffer *text) {
    RpBuffer_Print(text, "%s: %s %s: %s", name, RpSeverity_Name(finding->severity), finding->rule,
                   finding->what);
    AppendPlace(finding, text);
    if (finding->expected[0])
        RpBuffer_Print(text, ": expected %s", finding->expected);
    if (finding->found[0])
        RpBuffer_Print(text, "%s found %s", finding->expected[0] ? "," : ":", finding->found);
    RpBuffer_AppendText(text, "\n");
}

static void JsonIndex(RpBuffer *text, const char *member, int32_t index) {
    if (index >= 0)
        RpBuffer_Print(text, ", \"%s\": %" PRId32, member, index);
}

void MshReport_FindingJson(const RpFinding *finding, uint64_t base, RpBuffer *text) {
    RpBuffer_Print(text, "{\"rule\": \"%s\", \"severity\": \"%s\"", finding->rule,
                   RpSeverity_Name(finding->severity));
    if (finding->offset != RP_NOWHERE)
        RpBuffer_Print(text, ", \"offset\": %" PRIu64 ", \"file_offset\": %" PRIu64,
                       finding->offset, base + finding->offset);
    JsonIndex(text, "stream", finding->stream);
    JsonIndex(text, "entry", finding->entry);
    JsonIndex(text, "node", finding->node);
    JsonIndex(text, "element", finding->element);
    RpBuffer_AppendText(text, ", \"what\": ");
    MshInfo_AppendJsonPath(text, finding->what);
    RpBuffer_AppendText(text, ", \"expected\": ");
    MshInfo_AppendJsonPath(text, finding->expected);
    RpBuffer_AppendText(text, ", \"found\": ");
    MshInfo_AppendJsonPath(text, finding->found);
    RpBuffer_AppendText(text, "}");
}

void MshReport_Counts(const uint64_t counts[RP_SEVERITY_COUNT], RpBuffer *text) {
    static const char *const plural[] = {"errors", "warnings", "departures from canonical form",
                                         "notes"};
    static const char *const singular[] = {"error", "warning", "departure from canonical form",
                                           "note"};
    const char *before = "";
    for (int s = 0; s < RP_SEVERITY_COUNT; s++)
        if (counts[s] > 0) {
            RpBuffer_Print(text, "%s%" PRIu64 " %s", before, counts[s],
                           counts[s] == 1 ? singular[s] : plural[s]);
            before = ", ";
        }
    if (!before[0])
        RpBuffer_AppendText(text, "no findings");
}
