# retropose_label(labels test...): what a test needs, by which tests are chosen (scripts/test and
# tests/selection). A test that add_test() makes is given its labels with this; retropose_tests() and
# retropose_script() give "unit". The labels take the place of those that the test had. tests/labels fails
# where one is missing.
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

# retropose_name(variable path): the name of the test that a file is, by its path from the folder that CMake
# reads. It is the path below tests/ with _ for /, without `test_` and what follows the first dot. A file
# `run` has the name of its folder, and a folder's name with which the file's begins is not said twice:
#
#   tests/formats/nres/test_nres_check.c     formats_nres_check
#   tests/animesh/test_mesh_segment.c        animesh_mesh_segment
#   tests/formats/nres/command               formats_nres_command
#   tests/animesh/brute/run                  animesh_brute
function(retropose_name variable path)
    file(RELATIVE_PATH path ${retropose_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR}/${path})
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${path} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    get_filename_component(last "${folder}" NAME)
    if(name STREQUAL "run")
        set(path ${folder})
    elseif("${name}_" MATCHES "^${last}_")
        string(REGEX REPLACE "[^/]+$" "${name}" path ${folder})
    else()
        set(path ${folder}/${name})
    endif()
    string(REGEX REPLACE "^/" "" path ${path})
    string(REGEX REPLACE "[/-]" "_" path ${path})
    set(${variable} ${path} PARENT_SCOPE)
endfunction()

# retropose_script(command argument... [AS path] [LABELS label...] [TAKES seconds] [CORES n] [RUNS_32_BIT]
#                  [NEEDS target... | NEEDS_NOTHING]): a test that is no cmocka program.
#
# The command is a file of the folder, which Python runs if it ends in .py, and which gives the test its name.
# Or else it is any command, or one that is several tests; then AS has the path that the name is made of. The
# test is skipped where the command exits with 77. Its label is "unit" unless LABELS says otherwise. What has to
# be built for it is what its command names in the build folder, and NEEDS (scripts/test-targets).
function(retropose_script command)
    cmake_parse_arguments(PARSE_ARGV 1 SCRIPT "RUNS_32_BIT;NEEDS_NOTHING" "AS;TAKES;CORES" "LABELS;NEEDS")
    if(SCRIPT_AS)
        retropose_name(name ${SCRIPT_AS})
    else()
        retropose_name(name ${command})
    endif()
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${command})
        set(command ${CMAKE_CURRENT_SOURCE_DIR}/${command})
        if(command MATCHES "\\.py$")
            set(command ${RETROPOSE_PYTHON} -B ${command})
        endif()
    elseif(NOT SCRIPT_AS)
        message(FATAL_ERROR "${command} is no file of the folder: AS has to say what the test is called")
    endif()
    add_test(NAME ${name} COMMAND ${command} ${SCRIPT_UNPARSED_ARGUMENTS} COMMAND_EXPAND_LISTS)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    if(NOT SCRIPT_LABELS)
        set(SCRIPT_LABELS unit)
    endif()
    retropose_label("${SCRIPT_LABELS}" ${name})
    if(SCRIPT_TAKES)
        retropose_takes(${SCRIPT_TAKES} ${name})
    endif()
    if(SCRIPT_CORES) # ctest -j counts them
        set_tests_properties(${name} PROPERTIES PROCESSORS ${SCRIPT_CORES})
    endif()
    if(SCRIPT_RUNS_32_BIT)
        retropose_runs_32_bit(${name})
    endif()
    if(SCRIPT_NEEDS OR SCRIPT_NEEDS_NOTHING)
        add_custom_target(${name})
        if(SCRIPT_NEEDS)
            add_dependencies(${name} ${SCRIPT_NEEDS})
        endif()
    endif()
endfunction()

# Of the library alone no program needs cmocka.
if(RETROPOSE_LIBRARY_ALONE)
    return()
endif()

# The pairs of DLLs exist in a build for 32-bit Windows only: replacement/, standin/, and the stand-in's
# variants (tests/standin/variants/NAME.txt) in variants/NAME/, each with truth.overlay (calls and
# addresses), truth.profile (readings) and truth.txt (exports, bases). Other builds find them there.
if(WIN32)
    set(RETROPOSE_WINDOWS_BUILD ${retropose_BINARY_DIR})
