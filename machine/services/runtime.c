/* The C runtime, msvcrt.dll: what DLLs linked by a compiler of today need to start, and functions
 * for memory and texts. Nothing is printed: streams accept everything and drop it. Functions that
 * format values or parse them do not exist here, and a call that needs one says so. All functions
 * are cdecl, so they pop no arguments. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- data and code --------------------------------------------------------------------------- */

/* One page holds the data that is imported, and the data that functions return pointers to. A
 * second one holds the code of functions that call others. `popped` of a row for data or such code
 * is its place in these pages. */
#define ERRNO_AT       0x000u
#define CHARACTER_MAX  0x010u /* __mb_cur_max: the most bytes of a character */
#define FILE_MODE      0x020u
#define COMMIT_MODE    0x030u
#define LOCALE_NAME    0x040u
#define EMPTY_TEXT     0x048u
#define ERROR_TEXT     0x050u
#define LOCALE_AT      0x080u /* struct lconv */
#define STREAMS_AT     0x100u /* FILE _iob[20] */
#define STREAM_BYTES   32u
#define STREAM_COUNT   20u
#define TYPES_AT       0x400u /* _pctype, which points to the classes that follow */
#define TYPES          0x410u /* the classes of the characters −1 to 255 */
#define CODE_AT        0x1000u
#define RUNTIME_BYTES  0x2000u
#define INITTERM_AT    (CODE_AT + 0x00u)
#define INITTERM_E_AT  (CODE_AT + 0x20u)
#define ABORT_CODE     3u
#define AMSG_EXIT_CODE 255u

enum {
    NO_ENTRY = 2,
    BAD_FILE = 9,
    NO_ROOM = 12,
    BAD_ARGUMENT = 22,
    OUT_OF_RANGE = 34,
    BAD_BYTES = 42
};

/* _initterm calls all addresses in a range that are not null. _initterm_e does the same, but ends
 * at the first result that is not 0. They are code of the guest, so that exceptions can pass
 * through them. */
static const uint8_t initterm[] = {
    0x56,                   /*    push esi */
    0x8B, 0x74, 0x24, 0x08, /*    mov esi, [esp+8] */
    0x3B, 0x74, 0x24, 0x0C, /* 1: cmp esi, [esp+12] */
    0x73, 0x0D,             /*    jae 3 */
    0x8B, 0x06,             /*    mov eax, [esi] */
    0x85, 0xC0,             /*    test eax, eax */
    0x74, 0x02,             /*    jz 2 */
    0xFF, 0xD0,             /*    call eax */
    0x83, 0xC6, 0x04,       /* 2: add esi, 4 */
    0xEB, 0xED,             /*    jmp 1 */
    0x5E, 0xC3,             /* 3: pop esi; ret */
};
static const uint8_t initterm_e[] = {
    0x56,                   /*    push esi */
    0x8B, 0x74, 0x24, 0x08, /*    mov esi, [esp+8] */
    0x31, 0xC0,             /*    xor eax, eax */
    0x3B, 0x74, 0x24, 0x0C, /* 1: cmp esi, [esp+12] */
    0x73, 0x0F,             /*    jae 3 */
    0x8B, 0x0E,             /*    mov ecx, [esi] */
    0xE3, 0x06,             /*    jecxz 2 */
    0xFF, 0xD1,             /*    call ecx */
    0x85, 0xC0,             /*    test eax, eax */
    0x75, 0x05,             /*    jnz 3 */
    0x83, 0xC6, 0x04,       /* 2: add esi, 4 */
    0xEB, 0xEB,             /*    jmp 1 */
    0x5E, 0xC3,             /* 3: pop esi; ret */
};

/* Returns the bits of Microsoft's ctype.h: upper, lower, digit, space, punctuation, control, blank,
 * hexadecimal digit. */
static uint32_t ClassOf(uint32_t c) {
    uint32_t class = 0;
    if (c >= 'A' && c <= 'Z')
        class |= c <= 'F' ? 0x81 : 0x01;
    else if (c >= 'a' && c <= 'z')
        class |= c <= 'f' ? 0x82 : 0x02;
    else if (c >= '0' && c <= '9')
        class |= 0x84;
    else if (c == ' ')
        class |= 0x48;
    else if (c > ' ' && c < 0x7F)
        class |= 0x10;
    else if (c < ' ' || c == 0x7F)
        class |= 0x20;
    if (c >= '\t' && c <= '\r')
        class |= 0x08;
    return class;
}

