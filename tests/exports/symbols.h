/* The linker's symbols in a DLL that is not stripped: where each function begins, and what the
 * imported ones are called, with their decoration. */
#ifndef RETROPOSE_TESTS_EXPORTS_SYMBOLS_H
#define RETROPOSE_TESTS_EXPORTS_SYMBOLS_H

#include "core/pe/pe.h"

typedef struct Symbol {
    char name[64]; /* shortened if it is longer */
    uint32_t rva;
    bool function;
} Symbol;

typedef struct Symbols {
    Symbol *rows;
    size_t count; /* 0 for a stripped file */
} Symbols;

/* Returns false when memory runs out or when the table does not lie in the file. */
bool Symbols_Read(const PeFile *pe, Symbols *symbols);
void Symbols_Free(Symbols *symbols);

bool Symbols_IsFunction(const Symbols *symbols, uint32_t rva);
/* Writes the name without its decoration: a leading _ or @ and a trailing @BYTES. */
void Symbol_Plain(const Symbol *symbol, char *name, size_t size);
/* Returns N of the first symbol at `rva` that is decorated with @N, or -1 if there is none. */
int Symbols_PoppedBytes(const Symbols *symbols, uint32_t rva);

#endif
