/* Functions that all rules of the model checker use: the list of rules, places, reports and
 * limits. */
#include "formats/msh/check/checker.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct Rule {
    const char *id, *severities, *text;
} Rule;

static const Rule rules[RP_MSH_RULE_COUNT + 1] = {
    {NULL, NULL, NULL},
    {"M01", "E W I", "streams 1, 2, 3, 6 and 13 are there exactly once, others at most once"},
    {"M02", "E W", "the size of a stream is a whole number of elements"},
    {"M03", "E", "attr1 of a stream is its number of elements"},
    {"M04", "E W", "attr3 of a stream is its element's size, or the constant of its type"},
    {"M05", "W", "attr2 is 0 but for streams 1, 17 and 19"},
    {"M06", "E I", "nodes have 38 bytes; 24 is the known legacy form"},
    {"M07", "E", "streams 4, 5, 15, 16 and 18 have one element a vertex"},
    {"M08", "E", "slot words of nodes name slots that exist, or 0xFFFF"},
    {"M09", "E", "triangle and batch ranges of slots exist"},
    {"M10", "E", "boxes and spheres of slots are finite, low <= high, radius >= 0"},
    {"M11", "E", "index ranges of batches, and the vertices they name, exist"},
    {"M12", "W", "index counts of batches are multiples of 3"},
    {"M13", "W", "the vertex count of a batch is its largest index + 1"},
    {"M14", "C", "batches tile the index stream in order"},
    {"M15", "W", "there is one triangle record for every three indices"},
    {"M16", "E W", "neighbours of triangles exist, name each other, and agree on the shared edge"},
    {"M17", "W", "face normals are unit length and agree with the geometry"},
    {"M18", "E W", "stream 10 has one well-formed record a node and nothing after them"},
    {"M19", "E", "parents come before their nodes"},
    {"M20", "E", "fallback keys exist"},
    {"M21", "E", "blocks of the frame map exist"},
    {"M22", "E", "map words below the fallback have a key after theirs"},
    {"M23", "C", "map words stay inside the node's own track and never exceed its fallback"},
    {"M24", "E C", "key times increase strictly within a track; whole frames from 0 on"},
    {"M25", "E C", "tracks follow one another; two keys or more when animated, one when static"},
    {"M26", "E C", "there is a frame; the frame count is the last key time + 1"},
    {"M27", "C", "blocks of the frame map follow one another without gaps"},
    {"M28", "C", "the frame map is the one that follows from the key times"},
    {"M29", "W I", "rotations of keys are unit length to 0.1 %; all-zero ones are listed"},
    {"M30", "C", "the box of a slot is the box of its vertices"},
    {"M31", "I", "posed level-0 geometry lies in the header's box: which readings fit"},
    {"M32", "C", "every vertex is used, by one node only"},
    {"M33", "W", "the header's box, sphere and capsule are finite"},
    {"M34", "I", "types of streams that are not in the table"},
};

static const Rule *RuleAt(int rule) {
    return &rules[rule >= 1 && rule <= RP_MSH_RULE_COUNT ? rule : 0];
}

const char *RpMshRule_Id(int32_t rule) {
    return RuleAt(rule)->id;
}

const char *RpMshRule_Text(int32_t rule) {
    return RuleAt(rule)->text;
}

const char *RpMshRule_Severities(int32_t rule) {
    return RuleAt(rule)->severities;
}

int32_t RpMshRule_Find(const char *id) {
    for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++) {
        const char *a = id;
        const char *b = rules[rule].id;
        while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
            a++;
            b++;
        }
        if (!*a && !*b)
            return rule;
    }
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

static const RpMshStream *StreamAt(const MshChecker *checker, uint32_t type) {
    return &checker->msh->streams[type];
}

MshPlace MshPlace_Record(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                         uint32_t field) {
    const RpMshStream *stream = StreamAt(checker, type);
    uint32_t directory = checker->msh->directory_offset;
    uint64_t offset = RP_NOWHERE;
    if (directory > 0)
        offset = stream->entry == RP_NO_INDEX
                     ? directory
                     : directory + (uint64_t)stream->entry * RP_NRES_RECORD_BYTES + field;
    return (MshPlace){.rule = rule,
                      .severity = severity,
                      .stream = (int32_t)type,
                      .entry = stream->entry,
                      .node = RP_NO_INDEX,
                      .element = RP_NO_INDEX,
                      .offset = offset};
}

MshPlace MshPlace_Byte(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                       uint32_t at) {
    MshPlace place = MshPlace_Record(checker, rule, severity, type, 0);
    if (checker->msh->directory_offset > 0)
        place.offset = (uint64_t)StreamAt(checker, type)->offset + at;
    return place;
}

MshPlace MshPlace_Element(const MshChecker *checker, int rule, RpSeverity severity, uint32_t type,
                          uint32_t element, uint32_t field) {
    uint32_t header = type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    MshPlace place = MshPlace_Byte(checker, rule, severity, type,
                                   header + element * RpMsh_Stride(checker->msh, type) + field);
    place.element = (int32_t)element;
    if (type == RP_MSH_NODES)
        place.node = (int32_t)element;
    return place;
}

/* ---- reports --------------------------------------------------------------------------------- */

bool MshChecker_Wants(const MshChecker *checker, int rule) {
    return !checker->stopped && (checker->rules >> rule & 1);
}

void MshChecker_Report(MshChecker *checker, MshPlace place, const char *what, const char *format,
                       ...) {
    if (!MshChecker_Wants(checker, place.rule))
        return;
    if (checker->errors_only && place.severity != RP_SEVERITY_ERROR)
        return;
    if (checker->counts[place.rule][place.severity]++ >= checker->repeats)
        return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    RpFinding finding = RpFinding_New(RpMshRule_Id(place.rule), place.severity);
    finding.offset = place.offset;
    finding.entry = place.entry;
    finding.stream = place.stream;
    finding.node = place.node;
    finding.element = place.element;
    snprintf(finding.what, sizeof finding.what, "%s", what);

    /* Splits "expected|found" at the bar into the two fields of a finding. */
    size_t length = strcspn(text, "|");
    snprintf(finding.expected, sizeof finding.expected, "%.*s", (int)length, text);
    if (text[length])
        snprintf(finding.found, sizeof finding.found, "%.127s", text + length + 1);
    RpFindingSink_Report(checker->sink, &finding);
    checker->stopped = checker->errors_only;
}

bool MshChecker_Spend(MshChecker *checker, int rule, uint64_t steps) {
    if (steps <= checker->work) {
        checker->work -= steps;
        return true;
    }
    const MshPlace place = {.rule = rule,
                            .severity = RP_SEVERITY_INFO,
                            .stream = RP_NO_INDEX,
                            .entry = RP_NO_INDEX,
                            .node = RP_NO_INDEX,
                            .element = RP_NO_INDEX,
                            .offset = RP_NOWHERE};
    if (checker->counts[rule][RP_SEVERITY_INFO] == 0)
        MshChecker_Report(checker, place, "given up: ranges overlap too often to follow them all",
                          "|");
    return false;
}

void *MshChecker_Allocate(MshChecker *checker, size_t count, size_t size) {
    if (count == 0 || checker->no_memory)
        return NULL;
    void *block = count <= SIZE_MAX / 2 / size
                      ? RpMemory_Resize(checker->allocator, NULL, count * size)
                      : NULL;
    if (block)
        memset(block, 0, count * size);
    else
        checker->no_memory = true;
    return block;
}