/* Returns an address in the runtime's pages, or 0 when memory is short. The pages are made when a
 * DLL first needs them. */
static uint32_t RuntimeAt(Services *services, uint32_t offset) {
    MachineMemory *memory = services->memory;
    if (services->live.runtime)
        return services->live.runtime + offset;
    uint32_t at = MachineMemory_Find(memory, RUNTIME_BYTES, 0x10000);
    at = at ? MachineMemory_Map(memory, at, RUNTIME_BYTES, MACHINE_READ | MACHINE_WRITE) : 0;
    if (!at)
        return 0;
    uint8_t *page = MachineMemory_At(memory, at);
    Bytes_PutU32(page + CHARACTER_MAX, 1);
    memcpy(page + LOCALE_NAME, "C", 2);
    memcpy(page + ERROR_TEXT, "Unknown error", 14);
    /* A struct lconv has ten texts, the first of which is the decimal point, and eight numbers,
     * which here say "not available". */
    for (uint32_t i = 0; i < 10; i++)
        Bytes_PutU32(page + LOCALE_AT + 4 * i, at + EMPTY_TEXT);
    memcpy(page + EMPTY_TEXT + 4, ".", 2);
    Bytes_PutU32(page + LOCALE_AT, at + EMPTY_TEXT + 4);
    memset(page + LOCALE_AT + 40, CHAR_MAX, 8);
    for (uint32_t i = 0; i < STREAM_COUNT; i++) /* the number of a standard stream, or none */
        Bytes_PutU32(page + STREAMS_AT + STREAM_BYTES * i + 16, i < 3 ? i : UINT32_MAX);
    Bytes_PutU32(page + TYPES_AT, at + TYPES + 2);
    for (uint32_t c = 0; c < 256; c++)
        Bytes_PutU16(page + TYPES + 2 + 2 * c, ClassOf(c));
    memcpy(page + INITTERM_AT, initterm, sizeof initterm);
    memcpy(page + INITTERM_E_AT, initterm_e, sizeof initterm_e);
    MachineMemory_Protect(memory, at + CODE_AT, MACHINE_PAGE, MACHINE_READ | MACHINE_EXECUTE);
    services->live.runtime = at;
    return at + offset;
}

uint32_t Runtime_Place(void *state, const MachineRow *row) {
    return RuntimeAt(state, row->popped);
}

/* Sets errno, and sets EAX to `value`. */
static void Fail(Machine *machine, Services *services, uint32_t number, uint32_t value) {
    uint32_t at = RuntimeAt(services, ERRNO_AT);
    if (at)
        Access_Put32(machine, at, number);
    Return(machine, value);
}

#define PLACE_SERVICE(name, offset)                                                                \
    static void name(Machine *machine, void *context) {                                            \
        Return(machine, RuntimeAt(context, offset));                                               \
    }
PLACE_SERVICE(ErrnoPlace, ERRNO_AT)
PLACE_SERVICE(LocaleConventions, LOCALE_AT)
PLACE_SERVICE(Streams, STREAMS_AT)
PLACE_SERVICE(ErrorText, ERROR_TEXT)
PLACE_SERVICE(TypesPlace, TYPES_AT)

/* ---- begin and end --------------------------------------------------------------------------- */

static void Zero(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0);
}

static void Abort(Machine *machine, void *context) {
    (void)context;
    Machine_Exit(machine, ABORT_CODE);
}

static void AmsgExit(Machine *machine, void *context) {
    (void)context;
    Machine_Exit(machine, AMSG_EXIT_CODE);
}

static void Exit(Machine *machine, void *context) {
    (void)context;
    Machine_Exit(machine, Machine_Argument(machine, 0));
}

/* Functions that are to be called at the end of the process never are, because the process ends
 * with the machine. */
static void OnExit(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 0));
}

