/* Readings: the points that public sources leave open, or on which they disagree. Each has a name
 * and a list of choices. Some concern the steps of the runtime's arithmetic
 * (docs/reference/arithmetic.md); some concern what the fields of a model file mean
 * (docs/formats/msh.md); the order of a key's components concerns both. One value of the type holds
 * the choices of all of them, and each function looks at those that concern it.
 *
 * A null `const RpReadings *` means the defaults everywhere in this library.
 */
#ifndef RETROPOSE_READINGS_H
#define RETROPOSE_READINGS_H

#include "api.h"
#include "error.h"

#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

#define RP_READING_MAX 64
/* A buffer of this size holds whatever RpReadings_Format writes. */
#define RP_READINGS_TEXT 1024

/* choice[i] is the index of the choice taken for reading i, and 0 is the default: all zero means
 * the defaults. The order of the
 * readings may change between versions but their names stay, so files store the text of
 * RpReadings_Format, and programs choose by RpReadings_Parse. */
typedef struct RpReadings {
    uint8_t choice[RP_READING_MAX];
} RpReadings;

/* What a reading concerns: bits. */
typedef enum RpReadingKind {
    RP_READS_RUNTIME = 1, /* the arithmetic of the two DLLs */
    RP_READS_FILES = 2    /* the fields of a model file */
} RpReadingKind;

/* Returns the name of a reading by its index, from 0 on, or null past the last. */
const char *RpReadings_Name(int32_t index);
/* Returns the choices of a reading, separated by '|', the default first, or null past the last. */
const char *RpReadings_Choices(int32_t index);
/* Returns the kind of a reading (bits of RpReadingKind), or 0 past the last. */
uint32_t RpReadings_Kind(int32_t index);
/* Returns which source reads it in which way, and where it says so. */
const char *RpReadings_Source(int32_t index);
/* Returns the choice that is taken, which ends at its `*length` characters and not with a null. Of
 * an index or a choice that does not exist, the length is 0. */
const char *RpReadings_Choice(const RpReadings *readings, int32_t index, size_t *length);

/* Sets the defaults and then the choices in `text`, such as "key-order=wxyz,slerp-sine=quotient".
 * An empty or null text gives the defaults. Among the readings of files, "drawn" stands for the
 * choices of the two projects that draw the game's own data: wxyz, state-lod, byte4, unsigned.
 * RP_INVALID names what is unknown or of another kind, with its offset in the text, lists what
 * exists (of the runtime's many those that begin with the same letter), and leaves the defaults. */
RpStatus RpReadings_Parse(RpReadings *readings, RpReadingKind kind, const char *text,
                          RpError *error);

/* Writes choices in the format that RpReadings_Parse reads: of the runtime's readings those that
 * are not the default, of the files' readings all. Returns the length that the whole text needs. */
int RpReadings_Format(const RpReadings *readings, RpReadingKind kind, char *buffer, size_t size);

RP_API_END

#endif
