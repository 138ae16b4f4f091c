# What `cmake --install BUILD --prefix PREFIX` installs, by component:
#
#   library   the static and shared libraries, and what find_package() and pkg-config read
#   headers   include/retropose/
#   command   the command `retropose`, its manual, what shells complete, and the bundled traces
#   dlls      of the Windows build: the two DLLs, the stand-in, and the host that runs them
#   docs      the pages, the changes, the licence and the examples
#
# An installed tree may be moved as a whole: nothing in it names the folder that it is in.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/retropose)

# ---- library and headers -------------------------------------------------------------------------

set(installed ${RETROPOSE_LIBRARIES} ${offers} libretropose_static libretropose)
if(TARGET libretropose_shared)
    list(APPEND installed libretropose_shared)
endif()
install(TARGETS ${installed} EXPORT retropose
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# What the component `library` installs, for those who build no more than they need.
add_custom_target(installed_library)
add_dependencies(installed_library ${installed})
install(EXPORT retropose NAMESPACE retropose:: FILE retropose-targets.cmake
    DESTINATION ${package} COMPONENT library)

set(RETROPOSE_NEEDS_ZLIB OFF)
set(RETROPOSE_NEEDS_CJSON OFF)
set(RETROPOSE_NEEDS_ZYDIS OFF)
# These are words for the linker, and no packages for pkg-config, which would hand the folders of their
# headers to programs: public headers include none of them.
set(foreign_libraries)
foreach(foreign IN LISTS RETROPOSE_FOREIGN)
    if(foreign STREQUAL "ZLIB::ZLIB")
        set(RETROPOSE_NEEDS_ZLIB ON)
        list(APPEND foreign_libraries -lz)
    elseif(foreign STREQUAL "cJSON::cJSON")
        set(RETROPOSE_NEEDS_CJSON ON)
        list(APPEND foreign_libraries -lcjson)
    elseif(foreign STREQUAL "Zydis::Zydis")
        set(RETROPOSE_NEEDS_ZYDIS ON)
        list(APPEND foreign_libraries -lZydis)
    elseif(foreign STREQUAL "m")
        list(APPEND foreign_libraries -lm)
    else()
        message(FATAL_ERROR "The library links ${foreign}, which its packages do not mention")
    endif()
endforeach()
list(JOIN foreign_libraries " " foreign_libraries)

configure_package_config_file(
    ${CMAKE_CURRENT_LIST_DIR}/retropose-config.cmake.in ${retropose_BINARY_DIR}/retropose-config.cmake
    INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${retropose_BINARY_DIR}/retropose-config-version.cmake
    VERSION ${retropose_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${retropose_BINARY_DIR}/retropose-config.cmake
              ${retropose_BINARY_DIR}/retropose-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindcJSON.cmake ${CMAKE_CURRENT_LIST_DIR}/FindZydis.cmake
    DESTINATION ${package} COMPONENT library)

# Whoever links the static library needs what it needs, with pkg-config's --static where -lretropose
# else means the shared one.
set(RETROPOSE_PC_LIBS "-L\${libdir} -lretropose")
set(RETROPOSE_PC_LIBS_PRIVATE "${foreign_libraries}")
if(NOT TARGET libretropose_shared)
    string(APPEND RETROPOSE_PC_LIBS " ${RETROPOSE_PC_LIBS_PRIVATE}")
    set(RETROPOSE_PC_LIBS_PRIVATE)
endif()
file(RELATIVE_PATH RETROPOSE_PREFIX_FROM_PC
    /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/retropose.pc.in ${retropose_BINARY_DIR}/retropose.pc @ONLY)
install(FILES ${retropose_BINARY_DIR}/retropose.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

install(DIRECTORY ${retropose_SOURCE_DIR}/include/retropose ${retropose_BINARY_DIR}/include/retropose
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers FILES_MATCHING PATTERN "*.h")

# ---- what else there is --------------------------------------------------------------------------

if(RETROPOSE_TOOLS)
    install(TARGETS retropose RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
    install(DIRECTORY ${retropose_SOURCE_DIR}/traces DESTINATION share/retropose COMPONENT command
        FILES_MATCHING PATTERN "*.rptrace" PATTERN SHA256SUMS)
    if(NOT CMAKE_CROSSCOMPILING)
        install(DIRECTORY ${retropose_BINARY_DIR}/vectors DESTINATION share/retropose/traces
            COMPONENT command)
    endif()
    if(RETROPOSE_MANUAL)
        install(DIRECTORY ${retropose_BINARY_DIR}/packaging/share/ DESTINATION share COMPONENT command)
    endif()
endif()

# Where the command looks for it, too: the program that has pairs of DLLs in a machine.
if(RETROPOSE_TOOLS AND NOT WIN32)
    install(TARGETS retropose-host RUNTIME DESTINATION lib/retropose COMPONENT command)
endif()

# Beside the command, which looks here for them (cli/place.c), whatever system the command is for.
if(RETROPOSE_TOOLS AND WIN32 AND RETROPOSE_DLLS)
    set(place lib/retropose)
    install(TARGETS ngi32_dll animesh_dll
        RUNTIME DESTINATION ${place}/replacement COMPONENT dlls
        ARCHIVE EXCLUDE_FROM_ALL DESTINATION ${place}/replacement COMPONENT imports)
    install(TARGETS retropose-host RUNTIME DESTINATION ${place} COMPONENT dlls)
    # What `replay` compares with where there is no original. It is no file of the game, and says so.
    if(RETROPOSE_TESTS)
        foreach(pair standin standin-wxyz)
            install(FILES ${retropose_BINARY_DIR}/${pair}/Ngi32.dll ${retropose_BINARY_DIR}/${pair}/AniMesh.dll
                DESTINATION ${place}/${pair} COMPONENT dlls)
        endforeach()
        install(FILES ${retropose_SOURCE_DIR}/packaging/standin.txt
            DESTINATION ${place}/standin RENAME README.txt COMPONENT dlls)
    endif()
endif()

install(FILES ${retropose_SOURCE_DIR}/CHANGELOG.md ${retropose_SOURCE_DIR}/LICENSE
              ${retropose_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
install(DIRECTORY ${retropose_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
# The other examples are built with the tree and use models that its tests make.
install(DIRECTORY ${retropose_SOURCE_DIR}/examples/consumer ${retropose_SOURCE_DIR}/examples/vectors
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT docs)
install(FILES ${retropose_SOURCE_DIR}/examples/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT docs)
# What these pages link to in the sources is not installed, so such links become plain text.
if(RETROPOSE_PYTHON)
    install(CODE "execute_process(COMMAND \"${RETROPOSE_PYTHON}\" -B
        \"${retropose_SOURCE_DIR}/packaging/links\"
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT docs)
endif()
# The pages as a site, if scripts/site has made it. A release makes its own (scripts/release).
if(NOT RETROPOSE_RELEASE)
    install(DIRECTORY ${retropose_SOURCE_DIR}/build/site
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs OPTIONAL)
endif()