/* "C" is the only locale. */
static void SetLocale(Machine *machine, void *context) {
    uint32_t at = Machine_Argument(machine, 1);
    char name[8] = "";
    if (at && (!Access_GetText(machine, at, false, name, sizeof name) ||
               (name[0] && strcmp(name, "C") != 0)))
        Return(machine, 0);
    else
        Return(machine, RuntimeAt(context, LOCALE_NAME));
}

static void GetVariable(Machine *machine, void *context) {
    Services *services = context;
    char name[256];
    const char *value = NULL;
    if (Access_GetText(machine, Machine_Argument(machine, 0), false, name, sizeof name))
        value = Environment_Find(&services->live, name);
    uint32_t length = value ? (uint32_t)strlen(value) : 0;
    uint32_t block = value ? Heap_Alloc(services, services->live.heaps, length + 1, true) : 0;
    Return(machine, block && Access_PutText(machine, block, false, value, length) ? block : 0);
}

/* ---- the heap -------------------------------------------------------------------------------- */

static void ReturnBlock(Machine *machine, Services *services, uint32_t block) {
    if (block)
        Return(machine, block);
    else
        Fail(machine, services, NO_ROOM, 0);
}

static void Malloc(Machine *machine, void *context) {
    Services *services = context;
    ReturnBlock(machine, services,
                Heap_Alloc(services, services->live.heaps, Machine_Argument(machine, 0), false));
}

static void Calloc(Machine *machine, void *context) {
    Services *services = context;
    uint64_t size = (uint64_t)Machine_Argument(machine, 0) * Machine_Argument(machine, 1);
    uint32_t block =
        size <= UINT32_MAX ? Heap_Alloc(services, services->live.heaps, (uint32_t)size, true) : 0;
    ReturnBlock(machine, services, block);
}

/* A pointer that is no block means that the heap is damaged. Windows ends the process in this case,
 * too. */
static void DamagedHeap(Machine *machine, uint32_t block) {
    Access_Fault(machine, 0, block, true);
}

static void Free(Machine *machine, void *context) {
    Services *services = context;
    uint32_t block = Machine_Argument(machine, 0);
    if (block && !Heap_Free(services, services->live.heaps, block))
        DamagedHeap(machine, block);
}

static void Realloc(Machine *machine, void *context) {
    Services *services = context;
    Heap *heap = services->live.heaps;
    uint32_t block = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1), made = 0;
    if (block && size == 0) {
        if (!Heap_Free(services, heap, block))
            DamagedHeap(machine, block);
        else
            Return(machine, 0);
        return;
    }
    made = block ? Heap_Resize(services, heap, block, size, false, false)
                 : Heap_Alloc(services, heap, size, false);
    ReturnBlock(machine, services, made);
}

/* ---- memory ---------------------------------------------------------------------------------- */

#define PIECE 256u /* number of bytes that a function looks at together */

/* Reads up to PIECE bytes, but not beyond the end of the page. Returns how many. 0 means that the
 * guest may not read there, and that the call has ended with this fault. */
static uint32_t ReadPiece(Machine *machine, uint32_t at, uint32_t most, uint8_t *piece) {
    uint32_t size = MACHINE_PAGE - at % MACHINE_PAGE;
    size = size < PIECE ? size : PIECE;
    size = size < most ? size : most;
    if (Access_Read(machine, at, piece, size))
        return size;
    Access_Fault(machine, 0, at, false);
    return 0;
}

static bool WritePiece(Machine *machine, uint32_t at, const uint8_t *piece, uint32_t size) {
    if (Access_Write(machine, at, piece, size))
        return true;
    Access_Fault(machine, 0, at, true);
    return false;
}

/* Copies as memmove does: backwards if the target overlaps the source from behind. */
static bool Move(Machine *machine, uint32_t to, uint32_t from, uint32_t size) {
    uint8_t piece[PIECE];
    const bool backwards = to - from < size;
    for (uint32_t left = size, part; left > 0; left -= part) {
        part = left < PIECE ? left : PIECE;
        uint32_t at = backwards ? left - part : size - left;
        if (!Access_Read(machine, from + at, piece, part)) {
            Access_Fault(machine, 0, from + at, false);
            return false;
        }
        if (!WritePiece(machine, to + at, piece, part))
            return false;
    }
    return true;
}

