#define _GNU_SOURCE /* getrandom, flock; fsync, fileno, fchmod, readlink, mkdir, fdopen */
#define _CRT_RAND_S /* rand_s */

#include "core/files/output.h"

#include "core/files/busy.h"
#include "core/files/cleanup.h"
#include "core/files/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#else
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/random.h>
#include <sys/xattr.h>
#endif
#endif

#define TEMPORARY_BEGINS ".retropose-"
#define TEMPORARY_ENDS   "~part"

enum { PATH_BYTES = 4096, TEMPORARY_BYTES = PATH_BYTES + 40, MOST_LINKS = 16, ATTEMPTS = 100 };

typedef enum Manner {
    MANNER_REPLACE, /* written under another name, then renamed */
    MANNER_DIRECT,  /* a device, a pipe or an open descriptor, written to directly */
    MANNER_GROWING  /* written under its own name from the beginning */
} Manner;

struct OutputFile {
    FILE *stream;
    Manner manner;
    bool standard;      /* the stream is stdout; it is not closed, because others go on using it */
    bool flushed;       /* must reach the disk before the file gets its name */
    bool replaces_link; /* the target itself is replaced, even if it is a link */
    bool in_place;      /* the target is the edited file, which must still be as it was read */
    char named[PATH_BYTES];  /* for messages */
    char target[PATH_BYTES]; /* the file itself, behind links */
    char temporary[TEMPORARY_BYTES];
};

static RpStatus RefuseWith(const char *path, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot write the file", path, "", words);
}

static RpStatus Refuse(const char *path, RpError *error) {
    return RefuseWith(path, strerror(errno), error);
}

static RpStatus RefuseNoFile(const char *path, RpError *error) {
    return RefuseWith(path, "what is there is no file", error);
}

static RpStatus RefuseInput(const char *path, RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the output is one of the inputs", path,
                       "another file", "");
}

/* ---- names that nobody can foresee ----------------------------------------------------------- */

static uint32_t Random(void) {
#ifdef _WIN32
    unsigned value = 0;
    rand_s(&value);
    return value;
#else
    uint32_t value = 0;
#ifdef __linux__
    if (getrandom(&value, sizeof value, GRND_NONBLOCK) == (ssize_t)sizeof value)
        return value;
#endif
    /* The random number need not be good: a name is created exclusively, so a guessed one costs an
     * attempt but no data. */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    value = (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)getpid();
    return value ^ (uint32_t)(uintptr_t)&value;
#endif
}

/* Returns how many characters of a path name its folder, with the separator at the end. */
static size_t FolderLength(const char *target) {
    const char *slash = strrchr(target, '/');
#ifdef _WIN32
    const char *backslash = strrchr(target, '\\');
    if (!slash || (backslash && backslash > slash))
        slash = backslash;
    if (!slash && target[0] && target[1] == ':')
        slash = target + 1;
#endif
    return slash ? (size_t)(slash - target) + 1 : 0;
}

/* Makes a short name in the folder of `target`, because the target's own name may already be as
 * long as names can be. */
static void NameTemporary(const char *target, char temporary[TEMPORARY_BYTES]) {
    const int folder = (int)FolderLength(target);
    const uint32_t high = Random(), low = Random();
    snprintf(temporary, TEMPORARY_BYTES, "%.*s" TEMPORARY_BEGINS "%08lx%08lx" TEMPORARY_ENDS,
             folder, target, (unsigned long)high, (unsigned long)low);
}

/* ---- the system's part ----------------------------------------------------------------------- */

typedef enum Presence {
    PRESENT_NOT,
    PRESENT_FILE,
    PRESENT_LINK,
    PRESENT_FOLDER,
    PRESENT_DEVICE
} Presence;

#ifdef _WIN32
/* Records the system's error for messages, because these calls do not set errno. */
static int Failed(void) {
    const DWORD code = GetLastError();
    const bool absent = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
    errno = absent ? ENOENT : code == ERROR_DISK_FULL ? ENOSPC : EACCES;
    if (code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS)
        errno = EEXIST;
    return -1;
}

static RpStatus FollowLinks(OutputFile *file, RpError *error) {
    (void)file;
    (void)error;
    return RP_OK;
}

