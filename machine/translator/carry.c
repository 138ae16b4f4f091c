#include "machine/translator/code.h"

#ifdef TRANSLATOR_HOST

/* How an instruction is carried over into 64-bit code. STEP leaves it to the interpreter. Every
 * mnemonic that the table does not name has STEP. */
enum {
    STEP,
    COPY, /* the same bytes, with prefixes and another form of the address */
    MOVE, /* COPY, but segment and control registers are left to the interpreter */
    BIT,  /* COPY, but a register as the bit index of a memory operand is left to the interpreter:
             its address can be 256 MiB away and is not cut to 32 bits */
    SWAP, /* COPY, but 16 bits are left to the interpreter */
    LAHF_SAHF,   /* COPY if the host has these instructions in 64-bit mode */
    NOTHING,     /* no code at all */
    ADDRESS,     /* LEA, which accesses nothing */
    COUNT_ONE,   /* INC and DEC, whose short forms are prefixes in 64-bit mode */
    LOAD_STRING, /* LODS, whose operand can have another segment */
    TRANSLATE,   /* XLAT */
    MOVE_STRING, /* those that access ES:[EDI], whose segment is fixed */
    STORE_STRING,
    COMPARE_STRING,
    SCAN_STRING,
    PUSH,
    POP,
    PUSH_ALL,
    POP_ALL,
    LEAVE_FRAME,
    JUMP, /* this and the following end their block */
    CALL,
    RETURN,
    CONDITION,
    COUNTED /* LOOP, LOOPE, LOOPNE, JECXZ */
};

/* The treatment of integer instructions: those that mean the same in 64-bit mode, and those that
 * are written anew. */
static const uint8_t treatments[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    [ZYDIS_MNEMONIC_ADC] = COPY,
    [ZYDIS_MNEMONIC_ADD] = COPY,
    [ZYDIS_MNEMONIC_AND] = COPY,
    [ZYDIS_MNEMONIC_BSF] = COPY,
    [ZYDIS_MNEMONIC_BSR] = COPY,
    [ZYDIS_MNEMONIC_BSWAP] = SWAP,
    [ZYDIS_MNEMONIC_BT] = BIT,
    [ZYDIS_MNEMONIC_BTC] = BIT,
    [ZYDIS_MNEMONIC_BTR] = BIT,
    [ZYDIS_MNEMONIC_BTS] = BIT,
    [ZYDIS_MNEMONIC_CALL] = CALL,
    [ZYDIS_MNEMONIC_CBW] = COPY,
    [ZYDIS_MNEMONIC_CDQ] = COPY,
    [ZYDIS_MNEMONIC_CLC] = COPY,
    [ZYDIS_MNEMONIC_CLD] = COPY,
    [ZYDIS_MNEMONIC_CMC] = COPY,
    [ZYDIS_MNEMONIC_CMP] = COPY,
    [ZYDIS_MNEMONIC_CMPSB] = COMPARE_STRING,
    [ZYDIS_MNEMONIC_CMPSD] = COMPARE_STRING,
    [ZYDIS_MNEMONIC_CMPSW] = COMPARE_STRING,
    [ZYDIS_MNEMONIC_CMPXCHG] = COPY,
    [ZYDIS_MNEMONIC_CMPXCHG8B] = COPY,
    [ZYDIS_MNEMONIC_CWD] = COPY,
    [ZYDIS_MNEMONIC_CWDE] = COPY,
    [ZYDIS_MNEMONIC_DEC] = COUNT_ONE,
    [ZYDIS_MNEMONIC_DIV] = COPY,
    [ZYDIS_MNEMONIC_IDIV] = COPY,
    [ZYDIS_MNEMONIC_IMUL] = COPY,
    [ZYDIS_MNEMONIC_INC] = COUNT_ONE,
    [ZYDIS_MNEMONIC_JB] = CONDITION,
    [ZYDIS_MNEMONIC_JBE] = CONDITION,
    [ZYDIS_MNEMONIC_JECXZ] = COUNTED,
    [ZYDIS_MNEMONIC_JL] = CONDITION,
    [ZYDIS_MNEMONIC_JLE] = CONDITION,
    [ZYDIS_MNEMONIC_JMP] = JUMP,
    [ZYDIS_MNEMONIC_JNB] = CONDITION,
    [ZYDIS_MNEMONIC_JNBE] = CONDITION,
    [ZYDIS_MNEMONIC_JNL] = CONDITION,
    [ZYDIS_MNEMONIC_JNLE] = CONDITION,
    [ZYDIS_MNEMONIC_JNO] = CONDITION,
    [ZYDIS_MNEMONIC_JNP] = CONDITION,
    [ZYDIS_MNEMONIC_JNS] = CONDITION,
    [ZYDIS_MNEMONIC_JNZ] = CONDITION,
    [ZYDIS_MNEMONIC_JO] = CONDITION,
    [ZYDIS_MNEMONIC_JP] = CONDITION,
    [ZYDIS_MNEMONIC_JS] = CONDITION,
    [ZYDIS_MNEMONIC_JZ] = CONDITION,
    [ZYDIS_MNEMONIC_LAHF] = LAHF_SAHF,
    [ZYDIS_MNEMONIC_LEA] = ADDRESS,
    [ZYDIS_MNEMONIC_LEAVE] = LEAVE_FRAME,
    [ZYDIS_MNEMONIC_LODSB] = LOAD_STRING,
    [ZYDIS_MNEMONIC_LODSD] = LOAD_STRING,
    [ZYDIS_MNEMONIC_LODSW] = LOAD_STRING,
    [ZYDIS_MNEMONIC_LOOP] = COUNTED,
    [ZYDIS_MNEMONIC_LOOPE] = COUNTED,
    [ZYDIS_MNEMONIC_LOOPNE] = COUNTED,
    [ZYDIS_MNEMONIC_MOV] = MOVE,
    [ZYDIS_MNEMONIC_MOVSB] = MOVE_STRING,
    [ZYDIS_MNEMONIC_MOVSD] = MOVE_STRING,
    [ZYDIS_MNEMONIC_MOVSW] = MOVE_STRING,
    [ZYDIS_MNEMONIC_MOVSX] = COPY,
    [ZYDIS_MNEMONIC_MOVZX] = COPY,
    [ZYDIS_MNEMONIC_MUL] = COPY,
    [ZYDIS_MNEMONIC_NEG] = COPY,
    [ZYDIS_MNEMONIC_NOP] = NOTHING,
    [ZYDIS_MNEMONIC_NOT] = COPY,
    [ZYDIS_MNEMONIC_OR] = COPY,
    [ZYDIS_MNEMONIC_PAUSE] = NOTHING,
    [ZYDIS_MNEMONIC_POP] = POP,
    [ZYDIS_MNEMONIC_POPAD] = POP_ALL,
    [ZYDIS_MNEMONIC_PUSH] = PUSH,
    [ZYDIS_MNEMONIC_PUSHAD] = PUSH_ALL,
    [ZYDIS_MNEMONIC_RCL] = COPY,
    [ZYDIS_MNEMONIC_RCR] = COPY,
    [ZYDIS_MNEMONIC_RET] = RETURN,
    [ZYDIS_MNEMONIC_ROL] = COPY,
    [ZYDIS_MNEMONIC_ROR] = COPY,
    [ZYDIS_MNEMONIC_SAHF] = LAHF_SAHF,
    [ZYDIS_MNEMONIC_SAR] = COPY,
    [ZYDIS_MNEMONIC_SBB] = COPY,
    [ZYDIS_MNEMONIC_SCASB] = SCAN_STRING,
    [ZYDIS_MNEMONIC_SCASD] = SCAN_STRING,
    [ZYDIS_MNEMONIC_SCASW] = SCAN_STRING,
    [ZYDIS_MNEMONIC_SETB] = COPY,
    [ZYDIS_MNEMONIC_SETBE] = COPY,
    [ZYDIS_MNEMONIC_SETL] = COPY,
    [ZYDIS_MNEMONIC_SETLE] = COPY,
    [ZYDIS_MNEMONIC_SETNB] = COPY,
    [ZYDIS_MNEMONIC_SETNBE] = COPY,
    [ZYDIS_MNEMONIC_SETNL] = COPY,
    [ZYDIS_MNEMONIC_SETNLE] = COPY,
    [ZYDIS_MNEMONIC_SETNO] = COPY,
    [ZYDIS_MNEMONIC_SETNP] = COPY,
    [ZYDIS_MNEMONIC_SETNS] = COPY,
    [ZYDIS_MNEMONIC_SETNZ] = COPY,
    [ZYDIS_MNEMONIC_SETO] = COPY,
    [ZYDIS_MNEMONIC_SETP] = COPY,
    [ZYDIS_MNEMONIC_SETS] = COPY,
    [ZYDIS_MNEMONIC_SETZ] = COPY,
    [ZYDIS_MNEMONIC_SHL] = COPY,
    [ZYDIS_MNEMONIC_SHLD] = COPY,
    [ZYDIS_MNEMONIC_SHR] = COPY,
    [ZYDIS_MNEMONIC_SHRD] = COPY,
    [ZYDIS_MNEMONIC_STC] = COPY,
    [ZYDIS_MNEMONIC_STD] = COPY,
    [ZYDIS_MNEMONIC_STOSB] = STORE_STRING,
    [ZYDIS_MNEMONIC_STOSD] = STORE_STRING,
    [ZYDIS_MNEMONIC_STOSW] = STORE_STRING,
    [ZYDIS_MNEMONIC_SUB] = COPY,
    [ZYDIS_MNEMONIC_TEST] = COPY,
    [ZYDIS_MNEMONIC_XADD] = COPY,
    [ZYDIS_MNEMONIC_XCHG] = COPY,
    [ZYDIS_MNEMONIC_XLAT] = TRANSLATE,
    [ZYDIS_MNEMONIC_XOR] = COPY,
};