static void CopyMemory(Machine *machine, void *context) {
    (void)context;
    uint32_t to = Machine_Argument(machine, 0);
    if (Move(machine, to, Machine_Argument(machine, 1), Machine_Argument(machine, 2)))
        Return(machine, to);
}

static void SetMemory(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0), size = Machine_Argument(machine, 2);
    uint8_t piece[PIECE];
    memset(piece, (int)(Machine_Argument(machine, 1) & 0xFF), sizeof piece);
    for (uint32_t done = 0, part; done < size; done += part) {
        part = size - done < PIECE ? size - done : PIECE;
        if (!WritePiece(machine, at + done, piece, part))
            return;
    }
    Return(machine, at);
}

/* Ways to compare; these are bits. */
enum { COMPARE_MEMORY = 0, STOP_AT_ZERO = 1, IGNORE_CASE = 2 };

static uint8_t LowerOf(uint8_t c) {
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 0x20) : c;
}

/* Compares up to `most` bytes. The result is −1, 0 or 1. */
static void Compare(Machine *machine, uint32_t most, int how) {
    uint32_t left = Machine_Argument(machine, 0), right = Machine_Argument(machine, 1), part;
    uint8_t a[PIECE], b[PIECE];
    for (; most > 0; most -= part, left += part, right += part) {
        part = ReadPiece(machine, left, most, a);
        part = part ? ReadPiece(machine, right, part, b) : 0;
        if (part == 0)
            return;
        for (uint32_t i = 0; i < part; i++) {
            uint8_t x = how & IGNORE_CASE ? LowerOf(a[i]) : a[i];
            uint8_t y = how & IGNORE_CASE ? LowerOf(b[i]) : b[i];
            if (x != y || (x == 0 && (how & STOP_AT_ZERO))) {
                Return(machine, x == y ? 0 : x < y ? UINT32_MAX : 1);
                return;
            }
        }
    }
    Return(machine, 0);
}

static void CompareMemory(Machine *machine, void *context) {
    (void)context;
    Compare(machine, Machine_Argument(machine, 2), COMPARE_MEMORY);
}

/* Searches for a byte up to an end, or up to the first zero if `stops` is set. `found` becomes its
 * address or 0, and `length` the distance from `at` to the place where the search ended. Returns
 * false when the call has ended. */
static bool Search(Machine *machine, uint32_t at, uint32_t most, int byte, bool stops, bool last,
                   uint32_t *found, uint32_t *length) {
    uint8_t piece[PIECE];
    *found = 0;
    for (uint32_t done = 0, part; done < most; done += part) {
        part = ReadPiece(machine, at + done, most - done, piece);
        if (part == 0)
            return false;
        for (uint32_t i = 0; i < part; i++) {
            *length = done + i;
            if (piece[i] == byte)
                *found = at + done + i;
            if ((piece[i] == byte && !last) || (piece[i] == 0 && stops))
                return true;
        }
    }
    *length = most;
    return true;
}

static void FindInMemory(Machine *machine, void *context) {
    (void)context;
    uint32_t found, length;
    if (Search(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 2),
               (int)(Machine_Argument(machine, 1) & 0xFF), false, false, &found, &length))
        Return(machine, found);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool LengthOf(Machine *machine, uint32_t at, uint32_t *length) {
    uint32_t found;
    return Search(machine, at, UINT32_MAX, 0, true, false, &found, length);
}

static void Length(Machine *machine, void *context) {
    (void)context;
    uint32_t length;
    if (LengthOf(machine, Machine_Argument(machine, 0), &length))
        Return(machine, length);
}

static void FindFirst(Machine *machine, void *context) {
    (void)context;
    uint32_t found, length;
    if (Search(machine, Machine_Argument(machine, 0), UINT32_MAX,
               (int)(Machine_Argument(machine, 1) & 0xFF), true, false, &found, &length))
        Return(machine, found);
}

static void FindLast(Machine *machine, void *context) {
    (void)context;
    uint32_t found, length;
    if (Search(machine, Machine_Argument(machine, 0), UINT32_MAX,
               (int)(Machine_Argument(machine, 1) & 0xFF), true, true, &found, &length))
        Return(machine, found);
}

