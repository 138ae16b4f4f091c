/* Changes of an RsLi library, each named by a word and a text as a command line gives them. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_EDIT_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_EDIT_H

#include "retropose/rsli.h"

typedef struct RsLiEditor {
    RpRsLiArchive *archive;
    int32_t method; /* of what is packed from here on; -1: as `add` and `replace` say below */
} RsLiEditor;

/* ENTRY is a name, the first of equal ones, or #INDEX. `operation` and `argument`:
 *
 *   method   METHOD          for the operations after this one
 *   add      FILE[:NAME]     at the end, by Deflate; NAME is the file's own without its folders
 *   replace  ENTRY=FILE      other contents, by the method of the old ones
 *   remove   ENTRY
 *   rename   ENTRY=NAME      1 to 12 characters
 *   move     ENTRY=POSITION  in the table
 *   repack   ENTRY           the same contents, by the method
 *
 * RP_INVALID says what was expected; the archive is then as before. */
RpStatus RsLiEdit_Apply(RsLiEditor *editor, const char *operation, const char *argument,
                        RpError *error);

#endif
