/* What tests under Windows do with programs that they start: wait, and read the log they leave. */
#ifndef RETROPOSE_TESTS_DLL_CHILD_H
#define RETROPOSE_TESTS_DLL_CHILD_H

/* Runs a command line, which may be changed, and returns its exit code: 99 if it has to be ended
 * after two minutes. */
unsigned long Child_ExitCode(const char *program, char *command);
/* Counts how often `words` occur in a file, which need not exist. */
int Child_CountInLog(const char *path, const char *words);

#endif
