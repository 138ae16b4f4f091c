// Arithmetic of a 32-bit program that QEMU's user mode runs, done by the processor below: each x87
// instruction under the program's own control word, each SSE addition, product, quotient and root
// under its own MXCSR. QEMU's software computes fsin and fcos with 53 bits and treats NaNs and
// subnormal numbers in another way than a processor does, so its results are no evidence for a
// claim about bits.
//
// tests/whole/emulator/patch puts this file into target/i386/tcg/fpu_helper.c of QEMU, whose names
// (env, ST0, floatx80, fpu_set_exception) it uses. The binary that comes of it stays under QEMU's
// licence.
#include <stdbool.h>
#include <stdint.h>

typedef union {
    floatx80 number;
    struct {
        uint64_t low;
        uint16_t high;
    } bits;
} HostX87;

enum { HOST_EXCEPTIONS = 0x3f, HOST_C2 = 0x400, HOST_CODES = 0x4700 };

// Makes the program's control word the processor's. It stays so until another one is wanted,
// because `fldcw` is slow. All exceptions are masked in it, and fpu_set_exception raises those that
// the program has not masked.
static inline void host_take_control_word(uint16_t wanted) {
    uint16_t now;
    __asm__ volatile("fnstcw %0" : "=m"(now));
    if (now != wanted) {
        __asm__ volatile("fldcw %0" : : "m"(wanted));
    }
}

// The processor's flags are sticky as the program's are. They are cleared whenever the program
// clears or loads its own, so that they never hold one that the program does not have.
static inline void host_clear_exceptions(void) {
    __asm__ volatile("fnclex");
}

// Whether the last instruction raised an exception that the program has not masked and that a
// processor finds before it computes, so that it stores nothing.
enum { HOST_BEFORE = 0x7 }; // IE, DE and ZE
static __thread bool host_kept;

static void host_done(CPUX86State *env, uint16_t status, uint16_t codes) {
    host_kept = (status & ~env->fpuc & HOST_BEFORE) != 0;
    env->fpus = (env->fpus & ~codes) | (status & codes);
    fpu_set_exception(env, status & HOST_EXCEPTIONS);
}

// An instruction that loads a number into a full register makes it the indefinite NaN, with the
// flags of a stack overflow, which QEMU does not know. QEMU's code first pushes, where fpush sets
// host_was_full, and then sets ST(0).
enum { HOST_OVERFLOW = 0x241 }; // IE, SF and C1

static void host_pushed(CPUX86State *env) {
    if (host_was_full) {
        host_was_full = false;
        ST0 = make_floatx80(0xffff, UINT64_C(3) << 62);
        fpu_set_exception(env, HOST_OVERFLOW);
    }
}

// Compilers expect the x87's stack to be empty, and so it is before and after CODE. `a` and `b` are
// the operands of CODE, and `top` and `under` are what it stores.
#define HOST_X87(code)                                                                             \
    HostX87 top = {0}, under = {0};                                                                \
    uint16_t status;                                                                               \
    host_take_control_word(env->fpuc | HOST_EXCEPTIONS);                                           \
    __asm__ volatile(code                                                                          \
                     : [status] "=m"(status), [top] "+m"(top), [under] "+m"(under)                 \
                     : [a] "m"(a), [b] "m"(b)                                                      \
                     : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",        \
                       "memory")

// Defines an instruction with two operands, ST(1) = a and ST(0) = b, that pops one of them.
#define HOST_TWO(name, code)                                                                       \
    static floatx80 host_##name(CPUX86State *env, floatx80 first, floatx80 second) {               \
        const HostX87 a = {.number = first}, b = {.number = second};                               \
        HOST_X87("fldt %[a]\n\tfldt %[b]\n\t" code "\n\tfnstsw %[status]\n\tfstpt %[top]");        \
        host_done(env, status, 0);                                                                 \
        return top.number;                                                                         \
    }

// Defines an instruction with two operands that pops none of them.
#define HOST_TWO_KEPT(name, code, codes)                                                           \
    static floatx80 host_##name(CPUX86State *env, floatx80 first, floatx80 second) {               \
        const HostX87 a = {.number = first}, b = {.number = second};                               \
        HOST_X87("fldt %[a]\n\tfldt %[b]\n\t" code                                                 \
                 "\n\tfnstsw %[status]\n\tfstpt %[top]\n\tfstpt %[under]");                        \
        host_done(env, status, codes);                                                             \
        return top.number;                                                                         \
    }

#define HOST_ONE(name, code, codes)                                                                \
    static floatx80 host_##name(CPUX86State *env, floatx80 number) {                               \
        const HostX87 a = {.number = number}, b = a;                                               \
        HOST_X87("fldt %[a]\n\t" code "\n\tfnstsw %[status]\n\tfstpt %[top]");                     \
        host_done(env, status, codes);                                                             \
        return top.number;                                                                         \
    }

// Defines an instruction that leaves two numbers: one in ST(1) and one that it pushes as ST(0). For
// an operand beyond 2^63 it changes nothing and sets C2.
#define HOST_PAIR(name, code)                                                                      \
    static void host_##name(CPUX86State *env) {                                                    \
        const HostX87 a = {.number = ST0}, b = a;                                                  \
        HOST_X87("fldt %[a]\n\t" code "\n\tfnstsw %[status]\n\tfstpt %[top]\n\tfstpt %[under]");   \
        if (status & HOST_C2) {                                                                    \
            host_clear_exceptions(); /* left by the second fstpt, from an empty stack */           \
            env->fpus |= HOST_C2;                                                                  \
            return;                                                                                \
        }                                                                                          \
        host_done(env, status, HOST_C2);                                                           \
        ST0 = under.number;                                                                        \
        fpush(env);                                                                                \
        ST0 = top.number;                                                                          \
        host_pushed(env);                                                                          \
    }

