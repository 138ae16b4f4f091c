/* The processor classes, g_FastProc and the FPU control word. docs/reference/arithmetic.md "Processor
 * classes", facts/ngi32.md B.2 and C. */
#include "tests/standin/entry.inc"
#include "exports/ngi32.abi.h"

#define HKEY_CURRENT_USER 0x80000001
#define KEY_QUERY_VALUE   1
#define REG_DWORD         4

/* The bits of a class. `force_classes` is indexed by the value of ForceCpu - 2. */
#define CLASS_SSE   1
#define CLASS_3DNOW 2
#define CLASS_FXCH  4
#define CLASS_MMX   8

    .section .rdata.dispatch, "dr"
force_classes:
    .byte CLASS_SSE, CLASS_3DNOW, CLASS_SSE | CLASS_3DNOW
    .byte CLASS_SSE | CLASS_3DNOW | CLASS_FXCH | CLASS_MMX, CLASS_SSE | CLASS_3DNOW | CLASS_FXCH
    .byte CLASS_MMX
#define FORCE_FIRST 2
#define FORCE_COUNT 6
force_key:
    .asciz "Software\\Nikita\\NgiTool"
force_name:
    .asciz "ForceCpu"

/* Every row of the table has a generic build and an SSE build (arithmetic.inc,
 * UNPUBLISHED_SSE_BUILD), and an FXCH build if one is published. */
.macro put slot, routine
    mov dword ptr [_g_FastProc+4*\slot], offset \routine
.endm
.macro put_published slot, address, routine
    .ifnc \address,0x00000
        put \slot, \routine
    .endif
.endm
#define GENERIC_ROW(slot, name, body, convention, convention_ev, returns, params, params_ev,       \
                    generic, fxch, sse, provider, source, note)                                    \
    put slot, ngi32_slot##slot##_generic;
#define SSE_ROW(slot, name, body, convention, convention_ev, returns, params, params_ev,           \
                    generic, fxch, sse, provider, source, note)                                    \
    put slot, ngi32_slot##slot##_sse;
#define FXCH_ROW(slot, name, body, convention, convention_ev, returns, params, params_ev,          \
                    generic, fxch, sse, provider, source, note)                                    \
    put_published slot, fxch, ngi32_slot##slot##_fxch;

/* Is cdecl void (void). */
    function_at 0x02F90, ngi32_FillFastProc
    push ebx
    push edi
    call choose_class
    mov ebx, eax
    and eax, CLASS_SSE
    mov [flag_sse], eax

    mov edi, offset _g_FastProc
    mov eax, offset absent_slot
    mov ecx, 68
    rep stosd

    ABI_NGI32_SLOTS(GENERIC_ROW)

    mov eax, ebx
    and eax, CLASS_FXCH | CLASS_3DNOW
    cmp eax, CLASS_FXCH
    jne fill_sse
    ABI_NGI32_SLOTS(FXCH_ROW)

fill_sse:
    test ebx, CLASS_SSE
    jz fill_done
    ABI_NGI32_SLOTS(SSE_ROW)
fill_done:
    pop edi
    pop ebx
    ret

/* Returns in eax the class bits that the registry forces, or those of the processor. */
choose_class:
    push ebp
    mov ebp, esp
    sub esp, 16 /* key, type, value, size */
    lea eax, [ebp-4]
    push eax
    push KEY_QUERY_VALUE
    push 0
    push offset force_key
    push HKEY_CURRENT_USER
    call dword ptr [__imp__RegOpenKeyExA@20]
    test eax, eax
    jnz choose_detected
    mov dword ptr [ebp-16], 4
    lea eax, [ebp-16]
    push eax
    lea eax, [ebp-12]
    push eax
    lea eax, [ebp-8]
    push eax
    push 0
    push offset force_name
    push dword ptr [ebp-4]
    call dword ptr [__imp__RegQueryValueExA@24]
    push eax
    push dword ptr [ebp-4]
    call dword ptr [__imp__RegCloseKey@4]
    pop eax
    test eax, eax
    jnz choose_detected
    cmp dword ptr [ebp-8], REG_DWORD
    jne choose_detected
    mov eax, [ebp-12]
    sub eax, FORCE_FIRST
    cmp eax, FORCE_COUNT
    jae choose_detected
    movzx eax, byte ptr [force_classes+eax]
    leave
    ret
choose_detected:
    call detect_class
    leave
    ret

/* Returns in eax the class bits of this processor. */
detect_class:
#ifdef STANDIN_CLASS /* a variant's */
    mov eax, STANDIN_CLASS
    ret
#else
    push ebx
    push esi
    xor esi, esi
    /* CPUID exists if bit 21 of EFLAGS can be changed. */
    pushfd
    pop eax
    mov ecx, eax
    xor eax, 0x200000
    push eax
    popfd
    pushfd
    pop eax
    push ecx
    popfd
    xor eax, ecx
    test eax, 0x200000
    jz detect_done

    xor eax, eax
    cpuid
    push eax
    xor ebx, 0x756E6547 /* Genu */
    xor edx, 0x49656E69 /* ineI */
    xor ecx, 0x6C65746E /* ntel */
    or ebx, edx
    or ebx, ecx /* 0 for Intel */
    pop eax
    test eax, eax
    jz detect_extended
    push ebx
    mov eax, 1
    cpuid
    pop ebx
    bt edx, 23
    jnc detect_not_mmx
    or esi, CLASS_MMX
detect_not_mmx:
    bt edx, 25
    jnc detect_not_sse
    or esi, CLASS_SSE
detect_not_sse:
    test ebx, ebx
    jnz detect_extended
    and eax, 0xF00
    cmp eax, 0x600
    jb detect_extended
    or esi, CLASS_FXCH
detect_extended:
    mov eax, 0x80000000
    cpuid
    cmp eax, 0x80000001
    jb detect_done
    mov eax, 0x80000001
    cpuid
    test edx, edx
    jns detect_done
    or esi, CLASS_3DNOW
detect_done:
    mov eax, esi
    pop esi
    pop ebx
    ret
#endif

FUNCTION(ngi32_SetFpuControlWord)
    push eax
    fnstcw word ptr [esp]
    and dword ptr [esp], 0xF0FF
    or dword ptr [esp], 0x003F
    fldcw word ptr [esp]
    pop eax
    return_popping CONV_ngi32_SetFpuControlWord, STACK_ngi32_SetFpuControlWord

/* The index is not checked, as in the original (facts/ngi32.md A.3). */
    EXPORT(niGetProcAddress)
    enter_ngi32_niGetProcAddress index
    mov eax, [ebp+index]
    mov eax, [_g_FastProc+4*eax]
    leave_ngi32_niGetProcAddress
