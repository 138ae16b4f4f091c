/* Fills the memory that a thread of a process finds around it: its block (TEB), the process's block
 * (PEB), the stack, and the header of the program. The offsets are those of Windows 2000 and XP.
 * Many runtime libraries of that time read these fields directly. */
#include "core/bytes.h"
#include "machine/machine_state.h"

#include <string.h>

#define PROGRAM          0x00400000u
#define PARAMETERS       0x00020000u
#define TLS_POINTERS     0x7FFDD000u
#define THREAD_BLOCK     0x7FFDE000u
#define PROCESS_BLOCK    0x7FFDF000u
#define PROCESS_ID       0x00000A4Cu
#define THREAD_ID        0x00000A50u
#define DEFAULT_STACK    0x00100000u
#define MOST_STACK       0x10000000u
#define SPARE_STACK      (4 * MACHINE_PAGE)
#define NOBODY           0xFFFFFFFFu
#define PROGRAM_PATH     "C:\\GAME\\GAME.exe"
#define PROGRAM_PE       0x80u
#define PROGRAM_OPTIONAL (PROGRAM_PE + 24u)

/* A runtime library of 2001 reads the linker's version from here to choose its heap (KB Q323635).
 * 6.0 is that of Visual C++ 6. */
static void FillProgram(uint8_t *header) {
    memcpy(header, "MZ", 2);
    Bytes_PutU32(header + 0x3C, PROGRAM_PE);
    memcpy(header + PROGRAM_PE, "PE", 2);
    Bytes_PutU16(header + PROGRAM_PE + 4, 0x014C);
    Bytes_PutU16(header + PROGRAM_PE + 20, 224);
    Bytes_PutU16(header + PROGRAM_PE + 22, 0x010F);
    uint8_t *optional = header + PROGRAM_OPTIONAL;
    Bytes_PutU16(optional, 0x010B);
    optional[2] = 6;
    Bytes_PutU32(optional + 16, MACHINE_PAGE);
    Bytes_PutU32(optional + 28, PROGRAM);
    Bytes_PutU32(optional + 32, MACHINE_PAGE);
    Bytes_PutU32(optional + 36, MACHINE_PAGE);
    Bytes_PutU16(optional + 40, 4); /* the lowest version of Windows */
    Bytes_PutU16(optional + 48, 4);
    Bytes_PutU32(optional + 56, MACHINE_PAGE);
    Bytes_PutU32(optional + 60, MACHINE_PAGE);
    Bytes_PutU16(optional + 68, 2); /* a program with windows */
    Bytes_PutU32(optional + 72, DEFAULT_STACK);
    Bytes_PutU32(optional + 76, MACHINE_PAGE);
    Bytes_PutU32(optional + 80, DEFAULT_STACK);
    Bytes_PutU32(optional + 84, MACHINE_PAGE);
    Bytes_PutU32(optional + 92, 16);
}

/* Writes a UNICODE_STRING at `row` of the page, whose text is at `text` of the page. Returns the
 * end of the text. */
static uint32_t PutString(uint8_t *page, uint32_t row, uint32_t text, const char *value) {
    uint32_t bytes = (uint32_t)strlen(value) * 2;
    Bytes_PutU16(page + row, bytes);
    Bytes_PutU16(page + row + 2, bytes + 2);
    Bytes_PutU32(page + row + 4, PARAMETERS + text);
    for (uint32_t i = 0; value[i]; i++)
        Bytes_PutU16(page + text + 2 * i, (uint8_t)value[i]);
    return text + bytes + 2;
}

