/* What the command does when it is told to go: SIGINT, SIGTERM, SIGHUP and SIGPIPE, under Windows
 * Ctrl-C, Ctrl-Break and the closing of the console. Its host processes are ended, its temporary
 * files and folders (core/files/cleanup.h) are removed, and it dies by the same signal, as a shell
 * expects; under Windows with the exit code 130.
 *
 * A verb that can stop on its way and still report asks for it with Signals_Defer. A second signal
 * does not wait for the report, and SIGPIPE, behind which nobody reads any more, never does. */
#ifndef RETROPOSE_CLI_SIGNALS_H
#define RETROPOSE_CLI_SIGNALS_H

/* Signals that were ignored when the program began (nohup) stay so. */
void Signals_Install(void);
/* From here on the first signal only asks to stop (core/stop.h). */
void Signals_Defer(void);
/* "SIGINT"; null when nothing has been asked. */
const char *Signals_Asked(void);
/* Dies by the signal that was deferred, if there is one: at the end of the program. */
void Signals_Finish(void);

#endif
