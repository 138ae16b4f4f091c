#include "machine/coverage/flow.h"

#include "core/bytes.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

/* What is known about an address of the image. */
#define LEADER 1u /* a block begins here */
#define KNOWN  2u /* an instruction begins here, and was decoded */

/* A table of jumps may have this many entries. One that has more counts as not understood. */
#define MOST_ENTRIES 4096u

/* An address from which to go on decoding. */
typedef struct Start {
    uint32_t rva;
    uint32_t bound; /* the number of values that an index may have here, or 0 if nobody knows */
} Start;

typedef struct Search {
    const PeFile *file;
    Flow *flow;
    uint8_t *facts;    /* one byte for each address of the image */
    uint32_t low, end; /* all known instructions begin at `low` or behind it, and before `end` */
    Start *starts;     /* the stack of what is still to be decoded */
    size_t start_count, start_capacity, open_capacity;
    bool failed; /* there is no more memory */
    ZydisDecoder decoder;
} Search;

/* Returns whether an address is in the code of the file. */
static bool IsCode(const PeFile *file, uint32_t rva) {
    const PeSection *section = rva < file->image_size ? Pe_SectionAt(file, rva) : NULL;
    return section && section->characteristics & PE_SECTION_EXECUTABLE && Pe_At(file, rva, 1);
}

/* Decodes the instruction at an address of the code. Returns false if there is none. */
static bool Decode(const PeFile *file, const ZydisDecoder *decoder, uint32_t rva,
                   ZydisDecodedInstruction *instruction, const uint8_t **bytes) {
    ZydisDecoderContext context;
    uint32_t size = ZYDIS_MAX_INSTRUCTION_LENGTH;
    do
        *bytes = Pe_At(file, rva, size);
    while (!*bytes && --size > 0);
    return *bytes && ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder, &context, *bytes, size,
                                                                instruction));
}

/* Makes an address one at which a block begins. It is decoded later, unless that has been done. */
static void Lead(Search *search, uint32_t rva, uint32_t bound) {
    if (!IsCode(search->file, rva))
        return;
    const bool is_known = search->facts[rva] & (LEADER | KNOWN);
    search->facts[rva] |= LEADER;
    if (is_known)
        return;
    if (search->start_count == search->start_capacity) {
        const size_t capacity = search->start_capacity * 2 + 64;
        Start *grown = realloc(search->starts, capacity * sizeof *grown);
        search->failed |= !grown;
        if (!grown)
            return;
        search->starts = grown;
        search->start_capacity = capacity;
    }
    search->starts[search->start_count++] = (Start){rva, bound};
}

/* Follows a jump that is not direct. One through a pointer is what a call through a pointer is, and
 * leads to another function. A table is followed if the number of its entries is known, and each of
 * them leads to code. */
static void FollowTable(Search *search, const ZydisDecodedInstruction *jump, uint32_t rva,
                        uint32_t bound) {
    const PeFile *file = search->file;
    const bool has_memory = jump->raw.modrm.mod == 0;
    const bool is_pointer = has_memory && jump->raw.modrm.rm == 5;
    const bool is_table = has_memory && jump->raw.modrm.rm == 4 && jump->raw.sib.base == 5 &&
                          jump->raw.sib.scale == 2 && jump->raw.sib.index != 4;
    const uint32_t place = (uint32_t)jump->raw.disp.value - file->image_base;
    if (is_pointer)
        return;
    bool is_understood = is_table && bound > 0 && bound <= MOST_ENTRIES;
    const uint8_t *table = is_understood ? Pe_At(file, place, 4 * bound) : NULL;
    is_understood = table != NULL;
    for (uint32_t i = 0; i < bound && is_understood; i++)
        is_understood = IsCode(file, Bytes_U32(table + 4 * i) - file->image_base);
    Flow *flow = search->flow;
    if (!is_understood && flow->open_count == search->open_capacity) {
        const size_t capacity = search->open_capacity * 2 + 16;
        uint32_t *grown = realloc(flow->open, capacity * sizeof *grown);
        search->failed |= !grown;
        if (!grown)
            return;
        flow->open = grown;
        search->open_capacity = capacity;
    }
    if (!is_understood)
        flow->open[flow->open_count++] = rva;
    for (uint32_t i = 0; i < bound && is_understood; i++)
        Lead(search, Bytes_U32(table + 4 * i) - file->image_base, 0);
}

