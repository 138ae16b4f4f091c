/* Includes the bytes of the page. A compiler would need much time for a C array of this size. */
#ifdef __ELF__
    .hidden viewer_page, viewer_page_end
    .section .rodata
#else
    .section .rdata, "dr"
#endif
    .balign 16
    .globl viewer_page
viewer_page:
    .incbin PAGE_FILE
    .globl viewer_page_end
viewer_page_end:
    .byte 0

#ifdef __ELF__
    .section .note.GNU-stack, "", @progbits
#endif
