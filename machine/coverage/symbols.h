/* The symbols of a DLL: in which function and source an address is. A linker leaves them in files
 * that nobody has stripped, as GCC's and ours are; others have none. */
#ifndef RETROPOSE_MACHINE_COVERAGE_SYMBOLS_H
#define RETROPOSE_MACHINE_COVERAGE_SYMBOLS_H

#include "core/pe/pe.h"

typedef struct Symbol {
    uint32_t rva;
    char name[48];   /* as the source has it: `Write` stands for _Write, @Write@8 and _Write.cold */
    char source[16]; /* the name of the source file, of which a linker keeps 14 bytes */
} Symbol;

typedef struct Symbols {
    Symbol *list; /* by rising addresses */
    size_t count;
} Symbols;

/* Reads the symbols of all code. Only RP_NO_MEMORY is an error: what is wrong with the table of a
 * file is left out. */
RpStatus Symbols_Read(const PeFile *file, Symbols *symbols, RpError *error);
void Symbols_Free(Symbols *symbols);
/* Returns the last symbol at or before an address, or null. */
const Symbol *Symbols_At(const Symbols *symbols, uint32_t rva);

#endif
