/* Names of RsLi entries as texts: in JSON, on a terminal, as names of files. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_NAMES_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_NAMES_H

#include "formats/archive/member_names.h"
#include "retropose/rsli.h"

enum {
    LIBRARY_NAME_BYTES = 3 * RP_RSLI_NAME_BYTES + 1, /* of a name as UTF-8 */
    LIBRARY_SHOWN_BYTES = 4 * RP_RSLI_NAME_BYTES + 1
};

/* The name as UTF-8 (Windows-1251 in the file), up to its NUL. */
void RsLiName_ToUtf8(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_NAME_BYTES]);
/* For a terminal: control characters as \xNN. */
void RsLiName_Show(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_SHOWN_BYTES]);
/* UTF-8 as bytes of Windows-1251, terminated; false when they are not that or do not fit. */
bool RsLiName_FromUtf8(const char *text, char name[RP_RSLI_NAME_BYTES + 1]);
/* A name of a file for each entry (MemberFile_Names). */
MemberFileName *RsLiFile_Names(const RpRsLi *rsli);

#endif
