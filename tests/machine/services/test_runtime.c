/* Tests msvcrt.dll. Each function is called through its gate with the arguments on the stack. */
#include "tests/machine/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page for the data of the functions, a page for code of the guest, and an address without a
 * page. */
#define DATA    0x30000000u
#define TEXT    0x30000800u
#define END     0x30001000u
#define CODE    0x38000000u
#define WILD    0x00001000u
#define NONE    0xFFFFFFFFu
#define NO_FILE 9u

static const MachineVariable variables[] = {{"PATH", "C:\\GAME"}};
static MachineResult end;

const MachineFixture machine_fixture = {
    .options = {.engine = MACHINE_INTERPRETER,
                .most_memory = 64u << 20,
                .force_cpu = -1,
                .variables = variables,
                .variable_count = 1},
    .regions = {{DATA, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE},
                {CODE, MACHINE_PAGE, MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE}}};

static uint32_t Address(const char *name) {
    const MachineRow *row = services_windows.find("msvcrt.dll", name);
    if (!row)
        fail_msg("there is no %s", name);
    return Machine_RowAddress(machine, row);
}

/* Calls a function with three arguments, which is the most that any of them takes. */
static uint32_t Ask(const char *name, uint32_t a, uint32_t b, uint32_t c) {
    MachineContext *context = Machine_Context(machine);
    const uint32_t arguments[] = {a, b, c, 0}, esp = stack_top - 0x100;
    MachineMemory_Write(Machine_Memory(machine), esp, arguments, sizeof arguments, NULL);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = esp;
    Machine_Call(machine, Address(name), 1000000, &end);
    if (end.end == MACHINE_RETURNED)
        assert_int_equal(context->registers.general[MACHINE_ESP], esp);
    return context->registers.general[MACHINE_EAX];
}

static uint32_t Errno(void) {
    return Get(Ask("_errno", 0, 0, 0));
}

static void Faults(uint32_t target, uint32_t access) {
    const MachineFault *fault = &Machine_Context(machine)->fault;
    assert_int_equal(end.end, MACHINE_FAULTED);
    assert_int_equal(fault->code, MACHINE_ACCESS_VIOLATION);
    assert_int_equal(fault->target, target);
    assert_int_equal(fault->access, access);
}

/* ---- start and end --------------------------------------------------------------------------- */

TEST(FunctionsOfATableAreCalledInItsOrder) {
    PutCode(CODE, "FF 05 00 01 00 30 31 C0 C3");                 /* inc [DATA+100h]; 0 */
    PutCode(CODE + 0x10, "D1 25 00 01 00 30 B8 05 00 00 00 C3"); /* shl [DATA+100h], 1; 5 */
    const uint32_t table[] = {0, CODE, CODE + 0x10, 0, CODE, CODE};
    for (uint32_t i = 0; i < 6; i++)
        Put(DATA + 4 * i, table[i]);
    Put(DATA + 0x100, 0);
    Ask("_initterm", DATA, DATA + 24, 0);
    assert_int_equal(end.end, MACHINE_RETURNED);
    assert_int_equal(Get(DATA + 0x100), 4);
    Put(DATA + 0x100, 0);
    assert_int_equal(Ask("_initterm_e", DATA, DATA + 24, 0), 5);
    assert_int_equal(Get(DATA + 0x100), 2);
    assert_int_equal(Ask("_initterm_e", DATA, DATA + 8, 0), 0);
    Ask("_initterm", END - 4, END + 4, 0);
    Faults(END, MACHINE_READ);
}

TEST(EndsOfTheProcessHaveTheirCodes) {
    static const struct {
        const char *name;
        uint32_t code;
    } ends[] = {{"abort", 3}, {"_amsg_exit", 255}, {"exit", 31}, {"_exit", 31}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Ask(ends[i].name, 31, 0, 0);
        assert_int_equal(end.end, MACHINE_EXITED);
        assert_int_equal(end.exit_code, ends[i].code);
    }
}

