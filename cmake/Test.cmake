# retropose_label(labels test...): what a test needs, by which tests are chosen (scripts/test and
# tests/selection). A test that add_test() makes is given its labels with this; retropose_test() gives
# "unit". The labels take the place of those that the test had. tests/labels fails where one is missing.
#
#   unit    nothing but what its own build made, Python and the shell
#   wine    programs of the Windows build, through Wine
#   npm     packages of the npm registry, or a browser; chosen as the slow ones are
#   proof   a second implementation, a model or an exhaustive comparison, which proves the first one
#   long    in addition to one of these: takes ten seconds or more, and `scripts/test quick` leaves it out
#   slow    in addition to one of these: only `scripts/test --all` runs it, or a change that concerns it
function(retropose_label labels)
    set_tests_properties(${ARGN} PROPERTIES LABELS "${labels}")
endfunction()

# retropose_takes(seconds test...): begins the long tests first, so that none is the last one and runs
# alone. ctest knows how long a test takes only after the first run of a build.
function(retropose_takes seconds)
    set_tests_properties(${ARGN} PROPERTIES COST ${seconds})
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

# A test that is itself a 32-bit program for Linux is started in QEMU there (tests/selection says which).
if(NOT RETROPOSE_RUNS_32_BIT AND NOT WIN32 AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    find_program(RETROPOSE_QEMU qemu-i386)
    if(RETROPOSE_QEMU)
        set(CMAKE_CROSSCOMPILING_EMULATOR ${RETROPOSE_QEMU})
    endif()
endif()

# retropose_runs_32_bit(test...): these tests run 32-bit programs, with Wine or without.
function(retropose_runs_32_bit)
    if(NOT RETROPOSE_RUNS_32_BIT)
        set_tests_properties(${ARGN} PROPERTIES DISABLED TRUE)
    endif()
endfunction()

# Of the library alone no program needs cmocka.
if(RETROPOSE_LIBRARY_ALONE)
    return()
endif()

# retropose_test(name SOURCES a.c b.c LIBRARIES x y): a cmocka program, run by ctest; under Wine when
# cross-compiling (scripts/wine-run keeps to a private prefix).
find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY NAMES cmocka cmocka-static REQUIRED)

# Where 32-bit programs for Windows cannot run, their tests are built by this target alone.
if(WIN32 AND NOT RETROPOSE_RUNS_32_BIT AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    add_custom_target(tests_that_cannot_run)
endif()

function(retropose_test name)
    cmake_parse_arguments(TEST "" "" "SOURCES;LIBRARIES" ${ARGN})
    retropose_program(${name} ${TEST_SOURCES})
    if(TARGET tests_that_cannot_run)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_dependencies(tests_that_cannot_run ${name})
    endif()
    target_include_directories(${name} PRIVATE ${CMOCKA_INCLUDE_DIR})
    target_compile_definitions(${name} PRIVATE BUILD_FOLDER="${retropose_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} ${CMOCKA_LIBRARY})
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${retropose_SOURCE_DIR})
    retropose_label(unit ${name})
endfunction()

# retropose_fixture(name a.c b.c): what several tests of a folder have in common, compiled once. They take
# $<TARGET_OBJECTS:name> as a source.
function(retropose_fixture name)
    retropose_part(${name} OBJECT ${ARGN})
    target_include_directories(${name} PRIVATE ${CMOCKA_INCLUDE_DIR})
endfunction()

# Tests that start hundreds of processes under Wine: what they run is the Windows build, so that one
# Linux build's run of them is enough.
set(RETROPOSE_WINE_TESTS OFF)
if(NOT WIN32 AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND
   NOT RETROPOSE_SANITIZE AND NOT RETROPOSE_CONVENTIONS AND
   NOT RETROPOSE_IS_SOFT)
    set(RETROPOSE_WINE_TESTS ON)
endif()
