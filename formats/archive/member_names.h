/* Names of members as texts, which are the same for NRes and RsLi: only the length of a name's
 * field differs. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MEMBER_NAMES_H
#define RETROPOSE_FORMATS_ARCHIVE_MEMBER_NAMES_H

#include "core/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMBER_FILE_BYTES = 64 }; /* size of a file's name; names of members have up to 36 bytes */

#define MEMBER_MANIFEST_FILE "manifest.json" /* in a folder into which an archive was extracted */
#define MEMBER_MANIFEST_MARK "\"retropose "  /* the begin of the value of its first key, format */

/* Makes a name that every file system accepts and that leads to no other folder: without separators
 * and tildes, no reserved name of Windows, not empty, and not the name of a manifest or of a file
 * that Retropose looks for in a folder, such as retropose.toml. `length` is at most 36. */
void MemberFile_Sanitise(const char *name, size_t length, char file[MEMBER_FILE_BYTES]);

/* Finds the member whose name is nearest to a mistyped one. `best` is empty where none is near. */
typedef struct MemberNearest {
    Nearest nearest;
    char best[4 * 36 + 1];
} MemberNearest;

void MemberNearest_Init(MemberNearest *nearest, const char *typed);
void MemberNearest_Offer(MemberNearest *nearest, const char *name);

typedef struct MemberFileName {
    char text[MEMBER_FILE_BYTES];
} MemberFileName;

/* Makes one name for each of `count` members. No two names differ only in the case of letters.
 * `sanitise` writes the name for one member. The caller frees the result with free(); it is null if
 * memory is refused. */
MemberFileName *MemberFile_Names(const void *archive, uint32_t count,
                                 void (*sanitise)(const void *archive, uint32_t index,
                                                  char file[MEMBER_FILE_BYTES]));

#endif