static FILE *StreamOf(HANDLE handle) {
    const int descriptor = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_WRONLY);
    FILE *stream = descriptor < 0 ? NULL : _fdopen(descriptor, "wb");
    if (!stream && descriptor >= 0)
        _close(descriptor);
    else if (!stream)
        CloseHandle(handle);
    return stream;
}

static Presence LookWithoutFollowing(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return PRESENT_NOT;
    if (attributes & FILE_ATTRIBUTE_DIRECTORY)
        return PRESENT_FOLDER;
    return attributes & FILE_ATTRIBUTE_REPARSE_POINT ? PRESENT_LINK : PRESENT_FILE;
}

static bool IsReadOnly(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY) &&
           (attributes & FILE_ATTRIBUTE_READONLY);
}

/* Finds out what is at `path`. A device or a pipe is left open in *stream. */
static Presence Look(const char *path, FILE **stream) {
    const HANDLE file =
        CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);
    if (file != INVALID_HANDLE_VALUE && GetFileType(file) != FILE_TYPE_DISK) {
        *stream = StreamOf(file);
        return PRESENT_DEVICE;
    }
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return LookWithoutFollowing(path);
}

static FILE *CreateNew(const char *path, const char *like) {
    (void)like;
    const HANDLE file = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
    if (file != INVALID_HANDLE_VALUE)
        return StreamOf(file);
    Failed();
    return NULL;
}

static bool OfStream(FILE *stream, FileIdentity *identity) {
    return FileIdentity_OfHandle(_get_osfhandle(_fileno(stream)), identity);
}

static int Rename(const char *from, const char *to) {
    for (unsigned failed = 1; !MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING); failed++)
        if (!Busy_Wait(failed))
            return Failed();
    return 0;
}

static void Drop(const char *path) {
    for (unsigned failed = 1; !DeleteFileA(path) && Busy_Wait(failed); failed++) {
    }
}

/* A process that writes a file lets others open it for reading only, so opening it with the right
 * to delete it fails. */
static bool IsAbandoned(const char *path) {
    if (LookWithoutFollowing(path) != PRESENT_FILE)
        return false;
    const HANDLE file =
        CreateFileA(path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return file != INVALID_HANDLE_VALUE;
}

static bool Flush(FILE *stream) {
    return fflush(stream) == 0 && _commit(_fileno(stream)) == 0;
}

static int MakeOne(const char *folder) {
    return _mkdir(folder);
}

static bool IsFolder(const char *path) {
    return LookWithoutFollowing(path) == PRESENT_FOLDER;
}

static void ScratchFolder(char *folder, size_t size) {
    const DWORD length = GetTempPathA((DWORD)size, folder);
    if (length == 0 || length >= size)
        snprintf(folder, size, ".");
}
#else
/* Returns the descriptor that a name such as /dev/stdout or /proc/self/fd/1 stands for, or -1. */
static int DescriptorOf(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, names[i]) == 0)
            return i;
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(folders[i]);
        char *end = NULL;
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        const long number = strtol(path + length, &end, 10);
        if (*end == 0 && number < 65536)
            return (int)number;
    }
    return -1;
}

/* Follows one link; false when the target is not a link, or when the path is too long. */
static bool FollowOnce(char target[PATH_BYTES]) {
    char link[PATH_BYTES];
    const ssize_t length = readlink(target, link, sizeof link - 1);
    if (length <= 0)
        return false;
    link[length] = 0;
    char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
    const size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    if (folder + (size_t)length >= PATH_BYTES)
        return false;
    memcpy(target + folder, link, (size_t)length + 1);
    return true;
}

/* Finds the file behind all links, or the descriptor that one of them stands for. */
static RpStatus FollowLinks(OutputFile *file, RpError *error) {
    struct stat facts;
    for (int links = 0; links <= MOST_LINKS; links++) {
        const int descriptor = DescriptorOf(file->target);
        if (descriptor >= 0) {
            file->manner = MANNER_DIRECT;
            file->standard = descriptor == STDOUT_FILENO;
            const int own = file->standard ? -1 : dup(descriptor);
            file->stream = file->standard ? stdout : own < 0 ? NULL : fdopen(own, "wb");
            return file->stream ? RP_OK : Refuse(file->named, error);
        }
        if (!FollowOnce(file->target))
            break;
    }
    if (lstat(file->target, &facts) || !S_ISLNK(facts.st_mode))
        return RP_OK;
    errno = ELOOP;
    return Refuse(file->named, error);
}

