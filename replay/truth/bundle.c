#include "replay/truth/bundle.h"

#include "core/digest.h"
#include "core/hex.h"
#include "core/json/json_read.h"
#include "core/json/json_text.h"
#include "tracefile/tracefile.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUM_MEMBER                                                                                 \
    ",\n\"sha256\": \"" /* what comes before the sum, after which only a brace follows */

static cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *TextOf(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(Member(object, name));
    return text ? text : "";
}

static double NumberOf(const cJSON *object, const char *name) {
    const cJSON *item = Member(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* ---- making ----------------------------------------------------------------------------------
 */

/* Copies the named members; the list of names ends with a null. */
static void Keep(cJSON *to, const cJSON *from, const char *const *names) {
    for (size_t i = 0; names[i]; i++) {
        const cJSON *member = Member(from, names[i]);
        if (member)
            cJSON_AddItemToObject(to, names[i], cJSON_Duplicate(member, true));
    }
}

/* Copies the named members of each element of a list. */
static cJSON *KeepList(cJSON *to, const char *name, const cJSON *list, const char *const *names) {
    cJSON *kept = cJSON_AddArrayToObject(to, name);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        cJSON *object = cJSON_CreateObject();
        Keep(object, item, names);
        cJSON_AddItemToArray(kept, object);
    }
    return kept;
}

static RpStatus Parse(const char *text, const char *what, cJSON **root, RpError *error) {
    const char *end;
    *root = NULL;
    if (!text)
        return RP_OK;
    *root = JsonRead_Parse(text, strlen(text), &end);
    return *root ? RP_OK
                 : RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "this is no JSON", what, "a report",
                               "");
}

static RpStatus AddExports(cJSON *bundle, const char *const texts[2], RpError *error) {
    static const char *const names[] = {"module", "size",      "sha256",      "build",
                                        "counts", "published", "differences", NULL};
    cJSON *list = cJSON_AddArrayToObject(bundle, "exports"), *report;
    for (int i = 0; i < 2; i++) {
        const RpStatus status = Parse(texts[i], "exports", &report, error);
        if (status)
            return status;
        cJSON *object = cJSON_CreateObject();
        Keep(object, report, names);
        cJSON_AddItemToArray(list, object);
        cJSON_Delete(report);
    }
    return RP_OK;
}

/* Copies the numbers of what the calls have reached, of each side and of its functions. Where in a
 * file the rest is, a bundle does not say. */
static void AddCoverage(cJSON *bundle, const cJSON *sides) {
    static const char *const whole[] = {
        "side", "blocks", "blocks_reached", "sides", "sides_reached", "excluded", NULL};
    static const char *const functions[] = {"key",   "blocks",        "blocks_reached",
                                            "sides", "sides_reached", NULL};
    const cJSON *side;
    if (!sides)
        return;
    cJSON *kept = KeepList(bundle, "coverage", sides, whole)->child;
    cJSON_ArrayForEach(side, sides) {
        KeepList(kept, "functions", Member(side, "functions"), functions);
        kept = kept->next;
    }
}

static RpStatus AddReplay(cJSON *bundle, const char *text, RpError *error) {
    static const char *const whole[] = {"notice", "totals", "conditions", "stopped", NULL};
    static const char *const side[] = {"kind", "modified", "ngi32.sha256", "animesh.sha256", NULL};
    static const char *const functions[] = {"key",
                                            "name",
                                            "compared",
                                            "different",
                                            "known",
                                            "processor",
                                            "failed_alike",
                                            "wrote_outside",
                                            "not_comparable",
                                            "not_called",
                                            "unsupported",
                                            "crashed",
                                            "violated",
                                            "crashed_a",
                                            "crashed_b",
                                            "processor_cause",
                                            "causes",
                                            "ulps",
                                            "origins",
                                            NULL};
    static const char *const differences[] = {
        "trace", "sequence",     "function", "name",   "path",    "elements", "a", "b",
        "ulps",  "control_word", "mxcsr",    "inputs", "after_a", "after_b",  NULL};
    cJSON *report;
    const RpStatus status = Parse(text, "replay", &report, error);
    Keep(cJSON_AddObjectToObject(bundle, "original"), Member(report, "a"), side);
    Keep(cJSON_AddObjectToObject(bundle, "replacement"), Member(report, "b"), side);
    Keep(bundle, report, whole);
    KeepList(bundle, "functions", Member(report, "functions"), functions);
    KeepList(bundle, "differences", Member(report, "differences"), differences);
    const cJSON *difference;
    cJSON *kept = Member(bundle, "differences")->child;
    cJSON_ArrayForEach(difference, Member(report, "differences")) {
        const cJSON *parting = Member(difference, "parting");
        if (Member(parting, "a")) {
            cJSON_AddStringToObject(kept, "at_a", TextOf(Member(parting, "a"), "where"));
            cJSON_AddStringToObject(kept, "at_b", TextOf(Member(parting, "b"), "where"));
        }
        kept = kept->next;
    }
    cJSON_Delete(report);
    return status;
}

