/* Offers the methods of an INResFile as services of the machine. */
#include "exports/abi.h"
#include "replay/host/guest.h"
#include "replay/host/nresfile.h"

#include <string.h>

typedef struct Method {
    uint32_t number;
    const char *key; /* the key of the row that says how it is called */
    uint32_t words;  /* the number of its arguments, including the object */
} Method;

enum { FIND, DIRECTORY, DATA, FIND_TYPE, METHOD_COUNT };

static const Method methods[METHOD_COUNT] = {[FIND] = {3, "ngi32.INResFile.3", 2},
                                             [DIRECTORY] = {4, "ngi32.INResFile.4", 1},
                                             [DATA] = {6, "ngi32.INResFile.6", 3},
                                             [FIND_TYPE] = {8, "ngi32.INResFile.8", 2}};

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

static void Find(Machine *machine, void *files) {
    uint32_t words[3], fault;
    char name[NRESFILE_NAME_BYTES] = "";
    Arguments(machine, &methods[FIND], words);
    for (uint32_t i = 0; i < sizeof name; i++) {
        if (!MachineMemory_Read(Machine_Memory(machine), words[1] + i, &name[i], 1, MACHINE_READ,
                                &fault))
            break; /* the text ends where memory begins that cannot be read */
        if (!name[i])
            break;
    }
    Answer(machine, (uint32_t)NResFile_Find(files, words[0], name));
}

static void Directory(Machine *machine, void *files) {
    uint32_t words[3];
    Arguments(machine, &methods[DIRECTORY], words);
    Answer(machine, NResFile_Directory(files, words[0]));
}

static void Data(Machine *machine, void *files) {
    uint32_t words[3];
    Arguments(machine, &methods[DATA], words);
    Answer(machine, NResFile_Data(files, words[0], (int32_t)words[1]));
}

static void FindType(Machine *machine, void *files) {
    uint32_t words[3];
    Arguments(machine, &methods[FIND_TYPE], words);
    Answer(machine, (uint32_t)NResFile_FindType(files, words[0], words[1]));
}

static const MachineService services[METHOD_COUNT] = {
    [FIND] = Find, [DIRECTORY] = Directory, [DATA] = Data, [FIND_TYPE] = FindType};

/* Returns the number of bytes that a method takes off the stack. */
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

uint32_t NResFile_Methods(NResFiles *files) {
    static const uint8_t illegal[] = {0x0F, 0x0B}; /* the instruction ud2 */
    Guest *guest = files->memory->guest;
    if (files->methods)
        return files->methods;
    const uint32_t code =
        MachineMemory_Map(guest->memory, 0, GUEST_PAGE, MACHINE_READ | MACHINE_WRITE);
    const uint32_t made = Guest_Allocate(guest, 4 * NRESFILE_METHODS);
    if (!code || !made)
        return 0;
    memcpy(Guest_At(guest, code), illegal, sizeof illegal);
    MachineMemory_Protect(guest->memory, code, GUEST_PAGE, MACHINE_READ | MACHINE_EXECUTE);
    uint32_t *entries = Guest_At(guest, made);
    for (uint32_t i = 0; i < NRESFILE_METHODS; i++)
        entries[i] = code;
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        entries[methods[i].number] = Machine_AddService(guest->machine, methods[i].key,
                                                        Popped(&methods[i]), services[i], files);
        if (!entries[methods[i].number])
            return 0;
    }
    return files->methods = made;
}