/* A variable that is asked for by its name has the same address as an import of that name. */
TEST(DataHasOnePlace) {
    assert_int_equal(Get(Address("__mb_cur_max")), 1);
    assert_int_equal(Ask("__iob_func", 0, 0, 0), Address("_iob"));
    assert_int_equal(Get(Address("_iob") + 32 + 16), 1); /* the number of stdout */
    const uint32_t types = Get(Address("_pctype"));
    assert_int_equal(Get(types + 2 * 'F') & 0xFFFF, 0x81);
    assert_int_equal(Get(types + 2 * ' ') & 0xFFFF, 0x48);
    assert_int_equal(Get(types - 2) & 0xFFFF, 0); /* EOF */
    HasText(Get(Ask("localeconv", 0, 0, 0)), ".");
    HasText(Ask("setlocale", 0, 0, 0), "C");
    HasText(Ask("setlocale", 0, PutText(TEXT, ""), 0), "C");
    assert_int_equal(Ask("setlocale", 0, PutText(TEXT, "German"), 0), 0);
    HasText(Ask("strerror", 5, 0, 0), "Unknown error");
    HasText(Ask("getenv", PutText(TEXT, "path"), 0, 0), "C:\\GAME");
    assert_int_equal(Ask("getenv", PutText(TEXT, "nothing"), 0, 0), 0);
    assert_ptr_equal(services_windows.find("ucrtbase.dll", "malloc"),
                     services_windows.find("MSVCRT", "malloc"));
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(BlocksKeepTheirBytes) {
    uint32_t block = Ask("malloc", 20, 0, 0);
    Put(block + 16, 77);
    uint32_t grown = Ask("realloc", block, 5000, 0);
    assert_int_not_equal(grown, block);
    assert_int_equal(Get(grown + 16), 77);
    assert_int_equal(Ask("realloc", grown, 0, 0), 0);
    block = Ask("calloc", 5, 4, 0);
    assert_int_equal(Get(block + 16), 0);
    Ask("free", block, 0, 0);
    assert_int_equal(end.end, MACHINE_RETURNED);
    Ask("free", block, 0, 0); /* the block is freed twice */
    Faults(block, MACHINE_WRITE);
    Ask("free", 0, 0, 0);
    assert_int_equal(end.end, MACHINE_RETURNED);
    assert_int_equal(Ask("calloc", 0x10000, 0x10001, 0), 0);
    assert_int_equal(Ask("malloc", NONE, 0, 0), 0);
    assert_int_equal(Errno(), 12);
}

TEST(CopiesOverThemselvesAreMoves) {
    MachineMemory *memory = Machine_Memory(machine);
    static const uint32_t shifts[][2] = {{0, 300}, {300, 0}, {100, 101}, {101, 100}, {8, 8}};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        uint8_t expected[2000], found[2000];
        for (uint32_t k = 0; k < sizeof expected; k++)
            expected[k] = (uint8_t)(k * 7 + k / 256);
        assert_true(MachineMemory_Write(memory, DATA, expected, sizeof expected, NULL));
        memmove(expected + shifts[i][1], expected + shifts[i][0], 1500);
        assert_int_equal(Ask("memmove", DATA + shifts[i][1], DATA + shifts[i][0], 1500),
                         DATA + shifts[i][1]);
        assert_true(MachineMemory_Read(memory, DATA, found, sizeof found, MACHINE_READ, NULL));
        assert_memory_equal(found, expected, sizeof found);
    }
    Ask("memcpy", END - 2, DATA, 4);
    assert_int_equal(end.end, MACHINE_FAULTED);
    Ask("memcpy", DATA, WILD, 4);
    Faults(WILD, MACHINE_READ);
    assert_int_equal(Ask("memset", DATA + 1, 0x12A5, 600), DATA + 1);
    assert_int_equal(Get(DATA + 597), 0xA5A5A5A5);
    Ask("memset", DATA, 0, NONE);
    Faults(END, MACHINE_WRITE);
}

TEST(MemoryIsComparedAndSearched) {
    PutText(DATA, "abc");
    PutText(TEXT, "abd");
    assert_int_equal(Ask("memcmp", DATA, TEXT, 2), 0);
    assert_int_equal(Ask("memcmp", DATA, TEXT, 3), NONE);
    assert_int_equal(Ask("memcmp", TEXT, DATA, 3), 1);
    assert_int_equal(Ask("memchr", DATA, 0x100 | 'c', 3), DATA + 2);
    assert_int_equal(Ask("memchr", DATA, 'c', 2), 0);
    PutText(END - 4, "end");
    Ask("memchr", END - 4, 'x', 5);
    Faults(END, MACHINE_READ);
}

