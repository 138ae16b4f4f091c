/* What must not outlive this process: temporary files and folders, in one list of fixed size. A
 * signal handler may call any of these functions: none allocates, locks or waits. */
#ifndef RETROPOSE_CORE_FILES_CLEANUP_H
#define RETROPOSE_CORE_FILES_CLEANUP_H

#include <stdbool.h>

typedef enum CleanupKind {
    CLEANUP_FILE,
    CLEANUP_FOLDER /* with all that is in it; links in it are removed, never followed */
} CleanupKind;

/* Call it after the file or folder was made, so that nobody else's is ever on the list. False when
 * the list is full or the path too long: then nobody removes it but its owner. */
bool Cleanup_Add(const char *path, CleanupKind kind);
/* Call it after the file was removed, or renamed to the name under which it stays. */
void Cleanup_Forget(const char *path);
/* Removes everything on the list, and empties it. */
void Cleanup_RemoveAll(void);
/* Removes one folder with all that is in it, whether it is on the list or not. */
void Cleanup_RemoveFolder(const char *path);

#endif
