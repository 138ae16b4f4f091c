/* The width and the abilities of whatever shows a stream. */
#ifndef RETROPOSE_CLI_SCREEN_H
#define RETROPOSE_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* A terminal that lines can be redrawn on: neither a file or a pipe, nor TERM=dumb. */
bool Screen_CanRedraw(FILE *stream);
/* A terminal of any kind. */
bool Screen_IsTerminal(FILE *stream);
/* Columns: COLUMNS when it is a number from 20 to 1000, else those of the terminal, else
 * `otherwise`. */
unsigned Screen_Columns(FILE *stream, unsigned otherwise);

/* Prints the words of `text`, of which blanks are not kept, with the next line's words below the
 * first: `column` is where the text begins, and `columns` the width. Ends the line. */
void Screen_PrintWords(FILE *stream, const char *text, unsigned column, unsigned columns);

#endif
