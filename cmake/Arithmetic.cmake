# The options that decide bits. tests/golden notices when one of them is lost.
#   -ffp-contract=off           no fused multiply-add
#   -fno-fast-math              no reassociation, no assumption about NaN or signed zero
#   -frounding-math             the rounding mode is the caller's: the compiler folds nothing
#   -fexcess-precision=standard C float expressions round at every assignment (GCC, x87)
#   -fno-strict-aliasing        records are read through their bytes
target_compile_options(retropose_flags INTERFACE
    -ffp-contract=off -fno-fast-math -fno-strict-aliasing)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32") # WebAssembly has one rounding mode, so Clang refuses this
    target_compile_options(retropose_flags INTERFACE -frounding-math)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(retropose_flags INTERFACE -fexcess-precision=standard)
endif()
