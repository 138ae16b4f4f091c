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
