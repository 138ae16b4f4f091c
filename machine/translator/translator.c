#define _GNU_SOURCE
#include "machine/translator/translator.h"

#include "machine/interpreter/vector_registers.h"
#include "machine/translator/code.h"

#ifdef TRANSLATOR_HOST

#include <cpuid.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SET_GS 0x1001
#define GET_GS 0x1004

/* The largest budget for one stay in translated code. EmitTestBudget looks only at the topmost 8 of
 * 64 bits. */
#define MOST_AT_ONCE (1ll << 48)

/* Numbers of the host processor's exceptions. */
enum {
    TRAP_DIVIDE = 0,
    TRAP_OPCODE = 6,
    TRAP_STACK = 12,
    TRAP_PROTECTION = 13,
    TRAP_PAGE = 14,
    TRAP_X87 = 16,
    TRAP_SSE = 19
};
#define ERROR_WRITE 2u

/* ---- writes into translated code --------------------------------------------------------------*/

/* Drops the code that was translated from a page when the page is written. A page with both code
 * and data would be translated again and again. Therefore, after the first few writes, each further
 * write doubles the number of its instructions that the interpreter has to execute before the page
 * is translated again. */
static bool WriteHook(void *context, uint32_t address) {
    Translator *translator = context;
    MachineMemory *memory = translator->memory;
    uint8_t protection = MachineMemory_Protection(memory, address);
    if (protection & MACHINE_WRITE && protection & MACHINE_WATCHED) {
        Page *page = &translator->pages[address / MACHINE_PAGE];
        if (page->heat < 20)
            page->heat++;
        if (page->heat > 4)
            page->patience = 1u << page->heat;
        Code_DropPage(translator, address / MACHINE_PAGE);
        return true;
    }
    return translator->next_hook && translator->next_hook(translator->next_context, address);
}

/* ---- faults -----------------------------------------------------------------------------------*/

/* The processor has one exception for a divisor of zero and for a quotient that does not fit.
 * Windows looks at the operand to tell them apart. */
static uint32_t CodeOfDivision(Translator *translator, const MachineContext *context) {
    const MachineRegisters *registers = &context->registers;
    ZydisDecodedInstruction zydis;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!Carry_Decode(translator, registers->eip, &zydis, operands))
        return MACHINE_INTEGER_DIVIDE;
    uint32_t divisor = 0, size = operands[0].size / 8u;
    if (zydis.raw.modrm.mod == 3) {
        /* As 8-bit registers, AH, CH, DH and BH have the numbers 4 to 7. */
        bool high = size == 1 && zydis.raw.modrm.rm >= 4;
        divisor = registers->general[zydis.raw.modrm.rm & (size == 1 ? 3 : 7)] >> (high ? 8 : 0);
    } else {
        const ZydisDecodedOperandMem *memory = &operands[0].mem;
        uint32_t address = (uint32_t)memory->disp.value;
        if (zydis.attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS)
            address += context->fs_base;
        if (memory->base != ZYDIS_REGISTER_NONE)
            address += registers->general[ZydisRegisterGetId(memory->base) & 7];
        if (memory->index != ZYDIS_REGISTER_NONE)
            address +=
                registers->general[ZydisRegisterGetId(memory->index) & 7] * (uint32_t)memory->scale;
        MachineMemory_Read(translator->memory, address, &divisor, size, MACHINE_READ, NULL);
    }
    return divisor << (32 - 8 * size) ? MACHINE_INTEGER_OVERFLOW : MACHINE_INTEGER_DIVIDE;
}

/* What to do about an instruction that the host's processor refused: execute it again, let the
 * interpreter execute it, or report it as the guest's fault, which is then filled. */
typedef enum Remedy { REMEDY_RETRY, REMEDY_STEP, REMEDY_NONE } Remedy;

