/* Structs and functions that the files of this folder share. */
#ifndef RETROPOSE_MACHINE_SERVICES_SERVICE_STATE_H
#define RETROPOSE_MACHINE_SERVICES_SERVICE_STATE_H

#include "machine/x86_machine.h"

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
#define TLS_INDEXES    64u    /* that TlsAlloc gives out */
#define TLS_AT         0xE10u /* offset of their values in the thread's block */

/* ---- heaps (heap.c) -------------------------------------------------------------------------- */

#define MOST_HEAPS    16u
#define MOST_SEGMENTS 160u
#define HEAP_CLASSES  136u
#define MOST_LARGE    1024u

typedef struct Heap {
    uint32_t handle; /* address of its first segment; 0: the row is free */
    uint32_t most;   /* limit for its blocks, in bytes; 0: no limit of its own */
    uint32_t used, bump, segment_count;
    struct {
        uint32_t first, end;
    } segments[MOST_SEGMENTS];
    uint32_t free[HEAP_CLASSES]; /* for each class, the block that was freed last */
} Heap;

typedef struct LargeBlock {
    uint32_t heap, first; /* `first` is 0 if the row is free */
} LargeBlock;

/* ---- handles --------------------------------------------------------------------------------- */

#define MOST_HANDLES 128u

typedef enum HandleKind {
    HANDLE_FREE,
    HANDLE_FILE,    /* `value` is the file's number, `place` the offset of the next byte to read */
    HANDLE_MAPPING, /* `value` is the file's number, or INVALID_HANDLE for zeroed memory of `place`
                       bytes */
    HANDLE_EVENT,   /* `value` is 1 when signalled; `place` is 1 if waiting does not reset the event
                     */
    HANDLE_MUTEX,
    HANDLE_KEY /* a key of the registry; `value` is the number of names in its path */
} HandleKind;

typedef struct Handle {
    HandleKind kind;
    uint32_t value, place;
} Handle;

/* ---- regions of VirtualAlloc and MapViewOfFile (pages.c) ------------------------------------- */

#define MOST_RESERVED 2048u

typedef struct Reserved {
    uint32_t first, size;
    uint32_t protection; /* the PAGE_... that was asked for */
    bool is_view;
} Reserved;

#define ENVIRONMENT_BYTES 16384u

/* All state that changes. It is one struct, so that saving it is a copy. */
typedef struct Live {
    uint64_t clock;      /* microseconds */
    uint64_t tls_in_use; /* one bit for each index of TlsAlloc that is in use */
    uint32_t error_mode, unhandled_filter;
    uint32_t runtime; /* address of the pages of runtime.c; 0: they have not been needed yet */
    uint32_t heap_count, large_count, handle_count, reserved_count; /* rows that were ever used */
    uint32_t environment_size;
    Heap heaps[MOST_HEAPS];
    LargeBlock large[MOST_LARGE];
    Handle handles[MOST_HANDLES];
    Reserved reserved[MOST_RESERVED];
    char environment[ENVIRONMENT_BYTES]; /* for each variable, "NAME=VALUE" and a zero */
} Live;

typedef struct Services {
    Machine *machine;
    MachineMemory *memory;
    uint64_t most_memory;
    int force_cpu;
    uint32_t file_count;
    MachineFile *files; /* the names are copies */
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

/* Charges a service's work as a number of instructions. It takes time as instructions do, and this
 * way a call's budget limits the time of everything that it does. */
void Access_Charge(Machine *machine, uint32_t instructions);
/* Charges an operation on pages of this many bytes. */
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
/* Reads a text of bytes or of 16-bit characters, and converts it to code page 1252. Returns false
 * if it cannot be read, or has `capacity` characters or more. */
bool Access_GetText(Machine *machine, uint32_t address, bool wide, char *text, uint32_t capacity);
/* Writes `length` characters and a terminator. */
bool Access_PutText(Machine *machine, uint32_t address, bool wide, const char *text,
                    uint32_t length);
/* Answers a function that writes a text into a buffer of `capacity` characters. The result is the
 * text's length or, if the buffer is too small, the size that is needed, including the
 * terminator. */
void Access_Answer(Machine *machine, uint32_t address, uint32_t capacity, bool wide,
                   const char *text);
/* Returns whether pages of a range can be executed, or have code that was translated. */
bool Access_HasCode(Machine *machine, uint32_t first, uint32_t size);
/* Unmaps a region, and makes the engines forget the code in it. */
bool Access_Unmap(Machine *machine, uint32_t first);
/* Raises an access violation at a pointer that the guest has passed, as if the function had
 * accessed it. */
void Access_Fault(Machine *machine, uint32_t popped, uint32_t address, bool write);

bool Text_IsSame(const char *a, const char *b); /* ignores the case of ASCII letters */
const char *Text_BaseName(const char *path);

/* These convert between code page 1252 and 16-bit characters. */
uint16_t CodePage_ToWide(uint8_t c);
/* Returns false if the code page does not have the character. */
bool CodePage_ToByte(uint16_t c, uint8_t *byte);

uint32_t Heap_Create(Services *services, uint32_t most);
uint32_t Heap_Alloc(Services *services, Heap *heap, uint32_t size, bool zeroed);
/* Returns false if this is no block of the heap, or a free one. */
bool Heap_Free(Services *services, Heap *heap, uint32_t block);

/* Returns 0 if there is no memory or no such block. */
uint32_t Heap_Resize(Services *services, Heap *heap, uint32_t block, uint32_t size, bool zeroed,
                     bool in_place);

/* Returns the place of a variable's value in the block, or null if there is no such variable. */
const char *Environment_Find(const Live *live, const char *name);

/* Returns the address of a row of runtime.c that is data or code of the guest, or 0 when memory is
 * short. */
uint32_t Runtime_Place(void *state, const MachineRow *row);

/* Returns the new handle, or 0 if there are too many. */
uint32_t Handle_Make(Services *services, HandleKind kind, uint32_t value, uint32_t place);
Handle *Handle_Find(Services *services, uint32_t handle, HandleKind kind);

/* Adds zeroed memory that belongs to the guest. Returns 0 if there is none left. */
uint32_t Pages_Reserve(Services *services, uint32_t wanted, uint32_t size, uint32_t protection,
                       uint32_t asked, bool is_view);
/* Returns whether the guest may unmap or protect a region as it likes. This is so for its modules,
 * its stack, its heaps, and what it has reserved itself. Other regions, which the machine or its
 * owner have mapped, are not the guest's. */
bool Pages_AreGuests(Services *services, uint32_t first);
bool Heap_Owns(const Services *services, uint32_t first);
bool Pages_Release(Services *services, uint32_t first, bool is_view);

/* The system's own modules, each of which is a header without code. The list ends with null. */
typedef struct SystemModule {
    const char *name;
    uint32_t base;
} SystemModule;
extern const SystemModule services_system_modules[];

#endif