/* Copies the verdicts about expressions, with digests of the formulas. The formulas themselves are
 * there only if the owner has asked for them. */
static RpStatus AddFormulas(cJSON *bundle, const char *text, RpError *error) {
    static const char *const setup[] = {"processor", "builds",   "control_word",
                                        "mxcsr",     "readings", NULL};
    static const char *const functions[] = {"function", "verdict", "but_for",  "apart", "aligned",
                                            "limits",   "calls",   "digests",  "paths", "pairs",
                                            "complete", "open",    "formulas", NULL};
    cJSON *report;
    const RpStatus status = Parse(text, "same", &report, error);
    if (status || !report)
        return status;
    cJSON *kept = cJSON_AddObjectToObject(bundle, "formulas");
    Keep(kept, report, setup);
    KeepList(kept, "functions", Member(report, "functions"), functions);
    cJSON_Delete(report);
    return RP_OK;
}

/* Returns the element of a list in which `member` is `key`, or null. */
static const cJSON *FindBy(const cJSON *list, const char *member, const char *key) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (strcmp(TextOf(item, member), key) == 0)
            return item;
    }
    return NULL;
}

/* Copies the named members of each element of a list of a report. */
static RpStatus AddList(cJSON *bundle, const char *name, const char *text, const char *what,
                        const char *list, const char *const *names, RpError *error) {
    cJSON *report;
    const RpStatus status = Parse(text, what, &report, error);
    KeepList(bundle, name, Member(report, list), names);
    cJSON_Delete(report);
    return status;
}

RpStatus Bundle_Make(const BundleSources *sources, cJSON **bundle, RpError *error) {
    static const char *const calls[] = {"function", "missing",   "build",  "verdict", "words",
                                        "call",     "cases",     "exact",  "reading", "tried",
                                        "crashed",  "timed_out", "exited", NULL};
    static const char *const readings[] = {"name", "verdict", "choice", "alternatives", NULL};
    static const char *const calibrated[] = {"key",        "build",     "fit",
                                             "cases",      "matched",   "ended",
                                             "violations", "remaining", "first_difference",
                                             NULL};
    static const char *const published[] = {"id",    "what",    "source", "expected",
                                            "found", "verdict", NULL};
    cJSON *root = cJSON_CreateObject(), *machine, *function, *covered;
    cJSON_AddStringToObject(root, "format", BUNDLE_FORMAT);
    cJSON_AddStringToObject(root, "version", sources->version);
    RpStatus status = AddReplay(root, sources->replay, error);
    cJSON *report = NULL;
    if (!status)
        status = Parse(sources->replay, "replay", &report, error);
    machine = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddStringToObject(machine, "processor", TextOf(report, "processor"));
    cJSON_AddStringToObject(machine, "system", sources->system);
    cJSON_Delete(report);

    if (!status)
        status = AddExports(root, sources->exports, error);
    if (!status)
        status = AddList(root, "calls_found", sources->probe, "probe", "functions", calls, error);
    if (!status)
        status = AddList(root, "readings", sources->calibrate, "calibrate", "hypotheses", readings,
                         error);
    if (!status)
        status = AddList(root, "calibrated", sources->calibrate, "calibrate", "functions",
                         calibrated, error);
    if (!status)
        status = AddList(root, "published", sources->census, "a census", "rows", published, error);
    if (!status)
        status = AddFormulas(root, sources->same, error);
    if (!status) {
        status = Parse(sources->coverage, "replay --coverage", &covered, error);
        AddCoverage(root, Member(covered, "coverage"));
        cJSON_Delete(covered);
    }
    if (!status && sources->digest)
        cJSON_AddStringToObject(root, "digest", sources->digest);

    /* Each function is told how the probe found its call, or why it may not be called. */
    cJSON_ArrayForEach(function, Member(root, "functions")) {
        const cJSON *row = FindBy(Member(root, "calls_found"), "function", TextOf(function, "key"));
        if (!row)
            continue;
        const char *missing = TextOf(row, "missing");
        cJSON_AddStringToObject(function, "call", TextOf(row, "verdict"));
        cJSON_AddStringToObject(function, "call_words",
                                missing[0] ? missing : TextOf(row, "words"));
    }
    cJSON_AddArrayToObject(root, "calls");
    *bundle = root;
    return status;
}

