/* Helpers that the tests of models share: the walker, a sound and canonical model with every
 * stream, and its damaged copies. */
#ifndef RETROPOSE_TESTS_FORMATS_MSH_FIXTURE_H
#define RETROPOSE_TESTS_FORMATS_MSH_FIXTURE_H

#include "retropose/msh_check.h"
#include "retropose/msh_make.h"
#include "tests/test.h"

#include <stddef.h>

enum {
    /* a body, a turret (keys at 0, 2, 5), a gun (static), and a socket (no geometry) */
    WALKER_NODES = 4,
    WALKER_KEYS = 6, /* the nodes have key 0; keys 1, 2, 3; key 4; key 5 */
    WALKER_FRAMES = 6,
    WALKER_SLOTS = 4, /* body, body at level 1, turret and gun, each a block of 12 triangles */
    WALKER_BLOCK_VERTICES = 8,
    WALKER_BLOCK_TRIANGLES = 12
};

typedef struct Image {
    /* a block of exactly the image's size, so that sanitizers see reads past its end */
    uint8_t *bytes;
    size_t size;
} Image;

/* Makes the walker. `lit` adds the streams 18 and 20, in the directory order of the 21 lit models.
 * The header's box fits only the reading key-order=wxyz with rotation=conjugate. */
Image Walker_Make(bool lit);
Image Image_Copy(const Image *image);
void Image_Free(Image *image);

/* Return offsets in the image: of a byte of a stream's payload, and of a field of its directory
 * record. */
uint32_t Image_Payload(const Image *image, uint32_t type, uint32_t at);
uint32_t Image_Record(const Image *image, uint32_t type, uint32_t field);
void Image_PutU16(Image *image, uint32_t at, uint16_t value);
void Image_PutU32(Image *image, uint32_t at, uint32_t value);
void Image_PutFloat(Image *image, uint32_t at, float value);
RpNRes Image_Open(const Image *image);
/* Opens the model, which holds as long as the image. */
RpMsh Image_OpenModel(const Image *image, RpReadMode mode);
/* Replaces *image by an image with one entry more, whose name is "extra". */
void Image_Add(Image *image, uint32_t type, const void *data, uint32_t size);
/* Gives the first entry of a type another payload. Its attributes stay. */
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
/* Checks the image by all rules, without a limit on repeats. */
RpStatus Findings_Check(Findings *findings, const Image *image);
/* Returns the n-th finding of a rule and severity, or null if there is none. */
const RpFinding *Findings_Of(const Findings *findings, const char *rule, RpSeverity severity,
                             uint32_t n);
uint32_t Findings_Count(const Findings *findings, const char *rule);

#endif
