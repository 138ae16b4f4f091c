/* Builds the one line in which Windows takes the arguments of a program. */
#ifndef RETROPOSE_REPLAY_PROCESS_COMMAND_LINE_H
#define RETROPOSE_REPLAY_PROCESS_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_LINE_BYTES = 32768 }; /* the system's limit, including the NUL */

typedef struct CommandLine {
    char bytes[COMMAND_LINE_BYTES]; /* zeros are an empty line */
    size_t length;
} CommandLine;

/* Appends an argument so that CommandLineToArgvW gives it back unchanged. Returns false, and
 * appends nothing, where there is no room. */
bool CommandLine_Append(CommandLine *line, const char *argument);

#endif