/* ---- texts ----------------------------------------------------------------------------------- */

TEST(TextsAreMeasuredComparedAndSearched) {
    char longer[700];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(Ask("strlen", PutText(DATA, longer), 0, 0), 699);
    PutText(DATA, "one Two one");
    assert_int_equal(Ask("strchr", DATA, 'o', 0), DATA);
    assert_int_equal(Ask("strrchr", DATA, 'o', 0), DATA + 8);
    assert_int_equal(Ask("strchr", DATA, 0, 0), DATA + 11);
    assert_int_equal(Ask("strrchr", DATA, 'q', 0), 0);
    PutText(TEXT, "ONE two on");
    assert_int_equal(Ask("strcmp", DATA, TEXT, 0), 1);
    assert_int_equal(Ask("_stricmp", DATA, TEXT, 0), 1);
    assert_int_equal(Ask("_strnicmp", DATA, TEXT, 10), 0);
    assert_int_equal(Ask("strncmp", DATA, TEXT, 0), 0);
    assert_int_equal(Ask("strcmp", DATA, DATA, 0), 0);
    Ask("strlen", WILD, 0, 0);
    Faults(WILD, MACHINE_READ);
    static const uint16_t wide[] = {'w', 0x20AC, 'd', 0};
    assert_true(MachineMemory_Write(Machine_Memory(machine), DATA, wide, sizeof wide, NULL));
    assert_int_equal(Ask("wcslen", DATA, 0, 0), 3);
    assert_int_equal(Ask("wcstombs", TEXT, DATA, 10), NONE);
    assert_int_equal(Errno(), 42);
    assert_int_equal(Ask("wcstombs", TEXT, DATA + 4, 10), 1);
    HasText(TEXT, "d");
}

TEST(TextsAreCopied) {
    PutText(TEXT, "four");
    assert_int_equal(Ask("strcpy", DATA, TEXT, 0), DATA);
    assert_int_equal(Ask("strcat", DATA, TEXT, 0), DATA);
    HasText(DATA, "fourfour");
    Ask("strncpy", DATA, TEXT, 2);
    HasText(DATA, "fourfour");
    Ask("strncpy", DATA + 1, TEXT, 7);
    HasText(DATA, "ffour");
    assert_int_equal(Get(DATA + 5), 0);
    HasText(Ask("_strdup", TEXT, 0, 0), "four");
    Ask("strcpy", END - 3, TEXT, 0);
    assert_int_equal(end.end, MACHINE_FAULTED);
}

TEST(NumbersAreRead) {
    static const struct {
        const char *text;
        uint32_t base, is, as_unsigned, length;
    } rows[] = {
        {" \t-12x", 10, (uint32_t)-12, (uint32_t)-12, 5},
        {"0x1Fg", 0, 31, 31, 4},
        {"0x1F", 16, 31, 31, 4},
        {"0xg", 0, 0, 0, 1},
        {"0778", 0, 63, 63, 3},
        {"zz", 36, 1295, 1295, 2},
        {"+", 10, 0, 0, 0},
        {"2147483648", 10, 0x7FFFFFFF, 0x80000000, 10},
        {"-2147483649", 10, 0x80000000, 0x7FFFFFFF, 11},
        {"99999999999999999999999", 10, 0x7FFFFFFF, NONE, 23},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PutText(TEXT, rows[i].text);
        assert_int_equal(Ask("strtol", TEXT, DATA, rows[i].base), rows[i].is);
        assert_int_equal(Get(DATA), TEXT + rows[i].length);
        assert_int_equal(Ask("strtoul", TEXT, 0, rows[i].base), rows[i].as_unsigned);
    }
    assert_int_equal(Errno(), 34);
    assert_int_equal(Ask("atoi", PutText(TEXT, "77 "), 0, 0), 77);
    assert_int_equal(Ask("strtol", TEXT, 0, 1), 0);
    assert_int_equal(Errno(), 22);
    Ask("atoi", WILD, 0, 0);
    Faults(WILD, MACHINE_READ);
    assert_int_equal(Ask("toupper", 'q', 0, 0), 'Q');
    assert_int_equal(Ask("tolower", 'Q', 0, 0), 'q');
    assert_int_equal(Ask("isspace", '\n', 0, 0), 8);
    assert_int_equal(Ask("isxdigit", 'g', 0, 0), 0);
    assert_int_equal(Ask("isalpha", 0x12345, 0, 0), 0);
}

