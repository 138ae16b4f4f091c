#define _GNU_SOURCE
/* Tests that a fault of the host's processor becomes the guest's fault: code, access and address
 * are as Windows states them, and all registers are as they were before the instruction. */
#include "tests/machine/translator/guest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef GUEST_HOST

#include <sys/wait.h>

typedef struct Expected {
    uint32_t code, access, target, offset; /* the place of the instruction, counted from CODE */
} Expected;

/* Runs code that faults, and checks that nothing else changed since the state before the
 * instruction. That state is reached by executing `before` instructions. */
static void Check(const char *name, const uint8_t *code, const uint8_t *end, Expected expected,
                  uint64_t before) {
    Guest *guest = Guest_Create(true);
    Guest_Put(guest, CODE, code, (size_t)(end - code));
    guest->context.registers.eflags = EVERY_FLAG;
    guest->context.budget = before;
    MachineStop stop = Guest_Run(guest);
    assert_int_equal(stop, MACHINE_STOP_BUDGET);
    MachineRegisters registers = guest->context.registers;
    guest->context.budget = 100;
    stop = Guest_Run(guest);
    const MachineFault *fault = &guest->context.fault;
    if (stop != MACHINE_STOP_FAULT || fault->code != expected.code ||
        fault->access != expected.access || fault->target != expected.target ||
        fault->address != CODE + expected.offset)
        fail_msg("%s: stop %d, %08x at %08x, %u %08x", name, (int)stop, fault->code, fault->address,
                 fault->access, fault->target);
    const MachineRegisters *now = &guest->context.registers;
    assert_int_equal(now->eip, CODE + expected.offset);
    assert_int_equal(now->eflags, registers.eflags);
    assert_memory_equal(now->general, registers.general, sizeof registers.general);
    assert_memory_equal(now->vectors.xmm, registers.vectors.xmm, sizeof registers.vectors.xmm);
    assert_int_equal(guest->context.budget, 100);
    Guest_Destroy(guest);
}

/* Code of a guest, and a test that it faults at the offset after `before` instructions. */
#define CHECKED(name, before, expected, ...)                                                       \
    GUEST_CODE(name, __VA_ARGS__);                                                                 \
    TEST(test_##name##_faults_and_changes_nothing) {                                               \
        Check(#name, name, name##_end, expected, before);                                          \
    }
#define FAULTS(name, before, code, offset, ...)                                                    \
    CHECKED(name, before, ((Expected){code, 0, 0, offset}), __VA_ARGS__)
#define VIOLATES(name, before, access, target, offset, ...)                                        \
    CHECKED(name, before, ((Expected){MACHINE_ACCESS_VIOLATION, access, target, offset}),          \
            __VA_ARGS__)

VIOLATES(wild_read, 1, MACHINE_READ, NOWHERE + 0x10, 5, "mov edx, 0x600010\nmov eax, [edx]\nret")
VIOLATES(null_read, 1, MACHINE_READ, 8, 2, "xor edx, edx\nadd eax, [edx+8]\nret")
VIOLATES(wild_write, 1, MACHINE_WRITE, NOWHERE + 0x1C, 5,
         "mov edx, 0x600010\nmov [edx+ecx*4], eax\nret")
VIOLATES(fixed_write, 1, MACHINE_WRITE, FIXED + 8, 5, "mov edx, 0x400000\nadd [edx+8], eax\nret")
VIOLATES(code_write, 1, MACHINE_WRITE, CODE + 8, 5, "mov edx, 0x100000\nmov [edx+8], eax\nret")
VIOLATES(across_end, 1, MACHINE_READ, DATA + AREA, 5, "mov edx, 0x203FFE\nmov eax, [edx]\nret")
VIOLATES(wild_push, 2, MACHINE_WRITE, STACK - 2, 6, "mov esp, 0x300002\nnop\npush eax\nret")
VIOLATES(wild_pop, 2, MACHINE_READ, STACK + AREA, 6, "mov esp, 0x304000\nnop\npop ebx\nret")
VIOLATES(wild_pop_memory, 2, MACHINE_WRITE, NOWHERE, 6,
         "mov edx, 0x600000\nnop\npop dword ptr [edx]\nret")
VIOLATES(wild_push_memory, 1, MACHINE_READ, NOWHERE + 4, 5,
         "mov edx, 0x600000\npush dword ptr [edx+4]\nret")
VIOLATES(wild_call, 2, MACHINE_WRITE, STACK - 4, 6, "mov esp, 0x300000\nnop\ncall 1f\n1: ret")
VIOLATES(wild_ret, 2, MACHINE_READ, STACK + AREA, 6, "mov esp, 0x304000\nnop\nret")
VIOLATES(wild_leave, 2, MACHINE_READ, STACK + AREA, 6, "mov ebp, 0x304000\nnop\nleave\nret")
VIOLATES(wild_popad, 2, MACHINE_READ, STACK + AREA + 0xC, 6, "mov esp, 0x303FF0\nnop\npopad\nret")
VIOLATES(wild_pushad, 2, MACHINE_WRITE, STACK - 4, 6, "mov esp, 0x300010\nnop\npushad\nret")
VIOLATES(wild_x87, 1, MACHINE_READ, NOWHERE, 5, "mov edx, 0x600000\nfld qword ptr [edx]\nret")
VIOLATES(wild_sse, 1, MACHINE_READ, NOWHERE, 5, "mov edx, 0x600000\nmovups xmm0, [edx]\nret")
VIOLATES(wild_movs, 1, MACHINE_WRITE, NOWHERE, 5, "mov edi, 0x600000\nmovsd\nret")
VIOLATES(wild_block, 1, MACHINE_READ, NOWHERE, 5, "mov edx, 0x100000\nmov eax, fs:[edx]\nret")
VIOLATES(last_byte, 1, MACHINE_READ, 0xFFFFFFFF, 5, "mov edx, -1\nmov eax, [edx]\nret")

GUEST_CODE(fast_call, "lea edx, [esi+4]\nsysenter\nret");
GUEST_CODE(other_call, "lea edx, [esi+4]\nsyscall\nret");

VIOLATES(misaligned, 1, MACHINE_READ, 0xFFFFFFFF, 3, "lea edx, [esi+4]\nmovaps xmm0, [edx]\nret")
FAULTS(undefined, 1, MACHINE_ILLEGAL, 3, "lea edx, [esi+4]\nud2\nret")
FAULTS(breakpoint, 1, MACHINE_BREAKPOINT, 3, "lea edx, [esi+4]\nint3\nret")
FAULTS(halt, 1, MACHINE_PRIVILEGED, 3, "lea edx, [esi+4]\nhlt\nret")
FAULTS(port, 1, MACHINE_PRIVILEGED, 3, "lea edx, [esi+4]\nin al, dx\nret")
VIOLATES(system_call, 1, MACHINE_READ, 0xFFFFFFFF, 3, "lea edx, [esi+4]\nint 0x80\nret")

/* SYSENTER and SYSCALL would call the host's kernel. */
TEST(SystemCallsDoNotReachTheHost) {
    static const struct {
        const uint8_t *code, *end;
    } rows[] = {{fast_call, fast_call_end}, {other_call, other_call_end}};
    for (int i = 0; i < 2; i++) {
        Guest *guest = Guest_Create(true);
        Guest_Put(guest, CODE, rows[i].code, (size_t)(rows[i].end - rows[i].code));
        /* the number of the system call `exit` */
        guest->context.registers.general[MACHINE_EAX] = 60;
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_FAULT);
        assert_int_equal(guest->context.fault.address, CODE + 3);
        Guest_Destroy(guest);
    }
}

