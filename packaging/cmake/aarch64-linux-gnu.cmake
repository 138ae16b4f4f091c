# 64-bit ARM Linux with Clang and Debian's cross C library. (Debian's GCC for ARM cannot be installed
# beside the one for 32-bit x86.) Programs are static, so that qemu-aarch64 runs them without ARM
# libraries at a place of its choice.
include(${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_ASM_COMPILER clang)
set(CMAKE_ASM_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(CMAKE_FIND_ROOT_PATH ${RETROPOSE_DEPS}/aarch64-linux-gnu /usr/aarch64-linux-gnu)
# The command needs libraries of which there are no cross packages. They are in a system for ARM, where
# tests/whole/arm64/run has one, and it runs the programs.
if(DEFINED ENV{RETROPOSE_ARM64_SYSTEM})
    set(CMAKE_SYSROOT $ENV{RETROPOSE_ARM64_SYSTEM})
    set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
    set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
    set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
    unset(CMAKE_CROSSCOMPILING_EMULATOR)
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
