/* A small PE file in memory, for tests of code that reads such files. */
#ifndef RETROPOSE_TESTS_CORE_PE_IMAGE_H
#define RETROPOSE_TESTS_CORE_PE_IMAGE_H

#include <stdint.h>

/* There are two sections: code at 0x1000 (file 0x200) and data at 0x2000 (file 0x400). The exports
 * are Alpha (ordinal 5, 0x1010), Beta (6, forwarded to OTHER.Func), nothing at 7, nameless 8
 * (0x1020), and `name` (9, 0x1030). KERNEL32.dll's ExitProcess and ordinal 17 are imported. */
enum { IMAGE_BYTES = 0x800, IMAGE_PE = 0x40, IMAGE_SECTIONS = IMAGE_PE + 24 + 224 };

/* Writes the headers of such a file, whose data have this size and begin with the export
 * directory. */
void DllFile_Begin(uint8_t *image, const char *data_section, uint32_t data_bytes);
void DllFile_Make(uint8_t image[IMAGE_BYTES], const char *data_section, const char *name);

#endif
