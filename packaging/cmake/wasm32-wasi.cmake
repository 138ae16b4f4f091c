# WebAssembly with Clang and wasi-libc; Node runs the programs (scripts/wasm-run). Without RETROPOSE_SIMD
# the vectors become scalar operations. cJSON and zlib come from scripts/setup-deps; without them there is
# neither JSON nor what is packed.
include(${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake)
option(RETROPOSE_SIMD "use WebAssembly's vectors" ON)
set(CMAKE_SYSTEM_NAME Generic) # CMake knows no WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_ASM_COMPILER clang)
set(CMAKE_ASM_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
if(RETROPOSE_SIMD)
    set(CMAKE_C_FLAGS_INIT "-msimd128")
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RETROPOSE_SIMD)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../../scripts/wasm-run)
set(CMAKE_FIND_ROOT_PATH ${RETROPOSE_DEPS}/wasm32-wasi /usr/wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
