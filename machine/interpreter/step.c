#include "machine/interpreter/step.h"

#include "machine/interpreter/cache.h"

bool Step_Load(Step *step, uint32_t address, void *to, uint32_t size) {
    MachineFault *fault = &step->context->fault;
    if (MachineMemory_Read(step->context->memory, address, to, size, STEP_READABLE, &fault->target))
        return true;
    fault->code = MACHINE_ACCESS_VIOLATION;
    fault->access = MACHINE_READ;
    return false;
}

bool Step_Store(Step *step, uint32_t address, const void *from, uint32_t size) {
    MachineFault *fault = &step->context->fault;
    if (!MachineMemory_Write(step->context->memory, address, from, size, &fault->target)) {
        fault->code = MACHINE_ACCESS_VIOLATION;
        fault->access = MACHINE_WRITE;
        return false;
    }
    const uint8_t *code = step->cache->code;
    if (code[address / MACHINE_PAGE] || code[(address + size - 1) / MACHINE_PAGE])
        Cache_Forget(step->cache, address, size);
    return true;
}

bool Step_CanStore(Step *step, uint32_t address, uint32_t size) {
    const uint32_t right = MACHINE_WRITE | MACHINE_WATCHED;
    MachineMemory *memory = step->context->memory;
    for (uint32_t done = 0; done < size;) {
        uint32_t at = address + done;
        uint8_t protection = MachineMemory_Protection(memory, at);
        /* This is the rule of MachineMemory_Write, which also calls the hook if a page is
         * watched. */
        if ((protection & right) != MACHINE_WRITE && (protection & ~MACHINE_WATCHED) &&
            memory->write_hook && memory->write_hook(memory->write_context, at))
            protection = MachineMemory_Protection(memory, at);
        if ((protection & right) != MACHINE_WRITE) {
            step->context->fault.code = MACHINE_ACCESS_VIOLATION;
            step->context->fault.access = MACHINE_WRITE;
            step->context->fault.target = at;
            return false;
        }
        done += MACHINE_PAGE - at % MACHINE_PAGE;
    }
    return true;
}

uint32_t Step_Address(const Step *step, const ZydisDecodedOperand *operand) {
    const uint32_t *general = step->registers->general;
    const ZydisDecodedOperandMem *memory = &operand->mem;
    bool narrow = step->decoded->instruction.address_width == 16;
    ZydisRegister first = narrow ? ZYDIS_REGISTER_AX : ZYDIS_REGISTER_EAX;

    uint32_t address = memory->disp.has_displacement ? (uint32_t)memory->disp.value : 0;
    if (memory->base != ZYDIS_REGISTER_NONE)
        address += general[(memory->base - first) & 7];
    if (memory->index != ZYDIS_REGISTER_NONE)
        address += general[(memory->index - first) & 7] * memory->scale;
    if (narrow)
        address &= 0xFFFF;
    return memory->segment == ZYDIS_REGISTER_FS ? address + step->context->fs_base : address;
}

bool Step_Raise(Step *step, uint32_t code) {
    /* All other access violations are general protection faults. Windows reports such a fault as a
     * read at the highest address. */
    bool protection = code == MACHINE_ACCESS_VIOLATION;
    step->context->fault.code = code;
    step->context->fault.access = protection ? MACHINE_READ : 0;
    step->context->fault.target = protection ? 0xFFFFFFFFu : 0;
    return false;
}