/* ---- which treatment --------------------------------------------------------------------------*/

static bool HasMemory(const ZydisDecodedInstruction *zydis) {
    return (zydis->attributes & ZYDIS_ATTRIB_HAS_MODRM) && zydis->raw.modrm.mod != 3;
}

/* Returns whether this is a MOV between the accumulator and an address that is in the instruction
 * without ModRM. */
static bool HasOffset(const ZydisDecodedInstruction *zydis) {
    return zydis->mnemonic == ZYDIS_MNEMONIC_MOV && zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
           (zydis->opcode & 0xFC) == 0xA0;
}

static bool HasPrefix(const ZydisDecodedInstruction *zydis, uint8_t prefix) {
    for (unsigned i = 0; i < zydis->raw.prefix_count; i++)
        if (zydis->raw.prefixes[i].value == prefix)
            return true;
    return false;
}

/* Decides about MMX, SSE, x87 and conditional moves by their sets. Some members of these are left
 * to the interpreter: those that store or load addresses of instructions, which here are not the
 * guest's; those that store to an address that is in no operand; and instructions of the 8087 and
 * 80287. */
static bool TreatsSet(const Translator *translator, const ZydisDecodedInstruction *zydis) {
    uint32_t features = translator->profile->features;
    uint32_t needed = 0;
    switch (zydis->meta.isa_set) {
    case ZYDIS_ISA_SET_X87:
        break;
    case ZYDIS_ISA_SET_CMOV:
    case ZYDIS_ISA_SET_FCMOV:
        needed = MACHINE_HAS_CMOV;
        break;
    case ZYDIS_ISA_SET_PENTIUMMMX:
        needed = MACHINE_HAS_MMX;
        break;
    case ZYDIS_ISA_SET_SSE:
    case ZYDIS_ISA_SET_SSEMXCSR:
    case ZYDIS_ISA_SET_SSE_PREFETCH:
        needed = MACHINE_HAS_SSE;
        break;
    case ZYDIS_ISA_SET_SSE2:
    case ZYDIS_ISA_SET_SSE2MMX:
        needed = MACHINE_HAS_SSE2;
        break;
    case ZYDIS_ISA_SET_SSE3:
        needed = MACHINE_HAS_SSE3;
        break;
    default:
        break;
    }
    switch (zydis->mnemonic) {
    case ZYDIS_MNEMONIC_FCOMI:
    case ZYDIS_MNEMONIC_FCOMIP:
    case ZYDIS_MNEMONIC_FUCOMI:
    case ZYDIS_MNEMONIC_FUCOMIP:
        return features & MACHINE_HAS_CMOV;

    case ZYDIS_MNEMONIC_FDISI8087_NOP:
    case ZYDIS_MNEMONIC_FENI8087_NOP:
    case ZYDIS_MNEMONIC_FSETPM287_NOP:
    case ZYDIS_MNEMONIC_FSTPNCE:
    case ZYDIS_MNEMONIC_FLDENV:
    case ZYDIS_MNEMONIC_FNSTENV:
    case ZYDIS_MNEMONIC_FNSAVE:
    case ZYDIS_MNEMONIC_FRSTOR:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
        return false;

    case ZYDIS_MNEMONIC_RCPPS:
    case ZYDIS_MNEMONIC_RCPSS:
    case ZYDIS_MNEMONIC_RSQRTPS:
    case ZYDIS_MNEMONIC_RSQRTSS:
        return features & MACHINE_HAS_SSE && translator->profile->estimates == RP_ESTIMATES_OF_THIS;

    /* The Pentium III added these to the MMX instructions. */
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_PAVGB:
    case ZYDIS_MNEMONIC_PAVGW:
    case ZYDIS_MNEMONIC_PEXTRW:
    case ZYDIS_MNEMONIC_PINSRW:
    case ZYDIS_MNEMONIC_PMAXSW:
    case ZYDIS_MNEMONIC_PMAXUB:
    case ZYDIS_MNEMONIC_PMINSW:
    case ZYDIS_MNEMONIC_PMINUB:
    case ZYDIS_MNEMONIC_PMOVMSKB:
    case ZYDIS_MNEMONIC_PMULHUW:
    case ZYDIS_MNEMONIC_PSADBW:
    case ZYDIS_MNEMONIC_PSHUFW:
        needed |= MACHINE_HAS_SSE;
        break;
    default:
        break;
    }
    return (needed || zydis->meta.isa_set == ZYDIS_ISA_SET_X87) && (features & needed) == needed;
}