bool Bundle_AddCall(cJSON *bundle, const char *function, const uint8_t *trace, size_t size) {
    char *digits = malloc(2 * size + 1);
    cJSON *call = digits ? cJSON_CreateObject() : NULL;
    if (!call) {
        free(digits);
        return false;
    }
    Hex_Write(trace, size, digits);
    digits[2 * size] = 0;
    cJSON_AddStringToObject(call, "function", function);
    cJSON_AddStringToObject(call, "trace", digits);
    free(digits);
    return cJSON_AddItemToArray(Member(bundle, "calls"), call);
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Returns one form of a character. For Windows, either slash, and letters of either case, mean the
 * same name. */
static char Plain(char c) {
    return c == '\\' ? '/' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool Spells(const char *bytes, size_t size, const char *folder, size_t length) {
    for (size_t at = 0; at + length <= size; at++) {
        size_t same = 0;
        while (same < length && Plain(bytes[at + same]) == Plain(folder[same]))
            same++;
        if (same == length)
            return true;
    }
    return false;
}

static bool TextSpells(const char *text, const char *folder, size_t length) {
    return text && Spells(text, strlen(text), folder, length);
}

/* Returns whether a text of the item spells the folder. The recursion is only as deep as the
 * reports from which objects and arrays were copied. */
static bool ItemSpells(const cJSON *item, const char *folder, size_t length) {
    const cJSON *child;
    if (TextSpells(item->string, folder, length) || TextSpells(item->valuestring, folder, length))
        return true;
    cJSON_ArrayForEach(child, item) {
        if (ItemSpells(child, folder, length))
            return true;
    }
    return false;
}

/* Unpacks a trace and searches it for the folder, because a trace is packed and its bytes alone say
 * nothing. */
static bool TraceSpells(const uint8_t *bytes, size_t size, const char *folder, size_t length) {
    TraceReader *reader = NULL;
    TraceCall call;
    bool found = true;
    if (Spells((const char *)bytes, size, folder, length))
        return true;
    if (TraceReader_OpenBuffer(bytes, size, "", &reader, NULL))
        return false;
    bool spells = TextSpells(TraceReader_Header(reader)->text, folder, length);
    while (!spells && found && TraceReader_Next(reader, &call, &found, NULL) == RP_OK && found)
        spells = Spells((const char *)call.inputs, call.input_size, folder, length) ||
                 Spells((const char *)call.outputs, call.output_size, folder, length);
    spells = spells || TextSpells(TraceReader_Notes(reader), folder, length);
    for (uint32_t i = 0; !spells && i < TraceReader_MemoryCount(reader); i++) {
        const TraceMemory *memory = TraceReader_MemoryAt(reader, i);
        spells = Spells((const char *)memory->bytes, memory->size, folder, length);
    }
    TraceReader_Close(reader);
    return spells;
}

bool Bundle_NamesFolder(const cJSON *bundle, const char *folder) {
    size_t length = folder ? strlen(folder) : 0;
    const cJSON *call;
    while (length > 0 && Plain(folder[length - 1]) == '/')
        length--;
    if (length <= 3 || strcspn(folder, "/\\") >= length)
        return false;
    if (ItemSpells(bundle, folder, length))
        return true;
    cJSON_ArrayForEach(call, Member(bundle, "calls")) {
        size_t size;
        uint8_t *bytes = Bundle_Call(call, &size);
        const bool spells = bytes && TraceSpells(bytes, size, folder, length);
        free(bytes);
        if (spells)
            return true;
    }
    return false;
}

RpStatus Bundle_Text(const cJSON *bundle, RpBuffer *text, RpError *error) {
    char sum[DIGEST_HEX_BYTES];
    JsonText_Append(text, bundle, true);
    if (text->failed)
        return RpMemory_Refused(error, "a bundle");
    text->size -= strlen("\n}\n"); /* the end of the object comes after the sum */
    Digest_OfBytes(text->bytes, text->size, sum);
    RpBuffer_Print(text, SUM_MEMBER "%s\"\n}\n", sum);
    return text->failed ? RpMemory_Refused(error, "a bundle") : RP_OK;
}

/* ---- reading ---------------------------------------------------------------------------------
 */

static RpStatus Damaged(RpError *error, const char *what, const char *expected, const char *found) {
    return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, what, "", expected, found);
}

static bool HasControl(const char *text) {
    while (text && *text && (unsigned char)*text >= ' ')
        text++;
    return text && *text;
}

/* Returns whether a name or a word contains an end of a line, so that it would be printed as lines
 * that look like ours. Only the digest has several lines, and is printed as it is. */
static bool HasLines(const cJSON *item) {
    const cJSON *child;
    cJSON_ArrayForEach(child, item) {
        const bool is_digest = child->string && strcmp(child->string, "digest") == 0;
        if (HasControl(child->string) || (!is_digest && HasControl(child->valuestring)) ||
            HasLines(child))
            return true;
    }
    return false;
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Checks that no more was reached than there is. */
static bool CheckCounts(JsonRead *read, const cJSON *object) {
    static const char *const names[][2] = {{"blocks", "blocks_reached"},
                                           {"sides", "sides_reached"}};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        double all = 0, reached;
        good = JsonRead_IntegerMember(read, object, names[i][0], 0, UINT32_MAX, &all) &&
               JsonRead_IntegerMember(read, object, names[i][1], 0, all, &reached);
    }
    return good;
}

static bool CheckName(JsonRead *read, const cJSON *object, const char *name) {
    const size_t length = JsonRead_Enter(read, name);
    if (!TextOf(object, name)[0])
        return JsonRead_Refuse(read, "this is no coverage of a bundle", "a name",
                               Member(object, name));
    JsonRead_Leave(read, length);
    return true;
}

static bool CheckFunction(void *context, const cJSON *function) {
    return CheckName(context, function, "key") && CheckCounts(context, function);
}

static bool CheckSide(void *context, const cJSON *side) {
    return CheckName(context, side, "side") && CheckCounts(context, side) &&
           JsonRead_List(context, side, "functions", CheckFunction, context);
}

RpStatus Bundle_Read(const char *text, size_t size, cJSON **bundle, RpError *error) {
    const size_t mark = strlen(SUM_MEMBER), tail = mark + 64 + strlen("\"\n}");
    char sum[DIGEST_HEX_BYTES], found[DIGEST_HEX_BYTES];
    *bundle = NULL;

    /* The sum stands at the end, after which a message may have added empty lines. */
    size_t length = size;
    while (length > 0 &&
           (text[length - 1] == '\n' || text[length - 1] == '\r' || text[length - 1] == ' '))
        length--;
    if (length < tail || memcmp(text + length - tail, SUM_MEMBER, mark) != 0)
        return Damaged(error, "this is no whole bundle",
                       "a text that `retropose try` has written, with a sha256 at its end", "");
    Digest_OfBytes(text, length - tail, sum);
    memcpy(found, text + length - tail + mark, 64);
    found[64] = 0;
    if (strcmp(sum, found) != 0)
        return Damaged(error, "the bundle was changed on its way", found, sum);

    RpStatus status;
    const char *end;
    cJSON *root = JsonRead_Parse(text, size, &end);
    const char *format = TextOf(root, "format");
    const bool is_bundle = strcmp(format, BUNDLE_FORMAT) == 0;
    JsonRead read = {.error = error};
    if (is_bundle && !HasLines(root) &&
        (!Member(root, "coverage") || JsonRead_List(&read, root, "coverage", CheckSide, &read))) {
        *bundle = root;
        return RP_OK;
    }
    if (read.status)
        status = read.status;
    else if (is_bundle)
        status =
            Damaged(error, "a name or a word of the bundle is not one line", "one line each", "");
    else
        status = strncmp(format, "retropose bundle ", strlen("retropose bundle ")) == 0
                     ? RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                   "the bundle has another version", "", BUNDLE_FORMAT, format)
                     : Damaged(error, "this is no bundle", BUNDLE_FORMAT, format);
    cJSON_Delete(root);
    return status;
}