FAULTS(divide_by_zero, 1, MACHINE_INTEGER_DIVIDE, 2, "xor ecx, ecx\ndiv ecx\nret")
FAULTS(divide_by_zero_byte, 1, MACHINE_INTEGER_DIVIDE, 4, "mov cx, 0x12\nidiv ch\nret")
FAULTS(divide_by_zero_memory, 1, MACHINE_INTEGER_DIVIDE, 4,
       "and dword ptr [esi+ecx*4], 0\nidiv dword ptr [esi+ecx*4]\nret")
FAULTS(divide_overflow, 1, MACHINE_INTEGER_OVERFLOW, 5, "mov edx, 77\ndiv ecx\nret")
FAULTS(divide_overflow_signed, 2, MACHINE_INTEGER_OVERFLOW, 10,
       "mov ecx, -1\nmov edx, 0x80000000\nidiv ecx\nret")
FAULTS(divide_overflow_byte, 1, MACHINE_INTEGER_OVERFLOW, 4,
       "mov ax, 0x7000\ndiv byte ptr fs:[0x10]\nret")

/* An x87 exception comes at the next instruction that waits, as on the hardware. */
GUEST_CODE(x87_divide, "mov word ptr [esi], 0x27B\nfldcw [esi]\nfld1\nfldz\nfdivp\nnop\nfld1\nret");
GUEST_CODE(x87_invalid,
           "mov word ptr [esi], 0x27E\nfldcw [esi]\nfldz\nfldz\nfdivp\nnop\nfwait\nret");
GUEST_CODE(x87_stack, "mov word ptr [esi], 0x27E\nfldcw [esi]\nfaddp\nnop\nnop\nnop\nfwait\nret");
GUEST_CODE(x87_inexact,
           "mov word ptr [esi], 0x25F\nfldcw [esi]\nfld1\nfldpi\nfdivp\nnop\nfwait\nret");
GUEST_CODE(sse_divide, "mov dword ptr [esi], 0x1D80\nldmxcsr [esi]\nxorps xmm1, xmm1\n"
                       "mov dword ptr [esi], 0x3F800000\nmovss xmm0, [esi]\ndivss xmm0, xmm1\nret");