static void CompareTexts(Machine *machine, void *context) {
    (void)context;
    Compare(machine, UINT32_MAX, STOP_AT_ZERO);
}

static void CompareBegins(Machine *machine, void *context) {
    (void)context;
    Compare(machine, Machine_Argument(machine, 2), STOP_AT_ZERO);
}

static void CompareInAnyCase(Machine *machine, void *context) {
    (void)context;
    Compare(machine, UINT32_MAX, STOP_AT_ZERO | IGNORE_CASE);
}

static void CompareBeginsInAnyCase(Machine *machine, void *context) {
    (void)context;
    Compare(machine, Machine_Argument(machine, 2), STOP_AT_ZERO | IGNORE_CASE);
}

/* Copies a text to an address. The service's result is `answer`. */
static void CopyTo(Machine *machine, uint32_t to, uint32_t answer) {
    uint32_t from = Machine_Argument(machine, 1), length;
    if (LengthOf(machine, from, &length) && Move(machine, to, from, length + 1))
        Return(machine, answer);
}

static void Copy(Machine *machine, void *context) {
    (void)context;
    CopyTo(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 0));
}

static void Append(Machine *machine, void *context) {
    (void)context;
    uint32_t to = Machine_Argument(machine, 0), length;
    if (LengthOf(machine, to, &length))
        CopyTo(machine, to + length, to);
}

/* Copies as strncpy does: fills the rest with zeros, and writes no terminator if the text is too
 * long. */
static void CopyBegin(Machine *machine, void *context) {
    (void)context;
    uint32_t to = Machine_Argument(machine, 0), from = Machine_Argument(machine, 1);
    uint32_t size = Machine_Argument(machine, 2), found, length;
    if (!Search(machine, from, size, 0, true, false, &found, &length) ||
        !Move(machine, to, from, length))
        return;
    static const uint8_t zeros[PIECE];
    for (uint32_t done = length, part; done < size; done += part) {
        part = size - done < PIECE ? size - done : PIECE;
        if (!WritePiece(machine, to + done, zeros, part))
            return;
    }
    Return(machine, to);
}

static void Duplicate(Machine *machine, void *context) {
    Services *services = context;
    uint32_t from = Machine_Argument(machine, 0), length;
    if (!LengthOf(machine, from, &length))
        return;
    uint32_t block = Heap_Alloc(services, services->live.heaps, length + 1, false);
    if (block && !Move(machine, block, from, length + 1))
        return;
    ReturnBlock(machine, services, block);
}

static void WideLength(Machine *machine, void *context) {
    (void)context;
    uint32_t at = Machine_Argument(machine, 0);
    for (uint32_t i = 0;; i++) {
        uint8_t unit[2];
        if (!Access_Read(machine, at + 2 * i, unit, 2)) {
            Access_Fault(machine, 0, at + 2 * i, false);
            return;
        }
        if (Bytes_U16(unit) == 0 || i == INT32_MAX) {
            Return(machine, i);
            return;
        }
    }
}

/* In the locale "C" a wide character is the byte of the same number. */
static void WideToBytes(Machine *machine, void *context) {
    uint32_t to = Machine_Argument(machine, 0), from = Machine_Argument(machine, 1);
    uint32_t most = to ? Machine_Argument(machine, 2) : INT32_MAX, count = 0;
    for (; count < most; count++) {
        uint8_t unit[2];
        if (!Access_Read(machine, from + 2 * count, unit, 2)) {
            Access_Fault(machine, 0, from + 2 * count, false);
            return;
        }
        if (unit[1]) {
            Fail(machine, context, BAD_BYTES, UINT32_MAX);
            return;
        }
        if (to && !WritePiece(machine, to + count, unit, 1))
            return;
        if (unit[0] == 0)
            break;
    }
    Return(machine, count);
}

static uint32_t DigitOf(uint8_t c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    uint8_t lower = LowerOf(c);
    return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10u : 99;
}

/* Parses an integer as strtol does: white space, a sign, the prefix of the base, digits. The end is
 * the first character that does not belong to it. If the number is out of range, the result is the
 * nearest possible value. */