static Remedy FillFault(Translator *translator, MachineContext *context) {
    const Trouble *trouble = &translator->frame.trouble;
    MachineMemory *memory = translator->memory;
    MachineRegisters *registers = &context->registers;
    const MachineVectors *vectors = &registers->vectors;
    uint32_t target = (uint32_t)(trouble->address - (uintptr_t)memory->window);
    uint8_t protection = MachineMemory_Protection(memory, target);
    MachineFault *fault = &context->fault;
    *fault = (MachineFault){.code = MACHINE_ACCESS_VIOLATION, .address = registers->eip};
    switch (trouble->trap) {
    case TRAP_DIVIDE:
        fault->code = CodeOfDivision(translator, context);
        return REMEDY_NONE;
    case TRAP_OPCODE:
        fault->code = MACHINE_ILLEGAL;
        return REMEDY_NONE;
    case TRAP_X87:
        fault->code = Step_FloatCode(vectors->status & ~vectors->control & X87_EXCEPTIONS,
                                     vectors->status & X87_STACK);
        return REMEDY_NONE;
    case TRAP_SSE:
        fault->code = MACHINE_FLOAT_TRAPS;
        return REMEDY_NONE;
    case TRAP_PAGE:
        fault->access = trouble->error & ERROR_WRITE ? MACHINE_WRITE : MACHINE_READ;
        fault->target = target;
        if (fault->access != MACHINE_WRITE)
            return REMEDY_NONE;
        if (protection & MACHINE_WRITE)
            return protection & MACHINE_WATCHED ? REMEDY_STEP : REMEDY_NONE;
        return protection & MACHINE_READ && translator->next_hook &&
                       translator->next_hook(translator->next_context, target)
                   ? REMEDY_RETRY
                   : REMEDY_NONE;
    default:
        fault->access = MACHINE_READ;
        fault->target = 0xFFFFFFFF;
        return REMEDY_NONE;
    }
}

/* ---- running ----------------------------------------------------------------------------------*/

/* Nothing on Linux uses GS. Its base therefore is mostly 0, or the window of another machine that
 * ran on the thread before; then the new base stays after the run. Any other base belongs to
 * somebody who wants it back, and Translator_Run restores it. */
static _Thread_local uint64_t left_behind, borrowed;

/* Executes translated code until it leaves, and returns the way out that it took. */
static uint32_t Enter(Translator *translator, MachineContext *context, const Block *block) {
    Frame *frame = &translator->frame;
    MachineRegisters *registers = &context->registers;
    MachineVectors *vectors = &registers->vectors;
    int64_t given = context->budget < MOST_AT_ONCE ? (int64_t)context->budget : MOST_AT_ONCE;
    uint32_t mxcsr_mask = vectors->mxcsr_mask;
    vectors->mxcsr &= translator->mxcsr_mask;
    frame->registers = registers;
    frame->budget = given;
    frame->flags = (registers->eflags & HOST_FLAGS) | MACHINE_FIXED | MACHINE_IF;
    frame->entry = (uintptr_t)translator->executable + block->code;

    void (*enter)(Frame *) = (void (*)(Frame *))(uintptr_t)translator->executable;
    enter(frame);
    if (frame->way == WAY_WINDOW) {
        uint64_t now = 0;
        syscall(SYS_arch_prctl, GET_GS, &now);
        if (now != 0 && now != left_behind)
            borrowed = now;
        syscall(SYS_arch_prctl, SET_GS, frame->window);
        left_behind = frame->window;

        enter(frame);
    }

    registers->eflags = (registers->eflags & ~HOST_FLAGS) | ((uint32_t)frame->flags & HOST_FLAGS);
    vectors->mxcsr_mask = mxcsr_mask;
    if (frame->way == WAY_FAULT) {
        /* The state before the refused instruction is restored, as far as the registers do not have
         * it anyway. */
        const Block *refused = Code_At(translator, frame->trouble.place);
        const Mark *mark = Code_MarkAt(translator, refused, frame->trouble.place);
        registers->eip = refused->eip + mark->guest;
        frame->budget += (int64_t)refused->count - mark->before;
        if (mark->repetition == REPEATED_MOVE)
            frame->budget += registers->general[MACHINE_ECX] - 1;
        if (mark->repetition == REPEATED_COMPARE) {
            const uint32_t low = MACHINE_SF | MACHINE_ZF | MACHINE_AF | MACHINE_PF | MACHINE_CF;
            uint32_t kept = (uint32_t)frame->trouble.r11;
            registers->eflags &= ~(low | MACHINE_OF);
            registers->eflags |= (kept >> 8 & low) | (kept & 1 ? MACHINE_OF : 0);
        }
    }
    /* The processor's address of the last x87 instruction is a place in our code, which is
     * converted to the guest's address. */
    uint32_t offset = vectors->instruction - (uint32_t)(uintptr_t)translator->executable;
    if (vectors->instruction && offset >= translator->prologue && offset < translator->used) {
        uint64_t place = (uintptr_t)translator->executable + offset;
        const Block *last = Code_At(translator, place);
        if (last)
            vectors->instruction = last->eip + Code_MarkAt(translator, last, place)->guest;
    }
    vectors->instruction_selector = vectors->data_selector = 0;

    uint64_t used = (uint64_t)(given - frame->budget);
    context->budget = used < context->budget ? context->budget - used : 0;
    return frame->way;
}

