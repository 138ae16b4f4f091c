/* Parses the text of an overlay, line by line (docs/formats/overlay.md). */
#include "core/complaint.h"
#include "exports/overlay/overlay_rules.h"

#include <string.h>

#define FORM_MODULE "module MODULE size BYTES sha256 DIGEST"
#define FORM_EXPORT                                                                                \
    "export MODULE ORDINAL NAME RVA code|data|stub POPS [clears]|forwarder TARGET (- for no name)"
#define FORM_FUNCTION                                                                              \
    "function KEY [calls FIRST-LAST] [at RVA] [build NAME] [call CONVENTION(PARAMETER,...)] "      \
    "[evidence LIST] [cases N] [signature BYTES DIGEST] [entry BYTES]"

typedef struct Line {
    Overlay *overlay;
    unsigned number;
    Span rest; /* not read yet */
    RpError *error;
} Line;

/* ---- complaints ------------------------------------------------------------------------------ */

static RpStatus AtLine(const Line *line, RpStatus status) {
    return Complaint_AtLine(line->error, status, line->number);
}

static RpStatus Complain(const Line *line, const char *what, const char *expected, Span found) {
    return AtLine(line,
                  Complaint_Set(line->error, RP_INVALID, RP_NOWHERE, what, "", expected, found));
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the next word, whose length is 0 at the end of the line. */
static Span NextWord(Line *line) {
    Span *rest = &line->rest;
    while (rest->length > 0 && Span_IsBlank(*rest->start))
        *rest = Span_Skip(*rest, 1);
    Span word = {rest->start, 0};
    while (word.length < rest->length && !Span_IsBlank(rest->start[word.length]))
        word.length++;
    *rest = Span_Skip(*rest, word.length);
    return word;
}

/* Reads a decimal number, or a hexadecimal one after 0x. */
static bool ToNumber(Span word, uint64_t most, uint64_t *number) {
    return word.length >= 2 && memcmp(word.start, "0x", 2) == 0
               ? Span_ToNumber(Span_Skip(word, 2), 16, most, number)
               : Span_ToNumber(word, 10, most, number);
}

static RpStatus NextNumber(Line *line, const char *expected, uint64_t most, uint64_t *number) {
    Span word = NextWord(line);
    return ToNumber(word, most, number)
               ? RP_OK
               : Complain(line, "not a number, or one too large", expected, word);
}

static RpStatus Next32(Line *line, const char *expected, uint32_t *number) {
    uint64_t value = 0;
    RpStatus status = NextNumber(line, expected, UINT32_MAX, &value);
    *number = (uint32_t)value;
    return status;
}

static RpStatus NextDigest(Line *line, char digest[65]) {
    Span word = NextWord(line);
    if (word.length != 64)
        return Complain(line, "malformed digest", "64 digits 0-9 a-f", word);
    memcpy(digest, word.start, 64);
    digest[64] = 0;
    return Hex_IsSha256(digest) ? RP_OK
                                : Complain(line, "malformed digest", "64 digits 0-9 a-f", word);
}

static RpStatus NextModule(Line *line, AbiModule *module) {
    Span word = NextWord(line);
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        if (Span_Is(word, AbiModule_Name((AbiModule)i))) {
            *module = (AbiModule)i;
            return RP_OK;
        }
    return Complain(line, "unknown module", "ngi32 or animesh", word);
}

static RpStatus NextName(Line *line, const char *what, char name[OVERLAY_NAME_BYTES]) {
    Span word = NextWord(line);
    if (word.length == 0 || word.length >= OVERLAY_NAME_BYTES)
        return Complain(line, what, "1 to 95 characters", word);
    memcpy(name, word.start, word.length);
    name[word.length] = 0;
    return RP_OK;
}

static RpStatus EndOfLine(Line *line, const char *form) {
    Span word = NextWord(line);
    return word.length == 0 ? RP_OK : Complain(line, "more words than the line has", form, word);
}

/* ---- module ---------------------------------------------------------------------------------- */

static RpStatus Expect(Line *line, const char *word, const char *form) {
    Span found = NextWord(line);
    return Span_Is(found, word) ? RP_OK : Complain(line, "malformed line", form, found);
}

static RpStatus ReadModule(Line *line) {
    AbiModule module = ABI_NGI32;
    OverlayModule row = {.known = true};
    RpStatus status = NextModule(line, &module);
    if (!status)
        status = Expect(line, "size", FORM_MODULE);
    if (!status)
        status = Next32(line, "a size in bytes", &row.size);
    if (!status)
        status = Expect(line, "sha256", FORM_MODULE);
    if (!status)
        status = NextDigest(line, row.sha256);
    if (!status)
        status = EndOfLine(line, FORM_MODULE);
    if (!status && line->overlay->modules[module].known)
        status = Complain(line, "a module is given twice", "one line for each",
                          Span_OfText(AbiModule_Name(module)));
    if (!status)
        line->overlay->modules[module] = row;
    return status;
}

/* ---- export ---------------------------------------------------------------------------------- */

static RpStatus ReadKind(Line *line, OverlayExport *row) {
    Span word = NextWord(line);
    for (int kind = OVERLAY_CODE; kind <= OVERLAY_FORWARDER; kind++)
        if (Span_Is(word, OverlayExportKind_Name((OverlayExportKind)kind))) {
            row->kind = (OverlayExportKind)kind;
            if (row->kind != OVERLAY_STUB)
                return row->kind == OVERLAY_FORWARDER
                           ? NextName(line, "malformed target of a forwarder", row->forwarder)
                           : RP_OK;
            RpStatus status = Next32(line, "the bytes that the stub pops", &row->pops);
            Span rest = line->rest;
            row->clears = !status && Span_Is(NextWord(line), "clears");
            if (!row->clears)
                line->rest = rest;
            return status;
        }
    return Complain(line, "unknown kind of export", "code, stub, data or forwarder", word);
}

static RpStatus ReadExport(Line *line) {
    OverlayExport row;
    memset(&row, 0, sizeof row);
    RpStatus status = NextModule(line, &row.module);
    if (!status)
        status = Next32(line, "an ordinal", &row.ordinal);
    if (!status)
        status = NextName(line, "malformed name of an export", row.name);
    if (!status && row.name[0] == '-' && row.name[1] == 0)
        row.name[0] = 0;
    if (!status)
        status = Next32(line, "an address, e.g. 0x19E50", &row.rva);
    if (!status)
        status = ReadKind(line, &row);
    if (!status)
        status = EndOfLine(line, FORM_EXPORT);
    return status ? status : AtLine(line, Overlay_AddExport(line->overlay, &row, line->error));
}

/* ---- function -------------------------------------------------------------------------------- */

static RpStatus ReadArgument(const Line *line, OverlayFunction *row, Span name) {
    uint32_t count = Overlay_ParamCount(row->function);
    for (uint32_t i = 0; i < count && row->param_count < OVERLAY_MAX_PARAMS; i++) {
        Span param = Overlay_ParamName(row->function, i);
        if (Span_Equals(param, name)) {
            row->order[row->param_count++] = (uint8_t)i;
            return RP_OK;
        }
    }
    return Complain(line, "unknown parameter, or one too many", row->function->params, name);
}

static RpStatus ReadConvention(const Line *line, OverlayFunction *row, Span name) {
    for (int convention = ABI_CDECL; convention <= ABI_THISCALL; convention++)
        if (Span_Is(name, AbiConvention_Name((AbiConvention)convention))) {
            row->convention = (AbiConvention)convention;
            return RP_OK;
        }
    return Complain(line, "unknown calling convention", "cdecl, stdcall, fastcall or thiscall",
                    name);
}

static RpStatus ReadFact(Line *line, OverlayFunction *row, int fact) {
    switch (fact) {
    case 0: {
        Span word = NextWord(line);
        Span last = word;
        const Span first = Span_CutPart(&last, '-');
        row->ranged = true;
        if (last.start && ToNumber(first, UINT64_MAX, &row->first) &&
            ToNumber(last, UINT64_MAX, &row->last))
            return RP_OK;
        return Complain(line, "malformed range of calls", "FIRST-LAST", word);
    }
    case 1:
        return Next32(line, "an address, e.g. 0x14630", &row->rva);
    case 2: {
        Span word = NextWord(line);
        for (int build = OVERLAY_BUILD_GENERIC; build <= OVERLAY_BUILD_SSE; build++)
            if (Span_Is(word, OverlayBuild_Name((OverlayBuild)build))) {
                row->build = (OverlayBuild)build;
                return RP_OK;
            }
        return Complain(line, "unknown build", "generic, fxch or sse", word);
    }
    case 3: { /* "fastcall(q0,q1,t,result)": the arguments have the order of the machine's call */
        Span word = NextWord(line);
        Span list = {word.start, word.length > 0 ? word.length - 1 : 0};
        Span convention = Span_CutPart(&list, '(');
        if (!list.start || word.start[word.length - 1] != ')')
            return Complain(line, "malformed call", "CONVENTION(PARAMETER,...) without blanks",
                            word);
        RpStatus status = ReadConvention(line, row, convention);
        row->has_call = true;
        if (list.length == 0)
            list.start = NULL; /* no arguments at all */
        while (!status && list.start)
            status = ReadArgument(line, row, Span_CutPart(&list, ','));
        return status;
    }
    case 4: {
        Span list = NextWord(line);
        while (list.start) {
            Span name = Span_CutPart(&list, '+');
            uint8_t bit = 0;
            for (unsigned i = 0; i < OVERLAY_EVIDENCE_KINDS; i++)
                if (Span_Is(name, OverlayEvidence_Name(i)))
                    bit = (uint8_t)(1u << i);
            if (!bit || row->evidence & bit)
                return Complain(line, "unknown evidence, or the same twice",
                                "static, dynamic and by-hand, joined with +", name);
            row->evidence |= bit;
        }
        return RP_OK;
    }
    case 5:
        return Next32(line, "a number of calls", &row->cases);
    case 6: {
        RpStatus status = Next32(line, "the bytes of the signature", &row->signature_bytes);
        if (!status && row->signature_bytes == 0)
            return Complain(line, "a signature of no bytes", "1 or more", (Span){"0", 1});
        return status ? status : NextDigest(line, row->signature);
    }
    default:
        return Next32(line, "the bytes of whole instructions at the entry", &row->entry_bytes);
    }
}

static RpStatus ReadFunction(Line *line) {
    Overlay *overlay = line->overlay;
    Span key = NextWord(line);
    OverlayFunction row;
    memset(&row, 0, sizeof row);

    row.function = NULL;
    for (size_t i = 0; i < abi_function_count; i++)
        if (Span_Is(key, abi_functions[i].key)) {
            row.function = &abi_functions[i];
            break;
        }

    if (!row.function)
        return Complain(line, "unknown function",
                        "a key of docs/reference/abi.md, e.g. ngi32.slot17", key);

    /* Each fact of a line may occur once, in any order. */
    static const char *const names[] = {"calls",    "at",    "build",     "call",
                                        "evidence", "cases", "signature", "entry"};
    enum { COUNT = sizeof names / sizeof *names };
    unsigned seen = 0;
    for (Span word = NextWord(line); word.length > 0; word = NextWord(line)) {
        int fact = 0;
        while (fact < COUNT && !Span_Is(word, names[fact]))
            fact++;
        if (fact == COUNT)
            return Complain(line, "unknown fact of a function", FORM_FUNCTION, word);
        if (seen & 1u << fact)
            return Complain(line, "a fact of a function is given twice", FORM_FUNCTION, word);
        seen |= 1u << fact;
        RpStatus status = ReadFact(line, &row, fact);
        if (status)
            return status;
    }

    if (overlay->function_count >= OVERLAY_MAX_FUNCTIONS)
        return Complain(line, "too many functions", "at most 16384 lines", key);
    OverlayFunction *added = Overlay_AddRanged(overlay, row.function, row.first, row.last);
    if (!added)
        return RpMemory_Refused(line->error, "functions");
    *added = row;
    return AtLine(line, Overlay_CheckFunction(overlay, overlay->function_count - 1, line->error));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static RpStatus ReadVersion(Line *line) {
    Span word = NextWord(line);
    uint64_t version = 0;
    if (!Span_Is(word, OVERLAY_FIRST_WORD))
        return Complain(line, "not an overlay", OVERLAY_FIRST_WORD " 1", word);
    RpStatus status = NextNumber(line, "a version", UINT32_MAX, &version);
    if (!status && version != OVERLAY_VERSION)
        return AtLine(line, RpError_Set(line->error, RP_UNSUPPORTED, RP_NOWHERE,
                                        "an overlay of another version", "", "version 1",
                                        version > OVERLAY_VERSION ? "a later one" : "0"));
    return status ? status : EndOfLine(line, OVERLAY_FIRST_WORD " 1");
}

RpStatus Overlay_Parse(const char *text, size_t size, const RpAllocator *allocator,
                       Overlay *overlay, RpError *error) {
    Line line = {.overlay = overlay, .error = error};
    Overlay_Init(overlay, allocator);

    Span rest = (Span){size ? text : NULL, size};
    bool begun = false;
    RpStatus status = RP_OK;
    while (!status && rest.start) {
        line.rest = Span_CutLine(&rest);
        line.number++;

        status = RP_OK;
        for (size_t i = 0; i < line.rest.length; i++) {
            unsigned char byte = (unsigned char)line.rest.start[i];
            if ((byte < ' ' && byte != '\t') || byte == 0x7F) {
                status =
                    Complain(&line, "a control character in an overlay", "text", (Span){"", 0});
                break;
            }
        }

        const Span words = Span_Trim(line.rest);
        if (status || words.length == 0 || *words.start == '#')
            continue;
        if (begun) {
            const Span word = NextWord(&line);
            status = Span_Is(word, "module")   ? ReadModule(&line)
                     : Span_Is(word, "export") ? ReadExport(&line)
                     : Span_Is(word, "function")
                         ? ReadFunction(&line)
                         : Complain(&line, "unknown line", "module, export or function", word);
        } else {
            status = ReadVersion(&line);
        }
        begun = true;
    }

    if (status)
        Overlay_Free(overlay);
    return status;
}
