#include "game/install/manifest.h"

#include "core/digest.h"
#include "core/hex.h"
#include "core/span.h"
#include "dll/settings/settings.h"

#include <stdio.h>
#include <string.h>

#define FIRST_LINE INSTALL_MANIFEST_MARK "1\n"

const char *InstallText_File(InstallText text) {
    return text == INSTALL_INI ? SETTINGS_FILE : "retropose.overlay";
}

void InstallManifest_Format(const InstallManifest *manifest, RpBuffer *text) {
    char sum[DIGEST_HEX_BYTES];
    const size_t start = text->size;
    RpBuffer_AppendText(text, FIRST_LINE
                        "# What `retropose install` wrote; `retropose uninstall` needs it.\n");
    RpBuffer_Print(text, "tool %s\n", manifest->tool);
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        const InstallPair *pair = &manifest->pairs[i];
        RpBuffer_Print(text, "dll %s original %s ours %s\n", pair->name, pair->original,
                       pair->ours);
    }
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++)
        if (manifest->texts[i][0])
            RpBuffer_Print(text, "text %s %s\n", InstallText_File((InstallText)i),
                           manifest->texts[i]);
    if (text->failed)
        return;
    Digest_OfBytes(text->bytes + start, text->size - start, sum);
    RpBuffer_Print(text, "end %s\n", sum);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Reader {
    const char *start, *at, *end;
    RpError *error;
} Reader;

static RpStatus Corrupt(const Reader *reader, const char *expected) {
    return RpError_Set(reader->error, RP_CORRUPT, (uint64_t)(reader->at - reader->start),
                       "the manifest is damaged", INSTALL_MANIFEST_FILE, expected, "");
}

static bool Accept(Reader *reader, const char *text) {
    const size_t length = strlen(text);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* Takes the text up to `stop`, and skips that. */
static bool AcceptWord(Reader *reader, char stop, char *word, size_t size) {
    const char *found = memchr(reader->at, stop, (size_t)(reader->end - reader->at));
    const size_t length = found ? (size_t)(found - reader->at) : size;
    if (length >= size || memchr(reader->at, 0, length) || memchr(reader->at, '\n', length))
        return false;
    memcpy(word, reader->at, length);
    word[length] = 0;
    reader->at = found + 1;
    return true;
}

static bool AcceptSum(Reader *reader, char stop, char sum[65]) {
    return AcceptWord(reader, stop, sum, 65) && Hex_IsSha256(sum);
}

RpStatus InstallManifest_Parse(const char *text, size_t size, InstallManifest *manifest,
                               RpError *error) {
    Reader reader = {text, text, text + size, error};
    char comment[96], stated[65], found[DIGEST_HEX_BYTES];
    memset(manifest, 0, sizeof *manifest);
    if (!Accept(&reader, FIRST_LINE)) {
        if (!Accept(&reader, INSTALL_MANIFEST_MARK))
            return Corrupt(&reader, FIRST_LINE);
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "the manifest is of another version of this tool", INSTALL_MANIFEST_FILE,
                           "version 1", "");
    }
    if (!AcceptWord(&reader, '\n', comment, sizeof comment) || !Accept(&reader, "tool ") ||
        !AcceptWord(&reader, '\n', manifest->tool, sizeof manifest->tool))
        return Corrupt(&reader, "a line of comment, and the tool's version");
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        /* The name becomes part of a path, so only the DLL's own name is accepted, in any case. */
        InstallPair *pair = &manifest->pairs[i];
        if (!Accept(&reader, "dll ") || !AcceptWord(&reader, ' ', pair->name, sizeof pair->name) ||
            !Span_IsIgnoringCase(Span_OfText(pair->name), AbiModule_File((AbiModule)i)) ||
            !Accept(&reader, "original ") || !AcceptSum(&reader, ' ', pair->original) ||
            !Accept(&reader, "ours ") || !AcceptSum(&reader, '\n', pair->ours))
            return Corrupt(&reader, "dll NAME original SHA-256 ours SHA-256");
    }
    for (int i = 0; i < INSTALL_TEXT_COUNT; i++) {
        char start[64];
        snprintf(start, sizeof start, "text %s ", InstallText_File((InstallText)i));
        if (Accept(&reader, start) && !AcceptSum(&reader, '\n', manifest->texts[i]))
            return Corrupt(&reader, "text NAME SHA-256");
    }
    Digest_OfBytes(text, (size_t)(reader.at - text), found);
    if (!Accept(&reader, "end ") || !AcceptSum(&reader, '\n', stated) || reader.at != reader.end)
        return Corrupt(&reader, "a line with the SHA-256 of all lines before it, and no more");
    return strcmp(stated, found) == 0 ? RP_OK
                                      : Corrupt(&reader, "the text whose SHA-256 it states");
}
