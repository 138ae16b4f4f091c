#include "replay/process/command_line.h"

static void Put(CommandLine *line, char c, size_t times) {
    for (; times > 0; times--, line->length++)
        if (line->length < COMMAND_LINE_BYTES)
            line->bytes[line->length] = c;
}

bool CommandLine_Append(CommandLine *line, const char *argument) {
    const size_t before = line->length;
    Put(line, ' ', before > 0);

    /* A backslash is an ordinary character, but backslashes in front of a quotation mark are
     * doubled. */
    size_t backslashes = 0;
    Put(line, '"', 1);
    for (; *argument; argument++) {
        if (*argument == '"')
            Put(line, '\\', backslashes + 1);
        backslashes = *argument == '\\' ? backslashes + 1 : 0;
        Put(line, *argument, 1);
    }
    Put(line, '\\', backslashes);
    Put(line, '"', 1);

    const bool fits = line->length < COMMAND_LINE_BYTES;
    if (!fits)
        line->length = before;
    line->bytes[line->length] = 0;
    return fits;
}
