# For the folders whose bits SSE2 instructions decide: on i686 the compilers would else compute in x87
# registers, whose 80 bits round at places of their choice. Every processor that runs the tests has
# SSE2; the DLLs, which link none of this, keep to the processors of 2001.
macro(retropose_sse2_arithmetic)
    if(CMAKE_SIZEOF_VOID_P EQUAL 4)
        add_compile_options(-msse2 -mfpmath=sse)
    endif()
endmacro()
