/* This header exists because cmocka.h asks for it. WebAssembly's C library has none. */
