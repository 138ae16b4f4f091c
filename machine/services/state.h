/* What the files of this folder share. */
#ifndef RETROPOSE_MACHINE_SERVICES_STATE_H
#define RETROPOSE_MACHINE_SERVICES_STATE_H

#include "machine/machine.h"

/* Error codes of Windows. */
enum {
    NO_ERROR_AT_ALL = 0,
    ERROR_NOT_FOUND = 2,
    ERROR_NO_PATH = 3,
    ERROR_NO_ACCESS = 5,
    ERROR_BAD_HANDLE = 6,
    ERROR_MEMORY = 8,
    ERROR_NO_MORE_FILES = 18,
    ERROR_PARAMETER = 87,
    ERROR_BUFFER = 122,
    ERROR_NO_MODULE = 126,
    ERROR_NO_FUNCTION = 127,
    ERROR_NO_VARIABLE = 203,
    ERROR_MORE = 234,
    ERROR_ADDRESS = 487,
    ERROR_POINTER = 998,
    ERROR_FLAGS = 1004,
    ERROR_NO_TRANSLATION = 1113
};

#define INVALID_HANDLE 0xFFFFFFFFu
#define THREAD_SLOTS   64u    /* of TlsAlloc */
#define SLOTS_AT       0xE10u /* where they are in the thread's block */

/* ---- heaps (heap.c) -------------------------------------------------------------------------- */

#define MOST_HEAPS    16u
#define MOST_SEGMENTS 160u
#define HEAP_CLASSES  136u
#define MOST_LARGE    1024u

typedef struct Heap {
    uint32_t handle; /* the address of its first segment; 0: the row is free */
    uint32_t most;   /* bytes of blocks; 0: no limit of its own */
    uint32_t used, bump, segment_count;
    struct {
        uint32_t first, end;
    } segments[MOST_SEGMENTS];
    uint32_t free[HEAP_CLASSES]; /* the last block of each class that was freed */
} Heap;

typedef struct LargeBlock {
    uint32_t heap, first; /* `first` 0: the row is free */
} LargeBlock;

/* ---- handles --------------------------------------------------------------------------------- */

#define MOST_HANDLES 128u

typedef enum HandleKind {
    HANDLE_FREE,
    HANDLE_FILE,    /* `value` is its number, `place` the next byte to read */
    HANDLE_MAPPING, /* `value` as well, or INVALID_HANDLE: zeroed memory of `place` bytes */
    HANDLE_EVENT,   /* `value` is 1 when signalled, `place` 1 where a wait does not reset it */
    HANDLE_MUTEX,
    HANDLE_KEY /* of the registry; `value` is the number of names in its path */
} HandleKind;

typedef struct Handle {
    HandleKind kind;
    uint32_t value, place;
} Handle;

/* ---- regions of VirtualAlloc and MapViewOfFile (pages.c) ------------------------------------- */

#define MOST_RESERVED 2048u

typedef struct Reserved {
    uint32_t first, size;
    uint32_t protection; /* that was asked for, as PAGE_... */
    bool is_view;
} Reserved;

#define ENVIRONMENT_BYTES 16384u

/* All that changes, in one piece, so that saving it is a copy. */
typedef struct Live {
    uint64_t clock; /* microseconds */
    uint64_t slots; /* of TlsAlloc, a bit for each */
    uint32_t error_mode, unhandled_filter;
    uint32_t runtime; /* where the pages of runtime.c are; 0: nobody has needed them yet */
    uint32_t heap_count, large_count, handle_count, reserved_count; /* rows that were ever used */
    uint32_t environment_size;
    Heap heaps[MOST_HEAPS];
    LargeBlock large[MOST_LARGE];
    Handle handles[MOST_HANDLES];
    Reserved reserved[MOST_RESERVED];
    char environment[ENVIRONMENT_BYTES]; /* "NAME=VALUE" and a zero, for each */
} Live;

typedef struct Services {
    Machine *machine;
    MachineMemory *memory;
    uint64_t most_memory;
    int force_cpu;
    uint32_t file_count;
    MachineFile *files; /* names are copies */
    uint32_t command_line, command_line_wide;
    Live live, saved;
} Services;

/* ---- rows ------------------------------------------------------------------------------------ */

extern const MachineRow services_heap[], services_pages[], services_files[], services_modules[],
    services_process[], services_threads[], services_text[], services_runtime[];

