/* Decodes the 32-bit instructions of a PE file one at a time, by Zydis 3 or 4. */
#ifndef RETROPOSE_GAME_PROBE_DECODE_H
#define RETROPOSE_GAME_PROBE_DECODE_H

#include "core/pe/pe.h"

#include <Zydis/Zydis.h>

typedef struct ProbeInstruction {
    uint32_t rva, length, operand_count;
    ZydisMnemonic mnemonic;
    bool relative;   /* its operand is the distance to a target */
    uint32_t target; /* the RVA of that target */
    ZydisISAExt extension;
    /* hidden operands follow the written ones */
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
} ProbeInstruction;

/* Returns false if the address is not in an executable section or is behind the file's data, and if
 * there is no valid instruction. */
bool ProbeInstruction_Decode(const PeFile *file, uint32_t rva, ProbeInstruction *instruction);

/* Returns the name without operands: "ret" for "ret 8". */
const char *ProbeInstruction_Name(const ProbeInstruction *instruction);
/* Returns whether it works on an XMM register. */
bool ProbeInstruction_UsesXmm(const ProbeInstruction *instruction);
/* Returns 0 (EAX) to 7 (EDI) for a 32-bit register or a part of one, else -1. */
int ProbeRegister_Index(ZydisRegister name);
/* If the operand holds an address in the image, returns its RVA, otherwise 0. */
uint32_t ProbeOperand_Address(const PeFile *file, const ZydisDecodedOperand *operand);

#endif
