/* Executes the x87's arithmetic on the host's x87. */
#include "machine/interpreter/x87_operation.h"

#if MACHINE_HAS_X87

#include <string.h>

/* The part that FXSAVE and FXRSTOR use in both 32-bit and 64-bit mode. */
enum { IMAGE_SIZE = 512, X87_SIZE = 160, MXCSR_AT = 24, ST_AT = 32 };

/* A stub of 8 bytes for each instruction, which is the instruction and a jump back. First come
 * those with two registers, 64 for each opcode, and then those with memory, 8 for each opcode,
 * whose operand is at RDX. Instructions of the environment have stubs, too, but these are never
 * called. */
#define STUBS                                                                                      \
    ".set retropose_stub, 0\n\t"                                                                   \
    ".rept 512\n\t"                                                                                \
    ".byte 0xD8 + (retropose_stub >> 6), 0xC0 + (retropose_stub & 63)\n\t"                         \
    "jmp 2f\n\t"                                                                                   \
    ".balign 8\n\t"                                                                                \
    ".set retropose_stub, retropose_stub + 1\n\t"                                                  \
    ".endr\n\t"                                                                                    \
    ".set retropose_stub, 0\n\t"                                                                   \
    ".rept 64\n\t"                                                                                 \
    ".byte 0xD8 + (retropose_stub >> 3), 2 + ((retropose_stub & 7) << 3)\n\t"                      \
    "jmp 2f\n\t"                                                                                   \
    ".balign 8\n\t"                                                                                \
    ".set retropose_stub, retropose_stub + 1\n\t"                                                  \
    ".endr\n\t"

#ifdef __x86_64__
#define STUB_ADDRESS                                                                               \
    "leaq 3f(%%rip), %%rcx\n\t"                                                                    \
    "leaq (%%rcx,%[stub],8), %%rcx\n\t"
#define STUB_JUMP "jmp *%%rcx\n\t"
#else
#define STUB_ADDRESS                                                                               \
    "call 4f\n"                                                                                    \
    "4:\tpopl %%ecx\n\t"                                                                           \
    "leal (3f-4b)(%%ecx,%[stub],8), %%ecx\n\t"
#define STUB_JUMP "jmp *%%ecx\n\t"
#endif

/* FXSAVE does not wait for exceptions. So the state can be read even if it contains an exception
 * that is not masked. FNINIT then drops that exception before the host's next x87 instruction could
 * raise it. */
__attribute__((noinline)) void X87Native_Execute(MachineVectors *vectors, X87Operation *operation) {
    /* This is aligned by hand, because callers in 32-bit Windows do not keep the stack aligned. */
    uint8_t space[IMAGE_SIZE + 15] = {0}, *image = space + (-(uintptr_t)space & 15u);
    memcpy(image, vectors, X87_SIZE);
    uint16_t host_control;
    const size_t stub = operation->modrm >= 0xC0
                            ? (operation->opcode & 7u) << 6 | (operation->modrm & 63u)
                            : 512u + ((operation->opcode & 7u) << 3 | (operation->modrm >> 3 & 7u));
    /* AH has the lower byte of the flags, and AL is 1 if OF is to be set: adding 127 to it
     * overflows exactly then. */
    size_t flags = (operation->eflags & 0xD5u) << 8 | (operation->eflags >> 11 & 1u);
    __asm__ volatile(
        "fnstcw %[control]\n\t"
        "stmxcsr %c[mxcsr](%[image])\n\t"
        "fxrstor (%[image])\n\t" STUB_ADDRESS "addb $127, %%al\n\t"
        "sahf\n\t" STUB_JUMP ".balign 8\n"
        "3:\n\t" STUBS "2:\n\t"
        "fxsave (%[image])\n\t"
        "lahf\n\t"
        "seto %%al\n\t"
        "fninit\n\t"
        "fldcw %[control]\n\t"
        : "+a"(flags), [control] "=m"(host_control)
        : [image] "r"(image), [stub] "r"(stub), "d"(operation->operand), [mxcsr] "i"(MXCSR_AT)
        : "rcx", "memory", "cc", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#ifdef __SSE__ /* FXRSTOR has set these registers to zero */
          ,
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"
#endif
#ifdef __x86_64__
          ,
          "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#endif
    );
    memcpy(&vectors->status, &image[2], sizeof vectors->status);
    vectors->tags = image[4];
    memcpy(vectors->st, &image[ST_AT], sizeof vectors->st);
    operation->eflags =
        (operation->eflags & ~0x8D5u) | (uint32_t)((flags >> 8 & 0xD5u) | (flags & 1u) << 11);
}

#endif