/* Finds out what is at `path`. A device or a pipe is left open in *stream, because opening it a
 * second time may not be possible. */
static Presence Look(const char *path, FILE **stream) {
    struct stat facts;
    if (stat(path, &facts))
        return PRESENT_NOT;
    if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode))
        return S_ISDIR(facts.st_mode) ? PRESENT_FOLDER : PRESENT_FILE;
    const int device = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    *stream = device < 0 ? NULL : fdopen(device, "wb");
    return PRESENT_DEVICE;
}

static Presence LookWithoutFollowing(const char *path) {
    struct stat facts;
    if (lstat(path, &facts))
        return PRESENT_NOT;
    return S_ISREG(facts.st_mode) ? PRESENT_FILE
           : S_ISLNK(facts.st_mode) ? PRESENT_LINK
                                    : PRESENT_DEVICE;
}

/* The mode's bits decide, not whether this process may write: a rename needs no right to the file
 * itself, and root has every right. */
static bool IsReadOnly(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
           !(facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH));
}

#ifdef __linux__
#define ACCESS_LIST "system.posix_acl_access"

static bool CopyAttribute(const char *from, int to, const char *name) {
    const ssize_t size = getxattr(from, name, NULL, 0);
    char *value = size < 0 ? NULL : malloc((size_t)size + 1);
    const ssize_t got = value ? getxattr(from, name, value, (size_t)size) : -1;
    const bool done = got >= 0 && fsetxattr(to, name, value, (size_t)got, 0) == 0;
    free(value);
    return done;
}

/* Copies to a new file the attributes that other programs have given to the file that it replaces.
 * The namespaces of the system (security.*, trusted.*) are left to the system. */
static void CopyAttributes(const char *from, int to) {
    const ssize_t size = listxattr(from, NULL, 0);
    char *names = size <= 0 ? NULL : malloc((size_t)size);
    const ssize_t length = names ? listxattr(from, names, (size_t)size) : 0;
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1)
        if (strncmp(names + at, "user.", 5) == 0)
            (void)CopyAttribute(from, to, names + at);
    free(names);
}

/* Gives a new file the access list of the one that it replaces. Returns whether that file has such
 * a list. */
static bool CopyAccessList(const char *from, int to) {
    if (getxattr(from, ACCESS_LIST, NULL, 0) < 0)
        return false;
    (void)CopyAttribute(from, to, ACCESS_LIST);
    return true;
}
#else
static void CopyAttributes(const char *from, int to) {
    (void)from, (void)to;
}

static bool CopyAccessList(const char *from, int to) {
    (void)from, (void)to;
    return false;
}
#endif

/* Makes a new file as readable as the one that it replaces, and no more. If the new file has
 * another group, that group gets the rights of everybody. Where the old file has an access list,
 * the mode's bits for the group are the most that anybody in the list gets, and not what the group
 * gets. Without that list these bits must therefore give nothing to anybody but the owner. */
static void CopyAccess(const char *from, const struct stat *facts, int to) {
    const mode_t mode = facts->st_mode & 0777, without_group = mode & ~(mode_t)070;

    /* The new file gets the owner and the group of the one that it replaces, where that is
     * possible. Only root can give both. Any other user remains the owner, and can give only a
     * group that this user is in. */
    struct stat made;
    if (fchown(to, facts->st_uid, facts->st_gid))
        (void)!fchown(to, (uid_t)-1, facts->st_gid);
    const bool has_group = fstat(to, &made) == 0 && made.st_gid == facts->st_gid;

    (void)!fchmod(to, without_group);
    if (!CopyAccessList(from, to))
        (void)!fchmod(to, has_group ? mode : without_group | (mode & 07) << 3);
    CopyAttributes(from, to);
}

/* Creates a file that can be read and written by those who could read and write the file that it
 * replaces, and by nobody else. */
