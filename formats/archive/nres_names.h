/* Names and types of NRes members as texts: in JSON, on a terminal, as names of files. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_NAMES_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_NAMES_H

#include "formats/archive/member_names.h"
#include "retropose/nres.h"

enum {
    ARCHIVE_NAME_BYTES = 3 * RP_NRES_NAME_BYTES + 1, /* size of a name in UTF-8 */
    ARCHIVE_SHOWN_BYTES = 4 * RP_NRES_NAME_BYTES + 1,
    ARCHIVE_TYPE_BYTES = 12
};

/* Converts a field up to its NUL from Windows-1251 to UTF-8. Nothing is lost. */
void ArchiveName_ToUtf8(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_NAME_BYTES]);
/* Converts back and fills the field up with zeros. The result is false for a text that is no name
 * of up to 36 bytes. */
bool ArchiveName_FromUtf8(const char *text, char field[RP_NRES_NAME_BYTES]);
/* Converts in the same way for a terminal. Control characters become \xNN. */
void ArchiveName_Show(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_SHOWN_BYTES]);

/* Writes a type as four characters if it is a letter and three letters, digits, spaces or
 * underscores ("MESH"), else as a decimal number. */
void ArchiveType_Show(uint32_t type, char text[ARCHIVE_TYPE_BYTES]);
bool ArchiveType_IsFourCC(uint32_t type);
/* Reads four such characters or a number in decimal or, after 0x, in hexadecimal. */
bool ArchiveType_Parse(const char *text, uint32_t *type);
bool ArchiveNumber_Parse(const char *text, uint32_t *number);

/* Makes the name of a file for each entry with MemberFile_Names. */
MemberFileName *ArchiveFile_Names(const RpNRes *archive);

#endif