static uint8_t TreatmentOf(const Translator *translator, const ZydisDecodedInstruction *zydis) {
    uint8_t treatment = treatments[zydis->mnemonic];
    /* MOVSD and CMPSD are also names of SSE2 instructions. */
    if ((treatment == MOVE_STRING || treatment == COMPARE_STRING) &&
        zydis->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
        treatment = STEP;
    if (treatment == STEP && TreatsSet(translator, zydis))
        treatment = COPY;
    if (treatment == STEP || zydis->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return STEP;

    bool has_memory = HasMemory(zydis);
    bool implied = HasOffset(zydis) || (treatment >= LOAD_STRING && treatment <= SCAN_STRING);
    bool fs = zydis->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS;
    if ((has_memory || implied || treatment == COUNTED) && zydis->address_width != 32)
        return STEP;
    if ((has_memory || implied) && zydis->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_GS)
        return STEP;
    /* Carrying over may add these bytes: two prefixes, the SIB form of an absolute address, and a
     * displacement for the base of FS. */
    if ((has_memory || HasOffset(zydis)) && zydis->length + 3 + (fs ? 4 : 0) > 15)
        return STEP;

    switch (treatment) {
    case MOVE:
        return zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && zydis->opcode != 0x8C &&
                       zydis->opcode != 0x8E
                   ? COPY
                   : STEP;
    case BIT:
        return has_memory && zydis->opcode != 0xBA ? STEP : COPY;
    case SWAP:
        return zydis->operand_width == 32 ? COPY : STEP;
    case LAHF_SAHF:
        return translator->host_lahf ? COPY : STEP;
    case NOTHING:
        /* The long form came with the Pentium Pro. 0F 0D is AMD's prefetch. */
        return zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT ||
                       (translator->profile->features & MACHINE_HAS_CMOV &&
                        zydis->meta.isa_set != ZYDIS_ISA_SET_PREFETCH_NOP)
                   ? NOTHING
                   : STEP;
    case LOAD_STRING:
        return fs || HasPrefix(zydis, 0xF2) || HasPrefix(zydis, 0xF3) ? STEP : LOAD_STRING;
    case TRANSLATE:
        return fs ? STEP : TRANSLATE;
    case MOVE_STRING:
    case STORE_STRING:
    case COMPARE_STRING:
    case SCAN_STRING:
        return fs || (HasPrefix(zydis, 0xF2) && HasPrefix(zydis, 0xF3)) || !translator->host_lahf
                   ? STEP
                   : treatment;
    case PUSH: /* segment registers are left to the interpreter */
        return zydis->operand_width == 32 && zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
                       ((zydis->opcode & 0xF8) == 0x50 || zydis->opcode == 0x68 ||
                        zydis->opcode == 0x6A || zydis->opcode == 0xFF)
                   ? PUSH
                   : STEP;
    case POP:
        return zydis->operand_width == 32 && zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
                       ((zydis->opcode & 0xF8) == 0x58 || zydis->opcode == 0x8F)
                   ? POP
                   : STEP;
    case LEAVE_FRAME:
        return zydis->operand_width == 32 ? LEAVE_FRAME : STEP;
    case JUMP:
    case CALL:
    case RETURN:
    case CONDITION:
    case COUNTED: /* the prefix 66 cuts EIP to 16 bits, but not on every host */
        return zydis->operand_width == 32 && zydis->meta.branch_type != ZYDIS_BRANCH_TYPE_FAR &&
                       !HasPrefix(zydis, 0x66)
                   ? treatment
                   : STEP;
    default:
        return treatment;
    }
}

/* Returns whether the flags before an instruction do not matter, because it writes all of them,
 * reads none and cannot fault. (The manuals say that AF is undefined after a logical operation; in
 * fact it is cleared.) */
static bool FreesFlags(const Instruction *instruction) {
    if (instruction->treatment != COPY || HasMemory(&instruction->zydis))
        return false;
    switch (instruction->zydis.mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_NEG:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_XOR:
        return true;
    default:
        return false;
    }
}

static bool Repeats(const Instruction *instruction) {
    return instruction->treatment >= MOVE_STRING && instruction->treatment <= SCAN_STRING &&
           (HasPrefix(&instruction->zydis, 0xF2) || HasPrefix(&instruction->zydis, 0xF3));
}

/* ---- operands ---------------------------------------------------------------------------------*/

/* The host's registers that are free, as numbered in ModRM with the REX bit set. */
#define R8D 0u

/* Emits the prefixes of every access to memory: the guest's window, and addresses of 32 bits. */
static void EmitAccess(Emit *emit) {
    EMIT(emit, 0x65, 0x67);
}

/* Emits ModRM, SIB and displacement of an instruction, with another register field and with `more`
 * added to the address. */
static void EmitOperand(Emit *emit, const ZydisDecodedInstruction *zydis, unsigned reg,
                        uint32_t more) {
    unsigned mod = zydis->raw.modrm.mod, rm = zydis->raw.modrm.rm;
    uint32_t displacement = (uint32_t)zydis->raw.disp.value + more;
    if (mod == 3) {
        Emit_Byte(emit, 0xC0 | reg << 3 | rm);
        return;
    }
    bool has_sib = rm == 4;
    unsigned sib =
        (unsigned)(zydis->raw.sib.scale << 6 | zydis->raw.sib.index << 3 | zydis->raw.sib.base);
    bool has_base = !(mod == 0 && (rm == 5 || (has_sib && zydis->raw.sib.base == 5)));
    if (!has_base) {
        /* ModRM alone would mean an address relative to RIP. */
        Emit_Byte(emit, reg << 3 | 4);
        Emit_Byte(emit, has_sib ? sib : 0x25);
        Emit_Dword(emit, displacement);
        return;
    }
    if (more)
        mod = 2;
    Emit_Byte(emit, mod << 6 | reg << 3 | rm);
    if (has_sib)
        Emit_Byte(emit, sib);
    if (mod == 1)
        Emit_Byte(emit, (uint8_t)displacement);
    else if (mod == 2)
        Emit_Dword(emit, displacement);
}

static uint32_t SegmentOf(const Translator *translator, const ZydisDecodedInstruction *zydis) {
    return zydis->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS ? translator->fs_base : 0;
}

/* Emits the instruction itself. REP prefixes are kept only if they select another instruction. For
 * other instructions they mean nothing, and they might mean something on newer processors. */
static void EmitCopy(const Translator *translator, Emit *emit, const Instruction *instruction) {
    const ZydisDecodedInstruction *zydis = &instruction->zydis;
    bool has_modrm = zydis->attributes & ZYDIS_ATTRIB_HAS_MODRM;
    bool is_vector = treatments[zydis->mnemonic] == STEP ||
                     zydis->meta.isa_set == ZYDIS_ISA_SET_SSE2; /* MOVSD and CMPSD */
    if (instruction->treatment != ADDRESS &&
        (HasMemory(zydis) || HasOffset(zydis) || instruction->treatment == LOAD_STRING ||
         instruction->treatment == TRANSLATE))
        EmitAccess(emit);
    for (unsigned i = 0; i < zydis->raw.prefix_count; i++) {
        uint8_t prefix = zydis->raw.prefixes[i].value;
        if (prefix == 0x66 || prefix == 0xF0 || ((prefix == 0xF2 || prefix == 0xF3) && is_vector))
            Emit_Byte(emit, prefix);
    }
    size_t opcode = zydis->raw.prefix_count;
    size_t end = has_modrm                ? zydis->raw.modrm.offset
                 : HasOffset(zydis)       ? zydis->raw.disp.offset
                 : zydis->raw.imm[0].size ? zydis->raw.imm[0].offset
                                          : zydis->length;
    /* 82 is another encoding of 80, which does not exist in 64-bit mode. */
    if (zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && zydis->opcode == 0x82)
        Emit_Byte(emit, 0x80);
    else
        Emit_Bytes(emit, instruction->bytes + opcode, end - opcode);
    uint32_t segment = instruction->treatment == ADDRESS ? 0 : SegmentOf(translator, zydis);
    if (has_modrm)
        EmitOperand(emit, zydis, zydis->raw.modrm.reg, segment);
    else if (HasOffset(zydis))
        Emit_Dword(emit, (uint32_t)zydis->raw.disp.value + segment);
    if (zydis->raw.imm[0].size)
        Emit_Bytes(emit, instruction->bytes + zydis->raw.imm[0].offset,
                   (size_t)zydis->length - zydis->raw.imm[0].offset);
}

/* Emits mov r8d, operand. */
static void EmitLoadR8(const Translator *translator, Emit *emit,
                       const ZydisDecodedInstruction *zydis) {
    if (HasMemory(zydis))
        EmitAccess(emit);
    EMIT(emit, 0x44, 0x8B);
    EmitOperand(emit, zydis, R8D, SegmentOf(translator, zydis));
}

/* ---- the stack --------------------------------------------------------------------------------*/

/* Emits a push. A store that faults must leave ESP as it was, and the flags belong to the guest;
 * therefore it uses MOV and LEA. As `MOV gs:[esp-4]` comes first, its operand sees ESP as it was
 * before the instruction. */
static void EmitPush(const Translator *translator, Emit *emit,
                     const ZydisDecodedInstruction *zydis) {
    if ((zydis->opcode & 0xF8) == 0x50) {
        EMIT(emit, 0x65, 0x67, 0x89, (uint8_t)(0x44 | (zydis->opcode & 7) << 3), 0x24, 0xFC);
    } else if (zydis->opcode == 0xFF) {
        EmitLoadR8(translator, emit, zydis);
        EMIT(emit, 0x65, 0x67, 0x44, 0x89, 0x44, 0x24, 0xFC); /* mov gs:[esp-4], r8d */
    } else {
        EMIT(emit, 0x65, 0x67, 0xC7, 0x44, 0x24, 0xFC); /* mov dword gs:[esp-4], */
        Emit_Dword(emit, (uint32_t)zydis->raw.imm[0].value.s);
    }
    EMIT(emit, 0x8D, 0x64, 0x24, 0xFC); /* lea esp, [rsp-4] */
}

static void EmitPop(const Translator *translator, Emit *emit,
                    const ZydisDecodedInstruction *zydis) {
    if (zydis->opcode == 0x8F) {
        EMIT(emit, 0x65, 0x67, 0x44, 0x8B, 0x04, 0x24); /* mov r8d, gs:[esp] */
        /* ESP in the operand's address has its value after the pop. */
        bool uses_esp =
            HasMemory(zydis) && zydis->raw.modrm.rm == 4 && zydis->raw.sib.base == MACHINE_ESP;
        if (HasMemory(zydis))
            EmitAccess(emit);
        EMIT(emit, 0x44, 0x89);
        EmitOperand(emit, zydis, R8D, SegmentOf(translator, zydis) + (uses_esp ? 4 : 0));
        if (!HasMemory(zydis) && zydis->raw.modrm.rm == MACHINE_ESP)
            return;
    } else {
        unsigned reg = zydis->opcode & 7u;
        EMIT(emit, 0x65, 0x67, 0x8B, (uint8_t)(0x04 | reg << 3), 0x24); /* mov e.., gs:[esp] */
        if (reg == MACHINE_ESP)
            return;
    }
    EMIT(emit, 0x8D, 0x64, 0x24, 0x04); /* lea esp, [rsp+4] */
}

/* ---- ways out ---------------------------------------------------------------------------------*/

typedef struct Carry {
    Translator *translator;
    Emit emit;
    Block block;
    uint32_t links[2], targets[2];
    unsigned link_count;
} Carry;

static uint32_t OffsetOf(const Carry *carry) {
    return (uint32_t)(carry->emit.at - carry->translator->writable);
}

/* Emits code that leaves for Run with an EIP and a way. */
static void EmitWay(Carry *carry, uint32_t eip, uint32_t way) {
    EMIT(&carry->emit, 0x41, 0xB8); /* mov r8d, */
    Emit_Dword(&carry->emit, eip);
    EMIT(&carry->emit, 0x41, 0xB9); /* mov r9d, */
    Emit_Dword(&carry->emit, way);
    EMIT(&carry->emit, 0xE9); /* jmp */
    Emit_Distance(&carry->emit, carry->translator->writable + carry->translator->leave);
}

/* Emits the distance of a jump to a known guest address. FinishLinks sets where it leads at
 * first. */
static void EmitLink(Carry *carry, uint32_t target) {
    uint32_t number = carry->translator->link_count++;
    carry->translator->links[number] = (Link){.site = OffsetOf(carry)};
    carry->links[carry->link_count] = number;
    carry->targets[carry->link_count++] = target;
    Emit_Dword(&carry->emit, 0);
}

static void FinishLinks(Carry *carry) {
    for (unsigned i = 0; i < carry->link_count; i++) {
        Link *link = &carry->translator->links[carry->links[i]];
        link->stub = OffsetOf(carry);
        uint32_t distance = link->stub - (link->site + 4);
        memcpy(carry->translator->writable + link->site, &distance, sizeof distance);
        EmitWay(carry, carry->targets[i], carry->links[i]);
    }
}

/* Emits code that continues at the guest address in R8. The flags belong to the guest, so the row
 * of the table is compared without changing them: by a sum that must be zero, and JRCXZ. */
static void EmitIndirect(Carry *carry) {
    Emit *emit = &carry->emit;
    EMIT(emit, 0x45, 0x0F, 0xB7, 0xC8); /* movzx r9d, r8w */
    EMIT(emit, 0x4F, 0x8D, 0x0C, 0x09); /* lea r9, [r9+r9] */
    EMIT(emit, 0x49, 0x89, 0xCA);       /* mov r10, rcx */
    EMIT(emit, 0x4B, 0x8B, 0x0C, 0xCE); /* mov rcx, [r14+r9*8] */
    EMIT(emit, 0x4A, 0x8D, 0x0C, 0x01); /* lea rcx, [rcx+r8] */
    EMIT(emit, 0xE3, 14);               /* jrcxz over the next three */
    EMIT(emit, 0x4C, 0x89, 0xD1);       /* mov rcx, r10 */
    EMIT(emit, 0x41, 0xB9);             /* mov r9d, */
    Emit_Dword(emit, WAY_INDIRECT);
    EMIT(emit, 0xE9); /* jmp */
    Emit_Distance(emit, carry->translator->writable + carry->translator->leave);
    EMIT(emit, 0x4C, 0x89, 0xD1);             /* mov rcx, r10 */
    EMIT(emit, 0x43, 0xFF, 0x64, 0xCE, 0x08); /* jmp [r14+r9*8+8] */
}

/* ---- the budget -------------------------------------------------------------------------------*/

/* Emits code that saves RCX in R8 and makes RCX zero if R13 is negative. It does not change the
 * flags. */
static void EmitTestBudget(Emit *emit) {
    EMIT(emit, 0x49, 0x89, 0xC8); /* mov r8, rcx */
    EMIT(emit, 0x4C, 0x89, 0xE9); /* mov rcx, r13 */
    EMIT(emit, 0x48, 0xF7, 0xD1); /* not rcx */
    EMIT(emit, 0x48, 0x0F, 0xC9); /* bswap rcx */
    EMIT(emit, 0x0F, 0xB6, 0xC9); /* movzx ecx, cl */
}

#define MOV_RCX_R8 0x4C, 0x89, 0xC1

/* Emits lea r13, [r13+more]. */
static void EmitAddBudget(Emit *emit, uint32_t more) {
    EMIT(emit, 0x4D, 0x8D, 0xAD);
    Emit_Dword(emit, more);
}

static void EmitBudget(Carry *carry, const uint8_t *out, bool flags_are_free) {
    Emit *emit = &carry->emit;
    if (flags_are_free) {
        EMIT(emit, 0x49, 0x81, 0xED); /* sub r13, */
        Emit_Dword(emit, carry->block.count);
        EMIT(emit, 0x0F, 0x88); /* js */
        Emit_Distance(emit, out + 3 /* RCX is not changed */);
        return;
    }
    EmitAddBudget(emit, 0u - carry->block.count);
    EmitTestBudget(emit);
    EMIT(emit, 0xE3, (uint8_t)(out - (emit->at + 2))); /* jrcxz */
    EMIT(emit, MOV_RCX_R8);
}

/* ---- strings ----------------------------------------------------------------------------------*/

/* Emits an access of R8 or the accumulator to gs:[esi] or gs:[edi]. */
static void EmitElement(Emit *emit, unsigned size, unsigned opcode, bool r8, bool edi) {
    EmitAccess(emit);
    if (size == 2)
        EMIT(emit, 0x66);
    if (r8)
        EMIT(emit, 0x44);
    EMIT(emit, (uint8_t)(size == 1 ? opcode : opcode | 1), edi ? 0x07 : 0x06);
}

/* Emits the work on one element, without counting ECX. Every fault comes before a register of the
 * guest has changed. */
static void EmitOnce(Emit *emit, unsigned treatment, unsigned size) {
    switch (treatment) {
    case MOVE_STRING:
        EmitElement(emit, size, 0x8A, true, false); /* mov r8, [esi] */
        EmitElement(emit, size, 0x88, true, true);  /* mov [edi], r8 */
        break;
    case STORE_STRING:
        EmitElement(emit, size, 0x88, false, true); /* mov [edi], eax */
        break;
    case COMPARE_STRING:
        EmitElement(emit, size, 0x8A, true, false); /* mov r8, [esi] */
        EmitElement(emit, size, 0x3A, true, true);  /* cmp r8, [edi] */
        break;
    default:
        EmitElement(emit, size, 0x3A, false, true); /* cmp eax, [edi] */
        break;
    }
    if (treatment == MOVE_STRING || treatment == COMPARE_STRING)
        EMIT(emit, 0x42, 0x8D, 0x34, 0x16); /* lea esi, [rsi+r10] */
    EMIT(emit, 0x42, 0x8D, 0x3C, 0x17);     /* lea edi, [rdi+r10] */
}

static void EmitShortJump(Emit *emit, unsigned opcode, const uint8_t *to) {
    EMIT(emit, (uint8_t)opcode, (uint8_t)(to - (emit->at + 2)));
}

/* Completes a short jump forward. Its distance is the byte before `behind`, and it leads to the
 * next byte to be emitted. */
static void Land(const Emit *emit, uint8_t *behind) {
    behind[-1] = (uint8_t)(emit->at - behind);
}

/* Emits a repeated MOVS or STOS. The budget of the block counts a repeated instruction as one, so
 * its further repetitions are taken off here. That is done in advance; if the budget is too small,
 * the instruction is left to the interpreter. `more` corrects the budget for the rest of the
 * block. */
static void EmitRepeatedMove(Carry *carry, const Instruction *instruction, unsigned size,
                             uint32_t more) {
    Emit *emit = &carry->emit;
    EMIT(emit, 0x67, 0xE3, 0); /* jecxz done */
    uint8_t *done_at_once = emit->at;
    EMIT(emit, 0x49, 0x89, 0xC9);             /* mov r9, rcx */
    EMIT(emit, 0x4D, 0x89, 0xEB);             /* mov r11, r13 */
    EMIT(emit, 0x49, 0xF7, 0xD1);             /* not r9 */
    EMIT(emit, 0x4F, 0x8D, 0x6C, 0x0D, 0x02); /* lea r13, [r13+r9+2] */
    EmitTestBudget(emit);
    EMIT(emit, 0xE3, 0); /* jrcxz short_of */
    uint8_t *short_of = emit->at;
    EMIT(emit, MOV_RCX_R8);
    const uint8_t *top = emit->at;
    EmitOnce(emit, instruction->treatment, size);
    EMIT(emit, 0x8D, 0x49, 0xFF); /* lea ecx, [rcx-1] */
    EMIT(emit, 0x67, 0xE3, 0);    /* jecxz done */
    uint8_t *done = emit->at;
    EmitShortJump(emit, 0xEB, top);
    Land(emit, short_of);
    EMIT(emit, MOV_RCX_R8);
    EMIT(emit, 0x4D, 0x89, 0xDD); /* mov r13, r11 */
    EmitAddBudget(emit, more);
    EmitWay(carry, instruction->eip, WAY_STEP);
    Land(emit, done_at_once);
    Land(emit, done);
}

/* Emits a repeated CMPS or SCAS. How many repetitions there are depends on the elements, so each is
 * taken off the budget by itself. After a fault the flags must be as before the first repetition,
 * so R11 keeps them for Run. */
static void EmitRepeatedCompare(Carry *carry, const Instruction *instruction, unsigned size,
                                uint32_t more) {
    Emit *emit = &carry->emit;
    EMIT(emit, 0x67, 0xE3, 0); /* jecxz done */
    uint8_t *done_at_once = emit->at;
    EMIT(emit, 0x9F);             /* lahf */
    EMIT(emit, 0x0F, 0x90, 0xC0); /* seto al */
    EMIT(emit, 0x49, 0x89, 0xC3); /* mov r11, rax */
    EMIT(emit, 0x4C, 0x89, 0xC8); /* mov rax, r9 */
    const uint8_t *top = emit->at;
    EmitOnce(emit, instruction->treatment, size);
    EMIT(emit, 0x8D, 0x49, 0xFF);                                      /* lea ecx, [rcx-1] */
    EMIT(emit, HasPrefix(&instruction->zydis, 0xF3) ? 0x75 : 0x74, 0); /* jne or je done */
    uint8_t *done_by_flag = emit->at;
    EMIT(emit, 0x67, 0xE3, 0); /* jecxz done */
    uint8_t *done_by_count = emit->at;
    EmitAddBudget(emit, ~0u);
    EmitTestBudget(emit);
    EMIT(emit, 0xE3, 0); /* jrcxz out */
    uint8_t *out = emit->at;
    EMIT(emit, MOV_RCX_R8);
    EmitShortJump(emit, 0xEB, top);
    Land(emit, out);
    EMIT(emit, MOV_RCX_R8);
    EmitAddBudget(emit, more);
    EmitWay(carry, instruction->eip, WAY_BUDGET);
    Land(emit, done_at_once);
    Land(emit, done_by_flag);
    Land(emit, done_by_count);
}

static void EmitString(Carry *carry, const Instruction *instruction, uint32_t more) {
    unsigned size = instruction->zydis.opcode & 1 ? instruction->zydis.operand_width / 8u : 1;

    /* R10 becomes the size of an element, or its negative if the direction flag is set. LODS is the
     * only instruction that obeys the flag and can read the host's memory. */
    Emit *emit = &carry->emit;
    EMIT(emit, 0x49, 0x89, 0xF3);                                    /* mov r11, rsi */
    EMIT(emit, 0x49, 0x89, 0xC1);                                    /* mov r9, rax */
    EMIT(emit, 0x49, 0x8D, 0x77, (uint8_t)offsetof(Frame, scratch)); /* lea rsi, [r15+] */
    EMIT(emit, 0x49, 0x89, 0xF2);                                    /* mov r10, rsi */
    if (size == 2)
        EMIT(emit, 0x66);
    EMIT(emit, size == 1 ? 0xAC : 0xAD);      /* lods */
    EMIT(emit, 0x49, 0xF7, 0xD2);             /* not r10 */
    EMIT(emit, 0x4E, 0x8D, 0x54, 0x16, 0x01); /* lea r10, [rsi+r10+1] */
    EMIT(emit, 0x4C, 0x89, 0xDE);             /* mov rsi, r11 */
    EMIT(emit, 0x4C, 0x89, 0xC8);             /* mov rax, r9 */

    if (!Repeats(instruction))
        EmitOnce(&carry->emit, instruction->treatment, size);
    else if (instruction->treatment == MOVE_STRING || instruction->treatment == STORE_STRING)
        EmitRepeatedMove(carry, instruction, size, more);
    else
        EmitRepeatedCompare(carry, instruction, size, more);
}

/* ---- blocks -----------------------------------------------------------------------------------*/

static void EmitTransfer(Carry *carry, const Instruction *instruction) {
    Emit *emit = &carry->emit;
    const ZydisDecodedInstruction *zydis = &instruction->zydis;
    uint32_t next = instruction->eip + zydis->length;
    uint32_t target = next + (uint32_t)zydis->raw.imm[0].value.s;
    bool is_relative = zydis->raw.imm[0].is_relative;
    switch (instruction->treatment) {
    case CALL:
    case JUMP:
        if (!is_relative)
            EmitLoadR8(carry->translator, emit, zydis);
        if (instruction->treatment == CALL) {
            EMIT(emit, 0x65, 0x67, 0xC7, 0x44, 0x24, 0xFC); /* mov dword gs:[esp-4], */
            Emit_Dword(emit, next);
            EMIT(emit, 0x8D, 0x64, 0x24, 0xFC); /* lea esp, [rsp-4] */
        }
        if (!is_relative) {
            EmitIndirect(carry);
            break;
        }
        EMIT(emit, 0xE9); /* jmp */
        EmitLink(carry, target);
        break;
    case RETURN:
        EMIT(emit, 0x65, 0x67, 0x44, 0x8B, 0x04, 0x24); /* mov r8d, gs:[esp] */
        EMIT(emit, 0x8D, 0xA4, 0x24);                   /* lea esp, [rsp+4+popped] */
        Emit_Dword(emit, 4 + ((uint32_t)zydis->raw.imm[0].value.u & 0xFFFF));
        EmitIndirect(carry);
        break;
    case CONDITION:
        EMIT(emit, 0x0F, (uint8_t)(0x80 | (zydis->opcode & 15))); /* j.. */
        EmitLink(carry, target);
        EMIT(emit, 0xE9); /* jmp */
        EmitLink(carry, next);
        break;
    case COUNTED:
        EMIT(emit, 0x67, zydis->opcode, 5); /* over the next */
        EMIT(emit, 0xE9);                   /* jmp */
        EmitLink(carry, next);
        EMIT(emit, 0xE9); /* jmp */
        EmitLink(carry, target);
        break;
    default:
        EmitWay(carry, instruction->eip, WAY_STEP);
        break;
    }
}

/* Emits an instruction. The budget has been reduced by the whole block; `more` is what a way out
 * within the instruction adds to it again. */
static void EmitInstruction(Carry *carry, const Instruction *instruction, uint32_t more) {
    Emit *emit = &carry->emit;
    const ZydisDecodedInstruction *zydis = &instruction->zydis;
    switch (instruction->treatment) {
    case NOTHING:
        break;
    case COUNT_ONE:
        if (zydis->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (zydis->opcode & 0xF0) == 0x40) {
            if (zydis->operand_width == 16)
                EMIT(emit, 0x66);
            EMIT(emit, 0xFF, (uint8_t)(0xC0 | (zydis->opcode & 15)));
        } else {
            EmitCopy(carry->translator, emit, instruction);
        }
        break;
    case PUSH:
        EmitPush(carry->translator, emit, zydis);
        break;
    case POP:
        EmitPop(carry->translator, emit, zydis);
        break;
    case PUSH_ALL:
        for (unsigned i = 0; i < 8; i++) /* mov gs:[esp-4*(i+1)], e.. */
            EMIT(emit, 0x65, 0x67, 0x89, (uint8_t)(0x44 | i << 3), 0x24,
                 (uint8_t)(0u - 4 * (i + 1)));
        EMIT(emit, 0x8D, 0x64, 0x24, 0xE0); /* lea esp, [rsp-32] */
        break;
    case POP_ALL:
        /* The first two loads touch all pages that the others touch, so that no later one can
         * fault. */
        EMIT(emit, 0x65, 0x67, 0x44, 0x8B, 0x04, 0x24);       /* mov r8d, gs:[esp] */
        EMIT(emit, 0x65, 0x67, 0x44, 0x8B, 0x44, 0x24, 0x1C); /* mov r8d, gs:[esp+28] */
        for (unsigned i = 0; i < 8; i++)
            if (i != MACHINE_ESP) /* mov e.., gs:[esp+28-4*i] */
                EMIT(emit, 0x65, 0x67, 0x8B, (uint8_t)(0x44 | i << 3), 0x24, (uint8_t)(28 - 4 * i));
        EMIT(emit, 0x8D, 0x64, 0x24, 0x20); /* lea esp, [rsp+32] */
        break;
    case LEAVE_FRAME:
        EMIT(emit, 0x65, 0x67, 0x44, 0x8B, 0x45, 0x00); /* mov r8d, gs:[ebp] */
        EMIT(emit, 0x8D, 0x65, 0x04);                   /* lea esp, [rbp+4] */
        EMIT(emit, 0x44, 0x89, 0xC5);                   /* mov ebp, r8d */
        break;
    case MOVE_STRING:
    case STORE_STRING:
    case COMPARE_STRING:
    case SCAN_STRING:
        EmitString(carry, instruction, more);
        break;
    case STEP:
    case JUMP:
    case CALL:
    case RETURN:
    case CONDITION:
    case COUNTED:
        EmitTransfer(carry, instruction);
        break;
    default:
        EmitCopy(carry->translator, emit, instruction);
        break;
    }
}

/* Fetches and decodes one instruction. Returns false, with the first address that cannot be
 * fetched, if there are not enough bytes that can be executed. Bytes that are no instruction are
 * left to the interpreter, which knows what a processor makes of them. */
static bool Fetch(const Translator *translator, uint32_t eip, Instruction *instruction,
                  uint32_t *target) {
    uint32_t in_page = MACHINE_PAGE - eip % MACHINE_PAGE, size = sizeof instruction->bytes - 1;
    memset(instruction->bytes, 0, sizeof instruction->bytes);
    instruction->eip = eip;
    bool whole = MachineMemory_Read(translator->memory, eip, instruction->bytes, size,
                                    MACHINE_EXECUTE, target);
    if (!whole) {
        if (in_page >= size || !MachineMemory_Read(translator->memory, eip, instruction->bytes,
                                                   in_page, MACHINE_EXECUTE, target))
            return false;
        size = in_page;
        *target = eip + in_page;
    }
    ZydisDecoderContext context;
    ZyanStatus status = ZydisDecoderDecodeInstruction(
        &translator->decoder, &context, instruction->bytes, size, &instruction->zydis);
    if (ZYAN_SUCCESS(status)) {
        instruction->treatment = TreatmentOf(translator, &instruction->zydis);
        return true;
    }
    memset(&instruction->zydis, 0, sizeof instruction->zydis);
    instruction->zydis.length = 1;
    instruction->treatment = STEP;
    return whole || status != ZYDIS_STATUS_NO_MORE_DATA;
}

bool Carry_Decode(Translator *translator, uint32_t eip, ZydisDecodedInstruction *instruction,
                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    uint8_t bytes[15] = {0};
    uint32_t size = MACHINE_PAGE - eip % MACHINE_PAGE;
    if (!MachineMemory_Read(translator->memory, eip, bytes, sizeof bytes, MACHINE_EXECUTE, NULL) &&
        !MachineMemory_Read(translator->memory, eip, bytes, size, MACHINE_EXECUTE, NULL))
        return false;
    return ZYAN_SUCCESS(
        ZydisDecoderDecodeFull(&translator->decoder, bytes, sizeof bytes, instruction, operands));
}

Block *Carry_Block(Translator *translator, uint32_t eip, uint32_t *target) {
    /* A block ends with a transfer of control or with an instruction for the interpreter. It also
     * ends before an instruction that begins on another page or cannot be fetched, and at a maximal
     * length. Only its last instruction can touch a second page. */
    unsigned count = 0;
    uint32_t at = eip;
    while (count < BLOCK_MOST && at / MACHINE_PAGE == eip / MACHINE_PAGE) {
        Instruction *instruction = &translator->body[count];
        if (!Fetch(translator, at, instruction, target))
            break;
        count++;
        at += instruction->zydis.length;
        if (instruction->treatment == STEP || instruction->treatment >= JUMP)
            break;
    }

    if (count == 0)
        return NULL;
    if (translator->used + BLOCK_ROOM > translator->code_bytes ||
        translator->block_count == MOST_BLOCKS || translator->link_count + 2 > MOST_LINKS ||
        translator->mark_count + BLOCK_MOST > MOST_MARKS)
        Code_Flush(translator);

    Carry carry = {.translator = translator, .emit = {translator->writable + translator->used}};
    Block *block = &carry.block;
    const Instruction *last = &translator->body[count - 1];
    *block = (Block){.eip = eip,
                     .size = last->eip + last->zydis.length - eip,
                     .first_mark = translator->mark_count,
                     .marks = count};
    /* An instruction that the interpreter executes is counted by the interpreter. */
    unsigned counted[BLOCK_MOST + 1] = {0};
    for (unsigned i = 0; i < count; i++) {
        const Instruction *instruction = &translator->body[i];
        counted[i + 1] = counted[i] + (instruction->treatment != STEP);
    }
    block->count = counted[count];

    const uint8_t *out = carry.emit.at;
    /* This way out is taken if the budget is too small for the whole block. Run then lets the
     * interpreter execute as many instructions as it allows. It comes before the block, where JRCXZ
     * can reach it. */
    EMIT(&carry.emit, MOV_RCX_R8);
    EmitAddBudget(&carry.emit, carry.block.count);
    EmitWay(&carry, carry.block.eip, WAY_BUDGET);
    block->code = OffsetOf(&carry);
    EmitBudget(&carry, out, FreesFlags(&translator->body[0]));
    for (unsigned i = 0; i < count; i++) {
        const Instruction *instruction = &translator->body[i];
        translator->marks[block->first_mark + i] =
            (Mark){.code = (uint16_t)(OffsetOf(&carry) - block->code),
                   .guest = (uint16_t)(instruction->eip - eip),
                   .before = (uint8_t)counted[i],
                   .repetition = !Repeats(instruction) ? REPEATED_NOT
                                 : instruction->treatment == MOVE_STRING ||
                                         instruction->treatment == STORE_STRING
                                     ? REPEATED_MOVE
                                     : REPEATED_COMPARE};
        EmitInstruction(&carry, instruction, block->count - counted[i]);
    }
    if (last->treatment != STEP && last->treatment < JUMP) {
        EMIT(&carry.emit, 0xE9); /* jmp */
        EmitLink(&carry, eip + block->size);
    }
    block->code_size = OffsetOf(&carry) - block->code;
    FinishLinks(&carry);

    translator->mark_count += count;
    translator->used = (OffsetOf(&carry) + 15) & ~15u;
    return Code_Keep(translator, block);
}

#endif
