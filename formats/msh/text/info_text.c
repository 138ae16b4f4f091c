#include "core/text.h"
#include "core/text/encoding.h"
#include "core/text/view_text.h"
#include "exports/reading_table.h"
#include "formats/msh/text/info.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const order_names[] = {"as in 414 of the game's models",
                                          "as in the 21 lit models of the game",
                                          "in neither order of the game's models"};
static const char *const order_ids[] = {"plain", "lit", "other"};
static const char *const key_orders[] = {"xyzw", "wxyz"};
static const char *const rotations[] = {"conjugate", "plain"};

enum { FITS = 8 };

static const RpMshFit *FitAt(const MshInfo *info, int fit) {
    return &info->evidence.fits[fit >> 2][fit >> 1 & 1][fit & 1];
}

/* ---- texts of nodes -------------------------------------------------------------------------- */

/* Names and labels of the nodes, one after the other. */
typedef struct NodeTexts {
    RpMshTexts names, labels;
    const char *name, *label; /* those of the present node; null if it has none */
    uint32_t name_length, label_length;
} NodeTexts;

static NodeTexts NodeTexts_Begin(const MshInfo *info) {
    bool res10 = info->readings.choice[READING_NAMES] == 1;
    return (NodeTexts){.names = RpMsh_Texts(&info->msh, res10 ? RP_MSH_LABELS : RP_MSH_NAMES),
                       .labels = RpMsh_Texts(&info->msh, res10 ? RP_MSH_NAMES : RP_MSH_LABELS)};
}

static void NodeTexts_Next(NodeTexts *texts) {
    RpMshTexts_Next(&texts->names, &texts->name, &texts->name_length);
    RpMshTexts_Next(&texts->labels, &texts->label, &texts->label_length);
}