uint8_t *Bundle_Call(const cJSON *call, size_t *size) {
    const char *digits = TextOf(call, "trace");
    const size_t length = strlen(digits);
    *size = length / 2;
    uint8_t *bytes = *size ? malloc(*size) : NULL;
    if (bytes && (length % 2 || !Hex_Read(digits, bytes, *size))) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* ---- the verdict -----------------------------------------------------------------------------
 */

BundleStanding Bundle_StandingOf(const cJSON *function) {
    const double different = NumberOf(function, "different");
    const double compared = NumberOf(function, "compared");
    const double rest = NumberOf(function, "failed_alike") + NumberOf(function, "wrote_outside") +
                        NumberOf(function, "not_comparable") + NumberOf(function, "not_called") +
                        NumberOf(function, "unsupported");
    const char *call = TextOf(function, "call");
    if (different > 0 && strcmp(call, "found") != 0 && NumberOf(function, "crashed_a") > 0)
        /* Whoever calls a function in a wrong way sees it crash like this. */
        return BUNDLE_NOT_CALLABLE;
    if (different > 0)
        return BUNDLE_DIFFERENT;
    if (compared == 0)
        return BUNDLE_NOT_COMPARED;
    if (rest > 0)
        return BUNDLE_PARTLY;
    return NumberOf(function, "processor") > 0 ? BUNDLE_AS_PROCESSORS_MAY : BUNDLE_SAME;
}

size_t Bundle_Count(const cJSON *bundle, BundleStanding standing) {
    size_t count = 0;
    const cJSON *function;
    cJSON_ArrayForEach(function, Member(bundle, "functions")) {
        count += Bundle_StandingOf(function) == standing;
    }
    return count;
}

enum { COLUMNS = 100 };

/* Appends a word to a list with a hanging indent. */
static void AddName(RpBuffer *text, size_t *column, const char *name) {
    const size_t length = strlen(name);
    if (*column + 1 + length > COLUMNS) {
        RpBuffer_AppendText(text, "\n   ");
        *column = 3;
    }
    RpBuffer_Print(text, " %s", name);
    *column += 1 + length;
}

static void AddNames(const cJSON *bundle, BundleStanding standing, const char *title,
                     RpBuffer *text) {
    const size_t count = Bundle_Count(bundle, standing);
    const cJSON *function;
    if (count == 0)
        return;
    size_t before = text->size;
    RpBuffer_Print(text, "%s, %zu:", title, count);
    size_t column = text->size - before;
    cJSON_ArrayForEach(function, Member(bundle, "functions")) {
        if (Bundle_StandingOf(function) == standing)
            AddName(text, &column, TextOf(function, "name"));
    }
    RpBuffer_AppendText(text, "\n");
}

/* Lists the functions whose expressions were compared with this result: those of which nothing is
 * left out where `is_whole` is set, and otherwise the others. */
static void AddFormulaNames(const cJSON *bundle, const char *verdict, bool is_whole,
                            const char *title, RpBuffer *text) {
    const cJSON *formula, *functions = Member(Member(bundle, "formulas"), "functions");
    size_t count = 0, column = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || count > 0); pass++) {
        if (pass == 1) {
            const size_t before = text->size;
            RpBuffer_Print(text, "  %s, %zu:", title, count);
            column = text->size - before;
        }
        cJSON_ArrayForEach(formula, functions) {
            const cJSON *function =
                FindBy(Member(bundle, "functions"), "key", TextOf(formula, "function"));
            if (strcmp(TextOf(formula, "verdict"), verdict) != 0 ||
                (cJSON_GetArraySize(Member(formula, "but_for")) == 0) != is_whole)
                continue;
            if (pass == 0)
                count++;
            else
                AddName(text, &column,
                        function ? TextOf(function, "name") : TextOf(formula, "function"));
        }
    }
    RpBuffer_AppendText(text, count > 0 ? "\n" : "");
}

