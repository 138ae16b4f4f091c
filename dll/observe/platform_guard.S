/* Copies the game's memory, which may fault. */
    .text

/* bool Guard_Copy(void *to, uint32_t from, size_t size). ESP does not change between CopyBegin and
 * CopyEnd, so after a fault in between, the thread can continue at CopyFailed. */
    .globl _Guard_Copy
_Guard_Copy:
    pushl %esi
    pushl %edi
    movl 12(%esp), %edi
    movl 16(%esp), %esi
    movl 20(%esp), %edx
    movl %edx, %ecx
    shrl $2, %ecx
    jz copy_bytes
    .globl _Guard_CopyBegin
_Guard_CopyBegin:
    cmpl $24, %ecx /* `rep movsl` takes some time to begin */
    ja copy_many
copy_dword:
    movl (%esi), %eax
    movl %eax, (%edi)
    addl $4, %esi
    addl $4, %edi
    decl %ecx
    jnz copy_dword
    jmp copy_bytes
copy_many:
    rep movsl
copy_bytes:
    andl $3, %edx
    jz copied
copy_byte:
    movb (%esi), %al
    movb %al, (%edi)
    incl %esi
    incl %edi
    decl %edx
    jnz copy_byte
copied:
    .globl _Guard_CopyEnd
_Guard_CopyEnd:
    movl $1, %eax
    popl %edi
    popl %esi
    ret
    .globl _Guard_CopyFailed
_Guard_CopyFailed:
    xorl %eax, %eax
    popl %edi
    popl %esi
    ret