static FILE *CreateNew(const char *path, const char *like) {
    struct stat facts;
    const bool replaces = like && stat(like, &facts) == 0 && S_ISREG(facts.st_mode);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          replaces ? facts.st_mode & 0700 : 0666);
    if (file < 0)
        return NULL;
    /* Not all file systems have locks. Without one, IsAbandoned cannot see that a file is still
     * being written. */
    (void)flock(file, LOCK_EX | LOCK_NB);
    if (replaces)
        CopyAccess(like, &facts, file);
    FILE *stream = fdopen(file, "wb");
    if (!stream) {
        close(file);
        unlink(path);
    }
    return stream;
}

static bool OfStream(FILE *stream, FileIdentity *identity) {
    return FileIdentity_OfHandle(fileno(stream), identity);
}

static int Rename(const char *from, const char *to) {
    return rename(from, to);
}

static void Drop(const char *path) {
    unlink(path);
}

/* A file that is being written is locked (CreateNew), and the lock ends with the process. */
static bool IsAbandoned(const char *path) {
    struct stat facts;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool regular = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    const bool locked = regular && flock(file, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    close(file);
    return regular && !locked;
}

/* Flushes to the disk. Without that, the rename could survive a crash that the bytes do not. */
static bool Flush(FILE *stream) {
    return fflush(stream) == 0 && fsync(fileno(stream)) == 0;
}

static int MakeOne(const char *folder) {
    return mkdir(folder, 0777);
}

static bool IsFolder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static void ScratchFolder(char *folder, size_t size) {
    const char *given = getenv("TMPDIR");
    snprintf(folder, size, "%s", given && *given && strlen(given) < size ? given : "/tmp");
}
#endif

/* ---- opening --------------------------------------------------------------------------------- */

/* Refuses a target that is read-only or an input. This is checked when the file is opened, and
 * again when it gets its name, because inputs may have been read in between. */
static RpStatus CheckTarget(const OutputFile *file, RpError *error) {
    FileIdentity identity;
    if (!file->replaces_link && IsReadOnly(file->target))
        return RefuseWith(file->named, "it is read-only", error);
    if (file->replaces_link || file->in_place || !FileIdentity_OfPath(file->target, &identity) ||
        !Inputs_Has(identity))
        return RP_OK;
    return RefuseInput(file->named, error);
}

static RpStatus OpenTemporary(OutputFile *file, RpError *error) {
    const CleanupHold hold = Cleanup_Hold();
    for (int attempt = 0; attempt < ATTEMPTS && !file->stream; attempt++) {
        NameTemporary(file->target, file->temporary);
        file->stream = CreateNew(file->temporary, file->replaces_link ? NULL : file->target);
        if (!file->stream && errno != EEXIST)
            break;
    }
    const RpStatus status = file->stream ? RP_OK : Refuse(file->named, error);
    if (!status)
        Cleanup_Add(file->temporary, CLEANUP_FILE);
    Cleanup_Release(hold);
    return status;
}

/* Makes an OutputFile of this path that has no stream yet. */
static RpStatus New(const char *path, OutputFile **file, RpError *error) {
    OutputFile *made = calloc(1, sizeof *made);
    *file = NULL;
    if (!made)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a file", path, "", "");
    if ((size_t)snprintf(made->named, sizeof made->named, "%s", path) >= sizeof made->named) {
        free(made);
        errno = ENAMETOOLONG;
        return Refuse(path, error);
    }
    memcpy(made->target, made->named, sizeof made->target);
    made->flushed = true;
    *file = made;
    return RP_OK;
}

static RpStatus OpenNamed(OutputFile *file, RpError *error) {
    RpStatus status = FollowLinks(file, error);
    if (status || file->stream)
        return status;
    const Presence presence = Look(file->target, &file->stream);
    if (presence == PRESENT_FOLDER)
        return RefuseWith(file->named, "it is a folder", error);
    if (presence == PRESENT_DEVICE) {
        file->manner = MANNER_DIRECT;
        return file->stream ? RP_OK : Refuse(file->named, error);
    }
    status = CheckTarget(file, error);
    return status ? status : OpenTemporary(file, error);
}

/* Returns whether the two paths lead to one file. Equal names count as the same file without asking
 * the system: while another process replaces the file again and again, two questions about its
 * identity could give two files. */
static bool IsSameFile(const char *path, const char *edited) {
    FileIdentity a, b;
    return strcmp(path, edited) == 0 ||
           (FileIdentity_OfPath(path, &a) && FileIdentity_OfPath(edited, &b) &&
            FileIdentity_Equal(a, b));
}

RpStatus Output_OpenEdited(const char *path, const char *edited, OutputFile **result,
                           RpError *error) {
    OutputFile *file;
    *result = NULL;
    RpStatus status = New(path, &file, error);
    if (status)
        return status;
    file->in_place = edited && IsSameFile(path, edited);
    if (strcmp(path, "-") == 0) {
        file->manner = MANNER_DIRECT;
        file->standard = true;
        file->stream = stdout;
#ifdef _WIN32
        fflush(stdout);
        _setmode(_fileno(stdout), _O_BINARY);
#endif
    } else {
        status = OpenNamed(file, error);
    }
    if (!status) {
        /* A stream that leads into an input is refused, even if that is the file to be edited: a
         * stream is written to directly, so no whole file ever takes the input's place. */
        FileIdentity identity;
        status = file->manner != MANNER_DIRECT || !OfStream(file->stream, &identity) ||
                         !Inputs_Has(identity)
                     ? RP_OK
                     : RefuseInput(file->named, error);
    }
    if (!status)
        *result = file;
    else if (file->stream)
        Output_Abandon(file);
    else
        free(file);
    return status;
}

RpStatus Output_Open(const char *path, OutputFile **file, RpError *error) {
    return Output_OpenEdited(path, NULL, file, error);
}

RpStatus Output_OpenGrowing(const char *path, OutputFile **file, RpError *error) {
    RpStatus status = New(path, file, error);
    if (status)
        return status;
    (*file)->manner = MANNER_GROWING;
    remove(path);
    (*file)->stream = CreateNew(path, NULL);
    if ((*file)->stream)
        return RP_OK;
    free(*file);
    *file = NULL;
    return Refuse(path, error);
}

/* ---- writing and closing --------------------------------------------------------------------- */

FILE *Output_Stream(const OutputFile *file) {
    return file->stream;
}

RpStatus Output_Append(OutputFile *file, const void *bytes, size_t size, RpError *error) {
    if (size == 0 || fwrite(bytes, 1, size, file->stream) == size)
        return RP_OK;
    return Refuse(file->named, error);
}

/* The file is registered as this process's own before it gets its name. Afterwards the file that
 * had the name may be gone, and its number may have been given to another file. */
static RpStatus TakeName(OutputFile *file, RpError *error) {
    RpStatus status = CheckTarget(file, error);
    if (!status && file->in_place && !Inputs_IsAsRead(file->target))
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE,
                             "the file has been changed since it was read", file->named,
                             "the file as it was: try again", "another one");
    if (!status)
        Inputs_Wrote(file->temporary);
    if (!status && Rename(file->temporary, file->target))
        status = Refuse(file->named, error);
    return status;
}