/* Writes a text such as "first position[1]: 3f800000 (1), ours 3f800001 (1.00000012), 1 ulp, in
 * poses". */
static void AddFirst(const cJSON *bundle, const char *key, RpBuffer *text) {
    const cJSON *first = FindBy(Member(bundle, "differences"), "function", key);
    const cJSON *a = Member(first, "a"), *b = Member(first, "b");
    const char *words[2] = {TextOf(a, "words"), TextOf(b, "words")};
    if (!first)
        return;
    if (words[0][0])
        RpBuffer_Print(text, "; first %s: %s, ours %s", TextOf(first, "path"), words[0], words[1]);
    else
        RpBuffer_Print(text, "; first %s: %s (%s), ours %s (%s)", TextOf(first, "path"),
                       TextOf(a, "hex"), TextOf(a, "decimal"), TextOf(b, "hex"),
                       TextOf(b, "decimal"));
    if (TextOf(first, "ulps")[0])
        RpBuffer_Print(text, ", %s ulps", TextOf(first, "ulps"));
    RpBuffer_Print(text, ", in %s", TextOf(first, "trace"));
    if (TextOf(first, "at_a")[0])
        RpBuffer_Print(text, "; the code parts at %s, ours at %s", TextOf(first, "at_a"),
                       TextOf(first, "at_b")[0] ? TextOf(first, "at_b") : "none of its own");
}

