/* The end of a call that neither we nor an original can serve. Each DLL has its own. */
#ifndef RETROPOSE_LIVE_DLL_UNSERVED_H
#define RETROPOSE_LIVE_DLL_UNSERVED_H

/* `name` of the function, `caller` its return address: a message, then the process ends. */
void Live_EndUnserved(const char *name, const void *caller) __attribute__((noreturn));

#endif
