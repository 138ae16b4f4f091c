/* Reads and writes the operands of integer instructions. */
#ifndef RETROPOSE_MACHINE_INTERPRETER_OPERANDS_H
#define RETROPOSE_MACHINE_INTERPRETER_OPERANDS_H

#include "machine/interpreter/cache.h"
#include "machine/interpreter/step.h"

/* Raises the exception whose code is the immediate. This is the handler of instructions that always
 * raise one. */
static inline bool Operation_RaiseImmediate(Step *step, const Operation *operation) {
    return Step_Raise(step, operation->immediate);
}

/* Returns whether a jump with this condition is taken. */
static inline bool Operation_Holds(uint32_t condition, uint32_t eflags) {
    bool less = !(eflags & MACHINE_SF) != !(eflags & MACHINE_OF), holds = false;
    switch (condition >> 1) {
    case 0:
        holds = eflags & MACHINE_OF;
        break;
    case 1:
        holds = eflags & MACHINE_CF;
        break;
    case 2:
        holds = eflags & MACHINE_ZF;
        break;
    case 3:
        holds = eflags & (MACHINE_CF | MACHINE_ZF);
        break;
    case 4:
        holds = eflags & MACHINE_SF;
        break;
    case 5:
        holds = eflags & MACHINE_PF;
        break;
    case 6:
        holds = less;
        break;
    default:
        holds = less || (eflags & MACHINE_ZF);
        break;
    }
    return holds != (condition & 1);
}

/* Reads up to 4 bytes of memory as a number. */
static inline bool Operation_Load(Step *step, uint32_t address, uint32_t size, uint32_t *value) {
    const MachineMemory *memory = step->context->memory;
    uint32_t page = address / MACHINE_PAGE, offset = address % MACHINE_PAGE;
    uint8_t copy[4];
    const uint8_t *bytes = copy;
    if (offset + size <= MACHINE_PAGE && (memory->protection[page] & STEP_READABLE))
        bytes = memory->pages[page] + offset;
    else if (!Step_Load(step, address, copy, size))
        return false;

    if (size == 4)
        *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                 (uint32_t)bytes[3] << 24;
    else if (size == 2)
        *value = bytes[0] | (uint32_t)bytes[1] << 8;
    else
        *value = bytes[0];
    return true;
}

/* Returns the host's pointer to a range that can be written without further checks, or null. */
static inline uint8_t *Operation_Writable(const Step *step, uint32_t address, uint32_t size) {
    const MachineMemory *memory = step->context->memory;
    uint32_t page = address / MACHINE_PAGE, offset = address % MACHINE_PAGE;
    if (offset + size > MACHINE_PAGE || step->cache->code[page] ||
        (memory->protection[page] & (MACHINE_WRITE | MACHINE_WATCHED)) != MACHINE_WRITE)
        return NULL;
    return memory->pages[page] + offset;
}

static inline bool Operation_Store(Step *step, uint32_t address, uint32_t size, uint32_t value) {
    uint8_t copy[4], *bytes = Operation_Writable(step, address, size);
    uint8_t *to = bytes ? bytes : copy;
    to[0] = (uint8_t)value;
    if (size >= 2)
        to[1] = (uint8_t)(value >> 8);
    if (size == 4) {
        to[2] = (uint8_t)(value >> 16);
        to[3] = (uint8_t)(value >> 24);
    }
    return bytes || Step_Store(step, address, copy, size);
}

static inline bool Operation_CanStore(Step *step, uint32_t address, uint32_t size) {
    return Operation_Writable(step, address, size) || Step_CanStore(step, address, size);
}

/* Returns the address that LEA gives, which does not include a segment. `plus` is added before the
 * address is cut to 16 bits, if addresses have 16. */
static inline uint32_t Operation_Offset(const Step *step, const Operation *operation,
                                        uint32_t plus) {
    const uint32_t *general = step->registers->general;
    uint32_t base = general[operation->base] & operation->base_mask;
    uint32_t index = general[operation->index] & operation->index_mask;
    return (base + (index << operation->scale) + operation->displacement + plus) &
           operation->address_mask;
}

static inline uint32_t Operation_Address(const Step *step, const Operation *operation) {
    uint32_t offset = Operation_Offset(step, operation, 0);
    return operation->fs ? offset + step->context->fs_base : offset;
}

static inline uint32_t Operation_Get(const Step *step, const Place *place) {
    return step->registers->general[place->number] >> place->shift & place->mask;
}

static inline void Operation_Set(const Step *step, const Place *place, uint32_t value) {
    uint32_t *whole = &step->registers->general[place->number];
    *whole = (*whole & ~(place->mask << place->shift)) | (value & place->mask) << place->shift;
}

/* Reads an operand of any kind. */
static inline bool Operation_Read(Step *step, const Operation *operation, const Place *place,
                                  uint32_t *value) {
    if (place->kind == PLACE_REGISTER)
        *value = Operation_Get(step, place);
    else if (place->kind == PLACE_MEMORY)
        return Operation_Load(step, Operation_Address(step, operation), place->size, value);
    else
        *value = operation->immediate & place->mask;
    return true;
}

/* Reads a destination that is written afterwards. Processors check the right to write before they
 * read. Therefore such an instruction faults as a write, even on a page that cannot be read either.
 * The tests have seen this of each such instruction. */
static inline bool Operation_Modify(Step *step, const Operation *operation, uint32_t *value) {
    const Place *place = &operation->first;
    if (place->kind == PLACE_REGISTER) {
        *value = Operation_Get(step, place);
        return true;
    }
    uint32_t address = Operation_Address(step, operation);
    return Operation_CanStore(step, address, place->size) &&
           Operation_Load(step, address, place->size, value);
}

/* Writes a destination. */
static inline bool Operation_Write(Step *step, const Operation *operation, uint32_t value) {
    const Place *place = &operation->first;
    if (place->kind == PLACE_MEMORY)
        return Operation_Store(step, Operation_Address(step, operation), place->size, value);
    Operation_Set(step, place, value);
    return true;
}

#endif