static void AddDifferent(const cJSON *bundle, RpBuffer *text) {
    const cJSON *function;
    cJSON_ArrayForEach(function, Member(bundle, "functions")) {
        if (Bundle_StandingOf(function) != BUNDLE_DIFFERENT)
            continue;
        RpBuffer_Print(text, "DIFFERENT: %s (%s), %.0f of %.0f calls", TextOf(function, "name"),
                       TextOf(function, "key"), NumberOf(function, "different"),
                       NumberOf(function, "compared"));
        AddFirst(bundle, TextOf(function, "key"), text);
        const cJSON *cause = cJSON_GetArrayItem(Member(function, "causes"), 0);
        if (cJSON_IsString(cause))
            RpBuffer_Print(text, "; look first at %s", cause->valuestring);
        RpBuffer_AppendText(text, "\n");
    }
}

static void AddUncallable(const cJSON *bundle, RpBuffer *text) {
    const cJSON *function;
    cJSON_ArrayForEach(function, Member(bundle, "functions")) {
        if (Bundle_StandingOf(function) != BUNDLE_NOT_CALLABLE)
            continue;
        RpBuffer_Print(text, "could not be called: %s (%s): ", TextOf(function, "name"),
                       TextOf(function, "key"));
        if (TextOf(function, "call")[0])
            RpBuffer_Print(text, "probe: %s, %s", TextOf(function, "call"),
                           TextOf(function, "call_words"));
        else
            RpBuffer_AppendText(text, "probe does not ask it, and called as published");
        AddFirst(bundle, TextOf(function, "key"), text);
        RpBuffer_AppendText(text, "\n");
    }
}

static void AddReadingNames(const cJSON *bundle, bool decided, const char *title, RpBuffer *text) {
    const cJSON *reading;
    size_t column = 0;
    cJSON_ArrayForEach(reading, Member(bundle, "readings")) {
        char word[128];
        const bool is = strcmp(TextOf(reading, "verdict"), "decided") == 0;
        /* the first alternative is the default */
        const cJSON *first = cJSON_GetArrayItem(Member(reading, "alternatives"), 0);
        if (is != decided ||
            (decided && strcmp(TextOf(first, "name"), TextOf(reading, "choice")) == 0))
            continue;
        if (column == 0) {
            RpBuffer_Print(text, "%s:", title);
            column = strlen(title) + 1;
        }
        snprintf(word, sizeof word, decided ? "%s=%s" : "%s (%s)", TextOf(reading, "name"),
                 TextOf(reading, decided ? "choice" : "verdict"));
        AddName(text, &column, word);
    }
    if (column > 0)
        RpBuffer_AppendText(text, "\n");
}

