/* String instructions, repeated or not. */
#include "machine/interpreter/flags.h"
#include "machine/interpreter/operands.h"

typedef enum Kind { MOVS, CMPS, STOS, LODS, SCAS } Kind;

/* Executes all repetitions that the budget allows. If some are left, EIP stays at the instruction.
 * After a fault, the registers are as the finished repetitions have left them, but the flags are as
 * before the instruction (Intel's manual says so of CMPS and SCAS). */
static inline bool Repeat(Step *step, const Operation *operation, Kind kind) {
    uint32_t *general = step->registers->general, mask = operation->address_mask;
    uint32_t size = operation->size, value_mask = operation->first.mask, flags = 0;
    uint32_t delta = step->registers->eflags & MACHINE_DF ? 0u - size : size;
    uint32_t segment = operation->fs ? step->context->fs_base : 0;
    bool uses_source = kind == MOVS || kind == CMPS || kind == LODS;
    bool uses_destination = kind != LODS, compares = kind == CMPS || kind == SCAS;
    uint32_t count = operation->repeat ? general[MACHINE_ECX] & mask : 1;
    if (count == 0)
        return true;

    for (;;) {
        uint32_t source = general[MACHINE_ESI] & mask, left = general[MACHINE_EAX] & value_mask;
        uint32_t destination = general[MACHINE_EDI] & mask, right = 0;
        if (uses_source && !Operation_Load(step, source + segment, size, &left))
            return false;
        if (compares && !Operation_Load(step, destination, size, &right))
            return false;
        if ((kind == MOVS || kind == STOS) && !Operation_Store(step, destination, size, left))
            return false;
        if (kind == LODS)
            general[MACHINE_EAX] = (general[MACHINE_EAX] & ~value_mask) | left;
        if (compares)
            flags = Flags_Difference(left, right, (left - right) & value_mask, operation->sign);
        if (uses_source)
            general[MACHINE_ESI] = (general[MACHINE_ESI] & ~mask) | ((source + delta) & mask);
        if (uses_destination)
            general[MACHINE_EDI] = (general[MACHINE_EDI] & ~mask) | ((destination + delta) & mask);
        if (!operation->repeat)
            break;
        count--;
        general[MACHINE_ECX] = (general[MACHINE_ECX] & ~mask) | count;
        /* prefix 0xF3 continues while equal, 0xF2 while not equal */
        if (count == 0 || (compares && !(flags & MACHINE_ZF) == (operation->repeat == 0xF3)))
            break;
        /* One of the repetitions is counted by the caller. */
        if (step->context->budget <= 1) {
            step->next = operation->address;
            break;
        }
        step->context->budget--;
    }
    if (compares)
        Flags_Set(step->registers, FLAGS_STATUS, flags);
    return true;
}

static bool MoveString(Step *step, const Operation *operation) {
    return Repeat(step, operation, MOVS);
}

static bool CompareString(Step *step, const Operation *operation) {
    return Repeat(step, operation, CMPS);
}

static bool StoreString(Step *step, const Operation *operation) {
    return Repeat(step, operation, STOS);
}

static bool LoadString(Step *step, const Operation *operation) {
    return Repeat(step, operation, LODS);
}

static bool ScanString(Step *step, const Operation *operation) {
    return Repeat(step, operation, SCAS);
}

Handler Operation_ChooseString(const ZydisDecodedInstruction *instruction, Operation *operation) {
    (void)operation;
    /* Two instructions of SSE2 are also called MOVSD and CMPSD. */
    if (instruction->meta.category != ZYDIS_CATEGORY_STRINGOP)
        return NULL;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD:
        return MoveString;
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
        return CompareString;
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
        return StoreString;
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
        return LoadString;
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
        return ScanString;
    default:
        return NULL;
    }
}
