#include "machine/processor/context.h"

#include <string.h>

void MachineRegisters_Init(MachineRegisters *registers) {
    memset(registers, 0, sizeof *registers);
    registers->vectors.control = 0x027F; /* Windows' default: 53 bits, all exceptions masked */
    registers->vectors.mxcsr = 0x1F80;
    registers->vectors.mxcsr_mask = 0xFFFF;
}
