#include "replay/compare/parting.h"

#include "core/page/page.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static bool HasSide(const Parting *parting, int side) {
    return parting->sides[side].where[0] != '\0';
}

static const char *Heading(const Parting *parting) {
    return parting->is_branch ? "the first branch that goes another way"
                              : "the first instruction that computes something else";
}

/* Appends a text of a parting, which may come from somebody's shard, behind words of this program.
 */
static void Put(RpBuffer *text, const char *words, const char *shown) {
    RpBuffer_AppendText(text, words);
    Visible_AppendLine(text, shown, strlen(shown));
}

void Parting_Text(const Parting *parting, const char *indent, RpBuffer *text) {
    RpBuffer_AppendText(text, indent);
    if (parting->why_not[0]) {
        Put(text, "which instruction: not known, because ", parting->why_not);
        RpBuffer_AppendText(text, "\n");
        return;
    }
    RpBuffer_AppendText(text, Heading(parting));
    Put(text, ", on processor ", parting->processor);
    RpBuffer_AppendText(text, "\n");
    for (int i = 0; i < 2; i++) {
        const PartingSide *side = &parting->sides[i];
        RpBuffer_Print(text, "%s  %c  ", indent, "ab"[i]);
        if (!HasSide(parting, i)) {
            RpBuffer_Print(text, "computes nothing that %c does not\n", "ba"[i]);
            continue;
        }
        Put(text, "", side->where);
        Put(text, ": ", side->instruction);
        RpBuffer_Print(text, "\n%s     ", indent);
        Put(text, "", side->formula);
        const char *const parts[][2] = {
            {"= ", side->value}, {"of ", side->operands}, {"rounded to ", side->rounding}};
        size_t count = 0;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            if (!parts[k][1][0])
                continue;
            if (count++ > 0)
                RpBuffer_AppendText(text, ", ");
            else
                RpBuffer_Print(text, "\n%s     ", indent);
            Put(text, parts[k][0], parts[k][1]);
        }
        RpBuffer_AppendText(text, "\n");
    }
}

void Parting_Html(const Parting *parting, RpBuffer *html) {
    if (parting->why_not[0]) {
        Page_Print(html, "<p>Which instruction: not known, because %s.</p>\n", parting->why_not);
        return;
    }
    const char *const heads[] = {
        "side", "at",   "instruction", parting->is_branch ? "if" : "computes",
        "of",   "bits", "rounded to",  NULL};
    char caption[96];
    snprintf(caption, sizeof caption, "%s, on processor %s", Heading(parting), parting->processor);
    Page_BeginTable(html, caption, heads);
    for (int i = 0; i < 2; i++) {
        const PartingSide *side = &parting->sides[i];
        Page_Print(html, "<tr><th scope=\"row\" class=\"key-%c\">%c</th>", "ab"[i], "ab"[i]);
        if (HasSide(parting, i))
            Page_Print(html,
                       "<td class=\"bits\">%s</td><td><code>%s</code></td><td><code>%s</code></td>"
                       "<td class=\"bits\">%s</td><td class=\"bits\">%s</td><td>%s</td></tr>\n",
                       side->where, side->instruction, side->formula, side->operands, side->value,
                       side->rounding);
        else
            Page_Print(html, "<td colspan=\"6\">computes nothing that %c does not</td></tr>\n",
                       "ba"[i]);
    }
    Page_EndTable(html);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The members of a side, for writing and for reading. */
static const struct {
    const char *name;
    size_t at, size;
} members[] = {
#define MEMBER(name)                                                                               \
    { #name, offsetof(PartingSide, name), sizeof(((PartingSide *)0)->name) }
    MEMBER(where),    MEMBER(instruction), MEMBER(formula),
    MEMBER(rounding), MEMBER(operands),    MEMBER(value),
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof *members };
static const char *const side_names[2] = {"a", "b"};

void Parting_Json(const Parting *parting, cJSON *object) {
    cJSON *whole = cJSON_AddObjectToObject(object, "parting");
    if (parting->why_not[0]) {
        cJSON_AddStringToObject(whole, "why_not", parting->why_not);
        return;
    }
    cJSON_AddStringToObject(whole, "processor", parting->processor);
    cJSON_AddBoolToObject(whole, "branch", parting->is_branch);
    for (int i = 0; i < 2; i++) {
        if (!HasSide(parting, i)) {
            cJSON_AddNullToObject(whole, side_names[i]);
            continue;
        }
        cJSON *side = cJSON_AddObjectToObject(whole, side_names[i]);
        for (size_t k = 0; k < MEMBERS; k++)
            cJSON_AddStringToObject(side, members[k].name,
                                    (const char *)&parting->sides[i] + members[k].at);
    }
}

static bool ReadText(const cJSON *object, const char *name, char *text, size_t size) {
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(member) && (size_t)snprintf(text, size, "%s", member->valuestring) < size;
}

bool Parting_Read(const cJSON *object, Parting *parting) {
    const cJSON *whole = cJSON_GetObjectItemCaseSensitive(object, "parting");
    *parting = (Parting){.is_branch = false};
    if (cJSON_GetObjectItemCaseSensitive(whole, "why_not"))
        return ReadText(whole, "why_not", parting->why_not, sizeof parting->why_not);
    const cJSON *branch = cJSON_GetObjectItemCaseSensitive(whole, "branch");
    bool good = cJSON_IsBool(branch) &&
                ReadText(whole, "processor", parting->processor, sizeof parting->processor);
    parting->is_branch = cJSON_IsTrue(branch);
    for (int i = 0; good && i < 2; i++) {
        const cJSON *side = cJSON_GetObjectItemCaseSensitive(whole, side_names[i]);
        for (size_t k = 0; good && !cJSON_IsNull(side) && k < MEMBERS; k++)
            good = ReadText(side, members[k].name, (char *)&parting->sides[i] + members[k].at,
                            members[k].size);
    }
    return good;
}