HOST_TWO(add, "faddp")
HOST_TWO(mul, "fmulp")
HOST_TWO(sub, ".byte 0xde, 0xe9") // ST(1) - ST(0); assemblers disagree on how that is written
HOST_TWO(div, ".byte 0xde, 0xf9") // ST(1) / ST(0)
HOST_TWO(patan, "fpatan")
HOST_TWO(yl2x, "fyl2x")
HOST_TWO(yl2xp1, "fyl2xp1")
HOST_TWO_KEPT(scale, "fscale", 0)
HOST_TWO_KEPT(prem, "fprem", HOST_CODES)
HOST_TWO_KEPT(prem1, "fprem1", HOST_CODES)
HOST_ONE(sqrt, "fsqrt", 0)
HOST_ONE(rndint, "frndint", 0)
HOST_ONE(2xm1, "f2xm1", 0)
HOST_ONE(sin, "fsin", HOST_C2)
HOST_ONE(cos, "fcos", HOST_C2)
HOST_PAIR(sincos, "fsincos")
HOST_PAIR(ptan, "fptan")
HOST_PAIR(xtract, "fxtract")

#define HOST_LOAD(name, type, code)                                                                \
    static floatx80 host_##name(CPUX86State *env, type bits) {                                     \
        const HostX87 a = {.bits.low = bits}, b = a;                                               \
        HOST_X87(code " %[a]\n\tfnstsw %[status]\n\tfstpt %[top]");                                \
        host_done(env, status, 0);                                                                 \
        return top.number;                                                                         \
    }

#define HOST_STORE(name, type, code)                                                               \
    static type host_##name(CPUX86State *env, floatx80 number) {                                   \
        const HostX87 a = {.number = number}, b = a;                                               \
        HOST_X87("fldt %[a]\n\t" code " %[top]\n\tfnstsw %[status]");                              \
        host_done(env, status, 0);                                                                 \
        return (type)top.bits.low;                                                                 \
    }

HOST_LOAD(flds, uint32_t, "flds")
HOST_LOAD(fldl, uint64_t, "fldl")
HOST_STORE(fsts, uint32_t, "fstps")
HOST_STORE(fstl, uint64_t, "fstpl")

// Loads a second operand from memory through a register of QEMU's. Loading makes a signalling NaN
// quiet, but the instruction itself must do that, because it chooses between two NaNs by it. So
// such a NaN is widened by hand. Operands of 64 bits become quiet; this project's arithmetic has
// none.
static floatx80 host_operand(CPUX86State *env, uint32_t bits) {
    const bool signalling = (bits & 0x7fc00000) == 0x7f800000 && (bits & 0x003fffff) != 0;
    if (!signalling) {
        return host_flds(env, bits);
    }
    const HostX87 wide = {.bits = {UINT64_C(1) << 63 | (uint64_t)(bits & 0x7fffff) << 40,
                                   (uint16_t)((bits >> 31) << 15 | 0x7fff)}};
    return wide.number;
}

// Under the MXCSR that processors start with, which is QEMU's own too, nothing is loaded. QEMU
// reads the flags when the program does, if there was any arithmetic since the program wrote them,
// because QEMU's own code raises some as well.
enum { HOST_MXCSR = 0x1f80 };
static __thread bool host_sse_used;

#define HOST_SSE(size, type, name, instruction)                                                    \
    static float##size host_sse_##name##size(CPUX86State *env, float##size first,                  \
                                             float##size second) {                                 \
        union {                                                                                    \
            float##size bits;                                                                      \
            type number;                                                                           \
        } a = {.bits = first}, b = {.bits = second};                                               \
        if ((env->mxcsr & ~HOST_EXCEPTIONS) == HOST_MXCSR) {                                       \
            host_sse_used = true;                                                                  \
            __asm__ volatile(instruction " %[b], %[a]" : [a] "+x"(a.number) : [b] "x"(b.number));  \
            return a.bits;                                                                         \
        }                                                                                          \
        const uint32_t wanted = (env->mxcsr | HOST_MXCSR) & ~HOST_EXCEPTIONS;                      \
        uint32_t had, after;                                                                       \
        __asm__ volatile("stmxcsr %[had]\n\tldmxcsr %[wanted]\n\t" instruction " %[b], %[a]\n\t"   \
                         "stmxcsr %[after]\n\tldmxcsr %[had]"                                      \
                         : [a] "+x"(a.number), [had] "=m"(had), [after] "=m"(after)                \
                         : [b] "x"(b.number), [wanted] "m"(wanted));                               \
        env->mxcsr |= after & HOST_EXCEPTIONS;                                                     \
        return a.bits;                                                                             \
    }

HOST_SSE(32, float, add, "addss")
HOST_SSE(32, float, sub, "subss")
HOST_SSE(32, float, mul, "mulss")
HOST_SSE(32, float, div, "divss")
HOST_SSE(32, float, sqrt, "sqrtss")
HOST_SSE(32, float, rcp, "rcpss")
HOST_SSE(32, float, rsqrt, "rsqrtss")
HOST_SSE(64, double, add, "addsd")
HOST_SSE(64, double, sub, "subsd")
HOST_SSE(64, double, mul, "mulsd")
HOST_SSE(64, double, div, "divsd")
HOST_SSE(64, double, sqrt, "sqrtsd")

static void host_load_mxcsr(void) {
    const uint32_t fresh = HOST_MXCSR;
    host_sse_used = false;
    __asm__ volatile("ldmxcsr %0" : : "m"(fresh));
}

static uint32_t host_sse_flags(void) {
    uint32_t now;
    __asm__ volatile("stmxcsr %0" : "=m"(now));
    return host_sse_used ? now & HOST_EXCEPTIONS : 0;
}