/* Notes what has run, between two runs of translated code. Nothing has to be counted within the
 * code: a block runs for the first time when Run enters it, and a side of a branch is taken for the
 * first time when its link leads to Run. A block that did not run to its end is dropped, so that
 * Run enters it the next time, too. `block` is the one that Run has entered, and `way` the way out
 * that was taken. */
static void NoteReached(Translator *translator, const MachineContext *context, Block *block,
                        uint32_t way) {
    const uint32_t eip = context->registers.eip;
    if (!block->noted) {
        const bool is_inside = eip - block->eip < block->size;
        const bool is_fault = way == WAY_FAULT && is_inside &&
                              Code_At(translator, translator->frame.trouble.place) == block;
        /* These ways lead to the interpreter, which notes the instruction itself. */
        const bool is_left = (way == WAY_STEP || way == WAY_BUDGET) && is_inside;
        const Mark *marks = translator->marks + block->first_mark;
        uint32_t count = 0;
        while (count < block->marks &&
               !((is_left && block->eip + marks[count].guest == eip) ||
                 (is_fault && count > 0 && block->eip + marks[count - 1].guest == eip)))
            MachineReached_Note(context->reached, block->eip + marks[count++].guest, MACHINE_RAN);
        block->noted = count == block->marks || (way == WAY_STEP && count + 1 == block->marks);
        if (!block->noted)
            Code_DropBlock(translator, block);
    }
    if (way < WAY_FIRST) {
        const uint64_t place = (uintptr_t)translator->executable + translator->links[way].site;
        const Block *from = Code_At(translator, place);
        const Mark *last = translator->marks + from->first_mark + from->marks - 1;
        MachineReached_Note(context->reached, from->eip + last->guest,
                            eip == from->eip + from->size ? MACHINE_WENT_ON : MACHINE_JUMPED);
    }
}

static bool IsGate(uint32_t eip) {
    return eip >= MACHINE_GATES && eip < MACHINE_GATES_END;
}

static MachineStop Run(Translator *translator, MachineContext *context) {
    MachineRegisters *registers = &context->registers;
    uint32_t link = WAY_INDIRECT, generation = translator->generation;
    for (;;) {
        uint32_t eip = registers->eip;
        if (IsGate(eip))
            return MACHINE_STOP_GATE;
        if (context->budget == 0)
            return MACHINE_STOP_BUDGET;

        Page *page = &translator->pages[eip / MACHINE_PAGE];
        if (registers->eflags & MACHINE_TF || page->patience > 0) {
            /* The interpreter executes some instructions, as long as EIP is on the same page. */
            uint32_t one = 1;
            uint32_t *count = registers->eflags & MACHINE_TF ? &one : &page->patience;
            for (; *count > 0 && context->budget > 0 &&
                   registers->eip / MACHINE_PAGE == eip / MACHINE_PAGE;
                 --*count)
                if (!Interpreter_Step(translator->interpreter, context))
                    return MACHINE_STOP_FAULT;
            link = WAY_INDIRECT;
            continue;
        }

        Block *block = Code_Find(translator, eip);
        if (!block) {
            uint32_t target = eip;
            block = Carry_Block(translator, eip, &target);
            if (!block) {
                context->fault = (MachineFault){.code = MACHINE_ACCESS_VIOLATION,
                                                .address = eip,
                                                .access = MACHINE_EXECUTE,
                                                .target = target};
                return MACHINE_STOP_FAULT;
            }
        }
        if (link < WAY_FIRST && generation == translator->generation)
            Code_Connect(translator, link, (uint32_t)(block - translator->blocks));
        translator->table[eip % LOOKUP_ROWS] = (Lookup){
            .minus = 0 - (uint64_t)eip, .code = (uintptr_t)translator->executable + block->code};

        link = Enter(translator, context, block);
        generation = translator->generation;
        if (context->reached)
            NoteReached(translator, context, block, link);
        switch (link) {
        case WAY_STEP:
            if (context->budget > 0 && !Interpreter_Step(translator->interpreter, context))
                return MACHINE_STOP_FAULT;
            break;
        case WAY_BUDGET:
            while (context->budget > 0 && context->budget <= BLOCK_MOST && !IsGate(registers->eip))
                if (!Interpreter_Step(translator->interpreter, context))
                    return MACHINE_STOP_FAULT;
            break;
        case WAY_FAULT: {
            Remedy remedy = FillFault(translator, context);
            if (remedy == REMEDY_NONE ||
                (remedy == REMEDY_STEP && !Interpreter_Step(translator->interpreter, context)))
                return MACHINE_STOP_FAULT;
            break;
        }
        default:
            break;
        }
    }
}

