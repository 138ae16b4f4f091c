/* A list of fixed size with the temporary files and folders that must not outlive this process. A
 * signal handler may call any of these functions, because none of them allocates, locks or waits.
 */
#ifndef RETROPOSE_CORE_FILES_CLEANUP_H
#define RETROPOSE_CORE_FILES_CLEANUP_H

#include <stdbool.h>
#ifndef _WIN32
#include <signal.h>
#endif

typedef enum CleanupKind {
    CLEANUP_FILE,
    CLEANUP_FOLDER /* with everything in it; links in it are removed, never followed */
} CleanupKind;

/* Call this after the file or folder was made, so that another process's file never gets on the
 * list. The result is false when the list is full or the path is too long; then nobody but the
 * caller removes it. */
bool Cleanup_Add(const char *path, CleanupKind kind);
/* Between these two calls, no signal ends the thread, so that no file is made without getting on
 * the list. Windows runs its handler in a thread of its own, which these functions do not stop. */
#ifdef _WIN32
typedef int CleanupHold;
#else
typedef sigset_t CleanupHold;
#endif
CleanupHold Cleanup_Hold(void);
void Cleanup_Release(CleanupHold hold);
/* Call this after the file was removed, or after it was renamed to the name under which it
 * stays. */
void Cleanup_Forget(const char *path);
/* Returns whether `path` is in a folder on the list, and so is not meant to stay. */
bool Cleanup_Covers(const char *path);
/* Removes everything that is on the list, and empties the list. */
void Cleanup_RemoveAll(void);
/* Removes one folder and everything in it, whether it is on the list or not. Returns false when a
 * part of it is left, for example because somebody still writes there. */
bool Cleanup_RemoveFolder(const char *path);

#endif
