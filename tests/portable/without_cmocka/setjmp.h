/* cmocka.h asks for this header. WebAssembly's C library has none. */
