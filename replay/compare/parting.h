/* Where the code of two sides parts in one call: of each side, the first instruction whose result
 * goes into what the call leaves and that the other side does not compute. Reports show it below a
 * difference. Whoever can look into the code of both sides fills it (Comparison_Explain). */
#ifndef RETROPOSE_REPLAY_COMPARE_PARTING_H
#define RETROPOSE_REPLAY_COMPARE_PARTING_H

#include "retropose/memory.h"

#include <stdbool.h>

struct cJSON;

/* Texts that do not fit are cut. */
typedef struct PartingSide {
    char where[48];        /* "Ngi32.dll+14630"; empty: this side computes nothing of its own */
    char instruction[128]; /* "fadd st0, dword ptr [eax+4]" */
    char formula[600];     /* what it computes of the call's inputs: "q0.w * q1.w + q0.x * q1.x" */
    char rounding[48];     /* "24 bits, to nearest"; empty where nothing is rounded */
    char operands[96];     /* their bits: "3F800000, BF000000"; empty where there are none */
    char value[32];        /* the bits of the result; empty where they are not known */
} PartingSide;

typedef struct Parting {
    char why_not[240];  /* why nothing is known of the two sides; empty where something is */
    char processor[16]; /* that both sides found, and chose their routines by: "pentium2" */
    bool is_branch;     /* `formula` is the condition under which the side went on as it did */
    PartingSide sides[2];
} Parting;

/* Appends it as lines that begin with `indent`, with what a terminal could not show made visible.
 */
void Parting_Text(const Parting *parting, const char *indent, RpBuffer *text);
/* Appends it as a part of a page. */
void Parting_Html(const Parting *parting, RpBuffer *html);
/* Adds it to an object as the member "parting". */
void Parting_Json(const Parting *parting, struct cJSON *object);
/* Reads the member again. Returns false where it is not one of Parting_Json. */
bool Parting_Read(const struct cJSON *object, Parting *parting);

#endif
