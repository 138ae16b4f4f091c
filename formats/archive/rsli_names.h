/* Names of RsLi entries as texts: in JSON, on a terminal, as names of files. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_NAMES_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_NAMES_H

#include "formats/archive/member_names.h"
#include "retropose/rsli.h"

enum {
    LIBRARY_NAME_BYTES = 3 * RP_RSLI_NAME_BYTES + 1, /* size of a name in UTF-8 */
    LIBRARY_SHOWN_BYTES = 4 * RP_RSLI_NAME_BYTES + 1
};

/* Converts a name up to its NUL from Windows-1251 into UTF-8. */
void RsLiName_ToUtf8(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_NAME_BYTES]);
/* Converts in the same way for a terminal. Control characters become \xNN. */
void RsLiName_Show(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_SHOWN_BYTES]);
/* Converts back to a terminated name. Returns false for a text that is too long or has characters
 * outside of Windows-1251. */
bool RsLiName_FromUtf8(const char *text, char name[RP_RSLI_NAME_BYTES + 1]);
/* Makes the name of a file for each entry with MemberFile_Names. */
MemberFileName *RsLiFile_Names(const RpRsLi *rsli);

#endif