static void AddSide(const cJSON *bundle, const char *name, RpBuffer *text) {
    const cJSON *side = Member(bundle, name);
    RpBuffer_Print(text, "%s: %s%s, Ngi32.dll %.16s, AniMesh.dll %.16s\n", name,
                   cJSON_IsTrue(Member(side, "modified")) ? "modified " : "", TextOf(side, "kind"),
                   TextOf(side, "ngi32.sha256"), TextOf(side, "animesh.sha256"));
}

/* Says which calls were not compared, if there are any. */
static void AddRest(const cJSON *totals, RpBuffer *text) {
    static const char *const kinds[][2] = {
        {"unsupported", "of functions or builds that a side lacks"},
        {"not_called", "refused"},
        {"failed_alike", "failed alike"},
        {"wrote_outside", "wrote outside"},
        {"not_comparable", "not comparable"}};
    bool any = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double count = NumberOf(totals, kinds[i][0]);
        if (count > 0)
            RpBuffer_Print(text, "%s%.0f %s", any ? ", " : "calls that were not compared: ", count,
                           kinds[i][1]);
        any |= count > 0;
    }
    if (any)
        RpBuffer_AppendText(text, "\n");
}

/* Returns the share of a function that was reached, in whole per cent: 100 is all of it. */
static int ReachedOf(const cJSON *function) {
    const double all = NumberOf(function, "blocks") + NumberOf(function, "sides");
    const double reached =
        NumberOf(function, "blocks_reached") + NumberOf(function, "sides_reached");
    return all > 0 ? (int)(100 * reached / all) : 100;
}

void Bundle_Coverage(const cJSON *bundle, RpBuffer *text) {
    const cJSON *side;
    cJSON_ArrayForEach(side, Member(bundle, "coverage")) {
        const bool is_original = TextOf(side, "side")[0] == 'a';
        RpBuffer_Print(text,
                       "coverage of side %s: the calls reached %.0f of %.0f blocks, and %.0f of "
                       "%.0f sides of branches\n",
                       TextOf(side, "side"), NumberOf(side, "blocks_reached"),
                       NumberOf(side, "blocks"), NumberOf(side, "sides_reached"),
                       NumberOf(side, "sides"));
        /* What of the side is not counted. */
        const cJSON *excluded;
        size_t column = 0;
        cJSON_ArrayForEach(excluded, Member(side, "excluded")) {
            char word[160];
            if (column == 0) {
                RpBuffer_AppendText(text, "  excluded:");
                column = strlen("  excluded:");
            }
            snprintf(word, sizeof word, "%.100s (%.0f blocks, %.0f sides)",
                     TextOf(excluded, "name"), NumberOf(excluded, "blocks"),
                     NumberOf(excluded, "sides"));
            AddName(text, &column, word);
        }
        if (column > 0)
            RpBuffer_AppendText(text, "\n");
        if (!is_original) /* a replacement has code that no call is meant to reach */
            continue;

        /* The functions of the side of which something was not reached. */
        const cJSON *function;
        column = 0;
        cJSON_ArrayForEach(function, Member(side, "functions")) {
            const char *key = TextOf(function, "key");
            const char *name = TextOf(FindBy(Member(bundle, "functions"), "key", key), "name");
            char word[128];
            if (ReachedOf(function) == 100)
                continue;
            if (column == 0) {
                RpBuffer_AppendText(text, "  in part:");
                column = strlen("  in part:");
            }
            snprintf(word, sizeof word, "%s (%d%%)", name[0] ? name : key, ReachedOf(function));
            AddName(text, &column, word);
        }
        if (column > 0)
            RpBuffer_AppendText(text, "\n");
    }
}

