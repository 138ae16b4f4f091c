/* What the model tests share: the walker, a sound and canonical model with every stream, and its
 * damaged copies. */
#ifndef RETROPOSE_TESTS_MSH_FIXTURE_H
#define RETROPOSE_TESTS_MSH_FIXTURE_H

#include "retropose/msh_check.h"
#include "retropose/msh_make.h"

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
/* after its own prerequisites */
#include <cmocka.h>

enum {
    WALKER_NODES = 4, /* body, turret (keys at 0, 2, 5), gun (static), socket (no geometry) */
    WALKER_KEYS = 6,  /* 0; 1 2 3; 4; 5 */
    WALKER_FRAMES = 6,
    WALKER_SLOTS = 4, /* body, body at level 1, turret, gun: a block of 12 triangles each */
    WALKER_BLOCK_VERTICES = 8,
    WALKER_BLOCK_TRIANGLES = 12
};

typedef struct Image {
    uint8_t *bytes; /* of malloc, of exactly this size: sanitizers see reads past the end */
    size_t size;
} Image;

/* `lit`: with the streams 18 and 20 and the directory order of the 21 lit models. The header's box
 * fits key-order wxyz, rotation conjugate only. */
Image Walker_Make(bool lit);
Image Image_Copy(const Image *image);
void Image_Free(Image *image);

/* Offsets in the image: of a byte of a stream's payload, and of a field of its directory record. */
uint32_t Image_Payload(const Image *image, uint32_t type, uint32_t at);
uint32_t Image_Record(const Image *image, uint32_t type, uint32_t field);
void Image_PutU16(Image *image, uint32_t at, uint16_t value);
void Image_PutU32(Image *image, uint32_t at, uint32_t value);
void Image_PutFloat(Image *image, uint32_t at, float value);
RpNRes Image_Open(const Image *image);
/* With one entry more, whose name is "extra"; takes the place of *image. */
void Image_Add(Image *image, uint32_t type, const void *data, uint32_t size);
/* Another payload for the first entry of a type; attributes stay. */
void Image_Replace(Image *image, uint32_t type, const void *data, uint32_t size);
void Image_Remove(Image *image, uint32_t type);

/* ---- findings -------------------------------------------------------------------------------- */

enum { MOST_FINDINGS = 4096 };
typedef struct Findings {
    RpFinding list[MOST_FINDINGS];
    uint32_t count;
    RpFindingSink sink;
} Findings;

void Findings_Init(Findings *findings);
/* Checks the image anew, all rules, no cap on repeats. */
RpStatus Findings_Check(Findings *findings, const Image *image);
/* The n-th finding of a rule and severity; null without it. */
const RpFinding *Findings_Of(const Findings *findings, const char *rule, RpSeverity severity,
                             uint32_t n);
uint32_t Findings_Count(const Findings *findings, const char *rule);

uint64_t NextRandom(uint64_t *seed);

#endif