RpStatus Output_Commit(OutputFile *file, RpError *error) {
    if (!file)
        return RP_OK;
    bool written = !ferror(file->stream);
    if (written && file->flushed && file->manner == MANNER_REPLACE &&
        !Cleanup_Covers(file->target)) /* flushing these took much of the time of `probe` */
        written = Flush(file->stream);
    const bool closed = file->standard ? fflush(stdout) == 0 : fclose(file->stream) == 0;
    RpStatus status = (written && closed) ? RP_OK : Refuse(file->named, error);
    if (file->manner == MANNER_REPLACE) {
        if (!status)
            status = TakeName(file, error);
        if (status)
            Drop(file->temporary);
        Cleanup_Forget(file->temporary);
    } else if (file->manner != MANNER_DIRECT) {
        Inputs_Wrote(file->target);
    }
    free(file);
    return status;
}

void Output_Abandon(OutputFile *file) {
    if (!file)
        return;
    if (!file->standard)
        fclose(file->stream);
    if (file->manner == MANNER_REPLACE) {
        Drop(file->temporary);
        Cleanup_Forget(file->temporary);
    }
    free(file);
}

/* ---- whole files ----------------------------------------------------------------------------- */

static RpStatus Fill(OutputFile *file, const void *bytes, size_t size, RpError *error) {
    const RpStatus status = Output_Append(file, bytes, size, error);
    if (status)
        Output_Abandon(file);
    return status ? status : Output_Commit(file, error);
}

