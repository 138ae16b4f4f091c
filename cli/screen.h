/* How wide the screen behind a stream is, and what it can do. */
#ifndef RETROPOSE_CLI_SCREEN_H
#define RETROPOSE_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether it is a terminal on which lines can be redrawn: not a file, not a pipe, not
 * TERM=dumb. */
bool Screen_CanRedraw(FILE *stream);
/* Returns whether it is a terminal of any kind. */
bool Screen_IsTerminal(FILE *stream);
/* Makes a console of Windows take what is written as UTF-8 until the program ends. */
void Screen_WriteUtf8(void);
/* Returns the number of columns: COLUMNS where that is a number from 20 to 1000, else the
 * terminal's, else `otherwise`. */
unsigned Screen_Columns(FILE *stream, unsigned otherwise);

/* Prints the words of `text`, with one blank between them, in lines that begin below the first
 * word. The text begins in `column`; the width is `columns`. The last line is ended, too. */
void Screen_PrintWords(FILE *stream, const char *text, unsigned column, unsigned columns);

#endif