/* Sets EAX. */
void Return(Machine *machine, uint32_t value);
/* Sets EAX and the thread's last error. */
void Refuse(Machine *machine, uint32_t error, uint32_t value);
void PutLastError(Machine *machine, uint32_t error);

/* What a service does takes time as well as instructions do, and counts as some of them, so that a
 * call's budget bounds the time of whatever it consists of. */
void Access_Charge(Machine *machine, uint32_t instructions);
/* The same for an operation on so many bytes of pages. */
static inline void Access_ChargePages(Machine *machine, uint32_t size) {
    Access_Charge(machine, size / MACHINE_PAGE / 16);
}
bool Access_Read(Machine *machine, uint32_t address, void *to, uint32_t size);
bool Access_Write(Machine *machine, uint32_t address, const void *from, uint32_t size);
bool Access_Get32(Machine *machine, uint32_t address, uint32_t *value);
bool Access_Put32(Machine *machine, uint32_t address, uint32_t value);
/* Writes `size` zeros. */
bool Access_Clear(Machine *machine, uint32_t address, uint32_t size);
bool Access_Copy(Machine *machine, uint32_t to, uint32_t from, uint32_t size);
/* Reads a text of bytes or of 16-bit characters as text of code page 1252. False: it cannot be
 * read, or has `capacity` characters or more. */
bool Access_GetText(Machine *machine, uint32_t address, bool wide, char *text, uint32_t capacity);
/* Writes `length` characters and a zero. */
bool Access_PutText(Machine *machine, uint32_t address, bool wide, const char *text,
                    uint32_t length);
/* Answers a function that fills a buffer of `capacity` characters with a text: returns the length,
 * or what is needed, with the zero, where the buffer is too small. */
void Access_Answer(Machine *machine, uint32_t address, uint32_t capacity, bool wide,
                   const char *text);
/* Whether a range has pages that can be executed, or that code was translated from. */
bool Access_HasCode(Machine *machine, uint32_t first, uint32_t size);
/* Unmaps a region, and has the engines forget code that was in it. */
bool Access_Unmap(Machine *machine, uint32_t first);
/* An access violation at a pointer that the guest handed in, as if the function had met it. */
void Access_Fault(Machine *machine, uint32_t popped, uint32_t address, bool write);

bool Text_IsSame(const char *a, const char *b); /* in any case of ASCII letters */
const char *Text_BaseName(const char *path);

/* Between code page 1252 and 16-bit characters. */
uint16_t CodePage_ToWide(uint8_t c);
/* Returns false where the code page has no such character. */
bool CodePage_ToByte(uint16_t c, uint8_t *byte);

uint32_t Heap_Create(Services *services, uint32_t most);
uint32_t Heap_Alloc(Services *services, Heap *heap, uint32_t size, bool zeroed);
/* Returns false for what is no block of the heap, or is free. */
bool Heap_Free(Services *services, Heap *heap, uint32_t block);

/* Returns 0 where there is no memory or no such block. */
uint32_t Heap_Resize(Services *services, Heap *heap, uint32_t block, uint32_t size, bool zeroed,
                     bool in_place);

/* Returns where a variable's value is in the block; null: there is none. */
const char *Environment_Find(const Live *live, const char *name);

/* The address of a row of runtime.c that is data, or code of the guest; 0 without memory. */
uint32_t Runtime_Place(void *state, const MachineRow *row);

/* Returns the new handle, or 0 where there are too many. */
uint32_t Handle_Make(Services *services, HandleKind kind, uint32_t value, uint32_t place);
Handle *Handle_Find(Services *services, uint32_t handle, HandleKind kind);

/* Adds zeroed memory of a guest's own; 0: there is none. */
uint32_t Pages_Reserve(Services *services, uint32_t wanted, uint32_t size, uint32_t protection,
                       uint32_t asked, bool is_view);
/* Whether a region is one that the guest may unmap or protect as it likes: a module of its own, its
 * stack, its heaps, and what it has reserved itself. What the machine and its owner have mapped
 * beside these they access without asking. */
bool Pages_AreGuests(Services *services, uint32_t first);
bool Heap_Owns(const Services *services, uint32_t first);
bool Pages_Release(Services *services, uint32_t first, bool is_view);

/* The system's own modules, each a header without code; null behind the last one. */
typedef struct SystemModule {
    const char *name;
    uint32_t base;
} SystemModule;
extern const SystemModule services_system_modules[];

#endif
