/* The macros that enclose the declarations of every public header. The functions between
 * RP_API_BEGIN and RP_API_END have C linkage, also in C++, and a shared library that contains this
 * one shows them. It hides all other functions and variables, whose names nobody may rely on. */
#ifndef RETROPOSE_API_H
#define RETROPOSE_API_H

#if defined __GNUC__ && !defined _WIN32 /* a DLL's definition file says what it shows */
#define RP_API_SHOW _Pragma("GCC visibility push(default)")
#define RP_API_HIDE _Pragma("GCC visibility pop")
#else
#define RP_API_SHOW
#define RP_API_HIDE
#endif

#ifdef __cplusplus
#define RP_API_BEGIN                                                                               \
    extern "C" {                                                                                   \
    RP_API_SHOW
#define RP_API_END                                                                                 \
    RP_API_HIDE                                                                                    \
    }
#else
#define RP_API_BEGIN RP_API_SHOW
#define RP_API_END   RP_API_HIDE
#endif

#endif