/* Decodes from an address on, until control goes elsewhere or code begins that is known. */
static void DecodeFrom(Search *search, Start start) {
    uint32_t rva = start.rva, bound = start.bound, compared = 0;
    for (;;) {
        ZydisDecodedInstruction instruction;
        const uint8_t *bytes;
        if (!IsCode(search->file, rva))
            return;
        if (search->facts[rva] & KNOWN) {
            search->facts[rva] |= LEADER; /* two ways lead here */
            return;
        }
        if (!Decode(search->file, &search->decoder, rva, &instruction, &bytes))
            return;
        search->facts[rva] |= KNOWN;
        search->low = rva < search->low ? rva : search->low;
        search->end = rva >= search->end ? rva + 1 : search->end;
        const uint32_t next = rva + instruction.length;
        const uint32_t target = next + (uint32_t)instruction.raw.imm[0].value.s;
        const bool is_direct = instruction.raw.imm[0].is_relative;
        switch (instruction.meta.category) {
        case ZYDIS_CATEGORY_COND_BR:
            /* Behind `cmp index, N` and `ja`, the index has one of N + 1 values. */
            Lead(search, target, 0);
            Lead(search, next, instruction.mnemonic == ZYDIS_MNEMONIC_JNBE ? compared : 0);
            return;
        case ZYDIS_CATEGORY_UNCOND_BR:
            if (is_direct)
                Lead(search, target, 0);
            else
                FollowTable(search, &instruction, rva, bound);
            return;
        case ZYDIS_CATEGORY_CALL:
            if (is_direct)
                Lead(search, target, 0);
            Lead(search, next, 0);
            return;
        case ZYDIS_CATEGORY_RET:
        case ZYDIS_CATEGORY_INTERRUPT:
            return;
        default:
            break;
        }
        if (instruction.mnemonic == ZYDIS_MNEMONIC_UD0 ||
            instruction.mnemonic == ZYDIS_MNEMONIC_UD1 ||
            instruction.mnemonic == ZYDIS_MNEMONIC_UD2 ||
            instruction.mnemonic == ZYDIS_MNEMONIC_HLT)
            return;
        if (instruction.mnemonic == ZYDIS_MNEMONIC_CMP)
            compared =
                instruction.raw.imm[0].size ? (uint32_t)instruction.raw.imm[0].value.u + 1 : 0;
        rva = next;
    }
}

RpStatus Flow_Find(const PeFile *file, uint32_t entry, Flow *flow, RpError *error) {
    Search search = {.file = file, .flow = flow, .low = file->image_size};
    memset(flow, 0, sizeof *flow);
    ZydisDecoderInit(&search.decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    search.facts = calloc((size_t)file->image_size + 1, 1);
    search.failed = !search.facts;
    if (search.facts)
        Lead(&search, entry, 0);
    while (search.start_count > 0 && !search.failed)
        DecodeFrom(&search, search.starts[--search.start_count]);

    /* The decoded instructions are cut into blocks. */
    RpStatus status = RP_OK;
    size_t count = 0;
    for (uint32_t rva = search.low; rva < search.end; rva++)
        count += search.facts[rva] == (LEADER | KNOWN);
    flow->blocks = malloc((count + 1) * sizeof *flow->blocks);
    if (!flow->blocks || search.failed)
        status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                             "no memory for the blocks of a function", "", "", "");
    for (uint32_t rva = search.low; !status && rva < search.end; rva++) {
        if (search.facts[rva] != (LEADER | KNOWN))
            continue;
        FlowBlock *block = &flow->blocks[flow->count++];
        *block = (FlowBlock){.rva = rva};
        for (bool is_inside = true; is_inside;) {
            ZydisDecodedInstruction instruction;
            const uint8_t *bytes;
            const uint32_t at = rva + block->size;
            Decode(file, &search.decoder, at, &instruction, &bytes);
            block->size += instruction.length;
            if (instruction.meta.category == ZYDIS_CATEGORY_COND_BR)
                block->branch = at;
            /* Where nothing was decoded behind it, the instruction ends its block. */
            const uint32_t next = rva + block->size;
            is_inside = next < file->image_size && search.facts[next] == KNOWN &&
                        instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_NONE &&
                        instruction.meta.category != ZYDIS_CATEGORY_RET;
        }
    }

    free(search.facts);
    free(search.starts);
    if (status)
        Flow_Free(flow);
    return status;
}

void Flow_Free(Flow *flow) {
    free(flow->blocks);
    free(flow->open);
    memset(flow, 0, sizeof *flow);
}

void Flow_Text(const PeFile *file, const FlowBlock *block, RpBuffer *text) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    /* Of an operand in memory, the x87's instructions say the precision in no other way. */
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_TRUE);
    uint32_t length;
    for (uint32_t at = 0; at < block->size; at += length) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        char words[128] = "";
        const uint32_t rva = block->rva + at;
        const uint8_t *bytes = Pe_At(file, rva, block->size - at);
        if (!bytes || ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, block->size - at,
                                                         &instruction, operands)))
            return;
        ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
                                        instruction.operand_count_visible, words, sizeof words,
                                        file->image_base + rva, NULL);
        RpBuffer_Print(text, "%08X  %s\n", (unsigned)(file->image_base + rva), words);
        length = instruction.length;
    }
}
