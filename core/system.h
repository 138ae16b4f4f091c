/* Names the operating system, for the headers of traces and for reports. */
#ifndef RETROPOSE_CORE_SYSTEM_H
#define RETROPOSE_CORE_SYSTEM_H

#include "core/text.h"

/* Appends "Linux 6.1.0", "Windows 10.0.19045" or, for a Windows program under Wine, both versions:
 * "Wine 8.0 (Linux 6.1.0)". */
void System_Describe(Text *text);

#endif
