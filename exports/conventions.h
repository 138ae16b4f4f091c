/* Calling conventions of the 32-bit ABI, and the one place where the unpublished ones are chosen.
 *
 * No public source gives the convention of a g_FastProc slot, of an interface method or of an
 * internal function. What is known (facts/ngi32.md A.2, E.2, G.2; facts/animesh.md C.2, G.2):
 *   - no-op exports pop their own arguments: stdcall;
 *   - several interface methods and AniMesh 0x1000B8E0 take `this` in ECX and the next argument in
 *     EDX: Microsoft's fastcall;
 *   - internal member functions are expected to take `this` in ECX: thiscall.
 * The rows of the ABI tables therefore name a *role* (ABI_CONV_SLOT, ...) instead of a convention.
 * Redefine a role here, or with -D, and every prototype, thunk, trace signature and stand-in entry
 * follows.
 */
#ifndef RETROPOSE_EXPORTS_CONVENTIONS_H
#define RETROPOSE_EXPORTS_CONVENTIONS_H

#ifndef ABI_CONV_EXPORT
#define ABI_CONV_EXPORT stdcall
#endif
#ifndef ABI_CONV_SLOT
#define ABI_CONV_SLOT fastcall
#endif
#ifndef ABI_CONV_METHOD
#define ABI_CONV_METHOD fastcall
#endif
#ifndef ABI_CONV_MEMBER
#define ABI_CONV_MEMBER thiscall
#endif
#ifndef ABI_CONV_HELPER
#define ABI_CONV_HELPER fastcall
#endif
#ifndef ABI_CONV_COMPONENT
#define ABI_CONV_COMPONENT stdcall
#endif

/* Numbers for assembly and for tables. The names are those of Microsoft's manuals. */
#define ABI_CONVENTION_cdecl    0 /* all arguments on the stack, the caller pops             */
#define ABI_CONVENTION_stdcall  1 /* all arguments on the stack, the callee pops             */
#define ABI_CONVENTION_fastcall 2 /* first two dword (not float) arguments in ECX, EDX       */
#define ABI_CONVENTION_thiscall 3 /* first argument in ECX, the rest on the stack            */

#define ABI_PASTE_(a, b)        a##b
#define ABI_PASTE(a, b)         ABI_PASTE_(a, b)
#define ABI_CONVENTION_OF(conv) ABI_PASTE(ABI_CONVENTION_, conv)

#if !defined(__ASSEMBLER__)
/* ABI_CC(conv) decorates a C prototype; it is empty where the 32-bit ABI does not exist. `conv` is
 * the word itself, pasted unexpanded: <windows.h> defines a macro cdecl. */
#if defined(_WIN32) && defined(__i386__)
/* GCC (-Wpedantic) does not expect thiscall on what C++ would not call a member. */
#pragma GCC diagnostic ignored "-Wattributes"
#define ABI_CC_cdecl    __attribute__((cdecl))
#define ABI_CC_stdcall  __attribute__((stdcall))
#define ABI_CC_fastcall __attribute__((fastcall))
#define ABI_CC_thiscall __attribute__((thiscall))
#define ABI_CC(conv)    ABI_CC_##conv
#else
#define ABI_CC(conv)
#endif
#endif

#endif
