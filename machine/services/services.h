/* The part of Windows that is needed: one table with a row for each function that our DLLs, the
 * stand-in and a static C runtime of 2001 call when they are loaded, and in the functions that are
 * compared. No call reaches the host. Clocks advance only when they are asked, the registry has
 * ForceCpu and nothing else, and files are those of the machine's options. */
#ifndef RETROPOSE_MACHINE_SERVICES_SERVICES_H
#define RETROPOSE_MACHINE_SERVICES_SERVICES_H

#include "machine/x86_machine.h"

extern const MachineSystem services_windows;

/* Returns a row of the table, for tests and documents, and null after the last one. */
const MachineRow *Services_At(uint32_t index);

#endif
