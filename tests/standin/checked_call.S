/* CheckedCall (checked_call.h) enters a function with known registers and records what it left. */
    .intel_syntax noprefix

#define TARGET      0
#define ECX_        4
#define EDX_        8
#define STACK       12
#define DWORDS      16
#define CONTROL     20
#define MXCSR       24
#define EAX_        28
#define EBX_        32
#define ESI_        36
#define EDI_        40
#define EBP_        44
#define POPPED      48
#define EFLAGS      52
#define MXCSR_AFTER 56
#define ENVIRONMENT 60
#define ST0         88

    .text
    .globl _CheckedCall
_CheckedCall: /* cdecl void (CheckedFrame *) */
    push ebp
    push ebx
    push esi
    push edi
    mov eax, [esp+20]
    mov [frame], eax
    mov [stack_at_entry], esp
    mov ecx, [eax+DWORDS]
    lea edx, [4*ecx]
    sub esp, edx
    mov esi, [eax+STACK]
    mov edi, esp
    rep movsd
    mov [stack_before], esp
    fninit
    fldcw word ptr [eax+CONTROL]
    ldmxcsr dword ptr [eax+MXCSR]
    mov ecx, [eax+ECX_]
    mov edx, [eax+EDX_]
    mov ebx, 0x0B0B0B0B
    mov esi, 0x51515151
    mov edi, 0xD1D1D1D1
    mov ebp, 0x0E0E0E0E
    call dword ptr [eax+TARGET]

    mov [result], eax
    mov eax, [frame]
    mov [eax+EBX_], ebx
    mov [eax+ESI_], esi
    mov [eax+EDI_], edi
    mov [eax+EBP_], ebp
    mov ecx, esp
    sub ecx, [stack_before]
    mov [eax+POPPED], ecx
    pushfd
    pop dword ptr [eax+EFLAGS]
    stmxcsr dword ptr [eax+MXCSR_AFTER]
    fnstenv [eax+ENVIRONMENT]
    cmp word ptr [eax+ENVIRONMENT+8], 0xFFFF /* tag word: all empty */
    je nothing_in_st0
    fstp tbyte ptr [eax+ST0]
nothing_in_st0:
    mov ecx, [result]
    mov [eax+EAX_], ecx
    cld
    fninit
    ldmxcsr dword ptr [default_mxcsr]
    mov esp, [stack_at_entry]
    pop edi
    pop esi
    pop ebx
    pop ebp
    ret

    .data
frame:
    .long 0
stack_at_entry:
    .long 0
stack_before:
    .long 0
result:
    .long 0
default_mxcsr:
    .long 0x1F80
