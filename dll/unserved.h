/* Ends a call that neither we nor an original can serve. Each DLL has a version of its own. */
#ifndef RETROPOSE_DLL_UNSERVED_H
#define RETROPOSE_DLL_UNSERVED_H

/* Shows a message with the function's `name` and the return address `caller`, and ends the
 * process. */
void Live_EndUnserved(const char *name, const void *caller) __attribute__((noreturn));

#endif
