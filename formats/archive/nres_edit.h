/* Changes of an NRes archive, each named by a word and a text as a command line gives them. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_EDIT_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_EDIT_H

#include "retropose/nres.h"

/* MEMBER is a name, the first of equal ones, or #INDEX. `operation` and `argument`:
 *
 *   add      FILE[:NAME]        at the end, of type 0; NAME is the file's own without its folders
 *   replace  MEMBER=FILE        another payload
 *   remove   MEMBER
 *   rename   MEMBER=NAME
 *   move     MEMBER=POSITION    in the directory
 *   set      MEMBER.FIELD=VALUE FIELD is type, attr1, attr2 or attr3
 *   sort     MODE               of RpNResSort_Name, or its number
 *
 * RP_INVALID says what was expected; the archive is then as before. */
RpStatus ArchiveEdit_Apply(RpNResArchive *archive, const char *operation, const char *argument,
                           RpError *error);

#endif
