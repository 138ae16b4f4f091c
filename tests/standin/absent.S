/* Code for what the stand-in does not have: it ends the process and reports the address that was
 * reached. Both DLLs contain this file, and with it the section that distinguishes them from the
 * retail files. */
#include "entry.inc"

#define STD_ERROR_HANDLE -12

/* Each documented function without a body consists of `call absent`. */
    function_at 0x00000, absent
    pop eax
    lea eax, [eax-5+0x10000000] /* its address in the unrelocated image */
    sub eax, offset ___ImageBase
    mov edi, offset absent_digits
    mov ecx, 8
absent_digit:
    rol eax, 4
    mov edx, eax
    and edx, 15
    mov dl, [hexadecimal+edx]
    mov [edi], dl
    inc edi
    loop absent_digit
    push 91
    push offset absent_text_end - absent_text
    push offset absent_text
    jmp say_and_exit

/* An entry of g_FastProc or of a vtable that no public fact describes. */
    function_at 0x00000, absent_slot
    push 90
    push offset unknown_text_end - unknown_text
    push offset unknown_text
    jmp say_and_exit

/* The stack has the text, its length and the exit code. */
    at 0x00000
say_and_exit:
    push STD_ERROR_HANDLE
    call dword ptr [__imp__GetStdHandle@4]
    pop ecx
    pop edx
    push 0
    mov esi, esp
    push 0
    push esi
    push edx
    push ecx
    push eax
    call dword ptr [__imp__WriteFile@20]
    pop eax
    call dword ptr [__imp__ExitProcess@4]

    .section .data.absent, "dw"
absent_text:
    .ascii "Retropose stand-in: the original's function at 0x"
absent_digits:
    .ascii "00000000 is not in the stand-in\n"
absent_text_end:

    .section .rdata.absent, "dr"
unknown_text:
    .ascii "Retropose stand-in: a table entry without public facts was called\n"
unknown_text_end:
hexadecimal:
    .ascii "0123456789ABCDEF"

    .section .standin, "dr"
#ifdef STANDIN_VARIANT
    .ascii "Retropose stand-in, variant "
    .ascii STANDIN_VARIANT
    .asciz ", not the retail file"
#else
    .asciz "Retropose stand-in, not the retail file"
#endif
