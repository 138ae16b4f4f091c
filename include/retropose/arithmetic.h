/* How the bits of a result come about: which of the original's builds is followed, under which x87
 * control word, with whose estimates of reciprocals, and how the points are read that public
 * sources leave open. Poses, mesh objects and the mathematics of Ngi32.dll all take this one type.
 *
 * No function of the library needs the thread's own floating-point modes, which are the x87's
 * control word and MXCSR, or FPCR on ARM; it leaves them as they were. What takes an RpArithmetic
 * computes under the word that it asks for. Everything else computes as C does in a new thread:
 * what reads, checks, makes, edits and compares models, glTF, OBJ, the corpus and the pages, and
 * the text forms. Your allocator, sinks and other functions are always called under the modes of
 * your thread, and may leave by a jump or a C++ exception. The exceptions are RpBuffer_Print, which
 * prints as printf does there, and those that ani.h and sequencer.h name. WebAssembly has no modes.
 */
#ifndef RETROPOSE_ARITHMETIC_H
#define RETROPOSE_ARITHMETIC_H

#include "api.h"
#include "readings.h"

#include <stdint.h>

RP_API_BEGIN

/* The variants of the original's code. RP_BUILD_SSE is what any recent processor gets in the game;
 * RP_BUILD_GENERIC, the x87 code, gives the same bits on every processor. */
typedef enum RpBuild { RP_BUILD_GENERIC, RP_BUILD_FXCH, RP_BUILD_SSE, RP_BUILD_COUNT } RpBuild;

/* The game's control word (Ngi32 0x10006D00, facts/ngi32.md C): significands of 24 bits, rounding
 * to nearest even, exceptions masked. */
#define RP_GAMES_CONTROL_WORD 0x007Fu
/* Stands for the control word and the MXCSR that the thread has, whatever they are, as the
 * original's code takes them. This is for programs that play the game's own code. */
#define RP_THREADS_CONTROL_WORD 0xFFFFu

/* Whose rcpss and rsqrtss, which are estimates that differ between the makers of processors
 * (docs/reference/x87.md, "Estimates"). Only slots 11 and 45 in the SSE build use them. */
typedef enum RpEstimates {
    RP_ESTIMATES_OF_THIS, /* the instructions of the processor that runs this */
    RP_ESTIMATES_INTEL,   /* in closed form, the same on every processor */
    RP_ESTIMATES_AMD      /* by tables, the same on every processor */
} RpEstimates;

/* All zero means the defaults, and so does a null `const RpArithmetic *` wherever one is taken. */
typedef struct RpArithmetic {
    RpBuild build;
    /* 0 is the game's. Of any other word the precision (bits 8 and 9) and the rounding (bits 10 and
     * 11) count; exceptions are always masked, and SSE code rounds to nearest and keeps denormals.
     * The thread's own control word and MXCSR are then neither needed nor changed. A thread may
     * have exceptions unmasked: no step raises one, and the flags that the thread had are all that
     * it has afterwards. Where all are masked, steps leave flags as any arithmetic in C does. Under
     * RP_THREADS_CONTROL_WORD, as in the DLLs, steps raise what the thread lets through. */
    uint16_t control_word;
    RpEstimates estimates;
    RpReadings readings;
} RpArithmetic;

/* Returns "generic", "fxch" or "sse". */
const char *RpBuild_Name(RpBuild build);

RP_API_END

#endif
