/* 32-bit functions whose calls are known, as bytes in this program: never run. Each is copied to
 * 0x10001000 of a small image, so they name no address of their own. */
#ifdef __MINGW32__
#define SYMBOL(name) _##name
#else
#define SYMBOL(name) name
#endif

    .section .rodata
    .code32
    .intel_syntax noprefix

#define SNIPPET(name) .globl SYMBOL(snippet_##name); SYMBOL(snippet_##name):

SNIPPET(fastcall)
    fld dword ptr [ecx]
    fmul dword ptr [esp+4]
    mov eax, [esp+8]
    fadd dword ptr [edx]
    fstp dword ptr [eax]
    ret 8

SNIPPET(thiscall)
    mov eax, [ecx+8]
    mov edx, [esp+4]
    lea eax, [eax+edx*4]
    ret 4

SNIPPET(stdcall)
    push ebp
    mov ebp, esp
    push ecx /* room for a local */
    push esi
    mov esi, [ebp+8]
    mov eax, [esi]
    mov [ebp-4], eax
    mov eax, [ebp+12]
    imul eax, eax, 3
    pop esi
    leave
    ret 8

SNIPPET(cdecl)
    mov eax, [esp+4]
    test eax, eax
    je cdecl_none
    mov eax, [eax]
cdecl_none:
    ret

SNIPPET(stub)
    xor eax, eax
    ret 12

SNIPPET(zeroes)
    xor ecx, ecx
    sub edx, edx
    mov eax, ecx
    ret

SNIPPET(returns_float)
    fld dword ptr [esp+4]
    fld1
    fdivrp st(1), st
    fsqrt
    ret 4

SNIPPET(two_returns)
    test byte ptr [esp+4], 1
    jne two_returns_other
    ret 4
two_returns_other:
    ret 8

SNIPPET(loop)
    push edi
    mov edi, ecx
    xor eax, eax
loop_again:
    add eax, [edi]
    add edi, 4
    dec edx
    jne loop_again
    pop edi
    ret

SNIPPET(passes)
    push dword ptr [esp+4]
    mov edx, ecx
    xor ecx, ecx
    call passes_callee
    ret 4
passes_callee:
    fld dword ptr [edx]
    fstp dword ptr [edx+4]
    fld dword ptr [esp+4]
    fstp st(0)
    ret 4

SNIPPET(sse)
    movss xmm0, [esp+8]
    mov eax, [esp+4]
    movss [eax], xmm0
    ret 8

SNIPPET(computed_jump)
    jmp ecx

SNIPPET(unbalanced)
    push ebx
    ret 4

SNIPPET(indirect)
    push ebp
    mov ebp, esp
    push dword ptr [ebp+8]
    call dword ptr [eax+0x44]
    leave
    ret 4

SNIPPET(caller_cleans)
    push 1
    push 2
    call dword ptr [eax]
    add esp, 8
    mov eax, [esp+4]
    mov eax, [eax]
    ret 4

SNIPPET(saves)
    push esi
    mov esi, [esp+8]
    push 5
    call dword ptr [eax]
    mov eax, [esi]
    pop esi
    ret 4

SNIPPET(never_returns)
    int3

SNIPPET(spilled)
    push ebp
    mov ebp, esp
    push ecx
    push edx
    sub esp, 16
    mov esi, [ebp-4]
    mov edi, [ebp-8]
    mov ecx, 4
    rep movsd
    leave
    ret

SNIPPET(entry_plain)
    push ebp
    mov ebp, esp
    sub esp, 64
    mov eax, 0x10002004
    mov ecx, 0x10002008
    leave
    ret

SNIPPET(entry_jump)
    jmp entry_jump_on
    nop
    nop
entry_jump_on:
    mov eax, 0x10002004
    mov ecx, 0x10002004
    mov edx, 0x10002004
    ret

SNIPPET(entry_jumped_into)
    xor eax, eax
    mov ecx, 16
entry_jumped_into_again:
    dec ecx
    jne SYMBOL(snippet_entry_jumped_into) + 2
    mov edx, 0x12345678
    mov edx, 0x12345678
    ret

/* The bytes that are no instruction hide nothing here, but who knows: what jumps back lies behind. */
SNIPPET(entry_unreadable)
    xor eax, eax
    mov ecx, 16
    mov edx, 0x12345678
    mov edx, 0x12345678
    je entry_unreadable_on
    .byte 0xFF, 0xFF
entry_unreadable_on:
    dec ecx
    jne SYMBOL(snippet_entry_unreadable) + 2
    ret

/* Data behind the last return. */
SNIPPET(entry_data_behind)
    xor eax, eax
    mov ecx, 16
    mov edx, 0x12345678
    mov edx, 0x12345678
    je entry_data_behind_on
    ret
entry_data_behind_on:
    ret
    .byte 0xFF, 0xFF

SNIPPET(stores)
    mov dword ptr ds:[0x10002010], 0x10001000
    mov eax, 0x10001004
    mov ds:[0x10002018], eax
    mov ecx, 0x10001008
    mov ds:[0x1000201C], ecx
    mov dword ptr ds:[0x10002020], 7 /* no code */
    mov dword ptr ds:[0x10002200], 0x10001000 /* behind the table */
    xor ecx, ecx
    mov ds:[0x10002014], ecx
    ret

    .globl SYMBOL(snippets_end)
SYMBOL(snippets_end):
#ifdef __ELF__
    .section .note.GNU-stack, "", @progbits
#endif