TEST(FloatExceptionsThatAreNotMaskedHaveTheCodesOfWindows) {
    static const struct {
        const uint8_t *code, *end;
        uint32_t expected, offset;
    } rows[] = {{x87_divide, x87_divide_end, MACHINE_FLOAT_DIVIDE, 14},
                {x87_invalid, x87_invalid_end, MACHINE_FLOAT_INVALID, 14},
                {x87_stack, x87_stack_end, MACHINE_FLOAT_STACK, 12},
                {x87_inexact, x87_inexact_end, MACHINE_FLOAT_INEXACT, 14},
                {sse_divide, sse_divide_end, MACHINE_FLOAT_TRAPS, 22}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Guest *guest = Guest_Create(true);
        Guest_Put(guest, CODE, rows[i].code, (size_t)(rows[i].end - rows[i].code));
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_FAULT);
        assert_int_equal(guest->context.fault.code, rows[i].expected);
        assert_int_equal(guest->context.fault.address, CODE + rows[i].offset);
        assert_int_equal(guest->context.registers.eip, CODE + rows[i].offset);
        Guest_Destroy(guest);
    }
}

GUEST_CODE(jump_to_data, "mov edx, 0x200000\njmp edx");
GUEST_CODE(call_to_nowhere, "call 1f+0x500000\n1: ret");
GUEST_CODE(up_to_the_end, "jmp 1f\n.skip 0x3FFA, 0x90\n1: nop");
GUEST_CODE(across_the_end, "jmp 1f\n.skip 0x3FF8, 0x90\n1: .byte 0x90, 0xB8, 0x11");

TEST(CodeMustBeExecutable) {
    static const struct {
        const uint8_t *code, *end;
        uint32_t address, target;
    } rows[] = {{jump_to_data, jump_to_data_end, DATA, DATA},
                {call_to_nowhere, call_to_nowhere_end, CODE + 0x500005, CODE + 0x500005},
                {up_to_the_end, up_to_the_end_end, CODE + AREA, CODE + AREA},
                {across_the_end, across_the_end_end, CODE + AREA - 2, CODE + AREA}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Guest *guest = Guest_Create(true);
        Guest_Put(guest, CODE, rows[i].code, (size_t)(rows[i].end - rows[i].code));
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_FAULT);
        const MachineFault *fault = &guest->context.fault;
        assert_int_equal(fault->code, MACHINE_ACCESS_VIOLATION);
        assert_int_equal(fault->access, MACHINE_EXECUTE);
        assert_int_equal(fault->address, rows[i].address);
        assert_int_equal(fault->target, rows[i].target);
        assert_int_equal(guest->context.registers.eip, rows[i].address);
        Guest_Destroy(guest);
    }
}

/* ---- signals that are not the guest's ---- */

static volatile sig_atomic_t alarms;

static void CountAlarm(int number) {
    (void)number;
    alarms++;
}

GUEST_CODE(long_loop, "1: dec eax\njmp 1b");

/* The handler does not ask for the stack of signals, and RSP does not hold an address of the
 * host. */
TEST(ASignalOfTheHostWaitsUntilTheRunEnds) {
    Guest *guest = Guest_Create(true);
    Guest_Put(guest, CODE, long_loop, (size_t)(long_loop_end - long_loop));
    struct sigaction action = {.sa_handler = CountAlarm}, before;
    sigaction(SIGALRM, &action, &before);
    alarms = 0;
    ualarm(1000, 0);
    for (int i = 0; i < 10000 && !alarms; i++) {
        guest->context.budget = 10000000;
        assert_int_equal(Guest_Run(guest), MACHINE_STOP_BUDGET);
        assert_int_equal(guest->context.budget, 0);
    }
    assert_int_equal(alarms, 1);

    /* While the thread is held, the signal also waits between runs. */
    assert_true(Translator_Hold());
    assert_true(Translator_Hold());
    assert_int_equal(raise(SIGALRM), 0);
    guest->context.budget = 10;
    assert_int_equal(Guest_Run(guest), MACHINE_STOP_BUDGET);
    Translator_Release();
    assert_int_equal(alarms, 1);
    Translator_Release();
    assert_int_equal(alarms, 2);
    sigaction(SIGALRM, &before, NULL);
    Guest_Destroy(guest);
}

static void ExitWith7(int number) {
    (void)number;
    _exit(7);
}

/* A program's own faults reach the handler that was installed before, or end the program. */
TEST(FaultsOfTheHostGoWhereTheyWent) {
    for (int with_handler = 0; with_handler < 2; with_handler++) {
        pid_t child = fork();
        if (child == 0) {
            signal(SIGSEGV, with_handler ? ExitWith7 : SIG_DFL);
            Guest *guest = Guest_Create(true);
            Guest_Put(guest, CODE, wild_read, (size_t)(wild_read_end - wild_read));
            if (Guest_Run(guest) != MACHINE_STOP_FAULT)
                _exit(1);
            *(volatile uint32_t *)guest->memory->window = 1;
            _exit(2);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (with_handler)
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        else
            assert_true(!WIFEXITED(status) || WEXITSTATUS(status) > 2);
    }
}
#else

int main(void) {
    return 0;
}

#endif