RpStatus Process_Create(Machine *machine, const MachineOptions *options, RpError *error) {
    MachineMemory *memory = machine->memory;
    uint32_t stack = options->stack_bytes ? options->stack_bytes : DEFAULT_STACK;
    if (stack > MOST_STACK)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a stack of this size is not possible",
                           "stack_bytes", "at most 256 MiB", "");
    stack = (stack + MACHINE_PAGE - 1) / MACHINE_PAGE * MACHINE_PAGE;
    const uint32_t both = MACHINE_READ | MACHINE_WRITE;
    bool made = MachineMemory_Map(memory, PROGRAM, MACHINE_PAGE, both) &&
                MachineMemory_Map(memory, PARAMETERS, MACHINE_PAGE, both) &&
                MachineMemory_Map(memory, TLS_POINTERS, 3 * MACHINE_PAGE, both);
    uint32_t first = made ? MachineMemory_Find(memory, stack + SPARE_STACK, 0x10000) : 0;
    if (!first || !MachineMemory_Map(memory, first, stack + SPARE_STACK, both) ||
        !MachineMemory_Protect(memory, first, SPARE_STACK, 0))
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a guest's stack", "", "",
                           "");
    machine->stack_region = first;
    machine->stack_lowest = first + SPARE_STACK;
    machine->stack_top = machine->stack_lowest + stack;
    machine->tls_pointers = TLS_POINTERS;
    machine->process = (MachineProcess){THREAD_BLOCK, PROCESS_BLOCK, PROGRAM};
    machine->context.fs_base = THREAD_BLOCK;
    machine->context.registers.general[MACHINE_ESP] = machine->stack_top;
    FillProgram(MachineMemory_At(memory, PROGRAM));

    uint8_t *page = MachineMemory_At(memory, PARAMETERS);
    Bytes_PutU32(page, MACHINE_PAGE);
    Bytes_PutU32(page + 4, MACHINE_PAGE);
    Bytes_PutU32(page + 8, 1); /* normalized: the fields are pointers, not offsets */
    uint32_t end = PutString(page, 0x24, 0x800, "C:\\GAME\\"); /* the current directory */
    end = PutString(page, 0x38, end, PROGRAM_PATH);
    PutString(page, 0x40, end, "\"" PROGRAM_PATH "\"");

    /* Each of the loader's three lists of modules is empty: it begins and ends in itself. */
    enum { LOADER = 0x400 };
    uint8_t *process = MachineMemory_At(memory, PROCESS_BLOCK);
    Bytes_PutU32(process + 0x08, PROGRAM);
    Bytes_PutU32(process + 0x0C, PROCESS_BLOCK + LOADER);
    Bytes_PutU32(process + LOADER, 0x28);
    Bytes_PutU32(process + LOADER + 4, 1);
    for (uint32_t list = 0x0C; list <= 0x1C; list += 8) {
        Bytes_PutU32(process + LOADER + list, PROCESS_BLOCK + LOADER + list);
        Bytes_PutU32(process + LOADER + list + 4, PROCESS_BLOCK + LOADER + list);
    }
    Bytes_PutU32(process + 0x10, PARAMETERS);
    Bytes_PutU32(process + 0x64, 1); /* number of processors */
    Bytes_PutU32(process + 0xA4, 5); /* Windows XP, 5.1.2600 */
    Bytes_PutU32(process + 0xA8, 1);
    Bytes_PutU16(process + 0xAC, 2600);
    Bytes_PutU32(process + 0xB0, 2);
    Bytes_PutU32(process + 0xB4, 2);
    Bytes_PutU32(process + 0xB8, 4);

    uint8_t *block = MachineMemory_At(memory, THREAD_BLOCK);
    Bytes_PutU32(block + 0x00, NOBODY); /* end of the chain of handlers */
    Bytes_PutU32(block + 0x04, machine->stack_top);
    Bytes_PutU32(block + 0x08, machine->stack_lowest);
    Bytes_PutU32(block + 0x18, THREAD_BLOCK);
    Bytes_PutU32(block + 0x20, PROCESS_ID);
    Bytes_PutU32(block + 0x24, THREAD_ID);
    Bytes_PutU32(block + 0x2C, TLS_POINTERS);
    Bytes_PutU32(block + 0x30, PROCESS_BLOCK);

    MachineMemory_Protect(memory, PROGRAM, MACHINE_PAGE, MACHINE_READ);
    return RP_OK;
}
