# retropose_test(name SOURCES a.c b.c LIBRARIES x y): a cmocka program, run by ctest; under Wine when
# cross-compiling (scripts/wine-run keeps to a private prefix).
find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY NAMES cmocka cmocka-static REQUIRED)

function(retropose_test name)
    cmake_parse_arguments(TEST "" "" "SOURCES;LIBRARIES" ${ARGN})
    retropose_program(${name} ${TEST_SOURCES})
    target_include_directories(${name} PRIVATE ${CMOCKA_INCLUDE_DIR})
    target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} ${CMOCKA_LIBRARY})
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${retropose_SOURCE_DIR})
endfunction()

# Some machines' kernels refuse 32-bit programs, Wine among them (scripts/lib.sh, runs_32_bit). Tests
# that need them are disabled there: ctest lists and counts them as not run.
set(RETROPOSE_RUNS_32_BIT ON)
if(NOT CMAKE_HOST_WIN32 AND EXISTS /lib/ld-linux.so.2)
    execute_process(COMMAND /lib/ld-linux.so.2 --version RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
    if(refused)
        set(RETROPOSE_RUNS_32_BIT OFF)
        message(STATUS "This machine cannot run 32-bit programs: tests that need them are disabled")
    endif()
endif()

# retropose_runs_32_bit(test...): these tests run 32-bit programs, with Wine or without.
function(retropose_runs_32_bit)
    if(NOT RETROPOSE_RUNS_32_BIT)
        set_tests_properties(${ARGN} PROPERTIES DISABLED TRUE)
    endif()
endfunction()

# Tests that start hundreds of processes under Wine: what they run is the Windows build, so that one
# Linux build's run of them is enough.
set(RETROPOSE_WINE_TESTS OFF)
if(NOT WIN32 AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND
   NOT RETROPOSE_SANITIZE AND NOT RETROPOSE_COVERAGE AND NOT RETROPOSE_CONVENTIONS)
    set(RETROPOSE_WINE_TESTS ON)
endif()