TEST(NothingIsPrintedAndNoFileIsThere) {
    assert_int_equal(Ask("fputc", 'x', Address("_iob") + 32, 0), 'x');
    assert_int_equal(Ask("_write", 1, DATA, 17), 17);
    assert_int_equal(Ask("_write", 3, DATA, 17), NONE);
    assert_int_equal(Errno(), NO_FILE);
    assert_int_equal(Ask("_open", PutText(TEXT, "C:\\Notes.txt"), 0, 0), NONE);
    assert_int_equal(Errno(), 2);
    assert_int_equal(Ask("_lseeki64", 5, 0, 0), NONE);
    assert_int_equal(Machine_Context(machine)->registers.general[MACHINE_EDX], NONE);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Takes the number on top of the x87's stack, which must be the only one. */
static double Popped(void) {
    const MachineVectors *vectors = &Machine_Context(machine)->registers.vectors;
    uint64_t significand;
    uint16_t exponent;
    assert_int_equal(end.end, MACHINE_RETURNED);
    assert_int_equal(vectors->tags, 0x80);
    assert_int_equal(vectors->status >> 11 & 7, 7);
    memcpy(&significand, vectors->st[0], 8);
    memcpy(&exponent, vectors->st[0] + 8, 2);
    if ((exponent & 0x7FFF) == 0x7FFF)
        return significand << 1 ? NAN : INFINITY;
    double value = ldexp((double)significand, (exponent & 0x7FFF) - 16383 - 63);
    return exponent & 0x8000 ? -value : value;
}

TEST(NumbersAreReturnedOnTheX87sStack) {
    static const double values[] = {0,    -0.0,   1,        -1.5,     0.1,       1e300,
                                    -7e9, 5e-324, 2.5e-310, INFINITY, 123456.789};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t bits[2];
        memcpy(bits, &values[i], sizeof bits);
        Ask("floor", bits[0], bits[1], 0);
        assert_true(Popped() == floor(values[i]));
        Ask("sin", bits[0], bits[1], 0);
        if (isnan(sin(values[i])))
            assert_true(isnan(Popped()));
        else
            assert_true(Popped() == sin(values[i]));
        Ask("fmin", bits[0], bits[1], 0); /* the other number is 0 */
        assert_true(Popped() == fmin(values[i], 0));
    }
}

TEST(AFullX87StackOverflows) {
    MachineContext *context = Machine_Context(machine);
    MachineRegisters_Init(&context->registers);
    context->registers.vectors.tags = 0xFF;
    context->registers.general[MACHINE_ESP] = stack_top - 0x100;
    Machine_Call(machine, Address("floor"), 100, &end);
    assert_int_equal(context->registers.vectors.status & 0x3A41, 0x3A41);
    static const uint8_t indefinite[10] = {0, 0, 0, 0, 0, 0, 0, 0xC0, 0xFF, 0xFF};
    assert_memory_equal(context->registers.vectors.st[0], indefinite, 10);
}

/* ---- all of them ----------------------------------------------------------------------------- */

TEST(NoArgumentHarmsTheHost) {
    static const uint32_t values[] = {0,    1,    4,       NONE,       0x80000000, 0x7FFFFFFF,
                                      WILD, DATA, END - 3, 0xFFFFF000, TEXT,       CODE};
    enum { COUNT = sizeof values / sizeof *values };
    assert_int_equal(Machine_Save(machine, NULL), RP_OK);
    for (uint32_t i = 0; Services_At(i); i++) {
        if (strcmp(Services_At(i)->module, "MSVCRT.dll") != 0)
            continue;
        for (uint32_t k = 0; k < COUNT * COUNT * COUNT; k += 7) {
            PutText(TEXT, "C:\\Notes.txt");
            Ask(Services_At(i)->name, values[k % COUNT], values[k / COUNT % COUNT],
                values[k / COUNT / COUNT]);
        }
        assert_int_equal(Machine_Restore(machine, NULL), RP_OK);
    }
}

AROUND_EACH(Fixture_Make, Fixture_Destroy)
