/* The bytes of ani_view.html. */
#ifdef __ELF__
    .hidden ani_view_page, ani_view_page_end
    .section .rodata
#else
    .section .rdata, "dr"
#endif
    .balign 16
    .globl ani_view_page
ani_view_page:
    .incbin PAGE_FILE
    .globl ani_view_page_end
ani_view_page_end:
    .byte 0

#ifdef __ELF__
    .section .note.GNU-stack, "", @progbits
#endif
