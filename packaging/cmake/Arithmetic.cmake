# The options that decide bits. tests/golden notices when one of them is lost.
#   -ffp-contract=off           no fused multiply-add
#   -fno-fast-math              no reassociation, no assumption about NaN or signed zero
#   -frounding-math             the rounding mode is the caller's: the compiler folds nothing
#   -fexcess-precision=standard C float expressions round at every assignment (GCC, x87)
#   -fno-strict-aliasing        records are read through their bytes
#   -fno-tree-slp-vectorize     GCC 12 at -O2 and -O3 makes (double)(float)x of neighbours one conversion that
#                               does not round; so it does with _mm_setr_pd((float)a, (float)b)
#   -fno-vectorize, -fno-slp-vectorize   for WebAssembly with vectors, LLVM 14 may move a load that becomes a
#                               lane behind a store to the same place; our own vectors are written out
target_compile_options(retropose_flags INTERFACE
    -ffp-contract=off -fno-fast-math -fno-strict-aliasing)
# Clang knows this option for x86 only. Elsewhere all arithmetic rounds to nearest, as Clang takes for
# granted: other roundings are those of the x87 in software, which computes with integers.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang" OR NOT RETROPOSE_IS_SOFT OR RETROPOSE_SOFT_X87)
    target_compile_options(retropose_flags INTERFACE -frounding-math)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(retropose_flags INTERFACE -fexcess-precision=standard -fno-tree-slp-vectorize)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    target_compile_options(retropose_flags INTERFACE -fno-vectorize -fno-slp-vectorize)
endif()
