/* The expressions beside the guest's memory. */
#include "machine/lifting/lift_state.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_WORDS = 1024 };

/* ---- bytes ----------------------------------------------------------------------------------- */

const Expression *Lift_Join(Lifter *lifter, const LiftByte *bytes, uint32_t count) {
    const Expression *whole = NULL;
    for (uint32_t i = 0; i < count;) {
        uint32_t run = 1;
        while (i + run < count && bytes[i + run].of == bytes[i].of &&
               bytes[i + run].number == bytes[i].number + run)
            run++;
        const Expression *part =
            Expression_Extract(lifter->graph, bytes[i].of, 8 * bytes[i].number, 8 * run);
        whole = whole ? Expression_Concat(lifter->graph, whole, part) : part;
        i += run;
    }
    return whole;
}

void Lift_Split(LiftByte *bytes, uint32_t count, const Expression *expression, uint32_t from) {
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = (LiftByte){expression, from + i};
}

/* ---- regions and words ----------------------------------------------------------------------- */

LiftPlacedRegion *Lift_FindRegion(Lifter *lifter, uint32_t address) {
    for (uint32_t i = 0; i < lifter->regions.count; i++) {
        LiftPlacedRegion *placed = &lifter->regions.at[i];
        if (address - placed->region.address < placed->region.size)
            return placed;
    }
    return NULL;
}

static uint32_t Slot(const Lifter *lifter, uint32_t address) {
    uint32_t at = (address / 4 * 0x9E3779B1u) >> 7 & (lifter->word_size - 1);
    while (lifter->words[at].generation == lifter->generation &&
           lifter->words[at].address != address)
        at = (at + 1) & (lifter->word_size - 1);
    return at;
}

LiftWord *Lift_FindWord(Lifter *lifter, uint32_t address, bool make) {
    address &= ~3u;
    if (lifter->word_size == 0 || (make && 2 * lifter->used.count >= lifter->word_size)) {
        const uint32_t size = lifter->word_size ? 2 * lifter->word_size : FIRST_WORDS;
        LiftWord *words = calloc(size, sizeof *words), *before = lifter->words;
        if (!words) {
            lifter->failed = true;
            return NULL;
        }
        const uint32_t old_size = lifter->word_size;
        lifter->words = words;
        lifter->word_size = size;
        for (uint32_t i = 0; i < old_size; i++)
            if (before[i].generation == lifter->generation)
                words[Slot(lifter, before[i].address)] = before[i];
        free(before);
    }
    LiftWord *word = &lifter->words[Slot(lifter, address)];
    if (word->generation == lifter->generation)
        return word;
    if (!make)
        return NULL;
    *word = (LiftWord){.address = address, .generation = lifter->generation};
    LIFT_ADD(lifter, lifter->used, address);
    return word;
}

bool Lift_Remember(Lifter *lifter, uint32_t address, uint32_t size) {
    while (size > 0) {
        LiftUndo undo = {.address = address, .size = (uint8_t)(size < 16 ? size : 16)};
        if (!MachineMemory_Read(lifter->memory, address, undo.bytes, undo.size, MACHINE_READ, NULL))
            return false;
        LIFT_ADD(lifter, lifter->undo, undo);
        if (lifter->failed)
            return false;
        address += undo.size;
        size -= undo.size;
    }
    return true;
}

bool Lift_Peek(Lifter *lifter, uint32_t address, uint32_t size, ExpressionValue *number) {
    uint8_t bytes[10] = {0};
    const uint32_t any = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
    if (!MachineMemory_Read(lifter->memory, address, bytes, size, any, NULL))
        return false;
    *number = (ExpressionValue){0, (uint16_t)(bytes[8] | bytes[9] << 8)};
    for (uint32_t i = 0; i < 8; i++)
        number->low |= (uint64_t)bytes[i] << 8 * i;
    return true;
}

/* ---- reading and writing --------------------------------------------------------------------- */

static void NoteAccess(Lifter *lifter, uint32_t address, uint32_t size, bool written) {
    const LiftAccess access = {address, size, written};
    LIFT_ADD(lifter, lifter->cut_accesses, access);
}

void Lift_NoteRead(Lifter *lifter, uint32_t address, uint32_t size) {
    if (lifter->in_cut) {
        NoteAccess(lifter, address, size, false);
        return;
    }
    if (!Lift_FindRegion(lifter, address))
        return;
    for (uint32_t i = 0; i < size; i++) {
        LiftWord *word = Lift_FindWord(lifter, address + i, true);
        if (word && !(word->stored >> (address + i) % 4 & 1))
            word->read |= (uint8_t)(1u << (address + i) % 4);
    }
}

const Expression *Lift_ReadBytes(Lifter *lifter, uint32_t address, uint32_t size) {
    LiftByte bytes[16];
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t at = address + i;
        LiftWord *word = Lift_FindWord(lifter, at, false);
        if (word && word->set >> at % 4 & 1) {
            bytes[i] = word->bytes[at % 4];
            continue;
        }
        const LiftPlacedRegion *placed = Lift_FindRegion(lifter, at);
        if (placed && !placed->region.scratch) {
            const uint32_t offset = at - placed->region.address;
            bytes[i] =
                (LiftByte){Expression_Input(lifter->graph, placed->region.name, offset, 8), 0};
        } else { /* a byte that the guest has is a constant */
            ExpressionValue number = {0, 0};
            (void)Lift_Peek(lifter, at, 1, &number);
            bytes[i] = (LiftByte){Expression_Constant(lifter->graph, 8, number.low), 0};
        }
    }
    Lift_NoteRead(lifter, address, size);
    return Lift_Join(lifter, bytes, size);
}

bool Lift_WriteBytes(Lifter *lifter, uint32_t address, uint32_t size,
                     const Expression *expression) {
    if (lifter->in_cut)
        NoteAccess(lifter, address, size, true);
    for (uint32_t i = 0; i < size; i++) {
        LiftPlacedRegion *placed = Lift_FindRegion(lifter, address + i);
        if (!placed)
            return Lift_Refuse(lifter, "it writes to 0x%08X, outside of what was declared",
                               address + i);
        if (placed->region.counters && !Expression_IsFixed(lifter->graph, expression))
            return Lift_Refuse(lifter, "it keeps in %s what depends on an input",
                               ExpressionGraph_NameOf(lifter->graph, placed->region.name));
        placed->touched = true;
        LiftWord *word = Lift_FindWord(lifter, address + i, true);
        if (!word)
            return false;
        const uint32_t at = (address + i) % 4;
        word->set |= (uint8_t)(1u << at);
        word->stored |= (uint8_t)(1u << at);
        word->step = lifter->steps.count - 1;
        word->bytes[at] = (LiftByte){expression, i};
    }
    (void)Lift_Remember(lifter, address, size); /* if the guest may not read there, it will fault */
    return !lifter->failed;
}
