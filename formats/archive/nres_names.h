/* Names and types of NRes members as texts: in JSON, on a terminal, as names of files. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_NAMES_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_NAMES_H

#include "formats/archive/member_names.h"
#include "retropose/nres.h"

enum {
    ARCHIVE_NAME_BYTES = 3 * RP_NRES_NAME_BYTES + 1, /* of a name as UTF-8 */
    ARCHIVE_SHOWN_BYTES = 4 * RP_NRES_NAME_BYTES + 1,
    ARCHIVE_TYPE_BYTES = 12
};

/* The field up to its NUL, Windows-1251 as UTF-8; nothing is lost. */
void ArchiveName_ToUtf8(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_NAME_BYTES]);
/* Back, with zeros behind; false for what is no name of 0 to 36 bytes. */
bool ArchiveName_FromUtf8(const char *text, char field[RP_NRES_NAME_BYTES]);
/* For a terminal: control characters as \xNN. */
void ArchiveName_Show(const char field[RP_NRES_NAME_BYTES], char text[ARCHIVE_SHOWN_BYTES]);

/* "MESH" for what is a letter and three letters, digits, spaces or underscores; else decimal. */
void ArchiveType_Show(uint32_t type, char text[ARCHIVE_TYPE_BYTES]);
bool ArchiveType_IsFourCC(uint32_t type);
/* A FourCC of that kind, or a number, decimal or 0x. */
bool ArchiveType_Parse(const char *text, uint32_t *type);
bool ArchiveNumber_Parse(const char *text, uint32_t *number);

/* A name of a file for each entry (MemberFile_Names). */
MemberFileName *ArchiveFile_Names(const RpNRes *archive);

#endif
