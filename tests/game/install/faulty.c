#include "faulty.h"

#include <string.h>

enum { MOST_AT_ONCE = 700 }; /* the most bytes that one write takes */

static RpStatus Fail(const char *path, const char *words, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "made to fail", path, "", words);
}

static bool IsFaultOfSpace(const Faulty *faulty, bool takes_space) {
    return faulty->fault == FAULT_FULL && faulty->count > faulty->at && takes_space;
}

/* Is called before an operation. Returns RP_OK if the operation is to be done. */
static RpStatus Enter(Faulty *faulty, const char *path, bool changes, bool takes_space,
                      RpError *error) {
    const unsigned number = faulty->count++;
    if (faulty->dead)
        return Fail(path, "the process is gone", error);
    if (changes && faulty->read_only)
        return Fail(path, "Read-only file system", error);
    if (faulty->fault == FAULT_FAIL && number == faulty->at) {
        faulty->hit = true;
        return Fail(path, "Input/output error", error);
    }
    if (IsFaultOfSpace(faulty, takes_space)) {
        faulty->hit = true;
        return Fail(path, "No space left on device", error);
    }
    if (faulty->fault == FAULT_KILL && number == faulty->at) {
        faulty->hit = faulty->dead = true;
        return Fail(path, "the process is gone", error);
    }
    return RP_OK;
}

static RpStatus Leave(Faulty *faulty, RpStatus status) {
    if (faulty->fault == FAULT_KILL_BEHIND && faulty->count == faulty->at + 1)
        faulty->hit = faulty->dead = true;
    return status;
}

/* Records an operation that succeeded. */
static RpStatus Note(Faulty *faulty, char letter, RpStatus status) {
    const size_t length = strlen(faulty->done);
    const bool again = length > 0 && letter == 'w' && faulty->done[length - 1] == 'w';
    if (status == RP_OK && !again && length + 1 < sizeof faulty->done)
        faulty->done[length] = letter;
    return Leave(faulty, status);
}

static RpStatus Lock(void *context, const char *folder, intptr_t *lock, RpError *error) {
    const RpStatus status = Enter(context, folder, false, false, error);
    return status ? status : Leave(context, FileOps_System.lock(NULL, folder, lock, error));
}

static void Unlock(void *context, intptr_t lock) {
    (void)context;
    FileOps_System.unlock(NULL, lock); /* the system unlocks the files of a process that is gone */
}

static RpStatus List(void *context, const char *folder, FileLister lister, void *lister_context,
                     RpError *error) {
    const RpStatus status = Enter(context, folder, false, false, error);
    return status
               ? status
               : Leave(context, FileOps_System.list(NULL, folder, lister, lister_context, error));
}

static RpStatus Read(void *context, const char *path, RpBuffer *bytes, RpError *error) {
    const RpStatus status = Enter(context, path, false, false, error);
    return status ? status : Leave(context, FileOps_System.read(NULL, path, bytes, error));
}

static RpStatus Create(void *context, const char *path, intptr_t *file, RpError *error) {
    const RpStatus status = Enter(context, path, true, true, error);
    return status ? status : Note(context, 'c', FileOps_System.create(NULL, path, file, error));
}

static RpStatus Write(void *context, intptr_t file, const void *bytes, size_t size, size_t *written,
                      RpError *error) {
    Faulty *faulty = context;
    const size_t some = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
    const bool was_dead = faulty->dead;
    const RpStatus status = Enter(faulty, "", true, true, error);
    if (status && !was_dead && some > 1) /* half of the bytes have reached the disk */
        FileOps_System.write(NULL, file, bytes, some / 2, written, NULL);
    return status
               ? status
               : Note(faulty, 'w', FileOps_System.write(NULL, file, bytes, some, written, error));
}

static RpStatus Flush(void *context, intptr_t file, RpError *error) {
    (void)file;
    const RpStatus status = Enter(context, "", true, true, error);
    return status ? status : Note(context, 'f', RP_OK);
}

static RpStatus Close(void *context, intptr_t file, RpError *error) {
    const RpStatus status = Enter(context, "", false, false, error);
    const RpStatus closed = FileOps_System.close(NULL, file, status ? NULL : error);
    return status ? status : Note(context, 'x', closed);
}

static RpStatus Move(void *context, const char *from, const char *to, bool replace,
                     RpError *error) {
    const RpStatus status = Enter(context, from, true, false, error);
    return status ? status
                  : Note(context, 'm', FileOps_System.move(NULL, from, to, replace, error));
}

static RpStatus Remove(void *context, const char *path, RpError *error) {
    const RpStatus status = Enter(context, path, true, false, error);
    return status ? status : Note(context, 'r', FileOps_System.remove(NULL, path, error));
}

static RpStatus Sync(void *context, const char *folder, RpError *error) {
    const RpStatus status = Enter(context, folder, false, false, error);
    return status ? status : Note(context, 's', RP_OK);
}

FileOps Faulty_Ops(Faulty *faulty) {
    return (FileOps){faulty, Lock,  Unlock, List, Read,   Create,
                     Write,  Flush, Close,  Move, Remove, Sync};
}
