/* What the command does when it is told to end by SIGINT, SIGTERM, SIGHUP or SIGPIPE, and under
 * Windows by Ctrl-C, Ctrl-Break or the closing of the console. It ends its host processes, removes
 * its temporary files and folders (core/files/cleanup.h), and ends by the same signal, as a shell
 * expects; under Windows it ends with exit code 130.
 *
 * A verb that can stop early and still report calls Signals_Defer. A second signal does not wait
 * for the report, and neither does SIGPIPE, because nobody reads it any more. */
#ifndef RETROPOSE_CLI_SIGNALS_H
#define RETROPOSE_CLI_SIGNALS_H

/* Signals that were ignored when the program began (by nohup) stay ignored. */
void Signals_Install(void);
/* From here on the first signal only asks the verb to stop (core/stop.h). */
void Signals_Defer(void);
/* Returns "SIGINT" and so on, or null where no signal has come. */
const char *Signals_Asked(void);
/* Ends the program by the signal that was deferred, if there is one. */
void Signals_Finish(void);

#endif
