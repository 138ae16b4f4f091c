# Flags that decide bits. tests/golden notices when one of them is lost.
#   -ffp-contract=off           no fused multiply-add
#   -fno-fast-math              no reassociation, no assumption about NaN or signed zero
#   -frounding-math             the rounding mode is the caller's: fold nothing
#   -fexcess-precision=standard C float expressions round at every assignment (GCC, x87)
#   -fno-strict-aliasing        records are read through their bytes
add_compile_options(-ffp-contract=off -fno-fast-math -frounding-math -fno-strict-aliasing)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fexcess-precision=standard)
endif()

# For the folders whose bits SSE2 instructions decide: on i686 the compilers would else compute in x87
# registers, whose 80 bits round at places of their choice. Every processor that runs the tests has
# SSE2; the DLLs, which link none of this, keep to the processors of 2001.
macro(retropose_sse2_arithmetic)
    if(CMAKE_SIZEOF_VOID_P EQUAL 4)
        add_compile_options(-msse2 -mfpmath=sse)
    endif()
endmacro()