void Bundle_Verdict(const cJSON *bundle, RpBuffer *text) {
    const cJSON *machine = Member(bundle, "machine"), *totals = Member(bundle, "totals");
    const cJSON *readings = Member(bundle, "readings"), *published = Member(bundle, "published");
    const cJSON *item;
    AddSide(bundle, "original", text);
    AddSide(bundle, "replacement", text);
    RpBuffer_Print(text, "machine: %s, %s; retropose %s\n", TextOf(machine, "processor"),
                   TextOf(machine, "system"), TextOf(bundle, "version"));
    if (TextOf(bundle, "notice")[0])
        RpBuffer_Print(text, "note: %s\n", TextOf(bundle, "notice"));
    AddNames(bundle, BUNDLE_SAME, "same bit for bit", text);
    AddNames(bundle, BUNDLE_AS_PROCESSORS_MAY, "differ as processors may", text);
    AddNames(bundle, BUNDLE_PARTLY, "same as far as they were compared", text);
    AddNames(bundle, BUNDLE_NOT_COMPARED, "not compared", text);

    /* What holds for every input, not for the calls alone. */
    if (Member(bundle, "formulas")) {
        const cJSON *formulas = Member(bundle, "formulas");
        RpBuffer_Print(text, "formulas of %d functions, in the %s builds on processor %s:\n",
                       cJSON_GetArraySize(Member(formulas, "functions")),
                       TextOf(formulas, "builds"), TextOf(formulas, "processor"));
        AddFormulaNames(bundle, "same expression for every input", true, "the same for every input",
                        text);
        AddFormulaNames(bundle, "same expression for every input", false,
                        "the same but for some inputs, such as NaNs", text);
        AddFormulaNames(bundle, "same expression on all paths that were seen", true,
                        "the same on all paths that were seen", text);
        AddFormulaNames(bundle, "same expression on all paths that were seen", false,
                        "the same on all paths that were seen but for some inputs", text);
        AddFormulaNames(bundle, "differs", true, "DIFFERENT", text);
        AddFormulaNames(bundle, "differs", false, "DIFFERENT", text);
        AddFormulaNames(bundle, "cannot say", true, "not decided", text);
        AddFormulaNames(bundle, "cannot say", false, "not decided", text);
    }

    size_t decided = 0;
    cJSON_ArrayForEach(item, readings) {
        decided += strcmp(TextOf(item, "verdict"), "decided") == 0;
    }
    RpBuffer_Print(text, "readings: %zu of %d decided\n", decided, cJSON_GetArraySize(readings));
    AddReadingNames(bundle, true, "  other than the defaults", text);
    AddReadingNames(bundle, false, "  open", text);

    size_t ok = 0, differs = 0;
    cJSON_ArrayForEach(item, published) {
        ok += strcmp(TextOf(item, "verdict"), "ok") == 0;
        differs += strcmp(TextOf(item, "verdict"), "DIFFERS") == 0;
    }
    if (cJSON_GetArraySize(published) > 0)
        RpBuffer_Print(text, "files: %zu numbers as published, %zu not, %zu not checked\n", ok,
                       differs, (size_t)cJSON_GetArraySize(published) - ok - differs);
    cJSON_ArrayForEach(item, published) {
        if (strcmp(TextOf(item, "verdict"), "DIFFERS") == 0)
            RpBuffer_Print(text, "  %s %s: %s, published %s\n", TextOf(item, "id"),
                           TextOf(item, "what"), TextOf(item, "found"), TextOf(item, "expected"));
    }

    Bundle_Coverage(bundle, text);
    AddUncallable(bundle, text);
    AddDifferent(bundle, text);
    AddRest(totals, text);
    RpBuffer_Print(
        text,
        "%.0f calls compared: %zu functions the same, %zu different, %zu could not "
        "be called, %zu not compared or in part\n",
        NumberOf(totals, "compared"),
        Bundle_Count(bundle, BUNDLE_SAME) + Bundle_Count(bundle, BUNDLE_AS_PROCESSORS_MAY),
        Bundle_Count(bundle, BUNDLE_DIFFERENT), Bundle_Count(bundle, BUNDLE_NOT_CALLABLE),
        Bundle_Count(bundle, BUNDLE_PARTLY) + Bundle_Count(bundle, BUNDLE_NOT_COMPARED));
}
