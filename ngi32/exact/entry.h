/* ENTRY stands before every function of the core that other code calls and that keeps vectors on
 * the stack. Vectors need a stack that is aligned to 16 bytes. Callers of the 32-bit ABI of
 * Windows, and programs that were compiled for 4 bytes on Linux, do not provide it. */
#ifndef RETROPOSE_NGI32_EXACT_ENTRY_H
#define RETROPOSE_NGI32_EXACT_ENTRY_H

#ifdef __i386__
#define ENTRY __attribute__((force_align_arg_pointer))
#else
#define ENTRY
#endif

#endif