RpStatus Output_WriteEdited(const char *path, const char *edited, const void *bytes, size_t size,
                            RpError *error) {
    OutputFile *file;
    const RpStatus status = Output_OpenEdited(path, edited, &file, error);
    return status ? status : Fill(file, bytes, size, error);
}

RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error) {
    return Output_WriteEdited(path, NULL, bytes, size, error);
}

RpStatus Output_Write(const char *path, const char *text, RpError *error) {
    return Output_WriteBytes(path, text, strlen(text), error);
}

RpStatus Output_Move(const char *finished, const char *path, RpError *error) {
    OutputFile *file;
    RpStatus status = New(path, &file, error);
    if (!status)
        status = FollowLinks(file, error);
    const Presence presence = status ? PRESENT_NOT : LookWithoutFollowing(file->target);
    if (!status && (file->stream || presence == PRESENT_DEVICE || presence == PRESENT_FOLDER))
        status = RefuseNoFile(path, error);
    if (status) {
        if (file && file->stream && !file->standard)
            fclose(file->stream);
        free(file);
        return status;
    }
    snprintf(file->temporary, sizeof file->temporary, "%s", finished);
    status = TakeName(file, error);
    free(file);
    return status;
}

RpStatus Output_Check(const char *path, RpError *error) {
    OutputFile *file;
    if (strcmp(path, "-") == 0)
        return RP_OK;
    RpStatus status = New(path, &file, error);
    if (!status && IsFolder(path))
        status = RefuseWith(path, "it is a folder", error);
    if (!status)
        status = CheckTarget(file, error);
    free(file);
    return status;
}

/* ---- several outputs ------------------------------------------------------------------------- */

/* Finds where a path leads when nothing is there yet. Returns false when something is there
 * already, or when the folder does not exist. */
static bool NewPlace(const char *path, char target[PATH_BYTES], FileIdentity *folder) {
    char name[PATH_BYTES];
    if ((size_t)snprintf(target, PATH_BYTES, "%s", path) >= PATH_BYTES)
        return false;
#ifndef _WIN32
    for (int links = 0; links < MOST_LINKS && FollowOnce(target); links++) {
    }
#endif
    if (LookWithoutFollowing(target) != PRESENT_NOT)
        return false;
    const size_t length = FolderLength(target);
    snprintf(name, sizeof name, "%.*s", (int)length, length ? target : "");
    return FileIdentity_OfFolder(length ? name : ".", folder);
}

#ifdef _WIN32
/* Returns the length without the dots and spaces at the end, which Windows leaves out. */
static size_t LengthOfName(const char *name) {
    size_t length = strlen(name);
    while (length > 0 && (name[length - 1] == '.' || name[length - 1] == ' '))
        length--;
    return length;
}
#endif

static bool SameLastPart(const char *a, const char *b) {
    a += FolderLength(a);
    b += FolderLength(b);
#ifdef _WIN32
    const size_t length = LengthOfName(a);
    return length == LengthOfName(b) && _strnicmp(a, b, length) == 0;
#else
    return strcmp(a, b) == 0;
#endif
}

/* Devices and pipes are no files, so several outputs may go to one. */
static bool IsOneFile(const char *a, const char *b) {
    char target_a[PATH_BYTES], target_b[PATH_BYTES];
    FileIdentity of_a, of_b;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    if (FileIdentity_OfPath(a, &of_a) && FileIdentity_OfPath(b, &of_b))
        return FileIdentity_Equal(of_a, of_b);
    return NewPlace(a, target_a, &of_a) && NewPlace(b, target_b, &of_b) &&
           FileIdentity_Equal(of_a, of_b) && SameLastPart(target_a, target_b);
}

RpStatus Output_CheckApart(const char *const paths[], size_t count, RpError *error) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (paths[i] && paths[k] && IsOneFile(paths[i], paths[k]))
                return RpError_Set(error, RP_INVALID, RP_NOWHERE, "two outputs are one file",
                                   paths[i], "two files", paths[k]);
    return RP_OK;
}

