/* Memory, errors, debug output, clocks, and the entry of Ngi32.dll (facts/ngi32.md C, D). */
#include "tests/standin/entry.inc"

#define GENERIC_WRITE         0x40000000
#define FILE_SHARE_READ       1
#define OPEN_EXISTING         3
#define FILE_ATTRIBUTE_NORMAL 0x80
#define DLL_PROCESS_DETACH    0
#define DLL_PROCESS_ATTACH    1
#define DLL_THREAD_ATTACH     2
#define ERROR_NO_MEMORY       0x10
#define ERROR_NUMBERS         500 /* below it, the argument of ngiProcessError is a number */

/* The entry point is stdcall BOOL (module, reason, reserved). */
    function_at 0x00000, _DllEntry@12
    mov eax, [esp+8]
    cmp eax, DLL_PROCESS_ATTACH
    je entry_process
    cmp eax, DLL_THREAD_ATTACH
    je entry_thread
    cmp eax, DLL_PROCESS_DETACH
    jne entry_done
    cmp dword ptr [esp+12], 0 /* unloaded, not the end of the process */
    jne entry_done
    push dword ptr [heap]
    call dword ptr [__imp__HeapDestroy@4]
    jmp entry_done
entry_process:
    push 0
    push 0
    push 0
    call dword ptr [__imp__HeapCreate@12]
    mov [heap], eax
    call ngi32_FillFastProc
entry_thread:
    call ngi32_SetFpuControlWord
entry_done:
    mov eax, 1
    ret 12

    EXPORT(ngiAlloc)
    enter_ngi32_ngiAlloc bytes
    push dword ptr [ebp+bytes]
    push 0
    push dword ptr [heap]
    call dword ptr [__imp__HeapAlloc@12]
    test eax, eax
    jz out_of_memory
    leave_ngi32_ngiAlloc
    at 0x00000
out_of_memory:
    push ERROR_NO_MEMORY
    call process_error

    EXPORT(ngiFree)
    enter_ngi32_ngiFree block
    push 4
    push dword ptr [ebp+block]
    call dword ptr [__imp__IsBadWritePtr@8]
    test eax, eax
    jnz free_done
    push dword ptr [ebp+block]
    call heap_free
    add esp, 4
free_done:
    leave_ngi32_ngiFree

    EXPORT(ngiGetMemSize)
    enter_ngi32_ngiGetMemSize block
    push dword ptr [ebp+block]
    call heap_size
    add esp, 4
    leave_ngi32_ngiGetMemSize

/* These are free and msize of the C library, cdecl (block). */
    function_at 0x2A847, heap_free
    push dword ptr [esp+4]
    push 0
    push dword ptr [heap]
    call dword ptr [__imp__HeapFree@12]
    ret
    function_at 0x2ACDC, heap_size
    push dword ptr [esp+4]
    push 0
    push dword ptr [heap]
    call dword ptr [__imp__HeapSize@12]
    ret

    EXPORT(ngiProcessError)
    enter_ngi32_ngiProcessError message
    push dword ptr [ebp+message]
    call process_error

/* Takes (message) and never returns. It does what facts/ngi32.md D.2 says, without the objects that
 * the stand-in does not have and without the message box, which nobody would close. */
    at 0x00000
process_error:
    push ebp
    mov ebp, esp
    sub esp, 512
    mov edi, esp
    mov eax, [ebp+8]
    cmp eax, ERROR_NUMBERS
    jae error_text
    mov esi, offset error_format
    mov ecx, 9 /* "Error No." */
    rep movsb
    call append_decimal
    jmp error_composed
error_text:
    mov esi, eax
    mov ecx, 511
error_character:
    lodsb
    stosb
    test al, al
    loopnz error_character
    mov byte ptr [edi], 0
error_composed:
    call forget_debug_file
    push esp
    call write_mailslot
    push 4
    call dword ptr [__imp__ExitProcess@4]

/* Writes eax, which is below 1000, as decimal text with a NUL at edi. */
append_decimal:
    mov ecx, 10
    push 0
append_divide:
    xor edx, edx
    div ecx
    add edx, 0x30
    push edx
    test eax, eax
    jnz append_divide
append_digit:
    pop eax
    stosb
    test al, al
    jnz append_digit
    ret

/* Takes (text) and writes it at once, without its NUL, if anybody listens. The caller removes the
 * argument. */
write_mailslot:
    push ebp
    mov ebp, esp
    push ebx
    push edi
    push 0 /* written */
    push 0
    push FILE_ATTRIBUTE_NORMAL
    push OPEN_EXISTING
    push 0
    push FILE_SHARE_READ
    push GENERIC_WRITE
    push offset mailslot_name
    call dword ptr [__imp__CreateFileA@28]
    cmp eax, -1
    je mailslot_done
    mov ebx, eax
    push dword ptr [ebp+8]
    call dword ptr [__imp__lstrlenA@4]
    lea edx, [ebp-12]
    push 0
    push edx
    push eax
    push dword ptr [ebp+8]
    push ebx
    call dword ptr [__imp__WriteFile@20]
    push ebx
    call dword ptr [__imp__CloseHandle@4]
mailslot_done:
    mov edi, [ebp-8]
    mov ebx, [ebp-4]
    leave
    ret

    EXPORT(niOutputDebugString)
    enter_ngi32_niOutputDebugString text
    push dword ptr [ebp+text]
    call write_mailslot
    leave_ngi32_niOutputDebugString

    EXPORT(ngiSetDebugOutput)
    enter_ngi32_ngiSetDebugOutput target
    mov esi, [ebp+target]
    cmp esi, 1
    je debug_store_mode
    call forget_debug_file
    test esi, esi
    jz debug_store_mode
    push esi
    call dword ptr [__imp__lstrlenA@4]
    lea ecx, [eax+1]
    mov ebx, ecx
    push ecx
    push 0
    push dword ptr [heap]
    call dword ptr [__imp__HeapAlloc@12]
    mov [debug_file], eax
    test eax, eax
    jz debug_no_file
    mov edi, eax
    mov ecx, ebx
    rep movsb
debug_no_file:
    xor esi, esi
debug_store_mode:
    mov [debug_mode], esi
    leave_ngi32_ngiSetDebugOutput

    at 0x00000
forget_debug_file:
    push dword ptr [debug_file]
    call heap_free
    add esp, 4
    mov dword ptr [debug_file], 0
    ret

/* Callers only use the low half. */
    EXPORT(ngiGetClocks)
    enter_ngi32_ngiGetClocks
    local_block counter, 8
    lea eax, [ebp+counter]
    push eax
    call dword ptr [__imp__QueryPerformanceCounter@4]
    mov eax, [ebp+counter]
    leave_ngi32_ngiGetClocks

    .section .rdata.system, "dr"
mailslot_name:
    .asciz "\\\\.\\mailslot\\ndebug"
