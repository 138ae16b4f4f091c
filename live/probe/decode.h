/* 32-bit instructions of a PE file, one at a time, by Zydis 3 or 4. */
#ifndef RETROPOSE_LIVE_PROBE_DECODE_H
#define RETROPOSE_LIVE_PROBE_DECODE_H

#include "replay/provider/pe.h"

#include <Zydis/Zydis.h>

typedef struct ProbeInstruction {
    uint32_t rva, length, operand_count;
    ZydisMnemonic mnemonic;
    bool relative;   /* names its target by a distance from itself */
    uint32_t target; /* then: its RVA */
    ZydisISAExt extension;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]; /* hidden ones behind the written */
} ProbeInstruction;

/* False outside of executable sections, past the file's data, and for what is no instruction. */
bool ProbeInstruction_Decode(const PeFile *file, uint32_t rva, ProbeInstruction *instruction);

/* "ret 8" without its operands: "ret". */
const char *ProbeInstruction_Name(const ProbeInstruction *instruction);
/* Whether it works on an XMM register. */
bool ProbeInstruction_UsesXmm(const ProbeInstruction *instruction);
/* 0 (EAX) to 7 (EDI) for a 32-bit register or a part of it, else -1. */
int ProbeRegister_Index(ZydisRegister name);
/* The RVA of an address inside of the image that the operand holds; 0 for none. */
uint32_t ProbeOperand_Address(const PeFile *file, const ZydisDecodedOperand *operand);

#endif
