# How this project's targets are made. Nothing here is global: each target links retropose_flags, so a
# project that contains this one with add_subdirectory() keeps its own options.
option(RETROPOSE_WERROR "compiler warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# Machines without an x87 compute its instructions and those of SSE in software (ngi32/processor).
option(RETROPOSE_SOFT_X87 "compute the x87 and SSE in software on an x86, too, as a test" OFF)
option(RETROPOSE_WITHOUT_CORE "take the steps of the x87 where the exact core would serve, as a test" OFF)
set(RETROPOSE_IS_SOFT ${RETROPOSE_SOFT_X87})
set(RETROPOSE_IS_X86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|i[3-6]86|x86|amd64|AMD64|X86)$")
    set(RETROPOSE_IS_X86 ON)
else()
    set(RETROPOSE_IS_SOFT ON)
endif()

# ---- options of every target ---------------------------------------------------------------------

add_library(retropose_flags INTERFACE)

include(Arithmetic) # the options that decide bits

target_compile_options(retropose_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(RETROPOSE_WITHOUT_CORE)
    target_compile_definitions(retropose_flags INTERFACE RETROPOSE_WITHOUT_CORE)
endif()
if(RETROPOSE_SOFT_X87)
    target_compile_definitions(retropose_flags INTERFACE RETROPOSE_SOFT_X87)
endif()
if(RETROPOSE_IS_SOFT) # so that a root is an instruction and not a call
    target_compile_options(retropose_flags INTERFACE -fno-math-errno)
endif()
if(RETROPOSE_WERROR)
    target_compile_options(retropose_flags INTERFACE -Werror)
endif()
if(MINGW)
    # The isfinite() and isinf() of mingw-w64 cause this warning; the other compilers, which do not
    # need the exception, see the same sources.
    target_compile_options(retropose_flags INTERFACE -Wno-float-conversion)
    # printf() formats such as %zu and %Lg mean what the C standard says.
    target_compile_definitions(retropose_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
endif()
if(WIN32) # programs that need no DLL but the system's
    target_link_options(retropose_flags INTERFACE -static)
endif()
if(UNIX AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    # The system's calls with 32 bits fail on files above 2 GB, and stat and readdir on file systems
    # whose inodes or positions in a folder have numbers of 64 bits.
    target_compile_definitions(retropose_flags INTERFACE _FILE_OFFSET_BITS=64)
endif()
if(RETROPOSE_RELEASE)
    include(Release)
endif()
if(RETROPOSE_SANITIZE)
    target_compile_options(retropose_flags INTERFACE
        -fsanitize=${RETROPOSE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(retropose_flags INTERFACE -fsanitize=${RETROPOSE_SANITIZE})
endif()
if(RETROPOSE_COVERAGE) # atomic, because replay runs in threads
    # Every process adds its counts to the file of its program, whatever its folder and environment are.
    set(profiles -fprofile-instr-generate=${CMAKE_BINARY_DIR}/profiles/%m.profraw)
    target_compile_options(retropose_flags INTERFACE
        ${profiles} -fcoverage-mapping -fprofile-update=atomic)
    target_link_options(retropose_flags INTERFACE ${profiles})
endif()
if(RETROPOSE_FUZZ)
    target_compile_options(retropose_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(RETROPOSE_CONVENTIONS)
    target_compile_definitions(retropose_flags INTERFACE ${RETROPOSE_CONVENTIONS})
endif()

# ---- targets -------------------------------------------------------------------------------------

# retropose_library(name [SOURCES file...] [LINKS target...] [PRIVATE target...])
#
# The static library of the current folder: its C files, unless SOURCES says which. LINKS are what its
# headers or its users need as well; PRIVATE is what only its own code needs. Files include each other
# by their path from the project's root; who uses the library sees the public headers only.
function(retropose_library name)
    cmake_parse_arguments(PARSE_ARGV 1 LIBRARY "" "" "SOURCES;LINKS;PRIVATE")
    if(NOT LIBRARY_SOURCES)
        file(GLOB LIBRARY_SOURCES CONFIGURE_DEPENDS *.c)
    endif()
    add_library(${name} STATIC ${LIBRARY_SOURCES})
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${retropose_SOURCE_DIR}/include>
                                              $<BUILD_INTERFACE:${retropose_BINARY_DIR}/include>
                                       PRIVATE ${retropose_SOURCE_DIR} ${retropose_BINARY_DIR}/exports)
    target_link_libraries(${name} PUBLIC ${LIBRARY_LINKS}
                                  PRIVATE $<BUILD_INTERFACE:retropose_flags> ${LIBRARY_PRIVATE})
    # A shared library that contains this one shows what the public headers declare (api.h).
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
    if(RETROPOSE_SSE2)
        retropose_sse2(${name})
    endif()
endfunction()

# retropose_program(name file...): a program of this project, which sees its internal headers and what
# is made from the ABI's tables.
function(retropose_program name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE ${retropose_SOURCE_DIR}/include
                                               ${retropose_BINARY_DIR}/include
                                               ${retropose_SOURCE_DIR}
                                               ${retropose_BINARY_DIR}/exports)
    target_link_libraries(${name} PRIVATE retropose_flags)
endfunction()

# retropose_part(name STATIC|OBJECT|SHARED file...): a library that only tests, benches, examples or
# the two DLLs are made of.
function(retropose_part name)
    add_library(${name} ${ARGN})
    target_include_directories(${name} PRIVATE ${retropose_SOURCE_DIR}/include
                                               ${retropose_BINARY_DIR}/include
                                               ${retropose_SOURCE_DIR}
                                               ${retropose_BINARY_DIR}/exports)
    target_link_libraries(${name} PRIVATE retropose_flags)
endfunction()

# retropose_sse2(target...): on i686 the compilers would else compute in x87 registers, whose 80 bits
# round at places of the compiler's choice. Every processor that runs the tools has SSE2; the DLLs,
# which link none of these targets, keep to the processors of 2001. A folder that sets RETROPOSE_SSE2
# has it for all its libraries and those of its subfolders.
function(retropose_sse2)
    if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND NOT RETROPOSE_IS_SOFT)
        foreach(target IN LISTS ARGN)
            target_compile_options(${target} PRIVATE -msse2 -mfpmath=sse)
        endforeach()
    endif()
endfunction()