else()
    set(RETROPOSE_WINDOWS_BUILD ${retropose_SOURCE_DIR}/build/windows CACHE PATH "the build of the pairs")
endif()
file(GLOB RETROPOSE_VARIANTS CONFIGURE_DEPENDS ${retropose_SOURCE_DIR}/tests/standin/variants/*.txt)
list(TRANSFORM RETROPOSE_VARIANTS REPLACE ".*/([^/]+)\\.txt" "\\1")

find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY NAMES cmocka cmocka-static REQUIRED)

# What runs the tests of a program (tests/test.h).
retropose_part(retropose_testing STATIC ${retropose_SOURCE_DIR}/tests/test.c ${retropose_SOURCE_DIR}/tests/main.c)
target_include_directories(retropose_testing PUBLIC ${retropose_SOURCE_DIR} ${CMOCKA_INCLUDE_DIR})
target_link_libraries(retropose_testing PUBLIC ${CMOCKA_LIBRARY})

# Where 32-bit programs for Windows cannot run, their tests are built by this target alone.
if(WIN32 AND NOT RETROPOSE_RUNS_32_BIT AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    add_custom_target(tests_that_cannot_run)
endif()

# retropose_tests(subject... [AS path] [WITH a.c...] [FOLDER /name] [LABELS label...] [TAKES seconds]
#                 LIBRARIES x y): the cmocka program of each test_SUBJECT.c, with what else each is made of.
#
# A subject may have folders in front (files/output is files/test_output.c). Test and target have the name of the
# file (retropose_name), or of AS, where one file is several tests. ctest runs them; under Wine when
# cross-compiling (scripts/wine-run keeps to a private prefix). A program knows its build, the build of the
# pairs and a folder for its files (of the build, or in it FOLDER), and is skipped when it exits with SKIPPED.
function(retropose_tests)
    cmake_parse_arguments(TEST "" "AS;FOLDER;TAKES" "WITH;LIBRARIES;LABELS" ${ARGN})
    if(NOT TEST_LABELS)
        set(TEST_LABELS unit)
    endif()
    foreach(subject IN LISTS TEST_UNPARSED_ARGUMENTS)
        string(REGEX REPLACE "([^/]+)$" "test_\\1.c" source ${subject})
        retropose_name(name ${source})
        if(TEST_AS)
            retropose_name(name ${TEST_AS})
        endif()
        retropose_program(${name} ${source} ${TEST_WITH})
        if(TARGET tests_that_cannot_run)
            set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
            add_dependencies(tests_that_cannot_run ${name})
        endif()
        target_compile_definitions(${name} PRIVATE SKIPPED=77
            BUILD_FOLDER="${retropose_BINARY_DIR}" WINDOWS_BUILD="${RETROPOSE_WINDOWS_BUILD}"
            TEST_FOLDER="${CMAKE_CURRENT_BINARY_DIR}${TEST_FOLDER}")
        target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} retropose_testing)
        add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${retropose_SOURCE_DIR})
        set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
        retropose_label("${TEST_LABELS}" ${name})
        if(TEST_TAKES)
            retropose_takes(${TEST_TAKES} ${name})
        endif()
    endforeach()
endfunction()

# retropose_fixture(name a.c b.c [LIBRARIES x y]): what several tests have in common, compiled once. They
# name it among their LIBRARIES, and get those that it needs, and its folder's headers, with it.
function(retropose_fixture name)
    cmake_parse_arguments(FIXTURE "" "" "LIBRARIES" ${ARGN})
    retropose_part(${name} OBJECT ${FIXTURE_UNPARSED_ARGUMENTS})
    target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${FIXTURE_LIBRARIES} retropose_testing $<$<NOT:$<BOOL:${WIN32}>>:m>)
endfunction()

# One build for Linux runs what would be the same in all: tests under Wine, whose programs are those of the
# Windows build, in a browser, of scripts and pages, and the longest proofs.
set(RETROPOSE_MAIN_BUILD OFF)
if(NOT WIN32 AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND
   NOT RETROPOSE_SANITIZE AND NOT RETROPOSE_CONVENTIONS AND
   NOT RETROPOSE_IS_SOFT)
    set(RETROPOSE_MAIN_BUILD ON)
endif()