static void ParseNumber(Machine *machine, Services *services, uint32_t end_at, uint32_t base,
                        bool is_signed) {
    uint32_t begin = Machine_Argument(machine, 0), at = begin;
    uint8_t c = 0, ahead[3] = {0};
    uint64_t value = 0;
    bool negative = false, any = false, over = false;
    if (base == 1 || base > 36) {
        Fail(machine, services, BAD_ARGUMENT, 0);
        return;
    }
    do {
        if (!ReadPiece(machine, at++, 1, &c))
            return;
    } while (c == ' ' || (c >= '\t' && c <= '\r'));
    at--;
    if (c == '-' || c == '+') {
        negative = c == '-';
        at++;
    }
    Access_Read(machine, at, ahead, 1);
    if (ahead[0] == '0' && Access_Read(machine, at + 1, ahead + 1, 2) &&
        (base == 0 || base == 16) && LowerOf(ahead[1]) == 'x' && DigitOf(ahead[2]) < 16) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = ahead[0] == '0' ? 8 : 10;
    while (Access_Read(machine, at, &c, 1) && DigitOf(c) < base) {
        value = value * base + DigitOf(c);
        over |= value > UINT32_MAX;
        value &= 0xFFFFFFFFFFu;
        any = true;
        at++;
    }
    const uint64_t most = is_signed ? (negative ? 0x80000000u : 0x7FFFFFFFu) : UINT32_MAX;
    if (end_at && !Access_Put32(machine, end_at, any ? at : begin))
        Access_Fault(machine, 0, end_at, true);
    else if (over || value > most)
        Fail(machine, services, OUT_OF_RANGE, (uint32_t)most);
    else
        Return(machine, negative ? (uint32_t)-value : (uint32_t)value);
}

static void ToNumber(Machine *machine, void *context) {
    ParseNumber(machine, context, 0, 10, true);
}

static void ToSigned(Machine *machine, void *context) {
    ParseNumber(machine, context, Machine_Argument(machine, 1), Machine_Argument(machine, 2), true);
}

static void ToUnsigned(Machine *machine, void *context) {
    ParseNumber(machine, context, Machine_Argument(machine, 1), Machine_Argument(machine, 2),
                false);
}

static void ToLower(Machine *machine, void *context) {
    (void)context;
    uint32_t c = Machine_Argument(machine, 0);
    Return(machine, c >= 'A' && c <= 'Z' ? c + 0x20 : c);
}

static void ToUpper(Machine *machine, void *context) {
    (void)context;
    uint32_t c = Machine_Argument(machine, 0);
    Return(machine, c >= 'a' && c <= 'z' ? c - 0x20 : c);
}

#define CLASS_SERVICE(name, bits)                                                                  \
    static void name(Machine *machine, void *context) {                                            \
        uint32_t c = Machine_Argument(machine, 0);                                                 \
        (void)context;                                                                             \
        Return(machine, c < 256 ? ClassOf(c) & (bits) : 0);                                        \
    }
CLASS_SERVICE(IsUpper, 0x01u)
CLASS_SERVICE(IsLower, 0x02u)
CLASS_SERVICE(IsAlphabetic, 0x03u)
CLASS_SERVICE(IsDigit, 0x04u)
CLASS_SERVICE(IsAlphanumeric, 0x07u)
CLASS_SERVICE(IsSpace, 0x08u)
CLASS_SERVICE(IsHexadecimal, 0x80u)

/* ---- streams and files ----------------------------------------------------------------------- */

static void PrintCharacter(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 0) & 0xFF);
}

/* fwrite. All elements count as written. */
static void PrintElements(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 2));
}

/* _write. Files 1 and 2 accept everything; no others are open. */
static void Write(Machine *machine, void *context) {
    uint32_t file = Machine_Argument(machine, 0);
    if (file == 1 || file == 2)
        Return(machine, Machine_Argument(machine, 2));
    else
        Fail(machine, context, BAD_FILE, UINT32_MAX);
}

static void ReadNothing(Machine *machine, void *context) {
    if (Machine_Argument(machine, 0) == 0)
        Return(machine, 0);
    else
        Fail(machine, context, BAD_FILE, UINT32_MAX);
}

