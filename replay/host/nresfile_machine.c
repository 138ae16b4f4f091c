/* The methods of an INResFile as services of the machine. */
#include "exports/abi.h"
#include "replay/host/guest.h"
#include "replay/host/nresfile.h"

#include <string.h>

typedef struct Method {
    uint32_t number;
    const char *key; /* of the row that says how it is called */
    uint32_t words;  /* of its arguments, the object's among them */
    MachineService service;
} Method;

/* Reads the arguments of a method as its row's convention passes them. None of the methods has a
 * float, which would not be passed in a register. */
static void Arguments(Machine *machine, const Method *method, uint32_t words[3]) {
    const AbiConvention convention = Abi_Find(method->key)->convention;
    const uint32_t *registers = Machine_Context(machine)->registers.general;
    const uint32_t in_registers = convention == ABI_FASTCALL   ? 2
                                  : convention == ABI_THISCALL ? 1
                                                               : 0;
    for (uint32_t i = 0; i < method->words; i++)
        words[i] = i < in_registers ? registers[i == 0 ? MACHINE_ECX : MACHINE_EDX]
                                    : Machine_Argument(machine, i - in_registers);
}

static void Answer(Machine *machine, uint32_t word) {
    Machine_Context(machine)->registers.general[MACHINE_EAX] = word;
}

static void Find(Machine *machine, void *method) {
    uint32_t words[3], fault;
    char name[NRESFILE_NAME_BYTES] = "";
    Arguments(machine, method, words);
    for (uint32_t i = 0; i < sizeof name; i++) {
        if (!MachineMemory_Read(guest_memory, words[1] + i, &name[i], 1, MACHINE_READ, &fault))
            break; /* what is there ends in front of memory that cannot be read */
        if (!name[i])
            break;
    }
    Answer(machine, (uint32_t)NResFile_Find(words[0], name));
}

static void Directory(Machine *machine, void *method) {
    uint32_t words[3];
    Arguments(machine, method, words);
    Answer(machine, NResFile_Directory(words[0]));
}

static void Data(Machine *machine, void *method) {
    uint32_t words[3];
    Arguments(machine, method, words);
    Answer(machine, NResFile_Data(words[0], (int32_t)words[1]));
}

static void FindType(Machine *machine, void *method) {
    uint32_t words[3];
    Arguments(machine, method, words);
    Answer(machine, (uint32_t)NResFile_FindType(words[0], words[1]));
}

static const Method methods[] = {{3, "ngi32.INResFile.3", 2, Find},
                                 {4, "ngi32.INResFile.4", 1, Directory},
                                 {6, "ngi32.INResFile.6", 3, Data},
                                 {8, "ngi32.INResFile.8", 2, FindType}};

/* The bytes that a method takes off the stack. */
static uint32_t Popped(const Method *method) {
    switch (Abi_Find(method->key)->convention) {
    case ABI_CDECL:
        return 0;
    case ABI_STDCALL:
        return 4 * method->words;
    case ABI_THISCALL:
        return 4 * (method->words - 1);
    default:
        return method->words > 2 ? 4 * (method->words - 2) : 0;
    }
}

uint32_t NResFile_Methods(void) {
    static uint32_t table;
    static const uint8_t illegal[] = {0x0F, 0x0B}; /* ud2 */
    if (table)
        return table;
    const uint32_t code =
        MachineMemory_Map(guest_memory, 0, GUEST_PAGE, MACHINE_READ | MACHINE_WRITE);
    const uint32_t made = Guest_Allocate(4 * NRESFILE_METHODS);
    if (!code || !made)
        return 0;
    memcpy(Guest_At(code), illegal, sizeof illegal);
    MachineMemory_Protect(guest_memory, code, GUEST_PAGE, MACHINE_READ | MACHINE_EXECUTE);
    uint32_t *entries = Guest_At(made);
    for (uint32_t i = 0; i < NRESFILE_METHODS; i++)
        entries[i] = code;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        entries[methods[i].number] =
            Machine_AddService(guest_machine, methods[i].key, Popped(&methods[i]),
                               methods[i].service, (void *)(uintptr_t)&methods[i]);
        if (!entries[methods[i].number])
            return 0;
    }
    return table = made;
}
