/* Accesses the guest's memory. Every address and size comes from the guest. */
#include "core/bytes.h"
#include "machine/exceptions.h"
#include "machine/services/service_state.h"

#include <string.h>

#define LAST_ERROR_AT 0x34u /* offset in the thread's block */
#define BYTES_EACH    64u   /* a service that accesses so many bytes is charged one instruction */

void Return(Machine *machine, uint32_t value) {
    Machine_Context(machine)->registers.general[MACHINE_EAX] = value;
}

void PutLastError(Machine *machine, uint32_t error) {
    Access_Put32(machine, Machine_Context(machine)->fs_base + LAST_ERROR_AT, error);
}

void Refuse(Machine *machine, uint32_t error, uint32_t value) {
    PutLastError(machine, error);
    Return(machine, value);
}

void Access_Charge(Machine *machine, uint32_t instructions) {
    uint64_t *budget = &Machine_Context(machine)->budget;
    *budget -= instructions < *budget ? instructions : *budget;
}

bool Access_Read(Machine *machine, uint32_t address, void *to, uint32_t size) {
    Access_Charge(machine, 1 + size / BYTES_EACH);
    return MachineMemory_Read(Machine_Memory(machine), address, to, size, MACHINE_READ, NULL);
}

/* The interpreter notices only its own writes to code. */
bool Access_Write(Machine *machine, uint32_t address, const void *from, uint32_t size) {
    Access_Charge(machine, 1 + size / BYTES_EACH);
    MachineMemory *memory = Machine_Memory(machine);
    if (!MachineMemory_Write(memory, address, from, size, NULL))
        return false;
    for (uint64_t at = address; at < (uint64_t)address + size;
         at += MACHINE_PAGE - at % MACHINE_PAGE)
        if (MachineMemory_Protection(memory, (uint32_t)at) & MACHINE_EXECUTE) {
            Machine_CodeChanged(machine, address, size);
            break;
        }
    return true;
}

bool Access_Get32(Machine *machine, uint32_t address, uint32_t *value) {
    uint8_t bytes[4];
    if (!Access_Read(machine, address, bytes, sizeof bytes))
        return false;
    *value = Bytes_U32(bytes);
    return true;
}

bool Access_Put32(Machine *machine, uint32_t address, uint32_t value) {
    uint8_t bytes[4];
    Bytes_PutU32(bytes, value);
    return Access_Write(machine, address, bytes, sizeof bytes);
}

bool Access_Clear(Machine *machine, uint32_t address, uint32_t size) {
    static const uint8_t zeros[MACHINE_PAGE];
    for (uint32_t done = 0, part; done < size; done += part) {
        part = size - done < sizeof zeros ? size - done : (uint32_t)sizeof zeros;
        if (!Access_Write(machine, address + done, zeros, part))
            return false;
    }
    return true;
}

bool Access_Copy(Machine *machine, uint32_t to, uint32_t from, uint32_t size) {
    uint8_t bytes[MACHINE_PAGE];
    for (uint32_t done = 0, part; done < size; done += part) {
        part = size - done < sizeof bytes ? size - done : (uint32_t)sizeof bytes;
        if (!Access_Read(machine, from + done, bytes, part) ||
            !Access_Write(machine, to + done, bytes, part))
            return false;
    }
    return true;
}

bool Access_HasCode(Machine *machine, uint32_t first, uint32_t size) {
    const MachineMemory *memory = Machine_Memory(machine);
    for (uint32_t at = 0; at < size; at += MACHINE_PAGE)
        if (MachineMemory_Protection(memory, first + at) & (MACHINE_EXECUTE | MACHINE_WATCHED))
            return true;
    return false;
}

bool Access_Unmap(Machine *machine, uint32_t first) {
    MachineMemory *memory = Machine_Memory(machine);
    uint32_t start, size;
    if (!MachineMemory_Region(memory, first, &start, &size) || start != first)
        return false;
    bool had_code = Access_HasCode(machine, first, size);
    Access_ChargePages(machine, size);
    MachineMemory_Unmap(memory, first);
    if (had_code)
        Machine_CodeChanged(machine, first, size);
    return true;
}

bool Access_GetText(Machine *machine, uint32_t address, bool wide, char *text, uint32_t capacity) {
    for (uint32_t i = 0; i < capacity; i++) {
        uint8_t bytes[2] = {0};
        if (!Access_Read(machine, address + i * (wide ? 2 : 1), bytes, wide ? 2 : 1))
            return false;
        uint8_t byte = bytes[0];
        if (wide && !CodePage_ToByte(Bytes_U16(bytes), &byte))
            byte = '?';
        text[i] = (char)byte;
        if (byte == 0)
            return true;
    }
    return false;
}

bool Access_PutText(Machine *machine, uint32_t address, bool wide, const char *text,
                    uint32_t length) {
    for (uint32_t i = 0; i <= length; i++) {
        uint8_t bytes[2] = {i < length ? (uint8_t)text[i] : 0};
        if (wide)
            Bytes_PutU16(bytes, CodePage_ToWide(bytes[0]));
        if (!Access_Write(machine, address + i * (wide ? 2 : 1), bytes, wide ? 2 : 1))
            return false;
    }
    return true;
}

void Access_Answer(Machine *machine, uint32_t address, uint32_t capacity, bool wide,
                   const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    if (length >= capacity)
        Return(machine, length + 1);
    else if (Access_PutText(machine, address, wide, text, length))
        Return(machine, length);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

void Access_Fault(Machine *machine, uint32_t popped, uint32_t address, bool write) {
    MachineException exception = {
        .code = MACHINE_ACCESS_VIOLATION, .count = 2, .parameters = {write ? 1 : 0, address}};
    Exceptions_Raise(machine, popped, &exception);
    MachineFault *fault = &Machine_Context(machine)->fault;
    fault->access = write ? MACHINE_WRITE : MACHINE_READ;
    fault->target = address;
}