static void OpenNothing(Machine *machine, void *context) {
    Fail(machine, context, NO_ENTRY, UINT32_MAX);
}

static void OpenNoStream(Machine *machine, void *context) {
    Fail(machine, context, NO_ENTRY, 0);
}

static void NoFile(Machine *machine, void *context) {
    Machine_Context(machine)->registers.general[MACHINE_EDX] = UINT32_MAX; /* the upper half */
    Fail(machine, context, BAD_FILE, UINT32_MAX);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Pushes a binary64 number onto the x87's stack, where functions return such a number. */
static void ReturnNumber(Machine *machine, double value) {
    MachineVectors *vectors = &Machine_Context(machine)->registers.vectors;
    const uint32_t top = ((vectors->status >> 11) - 1u) & 7;
    const bool is_full = vectors->tags >> top & 1;
    uint64_t bits, significand;
    memcpy(&bits, &value, sizeof bits);
    uint32_t exponent = bits >> 52 & 0x7FF;
    significand = bits << 11 & INT64_MAX;
    if (exponent == 0x7FF) {
        exponent = 0x7FFF;
        significand |= 1ull << 63;
    } else if (exponent) {
        exponent += 0x3FFF - 0x3FF;
        significand |= 1ull << 63;
    } else if (significand) { /* a denormal binary64 is a normal number on the x87 */
        for (exponent = 0x3FFF - 0x3FE; !(significand >> 63); exponent--)
            significand <<= 1;
    }
    if (is_full) { /* the same as for FLD: invalid operation, stack fault, and C1, which means
                      overflow */
        vectors->status |= 0x0241;
        exponent = 0xFFFF;
        significand = 0xC000000000000000u;
    }
    memmove(vectors->st[1], vectors->st[0], 7 * sizeof vectors->st[0]);
    Bytes_PutU64(vectors->st[0], significand);
    Bytes_PutU16(vectors->st[0] + 8, exponent | (uint32_t)(bits >> 63) << 15);
    vectors->tags |= (uint8_t)(1u << top);
    vectors->status = (uint16_t)((vectors->status & ~0x3800u) | top << 11);
}

static double Number(Machine *machine, uint32_t n) {
    uint64_t bits = (uint64_t)Machine_Argument(machine, 2 * n + 1) << 32;
    double value;
    bits |= Machine_Argument(machine, 2 * n);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The host's C library computes in binary64 and rounds to nearest, whatever the guest's control
 * word says. Microsoft's runtime of 2001 computes in the x87's registers, so the last bits of its
 * results may differ from these. DLLs of that time contain their own copy of these functions. */
#define NUMBER_SERVICE(name, function)                                                             \
    static void name(Machine *machine, void *context) {                                            \
        (void)context;                                                                             \
        ReturnNumber(machine, function(Number(machine, 0)));                                       \
    }
#define TWO_NUMBERS_SERVICE(name, function)                                                        \
    static void name(Machine *machine, void *context) {                                            \
        (void)context;                                                                             \
        ReturnNumber(machine, function(Number(machine, 0), Number(machine, 1)));                   \
    }
NUMBER_SERVICE(Acos, acos)
NUMBER_SERVICE(Asin, asin)
NUMBER_SERVICE(Atan, atan)
NUMBER_SERVICE(Ceil, ceil)
NUMBER_SERVICE(Cos, cos)
NUMBER_SERVICE(Exp, exp)
NUMBER_SERVICE(Floor, floor)
NUMBER_SERVICE(Log, log)
NUMBER_SERVICE(Sin, sin)
NUMBER_SERVICE(Sqrt, sqrt)
NUMBER_SERVICE(Tan, tan)
TWO_NUMBERS_SERVICE(Atan2, atan2)
TWO_NUMBERS_SERVICE(Fmax, fmax)
TWO_NUMBERS_SERVICE(Fmin, fmin)
TWO_NUMBERS_SERVICE(Fmod, fmod)
TWO_NUMBERS_SERVICE(Pow, pow)

#define ROW(name, function)                                                                        \
    { "MSVCRT.dll", name, 0, function }
#define PLACE_ROW(name, offset)                                                                    \
    { "MSVCRT.dll", name, offset, NULL }

const MachineRow services_runtime[] = {
    PLACE_ROW("_initterm", INITTERM_AT),
    PLACE_ROW("_initterm_e", INITTERM_E_AT),
    PLACE_ROW("__mb_cur_max", CHARACTER_MAX),
    PLACE_ROW("_fmode", FILE_MODE),
    PLACE_ROW("_commode", COMMIT_MODE),
    PLACE_ROW("_iob", STREAMS_AT),
    PLACE_ROW("_pctype", TYPES_AT),
    ROW("__iob_func", Streams),
    ROW("__pctype_func", TypesPlace),
    ROW("_errno", ErrnoPlace),
    ROW("localeconv", LocaleConventions),
    ROW("setlocale", SetLocale),
    ROW("strerror", ErrorText),
    ROW("_lock", Zero),
    ROW("_unlock", Zero),
    ROW("abort", Abort),
    ROW("_amsg_exit", AmsgExit),
    ROW("exit", Exit),
    ROW("_exit", Exit),
    ROW("_cexit", Zero),
    ROW("_onexit", OnExit),
    ROW("atexit", Zero),
    ROW("getenv", GetVariable),
    ROW("malloc", Malloc),
    ROW("calloc", Calloc),
    ROW("realloc", Realloc),
    ROW("free", Free),
    ROW("memcpy", CopyMemory),
    ROW("memmove", CopyMemory),
    ROW("memset", SetMemory),
    ROW("memcmp", CompareMemory),
    ROW("memchr", FindInMemory),
    ROW("strlen", Length),
    ROW("strchr", FindFirst),
    ROW("strrchr", FindLast),
    ROW("strcmp", CompareTexts),
    ROW("strcoll", CompareTexts),
    ROW("strncmp", CompareBegins),
    ROW("_stricmp", CompareInAnyCase),
    ROW("_strcmpi", CompareInAnyCase),
    ROW("_strnicmp", CompareBeginsInAnyCase),
    ROW("strcpy", Copy),
    ROW("strcat", Append),
    ROW("strncpy", CopyBegin),
    ROW("_strdup", Duplicate),
    ROW("wcslen", WideLength),
    ROW("wcstombs", WideToBytes),
    ROW("atoi", ToNumber),
    ROW("atol", ToNumber),
    ROW("strtol", ToSigned),
    ROW("strtoul", ToUnsigned),
    ROW("tolower", ToLower),
    ROW("toupper", ToUpper),
    ROW("isupper", IsUpper),
    ROW("islower", IsLower),
    ROW("isalpha", IsAlphabetic),
    ROW("isdigit", IsDigit),
    ROW("isalnum", IsAlphanumeric),
    ROW("isspace", IsSpace),
    ROW("isxdigit", IsHexadecimal),
    ROW("fputc", PrintCharacter),
    ROW("putc", PrintCharacter),
    ROW("putchar", PrintCharacter),
    ROW("fwrite", PrintElements),
    ROW("fputs", Zero),
    ROW("puts", Zero),
    ROW("fflush", Zero),
    ROW("printf", Zero),
    ROW("fprintf", Zero),
    ROW("vprintf", Zero),
    ROW("vfprintf", Zero),
    ROW("_write", Write),
    ROW("_read", ReadNothing),
    ROW("_open", OpenNothing),
    ROW("_wopen", OpenNothing),
    ROW("fopen", OpenNoStream),
    ROW("_close", NoFile),
    ROW("_lseeki64", NoFile),
    ROW("acos", Acos),
    ROW("asin", Asin),
    ROW("atan", Atan),
    ROW("atan2", Atan2),
    ROW("ceil", Ceil),
    ROW("cos", Cos),
    ROW("exp", Exp),
    ROW("floor", Floor),
    ROW("fmax", Fmax),
    ROW("fmin", Fmin),
    ROW("fmod", Fmod),
    ROW("log", Log),
    ROW("pow", Pow),
    ROW("sin", Sin),
    ROW("sqrt", Sqrt),
    ROW("tan", Tan),
    {0},
};