static void AppendShown(RpBuffer *text, const char *bytes, size_t size) {
    const size_t most = 4 * size + 1;
    char *shown = (char *)RpBuffer_Extend(text, most);
    if (!shown)
        return;
    Text1251_Show(bytes, size, shown, most);
    text->size -= most - strlen(shown);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void PrintStreams(const MshInfo *info, RpBuffer *text) {
    RpBuffer_AppendText(text, "streams\n    type             elements      bytes      attr1      "
                              "attr2      attr3\n");
    for (uint32_t i = 0; i < info->archive.count; i++) {
        RpNResEntry entry = RpNRes_Entry(&info->archive, i);
        const char *name = RpMsh_StreamName(entry.type);
        bool first = name && info->msh.streams[entry.type].entry == (int32_t)i;
        RpBuffer_Print(text, "%6" PRIu32 "  %-12s", entry.type, name ? name : "unknown");
        if (first)
            RpBuffer_Print(text, " %12" PRIu32, RpMsh_Count(&info->msh, entry.type));
        else
            RpBuffer_Print(text, " %12s", name ? "repeated" : "");
        RpBuffer_Print(text, " %10" PRIu32 " %10" PRIu32 " %10" PRIu32 " %10" PRIu32 "%s\n",
                       entry.size, entry.attr1, entry.attr2, entry.attr3,
                       entry.data ? "" : "  outside the file");
    }
    RpBuffer_Print(text, "    %s\n", order_names[info->order]);
}

/* Deeper nodes are not indented further, so that a chain of thousands of nodes stays readable. */
enum { DEEPEST = 30 };

static uint32_t Depth(const RpMsh *msh, uint32_t index) {
    RpMshNode node;
    uint32_t depth = 0;
    while (depth < DEEPEST && RpMsh_Node(msh, index, &node) && node.parent < index) {
        index = node.parent;
        depth++;
    }
    return depth;
}

static void PrintReadings(const MshInfo *info, RpBuffer *text) {
    RpBuffer_AppendText(text, info->chosen ? "    taken, where --readings does not say otherwise:\n"
                                           : "    by evidence, were it not for --readings:\n");
    for (int i = 0; i < RP_MSH_READINGS; i++) {
        const RpMshReading *reading = &info->found[i];
        RpBuffer_Print(text, "      %-10s %-9s %-9s %s\n", reading->name, reading->choice,
                       RpMshCertainty_Name(reading->certainty), reading->why);
    }
}

void MshInfo_Print(const MshInfo *info, const char *name, RpBuffer *text) {
    RpBuffer_Print(text, "%s\n", name);
    PrintStreams(info, text);
    NodeTexts texts = NodeTexts_Begin(info);
    RpMshNode node;
    RpBuffer_Print(text, "nodes, %" PRIu32 " of %" PRIu32 " animated over %" PRIu32 " frame%s\n",
                   info->animated, RpMsh_Count(&info->msh, RP_MSH_NODES), info->msh.frame_count,
                   Text_Plural(info->msh.frame_count));
    if (info->msh.node_stride != RP_MSH_NODE_BYTES)
        RpBuffer_AppendText(text, "    of the legacy stride 24: opaque\n");
    for (uint32_t i = 0; RpMsh_Node(&info->msh, i, &node); i++) {
        NodeTexts_Next(&texts);
        const uint32_t depth = Depth(&info->msh, i);
        RpBuffer_Print(text, "%6" PRIu32 "  %*s", i, (int)(2 * depth), "");
        if (texts.name)
            AppendShown(text, texts.name, texts.name_length);
        else
            RpBuffer_AppendText(text, "(no name)");
        if (texts.label) {
            RpBuffer_AppendText(text, "  label ");
            AppendShown(text, texts.label, texts.label_length);
        }
        if (node.flags)
            RpBuffer_Print(text, "  flags 0x%04X", node.flags);
        if (node.map_start != RP_MSH_NONE)
            RpBuffer_AppendText(text, "  animated");
        for (int word = 0; word < RP_MSH_SLOT_WORDS; word++)
            if (node.slots[word] != RP_MSH_NONE)
                RpBuffer_Print(text, "  [%d,%d]=%u", word / 5, word % 5,
                               (unsigned)node.slots[word]);
        RpBuffer_AppendText(text, "\n");
    }
    RpBuffer_AppendText(text,
                        "slot words, nodes / triangles\n    outer    inner 0         1         "
                        "2         3         4\n");
    for (int outer = 0; outer < 3; outer++) {
        RpBuffer_Print(text, "%8d ", outer);
        for (int inner = 0; inner < 5; inner++)
            RpBuffer_Print(text, " %3" PRIu32 "/%-5" PRIu64, info->filled[outer][inner],
                           info->triangles[outer][inner]);
        RpBuffer_AppendText(text, "\n");
    }
    const RpMshBoxEvidence *evidence = &info->evidence;
    RpBuffer_AppendText(text, "readings\n");
    if (!evidence->usable) {
        RpBuffer_Print(text, "    header box: cannot tell: %s\n", evidence->why);
    } else {
        RpBuffer_Print(text, "    header box against %" PRIu32 " posed vertices (diagonal %.6g):\n",
                       evidence->vertices, evidence->diagonal);
        for (int fit = 0; fit < FITS; fit++)
            RpBuffer_Print(text, "      %-4s %-9s root %-7s %s  outside %8.3f %%, gap %8.3f %%\n",
                           key_orders[fit >> 2], rotations[fit >> 1 & 1],
                           fit & 1 ? "dropped" : "kept",
                           FitAt(info, fit)->outside <= RP_MSH_BOX_TOLERANCE ? "fits " : "     ",
                           100 * FitAt(info, fit)->outside, 100 * FitAt(info, fit)->gap);
        if (evidence->key_order >= 0 && evidence->telling)
            RpBuffer_Print(text, "      tells: key-order=%s,rotation=%s\n",
                           key_orders[evidence->key_order], rotations[evidence->rotation]);
    }
    RpBuffer_Print(text,
                   "    identity keys: %" PRIu32 " as 0,0,0,32767 (xyzw), %" PRIu32
                   " as 32767,0,0,0 (wxyz)\n",
                   info->identity_xyzw, info->identity_wxyz);
    RpBuffer_Print(text,
                   "    inner slot words 0 to 3: triangles never grow on %" PRIu32 " of %" PRIu32
                   " runs (they are levels where all do)\n",
                   info->falling, info->ladders);
    RpBuffer_Print(
        text, "    materials other than 0: %" PRIu32 " batches by word2, %" PRIu32 " by byte4\n",
        info->word2_set, info->byte4_set);
    PrintReadings(info, text);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void MshInfo_AppendJsonText(RpBuffer *text, const char *bytes, size_t size) {
    RpBuffer utf8;
    RpBuffer_Init(&utf8, text->allocator);
    for (size_t i = 0; i < size; i++) { /* one by one, since a NUL may be among them */
        char letter[4];
        Text1251_ToUtf8(&bytes[i], 1, letter);
        RpBuffer_Append(&utf8, letter, bytes[i] ? strlen(letter) : 1);
    }
    ViewText_JsonBytes(text, (const char *)utf8.bytes, utf8.size);
    text->failed |= utf8.failed;
    RpBuffer_Free(&utf8);
}

static void JsonOptionalText(RpBuffer *text, const char *member, const char *bytes, size_t size) {
    RpBuffer_Print(text, ", \"%s\": ", member);
    if (bytes)
        MshInfo_AppendJsonText(text, bytes, size);
    else
        RpBuffer_AppendText(text, "null");
}

static void JsonIndex(RpBuffer *text, const char *before, uint16_t index) {
    if (index == RP_MSH_NONE)
        RpBuffer_Print(text, "%snull", before);
    else
        RpBuffer_Print(text, "%s%u", before, (unsigned)index);
}

static void JsonNumber(RpBuffer *text, const char *member, double number) {
    if (isfinite(number))
        RpBuffer_Print(text, "\"%s\": %.9g", member, number);
    else
        RpBuffer_Print(text, "\"%s\": null", member);
}

static void JsonEvidence(const MshInfo *info, RpBuffer *text) {
    const RpMshBoxEvidence *evidence = &info->evidence;
    RpBuffer_Print(text, ",\n \"evidence\": {\"usable\": %s", evidence->usable ? "true" : "false");
    if (evidence->usable) {
        RpBuffer_Print(text, ", \"vertices\": %" PRIu32 ", ", evidence->vertices);
        JsonNumber(text, "diagonal", evidence->diagonal);
        RpBuffer_AppendText(text, ", \"fits\": [");
        for (int fit = 0; fit < FITS; fit++) {
            RpBuffer_Print(
                text, "%s\n   {\"key_order\": \"%s\", \"rotation\": \"%s\", \"root\": \"%s\", ",
                fit ? "," : "", key_orders[fit >> 2], rotations[fit >> 1 & 1],
                fit & 1 ? "dropped" : "kept");
            JsonNumber(text, "outside", FitAt(info, fit)->outside);
            RpBuffer_AppendText(text, ", ");
            JsonNumber(text, "gap", FitAt(info, fit)->gap);
            RpBuffer_AppendText(text, "}");
        }
        RpBuffer_AppendText(text, "]");
        RpBuffer_Print(text, ",\n  \"supported\": [");
        const char *before = "";
        for (int r = 0; r < 4; r++)
            if (evidence->supported[r / 2][r % 2]) {
                RpBuffer_Print(text, "%s\"key-order=%s,rotation=%s\"", before, key_orders[r / 2],
                               rotations[r % 2]);
                before = ", ";
            }
        RpBuffer_AppendText(text, "]");
    } else {
        RpBuffer_Print(text, ", \"why\": \"%s\"", evidence->why);
    }
    RpBuffer_Print(text,
                   ",\n  \"identity_xyzw\": %" PRIu32 ", \"identity_wxyz\": %" PRIu32
                   ", \"ladders\": %" PRIu32 ", \"falling\": %" PRIu32 ", \"word2_set\": %" PRIu32
                   ", \"byte4_set\": %" PRIu32 "}",
                   info->identity_xyzw, info->identity_wxyz, info->ladders, info->falling,
                   info->word2_set, info->byte4_set);
}

void MshInfo_PrintJson(const MshInfo *info, const char *name, RpBuffer *text) {
    RpBuffer_AppendText(text, "{\"model\": ");
    ViewText_Json(text, name);
    RpBuffer_Print(text,
                   ", \"size\": %" PRIu32 ", \"frames\": %" PRIu32 ", \"animated\": %" PRIu32
                   ", \"stride\": %" PRIu32,
                   info->archive.size, info->msh.frame_count, info->animated,
                   info->msh.node_stride);
    RpBuffer_AppendText(text, ",\n \"streams\": [");
    for (uint32_t i = 0; i < info->archive.count; i++) {
        RpNResEntry entry = RpNRes_Entry(&info->archive, i);
        const char *stream_name = RpMsh_StreamName(entry.type);
        RpBuffer_Print(text, "%s\n  {\"type\": %" PRIu32 ", \"name\": \"%s\"", i ? "," : "",
                       entry.type, stream_name ? stream_name : "unknown");
        if (stream_name && info->msh.streams[entry.type].entry == (int32_t)i)
            RpBuffer_Print(text, ", \"elements\": %" PRIu32, RpMsh_Count(&info->msh, entry.type));
        RpBuffer_Print(text,
                       ", \"bytes\": %" PRIu32 ", \"offset\": %" PRIu32 ", \"attr1\": %" PRIu32
                       ", \"attr2\": %" PRIu32 ", \"attr3\": %" PRIu32 "}",
                       entry.size, entry.data_offset, entry.attr1, entry.attr2, entry.attr3);
    }
    RpBuffer_Print(text, "],\n \"order\": \"%s\"", order_ids[info->order]);
    NodeTexts texts = NodeTexts_Begin(info);
    RpMshNode node;
    RpBuffer_AppendText(text, ",\n \"nodes\": [");
    for (uint32_t i = 0; RpMsh_Node(&info->msh, i, &node); i++) {
        uint32_t first, last;
        bool track = RpMsh_Track(&info->msh, i, &first, &last);
        NodeTexts_Next(&texts);
        RpBuffer_Print(text, "%s\n  {\"index\": %" PRIu32, i ? "," : "", i);
        JsonOptionalText(text, "name", texts.name, texts.name_length);
        JsonOptionalText(text, "label", texts.label, texts.label_length);
        JsonIndex(text, ", \"parent\": ", node.parent);
        RpBuffer_Print(text,
                       ", \"flags\": %u, \"animated\": %s, \"keys\": %" PRIu32 ", \"slots\": [",
                       (unsigned)node.flags, node.map_start != RP_MSH_NONE ? "true" : "false",
                       track ? last - first + 1 : 0);
        for (int word = 0; word < RP_MSH_SLOT_WORDS; word++)
            JsonIndex(text, word ? ", " : "", node.slots[word]);
        RpBuffer_AppendText(text, "]}");
    }
    RpBuffer_AppendText(text, "]");
    RpBuffer_AppendText(text, ",\n \"slot_words\": [");
    for (int word = 0; word < RP_MSH_SLOT_WORDS; word++)
        RpBuffer_Print(text,
                       "%s{\"outer\": %d, \"inner\": %d, \"nodes\": %" PRIu32
                       ", \"triangles\": %" PRIu64 "}",
                       word ? ", " : "", word / 5, word % 5, info->filled[word / 5][word % 5],
                       info->triangles[word / 5][word % 5]);
    RpBuffer_AppendText(text, "]");
    JsonEvidence(info, text);
    RpBuffer_AppendText(text, ",\n \"readings\": [");
    for (int i = 0; i < RP_MSH_READINGS; i++) {
        const RpMshReading *reading = &info->found[i];
        RpBuffer_Print(text,
                       "%s{\"name\": \"%s\", \"choice\": \"%s\", \"certainty\": \"%s\", "
                       "\"matters\": %s, \"why\": \"%s\"}",
                       i ? ", " : "", reading->name, reading->choice,
                       RpMshCertainty_Name(reading->certainty), reading->matters ? "true" : "false",
                       reading->why);
    }
    RpBuffer_AppendText(text, "]");
    RpBuffer_AppendText(text, "}");
}