MachineStop Translator_Run(Translator *translator, MachineContext *context) {
    if (context->fs_base != translator->fs_base || context->profile != translator->profile) {
        Code_Flush(translator);
        translator->fs_base = context->fs_base;
        translator->profile = context->profile;
    }

    /* The owner of the memory may have set a hook of its own since the last run. */
    MachineMemory *memory = translator->memory;
    if (memory->write_hook != WriteHook || memory->write_context != translator) {
        translator->next_hook = memory->write_hook;
        translator->next_context = memory->write_context;
        memory->write_hook = WriteHook;
        memory->write_context = translator;
    }

    /* Between runs, pages may have been removed or given another protection, so that they are no
     * longer watched or executable. */
    for (uint32_t i = translator->watched_count; i-- > 0;) {
        uint32_t page = translator->watched[i];
        uint8_t protection = translator->memory->protection[page];
        if (!(protection & MACHINE_WATCHED) || !(protection & MACHINE_EXECUTE))
            Code_DropPage(translator, page);
    }

    if (!Translator_Hold()) /* the same as on a host without the translator */
        return Interpreter_Run(translator->interpreter, context);
    Frame *outer = Signals_Expect(&translator->frame);
    MachineStop stop = Run(translator, context);
    Signals_Expect(outer);
    if (borrowed) {
        syscall(SYS_arch_prctl, SET_GS, borrowed);
        borrowed = 0;
    }
    Translator_Release();
    return stop;
}

/* ---- life -------------------------------------------------------------------------------------*/

RpStatus Translator_Create(MachineMemory *memory, Interpreter *interpreter, Translator **translator,
                           RpError *error) {
    *translator = NULL;
    if (!memory->window)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                           "the guest's memory does not lie in one window", "", "", "");
    RpStatus status = FaultSignals_Install(error);
    if (status != RP_OK)
        return status;
    Translator *made = calloc(1, sizeof *made);
    if (!made)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a translator", "", "",
                           "");
    made->memory = memory;
    made->interpreter = interpreter;
    ZydisDecoderInit(&made->decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    /* Encodings to which later processors gave a meaning that the guest's processor does not
     * know. */
    static const ZydisDecoderMode later[] = {ZYDIS_DECODER_MODE_MPX, ZYDIS_DECODER_MODE_CET,
                                             ZYDIS_DECODER_MODE_LZCNT, ZYDIS_DECODER_MODE_TZCNT,
                                             ZYDIS_DECODER_MODE_CLDEMOTE};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        ZydisDecoderEnableMode(&made->decoder, later[i], ZYAN_FALSE);
    unsigned a, b, c, d;
    made->host_lahf = __get_cpuid(0x80000001, &a, &b, &c, &d) && c & 1;
    /* A processor that leaves the mask at 0 has the mask of the oldest ones. */
    _Alignas(16) MachineVectors vectors;
    __asm__ volatile("fxsave %0" : "=m"(vectors));
    made->mxcsr_mask = vectors.mxcsr_mask ? vectors.mxcsr_mask : 0xFFBF;
    status = Code_Create(made, error);
    if (status != RP_OK) {
        Code_Destroy(made);
        free(made);
        return status;
    }
    *translator = made;
    return RP_OK;
}

void Translator_Destroy(Translator *translator) {
    if (!translator)
        return;
    Code_Flush(translator);
    MachineMemory *memory = translator->memory;
    if (memory->write_hook == WriteHook && memory->write_context == translator) {
        memory->write_hook = translator->next_hook;
        memory->write_context = translator->next_context;
    }
    Code_Destroy(translator);
    free(translator);
}

void Translator_Forget(Translator *translator) {
    Code_Flush(translator);
    Code_Cool(translator);
}

#endif