/* ---- scratch files --------------------------------------------------------------------------- */

RpStatus Output_MakeScratch(char *path, size_t size, RpError *error) {
    char folder[PATH_BYTES - 2], inside[PATH_BYTES], name[TEMPORARY_BYTES];
    ScratchFolder(folder, sizeof folder);
    snprintf(inside, sizeof inside, "%s/.", folder);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        NameTemporary(inside, name);
        if ((size_t)snprintf(path, size, "%s", name) >= size)
            break;
        const CleanupHold hold = Cleanup_Hold();
        FILE *file = CreateNew(name, NULL);
        if (file)
            Cleanup_Add(path, CLEANUP_FILE);
        Cleanup_Release(hold);
        if (file) {
            fclose(file);
            return RP_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a file for the work", folder, "",
                       strerror(errno));
}

void Output_DropScratch(const char *path) {
    Drop(path);
    Cleanup_Forget(path);
}

/* ---- folders --------------------------------------------------------------------------------- */

static RpStatus RefuseFolder(const char *folder, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make the folder", folder, "", words);
}

RpStatus Output_MakeFolder(const char *folder, RpError *error) {
    if (!MakeOne(folder) || errno == EEXIST)
        return RP_OK;
    return RefuseFolder(folder, strerror(errno), error);
}

static RpStatus JoinPath(const char *folder, const char *name, char path[PATH_BYTES],
                         RpError *error) {
    if ((size_t)snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the path is too long", folder, "", "");
}

/* Returns whether the first 128 bytes of a file contain the mark. An empty file counts, too,
 * because nothing is lost in it. A file that cannot be read does not. */
static bool Begins(const char *path, const char *mark) {
    char start[129] = "";
    FILE *stream = fopen(path, "rb");
    const size_t size = stream ? fread(start, 1, sizeof start - 1, stream) : 0;
    if (stream)
        fclose(stream);
    start[size] = 0;
    return stream && (size == 0 || strstr(start, mark) != NULL);
}

RpStatus Output_CheckUnnamed(const char *folder, const char *name, const char *mark,
                             RpError *error) {
    char joined[PATH_BYTES];
    const char *path = folder ? joined : name;
    const RpStatus status = folder ? JoinPath(folder, name, joined, error) : RP_OK;
    if (status || LookWithoutFollowing(path) != PRESENT_FILE || Begins(path, mark))
        return status;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE,
                       "this file would be replaced, though nobody named it and it is not ours",
                       path, "another folder or name for the output", "");
}

RpStatus Output_MakeFolderInto(const char *folder, const char *name, RpError *error) {
    char path[PATH_BYTES];
    RpStatus status = JoinPath(folder, name, path, error);
    if (!status && LookWithoutFollowing(path) == PRESENT_LINK)
        status = RefuseFolder(path, "a link is there", error);
    return status ? status : Output_MakeFolder(path, error);
}

RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error) {
    char path[PATH_BYTES];
    OutputFile *into;
    RpStatus status = JoinPath(folder, file, path, error);
    if (!status)
        status = New(path, &into, error);
    if (status)
        return status;
    into->flushed = false;
    const Presence presence = LookWithoutFollowing(path);
    into->replaces_link = presence == PRESENT_LINK;
    status = presence == PRESENT_DEVICE || presence == PRESENT_FOLDER ? RefuseNoFile(path, error)
                                                                      : CheckTarget(into, error);
    if (!status)
        status = OpenTemporary(into, error);
    if (status) {
        free(into);
        return status;
    }
    return Fill(into, bytes, size, error);
}

/* ---- what killed processes leave ------------------------------------------------------------- */

bool Output_IsLeftover(const char *folder, const char *name) {
    char path[PATH_BYTES];
    enum { BEGIN = sizeof TEMPORARY_BEGINS - 1, DIGITS = 16 };
    return (strncmp(name, TEMPORARY_BEGINS, BEGIN) == 0 &&
            strspn(name + BEGIN, "0123456789abcdef") == DIGITS &&
            strcmp(name + BEGIN + DIGITS, TEMPORARY_ENDS) == 0) &&
           !JoinPath(folder, name, path, NULL) && IsAbandoned(path);
}
