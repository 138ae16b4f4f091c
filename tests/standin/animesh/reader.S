/* LoadReader 0x10015FD0, FindSlot 0x100124D0, NodeString 0x10012530 (facts/animesh.md E.1 to E.3,
 * D.2), and the entry of AniMesh.dll. */
#include "piece.inc"

#define INRESFILE_DIRECTORY 4 /* slots; the fourth is provisional, see exports/ngi32.abi.h */
#define INRESFILE_DATA      6
#define INRESFILE_FIND_TYPE 8
#define ENTRY_STRIDE        64
#define ENTRY_ATTRIBUTE1    4
#define ENTRY_ATTRIBUTE2    8
#define HEADER_BYTES        0x8C

.macro method slot, arguments:vararg
    mov eax, [ebp+file]
    mov eax, [eax]
    invoke_ngi32_INResFile_\slot [eax+4*\slot], m, [ebp+file], \arguments
.endm

/* Returns in eax the payload of a type, or null, and in esi its entry, or -1. */
.macro open_type type
    mov edi, \type
    call open_stream
.endm
/* Stores a pointer in the reader's field, and in that of the stream that shares it, if any. */
.macro open_into type, field, stream, stride
    open_type \type
    mov [ebx+\field], eax
    .ifnb \stream
        mov [ebx+\stream], eax
        mov dword ptr [ebx+\stream+4], \stride
    .endif
.endm

/* Returns in eax the directory entry of esi, whose attribute at `offset` is then read, or 0 if
 * there is no entry. */
.macro entry_attribute field, attribute, label
    xor eax, eax
    cmp esi, -1
    je \label
    mov eax, [ebp+file]
    mov eax, [eax]
    invoke_ngi32_INResFile_4 [eax+4*INRESFILE_DIRECTORY], m, [ebp+file]
    shl esi, 6
    mov eax, [eax+esi+\attribute]
\label:
    mov [ebx+\field], eax
.endm

FUNCTION(animesh_LoadReader)
    enter_animesh_LoadReader reader, file
    mov ebx, [ebp+reader]
    open_into 1, READER_NODES
    open_into 2, READER_HEADER
    add eax, HEADER_BYTES /* also to a null one */
    mov [ebx+READER_SLOTS], eax
    open_into 3, 0x0C, 0x3C, 12
    open_into 4, 0x10, 0x44, 4
    open_into 5, 0x14, 0x5C, 4
    open_into 10, READER_STRINGS
    open_into 8, READER_KEYS
    open_into 19, READER_FRAME_MAP
    entry_attribute READER_FRAME_COUNT, ENTRY_ATTRIBUTE2, reader_frames
    open_into 7, 0x24
    open_into 13, 0x28
    open_into 6, 0x2C
    open_into 15, 0x34, 0x8C, 8
    open_into 16, 0x38
    mov [ebx+0x4C], eax
    test eax, eax
    jz reader_no_tangents
    mov dword ptr [ebx+0x50], 8
    mov dword ptr [ebx+0x58], 8
    add eax, 4
reader_no_tangents:
    mov [ebx+0x54], eax
    open_type 18
    mov [ebx+0x64], eax
    xor eax, eax
    cmp esi, -1 /* found, with data or without? */
    je reader_no_colours
    mov al, 4
reader_no_colours:
    mov [ebx+0x68], eax
    open_into 20, 0x30
    test eax, eax
    jnz reader_res20
    mov esi, -1 /* not opened: no count */
reader_res20:
    entry_attribute 0xA0, ENTRY_ATTRIBUTE1, reader_res20_count
    mov dword ptr [ebx+0x94], 0
    jmp reader_return

/* Expects the type in edi, and runs in LoadReader's frame. */
open_stream:
    method INRESFILE_FIND_TYPE, r, edi
    mov esi, eax
    xor eax, eax
    cmp esi, -1
    je open_done
    xor edi, edi /* no touching of pages */
    method INRESFILE_DATA, r, esi, r, edi
open_done:
    ret
reader_return:
    leave_animesh_LoadReader

FUNCTION(animesh_FindSlot)
    enter_animesh_FindSlot piece, level, variant
    mov esi, [ebp+piece]
    mov edi, [esi+PIECE_READER]
    xor eax, eax
    test edi, edi
    jz slot_return
    mov ecx, [ebp+variant]
    cmp ecx, -1
    jne slot_variant_known
    mov ecx, [esi+PIECE_VARIANT]
slot_variant_known:
    lea ecx, [ecx+4*ecx]
    add ecx, [ebp+level]
    imul edx, [esi+PIECE_NODE], NODE_STRIDE
    add edx, [edi+READER_NODES]
    movzx ecx, word ptr [edx+2*ecx+NODE_SLOTS]
    cmp ecx, NO_INDEX
    je slot_return
    imul eax, ecx, SLOT_STRIDE
    add eax, [edi+READER_SLOTS]
slot_return:
    leave_animesh_FindSlot

/* A record is a u32 length, followed by length + 1 bytes if it is not 0. */
FUNCTION_ELSEWHERE(animesh_NodeString) /* has 48 bytes */
    enter_animesh_NodeString piece
    mov esi, [ebp+piece]
    mov edi, [esi+PIECE_READER]
    mov eax, [edi+READER_STRINGS]
    mov ecx, [esi+PIECE_NODE]
string_skip:
    sub ecx, 1
    jb string_found
    mov edx, [eax]
    add eax, 4
    test edx, edx
    jz string_skip
    lea eax, [eax+edx+1]
    jmp string_skip
string_found:
    cmp dword ptr [eax], 1 /* carry: length 0 */
    lea eax, [eax+4]
    jnc string_return
    xor eax, eax
string_return:
    leave_animesh_NodeString

/* The entry point is stdcall BOOL (module, reason, reserved). */
    function_at 0x00000, _DllEntry@12
    mov eax, 1
    ret 12
