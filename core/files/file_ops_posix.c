#ifndef _WIN32
#define _GNU_SOURCE /* renameat2, flock */

#include "core/files/file_ops.h"

#include "core/files/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 0x10000000 }; /* the same limit as in core/pe/pe.c */

static RpStatus Refuse(const char *what, const char *path, RpError *error) {
    return RpError_Set(error, errno == ENOENT ? RP_NOT_FOUND : RP_IO, RP_NOWHERE, what, path, "",
                       strerror(errno));
}

static RpStatus Lock(void *context, const char *folder, intptr_t *lock, RpError *error) {
    (void)context;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return Refuse("cannot open the folder", folder, error);
    *lock = descriptor;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return RP_OK;
    const bool busy = errno == EWOULDBLOCK;
    if (!busy) /* the file system has no locks, so no other process can have one either */
        return RP_OK;
    close(descriptor);
    return RpError_Set(error, RP_IO, RP_NOWHERE, "another process is at work on this folder",
                       folder, "", "");
}

static void Unlock(void *context, intptr_t lock) {
    (void)context;
    close((int)lock);
}

static RpStatus List(void *context, const char *folder, FileLister lister, void *lister_context,
                     RpError *error) {
    (void)context;
    DIR *entries = opendir(folder);
    if (!entries)
        return Refuse("cannot read the folder", folder, error);
    errno = 0;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            lister(lister_context, entry->d_name);
    const RpStatus status = errno ? Refuse("cannot read the folder", folder, error) : RP_OK;
    closedir(entries);
    return status;
}

static RpStatus Read(void *context, const char *path, RpBuffer *bytes, RpError *error) {
    (void)context;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return Refuse("cannot read the file", path, error);
    Inputs_AddHandle(file);
    const size_t before = bytes->size;
    uint8_t piece[65536];
    RpStatus status = RP_OK;
    for (ssize_t count = 1; count != 0 && !status;) {
        count = read(file, piece, sizeof piece);
        if (count < 0 && errno != EINTR)
            status = Refuse("cannot read the file", path, error);
        else if (count > 0 && bytes->size - before + (size_t)count > MOST_BYTES)
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the file is too large", path,
                                 "at most 256 MiB", "");
        else if (count > 0 && !RpBuffer_Append(bytes, piece, (size_t)count))
            status = RpMemory_Refused(error, path);
    }
    close(file);
    return status;
}

static RpStatus Create(void *context, const char *path, intptr_t *file, RpError *error) {
    (void)context;
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *file = descriptor;
    return descriptor < 0 ? Refuse("cannot create the file", path, error) : RP_OK;
}

static RpStatus Write(void *context, intptr_t file, const void *bytes, size_t size, size_t *written,
                      RpError *error) {
    (void)context;
    ssize_t count;
    do
        count = write((int)file, bytes, size);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return Refuse("cannot write the file", "", error);
    *written = (size_t)count;
    return RP_OK;
}

static RpStatus Flush(void *context, intptr_t file, RpError *error) {
    (void)context;
    return fsync((int)file) ? Refuse("cannot flush the file", "", error) : RP_OK;
}

static RpStatus Close(void *context, intptr_t file, RpError *error) {
    (void)context;
    return close((int)file) ? Refuse("cannot close the file", "", error) : RP_OK;
}

static RpStatus Move(void *context, const char *from, const char *to, bool replace,
                     RpError *error) {
    (void)context;
    int refused =
        replace ? rename(from, to) : renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (refused && !replace && (errno == EINVAL || errno == ENOSYS)) {
        /* Where the file system does not know RENAME_NOREPLACE, the folder's lock is what keeps
         * other processes of Retropose from making the target meanwhile. */
        struct stat facts;
        if (lstat(to, &facts) == 0)
            errno = EEXIST;
        else
            refused = rename(from, to);
    }
    return refused ? Refuse("cannot rename the file", from, error) : RP_OK;
}

static RpStatus Remove(void *context, const char *path, RpError *error) {
    (void)context;
    return unlink(path) ? Refuse("cannot remove the file", path, error) : RP_OK;
}

static RpStatus Sync(void *context, const char *folder, RpError *error) {
    (void)context;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return Refuse("cannot open the folder", folder, error);
    /* Some network file systems cannot flush a folder, which is not an error here. */
    const bool failed = fsync(descriptor) && errno != EINVAL && errno != ENOTSUP;
    const RpStatus status = failed ? Refuse("cannot flush the folder", folder, error) : RP_OK;
    close(descriptor);
    return status;
}

const FileOps FileOps_System = {NULL,  Lock,  Unlock, List, Read,   Create,
                                Write, Flush, Close,  Move, Remove, Sync};
#else
extern int files_posix_is_empty; /* ISO C wants a declaration */
#endif
